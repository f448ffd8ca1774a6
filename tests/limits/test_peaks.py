#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every command keeps the limit of --memory, or, where it may, refuses in a sentence: the peak of its resident memory, as the system
counts it for the process, is at most 1.1 times the limit. Run by ctest with a few of the cases; SCREE_PROVE=full runs every
command on three sizes of data with three limits, and prints the table.

    SCREE=build/release/scree SCREE_PROVE=full tests/limits/test_peaks.py [COMMAND...]

It needs pictures. A forked child counts the memory of this program until it becomes the command: some 14 MiB are the least
that is measured.
"""

import os
import subprocess
import sys
import tempfile

MEBIBYTE = 1 << 20
MOST = 1.1
SIZES = {"small": (300, 12), "medium": (20000, 60), "large": (150000, 60)}
LIMITS = (40, 100, 400)
SAMPLE = {("fit", "medium", 40), ("report", "medium", 40), ("plot", "medium", 40), ("em", "medium", 40), ("score", "medium", 40),
          ("report", "small", 100), ("compress", "medium", 100), ("select", "medium", 40),
          ("salvage", "medium", 40), ("info", "medium", 40), ("labels", "medium", 40)}
# What may be refused, as it needs more than 40 MiB; everything else has to be done.
NEEDY = ("fit", "fit all", "svd", "em", "online", "plan", "select", "autoencode", "compress", "explore", "plot", "outliers", "monitor",
         "labels", "report")
REFUSABLE = {(command, size, 40) for command in NEEDY for size in ("medium", "large")} | {
    ("cells", "large", 40), ("compress", "small", 40)}

# What is run, as words; {data}, {gaps}, {model}, {archive}, {labels} and {mtx} are files of a size, {out} a name to write to.
COMMANDS = {
    "fit": "fit {data} -k 5 -o {out}.scree",
    "fit all": "fit {data} -k all --scale unit -o {out}.scree",
    "svd": "fit {data} -k 1 --solver svd -o {out}.scree",
    "em": "fit {gaps} -k 3 --tol 0.1 -o {out}.scree",
    "online": "fit {gaps} -k 3 --online -o {out}.scree",
    "cells": "fit {mtx} -k 2 --tol 0.1 -o {out}.scree",
    "plan": "plan {data} -k 5",
    "select": "select {data} --max 8",
    "autoencode": "autoencode {data} --code 2 --hidden 8 --epochs 2 -o {out}.scree",
    "convert": "convert {data} -o {out}.npy",
    "convert csv": "convert {npy} -o {out}.csv",
    "compress": "compress {data} -o {out}.screez",
    "decompress": "decompress {archive} -o {out}.npy",
    "salvage": "decompress {archive} --salvage -o {out}.npy",
    "info": "info {archive}",
    "score": "score {model} {data} -o {out}.csv",
    "why": "score {model} {data} --why 3 -o {out}.csv",
    "project": "project {model} {data} -o {out}.npy",
    "loadings": "loadings {model} {data} --training -o {out}.csv",
    "reconstruct": "reconstruct {model} --data {data} -o {out}.npy",
    "impute": "impute {model} {gaps} -o {out}.csv",
    "posterior": "posterior {model} {data} -o {out}.csv",
    "sample": "sample {model} -n 50000 -o {out}.csv",
    "explore": "explore {model} {data} --row 1 -n 20000 -o {out}.csv",
    "plot": "plot {model} {data} --kind embedding -o {out}.png",
    "scree plot": "plot {model} -o {out}.svg",
    "outliers": "plot {model} {data} --kind outliers -o {out}.svg",
    "monitor": "plot {model} {data} --kind monitor -o {out}.svg",
    "labels": "plot {model} {data} --labels {labels} -o {out}.png",
    "report": "report {model} {data} -o {out}.html",
}


def write_csv(path, rows, cols, gaps):
    """Rows of four factors and noise, without a library; every eleventh cell is empty where there are gaps."""
    state = 12345
    with open(path, "w", encoding="ascii") as file:
        file.write(",".join(f"c{j + 1}" for j in range(cols)) + "\n")
        for i in range(rows):
            cells = []
            for j in range(cols):
                state = (1103515245 * state + 12345) & 0x7FFFFFFF
                value = (i * (j % 4 + 1)) % 97 / 9.7 + (state >> 16) % 1000 / 500
                cells.append("" if gaps and (i + 7 * j) % 11 == 0 else f"{value:.3f}")
            file.write(",".join(cells) + "\n")


def write_mtx(path, rows, cols):
    """One cell in five."""
    cells = [(i, j) for i in range(rows) for j in range(cols) if (i + 3 * j) % 5 == 0]
    with open(path, "w", encoding="ascii") as file:
        file.write(f"%%MatrixMarket matrix coordinate real general\n{rows} {cols} {len(cells)}\n")
        for i, j in cells:
            file.write(f"{i + 1} {j + 1} {(i * (j % 4 + 1)) % 97 / 9.7 + (i * i + j) % 13 / 10:.3f}\n")


def measure(command, folder):
    """Peak resident memory in bytes, exit code and what was said on standard error."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(write_end, 2)
        os.chdir(folder)
        os.execv(command[0], command)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as said:
        text = said.read().decode(errors="replace").strip()
    _, status, usage = os.wait4(child, 0)
    return usage.ru_maxrss * 1024, os.waitstatus_to_exitcode(status), text


