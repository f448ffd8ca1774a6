#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the seeds of the fuzz target hdf5, fuzz/corpus/hdf5/seed-*: small files of every convention that is read, good and
bad. They need h5py, and are what tests/cli/hdf5.sh reads, too; so they are kept, and this is run by hand.
"""

import os
import sys

import h5py
import numpy as np

FOLDER = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus", "hdf5")
ROWS = np.array([[1, 2, 3], [2, 4.5, 6], [3, 6, 9.5], [4, 7, 12], [5, 11, 15], [6, 12, 18.5]])
COUNTS = np.array([[1, 0, 2, 0], [0, 3, 0, 0], [2, 0, 0, 1], [0, 0, 4, 0], [5, 1, 0, 0]])
TEXT = h5py.string_dtype()


def new(name):
    return h5py.File(os.path.join(FOLDER, "seed-" + name), "w", libver="earliest")


def sparse(group, dense, by_rows=True, kind="i4", index="i4", shape=None):
    """SciPy's three arrays, as AnnData names them."""
    lines = dense if by_rows else dense.T
    places = [np.flatnonzero(line) for line in lines]
    group["data"] = np.concatenate([line[at] for line, at in zip(lines, places)]).astype(kind)
    group["indices"] = np.concatenate(places).astype(index)
    group["indptr"] = np.cumsum([0] + [len(at) for at in places]).astype(index)
    if shape is not False:
        group.attrs["shape"] = np.array(shape or dense.shape)


def mark(thing, kind, version="0.1.0"):
    thing.attrs["encoding-type"] = kind
    thing.attrs["encoding-version"] = version


def texts(group, name, values):
    group.create_dataset(name, data=np.array(values, dtype=object), dtype=TEXT)
    mark(group[name], "string-array", "0.2.0")


def table(file, name, index):
    group = file.create_group(name)
    mark(group, "dataframe", "0.2.0")
    group.attrs["_index"] = "_index"
    group.attrs.create("column-order", np.array([], dtype=object), dtype=TEXT)
    texts(group, "_index", index)
    return group


def cells(name, by_rows=True, **how):
    """An AnnData file of five cells and four genes."""
    file = new(name)
    mark(file, "anndata")
    x = file.create_group("X")
    mark(x, "csr_matrix" if by_rows else "csc_matrix")
    sparse(x, COUNTS, by_rows, **how)
    obs = table(file, "obs", ["c1", "c2", "c3", "c4", "c5"])
    kind = obs.create_group("kind")
    mark(kind, "categorical", "0.2.0")
    kind.attrs["ordered"] = False
    kind["codes"] = np.array([0, 1, 0, -1, 1], dtype="i1")
    texts(kind, "categories", ["B cell", "T cell"])
    age = obs.create_group("age")
    mark(age, "nullable-integer")
    age["values"] = np.array([3, 1, 4, 1, 5])
    age["mask"] = np.array([False, True, False, False, False])
    obs["depth"] = np.array([0.5, 1.25, 2, 3, 1e-7])
    var = table(file, "var", ["A", "B", "C", "D"])
    var["highly_variable"] = np.array([True, False, True, True])
    layers = file.create_group("layers")
    mark(layers, "dict")
    layers["dense"] = COUNTS.astype("f4")
    mark(layers["dense"], "array", "0.2.0")
    return file


def plain():
    with new("plain") as f:
        f["x"] = ROWS
    with new("chunked") as f:
        f.create_dataset("a/b/x", data=ROWS.astype("f4"), chunks=(4, 2), compression="gzip", shuffle=True)
        f["a/b/x"].attrs["columns"] = ["one", "two", "three"]
    with new("lzf") as f:
        f.create_dataset("x", data=np.repeat(ROWS, 20, axis=0), chunks=(50, 3), compression="lzf", fletcher32=True)
    with new("big-endian") as f:
        f["x"] = ROWS.astype(">f8")
        f["i"] = ROWS.astype(">i2")
        f["h"] = ROWS.astype("f2")
        f["b"] = ROWS > 5
        f["u"] = ROWS.astype("u8") + 2**62
    with new("vector") as f:
        f["v"] = ROWS[:, 1]
    with new("pandas") as f:
        f["df/block0_values"] = ROWS
        f["df/block0_items"] = np.array([b"a", b"b", b"c"])
        f["df/axis1"] = np.arange(6)
    with new("empty") as f:
        f["none"] = np.zeros((0, 3))
        f["one"] = 1.5
    with new("other") as f:
        f["text"] = np.array([b"a", b"b"])
        f["cube"] = np.zeros((2, 2, 2))
        f["record"] = np.zeros(3, dtype=[("a", "f4"), ("b", "i4")])
        f.create_dataset("szipped", (4, 2), "f4", chunks=(2, 2), compression=32015, allow_unknown_filter=True)


