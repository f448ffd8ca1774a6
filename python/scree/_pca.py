# SPDX-License-Identifier: BSD-3-Clause
"""PCA with the interface of scikit-learn's: its parameters, attributes, messages and signs.

Rows are centred before anything is multiplied, in double, whatever the solver is called: so large means cost no digits.
Attributes have the type of the data (float32 stays float32); what transforms rows is the double model behind them, unless
somebody has put other arrays in the place of attributes.
"""

from __future__ import annotations

import math
import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np

from ._base import (
    Estimator,
    Interval,
    RealNotInt,
    StrOptions,
    Transformer,
    check_array,
    check_is_fitted,
    fit_context,
    is_sparse,
    namespace,
    same_namespace,
    to_numpy,
    validate_data,
)
from ._minka import infer_dimension
from ._model import Model
from ._sources import Source, is_stream, source_of

ALL = 2**63 - 1
SMALL = 4000  # of the smaller side: every digit of every component is found faster than by iteration
EXACT = 1e-11  # of an iteration that stands for scikit-learn's, which goes to rounding


class Fitted:
    """The double model behind the attributes of an estimator, and how they came back to it."""

    def __init__(self, model: Model | None, mean: Any, components: Any, dtype: Any) -> None:
        self.model, self.mean, self.components, self.dtype = model, mean, components, dtype

    def shows(self, estimator: Any) -> bool:
        """Whether the attributes are still those of the model."""
        mean, components = to_numpy(estimator.mean_), to_numpy(estimator.components_)
        return (
            components.shape == self.components.shape
            and np.array_equal(mean, self.mean.astype(self.dtype))
            and np.array_equal(components, self.components.astype(self.dtype))
        )


def float_type(X: Any) -> Any:
    """float32 stays float32; everything else becomes float64."""
    return np.dtype(np.float32) if X.dtype == np.float32 else np.dtype(np.float64)


def check_rows(estimator: Any, X: Any, xp: Any, *, sparse: Any, reset: bool, finite: Any = False) -> Any:
    """scikit-learn's checks, without a copy of what the library reads as it is; NaN is a missing value."""
    plain = isinstance(X, np.ndarray) and X.dtype.kind in "biu" and not sparse_input(X)
    options: dict[str, Any] = {} if not sparse else {"accept_sparse": sparse}
    if sparse_input(X):
        finite = True
    return validate_data(
        estimator,
        X,
        dtype=None if plain else [xp.float64, xp.float32],
        reset=reset,
        ensure_all_finite=finite,
        **options,
    )


def sparse_input(X: Any) -> bool:
    return is_sparse(X)


