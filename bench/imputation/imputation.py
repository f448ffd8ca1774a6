#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How well scree fills gaps: `scree fit` and `scree impute` with their defaults, on tables of which all cells are known.

    bench/imputation/imputation.py build/release/scree [--masks 10] [--tables iris,wine] [--others] [--no-r]

For each table and pattern (5, 20, 50 % of the cells at random; blocks: a fifth of the columns in a fifth of the rows),
means over the masks: the root mean square error of what was taken out, in standardised columns, of scree and of
soft-impute with a cross-validated threshold, pcaMethods' ppca and bpca, and column means; scree's over the best of
these; and the share of the cells within 1.96 standard deviations. Ends with a verdict: 1.02 times the best in nine cases
of ten and 1.08 in any, 92 to 98 % covered in nine of ten and 89 % in any. Exit code 1: it does not hold.
"""

import argparse
import sys

import numpy as np

import methods
import tables

RATIO, RATIO_MOST, SHARE = 1.02, 1.08, 0.9
COVERED, COVERED_LEAST = (0.92, 0.98), 0.89


def standardise(x, there):
    """The table by what is there of it: standardised, and the mean and deviation of the columns."""
    seen = np.where(there, x, np.nan)
    mean, deviation = np.nanmean(seen, axis=0), np.nanstd(seen, axis=0)
    deviation[~(deviation > 0)] = 1
    return (x - mean) / deviation, mean, deviation


def compare(program, x, pattern, seed, with_r, options):
    """{name: root mean square error}, share covered."""
    out = tables.take_out(x, pattern, seed)
    unit = x.std(axis=0)
    out[:, unit == 0] = False
    unit[unit == 0] = 1
    z, mean, deviation = standardise(x, ~out)

    def error(filled):
        return float(np.sqrt(np.mean((((filled - x) / unit)[out]) ** 2)))

    filled, sd = methods.scree(program, x, ~out, options)
    errors = {"scree": error(filled), "means": error(np.broadcast_to(mean, x.shape))}
    low = methods.soft_impute_validated(z, ~out, seed)
    errors["soft-impute"] = error(low * deviation + mean)
    for name, found in (methods.pca_methods(z, ~out, seed) if with_r else {}).items():
        errors[name] = error(found * deviation + mean)
    covered = float(np.mean((np.abs(filled - x) <= 1.96 * sd)[out]))
    return errors, covered


def judge(ratios, shares):
    ratios, shares = np.array(ratios), np.array(shares)
    low, high = COVERED
    good = (shares >= low) & (shares <= high)
    print(f"\n{np.mean(ratios <= RATIO):.0%} of the cases within {RATIO} of the best, at most {ratios.max():.3f}")
    print(f"{good.mean():.0%} cover {low:.0%} to {high:.0%}, at least {shares.min():.1%}, at most {shares.max():.1%}")
    holds = np.mean(ratios <= RATIO) >= SHARE and ratios.max() <= RATIO_MOST
    return holds and good.mean() >= SHARE and shares.min() >= COVERED_LEAST


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--masks", type=int, default=10)
    parser.add_argument("--tables", help="names, with commas between")
    parser.add_argument("--patterns", default=",".join(tables.PATTERNS))
    parser.add_argument("--others", action="store_true", help="tables that scree was not made with")
    parser.add_argument("--fit", default="", help="options for scree fit")
    parser.add_argument("--no-r", action="store_true", help="without pcaMethods")
    arguments = parser.parse_args()
    chosen = tables.OTHERS if arguments.others else tables.NAMED
    if arguments.tables:
        chosen = {n: {**tables.NAMED, **tables.OTHERS}[n] for n in arguments.tables.split(",")}
    with_r = not arguments.no_r and methods.has_pca_methods()
    names = ["scree", "soft-impute", "means"] + (["ppca", "bpca"] if with_r else [])
    print("table     missing  " + "".join(f"{n:>12}" for n in names) + "   ratio  covered", flush=True)
    ratios, shares = [], []
    for table, make in chosen.items():
        x = make()
        for pattern in arguments.patterns.split(","):
            found = [compare(arguments.program, x, pattern, seed, with_r, arguments.fit.split()) for seed in range(arguments.masks)]
            mean = {n: np.mean([e.get(n, np.inf) for e, _ in found]) for n in names}
            ratios.append(mean["scree"] / min(mean[n] for n in names[1:]))
            shares.append(np.mean([covered for _, covered in found]))
            line = "".join(f"{mean[n]:12.4f}" for n in names)
            print(f"{table:9} {pattern:8} {line}  {ratios[-1]:6.3f}  {shares[-1]:6.1%}", flush=True)
    sys.exit(0 if judge(ratios, shares) else 1)


if __name__ == "__main__":
    main()
