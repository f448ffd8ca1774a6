# SPDX-License-Identifier: BSD-3-Clause
"""How a report shows rows among each other: the nearest ones, computed here once more; by pointer and by keyboard.

It needs pictures. Wants $SCREE (the binary) and $SRC (the repository). Ends with 77 when there is no browser here.
"""

import csv
import math
import os

from pages import DIGITS, load, place, quiet, run_tests, scree, select, selected, state, text
from webdriver import ALT, DOWN, ENTER, ESCAPE, RIGHT, SHIFT, TAB

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


def test_neighbours_by_keys(browser):
    """From the map through the list to a neighbour, and on from there; the metric; letting go."""
    load(browser, "iris.html")
    browser.run("document.getElementById('overlay').focus()")
    browser.key("n")
    assert state(browser, "focus") >= 0 and len(listed_near(browser)) == 10
    browser.run("document.getElementById('mark-near').focus()")
    browser.key(TAB + TAB)  # the second in the list, or the list itself and its first
    here = browser.run("return Array.from(document.querySelectorAll('#near-list button')).indexOf(document.activeElement)")
    wanted = browser.run("return scree.state.get('neighbours')[arguments[0]].row", here)
    assert here >= 0
    browser.key(ENTER)
    assert state(browser, "focus") == wanted
    assert browser.run("return document.activeElement === document.querySelector('#near-list button')")
    browser.run("document.getElementById('near-metric').focus()")
    browser.key(DOWN)
    assert state(browser, "near")["metric"] == "mahalanobis" and "Mahalanobis" in text(browser, "#near-note")
    browser.run("document.getElementById('overlay').focus()")
    browser.key(ESCAPE)
    assert listed_near(browser) == [] and text(browser, "#near-note").startswith("Select a row")
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


SPRITES = """const c = document.getElementById('sprites-canvas'), copy = new OffscreenCanvas(c.width, c.height).getContext('2d');
    copy.drawImage(c, 0, 0);
    const p = copy.getImageData(0, 0, c.width, c.height).data, at = (x, y) => Array.from(p.slice(4 * (y * c.width + x), 4 * (y * c.width + x) + 4));"""


def pictured(browser, width, height):
    """The rows that have pictures on the map; their frames have the colour of their points."""
    rows, framed = browser.run(SPRITES + """const [w, h] = arguments, rows = scree.sprites.shown();
        return [rows, rows.every((i) => { const [x, y] = scree.map.placeOf(i), left = Math.round(x - w / 2) - 1, top = Math.round(y - h / 2) - 1, paint = scree.state.get('paint')[i];
            if (left < 60 || top < 15 || left + w > c.width - 15 || top + h > c.height - 30) return true;
            const is = (a, b) => { const q = at(a, b); return q[0] === (paint & 255) && q[1] === (paint >> 8 & 255) && q[2] === (paint >> 16 & 255) && q[3] === 255; };
            return is(left, top) && is(left + w + 1, top) && is(left, top + h + 1) && is(left + w + 1, top + h + 1); })]""", width, height)
    assert framed, rows
    return rows


def wait_for_sprites(browser):
    browser.frames(2)
    browser.wait_for("const n = document.getElementById('sprites-note').textContent; const same = n && n === window.saidBefore && !n.startsWith('0 of'); window.saidBefore = n; window.times = same ? (window.times || 0) + 1 : 0; return window.times > 8")


def told(browser):
    return int(text(browser, "#sprites-note").split()[0].replace("\u202f", ""))


