#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""NumPy archives both ways: numpy.load reads what scree writes, numbers, names and texts, with check sums that are right;
what numpy and scipy save is read as the same rows.
"""

import os
import tempfile
import zipfile

import peers

peers.need("scanpy", "numpy", "scipy")

# ruff: noqa: E402
import numpy as np
import scipy.sparse

from peers import check, scree


def same(found, wanted):
    return found.shape == wanted.shape and np.array_equal(found, wanted, equal_nan=True)


def written_by_scree():
    rng = np.random.default_rng(1)
    cells = rng.normal(size=(70000, 3)) * 10.0 ** rng.integers(-3, 4, 3)
    cells[rng.random(cells.shape) < 0.05] = np.nan
    kinds = [("größe", "", "日本", "x\U0001f600y")[i % 4] for i in range(len(cells))]
    with open("t.csv", "w", encoding="utf-8") as file:
        file.write("kind,a,b,ç\n")
        for kind, row in zip(kinds, cells):
            file.write(f"{kind}," + ",".join("" if np.isnan(x) else repr(float(x)) for x in row) + "\n")
    scree("convert", "t.csv", "-q", "-o", "t.npz")
    check(zipfile.ZipFile("t.npz").testzip() is None, "check sums")
    with np.load("t.npz") as found:
        check(sorted(found.files) == ["columns", "data", "label_columns", "labels"], "members")
        check(same(found["data"], cells), "rows")
        check(found["columns"].tolist() == ["a", "b", "ç"], "names")
        check(found["labels"].tolist() == kinds, "labels")
        check(found["label_columns"].tolist() == ["kind"], "names of labels")
    for kind in ("f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "bool"):
        np.save("n.npy", np.arange(6.0).reshape(3, 2) % 2)
        scree("convert", "n.npy", "-q", "-o", "n.npz", "--type", kind)
        with np.load("n.npz") as found:
            check(found["data"].dtype == np.dtype(kind) and same(found["data"], np.arange(6).reshape(3, 2) % 2), kind)
            check("labels" not in found.files, f"{kind}: no labels where there are none")
    scree("fit", "t.csv", "-q", "-k", "2", "--tol", "0.1", "-o", "m.scree")
    scree("impute", "m.scree", "t.csv", "-q", "-o", "full.npz")
    with np.load("full.npz") as found:
        check(not np.isnan(found["data"]).any() and found["labels"].tolist() == kinds, "imputed rows")
    scree("convert", "t.npz", "-q", "-o", "again.npy")
    check(same(np.load("again.npy"), cells), "read again")


def read_by_scree():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(500, 7))
    np.savez("two.npz", x=x, y=x[:, :3], names=np.array(["a"] * 500))
    np.savez_compressed("small.npz", x=x)
    for path, wanted in (("two.npz:x", x), ("two.npz:y", x[:, :3]), ("small.npz", x)):
        scree("convert", path, "-q", "-o", "found.npy")
        check(same(np.load("found.npy"), wanted), path)
    s = scipy.sparse.random(300, 40, 0.1, "csr", "f4", random_state=3)
    for form in ("csr", "csc", "coo"):
        scipy.sparse.save_npz("s.npz", s.asformat(form), compressed=form != "csr")
        scree("convert", "s.npz", "-q", "-o", "found.npy")
        check(same(np.load("found.npy"), s.toarray()), form)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    written_by_scree()
    read_by_scree()
peers.finish()
