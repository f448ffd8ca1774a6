#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""MAT files both ways with scipy: dense and sparse matrices of every type and version are read as they are, and scipy
reads what scree wrote; matrices of version 7.3 as h5py writes them.
"""

import os
import tempfile

import peers

peers.need("scanpy", "scipy", "numpy", "h5py")

# ruff: noqa: E402
import h5py
import numpy as np
import scipy.io
import scipy.sparse

from peers import check, scree

if b"with matio" not in scree("version")[0]:
    print("skipped: the module scree-matio.so was not built")
    raise SystemExit(77)


def rows_of(*words):
    scree("convert", *words, "-q", "-o", "found.npy")
    return np.load("found.npy")


def same(found, wanted):
    return found.shape == wanted.shape and np.array_equal(found.astype("f8"), wanted.astype("f8"), equal_nan=True)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    rng = np.random.default_rng(1)
    x = rng.normal(size=(4000, 30))
    x[rng.random(x.shape) < 0.05] = np.nan
    for how in ({}, {"do_compression": True}, {"format": "4"}):
        scipy.io.savemat("x.mat", {"x": x}, **how)
        check(same(rows_of("x.mat"), x), f"dense {how}")
        check(same(rows_of("x.mat", "--columns", "3,1"), x[:, [2, 0]]), f"columns {how}")
    for kind in ("f4", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"):
        values = rng.integers(0, 100, (50, 4)).astype(kind)
        scipy.io.savemat("k.mat", {"k": values, "other": "text"})
        check(same(rows_of("k.mat"), values), kind)
    large = rng.normal(size=(60000, 40))
    scipy.io.savemat("large.mat", {"x": large})
    check(same(rows_of("large.mat", "--memory", "40M"), large), "a part of the rows at a time")
    for count, density in ((3000, 0.02), (50, 0.5), (20, 0)):
        s = scipy.sparse.random(count, 70, density, "csc", random_state=count)
        scipy.io.savemat("s.mat", {"s": s})
        check(same(rows_of("s.mat"), s.toarray()), f"sparse {count}")
    with h5py.File("new.mat", "w", userblock_size=512) as out:
        out["x"] = x.T
        kind = h5py.h5t.C_S1.copy()  # as MATLAB writes it: six letters and a zero
        kind.set_size(7)
        named = h5py.h5a.create(out["x"].id, b"MATLAB_class", kind, h5py.h5s.create(h5py.h5s.SCALAR))
        named.write(np.array(b"double", dtype="S7"))
    with open("new.mat", "r+b") as out:
        out.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\0\2IM")
    check(same(rows_of("new.mat"), x), "version 7.3")
    with open("t.csv", "w", encoding="utf-8") as file:
        file.write("kind,a,b\n" + "".join(f"größe α {i % 3},{i},{i * i / 7!r}\n" for i in range(300)))
    scree("convert", "t.csv", "-q", "-o", "t.mat")
    found = scipy.io.loadmat("t.mat")
    check(same(found["codes"], np.array([[i, i * i / 7] for i in range(300)])), "codes")
    check([str(cell[0]) for cell in found["labels"][:, 0]] == [f"größe α {i % 3}" for i in range(300)], "labels")
peers.finish()
