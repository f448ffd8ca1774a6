#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws what a command prints on a terminal as an SVG.

    tools/terminal_svg.py [--from TEXT] [--to TEXT] OUT.svg COMMAND [ARGUMENT ...]

Runs the command on a terminal of its own with 256 colours, and draws the lines from the first that starts with the one
text up to the one before the first that starts with the other (all of them when not given). Letters are letters;
Braille dots, half blocks and lines are drawn as shapes, for fonts disagree about their widths.
"""

import argparse
import os
import pty
import re
import sys
from xml.sax.saxutils import escape

CELL_W, CELL_H, FONT, MARGIN = 8, 17, 13, 12
PAPER, INK = "#11151c", "#d8dee9"
SGR = re.compile(r"\x1b\[([0-9;]*)m")
BRAILLE_BITS = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]  # (column, row) of bits 0 to 7
BOX = {"│": "ud", "┤": "udl", "└": "ur", "─": "lr", "┴": "lru"}


def run(command):
    """What the command prints on a terminal."""
    child, terminal = pty.fork()
    if child == 0:
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        os.execvpe(command[0], command, {**environment, "TERM": "xterm-256color", "COLUMNS": "80"})
    printed = b""
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not data:
            break
        printed += data
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code != 0:
        sys.exit(f"{command[0]} ended with {code}")
    return printed.decode().replace("\r\n", "\n").splitlines()


def colour(index):
    """Of the 256-colour palette; the first 16 differ from terminal to terminal and are not used."""
    if index >= 232:
        level = 8 + 10 * (index - 232)
        return f"#{level:02x}{level:02x}{level:02x}"
    steps = (0, 95, 135, 175, 215, 255)
    index -= 16
    return "#" + "".join(f"{steps[i]:02x}" for i in (index // 36, index // 6 % 6, index % 6))


class Style:
    def __init__(self):
        self.reset()

    def reset(self):
        self.ink, self.paper, self.bold = INK, None, False

    def take(self, codes):
        codes = [int(code or 0) for code in codes.split(";")]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.reset()
            elif code == 1:
                self.bold = True
            elif code in (38, 48) and codes[:1] == [5]:
                setattr(self, "ink" if code == 38 else "paper", colour(codes[1]))
                del codes[:2]


def cells(line, style):
    """(letter, ink, paper, bold) of each cell; the style goes on into the next line."""
    found = []
    for i, part in enumerate(SGR.split(line)):
        if i % 2:
            style.take(part)
        else:
            found += [(letter, style.ink, style.paper, style.bold) for letter in part]
    return found


class Picture:
    def __init__(self):
        self.paths = {}  # colour: path of filled shapes
        self.texts = []

    def rect(self, ink, x, y, w, h):
        self.paths.setdefault(ink, []).append(f"M{x:g} {y:g}h{w:g}v{h:g}h{-w:g}z")

    def dot(self, ink, x, y, r):
        self.paths.setdefault(ink, []).append(f"M{x - r:g} {y:g}a{r} {r} 0 1 0 {2 * r:g} 0a{r} {r} 0 1 0 {-2 * r:g} 0z")

    def braille(self, ink, x, y, bits):
        for bit, (column, row) in enumerate(BRAILLE_BITS):
            if bits >> bit & 1:
                self.dot(ink, x + CELL_W * (0.25 + 0.5 * column), y + CELL_H * (0.125 + 0.25 * row), 1.4)

    def box(self, ink, x, y, arms):
        middle_x, middle_y = x + CELL_W / 2 - 0.5, y + CELL_H / 2 - 0.5
        if "u" in arms or "d" in arms:
            top, bottom = (y if "u" in arms else middle_y), (y + CELL_H if "d" in arms else middle_y + 1)
            self.rect(ink, middle_x, top, 1, bottom - top)
        if "l" in arms or "r" in arms:
            left, right = (x if "l" in arms else middle_x), (x + CELL_W if "r" in arms else middle_x + 1)
            self.rect(ink, left, middle_y, right - left, 1)

    def text(self, ink, x, y, letters, bold):
        weight = ' font-weight="bold"' if bold else ""
        self.texts.append(
            f'<text x="{x:g}" y="{y + FONT:g}" fill="{ink}" textLength="{len(letters) * CELL_W}"{weight}>'
            f"{escape(letters)}</text>"
        )

    def line(self, y, row):
        word, begun = "", None
        for i, (letter, ink, paper, bold) in enumerate(row + [(" ", INK, None, False)]):
            x = MARGIN + i * CELL_W
            if paper:
                self.rect(paper, x, y, CELL_W, CELL_H)
            drawn = letter == "▀" or letter in BOX or "\u2800" <= letter <= "\u28ff"
            if begun and (letter == " " or drawn or begun[1:] != (ink, bold)):
                self.text(begun[1], begun[0], y, word, begun[2])
                word, begun = "", None
            if letter == "▀":
                self.rect(ink, x, y, CELL_W, CELL_H / 2)
            elif letter in BOX:
                self.box(ink, x, y, BOX[letter])
            elif drawn:
                self.braille(ink, x, y, ord(letter) - 0x2800)
            elif letter != " ":
                begun = begun or (x, ink, bold)
                word += letter

    def svg(self, columns, lines):
        width, height = 2 * MARGIN + columns * CELL_W, 2 * MARGIN + lines * CELL_H
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"\n'
            f' font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="{FONT}">',
            f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
        )
        shapes = [f'<path fill="{ink}" d="{"".join(parts)}"/>' for ink, parts in self.paths.items()]
        return "\n".join([*head, *shapes, *self.texts, "</svg>", ""])


def cut(lines, first, last):
    plain = [SGR.sub("", line) for line in lines]
    start = next((i for i, line in enumerate(plain) if first and line.startswith(first)), 0)
    end = next((i for i, line in enumerate(plain) if last and i > start and line.startswith(last)), len(lines))
    while end > start and not plain[end - 1].strip():
        end -= 1
    return lines[start:end]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--from", dest="first")
    parser.add_argument("--to", dest="last")
    parser.add_argument("out")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    style = Style()
    rows = [cells(line, style) for line in cut(run(arguments.command), arguments.first, arguments.last)]
    picture = Picture()
    for i, row in enumerate(rows):
        picture.line(MARGIN + i * CELL_H, row)
    with open(arguments.out, "w", encoding="utf-8") as file:
        file.write(picture.svg(max(80, max(map(len, rows))), len(rows)))


if __name__ == "__main__":
    main()
