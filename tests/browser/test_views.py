# SPDX-License-Identifier: BSD-3-Clause
"""The views of a report: what M components keep of a row, beside the row; the slider of M, which moves everything, against
`scree score`; planes side by side, the view in three dimensions, arrows, images and bars in place of points; paper and
small windows. By pointer and by keyboard.

It needs pictures. Wants $SCREE (the binary) and $SRC (the repository). Ends with 77 when there is no browser here.
"""

import csv
import io
import random

from pages import DIGITS, load, quiet, run_tests, scree, select, state, text, write_npy
from webdriver import ENTER

IMAGES, LABELS = DIGITS % "images-idx3", DIGITS % "labels-idx1"


def write_table(path, rows, cols, seed, gaps=0):
    """A table with names: three hidden numbers behind all columns, and some cells missing."""
    chance = random.Random(seed)
    weights = [[chance.gauss(0, 1) for _ in range(3)] for _ in range(cols)]
    with open(path, "w", encoding="utf-8") as file:
        file.write("name,kind," + ",".join(f"measure {c + 1}" for c in range(cols)) + "\n")
        for i in range(rows):
            hidden = [chance.gauss(i % 3, 1), chance.gauss(0, 1), chance.gauss(0, 0.5)]
            cells = [f"{10 + sum(a * b for a, b in zip(w, hidden)) + chance.gauss(0, 0.4):.4f}" for w in weights]
            for _ in range(gaps if i % 10 == 4 else 0):
                cells[chance.randrange(cols)] = "NA"
            file.write(f"row-{i + 1},{'abc'[i % 3]}," + ",".join(cells) + "\n")


def make_pages():
    """The pages that the tests look at, in the current folder."""
    scree("fit", "-q", IMAGES, "-k", "20", "-o", "digits.scree")
    scree("report", "-q", "digits.scree", IMAGES, "--labels", LABELS, "--training", "-o", "digits.html")
    write_table("table.csv", 150, 30, 3)
    scree("fit", "-q", "table.csv", "-k", "8", "--scale", "unit", "-o", "table.scree")
    scree("report", "-q", "table.scree", "table.csv", "-o", "table.html")
    write_table("gaps.csv", 120, 9, 4, gaps=2)
    scree("fit", "-q", "gaps.csv", "-k", "5", "-o", "gaps.scree")
    scree("report", "-q", "gaps.scree", "gaps.csv", "-o", "gaps.html")
    write_npy("one.npy", [[random.Random(i).gauss(0, 1)] for i in range(50)])
    scree("fit", "-q", "one.npy", "-k", "1", "-o", "one.scree")
    scree("report", "-q", "one.scree", "one.npy", "-o", "one.html")


def slide(browser, m):
    browser.run("const m = document.getElementById('m'); m.value = arguments[0]; m.dispatchEvent(new Event('input'))", m)
    browser.wait_for("const s = scree.state.get('scores'); return s.m === arguments[0] && !s.p.every(Number.isNaN)", m)


def scores_of(*arguments):
    """What scree score says, by its column, in the order of the rows."""
    table = list(csv.DictReader(io.StringIO(scree("score", "-q", *arguments))))
    return {name: [float(line[name]) for line in table] for name in ("loglik", "t2", "q")} | {
        "p": [float(line["p_value" if "p_value" in line else "p"]) for line in table]}


def page_scores(browser):
    return browser.run("const s = scree.state.get('scores'), by = d3.range(scree.data.count).sort((a, b) => scree.data.number[a] - scree.data.number[b]);"
                       "return Object.fromEntries(['loglik', 't2', 'q', 'p'].map((k) => [k, by.map((i) => s[k][i])]))")


def near(found, wanted, relative, absolute=0.0):
    worst = max(abs(a - b) / (relative * abs(b) + absolute + 1e-37) for a, b in zip(found, wanted))
    assert len(found) == len(wanted) and worst <= 1, (worst, relative)


def test_the_slider_moves_all_scores(browser):
    """With every M, T², Q, log p(x) and p of every row are those of scree score -k M."""
    for page, arguments, steps in (("digits", (IMAGES, "--training"), (1, 5, 19)), ("table", ("table.csv",), (1, 2, 7)), ("gaps", ("gaps.csv",), (1, 3, 4))):
        load(browser, f"{page}.html")
        for m in steps:
            slide(browser, m)
            wanted, found = scores_of("-k", str(m), f"{page}.scree", *arguments), page_scores(browser)
            near(found["t2"], wanted["t2"], 2e-4, 1e-4)
            near(found["q"], wanted["q"], 2e-4)
            near(found["loglik"], wanted["loglik"], 2e-5, 1e-3)
            near(found["p"], wanted["p"], 1.3e-3)
            near([p for p, w in zip(found["p"], wanted["p"]) if w > 1e-3], [w for w in wanted["p"] if w > 1e-3], 1.3e-4)
    quiet(browser)


