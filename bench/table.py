#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables of the documents of a run of the benchmark, or of runs of some cases each on the same machine.

    bench/table.py [--readme] [--docs] [JSON...]

JSON is what `make bench` leaves in build/bench.json. --readme puts the comparisons that have a target into README.md,
--docs all of them into docs/bench.md, in place of what stands between <!-- bench --> and <!-- /bench -->. With neither
both tables are printed.
"""

import argparse
import json
import os
import re

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BETWEEN = re.compile(r"(<!-- bench -->\n).*?(<!-- /bench -->)", re.DOTALL)


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
    rule = ["---" if name in ("what", "beside", "floor") else "---:" for name in head]
    return "".join("| " + " | ".join(line) + " |\n" for line in [head, rule, *lines])


def conditions(run):
    machine = run["machine"]
    text = (
        f"{machine['cores']} cores of an {machine['processor']}, {machine['threads']} threads on both sides; GEMM "
        f"{machine['flops_f32'] * 1e-9:.0f} Gflop/s in float and {machine['flops_f64'] * 1e-9:.0f} in double, products of "
        f"bytes {machine['byte_ops'] * 1e-9:.0f} Gop/s, copy {machine['copy_bytes'] * 1e-9:.1f} GB/s. scree "
        f"{run['scree']}; beside: {run['beside']}. Medians of at most {run['repeats']} runs, both sides in turn."
    )
    if run["shrink"] != 1:
        text += f" A trial: with 1/{run['shrink']} of the rows."
    return text


def readme(run):
    lines = [
        [case["what"], time_of(case, "scree"), case["other"], time_of(case, "other_time"), ratio(case), target(case)]
        for case in run["cases"]
        if "at_most" in case and "ratio" in case
    ]
    return rows(["what", "scree", "beside", "its time", "ratio", "is to be ≤"], lines) + "\n" + conditions(run) + "\n"


def docs(run):
    head = ["what", "scree", "predicted", "floor", "errors", "beside", "its time", "ratio", "is to be ≤", "its errors"]
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


def put(name, table):
    path = os.path.join(TOP, name)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not BETWEEN.search(text):
        raise SystemExit(f"{name} has no place between <!-- bench --> and <!-- /bench -->")
    with open(path, "w", encoding="utf-8") as file:
        file.write(BETWEEN.sub(lambda found: f"{found[1]}{table}{found[2]}", text))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--readme", action="store_true", help="write README.md")
    parser.add_argument("--docs", action="store_true", help="write docs/bench.md")
    parser.add_argument("json", nargs="*", default=[os.path.join(TOP, "build", "bench.json")])
    options = parser.parse_args()
    run = joined(options.json)
    if options.readme:
        put("README.md", readme(run))
    if options.docs:
        put("docs/bench.md", docs(run))
    if not options.readme and not options.docs:
        print(readme(run) + "\n" + docs(run), end="")


main()
