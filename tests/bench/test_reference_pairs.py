# SPDX-License-Identifier: BSD-3-Clause
"""bench/map/reference_pairs.py against numpy's eigenpairs: both sides of N = D, whole reductions and Lanczos; and that
each kind of error above its bound is told."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "map"))
try:
    import numpy
    import scipy  # noqa: F401
except ImportError:
    print("skipped: numpy and scipy are not installed")
    sys.exit(77)
import reference_pairs

K = 12


def truth(x):
    values, vectors = numpy.linalg.eigh(numpy.cov(x.T, bias=True))
    return values[::-1], vectors[:, ::-1].T


def broken(reference, result):
    errors = reference_pairs.Errors(reference, result["values"], result["components"])
    return reference_pairs.broken_promises(reference, errors, result)


def expect(is_good, what):
    if not is_good:
        raise SystemExit(what)


def check(x):
    values, vectors = truth(x)
    reference = reference_pairs.Reference(x, K + 1, None)
    expect(abs(reference.values - values[: K + 1]).max() < 1e-12 * values[0], f"{x.shape}: eigenvalues differ")
    each = numpy.arange(K)
    good = {"values": values[:K], "components": vectors[:K], "residuals": numpy.full(K, 1e-13), "first": each, "last": each,
            "bounds": numpy.full(K, 1e-13), "angles": numpy.full(K, 1e-9)}
    expect(not broken(reference, good), f"{x.shape}: a good result: {broken(reference, good)}")
    moved = values[:K].copy()
    moved[3] += 1e-6
    expect(any("eigenvalue" in text for text in broken(reference, {**good, "values": moved})), "an eigenvalue was moved")
    turned = vectors[:K].copy()
    turned[2] = numpy.cos(1e-4) * turned[2] + numpy.sin(1e-4) * vectors[K + 5]
    found = broken(reference, {**good, "components": turned})
    expect(any("residual" in text for text in found) and any("sine" in text for text in found), "a component was turned")
    check_cluster(reference, good)


def check_cluster(reference, good):
    """Components mixed among themselves are good as a cluster, and bad one by one."""
    mixed = good["components"].copy()
    mixed[2], mixed[3] = (mixed[2] + mixed[3]) / 2**0.5, (mixed[2] - mixed[3]) / 2**0.5
    loose = {**good, "components": mixed, "residuals": numpy.full(K, 1e9), "bounds": numpy.full(K, 1e9)}
    first, last = good["first"].copy(), good["last"].copy()
    first[3], last[2] = 2, 3
    expect(not broken(reference, {**loose, "first": first, "last": last}), "a cluster is a space")
    expect(len(broken(reference, loose)) == 2, "two components were mixed")


def main():
    generator = numpy.random.default_rng(1)
    for rows, cols in ((300, 120), (80, 500)):
        check(generator.standard_normal((rows, cols)) * numpy.linspace(3, 1, cols) + 5)
    reference_pairs.MOST_REDUCED = 50  # Lanczos from here on
    check(generator.standard_normal((900, 700)) * numpy.linspace(3, 1, 700) + 5)
    reference_pairs.MOST_FORMED = 0  # and without S
    check(generator.standard_normal((900, 700)) * numpy.linspace(3, 1, 700) + 5)


main()
