# SPDX-License-Identifier: BSD-3-Clause
"""The page of scree serve in a real browser: a sample at once, then the density of all rows, which follows zoom, plane and
hidden classes; rows by their number and by a click; nothing else is reached, and the console is silent.

It needs pictures. Wants $SCREE (the binary) and $SRC (the repository). Ends with 77 when there is no browser here.
"""

import contextlib
import random
import re
import signal
import subprocess
import sys

from pages import SCREE, place, quiet, run_tests, scree, state, text

ROWS, GROUPS = 200000, 2000
COPY = ("const c = document.getElementById('points'), r = c.width / c.clientWidth, copy = Object.assign(document.createElement('canvas'),"
        "{ width: c.width, height: c.height }).getContext('2d', { willReadFrequently: true }); copy.drawImage(c, 0, 0);")


def make_pages():
    chance = random.Random(3)
    with open("few.csv", "w", encoding="utf-8") as file:
        file.write("a,b,c,d\n")
        for i in range(300):
            file.write(",".join(f"{chance.gauss((i % 2) * 6 * (c == 0), c + 1):.4f}" for c in range(4)) + "\n")
    scree("fit", "-q", "few.csv", "-k", "3", "-o", "few.scree")
    scree("sample", "-q", "few.scree", "-n", str(ROWS), "-o", "many.npy")
    scree("fit", "-q", "many.npy", "-k", "3", "-o", "many.scree")
    with open("groups.csv", "w", encoding="utf-8") as file:
        file.write("a,b,kind\n")
        for i in range(GROUPS):
            file.write(f"{chance.gauss(20 * (i % 2), 1):.4f},{chance.gauss(0, 2):.4f},{'<u>left' if i % 2 == 0 else 'right'}\n")
    scree("fit", "-q", "groups.csv", "-k", "2", "-o", "groups.scree")
    with open("other.html", "w", encoding="utf-8") as file:
        file.write("<!DOCTYPE html><title>other</title>")
    probe = subprocess.run([SCREE, "serve", "-q", "few.scree", "few.csv", "--idle", "0.01"], capture_output=True, text=True, check=False)
    if "install it" in probe.stderr:
        print(f"skipped: {probe.stderr}")
        sys.exit(77)


@contextlib.contextmanager
def served(browser, *words):
    with subprocess.Popen([SCREE, "serve", "-q", *words], stdout=subprocess.PIPE, text=True) as server:
        address = server.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:[0-9]+/[0-9a-f]{32}/", address), address
        try:
            browser.open(address)
            browser.frames(3)
            settled(browser)
            yield address
            quiet(browser)
        finally:
            server.send_signal(signal.SIGINT)


def settled(browser):
    """All rows are counted, and no tile is missing."""
    browser.wait_for("const d = scree.density; const done = d.status().coded === d.status().rows && d.isQuiet() && [...d.tiles.values()].length > 0 && "
                     "[...d.tiles.values()].every((t) => t.coded === d.status().rows); if (!done) scree.map.redraw(); return done;")


def counts(browser):
    """Rows in the tiles of the deepest level that has come."""
    return browser.run("let z = -100; for (const name of scree.density.tiles.keys()) z = Math.max(z, Number(name.split(',')[2]));"
                       "let n = 0; for (const [name, t] of scree.density.tiles) if (Number(name.split(',')[2]) === z) "
                       "for (let p = 0; p < t.bins.length; p += 3) n += t.bins[p + 2]; return [z, n]")


def pixel(browser, x, y):
    """The colour of the map at a place from the corner of the map."""
    return browser.run(COPY + "return Array.from(copy.getImageData(arguments[0] * r, arguments[1] * r, 1, 1).data)", x, y)


def test_sample_and_density(browser):
    with served(browser, "many.scree", "many.npy", "--points", "3000"):
        assert state(browser, "x") == 0
        assert text(browser, "#subtitle").startswith("200\u202f000 rows, of which 3000, a sample, are points here")
        assert "all 200\u202f000 rows lie" in text(browser, "#density-note") and "%" not in text(browser, "#density-note")
        assert browser.run("return scree.data.count") == 3000
        _, rows = counts(browser)
        inside = browser.run("const s = scree.map.sight(); return d3.range(scree.data.count).filter((i) => { const [x, y] = s.placeOf(i);"
                             "return x >= s.left && x <= s.right && y >= s.top && y <= s.bottom }).length / scree.data.count")
        assert inside > 0.99 and rows > 0.98 * ROWS, (rows, inside)


