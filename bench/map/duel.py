# SPDX-License-Identifier: BSD-3-Clause
"""One cell: everybody fits once and is verified, then those that are quick run in turn.

scree fits with its defaults, with the tolerance 1e-8 (left out where that gives the same bits), and by each of its other
methods that applies; scikit-learn by its default and by each of its other solvers. A run of a second or more counts as
it is; of shorter ones the first only warms up, and the median of 3 or 5 counts. scikit-learn is ended after 30 s,
another method of scree after a second, or twice what the best one took. A solver that is sure to take longer, by what it took
in other cells, is not tried.
"""

import os
import statistics

import numpy

from reference_pairs import Errors, broken_promises
from workers import Failed, TooLong

SOLVERS = ("auto", "full", "covariance_eigh", "arpack", "randomized")
CUT = 30.0  # seconds for a solver of scikit-learn
HOPELESS = 1.5 * CUT  # predicted seconds that are not tried
PATIENCE = 600.0  # for scree's own choice: it is to be seen how slow it is
TOLERANCE = 1e-8
MOST_BYTES = 6e9  # of a D×D matrix
NOTED = 3  # broken promises that are kept of a fit


def repeats_of(seconds, is_main):
    """How often to run again."""
    return 0 if seconds >= 1 else 5 if is_main and seconds < 0.2 else 3


class Side:
    """One of those that fit the cell: once returns seconds and what else is known of the run."""

    def __init__(self, once, limit, record, is_main):
        self.once = once
        self.limit = limit
        self.is_main = is_main  # one whose ratio is the cell's
        self.record = record  # of the cell, where times go
        self.repeats = 0

    def first(self, result):
        """The verified run; whether there is a result."""
        try:
            seconds, facts = self.once(result, self.limit)
        except TooLong:
            self.record["cut"] = self.limit
            return False
        except Failed as problem:
            self.record["failed"] = str(problem)
            return False
        self.record.update(facts, runs=[seconds])
        self.repeats = repeats_of(seconds, self.is_main)
        return True

    def again(self, turn):
        if turn < self.repeats:
            seconds, _ = self.once("-", PATIENCE)
            self.record["runs"] = self.record["runs"][turn == 0 :] + [seconds]

    def finish(self):
        if "runs" in self.record:
            self.record["time"] = statistics.median(self.record["runs"])


class Predictor:
    """Seconds that a solver of scikit-learn will take, from the cell nearest to it in work."""

    RATES = {"full": 2.2e-10, "covariance_eigh": 1e-11, "arpack": 7e-9, "randomized": 1.1e-9}  # until it has run

    def __init__(self):
        self.seen = {}

    @staticmethod
    def work(solver, cell):
        n, d, k = cell.table.rows, cell.table.cols, cell.k
        return {
            "full": n * d * min(n, d),
            "covariance_eigh": n * d * d + 9 * d**3,
            "arpack": n * d * k,
            "randomized": n * d * (k + 10),
        }[solver]

    def seconds(self, solver, cell):
        work = self.work(solver, cell)
        seen = self.seen.get((solver, cell.table.type))
        if not seen:
            return work * self.RATES[solver]
        known, seconds = min(seen, key=lambda pair: abs(numpy.log(pair[0] / work)))
        return seconds * work / known

    def learn(self, solver, cell, seconds):
        if seconds > 0.05:
            self.seen.setdefault((solver, cell.table.type), []).append((self.work(solver, cell), seconds))


def read_result(path, cols):
    numbers = numpy.fromfile(path)
    os.remove(path)
    m = len(numbers) // (6 + cols)
    names = ("values", "residuals", "bounds", "angles", "first", "last")
    found = {name: numbers[i * m : (i + 1) * m] for i, name in enumerate(names)}
    found["components"] = numbers[6 * m :].reshape(m, cols)
    return found


