# SPDX-License-Identifier: BSD-3-Clause
"""How a report shows rows among each other: the nearest ones, computed here once more; by pointer and by keyboard.

It needs pictures. Wants $SCREE (the binary) and $SRC (the repository). Ends with 77 when there is no browser here.
"""

import csv
import math
import os

from pages import DIGITS, load, place, quiet, run_tests, scree, select, selected, state, text
from webdriver import ALT, DOWN, ENTER, TAB

IRIS = os.path.join(os.environ["SRC"], "examples", "iris.csv")
IMAGES, LABELS = DIGITS % "images-idx3", DIGITS % "labels-idx1"


def make_pages():
    """The pages that the tests look at, in the current folder."""
    scree("fit", "-q", IRIS, "-o", "iris.scree")
    scree("report", "-q", "iris.scree", IRIS, "--training", "-o", "iris.html")
    scree("project", "-q", "iris.scree", IRIS, "-o", "iris-codes.csv")
    scree("fit", "-q", IMAGES, "-k", "20", "-o", "digits.scree")
    scree("report", "-q", "digits.scree", IMAGES, "--labels", LABELS, "--training", "-o", "digits.html")


def choose(browser, name, value):
    """Something in a list, as a reader does."""
    browser.run("const s = document.getElementById(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change'))", name, value)
    browser.frames(3)