def test_density_without_points(browser):
    """Hidden points leave the density, and without both the map is its ground."""
    with served(browser, "many.scree", "many.npy", "--points", "3000"):
        x, y = browser.run("const s = scree.map.sight(); return [s.screenX(0), s.screenY(0)]")
        browser.click("#points-shown")
        browser.frames(3)
        dense = pixel(browser, x, y)
        browser.click("#density-shown")
        browser.frames(3)
        empty = pixel(browser, x, y)
        assert empty[:3] == pixel(browser, 60, 30)[:3] and dense[:3] != empty[:3], (dense, empty)
        assert sum(dense[:3]) < sum(empty[:3]) - 100, (dense, empty)


def test_density_lies_under_the_rows(browser):
    """Bins of the density are where rows of the sample are: each row lies in one that is counted."""
    with served(browser, "many.scree", "many.npy", "--points", "3000"):
        missed = browser.run("""
            let z = -100, lost = 0;
            for (const name of scree.density.tiles.keys()) z = Math.max(z, Number(name.split(',')[2]));
            const has = new Set();
            for (const [name, t] of scree.density.tiles) {
              const [x, y, level, i, j] = name.split(',').map(Number);
              if (level === z) for (let p = 0; p < t.bins.length; p += 3) has.add(`${i * 128 + t.bins[p] % 128},${j * 128 + Math.floor(t.bins[p] / 128)}`);
            }
            const side = 2 ** -z / 128;
            for (let row = 0; row < scree.data.count; row++) {
              const u = Math.floor(scree.data.codes[0][row] / side), v = Math.floor(scree.data.codes[1][row] / side);
              let near = false;
              for (let a = -1; a <= 1; a++) for (let b = -1; b <= 1; b++) near = near || has.has(`${u + a},${v + b}`);
              lost += near ? 0 : 1;
            }
            return lost""")
        assert missed == 0, missed


def test_zoom_asks_for_finer_tiles(browser):
    with served(browser, "many.scree", "many.npy", "--points", "3000"):
        level, _ = counts(browser)
        browser.run("scree.map.zoomTo(16, -16 * 300, -16 * 200)")
        browser.frames(3)
        settled(browser)
        finer, _ = counts(browser)
        assert finer == level + 4, (level, finer)
        browser.run("scree.state.set('y', 2)")
        browser.frames(3)
        settled(browser)
        assert browser.run("return [...scree.density.tiles.keys()].some((name) => name.startsWith('0,2,'))")


def test_row_by_number(browser):
    with served(browser, "many.scree", "many.npy", "--points", "3000"):
        number = browser.run("const has = new Set(scree.data.number); let n = 100000; while (has.has(n)) n++; return n")
        browser.run("const i = document.getElementById('goto-row'); i.value = String(arguments[0]); i.dispatchEvent(new Event('input'))", number)
        browser.wait_for("return !document.getElementById('elsewhere').hidden")
        shown = text(browser, "#elsewhere")
        assert re.sub(r"\D", "", text(browser, "#elsewhere h3")) == str(number), shown
        want = [float(cell) for cell in scree("convert", "-q", "many.npy", "--rows", f"{number}:{number}").split("\n")[-2].split(",")]
        got = browser.run("return [...document.querySelectorAll('#elsewhere tbody tr')].map((r) => Number(r.cells[1].textContent.replace('−', '-')))")
        assert len(want) == 4 and all(abs(a - b) < 1e-9 * max(1, abs(a)) for a, b in zip(want, got)), (want, got)
        assert browser.run("return document.querySelectorAll('.layer-elsewhere circle').length") == 1
        browser.run("const i = document.getElementById('goto-row'); i.value = ''; i.dispatchEvent(new Event('input'))")
        browser.frames()
        assert browser.run("return document.getElementById('elsewhere').hidden")


