# SPDX-License-Identifier: BSD-3-Clause
"""TruncatedSVD with the interface of scikit-learn's: components of rows that are not centred, so that sparse ones stay
sparse."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

import numpy as np

from ._base import (
    Estimator,
    Interval,
    StrOptions,
    Transformer,
    check_array,
    check_is_fitted,
    fit_context,
    is_sparse,
    validate_data,
)
from ._digits import holding, rounded_away
from ._gaussian import complete
from ._model import Model
from ._pca import EXACT, SMALL
from ._sources import is_stream, refuse_rounding_of, source_of
from ._state import positive

CHUNK = 4096  # rows


class TruncatedSVD(Transformer, Estimator):
    """The leading singular vectors of rows as they are (latent semantic analysis).

    The parameters and attributes are those of scikit-learn's TruncatedSVD. For both algorithms the fastest method is taken
    that is at least as accurate; `n_iter`, `n_oversamples` and `power_iteration_normalizer` are accepted and change nothing.
    Sparse rows stay sparse. X may be a path, an iterator of batches, or an Arrow stream.

    >>> import numpy as np, scree
    >>> X = np.array([[1, 0, 2], [0, 3, 0], [4, 0, 1], [2, 1, 0]], dtype=float)
    >>> scree.TruncatedSVD(n_components=2).fit(X).singular_values_.round(4)
    array([4.8241, 3.1283])
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "algorithm": [StrOptions({"arpack", "randomized"})],
        "n_iter": [Interval(Integral, 0, None, closed="left")],
        "n_oversamples": [Interval(Integral, 1, None, closed="left")],
        "power_iteration_normalizer": [StrOptions({"auto", "QR", "LU", "none"})],
        "random_state": ["random_state"],
        "tol": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        n_components: int = 2,
        *,
        algorithm: str = "randomized",
        n_iter: int = 5,
        n_oversamples: int = 10,
        power_iteration_normalizer: str = "auto",
        random_state: Any = None,
        tol: float = 0.0,
    ) -> None:
        self.algorithm = algorithm
        self.n_components = n_components
        self.n_iter = n_iter
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state
        self.tol = tol

    def fit(self, X: Any, y: Any = None) -> TruncatedSVD:
        """Fits the model to rows."""
        self.fit_transform(X)
        return self

    @fit_context
    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fits the model to rows, and returns their codes."""
        if is_stream(X):
            X = self._rows_of(X)
        else:
            refuse_rounding_of(X)
            X = validate_data(self, X, accept_sparse=["csr", "csc"], ensure_min_features=2)
        if X.dtype not in (np.float32, np.float64):
            X = X.astype(np.float64)
        n, d = X.shape
        k = self._count(n, d)
        if n == 1:
            return self._fit_one(X)
        source = source_of(X)
        options: dict[str, Any] = {"components": k, "uncentred": True}
        if min(n, d) <= SMALL:
            options["tolerance"] = EXACT
        elif self.algorithm == "arpack":
            options["tolerance"] = max(min(float(self.tol), 0.5), EXACT)
        try:
            self._model = Model.fit(source, work=float(n) * d * min(n, d), **options)
        except ValueError:
            if (X != 0).sum() > 0:
                raise
            self.__dict__.pop("_model", None)
            return self._store(X, complete(np.zeros((k, d)), 0), np.zeros(k))
        view = self._model.view
        return self._store(X, view["components"], np.sqrt(view["eigenvalues"] * n))

    def _fit_one(self, X: Any) -> Any:
        """A single row is its own singular vector."""
        row = np.asarray(X.toarray() if is_sparse(X) else X, dtype=np.float64)
        length = np.linalg.norm(row, axis=1)
        self.__dict__.pop("_model", None)
        return self._store(X, positive(row / np.maximum(length, np.finfo(np.float64).tiny)), length)

    def _store(self, X: Any, components: Any, singular_values: Any) -> Any:
        self.components_ = np.array(components, dtype=X.dtype)
        self.singular_values_ = np.array(singular_values, dtype=X.dtype)
        codes = self._codes(X)
        variances = np.var(codes, axis=0, dtype=np.float64)
        self.explained_variance_ = variances.astype(holding(X.dtype, variances))
        with np.errstate(invalid="ignore", divide="ignore"):
            self.explained_variance_ratio_ = (variances / total_variance(X)).astype(X.dtype, copy=False)
        return codes

    def _rows_of(self, X: Any) -> Any:
        """Rows of a stream in memory: their codes are asked for."""
        from ._model import stream

        rows, names, _ = stream("copy", None, source_of(X))
        self.n_features_in_ = rows.shape[1]
        if names is not None:
            self.feature_names_in_ = np.asarray(names, dtype=object)
        return rows

    def _count(self, n: int, d: int) -> int:
        k = int(self.n_components)
        if self.algorithm == "arpack" and not k < min(n, d):
            raise ValueError(f"n_components={k} must be less than min(n_samples, n_features)={min(n, d)} with arpack")
        if k > d:
            raise ValueError(f"n_components({k}) must be <= n_features({d}).")
        return min(k, n)

    def _codes(self, X: Any) -> Any:
        codes = X @ self.components_.T
        return np.asarray(codes.toarray() if is_sparse(codes) else codes)

    def transform(self, X: Any) -> Any:
        """Codes of rows: their products with the components."""
        check_is_fitted(self)
        if is_stream(X):
            X = self._rows_of(X)
        else:
            X = validate_data(self, X, accept_sparse=["csr", "csc"], reset=False)
        return self._codes(X)

    def inverse_transform(self, X: Any) -> Any:
        """Rows of codes."""
        check_is_fitted(self)
        return np.dot(check_array(X), self.components_)

    def _fitted_model(self) -> Model:
        check_is_fitted(self)
        if "_model" not in self.__dict__:
            raise ValueError("a single row, or rows of zeros alone, are taken apart without a model")
        return self._model

    @property
    def method_(self) -> str:
        """How it was found."""
        return str(self._fitted_model().view["solver"])

    @property
    def bounds_(self) -> Any:
        """By how much each of singular_values_ may be off, arithmetic alone."""
        view = self._fitted_model().view
        with np.errstate(invalid="ignore", divide="ignore"):
            roots = np.sqrt(view["eigenvalues"])
            low = np.sqrt(np.maximum(view["eigenvalues"] - view["eigenvalue_bounds"], 0))
        length = math.sqrt(view["weight"])
        return (roots - low) * length + rounded_away(roots * length, self.singular_values_.dtype)

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def total_variance(X: Any) -> float:
    """The sum of the variances of the columns, divisor N."""
    if not is_sparse(X):
        mean = np.mean(X, axis=0, dtype=np.float64)
        parts = (X[start : start + CHUNK] - mean for start in range(0, len(X), CHUNK))  # not all of them at once
        return float(sum(np.vdot(part, part) for part in parts)) / len(X)
    csr = X.tocsr()
    n, d = csr.shape
    data = csr.data.astype(np.float64, copy=False)
    mean = np.bincount(csr.indices, weights=data, minlength=d) / n
    stored = np.bincount(csr.indices, minlength=d)
    about = np.bincount(csr.indices, weights=(data - mean[csr.indices]) ** 2, minlength=d)
    return float(np.sum(about + (n - stored) * mean**2) / n)
