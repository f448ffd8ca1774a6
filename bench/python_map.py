# SPDX-License-Identifier: BSD-3-Clause
"""The Python package beside scikit-learn, both in this process: python_map.py PACKAGE_DIR [--only REGEX].

A dozen cells of the map (bench/map/cells.py), some data that everybody has, and batches. First everybody's answer is
verified: eigenvalues against a longer precision for float64, and against float64 for float32; then each runs alone, the best
of many counts. A solver that is off by more than a thousandth is marked "wrong", one that refuses is left out. The table is
that of docs/python.md.
"""

import argparse
import os
import re
import sys
import time

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "map"))
import cells  # noqa: E402
import matrices  # noqa: E402

CELLS = """
100x100 f8 harmonic 10
100x1000 f8 spikes 10
400x4000 f4 spikes 50
400x400 f8 harmonic 50
1000x100 f8 plateaus 10
1000x1000 f8 spikes 10
4000x100 f4 harmonic 10
4000x1000 f4 plateaus 50
4000x4000 f4 noise 10
20000x100 f8 spikes 99
20000x1000 f8 noise 10
100000x100 f4 spikes 10
1000000x100 f4 noise 10
150x4 f8 iris 2
178x13 f8 wine 5
442x10 f8 diabetes 5
569x30 f8 cancer 10
1797x64 f8 digits 10
1797x64 f8 digits 64
"""
SOLVERS = ("auto", "full", "covariance_eigh", "arpack", "randomized")
WRONG = 1e-3
SECONDS = 0.5  # for one solver on one cell
PAUSE = 0.1
LONGEST = 30.0  # multiplications over 10⁹: solvers of scikit-learn that take more are left out


def rows_of(n, d, kind, spectrum):
    if spectrum == "iris":
        from sklearn.datasets import load_iris

        return np.ascontiguousarray(load_iris().data, dtype=kind)
    table = cells.Table("map", n, d, kind, spectrum, "memory")
    X = np.empty((n, d), dtype=kind)
    real = matrices.real_table(table)
    if real is not None:
        X[:] = real
    else:
        matrices.write_pieces(table, X)
    return X


def truth_of(X, k):
    """The k largest eigenvalues, divisor N - 1, of sums in doubles of centred rows, by the smaller side."""
    centred = X.astype(np.float64)
    centred -= centred.mean(axis=0)
    small = centred.T @ centred if X.shape[0] >= X.shape[1] else centred @ centred.T
    return np.sort(np.linalg.eigvalsh(small))[::-1][:k] / (len(X) - 1)


def work_of(solver, n, d):
    """Multiplications over 10⁹, roughly, of what grows fastest."""
    least, most = min(n, d), max(n, d)
    return {"full": 10 * least * least * most, "covariance_eigh": n * d * d + 10 * d**3}.get(solver, 0) / 1e9


def best_of(calls):
    """The best time of each. Two BLAS are in this process, whose threads look for work for a while: each waits for those of
    the one before to sleep."""
    best = []
    for call in calls:
        time.sleep(PAUSE)
        times, end = [], time.perf_counter() + SECONDS
        while len(times) < 3 or (time.perf_counter() < end and len(times) < 300):
            start = time.perf_counter()
            call()
            times.append(time.perf_counter() - start)
        best.append(min(times))
    return best


def verified(make, X, truth):
    """Whether it fits, and how far its eigenvalues are off; None where it refuses."""
    try:
        found = make().fit(X).explained_variance_
    except (ValueError, TypeError):
        return None
    return float(np.max(np.abs(found - truth)) / truth[0])


def cell(line, ours, theirs):
    shape, kind, spectrum, k = line.split()
    n, d = map(int, shape.split("x"))
    k = int(k)
    X = rows_of(n, d, kind, spectrum)
    truth = truth_of(X, k)
    makes = {"scree": lambda: ours(k)}
    makes |= {s: lambda s=s: theirs(k, svd_solver=s, random_state=0) for s in SOLVERS if work_of(s, n, d) < LONGEST}
    errors = {name: verified(make, X, truth) for name, make in makes.items()}
    run = [name for name in makes if errors[name] is not None]
    best = dict(zip(run, best_of([lambda make=makes[name]: make().fit(X) for name in run])))
    shown = [f"{best[s] / best['scree']:.1f}" + (" wrong" if errors[s] > WRONG else "") if s in best else "–" for s in SOLVERS]
    print(f"| {n}×{d} {X.dtype}, {spectrum}, {k} | {1e3 * best['scree']:.3g} ms | " + " | ".join(shown) + " |", flush=True)
    if errors["scree"] > 1e-6:
        sys.exit(f"scree is off by {errors['scree']:.1e}: {line}")
    return best["auto"] / best["scree"]


def batches(ours, theirs):
    """partial_fit of 30 batches of 1000 rows; of ours with components_ asked for after each, too."""
    X = rows_of(30000, 100, "f4", "harmonic")

    def fed(library, asks=False):
        model = library(10)
        for start in range(0, len(X), 1000):
            model.partial_fit(X[start : start + 1000])
            if asks:
                model.components_
        return model

    off = np.max(np.abs(fed(ours).explained_variance_ / truth_of(X, 10) - 1))
    if off > 1e-6:
        sys.exit(f"scree.IncrementalPCA is off by {off:.1e}")
    plain, asking, other = best_of([lambda: fed(ours), lambda: fed(ours, True), lambda: fed(theirs)])
    print(f"| `IncrementalPCA.partial_fit`, 30 batches of 1000×100 float32, 10 | {1e3 * plain:.3g} ms | {other / plain:.1f} |")
    print(f"| the same, `components_` read after each | {1e3 * asking:.3g} ms | {other / asking:.1f} |")


def imports(package):
    """Milliseconds that `import scree` takes beyond `import numpy`, each in a process of its own, the best of ten."""
    import subprocess

    def best(what):
        code = f"import time; t = time.perf_counter(); {what}; print(time.perf_counter() - t)"
        environment = {**os.environ, "PYTHONPATH": package}
        runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True) for _ in range(10)]
        return 1e3 * min(float(run.stdout) for run in runs)

    numpy = best("import numpy")
    print(f"import numpy {numpy:.0f} ms; import scree {best('import numpy, scree') - numpy:.1f} ms more,", end=" ")
    print(f"with scree.PPCA {best('import numpy, scree; scree.PPCA') - numpy:.0f} ms more (scikit-learn's base classes are most of it)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    package = os.path.abspath(options.package)
    sys.path.insert(0, package)
    import sklearn
    import sklearn.decomposition as theirs

    import scree

    print(f"scree {scree.__version__}, scikit-learn {sklearn.__version__}, {os.cpu_count()} cores")
    print("| rows, components | scree | " + " | ".join(SOLVERS) + " |\n|" + "---|" * (2 + len(SOLVERS)))
    chosen = [line for line in CELLS.split("\n") if line and re.search(options.only, line)]
    ratios = [cell(line, scree.PCA, theirs.PCA) for line in chosen]
    if not options.only or "partial_fit" in options.only:
        batches(scree.IncrementalPCA, theirs.IncrementalPCA)
    if not options.only or "import" in options.only:
        imports(package)
    if ratios:
        print(f"least over scikit-learn's default: {min(ratios):.2f}")


main()
