# SPDX-License-Identifier: BSD-3-Clause
"""scikit-learn's PCA on request: holds the rows of a cell, answers lines on standard input with a line each.

First it says its versions, and those of the BLAS that it runs on. Words have tabs between them:

    load FILE                    reads an NPY file; bytes become floats, since it would make them doubles
    fit FROM SOLVER K RESULT     one fit, FROM memory or a file: "ok", seconds, the solver that was taken, the share of
                                 its time that it spent in eigh; RESULT "-" or an NPZ file of values and components
"""

import os
import sys
import time

import numpy
import sklearn
import threadpoolctl
from sklearn.decomposition import PCA
from sklearn.utils._array_api import get_namespace

rows = None
inside = 0.0  # seconds in eigh


def watch_eigh():
    """Counts the time in eigh, wherever PCA takes it from."""
    module = get_namespace(numpy.zeros((2, 2)))[0].linalg
    original = module.eigh

    def counted(*arguments, **names):
        global inside
        start = time.perf_counter()
        found = original(*arguments, **names)
        inside += time.perf_counter() - start
        return found

    module.eigh = counted


def read(path):
    found = numpy.load(path)
    return found.astype(numpy.float32) if found.dtype == numpy.uint8 else found


def load(path):
    global rows
    rows = None
    rows = read(path)
    return ()


def fit(source, solver, k, result):
    global inside
    inside = 0.0
    model = PCA(n_components=int(k), svd_solver=solver, random_state=0)
    start = time.perf_counter()
    x = rows if source == "memory" else read(source)
    model.fit(x)
    seconds = time.perf_counter() - start
    if result != "-":
        numpy.savez(result, values=model.explained_variance_.astype(float), components=model.components_.astype(float))
    return f"{seconds:.9f}", model._fit_svd_solver, f"{inside / seconds:.3f}"


def about():
    libraries = {f"{i['internal_api']} {i['version']} ({i['num_threads']} threads)"
                 for i in threadpoolctl.threadpool_info() if i["user_api"] == "blas"}
    return f"scikit-learn {sklearn.__version__}, numpy {numpy.__version__}\t{', '.join(sorted(libraries))}"


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a package prints is not an answer
    watch_eigh()
    print(about(), file=answers, flush=True)
    for line in sys.stdin:
        name, *words = line.rstrip("\n").split("\t")
        try:
            answer = ("ok", *{"load": load, "fit": fit}[name](*words))
        except Exception as problem:  # whatever it is, the benchmark goes on
            answer = ("failed", f"{type(problem).__name__}: {' '.join(str(problem).split())[:300]}")
        print("\t".join(answer), file=answers, flush=True)


main()
