# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command on a terminal of its own and copies what it prints: python3 on_terminal.py COMMAND [ARGUMENT ...]

Ends with 77 where the system has no terminal to give, as in a container without /dev/pts.
"""

import os
import pty
import sys

try:
    child, terminal = pty.fork()
except OSError as error:
    print(f"skipped: no terminal can be opened here: {error.strerror or error}")
    sys.exit(77)
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
while True:
    try:
        data = os.read(terminal, 65536)
    except OSError:  # how Linux says that the other end is closed
        break
    if not data:
        break
    sys.stdout.buffer.write(data)
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
