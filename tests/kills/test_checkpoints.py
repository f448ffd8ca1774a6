#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""kill -9 at random moments of fits that keep checkpoints: the same command, run again, and killed again until it is through,
ends in the bits of a fit that nobody disturbed, and so does every one of the checkpoints when nobody disturbs what follows; a checkpoint that is there is whole at every moment; nothing else is left in the end. Run by ctest
with a few kills for each method; SCREE_PROVE=full makes 100.

    SCREE=build/release/scree SCREE_PROVE=full tests/kills/test_checkpoints.py [METHOD...]
"""

import array
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

# By method: fits that have it, which take turns.
METHODS = {
    "covariance": ["fit tall.npy --solver covariance -k 5", "fit bytes.npy --solver covariance -k 5",
                   "fit small.npy --solver covariance -k auto --bootstrap 40", "fit counts.mtx --solver covariance -k 3"],
    "gram": ["fit wide.npy --solver gram -k 5", "fit wide.npy --solver gram -k 5 --scale unit", "fit wide8.npy --solver gram -k 5"],
    "svd": ["fit tall.npy --solver svd -k 5", "fit wide.npy --solver svd -k 5"],
    "lanczos": ["fit tall.npy --solver lanczos -k 8 --tol 1e-10", "fit tall.npy --solver lanczos -k 8 --memory 80M --tol 1e-10",
                "fit counts.mtx --solver lanczos -k 3"],
    "em": ["fit gaps.npy --em ml -k 4 --no-imputer --tol 1e-9", "fit gaps.npy -k 4", "fit gaps.npy --em vb"],
    "autoencode": ["autoencode small.npy --code 3 --hidden 20 --epochs 12", "autoencode small.npy --code 3 --linear --epochs 60"],
}


def write_npy(path, kind, values, rows, cols):
    descr = {"d": "<f8", "f": "<f4", "B": "|u1"}[kind]
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({rows}, {cols}), }}"
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode("ascii"))
        array.array(kind, values).tofile(file)


def make_rows(rows, cols, seed, gaps=False, whole=False):
    dice = random.Random(seed)
    loads = [[dice.gauss(0, 3 / (k + 1)) for _ in range(cols)] for k in range(6)]
    made = []
    for _ in range(rows):
        code = [dice.gauss(0, 1) for _ in loads]
        row = [sum(c * load[j] for c, load in zip(code, loads)) + dice.gauss(0, 1) for j in range(cols)]
        if gaps:
            row = [float("nan") if dice.random() < 0.2 else x for x in row]
        made.extend(min(255, max(0, int(128 + 10 * x))) if whole else x for x in row)
    return made


def write_inputs(folder):
    inside = lambda name: os.path.join(folder, name)
    write_npy(inside("tall.npy"), "d", make_rows(1000, 300, 1) * 16, 16000, 300)
    write_npy(inside("small.npy"), "f", make_rows(3000, 14, 7), 3000, 14)
    write_npy(inside("bytes.npy"), "B", make_rows(1000, 300, 2, whole=True) * 32, 32000, 300)
    write_npy(inside("wide.npy"), "d", make_rows(100, 10000, 3) * 3, 300, 10000)
    write_npy(inside("wide8.npy"), "B", make_rows(100, 10000, 4, whole=True) * 3, 300, 10000)
    write_npy(inside("gaps.npy"), "d", make_rows(1500, 12, 5, gaps=True), 1500, 12)
    dice = random.Random(6)
    cells = [(i + 1, j + 1, dice.randrange(1, 9)) for i in range(6000) for j in dice.sample(range(300), 6)]
    with open(inside("counts.mtx"), "w", encoding="ascii") as file:
        file.write(f"%%MatrixMarket matrix coordinate real general\n6000 300 {len(cells)}\n")
        file.writelines(f"{i} {j} {x}\n" for i, j, x in cells)


def check_whole(path):
    """A checkpoint, item by item, as docs/checkpoints.md describes it; how many there are. None: there is no file."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return None
    magic, version, length, crc = struct.unpack_from("=16sqqq", data)
    if magic != b"scree checkpoint" or version != 1 or zlib.crc32(data[40:40 + length]) != crc:
        raise SystemExit(f"{path}: a broken head was seen")
    at, items = 40 + length, 0
    while True:
        name, size, _, crc = struct.unpack_from("=16sqII", data, at)
        if zlib.crc32(data[at + 32:at + 32 + size]) != crc:
            raise SystemExit(f"{path}: a broken item was seen")
        at += 32 + size
        items += 1
        if name.rstrip(b"\0") == b"end":
            break
    if at != len(data):
        raise SystemExit(f"{path}: something follows the end")
    return items


