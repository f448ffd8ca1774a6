# SPDX-License-Identifier: BSD-3-Clause
"""Makes the input files of tools/same_answers: the same bytes every time, with the standard library only.

Rows are a few strong directions plus noise. The same 400 rows are written in every element type and format; each of the
other files has one difficulty: more columns than rows, gaps, weights, large means, constant columns.
"""

import gzip
import os
import random
import shutil
import struct

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DIGITS = "data/mnist01/mnist01-1000-%s-ubyte.gz"
NPY_CODES = {"<f8": "<%dd", ">f8": ">%dd", "<f4": "<%df", "<i4": "<%di", "|u1": "%dB"}


def low_rank(seed, rows, columns, rank, noise=0.3):
    """Rows with `rank` directions of falling strength, in noise."""
    draw = random.Random(seed).gauss
    axes = [[draw(0, 1) for _ in range(columns)] for _ in range(rank)]
    out = []
    for _ in range(rows):
        code = [draw(0, 4 / (i + 1)) for i in range(rank)]
        out.append([sum(z * axis[j] for z, axis in zip(code, axes)) + draw(0, noise) for j in range(columns)])
    return out


def rounded(rows, digits=4):
    return [[round(x, digits) for x in row] for row in rows]


def as_bytes(rows):
    return [[min(255, max(0, int(128 + 9 * x))) for x in row] for row in rows]


def npy(rows, descr="<f8", fortran=False):
    """The bytes of an NPY of version 1."""
    shape = len(rows), len(rows[0])
    head = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    cells = [x for line in (zip(*rows) if fortran else rows) for x in line]
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + \
        struct.pack(NPY_CODES[descr] % len(cells), *cells)


def csv(rows, names=None, labels=None, delimiter=",", missing=""):
    """A header where there are names, and a last column 'kind' where there are labels; None is a gap."""
    lines = []
    if names:
        lines.append(delimiter.join(names + (["kind"] if labels else [])))
    for i, row in enumerate(rows):
        cells = [missing if x is None else repr(x) for x in row]
        lines.append(delimiter.join(cells + ([labels[i]] if labels else [])))
    return ("\n".join(lines) + "\n").encode()


def triplets(rows):
    """Column by column, so that the cells of a row are not together."""
    lines = ["row,column,value"]
    for j in range(len(rows[0])):
        lines += [f"r{i},c{j},{row[j]!r}" for i, row in enumerate(rows) if row[j] is not None]
    return ("\n".join(lines) + "\n").encode()


def matrix_market(rows):
    cells = [f"{i + 1} {j + 1} {x!r}" for i, row in enumerate(rows) for j, x in enumerate(row) if x is not None]
    head = f"%%MatrixMarket matrix coordinate real general\n{len(rows)} {len(rows[0])} {len(cells)}\n"
    return (head + "\n".join(cells) + "\n").encode()


def with_gaps(seed, rows, share):
    draw = random.Random(seed).random
    return [[None if draw() < share else x for x in row] for row in rows]


def nan(rows):
    return [[float("nan") if x is None else x for x in row] for row in rows]


def names(count):
    return [f"x{j + 1}" for j in range(count)]


def plain_files():
    """The same rows in every format, and other layouts of the same array."""
    rows = rounded(low_rank(1, 400, 80, 3))
    kinds = ["abc"[i % 3] for i in range(400)]
    yield "rows-f8.npy", npy(rows)
    yield "rows-f4.npy", npy(rows, "<f4")
    yield "rows-u1.npy", npy(as_bytes(rows), "|u1")
    yield "rows-i4.npy", npy(as_bytes(rows), "<i4")
    yield "rows-swapped.npy", npy(rows, ">f8")
    yield "rows-fortran.npy", npy(rows, "<f8", True)
    yield "rows.csv", csv(rows, names(80), kinds)
    yield "rows.csv.gz", gzip.compress(csv(rows, names(80), kinds), mtime=0)
    yield "rows.tsv", csv(rows, names(80), kinds, "\t")
    yield "bare.csv", csv(rows, None, None, ";")
    yield "rows.mtx", matrix_market(rows)
    yield "cells.csv", triplets(rows)
    for part, (first, last) in enumerate(((0, 150), (150, 151), (151, 400)), 1):
        yield f"part-{part}.csv", csv(rows[first:last], names(80), kinds[first:last])
        yield f"part-{part}.npy", npy(rows[first:last])
    medium = low_rank(2, 3000, 100, 6)
    yield "medium-f4.npy", npy(medium, "<f4")
    yield "medium-f8.npy", npy(medium)
    yield "medium-u1.npy", npy(as_bytes(medium), "|u1")
    longer = [[x * (1 + 0.07 * turn) + turn for x in row] for turn in range(5) for row in medium]
    yield "long-f4.npy", npy(longer, "<f4")


