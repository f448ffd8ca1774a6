# SPDX-License-Identifier: BSD-3-Clause
"""IncrementalPCA with the interface of scikit-learn's, exact: what it has seen is kept as a scatter, not as a few
components, so the result is that of all rows at once, whatever the batches were."""

from __future__ import annotations

import contextlib
from numbers import Integral
from typing import Any

import numpy as np

from . import _core
from ._base import UNUSED, Interval, check_is_fitted, fit_context, is_sparse, to_numpy, validate_data
from ._digits import holding
from ._gaussian import Fitted, GaussianModel, complete, float_type
from ._model import Model
from ._partitions import Seen, seen_of, wide_rank
from ._run import call, together
from ._sources import is_elsewhere, is_path, is_stream, refuse_rounding_of, source_of
from ._state import State

LAZY = (
    "components_",
    "mean_",
    "var_",
    "explained_variance_",
    "explained_variance_ratio_",
    "singular_values_",
    "noise_variance_",
)


def batches_of(n: int, size: int, least: int) -> list[slice]:
    """Slices of size rows; none is shorter than least, as far as that can be."""
    slices, start = [], 0
    while start < n:
        end = min(start + size, n)
        if n - end < least:
            end = n
        slices.append(slice(start, end))
        start = end
    return slices


class IncrementalPCA(GaussianModel):
    """Principal component analysis of rows that come in batches.

    The parameters and attributes are those of scikit-learn's IncrementalPCA. Unlike it, the result is exact: that of `PCA`
    on all rows together, for any batches, up to 5000 columns. Components are computed when they are asked for, so that a
    call of `partial_fit` costs little more than a product of the batch with itself. `copy` changes nothing: rows are never
    written to. `fit` also takes paths, iterators of batches and Arrow streams.

    >>> import numpy as np, scree
    >>> X = np.array([[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]], dtype=float)
    >>> ipca = scree.IncrementalPCA(n_components=2)
    >>> ipca.partial_fit(X[:3]).partial_fit(X[3:]).explained_variance_ratio_.round(4)
    array([0.9924, 0.0076])
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "whiten": ["boolean"],
        "copy": ["boolean"],
        "batch_size": [Interval(Integral, 1, None, closed="left"), None],
    }
    __metadata_request__partial_fit = {"check_input": UNUSED}  # no metadata

    _state: State
    _solved: dict[str, Any]

    def __init__(
        self, n_components: Any = None, *, whiten: bool = False, copy: bool = True, batch_size: Any = None
    ) -> None:
        self.n_components = n_components
        self.whiten = whiten
        self.copy = copy
        self.batch_size = batch_size

    @fit_context
    def fit(self, X: Any, y: Any = None) -> IncrementalPCA:
        """Fits the model to all rows, batch_size of them at a time."""
        self._forget()
        if is_stream(X):
            return self._fit_stream(X)
        refuse_rounding_of(X)
        X = validate_data(self, X, accept_sparse=["csr", "csc", "lil"], dtype=[np.float64, np.float32])
        if is_sparse(X):
            X = X.tocsr()
        n, d = X.shape
        self.batch_size_ = 5 * d if self.batch_size is None else self.batch_size
        for rows in batches_of(n, self.batch_size_, self.n_components or 0):
            batch = X[rows]
            self._add(batch.toarray() if is_sparse(batch) else batch)
        return self

    def _fit_stream(self, X: Any) -> IncrementalPCA:
        """Rows of a file or an iterator, as the library hands them out."""
        if hasattr(X, "__next__") or (callable(X) and not hasattr(X, "__array__")):
            for batch in X if hasattr(X, "__next__") else X():
                self.partial_fit(batch)
            return self
        with together() if is_path(X) else contextlib.nullcontext():
            source = source_of(X)
        if isinstance(source, Seen):
            return self._add_seen(source)
        self.n_features_in_ = source.cols
        if source.columns is not None:
            self.feature_names_in_ = np.asarray(source.columns, dtype=object)
        self.batch_size_ = 5 * source.cols if self.batch_size is None else self.batch_size
        state = State(source.cols)
        call(_core.state_add_source, state.capsule, source.capsule, work=1e12, shares=is_path(X))
        seen = state.view["rows"]
        self.n_components_ = self._count(seen, source.cols, True)
        self.n_samples_seen_, self._dtype, self._state, self._solved = seen, source.dtype, state, {}
        return self

    @fit_context
    def partial_fit(self, X: Any, y: Any = None, check_input: bool = True) -> IncrementalPCA:
        """Adds rows to what was seen."""
        first = "_state" not in self.__dict__
        if is_elsewhere(X):
            return self._add_seen(seen_of(X))
        if check_input:
            if is_sparse(X):
                raise TypeError(
                    "IncrementalPCA.partial_fit does not support sparse input. Either convert data to dense or use "
                    "IncrementalPCA.fit to do so in batches."
                )
            refuse_rounding_of(X)
            X = validate_data(self, X, dtype=[np.float64, np.float32], reset=first)
        self._add(X)
        return self

    def _add_seen(self, rows: Seen) -> IncrementalPCA:
        """Adds rows that become a state elsewhere."""
        known: State | None = self.__dict__.get("_state")
        if known is not None and rows.cols != self.n_features_in_:
            raise ValueError(
                f"X has {rows.cols} features, but {type(self).__name__} is expecting {self.n_features_in_} features as input."
            )
        state = rows.state(self.n_components)
        seen = state.view["rows"]
        count = self._count(seen, rows.cols, known is None)
        self._state = (state.empty() if known is None else known).merge(state)
        if known is None:
            self._dtype, self.n_features_in_ = rows.dtype, rows.cols
            self.batch_size_ = 5 * rows.cols if self.batch_size is None else self.batch_size
            if rows.columns is not None:
                self.feature_names_in_ = np.asarray(rows.columns, dtype=object)
        self._dtype = np.promote_types(self._dtype, rows.dtype)
        for name in LAZY:
            self.__dict__.pop(name, None)
        self._solved, self.n_components_ = {}, count
        self.n_samples_seen_ = getattr(self, "n_samples_seen_", 0) + seen
        return self

    def _forget(self) -> None:
        for name in ("_state", "_solved", "_dtype", "_rank", "n_samples_seen_", "n_components_", *LAZY):
            self.__dict__.pop(name, None)

    def _add(self, X: Any) -> None:
        X = to_numpy(X)
        state: State | None = self.__dict__.get("_state")
        count = self._count(X.shape[0], X.shape[1], state is None)
        if state is None:
            state = State(X.shape[1], rank=wide_rank(count, X.shape[1]))
            self._dtype = float_type(X)
        for name in LAZY:
            self.__dict__.pop(name, None)
        state.add(X)
        self._state = state
        self._solved = {}
        if X.dtype != np.float32:
            self._dtype = np.dtype(np.float64)
        self.n_components_ = count
        self.n_samples_seen_ = getattr(self, "n_samples_seen_", 0) + X.shape[0]

    def _count(self, n: int, d: int, first: bool) -> int:
        k = self.n_components
        if k is None:
            return min(n, d) if first else self.n_components_
        if not k <= d:
            raise ValueError(
                "n_components=%r invalid for n_features=%d, need more rows than columns for IncrementalPCA processing"
                % (k, d)
            )
        if k > n and first:
            raise ValueError(
                f"n_components={k} must be less or equal to the batch number of samples {n} for the first partial_fit call."
            )
        if not first and self.n_components_ != k:
            raise ValueError(
                "Number of input features has changed from %i to %i between calls to partial_fit! Try setting "
                "n_components to a fixed value." % (self.n_components_, k)
            )
        return int(k)

    def __getattr__(self, name: str) -> Any:
        if name not in LAZY or "_state" not in self.__dict__:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        if not self._solved:
            self._solve()
        return self._solved[name]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(LAZY if "_state" in self.__dict__ else ())})

    def _solve(self) -> None:
        """Components of all that was seen."""
        view, k, kind = self._state.view, self.n_components_, self._dtype
        n, d = view["rows"], view["cols"]
        mean, model = view["mean"], None
        if n > 1 and view["variances"].any():
            model = Model(call(_core.state_fit, self._state.capsule, {"components": k, "ddof": 1}, None))
            mean, values, vectors = model.view["mean"], model.view["eigenvalues"], model.view["components"]
        else:
            values, vectors = np.zeros(0), np.zeros((0, d))
        if len(values) < k:
            values, vectors = np.pad(values, (0, k - len(values))), np.pad(vectors, ((0, k - len(values)), (0, 0)))
            vectors, model = complete(vectors, int(np.count_nonzero(values))), None
        total = float(np.sum(view["variances"])) * n / max(n - 1, 1)
        left = min(n, d) - k
        noise = max(total - float(np.sum(values)), 0.0) / left if left > 0 else 0.0
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = values / total
        kind = holding(kind, values, view["variances"])
        self._solved.update(
            components_=vectors.astype(kind),
            mean_=mean.astype(kind),
            var_=view["variances"].astype(kind),
            explained_variance_=values.astype(kind),
            explained_variance_ratio_=shares.astype(kind),
            singular_values_=np.sqrt(values * max(n - 1, 1)).astype(kind),
            noise_variance_=kind.type(noise) if left > 0 else 0.0,
            double=Fitted(model, mean, vectors, kind, projects=model is not None),
        )

    def _double(self) -> Fitted | None:
        if "_state" not in self.__dict__:
            return None
        if not self._solved:
            self._solve()
        fitted: Fitted = self._solved["double"]
        return fitted if fitted.shows(self) else None

    def transform(self, X: Any) -> Any:
        """Codes of rows; sparse ones batch by batch."""
        check_is_fitted(self)
        if not is_sparse(X):
            return super().transform(X)
        X = X.tocsr()
        parts = batches_of(X.shape[0], getattr(self, "batch_size_", 5 * X.shape[1]), self.n_components or 0)
        return np.vstack([super(IncrementalPCA, self).transform(X[part].toarray()) for part in parts])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
