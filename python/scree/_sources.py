# SPDX-License-Identifier: BSD-3-Clause
"""From what people have to rows that the library reads: arrays, sparse matrices, frames, Arrow, DLPack, iterators, paths.

Arrays in C or Fortran order, or of any strides that are not negative, are read where they lie; so are CSR matrices.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import _core
from ._base import is_sparse, to_numpy
from ._frames import all_names, frame_rows, is_frame, names_of, numeric_places
from ._read import read_options
from ._run import python_words

F32, F64, U8 = 0, 1, 2
NATIVE = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.uint8)


class Source:
    """Rows, what is known of them, and what must outlive them."""

    def __init__(self, capsule: Any, keeps: Any = None) -> None:
        self.capsule = capsule
        self.keeps = keeps
        about = _core.source_about(capsule)
        self.name, self.rows, self.cols, self.type, self.columns, self.note = about[:6]
        self.scale = about[8]  # that such rows usually have: 0 none, 5 binomial, of genotypes

    @property
    def dtype(self) -> Any:
        return np.dtype(np.float32) if self.type == F32 else np.dtype(np.float64)

    @property
    def gaps(self) -> tuple[int, int, int]:
        """(rows with gaps, cells that are missing, rows of which nothing is there) that the last call has met."""
        return _core.source_about(self.capsule)[6]

    def weigh(self, weights: Any) -> None:
        array = np.ascontiguousarray(weights, dtype=np.float64)
        _core.source_weigh(self.capsule, array)


def _overlaps(array: Any) -> bool:
    """Whether cells lie in several places, as those of sliding windows and of np.broadcast_to do."""
    if array.ndim != 2 or array.size == 0 or 0 in array.strides:
        return 0 in array.strides and array.size > 0
    (rows, cols), (row, col) = array.shape, array.strides
    return bool(row < (cols - 1) * col + array.itemsize and col < (rows - 1) * row + array.itemsize)


def readable(array: Any) -> Any:
    """The array as the library can read it: itself, or a copy in the machine's order, without negative strides or rows
    that overlap."""
    array = np.asarray(array)
    if array.dtype in NATIVE[:2] and array.flags.c_contiguous:
        return array
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported: rows are real numbers")
    if array.dtype.kind not in "fiub" or array.dtype.itemsize > 8:
        array = array.astype(np.float64)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if any(stride < 0 or stride % array.dtype.itemsize for stride in array.strides) or _overlaps(array):
        array = np.ascontiguousarray(array)
    return array


EXACT_WHOLE = 2**53


def refuse_rounding(values: Any, what: str) -> None:
    """Refuses integers that are no doubles."""
    if values.dtype.kind not in "iu" or values.dtype.itemsize < 8 or values.size == 0:
        return
    if int(values.max()) > EXACT_WHOLE or int(values.min()) < -EXACT_WHOLE:
        raise ValueError(
            f"{what} whole numbers beyond 2^53, which double precision would round; subtract a constant, or store them as "
            "doubles"
        )


def refuse_rounding_of(X: Any) -> None:
    """The same of an array, the values of a sparse matrix, or the columns of a frame."""
    if isinstance(X, np.ndarray):
        refuse_rounding(X, "the rows have")
    elif is_sparse(X):
        refuse_rounding(X.data if X.format in ("csr", "csc") else X.tocsr().data, "sparse rows have")
    elif hasattr(X, "dtypes") and hasattr(X, "columns"):
        for place, name in enumerate(X.columns):
            column = X.iloc[:, place] if hasattr(X, "iloc") else X[name]
            if str(column.dtype).lower() in ("int64", "uint64"):
                column = column.dropna() if hasattr(column, "dropna") else column.drop_nulls()
                refuse_rounding(column.to_numpy(), f"column '{name}' has")


def sparse_rows(X: Any) -> tuple[Any, Any, Any, int]:
    """A SciPy matrix as the four parts of sparse rows: values, starts, indices, columns."""
    if X.format != "csr":
        X = X.tocsr()
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    if X.shape[1] > np.iinfo(np.int32).max:
        raise ValueError(f"{X.shape[1]} columns are too many for sparse rows")
    refuse_rounding(X.data, "sparse rows have")
    data = X.data if X.data.dtype in NATIVE[:2] else X.data.astype(np.float64)
    return (
        np.ascontiguousarray(data),
        np.ascontiguousarray(X.indptr, dtype=np.int64),
        np.ascontiguousarray(X.indices, dtype=np.int32),
        int(X.shape[1]),
    )


def block(X: Any) -> Any:
    """Rows in memory as the extension takes them."""
    return sparse_rows(X) if is_sparse(X) else readable(X)


class _Batches:
    """Batches of an iterator, or of one that a function makes anew, as arrays of one type. Frames have the columns of the
    first one, by name and in its order; columns of text are labels."""

    def __init__(self, make: Callable[[], Iterator[Any]] | None, batches: Iterator[Any]) -> None:
        self.make = make
        self.batches = batches
        self.names: list[str] | None = None
        self.count = 0
        self.first: Any = self._read()
        if self.first is None:
            raise ValueError("the iterator has no batches of rows")
        kind = self.first.dtype
        self.dtype = kind if kind in NATIVE[:2] else np.dtype(np.float64)
        self.cols = int(self.first.shape[1])
        self.waiting = True

    def _read(self) -> Any:
        batch = next(self.batches, None)
        if batch is None:
            return None
        if is_frame(batch) and names_of(batch) is not None:
            self._match([str(all_names(batch)[place]) for place in numeric_places(batch)])
            array = frame_rows(batch)
        elif is_sparse(batch):
            array = batch.toarray()
        else:
            array = np.asarray(batch.to_numpy() if hasattr(batch, "to_numpy") else batch)
        if array.ndim != 2:
            raise ValueError(f"a batch of rows has {array.ndim} dimension{'s' * (array.ndim != 1)}, not 2")
        if array.dtype.kind == "c":
            raise ValueError("Complex data not supported: rows are real numbers")
        self.count += 1
        return array

    def _match(self, names: list[str]) -> None:
        if self.count == 0 and self.names is None:
            self.names = names
        if self.names is None or names == self.names:
            return
        pairs = zip(names, self.names, strict=False)
        other = next((place for place, (one, first) in enumerate(pairs) if one != first), min(len(names), len(self.names)))
        found, wanted = (f"'{some[other]}'" if other < len(some) else "not there" for some in (names, self.names))
        raise ValueError(
            f"batch {self.count}: column {other} is {found}, and {wanted} in the first batch (counted from 0); give all "
            "batches the same columns of numbers in the same order"
        )

    def next(self) -> Any:
        array = self.first if self.waiting else self._read()
        self.waiting = False
        return None if array is None else readable(array.astype(self.dtype, copy=False))

    def rewind(self) -> None:
        assert self.make is not None
        self.batches = iter(self.make())
        self.count = 0
        self.first = self._read()
        self.waiting = True


def from_batches(batches: Any) -> Source:
    """Rows of an iterator of batches, read once; of a function without arguments that returns such an iterator, as often
    as need be."""
    make = batches if callable(batches) else None
    reader = _Batches(make, iter(batches() if make else batches))
    kind = F32 if reader.dtype == NATIVE[0] else F64
    names = None if reader.names is None else tuple(reader.names)
    capsule = _core.source_calls(reader.next, reader.rewind if make else None, -1, reader.cols, kind, "batches", names)
    return Source(capsule, reader)


def can_be_read_again(source: Source) -> bool:
    """Whether rows can be read more than once, as an iterator's cannot."""
    return not isinstance(source.keeps, _Batches) or source.keeps.make is not None


