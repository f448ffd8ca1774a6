# SPDX-License-Identifier: BSD-3-Clause
"""PCA with the interface of scikit-learn's: its parameters, attributes, messages and signs.

Rows are centred before anything is multiplied, whatever the solver is called: so large means cost no digits.
"""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np

from ._base import Interval, RealNotInt, StrOptions, check_is_fitted, fit_context, is_sparse, namespace, to_numpy
from ._digits import can_be_refined, holding, misses_digits, prefers_svd, proven, rounded_away
from ._gaussian import (
    Fitted,
    GaussianModel,
    check_rows,
    check_weights,
    complete,
    float_type,
    in_namespace,
    is_far_apart,
    sklearn_words,
)
from ._minka import infer_dimension
from ._model import Model
from ._partitions import weigh
from ._run import together
from ._sources import F32, Source, is_elsewhere, is_stream, source_of

ALL = 2**63 - 1
SMALL = 4000  # of the smaller side: every digit of every component is found faster than by iteration
EXACT = 1e-11  # of an iteration that stands for scikit-learn's, which goes to rounding
EXACT_F32 = 1e-4  # the same of float32: what products in float can certify; eigenvalues are right to 1e-8
ALL_AT_ONCE = 256  # columns: all components of so few are found together, to rounding, whatever the tolerance


MOST_COMPLETED = 1e9  # multiplications: directions without variance are left as they are where they would take more