class Fit:
    """A fit, its undisturbed result, and a folder that it writes to."""

    def __init__(self, scree, folder, words):
        self.words = [scree] + words.split()
        self.words[2] = os.path.join(folder, self.words[2])
        self.folder = tempfile.mkdtemp(dir=folder)
        self.scratch = tempfile.mkdtemp(dir=folder)
        self.beside = tempfile.mkdtemp(dir=folder)
        self.about = dict(os.environ, TMPDIR=self.scratch)
        self.out = os.path.join(self.folder, "out.scree")
        self.run([])
        self.wanted = self.take()
        began = time.monotonic()
        self.run(["--checkpoint", "c", "--every", "0"])
        self.seconds = time.monotonic() - began
        self.check()

    def run(self, more):
        subprocess.run(self.words + ["-o", "out.scree", "-q"] + more, cwd=self.folder, env=self.about, check=True)

    def go_on(self):
        """A copy of the checkpoint, gone on with by nobody disturbed: whether there is one."""
        if check_whole(os.path.join(self.folder, "c")) is None:
            return False
        shutil.copyfile(os.path.join(self.folder, "c"), os.path.join(self.beside, "c"))
        subprocess.run(self.words + ["-o", "out.scree", "-q", "--checkpoint", "c"], cwd=self.beside, check=True)
        with open(os.path.join(self.beside, "out.scree"), "rb") as file:
            if file.read() != self.wanted:
                raise SystemExit(f"{' '.join(self.words)}: gone on with, other bits than without checkpoints")
        os.remove(os.path.join(self.beside, "out.scree"))
        if os.listdir(self.beside):
            raise SystemExit(f"{' '.join(self.words)}: left {', '.join(os.listdir(self.beside))}")
        return True

    def take(self):
        with open(self.out, "rb") as file:
            data = file.read()
        os.remove(self.out)
        return data

    def check(self):
        """The fit is through: its bits, and what is left."""
        if self.take() != self.wanted:
            raise SystemExit(f"{' '.join(self.words)}: other bits than without checkpoints")
        left = os.listdir(self.folder) + os.listdir(self.scratch)
        if left:
            raise SystemExit(f"{' '.join(self.words)}: left {', '.join(left)}")

    def kill(self, delay):
        """Runs it, or lets it go on, and kills it after so long; whether it was still at work."""
        with subprocess.Popen(self.words + ["-o", "out.scree", "-q", "--checkpoint", "c", "--every", "0"], cwd=self.folder,
                              env=self.about, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
            said = process.stderr.read().decode()
        if process.returncode not in (0, -signal.SIGKILL):
            raise SystemExit(f"{' '.join(self.words)}: exit {process.returncode}: {said}")
        check_whole(os.path.join(self.folder, "c"))
        if process.returncode == 0:
            self.check()
        return process.returncode != 0


def prove(scree, folder, method, kills, dice):
    fits = [Fit(scree, folder, words) for words in METHODS[method]]
    killed = through = resumed = 0
    while killed < kills or resumed == 0:
        fit = fits[(killed + through) % len(fits)]
        while fit.kill(dice.random() * 1.1 * fit.seconds):
            killed += 1
            resumed += fit.go_on()
            if killed >= kills:  # nobody disturbs it any more
                fit.run(["--checkpoint", "c", "--every", "0"])
                fit.check()
                break
        through += 1
    print(f"{method}: {killed} kills, {through} fits through, all with the same bits; {resumed} left a checkpoint, each of which was gone on with")


def main():
    scree = os.path.abspath(os.environ["SCREE"])
    full = os.environ.get("SCREE_PROVE") == "full"
    dice = random.Random(int(os.environ.get("SCREE_SEED", "1")))
    with tempfile.TemporaryDirectory() as folder:
        write_inputs(folder)
        for method in sys.argv[1:] or METHODS:
            prove(scree, folder, method, 100 if full else 6, dice)


main()
