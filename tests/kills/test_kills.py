#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""kill -9 at random moments of every command that writes, half of them soon after it has begun to: each output is the old file or the new one, whole; two outputs
of one command are both old or both new; and the next run in the folder leaves no temporary file. Run by ctest with 60
kills; SCREE_PROVE=full makes 1000.

    SCREE=build/release/scree SCREE_PROVE=full tests/kills/test_kills.py [COMMAND...]

It needs pictures. A kill between the two renames of impute, some microseconds, leaves its first output new and its second
old. That is counted apart, and no failure as long as it is rare: src/base/atomic_commit.c says why it stays. Where
SCREE_KILL_POINT is the library of kill_point.c, some commands are also killed before each of their calls that change a
file, so that every state on the way is seen: of these exactly one is between two renames.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

RARE = 0.02  # share of kills that may fall between two renames; at random, far fewer do

# What is run, with what it writes; {0} or {1} is the version of the input, old or new. Files are beside the folder that is
# written to.
COMMANDS = {
    "fit": ("fit ../rows{v}.csv -k 3 -o out.scree", ["out.scree"]),
    "em": ("fit ../gaps{v}.csv -k 2 --no-imputer -o out.scree", ["out.scree"]),
    "autoencode": ("autoencode ../rows{v}.csv --code 2 --epochs 1 -o out.scree", ["out.scree"]),
    "project": ("project ../m{v}.scree ../rows{v}.csv -o out.npy", ["out.npy"]),
    "loadings": ("loadings ../m{v}.scree ../rows{v}.csv --training -o out.csv", ["out.csv"]),
    "rotate": ("rotate ../m{v}.scree -o out.scree", ["out.scree"]),
    "reconstruct": ("reconstruct ../m{v}.scree --data ../rows{v}.csv -o out.csv", ["out.csv"]),
    "posterior": ("posterior ../m{v}.scree ../rows{v}.csv -o out.csv", ["out.csv"]),
    "score": ("score ../m{v}.scree ../rows{v}.csv --why 2 -o out.csv", ["out.csv"]),
    "sample": ("sample ../m{v}.scree -n 5000 -o out.json", ["out.json"]),
    "explore": ("explore ../m{v}.scree ../rows{v}.csv --row 1 -n 5000 -o out.tsv", ["out.tsv"]),
    "impute": ("impute ../m{v}.scree ../gaps{v}.csv -o out.csv --sd sd.csv", ["out.csv", "sd.csv"]),
    "impute npy": ("impute ../m{v}.scree ../gaps{v}.csv -o out.npy --sd far/sd.npy", ["out.npy", "far/sd.npy"]),
    "convert": ("convert ../rows{v}.csv -o out.npy", ["out.npy"]),
    "onnx": ("convert ../m{v}.scree -o out.onnx", ["out.onnx"]),
    "compress": ("compress ../rows{v}.csv --max-error 0.01 -o out.screez", ["out.screez"]),
    "curve": ("compress ../rows{v}.csv --rd -o out.svg", ["out.svg"]),
    "decompress": ("decompress ../a{v}.screez -o out.csv", ["out.csv"]),
    "plot": ("plot ../m{v}.scree ../rows{v}.csv --kind embedding -o out.png", ["out.png"]),
    "pdf": ("plot ../m{v}.scree -o out.pdf", ["out.pdf"]),
    "report": ("report ../m{v}.scree ../rows{v}.csv -o out.html", ["out.html"]),
    "demo": ("demo -o far", [f"far/{name}" for name in ("digits.idx.gz", "labels.idx.gz", "digits.scree", "codes.csv",
                                                        "figure-10-10.png", "rows.npy", "report.html")]),
}
STEPS = {"demo"}  # one output after the other, each as by its own command; always the same, from an empty folder
EVERY_CALL = {"fit": 0, "convert": 0, "compress": 0, "report": 0, "impute": 1, "impute npy": 1}  # states between renames


def write_rows(path, seed, gaps):
    dice = random.Random(seed)
    with open(path, "w", encoding="ascii") as file:
        file.write(",".join(f"c{j + 1}" for j in range(12)) + "\n")
        for i in range(2000):
            factors = [dice.gauss(0, 3) for _ in range(3)]
            cells = [f"{factors[j % 3] + dice.gauss(0, 1):.2f}" for j in range(12)]
            if gaps and i % 3 == 0:
                cells[i % 12] = ""
            file.write(",".join(cells) + "\n")


