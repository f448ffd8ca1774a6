# SPDX-License-Identifier: BSD-3-Clause
"""The address of a report follows what is chosen, a link opens the same view again, and one that says anything else does no
harm.

It needs pictures. Wants $SCREE (the binary) and $SRC (the repository). Ends with 77 when there is no browser here.
"""

import os
import random

from pages import load, place, quiet, run_tests, scree, select, selected, state, text
from webdriver import ALT, RIGHT

IRIS = os.path.join(os.environ["SRC"], "examples", "iris.csv")


def make_pages():
    """The pages that the tests look at, in the current folder."""
    scree("fit", "-q", IRIS, "-o", "iris.scree")
    scree("report", "-q", "iris.scree", IRIS, "--training", "-o", "iris.html")
    scree("report", "-q", "iris.scree", IRIS, "--points", "40", "-o", "sample.html")


def fragment(browser):
    """What stands behind # once the address has followed."""
    return browser.wait_for("return scree.address.link() === location.hash.slice(1) && [location.hash]")[0]


def visit(browser, page, fragment_text):
    """Opens a page anew with a fragment."""
    browser.call("POST", browser.session + "/url", {"url": "about:blank"})
    browser.call("POST", browser.session + "/url", {"url": f"file://{os.path.abspath(page)}{fragment_text}"})
    browser.frames(4)


VIEW = """const s = scree.state, of = (k) => s.get(k);
    return [of('x'), of('y'), of('m'), of('focus'), Array.from(of('selection').rows), of('colouring'), of('hiddenClasses').text, Array.from(of('hiddenClasses').words).sort(), of('search'),
            of('sort'), of('near'), of('arrows'), of('sprites'), Array.from(of('paint')), of('matches'), of('scores').m, d3.range(150).map((i) => scree.map.placeOf(i))]"""


def test_the_address_begins_empty(browser):
    load(browser, "iris.html")
    assert fragment(browser) == ""
    browser.run("document.getElementById('overlay').focus()")
    browser.key("+")
    assert fragment(browser).startswith("#zoom=1.4,")
    browser.key("0")
    assert fragment(browser) == ""
    quiet(browser)


def same_view(a, b):
    assert a[:-1] == b[:-1], [(x, y) for x, y in zip(a[:-1], b[:-1]) if x != y][:1]
    assert all(abs(p - q) < 0.05 for one, other in zip(a[-1], b[-1]) for p, q in zip(one, other))


def test_a_link_opens_the_same_view(browser):
    """Choices made by hand, in a second page that knows the link alone; and back to none."""
    load(browser, "iris.html")
    browser.click("#mark-outliers")
    browser.run("const s = document.getElementById('axis-x'); s.value = 2; s.dispatchEvent(new Event('change'))")
    browser.run("const m = document.getElementById('m'); m.value = 2; m.dispatchEvent(new Event('input'))")
    browser.run("const s = document.getElementById('colour'); s.value = 'text:0'; s.dispatchEvent(new Event('change'))")
    with browser.held(ALT):
        browser.click("#class-1")
    select(browser, 77)
    browser.click("[id='sort-t2']")
    browser.click("[id='sort-t2']")
    browser.run("const s = document.getElementById('table-show'); s.value = 'first'; s.dispatchEvent(new Event('change'))")
    browser.run("document.getElementById('overlay').focus()")
    browser.key("++" + RIGHT * 2 + "a")
    browser.frames(3)
    view, link = browser.run(VIEW), fragment(browser)
    for part in ("x=3", "m=2", "row=77", "marked=", "hidden=0,", "sort=t2,down,first", "zoom=1.96,", "find=77", "arrows=yes"):
        assert part in link, (part, link)
    visit(browser, "iris.html", link)
    browser.wait_for("return scree.state.get('scores').m === 2")
    same_view(view, browser.run(VIEW))
    assert fragment(browser) == link
    browser.run("location.hash = ''")
    browser.frames(4)
    assert fragment(browser) == "" and selected(browser) == [] and state(browser, "focus") == -1 and state(browser, "zoom") is None
    quiet(browser)


def test_marks_of_any_kind_come_back(browser):
    load(browser, "iris.html")
    chance = random.Random(5)
    for rows in ([], [0], [149], list(range(150)), sorted(chance.sample(range(150), 75)), sorted(chance.sample(range(150), 140)), list(range(20, 60))):
        browser.run("scree.select(arguments[0])", rows)
        link = fragment(browser)
        assert len(link) < 130, link
        browser.run("scree.select([])")
        fragment(browser)
        browser.run("location.hash = arguments[0]", link)
        browser.frames(2)
        assert selected(browser) == rows, (rows, link)
    quiet(browser)


def test_links_hold_in_windows_of_another_size(browser):
    load(browser, "iris.html")
    browser.run("document.getElementById('overlay').focus()")
    browser.key("+++" + RIGHT)
    middle = "const b = document.getElementById('map').getBoundingClientRect(); return [scree.map.screen('x', (46 + b.width - 2 - 10) / 2), scree.map.screen('y', (10 + b.height - 2 - 24) / 2)]"
    before, link = browser.run(middle), fragment(browser)
    cdp = browser.session + "/goog/cdp/execute"
    browser.call("POST", cdp, {"cmd": "Emulation.setDeviceMetricsOverride", "params": {"width": 600, "height": 700, "deviceScaleFactor": 1, "mobile": False}})
    try:
        browser.frames(4)
        after = browser.run(middle)
        assert all(abs(a - b) < 0.02 for a, b in zip(before, after)), (before, after)
        visit(browser, "iris.html", link)
        assert all(abs(a - b) < 0.02 for a, b in zip(before, browser.run(middle)))
    finally:
        browser.call("POST", cdp, {"cmd": "Emulation.clearDeviceMetricsOverride", "params": {}})
    quiet(browser)