def is_path(X: Any) -> bool:
    if isinstance(X, (str, os.PathLike)):
        return True
    return isinstance(X, (list, tuple)) and len(X) > 0 and all(isinstance(x, (str, os.PathLike)) for x in X)


def is_elsewhere(X: Any) -> bool:
    """Whether its rows are not read here: a state, or what Dask has (see `_partitions`)."""
    return hasattr(type(X), "__dask_graph__") or (type(X).__name__ == "State" and hasattr(X, "merge"))


def is_stream(X: Any) -> bool:
    """Whether X is rows that scikit-learn does not know: paths, batches, Arrow, states, partitions."""
    if type(X) is np.ndarray:
        return False
    if isinstance(X, Source) or is_elsewhere(X) or is_path(X) or hasattr(X, "__next__"):
        return True
    if hasattr(X, "shape") and hasattr(X, "__array__") and not hasattr(X, "schema"):
        return False
    if callable(X) and not hasattr(X, "__array__"):
        return True
    return hasattr(X, "__arrow_c_stream__") and not (hasattr(X, "columns") and hasattr(X, "to_numpy"))


def from_paths(X: Any, wanted: Any = None, library: dict[str, Any] | None = None, **options: Any) -> Source:
    """Rows of files. wanted: (names, means or None) of the columns of a model that they are for. library: options of the
    library itself."""
    paths = [X] if isinstance(X, (str, os.PathLike)) else list(X)
    given = {**read_options(options), **(library or {})}
    with python_words():
        return Source(_core.source_open(tuple(os.fspath(path) for path in paths), given, wanted))


