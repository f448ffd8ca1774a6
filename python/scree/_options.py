# SPDX-License-Identifier: BSD-3-Clause
"""Options of a fit, from what people write to what the library takes; of rows, and of states."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np

ALL, AUTO, NONE = 2**63 - 1, -1, -2
SCALES = {"none": 0, "unit": 1, "range": 2, "pareto": 3, "binomial": 5}
GIVEN = 4


def count_option(n_components: Any) -> dict[str, Any]:
    """How many components: a number from 1 on, a share of the variance, "auto", "all"; None is the library's default."""
    k = n_components
    if k is None:
        return {}
    if isinstance(k, str) and k in ("auto", "all"):
        return {"components": AUTO if k == "auto" else ALL}
    if isinstance(k, Integral) and not isinstance(k, bool) and 1 <= int(k) < ALL:
        return {"components": int(k)}
    if isinstance(k, Real) and not isinstance(k, Integral) and 0 < float(k) < 1:
        return {"share": float(k)}
    raise ValueError(
        "n_components is a whole number from 1 on, a share of the variance above 0 and below 1, 'auto', 'all' or None, "
        f"not {k!r}"
    )


def latent_option(latent: Any) -> dict[str, Any]:
    if latent is None:
        return {}
    return {"latent": AUTO if latent == "auto" else NONE if latent == 0 else int(latent)}


def scale_option(scale: Any, usual: int = 0) -> tuple[dict[str, Any], Any]:
    """What columns are divided by, and the numbers where it is numbers. usual: what None means."""
    if scale is None:
        return {"scale": usual}, None
    if isinstance(scale, str):
        if scale not in SCALES:
            raise ValueError(f"scale is one of None, {', '.join(SCALES)}, or numbers, not '{scale}'")
        return {"scale": SCALES[scale]}, None
    return {"scale": GIVEN}, np.array(scale, dtype=np.float64)
