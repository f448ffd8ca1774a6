#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""10x folders beside scanpy: both generations of them, entries in every order, and features of several types, counts of
a Poisson model of cell types. After the same normalisation, principal subspaces are within 1e-6 of those of pp.pca in
double, of all genes and of those that vary most; and the names of genes, the sums and the columns are the same.

Wants $SCREE (the binary) and $SRC (the repository). See tests/support/interpreter.py.
"""

import gzip
import json
import os
import subprocess
import sys
import tempfile
import warnings

SCREE, SRC = os.environ["SCREE"], os.environ["SRC"]

sys.path.append(os.path.join(SRC, "tests", "support"))
import interpreter  # noqa: E402

interpreter.need("scanpy", "numpy", "scanpy", "scipy")

# ruff: noqa: E402
import numpy as np
import scanpy
import scipy.sparse as sparse
from scipy.linalg import subspace_angles

BOUND = 1e-6  # of subspace angles
K = 10


def counts(cells, genes, kinds, seed):
    """Counts by a Poisson model: profiles of kinds of cells, and how deep each cell was read."""
    draw = np.random.default_rng(seed)
    profiles = draw.gamma(0.3, 1, (kinds, genes)) * draw.gamma(0.5, 1, genes)
    depth = draw.gamma(4, 0.25, cells)
    x = draw.poisson(profiles[draw.integers(0, kinds, cells)] * depth[:, None])
    x[3] = 0  # a cell of which nothing was read
    return sparse.csr_matrix(x)


def put(path, text, packed):
    with (gzip.open(path + ".gz", "wt", newline="") if packed else open(path, "w", newline="")) as file:
        file.write(text)


def write(folder, x, names, types, packed, order):
    """A folder of x, cells by genes; types: None for the second generation. order: of the entries."""
    os.makedirs(folder, exist_ok=True)
    ids = [f"ENSG{i:011d}" for i in range(x.shape[1])]
    if types:
        put(f"{folder}/features.tsv", "".join(f"{a}\t{b}\t{c}\n" for a, b, c in zip(ids, names, types)), packed)
    else:
        put(f"{folder}/genes.tsv", "".join(f"{a}\t{b}\n" for a, b in zip(ids, names)), packed)
    put(f"{folder}/barcodes.tsv", "".join(f"CELL{i:06d}-1\n" for i in range(x.shape[0])), packed)
    e = x.tocoo()
    entries = np.column_stack([e.col + 1, e.row + 1, e.data])
    keys = {"cells": (entries[:, 0], entries[:, 1]), "descending": (-entries[:, 0], entries[:, 1]),
            "genes": (entries[:, 1], entries[:, 0])}
    at = np.random.default_rng(0).permutation(len(entries)) if order == "any" else np.lexsort(keys[order])
    head = f"%%MatrixMarket matrix coordinate integer general\n%metadata\n{x.shape[1]} {x.shape[0]} {len(entries)}\n"
    put(f"{folder}/matrix.mtx", head + "".join(f"{a} {b} {c}\n" for a, b, c in entries[at]), packed)


def scree(*words):
    done = subprocess.run([SCREE, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"scree {' '.join(words)}: {done.stderr}"
    return done.stdout


def model_of(*words):
    scree("fit", "-q", *words, "-o", "m.scree")
    return json.loads(scree("info", "m.scree", "--json"))


def near(label, model, vectors):
    angle = subspace_angles(np.array(model["components"]).T, vectors).max()
    assert angle <= BOUND, f"{label}: subspaces are {angle:.2g} apart, more than {BOUND:g}"
    print(f"{label}: {angle:.1e}")


def check(label, folder, top):
    """One folder, read by both."""
    words = [folder, "--normalize", "1e4", "--log1p", "--tol", "1e-8", "-k", str(K)]
    exact = scanpy.read_10x_mtx(folder)
    exact.X = exact.X.astype("float64")  # or scanpy divides in float
    raw = np.asarray(exact.X.sum(axis=1)).ravel()
    scanpy.pp.normalize_total(exact, target_sum=1e4)
    scanpy.pp.log1p(exact)
    scanpy.pp.pca(exact, n_comps=K, dtype="float64", svd_solver="arpack")
    model = model_of(*words)
    assert model["columns"] == list(exact.var_names), f"{label}: other names of genes"
    assert model["normalize_empty"] == int((raw == 0).sum()), f"{label}: other empty cells"
    near(label, model, exact.varm["PCs"])
    codes = codes_of(folder)
    assert codes["id"] == list(exact.obs_names), f"{label}: other cells"
    signs = np.sign((codes["x"] * exact.obsm["X_pca"]).sum(axis=0))
    off = np.abs(codes["x"] * signs - exact.obsm["X_pca"]).max() / np.abs(exact.obsm["X_pca"]).max()
    assert off <= BOUND, f"{label}: codes are off by {off:.2g}"
    x = exact.X
    spread = np.asarray(x.multiply(x).mean(axis=0)).ravel() - np.asarray(x.mean(axis=0)).ravel() ** 2
    kept = np.sort(np.argsort(-spread, kind="stable")[:top])
    some = exact[:, kept].copy()
    scanpy.pp.pca(some, n_comps=K, dtype="float64", svd_solver="arpack")
    model = model_of(*words, "--top-variance", str(top))
    assert model["columns"] == list(some.var_names), f"{label}: other genes vary most"
    near(f"{label}, {top} genes", model, some.varm["PCs"])


def codes_of(folder):
    scree("project", "-q", "m.scree", folder, "-o", "codes.csv")
    with open("codes.csv", encoding="utf-8") as file:
        lines = [line.rstrip("\n").split(",") for line in file]
    at = lines[0].index("barcode")
    pcs = [i for i, name in enumerate(lines[0]) if name.startswith("pc")]
    return {"id": [line[at] for line in lines[1:]], "x": np.array([[float(line[i]) for i in pcs] for line in lines[1:]])}


def main():
    warnings.simplefilter("ignore")
    x = counts(400, 300, 5, 1)
    names = [f"gene{i}" for i in range(300)]
    names[7] = names[8] = names[200] = "gene3"  # and gene3-1 is there already
    names[9] = "gene3-1"
    types = ["Gene Expression"] * 280 + ["Antibody Capture"] * 20
    for order in ("cells", "descending", "genes", "any"):
        write(f"second-{order}", x, names, None, False, order)
        check(f"second generation, {order}", f"second-{order}", 40)
        write(f"third-{order}", x, names, types, True, order)
        check(f"third generation, {order}", f"third-{order}", 40)
    write("third", x, names, ["Gene Expression"] * 300, True, "cells")
    check("third generation, genes only", "third", 60)
    median = scanpy.read_10x_mtx("third")
    median.X = median.X.astype("float64")
    scanpy.pp.normalize_total(median)
    scanpy.pp.pca(median, n_comps=K, dtype="float64", svd_solver="arpack")
    near("median", model_of("third", "--normalize", "median", "--tol", "1e-8", "-k", str(K)), median.varm["PCs"])


with tempfile.TemporaryDirectory() as box:
    os.chdir(box)
    main()
