# SPDX-License-Identifier: BSD-3-Clause
"""scree: principal component analysis that knows how sure it is.

    >>> import numpy as np, scree
    >>> X = np.array([[2, 1, 0], [4, 2, 1], [6, 4, 1], [8, 4, 3], [1, 9, 2], [3, 7, 5]], dtype=float)
    >>> pca = scree.PCA(n_components=2).fit(X)
    >>> pca.explained_variance_ratio_.round(3)
    array([0.602, 0.336])

`PCA`, `IncrementalPCA` and `TruncatedSVD` take the place of scikit-learn's classes of these names. `PPCA` is the same model
as a probability distribution, with everything that the command `scree` does with it; `Autoencoder` is the network beside
it. `compress` and `open` make and read archives; `load` reads a model file. Estimators are loaded when they are first
named, so that importing the package costs little more than importing NumPy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from ._run import Progress, config_context, get_config, set_config

if TYPE_CHECKING:
    from ._archive import compress, open
    from ._autoencoder import Autoencoder
    from ._base import NotFittedError
    from ._incremental import IncrementalPCA
    from ._model import load
    from ._pca import PCA
    from ._ppca import PPCA
    from ._state import State
    from ._truncated import TruncatedSVD

__all__ = [
    "PCA",
    "PPCA",
    "Autoencoder",
    "IncrementalPCA",
    "NotFittedError",
    "Progress",
    "State",
    "TruncatedSVD",
    "compress",
    "config_context",
    "get_config",
    "load",
    "open",
    "set_config",
]

_HOMES = {
    "PCA": "_pca",
    "PPCA": "_ppca",
    "State": "_state",
    "Autoencoder": "_autoencoder",
    "IncrementalPCA": "_incremental",
    "NotFittedError": "_base",
    "TruncatedSVD": "_truncated",
    "compress": "_archive",
    "load": "_model",
    "open": "_archive",
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        from . import _core

        return _core.about()[0]
    if name not in _HOMES:
        raise AttributeError(f"module 'scree' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"scree.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
