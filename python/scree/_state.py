# SPDX-License-Identifier: BSD-3-Clause
"""What a fit has seen so far: exact to add to and to merge, a file of its own, a model whenever one is wanted."""

from __future__ import annotations

import contextlib
import os
from numbers import Integral
from typing import Any

import numpy as np

from . import _core
from ._frames import is_frame
from ._options import count_option, latent_option, scale_option
from ._run import call, get_config, python_words, together
from ._sources import block, is_path, is_stream, source_of


def positive(components: Any) -> Any:
    """The rows with the sign that makes their largest entry positive."""
    largest = np.argmax(np.abs(components), axis=1)
    signs = np.sign(components[np.arange(len(components)), largest])
    signs[signs == 0] = 1
    return components * signs[:, np.newaxis]


class State:
    """What a fit has seen so far of rows with so many columns, or with columns of these names.

    method: "covariance" (the scatter), "svd" (the triangle of its QR factorisation), "low-rank" (for wide rows, with a
    bound); None: covariance, or low-rank beyond 5000 columns. rank: directions that low-rank always keeps. forget: a
    half-life in rows. threads: 0: all, as `set_config` says. States are pickled, so that workers may send them.

    >>> import numpy as np, scree
    >>> X = np.random.default_rng(0).normal(size=(100, 4))
    >>> left, right = scree.State(4).add(X[:30]), scree.State(4).add(X[30:])
    >>> both = left.merge(right).fit(2)
    >>> bool(np.allclose(both.explained_variance_, scree.PPCA(2).fit(X).explained_variance_, rtol=1e-12))
    True
    """

    def __init__(
        self, columns: Any, *, method: str | None = None, rank: int = 0, forget: float = 0.0, threads: int = 0
    ) -> None:
        names = None if isinstance(columns, Integral) else tuple(columns)
        settings = get_config()
        options = {"method": method, "rank": rank, "forget": float(forget), "memory": settings["memory"]}
        options["threads"] = threads or settings["threads"]
        self.capsule = _core.state_new(columns if names is None else len(names), names, options)

    @classmethod
    def _of(cls, capsule: Any) -> State:
        made = cls.__new__(cls)
        made.capsule = capsule
        return made

    def __reduce__(self) -> Any:
        return _from_bytes, (_core.state_to_bytes(self.capsule),)

    def __repr__(self) -> str:
        view = _core.state_view(self.capsule)
        weight = "" if view["weight"] == view["rows"] else f", total weight {view['weight']:.9g}"
        return f"<State of {view['rows']} rows{weight}, {view['cols']} columns, kept by {view['method']}>"

    def add(self, X: Any, sample_weight: Any = None, **read: Any) -> State:
        """Adds rows: an array, sparse or not, a frame, batches, paths. sample_weight: a row of weight w counts like w equal rows.
        Columns with names are those of the state, in the same order; a state without rows and names takes theirs. read:
        options of files, as of `PPCA.fit`. Of files, processes with a `comm` (see `set_config`) each read their share."""
        if sample_weight is not None or is_stream(X) or is_frame(X):
            shares = is_path(X)
            with together() if shares else contextlib.nullcontext():
                source = source_of(X, **read)
                if sample_weight is not None:
                    source.weigh(sample_weight)
            call(_core.state_add_source, self.capsule, source.capsule, work=1e12, shares=shares)
        else:
            with python_words():
                _core.state_add(self.capsule, block(X))
        return self

    def empty(self) -> State:
        """Another one of the same columns, kept in the same way, that has seen nothing."""
        view = self.view
        columns = view["cols"] if view["columns"] is None else view["columns"]
        return State(columns, method=view["method"], rank=view["rank"], forget=view["forget"])

    def merge(self, other: State) -> State:
        """Adds what another state has seen, which stays as it is."""
        with python_words():
            _core.state_merge(self.capsule, other.capsule)
        return self

    @property
    def view(self) -> dict[str, Any]:
        """Rows, weight, mean and variances of the columns (divisor N), the bound of low-rank."""
        view = _core.state_view(self.capsule)
        for name in ("mean", "variances"):
            view[name] = np.frombuffer(view[name])
        return view

    def fit(self, n_components: Any = None, *, scale: str | None = None, center: bool = True, latent: Any = None,
            ddof: int = 0, seed: int = 0) -> Any:
        """The model of all rows so far, a `PPCA`. n_components, latent, ddof and seed are those of `PPCA`; scale is None,
        "unit" or "pareto", since others need the rows themselves. center=False: the truncated SVD, of rows as they are."""
        from ._model import Model
        from ._ppca import PPCA

        if scale not in (None, "none", "unit", "pareto"):
            raise ValueError(f"scale of a state is None, 'none', 'unit' or 'pareto', not {scale!r}: others need the rows")
        options = {
            **count_option(n_components), **latent_option(latent), **scale_option(scale)[0],
            "ddof": ddof, "uncentred": not center, "seed": seed,
        }
        made = PPCA(n_components, scale=scale, latent=latent, ddof=ddof, seed=seed)
        with python_words():
            made._set_model(Model(call(_core.state_fit, self.capsule, options, None)))
        return made

    def save(self, path: Any) -> None:
        """Writes it to a file, which the command reads too."""
        _core.state_save(self.capsule, os.fspath(path))

    @classmethod
    def load(cls, path: Any) -> State:
        """The state of a file, or of a list of them, merged. Processes with a `comm` (see `set_config`) each load their share."""
        if isinstance(path, (list, tuple)):
            paths = tuple(os.fspath(one) for one in path)
            return cls._of(call(_core.state_load_many, paths, work=1e12))
        return cls._of(_core.state_load(os.fspath(path)))


def _from_bytes(data: bytes) -> State:
    return State._of(_core.state_from_bytes(data))
