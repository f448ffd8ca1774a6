#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every allocation of every command fails once: the command ends with exit code 1 and one sentence about memory, or its result
is the same to the last byte. Nothing is half-written, nothing is left behind, nothing hangs, nothing leaks. Run by ctest with
some of the points; SCREE_PROVE=full tries all of them, each alone and each with all that come after.

    SCREE=build/release/scree tests/faults/test_memory.py build/release/tests/libfault.so [-v] [CASE...]

It needs pictures.
"""

import sys

import points

REASON = r"memory|allocate"


if __name__ == "__main__":
    sys.exit(points.main(("memory",), {"memory": REASON}))
