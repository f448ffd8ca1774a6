#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures 85 mm wide, read back as SVG: names of rows, points that leave them room, arrows that fill the plane, plots that
are no strips, titles that are whole. It needs pictures.
"""

import math
import os
import random
import re
import sys
import tempfile

import test_planes as planes
from test_planes import ALARM, SVG, Picture, codes_of, expect, run, write

COLUMN = ("--layout", "column")


def boxes(picture, inside):
    """Room that texts take at least: letters are half as wide as high, or wider."""
    found = {}
    for text, x, y, element in picture.texts:
        if text in inside:
            size = float(element.get("font-size"))
            wide = 0.5 * size * len(text)
            found[text] = (x - wide / 2, y - 0.75 * size, x + wide / 2, y)
    return found


def states(count=50):
    """Rows in the plane as they are: names of 8 letters."""
    draw = random.Random(50)
    names = [f"state {chr(65 + i // 26)}{chr(97 + i % 26)}" for i in range(count)]
    rows = [[draw.gauss(0, 1.5), draw.gauss(0, 1), draw.gauss(0, 0.4), draw.gauss(0, 0.3)] for _ in range(count)]
    write("states.csv", ["name", "murder", "assault", "urban", "rape"], [[name, *row] for name, row in zip(names, rows)])
    run("fit", "-q", "states.csv", "--id", "name", "-k", "2", "-o", "states.scree")
    return names


def points_of(picture):
    return [(float(c.get("cx")), float(c.get("cy")), float(c.get("r"))) for c in picture.root.iter(SVG + "circle")]


def names_in_a_column():
    names = states()
    for kind, least in (("embedding", 26), ("biplot", 20)):
        picture = Picture("states.scree", "states.csv", "--kind", kind, *COLUMN)
        placed = boxes(picture, names)
        expect(len(placed) >= least, f"{kind}: {len(placed)} of 50 rows have names in a column of print")
        for text, (left, top, right, bottom) in placed.items():
            over = [other for other, box in placed.items()
                    if other != text and not (right <= box[0] or box[2] <= left or bottom <= box[1] or box[3] <= top)]
            expect(not over, f"{kind}: '{text}' lies over {over}")
            for x, y, _ in points_of(picture):
                expect(not (left < x < right and top < y < bottom), f"{kind}: '{text}' lies over a point")
        radius = max(r for _, _, r in points_of(picture))
        letters = 8 * 96 / 72
        expect(radius < 0.3 * letters, f"{kind}: points are {2 * radius / letters:.2f} letters wide")
        rects = [r for r in picture.root.iter(SVG + "rect") if r.get("fill") == "#ffffff"]
        expect(len(rects) <= 1, f"{kind}: {len(rects) - 1} boxes of paper lie over the plot")


def arrows_fill_the_plane():
    states()
    for layout in (COLUMN, ("--layout", "page"), ()):
        picture = Picture("states.scree", "states.csv", "--kind", "biplot", *layout)
        farthest = max(math.hypot(*code[:2]) for code in codes_of("states.scree", "states.csv"))
        longest = max(math.hypot(*tip) for tip in picture.tips())
        expect(0.8 < longest / farthest < 0.9, f"{layout}: the longest arrow goes {longest / farthest:.2f} as far as the rows")
        for path in picture.root.iter(SVG + "path"):
            if path.get("stroke") == ALARM:
                inside = [0 <= float(v) <= 2000 for v in re.findall(r"-?[0-9.]+", path.get("d"))]
                expect(all(inside), f"{layout}: an arrow leaves the picture")


def frame_of(picture):
    """Width and height of the frame around the plot."""
    frames = []
    for path in picture.root.iter(SVG + "path"):
        points = [(float(x), float(y)) for x, y in re.findall(r"[ML]([-0-9.]+) ([-0-9.]+)", path.get("d"))]
        if path.get("stroke") == "#5c5c5c" and len(points) in (4, 5):
            frames.append((max(x for x, _ in points) - min(x for x, _ in points),
                           max(y for _, y in points) - min(y for _, y in points)))
    return max(frames)


def no_strips():
    """Rows that lie nearly on a line, with a legend and a title that takes two lines."""
    draw = random.Random(3)
    rows = [[x, 0.9 * x + draw.gauss(0, 0.1), draw.gauss(0, 0.1), f"kind {i % 3}"]
            for i, x in enumerate(draw.gauss(0, 5) for _ in range(60))]
    write("line.csv", ["a", "b", "c", "kind"], rows)
    run("fit", "-q", "line.csv", "-k", "2", "-o", "line.scree")
    for kind in ("embedding", "biplot", "scree"):
        data = [] if kind == "scree" else ["line.csv"]
        title = "A title that is so long that it does not fit into one line of a column"
        picture = Picture("line.scree", *data, "--kind", kind, *COLUMN, "--title", title)
        width, height = frame_of(picture)
        expect(height > 0.4 * width, f"{kind}: the plot is {width:.0f} wide and {height:.0f} high")
        expect(not any(word.endswith("…") for word in picture.words()), f"{kind}: a text is cut: {picture.words()}")
        said = " ".join(picture.words())
        expect(title in said, f"{kind}: the title is not whole: {said[:120]}")


def legends_beside():
    """On slides, labels stand to the right of the plot; below it in print."""
    for layout in ("slide", "page"):
        picture = Picture("line.scree", "line.csv", "--layout", layout)
        right = max(float(x) for path in picture.root.iter(SVG + "path") if path.get("stroke") == "#5c5c5c"
                    for x, _ in re.findall(r"[ML]([-0-9.]+) ([-0-9.]+)", path.get("d")))
        beside = picture.place_of("kind 0")[0] > right
        expect(beside == (layout == "slide"), f"{layout}: the legend stands {'beside' if beside else 'below'} the plot")


def scales_of_bars():
    """Bars have more than a zero under them."""
    draw = random.Random(4)
    write("bars.csv", [f"a long name {j}" for j in range(6)], [[draw.gauss(0, 1) for _ in range(6)] for _ in range(40)])
    run("fit", "-q", "bars.csv", "-k", "3", "-o", "bars.scree")
    for components in ("1-3", "1,2", "1"):
        words = Picture("bars.scree", "--kind", "loadings", "--show", components, *COLUMN).words()
        numbers = {word for word in words if re.fullmatch(r"−?[0-9.]+", word)}
        expect(numbers - {"0", "0.0"}, f"bars have {numbers} under them")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for check in (names_in_a_column, arrows_fill_the_plane, no_strips, legends_beside, scales_of_bars):
            check()
        os.chdir("/")
    for failure in planes.failures:
        print(failure)
    print(f"{len(planes.failures)} failures")
    sys.exit(bool(planes.failures))


main()
