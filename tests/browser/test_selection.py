# SPDX-License-Identifier: BSD-3-Clause
"""Rows that are marked in a report: with lasso and box, by class, by search and in the table, by pointer and by keyboard;
what all parts of the page make of them; and the comparison with the rest, whose numbers are computed here once more.

It needs pictures. Wants $SCREE (the binary) and $SRC (the repository). Ends with 77 when there is no browser here.
"""

import os

from pages import DIGITS, load, lonely, place, quiet, run_tests, scree, selected, state, text
from webdriver import ALT, CONTROL, DOWN, ENTER, ESCAPE, RIGHT, SHIFT

IRIS = os.path.join(os.environ["SRC"], "examples", "iris.csv")


def make_pages():
    """The pages that the tests look at, in the current folder."""
    scree("fit", "-q", IRIS, "-o", "iris.scree")
    scree("report", "-q", "iris.scree", IRIS, "--training", "-o", "iris.html")
    scree("fit", "-q", DIGITS % "images-idx3", "-k", "20", "-o", "digits.scree")
    scree("report", "-q", "digits.scree", DIGITS % "images-idx3", "--labels", DIGITS % "labels-idx1", "--training", "-o", "digits.html")


def boxed(browser, rows, around=5):
    """A rectangle around rows, in the window: left, top, right, bottom."""
    places = [place(browser, row) for row in rows]
    return (min(x for x, _ in places) - around, min(y for _, y in places) - around,
            max(x for x, _ in places) + around, max(y for _, y in places) + around)


def within(browser, left, top, right, bottom):
    """The rows in a rectangle of the window."""
    return browser.run("const [l, t, r, b] = arguments, o = document.getElementById('overlay').getBoundingClientRect();"
                       "return d3.range(scree.data.count).filter((i) => { const [x, y] = scree.map.placeOf(i);"
                       "return x + o.left >= l && x + o.left <= r && y + o.top >= t && y + o.top <= b; })", left, top, right, bottom)


def drag_box(browser, box, *keys):
    left, top, right, bottom = (round(v) for v in box)
    with browser.held(*keys):
        browser.pointer(("move", left, top), ("down",), ("move", (left + right) / 2, bottom), ("move", right, bottom), ("up",))
    return set(within(browser, left, top, right, bottom))


def drag_lasso(browser, box, *keys):
    left, top, right, bottom = (round(v) for v in box)
    with browser.held(*keys):
        browser.pointer(("move", left, top), ("down",), ("move", right, top), ("move", right, bottom), ("move", left, bottom), ("up",))
    return set(within(browser, left, top, right, bottom))


def test_boxes_replace_add_take_away_and_cut(browser):
    load(browser, "iris.html")
    browser.click("#box")
    assert browser.run("return document.getElementById('box').getAttribute('aria-pressed')") == "true"
    one, other = boxed(browser, [0, 1, 2]), boxed(browser, [2, 3, 4])
    first = drag_box(browser, one)
    assert set(selected(browser)) == first and len(first) >= 3
    second = drag_box(browser, other, SHIFT)
    assert set(selected(browser)) == first | second
    both = drag_box(browser, one, SHIFT, ALT)
    assert set(selected(browser)) == (first | second) & both
    drag_box(browser, other, ALT)
    assert set(selected(browser)) == first - second
    drag_box(browser, other)
    assert set(selected(browser)) == second, (selected(browser), second, state(browser, "how"), state(browser, "lasso"))
    browser.run("const how = document.getElementById('how'); how.value = 'add'; how.dispatchEvent(new Event('change'))")
    drag_box(browser, one)
    assert set(selected(browser)) == first | second
    assert f"{len(first | second)} of 150 rows" in text(browser, "#status") and "setosa: " in text(browser, "#marked-note")
    quiet(browser)


def test_keys_held_draw_lassos_while_no_tool_is_chosen(browser):
    load(browser, "digits.html")
    one = boxed(browser, [0, 1])
    first = drag_lasso(browser, one, SHIFT)
    assert set(selected(browser)) == first and len(first) >= 2
    row = lonely(browser)
    x, y = place(browser, row)
    with browser.held(SHIFT):
        browser.pointer(("move", x, y), ("down",), ("up",))
    assert set(selected(browser)) == first | {row}
    with browser.held(ALT):
        browser.pointer(("move", x, y), ("down",), ("up",))
    assert set(selected(browser)) == first - {row}
    assert state(browser, "focus") == -1
    quiet(browser)


def test_boxes_and_lassos_by_keys(browser):
    load(browser, "iris.html")
    browser.run("document.getElementById('overlay').focus()")
    browser.key("b")
    assert state(browser, "lasso") == "box" and "Space sets a corner" in text(browser, "#status")
    browser.key(RIGHT)
    cross = browser.run("const b = document.querySelector('.cross').getBoundingClientRect(); return [b.left + 9, b.top + 9]")
    browser.key(" ")
    browser.key(RIGHT * 30 + DOWN * 6)
    browser.key(ENTER)
    caught = set(within(browser, cross[0], cross[1], cross[0] + 300, cross[1] + 60))
    assert set(selected(browser)) == caught and len(caught) > 10, (selected(browser), caught)
    browser.key("l")
    with browser.held(SHIFT):
        browser.key(RIGHT)  # the cross comes
    browser.key(" " + RIGHT * 20 + " " + DOWN * 12)
    with browser.held(ALT):
        browser.key(ENTER)
    left = set(selected(browser))
    gone = [place(browser, row) for row in caught - left]
    assert left and gone and left < caught, left
    assert all(x - cross[0] <= 201 and (y - cross[1]) <= (x - cross[0]) * 0.6 + 1 for x, y in gone), gone  # in the triangle
    browser.key(" ")
    assert browser.run("return document.querySelectorAll('.cross').length") == 1
    browser.key(ESCAPE)
    assert browser.run("return document.querySelectorAll('.cross').length") == 0 and state(browser, "lasso") == "lasso"
    browser.key(ESCAPE)
    assert state(browser, "lasso") is None and set(selected(browser)) == left
    browser.key(ESCAPE)
    assert selected(browser) == [] and "No row is marked" in text(browser, "#status")
    quiet(browser)


