#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every call that touches a file fails once, in each way that it can: interrupted and short ones change nothing; full disks,
errors of the device and too many open files end the command with exit code 1 and one sentence that names the file and the
reason, or do not matter. Threads that cannot be started, likewise. Run by ctest with some of the points; SCREE_PROVE=full
tries all of them.

    SCREE=build/release/scree tests/faults/test_files.py build/release/tests/libfault.so [-v] [CASE...]

It needs pictures.
"""

import sys

import points

NEVER = r"(?!)"  # nothing matches: the command must succeed
REASONS = {
    "EIO": r"Input/output error",
    "ENOSPC": r"disk is full|No space left",
    "EMFILE": r"Too many open files",
    "EINTR": NEVER,
    "short": NEVER,
    "thread": r"thread",
}


if __name__ == "__main__":
    sys.exit(points.main(tuple(REASONS), REASONS))
