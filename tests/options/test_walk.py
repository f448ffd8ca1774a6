#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""No option is silently ignored: every option that help knows, of every command and of every kind of picture, changes what a
command prints or writes, or is refused with a sentence. What each is tried with is in entries.py; an option without an entry
fails. It needs pictures.

    SCREE=build/release/scree tests/options/test_walk.py [-v] [COMMAND...]
"""

import concurrent.futures
import os
import re
import sys
import tempfile

import entries
import walk
from entries import Mends, Refused, Same


def entry_of(command, option):
    return entries.ENTRIES.get(f"{command} {option}") or entries.ENTRIES.get(f"* {option}")


def judge(runner, entry, base_line):
    """What is wrong with an option, or None."""
    base, wrong = runner.base(base_line)
    line = f"{base_line} {entry.words}"
    run = runner.run(line)
    if isinstance(entry, Mends):
        return None if base.code == 1 and run.code == 0 else f"'{line}' ends with {run.code}, and {base.code} without its option"
    if wrong and not isinstance(entry, Refused):
        return wrong
    changed = run.seen() != base.seen()
    if isinstance(entry, Same):
        return f"'{line}' prints or writes something else: {run.message()}" if changed else None
    if isinstance(entry, Refused):
        is_good = run.is_refusal() and not run.is_wrong_value() and entry.part in run.message()
        return None if is_good else f"'{line}' ends with {run.code}, and does not say '{entry.part}': {run.message()}"
    if run.is_wrong_value():
        return f"'{line}' has a value that is none: {run.message()}"
    return None if changed else f"'{line}' does the same without its option"


def commands(runner, wanted):
    """(what is tried, a call that judges it) for every option of every command."""
    for command in walk.commands():
        if wanted and command not in wanted or command == "plot":
            continue
        for option in walk.options_of(command):
            entry = entry_of(command, option)
            name = f"{command} --{option}"
            if command not in entries.BASES:
                yield name, lambda command=command: f"there is no base for scree {command}; add one to entries.py"
            elif not entry:
                yield name, lambda: "it has no entry; add one to entries.py"
            else:
                base = (entry.base or "{base}").format(base=entries.BASES[command], command=command)
                yield name, lambda entry=entry, base=base: judge(runner, entry, base)


def judge_picture(runner, kind, option, entry, base):
    wrong = judge(runner, entry, base)
    run = runner.run(f"{base} {entry.words}")
    refusal = rf"--{option} is for --kind .*, and a picture of kind {kind} does not use it|--kind {kind} (needs|draws)"
    if run.is_refusal() and re.search(refusal, run.message()):
        return None
    return wrong


def pictures(runner):
    """The same for every kind of picture."""
    for kind in walk.choices_of("plot", "kind"):
        rows = "" if kind in entries.OF_MODEL else "in/rows.csv "
        for option in walk.options_of("plot"):
            entry = entries.KINDS.get(f"{kind} {option}") or entries.PICTURE.get(option) or entry_of("plot", option)
            name = f"plot --kind {kind} --{option}"
            if not entry:
                yield name, lambda: "it has no entry; add one to entries.py"
                continue
            images = "in/images.idx" if rows else ""
            shown = f"plot in/m.scree {rows}--kind {kind}"
            base = (entry.base or "{base}").format(base=f"{shown} -o p.svg", shown=shown, images=images, kind=kind)
            yield name, lambda k=kind, o=option, e=entry, b=base: judge_picture(runner, k, o, e, b)


def idle(runner):
    """Options where they have nothing to act on: refused, or listed with the reason why not."""
    for line, tries in entries.IDLE.items():
        base = line.format(**entries.BASES)
        for entry in tries:
            yield f"{base} {entry.words}", lambda e=entry, b=base: judge(runner, e, b)


def main(arguments):
    loud = "-v" in arguments
    wanted = [word for word in arguments if word != "-v"]
    failed = tried = 0
    with tempfile.TemporaryDirectory() as box, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runner = walk.Runner(entries.make_inputs(walk.SCREE, box))
        cases = list(commands(runner, wanted))
        if not wanted or "plot" in wanted:
            cases += list(pictures(runner))
        if not wanted or "idle" in wanted:
            cases += list(idle(runner))
        for (name, _), wrong in zip(cases, pool.map(lambda case: case[1](), cases)):
            tried += 1
            failed += wrong is not None
            if wrong or loud:
                print(f"{name}: {wrong or 'good'}")
    print(f"{tried} options tried, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