def test_classes_and_the_others(browser):
    load(browser, "iris.html")
    choose = "const c = document.getElementById('mark-class'); c.value = arguments[0]"
    browser.run(choose, 1)
    browser.click("#mark-the-class")
    kinds = browser.run("const t = scree.data.texts[0]; return Array.from(t.index, (i) => t.words[i])")
    assert selected(browser) == [i for i, kind in enumerate(kinds) if kind == "versicolor"]
    browser.click("#invert")
    assert selected(browser) == [i for i, kind in enumerate(kinds) if kind != "versicolor"]
    assert text(browser, "#legend") == "setosa (50 of 50)versicolor (50)virginica (50 of 50)"
    browser.click("#unmark")
    assert selected(browser) == [] and browser.run("return document.getElementById('unmark').disabled")
    with browser.held(CONTROL):
        browser.click("#class-2")
    assert selected(browser) == [i for i, kind in enumerate(kinds) if kind == "virginica"]
    browser.run("document.getElementById('invert').focus()")
    browser.key(ESCAPE)
    assert selected(browser) == []
    quiet(browser)


def shown_points(browser):
    return browser.run("return d3.range(scree.data.count).filter((i) => scree.state.get('paint')[i] !== 0)")


def test_the_legend_hides_classes(browser):
    load(browser, "iris.html")
    kinds = browser.run("const t = scree.data.texts[0]; return Array.from(t.index, (i) => t.words[i])")
    shown = lambda *names: [i for i, kind in enumerate(kinds) if kind in names]
    pressed = "return Array.from(document.querySelectorAll('#legend button'), (b) => b.getAttribute('aria-pressed'))"
    browser.click("#class-0")
    assert shown_points(browser) == shown("versicolor", "virginica") and browser.run(pressed) == ["false", "true", "true"]
    assert text(browser, "#hidden-note") == "50 rows are hidden." and "setosa is hidden" in text(browser, "#status")
    box = browser.run("const b = document.getElementById('map').getBoundingClientRect(); return [b.left + 50, b.top + 15, b.right - 15, b.bottom - 30]")
    browser.click("#box")
    drag_box(browser, box)
    assert selected(browser) == shown("versicolor", "virginica")  # what is hidden is not caught
    row = shown("setosa")[0]
    browser.pointer(("move", *place(browser, row)))
    assert state(browser, "hover") != row
    browser.run("document.getElementById('class-0').focus()")
    browser.key(" ")
    assert len(shown_points(browser)) == 150 and browser.run("return document.activeElement.id") == "class-0"
    with browser.held(ALT):
        browser.key(ENTER)
    assert shown_points(browser) == shown("setosa") and "only setosa" in text(browser, "#status")
    with browser.held(ALT):
        browser.click("#class-0")
    assert len(shown_points(browser)) == 150
    with browser.held(ALT):
        browser.click("#class-1")
    assert shown_points(browser) == shown("versicolor")
    browser.click("#show-all")
    assert len(shown_points(browser)) == 150 and text(browser, "#hidden-note") == ""
    quiet(browser)


def test_what_is_found_is_ringed_listed_and_marked(browser):
    load(browser, "iris.html")
    ringed = """const c = document.getElementById('points'), copy = new OffscreenCanvas(c.width, c.height).getContext('2d');
                copy.drawImage(c, 0, 0);
                const p = copy.getImageData(0, 0, c.width, c.height).data;
                let n = 0; for (let i = 0; i < p.length; i += 4) n += p[i] < 40 && p[i + 1] < 45 && p[i + 2] < 50; return n"""
    assert browser.run(ringed) == 0
    browser.run("document.getElementById('goto-row').focus()")
    browser.key("VIRG")
    kinds = browser.run("const t = scree.data.texts[0]; return Array.from(t.index, (i) => t.words[i])")
    wanted = [i for i, kind in enumerate(kinds) if kind == "virginica"]
    assert sorted(state(browser, "matches")) == wanted and text(browser, "#goto-note") == "50 rows"
    browser.frames(3)
    assert browser.run(ringed) > 500
    assert browser.run("return document.querySelectorAll('#found-list li').length") == 20
    browser.click("#found-more")
    assert browser.run("return [document.querySelectorAll('#found-list li').length, document.activeElement === document.querySelectorAll('#found-list button')[20]]") == [50, True]
    browser.run("document.querySelectorAll('#found-list button')[3].click()")
    assert state(browser, "focus") == state(browser, "matches")[3] and text(browser, "#goto-note") == "4 of 50"
    browser.click("#mark-found")
    assert selected(browser) == wanted
    browser.run("const f = document.getElementById('goto-row'); f.value = ''; f.dispatchEvent(new Event('input'))")
    browser.frames(3)
    assert state(browser, "matches") == [] and browser.run(ringed) == 0
    quiet(browser)


if __name__ == "__main__":
    run_tests(dict(globals()), make_pages)
