#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How fast a report is in Chromium without a GPU: bench/page.py REPORT.html [TIMES]. A line for each time it is opened:

    paint     until the first text is on the screen
    map       until the rows are drawn and answer
    pan       frames a second while the map moves by keys, and the longest frame
    sort      until the table of all rows stands in another order
    marks     until the marked half of the rows is compared with the others, cells unpacked
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "browser"))
import webdriver  # noqa: E402

HOOK = "(() => { const look = () => { if (window.scree) window.drawn = performance.now(); else requestAnimationFrame(look); }; requestAnimationFrame(look); })();"
PAN = """const done = arguments[0], times = [], map = document.getElementById('overlay'); let n = 0, last = performance.now();
    const step = () => { const now = performance.now(); times.push(now - last); last = now;
        map.dispatchEvent(new KeyboardEvent('keydown', { key: n % 20 < 10 ? 'ArrowLeft' : 'ArrowDown' }));
        if (n++ < 120) requestAnimationFrame(step); else done([1000 / d3.mean(times.slice(2)), d3.max(times.slice(2))]); };
    requestAnimationFrame(step);"""
SORT = """const done = arguments[0], start = performance.now(); scree.state.set('sort', { key: 'code:1', down: true, show: 'all' });
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));"""
MARKS = """const done = arguments[0], start = performance.now(); scree.select(d3.range(0, scree.data.count, 2));
    scree.state.on('comparison', (found) => found.length > 0 && done(performance.now() - start));"""


def main():
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    with webdriver.Browser() as browser:
        browser.call("POST", browser.session + "/goog/cdp/execute", {"cmd": "Page.addScriptToEvaluateOnNewDocument", "params": {"source": HOOK}})
        for _ in range(times):
            browser.open(sys.argv[1])
            browser.frames(5)
            paint, drawn = browser.run("return [performance.getEntriesByName('first-contentful-paint')[0].startTime, window.drawn]")
            browser.wait_for("return document.readyState === 'complete'")
            rate, longest = browser.wait(PAN)
            print(f"paint {paint:.0f} ms, map {drawn:.0f} ms, pan {rate:.1f} frames/s (longest {longest:.0f} ms), "
                  f"sort {browser.wait(SORT):.0f} ms, marks {browser.wait(MARKS):.0f} ms", flush=True)
            browser.call("POST", browser.session + "/url", {"url": "about:blank"})


main()