def test_the_slider_moves_what_is_shown(browser):
    """The card of the row, the outliers, the colours, the mark in the spectrum, J_M."""
    load(browser, "table.html")
    select(browser, 17)
    before = text(browser, "#curves") + str(browser.run("return document.querySelectorAll('.bar.kept').length"))
    browser.run("const s = document.getElementById('colour'); s.value = 'score:q'; s.dispatchEvent(new Event('change'))")
    colours, outliers = state(browser, "colours"), text(browser, "#outliers-note")
    slide(browser, 2)
    browser.frames()
    wanted = scores_of("-k", "2", "table.scree", "table.csv")
    card = dict(browser.run("return Array.from(document.querySelectorAll('#rowcard dt'), (e) => [e.textContent, e.nextElementSibling.textContent])"))
    for name, key in (("log-likelihood", "loglik"), ("T²", "t2"), ("Q", "q"), ("p-value", "p")):
        value = float(card[name].replace("−", "-"))
        assert abs(value - wanted[key][16]) <= 6e-4 * abs(wanted[key][16]), (name, value, wanted[key][16])
    assert browser.run("return document.querySelectorAll('.bar.kept').length") == 2 and before[-1] != "2"
    assert state(browser, "colours") != colours
    assert "M = 2:" in text(browser, "#m-says")
    listed = browser.run("return Array.from(document.querySelectorAll('#outliers-table tbody tr'), (r) => Number(r.cells[0].textContent))")
    expected = sorted((p, i + 1) for i, p in enumerate(wanted["p"]) if p <= 0.01)
    assert sorted(listed) == sorted(i for _, i in expected), (listed, expected)
    assert text(browser, "#outliers-note").startswith(f"{len(expected)} of 150 rows have p ≤ 0.01 with M = 2") and text(browser, "#outliers-note") != outliers
    browser.click("#m")
    browser.key("\ue014")  # an arrow key moves it by one
    assert browser.run("return scree.state.get('m') === Number(document.getElementById('m').value)")
    quiet(browser)


def losses(browser):
    """The table of what is lost of a row: M, error, mean, ratio, noise."""
    lines = browser.wait_for("const r = document.querySelectorAll('#rowcard .errors tbody tr'); return r.length && Array.from(r, (one) => Array.from(one.cells, (c) => c.textContent))")
    return [[float(cell.rstrip("×").replace("−", "-")) if cell != "–" else None for cell in line] for line in lines]


def test_a_row_stands_beside_what_components_keep_of_it(browser):
    """What 1, 5, 20 and M of them lose is what scree score calls Q, and the mean of the rows fitted is its mean."""
    for page, arguments, steps, drawn in (("digits", (IMAGES, "--training"), [1, 5, 7, 20], "canvas"), ("table", ("table.csv",), [1, 5, 7], ".panel")):
        load(browser, f"{page}.html")
        slide(browser, 7)
        select(browser, 9)
        wanted = {m: scores_of("-k", str(m), f"{page}.scree", *arguments)["q"] for m in steps}
        found = losses(browser)
        assert [line[0] for line in found] == steps, found
        for m, error, mean, ratio, noise in found:
            assert abs(error - wanted[m][8]) <= 1e-3 * wanted[m][8], (m, error, wanted[m][8])
            assert abs(mean - sum(wanted[m]) / len(wanted[m])) <= 1e-3 * mean, (m, mean)
            assert abs(ratio - error / mean) <= 6e-3 * ratio and noise > 0
        browser.wait_for("return document.querySelectorAll(arguments[0]).length === arguments[1]", f"#rowcard {drawn}", 1 + len(found))
    quiet(browser)


def test_bars_of_a_row_and_of_components_have_one_scale(browser):
    load(browser, "table.html")
    browser.run("scree.state.set('focus', 3)")
    wide = "return Array.from(document.querySelectorAll('#rowcard .panel'), (p) => Array.from(p.querySelectorAll('rect'), (r) => (r.classList.contains('negative') ? -1 : 1) * r.getAttribute('width')))"
    panels = browser.run(wide)
    cells = browser.run("""const d = scree.data, drawn = Array.from(document.querySelectorAll('#rowcard svg title'), (t) => d.model.columns.indexOf(t.textContent));
        return drawn.map((c) => (d.columns[3 * d.which.length + d.which.indexOf(c)]) / d.model.sd[c])""")
    rebuilt = browser.run("""const d = scree.data, m = d.model, drawn = Array.from(document.querySelectorAll('#rowcard svg title'), (t) => m.columns.indexOf(t.textContent));
        return drawn.map((c) => d3.sum(d3.range(5), (j) => d.codes[j][3] * m.components[j * m.d + c]) * m.scale[c] / m.sd[c])""")
    unit = max(abs(a) for a in panels[0]) / max(abs(a) for a in cells)
    assert len(panels) == 4 and len(panels[0]) == 16
    assert all(abs(a - unit * b) < 0.6 for a, b in zip(panels[0], cells)), (panels[0], cells)
    assert all(abs(a - unit * b / 1.5) < 1.2 for a, b in zip(panels[2], rebuilt)), (panels[2], rebuilt)
    names = browser.run("return Array.from(document.querySelectorAll('#rowcard .step'), (t) => t.textContent)")
    assert names == ["the row", "M = 1", "M = 5", "M = 8"], names
    browser.run("document.querySelector('#rowcard summary').focus()")
    browser.key(ENTER)
    browser.wait_for("return document.querySelectorAll('#rowcard details tbody tr').length === 30")
    quiet(browser)


def test_what_is_lost_of_rows_with_gaps(browser):
    load(browser, "gaps.html")
    row = browser.run("return scree.data.gaps.findIndex((g) => g > 0)")
    browser.run("scree.state.set('focus', arguments[0])", row)
    wanted = browser.run("""const d = scree.data, m = d.model, row = arguments[0]; let sum = 0;
        for (let c = 0; c < m.d; c++) { const x = d.columns[row * m.d + d.which.indexOf(c)]; if (Number.isNaN(x)) continue;
            sum += (x - d3.sum(d3.range(m.m), (j) => d.codes[j][row] * m.components[j * m.d + c])) ** 2; } return sum""", row)
    found = losses(browser)
    assert found[-1][0] == 5 and abs(found[-1][1] - wanted) <= 1e-3 * wanted and found[-1][3] is None
    assert "cells that are there" in text(browser, "#rowcard .errors")
    quiet(browser)


if __name__ == "__main__":
    run_tests(dict(globals()), make_pages)
