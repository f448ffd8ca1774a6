# SPDX-License-Identifier: BSD-3-Clause
"""Reports on paper: where points and axes lie in a PDF, read from what it draws, against where they are on the screen; in
any theme, and without what only a screen can do.

It needs pictures. Wants $SCREE (the binary) and $SRC (the repository). Ends with 77 when there is no browser here.
"""

import base64
import os
import re
import zlib

from pages import DIGITS, load, quiet, run_tests, scree, select

IRIS = os.path.join(os.environ["SRC"], "examples", "iris.csv")


def make_pages():
    """The pages that the tests look at, in the current folder."""
    scree("fit", "-q", IRIS, "-o", "iris.scree")
    scree("report", "-q", "iris.scree", IRIS, "--training", "-o", "iris.html")
    scree("fit", "-q", DIGITS % "images-idx3", "-k", "20", "-o", "digits.scree")
    scree("report", "-q", "digits.scree", DIGITS % "images-idx3", "--labels", DIGITS % "labels-idx1", "--training", "-o", "digits.html")


def printed(browser):
    """The page as a PDF."""
    command = {"cmd": "Page.printToPDF", "params": {"printBackground": True, "displayHeaderFooter": False}}
    return base64.b64decode(browser.call("POST", browser.session + "/goog/cdp/execute", command)["data"])


def streams(pdf):
    """(dictionary, bytes) of every stream, unpacked."""
    for start in re.finditer(rb"obj\s*<<((?:(?!endobj).)*?)>>\s*stream\r?\n", pdf, re.S):
        size = int(re.search(rb"/Length (\d+)", start[1])[1])
        data = pdf[start.end():start.end() + size]
        yield start[1], zlib.decompress(data) if b"FlateDecode" in start[1] else data


def multiply(m, n):
    """n after m, matrices as PDF writes them."""
    return [m[0] * n[0] + m[1] * n[2], m[0] * n[1] + m[1] * n[3], m[2] * n[0] + m[3] * n[2], m[2] * n[1] + m[3] * n[3],
            m[4] * n[0] + m[5] * n[2] + n[4], m[4] * n[1] + m[5] * n[3] + n[5]]


def apply(m, x, y):
    return (m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5])


def drawn(content):
    """What a page draws, in points of paper: images as boxes [x, y, x, y], and lines of two points."""
    images, lines, stack, at, path, matrix = [], [], [], [], [], [1, 0, 0, 1, 0, 0]
    for token in re.findall(rb"\((?:\\.|[^\\)])*\)|<[0-9A-Fa-f]*>|\[|\]|[^\s\[\]()<>]+", content):
        if re.fullmatch(rb"[-+]?[0-9.]+", token):
            at.append(float(token))
            continue
        if token == b"q":
            stack.append(matrix)
        elif token == b"Q":
            matrix = stack.pop()
        elif token == b"cm":
            matrix = multiply(at[-6:], matrix)
        elif token in (b"m", b"l"):
            path = path + [apply(matrix, *at[-2:])] if token == b"l" else [apply(matrix, *at[-2:])]
        elif token == b"S" and len(path) == 2:
            lines.append(path)
        elif token == b"Do":
            a, b = apply(matrix, 0, 0), apply(matrix, 1, 1)
            images.append([min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])])
        at = []
    return images, lines


TICKS = """const o = document.getElementById('overlay').getBoundingClientRect();
    const of = (axis) => Array.from(document.querySelectorAll('#overlay .axis')[axis].querySelectorAll('.tick'), (t) => { const m = t.getCTM(), s = document.getElementById('overlay').getCTM(); return axis ? m.f - s.f : m.e - s.e; });
    const c = document.getElementById('points'); return { width: o.width, height: o.height, x: of(0), y: of(1), ratio: c.width / c.height };"""


def map_on_paper(pdf, ratio):
    """The box of the points, and the lines of the page that has it."""
    for _, content in streams(pdf):
        if b" cm" not in content[:400]:
            continue
        images, lines = drawn(content)
        for box in images:
            wide, high = box[2] - box[0], box[3] - box[1]
            if wide > 200 and abs(wide / high / ratio - 1) < 0.01:
                return box, lines
    raise AssertionError("no page has the points of the map")


def check_print(browser):
    """Ticks lie on paper in the same shares of the picture as on the screen: points and axes agree."""
    screen = browser.run(TICKS)
    box, lines = map_on_paper(printed(browser), screen["ratio"])
    wide, high = box[2] - box[0], box[3] - box[1]
    assert abs(wide / high / (screen["width"] / screen["height"]) - 1) < 0.01
    inside = [line for line in lines if all(box[0] - 1 <= x <= box[2] + 1 and box[1] - 1 <= y <= box[3] + 1 for x, y in line)]
    upright = [(a[0] - box[0]) / wide for a, b in inside if abs(a[0] - b[0]) < 1e-3 and abs(a[1] - b[1]) < 0.05 * high]
    level = [(box[3] - a[1]) / high for a, b in inside if abs(a[1] - b[1]) < 1e-3 and abs(a[0] - b[0]) < 0.05 * wide]
    assert len(screen["x"]) > 2 and len(screen["y"]) > 2
    for name, wanted, found, size in (("across", screen["x"], upright, screen["width"]), ("up", screen["y"], level, screen["height"])):
        for place in wanted:
            off = min((abs(share - place / size) * size for share in found), default=99)
            assert off < 1, (name, place, off, found)  # of a pixel of the screen


