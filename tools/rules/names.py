# SPDX-License-Identifier: BSD-3-Clause
"""What the documents name exists: paths in the repository, tests, and public functions, where they stand in backticks.

Words with capitals in them (`src/fit/NAME.c`) are patterns and left alone, and so is CHANGELOG.md, which names what was.
"""

import os
import re

import tree

QUOTED = re.compile(r"`([^`\n]+)`")
ROOMS = ("src", "cli", "tests", "tools", "docs", "examples", "data", "include", "cmake", "bench")
HEADERS = ("include/scree.h", "include/scree_view.h", "include/scree_mpi.h")
PATH = re.compile(r"(?:%s)/[a-z0-9_./-]+" % "|".join(ROOMS))
TEST = re.compile(r"test_[a-z0-9_]+")
PUBLIC = re.compile(r"scree_[a-z0-9_]+")
INTERNAL = re.compile(r"scree__[a-z0-9_]+")


def documents(top):
    names = [name for name in tree.files(top) if name.endswith(".md") and name != "CHANGELOG.md"]
    return [name for name in names if name.split("/")[0] in ("docs", name)]


def words(text):
    """(line number, word in backticks); blocks of code are not looked at."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            for word in QUOTED.findall(line):
                yield number, word


def findings(top):
    names = tree.files(top)
    stems = {os.path.splitext(os.path.basename(name))[0] for name in names}
    header = "".join(tree.read(top, name) for name in HEADERS if name in names)
    code = "".join(tree.read(top, name) for name in tree.c_files(top, "src"))
    for document in documents(top):
        for number, word in words(tree.read(top, document)):
            if PATH.fullmatch(word) and not os.path.exists(os.path.join(top, word)):
                yield document, number, f"names {word}, which is not there"
            elif TEST.fullmatch(word) and word not in stems:
                yield document, number, f"names the test {word}, which is not there"
            elif INTERNAL.fullmatch(word) and not re.search(rf"\b{word}\b", code):
                yield document, number, f"names {word}, which is not in src/"
            elif PUBLIC.fullmatch(word) and not INTERNAL.fullmatch(word) and not re.search(rf"\b{word}\b", header):
                yield document, number, f"names {word}, which is not in scree.h, scree_view.h or scree_mpi.h"


tree.tell(findings(tree.root()))
