# SPDX-License-Identifier: BSD-3-Clause
"""Reports for everyone: names and roles as the browser tells them to screen readers, contrast of all text by WCAG 2 in both
themes, the order of the keyboard and what shows where it is, headings, ids and references, and a phone's width.

It needs pictures. Wants $SCREE (the binary) and $SRC (the repository). Ends with 77 when there is no browser here.
"""

import os

from pages import DIGITS, load, quiet, run_tests, scree, select
from webdriver import TAB

IRIS = os.path.join(os.environ["SRC"], "examples", "iris.csv")
IMAGES, LABELS = DIGITS % "images-idx3", DIGITS % "labels-idx1"
NAMED = {"button", "combobox", "textbox", "searchbox", "slider", "checkbox", "image", "grid", "table", "region", "columnheader", "application", "link", "option", "spinbutton", "listbox"}


def make_pages():
    """The pages that the tests look at, in the current folder."""
    scree("fit", "-q", IRIS, "-o", "iris.scree")
    scree("report", "-q", "iris.scree", IRIS, "--training", "-o", "iris.html")
    scree("fit", "-q", IMAGES, "-k", "20", "-o", "digits.scree")
    scree("report", "-q", "digits.scree", IMAGES, "--labels", LABELS, "--training", "-o", "digits.html")


def fill_page(browser, page):
    """A page in which all parts have something to say."""
    load(browser, page)
    select(browser, 17)
    browser.click("#mark-outliers")
    browser.click("#draw")
    browser.run("document.querySelectorAll('details').forEach((d) => (d.open = true)); const f = document.getElementById('goto-row'); f.value = '1'; f.dispatchEvent(new Event('input'))")
    browser.wait_for("return scree.state.get('comparison').length > 0 && document.querySelectorAll('#compared-columns tr').length > 1")
    browser.frames(3)


def cdp(browser, command, **parameters):
    return browser.call("POST", browser.session + "/goog/cdp/execute", {"cmd": command, "params": parameters})


def test_everything_has_a_name(browser):
    """In the tree that screen readers are given."""
    for page in ("iris.html", "digits.html"):
        fill_page(browser, page)
        nodes = cdp(browser, "Accessibility.getFullAXTree")["nodes"]
        roles = [(node["role"]["value"], (node.get("name") or {}).get("value", "").strip()) for node in nodes if not node.get("ignored")]
        nameless = [role for role, name in roles if role in NAMED and not name]
        assert nameless == [], nameless
        assert sum(role == "row" for role, _ in roles) > 20 and sum(role == "button" for role, _ in roles) > 20
        buttons = [name for role, name in roles if role == "button"]
        assert len([name for name in buttons if name.startswith("select row")]) == browser.run("return document.querySelectorAll('#outliers-table tbody tr').length")
    quiet(browser)


CONTRAST = """
    const parse = (text) => { const c = document.createElement('canvas').getContext('2d', { willReadFrequently: true }); c.clearRect(0, 0, 1, 1); c.fillStyle = text; c.fillRect(0, 0, 1, 1); return Array.from(c.getImageData(0, 0, 1, 1).data); };
    const known = new Map(), colour = (text) => known.get(text) || (known.set(text, parse(text)), known.get(text));
    const over = (top, under) => [0, 1, 2].map((k) => (top[k] * top[3] + under[k] * (255 - top[3])) / 255);
    const ground = (e) => { const layers = []; for (let at = e; at; at = at.parentElement) { const c = colour(getComputedStyle(at).backgroundColor); if (c[3] > 0) layers.push(c); if (c[3] === 255) break; }
        return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255]); };
    const light = (rgb) => { const [r, g, b] = rgb.map((v) => { const s = v / 255; return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
    const poor = []; let seen = 0;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) { const e = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || e.closest('script, style, noscript, title, [hidden], .aside, option, datalist, clipPath') || e.getClientRects().length === 0 || e.matches(':disabled')) continue;
        const style = getComputedStyle(e), size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        const under = ground(e), ink = over(colour(e instanceof SVGElement ? style.fill : style.color), under), found = ratio(ink, under); seen++;
        if (found < (large ? 3 : 4.5)) poor.push([walker.currentNode.data.slice(0, 40), found.toFixed(2), e.className.baseVal ?? e.className]); }
    return [seen, poor]"""


