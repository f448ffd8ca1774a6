# SPDX-License-Identifier: BSD-3-Clause
"""Functions have at most 80 lines, signature included; C files at most 500, and 1800 the public header, the manual.

clang-format puts the braces of a function, and of nothing else, alone at the start of a line: that is how functions are
found. Their signature goes back to the last line that is blank or ends something else.
"""

import re

import tree

FUNCTION_LINES = 80
FILE_LINES = 500
MANUAL = "include/scree.h"
MANUAL_LINES = 1800
ENDS_SOMETHING = re.compile(r"^\s*$|^#|[;}]\s*$|\*/\s*$")


def functions(lines):
    """(first, last) line numbers of each function, from 0."""
    start = None
    for number, line in enumerate(lines):
        if line.rstrip() == "{":
            start = number
            while start > 0 and not ENDS_SOMETHING.search(lines[start - 1]):
                start -= 1
        elif line.startswith("}") and start is not None:
            yield start, number
            start = None


def findings(top):
    for name in tree.c_files(top):
        text = tree.read(top, name)
        lines = text.splitlines()
        most = MANUAL_LINES if name == MANUAL else FILE_LINES
        if len(lines) > most:
            yield name, len(lines), f"the file has {len(lines)} lines, {most} at most: split it"
        for first, last in functions(tree.code(text).splitlines()):
            count = last - first + 1
            if count > FUNCTION_LINES:
                yield name, first + 1, f"the function has {count} lines, {FUNCTION_LINES} at most: split it"


tree.tell(findings(tree.root()))
