#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Rows that come one by one are answered one by one, by each of the six commands, from pipes of CSV, NPY and raw numbers:
the next row is written only when the answer to the last has been read, so that a command that keeps answers back waits
for ever, and fails by the limit of time. Answers are those from a file, byte for byte. SIGTERM and SIGINT end after the
rows that were read, with all answers, nothing torn; a bad row does not take those before it along.

    SCREE=build/release/scree tests/kills/test_live.py

With SCREE_PROVE=full a row comes every 100 milliseconds, and how long answers took is printed and checked.
"""

import fcntl
import os
import random
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

FULL = os.environ.get("SCREE_PROVE") == "full"
ROWS, COLS, DRAWS = 12, 6, 3
WAIT = 30.0  # seconds after which an answer counts as kept back
LATE = 0.1  # seconds that an answer may take
COMMANDS = {  # command, options, lines of answer for each row
    "score": ((), 1),
    "project": ((), 1),
    "posterior": (("--interval", "0.9"), 1),
    "impute": ((), 1),
    "reconstruct": (("--data",), 1),
    "explore": (("-n", str(DRAWS)), DRAWS),
}


def make_rows(count):
    dice = random.Random(7)
    rows = []
    for _ in range(count):
        factors = [dice.gauss(0, 3) for _ in range(2)]
        rows.append([factors[j % 2] * (j + 1) + dice.gauss(0, 1) for j in range(COLS)])
    return rows


def csv_pieces(rows, header=True):
    head = (",".join(f"c{j + 1}" for j in range(COLS)) + "\n").encode() if header else b""
    return head, [(",".join(repr(x) for x in row) + "\n").encode() for row in rows]


def npy_pieces(rows, announced=None):
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({announced or len(rows)}, {COLS}), }}"
    text += " " * (-(10 + len(text) + 1) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode(), raw_pieces(rows)[1]


def raw_pieces(rows):
    return b"", [struct.pack(f"<{COLS}d", *row) for row in rows]


class Live:
    """A command between two pipes."""

    def __init__(self, scree, model, name, options=(), data="-"):
        own = COMMANDS[name][0]
        words = [scree, name, model] + ([*own, data, *options] if own == ("--data",) else [data, *own, *options])
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        self.read = b""

    def write(self, data):
        self.process.stdin.write(data)

    def await_taken(self):
        """Until the command has read all that was written."""
        began = time.monotonic()
        while fcntl.ioctl(self.process.stdin.fileno(), termios.FIONREAD, b"\0" * 4) != b"\0" * 4:
            check(time.monotonic() < began + WAIT, "the command does not read")
            os.sched_yield()

    def await_lines(self, count):
        """Reads until there are so many lines; how long that took."""
        began = time.monotonic()
        while self.read.count(b"\n") < count:
            left = began + WAIT - time.monotonic()
            ready = select.select([self.process.stdout], [], [], max(left, 0))[0]
            piece = os.read(self.process.stdout.fileno(), 1 << 16) if ready else b""
            if not piece:
                self.process.kill()
                raise AssertionError(f"line {count} of the answers was kept back; there is: {self.read[-200:]!r}, "
                                     f"{self.process.stderr.read()!r}")
            self.read += piece
        return time.monotonic() - began

    def end(self):
        """Closes the input; the code and what was printed."""
        try:
            out, err = self.process.communicate(timeout=WAIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        self.read += out
        return self.process.returncode, err.decode()


def expected(scree, model, name, path, options=()):
    own = COMMANDS[name][0]
    return subprocess.run([scree, name, model, *(own + (path,) if own == ("--data",) else (path,) + own), *options],
                          check=True, capture_output=True).stdout


def read_file(path):
    """Nothing, where there is none yet."""
    if not os.path.exists(path):
        return b""
    with open(path, "rb") as file:
        return file.read()


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def one_by_one(scree, model, name, pieces, wanted, options=()):
    """Every row is answered before the next is written."""
    lines = COMMANDS[name][1]
    times = []
    live = Live(scree, model, name, options)
    head, rows = pieces
    live.write(head)
    for i, row in enumerate(rows):
        began = time.monotonic()
        live.write(row)
        times.append(live.await_lines(1 + lines * (i + 1)))
        if FULL:
            time.sleep(max(0.0, 0.1 - (time.monotonic() - began)))
    code, error = live.end()
    check(code == 0, f"{name}: exit {code}: {error}")
    check(live.read == wanted, f"{name}: the answers are not those from a file")
    return times


def torn_row(scree, model, pieces, wanted):
    """A row in three parts: it is answered when it is whole, and the one before it at once."""
    live = Live(scree, model, "score")
    head, rows = pieces
    live.write(head)
    for i, row in enumerate(rows):
        third = len(row) // 3
        live.write(row[:third])
        live.await_taken()
        live.write(row[third:2 * third])
        live.await_taken()
        live.write(row[2 * third:])
        live.await_lines(2 + i)
    code, error = live.end()
    check(code == 0 and live.read == wanted, f"torn rows: exit {code}: {error}")


def stopped(scree, model, name, number, pieces, wanted, options=()):
    """A signal, while the command waits inside of a row: all answers to whole rows, and its own code."""
    live = Live(scree, model, name, options)
    head, rows = pieces
    half = len(rows) // 2
    live.write(head + b"".join(rows[:half]))
    live.await_lines(1 + COMMANDS[name][1] * half)
    live.write(rows[half][:-3])
    live.await_taken()
    live.process.send_signal(number)
    out, error = live.process.stdout.read(), live.process.stderr.read()
    code = live.process.wait(WAIT)
    live.process.stdin.close()
    lines = wanted.splitlines(keepends=True)[:1 + COMMANDS[name][1] * half]
    check(code == -number, f"{name}: after signal {number} exit {code}: {error}")
    check(live.read + out == b"".join(lines), f"{name}: after signal {number} the answers are {live.read + out!r}")


def flooded(scree, model, name, pieces, wanted):
    """A signal while rows keep coming: answers to the first of them, whole."""
    live = Live(scree, model, name)
    head, rows = pieces
    pid = os.fork()
    if pid == 0:
        try:
            live.write(head)
            while True:
                live.write(b"".join(rows))
        finally:
            os._exit(0)
    live.process.stdin.close()
    live.process.stdin = None
    live.await_lines(100)
    live.process.send_signal(signal.SIGTERM)
    code, error = live.end()
    os.waitpid(pid, 0)
    head_line, *lines = wanted.splitlines(keepends=True)
    check(code == -signal.SIGTERM, f"{name}: exit {code} in the flood: {error}")
    many = live.read.splitlines(keepends=True)[1:]
    check(live.read.startswith(head_line) and all(line == lines[i % len(lines)] for i, line in enumerate(many)),
          f"{name}: an answer was torn in the flood")


def bad_rows(scree, model, wanted):
    """What --on-error makes of bad rows, from a pipe."""
    head, rows = csv_pieces(make_rows(ROWS))
    lines = wanted.splitlines(keepends=True)
    bad = [b"1,2,x,4,5,6\n", b"1,2,3\n", b"1,2,inf,4,5,6\n"]
    for what in ("stop", "skip", "nan"):
        for fault in bad:
            live = Live(scree, model, "score", ("--on-error", what))
            live.write(head + b"".join(rows[:3]))
            live.await_lines(4)
            live.write(fault)
            if what == "nan":
                live.await_lines(5)
            if what != "stop":
                live.write(rows[3])
                live.await_lines(6 if what == "nan" else 5)
            code, error = live.end()
            answers = lines[:4] + {"stop": [], "skip": lines[4:5], "nan": [b"nan,nan,nan,nan,nan\n"] + lines[4:5]}[what]
            check(code == (1 if what == "stop" else 0), f"{what}: exit {code}: {error}")
            check(live.read == b"".join(answers), f"{what}: {live.read!r}")
            check("line 5" in error or "row 4" in error, f"{what}: the row is not named: {error}")


def log(scree, model, pieces, folder, wanted):
    """Rows that are added to a file: there at once, whole after a signal, and once with a header."""
    path = os.path.join(folder, "log.csv")
    head, rows = pieces
    for first in (0, 6):
        live = Live(scree, model, "score", ("-o", path, "--append"))
        live.write(head)
        for i in range(first, first + 6):
            live.write(rows[i])
            began = time.monotonic()
            while read_file(path).count(b"\n") < 2 + i:
                check(time.monotonic() < began + WAIT, "a row is not in the log")
                os.sched_yield()
        live.process.send_signal(signal.SIGINT)
        check(live.process.wait(WAIT) == -signal.SIGINT, "log: the exit code")
    check(read_file(path) == wanted, "log: the rows")


def main():
    scree = os.environ["SCREE"]
    with tempfile.TemporaryDirectory() as folder:
        rows = make_rows(ROWS)
        path, npy, train = (os.path.join(folder, name) for name in ("rows.csv", "rows.npy", "train.csv"))
        for name, data in ((path, csv_pieces(rows)), (npy, npy_pieces(rows)), (train, csv_pieces(make_rows(200)))):
            with open(name, "wb") as file:
                file.write(data[0] + b"".join(data[1]))
        model = os.path.join(folder, "m.scree")
        subprocess.run([scree, "fit", "-q", train, "-k", "2", "-o", model], check=True)
        scores = expected(scree, model, "score", path)
        for name in COMMANDS:
            wanted = expected(scree, model, name, path)
            bare = expected(scree, model, name, npy)
            kinds = (("CSV", csv_pieces(rows), wanted, ()), ("NPY", npy_pieces(rows), bare, ()),
                     ("f8", raw_pieces(rows), bare, ("--input-format", f"f8:{COLS}")))
            for kind, pieces, answers, options in kinds:
                times = one_by_one(scree, model, name, pieces, answers, options)
                print(f"{name:12} {kind}: answers after {1e3 * sum(times) / len(times):.1f} ms, at most {1e3 * max(times):.1f} ms")
                check(not FULL or max(times[1:]) < LATE, f"{name} {kind}: an answer took {max(times):.3f} s")
            stopped(scree, model, name, signal.SIGTERM, csv_pieces(rows), wanted)
            stopped(scree, model, name, signal.SIGINT, npy_pieces(rows, 1000), bare)
        no_header = csv_pieces(rows, header=False)
        one_by_one(scree, model, "score", no_header, scores)
        one_by_one(scree, model, "score", (no_header[0], [b"a," + row for row in no_header[1]]),
                   b"".join(word + line for line, word in zip(scores.splitlines(keepends=True), [b"c1,"] + [b"a,"] * ROWS)))
        for pieces in (csv_pieces(rows), npy_pieces(rows)):
            torn_row(scree, model, pieces, scores)
        for name in ("score", "reconstruct"):
            flooded(scree, model, name, csv_pieces(rows), expected(scree, model, name, path))
        bad_rows(scree, model, scores)
        log(scree, model, csv_pieces(rows), folder, scores)
    return 0


if __name__ == "__main__":
    sys.exit(main())
