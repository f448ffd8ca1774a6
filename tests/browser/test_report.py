# SPDX-License-Identifier: BSD-3-Clause
"""Reports in a real browser: they load from a file with no word on the console, answer to pointer and keys, decode as
the library does, show what is in labels and never run it, and reach no network.

It needs pictures. Wants $SCREE (the binary) and $SRC (the repository). Ends with 77 when there is no browser here.
"""

import json
import os
import random

from pages import DIGITS, load, lonely, place, quiet, read_npy, run_tests, scree, select, selected, state, text, write_npy

NASTY = ['<script>window.hacked = 1</script>', '</script><script>window.hacked = 2</script>', 'a "quoted" & <b>bold</b>',
         "<img src=x onerror='window.hacked = 3'>", "<!-- ünïcode ✓"]


def make_pages():
    """The pages that the tests look at, in the current folder."""
    scree("fit", "-q", DIGITS % "images-idx3", "-k", "20", "-o", "digits.scree")
    scree("report", "-q", "digits.scree", DIGITS % "images-idx3", "--labels", DIGITS % "labels-idx1", "--training",
          "-o", "digits.html")
    chance = random.Random(7)
    with open("nasty.csv", "w", encoding="utf-8") as file:
        file.write('x,"<script>window.hacked = 4</script>",z,kind\n')
        for i in range(60):
            text = NASTY[i % len(NASTY)].replace('"', '""')
            file.write(",".join(f"{chance.gauss(i % 5, 1):.4f}" for _ in range(3)) + f',"{text}"\n')
    scree("fit", "-q", "nasty.csv", "-k", "2", "-o", "nasty.scree")
    scree("report", "-q", "nasty.scree", "nasty.csv", "--title", NASTY[1], "-o", "nasty.html")
    scree("report", "-q", "-k", "1", "nasty.scree", "nasty.csv", "-o", "one.html")
    with open("flat.csv", "w", encoding="utf-8") as file:
        for i in range(60):
            file.write(f"{i % 7},{i * i % 11},{i % 7 + i * i % 11}\n")
    scree("fit", "-q", "flat.csv", "-k", "all", "--latent", "3", "-o", "all.scree")
    scree("report", "-q", "all.scree", "flat.csv", "--points", "5", "-o", "all.html")
    with open("nasty.csv", encoding="utf-8") as file, open("gaps.csv", "w", encoding="utf-8") as gaps:
        for number, line in enumerate(file):
            gaps.write("NA" + line[line.index(","):] if number == 3 else line)
    scree("report", "-q", "nasty.scree", "gaps.csv", "-o", "gaps.html")
    with open("gaps.csv", "a", encoding="utf-8") as gaps:
        gaps.write(",,,empty\n")
    scree("fit", "-q", "gaps.csv", "-k", "2", "-o", "em.scree")
    scree("report", "-q", "em.scree", "gaps.csv", "-o", "em.html")
    write_npy("holes.npy", [[chance.gauss(0, 1) if (i, c) != (2, 5) else float("nan") for c in range(80)] for i in range(30)])
    scree("fit", "-q", "holes.npy", "-k", "2", "-o", "holes.scree")
    scree("report", "-q", "holes.scree", "holes.npy", "-o", "holes.html")
    with open("genes.csv", "w", encoding="utf-8") as file:
        file.write(",".join(f"rs{c}" for c in range(70)) + "\n")
        for i in range(50):
            file.write(",".join(str(int(chance.random() < 0.2 + 0.3 * (i % 2)) + int(chance.random() < 0.1 + c / 99)) for c in range(70)) + "\n")
    scree("fit", "-q", "genes.csv", "-k", "3", "-o", "genes.scree")
    scree("report", "-q", "genes.scree", "genes.csv", "-o", "genes.html")
    with open("many.csv", "w", encoding="utf-8") as file:
        file.write("name,kind,x,y,z\n")
        spread = random.Random(8)
        kinds = [2] * 4 + [3] * 4 + [c for c in range(38, 3, -1) for _ in range(4)] + [1] * 5
        for i, kind in enumerate(kinds):
            file.write(f"n{i},{kind}," + ",".join(f"{spread.gauss(kind, 1):.3f}" for _ in range(3)) + "\n")
    scree("fit", "-q", "many.csv", "--label", "kind", "-k", "2", "-o", "many.scree")
    scree("report", "-q", "many.scree", "many.csv", "--label", "kind", "-o", "many.html")
    with open("long.csv", "w", encoding="utf-8") as file:
        file.write(",".join(f"WWWW concentration of substance {c} in the supernatant after two hours" for c in range(6)) + "\n")
        for i in range(40):
            file.write(",".join(f"{chance.gauss(0, 30 if i == 7 else 1):.3f}" for c in range(6)) + "\n")
    scree("fit", "-q", "long.csv", "-k", "2", "-o", "long.scree")
    scree("report", "-q", "long.scree", "long.csv", "-o", "long.html")
    write_npy("wide.npy", [[1e3 + chance.gauss(0, 1 + c % 3) for c in range(9000)] for _ in range(40)])
    scree("fit", "-q", "wide.npy", "-k", "9", "--scale", "unit", "-o", "wide.scree")
    scree("report", "-q", "wide.scree", "wide.npy", "-o", "wide.html")
    with open("units.csv", "w", encoding="utf-8") as file:
        file.write("gram,metre,micron\n")
        for i in range(80):
            common = chance.gauss(0, 3)
            file.write(f"{common + chance.gauss(0, 1):.4f},{2 * common + chance.gauss(0, 1):.4f},{chance.gauss(0, 500):.2f}\n")
    scree("fit", "-q", "units.csv", "-o", "units.scree")
    scree("report", "-q", "units.scree", "units.csv", "-o", "units.html")
    for name in ("none", "one"):
        scree("fit", "-q", "units.csv", "--latent", "0" if name == "none" else "1", "-o", f"{name}.scree")
        scree("report", "-q", f"{name}.scree", "units.csv", "-o", f"latent-{name}.html")
    scree("autoencode", "-q", DIGITS % "images-idx3", "--code", "4", "--hidden", "30", "--epochs", "2", "-o", "net.scree")
    scree("report", "-q", "net.scree", DIGITS % "images-idx3", "--labels", DIGITS % "labels-idx1", "-o", "net.html")
    empty = os.path.getsize("one.html")  # hardly more than the page itself
    scree("report", "-q", "net.scree", DIGITS % "images-idx3", "--max-size", str(empty + 120000), "-o", "closed.html")


