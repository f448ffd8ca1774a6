#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Files that anndata writes, in every encoding, as scree reads them: the same cells, names and labels, and the same
components as scanpy's pp.pca in double precision, to an angle of 1e-6. What scree writes back, scanpy reads, and all else in
the file is as it was. HDF5 that h5py writes, and the other way. The 10x files of both generations as scanpy reads them.

Wants $SCREE (the binary) and $SRC (the repository). See tests/support/interpreter.py.
"""

import os
import subprocess
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")

sys.path.append(os.path.join(os.environ["SRC"], "tests", "support"))
import interpreter  # noqa: E402

interpreter.need("scanpy", "anndata", "h5py", "numpy", "pandas", "scanpy", "scipy")

# ruff: noqa: E402
import anndata
import h5py
import numpy as np
import pandas as pd
import scanpy
import scipy.sparse as sp

SCREE = os.environ["SCREE"]
COMPONENTS = 5
ANGLE = 1e-6
failed = []


def check(holds, what):
    if not holds:
        failed.append(what)
        print("wrong:", what)


def scree(*words, fails=False):
    done = subprocess.run([SCREE, *words], capture_output=True, text=True, check=False)
    if (done.returncode != 0) != fails:
        raise SystemExit(f"scree {' '.join(words)} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def rows_of(path, *words):
    """Rows as scree reads them: a table of numbers, with the text columns."""
    scree("convert", "-q", path, *words, "-o", "rows.csv")
    return pd.read_csv("rows.csv", keep_default_na=False, float_precision="round_trip")


def angle(one, other):
    """The sine of the largest angle between the spaces of orthonormal columns."""
    return np.linalg.norm(one - other @ (other.T @ one), 2)


def simulated(cells=300, genes=80, types=6, seed=1):
    draw = np.random.default_rng(seed)
    kind = draw.integers(0, types, cells)
    rates = draw.gamma(0.3, 2, (types, genes)) + 0.02
    return draw.poisson(rates[kind] * draw.gamma(5, 0.2, (cells, 1))), kind


def made(counts, kind):
    """A table of cells with a column of every kind."""
    cells, genes = counts.shape
    obs = pd.DataFrame({
        "type": pd.Categorical([f"type {k}" for k in kind]),
        "ordered": pd.Categorical(kind % 3, categories=[2, 0, 1], ordered=True),
        "gappy": pd.Categorical([None if i % 7 == 0 else "ab"[i % 2] for i in range(cells)]),
        "number": np.arange(cells) * 3,
        "share": np.arange(cells, dtype="f4") / 7,
        "flag": np.arange(cells) % 2 == 0,
        "text": [f"t{i % 5}" for i in range(cells)],
        "whole": pd.array([None if i % 4 == 0 else i for i in range(cells)], dtype="Int64"),
        "maybe": pd.array([None if i % 3 == 0 else i % 2 == 0 for i in range(cells)], dtype="boolean"),
    }, index=[f"cell-{i}" for i in range(cells)])
    var = pd.DataFrame({"highly_variable": np.arange(genes) % 3 != 0}, index=[f"gene {j}" for j in range(genes)])
    return anndata.AnnData(sp.csr_matrix(counts.astype("f4")), obs=obs, var=var)


def text_of(value):
    return "" if value is None or value is pd.NA or value != value else str(value)


def check_labels(path, table):
    for name in table.obs.columns:
        got = list(rows_of(path, "--label", name)[name].astype(str))
        if name == "share":
            check(np.array_equal(np.array(got, dtype="f4"), table.obs[name].values), f"{path}: obs/{name}")
        else:
            want = [text_of(v) for v in table.obs[name].astype(object)]
            check(got == want, f"{path}: obs/{name}: {got[:6]} instead of {want[:6]}")


FORMS = {
    "dense": lambda c, t: np.ascontiguousarray(c.astype(t)),
    "fortran": lambda c, t: np.asfortranarray(c.astype(t)),
    "csr": lambda c, t: sp.csr_matrix(c.astype(t)),
    "csc": lambda c, t: sp.csc_matrix(c.astype(t)),
}


def every_encoding(counts, kind):
    """Names of files, with what is opened of them."""
    number = 0
    for form, make in FORMS.items():
        for numbers in ("f4", "f8", "i4", "i8", "u2"):
            for how in ({}, {"compression": "gzip"}, {"compression": "lzf"}):
                if numbers not in ("f4", "i8") and how:
                    continue
                table = made(counts, kind)
                table.X = make(counts, numbers)
                table.layers["counts"] = make(counts, numbers)
                table.layers["other"] = FORMS["csc" if form == "csr" else "csr"](counts, numbers)
                table.raw = table.copy()
                table.obsm["X_old"] = np.asarray(counts[:, :4], dtype=float)
                number += 1
                path = f"{number:02d}-{form}-{numbers}-{how.get('compression', 'plain')}.h5ad"
                table.write_h5ad(path, **how)
                yield path, table


def check_truths(counts, kind):
    """Booleans are an enumeration in HDF5, and cells that are 0 and 1 here: dense, sparse, in large integers."""
    truths = counts > 1
    for form, make in FORMS.items():
        table = made(counts, kind)
        table.X = make(truths, bool)
        table.write_h5ad("truths.h5ad")
        same_cells("truths.h5ad", "", truths, table)
        if form in ("csr", "csc"):
            with h5py.File("truths.h5ad", "r+") as file:
                for size in ("i2", "i8"):
                    flags = sp.csr_matrix(truths) if form == "csr" else sp.csc_matrix(truths)
                    del file["X/data"]
                    file["X"].create_dataset("data", data=flags.data.astype(size),
                                             dtype=h5py.enum_dtype({"no": 0, "yes": 1}, basetype=size))
                    file.flush()
                    same_cells("truths.h5ad", "", truths, table)


def unsorted(counts, kind):
    table = made(counts, kind)
    x = sp.csr_matrix(counts.astype("f4"))
    for i in range(x.shape[0]):
        part = slice(x.indptr[i], x.indptr[i + 1])
        x.indices[part] = x.indices[part][::-1]
        x.data[part] = x.data[part][::-1]
    x.has_sorted_indices = False
    table.X = x
    table.write_h5ad("unsorted.h5ad")
    with h5py.File("unsorted.h5ad", "r+") as file: # 64-bit places, as large files have
        for name in ("indices", "indptr"):
            wide = file["X"][name][:].astype("i8")
            del file["X"][name]
            file["X"][name] = wide
    return "unsorted.h5ad", table


def same_cells(path, part, counts, table):
    got = rows_of(path + part)
    check(list(got["cell"]) == list(table.obs_names), f"{path}{part}: names of cells")
    check(list(got.columns[1:]) == list(table.var_names), f"{path}{part}: names of genes")
    check(np.array_equal(got.iloc[:, 1:].values, counts), f"{path}{part}: cells")


def reference(counts, kind, normalise, chosen=False):
    table = made(counts, kind)
    table.X = table.X.astype("f8")
    if normalise:
        scanpy.pp.normalize_total(table, target_sum=1e4)
    scanpy.pp.log1p(table)
    scanpy.pp.pca(table, n_comps=COMPONENTS, dtype="float64", mask_var="highly_variable" if chosen else None,
                  svd_solver="arpack")
    return table


def compare(path, words, wanted, part=""):
    """scree fit and project against scanpy, by what scree writes back into the file."""
    scree("fit", "-q", path + part, "-k", str(COMPONENTS), "--tol", "1e-8", "--log1p", "-o", "m.scree", *words)
    scree("project", "-q", "m.scree", path + part, "--type", "f8", "-o", "back.h5ad")
    back = scanpy.read_h5ad("back.h5ad")
    far = angle(back.varm["PCs"], wanted.varm["PCs"])
    check(far < ANGLE, f"{path}{part} {words}: an angle of {far:.2e} to scanpy's")
    signs = np.sign((back.obsm["X_pca"] * wanted.obsm["X_pca"]).sum(0))
    gap = abs(back.obsm["X_pca"] * signs - wanted.obsm["X_pca"]).max() / abs(wanted.obsm["X_pca"]).max()
    check(gap < 1e-5, f"{path}{part} {words}: codes differ by {gap:.2e}")
    for name in ("variance", "variance_ratio"):
        ratio = back.uns["pca"][name] * (len(back) / (len(back) - 1) if name == "variance" else 1) / wanted.uns["pca"][name]
        check(np.allclose(ratio, 1, rtol=1e-8) or np.allclose(ratio * (len(back) - 1) / len(back), 1, rtol=1e-8),
              f"{path}{part} {words}: uns/pca/{name}")
    return far


def contents(path):
    """All that a file holds, by name."""
    found = {}

    def see(name, thing):
        attributes = {key: np.asarray(value).tolist() for key, value in thing.attrs.items()}
        found[name] = (attributes, thing[()].tobytes() if isinstance(thing, h5py.Dataset) and thing.dtype.kind != "O"
                       else [str(v) for v in np.ravel(thing[()])] if isinstance(thing, h5py.Dataset) else None)

    with h5py.File(path) as file:
        file.visititems(see)
    return found


def check_untouched(path):
    """Written back over itself: what is new has its names, and all else is the same."""
    before = contents(path)
    scree("fit", "-q", path, "-k", "3", "-o", "m.scree")
    scree("project", "-q", "m.scree", path, "-o", path)
    after = contents(path)
    new = set(after) - set(before)
    check(new == {"obsm/X_pca", "varm/PCs", "uns/pca", "uns/pca/variance", "uns/pca/variance_ratio", "uns/pca/params",
                  "uns/pca/params/zero_center"}, f"{path}: new are {sorted(new)}")
    check(all(after.get(name) == before[name] for name in before), f"{path}: something else has changed")
    scree("project", "-q", "m.scree", path, "-o", path) # and again, over what is there
    check(set(contents(path)) == set(after), f"{path}: written twice")
    check(not [name for name in os.listdir(".") if name.startswith(".scree")], "temporary files are left")


def check_h5py():
    table = np.random.default_rng(3).normal(size=(500, 7))
    with h5py.File("x.h5", "w") as file:
        for name, how in {"plain": {}, "gzip": {"chunks": (64, 3), "compression": "gzip", "shuffle": True},
                          "lzf": {"chunks": (7, 7), "compression": "lzf", "fletcher32": True},
                          "one": {"chunks": (500, 1)}, "so": {"chunks": (10, 7), "scaleoffset": None}}.items():
            for kind in ("<f8", ">f8", "<f4", ">f4", "<f2", ">i4", "<i2", "u1", "i1", "<i8", ">u8", "<u4"):
                values = (table if "f" in kind else table * 40 + (200 if "u" in kind and "1" not in kind else 0))
                values = np.clip(values, 0 if "u" in kind else -120, 120 if "1" in kind else None).astype(kind)
                file.create_dataset(f"{name}/{kind[-2:]}{'b' if '>' in kind else ''}", data=values, **how)
    with h5py.File("x.h5") as file:
        for name in file:
            for kind in file[name]:
                got = rows_of(f"x.h5:{name}/{kind}").values
                check(np.array_equal(got, file[name][kind][:].astype("f8")), f"x.h5:{name}/{kind}")
    pd.DataFrame(table, columns=list("abcdefg")).assign(kind=["x", "ö"] * 250).to_csv("t.csv", index=False)
    scree("convert", "-q", "t.csv", "t.h5")
    with h5py.File("t.h5") as file:
        check(np.array_equal(file["data"][:], table), "t.h5: numbers")
        check(list(file["data"].attrs["columns"]) == list("abcdefg"), "t.h5: names")
        check([v.decode() for v in file["texts/kind"][:]] == ["x", "ö"] * 250, "t.h5: texts")
    np.save("wide.npy", np.arange(40000.0).reshape(2, 20000))
    pd.DataFrame(np.ones((2, 20000)), columns=[f"gene number {j}" for j in range(20000)]).to_csv("w.csv", index=False)
    scree("convert", "-q", "w.csv", "w.h5")
    with h5py.File("w.h5") as file:
        check(file["data"].attrs["columns"][19999] == "gene number 19999", "w.h5: many names")


def check_tenx(counts):
    """As scanpy's read_10x_h5 reads them."""
    cells, genes = counts.shape
    x = sp.csr_matrix(counts.astype("i4"))
    names = np.array([f"G{j // 2}" for j in range(genes)], dtype="S")
    for path, group in (("v3.h5", "matrix"), ("v2.h5", "GRCh38")):
        with h5py.File(path, "w") as file:
            g = file.create_group(group)
            g["barcodes"] = np.array([f"BC{i}-1" for i in range(cells)], dtype="S")
            for name in ("data", "indices", "indptr"):
                g[name] = getattr(x, name).astype("i8" if name != "data" else "i4")
            g["shape"] = np.array([genes, cells], dtype="i4")
            ids = np.array([f"ENSG{j}" for j in range(genes)], dtype="S")
            if group == "matrix":
                g["features/id"], g["features/name"] = ids, names
                kinds = [b"Gene Expression"] * (genes - 5) + [b"Antibody Capture"] * 5
                g["features/feature_type"] = np.array(kinds)
                g["features/genome"] = np.array([b"GRCh38"] * genes)
            else:
                g["genes"], g["gene_names"] = ids, names
        want = scanpy.read_10x_h5(path)
        want.var_names_make_unique()
        got = rows_of(path)
        check(list(got["barcode"]) == list(want.obs_names), f"{path}: barcodes")
        check(list(got.columns[1:]) == list(want.var_names), f"{path}: genes")
        check(np.array_equal(got.iloc[:, 1:].values, want.X.toarray()), f"{path}: counts")


