#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes tall.h5ad and wide.h5ad, which test_stored.c reads: anndata's CSR and CSC matrices, in small compressed chunks, of
cells that the test computes by the same formula. Needs h5py and numpy; run in this folder.
"""

import h5py
import numpy as np


def cell(i, j):
    mixed = (i * i * 7 + 31 * i * j + 3 * j * j + 11 * i + j) % 101
    return mixed % 9 + 1 + 4 * (j % 3) + (i % 4) * (j % 5) if mixed < 26 else 0


def write(path, rows, cols, kind):
    x = np.array([[cell(i, j) for j in range(cols)] for i in range(rows)])
    lines = x if kind == "csr" else x.T
    with h5py.File(path, "w", libver="earliest") as file:
        file.attrs["encoding-type"] = "anndata"
        file.attrs["encoding-version"] = "0.1.0"
        group = file.create_group("X")
        group.attrs["encoding-type"] = f"{kind}_matrix"
        group.attrs["encoding-version"] = "0.1.0"
        group.attrs["shape"] = np.array([rows, cols], "i8")
        how = {"compression": "gzip", "chunks": (500,)}
        group.create_dataset("data", data=lines[lines != 0].astype("f4"), **how)
        group.create_dataset("indices", data=np.nonzero(lines)[1].astype("i4"), **how)
        group.create_dataset("indptr", data=np.concatenate([[0], (lines != 0).sum(1).cumsum()]).astype("i4"))
        for name, count in (("obs", rows), ("var", cols)):
            table = file.create_group(name)
            table.attrs["encoding-type"] = "dataframe"
            table.attrs["encoding-version"] = "0.2.0"
            table.attrs["_index"] = "_index"
            table.attrs["column-order"] = np.array([], "S1")
            names = table.create_dataset("_index", data=np.array([f"{name}{i}" for i in range(count)], "S8"))
            names.attrs["encoding-type"] = "string-array"
            names.attrs["encoding-version"] = "0.2.0"


write("tall.h5ad", 200, 60, "csr")
write("wide.h5ad", 70, 90, "csc")
