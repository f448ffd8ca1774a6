# SPDX-License-Identifier: BSD-3-Clause
"""Other programs, for the benchmark: answers requests on standard input, a line each, with a line each.

First it says its versions. A request is words with tabs between: "pca FILE K VALUES COMPONENTS" fits scikit-learn's
randomised PCA to an NPY file that is in memory already, "pca-file ..." reads the file too, "csv FILE TABLE" reads a CSV
file with pandas, "score FILE K" gives each row of an NPY file its density; results go to the NPY files named, "-" for none. The answer is "ok SECONDS", or "failed" and why.
"""

import sys
import time

import numpy
import pandas
import sklearn
from sklearn.decomposition import PCA

loaded = {}


def keep(path, array):
    if path != "-":
        numpy.save(path, numpy.ascontiguousarray(array, dtype=numpy.float64))


def fit(rows, components):
    return PCA(n_components=int(components), svd_solver="randomized", random_state=0).fit(rows)


def pca(path, components, values_path, components_path):
    if path not in loaded:
        loaded.clear()
        loaded[path] = numpy.load(path)
    start = time.perf_counter()
    found = fit(loaded[path], components)
    seconds = time.perf_counter() - start
    keep(values_path, found.explained_variance_[None, :])
    keep(components_path, found.components_)
    return seconds


def pca_file(path, components, values_path, components_path):
    loaded.clear()
    start = time.perf_counter()
    found = fit(numpy.load(path), components)
    seconds = time.perf_counter() - start
    keep(values_path, found.explained_variance_[None, :])
    keep(components_path, found.components_)
    return seconds


def score(path, components):
    if path not in loaded:
        loaded.clear()
        rows = numpy.load(path)
        loaded[path] = (rows, PCA(n_components=int(components)).fit(rows))
    rows, model = loaded[path]
    start = time.perf_counter()
    model.score_samples(rows)
    return time.perf_counter() - start


def csv(path, table_path):
    loaded.clear()
    start = time.perf_counter()
    table = pandas.read_csv(path)
    seconds = time.perf_counter() - start
    keep(table_path, table.to_numpy())
    return seconds


ANSWERS = {"pca": pca, "pca-file": pca_file, "csv": csv, "score": score}


def main():
    versions = (("numpy", numpy), ("pandas", pandas), ("scikit-learn", sklearn))
    print(", ".join(f"{name} {module.__version__}" for name, module in versions), flush=True)
    for line in sys.stdin:
        name, *words = line.rstrip("\n").split("\t")
        try:
            print(f"ok {ANSWERS[name](*words):.9f}", flush=True)
        except Exception as problem:
            print(f"failed {' '.join(str(problem).split())}", flush=True)


main()
