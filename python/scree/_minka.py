# SPDX-License-Identifier: BSD-3-Clause
"""Minka's estimate of the number of components ("Automatic choice of dimensionality for PCA", 2000), Laplace's
approximation of the evidence of each dimension, with scikit-learn's treatment of directions without variance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

TINY = 1e-15


def log_evidence(spectrum: Any, rank: int, n: int) -> float:
    """ln p(rows | dimension rank) up to a constant; -inf where the last direction has no variance. O(rank·D)."""
    d = len(spectrum)
    if spectrum[rank - 1] < TINY:
        return -math.inf
    dims = d - np.arange(rank)
    prior = -rank * math.log(2) + sum(math.lgamma(i / 2) - math.log(math.pi) * i / 2 for i in dims)
    noise = max(TINY, float(np.sum(spectrum[rank:])) / (d - rank))
    fit = -n / 2 * float(np.sum(np.log(spectrum[:rank]))) - math.log(noise) * n * (d - rank) / 2
    free = d * rank - rank * (rank + 1) / 2
    flat = np.array(spectrum, dtype=np.float64)
    flat[rank:] = noise
    hessian = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        for i in range(rank):
            gaps = (spectrum[i] - spectrum[i + 1 :]) * (1 / flat[i + 1 :] - 1 / flat[i])
            hessian += float(np.sum(np.log(gaps))) + math.log(n) * len(gaps)
    result = prior + fit + math.log(2 * math.pi) * (free + rank) / 2 - hessian / 2 - rank * math.log(n) / 2
    return result if not math.isnan(result) else -math.inf


def infer_dimension(spectrum: Any, n: int) -> int:
    """The dimension of the largest evidence, from 1 to D - 1."""
    scores = [-math.inf] + [log_evidence(spectrum, rank, n) for rank in range(1, len(spectrum))]
    return int(np.argmax(scores))
