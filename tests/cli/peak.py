# SPDX-License-Identifier: BSD-3-Clause
"""The peak memory of a command in KiB, on standard output: peak.py COMMAND ARGUMENT... Its own output is dropped."""

import os
import sys

child = os.fork()
if child == 0:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