class GaussianModel(Transformer, Estimator):
    """What PCA and IncrementalPCA share: codes, reconstructions, covariance and likelihood."""

    components_: Any
    mean_: Any
    explained_variance_: Any
    noise_variance_: Any
    n_components_: int
    whiten: bool

    def _double(self) -> Fitted | None:
        """The double model, where the attributes are still its own."""
        return None

    def get_covariance(self) -> Any:
        """The covariance of the generative model, ``components_.T * (S - noise) @ components_ + noise * I``."""
        xp, dispatched = namespace(self.components_)
        cov = self._covariance()
        return xp.asarray(cov) if dispatched else cov

    def get_precision(self) -> Any:
        """Its inverse."""
        xp, dispatched = namespace(self.components_)
        precision = self._precision()
        return xp.asarray(precision) if dispatched else precision

    def _parts(self) -> tuple[Any, Any, Any]:
        """Components, what their variances exceed the noise by, the noise."""
        components, variances = to_numpy(self.components_), to_numpy(self.explained_variance_)
        noise = components.dtype.type(to_numpy(self.noise_variance_))
        if self.whiten:
            components = components * np.sqrt(variances[:, np.newaxis])
        return components, np.maximum(variances - noise, 0), noise

    def _covariance(self) -> Any:
        components, excess, noise = self._parts()
        cov = (components.T * excess) @ components
        cov.flat[:: len(cov) + 1] += noise
        return cov

    def _precision(self) -> Any:
        components, excess, noise = self._parts()
        if len(components) == 0:
            return np.eye(components.shape[1], dtype=components.dtype) / noise
        if noise == 0:
            return np.linalg.inv(self._covariance())
        with np.errstate(divide="ignore"):
            middle = components @ components.T / noise
            middle.flat[:: len(middle) + 1] += 1 / excess
        precision = components.T @ np.linalg.inv(middle) @ components / -(noise**2)
        precision.flat[:: len(precision) + 1] += 1 / noise
        return precision

    def transform(self, X: Any) -> Any:
        """Codes of rows: their coordinates along the components.

        X: array-like, sparse matrix or frame of (n_samples, n_features); a path or batches of rows. Where cells are NaN,
        the code is what the model expects given the others.
        """
        if not is_stream(X):
            same_namespace(X, self, "transform")
        check_is_fitted(self)
        if is_stream(X):
            return self._finish(self._transform_stream(source_of(X)), None)
        xp, dispatched = namespace(X)
        X = check_rows(self, X, xp, sparse=("csr", "csc"), reset=False)
        return self._finish(self._codes(X), X if dispatched else None)

    def _transform_stream(self, source: Source) -> Any:
        fitted = self._double()
        if fitted is None or fitted.model is None:
            raise ValueError("components_ or mean_ were changed: rows of files are transformed by the fitted model alone")
        return fitted.model.stream("project", source)[0]

    def _finish(self, codes: Any, like: Any) -> Any:
        """Codes whitened where that is asked for, in the namespace of the rows."""
        if self.whiten:
            scale = np.sqrt(to_numpy(self.explained_variance_))
            eps = np.finfo(scale.dtype).eps
            codes = codes / np.maximum(scale, eps).astype(codes.dtype, copy=False)
        return codes if like is None else in_namespace(codes, like)

    def _codes(self, X: Any) -> Any:
        fitted = self._double()
        if is_sparse(X):
            components = to_numpy(self.components_)
            return X @ components.T - to_numpy(self.mean_).reshape(1, -1) @ components.T
        rows = to_numpy(X)
        components = to_numpy(self.components_)
        kind = np.result_type(float_type(rows), components.dtype)
        if fitted is not None and fitted.model is not None and len(components) > 0:
            return fitted.model.project(rows).astype(kind, copy=False)
        if not np.isfinite(rows).all():
            raise ValueError("Input X contains NaN or infinity.")
        mean, basis = (fitted.mean, fitted.components) if fitted else (to_numpy(self.mean_), components)
        return ((rows.astype(np.float64, copy=False) - mean) @ basis.T).astype(kind, copy=False)

    def inverse_transform(self, X: Any) -> Any:
        """Rows of codes: the points of the subspace that have these coordinates."""
        same_namespace(X, self, "inverse_transform")
        xp, dispatched = namespace(X)
        check_is_fitted(self)
        X = check_array(X, input_name="X", dtype=[xp.float64, xp.float32])
        codes, components = to_numpy(X), to_numpy(self.components_)
        kind = np.result_type(float_type(codes), components.dtype)
        fitted = self._double()
        mean, basis = (fitted.mean, fitted.components) if fitted else (to_numpy(self.mean_), components)
        if self.whiten:
            basis = np.sqrt(to_numpy(self.explained_variance_)[:, np.newaxis]) * basis
        rows = (codes.astype(basis.dtype, copy=False) @ basis + mean).astype(kind, copy=False)
        return in_namespace(rows, X) if dispatched else rows

    def score_samples(self, X: Any) -> Any:
        """The log-likelihood of each row."""
        check_is_fitted(self)
        xp, dispatched = namespace(X)
        X = check_rows(self, X, xp, sparse=False, reset=False)
        rows = to_numpy(X)
        result = self._log_likelihood(rows).astype(float_type(rows), copy=False)
        return in_namespace(result, X) if dispatched else result

    def _log_likelihood(self, rows: Any) -> Any:
        d = rows.shape[1]
        fitted = self._double()
        if fitted is not None and fitted.model is not None and rows.dtype.kind == "f" and np.isnan(rows).any():
            return self._log_likelihood_gaps(rows, fitted.model)
        mean = fitted.mean if fitted else to_numpy(self.mean_)
        centred = rows.astype(np.float64, copy=False) - mean
        components, excess, noise = self._parts()
        if self.whiten or noise == 0:
            precision = self._precision()
            sign, logdet = np.linalg.slogdet(precision)
            quadratic = np.sum(centred * (centred @ precision), axis=1)
            return -0.5 * quadratic - 0.5 * (d * math.log(2 * math.pi) - (logdet if sign > 0 else -np.inf))
        basis = fitted.components if fitted else components
        codes = centred @ basis.T
        inside = np.asarray(excess, dtype=np.float64) + float(noise)
        outside = centred - codes @ basis
        quadratic = np.sum(codes**2 / inside, axis=1) + np.sum(outside**2, axis=1) / float(noise)
        logdet = np.sum(np.log(inside)) + (d - len(inside)) * math.log(noise)
        return -0.5 * (quadratic + logdet + d * math.log(2 * math.pi))

    def _log_likelihood_gaps(self, rows: Any, model: Model) -> Any:
        from . import _core
        from ._run import call
        from ._sources import readable

        model = model.change("latent", model.view["m"]).change("noise", float(self.noise_variance_))
        result = np.empty(len(rows))
        call(_core.score, model.capsule, readable(rows), False, result, None, None, None, None, None)
        return result

    def score(self, X: Any, y: Any = None) -> float:
        """Their mean."""
        return float(np.mean(to_numpy(self.score_samples(X))))

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])


