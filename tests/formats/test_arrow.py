#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Arrow files both ways: what pyarrow, polars and pandas write is read as the same rows, whatever the types, batches and
compression; what scree writes they read, valid to the last offset.
"""

import datetime
import os
import tempfile

import peers

peers.need("python", "pyarrow", "polars", "pandas", "numpy")

# ruff: noqa: E402
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from peers import check, scree


def draw(rows, columns, seed):
    rng = np.random.default_rng(seed)
    cells = rng.normal(size=(rows, columns)) * 10.0 ** rng.integers(-3, 4, columns)
    cells[rng.random(cells.shape) < 0.05] = np.nan
    return cells


def write(path, table, stream=False, rows=None, **how):
    make = pa.ipc.new_stream if stream else pa.ipc.new_file
    with make(path, table.schema, options=pa.ipc.IpcWriteOptions(**how)) as out:
        out.write_table(table, max_chunksize=rows)


def same(found, wanted):
    return found.shape == wanted.shape and np.array_equal(found, wanted, equal_nan=True)


def rows_of(path, *words, pipe=False):
    """What scree reads, as doubles, by way of NPY."""
    if pipe:
        with open(path, "rb") as file:
            scree("convert", "-", "-q", "-o", "found.npy", *words, stdin=file.read())
    else:
        scree("convert", path, "-q", "-o", "found.npy", *words)
    return np.load("found.npy")


def read_by_scree():
    cells = draw(2000, 7, 1)
    names = [f"x{j}" for j in range(7)]
    texts = [f"row {i % 13}" if i % 17 else None for i in range(2000)]
    table = pa.table({"text": texts, **{n: pa.array(cells[:, j], from_pandas=True) for j, n in enumerate(names)}})
    frame = pd.DataFrame({"text": texts, **dict(zip(names, cells.T))})
    for how in ({}, {"compression": "zstd"}):
        for rows in (None, 1, 77) if not how else (None, 77):
            for stream in (False, True):
                write("t.arrow", table, stream, rows, **how)
                for pipe in (False, True):
                    check(same(rows_of("t.arrow", pipe=pipe), cells), f"pyarrow {how} {rows} stream={stream} pipe={pipe}")
    frame.to_feather("t.feather", compression="zstd")
    check(same(rows_of("t.feather"), cells), "feather of pandas")
    for compression in ("uncompressed", "zstd"):
        pl.DataFrame(table).write_ipc("t.arrow", compression=compression)
        check(same(rows_of("t.arrow"), cells), f"polars {compression}")
        pl.DataFrame(table).write_ipc_stream("t.arrows", compression=compression)
        check(same(rows_of("t.arrows", pipe=True), cells), f"stream of polars {compression}")
    _, said = scree("convert", "t.arrow", "-o", "t.csv")
    check("label column 'text'" in said, "the label is found")
    check([x if isinstance(x, str) else None for x in pd.read_csv("t.csv")["text"]] == texts, "texts with nulls")
    frame.to_feather("l.feather", compression="lz4")
    _, said = scree("convert", "l.feather", code=1)
    check("lz4" in said and "compression='zstd'" in said, "lz4 is refused with what to do")


def types():
    rng = np.random.default_rng(2)
    for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"):
        cells = rng.integers(0, 100, (300, 3)).astype(kind)
        table = pa.table({f"c{j}": cells[:, j] for j in range(3)})
        write("t.arrow", table, rows=64)
        check(same(rows_of("t.arrow").astype("f8"), cells.astype("f8")), kind)
    big = pa.table({"a": pa.array([2**53 + 1, 2**53]), "b": [1.5, 2.5]})
    write("t.arrow", big)
    _, said = scree("convert", "t.arrow", code=1)
    check("'a'" in said, "an integer that no double is is refused by name")
    check(same(rows_of("t.arrow", "--columns", "b"), np.array([[1.5], [2.5]])), "and left alone where nobody asks")
    at = [datetime.datetime(1950, 1, 1) + datetime.timedelta(days=997 * i, microseconds=250001 * i) for i in range(60)]
    table = pa.table({"day": pa.array([a.date() for a in at]), "at": pa.array(at), "x": range(60)})
    write("t.arrow", table)
    scree("convert", "t.arrow", "-q", "-o", "t.csv")
    found = pd.read_csv("t.csv")
    check([str(a.date()) for a in at] == list(found["day"]), "dates")
    check(list(pd.to_datetime(found["at"], format="ISO8601")) == at, "timestamps")


def large_batches():
    """More than is read at a time, in one batch, with texts of both forms; and columns chosen."""
    count = 1200000
    x = np.random.default_rng(3).normal(size=(count, 4))
    words = np.array(["ant", "a bee that is longer than a view", "", "cow"])[np.arange(count) % 4]
    table = pa.table({"u": pa.array(words), "v": pa.array(words, pa.string_view()), "U": pa.array(words, pa.large_string()),
                      **{f"x{j}": pa.array(x[:, j], mask=np.arange(count) % 1001 == j) for j in range(4)}})
    wanted = np.where((np.arange(count) % 1001)[:, None] == np.arange(4), np.nan, x)
    write("t.arrow", table)
    for words_of in ((), ("--memory", "32M")):
        check(same(rows_of("t.arrow", *words_of), wanted), f"a large batch {words_of}")
    check(same(rows_of("t.arrow", "--columns", "x2,x0"), wanted[:, [2, 0]]), "columns of a large batch")
    scree("convert", "t.arrow", "--columns", "x1", "-q", "-o", "back.arrow")
    back = pa.ipc.open_file("back.arrow").read_all()
    back.validate(full=True)
    for name in ("u", "v", "U"):
        check(back[name].to_pylist() == list(words), f"texts '{name}' of a large batch")


def written_by_scree():
    cells = draw(70000, 3, 4)
    with open("t.csv", "w", encoding="utf-8") as file:
        file.write("kind,a,b,ç\n")
        for i, row in enumerate(cells):
            file.write(f"größe {i % 3}," + ",".join("" if np.isnan(x) else repr(float(x)) for x in row) + "\n")
    for path in ("t.arrow", "t.feather", "t.arrows"):
        scree("convert", "t.csv", "-q", "-o", path)
        table = (pa.ipc.open_stream if path.endswith("s") else pa.ipc.open_file)(path).read_all()
        table.validate(full=True)
        check(table.schema.names == ["kind", "a", "b", "ç"], f"{path}: names")
        check(table["kind"].to_pylist()[:4] == ["größe 0", "größe 1", "größe 2", "größe 0"], f"{path}: labels")
        check(table["a"].null_count == int(np.isnan(cells[:, 0]).sum()), f"{path}: nulls")
        check(same(table.select([1, 2, 3]).to_pandas().to_numpy(), cells), f"{path}: rows")
        frame = pl.read_ipc_stream(path) if path.endswith("s") else pl.read_ipc(path)
        check(same(frame.select(pl.nth(1, 2, 3)).fill_null(float("nan")).to_numpy(), cells), f"{path}: rows in polars")
    check(same(pd.read_feather("t.feather")[["a", "b", "ç"]].to_numpy(), cells), "rows in pandas")
    scree("convert", "t.csv", "-q", "-o", "f.arrow", "--type", "f4")
    table = pa.ipc.open_file("f.arrow").read_all()
    check(str(table.schema.field("a").type) == "float", "float32")
    out, _ = scree("convert", "t.csv", "-q", "--format", "arrows")
    check(pa.ipc.open_stream(out).read_all().num_rows == 70000, "a stream on standard output")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    read_by_scree()
    types()
    large_batches()
    written_by_scree()
peers.finish()
