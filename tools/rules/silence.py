# SPDX-License-Identifier: BSD-3-Clause
"""The library never prints, exits or aborts: src/ calls nothing that does, and does not know stderr.

stdout is allowed as the place where a sink writes when its path is "-".
"""

import re

import tree

CALLS = re.compile(
    r"\b(v?printf|puts|putchar|perror|psignal|v?warnx?|v?errx?|syslog|exit|_exit|_Exit|quick_exit|abort|assert|raise)\s*\("
)
STREAM = re.compile(r"\bstderr\b")


def findings(top):
    for name in tree.c_files(top, "src"):
        for number, line in enumerate(tree.code(tree.read(top, name)).splitlines(), 1):
            for call in CALLS.finditer(line):
                yield name, number, f"calls {call.group(1)}; the library returns a status and fills a scree_error"
            if STREAM.search(line):
                yield name, number, "uses stderr; the library returns a status and fills a scree_error"


tree.tell(findings(tree.root()))
