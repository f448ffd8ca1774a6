#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes special_values.h: tails and densities of gamma and beta, and normal quantiles, to 50 digits.

Needs mpmath. The arguments are doubles, taken exactly; only the results are rounded, to 25 digits. Tails come from
series whose terms are all positive, so that no digit is lost:

    P(a, x)   = x^a e^-x / Γ(a+1)  Σ x^k / (a+1)_k                   the tail is 1 - P, at digits enough
    I_y(b, a) = y^b (1-y)^a / (b B(a, b))  Σ (a+b)_k / (b+1)_k y^k   the tail of x = 1 - y; 1 - I_x(a, b) for x ≤ ½

Small shapes are checked against mpmath's own incomplete gamma and beta functions.
"""
import math
import pathlib

import mpmath as mp

mp.mp.dps = 60
GAMMA_SHAPES = [0.5, 1, 1.5, 3, 10, 15.5, 16, 50.5, 392, 1e3, 12345.5, 1e6]
BETA_SHAPES = [(0.5, 0.5), (0.5, 4), (1, 0.5), (1, 1), (1.5, 49), (2.5, 1e3), (0.5, 1e6), (10, 10), (16, 2e4),
               (49, 1.5), (367, 366.5), (1e3, 1e6), (12345.5, 8.5), (1e6, 1e6), (1e6, 0.5)]
DEVIATIONS = [-30, -6, -3, -1, -0.1, 0, 0.1, 1, 3, 6, 12, 30]
QUANTILES = [1e-300, 1e-50, 1e-16, 1e-6, 0.001, 0.02425, 0.1, 0.1587, 0.3, 0.49999, 0.5, 0.51, 0.7, 0.9, 0.975, 0.995,
             0.9999, 1 - 2**-40, 1 - 2**-53]


def positive_series(factor):
    """1 + f(1) + f(1) f(2) + …; the factors end below 1."""
    total = term = mp.mpf(1)
    smallest = mp.mpf(10) ** -mp.mp.dps
    k = 1
    while True:
        ratio = factor(k)
        term *= ratio
        total += term
        if ratio < 1 and term / (1 - ratio) < total * smallest:
            return total
        k += 1


def log_gamma_tail(a, x):
    lost = float(x - a + a * mp.log(a / x)) / math.log(10) if x > a else 0  # digits that 1 - P cancels
    with mp.workdps(70 + int(lost)):
        series = positive_series(lambda k: x / (a + k))
        tail = mp.log1p(-mp.exp(a * mp.log(x) - x - mp.loggamma(a + 1)) * series)
    if a <= 16:
        assert abs(mp.exp(tail) / mp.gammainc(a, x, mp.inf, regularized=True) - 1) < mp.mpf(10) ** -50
    return tail


def log_beta(a, b):
    return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)


def log_beta_tail(a, b, x):
    y = 1 - x
    if x > 0.5:
        series = positive_series(lambda k: (a + b + k - 1) * y / (b + k))
        tail = b * mp.log(y) + a * mp.log(x) - log_beta(a, b) + mp.log(series / b)
    else:
        n = a + b
        lost = float(a * mp.log(a / n / x) + b * mp.log(b / n / y)) / math.log(10) if x > a / n else 0
        with mp.workdps(70 + int(lost)):
            series = positive_series(lambda k: (a + b + k - 1) * x / (a + k))
            tail = mp.log1p(-mp.exp(b * mp.log(y) + a * mp.log(x) - log_beta(a, b)) / a * series)
    if a <= 16 and b <= 16:
        assert abs(mp.exp(tail) / mp.betainc(b, a, 0, y, regularized=True) - 1) < mp.mpf(10) ** -50
    return tail


def digits(value):
    if abs(value) < 1e-300:
        return "0"
    return mp.nstr(value, 25, min_fixed=0, max_fixed=0)


def gamma_lines():
    for shape in GAMMA_SHAPES:
        places = {shape + c * math.sqrt(shape) for c in DEVIATIONS} | {shape * 1e-3}
        for place in sorted(p for p in places if p > 0):
            a, x = mp.mpf(shape), mp.mpf(place)
            density = (a - 1) * mp.log(x) - x - mp.loggamma(a)
            yield f"{{{shape!r}, {place!r}, {digits(log_gamma_tail(a, x))}, {digits(density)}}}"


def beta_lines():
    for shapes in BETA_SHAPES:
        n = sum(shapes)
        mean, deviation = shapes[0] / n, math.sqrt(shapes[0] * shapes[1] / (n + 1)) / n
        places = {mean + c * deviation for c in DEVIATIONS} | {mean / 1024, 1 - shapes[1] / n / 1024}
        places = {math.floor(p * 2**53) / 2**53 for p in places}  # so that 1 - x is a double
        for place in sorted(p for p in places if 0 < p < 1):
            a, b, x = mp.mpf(shapes[0]), mp.mpf(shapes[1]), mp.mpf(place)
            density = (a - 1) * mp.log(x) + (b - 1) * mp.log(1 - x) - log_beta(a, b)
            tail = log_beta_tail(a, b, x)
            yield f"{{{shapes[0]!r}, {shapes[1]!r}, {place!r}, {digits(tail)}, {digits(density)}}}"


def quantile_lines():
    for p in QUANTILES:
        start = math.copysign(math.sqrt(-2 * math.log(min(p, 1 - p)) / 1.2), p - 0.5)
        with mp.workdps(60):
            target = mp.log(mp.mpf(min(p, 1 - p)))
            z = mp.findroot(lambda t: mp.log(mp.erfc(t / mp.sqrt(2)) / 2) - target, abs(start)) if p != 0.5 else mp.mpf(0)
        yield f"{{{p!r}, {digits(z if p > 0.5 else -z)}}}"


def table(out, comment, declaration, lines):
    out.write(f"\n/* {comment} */\nstatic const {declaration} = {{\n")
    out.writelines(f"    {line},\n" for line in lines)
    out.write("};\n")


def main():
    path = pathlib.Path(__file__).parent / "special_values.h"
    with path.open("w", encoding="utf-8") as out:
        out.write("/* SPDX-License-Identifier: BSD-3-Clause */\n#ifndef SCREE_TESTS_SPECIAL_VALUES_H\n"
                  "#define SCREE_TESTS_SPECIAL_VALUES_H\n\n"
                  "/* Made by make_special.py, which says how. Do not edit. */\n\n/* clang-format off */\n")
        table(out, "shape, x, ln tail, ln density", "double golden_gamma[][4]", gamma_lines())
        table(out, "a, b, x, ln tail, ln density", "double golden_beta[][5]", beta_lines())
        table(out, "p, the standard normal quantile", "double golden_quantiles[][2]", quantile_lines())
        out.write("\n/* clang-format on */\n\n#endif\n")


if __name__ == "__main__":
    main()
