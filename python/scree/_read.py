# SPDX-License-Identifier: BSD-3-Clause
"""Options of files as keywords: those of the command, by the same names, with underscores for hyphens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._run import get_config

Field = tuple[str, Callable[[Any], Any]]


def _texts(value: Any) -> Any:
    """A list of columns as one text: names that have commas stand in quotes."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(value)
    return ",".join(str(one) if isinstance(one, int) else '"' + str(one).replace('"', '""') + '"' for one in value)


def _text(value: Any) -> Any:
    return None if value is None else str(value)


def _words(value: Any) -> Any:
    return _text(value) if isinstance(value, (str, int, float, type(None))) else ",".join(str(one) for one in value)


def _one_of(name: str, **words: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if value not in words:
            raise ValueError(f"{name} is one of {', '.join(map(repr, words))}, not {value!r}")
        return words[value]

    return read


def _count(value: Any) -> int:
    number = int(value)
    if number != value or number < 0:
        raise ValueError(f"{value!r} is not a number of rows or lines")
    return number


def _frequency(value: Any) -> float:
    if not 0 < float(value) <= 0.5:
        raise ValueError(f"maf is a frequency above 0 and up to 0.5, not {value!r}")
    return float(value)


def _flag(value: Any) -> int:
    return -1 if value is None else int(value)


FIELDS: dict[str, Field] = {
    "absent": ("absent", _one_of("absent", zero=1, missing=2)),
    "chr": ("chromosomes", _words),
    "columns": ("columns", _texts),
    "columns_from": ("columns_from", _text),
    "dataset": ("dataset", _text),
    "decimal": ("decimal", _text),
    "delimiter": ("delimiter", _text),
    "encoding": ("encoding", _text),
    "exclude": ("exclude", _texts),
    "header": ("header", _flag),
    "id": ("id", _text),
    "input_format": ("format", _text),
    "label": ("label", _text),
    "maf": ("min_allele", _frequency),
    "missing": ("missing_calls", _one_of("missing", mean=0, keep=1)),
    "na": ("na", _words),
    "on_error": ("on_error", _one_of("on_error", stop=0, skip=1, nan=2)),
    "query": ("query", _text),
    "rows": ("rows", _text),
    "sample": ("sample", _count),
    "seed": ("sample_seed", _count),
    "skip": ("skip", _count),
    "transpose": ("transpose", int),
    "weights": ("weights", _text),
}


def _range(value: Any) -> tuple[int, int]:
    """A:B, A: or :B, or one number, counted from 1, as the command has them."""
    first, colon, last = str(value).partition(":")
    if not (first + last).isdigit():
        raise ValueError(f"rows is a range counted from 1, such as '1:100', '5000:' or '7', not {value!r}")
    start = int(first or 1)
    end = start if not colon else int(last or 0)
    if start < 1 or (last and end < start):
        raise ValueError(f"rows is a range counted from 1, such as '1:100', '5000:' or '7', not {value!r}")
    return start, end


def read_options(given: dict[str, Any]) -> dict[str, Any]:
    """Keywords as the library's options of reading."""
    options: dict[str, Any] = {}
    for name, value in given.items():
        if name not in FIELDS:
            raise TypeError(f"there is no option '{name}'; of files there are {', '.join(FIELDS)}")
        field, convert = FIELDS[name]
        if name == "rows":
            options["first_row"], options["last_row"] = _range(value)
        elif value is not None:
            options[field] = convert(value)
    if "sample_seed" in options and not options.get("sample"):
        raise ValueError("seed is for a sample of the rows, and there is none: give sample, too")
    return {**options, **{name: get_config()[name] for name in ("threads", "memory") if get_config()[name]}}
