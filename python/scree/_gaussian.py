# SPDX-License-Identifier: BSD-3-Clause
"""What PCA and IncrementalPCA share: codes, reconstructions, covariance and likelihood of the probabilistic model.

Attributes have the type of the data (float32 stays float32); what transforms rows is the double model behind them, unless
somebody has put other arrays in the place of attributes.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ._base import (
    Estimator,
    Transformer,
    check_array,
    check_is_fitted,
    is_plain,
    is_sparse,
    namespace,
    same_namespace,
    to_numpy,
    validate_data,
)
from ._model import Model
from ._sources import Source, is_stream, refuse_rounding_of, source_of


CELLS = 1 << 20  # of sparse rows that are spread out at a time


class Fitted:
    """The double model behind the attributes of an estimator, and how they came back to it."""

    def __init__(
        self, model: Model | None, mean: Any, components: Any, dtype: Any, *, projects: bool = False
    ) -> None:
        self.model, self.mean, self.components, self.dtype = model, mean, components, dtype
        self.projects = projects  # the components are the model's own, to the last bit

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
    if is_plain(X, estimator, reset) and (finite is False or is_finite(X)):
        estimator.n_features_in_ = X.shape[1]
        return X
    plain = isinstance(X, np.ndarray) and X.dtype.kind in "biu"
    options: dict[str, Any] = {} if not sparse else {"accept_sparse": sparse}
    if is_sparse(X):
        finite = True
    if not plain:
        refuse_rounding_of(X)
    return validate_data(
        estimator,
        X,
        dtype=None if plain else [xp.float64, xp.float32],
        reset=reset,
        ensure_all_finite=finite,
        **options,
    )


IN_CACHE = 2**16  # numbers of a part that is worked on at a time


def parts_of(n: int, d: int) -> list[slice]:
    """Parts of rows small enough that what is made of them on the way stays in the cache."""
    step = max(IN_CACHE // max(d, 1), 1)
    return [slice(start, start + step) for start in range(0, n, step)]


WIDE = np.dtype(np.int64), np.dtype(np.uint64)


@contextlib.contextmanager
def sklearn_words(rows: Any) -> Iterator[None]:
    """Of rows that hold an infinity, scikit-learn's sentence. The library finds it while it reads them."""
    try:
        yield
    except ValueError:
        if isinstance(rows, np.ndarray) and rows.dtype.kind == "f" and np.isinf(rows).any():
            kind = repr(float_type(rows))
            raise ValueError(f"Input X contains infinity or a value too large for {kind}.") from None
        raise


def is_rounded(rows: Any) -> bool:
    """Whether there are whole numbers that doubles would round: scikit-learn casts them, and the library refuses to
    project them, since the mean is a double."""
    if not isinstance(rows, np.ndarray) or rows.dtype not in WIDE or rows.size == 0:
        return False
    return int(rows.max()) > 2**53 or int(rows.min()) < -(2**53)


def is_far_apart(rows: Any) -> bool:
    """Whether a column of them has a range that doubles would round: a fit counts from the first row, exactly."""
    if not is_rounded(rows):
        return False
    return bool((rows.max(axis=0).astype(np.float64) - rows.min(axis=0).astype(np.float64) > 2**53).any())


