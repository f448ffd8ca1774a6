# SPDX-License-Identifier: BSD-3-Clause
"""What the rules share: the files of a tree, C text without comments and strings, and how findings are told.

A rule is a script beside this one: `python3 tools/rules/NAME.py [ROOT]` prints `file:line: sentence` for each finding
and ends with 1 when there is one. ROOT is the repository when it is not given; tests give a small tree of their own.
"""

import os
import re
import subprocess
import sys

NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def root():
    here = os.path.dirname(os.path.abspath(__file__))
    return sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(here))


def files(top):
    """Paths relative to top: what git knows or would add; every file where there is no repository."""
    if os.path.exists(os.path.join(top, ".git")):
        command = ["git", "-C", top, "ls-files", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    else:
        names = [os.path.relpath(os.path.join(folder, name), top) for folder, _, found in os.walk(top) for name in found]
    return sorted(name for name in set(names) if os.path.isfile(os.path.join(top, name)))


def c_files(top, *folders):
    """The C files, all or those under the folders."""
    names = [name for name in files(top) if name.endswith((".c", ".h"))]
    return [name for name in names if not folders or name.startswith(tuple(f + "/" for f in folders))]


def read(top, name):
    """The text of a file; None when it is not text."""
    with open(os.path.join(top, name), "rb") as file:
        data = file.read()
    try:
        return None if b"\0" in data else data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def code(text):
    """The text with comments, strings and characters blanked out; lines stay where they are."""
    return NOT_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def tell(findings):
    """Prints (file, line, sentence) each and ends the program."""
    count = 0
    for name, line, sentence in findings:
        print(f"{name}:{line}: {sentence}")
        count += 1
    sys.exit(1 if count else 0)
