# SPDX-License-Identifier: BSD-3-Clause
"""The table of all rows of a report, the comparison of the marked rows with the others, whose numbers are computed here once
more, and the files that a reader saves; by pointer and by keyboard.

It needs pictures. Wants $SCREE (the binary) and $SRC (the repository). Ends with 77 when there is no browser here.
"""

import base64
import csv
import gzip
import io
import math
import os
import struct
import time
import xml.etree.ElementTree as xml

from pages import DIGITS, load, quiet, run_tests, scree, select, selected, state, text
from webdriver import CONTROL, DOWN, END, ENTER, HOME, PAGE_DOWN, SHIFT, UP

IRIS = os.path.join(os.environ["SRC"], "examples", "iris.csv")
IMAGES, LABELS = DIGITS % "images-idx3", DIGITS % "labels-idx1"


def make_pages():
    """The pages that the tests look at, in the current folder."""
    scree("fit", "-q", IRIS, "-o", "iris.scree")
    scree("report", "-q", "iris.scree", IRIS, "--training", "-o", "iris.html")
    scree("fit", "-q", IMAGES, "-k", "20", "-o", "digits.scree")
    scree("report", "-q", "digits.scree", IMAGES, "--labels", LABELS, "--training", "-o", "digits.html")


def iris():
    with open(IRIS, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def listed(browser):
    """The numbers of all rows that the table lists, in its order."""
    browser.frames(3)
    return browser.run("return Array.from(scree.table.order(), (row) => scree.data.number[row])")


def lines(browser):
    """What can be seen of the table, line by line."""
    browser.frames(3)
    return browser.run("return Array.from(document.querySelectorAll('#row-grid tbody tr'), (r) => Array.from(r.cells, (c) => c.textContent))")


def sort_by(browser, key):
    browser.click(f"[id='sort-{key}']")


def test_the_table_is_sorted_by_every_column(browser):
    load(browser, "iris.html")
    assert listed(browser) == list(range(1, 151))
    scores = list(csv.DictReader(io.StringIO(scree("score", "-q", "--training", "iris.scree", IRIS))))
    codes = list(csv.DictReader(io.StringIO(scree("project", "-q", "iris.scree", IRIS))))
    for key, values in (("p", [float(r["p_value"]) for r in scores]), ("q", [float(r["q"]) for r in scores]), ("t2", [float(r["t2"]) for r in scores]),
                        ("loglik", [float(r["loglik"]) for r in scores]), ("code:1", [float(r["pc2"]) for r in codes])):
        for down in (False, True):
            sort_by(browser, key)
            order = [values[number - 1] for number in listed(browser)]
            wrong = [(a, b) for a, b in zip(order, order[1:]) if (b - a) * (-1 if down else 1) < -1e-4 * (abs(a) + 1e-3)]
            assert len(order) == 150 and not wrong, (key, down, wrong)  # the page has floats, and codes of 16 bits
            sorts = browser.run("return Array.from(document.querySelectorAll('#row-grid th[aria-sort]:not([aria-sort=none])'), (h) => h.getAttribute('aria-sort'))")
            assert sorts == ["descending" if down else "ascending"], sorts
            assert browser.run("return document.activeElement.id") == f"sort-{key}"
    sort_by(browser, "text:0")
    kinds = [row["species"] for row in iris()]
    assert listed(browser) == sorted(range(1, 151), key=lambda i: (kinds[i - 1], i))
    browser.run("document.getElementById('sort-number').focus()")
    browser.key(ENTER)
    assert listed(browser) == list(range(1, 151))
    quiet(browser)


def test_only_what_is_seen_is_there_and_all_can_be_seen(browser):
    load(browser, "digits.html")
    assert len(lines(browser)) < 30 and browser.run("return document.getElementById('row-grid').getAttribute('aria-rowcount')") == "1001"
    seen = set()
    for _ in range(200):
        numbers = [int(line[1]) for line in lines(browser)]
        seen.update(numbers)
        end = browser.run("const s = document.getElementById('row-scroll'), before = s.scrollTop; s.scrollTop += s.clientHeight / 2; return s.scrollTop === before")
        if end:
            break
    assert seen == set(range(1, 1001)) and numbers[-1] == 1000, len(seen)
    quiet(browser)


def test_the_table_by_keys(browser):
    load(browser, "iris.html")
    browser.run("document.getElementById('row-grid').focus()")
    current = "const g = document.getElementById('row-grid'), line = document.getElementById(g.getAttribute('aria-activedescendant')); return line && Number(line.cells[1].textContent)"
    browser.key(DOWN * 3)
    assert browser.run(current) == 4
    browser.key(END)
    browser.frames(3)
    assert browser.run(current) == 150
    browser.key(HOME + PAGE_DOWN + UP)
    browser.frames(3)
    page = browser.run(current)
    assert 5 < page < 30
    browser.key(ENTER)
    assert browser.run("return scree.data.number[scree.state.get('focus')]") == page and f"row {page}" in text(browser, "#status")
    browser.key(" ")
    number = "return Array.from(scree.state.get('selection').rows, (row) => scree.data.number[row]).sort((a, b) => a - b)"
    assert browser.run(number) == [page]
    with browser.held(SHIFT):
        browser.key(DOWN + DOWN)
    assert browser.run(number) == [page, page + 1, page + 2]
    browser.key(" ")
    assert browser.run(number) == [page, page + 1]
    assert browser.run("return document.activeElement.id") == "row-grid"
    quiet(browser)


def test_the_table_by_pointer(browser):
    load(browser, "iris.html")
    browser.click("#row-grid tbody tr:nth-child(3) td:nth-child(2)")
    assert browser.run("return scree.data.number[scree.state.get('focus')]") == 3 and selected(browser) == []
    browser.click("#row-grid tbody tr:nth-child(2) td.tick")
    with browser.held(SHIFT):
        browser.click("#row-grid tbody tr:nth-child(5) td:nth-child(2)")
    with browser.held(CONTROL):
        browser.click("#row-grid tbody tr:nth-child(3) td:nth-child(2)")
    numbers = browser.run("return Array.from(scree.state.get('selection').rows, (row) => scree.data.number[row]).sort()")
    assert numbers == [2, 4, 5], numbers
    assert [line[0] for line in lines(browser)][:6] == ["", "✓", "", "✓", "✓", ""]
    select(browser, 107)
    assert 107 in [int(line[1]) for line in lines(browser)]  # what is looked at elsewhere comes into sight
    quiet(browser)


def test_marks_are_everywhere(browser):
    """Rows that are marked in one place are so in all: map, legend, outliers, spectrum, table, comparison."""
    load(browser, "iris.html")
    browser.click("#mark-outliers")
    numbers = sorted(browser.run("return Array.from(document.querySelectorAll('#outliers-table button'), (b) => Number(b.textContent))"))
    marked = "return Array.from(scree.state.get('selection').rows, (row) => scree.data.number[row]).sort((a, b) => a - b)"
    assert browser.run(marked) == numbers and len(numbers) == 4
    browser.run("const s = document.getElementById('table-show'); s.value = 'only'; s.dispatchEvent(new Event('change'))")
    assert listed(browser) == numbers and all(line[0] == "✓" for line in lines(browser))
    browser.frames(3)
    assert browser.run("return document.querySelectorAll('#outliers-table .marked-row').length") == 4
    squares = browser.run("return Array.from(document.querySelectorAll('.marked-variance title'), (t) => Number(t.textContent.split(' = ')[1]))")
    codes = [[float(row[f"pc{j}"]) for j in range(1, 5)] for row in csv.DictReader(io.StringIO(scree("project", "-q", "iris.scree", IRIS)))]
    for j, square in enumerate(squares):
        wanted = sum(codes[i - 1][j] ** 2 for i in numbers) / 4
        assert abs(square / wanted - 1) < 1e-3, (j, square, wanted)
    browser.run("document.querySelector('#outliers-table input').focus()")
    browser.key(" ")
    assert len(browser.run(marked)) == 3 and len(listed(browser)) == 3
    assert "3 of 150 rows are marked" in text(browser, "#marked-note") and text(browser, "#comparison-note").startswith("3 marked rows beside 147 others")
    browser.run("const s = document.getElementById('table-show'); s.value = 'first'; s.dispatchEvent(new Event('change'))")
    found = listed(browser)
    assert len(found) == 150 and found[:3] == browser.run(marked) and found[3:] == sorted(found[3:])
    browser.click("#class-2")
    assert len(listed(browser)) == 100 and "50 hidden" in text(browser, "#table-note")
    quiet(browser)


def student_quantile(tail, freedom):
    """t with P(T > t) = tail, by sums over the density from 0."""
    log_top = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - 0.5 * math.log(freedom * math.pi)
    step, below, at = 1e-3, 0.0, 0.0
    density = lambda t: math.exp(log_top - (freedom + 1) / 2 * math.log1p(t * t / freedom))
    while below < 0.5 - tail:
        below += step * density(at + step / 2)
        at += step
    return at


def effect(one, other, compared):
    """d and its interval by the formula of Bonett (2008), for a 95 % interval of all that are compared."""
    n, m = len(one), len(other)
    mean, rest = sum(one) / n, sum(other) / m
    v, w = sum((x - mean) ** 2 for x in one) / (n - 1), sum((x - rest) ** 2 for x in other) / (m - 1)
    s2 = (v + w) / 2
    d = (mean - rest) / math.sqrt(s2)
    variance = d * d * (v * v / (n - 1) + w * w / (m - 1)) / (8 * s2 * s2) + (v / (n - 1) + w / (m - 1)) / s2
    a, b = v / (n - 1), w / (m - 1)
    reach = student_quantile(0.025 / compared, (a + b) ** 2 / (a * a / (n - 1) + b * b / (m - 1))) * math.sqrt(variance)
    return d, d - reach, d + reach


def test_the_marked_rows_are_compared_with_the_others(browser):
    load(browser, "iris.html")
    assert text(browser, "#comparison-note").startswith("Mark rows")
    kinds = [row["species"] for row in iris()]
    browser.click("#mark-the-class")
    browser.frames(4)
    found = browser.wait_for("const c = scree.state.get('comparison'); return c.length > 0 && c.map((i) => [i.kind, i.index, i.d, i.low, i.high, i.one.n, i.other.n])")
    assert len(found) == 7  # 3 components and 4 columns
    assert [abs(item[2]) for item in found] == sorted((abs(item[2]) for item in found), reverse=True)
    names = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
    codes = list(csv.DictReader(io.StringIO(scree("project", "-q", "iris.scree", IRIS))))
    for kind, index, d, low, high, n, m in found:
        values = [float(row[names[index]]) for row in iris()] if kind == "column" else [float(row[f"pc{index + 1}"]) for row in codes]
        wanted = effect([v for v, k in zip(values, kinds) if k == "setosa"], [v for v, k in zip(values, kinds) if k != "setosa"], 7)
        assert (n, m) == (50, 100)
        assert all(abs(a - b) < 0.005 * abs(b - wanted[0]) + 2e-3 for a, b in zip((d, low, high), wanted)), (kind, index, (d, low, high), wanted)
    assert "setosa 100 % (0 %)" in text(browser, "#comparison-note")
    browser.run("document.querySelector('#compared-columns button').focus()")
    browser.key(ENTER)
    top = next(item[1] for item in found if item[0] == "column")
    assert state(browser, "colouring") == f"column:{top}"
    browser.run("scree.select([0, 1, 2])")
    browser.frames(4)
    assert "3 rows on one side there is no telling" in text(browser, "#comparison-note")
    assert browser.run("return scree.state.get('comparison').every((i) => Number.isNaN(i.low) && !i.clear)")
    browser.run("scree.select(d3.range(150))")
    browser.frames(4)
    assert "no others" in text(browser, "#comparison-note") and state(browser, "comparison") == []
    quiet(browser)


def test_quantiles_of_student(browser):
    """One and two degrees of freedom have formulas."""
    load(browser, "iris.html")
    # By effects of two groups of ten, whose interval tells the quantile: there is no other way to it from outside.
    found = browser.run("scree.select(d3.range(10)); return 0") or browser.wait_for(
        "const c = scree.state.get('comparison'); return c.length > 0 && c[0].one.n === 10 && c.map((i) => [(i.high - i.low) / 2 / i.error, i.freedom])")
    for quantile, freedom in found:
        unit = 10 ** max(0, math.floor(math.log10(freedom)) - 2)
        wanted = student_quantile(0.025 / len(found), math.floor(freedom / unit) * unit)
        assert abs(quantile / wanted - 1) < 1e-3, (quantile, wanted, freedom)
    quiet(browser)


def test_images_are_compared_pixel_by_pixel(browser):
    load(browser, "digits.html")
    browser.click("#mark-the-class")
    found = browser.wait_for("const c = scree.state.get('comparison').filter((i) => i.kind === 'column'); return c.length > 0 && c.map((i) => [i.index, i.one.mean, i.other.mean])")
    rows = browser.run("return [Array.from(scree.data.number), Array.from(scree.state.get('selection').has)]")
    with gzip.open(IMAGES) as file:
        pixels = file.read()[16:]
    marked = {number for number, has in zip(*rows) if has}
    for index, one, other in found[:5]:
        values = [(i + 1 in marked, pixels[784 * i + index]) for i in range(1000)]
        inside, outside = [v for m, v in values if m], [v for m, v in values if not m]
        assert abs(one - sum(inside) / len(inside)) < 1e-6 and abs(other - sum(outside) / len(outside)) < 1e-6
    assert browser.run("return document.querySelectorAll('#comparison-images canvas').length") == 3
    quiet(browser)


def saved(browser, button, name, by_key=False):
    """The bytes of the file that a button saves."""
    folder = os.path.abspath("saved")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    if os.path.exists(path):
        os.remove(path)
    browser.call("POST", browser.session + "/goog/cdp/execute", {"cmd": "Browser.setDownloadBehavior", "params": {"behavior": "allow", "downloadPath": folder}})
    if by_key:
        browser.run("document.querySelector(arguments[0]).focus()", button)
        browser.key(ENTER)
    else:
        browser.click(button)
    while not os.path.exists(path):  # the test as a whole has a limit
        time.sleep(0.02)
    with open(path, "rb") as file:
        return file.read()


def table_of(data):
    return list(csv.DictReader(io.StringIO(data.decode())))


def test_tables_are_saved(browser):
    load(browser, "iris.html")
    sort_by(browser, "p")
    browser.click("#mark-outliers")
    browser.frames(3)
    table = table_of(saved(browser, "#save-table", "iris-table.csv"))
    assert [int(row["row"]) for row in table] == listed(browser)
    scores = list(csv.DictReader(io.StringIO(scree("score", "-q", "--training", "iris.scree", IRIS))))
    for row in table:
        wanted = scores[int(row["row"]) - 1]
        assert row["species"] == wanted["species"] and abs(float(row["p_value"]) / float(wanted["p_value"]) - 1) < 1e-5
    assert [row["marked"] for row in table] == ["1"] * 4 + ["0"] * 146
    codes, wanted = table_of(saved(browser, "#save-codes", "iris-codes.csv")), list(csv.DictReader(io.StringIO(scree("project", "-q", "iris.scree", IRIS))))
    assert len(codes) == 150 and all(abs(float(row[f"pc{j}"]) - float(wanted[int(row["row"]) - 1][f"pc{j}"])) < 1e-4 for row in codes for j in range(1, 5))
    marks = table_of(saved(browser, "#save-marks", "iris-marked.csv", by_key=True))
    assert [int(row["row"]) for row in marks] == sorted(int(row["row"]) for row in table[:4]) and marks[0]["species"] == "virginica"
    effects = table_of(saved(browser, "#save-comparison", "iris-comparison.csv"))
    assert {row["name"] for row in effects} >= {"petal_width"} and all(row["rows_marked"] == "4" and row["low"] == "" for row in effects)
    quiet(browser)


def expect_by_key(browser, files):
    """Each button saves the same by key as by pointer; Chromium allows a page ten files."""
    load(browser, "iris.html")
    browser.click("#mark-outliers")
    browser.frames(3)
    for button, name in files.items():
        by_pointer = saved(browser, button, name)
        assert by_pointer and saved(browser, button, name, by_key=True) == by_pointer, name
    quiet(browser)


def test_tables_are_saved_by_keys(browser):
    expect_by_key(browser, {"#save-table": "iris-table.csv", "#save-codes": "iris-codes.csv", "#save-marks": "iris-marked.csv", "#save-comparison": "iris-comparison.csv"})


def test_pictures_are_saved_by_keys(browser):
    expect_by_key(browser, {"#save-svg": "iris-map.svg", "#save-png": "iris-map.png"})


def test_cells_are_quoted(browser):
    with open("quoted.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["na,me", "x", "y", "z"])
        names = ['say "hi"', "a,b", " blank", "two\nlines", "=1+1", "plain"]
        for i in range(30):
            out.writerow([names[i % 6], i * 7 % 11, i * i % 13, i * 5 % 7])
    scree("fit", "-q", "quoted.csv", "-k", "2", "-o", "quoted.scree")
    scree("report", "-q", "quoted.scree", "quoted.csv", "-o", "quoted.html")
    load(browser, "quoted.html")
    names_there = browser.run("const t = scree.data.texts[0]; return Array.from(t.index, (i) => t.words[i])")
    numbers = browser.run("return Array.from(scree.data.number)")
    rows = list(csv.DictReader(io.StringIO(saved(browser, "#save-table", "quoted-table.csv").decode(), newline="")))
    assert {int(row["row"]): row["na,me"] for row in rows} == dict(zip(numbers, names_there)), rows[:6]
    quiet(browser)


def test_pictures_are_saved(browser):
    load(browser, "iris.html")
    browser.click("#class-1")
    tree = xml.fromstring(saved(browser, "#save-svg", "iris-map.svg").decode())
    space = "{http://www.w3.org/2000/svg}"
    marks = next(group for group in tree.iter(space + "g") if group.get("class") == "points")
    places = sorted((float(m.get("cx")), float(m.get("cy"))) for m in marks if m.tag == space + "circle")
    wanted = browser.run("const kind = scree.data.texts[0]; return d3.range(150).filter((i) => kind.words[kind.index[i]] === 'setosa').map((i) => scree.map.placeOf(i))")
    assert len(marks) == 100 and len(places) == 50 and all(math.dist(a, b) < 0.02 for a, b in zip(places, sorted(map(tuple, wanted))))
    said = [t.text for t in tree.iter(space + "text")]
    assert any("component 1 (92.5 %" in (t or "") for t in said) and {"setosa", "versicolor", "virginica"} <= set(said)
    assert tree.find(space + "title").text.startswith("iris.csv")
    assert not [e for e in tree.iter() if e.get("class") in ("handle", "lasso")]
    png = saved(browser, "#save-png", "iris-map.png")
    width, height = struct.unpack(">2I", png[16:24])
    shown = browser.run("const b = document.getElementById('map').getBoundingClientRect(); return [b.width, b.height]")
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and width >= 2 * (shown[0] - 3) and height > 2 * (shown[1] - 3)
    # Drawn again, it has the colour of a point where the point is, and axes.
    at = browser.run("const kind = scree.data.texts[0], row = d3.range(150).find((i) => kind.words[kind.index[i]] === 'setosa'); return [...scree.map.placeOf(row), scree.state.get('paint')[row]]")
    found = browser.wait("const [url, x, y, fine] = arguments, done = arguments[4], image = new Image(); image.src = url;"
                         "image.decode().then(() => { const c = document.createElement('canvas'); c.width = image.width; c.height = image.height; const p = c.getContext('2d', { willReadFrequently: true });"
                         "p.drawImage(image, 0, 0); const a = p.getImageData(0, 0, c.width, c.height).data; let ink = 0;"
                         "for (let i = 0; i < a.length; i += 4) ink += a[i] < 100 && a[i + 1] < 115 && a[i + 2] < 130 && i / 4 / c.width > (c.height * 0.93);"
                         "done([Array.from(p.getImageData(Math.round(x * fine), Math.round(y * fine), 1, 1).data), ink]); })",
                         "data:image/png;base64," + base64.b64encode(png).decode(), at[0], at[1], width / shown[0])
    wanted = [at[2] & 255, at[2] >> 8 & 255, at[2] >> 16 & 255]
    assert all(abs(a - b) < 70 for a, b in zip(found[0], wanted)) and found[1] > 100, (found, wanted)
    quiet(browser)


if __name__ == "__main__":
    run_tests(dict(globals()), make_pages)
