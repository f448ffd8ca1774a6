# SPDX-License-Identifier: BSD-3-Clause
"""What pictures of rows need: the extension that draws them, and the labels of the rows."""

from __future__ import annotations

import csv
import os
from typing import Any

import numpy as np

from . import _fonts
from ._sources import Source, source_of


def label_source(labels: Any, folder: str) -> Source:
    """Labels of rows: a path, or one for each, text or number."""
    if isinstance(labels, (str, os.PathLike, Source)):
        return source_of(labels)
    array = np.asarray(labels)
    if array.dtype.kind in "fiub":
        return source_of(np.asarray(array, dtype=np.float64).reshape(-1, 1))
    path = os.path.join(folder, "labels.csv")
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["row", "label"])
        writer.writerows([i, str(text)] for i, text in enumerate(array.ravel()))
    return source_of(path, header=1, delimiter=",")


def view_module() -> Any:
    _fonts.offer()
    try:
        from . import _view
    except ImportError as error:
        raise ImportError(f"this build of scree has no pictures (libscree-view): {error}") from None
    return _view