def test_rows_are_images_on_the_map(browser):
    """As many as have room, none over another, and more of them when magnified; by key, and by pointer."""
    load(browser, "digits.html")
    browser.run("document.getElementById('overlay').focus()")
    browser.key("i")
    wait_for_sprites(browser)
    assert browser.run("return document.getElementById('sprites').checked") and "rows are shown as images" in text(browser, "#status")
    rows, size = pictured(browser, 30, 30), 36
    assert 20 < len(rows) == told(browser) < 200 and "Zoom in" in text(browser, "#sprites-note"), (len(rows), text(browser, "#sprites-note"))
    places = [place(browser, row) for row in rows]
    assert all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) >= size - 0.01 for i, a in enumerate(places) for b in places[:i])
    lonely = browser.run("""const n = scree.data.count, p = d3.range(n).map(scree.map.placeOf), told = new Set(arguments[0]);
        return d3.range(n).filter((i) => p[i][0] > 90 && p[i][1] > 60 && p[i][0] < arguments[1] - 60 && p[i][1] < arguments[2] - 80 && !d3.range(n).some((j) => told.has(j) && Math.max(Math.abs(p[i][0] - p[j][0]), Math.abs(p[i][1] - p[j][1])) < 37))""",
                         rows, *browser.run("const c = document.getElementById('sprites-canvas'); return [c.width, c.height]"))
    assert lonely == [], lonely  # whoever has room has a picture
    mean = browser.run(SPRITES + """return arguments[0].map((i) => { const [x, y] = scree.map.placeOf(i), left = Math.round(x - 15), top = Math.round(y - 15);
        return d3.mean(d3.range(900), (k) => at(left + k % 30, top + Math.floor(k / 30))[0]); })""", rows)
    inside = lambda at: at[0] - edge[0] > 70 and at[1] - edge[1] > 35 and edge[2] - at[0] > 35 and edge[3] - at[1] > 50
    edge = browser.run("const o = document.getElementById('overlay').getBoundingClientRect(); return [o.left, o.top, o.right, o.bottom]")
    for k in [i for i, at in enumerate(places) if inside(at)][::8]:
        own = browser.wait("const done = arguments[1]; scree.data.originals.get(arguments[0]).then((x) => done(d3.mean(x)))", rows[k])
        assert abs(mean[k] - own) < 0.12 * own, (rows[k], mean[k], own)
    browser.run("scree.map.zoomTo(8, -1500, -1500)")
    wait_for_sprites(browser)
    close = browser.run("const n = scree.data.count, o = document.getElementById('map').getBoundingClientRect(); return d3.range(n).filter((i) => { const [x, y] = scree.map.placeOf(i); return x > 46 && y > 10 && x < o.width - 10 && y < o.height - 24; }).length")
    assert told(browser) > 0.3 * close > 0, (told(browser), close)
    browser.click("#sprites")
    browser.frames(2)
    assert not state(browser, "sprites") and browser.run("return document.getElementById('sprites-canvas').hidden")
    quiet(browser)


def test_marked_rows_have_pictures_first(browser):
    load(browser, "digits.html")
    rows = list(range(400, 440))
    browser.run("scree.select(arguments[0])", rows)
    browser.click("#sprites")
    wait_for_sprites(browser)
    assert rows[0] in browser.run("return scree.sprites.shown()") and any(row > 440 for row in browser.run("return scree.sprites.shown()"))
    places = {row: place(browser, row) for row in browser.run("return scree.sprites.shown()")}
    for row in rows:  # it has a picture, or lies under one that is marked, too
        at = place(browser, row)
        assert row in places or any(abs(places[other][0] - at[0]) < 36 and abs(places[other][1] - at[1]) < 36 for other in places if other in rows), row
    browser.click("#class-0")
    wait_for_sprites(browser)
    assert all(browser.run("return scree.state.get('visible')[arguments[0]]", row) for row in browser.run("return scree.sprites.shown()"))
    quiet(browser)


def test_rows_of_tables_are_bars_on_the_map(browser):
    window(browser, 390)
    load(browser, "iris.html")
    assert text(browser, "#sprites-name") == "bars of rows"
    browser.click("#sprites")
    wait_for_sprites(browser)
    assert "bars from the left: sepal_length, sepal_width, petal_length, petal_width;" in text(browser, "#sprites-note")
    rows = pictured(browser, 19, 23)
    assert len(rows) > 8, rows
    high = browser.run(SPRITES + """return arguments[0].map((i) => { const [x, y] = scree.map.placeOf(i), left = Math.round(x - 9.5), top = Math.round(y - 11.5);
        const ground = at(left, top + 1);  // a column of the frame's inside without a bar
        return d3.range(4).map((k) => { const across = left + 2 + Math.floor(4.25 * k), up = d3.range(23).filter((r) => { const q = at(across, top + r); return Math.abs(r - 11.5) > 1 && Math.abs(q[0] - ground[0]) + Math.abs(q[2] - ground[2]) > 60; });
            return up.length === 0 ? 0 : (d3.mean(up) < 11.5 ? 1 : -1) * up.length; }); })""", rows)
    far = browser.run("const d = scree.data; return arguments[0].map((i) => d3.range(4).map((c) => Math.max(-2, Math.min(2, d.columns[4 * i + d.which.indexOf(c)] / d.model.sd[c])) * 5.25))", rows)
    for found, wanted in zip(high, far):
        assert all(abs(a - b) <= 2.1 for a, b in zip(found, wanted)), (found, wanted)
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    window(browser, 1200)
    quiet(browser)


