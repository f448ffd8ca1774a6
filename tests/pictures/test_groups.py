#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What --around draws, read back as SVG: ellipses against their equations, hulls against the rows, regions of the highest
density against a sum of kernels over all rows. It needs pictures.
"""

import math
import os
import random
import sys
import tempfile

import test_planes as planes
from test_planes import Picture, codes_of, expect, mean, near, refusal, run, write

SERIES = {"ash": "#0072b2", "birch": "#e07b00", "cedar": "#009e73"}


def woods():
    """Rows of three groups, of 30, 20 and 12, with an outlier."""
    draw = random.Random(8)
    rows, labels = [], []
    for name, count, at, spread in (("ash", 30, (0, 0), 1), ("birch", 20, (5, 2), 2), ("cedar", 12, (-2, 6), 0.7)):
        for _ in range(count):
            a, b = draw.gauss(0, spread), draw.gauss(0, spread)
            rows.append([at[0] + a, at[1] + 0.5 * a + b, draw.gauss(0, 0.1)])
            labels.append(name)
    rows[3] = [9, -7, 0]
    return rows, labels


def fitted(rows, labels, name="g"):
    write(f"{name}.csv", ["a", "b", "c", "kind"], [[*row, label] for row, label in zip(rows, labels)])
    run("fit", "-q", f"{name}.csv", "-k", "2", "-o", f"{name}.scree")
    codes = codes_of(f"{name}.scree", f"{name}.csv")
    groups = {}
    for code, label in zip(codes, labels):
        groups.setdefault(label, []).append(code)
    return groups


def moments(points, weights=None, divisor=None):
    weights = weights or [1] * len(points)
    middle = [sum(w * p[k] for w, p in zip(weights, points)) / sum(weights) for k in (0, 1)]
    spread = [[sum(w * (p[i] - middle[i]) * (p[j] - middle[j]) for w, p in zip(weights, points)) / (divisor or len(points) - 1)
               for j in (0, 1)] for i in (0, 1)]
    return middle, spread


def distance(point, middle, spread):
    """Squared, of Mahalanobis."""
    x, y = point[0] - middle[0], point[1] - middle[1]
    determinant = spread[0][0] * spread[1][1] - spread[0][1] ** 2
    return (spread[1][1] * x * x - 2 * spread[0][1] * x * y + spread[0][0] * y * y) / determinant


def student(points):
    middle, spread = moments(points)
    for _ in range(500):
        weights = [7 / (5 + distance(point, middle, spread)) for point in points]
        middle, spread = moments(points, weights, len(points))
    return middle, spread


def fisher(share, n):
    """2 F⁻¹(share; 2, n - 1), by halving: P(F > f) = (1 + 2f/(n - 1))^(-(n - 1)/2)."""
    low, high = 0.0, 1e6
    for _ in range(200):
        half = (low + high) / 2
        low, high = (half, high) if 1 - (1 + half / (n - 1)) ** (-(n - 1) / 2) < share else (low, half)
    return low


def lines_of(picture, name):
    """Closed lines in the colour of a label, as points in units of the axes."""
    return [points for points, path in picture.paths(SERIES[name]) if len(points) > 3 and path.get("fill") == "none"]


def ellipses():
    groups = fitted(*woods())
    for kind in ("embedding", "biplot"):
        for around, shares in (("normal", (0.95,)), ("normal", (0.5, 0.9)), ("t", (0.95,)), ("confidence", (0.95,)),
                               ("confidence", (0.8,))):
            level = [] if shares == (0.95,) else ["--level", ",".join(map(str, shares))]
            picture = Picture("g.scree", "g.csv", "--kind", kind, "--around", around, *level)
            for name, points in groups.items():
                drawn = lines_of(picture, name)
                expect(len(drawn) == len(shares), f"{around}: {len(drawn)} ellipses around {name}")
                middle, spread = student(points) if around == "t" else moments(points)
                for share, line in zip(shares, drawn):
                    n = len(points)
                    radius = -2 / n * math.log(1 - share) if around == "confidence" else fisher(share, n)
                    far = [distance(corner, middle, spread) / radius for corner in line]
                    expect(0.98 < min(far) and max(far) < 1.02,
                           f"{kind}, {around} {share}: around {name} from {min(far):.3f} to {max(far):.3f} of the radius²")
                    near([mean([p[k] for p in line[1:]]) for k in (0, 1)], middle, 0.03, f"{around}: the middle of {name}")


def hulls():
    groups = fitted(*woods())
    picture = Picture("g.scree", "g.csv", "--around", "hull")
    for name, points in groups.items():
        (line,) = lines_of(picture, name)
        expect(line[0] == line[-1], f"the hull of {name} is open")
        for corner in line:
            expect(min(math.dist(corner, point) for point in points) < 0.02, f"a corner of the hull of {name} is no row")
        for point in points:
            sides = [(b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) for a, b in zip(line, line[1:])]
            expect(min(math.copysign(1, area(line)) * side for side in sides) > -0.1, f"a row of {name} is outside of its hull")


def area(line):
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(line, line[1:])) / 2


def is_inside(point, lines):
    """By how often a ray to the right crosses the lines."""
    odd = False
    for line in lines:
        for a, b in zip(line, line[1:]):
            if (a[1] > point[1]) != (b[1] > point[1]) and point[0] < a[0] + (point[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]):
                odd = not odd
    return odd


def density(point, points, spread):
    """Up to a factor, summed over all rows."""
    squared = len(points) ** (-1 / 3)
    return sum(math.exp(-0.5 * distance(point, other, spread) / squared) for other in points)


def densities():
    groups = fitted(*woods())
    shares = (0.5, 0.8, 0.95)
    picture = Picture("g.scree", "g.csv", "--around", "density", "--width", "1600")
    for name, points in groups.items():
        _, spread = moments(points)
        heights = sorted((density(point, points, spread) for point in points), reverse=True)
        found = {share: [] for share in shares}
        for line in lines_of(picture, name):
            here = mean([density(corner, points, spread) for corner in line])
            share = min(shares, key=lambda share: abs(heights[math.ceil(share * len(points)) - 1] - here))
            truth = heights[math.ceil(share * len(points)) - 1]
            off = max(abs(density(corner, points, spread) / truth - 1) for corner in line)
            expect(off < 0.06, f"density around {name} is off by {off:.3f} on the line of {share}")
            found[share].append(line)
        for share, lines in found.items():
            expect(lines, f"no line around {share} of {name}")
            inside = sum(is_inside(point, lines) for point in points)
            expect(abs(inside - share * len(points)) <= 1.5, f"{inside} of {len(points)} rows of {name} are within {share}")
    expect(any("bandwidth 0.57 to 0.66 standard deviations" in word for word in picture.words()), "the bandwidth is not said")


def few_rows():
    rows, labels = woods()
    labels = ["pair" if i < 2 else "line" if i < 6 else label for i, label in enumerate(labels)]
    for i in range(2, 6):
        rows[i] = [i, 2 * i, 0]
    fitted(rows, labels, "few")
    for around in ("normal", "t", "confidence", "hull", "density"):
        picture = Picture("few.scree", "few.csv", "--around", around)
        said = " ".join(word for word in picture.words() if "Nothing is drawn" in word)
        expect("line, pair: fewer than three rows, or rows on one line" in said, f"{around}: '{said}' of small groups")
    write("same.csv", ["a", "b", "c"], [[1, 2, 3]] * 5 + [[4, 1, 2], [0, 5, 1], [2, 2, 9]])
    write("five.csv", ["a", "b", "c"], [[1, 2, 3]] * 5)
    run("fit", "-q", "same.csv", "-k", "2", "-o", "same.scree")
    picture = Picture("same.scree", "five.csv", "--around", "density")
    expect(any("Nothing is drawn around the rows" in word for word in picture.words()), "equal rows have an ellipse")


def unlabelled():
    rows = planes.table(60, 5)
    write("u.csv", planes.COLUMNS, rows)
    run("fit", "-q", "u.csv", "-k", "2", "-o", "u.scree")
    codes = codes_of("u.scree", "u.csv")
    picture = Picture("u.scree", "u.csv", "--around", "normal")
    middle, spread = moments(codes)
    (line,) = [points for points, _ in picture.paths(planes.MUTED, 121)]
    far = [distance(corner, middle, spread) / fisher(0.95, 60) for corner in line]
    expect(0.98 < min(far) and max(far) < 1.02, "the ellipse of all rows is another one")
    first = picture.bytes
    expect(Picture("u.scree", "u.csv", "--around", "normal").bytes == first, "the same picture has other bytes")
    cells = run("plot", "-q", "u.scree", "u.csv", "--around", "hull", "--terminal", "ascii")
    expect("convex hull" in cells, "there is no hull in the terminal")


def refusals():
    fitted(*woods())
    run("fit", "-q", "g.csv", "-k", "1", "-o", "one.scree")
    for words, part in ((["g.scree", "g.csv", "--around", "normal", "--show", "1"], "lines around rows need two components"),
                        (["one.scree", "g.csv", "--around", "normal"], "fit two")):
        said = refusal("plot", "-q", *words, "-o", "x.svg")
        expect(part in said, f"{' '.join(words)}: {said}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for check in (ellipses, hulls, densities, few_rows, unlabelled, refusals):
            check()
        os.chdir("/")
    for failure in planes.failures:
        print(failure)
    print(f"{len(planes.failures)} failures")
    sys.exit(bool(planes.failures))


if __name__ == "__main__":
    main()