def read(path):
    """The bytes of a file; None: there is none."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def was_killed(name, code):
    """Whether the command was; one that fails by itself ends the test."""
    if code not in (0, -signal.SIGKILL):
        raise SystemExit(f"{name}: exit {code}, neither killed nor done")
    return code != 0


class Bench:
    """The inputs, the two versions of every output, and the folder that is written to."""

    def __init__(self, scree, folder, names):
        self.scree, self.top = scree, folder
        self.out = os.path.join(folder, "out")
        self.versions = {}  # by command: outputs of the old and the new input
        self.seconds = {}
        for version in (0, 1):
            write_rows(os.path.join(folder, f"rows{version}.csv"), version, False)
            write_rows(os.path.join(folder, f"gaps{version}.csv"), version, True)
            for words in (f"fit rows{version}.csv -k 3 -o m{version}.scree", f"compress rows{version}.csv -o a{version}.screez"):
                self.run(words, folder)
        self.clear()
        for name in names:
            self.clear()
            self.versions[name] = [self.present(name) if name in STEPS else self.make(name, 0), self.make(name, 1)]
            if self.make(name, 1) != self.versions[name][1] or self.versions[name][0] == self.versions[name][1]:
                raise SystemExit(f"{name}: versions cannot be told apart")
        self.clear()

    def words(self, text):
        return [self.scree] + text.split() + ([] if text.startswith("demo") else ["-q"])

    def run(self, words, folder):
        subprocess.run(self.words(words), cwd=folder, check=True, stdout=subprocess.DEVNULL)

    def clear(self):
        shutil.rmtree(self.out, ignore_errors=True)
        os.makedirs(os.path.join(self.out, "far"))

    def present(self, name):
        return [read(os.path.join(self.out, path)) for path in COMMANDS[name][1]]

    def make(self, name, version):
        """What the command writes; how long it takes is kept."""
        began = time.monotonic()
        self.run(COMMANDS[name][0].format(v=version), self.out)
        self.seconds[name] = time.monotonic() - began
        return self.present(name)

    def place(self, name, contents):
        self.clear()
        for path, content in zip(COMMANDS[name][1], contents):
            if content is not None:
                with open(os.path.join(self.out, path), "wb") as file:
                    file.write(content)

    def temporaries(self):
        return [name for _, _, names in os.walk(self.out) for name in names if name.startswith(".") or name.endswith(".part")]

    def kill_at(self, name, call):
        """Kills the command before the call of that number; whether there were so many."""
        words = self.words(COMMANDS[name][0].format(v=1))
        about = dict(os.environ, LD_PRELOAD=os.environ["SCREE_KILL_POINT"], SCREE_KILL_AT=str(call))
        return was_killed(name, subprocess.run(words, cwd=self.out, env=about, stdout=subprocess.DEVNULL,
                                               check=False).returncode)

    def kill(self, name, delay, aimed):
        """Kills the command after so many seconds, if aimed, of having a temporary file; whether it was still running."""
        words = self.words(COMMANDS[name][0].format(v=1))
        with subprocess.Popen(words, cwd=self.out, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            while aimed and process.poll() is None and not self.temporaries():
                pass
            time.sleep(delay)
            process.kill()
            return was_killed(name, process.wait())


def check(bench, name, before, counts):
    """What is wrong with what a killed run has left, or None."""
    after = bench.versions[name][1]
    found = bench.present(name)
    counts["new"] += found == after
    counts["left"] += bench.temporaries() != []
    if any(content not in (old, new) for content, old, new in zip(found, before, after)):
        return "an output is neither the old file nor the new one"
    if name in STEPS:
        bench.make(name, 1)
        return None if bench.present(name) == after and not bench.temporaries() else "the next run does not complete it"
    if found not in (before, after):
        counts["between"] += 1
        if found != [after[0], before[1]]:
            return "the second output is new, but the first is old"
    for folder in sorted({os.path.dirname(path) for path in COMMANDS[name][1]}):
        bench.run(f"sample ../m0.scree -o {os.path.join(folder, 'next.csv')}", bench.out)
    if bench.temporaries():
        return f"the next run leaves {' '.join(bench.temporaries())}"
    return None if bench.present(name) == found else "the next run changed an output"


def try_kill(bench, name, dice, counts):
    """One kill at a random moment."""
    before, after = bench.versions[name]
    if dice.random() < 0.3:
        before = [None] * len(after)
    bench.place(name, before)
    aimed = dice.random() < 0.5
    counts["killed"] += bench.kill(name, dice.uniform(0, 0.3 if aimed else 1.2) * bench.seconds[name], aimed)
    return check(bench, name, before, counts)


def try_every_call(bench, name):
    """Kills before the first call, the second, and so on, until the command ends. Returns the failures."""
    counts = {"new": 0, "left": 0, "between": 0}
    failures, calls = [], 0
    before = bench.versions[name][0]
    killed = True
    while killed:
        calls += 1
        bench.place(name, before)
        killed = bench.kill_at(name, calls)
        wrong = check(bench, name, before, counts)
        if wrong:
            failures.append(f"{name}, killed before call {calls}: {wrong}")
    if counts["between"] != EVERY_CALL[name]:
        failures.append(f"{name}: {counts['between']} states between two renames, not {EVERY_CALL[name]}")
    print(f"{name:12} killed before each of {calls - 1} calls: {counts['new']} found new files, {counts['left']} left temporary "
          f"files, {counts['between']} fell between two renames", flush=True)
    return failures


def main():
    scree = os.path.abspath(os.environ["SCREE"])
    count = 1000 if os.environ.get("SCREE_PROVE") == "full" else 60
    seed = int(os.environ.get("SCREE_SEED") or random.SystemRandom().randrange(10**6))
    names = sys.argv[1:] or list(COMMANDS)
    dice = random.Random(seed)
    counts = {"killed": 0, "new": 0, "left": 0, "between": 0}
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(scree, folder, names)
        for i in range(count):
            name = names[i % len(names)]
            wrong = try_kill(bench, name, dice, counts)
            if wrong:
                failures += 1
                print(f"{name}, kill {i + 1} of seed {seed}: {wrong}", flush=True)
        for name in EVERY_CALL if os.environ.get("SCREE_KILL_POINT") else ():
            if name in names:
                wrongs = try_every_call(bench, name)
                failures += len(wrongs)
                print("".join(f"{wrong}\n" for wrong in wrongs), end="", flush=True)
    print(f"{count} kills of {len(names)} commands, seed {seed}: {counts['killed']} came before the end, {counts['new']} found "
          f"new files, {counts['left']} left temporary files, {counts['between']} fell between two renames; {failures} failures")
    return 1 if failures or counts["between"] > RARE * count else 0


if __name__ == "__main__":
    sys.exit(main())
