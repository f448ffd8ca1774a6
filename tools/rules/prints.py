# SPDX-License-Identifier: BSD-3-Clause
"""What the command says to people passes one filter: in cli/ only cli_print prints what is not a literal.

fputs and fputc are fine with literals, and with the sequences of cli_bold; a terminal is asked what it can show. Man pages and completions are made of the
texts of the tables alone, and are not for a terminal.
"""

import re

import tree

FILTER = "cli/print.c"
OWN_TEXTS = ("cli/help_man.c", "cli/help_completion.c")
BYTES = ("cli/json.c", "cli/demo_files.c")  # JSON that is escaped there; files of the demo
CALLS = re.compile(r"\b(v?f?printf|puts|perror|putchar|fputs|fputc|putc|fwrite|dprintf|write)\s*\(")
LITERAL = {"putchar": "'", "fputs": '"', "fputc": "'"}


def findings(top):
    for name in tree.c_files(top, "cli"):
        if name == FILTER or name in OWN_TEXTS:
            continue
        text = tree.read(top, name)
        for call in CALLS.finditer(tree.code(text)):
            verb = call.group(1)
            given = text[call.end():].lstrip()
            literal = given.startswith((LITERAL.get(verb, "\0"), "cli_bold(", "STDOUT_FILENO, question"))
            if not literal and not (verb == "fwrite" and name in BYTES):
                number = text.count("\n", 0, call.start()) + 1
                yield name, number, f"calls {verb}; what people read is printed by cli_print, which makes it visible"


tree.tell(findings(tree.root()))
