# SPDX-License-Identifier: BSD-3-Clause
"""That tools/same_answers accepts what a rework may change, and nothing else.

Wants $SCREE (the binary) and $SRC (the repository). Output of scree is doctored and compared with the original; then
the whole tool runs on a few commands, with the same build twice and with one that changes a seed.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest

import answers
import commands

SCREE = os.environ["SCREE"]
SRC = os.environ["SRC"]
HOW = answers.How(False, False, ("0.1.0", "0.2.0"), None)
WORDS = HOW._replace(words=True)
EXACT = HOW._replace(exact=True)
ENVIRONMENT = {**os.environ, "SCREE_CACHE": "off"}


def scree(*arguments):
    return subprocess.run([SCREE, *arguments], capture_output=True, check=True, env=ENVIRONMENT).stdout


needs_pictures = unittest.skipUnless(b"with pictures" in scree("version"), "this scree was built without pictures")


def content(name):
    with open(name, "rb") as file:
        return file.read()


def flipped(data, at):
    at %= len(data)
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


class Comparison(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, SRC)
        os.chdir(folder.name)
        rows = content(os.path.join(SRC, "examples", "iris.csv"))
        for name, data in (("iris.csv", rows), ("renamed.csv", rows), ("moved.csv", rows.replace(b"6.5,", b"7.9,", 1))):
            with open(name, "wb") as file:
                file.write(data)
        scree("fit", "-q", "iris.csv", "-k", "2", "-o", "iris.scree")

    def same(self, name, old, new, how=HOW):
        found = answers.file_result(name, old, new, how)
        self.assertIsNone(found.difference)
        return found

    def differs(self, name, old, new, how=HOW):
        found = answers.file_result(name, old, new, how).difference
        self.assertTrue(found)
        return found

    def test_models(self):
        model = content("iris.scree")
        version = re.search(rb'"scree_version":"([^"]*)"', model)[1]
        other = model.replace(b'"scree_version":"' + version, b'"scree_version":"' + b"9" * len(version))
        self.assertNotEqual(model, other)
        self.assertEqual(self.same("m.scree", model, other).way, answers.MODEL)
        self.assertRegex(self.differs("m.scree", model, flipped(other, -1)), r"tensor \w+: byte \d+")
        self.assertIn("solver", self.differs("m.scree", model, other.replace(b"covariance", b"Covariance")))
        self.assertIn("byte", self.differs("m.scree", model, model[:-8]))

    def test_graphs(self):
        scree("convert", "iris.scree", "-o", "iris.onnx")
        graph = content("iris.onnx")
        self.same("m.onnx", graph, graph.replace(b"Principal", b"principal"))
        self.differs("m.onnx", graph, flipped(graph, graph.index(b"componentsJ") + 20))

    def test_archives(self):
        stored = {"a": b"1,2\n3,4\n", "b": b"1,2\n3,5\n"}
        start = answers.ARCHIVE
        how = HOW._replace(rows=lambda side, name: stored[name[side]])
        self.assertIn("bytes differ", self.same("aa", start + b"x", start + b"y", how).note)
        self.assertIn("line 2", self.differs("ab", start + b"x", start + b"y", how))

    @needs_pictures
    def test_pages(self):
        try:
            scree("report", "-q", "iris.scree", "iris.csv", "--title", "one title", "-o", "one.html")
        except subprocess.CalledProcessError as error:
            if b"needs D3" in error.stderr:
                self.skipTest("scree was built without D3")
            raise
        page = content("one.html")
        other = page.replace(b"one title", b"another title").replace(b"</style>", b"p{}</style>")
        self.same("r.html", page, other)
        self.differs("r.html", page, other, EXACT)
        at = page.index(b'"loglik":"') + 20
        self.assertIn(".rows.loglik", self.differs("r.html", page, page[:at] + b"/" + page[at + 1:]))
        self.differs("r.html", page, page.replace(b'type="application/json"', b""))

    @needs_pictures
    def test_pictures(self):
        for ending in ("svg", "png", "pdf"):
            for name in ("iris", "renamed", "moved"):
                scree("plot", "-q", "iris.scree", name + ".csv", "--width", "400", "-o", f"{name}.{ending}")
            drawn, renamed, moved = (content(f"{name}.{ending}") for name in ("iris", "renamed", "moved"))
            self.assertEqual(self.same("p." + ending, drawn, renamed).way, answers.MARKS)
            self.differs("p." + ending, drawn, renamed, EXACT)
            if ending != "pdf":  # there, one point is no more than a legend
                self.differs("p." + ending, drawn, moved)
            scree("plot", "-q", "iris.scree", "iris.csv", "--show", "2,1", "--width", "400", "-o", "p." + ending)
            self.differs("p." + ending, drawn, content("p." + ending))

    @needs_pictures
    def test_marks_are_not_lost(self):
        scree("plot", "-q", "iris.scree", "iris.csv", "-o", "iris.svg")
        drawn = content("iris.svg").decode()
        point = re.findall(r"<g fill=[^>]*>\n<(?:path|circle) [^>]*/>", drawn)[1]
        mark, colour = point[point.index("\n") + 1:], point.replace('fill="#', 'fill="#1', 1)[:len(point)]
        for other in (point.replace(mark, ""), point + mark, colour.replace("fill-opacity", "x", 1)):
            self.differs("p.svg", drawn.encode(), drawn.replace(point, other).encode())

    @needs_pictures
    def test_drawings_in_letters(self):
        old, renamed, moved = (scree("plot", "-q", "iris.scree", name, "--width", "70", "--terminal", "unicode")
                               for name in ("iris.csv", "renamed.csv", "moved.csv"))
        look = ("plot", "iris.scree")
        self.assertIsNone(answers.stdout_result(look, old, renamed, HOW).difference)
        self.assertTrue(answers.stdout_result(look, old, renamed, EXACT).difference)
        self.assertTrue(answers.stdout_result(look, old, moved, HOW).difference)

    def test_json(self):
        old = b'{"n": 5, "seconds": 1.5, "reason": "2 of 4 are few", "least": [0.10, 2]}'
        look = ("info", "--json")

        def found(new, how=HOW):
            return answers.stdout_result(look, old, new, how)

        other = found(b'{"n": 5, "seconds": 9, "reason": "too few: 2 of 4", "bound": [0.10, 2], "new": 1}')
        self.assertIsNone(other.difference)
        self.assertEqual(other.note, ".least is now called bound; .new is new")
        self.assertTrue(found(old.replace(b"are few", b"are too few"), WORDS).difference)
        for before, after in ((b"0.10", b"0.1"), (b"2]", b"3]"), (b"4 are", b"5 are"), (b'"n": 5,', b""), (b"}", b"")):
            self.assertTrue(found(old.replace(before, after)).difference, after)

    def test_tables_and_messages(self):
        old = "scree 0.1.0\nM  *0.5  3e-05  –\n12 rows, 30 ms, 2.5 times the time\n".encode()
        new = "scree 0.2.0\nM *0.5 3e-05 –\n12 lines read in 4 s\n".encode()

        def found(other, how=HOW, ordered=True):
            return answers.text_result(old, other, how, ordered).difference

        self.assertIsNone(found(new))
        self.assertTrue(found(new, WORDS))
        dash = "–".encode()
        for before, after in ((b"*0.5", b"0.5"), (b"e-05", b"e-06"), (b"12", b"13"), (b"12", b""), (dash, b"1")):
            self.assertTrue(found(new.replace(before, after)), after)
        turned = b"\n".join(reversed(new.splitlines()))
        self.assertTrue(found(turned))
        self.assertIsNone(found(turned, ordered=False))

    def test_data(self):
        self.assertIn("line 2", self.differs("x.csv", b"a\n1.5\n", b"a\n1.6\n"))
        self.assertIn("byte 4 of 6", self.differs("x.npy", b"\x93\0abcd", b"\x93\0abdd"))
        self.assertTrue(answers.stdout_result(("project", "m"), b"a\n1\n", b"b\n1\n", HOW).difference)


class Tool(unittest.TestCase):
    def run_tool(self, new, *options):
        tool = os.path.join(SRC, "tools", "same_answers")
        done = subprocess.run([sys.executable, tool, SCREE, new, "--only", "^sample iris", *options],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def test_same_build(self):
        code, said = self.run_tool(SCREE, "--words", "--pictures", "exact")
        self.assertEqual((code, said.splitlines()[-1]), (0, "3 commands: 3 the same, 0 differ"))

    def test_another_seed(self):
        with tempfile.TemporaryDirectory() as folder:
            other = os.path.join(folder, "scree")
            with open(other, "w", encoding="utf-8") as file:
                file.write("#!/bin/bash\nexec '%s' \"${@/#7/8}\"\n" % SCREE)
            os.chmod(other, 0o755)
            code, said = self.run_tool(other)
        lines = said.splitlines()
        self.assertEqual((code, lines[-1]), (1, "3 commands: 2 the same, 1 differ"))
        self.assertIn("sample iris.scree -n 50 --seed 7 --threads 2 -o drawn.csv: drawn.csv: line 2:", lines[0])

    def test_no_file_is_written_twice(self):
        written = [word for line in commands.all_commands() if "=>" not in line
                   for word in re.findall(r"(?:-o|--sd) (\S+)", line) if word != "-"]
        self.assertEqual(len(written), len(set(written)))


if __name__ == "__main__":
    unittest.main()