def at_panel(browser, panel, row):
    """Where a row is in a further picture, from the corner of the window."""
    return browser.run(f"const p = {panel}, o = p.overlay.getBoundingClientRect(), at = p.placeOf(arguments[0]); return [at[0] + o.left, at[1] + o.top]", row)


def apart(places):
    """The row that has most room around it, not counting those at the edge."""
    inner = sorted(places, key=lambda row: places[row][0])[10:-10]
    return max(inner, key=lambda row: min(math.dist(places[row], at) for other, at in places.items() if other != row))


def show_panel(browser, panel):
    browser.run(f"{panel}.overlay.scrollIntoView({{ block: 'center' }})")
    browser.wait_for(f"const c = {panel}.canvas; return c.width > 0 && {panel}.place.x.some((v) => v > 0)")
    browser.frames(3)


def colours_on(browser, panel):
    """How many pixels there are of each colour that is no grey."""
    return browser.run(f"""const c = {panel}.canvas, copy = new OffscreenCanvas(c.width, c.height).getContext('2d'); copy.drawImage(c, 0, 0);
        const p = copy.getImageData(0, 0, c.width, c.height).data; let n = 0; for (let i = 0; i < p.length; i += 4) n += Math.max(p[i], p[i + 1], p[i + 2]) - Math.min(p[i], p[i + 1], p[i + 2]) > 60; return n""")


def test_planes_side_by_side(browser):
    """Every pair of components, a unit as long along both, all rows inside."""
    load(browser, "digits.html")
    assert browser.run("return scree.planes.map((p) => [p.a, p.b])") == [[0, 1], [0, 2], [1, 2]]
    for k, (a, b) in enumerate([(0, 1), (0, 2), (1, 2)]):
        panel = f"scree.planes[{k}]"
        show_panel(browser, panel)
        assert colours_on(browser, panel) > 500
        places, codes, size = browser.run(f"const p = {panel}; return [d3.range(60).map(p.placeOf), d3.range(60).map((i) => [scree.data.codes[p.a][i], scree.data.codes[p.b][i]]), [p.overlay.clientWidth, p.overlay.clientHeight]]")
        units = [(places[i][0] - places[0][0]) / (codes[i][0] - codes[0][0]) for i in range(1, 60)] + [(places[0][1] - places[i][1]) / (codes[i][1] - codes[0][1]) for i in range(1, 60)]
        assert max(units) - min(units) < 2e-3 * units[0], (min(units), max(units))
        assert browser.run(f"const p = {panel}; return p.place.x.every((v) => v > 44 && v < arguments[0] - 6) && p.place.y.every((v) => v > 6 && v < arguments[1] - 20)", *size)
        assert f"components {a + 1} and {b + 1}" in browser.run(f"return {panel}.overlay.getAttribute('aria-label')")
    choose(browser, "planes-count", 5)
    assert browser.run("return Array.from(document.querySelectorAll('#planes-view figure')).filter((f) => !f.hidden).length") == 10
    choose(browser, "planes-count", 0)
    assert browser.run("return Array.from(document.querySelectorAll('#planes-view figure')).every((f) => f.hidden)")
    quiet(browser)


