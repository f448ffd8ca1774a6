# SPDX-License-Identifier: BSD-3-Clause
"""The ground that estimators stand on: scikit-learn's base classes and checks where it is installed, else our own.

Nothing here, nor anywhere else in the package, uses sklearn.decomposition.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

if TYPE_CHECKING:
    from ._light import (
        Estimator,
        Interval,
        NotFittedError,
        RealNotInt,
        StrOptions,
        Transformer,
        check_array,
        check_is_fitted,
        check_random_state,
        validate_data,
    )

    HAS_SKLEARN = True
    UNUSED = "$UNUSED$"

    def get_config() -> dict[str, Any]: ...
else:
    try:
        from sklearn import get_config
        from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
        from sklearn.exceptions import NotFittedError
        from sklearn.utils import check_array, check_random_state
        from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions
        from sklearn.utils.metadata_routing import UNUSED
        from sklearn.utils.validation import check_is_fitted, validate_data

        class Transformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin):
            """What transforms rows, and names its columns after its class."""

        Estimator = BaseEstimator
        HAS_SKLEARN = True
    except ImportError:
        from ._light import (
            Estimator,
            Interval,
            NotFittedError,
            RealNotInt,
            StrOptions,
            Transformer,
            check_array,
            check_is_fitted,
            check_random_state,
            validate_data,
        )

        HAS_SKLEARN = False

        UNUSED = "$UNUSED$"

        def get_config() -> dict[str, Any]:
            return {}

F = TypeVar("F", bound=Callable[..., Any])
FLOATS = np.dtype(np.float64), np.dtype(np.float32)
PLAIN = {bool, int, float, str, type(None)}
MOST_VALID = 1000
_valid: set[Any] = set()

__all__ = [
    "HAS_SKLEARN",
    "UNUSED",
    "Estimator",
    "Interval",
    "NotFittedError",
    "RealNotInt",
    "StrOptions",
    "Transformer",
    "check_array",
    "check_is_fitted",
    "check_random_state",
    "fit_context",
    "is_plain",
    "is_sparse",
    "namespace",
    "same_namespace",
    "to_numpy",
    "validate_data",
]


def _check_parameters(estimator: Any) -> None:
    """scikit-learn's checks of parameters, once for the same values: they take longer than a small fit."""
    if get_config().get("skip_parameter_validation"):
        return
    names = estimator._parameter_constraints
    values = tuple([getattr(estimator, name) for name in names])
    kinds = tuple([type(value) for value in values])
    key = (type(estimator), values, kinds) if PLAIN.issuperset(kinds) else None
    if key is not None and key in _valid:
        return
    estimator._validate_params()
    if key is not None:
        if len(_valid) >= MOST_VALID:
            _valid.clear()
        _valid.add(key)


def fit_context(method: F) -> F:
    """A method that fits: it checks the parameters first."""

    @functools.wraps(method)
    def wrapped(self: Any, *args: Any, **kwargs: Any) -> Any:
        _check_parameters(self)
        return method(self, *args, **kwargs)

    return wrapped  # type: ignore[return-value]


def is_plain(X: Any, estimator: Any, reset: bool) -> bool:
    """Whether X is an array that all checks of scikit-learn would let through as it is, but perhaps for NaN: floats of
    two dimensions, without names, as wide as what was fitted."""
    return (
        type(X) is np.ndarray
        and X.dtype in FLOATS
        and X.ndim == 2
        and X.shape[0] > 0
        and X.shape[1] > 0
        and "feature_names_in_" not in estimator.__dict__
        and (reset or X.shape[1] == estimator.__dict__.get("n_features_in_"))
    )


def is_sparse(X: Any) -> bool:
    scipy_sparse = sys.modules.get("scipy.sparse")
    return scipy_sparse is not None and bool(scipy_sparse.issparse(X))


def namespace(X: Any) -> tuple[Any, bool]:
    """The array namespace of X, and whether it is one of the array API; NumPy and False where nobody asks for it."""
    if not HAS_SKLEARN or is_sparse(X) or (type(X) is np.ndarray and not get_config()["array_api_dispatch"]):
        return np, False
    from sklearn.utils._array_api import get_namespace

    xp, dispatched = get_namespace(X)
    return xp, bool(dispatched)


def same_namespace(X: Any, estimator: Any, method: str) -> None:
    """Refuses to use arrays of another namespace or device than those that were fitted."""
    if type(X) is np.ndarray and type(estimator.__dict__.get("components_")) is np.ndarray:
        return
    if HAS_SKLEARN and hasattr(estimator, "components_"):
        from sklearn.utils._array_api import check_same_namespace

        check_same_namespace(X, estimator, attribute="components_", method=method)


def to_numpy(array: Any) -> Any:
    """An array of any namespace as one of NumPy, without a copy where that can be."""
    if isinstance(array, np.ndarray) or np.isscalar(array):
        return array
    for convert in (np.from_dlpack, np.asarray):
        try:
            return convert(array)
        except (TypeError, BufferError, RuntimeError, AttributeError, ValueError):
            continue
    if hasattr(array, "cpu"):
        return np.asarray(array.cpu())
    return np.asarray(array.get() if hasattr(array, "get") else array)
