# SPDX-License-Identifier: BSD-3-Clause
"""Tables in memory whose columns have names: pandas, polars, pyarrow. Columns are found by name, as the command finds those
of files, and columns of text are labels, not rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

SHOWN = 5  # names in a message


def is_frame(X: Any) -> bool:
    """Whether X is a table of two dimensions that names its columns."""
    return not isinstance(X, np.ndarray) and hasattr(X, "columns") and len(getattr(X, "shape", ())) == 2


def all_names(X: Any) -> list[Any]:
    return list(X.column_names if hasattr(X, "column_names") else X.columns)


def names_of(X: Any) -> list[str] | None:
    """The names of the columns, where all are texts; numbers that count them are no names."""
    names = all_names(X)
    return names if all(isinstance(name, str) for name in names) else None


def _is_numeric(X: Any, place: int) -> bool:
    if hasattr(X, "iloc"):
        kind = getattr(X.dtypes.iloc[place], "kind", "O")
        if kind != "O":
            return kind in "fiub"
        found = X.iloc[:, place].dropna()
        return X.dtypes.iloc[place] == object and len(found) > 0 and not isinstance(found.iloc[0], (str, bytes))
    if hasattr(X, "column_names"):
        kind = str(X.schema.types[place])
        return kind.startswith(("int", "uint", "float", "half", "double", "bool", "decimal"))
    kind = X.dtypes[place]
    return bool(kind.is_numeric()) or str(kind) == "Boolean"


def numeric_places(X: Any) -> list[int]:
    return [place for place in range(X.shape[1]) if _is_numeric(X, place)]


def _select(X: Any, places: list[int]) -> Any:
    if places == list(range(X.shape[1])):
        return X
    if hasattr(X, "iloc"):
        return X.iloc[:, places]
    return X.select(places) if hasattr(X, "column_names") else X[:, places]


def _numbers(X: Any) -> Any:
    """The table as an array of numbers, NaN where a cell is missing."""
    if hasattr(X, "column_names"):
        columns = [np.asarray(column.to_numpy(zero_copy_only=False)) for column in X.columns]
        array = np.column_stack(columns) if columns else np.empty(X.shape)
    else:
        array = X.to_numpy()
    if array.dtype.kind in "fiub":
        return array
    if hasattr(X, "iloc"):
        return X.to_numpy(dtype=np.float64, na_value=np.nan)
    return array.astype(np.float64)


def find(names: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Where the wanted columns are among the names."""
    where = {name: place for place, name in enumerate(names)}
    missing = [name for name in wanted if name not in where]
    if missing:
        shown = ", ".join(f"'{name}'" for name in missing[:SHOWN])
        more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
        raise ValueError(
            f"columns of the model are missing: {shown}{more}; give data with the columns that the model was fitted on"
        )
    if len(where) < len(names):
        twice = next((name for name in wanted if list(names).count(name) > 1), None)
        if twice is not None and list(names) != list(wanted):
            raise ValueError(f"column '{twice}' is there more than once; give each name to one column")
    return list(range(len(names))) if list(names) == list(wanted) else [where[name] for name in wanted]


def frame_rows(X: Any, wanted: Sequence[str] | None = None) -> Any:
    """The wanted columns of a table as an array, in their order; of those without names, or where none are wanted by name,
    all columns of numbers."""
    names = names_of(X) if wanted is not None else None
    places = numeric_places(X) if names is None or wanted is None else find(names, wanted)
    return _numbers(_select(X, places))


__all__ = ["all_names", "find", "frame_rows", "is_frame", "names_of", "numeric_places"]