def test_planes_share_their_marks(browser):
    """By pointer: what is dragged around in one is marked in all; what is pointed at and looked at, too. By keys."""
    load(browser, "iris.html")
    panel, other = "scree.planes[1]", "scree.planes[2]"
    show_panel(browser, panel)
    places = {row: at_panel(browser, panel, row) for row in range(150)}
    row = apart(places)
    browser.pointer(("move", *places[row]))
    assert state(browser, "hover") == row
    browser.pointer(("down",), ("up",))
    browser.frames(3)
    assert state(browser, "focus") == row
    for one in (panel, other):
        ring = browser.run(f"const c = {one}.overlay.querySelector('.selected'), o = {one}.overlay.getBoundingClientRect(); return [Number(c.getAttribute('cx')) + o.left, Number(c.getAttribute('cy')) + o.top]")
        assert math.dist(ring, at_panel(browser, one, row)) < 0.01
        assert browser.run(f"return {one}.overlay.querySelectorAll('.near').length") == 10
    before = colours_on(browser, other)
    x, y = places[row]
    browser.pointer(("move", x - 30, y - 30), ("down",), ("move", x + 30, y - 30), ("move", x + 30, y + 30), ("move", x - 30, y + 30), ("up",))
    around = [r for r, (a, b) in places.items() if abs(a - round(x - 30) - 30) < 29 and abs(b - round(y - 30) - 30) < 29]
    assert row in selected(browser) and set(around) <= set(selected(browser)) and len(selected(browser)) < 150
    browser.frames(3)
    assert colours_on(browser, other) < 0.9 * before
    browser.run(f"{other}.overlay.focus()")
    browser.key(ESCAPE)
    assert selected(browser) == []
    browser.key("n")
    assert browser.run("return scree.data.number[scree.state.get('focus')] === scree.data.number[arguments[0]] % 150 + 1", row)
    browser.key("b ")
    browser.key(RIGHT * 8 + DOWN * 8)
    browser.key(ENTER)
    box = browser.run(f"const o = {other}.overlay; return [(46 + o.clientWidth - 8) / 2, (8 + o.clientHeight - 22) / 2]")
    wanted = browser.run(f"const [x, y] = arguments, p = {other}; return d3.range(150).filter((i) => {{ const at = p.placeOf(i); return at[0] >= x && at[0] <= Math.min(x + 80, p.overlay.clientWidth - 8) && at[1] >= y && at[1] <= Math.min(y + 80, p.overlay.clientHeight - 22) }})", *box)
    assert selected(browser) == wanted and wanted, (selected(browser), wanted)
    browser.key(ESCAPE + ESCAPE)
    assert state(browser, "lasso") is None
    browser.key(ENTER)
    assert [state(browser, "x"), state(browser, "y")] == [1, 2]
    browser.click("#planes-view figure:nth-child(2) figcaption button")
    assert [state(browser, "x"), state(browser, "y")] == [0, 2]
    quiet(browser)


