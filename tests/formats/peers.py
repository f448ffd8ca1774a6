# SPDX-License-Identifier: BSD-3-Clause
"""What tests of formats share: the command, and a Python that has the format's own library. That is this one, or the one
that SCREE_PYTHON names; where neither has it, the test is skipped.
"""

import importlib
import os
import subprocess
import sys

SCREE = os.environ.get("SCREE", "")
failures = []


def need(*modules):
    """Goes on with an interpreter that has the modules, or says that there is none."""
    try:
        for module in modules:
            importlib.import_module(module)
    except ImportError as missing:
        other = os.environ.get("SCREE_PYTHON")
        if other and not os.environ.get("SCREE_PYTHON_TRIED"):
            os.environ["SCREE_PYTHON_TRIED"] = "1"
            os.execv(other, [other, *sys.argv])
        print(f"skipped: {missing.name} is not installed here; SCREE_PYTHON may name a python that has it")
        sys.exit(77)


def scree(*words, stdin=None, code=0):
    """Runs the command; returns what it prints, output and errors."""
    done = subprocess.run([SCREE, *map(str, words)], input=stdin, capture_output=True, check=False)
    if done.returncode != code:
        check(False, f"scree {' '.join(map(str, words))}: exit {done.returncode}: {done.stderr.decode()}")
    return done.stdout, done.stderr.decode()


def check(holds, what):
    if not holds:
        failures.append(what)
        print("failed:", what)


def finish():
    print("failed" if failures else "all as expected")
    sys.exit(1 if failures else 0)
