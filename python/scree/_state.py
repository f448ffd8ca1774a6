# SPDX-License-Identifier: BSD-3-Clause
"""What a fit has seen so far: rows, mean and scatter about the mean, exact to update and to merge.

Each batch is centred by its own mean and joined by the pairwise formula of Chan, Golub and LeVeque, in double: means that
are large beside the spread cost no digits. Of more than WIDE columns it keeps the leading directions instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np

WIDE = 5000  # columns: beyond, a scatter is too large
SPARE = 50  # directions kept beside those asked for, of wide rows


def positive(components: Any) -> Any:
    """The rows with the sign that makes their largest entry positive."""
    largest = np.argmax(np.abs(components), axis=1)
    signs = np.sign(components[np.arange(len(components)), largest])
    signs[signs == 0] = 1
    return components * signs[:, np.newaxis]


class State:
    """Rows that were added, as the sums that a fit needs."""

    def __init__(self, cols: int, keep: int | None) -> None:
        self.n = 0
        self.origin = np.zeros(cols)  # near the rows: what is subtracted first, without rounding where means are large
        self.shift = np.zeros(cols)  # from there to the mean
        self.squares = np.zeros(cols)  # of each column about its mean
        self.scatter: Any = None if cols > WIDE else np.zeros((cols, cols))
        self.factor = np.zeros((0, cols))  # of wide rows: its products with itself are the scatter
        self.keep = keep

    @property
    def mean(self) -> Any:
        return self.origin + self.shift

    def add(self, X: Any) -> None:
        """Adds rows; X is not changed."""
        rows = len(X)
        if self.n == 0:
            self.origin = np.array(X[0], dtype=np.float64)
        centred = np.subtract(X, self.origin, dtype=np.float64)
        shift = np.mean(centred, axis=0)
        centred -= shift
        total = self.n + rows
        away = np.sqrt(self.n * (rows / total)) * (shift - self.shift)
        self.squares += np.einsum("ij,ij->j", centred, centred) + away**2
        if self.scatter is not None:
            self.scatter += centred.T @ centred
            if self.n:
                self.scatter += away[:, np.newaxis] * away
        else:
            self._fold(np.vstack([self.factor, centred, away[np.newaxis]]))
        self.shift += (shift - self.shift) * (rows / total)
        self.n = total

    def _fold(self, factor: Any) -> None:
        """Keeps the leading directions of a factor."""
        _, s, vt = np.linalg.svd(factor, full_matrices=False)
        k = len(s) if self.keep is None else min(len(s), self.keep + SPARE)
        self.factor = s[:k, np.newaxis] * vt[:k]

    def leading(self, k: int) -> tuple[Any, Any]:
        """The k largest eigenvalues of the scatter, descending, and their eigenvectors as rows."""
        if self.scatter is not None:
            values, vectors = np.linalg.eigh(self.scatter)
            values, vectors = values[::-1][:k], vectors.T[::-1][:k]
        else:
            _, s, vectors = np.linalg.svd(self.factor, full_matrices=False)
            values, vectors = s[:k] ** 2, vectors[:k]
        return np.maximum(values, 0), positive(vectors)