class _Whole:
    """An array in memory with names of its columns, handed in as often as it is wanted."""

    def __init__(self, array: Any) -> None:
        self.array, self.done = readable(array), False

    def next(self) -> Any:
        done, self.done = self.done, True
        return None if done else self.array

    def rewind(self) -> None:
        self.done = False


def _from_named(array: Any, names: list[str]) -> Source:
    kind = F32 if array.dtype == NATIVE[0] else F64
    whole = _Whole(array.astype(NATIVE[kind], copy=False))
    capsule = _core.source_calls(whole.next, whole.rewind, len(array), array.shape[1], kind, "memory", tuple(names))
    return Source(capsule, whole)


def _stream_maker(X: Any) -> Callable[[], Any] | None:
    """What makes an Arrow stream of a table, whose index is no column of it; None: nothing does."""
    if hasattr(X, "iloc"):
        try:
            import pyarrow
        except ImportError:
            return None
        if not hasattr(pyarrow.Table, "__arrow_c_stream__"):
            return None
        table = pyarrow.Table.from_pandas(X, preserve_index=False)
        return lambda: table.__arrow_c_stream__(None)
    return (lambda: X.__arrow_c_stream__(None)) if hasattr(X, "__arrow_c_stream__") else None


def from_frame(X: Any, **options: Any) -> Source:
    """Rows of a table in memory, which can be read again; columns of text are labels."""
    names = names_of(X)
    if not options and names is None:
        array = readable(frame_rows(X))
        return Source(_core.source_rows(array), array)
    places = numeric_places(X)
    plain = not options and hasattr(X, "iloc") and len(places) == X.shape[1]
    if plain and all(getattr(kind, "kind", "O") == "f" for kind in X.dtypes):
        return _from_named(frame_rows(X), names or [])
    make = _stream_maker(X)
    if make is not None:
        return Source(_core.source_arrow_calls(make, X.shape[0], read_options(options)), X)
    if options:
        raise TypeError(f"option '{next(iter(options))}' of a frame needs pyarrow, which is not installed")
    return _from_named(frame_rows(X), [str(all_names(X)[place]) for place in places])


def elsewhere(X: Any, options: dict[str, Any]) -> Any:
    from ._partitions import seen_of

    if options:
        raise TypeError(f"there is no option '{next(iter(options))}' of rows in partitions; it is of files")
    return seen_of(X)


def source_of(X: Any, **options: Any) -> Source:
    """Rows of anything. options are those of files and of tables with names."""
    if isinstance(X, Source):
        return X
    if type(X) is np.ndarray and X.ndim == 2 and not options:
        array = readable(X)
        return Source(_core.source_rows(array), array)
    if is_elsewhere(X):
        found: Source = elsewhere(X, options)
        return found
    if is_path(X):
        return from_paths(X, **options)
    if is_frame(X):
        return from_frame(X, **options)
    if options and not hasattr(X, "__arrow_c_stream__"):
        read_options(options)
        raise TypeError(f"option '{next(iter(options))}' is of files and frames, not of rows in memory")
    if hasattr(X, "__next__") or (callable(X) and not hasattr(X, "__array__")):
        return from_batches(X)
    if is_sparse(X):
        parts = sparse_rows(X)
        return Source(_core.source_rows(parts), parts)
    if hasattr(X, "__arrow_c_stream__"):
        return Source(_core.source_arrow(X.__arrow_c_stream__(None), read_options(options)))
    if hasattr(X, "__dlpack__") and not isinstance(X, np.ndarray):
        X = to_numpy(X)
    array = readable(X)
    if array.ndim != 2:
        raise ValueError(f"Expected 2D array, got {array.ndim}D array instead")
    return Source(_core.source_rows(array), array)
