# SPDX-License-Identifier: BSD-3-Clause
"""What bench/map/verdict.py says of cells: all is well of good ones, and each fault makes its own line a NO."""

import copy
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "map"))
import verdict


def good_cell():
    def solver(time, eigh=0.0):
        return {"time": time, "solver": "randomized", "residual": 1e-2, "captured": 10.0, "eigh": eigh}

    found = {"time": 1.0, "solver": "covariance", "residual": 1e-3, "captured": 10.0}
    return {
        "group": "issue", "rows": 4000, "cols": 1000, "type": "f8", "k": 999, "quick": False, "broken": [],
        "scree": found, "tight": dict(found), "predicted": 1.2, "standard_error": 0.1,
        "methods": {"lanczos": {"time": 1.5}, "svd": {"cut": 2.0}},
        "sklearn": {"auto": solver(3.0), "full": {"cut": 30.0}, "covariance_eigh": solver(1.2, 0.8), "arpack": solver(2.0),
                    "randomized": solver(3.0)},
    }  # fmt: skip


def failed(cell):
    """The lines that are a NO, by their first words."""
    return {line.text.split(":")[0] for line in verdict.lines({"cell": cell}) if not line.good}


def expect(what, beginning, *changes):
    """Just the line with that beginning turns to NO when the values at these places are set."""
    cell = copy.deepcopy(good_cell())
    for *path, last, value in changes:
        at = cell
        for name in path:
            at = at[name]
        at[last] = value
    found = failed(cell)
    if beginning is None and not found:
        return
    if beginning is None or not found or not all(text.startswith(beginning) for text in found):
        raise SystemExit(f"{what}: {sorted(found) or 'all passed'}")


def main():
    expect("a good cell", None)
    expect("the same call of LAPACK may be 0.85", None, ("sklearn", "covariance_eigh", "time", 0.9))
    expect("another call may not", "1  tol 1e-8 against covariance_eigh", ("sklearn", "covariance_eigh", "time", 0.9),
           ("sklearn", "covariance_eigh", "eigh", 0.3))
    expect("slower than arpack", "1  tol 1e-8 against arpack", ("sklearn", "arpack", "time", 0.9))
    expect("slower than the default", "1  ", ("sklearn", "auto", "time", 0.9))
    expect("not fast enough in the mean", "1  geometric mean", ("sklearn", "auto", "time", 2.0))
    expect("bytes less than twice as fast", "1  ", ("type", "u1"), ("sklearn", "auto", "time", 1.9))
    expect("randomized with larger residuals is no rival", None, ("sklearn", "randomized", "time", 0.9))
    expect("with smaller ones it is", "1  defaults against randomized", ("sklearn", "randomized", "time", 0.9),
           ("sklearn", "randomized", "residual", 1e-4))
    expect("predicted too short", "2  predicted", ("predicted", 0.4))
    expect("predicted too long", "2  predicted", ("predicted", 2.1))
    expect("another method is better", "2  chosen method at most 1.3", ("methods", "lanczos", "time", 0.7))
    expect("far better", "2  chosen method", ("methods", "lanczos", "time", 0.4))
    expect("a broken promise", "3  ", ("broken", ["component 1: residual 2, bound 1"]))
    expect("too little variance", "   variance", ("scree", "captured", 9.98))
    expect("little less variance", None, ("scree", "captured", 9.995))


main()
