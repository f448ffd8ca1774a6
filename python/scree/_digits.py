# SPDX-License-Identifier: BSD-3-Clause
"""How many digits eigenvalues have, by their bounds, and how many a type of attributes can hold.

A covariance knows an eigenvalue to about u λ₁, a singular value decomposition of the rows to u √(λ₁ λ).
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ._sources import Source, can_be_read_again

LOOSE = 1e-6  # of an eigenvalue: a bound that is looser is worth a decomposition of the rows themselves
MARGIN = 100  # by which bounds are known to exceed what arithmetic is off by
UNEQUAL = 1e4  # ranges of columns: the library takes their covariance apart column by column
FEW = 128  # columns: all singular values of so many take no longer than all eigenvalues
SPARSE_WORK = 1e10  # multiplications that absent cells may cost
SQUARED = ("covariance", "gram")
EPSILON = float(np.finfo(np.float64).eps)
F32_LIMITS = np.finfo(np.float32)
F32_LEAST, F32_MOST = float(F32_LIMITS.tiny), float(F32_LIMITS.max)


def prefers_svd(source: Source, whole: bool, n: int, dtype: Any) -> bool:
    """Whether a full decomposition of the rows is found at least as fast as from their squares. Columns in very different
    units have better bounds by squares, column by column."""
    if not (isinstance(source.keeps, np.ndarray) and dtype == np.float64 and whole):
        return False
    if 2 * n <= source.cols:
        return True
    return source.cols <= FEW and not has_unequal_columns(source.keeps)


def has_unequal_columns(rows: Any) -> bool:
    with np.errstate(invalid="ignore", over="ignore"):
        lengths = rows.max(axis=0).astype(np.float64) - rows.min(axis=0).astype(np.float64)
    lengths = lengths[lengths > 0]
    return len(lengths) > 0 and bool(lengths.max() > UNEQUAL * lengths.min())


def misses_digits(view: dict[str, Any], count: int, rank: int, dtype: Any) -> bool:
    """Whether one of the first count eigenvalues, or the noise beside them, is known to fewer digits than a singular value
    decomposition of the rows in their type finds. rank: how many can be above 0, by the shape of the rows."""
    if view["solver"] not in SQUARED:
        return False
    rank = min(rank, int(np.count_nonzero(view["variances"])))
    values, bounds = view["eigenvalues"][: min(count, rank)], view["eigenvalue_bounds"][: min(count, rank)]
    if len(values) == 0:
        return False
    least = min(values[-1], view["reconstruction_error"]) if count < rank else values[-1]
    if bounds.max() <= LOOSE * least:  # as nearly always
        return False
    if count < rank:
        values, bounds = np.append(values, view["reconstruction_error"]), np.append(bounds, bounds[0])
    unit = MARGIN * float(np.finfo(dtype).eps)
    return bool((bounds > np.maximum(LOOSE * values, unit * np.sqrt(values[0]) * np.sqrt(np.maximum(values, 0)))).any())


def can_be_refined(source: Source, n: int) -> bool:
    """Whether the rows can be decomposed after they were read once."""
    if isinstance(source.keeps, tuple):
        return float(n) * source.cols * min(n, source.cols) <= SPARSE_WORK
    return can_be_read_again(source)


def proven(view: dict[str, Any], count: int) -> int:
    """How many leading components have a direction: the others' eigenvalues are rounding beside the first, and nothing
    shows that they are not 0."""
    values, bounds = view["eigenvalues"][:count], view["eigenvalue_bounds"][:count]
    if len(values) == 0:
        return 0
    tiny = values[0] * EPSILON * max(view["n"], view["d"])
    if values[-1] > tiny:
        return len(values)
    known = np.flatnonzero((values > tiny) | (values > bounds))
    return int(known[-1]) + 1 if len(known) else 0


def holding(dtype: Any, *variances: Any) -> Any:
    """The type of attributes: that of the rows or, where their variances do not fit in it, float64, which is said."""
    if dtype != np.float32:
        return dtype
    largest = max((float(np.max(v)) for v in variances if np.size(v)), default=0.0)
    if largest == 0 or F32_LEAST <= largest <= F32_MOST:
        return dtype
    warnings.warn(
        f"float32 cannot hold variances of {largest:.3g}, so attributes are float64; divide the rows by a constant to "
        "keep them float32",
        UserWarning,
        stacklevel=2,
    )
    return np.dtype(np.float64)


def rounded_away(values: Any, dtype: Any) -> Any:
    """By how much numbers change when they are stored in a type."""
    return np.abs(values.astype(dtype).astype(np.float64) - values)