def check_marks(counts):
    """Names that are repeated are numbered, as var_names_make_unique does; scanpy's mark of log1p is told."""
    x = sp.csr_matrix(counts.astype("f4"))
    doubled = anndata.AnnData(x)
    doubled.var_names = [f"G{j // 2}" for j in range(x.shape[1])]
    doubled.write_h5ad("doubled.h5ad")
    got = rows_of("doubled.h5ad")
    doubled.var_names_make_unique()
    check(list(got.columns[1:]) == list(doubled.var_names), "repeated names are numbered")
    scree("fit", "-q", "doubled.h5ad", "-k", "2", "-o", "doubled.scree")
    scree("project", "-q", "doubled.scree", "doubled.h5ad", "-o", "doubled.h5ad")
    loadings = anndata.read_h5ad("doubled.h5ad").varm["PCs"]
    check(np.allclose(np.linalg.norm(loadings, axis=0), 1), "loadings of repeated names")
    before = subprocess.run([SCREE, "convert", "doubled.h5ad"], capture_output=True, text=True, check=True).stderr
    scanpy.pp.log1p(doubled)
    doubled.write_h5ad("logged.h5ad")
    after = subprocess.run([SCREE, "convert", "logged.h5ad"], capture_output=True, text=True, check=True).stderr
    check("logarithms already" in after and "logarithms already" not in before, "uns/log1p is told")


