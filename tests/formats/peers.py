# SPDX-License-Identifier: BSD-3-Clause
"""What tests of formats share: the command, and a Python that has the format's own library."""

import os
import subprocess
import sys

sys.path.append(os.path.join(os.environ["SRC"], "tests", "support"))
from interpreter import need  # noqa: E402, F401

SCREE = os.environ.get("SCREE", "")
failures = []


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
