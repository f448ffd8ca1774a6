# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of pages share: making them, asking them, and running one test after the other in one browser.

Wants $SCREE (the binary) and $SRC (the repository).
"""

import os
import struct
import subprocess
import sys
import tempfile
import traceback

import webdriver

SCREE = os.environ["SCREE"]
DIGITS = os.path.join(os.environ["SRC"], "data", "mnist01", "mnist01-1000-%s-ubyte.gz")


def scree(*arguments):
    done = subprocess.run([SCREE, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"scree {' '.join(arguments)}: {done.stderr}"
    return done.stdout


def write_npy(path, rows):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    header = header.ljust(117) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for row in rows:
            file.write(struct.pack(f"<{len(row)}d", *row))


def read_npy(path):
    with open(path, "rb") as file:
        data = file.read()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    return [value[0] for value in struct.iter_unpack("<d", data[start:])]


def load(browser, name):
    browser.open(name)
    browser.frames(3)
    quiet(browser)


def quiet(browser):
    said = browser.log()
    assert said == [], f"the console says {said}"


def place(browser, row):
    """Where a row is, from the corner of the window."""
    return browser.run("const box = document.getElementById('overlay').getBoundingClientRect(), at = scree.map.placeOf("
                       "arguments[0]); return [at[0] + box.left, at[1] + box.top]", row)


def lonely(browser):
    """A row with no other near it."""
    return browser.run("const n = scree.data.count, at = d3.range(n).map(scree.map.placeOf); return d3.range(n).find((i) =>"
                       "at.every((p, j) => i === j || Math.hypot(p[0] - at[i][0], p[1] - at[i][1]) > 8))")


def state(browser, key):
    return browser.run("const value = scree.state.get(arguments[0]); return ArrayBuffer.isView(value) ? "
                       "Array.from(value) : value", key)


def selected(browser):
    """The rows that are marked, by their places on the page."""
    return browser.run("return Array.from(scree.state.get('selection').rows)")


def text(browser, selector):
    return browser.run("return document.querySelector(arguments[0]).textContent", selector)


def select(browser, number):
    browser.run("document.getElementById('goto-row').value = arguments[0]; document.querySelector('#goto button').click()", number)
    browser.frames()


def run_tests(tests, make_pages, missing=webdriver.missing, open_browser=webdriver.Browser):
    """Runs the functions test_... among tests, or those that are named on the command line; ends with 77 without a browser."""
    need = missing()
    if need:
        print(f"skipped: there is no {need} to test reports in a browser with; tools/setup browser installs it where it can be had")
        sys.exit(77)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_pages()
        with open_browser() as browser:
            for name, test in tests.items():
                if not name.startswith("test_") or (sys.argv[1:] and name not in sys.argv[1:]):
                    continue
                try:
                    test(browser)
                    print(f"{name}: ok")
                except (AssertionError, RuntimeError):
                    print(f"{name}: failed")
                    traceback.print_exc(file=sys.stdout)
                    failed += 1
        os.chdir("/")
    sys.exit(1 if failed else 0)
