#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs what README.md shows, and compares.

    tools/readme_check.py SCREE [--update]

Each block marked `console` holds command lines behind "$ " and what they print. They run in order, in a copy of
examples/ beside a link to data/, with the given scree. What depends on the machine may differ: times, numbers with a
negative exponent (bounds that come from rounding), and digits beyond the ninth. The block marked `c` must stand in
examples/fit_csv.c as it is. --update writes what was printed into README.md instead.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
README = os.path.join(TOP, "README.md")
BLOCK = re.compile(r"^```(console|c)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
VARYING = re.compile(r"\d(?:\.\d+)?e-\d+|[\d.]+ (?:µs|ms|s)\b")
LONG = re.compile(r"\d+\.\d{8,}")


def plain(text):
    """What must be equal: without what depends on the machine, the widths that follow from it, and last digits."""
    lines = [VARYING.sub("#", line) for line in text.splitlines()]
    return [" ".join(LONG.sub(lambda number: f"{float(number[0]):.9g}", line).split()) for line in lines]


def steps(block):
    """(command, expected output) in order; a command goes on in the next line after a backslash."""
    found, lines = [], block.splitlines()
    while lines:
        command = lines.pop(0)
        while command.endswith("\\"):
            command += "\n" + lines.pop(0)
        expected = []
        while lines and not lines[0].startswith("$ "):
            expected.append(lines.pop(0))
        found.append((command, expected))
    return found


def run(command, folder, scree):
    path = os.path.dirname(os.path.abspath(scree)) + os.pathsep + os.environ["PATH"]
    environment = {**os.environ, "PATH": path, "TERM": "dumb", "LC_ALL": "C.UTF-8", "SCREE_CACHE": "off"}
    pipe, both = subprocess.PIPE, subprocess.STDOUT
    shell = ["sh", "-c", command]
    return subprocess.run(shell, cwd=folder, env=environment, stdout=pipe, stderr=both, check=False).stdout.decode()


def check_console(block, folder, scree, findings):
    """The block as it should read."""
    text = ""
    for command, expected in steps(block):
        printed = run(command[2:], folder, scree)
        text += command + "\n" + printed
        if plain(printed) != plain("\n".join(expected)):
            findings.append(f"{command}\n--- README.md says\n" + "\n".join(expected) + f"\n--- scree says\n{printed}")
    return text


def main():
    scree, update = sys.argv[1], "--update" in sys.argv[2:]
    findings, counts = [], {"console": 0, "c": 0}
    with open(README, encoding="utf-8") as file:
        readme = file.read()
    with open(os.path.join(TOP, "examples", "fit_csv.c"), encoding="utf-8") as file:
        example = file.read()

    with tempfile.TemporaryDirectory() as box:
        folder = os.path.join(box, "examples")
        shutil.copytree(os.path.join(TOP, "examples"), folder)
        os.symlink(os.path.join(TOP, "data"), os.path.join(box, "data"))

        def check(match):
            kind, block = match.groups()
            counts[kind] += 1
            if kind == "console":
                block = check_console(block, folder, scree, findings)
            elif block not in example:
                findings.append("the block of C is not in examples/fit_csv.c")
            return f"```{kind}\n{block}```"

        should = BLOCK.sub(check, readme)
    if update:
        with open(README, "w", encoding="utf-8") as file:
            file.write(should)
    elif findings:
        sys.exit("\n".join(findings))
    elif not all(counts.values()):
        sys.exit("README.md has no block to check")
    else:
        print("README.md is true")


if __name__ == "__main__":
    main()
