# SPDX-License-Identifier: BSD-3-Clause
"""No room asks which kind a model is: outside of src/kind nothing includes, names or compares a kind.

The kinds are the folders of src/kind. What is looked for, in code, strings, comments and the scripts of pages: an
include of kind/, the table of a kind or a function of its own (scree__kind_NAME, scree__NAME_...), its name as a
string, and its name or another word for it in a sentence. PCA is also what the whole library is about, and any basis
may be rotated, so that these words alone say nothing. The command that trains auto-encoders may speak of them, and a
computer may need no network.
"""

import os
import re

import tree

HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(HERE, "src", "kind")
KINDS = sorted(name for name in os.listdir(FOLDER) if os.path.isdir(os.path.join(FOLDER, name)))
ROOMS = ("src/", "cli/", "examples/")
ENDINGS = (".c", ".h", ".js", ".html", ".css")
ALLOWED = re.compile(r"src/kind/|cli/(cmd_)?autoencode\w*\.[ch]$")
COMMAND = re.compile(r"\s*X\(\w+\)")  # a line of the table of commands
EVERYDAY = ("pca", "rotated")  # words that stand everywhere
OTHER_WORDS = {"network": ["(?<![lL]inear )[aA]uto-?encod"]}

INCLUDE = re.compile(r'#\s*include\s*"kind/')
TABLE = re.compile(r"\bscree__(?:kind_)?(%s)(?:_\w+)?\b" % "|".join(KINDS))
LITERAL = re.compile(r"""["'](%s)["']""" % "|".join(KINDS))


def words(kind):
    """Patterns for a word by itself, and inside of a camelCase name."""
    either = f"[{kind[0]}{kind[0].upper()}]{kind[1:]}s?(?![a-z])"
    return [rf"(?<!\bno )(?<![a-zA-Z]){either}", rf"(?<=[a-z]){kind.capitalize()}"] + OTHER_WORDS.get(kind, [])


WORD = re.compile("|".join(word for kind in KINDS if kind not in EVERYDAY for word in words(kind)))


def check(line):
    if INCLUDE.search(line):
        return "includes a header of src/kind; ask model/kind.h"
    for pattern, what in ((TABLE, "names a part of the kind"), (LITERAL, "has the name of the kind")):
        found = pattern.search(line)
        if found:
            return f"{what} '{found.group(1)}'; ask what the model's kind can (scree_model_can)"
    found = WORD.search(line)
    if found and not COMMAND.match(line):
        return f"speaks of '{found.group()}'; what only one kind has belongs into src/kind"
    return None


def findings(top):
    for name in tree.files(top):
        if not name.startswith(ROOMS) or not name.endswith(ENDINGS) or ALLOWED.match(name):
            continue
        for number, line in enumerate((tree.read(top, name) or "").splitlines(), 1):
            sentence = check(line)
            if sentence:
                yield name, number, sentence


tree.tell(findings(tree.root()))
