# SPDX-License-Identifier: BSD-3-Clause
"""What one does with a report to explore rows: originals, selections that all views share and their comparison with the
rest, the legend, search, the table of all rows, neighbours, the slider of M, planes, the view in three dimensions, files
that are saved, and addresses that open the same view; by pointer and by keyboard.

It needs pictures. Wants $SCREE (the binary) and $SRC (the repository). Ends with 77 when there is no browser here.
"""

import gzip
import os
import random

from pages import DIGITS, load, quiet, run_tests, scree, state, text, write_npy


def make_pages():
    """The pages that the tests look at, in the current folder."""
    images, labels = DIGITS % "images-idx3", DIGITS % "labels-idx1"
    scree("fit", "-q", images, "-k", "20", "-o", "digits.scree")
    scree("report", "-q", "digits.scree", images, "--labels", labels, "--training", "-o", "digits.html")
    size = os.path.getsize("digits.html")
    scree("report", "-q", "digits.scree", images, "--labels", labels, "--training", "--max-size", str(size - 60000), "-o", "fewer.html")
    chance = random.Random(11)
    rows = [[1e6 + chance.gauss(0, 1 + c % 3) if (i, c) != (3, 700) else float("nan") for c in range(900)] for i in range(300)]
    write_npy("wide.npy", rows)
    scree("fit", "-q", "wide.npy", "-k", "3", "--em", "ml", "-o", "wide.scree")
    scree("report", "-q", "wide.scree", "wide.npy", "-o", "wide.html")


ORIGINAL = "const done = arguments[arguments.length - 1]; scree.data.originals.get(arguments[0]).then((x) => done(x && Array.from(x, (v) => Number.isNaN(v) ? null : v)))"


def test_originals_are_the_rows(browser):
    """Pixels to the last bit, of all rows; floats to what a float holds beside the mean, and gaps."""
    load(browser, "digits.html")
    with gzip.open(DIGITS % "images-idx3") as file:
        pixels = file.read()[16:]
    assert browser.wait_for("return scree.data.originals.count") == 1000
    for row in (0, 17, 82, 83, 84, 999):
        number = browser.run("return scree.data.number[arguments[0]]", row)
        assert bytes(browser.wait(ORIGINAL, row)) == pixels[784 * (number - 1):784 * number], row
    assert browser.wait(ORIGINAL, 1000) is None
    load(browser, "wide.html")
    assert browser.wait_for("return scree.data.originals.count") == 300
    row = browser.run("return scree.data.number.indexOf(4)")
    found = browser.wait(ORIGINAL, row)
    chance = random.Random(11)
    wanted = [[1e6 + chance.gauss(0, 1 + c % 3) if (i, c) != (3, 700) else None for c in range(900)] for i in range(4)][3]
    assert found[700] is None and wanted[700] is None
    assert all(abs(a - b) < 1e-5 for a, b in zip(found, wanted) if b is not None)
    quiet(browser)


def test_the_page_says_which_rows_it_holds(browser):
    load(browser, "digits.html")
    assert "all that it shows" in browser.wait_for("return scree.data.originals.count && document.getElementById('card-list').textContent")
    load(browser, "fewer.html")
    browser.wait_for("return scree.data.originals.count")
    held = browser.run("return scree.data.originals.count")
    assert 0 < held < 1000 and state(browser, "focus") == -1
    browser.frames()
    assert f"the page holds {held} of those it shows as they were; scree report --max-size" in text(browser, "#card-list")
    browser.run("scree.state.set('focus', 999)")
    assert "does not hold this row" in browser.wait_for("return document.querySelector('#rowcard .original').textContent")
    browser.run("scree.state.set('focus', 0)")
    browser.wait_for("return document.querySelector('#rowcard .original canvas')")
    names = browser.run("return Array.from(document.querySelectorAll('#rowcard figcaption'), (f) => f.textContent)")
    assert names == ["the row", "from 1 component", "from 5 components", "from 20 components"], names
    quiet(browser)


if __name__ == "__main__":
    run_tests(dict(globals()), make_pages)