class Duel:
    def __init__(self, cell, path, reference, programs, predictor, is_quick):
        self.cell = cell
        self.is_quick = is_quick  # both programs with their defaults, and no more
        self.table = cell.table
        self.source = path if cell.table.source == "file" else "memory"
        self.path = path
        self.reference = reference
        self.scree, self.sklearn = programs
        self.predictor = predictor
        self.sides = []
        self.record = {
            "group": self.table.group, "rows": self.table.rows, "cols": self.table.cols, "type": self.table.type,
            "spectrum": self.table.spectrum, "source": self.table.source, "k": cell.k, "k_name": cell.k_name,
            "quick": is_quick, "broken": [], "methods": {}, "sklearn": {},
        }  # fmt: skip

    def scree_side(self, solver, tolerance, limit, record):
        def once(result, most):
            answer = self.scree.ask("fit", self.source, solver, tolerance, self.cell.k, result, limit=most)
            return float(answer[0]), {"solver": answer[1], "passes": int(answer[2]), "converged": answer[3] == "1"}

        return Side(once, limit, record, solver == "-")

    def sklearn_side(self, solver, record):
        def once(result, most):
            seconds, taken, share = self.sklearn.ask("fit", self.source, solver, self.cell.k, result, limit=most)
            return float(seconds), {"solver": taken, "eigh": float(share)}

        return Side(once, CUT, record, solver == "auto")

    def judge(self, record, values, components):
        errors = Errors(self.reference, values, components)
        record.update(residual=errors.residual, value=errors.value, captured=errors.captured)
        return errors

    def run_scree(self, name, solver, tolerance, limit, record):
        """The first run of one way to fit with scree, verified; its result, or None."""
        side = self.scree_side(solver, tolerance, limit, record)
        path = self.path + ".result"
        if not side.first(path):
            return None
        result = read_result(path, self.table.cols)
        errors = self.judge(record, result["values"], result["components"])
        broken = broken_promises(self.reference, errors, result)
        self.record["broken"] += [f"{name}: {text}" for text in broken[:NOTED]]
        self.sides.append(side)
        return result

    def run_sklearn(self, solver, record):
        side = self.sklearn_side(solver, record)
        path = self.path + ".npz"
        if side.first(path):
            with numpy.load(path) as found:
                self.judge(record, found["values"] * (self.table.rows - 1) / self.table.rows, found["components"])
            os.remove(path)
            self.sides.append(side)

    def hopeless(self, solver):
        """Why a solver is not tried, or None."""
        n, d = self.table.rows, self.table.cols
        if solver == "arpack" and self.cell.k >= min(n, d):
            return "it needs fewer components than there are"
        if solver == "covariance_eigh" and 8.0 * d * d > MOST_BYTES:
            return f"it needs {8e-9 * d * d:.0f} GB for the covariance"
        seconds = self.predictor.seconds(solver, self.cell)
        return f"predicted to take {seconds:.0f} s" if seconds > HOPELESS else None

    def all_of_sklearn(self):
        found = self.record["sklearn"]
        found["auto"] = {}
        self.run_sklearn("auto", found["auto"])
        taken = found["auto"].get("solver")
        if self.is_quick:
            return
        for solver in SOLVERS[1:]:
            if solver == taken:
                found[solver] = found["auto"]
                continue
            found[solver] = {}
            reason = self.hopeless(solver)
            if reason:
                found[solver]["skipped"] = reason
            else:
                self.run_sklearn(solver, found[solver])
        for solver in SOLVERS[1:]:
            if "runs" in found[solver] or "cut" in found[solver]:
                self.predictor.learn(solver, self.cell, found[solver].get("cut") or found[solver]["runs"][0])

    def plan(self):
        """What the planner says; names of the methods that it did not choose."""
        entries = [entry.split() for entry in self.scree.ask("plan", self.source, "-", 0, self.cell.k, limit=60)]
        self.record["predicted"] = next(float(e[4]) for e in entries if e[2] == "1")
        self.record["plan"] = {e[0]: float(e[4]) for e in entries if e[1] == "1"}
        others = [e[0] for e in entries if e[1] == "1" and e[2] == "0"]
        return sorted(others, key=self.record["plan"].get)

    def all_of_scree(self):
        others = self.plan()
        self.record["scree"] = {}
        default = self.run_scree("default", "-", 0, PATIENCE, self.record["scree"])
        if default is None:
            raise Failed(f"{self.cell.name}: {self.record['scree']}")
        self.record["tight"] = {}
        if self.is_quick:
            return
        tight = self.run_scree("tol 1e-8", "-", TOLERANCE, PATIENCE, self.record["tight"])
        if tight and all(numpy.array_equal(default[name], tight[name]) for name in default):
            self.record["tight"] = self.record["scree"]
            self.sides.pop()
        best = self.record["scree"]["runs"][0]
        for solver in others:
            found = self.record["methods"][solver] = {}
            self.run_scree(solver, solver, 0, max(1.0, 2 * best), found)
            best = min(best, found["runs"][0]) if "runs" in found else best

    def run(self):
        """The cell's record."""
        self.all_of_scree()
        if self.sklearn:
            self.all_of_sklearn()
        for turn in range(max(side.repeats for side in self.sides)):
            for side in self.sides:
                side.again(turn)
        for side in self.sides:
            side.finish()
        last = max(self.reference.values[self.cell.k - 1], 1e-10 * self.reference.values[0])  # it may be 0
        self.record["standard_error"] = float(last * numpy.sqrt(2 / self.table.rows))
        return self.record