def make_inputs(scree, folder, sizes):
    for name in sizes:
        rows, cols = SIZES[name]
        paths = {kind: os.path.join(folder, f"{name}.{kind}") for kind in ("csv", "gaps.csv", "mtx")}
        write_csv(paths["csv"], rows, cols, False)
        write_csv(paths["gaps.csv"], rows, cols, True)
        write_mtx(paths["mtx"], rows, cols)
        with open(os.path.join(folder, f"{name}.labels.csv"), "w", encoding="ascii") as file:
            file.write("label\n" + "".join(f"{i % 7}\n" for i in range(rows)))
        for words in (f"fit {name}.csv -k 4 -o {name}.scree", f"convert {name}.csv -o {name}.npy",
                      f"compress {name}.csv -o {name}.screez"):
            subprocess.run([scree] + words.split() + ["-q"], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def run(scree, folder, command, size, limit):
    """The line of the table, and whether it is as it should be."""
    names = {"data": f"{size}.csv", "gaps": f"{size}.gaps.csv", "npy": f"{size}.npy", "model": f"{size}.scree",
             "archive": f"{size}.screez", "mtx": f"{size}.mtx", "labels": f"{size}.labels.csv", "out": "out"}
    words = COMMANDS[command].format(**names).split() + ([] if command == "info" else ["-q"])
    peak, code, said = measure([scree] + words + ["--memory", f"{limit}M"], folder)
    share = peak / (limit * MEBIBYTE)
    refused = code == 1 and "memory" in said and said.count("\n") == 0
    fine = share <= MOST and (code == 0 or refused and (command, size, limit) in REFUSABLE)
    verdict = "refused" if refused else "done" if code == 0 else f"exit {code}"
    line = f"{command:12} {size:7} {limit:5} {peak / MEBIBYTE:8.1f} {share:6.2f}  {verdict}{'' if fine else '  FAILED'}"
    return (line + (f"\n    {said}" if code != 0 and (not refused or '-v' in sys.argv) else "")), fine


def main():
    scree = os.path.abspath(os.environ["SCREE"])
    with open(scree, "rb") as file:
        if any(mark in file.read() for mark in (b"__asan_init", b"__tsan_init")):
            print("skipped: sanitizers keep memory that was freed")
            return 77
    full = os.environ.get("SCREE_PROVE") == "full"
    wanted = [word for word in sys.argv[1:] if word != "-v"]
    cases = [(command, size, limit) for command in COMMANDS for size in SIZES for limit in LIMITS
             if (full or (command, size, limit) in SAMPLE) and (not wanted or command in wanted)]
    good = 0
    with tempfile.TemporaryDirectory() as folder:
        make_inputs(scree, folder, sorted({size for _, size, _ in cases}))
        print(f"{'command':12} {'size':7} {'limit':>5} {'peak':>8} {'ratio':>6}  (MiB)")
        for case in cases:
            line, fine = run(scree, folder, *case)
            good += fine
            print(line, flush=True)
    print(f"{good} of {len(cases)} keep the limit")
    return 0 if good == len(cases) else 1


if __name__ == "__main__":
    sys.exit(main())
