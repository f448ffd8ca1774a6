#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""SQLite databases both ways, by Python's own module: tables of several pages, NULLs, texts and whole numbers are read as
the rows that were put in; what scree writes is a sound database of the same cells.
"""

import os
import sqlite3
import tempfile

import peers

peers.need("python", "sqlite3", "numpy")

# ruff: noqa: E402
import numpy as np

from peers import check, scree

if b"with sqlite" not in scree("version")[0]:
    print("skipped: the module scree-sqlite.so was not built")
    raise SystemExit(77)


def make(path, cells, texts):
    with sqlite3.connect(path) as base:
        names = [f'"x {j}" REAL' for j in range(cells.shape[1])]
        base.execute(f"CREATE TABLE rows (name TEXT, {', '.join(names)})")
        marks = ", ".join("?" * (cells.shape[1] + 1))
        base.executemany(f"INSERT INTO rows VALUES ({marks})",
                         [(text, *(None if np.isnan(x) else float(x) for x in row)) for text, row in zip(texts, cells)])
    base.close()


def rows_of(*words):
    scree("convert", *words, "-q", "-o", "found.npy")
    return np.load("found.npy")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    rng = np.random.default_rng(1)
    cells = rng.normal(size=(20000, 6)) * 10.0 ** rng.integers(-200, 200, 6)
    cells[rng.random(cells.shape) < 0.1] = np.nan
    texts = [f"größe {i % 7}" if i % 3 else None for i in range(len(cells))]
    make("rows.db", cells, texts)
    check(np.array_equal(rows_of("rows.db"), cells, equal_nan=True), "a table")
    check(np.array_equal(rows_of("rows.db", "--columns", "x 4,x 1"), cells[:, [4, 1]], equal_nan=True), "columns of it")
    check(np.array_equal(rows_of("rows.db", "--query", 'SELECT "x 0" AS a, rowid FROM rows ORDER BY rowid DESC'),
                         np.c_[cells[:, 0], np.arange(1, 20001)][::-1], equal_nan=True), "a query")
    with sqlite3.connect("wal.db") as base:
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("CREATE TABLE t (a, b)")
        base.executemany("INSERT INTO t VALUES (?, ?)", [(i, i * i) for i in range(500)])
        base.commit()
        check(np.array_equal(rows_of("wal.db"), [[i, i * i] for i in range(500)]), "what is only in the log so far")
    base.close()
    os.chmod("rows.db", 0o444)
    check(len(rows_of("rows.db")) == 20000, "a file that cannot be written to")
    scree("convert", "rows.db", "-q", "-o", "back.db")
    with sqlite3.connect("back.db") as base:
        check(base.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the database is sound")
        found = base.execute("SELECT * FROM data").fetchall()
        kinds = [kind for _, _, kind, *_ in base.execute("PRAGMA table_info(data)")]
    base.close()
    check(kinds == ["TEXT"] + ["REAL"] * 6, "types of its columns")
    check([row[0] for row in found] == [text or "" for text in texts], "its texts")
    check(np.array_equal(np.array([row[1:] for row in found], dtype=float), cells, equal_nan=True), "its numbers")
    check(sorted(os.listdir(".")) == ["back.db", "found.npy", "rows.db", "wal.db"], f"nothing lies beside: {os.listdir('.')}")
peers.finish()
