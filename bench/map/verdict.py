# SPDX-License-Identifier: BSD-3-Clause
"""What the map is to show, a line each, with pass or NO; and the ratios that the pictures and tables are made of."""

import math

SAME_CALL = 0.85  # least ratio where both spend most of the time in the same call of LAPACK
TIGHT = ("full", "covariance_eigh", "arpack")  # solvers that go as far as their numbers let them
TOLERANCE = 1e-8  # residual over eigenvalue that scree is asked for beside them
WORST = 8  # cells named in a line


def theirs(record, solver):
    """Seconds that a solver took, at least; None where it did not run."""
    found = record["sklearn"].get(solver, {})
    return found.get("time") or found.get("cut")


def ratio(record):
    """Times that scree is faster than scikit-learn, both with their defaults."""
    seconds = theirs(record, "auto")
    return seconds / record["scree"]["time"] if seconds else None


def is_same_call(record, solver):
    least = min(record["rows"], record["cols"])
    return (
        solver == "covariance_eigh"
        and record["sklearn"][solver].get("eigh", 0) > 0.5
        and 2 * record["k"] >= least
        and record["tight"]["solver"] in ("covariance", "gram")
    )


def reaches(record, solver):
    """Whether its true residuals are those that scree is asked for beside it; a solver that was ended might have."""
    found = record["sklearn"][solver]
    return found.get("residual", 0) <= max(record["tight"]["residual"], TOLERANCE)


def equals(record):
    """(solver, whether it reaches the residuals that scree is compared at, ratio, least ratio)."""
    for solver in TIGHT:
        seconds = theirs(record, solver)
        if seconds and "time" in record["tight"]:
            least = SAME_CALL if is_same_call(record, solver) else 1.0
            yield solver, reaches(record, solver), seconds / record["tight"]["time"], least
    quick = record["sklearn"].get("randomized", {})
    if quick.get("time") and quick["residual"] <= record["scree"]["residual"]:
        yield "randomized", True, quick["time"] / record["scree"]["time"], 1.0


def issue_least(record):
    return 2.0 if record["type"] == "u1" or (record["rows"], record["cols"]) == (200, 100000) else 1.0


def loss(record):
    """Time of the chosen method over that of the best, and the best one."""
    times = {name: found["time"] for name, found in record["methods"].items() if "time" in found}
    times[record["scree"]["solver"]] = record["scree"]["time"]
    best = min(times, key=times.get)
    return record["scree"]["time"] / times[best], best


def misprediction(record):
    quotient = record["predicted"] / record["scree"]["time"]
    return max(quotient, 1 / quotient)


def shortfall(record):
    """Variance that scree captures less than scikit-learn's default, in standard errors of the last eigenvalue."""
    auto = record["sklearn"].get("auto", {})
    return (auto["captured"] - record["scree"]["captured"]) / record["standard_error"] if "captured" in auto else None


class Line:
    def __init__(self, text, good, detail=""):
        self.text, self.good, self.detail = text, good, detail

    def __str__(self):
        return f"{'pass' if self.good else 'NO  '}  {self.text}" + (f": {self.detail}" if self.detail else "")


def name_worst(found):
    """found: (badness, words)."""
    return "; ".join(words for _, words in sorted(found, reverse=True)[:WORST])


def share_line(text, values, most, share):
    """At most `most` in so large a share of the cells. values: (value, name)."""
    above = [(value, f"{name} {value:.2f}") for value, name in values if value > most]
    inside = 1 - len(above) / len(values)
    return Line(f"{text}: {100 * inside:.0f} % of {len(values)} cells", inside >= share, name_worst(above))


def default_lines(cells):
    ratios = {name: ratio(r) for name, r in cells.items() if ratio(r)}
    if not ratios:
        return
    below = [(1 / value, f"{name} {value:.2f}") for name, value in ratios.items() if value < 1]
    yield Line(f"1  defaults against auto at least 1.0 in all {len(ratios)} cells: {len(below)} below", not below,
               name_worst(below))
    mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
    yield Line(f"1  geometric mean at least 2.5: {mean:.2f}", mean >= 2.5)


def equal_lines(cells):
    for solver in (*TIGHT, "randomized"):
        for reached in (True, False):
            found = [(value, least, name) for name, r in cells.items() for s, equal, value, least in equals(r)
                     if s == solver and equal == reached]
            below = [(least / value, f"{name} {value:.2f}" + (" of 0.85" if least < 1 else ""))
                     for value, least, name in found if value < least]
            what = "tol 1e-8" if solver in TIGHT else "defaults"
            where = "its residuals are as small" if reached else "its residuals are larger"
            if found:
                yield Line(f"1  {what} against {solver} at least 1.0 (0.85 in the same LAPACK call) where {where}, "
                           f"{len(found)} cells: {len(below)} below", not below, name_worst(below))


def issue_lines(cells):
    found = [(name, ratio(r), issue_least(r)) for name, r in cells.items() if r["group"] == "issue" and ratio(r)]
    below = [(least / value, f"{name} {value:.2f} of {least:.0f}") for name, value, least in found if value < least]
    if found:
        yield Line(f"1  the {len(found)} rows of the issue at least 1.0, bytes and 200x100000 2.0: {len(below)} below", not below,
                   name_worst(below))


def lines(cells):
    """All that can be said of these cells."""
    yield from default_lines(cells)
    yield from equal_lines(cells)
    yield from issue_lines(cells)
    named = list(cells.items())
    yield share_line("2  predicted against true time within 2", [(misprediction(r), n) for n, r in named], 2, 0.9)
    losses = [(loss(r)[0], f"{n} {r['scree']['solver']} for {loss(r)[1]}") for n, r in named if not r["quick"]]
    if losses:
        yield share_line("2  chosen method at most 1.3 of the best", losses, 1.3, 0.9)
        yield share_line("2  chosen method at most 2 of the best", losses, 2, 1)
    broken = [(1, f"{name}, {text}") for name, r in named for text in r["broken"]]
    yield Line(f"3  true errors below their bounds in all {len(named)} cells, every fit", not broken, name_worst(broken))
    short = [(shortfall(r), n) for n, r in named if shortfall(r) is not None]
    if short:
        yield share_line("   variance captured at most 0.1 standard errors below", short, 0.1, 1)