def is_finite(X: Any) -> bool:
    """Whether all is finite; False also where only a sum is not."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(np.sum(X)))


class GaussianModel(Transformer, Estimator):
    """What PCA and IncrementalPCA share: codes, reconstructions, covariance and likelihood."""

    components_: Any
    mean_: Any
    explained_variance_: Any
    noise_variance_: Any
    n_components_: int
    whiten: bool
    _takes_gaps = False  # NaN is a missing cell

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
        if self._spans(components, excess, noise):
            return (components.T / excess) @ components
        if noise == 0:
            return np.linalg.inv(self._covariance())
        with np.errstate(divide="ignore"):  # in units of the noise, whose square may be no number
            middle = components @ components.T
            middle.flat[:: len(middle) + 1] += noise / excess
        precision = components.T @ np.linalg.inv(middle) @ -components
        precision.flat[:: len(precision) + 1] += 1
        return precision / noise

    def _spans(self, components: Any, excess: Any, noise: Any) -> bool:
        """Whether the components are all directions, each with its own variance."""
        return not self.whiten and noise == 0 and components.shape[0] == components.shape[1] and bool((excess > 0).all())

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
        X = check_rows(self, X, xp, sparse=("csr", "csc"), reset=False, finite=not self._takes_gaps)
        return self._finish(self._codes(X), X if dispatched else None)

    def _transform_stream(self, source: Source) -> Any:
        fitted = self._double()
        if fitted is None or fitted.model is None or not fitted.projects:
            raise ValueError("components_ or mean_ were changed: rows of files are transformed by the fitted model alone")
        return fitted.model.stream("project", source)[0]

    def _finish(self, codes: Any, like: Any) -> Any:
        """Codes whitened where that is asked for, in the namespace of the rows."""
        if self.whiten:
            scale = np.sqrt(to_numpy(self.explained_variance_).astype(np.float64))
            least = np.finfo(np.float64).eps * np.max(scale, initial=0.0)
            codes = codes / np.where(scale > least, scale, least or 1.0).astype(codes.dtype, copy=False)
        return codes if like is None else in_namespace(codes, like)

    def _codes(self, X: Any) -> Any:
        fitted = self._double()
        components = to_numpy(self.components_)
        if is_sparse(X):
            return self._codes_sparse(X, fitted, np.result_type(float_type(X), components.dtype))
        rows = to_numpy(X)
        kind = np.result_type(float_type(rows), components.dtype)
        if fitted is not None and fitted.model is not None and fitted.projects:
            if is_rounded(rows):
                rows = rows.astype(np.float64)
            with sklearn_words(rows):
                return fitted.model.project(rows).astype(kind, copy=False)
        if not np.isfinite(rows).all():
            raise ValueError("Input X contains NaN or infinity.")
        mean, basis = (fitted.mean, fitted.components) if fitted else (to_numpy(self.mean_), components)
        return ((rows.astype(np.float64, copy=False) - mean) @ basis.T).astype(kind, copy=False)

    def _codes_sparse(self, X: Any, fitted: Fitted | None, kind: Any) -> Any:
        """Centred before they are multiplied: the products of large means would leave few digits of the difference."""
        if fitted is not None and fitted.model is not None and fitted.projects:
            return fitted.model.project(X).astype(kind, copy=False)
        mean, basis = (fitted.mean, fitted.components) if fitted else (to_numpy(self.mean_), to_numpy(self.components_))
        X, step = X.tocsr(), max(CELLS // X.shape[1], 1)
        codes = np.empty((X.shape[0], len(basis)), dtype=kind)
        for start in range(0, X.shape[0], step):
            rows = X[start : start + step].toarray().astype(np.float64, copy=False)
            codes[start : start + step] = (rows - mean) @ basis.T
        return codes

    def inverse_transform(self, X: Any) -> Any:
        """Rows of codes: the points of the subspace that have these coordinates."""
        same_namespace(X, self, "inverse_transform")
        xp, dispatched = namespace(X)
        check_is_fitted(self)
        X = check_array(X, input_name="X", dtype=[xp.float64, xp.float32])
        codes, components = to_numpy(X), to_numpy(self.components_)
        kind = np.result_type(float_type(codes), components.dtype)
        fitted = self._double() if kind == np.float64 else None
        mean, basis = (fitted.mean, fitted.components) if fitted else (to_numpy(self.mean_), components)
        if self.whiten:
            basis = np.sqrt(to_numpy(self.explained_variance_)[:, np.newaxis]) * basis
        basis, mean = basis.astype(kind, copy=False), mean.astype(kind, copy=False)
        rows = np.empty((len(codes), basis.shape[1]), dtype=kind)
        for part in parts_of(len(rows), basis.shape[1]):
            np.matmul(codes[part].astype(kind, copy=False), basis, out=rows[part])
            rows[part] += mean
        return in_namespace(rows, X) if dispatched else rows

    def score_samples(self, X: Any) -> Any:
        """The log-likelihood of each row."""
        check_is_fitted(self)
        xp, dispatched = namespace(X)
        X = check_rows(self, X, xp, sparse=False, reset=False, finite=not self._takes_gaps)
        rows = to_numpy(X)
        with np.errstate(invalid="ignore", over="ignore"):
            result = self._log_likelihood(rows).astype(float_type(rows), copy=False)
        if not np.isfinite(result).all() and rows.dtype.kind == "f" and np.isinf(rows).any():
            raise ValueError(f"Input X contains infinity or a value too large for {float_type(rows)!r}.")
        return in_namespace(result, X) if dispatched else result

    def _log_likelihood(self, rows: Any) -> Any:
        d = rows.shape[1]
        fitted = self._double()
        mean = fitted.mean if fitted else to_numpy(self.mean_)
        components, excess, noise = self._parts()
        spans = self._spans(components, excess, noise)
        if self.whiten or (noise == 0 and not spans):
            precision = self._precision().astype(np.float64, copy=False)
            sign, logdet = np.linalg.slogdet(precision)
            constant = d * math.log(2 * math.pi) - (logdet if sign > 0 else -np.inf)

            def quadratic(centred: Any, other: Any) -> Any:
                return np.einsum("ij,ij->i", centred, np.matmul(centred, precision, out=other))
        else:
            basis = np.asarray(fitted.components if fitted else components, dtype=np.float64)
            inside = np.asarray(excess, dtype=np.float64) + float(noise)
            beside = 0.0 if spans else (d - len(inside)) * math.log(noise)
            constant = np.sum(np.log(inside)) + beside + d * math.log(2 * math.pi)

            def quadratic(centred: Any, other: Any) -> Any:
                codes = centred @ basis.T
                within = np.sum((codes / np.sqrt(inside)) ** 2, axis=1)
                if spans:
                    return within
                centred -= np.matmul(codes, basis, out=other)
                centred /= math.sqrt(noise)
                return within + np.einsum("ij,ij->i", centred, centred)

        result = np.empty(len(rows))
        parts = parts_of(len(rows), d)
        room = np.empty((2, parts[0].stop if parts else 0, d))
        for part in parts:
            centred, other = room[:, : len(result[part])]
            np.subtract(rows[part], mean, out=centred)
            result[part] = quadratic(centred, other)
        model = None if fitted is None else fitted.model
        if model is not None and np.isnan(result).any() and np.isnan(rows).any():
            return self._log_likelihood_gaps(rows, model)
        return -0.5 * (result + constant)

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


def check_weights(sample_weight: Any, n: int) -> Any:
    """Weights of rows as doubles."""
    weights = np.asarray(to_numpy(sample_weight), dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(max(n, 0), float(weights))
    if weights.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if n >= 0 and len(weights) != n:
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n,)}!")
    if np.isnan(weights).any():
        raise ValueError(f"Input sample_weight contains NaN, of row {int(np.argmax(np.isnan(weights)))} (counted from 0)")
    bad = (weights < 0) | np.isinf(weights)
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(f"sample_weight is {weights[row]:g} for row {row} (counted from 0); weights are finite, and 0 or more")
    if len(weights) and not weights.any():
        raise ValueError("sample_weight is zero for every row: none would count; give some a weight above zero")
    return weights


def complete(components: Any, rank: int) -> Any:
    """Components of which only the first rank are known: the others, along which rows do not vary, are the unit vectors
    that lie farthest from those before them, made orthogonal. They depend on the subspace alone, not on its basis."""
    result = np.array(components)
    left = 1 - np.sum(result[:rank] ** 2, axis=0)
    for i in range(rank, len(result)):
        found = result[:i]
        at = int(np.argmax(np.round(left, 9)))
        vector = -(found[:, at] @ found)
        vector[at] += 1
        if vector @ vector < 0.5:  # twice is enough, and once where half of it is left
            vector -= (found @ vector) @ found
        vector /= math.sqrt(vector @ vector)
        result[i] = vector if vector[int(np.argmax(np.abs(vector)))] > 0 else -vector
        left -= result[i] ** 2
    return result