def seen(codes, middle, turn, tip):
    """Turned around the upright axis, then tipped, by matrices."""
    t, p = math.radians(turn), math.radians(tip)
    around = [[math.cos(t), 0, math.sin(t)], [0, 1, 0], [-math.sin(t), 0, math.cos(t)]]
    over = [[1, 0, 0], [0, math.cos(p), -math.sin(p)], [0, math.sin(p), math.cos(p)]]
    both = [[sum(over[i][k] * around[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    return [[sum(both[i][j] * (row[j] - middle[j]) for j in range(3)) for i in range(3)] for row in codes]


def test_three_components_in_space(browser):
    """Places are those of a turned body, a unit as long along all three; turned by keys and by drags."""
    load(browser, "digits.html")
    panel = "scree.space"
    show_panel(browser, panel)
    codes = browser.run("return d3.range(scree.data.count).map((i) => [0, 1, 2].map((j) => scree.data.codes[j][i]))")
    middle = [(min(c[j] for c in codes) + max(c[j] for c in codes)) / 2 for j in range(3)]

    def check():
        browser.frames(3)
        now = state(browser, "space")
        places, size = browser.run("return [d3.range(scree.data.count).map(scree.space.placeOf), [scree.space.overlay.clientWidth, scree.space.overlay.clientHeight]]")
        wanted = seen(codes, middle, now["turn"], now["tip"])
        unit = (places[1][0] - places[0][0]) / (wanted[1][0] - wanted[0][0])
        assert all(abs(size[0] / 2 + unit * w[0] - p[0]) < 0.05 and abs(size[1] / 2 - unit * w[1] - p[1]) < 0.05 for w, p in zip(wanted, places)), now
        return now, unit

    first, unit = check()
    assert browser.run("return scree.space.place.x.every((v) => v > 0 && v < arguments[0]) && scree.space.place.y.every((v) => v > 0 && v < arguments[1])", *browser.run("return [scree.space.overlay.clientWidth, scree.space.overlay.clientHeight]"))
    browser.run("scree.space.overlay.focus()")
    browser.key(RIGHT + RIGHT + DOWN)
    now, _ = check()
    assert (now["turn"], now["tip"]) == (first["turn"] + 10, first["tip"] + 5) and "turned −20°, tipped 25°" in text(browser, "#status") and "turned −20°" in text(browser, "#space-note")
    with browser.held(SHIFT):
        browser.key(DOWN * 5)
    assert check()[0]["tip"] == 90
    browser.key("++")
    assert abs(check()[1] / unit - 1.96) < 0.01
    browser.key("0")
    assert check() == (first, unit)
    box = browser.run("const o = scree.space.overlay.getBoundingClientRect(); return [o.left + 60, o.top + 60]")
    browser.pointer(("move", *box), ("down",), ("move", box[0] + 50, box[1]), ("move", box[0] + 100, box[1] + 25), ("up",))
    now, _ = check()
    assert (round(now["turn"] - first["turn"], 6), round(now["tip"] - first["tip"], 6)) == (40, 10), now
    browser.wheel(*box, -200)
    assert check()[1] > 1.2 * unit
    choose(browser, "space-z", 4)
    assert state(browser, "space")["axes"] == [0, 1, 4] and browser.run("return Array.from(scree.space.overlay.querySelectorAll('.layer-over text'), (t) => t.textContent)") == ["1", "2", "5"]
    quiet(browser)


def test_marks_in_space(browser):
    """What is looked at and marked there is so everywhere; what is near is drawn over what is far."""
    load(browser, "iris.html")
    show_panel(browser, "scree.space")
    places = {row: at_panel(browser, "scree.space", row) for row in range(150)}
    row = apart(places)
    browser.pointer(("move", *places[row]), ("down",), ("up",))
    assert state(browser, "focus") == row
    left, right = min(x for x, _ in places.values()) - 5, max(x for x, _ in places.values()) + 5
    top, bottom = min(y for _, y in places.values()) - 5, sorted(y for _, y in places.values())[70]
    with browser.held(SHIFT):
        browser.pointer(("move", left, top), ("down",), ("move", right, top), ("move", right, bottom), ("move", left, bottom), ("up",))
    wanted = [r for r, (_, y) in places.items() if y < round(bottom) - 0.01]
    assert set(wanted) <= set(selected(browser)) and len(selected(browser)) <= len(wanted) + 3
    browser.run("scree.space.overlay.focus()")
    browser.key(ESCAPE + ESCAPE)
    assert selected(browser) == [] and state(browser, "focus") == -1
    browser.key("n")
    assert browser.run("return scree.data.number[scree.state.get('focus')]") == 1
    # Two rows at one place: the colour there is that of the nearer one.
    browser.run("scree.state.change({ focus: -1, hover: -1, space: { ...scree.state.get('space'), turn: 0, tip: 0, axes: [0, 0, 1] } })")
    browser.run("const c = scree.data.codes, paint = new Uint32Array(150); c[0][3] = c[0][4] = d3.max(c[0]) + 0.5; c[1][3] = 0.5; c[1][4] = -0.5; paint[3] = 0xff0000ff; paint[4] = 0xffff0000;"
                "scree.state.change({ paint, space: { ...scree.state.get('space'), axes: [0, 0, 2] } }); scree.state.set('space', { ...scree.state.get('space'), axes: [0, 0, 1] })")
    browser.frames(4)
    pixel = "const p = scree.space, c = p.canvas, at = p.placeOf(3), copy = new OffscreenCanvas(c.width, c.height).getContext('2d'); copy.drawImage(c, 0, 0); return Array.from(copy.getImageData(Math.round(at[0]), Math.round(at[1]), 1, 1).data)"
    red = browser.run(pixel)
    browser.run("scree.state.set('space', { ...scree.state.get('space'), turn: 180 })")
    browser.frames(4)
    blue = browser.run(pixel)
    assert red[0] > red[2] + 60 and blue[2] > blue[0] + 60, (red, blue)
    quiet(browser)


def prefer(browser, motion):
    browser.call("POST", browser.session + "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": [{"name": "prefers-reduced-motion", "value": motion}]}})


def test_space_turns_by_itself_only_when_asked(browser):
    """And by one step where motion is not wanted."""
    prefer(browser, "no-preference")
    load(browser, "iris.html")
    show_panel(browser, "scree.space")
    before = state(browser, "space")["turn"]
    browser.frames(5)
    assert state(browser, "space")["turn"] == before
    browser.run("document.getElementById('space-spin').focus()")
    browser.key(ENTER)
    browser.wait_for("return Math.abs(scree.state.get('space').turn - arguments[0]) > 1", before)
    assert browser.run("return document.getElementById('space-spin').getAttribute('aria-pressed')") == "true"
    browser.key(ENTER)
    before = state(browser, "space")["turn"]
    browser.frames(5)
    assert state(browser, "space")["turn"] == before and browser.run("return document.getElementById('space-spin').getAttribute('aria-pressed')") == "false"
    prefer(browser, "reduce")
    browser.key(ENTER)
    after = state(browser, "space")["turn"]
    browser.frames(5)
    assert abs(after - before - 30) < 1e-9 and state(browser, "space")["turn"] == after
    prefer(browser, "no-preference")
    quiet(browser)


def test_links_open_the_same_pictures(browser):
    """Planes, the space, arrows and small pictures; and what is none of these on this page is passed over."""
    load(browser, "iris.html")
    chosen = {"planes": 4, "space": {"axes": [0, 3, 2], "turn": -75, "tip": 45, "k": 2}, "arrows": True, "sprites": True}
    browser.run("scree.state.change(arguments[0])", chosen)
    link = browser.run("return scree.address.link()")
    for part in ("planes=4", "space=1,4,3,-75,45,2", "arrows=yes", "sprites=yes"):
        assert part in link, (part, link)
    for given, wanted in ((link, chosen), ("planes=2&space=1,2,9,0,0,1", {"planes": 3, "space": {"axes": [0, 1, 2], "turn": -30, "tip": 20, "k": 1}, "arrows": False, "sprites": False}),
                          ("planes=99&space=1,1,1,90,91,1&arrows=<b>", {"planes": 3, "arrows": False}), ("planes=0&space=2,2,2,180,-90,1e9", {"planes": 0, "space": {"axes": [1, 1, 1], "turn": 180, "tip": -90, "k": 50}})):
        browser.run("scree.address.read(arguments[0])", given)
        assert all(state(browser, key) == value for key, value in wanted.items()), (given, [state(browser, key) for key in wanted])
    quiet(browser)


def test_print_shows_all_pictures(browser):
    """Those that were never in sight as well; points and axes are shrunk by the same ratio."""
    media = lambda kind: browser.call("POST", browser.session + "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"media": kind}})
    load(browser, "iris.html")
    browser.run("window.scrollTo(0, 0)")
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    try:
        media("print")
        window(browser, 560, 1000)
        browser.frames(3)
        for panel in ("scree.space", "scree.planes[0]", "scree.planes[2]"):
            assert colours_on(browser, panel) > 200, panel
            canvas, overlay, laid_out = browser.run(f"const of = (e) => {{ const r = e.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; }}, p = {panel}, v = p.overlay.viewBox.baseVal; return [of(p.canvas), of(p.overlay), [p.canvas.width / p.canvas.height, v.width / v.height]]")
            assert max(abs(a - b) for a, b in zip(canvas, overlay)) < 0.5
            assert all(abs(canvas[2] / canvas[3] / ratio - 1) < 0.015 for ratio in laid_out), (panel, canvas, laid_out)
    finally:
        media("")
        window(browser, 1200)
    quiet(browser)


def test_space_on_a_phone(browser):
    window(browser, 390, 800)
    for page in ("iris", "digits"):
        load(browser, f"{page}.html")
        for panel in ("scree.planes[0]", "scree.planes[2]", "scree.space"):
            show_panel(browser, panel)
            assert colours_on(browser, panel) > 200, panel
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
        unnamed = browser.run("return Array.from(document.querySelectorAll('#planes button, #planes select, #planes svg[tabindex], #space button, #space select, #space svg[tabindex]')).filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label'))).length")
        assert unnamed == 0
    window(browser, 1200)
    quiet(browser)


if __name__ == "__main__":
    run_tests(dict(globals()), make_pages)