def links():
    with new("links") as f:
        f["x"] = ROWS
        f["soft"] = h5py.SoftLink("/x")
        f["round"] = h5py.SoftLink("/back")
        f["back"] = h5py.SoftLink("/round")
        f["away"] = h5py.ExternalLink("other.h5", "/x")
        f["through"] = h5py.SoftLink("/away/x")
        group = f.create_group("g")
        group["self"] = group
        group["root"] = f["/"]
    with new("deep") as f:
        group = f
        for _ in range(60):
            group = group.create_group("g")
        group["x"] = ROWS
    with new("virtual") as f:
        layout = h5py.VirtualLayout(shape=(6, 3), dtype="f8")
        layout[:] = h5py.VirtualSource("other.h5", "x", shape=(6, 3))
        f.create_virtual_dataset("v", layout)
        f.create_dataset("e", (6, 3), "f8", external=[("/etc/passwd", 0, 144)])
    with new("huge") as f:
        f.create_dataset("chunk", (2**20, 2**20), "f8", chunks=(2**14, 2**14))
        f.create_dataset("row", (3, 2**40), "u1", chunks=(1, 1024))
        f.create_dataset("tile", (4, 4), "f8", maxshape=(None, None), chunks=(2**14, 2**14))
        f.create_dataset("long", (2**50, 2), "f4", chunks=(1024, 2))


def anndata():
    cells("anndata-csr").close()
    cells("anndata-csc", by_rows=False, kind="f8", index="i8").close()
    with cells("anndata-0.7") as f: # before encoding-type
        for name in ("encoding-type", "encoding-version"):
            del f.attrs[name], f["X"].attrs[name]
        f["X"].attrs["h5sparse_format"] = "csr"
        f["X"].attrs["h5sparse_shape"] = f["X"].attrs["shape"]
        del f["X"].attrs["shape"], f["obs/kind"]
        f["obs/kind"] = np.array([0, 1, 0, -1, 1], dtype="i1")
        f["obs/__categories/kind"] = np.array([b"B cell", b"T cell"])
        f["obs/kind"].attrs["categories"] = f["obs/__categories/kind"].ref
    with cells("bad-index") as f:
        f["X/indices"][2] = 4
    with cells("bad-negative") as f:
        f["X/indices"][2] = -1
    with cells("bad-starts") as f:
        f["X/indptr"][2] = 1
    with cells("bad-last") as f:
        f["X/indptr"][-1] = 99
    with cells("bad-shape", shape=(6, 4)):
        pass
    with cells("bad-many", shape=(5, 2**40)):
        pass
    with cells("bad-codes") as f:
        f["obs/kind/codes"][1] = 7
    with cells("bad-names") as f:
        del f["var/_index"]
        texts(f["var"], "_index", ["A", "B", "C"])
    with cells("bad-links") as f:
        del f["obs/_index"]
        f["obs/_index"] = h5py.ExternalLink("other.h5", "/x")
    with cells("doubled") as f: # in no order, and twice the same place
        f["X/indices"][:2] = [2, 0]
        f["X/data"][:2] = [2, 1]
        f["X/indices"][-1] = 0


def tenx():
    def fill(group, many=False):
        group["barcodes"] = np.array([b"AAA-1", b"CCC-1", b"GGG-1", b"TTT-1", b"ACG-1"])
        sparse(group, COUNTS, shape=False, index="i8")
        group["shape"] = np.array([4, 5], dtype="i4")
        return group

    with new("10x-v3") as f:
        fill(f.create_group("matrix"))
        f["matrix/features/id"] = np.array([b"E1", b"E2", b"E3", b"E4"])
        f["matrix/features/name"] = np.array([b"A", b"B", b"A", b"A-1"])
        f["matrix/features/feature_type"] = np.array([b"Gene Expression"] * 4)
    with new("10x-features") as f:
        fill(f.create_group("matrix"))
        f["matrix/features/name"] = np.array([b"A", b"B", b"C", b"anti"])
        f["matrix/features/feature_type"] = np.array([b"Gene Expression"] * 3 + [b"Antibody Capture"])
    with new("10x-v2") as f:
        for genome in ("GRCh38",):
            group = fill(f.create_group(genome))
            group["genes"] = np.array([b"E1", b"E2", b"E3", b"E4"])
            group["gene_names"] = np.array([b"A", b"B", b"C", b"D"])
    with new("10x-two") as f:
        for genome in ("hg19", "mm10"):
            group = fill(f.create_group(genome))
            group["genes"] = np.array([b"E1", b"E2", b"E3", b"E4"])
            group["gene_names"] = np.array([b"A", b"B", b"C", b"D"])
    with new("10x-short") as f:
        fill(f.create_group("matrix"))
        f["matrix/features/name"] = np.array([b"A", b"B"])


os.makedirs(FOLDER, exist_ok=True)
plain()
links()
anndata()
tenx()
with open(os.path.join(FOLDER, "seed-chunked"), "rb") as whole:
    data = whole.read()
for share, name in ((0.5, "half"), (0.1, "tenth")):
    with open(os.path.join(FOLDER, "seed-" + name), "wb") as cut:
        cut.write(data[: int(len(data) * share)])