def hard_files():
    """One difficulty each."""
    wide = rounded(low_rank(3, 90, 300, 4))
    yield "wide-f8.npy", npy(wide)
    yield "wide-f4.npy", npy(wide, "<f4")
    yield "wide-u1.npy", npy(as_bytes(wide), "|u1")
    yield "wide.csv", csv(wide)
    rows = rounded(low_rank(11, 300, 80, 3))
    yield "far.csv", csv([[round(x + 1e9, 4) for x in row] for row in rows], names(80))
    yield "far-f8.npy", npy([[x + 1e9 for x in row] for row in rows])
    yield "far-f4.npy", npy([[x + 1e4 for x in row] for row in rows], "<f4")
    rows = rounded(low_rank(4, 300, 8, 3))
    yield "flat.csv", csv([row[:4] + [7.5] + row[4:] + [0.0] for row in rows], names(10))
    yield "counted.csv", csv([row + [i % 5 * 0.5] for i, row in enumerate(rows)], names(8) + ["count"])
    yield "counted-f8.npy", npy([row + [i % 4] for i, row in enumerate(rows)])
    yield "equal.csv", csv([[s * (3 if j < 2 else 1) if j == i else 0 for j in range(5)]
                            for i in range(5) for s in (-1, 1)], names(5))
    strange = [list(row) for row in rows]
    strange[5][2], strange[6][3], strange[7][0] = float("inf"), float("-inf"), float("nan")
    yield "strange.npy", npy(strange)
    odd = [list(row) for row in rows[:60]]
    odd[10] = [9 * x + 40 for x in odd[10]]
    odd[20][4] += 12
    yield "new.csv", csv(odd, names(8), ["usual"] * 60)
    yield "held.csv", csv(rounded(low_rank(4, 420, 8, 3)[300:]), names(8))
    yield "fitted.csv", csv(rows, names(8), ["pq"[i % 2] for i in range(300)])


def gap_files():
    rows = rounded(low_rank(5, 300, 8, 3))
    few = with_gaps(6, rows, 0.12)
    few[9] = [None] * 8
    yield "gaps.csv", csv(few, names(8), ["uv"[i % 2] for i in range(300)])
    yield "gaps-NA.csv", csv(few, names(8), None, ",", "NA")
    yield "gaps-f8.npy", npy(nan(few))
    yield "gaps-f4.npy", npy(nan(few), "<f4")
    yield "gaps-counted.csv", csv([row + [1 + i % 3] for i, row in enumerate(few)], names(8) + ["count"])
    sparse = with_gaps(7, rounded(low_rank(8, 200, 15, 2)), 0.7)
    yield "ratings.csv", triplets(sparse)
    yield "ratings.csv.gz", gzip.compress(triplets(sparse), mtime=0)
    yield "ratings.mtx", matrix_market(sparse)
    yield "stream.csv", csv(with_gaps(9, rounded(low_rank(10, 4000, 6, 2), 3), 0.2), names(6))


def make(folder):
    for name, data in (*plain_files(), *hard_files(), *gap_files()):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
    shutil.copy(os.path.join(TOP, "examples/iris.csv"), folder)
    for name, kind in (("digits.gz", "images-idx3"), ("labels.gz", "labels-idx1")):
        shutil.copy(os.path.join(TOP, DIGITS % kind), os.path.join(folder, name))
    with gzip.open(os.path.join(folder, "digits.gz")) as packed, open(os.path.join(folder, "digits.idx"), "wb") as file:
        file.write(packed.read())
