# SPDX-License-Identifier: BSD-3-Clause
"""The map: scree beside scikit-learn over shapes, spectra, element types and numbers of components.

    map.py --bench PROGRAM [--json FILE] [--data FOLDER] [--cells REGEX] [--alone] [--quick] [--resume] [--prepare]
           [--limit SECONDS]

PROGRAM is scree_bench. Each table is made once and given to both programs; a cell is verified, then timed (duel.py). A
line a cell goes to standard output, then what the map is to show with pass or NO (verdict.py). FILE keeps the cells of
all runs, those that run again anew. --cells takes those whose GROUP/NAME matches (cells.py; heldout is a group);
--alone leaves out scikit-learn, --quick all but the defaults of both; --resume leaves out cells that FILE has; after --limit seconds no other cell begins;
--prepare finds the reference values and keeps them.
Exit code 1 when a cell failed or a true error is above its bound, 0 otherwise, whatever the ratios.
"""

import argparse
import json
import os
import platform
import signal
import sys
import tempfile
import time

THREADS = os.cpu_count() or 1
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = str(THREADS)  # before numpy comes, and for those that are started

import cells
import matrices
import verdict
import workers
from duel import Duel, Predictor
from reference_pairs import Reference


def seconds_text(value):
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def other_text(record, solver):
    found = record["sklearn"].get(solver, {})
    if "time" in found:
        return seconds_text(found["time"])
    return f">{found['cut']:.0f}" if "cut" in found else "–"


def cell_line(name, record):
    scree = record["scree"]
    text = f"{name:34s} {seconds_text(scree['time']):>7s} s {scree['solver']:10s} {scree['passes']:3d} passes"
    text += f", predicted {seconds_text(record['predicted'])}"
    if "time" in record["tight"]:
        text += f"; tol 1e-8 {seconds_text(record['tight']['time'])}"
    for method, found in record["methods"].items():
        text += f"; {method} {seconds_text(found['time']) if 'time' in found else '–'}"
    if record["sklearn"]:
        auto = record["sklearn"]["auto"]
        text += f" | auto ({auto.get('solver', '?')}) {other_text(record, 'auto')}"
        text += "".join(f", {s} {other_text(record, s)}" for s in record["sklearn"] if s not in ("auto", auto.get("solver")))
        text += f" | {verdict.ratio(record) or 0:.2f}x"
    return text + ("".join(f"\n    BROKEN {b}" for b in record["broken"]))


class Map:
    def __init__(self, options):
        self.options = options
        self.begun = time.monotonic()
        self.scree = workers.scree(options.bench, options.data, THREADS)
        self.sklearn = None if options.alone else workers.scikit_learn()
        self.predictor = Predictor()
        self.kept = {"cells": {}}
        self.ran = {}
        self.failed = False
        if os.path.exists(options.json):
            with open(options.json, encoding="utf-8") as file:
                self.kept = json.load(file)

    def is_over(self):
        return self.options.limit and time.monotonic() - self.begun > self.options.limit

    def wanted(self):
        for table, found in cells.chosen(self.options.cells):
            if self.options.resume:
                found = [cell for cell in found if cell.name not in self.kept["cells"]]
            if found:
                yield table, found

    def selected(self):
        """Cells of this run and, when it went on with another, of that."""
        names = [cell.name for _, found in cells.chosen(self.options.cells) for cell in found]
        known = self.kept["cells"] if self.options.resume else self.ran
        return {name: known[name] for name in names if name in known}

    def save(self):
        conditions = {"cores": THREADS, "processor": processor(), "scree": self.scree.about.split("\t")}
        if self.sklearn and self.sklearn.about:
            conditions["sklearn"] = self.sklearn.about.split("\t")
        self.kept["conditions"] = {**self.kept.get("conditions", {}), **conditions}
        self.kept["cells"].update(self.ran)
        part = self.options.json + ".part"
        with open(part, "w", encoding="utf-8") as file:
            json.dump(self.kept, file, indent=1)
        os.replace(part, self.options.json)

    def run_table(self, table, found, folder):
        path = os.path.join(folder, table.name + ".npy")
        x = matrices.write(table, path)
        kept = os.path.join(self.options.data, "map", table.name + ".npz")
        most = min(max(cell.k for cell in found) + 1, *x.shape)
        reference = Reference(x, most, kept)
        if self.options.prepare:
            os.remove(path)
            return
        self.scree.hold(path, x.offset, table.type, table.rows, table.cols)
        if self.sklearn:
            self.sklearn.hold(path)
        for cell in found:
            if self.is_over():
                break
            self.run_cell(cell, path, reference)
        os.remove(path)

    def run_cell(self, cell, path, reference):
        try:
            record = Duel(cell, path, reference, (self.scree, self.sklearn), self.predictor,
                          self.options.quick).run()
        except (workers.Failed, workers.TooLong) as problem:
            print(f"{cell.name}: FAILED {problem!r}", flush=True)
            self.failed = True
            return
        self.ran[cell.name] = record
        print(cell_line(cell.name, record), flush=True)
        self.save()

    def run(self):
        os.makedirs(os.path.join(self.options.data, "map"), exist_ok=True)
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        with tempfile.TemporaryDirectory(prefix="scree-map-", dir=memory) as folder:
            for table, found in self.wanted():
                if self.is_over():
                    break
                try:
                    self.run_table(table, found, folder)
                except FileNotFoundError as problem:
                    print(f"{table.name}: left out, {problem}", flush=True)
                except ArithmeticError as problem:
                    print(f"{table.name}: FAILED {problem}", flush=True)
                    self.failed = True
        for worker in (self.scree, self.sklearn):
            if worker:
                worker.stop()


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return next((line.split(": ")[1].strip() for line in file if line.startswith("model name")), platform.machine())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", required=True, help="the program scree_bench")
    parser.add_argument("--json", default="build/bench-map.json")
    parser.add_argument("--data", default="build/bench-data", help="folder for reference values that are kept")
    parser.add_argument("--cells", default=None, help="regular expression")
    parser.add_argument("--alone", action="store_true", help="without scikit-learn")
    parser.add_argument("--quick", action="store_true", help="both programs with their defaults, and no more")
    parser.add_argument("--prepare", action="store_true", help="reference values only")
    parser.add_argument("--resume", action="store_true", help="cells that the file has not")
    parser.add_argument("--limit", type=float, default=0, help="seconds after which no cell begins")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the tables are removed then too
    run = Map(options)
    run.run()
    if run.ran:
        print(f"\n{len(run.ran)} cells in {time.monotonic() - run.begun:.0f} s; {'; '.join(run.kept['conditions']['scree'])}; "
              f"{'; '.join(run.kept['conditions'].get('sklearn', []))}; {THREADS} threads")
        print(*verdict.lines(run.selected()), sep="\n")
    sys.exit(1 if run.failed or any(record["broken"] for record in run.ran.values()) else 0)


main()
