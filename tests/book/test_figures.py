#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The figures of the book's chapter: runs the commands of docs/book.md, to SVG, and looks at what is drawn. Digits are the
pixels of the data, reconstructions come closer with more components and are the digit with 500, the error curve falls,
and its marks are on it. It needs pictures.
"""

import base64
import gzip
import os
import re
import shlex
import struct
import subprocess
import sys
import tempfile
import zlib

SRC, SCREE = os.environ["SRC"], os.environ["SCREE"]
IMAGE = re.compile(r'<image[^>]*href="data:image/png;base64,([^"]*)"')
LINE = re.compile(r'<path fill="none"[^>]*stroke="([^"]*)"[^>]* d="([^"]*)"')
GROUP = re.compile(r'<g fill="([^"]*)"[^>]*>\n(.*?)</g>', re.S)
POINT = re.compile(r"[ML]([-0-9.]+) ([-0-9.]+)")
ORANGE, BLUE = "#e07b00", "#0072b2"
failures = []


def expect(holds, words):
    if not holds:
        failures.append(words)


def commands():
    """The block of docs/book.md that draws, with .svg for .png."""
    with open(os.path.join(SRC, "docs", "book.md"), encoding="utf-8") as file:
        blocks = re.findall(r"^```sh\n(.*?)^```$", file.read(), re.M | re.S)
    lines = [line for block in blocks if "figure-10" in block for line in block.splitlines()]
    return [line.replace(".png", ".svg") for line in lines]


def unfilter(kind, line, above, width):
    """A line of a PNG, from what stands left of it and above."""
    out = bytearray(line)
    for i, value in enumerate(line):
        left = out[i - width] if i >= width else 0
        up = above[i]
        corner = above[i - width] if i >= width else 0
        guess = left + up - corner
        paeth = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
        out[i] = (value + (0, left, up, (left + up) // 2, paeth)[kind]) & 255
    return out


def pixels(png):
    """Grey values of a PNG of three or four bytes a pixel."""
    columns, rows, _, colour = struct.unpack(">IIBB", png[16:26])
    width = {2: 3, 6: 4}[colour]
    data, at = b"", 8
    while at < len(png):
        size, = struct.unpack(">I", png[at:at + 4])
        data += png[at + 8:at + 8 + size] if png[at + 4:at + 8] == b"IDAT" else b""
        at += 12 + size
    data, above, grey = zlib.decompress(data), bytes(columns * width), []
    for row in range(rows):
        start = row * (columns * width + 1)
        above = unfilter(data[start], data[start + 1:start + 1 + columns * width], above, width)
        grey += above[::width]
    return grey


def images(text):
    drawn = [base64.b64decode(data) for data in IMAGE.findall(text)]
    return [pixels(png) for png in drawn if struct.unpack(">II", png[16:24]) == (28, 28)]


def difference(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b)) / len(a)


def curve(text, colour):
    """The points of the lines of a colour, one after the other, without those that two pieces share."""
    points = []
    for stroke, path in LINE.findall(text):
        if stroke == colour:
            points += [(float(x), float(y)) for x, y in POINT.findall(path)]
    return sorted(set(points))


def marks(text, colour):
    """The middle of every mark of a colour, from left to right."""
    found = []
    for path in (path for fill, group in GROUP.findall(text) if fill == colour for path in re.findall(r'd="([^"]*)"', group)):
        points = [(float(x), float(y)) for x, y in POINT.findall(path)]
        found.append((sum(x for x, _ in set(points)) / len(set(points)), max(y for _, y in points) / 3 +
                      2 * min(y for _, y in points) / 3))
    return sorted(found)


def figure_10_3(text, digits):
    drawn = images(text)
    expect(len(drawn) == 12, f"10.3: {len(drawn)} digits are drawn")
    for image in drawn:
        expect(min(difference(image, digit) for digit in digits) < 4, "10.3: an image is none of the digits")


def figure_10_5(text, _):
    values = curve(text, BLUE)
    expect(len(values) > 300, f"10.5: the eigenvalues are a line of {len(values)} points")
    expect(len(curve(text, ORANGE)) > 300, "10.5: there is no line for the error")


def figure_10_10(text, digits):
    zeros, ones = len(marks(text, BLUE)), len(marks(text, ORANGE))
    circles = sum(group.count("<circle") for fill, group in GROUP.findall(text) if fill == BLUE)
    expect(circles + zeros + ones >= 1000, f"10.10: {circles + zeros + ones} points are drawn")
    shown = images(text)
    expect(len(shown) == 4, f"10.10: {len(shown)} digits are shown")
    for image in shown:
        expect(min(difference(image, digit) for digit in digits) < 4, "10.10: an image is none of the digits")


def figure_10_12(text, digits):
    drawn = images(text)
    expect(len(drawn) == 20, f"10.12: {len(drawn)} images are drawn, not four digits five times")
    for row in range(len(drawn) // 5):
        original, *rebuilt = drawn[5 * row:5 * row + 5]
        errors = [difference(original, image) for image in rebuilt]
        expect(min(difference(original, digit) for digit in digits) < 4, "10.12: the first image is none of the digits")
        expect(errors == sorted(errors, reverse=True), f"10.12: the errors do not fall: {errors}")
        expect(errors[0] > 500 and errors[3] < 1, f"10.12: from 1 and 500 components the errors are {errors}")


def figure_10_13(text, _):
    line, marked = curve(text, BLUE), marks(text, ORANGE)
    expect(len(line) > 300, f"10.13: the curve has {len(line)} points")
    falls = all(after[1] >= before[1] - 1e-6 for before, after in zip(line, line[1:]))
    expect(falls, "10.13: the error does not fall")
    expect(len(marked) == 4, f"10.13: {len(marked)} marks")
    if len(marked) == 4 and line:
        step = (marked[3][0] - marked[0][0]) / 499
        for (x, y), m in zip(marked, (1, 10, 100, 500)):
            expect(abs(x - marked[0][0] - (m - 1) * step) < 0.1, f"10.13: the mark of M = {m} is elsewhere")
            near = min(line, key=lambda point, x=x: abs(point[0] - x))
            expect(abs(near[1] - y) < 6, f"10.13: the mark of M = {m} is not on the curve")


def figure_10_15(text, _):
    drawn = images(text)
    expect(len(drawn) == 24, f"10.15: {len(drawn)} digits are made up")
    expect(len({bytes(image) for image in drawn}) == len(drawn), "10.15: two of them are the same")


def figure_10_15_near(text, digits):
    drawn = images(text)
    expect(len(drawn) == 12, f"10.15: {len(drawn)} variations")
    for image in drawn:
        order = sorted(range(len(digits)), key=lambda i, image=image: difference(image, digits[i]))
        expect(6 in order[:3], "10.15: a variation of row 7 is like other rows")
    expect(len({bytes(image) for image in drawn}) == len(drawn), "10.15: two variations are the same")


FIGURES = {"10-3": figure_10_3, "10-5": figure_10_5, "10-10": figure_10_10, "10-12": figure_10_12, "10-13": figure_10_13,
           "10-15": figure_10_15, "10-15-near": figure_10_15_near}


def main():
    with gzip.open(os.path.join(SRC, "data", "mnist01", "mnist01-1000-images-idx3-ubyte.gz")) as file:
        data = file.read()[16:]
    digits = [data[i:i + 784] for i in range(0, len(data), 784)]
    drawn = set()
    with tempfile.TemporaryDirectory() as box:
        for line in commands():
            words = shlex.split(line)
            subprocess.run([SCREE if word == "scree" else word for word in words], cwd=box, check=True,
                           stdout=subprocess.DEVNULL)
            name = re.search(r"figure-([0-9a-z-]+)\.svg", line)
            if name:
                drawn.add(name.group(1))
                with open(os.path.join(box, name.group(0)), encoding="utf-8") as file:
                    FIGURES[name.group(1)](file.read(), digits)
    expect(drawn == set(FIGURES), f"docs/book.md draws {sorted(drawn)}")
    for failure in failures:
        print(failure)
    print(f"{len(drawn)} figures drawn, {len(failures)} faults")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
