# SPDX-License-Identifier: BSD-3-Clause
"""A model of the library: its numbers as arrays, its file, its answers. Immutable; pickled as the bytes of its file."""

from __future__ import annotations

import functools
import logging
import os
from typing import Any

import numpy as np

from . import _core
from ._base import is_sparse
from ._run import call
from ._sources import Source, block, is_stream, source_of

log = logging.getLogger("scree")
MEANINGS = ("weights", "loadings", "structure", "correlations", "cos2", "contributions")
_ARRAYS = (
    *("mean", "scale", "variances", "eigenvalues", "components", "residuals", "gaps", "eigenvalue_bounds"),
    *("angle_bounds", "cluster_first", "cluster_last"),
)


class Model:
    """What was fitted, and what may be asked of it."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    @classmethod
    def fit(cls, source: Source, *, work: float = 0.0, scales: Any = None, **options: Any) -> Model:
        if not isinstance(source, Source):
            return cls(source.fit(options, scales))
        model = cls(call(_core.fit, source.capsule, options, scales, work=work))
        if source.note:
            log.info("%s: %s", source.name, source.note)
        return model

    def __reduce__(self) -> Any:
        return _from_bytes, (_core.to_bytes(self.capsule),)

    @functools.cached_property
    def view(self) -> dict[str, Any]:
        """Everything it knows; arrays are read-only."""
        view: dict[str, Any] = _core.view(self.capsule)
        for name in _ARRAYS:
            value = view[name]
            if value is not None:
                view[name] = np.frombuffer(value, np.int64 if name.startswith("cluster") else np.float64)
        view["components"] = view["components"].reshape(view["m"], view["d"])
        return view

    @property
    def latent(self) -> int:
        return 0 if self.view["no_latent"] else int(self.view["latent"])

    def change(self, what: str, number: float) -> Model:
        """Another model with so many components, latent dimensions, or such noise."""
        return Model(_core.change(self.capsule, what, float(number)))

    def save(self, path: Any) -> None:
        _core.save(self.capsule, os.fspath(path))

    def project(self, X: Any) -> Any:
        """Codes of rows in memory, doubles."""
        rows = block(X)
        count = X.shape[0] if is_sparse(X) else rows.shape[0]
        codes = np.empty((count, self.view["m"]))
        call(_core.project, self.capsule, rows, codes, work=float(codes.size) * self.view["d"])
        return codes

    def reconstruct(self, codes: Any) -> Any:
        codes = block(codes)
        rows = np.empty((codes.shape[0], self.view["d"]))
        call(_core.reconstruct, self.capsule, codes, rows, work=float(rows.size) * self.view["m"])
        return rows

    def stream(self, what: str, source: Source, out: Any = None, *, number: float = 0.0, seed: int = 0) -> Any:
        """The answer to a source: into a file, or as an array with its column names."""
        return stream(what, self.capsule, source, out, number=number, seed=seed)

    def sampling(self) -> list[dict[str, Any]]:
        return [_core.sampling(self.capsule, k) for k in range(self.view["m"])]

    def meaning(self, what: str) -> Any:
        if what not in MEANINGS:
            raise ValueError(f"there is no '{what}'; there are {', '.join(MEANINGS)}")
        out = np.empty((self.view["d"], self.view["m"]))
        _core.meaning(self.capsule, MEANINGS.index(what), out)
        return out


def _from_bytes(data: bytes) -> Model:
    return Model(_core.from_bytes(data))


def stream(what: str, model: Any, source: Source, out: Any = None, *, number: float = 0.0, seed: int = 0) -> Any:
    """The answer to a source: None where it went into the file out, else the array and its column names."""
    sink = _core.sink_collect() if out is None else _core.sink_open(os.fspath(out), None, 1)
    call(_core.stream, what, model, source.capsule, sink, number, seed, work=1e12)
    return collected(_core.sink_finish(sink))


def collected(result: Any) -> Any:
    if result is None:
        return None
    rows, cols, data, names, texts = result
    return np.frombuffer(data, dtype=np.float64).reshape(rows, cols), names, texts


def _state_of(path: Any) -> Any:
    """The state of a file, or None where it is no state."""
    from ._state import State

    try:
        return State.load(path)
    except ValueError:
        return None


def load(path: Any) -> Any:
    """A model file (.scree), as the estimator that it is a model of: a `PPCA`, or an `Autoencoder`; or the `State` of a file.

    Files of the command `scree fit` and of `PPCA.save` are the same.
    """
    try:
        model = Model(_core.load(os.fspath(path)))
    except ValueError:
        state = _state_of(path)
        if state is None:
            raise
        return state
    if model.view["kind"] == "network":
        from ._autoencoder import Autoencoder

        return Autoencoder._from_model(model)
    from ._ppca import PPCA

    return PPCA._from_model(model)


__all__ = ["MEANINGS", "Model", "collected", "is_stream", "load", "source_of", "stream"]
