# SPDX-License-Identifier: BSD-3-Clause
"""Archives: rows in a file that is as small as their model allows, and back."""

from __future__ import annotations

import builtins
import os
from typing import Any

import numpy as np

from . import _core
from ._model import stream
from ._run import call
from ._sources import source_of

AUTO = -1


def compress(X: Any, path: Any, *, max_error: float = 0.0, rmse: float = 0.0, psnr: float = 0.0, ratio: float = 0.0,
             n_components: int | None = None) -> dict[str, Any]:
    """Writes rows to an archive (.screez). One of max_error (of every cell), rmse, psnr (dB) and ratio says how exact or
    how small; none of them: every bit comes back. What is promised is measured before the file appears.

    >>> import numpy as np, scree, tempfile, os
    >>> X = np.random.default_rng(0).normal(size=(500, 2)) @ np.ones((2, 8))
    >>> path = os.path.join(tempfile.mkdtemp(), "rows.screez")
    >>> about = scree.compress(X, path, max_error=0.01)
    >>> bool(abs(scree.open(path).read() - X).max() <= 0.01)
    True
    """
    source = source_of(X)
    options: dict[str, Any] = {
        "max_error": float(max_error), "rmse": float(rmse), "psnr": float(psnr), "ratio": float(ratio),
        "components": AUTO if n_components is None else int(n_components),
    }
    return call(_core.compress, source.capsule, os.fspath(path), options, work=1e12)


class Rows:
    """Rows of a file, which need not fit in memory: what estimators take, and `read`."""

    def __init__(self, path: Any, **options: Any) -> None:
        self.path = path if isinstance(path, (list, tuple)) else os.fspath(path)
        self.options = options
        source = source_of(self.path, **options)
        self.shape = (source.rows if source.rows >= 0 else None, source.cols)
        self.columns = source.columns
        self.note = source.note
        self.archive = _core.archive_about(self.path) if isinstance(self.path, builtins.str) else None

    def read(self) -> Any:
        """All of them as an array: of an archive in the type that went in, otherwise doubles."""
        source = source_of(self.path, **self.options)
        rows = stream("copy", None, source)[0]
        kind = {0: np.float32, 2: np.uint8}.get(self.archive["type"], np.float64) if self.archive else np.float64
        return rows.astype(kind, copy=False)

    def __repr__(self) -> str:
        rows = "?" if self.shape[0] is None else self.shape[0]
        return f"<rows of {self.path}: {rows} × {self.shape[1]}>"


def open(path: Any, **options: Any) -> Rows:
    """Rows of a file of any format that the command reads, archives among them. options: columns, header, dataset, ..."""
    return Rows(path, **options)
