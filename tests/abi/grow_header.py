#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Copies the public headers, with every struct that begins with its size one field longer.

    tests/abi/grow_header.py FROM TO

It is the header of a later version: what a program compiled today must be able to run with. Prints how many structs grew,
and fails when one that callers fill does not begin with its size.
"""

import os
import re
import sys

STRUCT = re.compile(r"^typedef struct (scree_[a-z]\w*) \{\n(.*?)^\} \1;", re.DOTALL | re.MULTILINE)
FIXED = {"scree_error"}  # promised never to grow


def grow(match):
    name, body = match.groups()
    if name in FIXED:
        return match.group()
    if not body.startswith("    size_t size;\n"):
        sys.exit(f"{name} does not begin with its size")
    return f"typedef struct {name} {{\n{body}    uint64_t of_a_later_version[3];\n}} {name};"


def main():
    source, target = sys.argv[1:3]
    os.makedirs(target, exist_ok=True)
    count = 0
    for name in sorted(os.listdir(source)):
        with open(os.path.join(source, name), encoding="utf-8") as file:
            text, found = STRUCT.subn(grow, file.read())
        count += found
        with open(os.path.join(target, name), "w", encoding="utf-8") as file:
            file.write(text)
    print(f"{count} structs, all but {len(FIXED)} longer")


if __name__ == "__main__":
    main()
