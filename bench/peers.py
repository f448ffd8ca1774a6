# SPDX-License-Identifier: BSD-3-Clause
"""Other programs, for the benchmark: answers requests on standard input, a line each, with a line each.

First it says what is there: "NAME VERSION" with tabs between, the version "absent" where a package is not installed.
A request is words with tabs between:

    fit PROGRAM FILE K VALUES COMPONENTS       K components of an NPY file that is in memory already
    fit-file PROGRAM FILE K VALUES COMPONENTS  the same, with the time to read the file
    csv-fit PROGRAM FILE K VALUES COMPONENTS   the same, of a CSV file
    incremental FILE K ROWS                    scikit-learn's IncrementalPCA on the first rows of a mapped NPY file
    sparse-fit SOLVER PREFIX K TOLERANCE VALUES COMPONENTS
                                               scikit-learn's PCA of CSR in PREFIX-data.npy, -indices.npy, -indptr.npy
    csv FILE TABLE                             pandas reads a CSV file
    score FILE K                               the density of each row of an NPY file
    missing FILE ROWS COLS K RESULT            pcaMethods' ppca of raw doubles, NaN where one is missing; RESULT is raw
                                               too: eigenvalues, components, means, the rows filled
    forget                                     lets go of what is in memory

Results go to the NPY files named, "-" for none; eigenvalues have the divisor N-1. The answer is "ok SECONDS", or
"failed" and why. irlba, RSpectra and pcaMethods are run by peers.R.
"""

import importlib
import importlib.metadata
import os
import shutil
import subprocess
import sys
import time

# Package, and the module that it is imported by.
PACKAGES = {
    "numpy": "numpy",
    "scipy": "scipy.sparse",
    "scikit-learn": "sklearn",
    "scikit-learn-intelex": "sklearnex",
    "faiss-cpu": "faiss",
    "pandas": "pandas",
    "polars": "polars",
}
modules = {}
versions = {}
loaded = {}
r_process = None


def find_modules():
    for package, module in PACKAGES.items():
        try:
            modules[package] = importlib.import_module(module)
            versions[package] = importlib.metadata.version(package)
        except Exception:
            versions[package] = "absent"


