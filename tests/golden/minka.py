# SPDX-License-Identifier: BSD-3-Clause
"""Writes minka_values.h: Minka's evidence as scikit-learn computes it, for the spectra of test_minka.c.

    python3 tests/golden/minka.py >tests/golden/minka_values.h

The private function has stood in sklearn.decomposition._pca since version 0.22; values below are of 1.x.
"""

from sklearn.decomposition._pca import _assess_dimension
import numpy as np


def spectrum(d, signals):
    """signals large eigenvalues, then a slowly falling rest; all different."""
    j = np.arange(d)
    return np.where(j < signals, 50.0 / (1 + j), 1 + 0.5 / (1 + j))


print("/* SPDX-License-Identifier: BSD-3-Clause */")
print("/* Made by minka.py: rows, directions, signals, M, ln p. */")
print("static const struct {\n    int64_t n;\n    int64_t d;\n    int64_t signals;\n    int64_t m;\n    double value;")
print("} minka_values[] = {")
for n, d, signals in ((50, 6, 2), (1000, 12, 3), (100000, 40, 5)):
    values = spectrum(d, signals)
    for m in (1, 2, 3, d // 2, d - 1):
        print(f"    {{{n}, {d}, {signals}, {m}, {_assess_dimension(values, m, n):.15g}}},")
print("};")