class PCA(GaussianModel):
    """Principal component analysis.

    The parameters are those of scikit-learn's PCA. `svd_solver` names what scikit-learn would do: the fastest method is taken
    that is at least as accurate. For all but "covariance_eigh" that is a singular value decomposition of the rows where
    their covariance is shown to leave an eigenvalue fewer than six digits. `copy`, `iterated_power`, `n_oversamples` and `power_iteration_normalizer` are accepted
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

    _takes_gaps = True
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

    @fit_context
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PCA:
        """Fits the model to rows.

        X: array-like, sparse matrix or frame of (n_samples, n_features), NaN where a cell is missing; a path, a list of
        paths, an iterator of batches of rows, a function that returns one, or an Arrow stream. sample_weight: a row of
        weight w counts like w equal rows.
        """
        self._fit(X, sample_weight)
        return self

    @fit_context
    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fits the model to rows, and returns their codes."""
        if hasattr(X, "__next__"):
            raise ValueError("an iterator can be read once: give a function that returns one, or call fit alone")
        if is_elsewhere(X):
            raise TypeError("rows in partitions are fitted where they are: call fit, then X.map_blocks(pca.transform)")
        checked, dispatched = self._fit(X, sample_weight)
        if checked is None:
            return self._finish(self._transform_stream(source_of(X)), None)
        return self._finish(self._codes(checked), checked if dispatched else None)

    def _fit(self, X: Any, sample_weight: Any) -> tuple[Any, bool]:
        if is_stream(X):
            with together():
                source = source_of(X)
            self._set_columns(source)
            self._fit_source(source, source.rows, source.dtype, sample_weight, None)
            return None, False
        with together():
            xp, dispatched = namespace(X)
            self._check_solver(X, dispatched)
            X = check_rows(self, X, xp, sparse=("csr", "csc"), reset=True)
            rows = X if is_sparse(X) else to_numpy(X)
            if rows.shape[0] < 2:
                raise ValueError(f"PCA needs at least 2 rows to find a variance, not n_samples={rows.shape[0]}")
        if is_far_apart(rows):
            X = rows = rows.astype(np.float64)
        with sklearn_words(rows):
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
        with together():
            if sample_weight is not None and isinstance(source, Source):
                check_divisor(check_weights(sample_weight, n))
            positive, n = weigh(source, sample_weight, n, self.n_components)
            k = self._choose(n, source.cols, isinstance(source.keeps, tuple))
        whole = isinstance(k, str) or not isinstance(k, Integral)
        most = ALL if whole else max(int(k), 1)
        if sample_weight is not None and (not whole or positive <= source.cols):
            most = min(most, max(positive - 1, 1))
        if self.n_components is None and has_gaps(source):
            most = min(most, source.cols - 1)  # expectation maximisation leaves something to noise
        options: dict[str, Any] = {"components": most, "ddof": 1, **self._method(n, source)}
        work = float(max(n, 1)) * source.cols * min(max(n, 1), source.cols)
        try:
            model = self._fit_model(source, options, work, n, dtype)
        except ValueError:
            if isinstance(k, str) or not is_constant(source.keeps):
                raise
            self._store_constant(source.keeps, int(k) if isinstance(k, Integral) else 1, dtype, like)
            return
        count = self._count(k, model)
        rank = (positive if n >= 0 else model.view["n"]) - 1
        if self._fit_svd_solver != "covariance_eigh" and misses_digits(model.view, count, rank, dtype):
            model = self._refine(model, source, options, work, dtype)
            count = self._count(k, model)
        if 0 < count < model.view["m"]:
            model = model.change("components", count)
        if isinstance(k, Integral) and sample_weight is not None:
            count = int(k)
        self._store(model, count, n, dtype, like)

    def _fit_model(self, source: Source, options: dict[str, Any], work: float, n: int, dtype: Any) -> Model:
        """By singular values at once, where scikit-learn has them and they take no longer than eigenvalues."""
        is_full = self._fit_svd_solver == "full" and options["components"] >= min(n - 1, source.cols)
        if prefers_svd(source, is_full, n, dtype) and not has_gaps(source):
            try:
                return Model.fit(source, work=work, **{**options, "solver": "svd"})
            except MemoryError:
                pass  # the planner may know a method that needs less
        return Model.fit(source, work=work, **options)

    def _refine(self, model: Model, source: Source, options: dict[str, Any], work: float, dtype: Any) -> Model:
        """The same from singular values of the rows or, of float32, from their squares in double, if that can be."""
        if not can_be_refined(source, int(model.view["n"])):
            return model
        better = {"tolerance": EXACT} if dtype == np.float32 else {"solver": "svd"}
        try:
            return Model.fit(source, work=work, **{**options, **better})
        except MemoryError:
            return model

    def _method(self, n: int, source: Source) -> dict[str, Any]:
        """What stands for scikit-learn's solver."""
        if self._fit_svd_solver == "arpack":
            return {"tolerance": max(min(float(self.tol), 0.5), EXACT)}
        least = min(n, source.cols) if n >= 0 else source.cols
        if self._fit_svd_solver in ("full", "covariance_eigh") or least <= SMALL:
            enough = self._fit_svd_solver == "randomized" or source.cols <= ALL_AT_ONCE <= n
            in_float = isinstance(source.keeps, np.ndarray) and source.type == F32 and enough
            return {"tolerance": EXACT_F32 if in_float else EXACT}
        return {}

    def _count(self, k: Any, model: Model) -> int:
        """How many components are kept of those that were found."""
        view = model.view
        if isinstance(k, str):
            spectrum = np.zeros(view["d"])
            spectrum[: view["m"]] = view["eigenvalues"]
            return infer_dimension(spectrum, view["n"])
        if isinstance(k, Integral):
            return min(int(k), int(view["m"]))
        shares = np.cumsum(view["eigenvalues"] / view["total_variance"])
        return min(int(np.searchsorted(shares, k, side="right")) + 1, int(view["m"]))

    def _store_constant(self, rows: Any, count: int, dtype: Any, like: Any) -> None:
        """Of rows that are all the same: like scikit-learn, components without variance. The library knows no such model."""
        n, d = rows.shape

        def arrange(array: Any) -> Any:
            return array.astype(dtype) if like is None else in_namespace(array.astype(dtype), like)

        mean, components = np.array(rows[0], dtype=np.float64), complete(np.zeros((count, d)), 0)
        self.mean_, self.components_ = arrange(mean), arrange(components)
        self.explained_variance_ = arrange(np.zeros(count))
        self.explained_variance_ratio_ = arrange(np.full(count, np.nan))
        self.singular_values_ = arrange(np.zeros(count))
        self.noise_variance_ = dtype.type(0)
        self.n_components_, self.n_samples_ = count, n
        self._fitted = Fitted(None, mean, components, dtype)

    def _store(self, model: Model, count: int, n: int, dtype: Any, like: Any) -> None:
        view = model.view
        variances, components = self._spectrum(view, count)
        total = view["total_variance"]
        least = min(n if n >= 0 else view["n"], view["d"])
        rest = view["reconstruction_error"] if count > 0 else total

        noise = rest / (least - count) if count < least else 0.0
        dtype = holding(dtype, variances, noise)

        def arrange(array: Any) -> Any:
            array = np.array(array, dtype=dtype)
            return array if like is None else in_namespace(array, like)

        self.mean_ = arrange(view["mean"])
        self.components_ = arrange(components)
        self.explained_variance_ = arrange(variances)
        self.explained_variance_ratio_ = arrange(shares_of(variances, total))
        self.singular_values_ = arrange(np.sqrt(variances * (view["weight"] - 1)))
        self.noise_variance_ = dtype.type(noise) if count < least else 0.0
        self.n_components_ = count
        self.n_samples_ = view["n"]
        whole = count == view["m"] and components is view["components"]
        self._fitted = Fitted(model, view["mean"], components, dtype, projects=whole)

    def _spectrum(self, view: dict[str, Any], count: int) -> tuple[Any, Any]:
        """Variances and components, with those along which rows do not vary made the same for the same subspace."""
        d, found = view["d"], min(view["m"], count)
        values = view["eigenvalues"]
        rank = proven(view, found)
        if found == count == view["m"] and (rank == count or (count - rank) * count * d > MOST_COMPLETED):
            return values, view["components"]
        variances, components = np.zeros(count), np.zeros((count, d))
        variances[:found], components[:found] = values[:found], view["components"][:found]
        return variances, complete(components, min(rank, count))

    def _double(self) -> Fitted | None:
        fitted: Fitted | None = getattr(self, "_fitted", None)
        return fitted if fitted is not None and fitted.shows(self) else None

    @property
    def model_(self) -> Model:
        """The model of the library behind the attributes."""
        check_is_fitted(self)
        if self._fitted.model is None:
            raise AttributeError("the rows that were fitted are all the same: there is no model of what does not vary")
        return self._fitted.model

    @property
    def method_(self) -> str:
        """How it was found: "covariance", "gram", "svd", "lanczos" or "em"."""
        return str(self.model_.view["solver"])

    @property
    def bounds_(self) -> Any:
        """By how much each of explained_variance_ may be off, arithmetic alone, with what its type rounds away."""
        view, bounds = self.model_.view, np.zeros(self.n_components_)
        values = view["eigenvalues"][: self.n_components_]
        bounds[: len(values)] = view["eigenvalue_bounds"][: len(values)] + rounded_away(values, self._fitted.dtype)
        return bounds

    @property
    def standard_error_(self) -> Any:
        """The standard error of each of explained_variance_, by the sampling of the rows; NaN: it cannot be told from noise."""
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


def shares_of(variances: Any, total: float) -> Any:
    """Of their total, which may be 0."""
    if total > 0:
        return variances / total
    with np.errstate(invalid="ignore", divide="ignore"):
        return variances / total


def has_gaps(source: Source) -> bool:
    """Whether an array in memory has missing cells."""
    rows = source.keeps
    return isinstance(rows, np.ndarray) and rows.dtype.kind == "f" and rows.size > 0 and bool(np.isnan(rows.min()))


def check_divisor(weights: Any) -> None:
    """Refuses weights of which nothing is left to divide by."""
    total = float(weights.sum())
    if total <= 1:
        raise ValueError(
            f"sample_weight sums to {total:.4g}, and variances are divided by the sum less 1, as a row of weight w counts "
            "like w equal rows; multiply the weights, say so that their mean is 1"
        )


def is_constant(rows: Any) -> bool:
    """Whether rows are an array in memory, all of them the same and finite."""
    return isinstance(rows, np.ndarray) and bool((rows == rows[:1]).all()) and bool(np.isfinite(rows[:1]).all())
