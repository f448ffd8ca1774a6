#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs every command that README.md and the pages of docs/ show.

    tools/docs_check.py SCREE [--update] [PAGE...]

The first word after the three backticks says what a block holds:

    console   command lines after "$ ", each followed by what it prints; that is compared
    sh        command lines; each must exit with 0
    console needs NAME   the same, where the module NAME is there (`scree version`); elsewhere it stays as it is
    sh no-run (REASON)   commands that no test can run: they need root, the network, minutes, or other data
    c         a piece of one of examples/*.c
    python    parsed, not run
    python from FILE     a piece of that file of examples/, which a test runs

The commands of a page run in order in a folder of their own: a copy of examples/, with data/ beside it. What depends on
the machine may differ: times and their ratios, numbers with a negative exponent (bounds that come from rounding), and
digits beyond the ninth. --update writes what was printed into the pages.

The table of formats in docs/data.md has every extension that a reader or a writer is known by.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NO_RUN = re.compile(r"sh no-run \(.+\)")
VARYING = re.compile(r"\d(?:\.\d+)?e-\d+|[\d.]+ (?:µs|ms|s)\b|[\d.]+(?=× slower)")
LONG = re.compile(r"\d+\.\d{8,}")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def comparable(text):
    """Lines without what depends on the machine, the widths that follow from it, and last digits."""
    lines = [VARYING.sub("#", line) for line in text.splitlines()]
    return [" ".join(LONG.sub(lambda number: f"{float(number[0]):.9g}", line).split()) for line in lines]


def take_command(lines):
    """Takes one command off the lines; it goes on in the next line after a backslash."""
    command = lines.pop(0)
    while command.endswith("\\"):
        command += "\n" + lines.pop(0)
    return command


class Page:
    """One page, the folder that its commands run in, and what was found wrong."""

    def __init__(self, name, scree, box):
        self.name, self.findings = name, []
        self.folder = os.path.join(box, "examples")
        shutil.copytree(os.path.join(TOP, "examples"), self.folder)
        os.symlink(os.path.join(TOP, "data"), os.path.join(box, "data"))
        path = os.path.dirname(os.path.abspath(scree)) + os.pathsep + os.environ["PATH"]
        self.environment = {**os.environ, "PATH": path, "TERM": "dumb", "LC_ALL": "C.UTF-8", "SCREE_CACHE": "off"}

    def run(self, command):
        """(exit code, what was printed)"""
        done = subprocess.run(["sh", "-c", command], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout.decode()

    def has(self, module):
        """Whether this scree has that module."""
        return f"\nwith {module}: " in self.run("scree version")[1]

    def check_console(self, block):
        """The block as it should read."""
        text, lines = "", block.splitlines()
        while lines:
            command, expected = take_command(lines), []
            while lines and not lines[0].startswith("$ "):
                expected.append(lines.pop(0))
            printed = self.run(command.removeprefix("$ "))[1]
            text += command + "\n" + printed
            if comparable(printed) != comparable("\n".join(expected)):
                self.findings.append(f"{command}\n--- {self.name} says\n" + "\n".join(expected) +
                                     f"\n--- printed was\n{printed}")
        return text

    def check_shell(self, block):
        lines = block.splitlines()
        while lines:
            command = take_command(lines)
            code, printed = self.run(command)
            if code != 0:
                self.findings.append(f"{command}\n--- ended with {code}\n{printed}")

    def check_c(self, block):
        if not any(block in read(path) for path in glob.glob(os.path.join(TOP, "examples", "*.c"))):
            self.findings.append("a block of C is in none of examples/*.c")

    def check_piece(self, block, name):
        path = os.path.join(TOP, "examples", name)
        if not os.path.exists(path) or block not in read(path):
            self.findings.append(f"a block of Python is not in examples/{name}")

    def check_python(self, block):
        try:
            compile(block, self.name, "exec")
        except SyntaxError as error:
            self.findings.append(f"a block of Python: {error}")

    def check(self, match):
        """The block as it should read."""
        kind, block = match.groups()
        if kind.startswith("console needs ") and not self.has(kind.split()[-1]):
            return match[0]
        if kind == "console" or kind.startswith("console needs "):
            block = self.check_console(block)
        elif kind == "sh":
            self.check_shell(block)
        elif kind == "c":
            self.check_c(block)
        elif kind == "python":
            self.check_python(block)
        elif kind.startswith("python from "):
            self.check_piece(block, kind.removeprefix("python from "))
        elif not NO_RUN.fullmatch(kind):
            self.findings.append(f"a block is marked '{kind}': it is to be console, sh, sh no-run (REASON), c, python or "
                                 "python from FILE")
        return f"```{kind}\n{block}```"


def check_page(name, scree, update):
    """What was found wrong."""
    path = os.path.join(TOP, name)
    text = read(path)
    with tempfile.TemporaryDirectory() as box:
        page = Page(name, scree, box)
        should = BLOCK.sub(page.check, text)
    if update and should != text:
        with open(path, "w", encoding="utf-8") as file:
            file.write(should)
    return [f"{name}: {finding}" for finding in page.findings]


def all_pages():
    docs = [os.path.relpath(path, TOP) for path in glob.glob(os.path.join(TOP, "docs", "*.md"))]
    return ["README.md", *sorted(docs)]


def formats_left_out():
    page = read(os.path.join(TOP, "docs", "data.md"))
    for name in sorted(glob.glob(os.path.join(TOP, "src", "data", "*.c"))):
        for words in re.findall(r"_extensions\[\] = \{([^}]*)\}", read(name)):
            for extension in re.findall(r'"([^"]+)"', words):
                if f"`.{extension}`" not in page and extension != "triplets":
                    yield f"docs/data.md: the table of formats has no .{extension}, which {os.path.basename(name)} knows"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scree", help="the command to run")
    parser.add_argument("--update", action="store_true", help="write what was printed into the pages")
    parser.add_argument("page", nargs="*", help="README.md, docs/tour.md, ...; all when none is named")
    options = parser.parse_intermixed_args()
    findings = list(formats_left_out())
    for name in options.page or all_pages():
        findings += check_page(name, options.scree, options.update)
    if findings and not options.update:
        sys.exit("\n".join(findings))
    if not options.update:
        print("every command in the documents does what they say")


if __name__ == "__main__":
    main()