def test_points_and_axes_agree_on_paper(browser):
    for page in ("iris.html", "digits.html"):
        load(browser, page)
        check_print(browser)
        browser.run("document.getElementById('overlay').focus()")
        browser.key("++")
        browser.frames(3)
        check_print(browser)
    quiet(browser)


def test_paper_has_the_size_of_the_screen_it_came_from(browser):
    """From a narrow window and a wide one."""
    cdp = browser.session + "/goog/cdp/execute"
    try:
        for width, height in ((390, 800), (1900, 1000)):
            browser.call("POST", cdp, {"cmd": "Emulation.setDeviceMetricsOverride", "params": {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}})
            load(browser, "iris.html")
            check_print(browser)
            browser.frames(3)
            assert browser.run("const m = document.getElementById('map'), c = document.getElementById('points'); return Math.abs(m.clientWidth - c.width) <= 1")
    finally:
        browser.call("POST", cdp, {"cmd": "Emulation.clearDeviceMetricsOverride", "params": {}})
    quiet(browser)


LIGHT = """const c = document.getElementById('points'), copy = new OffscreenCanvas(c.width, c.height).getContext('2d', { willReadFrequently: true }); copy.drawImage(c, 0, 0); return copy.getImageData(5, 5, 1, 1).data[0]"""


def pictures(pdf):
    """The pixels of all pictures of rows."""
    sized = [(re.search(rb"/Width (\d+)\s*/Height (\d+)", head), head, data) for head, data in streams(pdf)]
    return [data for size, head, data in sized if size and int(size[1]) > 150 and b"FlateDecode" in head and b"DeviceGray" not in head]


def test_paper_is_white_in_the_dark(browser):
    emulate = {"cmd": "Emulation.setEmulatedMedia", "params": {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}}
    cdp = browser.session + "/goog/cdp/execute"
    try:
        browser.call("POST", cdp, emulate)
        load(browser, "iris.html")
        assert browser.run(LIGHT) < 60
        found = pictures(printed(browser))
        assert len(found) >= 4  # the map, three planes
        assert all(sum(value > 200 for value in pixels[:1500]) > 1450 for pixels in found), [list(pixels[:9]) for pixels in found]
        browser.frames(3)
        assert browser.run(LIGHT) < 60  # and the screen is as it was
    finally:
        emulate["params"]["features"][0]["value"] = "light"
        browser.call("POST", cdp, emulate)
    quiet(browser)


BARS = """const c = document.getElementById('sprites-canvas'), copy = new OffscreenCanvas(c.width, c.height).getContext('2d', { willReadFrequently: true }), row = scree.sprites.shown()[0];
    copy.drawImage(c, 0, 0);
    const [x, y] = scree.map.placeOf(row), pixels = copy.getImageData(Math.round(x) - 8, Math.round(y) - 10, 16, 20).data, counts = {};
    for (let i = 0; i < pixels.length; i += 4) counts[pixels.slice(i, i + 3)] = (counts[pixels.slice(i, i + 3)] || 0) + 1;"""
GROUND = BARS + "return Object.keys(counts).filter((c) => { const [r, g, b] = c.split(',').map(Number); return arguments[0] ? r + g + b < 90 : r + g + b > 750; }).reduce((sum, c) => sum + counts[c], 0);"


def test_bars_of_rows_are_on_white_paper_in_the_dark(browser):
    """Their ground is the theme's; after printing it is the screen's again."""
    emulate = {"cmd": "Emulation.setEmulatedMedia", "params": {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}}
    cdp = browser.session + "/goog/cdp/execute"
    try:
        browser.call("POST", cdp, emulate)
        load(browser, "iris.html")
        browser.click("#sprites")
        browser.wait_for("return scree.sprites.shown().length > 5")
        browser.frames(3)
        assert browser.run(GROUND, True) > 50 and browser.run(GROUND, False) == 0
        browser.run("window.onPaper = []; addEventListener('beforeprint', () => { const of = function () { " + GROUND + " }; onPaper.push(of(true), of(false)); })")
        printed(browser)
        dark, white = browser.run("return onPaper")
        assert dark == 0 and white > 50, (dark, white)
        browser.frames(3)
        assert browser.run(GROUND, True) > 50 and browser.run(GROUND, False) == 0
    finally:
        emulate["params"]["features"][0]["value"] = "light"
        browser.call("POST", cdp, emulate)
    quiet(browser)


def test_paper_has_no_empty_parts(browser):
    """Parts that wait for a choice, controls, and what scrolls."""
    load(browser, "iris.html")
    shown = "const of = (id) => document.getElementById(id).getClientRects().length > 0; return ['row', 'comparison', 'goto', 'lasso', 'rows', 'embedding', 'save-png', 'row-help'].filter(of)"
    cdp = browser.session + "/goog/cdp/execute"
    try:
        browser.call("POST", cdp, {"cmd": "Emulation.setEmulatedMedia", "params": {"media": "print"}})
        browser.frames(2)
        assert browser.run(shown) == ["rows", "embedding"], browser.run(shown)
        select(browser, 17)
        browser.run("scree.select([1, 2, 3])")
        browser.frames(4)
        assert browser.run(shown) == ["row", "comparison", "rows", "embedding"], browser.run(shown)
        wide = browser.run("return Array.from(document.querySelectorAll('main *')).filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === 'auto').map((e) => e.id)")
        assert wide == [], wide
    finally:
        browser.call("POST", cdp, {"cmd": "Emulation.setEmulatedMedia", "params": {"media": ""}})
    quiet(browser)


if __name__ == "__main__":
    run_tests(dict(globals()), make_pages)
