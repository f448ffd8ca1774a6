#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares what the planner predicts with what is measured, over a grid of shapes.

    tools/plan_check.py LIBRARY [--threads T] [--folder F] [CASE ...]

LIBRARY is libscree.so. Needs numpy. For each case every method that applies is planned and run, the best of two runs
counts, and a table shows predicted and measured seconds, their ratio, and how far the method chosen is from the
fastest. A case is SOURCE:TYPE:ROWSxCOLS:K, SOURCE memory, npy or csv, TYPE f32, f64 or u8; without cases a grid is run.
The rows are those of the benchmark: a spectrum that falls like 1/i, then noise. The constants that the predictions
rest on stand in src/fit/estimate.c; a ratio far from 1 that is the same for all cases of one kind is the factor by
which one of them is off.
"""

import argparse
import ctypes
import os
import tempfile
import time

import numpy

TYPES = {"f32": (0, numpy.float32), "f64": (1, numpy.float64), "u8": (2, numpy.uint8)}
GRID = """
memory:f64:200000x100:50 memory:f32:200000x100:50 memory:u8:200000x100:10
memory:f64:60000x784:50 memory:f32:60000x784:50 memory:u8:60000x784:50
memory:f64:20000x2000:50 memory:f32:20000x2000:50 memory:u8:20000x2000:50
memory:f64:5000x1000:1000 memory:f64:20000x300:300
memory:f64:10000x5000:50 memory:f32:10000x5000:50 memory:f32:10000x5000:10
memory:f64:1000x20000:50 memory:f32:1000x20000:50 memory:f64:300x20000:299 memory:f32:2000x20000:20
memory:f64:3000x4000:20 memory:f32:100000x1500:10
npy:f32:200000x300:20 npy:f64:20000x1000:10 npy:f32:4000x20000:20 npy:u8:60000x784:50
csv:f64:200000x30:10 csv:f64:20000x500:20
""".split()
LONGEST = 12  # predicted seconds that are still run


class Run(ctypes.Structure):
    _fields_ = [("threads", ctypes.c_int), ("memory", ctypes.c_int64), ("block_rows", ctypes.c_int64),
                ("progress", ctypes.c_void_p), ("context", ctypes.c_void_p)]


class FitOptions(ctypes.Structure):
    _fields_ = [("components", ctypes.c_int64), ("share", ctypes.c_double), ("solver", ctypes.c_char_p),
                ("scale", ctypes.c_int), ("ddof", ctypes.c_int), ("tolerance", ctypes.c_double),
                ("seed", ctypes.c_uint64), ("run", Run)]


class Entry(ctypes.Structure):
    _fields_ = [("solver", ctypes.c_char_p), ("applicable", ctypes.c_bool), ("chosen", ctypes.c_bool),
                ("passes", ctypes.c_int), ("flops", ctypes.c_double), ("bytes", ctypes.c_double),
                ("memory", ctypes.c_int64), ("seconds", ctypes.c_double), ("reason", ctypes.c_char * 256)]


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("text", ctypes.c_char * 1024)]


class Library:
    def __init__(self, path):
        self.so = ctypes.CDLL(path)
        self.so.scree_plan_at.restype = ctypes.POINTER(Entry)
        self.error = Error()

    def call(self, name, *arguments):
        out = ctypes.c_void_p()
        if getattr(self.so, name)(ctypes.byref(out), *arguments, ctypes.byref(self.error)) != 0:
            raise SystemExit(self.error.text.decode())
        return out

    def memory(self, rows, code):
        size = ctypes.c_int64
        return self.call("scree_source_memory", ctypes.c_void_p(rows.ctypes.data), code, size(rows.shape[0]),
                         size(rows.shape[1]), size(rows.shape[1]))

    def plan(self, source, options):
        plan = self.call("scree_plan_make", source, ctypes.byref(options))
        entries = [Entry.from_buffer_copy(self.so.scree_plan_at(plan, ctypes.c_int64(i)).contents) for i in range(4)]
        self.so.scree_plan_free(plan)
        return entries

    def fit(self, source, options, solver):
        options.solver = solver
        start = time.perf_counter()
        model = self.call("scree_fit", source, ctypes.byref(options))
        seconds = time.perf_counter() - start
        self.so.scree_model_free(model)
        options.solver = None
        return seconds


def make_rows(count, cols, kind):
    """Directions of variance 1/i, noise of 0.01, means of about 1; bytes are the same, stretched over 0 to 255."""
    draw = numpy.random.default_rng(10)
    top = min(100, cols)
    rows = numpy.empty((count, cols), numpy.float32 if kind == "f32" else numpy.float64)
    directions = draw.standard_normal((top, cols)) / numpy.sqrt(cols) / numpy.sqrt(numpy.arange(1, top + 1))[:, None]
    mean = draw.standard_normal(cols)
    for first in range(0, count, 5000):
        part = min(5000, count - first)
        rows[first:first + part] = draw.standard_normal((part, top)) @ directions + mean
        rows[first:first + part] += 0.01 * draw.standard_normal((part, cols), dtype=numpy.float32)
    if kind != "u8":
        return rows
    return numpy.clip(128 + 40 * (rows - mean) * numpy.sqrt(cols / 5), 0, 255).astype(numpy.uint8)


def open_source(library, case, folder):
    """A function that opens the source afresh, and what it must outlive."""
    where, kind, shape, _ = case.split(":")
    count, cols = (int(number) for number in shape.split("x"))
    rows = make_rows(count, cols, kind)
    if where == "memory":
        return lambda: library.memory(rows, TYPES[kind][0]), rows
    path = os.path.join(folder, f"{where}-{kind}-{shape}.{where}")
    if where == "npy":
        numpy.save(path, rows.astype(TYPES[kind][1]))
    else:
        numpy.savetxt(path, rows[:2000], fmt="%.6g", delimiter=",")
        with open(path, "rb") as file:
            text = file.read()
        with open(path, "wb") as file:
            file.write(text * (count // 2000))
    return lambda: library.call("scree_source_open", path.encode(), None), path


def check(library, case, options, folder):
    """Lines of the table, and the ratio of the chosen method's time to the shortest."""
    options.components = int(case.rsplit(":", 1)[1])
    opener, kept = open_source(library, case, folder)
    measured, lines = {}, []
    source = opener()
    entries = library.plan(source, options)
    for entry in entries:
        if entry.applicable and entry.seconds < LONGEST:
            seconds = library.fit(source, options, entry.solver)
            if seconds < 2:
                seconds = min(seconds, library.fit(source, options, entry.solver))
            measured[entry.solver] = (seconds, entry)
    library.so.scree_source_close(source)
    if isinstance(kept, str):
        os.remove(kept)
    best = min(seconds for seconds, _ in measured.values())
    for solver, (seconds, entry) in measured.items():
        mark = "*" if entry.chosen else " "
        far = f"{seconds / best:5.2f} × the fastest" if entry.chosen else ""
        lines.append(f"{case:28} {mark} {solver.decode():10} predicted {entry.seconds:8.4f} measured {seconds:8.4f} "
                     f"ratio {entry.seconds / seconds:5.2f} {far}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--folder", default=tempfile.gettempdir())
    parser.add_argument("cases", nargs="*", metavar="CASE")
    given = parser.parse_args()
    library = Library(os.path.abspath(given.library))
    options = FitOptions(run=Run(threads=given.threads))
    for case in given.cases or GRID:
        print("\n".join(check(library, case, options, given.folder)), flush=True)


if __name__ == "__main__":
    main()
