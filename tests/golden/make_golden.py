# SPDX-License-Identifier: BSD-3-Clause
"""Makes golden.h: small data, exact as doubles, and its principal components at 50 digits.

    python3 make_golden.py > golden.h          (needs mpmath)

Data are integers times powers of two, so that what is written is what is meant. Mean, covariance (divisor N) and its
eigenvalues are computed with 60 digits, and written with 50; each eigenvector has its entry of largest magnitude
positive.
"""

import random
import sys

import mpmath as mp

mp.mp.dps = 60
DIGITS = 50


def integers(seed, n, d, most):
    draw = random.Random(seed)
    return [[draw.randint(-most, most) for _ in range(d)] for _ in range(n)]


def plain():
    """Columns of different sizes: eigenvalues well apart."""
    return [[value * (j + 1) ** 2 for j, value in enumerate(row)] for row in integers(1, 12, 5, 9)]


def large_mean():
    """The same with sixteenths, a long way from zero: the mean is ten million times the deviation."""
    return [[2.0**27 + value / 16 for value in row] for row in plain()]


def wide():
    """Fewer rows than columns."""
    return [[value * (i + 1) for value in row] for i, row in enumerate(integers(2, 6, 15, 20))]


def graded():
    """Column j is smaller by 2^-7j: eigenvalues fall to 1e-21 of the first, and each is as well determined as it."""
    return [[value * 2.0 ** (-7 * j) for j, value in enumerate(row)] for row in integers(3, 16, 6, 100)]


def tied():
    """±1 by Walsh functions, sizes 5, 3, 3, 1: the middle eigenvalue is double."""

    def walsh(function, i):
        return -1 if bin(function & i).count("1") % 2 else 1

    sizes = [5, 3, 3, 1]
    return [[sum(s * walsh(r + 1, i) * walsh(r + 1, j) for r, s in enumerate(sizes)) for j in range(8)]
            for i in range(8)]


def few():
    """Large enough for the iterative method: three directions above a floor."""
    noise = integers(4, 54, 52, 3)
    strong = integers(5, 54, 3, 9)
    ways = integers(6, 3, 52, 4)
    return [[sum(strong[i][r] * ways[r][j] * (4, 2, 1)[r] for r in range(3)) + noise[i][j] for j in range(52)]
            for i in range(54)]


PROBLEMS = [("plain", plain, None), ("large_mean", large_mean, None), ("wide", wide, 4), ("graded", graded, None),
            ("tied", tied, 4), ("few", few, 2)]


def components(x):
    n, d = len(x), len(x[0])
    c = mp.matrix(x)
    mean = [mp.fsum(c[:, j]) / n for j in range(d)]
    for i in range(n):
        for j in range(d):
            c[i, j] -= mean[j]
    values, vectors = mp.eigsy(c.T * c / n)
    order = sorted(range(d), key=lambda j: -values[j])
    rows = []
    for j in order:
        column = [vectors[i, j] for i in range(d)]
        largest = max(column, key=abs)
        rows.append([entry * mp.sign(largest) for entry in column])
    return mean, [values[j] for j in order], rows


def literal(value):
    return mp.nstr(value, DIGITS, strip_zeros=False, min_fixed=0, max_fixed=0) + "L"


def exact(value):
    return str(int(value)) if value == int(value) else repr(value)


def array(kind, name, texts):
    print(f"static const {kind} {name}[] = {{")
    line = "   "
    for text in texts:
        if len(line) + len(text) + 2 > 118:
            print(line)
            line = "   "
        line += f" {text},"
    print(f"{line}\n}};")


def write(name, make, keep):
    x = make()
    mean, values, vectors = components(x)
    n, d = len(x), len(x[0])
    keep = keep or d
    array("double", f"{name}_data", [exact(cell) for row in x for cell in row])
    array("long double", f"{name}_mean", map(literal, mean))
    array("long double", f"{name}_values", map(literal, values[:keep]))
    array("long double", f"{name}_vectors", [literal(entry) for row in vectors[:keep] for entry in row])
    array("long double", f"{name}_errors", [literal(mp.fsum(values[m + 1:])) for m in range(keep)])
    print()
    return f'{{"{name}", {n}, {d}, {keep}, {name}_data, {name}_mean, {name}_values, {name}_vectors, {name}_errors}}'


def main():
    print("/* SPDX-License-Identifier: BSD-3-Clause */")
    print("#ifndef SCREE_TESTS_GOLDEN_H\n#define SCREE_TESTS_GOLDEN_H\n")
    print("/* Made by make_golden.py, not by hand: data, exact, and the 50 digits of its mean, its largest eigenvalues")
    print(" * and eigenvectors, and the errors J_M that are left after 1, 2, ... components. */\n")
    print("/* clang-format off */\n#include <stdint.h>\n")
    print("typedef struct golden {\n    const char *name;\n    int64_t n;\n    int64_t d;\n    int64_t count;")
    print("    const double *data;\n    const long double *mean;\n    const long double *values;")
    print("    const long double *vectors;\n    const long double *errors;\n} golden;\n")
    entries = [write(*problem) for problem in PROBLEMS]
    print("static const golden goldens[] = {\n    " + ",\n    ".join(entries) + ",\n};")
    print("/* clang-format on */\n\n#endif")


if __name__ == "__main__":
    sys.exit(main())