def test_rows_are_called_by_their_numbers(browser):
    """A link of one page marks the same rows on a page that shows a sample of them."""
    visit(browser, "iris.html", "#row=17")
    browser.run("scree.select(d3.range(150).filter((i) => scree.data.number[i] % 3 === 0))")
    link = fragment(browser)
    visit(browser, "sample.html", link)
    marked = browser.run("return Array.from(scree.state.get('selection').rows, (i) => scree.data.number[i]).sort((a, b) => a - b)")
    there = browser.run("return Array.from(scree.data.number).sort((a, b) => a - b)")
    assert marked == [number for number in there if number % 3 == 0] and 0 < len(marked) < 40
    quiet(browser)


HOSTILE = ["#x=0&y=99&m=-1&row=0&colour=column:99&sort=,,&near=euclid,1e9&zoom=NaN,1,1", "#x=1e999&m=0x10&row=%00&zoom=Infinity,-Infinity,0", "#" + "&" * 5000, "#x", "#=&==&%", "#%E0%A4%A&x=%ZZ",
           "#colour=__proto__&sort=__proto__,up,all&near=constructor,5&hidden=__proto__,AA", "#__proto__=1&constructor=2&toString=3", "#colour=score:constructor", "#colour=text:1e0", "#colour=column:-1",
           "#marked=%3Cscript%3Ewindow.hacked=1%3C/script%3E", "#find=%3Cimg%20src=x%20onerror=window.hacked=2%3E", "#find=" + "%F0%9F%98%80" * 400, "#hidden=0,~&marked=~", "#hidden=7,AA", "#hidden=0,AA,AA",
           "#marked=" + "_" * 5000, "#marked=A", "#marked=" + "gICAgICAgICA" * 50, "#marked=~" + "A" * 4001, "#zoom=400,1e308,-1e308", "#zoom=1e-300,0,0", "#near=euclid,1000", "#m=2&m=3&x=2&x=3", "#" + "x=2&" * 20000,
           "#javascript:window.hacked=3", "#row=4294967296", "#row=none&arrows=maybe&sprites=1"]


def test_hostile_addresses_are_harmless(browser):
    load(browser, "iris.html")
    plain = browser.run(VIEW)
    for link in HOSTILE:
        visit(browser, "iris.html", link)
        assert browser.run("return window.hacked === undefined && document.querySelectorAll('main img, main script').length === 0"), link
        view = browser.run(VIEW)
        assert len(view[13]) == 150 and all(isinstance(v, (int, float)) for p in view[-1] for v in p), link
        assert 0 <= view[0] < 4 and 0 <= view[1] < 4 and 1 <= view[2] <= 4 and -1 <= view[3] < 150, (link, view[:4])
        if not any(name in link for name in ("find=", "marked=", "hidden=", "zoom=", "near=euclid,1000", "m=2", "x=2&")):
            same_view(plain, view)
        browser.run("document.getElementById('overlay').focus()")
        browser.key("n+0")
        assert state(browser, "focus") == 0 or state(browser, "focus") >= 0
        quiet(browser)


APPLY = """const [links, done] = arguments, wrong = []; let at = 0;
    const note = (e) => wrong.push([links[at], e.message]);
    window.addEventListener('error', note);
    const step = () => { if (at === links.length) { window.removeEventListener('error', note); return done(wrong); }
        scree.address.read(links[at]);
        requestAnimationFrame(() => { const s = scree.state, sel = s.get('selection');
            if (!(s.get('x') >= 0 && s.get('x') < 4 && s.get('m') >= 1 && s.get('m') <= 4 && sel.has.length === 150 && s.get('paint').length === 150)) wrong.push([links[at], 'state']);
            at++; step(); }); }; step();"""


def test_random_addresses_are_harmless(browser):
    """Letters that addresses have, in any order, one after the other in a page that stays."""
    load(browser, "iris.html")
    chance = random.Random(12)
    names = ["x", "y", "m", "row", "zoom", "marked", "colour", "hidden", "find", "sort", "near", "arrows", "sprites", "z"]
    links = []
    for _ in range(200):
        fields = []
        for _ in range(chance.randrange(5)):
            value = chance.choice([str(chance.randrange(-3, 200)), "".join(chance.choice("AZaz09-_~,:.%+eupdownscoretext") for _ in range(chance.randrange(24))),
                                   ",".join(str(chance.uniform(-9, 9))[:5] for _ in range(3)), chance.choice(["score:p", "column:2", "none", "p,down,only", "text:0,up,first", "mahalanobis,5", "0,AAA"])])
            fields.append(f"{chance.choice(names)}={value}")
        links.append("&".join(fields))
    wrong = []
    for first in range(0, len(links), 20):  # a script has a time that it may take
        wrong += browser.wait(APPLY, links[first:first + 20])
    assert wrong == [], wrong[:3]
    assert selected(browser) is not None and place(browser, 0)[0] == place(browser, 0)[0] and text(browser, "#title") == "iris.csv"
    quiet(browser)


if __name__ == "__main__":
    run_tests(dict(globals()), make_pages)