def in_namespace(array: Any, like: Any) -> Any:
    """A NumPy array in the namespace and on the device of another."""
    xp, dispatched = namespace(like)
    if not dispatched or xp is np:
        return array
    from sklearn.utils._array_api import device

    return xp.asarray(array, device=device(like))


class PCA(GaussianModel):
    """Principal component analysis.

    The parameters are those of scikit-learn's PCA. `svd_solver` names what scikit-learn would do: "full" is the SVD of
    the centred rows, "covariance_eigh" the eigenvectors of their covariance; for the others the fastest method is taken
    that is at least as accurate. `copy`, `iterated_power`, `n_oversamples` and `power_iteration_normalizer` are accepted
    and change nothing: rows are never written to.

    Beyond it: cells that are NaN count as missing (expectation maximisation); `fit` takes `sample_weight`; X may be a path
    ("big.npy"), a list of paths, an iterator of batches, or an Arrow stream, and need not fit in memory.

    Attributes: those of scikit-learn's, and `bounds_` (by how much each eigenvalue may be off, by arithmetic),
    `standard_error_` (and by the sampling of the rows), `method_` (how it was found), `model_` (the model behind it).

    >>> import numpy as np, scree
    >>> X = np.array([[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]], dtype=float)
    >>> pca = scree.PCA(n_components=2).fit(X)
    >>> pca.explained_variance_ratio_.round(4)
    array([0.9924, 0.0076])
    >>> pca.singular_values_.round(4)
    array([6.3006, 0.5498])
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "n_components": [
            Interval(Integral, 0, None, closed="left"),
            Interval(RealNotInt, 0, 1, closed="neither"),
            StrOptions({"mle"}),
            None,
        ],
        "copy": ["boolean"],
        "whiten": ["boolean"],
        "svd_solver": [StrOptions({"auto", "full", "covariance_eigh", "arpack", "randomized"})],
        "tol": [Interval(Real, 0, None, closed="left")],
        "iterated_power": [StrOptions({"auto"}), Interval(Integral, 0, None, closed="left")],
        "n_oversamples": [Interval(Integral, 1, None, closed="left")],
        "power_iteration_normalizer": [StrOptions({"auto", "QR", "LU", "none"})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components: Any = None,
        *,
        copy: bool = True,
        whiten: bool = False,
        svd_solver: str = "auto",
        tol: float = 0.0,
        iterated_power: Any = "auto",
        n_oversamples: int = 10,
        power_iteration_normalizer: str = "auto",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.copy = copy
        self.whiten = whiten
        self.svd_solver = svd_solver
        self.tol = tol
        self.iterated_power = iterated_power
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PCA:
        """Fits the model to rows.

        X: array-like, sparse matrix or frame of (n_samples, n_features), NaN where a cell is missing; a path, a list of
        paths, an iterator of batches of rows, a function that returns one, or an Arrow stream. sample_weight: a row of
        weight w counts like w equal rows.
        """
        self._fit(X, sample_weight)
        return self

    @fit_context(prefer_skip_nested_validation=True)
    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fits the model to rows, and returns their codes."""
        if hasattr(X, "__next__"):
            raise ValueError("an iterator can be read once: give a function that returns one, or call fit alone")
        checked, dispatched = self._fit(X, sample_weight)
        if checked is None:
            return self._finish(self._transform_stream(source_of(X)), None)
        return self._finish(self._codes(checked), checked if dispatched else None)

    def _fit(self, X: Any, sample_weight: Any) -> tuple[Any, bool]:
        if is_stream(X):
            source = source_of(X)
            self._set_columns(source)
            self._fit_source(source, source.rows, source.dtype, sample_weight, None)
            return None, False
        xp, dispatched = namespace(X)
        self._check_solver(X, dispatched)
        X = check_rows(self, X, xp, sparse=("csr", "csc"), reset=True)
        rows = X if is_sparse(X) else to_numpy(X)
        if rows.shape[0] < 2:
            raise ValueError(f"PCA needs at least 2 rows to find a variance, not n_samples={rows.shape[0]}")
        self._fit_source(source_of(rows), rows.shape[0], float_type(rows), sample_weight, X if dispatched else None)
        return X, dispatched

    def _check_solver(self, X: Any, dispatched: bool) -> None:
        if is_sparse(X) and self.svd_solver not in ["auto", "arpack", "covariance_eigh"]:
            raise TypeError(
                'PCA only support sparse inputs with the "arpack" and'
                f' "covariance_eigh" solvers, while "{self.svd_solver}" was passed. See'
                " TruncatedSVD for a possible alternative."
            )
        if not dispatched:
            return
        if self.svd_solver == "arpack":
            raise ValueError("PCA with svd_solver='arpack' is not supported for Array API inputs.")
        if self.svd_solver == "randomized" and self.power_iteration_normalizer == "LU":
            raise ValueError(
                "Array API does not support LU factorization. Set `power_iteration_normalizer='QR'` instead."
            )
        if self.svd_solver == "randomized" and self.power_iteration_normalizer == "auto":
            warnings.warn(
                "Array API does not support LU factorization, falling back to QR instead. Set"
                " `power_iteration_normalizer='QR'` explicitly to silence this warning.",
                stacklevel=4,
            )

    def _set_columns(self, source: Source) -> None:
        self.n_features_in_ = source.cols
        if source.columns is not None:
            self.feature_names_in_ = np.asarray(source.columns, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _choose(self, n: int, d: int, sparse: bool) -> Any:
        """The number of components that is asked for, and in _fit_svd_solver what scikit-learn would do."""
        solver = "arpack" if self.svd_solver == "auto" and sparse else self.svd_solver
        least = min(n, d) if n >= 0 else d
        k: Any = self.n_components
        if k is None:
            k = least - 1 if solver == "arpack" else least
        if solver == "auto":
            if d <= 1000 and n >= 10 * d:
                solver = "covariance_eigh"
            elif max(n, d) <= 500 or isinstance(k, str) or not 1 <= k < 0.8 * least:
                solver = "full"
            else:
                solver = "randomized"
        self._fit_svd_solver = solver
        check = self._check_full if solver in ("full", "covariance_eigh") else self._check_truncated
        check(k, n if n >= 0 else ALL, d)
        return k

    def _check_full(self, k: Any, n: int, d: int) -> None:
        if isinstance(k, str):
            if n < d:
                raise ValueError("n_components='mle' is only supported if n_samples >= n_features")
        elif not 0 <= k <= min(n, d):
            raise ValueError(
                f"n_components={k} must be between 0 and min(n_samples, n_features)={min(n, d)} with "
                f"svd_solver={self._fit_svd_solver!r}"
            )

    def _check_truncated(self, k: Any, n: int, d: int) -> None:
        solver, least = self._fit_svd_solver, min(n, d)
        if isinstance(k, str):
            raise ValueError("n_components=%r cannot be a string with svd_solver='%s'" % (k, solver))
        if not 1 <= k <= least:
            raise ValueError(
                "n_components=%r must be between 1 and min(n_samples, n_features)=%r with svd_solver='%s'"
                % (k, least, solver)
            )
        if solver == "arpack" and k == least:
            raise ValueError(
                "n_components=%r must be strictly less than min(n_samples, n_features)=%r with svd_solver='%s'"
                % (k, least, solver)
            )

    def _fit_source(self, source: Source, n: int, dtype: Any, sample_weight: Any, like: Any) -> None:
        if sample_weight is not None:
            source.weigh(check_weights(sample_weight, n))
        k = self._choose(n, source.cols, isinstance(source.keeps, tuple))
        whole = isinstance(k, str) or not isinstance(k, Integral)
        options: dict[str, Any] = {"components": ALL if whole else max(int(k), 1), "ddof": 1}
        options.update(self._method(n, source, whole))
        work = float(max(n, 1)) * source.cols * min(max(n, 1), source.cols)
        model = Model.fit(source, work=work, **options)
        count = self._count(k, model)
        if count < model.view["m"] and count > 0:
            model = model.change("components", count)
        self._store(model, count, dtype, like)

    def _method(self, n: int, source: Source, whole: bool) -> dict[str, Any]:
        """What stands for scikit-learn's solver."""
        least = min(n, source.cols) if n >= 0 else source.cols
        if self._fit_svd_solver == "arpack":
            return {"tolerance": max(min(float(self.tol), 0.5), EXACT)}
        if self._fit_svd_solver == "randomized" or whole:
            return {"tolerance": EXACT} if least <= SMALL else {}
        return {}

    def _count(self, k: Any, model: Model) -> int:
        """How many components are kept of those that were found."""
        view = model.view
        if isinstance(k, str):
            spectrum = np.zeros(view["d"])
            spectrum[: view["m"]] = view["eigenvalues"]
            return infer_dimension(spectrum, view["n"])
        if isinstance(k, Integral):
            return min(int(k), view["m"])
        shares = np.cumsum(view["eigenvalues"] / view["total_variance"])
        return min(int(np.searchsorted(shares, k, side="right")) + 1, view["m"])

    def _store(self, model: Model, count: int, dtype: Any, like: Any) -> None:
        view = model.view
        variances = view["eigenvalues"][:count]
        components = view["components"][:count]
        total = view["total_variance"]
        least = min(view["n"], view["d"])
        rest = view["reconstruction_error"] if count > 0 else total

        def arrange(array: Any) -> Any:
            array = np.array(array, dtype=dtype)
            return array if like is None else in_namespace(array, like)

        self.mean_ = arrange(view["mean"])
        self.components_ = arrange(components)
        self.explained_variance_ = arrange(variances)
        with np.errstate(invalid="ignore", divide="ignore"):
            self.explained_variance_ratio_ = arrange(variances / total)
        self.singular_values_ = arrange(np.sqrt(variances * (view["weight"] - 1)))
        self.noise_variance_ = dtype.type(rest / (least - count)) if count < least else 0.0
        self.n_components_ = count
        self.n_samples_ = view["n"]
        self._fitted = Fitted(model, view["mean"], components, dtype)

    def _double(self) -> Fitted | None:
        fitted: Fitted | None = getattr(self, "_fitted", None)
        return fitted if fitted is not None and fitted.shows(self) else None

    @property
    def model_(self) -> Model:
        """The model of the library behind the attributes."""
        check_is_fitted(self)
        assert self._fitted.model is not None
        return self._fitted.model

    @property
    def method_(self) -> str:
        """How it was found: "covariance", "gram", "svd", "lanczos" or "em"."""
        return str(self.model_.view["solver"])

    @property
    def bounds_(self) -> Any:
        """By how much each of explained_variance_ may be off, arithmetic alone."""
        return np.array(self.model_.view["eigenvalue_bounds"][: self.n_components_])

    @property
    def standard_error_(self) -> Any:
        """The standard error of each of explained_variance_, by the sampling of the rows."""
        return np.array([one["error"] for one in self.model_.sampling()][: self.n_components_])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        solver = getattr(self, "_fit_svd_solver", self.svd_solver)
        tags.array_api_support = solver not in ["arpack", "randomized"] or (
            solver == "randomized" and self.power_iteration_normalizer == "QR"
        )
        tags.input_tags.sparse = self.svd_solver in ("auto", "arpack", "covariance_eigh")
        tags.input_tags.allow_nan = True
        return tags


def check_weights(sample_weight: Any, n: int) -> Any:
    """Weights of rows as doubles."""
    weights = np.asarray(to_numpy(sample_weight), dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(max(n, 0), float(weights))
    if weights.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if n >= 0 and len(weights) != n:
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n,)}!")
    return weights