def window(browser, width, height=900):
    """A page so wide, however narrow windows may become."""
    browser.call("POST", browser.session + "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}})


def codes_of(path):
    """The codes in a table, and the variance along each."""
    with open(path, encoding="utf-8") as file:
        lines = list(csv.reader(file))
    names = [i for i, name in enumerate(lines[0]) if name.lower().lstrip("cpz").isdigit()]
    codes = [[float(line[i]) for i in names] for line in lines[1:]]
    return codes, [sum(row[j] ** 2 for row in codes) / len(codes) for j in range(len(names))]


def near_in_codes(codes, weights, row, count):
    """(distance, number) of the nearest rows."""
    far = [(math.sqrt(sum(w * (a - b) ** 2 for w, a, b in zip(weights, codes[row], other))), i + 1) for i, other in enumerate(codes) if i != row]
    return sorted(far)[:count]


def listed_near(browser):
    return browser.run("return scree.state.get('neighbours').map((n) => [n.distance, scree.data.number[n.row]])")


def test_neighbours_are_the_nearest(browser):
    """With both metrics, with fewer components, without those that are hidden."""
    load(browser, "iris.html")
    codes, variances = codes_of("iris-codes.csv")
    m = state(browser, "latent")["m"]
    assert text(browser, "#near-note").startswith("Select a row")
    for number in (1, 42, 107, 150):
        select(browser, number)
        for metric, weights in (("euclid", [1.0] * 4), ("mahalanobis", [1 / v for v in variances])):
            choose(browser, "near-metric", metric)
            for components in (m, 2):
                browser.run("scree.state.set('m', arguments[0])", components)
                wanted, found = near_in_codes(codes, weights[:components], number - 1, 10), listed_near(browser)
                assert len(found) == 10
                assert all(abs(a - b) < 3e-3 * a + 1e-3 for (a, _), (b, _) in zip(wanted, found)), (number, metric, wanted, found)
                assert len({i for _, i in wanted} & {i for _, i in found}) >= 9  # codes have 16 bits
            browser.run("scree.state.set('m', arguments[0])", m)
    assert "Mahalanobis distance in the first 3 components. Their species: virginica" in text(browser, "#near-note")
    browser.click("#class-2")
    hidden = browser.run("return scree.state.get('neighbours').some((n) => !scree.state.get('visible')[n.row])")
    assert not hidden and len(listed_near(browser)) == 10
    quiet(browser)


def test_neighbours_are_listed_drawn_and_marked(browser):
    load(browser, "iris.html")
    select(browser, 42)
    assert browser.run("return document.querySelectorAll('#near-list li').length") == 10
    browser.frames(2)
    rings = browser.run("const o = document.getElementById('overlay').getBoundingClientRect(); return Array.from(document.querySelectorAll('.layer-near circle'), (c) => [Number(c.getAttribute('cx')) + o.left, Number(c.getAttribute('cy')) + o.top])")
    rows = browser.run("return scree.state.get('neighbours').map((n) => n.row)")
    assert all(math.dist(ring, place(browser, row)) < 0.01 for ring, row in zip(rings, rows)) and len(rings) == 10
    browser.click("#mark-near")
    focus = state(browser, "focus")
    assert selected(browser) == sorted([focus, *rows])
    with browser.held(ALT):
        browser.click("#mark-near")
    assert selected(browser) == []
    browser.click("#near-list li:nth-child(3) button")
    assert state(browser, "focus") == rows[2] and browser.run("return document.activeElement.closest('ol').id") == "near-list"
    browser.run("document.getElementById('near-count').focus()")
    browser.key(DOWN)
    assert state(browser, "near")["count"] == 20 and browser.run("return document.querySelectorAll('#near-list li').length") == 20
    browser.key(TAB + TAB)
    assert browser.run("return document.activeElement.id") == "mark-near"
    browser.key(ENTER)
    assert len(selected(browser)) == 21
    choose(browser, "near-count", 0)
    browser.frames(2)
    assert browser.run("return document.querySelectorAll('.layer-near circle').length") == 0 and browser.run("return document.getElementById('mark-near').disabled")
    quiet(browser)


def test_neighbours_of_images_are_images(browser):
    load(browser, "digits.html")
    select(browser, 17)
    assert browser.wait_for("return document.querySelectorAll('#near-list canvas').length") > 0
    labels = browser.wait_for("const c = document.querySelectorAll('#near-list canvas'); return c.length === 10 && Array.from(c, (one) => one.getAttribute('aria-label'))")
    numbers = [number for _, number in listed_near(browser)]
    assert [int(label.split(",")[0].split()[1]) for label in labels] == numbers
    quiet(browser)


def structure_of(model, columns, a, b):
    """[(contribution, name, along a, along b)] of scree loadings, the largest first."""
    lines = list(csv.reader(scree("loadings", model, "--what", "structure", "-o", "-", "--format", "csv").splitlines()))
    first = len(lines[0]) - columns
    found = [(float(line[first + a]) ** 2 + float(line[first + b]) ** 2, line[0], float(line[first + a]), float(line[first + b])) for line in lines[1:]]
    return sorted(found, key=lambda one: -one[0])


def test_arrows_are_the_columns(browser):
    """All four of iris, with the directions of the loadings, one factor, and equal units; by key and by pointer."""
    load(browser, "iris.html")
    drawn = "return Array.from(document.querySelectorAll('.layer-arrows .arrow'), (l) => ['x1', 'y1', 'x2', 'y2'].map((k) => Number(l.getAttribute(k))))"
    assert browser.run(drawn) == [] and browser.run("return document.getElementById('arrows-note').hidden")
    browser.run("document.getElementById('overlay').focus()")
    browser.key("a")
    browser.frames(2)
    assert state(browser, "arrows") and browser.run("return document.getElementById('arrows').checked") and text(browser, "#status") == "columns are shown as arrows"
    for a, b in ((0, 1), (2, 1)):
        browser.run("scree.state.change({ x: arguments[0], y: arguments[1] })", a, b)
        browser.frames(3)
        wanted, found = structure_of("iris.scree", 4, a, b), browser.run(drawn)
        factors = [(x2 - x1) / u for (x1, _, x2, _), (_, _, u, _) in zip(found, wanted)] + [(y1 - y2) / v for (_, y1, _, y2), (_, _, _, v) in zip(found, wanted)]
        assert len(found) == 4 and max(factors) - min(factors) < 0.01 * factors[0], (found, wanted)
        rows = browser.run("return Array.from(document.querySelectorAll('#arrows-table tbody tr'), (r) => r.cells[0].textContent)")
        assert rows == [name for _, name, _, _ in wanted]
        names = browser.run("return Array.from(document.querySelectorAll('.arrow-name'), (t) => t.textContent)")
        assert sorted(names) == sorted(rows)
    assert "columns shown" not in text(browser, "#arrows-note")
    browser.click("#arrows")
    browser.frames(2)
    assert not state(browser, "arrows") and browser.run("return getComputedStyle(document.querySelector('.layer-arrows')).display") == "none"
    quiet(browser)


def test_of_many_columns_the_largest_are_arrows(browser):
    """And it says so; no name lies on another, or on the head of an arrow, or outside."""
    for width, shown in ((1200, 20), (390, 8)):
        window(browser, width)
        load(browser, "digits.html")
        browser.click("#arrows")
        browser.frames(3)
        wanted = structure_of("digits.scree", 20, 0, 1)
        assert text(browser, "#arrows-note").startswith(f"{shown} of 784 columns shown: the largest contributions"), text(browser, "#arrows-note")
        rows = browser.run("return Array.from(document.querySelectorAll('#arrows-table tbody tr'), (r) => r.cells[0].textContent)")
        assert len(rows) == shown and {int(r[1:]) for r in rows} == {int(name.lstrip("c")) for _, name, _, _ in wanted[:shown]}, (rows, wanted[:shown])
        boxes = browser.run("return Array.from(document.querySelectorAll('.arrow-name'), (t) => { const b = t.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom] })")
        heads = browser.run("const o = document.getElementById('overlay').getBoundingClientRect(); return Array.from(document.querySelectorAll('.layer-arrows .arrow'), (l) => [Number(l.getAttribute('x2')) + o.left, Number(l.getAttribute('y2')) + o.top])")
        edge = browser.run("const o = document.getElementById('overlay').getBoundingClientRect(); return [o.left, o.top, o.right, o.bottom]")
        assert len(boxes) >= shown - 6
        for i, (left, top, right, bottom) in enumerate(boxes):
            assert left >= edge[0] and right <= edge[2] and top >= edge[1] and bottom <= edge[3]
            assert not any(left < x < right and top + 3 < y < bottom - 3 for x, y in heads)
            assert not any(left < other[2] and other[0] < right and top + 3 < other[3] - 3 and other[1] + 3 < bottom - 3 for other in boxes[:i])
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
        quiet(browser)
    window(browser, 1200)


if __name__ == "__main__":
    run_tests(dict(globals()), make_pages)
