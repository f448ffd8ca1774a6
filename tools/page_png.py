#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A picture of a report for the documents: tools/page_png.py REPORT.html PICTURE.png

The window of a browser that the tests use, with images of rows, and one selected that is no outlier.
"""

import base64
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "browser"))
import webdriver


def main():
    page, picture = sys.argv[1:]
    with webdriver.Browser(1200, 1000) as browser:
        browser.open(page)
        browser.run("scree.state.set('focus', scree.data.outliers.length + 20); scree.state.set('sprites', true)")
        browser.wait_for("return scree.sprites.shown().length > 20")
        browser.frames(30)
        with open(picture, "wb") as file:
            file.write(base64.b64decode(browser.picture()))


main()
