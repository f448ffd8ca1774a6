#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a refusal says is enough, is enough: a command that is refused for its --memory names an amount, and with that amount it
runs. Every command is tried with limits from 1 KiB up; SCREE_PROVE=full takes more of them, and larger data. What a reader refuses
may need more once its rows are used, which the sentence says: there the amount is doubled until it is enough.

    SCREE=build/release/scree tests/limits/test_advice.py [COMMAND...]

It needs pictures.
"""

import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from test_peaks import COMMANDS, make_inputs, measure  # noqa: E402

LIMITS = ("1K", "9M", "20M", "25M")
MORE = ("1K", "1M", "4M", "9M", "12M", "16M", "20M", "24M", "28M", "34M", "40M")
# Beside those of test_peaks.py.
FURTHER = {
    "auto": "fit {data} -k auto -o {out}.scree",
    "fit gaps": "fit {gaps} -o {out}.scree",
    "bootstrap": "fit {data} -k 2 --bootstrap 40 -o {out}.scree",
    "select gaps": "select {gaps}",
    "select mtx": "select {mtx}",
    "select npy": "select {npy}",
    "plan gaps": "plan {gaps}",
    "convert mtx": "convert {mtx} -o {out}.csv",
    "score npy": "score {model} {npy} -o {out}.npy",
    "score gaps": "score {model} {gaps} -o {out}.csv",
    "impute sd": "impute {model} {gaps} --sd {out}2.csv -o {out}.csv",
    "reconstruct codes": "reconstruct {model} {codes} -o {out}.csv",
    "report labels": "report {model} {data} --labels {labels} -o {out}.html",
    "biplot": "plot {model} {data} --kind biplot -o {out}.svg",
}
UNITS = {"bytes": "", "KiB": "K", "MiB": "M", "GiB": "G"}


def advised(said):
    """The amount that a refusal asks for, as --memory takes it; None when it names none. It is the last one before what is to
    be done: "needs 26 MiB, or 30 MiB if values are missing; allow that much"."""
    found = re.findall(r"([0-9.]+) (bytes|KiB|MiB|GiB)", said.rpartition(";")[0])
    return found[-1][0] + UNITS[found[-1][1]] if found else None


def quiet(words):
    return [] if words[0] == "info" else ["-q"]


def twice(amount):
    number = amount.rstrip("KMGT")
    return f"{2 * float(number):g}{amount[len(number):]}"


def follow(scree, folder, words, limit):
    """What is wrong with the advice that a command gives under a limit; None when nothing is."""
    _, code, said = measure([scree] + words + quiet(words) + ["--memory", limit], folder)
    if code == 0:
        return None
    if code != 1 or "memory" not in said:
        return f"exit {code}: {said}"
    amount = advised(said)
    if not amount:
        return f"names no amount: {said}"
    if "alone need" in said and "allow more than that" in said:  # a reader does not know what is done with its rows
        return follow(scree, folder, words, twice(amount))
    _, again, more = measure([scree] + words + quiet(words) + ["--memory", amount], folder)
    return None if again == 0 else f"{said}\n    with {amount}: exit {again}: {more}"


def make_more(scree, folder, names):
    subprocess.run([scree, "project", names["model"], names["data"], "-q", "-o", names["codes"]], cwd=folder, check=True)


def main():
    scree = os.path.abspath(os.environ["SCREE"])
    full = os.environ.get("SCREE_PROVE") == "full"
    wanted = sys.argv[1:]
    tried = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        sizes = ("small", "medium") if full else ("small",)
        make_inputs(scree, folder, sizes)
        for size in sizes:
            names = {"data": f"{size}.csv", "gaps": f"{size}.gaps.csv", "npy": f"{size}.npy", "model": f"{size}.scree",
                     "archive": f"{size}.screez", "mtx": f"{size}.mtx", "codes": f"{size}.codes.csv",
                     "labels": f"{size}.labels.csv", "out": "out"}
            make_more(scree, folder, names)
            for command, line in {**COMMANDS, **FURTHER}.items():
                for limit in (MORE if full else LIMITS) if not wanted or command in wanted else ():
                    problem = follow(scree, folder, line.format(**names).split(), limit)
                    tried += 1
                    wrong += problem is not None
                    if problem:
                        print(f"{command}, {size}, {limit}: {problem}", flush=True)
    print(f"{tried} limits tried, {wrong} times with wrong advice")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
