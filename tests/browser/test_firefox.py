# SPDX-License-Identifier: BSD-3-Clause
"""Reports in Firefox: they load with no word on the console, draw, unpack rows, are marked by pointer, sorted by keys,
compared, linked to and printed.

It needs pictures. Wants $SCREE (the binary) and $SRC (the repository). Ends with 77 when there is no Firefox here.
"""

import os

import bidi
from pages import DIGITS, run_tests, scree
from webdriver import DOWN, ENTER, TAB

IRIS = os.path.join(os.environ["SRC"], "examples", "iris.csv")


def make_pages():
    """The pages that the tests look at, in the current folder."""
    scree("fit", "-q", IRIS, "-o", "iris.scree")
    scree("report", "-q", "iris.scree", IRIS, "--training", "-o", "iris.html")
    scree("fit", "-q", DIGITS % "images-idx3", "-k", "20", "-o", "digits.scree")
    scree("report", "-q", "digits.scree", DIGITS % "images-idx3", "--labels", DIGITS % "labels-idx1", "--training", "-o", "digits.html")


def load(browser, page, fragment=""):
    browser.call("browsingContext.navigate", context=browser.context, url="about:blank", wait="complete")
    browser.said.clear()
    browser.open(page, fragment)
    browser.frames()


def quiet(browser):
    said = [(entry.get("level"), entry.get("text")) for entry in browser.said]
    assert said == [], said


def test_points_are_drawn(browser):
    load(browser, "digits.html")
    found = browser.run("""(() => { const c = document.getElementById('points'), p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, some = new Map();
        for (let i = 0; i < p.length; i += 4) { const k = `${p[i]} ${p[i + 1]} ${p[i + 2]}`; some.set(k, (some.get(k) || 0) + 1); } return [some.size, c.width, document.documentElement.scrollWidth <= innerWidth]; })()""")
    assert found[0] > 20 and found[1] > 300 and found[2], found
    row = browser.run("scree.data.originals.get(0).then((x) => Array.from(x).filter((v) => v > 0).length)")
    assert row > 50
    browser.run("(scree.state.set('focus', 3), 1)")
    assert browser.wait_for("document.querySelectorAll('#rowcard canvas').length >= 4")
    quiet(browser)


def test_a_box_marks_and_compares(browser):
    load(browser, "iris.html")
    browser.click("#box")
    left, top, right, bottom = browser.run("(() => { document.getElementById('map').scrollIntoView({ block: 'center' }); const b = document.getElementById('overlay').getBoundingClientRect(), kind = scree.data.texts[0], at = d3.range(150).filter((i) => kind.words[kind.index[i]] === 'setosa').map((i) => scree.map.placeOf(i)); return [d3.min(at, (p) => p[0]) + b.left - 5, d3.min(at, (p) => p[1]) + b.top - 5, d3.max(at, (p) => p[0]) + b.left + 5, d3.max(at, (p) => p[1]) + b.top + 5]; })()")
    browser.pointer(("move", left, top), ("down",), ("move", (left + right) / 2, bottom), ("move", right, bottom), ("up",))
    marked = browser.run("Array.from(scree.state.get('selection').rows)")
    kinds = browser.run("Array.from(scree.data.texts[0].index, (i) => scree.data.texts[0].words[i])")
    assert {kinds[i] for i in marked} == {"setosa"} and len(marked) == 50
    browser.wait_for("scree.state.get('comparison').length === 7")
    assert browser.run("document.querySelectorAll('#compared-columns tbody tr').length") == 4
    browser.click("#row-grid tbody tr:nth-child(2) td:nth-child(2)")
    assert browser.run("scree.data.number[scree.state.get('focus')]") == 2
    quiet(browser)


def test_the_table_by_keys(browser):
    load(browser, "iris.html")
    browser.run("(document.getElementById('sort-p').focus(), 1)")
    browser.key(ENTER)
    browser.frames()
    first = browser.run("Array.from(scree.table.order()).slice(0, 2).map((row) => scree.data.scores.p[row])")
    assert first[0] <= first[1] < 0.01, first
    browser.run("(document.getElementById('row-grid').focus(), 1)")
    browser.key(DOWN + " " + TAB)
    assert browser.run("Array.from(scree.state.get('selection').rows).map((row) => row === scree.table.order()[1])") == [True]
    quiet(browser)


def test_links_and_paper(browser):
    load(browser, "iris.html", "#x=2&y=3&m=2&row=17&marked=AAAA&zoom=3,0,0&find=%3Cimg%20src=x%20onerror=alert(1)%3E")
    assert browser.run("[scree.state.get('x'), scree.state.get('y'), scree.state.get('m'), scree.data.number[scree.state.get('focus')], scree.state.get('selection').rows.length, scree.state.get('zoom').k]") == [1, 2, 2, 17, 2, 3]  # row 0 is none
    browser.run("(document.getElementById('overlay').focus(), 1)")
    browser.key("0")
    browser.wait_for("!location.hash.includes('zoom') && location.hash.includes('x=2')")
    pdf = browser.printed()
    assert pdf.startswith(b"%PDF") and len(pdf) > 20000
    quiet(browser)


if __name__ == "__main__":
    run_tests(dict(globals()), make_pages, bidi.missing, bidi.Firefox)
