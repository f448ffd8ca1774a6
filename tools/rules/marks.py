# SPDX-License-Identifier: BSD-3-Clause
"""Every file of code names its licence in its first two lines; nothing is left as a note to do later."""

import os
import re

import tree

SPDX = "SPDX-License-Identifier: BSD-3-Clause"
LATER = re.compile(r"\b(?:TO" r"DO|FIX" r"ME)\b")
CODE_ENDINGS = (".c", ".h", ".py", ".sh", ".cmake", ".supp")
CODE_NAMES = ("Makefile", "CMakeLists.txt")


def is_code(name, text):
    return name.endswith(CODE_ENDINGS) or os.path.basename(name) in CODE_NAMES or text.startswith("#!")


def findings(top):
    for name in tree.files(top):
        text = tree.read(top, name)
        if text is None:
            continue
        lines = text.splitlines()
        if is_code(name, text) and not any(SPDX in line for line in lines[:2]):
            yield name, 1, f"has no line '{SPDX}' at its top"
        for number, line in enumerate(lines, 1):
            if LATER.search(line):
                yield name, number, "leaves work for later; do it, or open an issue"


tree.tell(findings(tree.root()))
