# SPDX-License-Identifier: BSD-3-Clause
"""Which points of which commands are tried, and the table of what came of it."""

import os
import sys
import tempfile

import cases
import runs

MOST = 12  # findings that are printed for one command
# Of a quick run: every point up to the first number, then every so many-th, and so many of them at most.
DENSE, STEP, MOST_QUICK = 12, 29, 40
MOST_POINTS = 4000  # of one command; of more, evenly spaced ones


def chosen(count, full):
    if full:
        return range(1, count + 1, 1 + count // MOST_POINTS)
    step = max(STEP, count // MOST_QUICK)
    return [n for n in range(1, count + 1) if n <= DENSE or n % step == 0]


class Tally:
    """What came of the points of one command."""

    def __init__(self):
        self.tried = self.failed = self.same = 0
        self.findings = []


def try_point(server, good, tally, kind, at, after, reason):
    outcome = server.run(kind, at, after)
    if outcome.failed > 0:
        note(tally, outcome, good, kind, at, after, reason)


def note(tally, outcome, good, kind, at, after, reason):
    tally.tried += 1
    tally.failed += outcome.code == 1
    tally.same += outcome.code == 0
    finding = runs.judge(outcome, good, reason)
    if finding:
        tally.findings.append((kind, at, after, finding, outcome))


def try_case(server, kinds, reasons, full):
    tally = Tally()
    good = server.run()
    again = server.run()
    if good.code != 0 or not runs.same_files(good.files, again.files):
        raise RuntimeError(f"exit {good.code} where nothing fails: {good.err.decode(errors='replace')}")
    if "ENOSPC" in kinds and good.out:
        outcome = server.run_full()
        note(tally, outcome, good, "full output", 0, False, reasons["ENOSPC"])
        if outcome.code == 0:
            tally.findings.append(("full output", 0, False, "exit 0 on a full disk", outcome))
    for kind in kinds:
        count = server.run(kind, 0).points
        for at in chosen(count, full):
            try_point(server, good, tally, kind, at, False, reasons[kind])
            if kind not in ("EINTR", "short") and (full or at % 3 == 0):
                try_point(server, good, tally, kind, at, True, reasons[kind])
    return tally


def show(tally, build):
    """One example of each finding and place."""
    groups = {}
    for kind, at, after, finding, outcome in tally.findings:
        groups.setdefault((kind, finding, runs.name_trace(outcome.trace, build)), []).append((at, after, outcome))
    for (kind, finding, trace), found in list(groups.items())[:None if "-v" in sys.argv else MOST]:
        at, after, outcome = found[0]
        print(f"    {kind} {at}{' and after' if after else ''} ({outcome.call}): {finding}; {len(found)} points")
        said = outcome.err.decode(errors="replace").strip().replace("\n", "\n        ")
        if said:
            print(f"        {said}")
        print(f"        {trace}")
    if len(groups) > MOST and "-v" not in sys.argv:
        print(f"    and {len(groups) - MOST} other places")


def main(kinds, reasons):
    scree, library = os.path.abspath(os.environ["SCREE"]), os.path.abspath(sys.argv[1])
    build = os.path.dirname(scree)
    full = os.environ.get("SCREE_PROVE") == "full"
    given = [word for word in sys.argv[2:] if not word.startswith("-")]
    wanted = [name for name in cases.read_cases() if (not given or name in given) and (full or given or name not in cases.LONG)]
    kinds = [kind for kind in kinds if not os.environ.get("KIND") or kind in os.environ["KIND"].split(",")]
    wrong = tried = 0
    print(f"{'command':20} {'points':>7} {'exit 1':>7} {'same':>7} {'wrong':>6}")
    with tempfile.TemporaryDirectory() as inputs:
        cases.make_inputs(scree, inputs)
        for name in wanted:
            case = cases.read_cases()[name]
            load = os.path.join(build, "libscree-view.so") if name.startswith(cases.DRAWS) else ""
            server = runs.Server(scree, library, case, inputs, load)
            tally = try_case(server, kinds, reasons, full)
            server.close()
            print(f"{name:20} {tally.tried:7} {tally.failed:7} {tally.same:7} {len(tally.findings):6}", flush=True)
            show(tally, build)
            wrong += len(tally.findings)
            tried += tally.tried
    print(f"{tried} points of {len(wanted)} commands tried, {wrong} wrong")
    return 1 if wrong else 0
