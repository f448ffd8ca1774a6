# SPDX-License-Identifier: BSD-3-Clause
"""What estimators need of scikit-learn, for where it is not installed: parameters, their checks, names, frames.

As little as makes the classes behave the same: the same messages where they are short, the same attributes.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])


class NotFittedError(ValueError, AttributeError):
    """An estimator was asked before it was fitted."""


class RealNotInt(Real):
    """A real number that is no integer: the kind of a bound."""


class Interval:
    """Numbers of a kind between two bounds."""

    def __init__(self, kind: Any, left: float | None, right: float | None, *, closed: str) -> None:
        self.kind, self.left, self.right, self.closed = kind, left, right, closed

    def holds(self, value: Any) -> bool:
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
            return False
        if (self.kind is Integral) != isinstance(value, Integral) and self.kind is not Real:
            return False
        number = float(value)
        low = self.left is None or (number >= self.left if self.closed in ("left", "both") else number > self.left)
        high = self.right is None or (number <= self.right if self.closed in ("right", "both") else number < self.right)
        return low and high

    def __str__(self) -> str:
        kind = {Integral: "an int", Real: "a float"}.get(self.kind, "a float")
        left = "-inf" if self.left is None else repr(self.left)
        right = "inf" if self.right is None else repr(self.right)
        return f"{kind} in the range {'[' if self.closed in ('left', 'both') else '('}{left}, {right}{']' if self.closed in ('right', 'both') else ')'}"


class StrOptions:
    """One of some words."""

    def __init__(self, options: set[str]) -> None:
        self.options = options

    def holds(self, value: Any) -> bool:
        return isinstance(value, str) and value in self.options

    def __str__(self) -> str:
        return "a str among {" + ", ".join(sorted(map(repr, self.options))) + "}"


def _holds(constraint: Any, value: Any) -> bool:
    if constraint is None:
        return value is None
    if constraint == "boolean":
        return isinstance(value, (bool, np.bool_))
    if constraint == "random_state":
        return value is None or isinstance(value, (Integral, np.random.RandomState))
    return bool(constraint.holds(value))


class Estimator:
    """Parameters by the signature of __init__."""

    _parameter_constraints: dict[str, list[Any]] = {}
    n_features_in_: int

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Any:
        for name, value in params.items():
            if name not in self._names():
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}.")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        given = [f"{n}={v!r}" for n, v in self.get_params().items() if v is not defaults[n].default and v != defaults[n].default]
        return f"{type(self).__name__}({', '.join(given)})"

    def _validate_params(self) -> None:
        for name, allowed in self._parameter_constraints.items():
            value = getattr(self, name)
            if not any(_holds(constraint, value) for constraint in allowed):
                words = [str(constraint) for constraint in allowed]
                text = words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]
                raise ValueError(f"The {name!r} parameter of {type(self).__name__} must be {text}. Got {value!r} instead.")

    def __sklearn_tags__(self) -> Any:
        raise AttributeError("tags are those of scikit-learn, which is not installed")


def _framed(method: F) -> F:
    """What a transform returns, as set_output wants it."""

    @functools.wraps(method)
    def wrapped(self: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        result = method(self, X, *args, **kwargs)
        kind = getattr(self, "_output", "default")
        if kind == "default" or not isinstance(result, np.ndarray):
            return result
        names = list(self.get_feature_names_out())
        if kind == "pandas":
            import pandas

            return pandas.DataFrame(result, columns=names, index=getattr(X, "index", None))
        import polars

        return polars.DataFrame(result, schema=names, orient="row")

    wrapped._framed = True  # type: ignore[attr-defined]
    return wrapped  # type: ignore[return-value]


class Transformer:
    """fit_transform, set_output and the names of what comes out."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name in ("transform", "fit_transform"):
            method = cls.__dict__.get(name)
            if method is not None and not hasattr(method, "_framed"):
                setattr(cls, name, _framed(method))

    def fit_transform(self, *args: Any, **params: Any) -> Any:
        rows = args[0] if args else params["X"]
        return self.fit(*args, **params).transform(rows)  # type: ignore[attr-defined]

    def set_output(self, *, transform: str | None = None) -> Any:
        if transform not in (None, "default", "pandas", "polars"):
            raise ValueError(f"transform must be 'default', 'pandas' or 'polars', not {transform!r}")
        if transform is not None:
            self._output = transform
        return self

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        check_is_fitted(self)
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{i}" for i in range(getattr(self, "_n_features_out"))], dtype=object)


def check_is_fitted(estimator: Any) -> None:
    if not any(name.endswith("_") and not name.startswith("__") for name in vars(estimator)):
        raise NotFittedError(
            f"This {type(estimator).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before "
            "using this estimator."
        )


def _names_of(X: Any) -> Any:
    columns = getattr(X, "columns", None)
    if columns is None or not all(isinstance(name, str) for name in columns):
        return None
    return np.asarray(list(columns), dtype=object)


def validate_data(estimator: Any, X: Any, *, reset: bool = True, accept_sparse: Any = False, dtype: Any = "numeric",
                  ensure_min_features: int = 1, ensure_all_finite: Any = True, **ignored: Any) -> Any:
    """X as an array of two dimensions, or as it is where it is sparse; sets n_features_in_ and feature_names_in_."""
    names = _names_of(X)
    scipy_sparse = sys.modules.get("scipy.sparse")
    if scipy_sparse is not None and scipy_sparse.issparse(X):
        if not accept_sparse:
            raise TypeError("Sparse data was passed for X, but dense data is required.")
        X = X if X.format in accept_sparse else X.tocsr()
    else:
        X = check_array(X, dtype=dtype, ensure_all_finite=ensure_all_finite)
    if X.shape[0] < 1 or X.shape[1] < ensure_min_features:
        raise ValueError(f"Found array with {X.shape[0]} sample(s) and {X.shape[1]} feature(s) (shape={X.shape}); that is too few.")
    if reset:
        estimator.n_features_in_ = X.shape[1]
        if names is not None:
            estimator.feature_names_in_ = names
        elif hasattr(estimator, "feature_names_in_"):
            del estimator.feature_names_in_
    elif X.shape[1] != estimator.n_features_in_:
        raise ValueError(f"X has {X.shape[1]} features, but {type(estimator).__name__} is expecting {estimator.n_features_in_} features as input.")
    return X


def check_array(X: Any, *, dtype: Any = "numeric", ensure_all_finite: Any = True, ensure_min_samples: int = 1,
                **ignored: Any) -> Any:
    if hasattr(X, "tocsr"):
        return X
    array = X.to_numpy() if hasattr(X, "to_numpy") else np.asarray(X)
    if array.ndim != 2:
        raise ValueError(f"Expected 2D array, got {array.ndim}D array instead")
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    if array.shape[0] < ensure_min_samples:
        raise ValueError(f"Found array with {array.shape[0]} sample(s) while a minimum of {ensure_min_samples} is required.")
    if isinstance(dtype, (list, tuple)) and array.dtype not in [np.dtype(t) for t in dtype]:
        array = array.astype(dtype[0])
    elif array.dtype.kind not in "fiub":
        array = array.astype(np.float64)
    if array.dtype.kind == "f" and ensure_all_finite is not False:
        if np.isinf(array).any():
            raise ValueError(f"Input X contains infinity or a value too large for {array.dtype!r}.")
        if ensure_all_finite is True and np.isnan(array).any():
            raise ValueError("Input X contains NaN.")
    return array


def check_random_state(seed: Any) -> Any:
    if seed is None:
        return np.random.mtrand._rand
    return seed if isinstance(seed, np.random.RandomState) else np.random.RandomState(seed)