def test_text_stands_out(browser):
    """4.5 : 1 of all text, 3 : 1 of large text (WCAG 2.2, 1.4.3)."""
    for scheme in ("light", "dark"):
        cdp(browser, "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        for page in ("iris.html", "digits.html"):
            fill_page(browser, page)
            seen, poor = browser.run(CONTRAST)
            assert seen > 200 and poor == [], (scheme, page, seen, poor[:10])
    cdp(browser, "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
    quiet(browser)


STOP = """const e = document.activeElement, s = getComputedStyle(e), b = e.getBoundingClientRect(), stop = e.dataset.stop;
    return [stop === undefined ? -1 : Number(stop), e.tagName, e.id || e.className, s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 1.5, b.width > 0 && b.height > 0 && b.bottom > 0 && b.top < innerHeight]"""


def test_the_keyboard_goes_through_everything_in_order(browser):
    fill_page(browser, "iris.html")
    browser.run("document.activeElement.blur(); scrollTo(0, 0); document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')")
    wanted = browser.run("""return Array.from(document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')).filter((e) =>
        !e.disabled && e.getClientRects().length > 0).map((e, k) => (e.dataset.stop = k, e.outerHTML.slice(0, 99)))""")
    stops = []
    for _ in range(len(wanted) + 20):
        browser.key(TAB)
        stop = browser.run(STOP)
        if stop[1] == "BODY" or (stops and stop[0] == 0):
            break
        stops.append(stop)
    places = [stop[0] for stop in stops]
    assert places == list(range(len(wanted))), [wanted[k] for k in range(len(wanted)) if k not in places][:5] + [stop for stop in stops if stop[0] < 0]
    unseen = [stop[1:3] for stop in stops if not stop[3] or not stop[4]]
    assert unseen == [], unseen
    quiet(browser)


def test_headings_ids_and_references(browser):
    for page in ("iris.html", "digits.html"):
        fill_page(browser, page)
        levels = browser.run("return Array.from(document.querySelectorAll('h1, h2, h3, h4')).filter((h) => h.getClientRects().length > 0).map((h) => Number(h.tagName[1]))")
        assert levels[0] == 1 and levels.count(1) == 1 and all(b <= a + 1 for a, b in zip(levels, levels[1:])), levels
        twice, lost = browser.run("""const ids = Array.from(document.querySelectorAll('[id]'), (e) => e.id);
            const lost = ['aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-activedescendant', 'for', 'list'].flatMap((name) => Array.from(document.querySelectorAll(`[${name}]`)).flatMap((e) =>
                e.getAttribute(name).split(/\\s+/).filter((id) => id && !document.getElementById(id))));
            return [ids.filter((id, k) => ids.indexOf(id) !== k), lost]""")
        assert twice == [] and lost == [], (twice, lost)
        assert browser.run("return document.documentElement.lang") == "en" and browser.run("return document.title") != ""
    quiet(browser)


def test_a_phone_is_wide_enough(browser):
    try:
        for width in (390, 360, 320):
            cdp(browser, "Emulation.setDeviceMetricsOverride", width=width, height=844, deviceScaleFactor=2, mobile=True)
            for page in ("iris.html", "digits.html"):
                fill_page(browser, page)
                assert browser.run("return innerWidth") == width
                assert browser.run("return document.documentElement.scrollWidth") <= width
                wide = browser.run("""return Array.from(document.querySelectorAll('main *')).filter((e) => e.getClientRects().length > 0 && !e.closest('#row-tall, .scroll, .sideways, svg g') &&
                    e.getBoundingClientRect().right > arguments[0] + 1).map((e) => e.outerHTML.slice(0, 99))""", width)
                assert wide == [], (width, wide[:3])
    finally:
        cdp(browser, "Emulation.clearDeviceMetricsOverride")
    quiet(browser)


def test_fingers_mark_rows(browser):
    """Touch draws a box as a mouse does, and one finger on a row selects it."""
    cdp(browser, "Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
    cdp(browser, "Emulation.setTouchEmulationEnabled", enabled=True)
    try:
        load(browser, "iris.html")
        browser.run("document.getElementById('box').click(); document.getElementById('map').scrollIntoView()")
        left, top, right, bottom = browser.run("const b = document.getElementById('overlay').getBoundingClientRect(); return [b.left + 50, b.top + 12, b.right - 12, b.bottom - 30]")
        for kind, points in (("touchStart", [(left, top)]), ("touchMove", [((left + right) / 2, bottom)]), ("touchMove", [(right, bottom)]), ("touchEnd", [])):
            cdp(browser, "Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in points])
        browser.frames(3)
        marked = browser.run("return scree.state.get('selection').rows.length")
        assert marked > 140, marked
        browser.run("document.getElementById('box').click()")
        x, y = browser.run("const b = document.getElementById('overlay').getBoundingClientRect(), at = scree.map.placeOf(0); return [at[0] + b.left, at[1] + b.top]")
        cdp(browser, "Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        cdp(browser, "Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        browser.frames(3)
        assert browser.run("return scree.state.get('focus')") == 0
    finally:
        cdp(browser, "Emulation.setTouchEmulationEnabled", enabled=False)
        cdp(browser, "Emulation.clearDeviceMetricsOverride")
    quiet(browser)


if __name__ == "__main__":
    run_tests(dict(globals()), make_pages)