def main():
    counts, kind = simulated()
    normalise = ["--normalize", "1e4"] if "--normalize" in scree("help", "fit") else []
    wanted = reference(counts, kind, bool(normalise))
    worst = 0
    count = 0
    for path, table in [*every_encoding(counts, kind), unsorted(counts, kind)]:
        count += 1
        same_cells(path, "", counts, table)
        worst = max(worst, compare(path, normalise, wanted))
        if path != "unsorted.h5ad":
            for part in (":layers/counts", ":layers/other", ":raw/X"):
                same_cells(path, part, counts, table)
                worst = max(worst, compare(path, normalise, wanted, part))
        if path.startswith(("01", "13")):
            check_labels(path, table)
    print(f"{count} files of anndata {anndata.__version__}: angles to scanpy's components of at most {worst:.1e}")
    chosen = reference(counts, kind, bool(normalise), chosen=True)
    compare("01-dense-f4-plain.h5ad", [*normalise, "--columns-from", "highly_variable"], chosen)
    check_untouched("02-dense-f4-gzip.h5ad")
    check_untouched("unsorted.h5ad")
    check_truths(counts, kind)
    check_h5py()
    check_tenx(counts)
    check_marks(counts)
    if failed:
        sys.exit(f"{len(failed)} are wrong")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as box:
        os.chdir(box)
        main()