def test_loads(browser):
    load(browser, "digits.html")
    assert browser.run("return location.protocol") == "file:"
    assert "1000" in text(browser, "#subtitle").replace("\u202f", "")
    assert browser.run("return document.querySelectorAll('#card-list dt').length") >= 8
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")


def test_points_have_the_colours_of_labels(browser):
    load(browser, "digits.html")
    colours = state(browser, "colours")
    labels = browser.run("const t = scree.data.texts[0]; return Array.from(t.index, (i) => t.words[i])")
    assert len({(colour, label) for colour, label in zip(colours, labels)}) == 2
    assert text(browser, "#legend") == "0 (500)1 (500)", text(browser, "#legend")
    browser.run("const s = document.getElementById('colour'); s.value = 'score:loglik'; s.dispatchEvent(new Event('change'))")
    assert len(set(state(browser, "colours"))) > 50
    browser.run("const s = document.getElementById('colour'); s.value = 'column'; s.dispatchEvent(new Event('change'));"
                "const c = document.getElementById('colour-column'); c.value = 'c400'; c.dispatchEvent(new Event('input'))")
    assert "c400" in text(browser, "#legend")
    quiet(browser)


def test_classes_are_those_of_plots(browser):
    """The 36 commonest, of equals the first seen, in the order of their names."""
    load(browser, "many.html")
    legend = browser.run("return Array.from(document.querySelectorAll('#legend button'), (s) => s.textContent)")
    assert legend == [f"{c} ({5 if c == 1 else 4})" for c in [1, 2, 3] + list(range(6, 39))] + ["other (2 classes) (8)"], legend
    shapes, kinds = state(browser, "shapes"), browser.run("const t = scree.data.texts[0]; return Array.from(t.index, (i) => t.words[i])")
    places = {str(c): c - 1 if c < 4 else c - 3 for c in [1, 2, 3, *range(6, 39)]}
    assert {kind: shape for kind, shape in zip(kinds, shapes)} == {
        str(c): (places[str(c)] + places[str(c)] // 12) % 6 if str(c) in places else 0 for c in range(1, 39)}
    browser.run("const s = document.getElementById('colour'); s.value = 'score:loglik'; s.dispatchEvent(new Event('change'))")
    assert state(browser, "shapes") is None
    quiet(browser)


def test_signs_have_the_colours_of_plots(browser):
    load(browser, "nasty.html")
    browser.run("scree.state.set('z', new Float64Array([2, 0]))")
    for kind, wanted in (("", "rgb(212, 95, 0)"), (".negative", "rgb(11, 94, 168)")):
        where = "#decoded rect" + (kind or ":not(.negative)")
        found = browser.run("const r = document.querySelector(arguments[0]); return r && getComputedStyle(r).fill", where)
        if found is None:
            browser.run("scree.state.set('z', new Float64Array([-2, 0]))")
            found = browser.run("return getComputedStyle(document.querySelector(arguments[0])).fill", where)
        assert found == wanted, (kind, found)
    load(browser, "digits.html")
    pixels = browser.run("const c = document.querySelector('#loading-view canvas'); return Array.from(c.getContext('2d').getImageData(0, 0, 28, 28).data)")
    u = browser.run("return Array.from(scree.data.model.components.subarray(0, 784))")
    most = max(range(784), key=lambda i: abs(u[i]))
    assert u[most] > 0 and pixels[4 * most:4 * most + 3] == [212, 95, 0]
    low = min(range(784), key=lambda i: u[i])
    assert pixels[4 * low] < pixels[4 * low + 2]
    quiet(browser)


def test_hover_and_click(browser):
    load(browser, "digits.html")
    row = lonely(browser)
    x, y = place(browser, row)
    browser.pointer(("move", x + 2, y + 1))
    assert state(browser, "hover") == row
    number = browser.run("return scree.data.number[arguments[0]]", row)
    assert text(browser, "#rowcard dd") == str(number)
    assert browser.run("return document.querySelectorAll('#rowcard canvas').length") >= 1
    browser.pointer(("down",), ("up",))
    assert state(browser, "focus") == row
    assert browser.run("return document.querySelectorAll('#overlay path.ellipse').length") == 1
    assert str(number) in text(browser, "#status")
    quiet(browser)


def test_lasso(browser):
    load(browser, "digits.html")
    row = lonely(browser)
    x, y = place(browser, row)
    browser.click("#lasso")
    browser.pointer(("move", x - 5, y - 5), ("down",), ("move", x + 5, y - 5), ("move", x + 5, y + 5), ("move", x - 5, y + 5), ("up",))
    assert selected(browser) == [row], selected(browser)
    assert "1 of 1000 rows is marked" in text(browser, "#marked-note")
    box = browser.run("const b = document.getElementById('overlay').getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]")
    left, top, right, bottom = box
    browser.pointer(("move", left + 1, top + 1), ("down",), ("move", right - 1, top + 1), ("move", right - 1, bottom - 1),
                    ("move", left + 1, bottom - 1), ("up",))
    assert len(selected(browser)) == 1000
    quiet(browser)


def test_axes(browser):
    load(browser, "digits.html")
    before = place(browser, 5)
    browser.run("const s = document.getElementById('axis-y'); s.value = 2; s.dispatchEvent(new Event('change'))")
    browser.frames()
    after = place(browser, 5)
    assert before[1] != after[1]
    codes = browser.run("return scree.data.codes.slice(0, 3).map((c) => c[5])")
    shown = browser.run("const at = scree.map.placeOf(5); return [scree.map.screen('x', at[0]), scree.map.screen('y', at[1])]")
    assert all(abs(a - b) < 1e-3 * (1 + abs(b)) for a, b in zip(shown, (codes[0], codes[2]))), (shown, codes)
    assert "component 3 (" in text(browser, "#overlay") and "% of the variance)" in text(browser, "#overlay")


def test_zoom_pan_and_keys(browser):
    load(browser, "digits.html")
    x, y = place(browser, 5)
    browser.wheel(x + 30, y, -300)
    zoomed = place(browser, 5)
    assert zoomed[0] < x - 5, (x, zoomed)
    browser.pointer(("move", x + 30, y), ("down",), ("move", x + 60, y + 20), ("move", x + 90, y + 40), ("up",))
    panned = place(browser, 5)
    assert abs(panned[0] - zoomed[0] - 60) < 1 and abs(panned[1] - zoomed[1] - 40) < 1, (zoomed, panned)
    browser.run("document.getElementById('overlay').focus()")
    browser.key("0")
    assert place(browser, 5) == [x, y]
    number = "return scree.data.number[scree.state.get('focus')]"
    browser.key("nn")
    assert browser.run(number) == 2
    browser.key("pp")
    assert browser.run(number) == 1000
    browser.key("n")
    assert browser.run(number) == 1 and "row 1," in text(browser, "#status")
    quiet(browser)


def test_sliders_and_ring(browser):
    load(browser, "digits.html")
    pixels = "const c = document.querySelector('#decoded canvas'); return Array.from(c.getContext('2d').getImageData(0, 0, 28, 28).data)"
    mean = browser.run(pixels)
    browser.run("const s = document.querySelector('#sliders input'); s.value = 2; s.dispatchEvent(new Event('input'))")
    assert state(browser, "z")[0] == 2
    assert browser.run(pixels) != mean
    assert browser.run("return document.querySelectorAll('#sliders input').length") == 10
    browser.click("#more-sliders")
    assert browser.run("return document.querySelectorAll('#sliders input').length") == 20
    browser.click("#zero")
    assert browser.run(pixels) == mean
    browser.run("document.getElementById('map').scrollIntoView()")
    x, y = browser.run("const b = document.querySelector('.handle circle').getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]")
    browser.pointer(("move", x, y), ("down",), ("move", x + 40, y - 30), ("up",))
    z = state(browser, "z")
    assert z[0] > 0.1 and z[1] > 0.1 and not any(z[2:]), z
    assert browser.run(pixels) != mean
    assert state(browser, "focus") == -1
    quiet(browser)


def test_draws(browser):
    load(browser, "digits.html")
    assert browser.run("return document.getElementById('draw').disabled")
    browser.run("document.getElementById('goto-row').value = 17; document.querySelector('#goto button').click()")
    assert browser.run("return scree.data.number[scree.state.get('focus')]") == 17
    browser.click("#draw")
    draws = browser.run("return scree.state.get('draws').map((d) => [Array.from(d.z), Array.from(d.x)])")
    assert len(draws) == 6 and draws[0] != draws[1]
    assert browser.run("return document.querySelectorAll('#draws canvas').length") == 6
    assert browser.run("return document.querySelectorAll('#overlay .drawn').length") == 6
    assert "6 draws" in text(browser, "#status")
    browser.click("#draw")
    assert browser.run("return Array.from(scree.state.get('draws')[0].z)") != draws[0][0]
    quiet(browser)


def check_decoding(browser, name, components, scaled):
    """Known codes decoded by the page, and by the library: the same to 1e-6 of the range of what they give."""
    info = json.loads(scree("info", "--json", f"{name}.scree"))
    kept = info["eigenvalues"][:components]
    noise = (info["total_variance"] - sum(kept)) / (info["d"] - components)
    chance = random.Random(components)
    codes = [[chance.gauss(0, 2) for _ in kept] for _ in range(3)]
    lengths = [max(value - noise, 0) ** 0.5 for value in kept]
    write_npy("codes.npy", [[z * length for z, length in zip(code, lengths)] for code in codes])
    scree("reconstruct", "-q", "-k", str(components), f"{name}.scree", "codes.npy", "--type", "f8", "-o", "rows.npy")
    wanted = read_npy("rows.npy")
    load(browser, f"{name}.html")
    assert browser.run("return scree.data.model.scale !== null") == scaled
    browser.run("const s = document.getElementById('m'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))", components)
    found = browser.run("return arguments[0].flatMap((z) => Array.from(scree.decode(z)))", codes)
    most = max(abs(a - b) for a, b in zip(wanted, found))
    assert len(found) == len(wanted)
    assert most <= 1e-6 * (max(wanted) - min(wanted)), most


def test_decodes_as_the_library(browser):
    check_decoding(browser, "digits", 20, False)
    check_decoding(browser, "digits", 7, False)
    check_decoding(browser, "wide", 9, True)


def test_codes_are_those_of_the_library(browser):
    scree("project", "-q", "digits.scree", DIGITS % "images-idx3", "-o", "codes.npy")
    wanted = read_npy("codes.npy")
    load(browser, "digits.html")
    found = browser.run("return [Array.from(scree.data.number), scree.data.codes.map((c) => Array.from(c))]")
    for j, code in enumerate(found[1]):
        span = max(code) - min(code)
        assert all(abs(wanted[(n - 1) * 20 + j] - t) <= 1e-5 * span for n, t in zip(found[0], code))


def test_labels_are_shown_and_never_run(browser):
    load(browser, "nasty.html")
    legend = browser.run("return Array.from(document.querySelectorAll('#legend button'), (s) => s.textContent)")
    assert sorted(legend) == sorted(f"{name} (12)" for name in NASTY), legend
    assert text(browser, "h1") == NASTY[1]
    for row in range(10):
        browser.run("scree.state.set('focus', arguments[0])", row)
    browser.click("#draw")
    assert "<script>window.hacked = 4</script>" in browser.run("return scree.data.model.columns")[1]
    assert browser.run("return [window.hacked === undefined, document.scripts.length, document.images.length]") == [True, 4, 0]
    quiet(browser)


def test_gaps(browser):
    load(browser, "gaps.html")
    ellipses = "return [document.querySelectorAll('#overlay path.ellipse').length, document.getElementById('draw').disabled]"
    select(browser, 2)
    assert browser.run(ellipses) == [1, False]
    select(browser, 3)
    assert browser.run(ellipses) == [1, False]
    browser.click("#draw")
    assert browser.run("return document.querySelectorAll('#draws svg').length") == 6
    assert "given the 2 of 3 cells" in text(browser, "#draw-hint")
    assert "1 of 3 cells" in text(browser, "#rowcard") and "missing" in text(browser, "#rowcard svg")
    load(browser, "holes.html")
    select(browser, 3)
    assert browser.run(ellipses) == [0, True]
    assert "1 cell of row 3 is missing" in text(browser, "#draw-hint") and "scree explore" in text(browser, "#draw-hint")
    quiet(browser)


def test_cells_are_quoted_as_they_were(browser):
    load(browser, "genes.html")
    select(browser, 1)
    with open("genes.csv", encoding="utf-8") as file:
        names, first = [line.rstrip().split(",") for line in file][:2]
    browser.run("document.querySelector('#rowcard details').open = true")
    browser.wait_for("return document.querySelectorAll('#rowcard details tbody tr').length")
    cells = browser.run("return Array.from(document.querySelectorAll('#rowcard details tbody tr'), (r) => [r.cells[0].textContent, r.cells[1].textContent])")
    assert cells == [[n, v] for n, v in zip(names, first)], cells
    shown = browser.run("return Array.from(document.querySelectorAll('#rowcard svg text.strong'), (t) => t.textContent)")
    assert len(shown) == 16 and set(shown) <= {"0", "1", "2"}, shown
    assert "16 of 70 columns" in text(browser, "#rowcard .hint")
    names = "return Array.from(document.querySelectorAll(arguments[0]), (s) => Array.from(s.querySelectorAll('title'), (t) => t.textContent).join())"
    browser.click("#draw")
    assert len(browser.run(names, "#draws svg")) == 6
    assert len(set(browser.run(names, "#draws svg") + browser.run(names, "#rowcard svg") + browser.run(names, "#decoded svg"))) == 1
    quiet(browser)


def test_rounding_is_not_drawn(browser):
    load(browser, "nasty.html")
    browser.run("scree.state.set('z', new Float64Array([-1e-9, 1e-9]))")
    assert browser.run("return Array.from(document.querySelectorAll('#sliders output'), (o) => o.textContent)") == ["0.00"] * 2
    widths = "return Math.max(...Array.from(document.querySelectorAll('#decoded rect'), (r) => Number(r.getAttribute('width'))))"
    assert browser.run(widths) < 1
    browser.run("scree.state.set('z', new Float64Array([2, 0]))")
    assert browser.run(widths) > 20
    quiet(browser)


def check_posterior(browser, page, model, data, number):
    """The posterior of a row by the page and by the library: where z lies, and how far the ellipse reaches."""
    lines = scree("posterior", "-q", "--interval", "0.95", model, data).splitlines()
    numbers = [float(cell) for cell in lines[number].rsplit(",", 6)[1:]]
    info = json.loads(scree("info", "--json", model))
    length = [(value - info["noise_variance"]) ** 0.5 for value in info["eigenvalues"]]
    mean, wide = numbers[::3], 5.991464547107979 ** 0.5 / 1.959963984540054  # of the plane, for one of an axis
    load(browser, page)
    select(browser, number)
    found = state(browser, "z")
    assert max(abs(a - b) for a, b in zip(found, mean)) < 1e-4, (found, mean)
    box = browser.run("const b = document.querySelector('path.ellipse').getBBox(), s = scree.map.screen;"
                      "return [b.x, b.x + b.width, b.y + b.height, b.y].map((v, i) => s(i < 2 ? 'x' : 'y', v))")
    for j in range(2):
        middle, reach = length[j] * mean[j], length[j] * wide * (numbers[3 * j + 2] - mean[j])
        assert abs(box[2 * j] - middle + reach) < 0.01 * reach and abs(box[2 * j + 1] - middle - reach) < 0.01 * reach, box


def test_posteriors_are_those_of_the_library(browser):
    check_posterior(browser, "nasty.html", "nasty.scree", "nasty.csv", 5)
    check_posterior(browser, "gaps.html", "nasty.scree", "gaps.csv", 3)
    quiet(browser)


def test_the_page_begins_with_the_probability_model(browser):
    load(browser, "units.html")
    info = json.loads(scree("info", "--json", "units.scree"))
    card = text(browser, "#card-list")
    assert info["latent"] == 2 and len(info["eigenvalues"]) == 3, info
    assert "M = 2 of 3 components, noise variance σ²" in card, card
    assert "micron has 99" in card and "--scale unit" in card, card
    assert text(browser, "#m-says").startswith("M = 2:")
    assert "2 components, noise variance σ² = " in text(browser, "#decoded-note") and "plain" not in text(browser, "#decoded-note")
    noise = browser.run("return scree.state.get('latent').noise")
    assert abs(noise / info["eigenvalues"][2] - 1) < 1e-9, noise
    select(browser, 5)
    for name, says in (("none", "M = 0:"), ("one", "M = 1:")):
        load(browser, f"latent-{name}.html")
        assert text(browser, "#m-says").startswith(says)
        select(browser, 5)
        quiet(browser)
    load(browser, "nasty.html")
    card = text(browser, "#card-list")
    assert "probability model" not in card and "--scale unit" not in card, card
    quiet(browser)


def test_estimates_are_not_called_proofs(browser):
    load(browser, "em.html")
    card, rows = text(browser, "#card-list"), text(browser, "#spectrum-table")
    assert "estimates of what iteration left, not proofs" in card and "not proofs" in rows
    assert "proven" not in card and "≤" not in rows, card
    assert "97.81 % of the cells; 1 row has nothing observed" in card, card
    assert browser.run("return Math.abs(scree.state.get('latent').noise / arguments[0] - 1) < 1e-9",
                       json.loads(scree("info", "--json", "em.scree"))["noise_variance"])
    load(browser, "nasty.html")
    card, rows = text(browser, "#card-list"), text(browser, "#spectrum-table")
    assert "proven to within" in card and "observed" not in card and "≤" in rows
    quiet(browser)


def test_rows_that_may_be_the_fitted_ones(browser):
    load(browser, "nasty.html")
    assert "--training" in text(browser, "#card-list") and "--training" in text(browser, "#outliers-note")
    load(browser, "digits.html")
    assert "--training" not in text(browser, "#card-list") + text(browser, "#outliers-note")
    quiet(browser)


def test_one_component(browser):
    load(browser, "one.html")
    browser.run("scree.state.set('focus', 0)")
    browser.click("#draw")
    assert browser.run("return document.querySelectorAll('#draws svg').length") == 6
    assert "log-likelihood" in text(browser, "#overlay") and "along one component" in text(browser, "#embedding-title")
    assert browser.run("return document.getElementById('axis-x').offsetParent") is None
    assert browser.run("return document.querySelectorAll('#overlay path.ellipse').length") == 1
    quiet(browser)


def test_no_density(browser):
    load(browser, "all.html")
    browser.run("scree.state.set('focus', 0)")
    assert browser.run("return scree.data.count") == 5
    assert "no noise" in text(browser, "#outliers-note")
    assert "all draws are the same" in text(browser, "#draw-hint")
    quiet(browser)


def test_network_is_forbidden(browser):
    load(browser, "nasty.html")
    blocked = browser.wait("""
        const done = arguments[arguments.length - 1], found = [];
        document.addEventListener("securitypolicyviolation", (event) => {
            found.push(event.effectiveDirective);
            if (found.length === 4) done(found.sort());
        });
        fetch("http://127.0.0.1:9/").catch(() => {});
        new Image().src = "http://127.0.0.1:9/x.png";
        const script = document.createElement("script");
        script.textContent = "window.hacked = 5";
        document.head.append(script);
        const frame = document.createElement("iframe");
        frame.src = "http://127.0.0.1:9/";
        document.body.append(frame);""")
    assert blocked == ["connect-src", "frame-src", "img-src", "script-src-elem"], blocked
    assert browser.run("return window.hacked === undefined")
    browser.log()


def test_rows_that_are_not_there(browser):
    load(browser, "all.html")
    number = browser.run("return d3.range(1, 61).find((n) => !scree.data.number.includes(n))")
    select(browser, number)
    assert "a sample" in text(browser, "#goto-note") and state(browser, "focus") == -1
    select(browser, browser.run("return scree.data.number[2]"))
    assert text(browser, "#goto-note") == "" and state(browser, "focus") == 2
    quiet(browser)


def test_units_are_equal(browser):
    for page in ("digits.html", "nasty.html"):
        load(browser, page)
        across, up = browser.run("const s = scree.map.screen; return [s('x', 300) - s('x', 100), s('y', 100) - s('y', 300)]")
        assert abs(across / up - 1) < 1e-9, (page, across, up)
    quiet(browser)


def test_print_shows_what_the_screen_shows(browser):
    """Points and axes are shrunk by the same ratio: they lie over each other on paper as they did on the screen."""
    load(browser, "digits.html")
    boxes = """const of = (id) => { const r = document.getElementById(id).getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; };
               const c = document.getElementById('points'); return [of('points'), of('overlay'), c.width / c.height]"""
    screen = browser.run(boxes)
    cdp = browser.session + "/goog/cdp/execute"
    try:
        browser.call("POST", cdp, {"cmd": "Emulation.setEmulatedMedia", "params": {"media": "print"}})
        browser.call("POST", cdp, {"cmd": "Emulation.setDeviceMetricsOverride", "params": {
            "width": 700, "height": 1000, "deviceScaleFactor": 1, "mobile": False}})
        browser.frames(3)
        canvas, axes, ratio = browser.run(boxes)
        assert max(abs(a - b) for a, b in zip(canvas, axes)) < 0.5, (canvas, axes)
        assert canvas[2] < screen[0][2] and abs(canvas[2] / canvas[3] / ratio - 1) < 0.01, (canvas, ratio)
        assert abs(ratio - screen[2]) < 1e-9
    finally:
        browser.call("POST", cdp, {"cmd": "Emulation.clearDeviceMetricsOverride", "params": {}})
        browser.call("POST", cdp, {"cmd": "Emulation.setEmulatedMedia", "params": {"media": ""}})
    quiet(browser)


def test_search_by_text(browser):
    load(browser, "nasty.html")
    wanted = browser.run("const t = scree.data.texts[0]; return d3.range(scree.data.count).filter((i) => t.words[t.index[i]]"
                         ".includes('ünïcode')).map((i) => scree.data.number[i]).sort((a, b) => a - b)")
    found = []
    for _ in range(3):
        browser.run("document.getElementById('goto-row').value = 'ÜNÏCODE'; document.querySelector('#goto button').click()")
        found.append(browser.run("return scree.data.number[scree.state.get('focus')]"))
    assert len(wanted) == 12 and found == wanted[:3], (wanted, found)
    assert text(browser, "#goto-note") == "3 of 12"
    browser.frames()
    assert f"row {found[2]}" in text(browser, "#overlay")
    browser.run("document.getElementById('goto-row').value = 'nobody'; document.querySelector('#goto button').click()")
    assert "Nothing is called nobody" in text(browser, "#goto-note")
    quiet(browser)


def test_rows_beside_the_marked_ones_fade(browser):
    load(browser, "digits.html")
    faded = """const c = document.getElementById('points'), copy = new OffscreenCanvas(c.width, c.height).getContext('2d', { willReadFrequently: true });
               copy.drawImage(c, 0, 0);
               const p = new Uint32Array(copy.getImageData(0, 0, c.width, c.height).data.buffer);
               let n = 0; for (const v of p) n += v === 0xffe8e3df; return n"""
    assert browser.run(faded) == 0
    browser.run("scree.select(d3.range(100, 400))")
    browser.frames(3)
    assert browser.run(faded) > 50
    browser.click("#unmark")
    browser.frames(3)
    assert browser.run(faded) == 0
    quiet(browser)


def test_the_slider_moves_scores(browser):
    """T², Q and log p(x) with M components are those that the library finds with so many."""
    load(browser, "digits.html")
    select(browser, 17)
    said = scree("score", "-q", "-k", "5", "digits.scree", DIGITS % "images-idx3", "--training").splitlines()
    head, line = said[0].split(","), said[17].split(",")
    wanted = {name: float(line[head.index(name)]) for name in ("loglik", "t2", "q")}
    browser.run("const m = document.getElementById('m'); m.value = 5; m.dispatchEvent(new Event('input'))")
    shown = dict(browser.run("return Array.from(document.querySelectorAll('#rowcard dt'), (e) => [e.textContent, e.nextElementSibling.textContent])"))
    for name, key in (("log-likelihood", "loglik"), ("T²", "t2"), ("Q", "q")):
        value = float(shown[name].replace("−", "-"))
        assert abs(value - wanted[key]) < 2e-3 * abs(wanted[key]), (name, value, wanted[key])
    p = browser.wait_for("const s = scree.state.get('scores'); return s.m === 5 && s.p[scree.state.get('focus')]")
    assert abs(p - float(line[head.index("p_value")])) < 2e-3 * p
    quiet(browser)


def test_narrow(browser):
    """Nothing is wider than a small window, and names that are cut still differ."""
    resize = {"cmd": "Emulation.setDeviceMetricsOverride", "params": {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False}}
    browser.call("POST", browser.session + "/goog/cdp/execute", resize)
    load(browser, "long.html")
    assert browser.run("return innerWidth") == 400
    wide = browser.run("return Array.from(document.querySelectorAll('main *')).filter((e) => e.offsetParent && !e.closest('#spectrum-table, #row-tall') && e.getBoundingClientRect().right > 401).map((e) => e.outerHTML.slice(0, 99))")
    assert wide == [] and browser.run("return document.documentElement.scrollWidth <= innerWidth"), wide
    names = browser.run("return Array.from(document.querySelectorAll('#loading-view text:not(.strong)'), (t) => [t.firstChild.data, t.getBBox().x])")
    assert len({name for name, _ in names}) == len(names) == 6 and min(x for _, x in names) >= 0, names
    assert all("…" in name for name, _ in names)
    assert browser.run("return document.querySelector('#outliers-table td').getAttribute('data-name')") == "row"
    browser.call("POST", browser.session + "/goog/cdp/execute", {"cmd": "Emulation.clearDeviceMetricsOverride", "params": {}})
    quiet(browser)


def test_dark(browser):
    ground = "return getComputedStyle(document.body).backgroundColor"
    load(browser, "nasty.html")
    light = browser.run(ground)
    emulate = {"cmd": "Emulation.setEmulatedMedia", "params": {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}}
    browser.call("POST", browser.session + "/goog/cdp/execute", emulate)
    browser.frames()
    assert browser.run(ground) != light
    emulate["params"]["features"][0]["value"] = "light"
    browser.call("POST", browser.session + "/goog/cdp/execute", emulate)
    quiet(browser)


def test_networks_decode_as_the_library(browser):
    load(browser, "net.html")
    z = [0.5, -1.25, 2.0, 0.125]
    write_npy("code.npy", [z])
    scree("reconstruct", "-q", "net.scree", "code.npy", "-o", "back.npy")
    page, wanted = browser.run("return Array.from(scree.decode(arguments[0]))", z), read_npy("back.npy")
    assert len(page) == 784 and max(abs(a - b) for a, b in zip(page, wanted)) < 255e-5
    hidden = "return ['loadings', 'spectrum', 'draws-part'].map((id) => document.getElementById(id).hidden)"
    assert browser.run(hidden) == [True] * 3
    assert "auto-encoder" in text(browser, "#outliers-note") and "beside PCA" in text(browser, "#card-list")
    row = lonely(browser)
    browser.run("scree.state.set('focus', arguments[0])", row)
    browser.frames()
    codes = browser.run("return scree.data.codes.map((c) => c[arguments[0]])", row)
    assert max(abs(a - b) for a, b in zip(state(browser, "z"), codes)) < 1e-6
    assert browser.run("return document.querySelectorAll('#rowcard canvas').length") == 2
    assert "code 1" in text(browser, "#overlay")
    quiet(browser)


def test_decoders_that_do_not_fit_are_left_out(browser):
    load(browser, "closed.html")
    assert browser.run("return scree.data.model.decoder.layers") is None
    assert "--max-size" in text(browser, "#decoded-note")
    browser.run("scree.state.set('focus', 0)")
    browser.frames()
    quiet(browser)


def test_controls_have_names(browser):
    load(browser, "digits.html")
    nameless = browser.run("""
        return Array.from(document.querySelectorAll("button, input, select, svg, canvas"), (e) => e).filter((e) =>
            !e.closest("[aria-hidden=true], [hidden]") && e.getAttribute("aria-hidden") !== "true" &&
            !e.getAttribute("aria-label") && !(e.labels && e.labels.length) && !e.textContent.trim()).map((e) => e.outerHTML)""")
    assert nameless == [], nameless


if __name__ == "__main__":
    run_tests(dict(globals()), make_pages)
