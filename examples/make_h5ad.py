#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes cells.h5ad and cells_10x.h5: the same 90 simulated cells of three types with 40 genes, as anndata and as 10x write
them. Needs anndata and h5py; the files are kept, so that the documents need neither.
"""

import os

import anndata
import h5py
import numpy as np
import pandas as pd
import scipy.sparse as sp

os.chdir(os.path.dirname(os.path.abspath(__file__)))
draw = np.random.default_rng(12)
kind = draw.integers(0, 3, 90)
rates = draw.gamma(0.4, 2, (3, 40)) + 0.05
counts = draw.poisson(rates[kind] * draw.gamma(5, 0.2, (90, 1)))
names = [f"GENE{j + 1}" for j in range(40)]
cells = [f"cell{i + 1}" for i in range(90)]
spread = rates.var(0)

table = anndata.AnnData(
    sp.csr_matrix(counts.astype("f4")),
    obs=pd.DataFrame({"type": pd.Categorical(np.array(["B cell", "T cell", "monocyte"])[kind])}, index=cells),
    var=pd.DataFrame({"highly_variable": spread >= np.sort(spread)[-20]}, index=names))
table.layers["counts"] = sp.csc_matrix(counts.astype("i4"))
table.write_h5ad("cells.h5ad", compression="gzip")

with h5py.File("cells_10x.h5", "w") as file:
    matrix, rows = file.create_group("matrix"), sp.csr_matrix(counts.astype("i4"))
    for part in ("data", "indices", "indptr"):
        matrix.create_dataset(part, data=getattr(rows, part).astype("i8" if part != "data" else "i4"), compression="gzip")
    matrix["shape"] = np.array([40, 90], dtype="i4")
    matrix["barcodes"] = np.array([f"{c}-1" for c in cells], dtype="S")
    matrix["features/id"] = np.array([f"ID{j + 1:05d}" for j in range(40)], dtype="S")
    matrix["features/name"] = np.array(names, dtype="S")
    matrix["features/feature_type"] = np.array([b"Gene Expression"] * 38 + [b"Antibody Capture"] * 2)
    matrix["features/genome"] = np.array([b"GRCh38"] * 40)
