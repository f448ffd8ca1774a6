# SPDX-License-Identifier: BSD-3-Clause
"""Rows that are not read here: Dask arrays and frames, whose partitions lie elsewhere, and states, whose rows have gone by.

Each partition becomes a state where it lies, and states are merged by eights in a tree whose shape depends on the number
of partitions alone: the same bits whichever worker is first. What is fetched is the last state, of D² numbers. Dask is
imported only where it is there already: its own objects are asked.
"""

from __future__ import annotations

import functools
import sys
from numbers import Integral
from typing import Any

import numpy as np

from . import _core
from ._gaussian import check_weights
from ._run import call
from ._state import State

ARITY = 8  # states that a task merges
WIDE = 5000  # columns: beyond, a state keeps leading directions
ALL = 2**63 - 1


def wide_rank(components: Any, cols: int) -> int:
    """Directions that a state keeps for so many components; 0: all, as there are few columns."""
    return min(max(2 * int(components), 100), cols // 2) if cols > WIDE else 0


class Seen:
    """In the place of a `Source`, for fits: what is known of rows, and the state that they come to."""

    note, gaps, keeps, type, scale = None, (0, 0, 0), None, None, 0

    def __init__(self, name: str, rows: int, cols: int, columns: Any, dtype: Any) -> None:
        self.name, self.rows, self.cols, self.columns, self.dtype = name, rows, cols, columns, dtype

    @property
    def capsule(self) -> Any:
        raise TypeError(
            f"{self.name} can be fitted by PCA, IncrementalPCA and PPCA; everything else needs the rows: for a Dask array "
            "X.map_blocks(model.transform), for a Dask frame X.map_partitions(model.transform), or X.compute()"
        )

    def weigh(self, sample_weight: Any) -> None:
        raise ValueError(f"{self.name} has the weights of its rows already; leave sample_weight out")

    def state(self, components: Any) -> State:
        """What the rows come to, fit for so many components."""
        raise NotImplementedError

    def fit(self, options: dict[str, Any], scales: Any) -> Any:
        """The model of its rows, as a capsule. A state has all digits, so a tolerance asks for nothing."""
        count = int(options.get("components", 0))
        state = self.state(None if count == ALL else count)
        options = {name: value for name, value in options.items() if name != "tolerance"}
        return call(_core.state_fit, state.capsule, options, scales)


class Summed(Seen):
    """A state."""

    def __init__(self, state: State) -> None:
        view = state.view
        super().__init__("the state", view["rows"], view["cols"], view["columns"], np.dtype(np.float64))
        self._state = state

    def state(self, components: Any) -> State:
        return self._state


class Parted(Seen):
    """A Dask array or frame."""

    def __init__(self, X: Any) -> None:
        frame = hasattr(type(X), "columns")
        if not frame and not hasattr(type(X), "chunks"):
            raise TypeError(f"a Dask {type(X).__name__} has no rows and columns; give a Dask array or frame")
        if getattr(X, "ndim", 2) != 2:
            raise ValueError(f"Expected 2D array, got {X.ndim}D array instead")
        kinds = list(X.dtypes) if frame else [X.dtype]
        for name, kind in zip(X.columns if frame else ["the array"], kinds):
            if kind.kind not in "fiub":
                raise ValueError(f"{name} has the type {kind}, which is no number: leave it out, or convert it")
        single = all(kind == np.float32 for kind in kinds)
        self.length = None if frame or np.isnan(X.shape[0]) else X.chunks[0]
        if np.isnan(X.shape[1]):
            raise ValueError("the Dask array does not know how many columns it has; call X.compute_chunk_sizes()")
        if not frame and X.numblocks[1] > 1:
            X = X.rechunk({1: -1} if self.length is None else {0: "auto", 1: -1})
            self.length = self.length and X.chunks[0]
        rows = -1 if self.length is None else sum(self.length)
        columns = list(map(str, X.columns)) if frame and all(isinstance(name, str) for name in X.columns) else None
        super().__init__(
            "the Dask frame" if frame else "the Dask array", rows, X.shape[1], columns, np.dtype("f4" if single else "f8")
        )
        self.X = X
        self.weights: Any = None
        self.made: State | None = None

    def weigh(self, sample_weight: Any) -> None:
        """Weights in the same partitions: a Dask array or series, or what is cut where the chunks end."""
        if hasattr(type(sample_weight), "__dask_graph__"):
            if self.length is not None and hasattr(sample_weight, "rechunk") and not np.isnan(sample_weight.shape[0]):
                if sample_weight.shape[0] != self.rows:
                    raise ValueError(f"sample_weight.shape == {sample_weight.shape}, expected {(self.rows,)}!")
                sample_weight = sample_weight.rechunk((self.length,))
            self.weights = list(np.ravel(sample_weight.to_delayed()))
        elif self.length is None:
            raise ValueError(
                f"{self.name} does not know how long its partitions are: give sample_weight in partitions, too, as a Dask "
                "array or series"
            )
        else:
            self.weights = np.split(check_weights(sample_weight, self.rows), np.cumsum(self.length)[:-1])

    def state(self, components: Any) -> State:
        if self.made is None:
            self.made = self._sum(self._rank(components))
        return self.made

    def _rank(self, components: Any) -> int:
        """Those that the state keeps."""
        if self.cols > WIDE and not isinstance(components, Integral):
            raise ValueError(
                f"{self.name}: of {self.cols} columns a state keeps the leading directions; say how many components, as a number"
            )
        return wide_rank(components, self.cols)

    def _sum(self, rank: int) -> State:
        delayed: Any = sys.modules["dask"].delayed
        parts = list(np.ravel(self.X.to_delayed()))
        weights = [None] * len(parts) if self.weights is None else self.weights
        if len(weights) != len(parts):
            raise ValueError(
                f"{self.name} has {len(parts)} partitions, and sample_weight {len(weights)}; give both the same partitions"
            )
        look, join = delayed(seen, traverse=False), delayed(merged, traverse=False)
        about = self.cols, self.columns, rank, self.dtype
        states = [look(part, weight, number, about) for number, (part, weight) in enumerate(zip(parts, weights))]
        while len(states) > 1:
            states = [join(states[at : at + ARITY]) for at in range(0, len(states), ARITY)]
        state: State = states[0].compute()
        return state


def seen(part: Any, weights: Any, number: int, about: Any) -> State:
    """The state of a partition; what a worker runs. It has one of its threads."""
    cols, columns, rank, dtype = about
    state = State(cols if columns is None else columns, rank=rank, threads=1)
    rows = part.to_numpy(dtype=dtype, na_value=np.nan) if hasattr(part, "to_numpy") else part
    try:
        return state.add(rows, None if weights is None else np.asarray(weights, dtype=np.float64))
    except ValueError as error:
        raise ValueError(f"partition {number}: {error}") from None


def merged(states: list[State]) -> State:
    """A state of its own: a task that is repeated must find what it is given as it was."""
    return functools.reduce(State.merge, states, states[0].empty())


def seen_of(X: Any) -> Seen:
    return Summed(X) if isinstance(X, State) else Parted(X)


def weigh(source: Any, sample_weight: Any, n: int, components: Any) -> tuple[int, int]:
    """Weighs the n rows of a source: how many count, and their weight, rounded; -1 each where nobody knows yet."""
    if isinstance(source, Seen):
        if sample_weight is not None:
            source.weigh(sample_weight)
        view = source.state(components).view
        return view["rows"], max(int(round(view["weight"])), 1)
    if sample_weight is None:
        return n, n
    weights = check_weights(sample_weight, n)
    source.weigh(weights)
    return int(np.count_nonzero(weights)), max(int(round(float(weights.sum()))), 1)