def test_click_finds_the_nearest_of_all(browser):
    with served(browser, "many.scree", "many.npy", "--points", "20"):
        spot = browser.run("const s = scree.map.sight(), r = document.getElementById('overlay').getBoundingClientRect();"
                           "for (let x = s.screenX(0) - 80; x < s.screenX(0) + 80; x += 4) for (let y = s.screenY(0) - 60; y < s.screenY(0) + 60; y += 4)"
                           "if (d3.range(scree.data.count).every((i) => Math.hypot(s.placeOf(i)[0] - x, s.placeOf(i)[1] - y) > 25)"
                           "&& Math.hypot(s.screenX(0) - x, s.screenY(0) - y) > 30) return [x + r.left, y + r.top, x, y]")
        browser.pointer(("move", *spot[:2]), ("down",), ("up",))
        browser.wait_for("return !document.getElementById('elsewhere').hidden")
        at = browser.wait_for("const c = document.querySelector('.layer-elsewhere circle'); return c && [Number(c.getAttribute('cx')), Number(c.getAttribute('cy'))]")
        assert abs(at[0] - spot[2]) <= 13 and abs(at[1] - spot[3]) <= 13, (at, spot)
        where = place(browser, 0)
        browser.pointer(("move", *where), ("down",), ("up",))
        assert state(browser, "focus") == 0 and browser.run("return document.getElementById('elsewhere').hidden")


def test_classes_hide_in_the_density(browser):
    with served(browser, "groups.scree", "groups.csv", "--points", "500", "--label", "kind"):
        classes = browser.run("return scree.density.status().classes")
        assert sorted(classes) == ["<u>left", "right"]
        browser.click("#points-shown")
        places = browser.run("const s = scree.map.sight(), of = (word) => d3.range(scree.data.count).filter((i) => scree.data.texts[0].words[scree.data.texts[0].index[i]] === word);"
                             "return ['<u>left', 'right'].map((word) => { const rows = of(word); return [d3.mean(rows, (i) => s.placeOf(i)[0]), d3.mean(rows, (i) => s.placeOf(i)[1])]; })")
        ground = pixel(browser, 60, 30)

        def inked(at):
            return browser.run(COPY + "const [x, y] = arguments[0], g = arguments[1];"
                               "const d = copy.getImageData((x - 20) * r, (y - 20) * r, 40 * r, 40 * r).data; let n = 0;"
                               "for (let i = 0; i < d.length; i += 4) n += d[i] !== g[0] || d[i + 1] !== g[1] || d[i + 2] !== g[2] ? 1 : 0; return n", at, ground)

        assert inked(places[0]) > 20 and inked(places[1]) > 20
        browser.run("scree.state.set('hiddenClasses', { text: 0, words: [scree.data.texts[0].words.indexOf('<u>left')] })")
        browser.frames(3)
        assert inked(places[0]) == 0 and inked(places[1]) > 20
        assert browser.run("return document.querySelector('u') === null")


def test_rows_of_the_sample_are_fetched_whole(browser):
    with served(browser, "many.scree", "many.npy", "--points", "3000"):
        number = browser.run("return scree.data.number[7]")
        cells = browser.wait("const done = arguments[0]; scree.data.originals.get(7).then((x) => done(Array.from(x)))")
        want = [float(cell) for cell in scree("convert", "-q", "many.npy", "--rows", f"{number}:{number}").split("\n")[-2].split(",")]
        assert all(abs(a - b) < 1e-9 * max(1, abs(a)) for a, b in zip(want, cells)), (want, cells)


def test_reaches_nothing_else(browser):
    with served(browser, "few.scree", "few.csv"):
        said = browser.wait("const done = arguments[0]; fetch('http://127.0.0.1:9/').then(() => done('reached'), () => done('refused'))")
        assert said == "refused" and any("Content Security Policy" in line["message"] for line in browser.log())
    with served(browser, "few.scree", "few.csv") as address:
        browser.open("other.html")  # a page of another origin gets nothing
        said = browser.wait("const done = arguments[1]; fetch(arguments[0] + 'status').then((a) => done('read ' + a.status), () => done('refused'))", address)
        assert said == "refused"
        browser.log()


if __name__ == "__main__":
    run_tests(dict(globals()), make_pages)
