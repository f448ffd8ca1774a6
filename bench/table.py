#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables of the documents of a run of the benchmark, or of runs of some cases each on the same machine.

    bench/table.py [--docs] [JSON...]

JSON is what `make bench` leaves in build/bench.json. --docs puts a few comparisons and then all of them into docs/bench.md,
in place of what stands between <!-- summary --> and <!-- /summary -->, and between <!-- bench --> and <!-- /bench -->.
Without it both tables are printed.
"""

import argparse
import json
import os
import re

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(TOP, "docs", "bench.md")
HEADLINES = (  # what the summary shows: how the texts of a case and of what it is compared with begin
    ("fit of bytes", "scikit-learn, covariance_eigh"),
    ("lanczos fit, 20000×20000 f32", "scikit-learn, randomized"),
    ("CSV to model", "polars"),
    ("the command, NPY", "scikit-learn, IncrementalPCA"),
    ("score, 10⁶×100 f64, M = 10", "scikit-learn"),
    ("fit with gaps", "pcaMethods"),
)


def number(value):
    """Three digits, never as a power of ten."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.{max(0, 2 - exponent(value))}f}"


def exponent(value):
    return int(f"{value:e}".split("e")[1])


def amount(value, unit):
    if unit != "s":
        return f"{number(value)} {unit}"
    return f"{number(value)} s" if value >= 1 else f"{number(1000 * value)} ms"


def target(case):
    if "at_most" not in case:
        return "–"
    if "at_least" in case:
        return f"{number(case['at_least'])} to {number(case['at_most'])}"
    return number(case["at_most"])


def ratio(case):
    """With what a target makes of it."""
    if "ratio" not in case:
        return "not compared"
    return number(case["ratio"]) + (", missed" if case.get("met") is False else "")


def errors(case, name):
    found = case.get(name)
    return f"{found['residual']:.0e}, {found['eigenvalue']:.0e}" if found else "–"


def time_of(case, name):
    return amount(case[name], case["unit"]) if name in case else "–"


def rows(head, lines):
    rule = ["---" if name in ("what", "compared with", "floor") else "---:" for name in head]
    return "".join("| " + " | ".join(line) + " |\n" for line in [head, rule, *lines])


def conditions(run):
    machine = run["machine"]
    text = (
        f"{machine['cores']} cores of an {machine['processor']}, {machine['threads']} threads on both sides; GEMM "
        f"{machine['flops_f32'] * 1e-9:.0f} Gflop/s in float and {machine['flops_f64'] * 1e-9:.0f} in double, products of "
        f"bytes {machine['byte_ops'] * 1e-9:.0f} Gop/s, copy {machine['copy_bytes'] * 1e-9:.1f} GB/s. scree "
        f"{run['scree']}; compared with {run['beside']}. Medians of at most {run['repeats']} runs, both sides in turn."
    )
    if run["shrink"] != 1:
        text += f" A trial: with 1/{run['shrink']} of the rows."
    return text


def is_headline(case):
    texts = case["what"], case.get("other", "")
    return "ratio" in case and any(all(map(str.startswith, texts, begins)) for begins in HEADLINES)


def summary(run):
    lines = [
        [case["what"], time_of(case, "scree"), case["other"], time_of(case, "other_time"), f"{number(1 / case['ratio'])}×"]
        for case in run["cases"]
        if is_headline(case)
    ]
    machine = run["machine"]
    return (rows(["what", "scree", "compared with", "its time", "scree is faster by"], lines) +
            f"\nMeasured with {machine['threads']} threads on {machine['cores']} cores of an {machine['processor']}.\n")


def docs(run):
    head = ["what", "scree", "predicted", "floor", "errors", "compared with", "its time", "ratio", "target ≤", "its errors"]
    lines = [
        [
            case["what"] + (f" ({case['note']})" if case["note"] else ""),
            time_of(case, "scree"),
            time_of(case, "predicted"),
            f"{time_of(case, 'floor')}, {case['floor_of']}" if "floor" in case else "–",
            errors(case, "errors"),
            case.get("other", "–"),
            time_of(case, "other_time"),
            ratio(case),
            target(case),
            errors(case, "other_errors"),
        ]
        for case in run["cases"]
    ]
    left_out = "".join(f"\nLeft out: {text}.\n" for text in run["left_out"])
    return conditions(run) + "\n\n" + rows(head, lines) + left_out


def joined(paths):
    """The cases of all runs, under the conditions of the first."""
    runs = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            runs.append(json.load(file))
    for other in runs[1:]:
        runs[0]["cases"] += other["cases"]
        runs[0]["left_out"] += other["left_out"]
    return runs[0]


def put(text, mark, table):
    between = re.compile(rf"(<!-- {mark} -->\n).*?(<!-- /{mark} -->)", re.DOTALL)
    if not between.search(text):
        raise SystemExit(f"docs/bench.md has no place between <!-- {mark} --> and <!-- /{mark} -->")
    return between.sub(lambda found: f"{found[1]}{table}{found[2]}", text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--docs", action="store_true", help="write docs/bench.md")
    parser.add_argument("json", nargs="*", default=[os.path.join(TOP, "build", "bench.json")])
    options = parser.parse_args()
    run = joined(options.json)
    if not options.docs:
        print(summary(run) + "\n" + docs(run), end="")
        return
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(put(put(text, "summary", summary(run)), "bench", docs(run)))


main()
