#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The map as a picture, and its tables in docs/bench.md, from the JSON that map.py keeps.

    heatmap.py [--docs] [JSON]

Without --docs the text goes to standard output, and no file is touched. The picture has a box for each shape, rows
downwards and columns to the right; in a box a line for each table, of its type and spectrum, and a field for each number
of components with the ratio to scikit-learn's default: red where scree is slower, blue where it is faster.
"""

import argparse
import json
import math
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cells
import verdict

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(TOP, "docs", "bench.md")
PICTURE = os.path.join(TOP, "docs", "bench-map.svg")
SHORT = {"harmonic": "1/j", "plateaus": "plateaus", "spikes": "spikes", "noise": "noise"}
# From this ratio on: fill, text.
COLOURS = (
    (0.0, "#b2182b", "#fff"), (0.5, "#ef8a62", "#111"), (1.0, "#deebf7", "#111"), (1.5, "#c6dbef", "#111"),
    (2.5, "#9ecae1", "#111"), (5.0, "#4292c6", "#fff"), (10.0, "#08519c", "#fff"),
)  # fmt: skip
FIELD, LABEL, LINE, GAP, LEFT, HEAD = 32, 74, 18, 6, 62, 46
WORST = 12
SOLVERS = ("full", "covariance_eigh", "arpack", "randomized")


def digits(value):
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def amount(size):
    power = round(math.log10(size))
    return f"10{'⁵⁶'[power - 5]}" if size == 10**power and power >= 5 else str(size)


def text(x, y, words, **attributes):
    names = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<text x="{x:.0f}" y="{y:.0f}"{names}>{words}</text>'


def field(x, y, name, record):
    """One cell."""
    value = verdict.ratio(record)
    _, fill, ink = [c for c in COLOURS if c[0] <= value][-1]
    scree, auto = record["scree"], record["sklearn"]["auto"]
    tip = (f"{name}: scree {scree['time']:.3g} s by {scree['solver']}, scikit-learn {verdict.theirs(record, 'auto'):.3g} s by "
           f"{auto.get('solver', 'auto')}")
    return (f'<g><title>{tip}</title><rect x="{x}" y="{y}" width="{FIELD - 1}" height="{LINE - 1}" rx="2" fill="{fill}"/>'
            + text(x + (FIELD - 1) / 2, y + 13, digits(value), text_anchor="middle", fill=ink) + "</g>")


def line_of(x, y, records):
    """A table: its label, its cells at the places of k = 10, 50 and all."""
    _, first = records[0]
    label = f"{first['type']} {SHORT.get(first['spectrum'], first['spectrum'])}" + ("*" if first["source"] == "file" else "")
    parts = [text(x + LABEL - 4, y + 13, label, text_anchor="end", fill="currentColor", font_size=10)]
    for name, record in records:
        place = {"10": 0, "50": 1, "all": 2}.get(record["k_name"], 0)
        parts.append(field(x + LABEL + place * FIELD, y, name, record))
    return parts


def by_shape(found):
    """{(rows, cols): [records of a table]}."""
    shapes = {}
    for table, its in cells.read_tables():
        records = [(cell.name, found[cell.name]) for cell in its if cell.name in found and verdict.ratio(found[cell.name])]
        if table.group == "map" and records:
            shapes.setdefault((table.rows, table.cols), []).append(records)
    return shapes


def grid(found):
    """The boxes, and how far down they reach."""
    shapes = by_shape(found)
    width = LABEL + 3 * FIELD + GAP
    parts = [text(8, 16, "columns →", fill="currentColor"), text(8, 34, "rows ↓", fill="currentColor")]
    y = HEAD
    for column, cols in enumerate(cells.AXIS):
        x = LEFT + column * width
        parts.append(text(x + width / 2, 16, amount(cols), text_anchor="middle", font_weight="bold", fill="currentColor"))
        parts += [text(x + LABEL + (i + 0.5) * FIELD, 34, k, text_anchor="middle", font_size=10, fill="currentColor")
                  for i, k in enumerate(("k=10", "50", "all"))]
    for rows in cells.AXIS:
        height = max([len(shapes.get((rows, cols), ())) for cols in cells.AXIS] + [1]) * LINE
        parts.append(text(LEFT - 8, y + height / 2 + 4, amount(rows), text_anchor="end", font_weight="bold", fill="currentColor"))
        for column, cols in enumerate(cells.AXIS):
            for i, records in enumerate(shapes.get((rows, cols), ())):
                parts += line_of(LEFT + column * width, y + i * LINE, records)
        y += height + 2 * GAP
        parts.append(f'<path d="M{LEFT} {y - GAP}H{LEFT + 7 * width}" stroke="currentColor" stroke-opacity=".2"/>')
    return parts, y, LEFT + 7 * width


def issue_strip(found, y):
    parts = [text(LEFT - 54, y + 14, "shapes at which scree was once slower", font_weight="bold", fill="currentColor")]
    records = [(name, r) for name, r in found.items() if r["group"] == "issue" and verdict.ratio(r)]
    for i, (name, record) in enumerate(records):
        x, at = LEFT + (i % 4) * 300, y + 24 + (i // 4) * (LINE + 4)
        label = f"{record['rows']}×{record['cols']} {record['type']} {SHORT[record['spectrum']]}, k = {record['k']}"
        parts.append(text(x + 206, at + 13, label, text_anchor="end", fill="currentColor"))
        parts.append(field(x + 212, at, name, record))
    return parts, y + 24 + (len(records) + 3) // 4 * (LINE + 4)


def legend(y):
    parts = [text(LEFT - 54, y + 18, "times faster than scikit-learn's default", font_weight="bold", fill="currentColor")]
    bounds = [c[0] for c in COLOURS]
    for i, (least, fill, ink) in enumerate(COLOURS):
        words = f"&lt; {bounds[1]}" if i == 0 else f"≥ {least:g}" if i + 1 == len(COLOURS) else f"{least:g}–{bounds[i + 1]:g}"
        x = LEFT + 220 + i * 66
        parts.append(f'<rect x="{x}" y="{y + 4}" width="62" height="{LINE}" rx="2" fill="{fill}"/>')
        parts.append(text(x + 31, y + 17, words, text_anchor="middle", fill=ink))
    parts.append(text(LEFT + 700, y + 18, "f4 float, f8 double, u1 bytes; * from a file", fill="currentColor"))
    return parts, y + 30


def picture(found):
    boxes, y, width = grid(found)
    strip, y = issue_strip(found, y + GAP)
    key, y = legend(y + GAP)
    style = "svg{color:#222}@media(prefers-color-scheme:dark){svg{color:#ddd}}text{font-family:sans-serif}"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {y:.0f}" font-size="11">'
            "<title>Times that scree is faster than scikit-learn, by rows (down) and columns (across)</title>"
            f"<style>{style}</style>\n"
            + "\n".join(boxes + strip + key) + "\n</svg>\n")


def seconds(value):
    return f"{value:.2f} s" if value >= 1 else f"{1000 * value:.3g} ms"


def their_time(record, solver):
    found = record["sklearn"].get(solver, {})
    if "time" in found:
        return seconds(found["time"])
    return f"> {found['cut']:.0f} s" if "cut" in found else "–"


def rows_of(named):
    """A table of cells."""
    head = ["rows × columns", "type", "spectrum", "k", "scree", "its method", "tol 1e-8", "auto", "takes", *SOLVERS, "ratio"]
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * 4 + " ---: | --- | ---: | ---: | --- |" + " ---: |" * 5]
    for _, r in named:
        shape = f"{r['rows']}×{r['cols']}" + (", file" if r["source"] == "file" else "")
        words = [shape, r["type"], SHORT.get(r["spectrum"], r["spectrum"]), str(r["k"]), seconds(r["scree"]["time"]),
                 r["scree"]["solver"], seconds(r["tight"]["time"]) if "time" in r["tight"] else "–", their_time(r, "auto"),
                 r["sklearn"]["auto"].get("solver", "–"), *(their_time(r, s) for s in SOLVERS), digits(verdict.ratio(r))]
        lines.append("| " + " | ".join(words) + " |")
    return "\n".join(lines) + "\n"


def page_text(kept):
    known = {name: r for name, r in kept["cells"].items() if verdict.ratio(r)}
    found = {name: r for name, r in known.items() if r["group"] != "heldout"}
    held = {name: r for name, r in known.items() if r["group"] == "heldout"}
    about = kept["conditions"]
    worst = sorted(found.items(), key=lambda item: verdict.ratio(item[1]))[:WORST]
    programs = ". ".join(", with ".join(about[side]) for side in ("scree", "sklearn"))
    parts = [f"{len(found)} cells, {about['cores']} threads on both sides, {about['processor']}. {programs}.\n",
             "\n".join(f"- {line}" for line in verdict.lines(found)) + "\n",
             "Shapes at which scree was once slower:\n", rows_of([i for i in found.items() if i[1]["group"] == "issue"]),
             "The worst cells:\n", rows_of(worst)]
    if held:
        parts += ["Tables that nothing was tuned for:\n", rows_of(held.items()),
                  "\n".join(f"- {line}" for line in verdict.lines(held)) + "\n"]
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--docs", action="store_true", help="write docs/bench.md and docs/bench-map.svg")
    parser.add_argument("json", nargs="?", default=os.path.join(TOP, "build", "bench-map.json"))
    options = parser.parse_args()
    with open(options.json, encoding="utf-8") as file:
        kept = json.load(file)
    if not options.docs:
        print(page_text(kept), end="")
        return
    with open(PICTURE, "w", encoding="utf-8") as file:
        file.write(picture({n: r for n, r in kept["cells"].items() if r["group"] != "heldout"}))
    with open(PAGE, encoding="utf-8") as file:
        old = file.read()
    place = re.compile(r"(<!-- map -->\n).*?(<!-- /map -->)", re.DOTALL)
    if not place.search(old):
        raise SystemExit("docs/bench.md has no place between <!-- map --> and <!-- /map -->")
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(place.sub(lambda m: m[1] + page_text(kept) + m[2], old))


main()
