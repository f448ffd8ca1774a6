# SPDX-License-Identifier: BSD-3-Clause
"""The ground that estimators stand on: scikit-learn's base classes and checks where it is installed, else our own.

Nothing here, nor anywhere else in the package, uses sklearn.decomposition.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

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
        fit_context,
        validate_data,
    )

    HAS_SKLEARN = True
else:
    try:
        from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
        from sklearn.base import _fit_context as fit_context
        from sklearn.exceptions import NotFittedError
        from sklearn.utils import check_array, check_random_state
        from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions
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
            fit_context,
            validate_data,
        )

        HAS_SKLEARN = False

__all__ = [
    "HAS_SKLEARN",
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
    "is_sparse",
    "namespace",
    "same_namespace",
    "to_numpy",
    "validate_data",
]


def is_sparse(X: Any) -> bool:
    scipy_sparse = sys.modules.get("scipy.sparse")
    return scipy_sparse is not None and bool(scipy_sparse.issparse(X))


def namespace(X: Any) -> tuple[Any, bool]:
    """The array namespace of X, and whether it is one of the array API; NumPy and False where nobody asks for it."""
    if not HAS_SKLEARN or is_sparse(X):
        return np, False
    from sklearn.utils._array_api import get_namespace

    xp, dispatched = get_namespace(X)
    return xp, bool(dispatched)


def same_namespace(X: Any, estimator: Any, method: str) -> None:
    """Refuses to use arrays of another namespace or device than those that were fitted."""
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
