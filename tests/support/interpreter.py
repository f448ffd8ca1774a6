# SPDX-License-Identifier: BSD-3-Clause
"""A Python that has what a test compares with: the one that runs it, the one that SCREE_PYTHON names, or the one in
build/tools, where tools/setup puts such packages. The test starts itself again with it.

Wants $SRC (the repository).
"""

import importlib.util
import os
import sys

TOOLS = os.path.join(os.environ["SRC"], "build", "tools", "bin", "python")
TRIED = "SCREE_PYTHON_TRIED"  # the interpreters that are behind us, in the environment of the next


def skip(sentence):
    print(f"skipped: {sentence}")
    sys.exit(77)


def need(word, *modules):
    """Goes on with an interpreter that has the modules, or ends with 77: tools/setup WORD installs them."""
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    tried = os.environ.get(TRIED, "").split(os.pathsep)
    for other in (os.environ.get("SCREE_PYTHON"), TOOLS):
        if missing and other and os.path.exists(other) and other not in tried:
            os.execve(other, [other, *sys.argv], {**os.environ, TRIED: os.pathsep.join([*tried, other])})
    if missing:
        skip(f"{missing[0]} is not installed; tools/setup {word} installs it where it can be had")
