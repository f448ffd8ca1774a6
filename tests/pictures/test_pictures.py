#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures, read back as SVG, where letters are text: a unit is as long along both axes of a plane, a biplot has every
column or says how many it shows, no name lies over an arrowhead or another name, rows have their names, thirty classes
have thirty looks, many outliers are small and faint, no text is cut that has room; in the terminal no number touches a
stroke. It needs pictures.
"""

import csv
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
failures = []


def expect(holds, words):
    if not holds:
        failures.append(words)


def run(*arguments):
    made = subprocess.run([SCREE, *arguments], capture_output=True, text=True)
    if made.returncode != 0:
        sys.exit(f"scree {' '.join(arguments)}: {made.stderr}")


def write(name, columns, rows, names=None, labels=None):
    with open(name, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow((["name"] if names else []) + (["label"] if labels else []) + columns)
        for i, row in enumerate(rows):
            out.writerow(([names[i]] if names else []) + ([labels[i]] if labels else []) + row)


def normal(rows, spreads, seed):
    draw = random.Random(seed)
    return [[draw.gauss(0, spread) for spread in spreads] for _ in range(rows)]


class Picture:
    def __init__(self, path):
        self.root = xml.parse(path).getroot()
        self.texts = [(t.text, float(t.get("x")), float(t.get("y")), t) for t in self.root.iter(SVG + "text")]

    def words(self):
        return [text for text, *_ in self.texts]

    def ticks(self, anchor):
        """Places and values of the numbers at an axis."""
        found = []
        for text, x, y, element in self.texts:
            if element.get("text-anchor") == anchor and re.fullmatch(r"−?[0-9.]+", text or ""):
                found.append((x if anchor == "middle" else y, float(text.replace("−", "-"))))
        return sorted(found)

    def unit(self, anchor):
        """Length of a unit along an axis."""
        (a, first), *_, (b, last) = self.ticks(anchor)
        return abs((b - a) / (last - first))

    def heads(self):
        """The points of the arrows: middle corners of lines of three."""
        found = []
        for path in self.root.iter(SVG + "path"):
            points = re.findall(r"[ML]([-0-9.]+) ([-0-9.]+)", path.get("d"))
            if path.get("stroke") == "#c4001a" and len(points) == 3:
                found.append(tuple(map(float, points[1])))
        return found

    def boxes(self, inside):
        """Room that texts take at least: letters are half as wide as high, or wider."""
        found = {}
        for text, x, y, element in self.texts:
            if text in inside:
                size = float(element.get("font-size"))
                wide = 0.5 * size * len(text)
                found[text] = (x - wide / 2, y - 0.75 * size, x + wide / 2, y)
        return found


def check_units(path, name):
    picture = Picture(path)
    across, up = picture.unit("middle"), picture.unit("end")
    expect(abs(across / up - 1) < 0.005, f"{name}: a unit is {across:.3f} long across and {up:.3f} up")


def check_common(path):
    root = Picture(path).root
    expect(root.get("role") == "img", f"{path}: has no role")
    expect(root.find(SVG + "title") is not None and root.find(SVG + "title").text, f"{path}: has no title")
    expect(not list(root.iter(SVG + "symbol")), f"{path}: has letters as outlines")


def equal_units():
    for number, (spreads, extra) in enumerate([((9, 1, 0.3), ()), ((3, 2.5, 1), ()), ((1, 0.9, 0.2), ("--width", "300")),
                                               ((1e6, 3e5, 1e4), ()), ((2, 1, 0.1), ("--height", "300", "--width", "900"))]):
        write("units.csv", ["a", "b", "c"], normal(60, spreads, number))
        run("fit", "-q", "units.csv", "-k", "2", "-o", "units.scree")
        for kind in ("embedding", "biplot"):
            run("plot", "-q", "units.scree", "units.csv", "--kind", kind, *extra, "-o", "units.svg")
            if spreads[0] < 1e5:  # larger numbers are not decimals
                check_units("units.svg", f"{kind} of {spreads}")
            check_common("units.svg")


def every_column():
    columns = [f"column{j}" for j in range(24)]
    base = normal(50, [3, 2] + 22 * [0.2], 7)
    rows = [[row[0] * math.cos(j // 2) + row[1] * math.sin(j // 2) + row[j] for j in range(24)] for row in base]
    write("pairs.csv", columns, rows)  # two columns each that say nearly the same
    run("fit", "-q", "pairs.csv", "-k", "2", "-o", "pairs.scree")
    run("plot", "-q", "pairs.scree", "pairs.csv", "--kind", "biplot", "-o", "pairs.svg")
    picture = Picture("pairs.svg")
    bold = {text for text, _, _, element in picture.texts if element.get("font-weight") == "bold"}
    names = bold & ({*columns} | {"…" + name.removeprefix("column") for name in columns})
    expect(len(picture.heads()) == 24, f"{len(picture.heads())} arrows for 24 columns")
    expect(len(names) == 24, f"{len(names)} of 24 columns have names")


def largest_contributions():
    write("many.csv", [f"v{j}" for j in range(40)], normal(80, [40 - j for j in range(40)], 3))
    run("fit", "-q", "many.csv", "-k", "2", "-o", "many.scree")
    run("plot", "-q", "many.scree", "many.csv", "--kind", "biplot", "-o", "many.svg")
    said = [word for word in Picture("many.svg").words() if "20 of 40 columns shown: the largest contributions" in word]
    expect(said, "a biplot of 40 columns does not say that it shows 20")
    expect(len(Picture("many.svg").heads()) == 20, "a biplot of 40 columns does not have 20 arrows")


def names_of_rows():
    names = [f"person {chr(65 + i)}" for i in range(20)]
    write("people.csv", ["height", "weight", "age"], normal(20, (3, 2, 1), 5), names)
    run("fit", "-q", "people.csv", "-k", "2", "-o", "people.scree")
    for kind in ("embedding", "biplot"):
        run("plot", "-q", "people.scree", "people.csv", "--kind", kind, "-o", "people.svg")
        picture = Picture("people.svg")
        named = [word for word in picture.words() if word in names]
        expect(len(named) >= 17, f"{kind}: {len(named)} of 20 rows have names")
        boxes = picture.boxes({*names, "height", "weight", "age"})
        for text, (left, top, right, bottom) in boxes.items():
            for other, box in boxes.items():
                apart = right <= box[0] or box[2] <= left or bottom <= box[1] or box[3] <= top
                expect(other == text or apart, f"{kind}: '{text}' lies over '{other}'")
            for x, y in picture.heads():
                expect(not (left < x < right and top < y < bottom), f"{kind}: '{text}' lies over the head of an arrow")


def thirty_classes():
    rows = normal(90, (3, 2, 1), 9)
    write("classes.csv", ["a", "b", "c"], rows, None, [f"class {i % 30}" for i in range(90)])
    run("fit", "-q", "classes.csv", "-k", "2", "-o", "classes.scree")
    run("plot", "-q", "classes.scree", "classes.csv", "-o", "classes.svg")
    picture = Picture("classes.svg")
    expect(sum(word.startswith("class ") for word in picture.words()) == 30, "the legend has not thirty classes")
    looks = set()
    for group in picture.root.iter(SVG + "g"):
        for mark in group:
            corners = [(float(x), float(y)) for x, y in re.findall(r"[ML]([-0-9.]+) ([-0-9.]+)", mark.get("d") or "")]
            from_first = tuple((round(x - corners[0][0]), round(y - corners[0][1])) for x, y in corners)
            looks.add((group.get("fill"), group.get("stroke"), from_first))
    expect(len(looks) >= 30, f"thirty classes have {len(looks)} looks")


def one_column():
    """Rows of one column are levels, not an empty frame."""
    write("one.csv", ["x"], normal(12, (2,), 4))
    run("fit", "-q", "one.csv", "-k", "1", "-o", "one.scree")
    for kind, rows in (("rows", ["one.csv"]), ("samples", [])):
        run("plot", "-q", "one.scree", *rows, "--kind", kind, "-n", "12", "-o", "one.svg")
        drawn = [path for path in Picture("one.svg").root.iter(SVG + "path") if path.get("stroke") == "#0072b2"]
        expect(len(drawn) == 12, f"{kind}: {len(drawn)} lines for 12 rows of one column")


def outlines():
    run("plot", "-q", "people.scree", "people.csv", "--outlines", "-o", "outlines.svg")
    picture = Picture("outlines.svg")
    expect(not picture.texts, "outlines are text")


def outliers_of(name, count):
    """Size and opacity of the marks of the outliers among 3000 rows, of which so many lie far out; how many there are."""
    rows = [[4 * value if i < count else value for value in row] for i, row in enumerate(normal(3000, (3, 2, 1), 8))]
    write(name + ".csv", ["a", "b", "c"], rows)
    run("plot", "-q", "calm.scree", name + ".csv", "--kind", "outliers", "-o", name + ".svg")
    groups = [g for g in Picture(name + ".svg").root.iter(SVG + "g") if g.get("fill") == "#c4001a" and g.get("fill-opacity")]
    marks = [mark.get("d") for group in groups for mark in group]
    if not marks:
        sys.exit(f"{name}: no outlier is drawn")
    across = [float(x) for x in re.findall(r"[ML]([-0-9.]+)", marks[0])]
    return max(across) - min(across), float(groups[0].get("fill-opacity")), len(marks)


def many_rows():
    """The rows that are no outliers are no block, either."""
    faint = {}
    for count in (150, 4500):
        write("rows.csv", ["a", "b", "c"], normal(count, (3, 2, 1), 12))
        run("fit", "-q", "rows.csv", "-k", "2", "-o", "rows.scree")
        run("plot", "-q", "rows.scree", "rows.csv", "--kind", "outliers", "-o", "rows.svg")
        groups = [g for g in Picture("rows.svg").root.iter(SVG + "g") if g.get("fill") == "#0072b2" and g.get("fill-opacity")]
        faint[count] = float(groups[0].get("fill-opacity"))
    expect(faint[150] >= 0.75 and faint[4500] < 0.5 * faint[150], f"rows have the opacity {faint}")


def many_outliers():
    """The more outliers, the smaller and the fainter, so that they are not one block; a few are as clear as ever."""
    write("calm.csv", ["a", "b", "c"], normal(2000, (3, 2, 1), 6))
    run("fit", "-q", "calm.csv", "-k", "2", "-o", "calm.scree")
    (large, clear, few), (small, faint, many) = outliers_of("few", 40), outliers_of("many", 3000)
    expect(few < 200 < 2000 < many, f"{few} and {many} outliers are not few and many")
    expect(clear >= 0.75, f"{few} outliers have the opacity {clear}")
    expect(small < 0.7 * large, f"{many} outliers are {small:.2f} wide, and {few} are {large:.2f}")
    expect(faint < 0.5 * clear, f"{many} outliers have the opacity {faint}, and {few} have {clear}")
    ink, few_ink = many * small**2 * faint, few * large**2 * clear
    expect(ink < 0.25 * (many / few) * few_ink, f"{many} outliers take {ink / few_ink:.0f} times the ink of {few}")


def whole_texts():
    """A slide cuts no name, entry or title that was given room by its own width, and 85 mm are enough for what is around rows."""
    columns = ["mpg", "disp", "hp", "drat", "wt", "qsec", "gear", "carb"]
    write("cars.csv", columns, normal(30, (5, 4, 3, 3, 2, 2, 1, 1), 2))
    run("fit", "-q", "cars.csv", "-k", "3", "-o", "cars.scree")
    for kind, rows in (("contributions", []), ("cos2", []), ("reconstruction", ["cars.csv"])):
        run("plot", "-q", "cars.scree", *rows, "--kind", kind, "--layout", "slide", "-o", "cars.svg")
        cut = [word for word in Picture("cars.svg").words() if "…" in (word or "")]
        expect(not cut, f"{kind}: cut to {cut}")
    run("plot", "-q", "cars.scree", "cars.csv", "--kind", "outliers", "--layout", "column", "-o", "cars.svg")
    expect(not any("…" in (word or "") for word in Picture("cars.svg").words()), "outliers: a title is cut at 85 mm")
    run("plot", "-q", "cars.scree", "--kind", "loadings", "--width", "56mm", "-o", "cars.svg")
    words = Picture("cars.svg").words()
    expect("pc1" in words and not any("…" in (word or "") for word in words), f"loadings, narrow: {words}")
    for around in ("normal", "t", "confidence", "hull", "density"):
        run("plot", "-q", "cars.scree", "cars.csv", "--around", around, "--layout", "column", "-o", "cars.svg")
        cut = [word for word in Picture("cars.svg").words() if "…" in (word or "")]
        expect(not cut, f"around {around}: cut to {cut}")


def numbers_in_cells():
    """No stroke beside a number in the terminal, where a dash of the line of the mean would be its minus."""
    write("falling.csv", [f"v{j}" for j in range(12)], normal(200, [1.5 ** -j for j in range(12)], 4))
    run("fit", "-q", "falling.csv", "-k", "10", "-o", "falling.scree")
    for kind in ("variance", "contributions"):
        for width in ("80", "100", "120"):
            words = ["plot", "falling.scree", "--kind", kind, "--terminal", "ascii", "--width", width, "--height", "30"]
            shown = subprocess.run([SCREE, *words], capture_output=True, text=True, check=True).stdout
            for line in shown.splitlines()[2:]:
                inside = re.sub(r"^[^|+]*[|+]|x10-\d+", "", line)
                expect(not re.search(r"[-_*#'|]\.?\d|\d[-_*#'|]", inside), f"{kind}, {width} wide: a number touches a stroke: {line}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for check in (equal_units, every_column, largest_contributions, names_of_rows, thirty_classes, one_column, outlines,
                      many_outliers, many_rows, whole_texts, numbers_in_cells):
            check()
        os.chdir("/")
    for failure in failures:
        print(failure)
    print(f"{len(failures)} failures")
    sys.exit(bool(failures))


main()