def start_r():
    global r_process
    versions.update({"irlba": "absent", "RSpectra": "absent", "pcaMethods": "absent"})
    program = shutil.which("Rscript")
    if not program or "numpy" not in modules:
        return
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers.R")
    r_process = subprocess.Popen([program, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for item in r_process.stdout.readline().split("\t"):
        package, _, version = item.strip().partition(" ")
        if version:
            versions[package] = version


def keep(path, array):
    if path != "-":
        numpy = modules["numpy"]
        numpy.save(path, numpy.ascontiguousarray(array, dtype=numpy.float64))


def rows_of(path):
    if path not in loaded:
        loaded.clear()
        loaded[path] = modules["numpy"].load(path)
    return loaded[path]


def sklearn_fit(solver):
    def fit(rows, k):
        pca = importlib.import_module("sklearn.decomposition").PCA
        found = pca(n_components=k, svd_solver=solver, random_state=0).fit(rows)
        return found.explained_variance_, found.components_

    return fit


def sklearnex_fit(rows, k):
    pca = importlib.import_module("sklearnex.decomposition").PCA
    found = pca(n_components=k, svd_solver="covariance_eigh").fit(rows)
    return found.explained_variance_, found.components_


def faiss_fit(rows, k):
    """Its eigenvalues are sums of squares, not divided by anything."""
    faiss = modules["faiss-cpu"]
    found = faiss.PCAMatrix(rows.shape[1], k)
    found.train(rows)
    values = faiss.vector_to_array(found.eigenvalues)[:k]
    components = faiss.vector_to_array(found.PCAMat).reshape(-1, rows.shape[1])[:k]
    return values / (len(rows) - 1), components


FITS = {f"sklearn-{solver}": sklearn_fit(solver) for solver in ("full", "covariance_eigh", "arpack", "randomized", "auto")}
FITS["sklearnex"] = sklearnex_fit
FITS["faiss"] = faiss_fit


def ask_r(words):
    r_process.stdin.write("\t".join(map(str, words)) + "\n")
    r_process.stdin.flush()
    answer = r_process.stdout.readline().split()
    if not answer or answer[0] != "ok":
        raise RuntimeError(" ".join(answer) or "R has ended")
    return float(answer[1])


def r_fit(program, path, k, values_path, components_path):
    """R has its own process, and keeps the rows there as its own matrix."""
    numpy = modules["numpy"]
    k = int(k)
    rows = numpy.load(path, mmap_mode="r")
    offset = os.path.getsize(path) - rows.nbytes
    raw = "-" if values_path == "-" else values_path + ".raw"
    words = (program, path, offset, rows.itemsize, rows.shape[0], rows.shape[1], k, raw)
    seconds = ask_r(words)
    if raw != "-":
        numbers = numpy.fromfile(raw)
        os.remove(raw)
        keep(values_path, numbers[None, :k])
        keep(components_path, numbers[k:].reshape(k, rows.shape[1]))
    return seconds


def missing(path, rows, cols, k, result):
    return ask_r(("ppca", path, 0, 8, rows, cols, k, result))


def timed_fit(solver, read, k, values_path, components_path):
    start = time.perf_counter()
    values, components = FITS[solver](read(), int(k))
    seconds = time.perf_counter() - start
    keep(values_path, values[None, :])
    keep(components_path, components)
    return seconds


def fit(program, path, *result):
    if program in ("irlba", "RSpectra"):
        return r_fit(program, path, *result)
    rows = rows_of(path)
    return timed_fit(program, lambda: rows, *result)


def fit_file(program, path, *result):
    loaded.clear()
    return timed_fit(program, lambda: modules["numpy"].load(path), *result)


def csv_fit(program, path, *result):
    """program is "pandas" or "polars", with scikit-learn's own choice of solver."""
    loaded.clear()
    return timed_fit("sklearn-auto", lambda: modules[program].read_csv(path).to_numpy(), *result)


def sparse_rows_of(prefix):
    if prefix not in loaded:
        numpy = modules["numpy"]
        data, indices, indptr = (numpy.load(f"{prefix}-{name}.npy") for name in ("data", "indices", "indptr"))
        loaded.clear()
        loaded[prefix] = modules["scipy"].csr_matrix((data, indices, indptr.astype(indices.dtype)))
    return loaded[prefix]


def sparse_fit(solver, prefix, k, tolerance, values_path, components_path):
    rows = sparse_rows_of(prefix)
    pca = importlib.import_module("sklearn.decomposition").PCA
    start = time.perf_counter()
    found = pca(n_components=int(k), svd_solver=solver, tol=float(tolerance), random_state=0).fit(rows)
    seconds = time.perf_counter() - start
    keep(values_path, found.explained_variance_[None, :])
    keep(components_path, found.components_)
    return seconds


def incremental(path, k, count):
    loaded.clear()
    pca = importlib.import_module("sklearn.decomposition").IncrementalPCA
    start = time.perf_counter()
    pca(n_components=int(k)).fit(modules["numpy"].load(path, mmap_mode="r")[: int(count)])
    return time.perf_counter() - start


def score(path, components):
    if path + " scored" not in loaded:
        loaded.clear()
        rows = modules["numpy"].load(path)
        pca = importlib.import_module("sklearn.decomposition").PCA
        loaded[path + " scored"] = (rows, pca(n_components=int(components)).fit(rows))
    rows, model = loaded[path + " scored"]
    start = time.perf_counter()
    model.score_samples(rows)
    return time.perf_counter() - start


def csv(path, table_path):
    loaded.clear()
    start = time.perf_counter()
    table = modules["pandas"].read_csv(path)
    seconds = time.perf_counter() - start
    keep(table_path, table.to_numpy())
    return seconds


def forget():
    loaded.clear()
    if r_process:
        r_process.stdin.write("forget\n")
        r_process.stdin.flush()
        r_process.stdout.readline()
    return 0.0


ANSWERS = {
    "fit": fit,
    "fit-file": fit_file,
    "csv-fit": csv_fit,
    "sparse-fit": sparse_fit,
    "incremental": incremental,
    "csv": csv,
    "score": score,
    "missing": missing,
    "forget": forget,
}


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a package prints is not an answer
    find_modules()
    start_r()
    print("\t".join(f"{name} {version}" for name, version in versions.items()), file=answers, flush=True)
    for line in sys.stdin:
        name, *words = line.rstrip("\n").split("\t")
        try:
            answer = f"ok {ANSWERS[name](*words):.9f}"
        except BaseException as problem:  # whatever it is, the benchmark goes on
            answer = f"failed {type(problem).__name__}: {' '.join(str(problem).split())[:400]}"
        print(answer, file=answers, flush=True)


main()
