#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Planes of components and what goes with them, read back as SVG: arrows, points, bars, ellipses and hulls are decoded by
the ticks of the axes and compared with numbers that are computed here from the codes. It needs pictures.
"""

import csv
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

SCREE = os.environ["SCREE"]
SVG = "{http://www.w3.org/2000/svg}"
ALARM, MUTED, BLUE = "#c4001a", "#5c5c5c", "#0072b2"
failures = []


def expect(holds, words):
    if not holds:
        failures.append(words)


def near(a, b, tolerance, words):
    expect(len(a) == len(b) and all(abs(x - y) <= tolerance for x, y in zip(a, b)), f"{words}: {a} is not {b}")


def run(*arguments):
    made = subprocess.run([SCREE, *arguments], capture_output=True, text=True, encoding="utf-8")
    if made.returncode != 0:
        sys.exit(f"scree {' '.join(arguments)}: {made.stderr}")
    return made.stdout


def refusal(*arguments):
    made = subprocess.run([SCREE, *arguments], capture_output=True, text=True, encoding="utf-8")
    return made.stderr if made.returncode == 1 else f"exit code {made.returncode}"


def write(name, columns, rows):
    with open(name, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *rows])


def codes_of(model, data):
    lines = list(csv.DictReader(run("project", "-q", model, data).splitlines()))
    return [[float(line[key]) for key in line if key.startswith("pc")] for line in lines]


def mean(values):
    return sum(values) / len(values)


def correlation(a, b):
    x, y = [v - mean(a) for v in a], [v - mean(b) for v in b]
    return sum(map(lambda p, q: p * q, x, y)) / math.sqrt(sum(v * v for v in x) * sum(v * v for v in y))


class Picture:
    def __init__(self, *arguments):
        run("plot", "-q", *arguments, "-o", "picture.svg")
        with open("picture.svg", "rb") as file:
            self.bytes = file.read()
        self.root = xml.fromstring(self.bytes)
        self.texts = [(t.text or "", float(t.get("x")), float(t.get("y")), t) for t in self.root.iter(SVG + "text")]
        self.x, self.y = self.axis("middle"), self.axis("end")

    def axis(self, anchor):
        """From places to values: the line through two ticks; None: there are none."""
        found = []
        for text, x, y, element in self.texts:
            if element.get("text-anchor") == anchor and re.fullmatch(r"−?[0-9.]+", text):
                found.append((x if anchor == "middle" else y - 0.36 * float(element.get("font-size")),
                              float(text.replace("−", "-"))))
        if anchor == "middle":  # those of a colour bar stand lower
            high = [(x, y) for text, x, y, element in self.texts
                    if element.get("text-anchor") == "middle" and re.fullmatch(r"−?[0-9.]+", text)]
            found = [tick for tick, (_, y) in zip(found, high) if y < high[0][1] + 2]
        if len(found) < 2:
            return None
        (a, first), *_, (b, last) = sorted(found)
        return lambda place: first + (place - a) * (last - first) / (b - a)

    def bottom(self):
        """The lower edge of the frame, where the legend begins."""
        ys = [float(y) for path in self.root.iter(SVG + "path") if path.get("stroke") == MUTED
              for _, y in re.findall(r"[ML]([-0-9.]+) ([-0-9.]+)", path.get("d"))]
        return max(ys)

    def words(self):
        return [text for text, *_ in self.texts]

    def place_of(self, text):
        return next((x, y) for word, x, y, _ in self.texts if word == text)

    def paths(self, colour=None, corners=None):
        """Points of lines, in the units of the axes."""
        for path in self.root.iter(SVG + "path"):
            points = [(float(x), float(y)) for x, y in re.findall(r"[ML]([-0-9.]+) ([-0-9.]+)", path.get("d"))]
            if colour in (None, path.get("stroke")) and corners in (None, len(points)):
                yield [(self.x(x), self.y(y)) for x, y in points], path

    def tips(self, colour=ALARM):
        return [points[1] for points, _ in self.paths(colour, 3)]


def table(rows=40, seed=1):
    """Four columns of very different deviations, two of them alike."""
    draw = random.Random(seed)
    base = [[draw.gauss(0, 1) for _ in range(4)] for _ in range(rows)]
    return [[9 * a, 5 * a + 3 * b, 0.2 * c + 0.3 * b, 2 * b + d] for a, b, c, d in base]


COLUMNS = ["north", "south", "east", "west"]


def circle():
    rows = table()
    write("t.csv", COLUMNS, rows)
    for scale in ("none", "unit"):
        run("fit", "-q", "t.csv", "-k", "3", "--scale", scale, "-o", "t.scree")
        codes = codes_of("t.scree", "t.csv")
        for shown in ((0, 1), (1, 2)):
            truth = [[correlation([row[j] for row in rows], [code[k] for code in codes]) for k in shown] for j in range(4)]
            picture = Picture("t.scree", "--kind", "circle", "--show", ",".join(str(k + 1) for k in shown))
            tips = picture.tips()
            expect(len(tips) == 4, f"a circle of 4 columns has {len(tips)} arrows")
            for j, pair in enumerate(truth):
                best = min(tips, key=lambda tip: math.dist(tip, pair))
                near(best, pair, 0.01, f"{scale}: arrow of {COLUMNS[j]} in the circle")
            ellipse = next(picture.root.iter(SVG + "ellipse"))
            middle, radius = float(ellipse.get("cx")), float(ellipse.get("rx"))
            near([picture.x(middle), picture.x(middle + radius)], [0, 1], 0.01, "the circle's middle and edge")
            expect(ellipse.get("rx") == ellipse.get("ry"), "the circle is none")


def colours_of_columns():
    write("t.csv", COLUMNS, table())
    run("fit", "-q", "t.csv", "-k", "3", "--scale", "unit", "-o", "t.scree")
    for what, title in (("cos2", "cos²"), ("contribution", "contribution, %")):
        picture = Picture("t.scree", "--kind", "circle", "--colour-by", what)
        colours = {path.get("stroke") for _, path in picture.paths(corners=3)}
        expect(len(colours) == 4 and ALARM not in colours, f"by {what}, four arrows have {len(colours)} colours")
        expect(title in picture.words() and list(picture.root.iter(SVG + "image")), f"by {what}: there is no colour bar")
    said = refusal("plot", "t.scree", "--kind", "circle", "--colour-by", "north", "-o", "x.svg")
    expect("columns are coloured by cos2 or contribution" in said, f"a circle coloured by a column: {said}")


def bars_of(picture):
    """Lengths of the bars, from the top down."""
    bars = [rect for rect in picture.root.iter(SVG + "rect") if rect.get("fill") == BLUE]
    bars.sort(key=lambda rect: float(rect.get("y")))
    return [picture.x(float(bar.get("x")) + float(bar.get("width"))) for bar in bars]


def mean_of(picture):
    picture.y = picture.y or (lambda y: y)
    upright = (points for points, path in picture.paths(ALARM, 2) if path.get("stroke-dasharray") and points[0][0] == points[1][0])
    return next(upright)[0][0]


def bars():
    rows = table()
    write("t.csv", COLUMNS, rows)
    run("fit", "-q", "t.csv", "-o", "t.scree")
    codes = codes_of("t.scree", "t.csv")
    variance = [mean([code[k] ** 2 for code in codes]) for k in range(4)]
    told = json.loads(run("loadings", "t.scree", "--what", "all", "--json"))
    expect(told, "no loadings")
    for shown in ((0, 1), (2,)):
        of = ["--show", ",".join(str(k + 1) for k in shown)]
        share = [variance[k] / sum(variance[j] for j in shown) for k in shown]
        weight = [[correlation([row[j] for row in rows], [code[k] for code in codes]) ** 2 for k in shown] for j in range(4)]
        spread = [mean([(row[j] - mean([r[j] for r in rows])) ** 2 for row in rows]) for j in range(4)]
        truth = sorted((sum(s * 100 * w * spread[j] / variance[k] for s, w, k in zip(share, weight[j], shown)) for j in range(4)),
                       reverse=True)
        picture = Picture("t.scree", "--kind", "contributions", *of)
        near(bars_of(picture), truth, 0.3, f"contributions of columns to {shown}")
        near([mean_of(picture)], [25], 0.2, "the line of the mean")
        picture = Picture("t.scree", "--kind", "cos2", *of)
        near(bars_of(picture), sorted((sum(each) for each in weight), reverse=True), 0.005, f"cos² of columns with {shown}")
        truth = sorted((sum(s * 100 * code[k] ** 2 / variance[k] / len(rows) for s, k in zip(share, shown)) for code in codes),
                       reverse=True)
        picture = Picture("t.scree", "t.csv", "--kind", "contributions", "--top", "7", *of)
        near(bars_of(picture), truth[:7], 0.1, f"contributions of rows to {shown}")
        near([mean_of(picture)], [2.5], 0.1, "the line of the mean of rows")
        rest = f"7 of 40 rows shown, the largest; the others contribute {sum(truth[7:]):.3g} %"
        expect(any(rest in word for word in picture.words()), f"the picture does not say '{rest}'")
        truth = sorted((sum(code[k] ** 2 for k in shown) / sum(z * z for z in code) for code in codes), reverse=True)
        near(bars_of(Picture("t.scree", "t.csv", "--kind", "cos2", "--top", "9", *of)), truth[:9], 0.005, "cos² of rows")


def other_rows():
    write("t.csv", COLUMNS, table())
    write("u.csv", COLUMNS, table(40, 2))
    run("fit", "-q", "t.csv", "-k", "2", "-o", "t.scree")
    said = refusal("plot", "-q", "t.scree", "u.csv", "--kind", "contributions", "-o", "x.svg")
    expect("contributions are of the rows that the model was fitted to" in said, f"contributions of other rows: {said}")
    expect(bars_of(Picture("t.scree", "u.csv", "--kind", "cos2")), "other rows have no cos²")


def supplementary():
    """Columns that the model does not know, and rows that it was not fitted to."""
    rows = table()
    write("s.csv", [*COLUMNS, "kind"], [[*row, "odd" if i % 2 else "even"] for i, row in enumerate(rows)])
    write("u.csv", COLUMNS, table(7, 2))
    for scale in ("none", "unit"):
        run("fit", "-q", "s.csv", "--exclude", "west", "-k", "3", "--scale", scale, "-o", "s.scree")
        codes = codes_of("s.scree", "s.csv")
        west = [row[3] for row in rows]
        truth = [correlation(west, [code[k] for code in codes]) for k in (0, 1)]
        (tip,) = Picture("s.scree", "s.csv", "--kind", "circle", "--supplementary", "west").tips(MUTED)
        near(tip, truth, 0.01, f"{scale}: arrow of a supplementary column in the circle")
        picture = Picture("s.scree", "s.csv", "--kind", "biplot", "--supplementary", "west,kind", "--supplementary-rows", "u.csv")
        (tip,) = picture.tips(MUTED)
        near([math.atan2(tip[1], tip[0])], [math.atan2(truth[1], truth[0])],
             0.02, f"{scale}: direction of a supplementary column in the biplot")
        marks = list(marks_of(picture, "#1a1a1a"))
        means = [[mean([code[k] for code in codes[first::2]]) for k in (0, 1)] for first in (0, 1)]
        others = [code[:2] for code in codes_of("s.scree", "u.csv")]
        for what, places in (("mean of a group", means), ("supplementary row", others)):
            for place in places:
                expect(min((math.dist(mark, place) for mark in marks), default=9) < 0.03 * max(map(abs, codes[0])) + 0.05,
                       f"{scale}: no mark for a {what} at {place}")
        for word in ("even", "odd", "west", "supplementary rows", "means of groups"):
            expect(word in picture.words(), f"{scale}: the picture does not say '{word}'")
    said = refusal("plot", "s.scree", "s.csv", "--kind", "circle", "--supplementary", "kind", "-o", "x.svg")
    expect("columns of numbers" in said, f"a circle of a text column: {said}")


def marks_of(picture, colour):
    """Middles of the marks in groups of a colour."""
    for group in picture.root.iter(SVG + "g"):
        if colour in (group.get("fill"), group.get("stroke")):
            for mark in group:
                corners = [(float(x), float(y)) for x, y in re.findall(r"[ML]([-0-9.]+) ([-0-9.]+)", mark.get("d") or "")]
                if corners:
                    yield picture.x(mean([x for x, _ in corners])), picture.y(mean([y for _, y in corners]))


def circles(picture):
    """Colour, area and place of each round point, from the left."""
    found = []
    for group in picture.root.iter(SVG + "g"):
        for mark in group.iter(SVG + "circle"):
            if mark.get("cx") and float(mark.get("cy")) < picture.bottom():
                found.append((float(mark.get("cx")), group.get("fill"), float(mark.get("r")) ** 2))
    return sorted(found)


def colours_of_rows():
    rows = table()
    write("t.csv", COLUMNS, rows)
    run("fit", "-q", "t.csv", "-k", "3", "-o", "t.scree")
    codes = codes_of("t.scree", "t.csv")
    share = [sum(z * z for z in code[:2]) / sum(z * z for z in code) for code in codes]
    order = sorted(range(len(codes)), key=lambda i: codes[i][0])
    picture = Picture("t.scree", "t.csv", "--colour-by", "south", "--size-by", "cos2")
    points = circles(picture)
    expect(len(points) == 40, f"40 rows are {len(points)} points")
    areas = [area for _, _, area in points]
    low, high = min(share), max(share)
    base = low if not 0 < low < high / 2 else 0
    expected = [0.25 + (share[i] - base) / (high - base) * 3.75 for i in order]
    scale = max(areas) / max(expected)
    near(areas, [scale * e for e in expected], 0.02 * max(areas), "areas of points by cos²")
    greenness = [int(fill[3:5], 16) for _, fill, _ in points]
    by_value = sorted(range(40), key=lambda k: rows[order[k]][1])
    falling = [greenness[k] for k in by_value]
    expect(all(a >= b for a, b in zip(falling, falling[1:])) and len(set(falling)) > 30,
           f"colours by a column do not go with its numbers: {falling}")
    expect("south" in picture.words() and list(picture.root.iter(SVG + "image")), "by a column: there is no colour bar")
    said = refusal("plot", "-q", "t.scree", "t.csv", "--size-by", "up", "-o", "x.svg")
    expect("'up', which is no column of numbers" in said, f"sizes by a column that is not there: {said}")


def variance():
    write("t.csv", COLUMNS, table())
    run("fit", "-q", "t.csv", "--scale", "unit", "-o", "t.scree")
    codes = codes_of("t.scree", "t.csv")
    shares = [mean([code[k] ** 2 for code in codes]) for k in range(4)]
    shares = [100 * share / sum(shares) for share in shares]
    picture = Picture("t.scree", "--kind", "variance")
    rects = sorted((float(r.get("x")), float(r.get("y"))) for r in picture.root.iter(SVG + "rect") if r.get("fill") == BLUE)
    near([picture.y(y) for _, y in rects], shares, 0.3, "bars of the variance")
    *_, line = (points for points, path in picture.paths(ALARM, 2) if path.get("stroke-dasharray"))  # above that of the legend
    near([line[0][1]], [25], 0.3, "the line of components that are alike")
    uprights = [sorted(y for _, y in points) for points, _ in picture.paths("#1a1a1a", 2) if abs(points[0][0] - points[1][0]) < 0.01]
    expect(uprights and all(any(low < share < high for share in shares) for low, high in uprights), f"intervals {uprights} of {shares}")


def heatmap():
    rows = table()
    write("t.csv", COLUMNS, rows)
    run("fit", "-q", "t.csv", "-o", "t.scree")
    codes = codes_of("t.scree", "t.csv")
    picture = Picture("t.scree", "--kind", "heatmap", "--show", "1-4")
    numbers = [word.replace("−", "-") for word in picture.words() if re.fullmatch("−?[01][.][0-9][0-9]", word)]
    truth = [correlation([row[j] for row in rows], [code[k] for code in codes]) for j in range(4) for k in range(4)]
    near([float(word) for word in numbers], truth, 0.0051, "numbers of the heat map")
    expect(not any(word == "-0.00" for word in numbers), "a heat map has a zero below zero")
    picture = Picture("t.scree", "--kind", "heatmap", "--top", "2")
    expect(any("2 of 4 columns shown" in word for word in picture.words()), "a heat map does not say that it shows two")


def pairs():
    """Each panel has every row where it is, in units that are equal everywhere."""
    write("t.csv", [*COLUMNS, "kind"], [[*row, "odd" if i % 2 else "even"] for i, row in enumerate(table())])
    run("fit", "-q", "t.csv", "-o", "t.scree")
    codes = codes_of("t.scree", "t.csv")
    picture = Picture("t.scree", "t.csv", "--kind", "pairs", "--show", "1-3")
    panels = [child for child in picture.root.iter(SVG + "svg") if child is not picture.root]
    expect(len(panels) == 3, f"three components have {len(panels)} panels of rows")
    unit = set()
    for panel, (across, up) in zip(panels, ((0, 1), (0, 2), (1, 2))):
        left, top, wide, high = map(float, panel.get("viewBox").split())
        marks = [(float(mark.get("cx")), float(mark.get("cy")), i) for i, mark in enumerate(panel.iter(SVG + "circle"))]
        evens = codes[::2] if len(marks) == 20 else codes
        for x, y, i in marks:
            expect(left - 1 <= x <= left + wide + 1 and top - 1 <= y <= top + high + 1, "a point lies outside of its panel")
        far = max(range(len(marks)), key=lambda i: evens[i][across]), min(range(len(marks)), key=lambda i: evens[i][across])
        spread = [evens[far[0]][k] - evens[far[1]][k] for k in (across, up)]
        places = marks[far[0]][0] - marks[far[1]][0], marks[far[1]][1] - marks[far[0]][1]
        near([places[1] / places[0]], [spread[1] / spread[0]], 0.02, f"the direction between two rows in {across}, {up}")
        unit.add(round(places[0] / spread[0], 1))
    expect(len(unit) == 1, f"units are as long as {unit} in the panels")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for check in (circle, colours_of_columns, bars, other_rows, supplementary, colours_of_rows, variance, heatmap, pairs):
            check()
        os.chdir("/")
    for failure in failures:
        print(failure)
    print(f"{len(failures)} failures")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
