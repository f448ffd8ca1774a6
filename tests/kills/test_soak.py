#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`scree score` on a pipe for as long as one likes: rows come in pieces of any size, with pauses; the reader of the answers
pauses, too; SIGSTOP and SIGCONT, SIGWINCH, SIGALRM and SIGURG come at any time; rows have gaps and outliers. Every byte must
be that of the batch, from a file, and resident memory must not grow. Sessions end in turn by the end of the rows, by a row
that is bad (exit 1, a sentence with its line, and answers to rows before it alone), by a reader who leaves, and by SIGTERM.

    SCREE=build/release/scree SCREE_SOAK=24 tests/kills/test_soak.py

SCREE_SOAK is how many minutes of the command's processor time are spent: 24 with SCREE_PROVE=full, else a twelfth of one.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROWS, COLS = 6000, 20
OPTIONS = ((), ("--why", "2"), ("--memory", "100M"), ("--format", "tsv", "--threads", "2"))
ENDS = ("end", "cell", "end", "fields", "end", "leave", "end", "term")
PESTS = (signal.SIGWINCH, signal.SIGALRM, signal.SIGURG, signal.SIGCONT)
BAD = {"cell": "1,x" + ",3" * (COLS - 2) + "\n", "fields": "1,2\n"}
WARM = 0.15 * os.cpu_count()  # seconds of processor time before memory has settled: each thread touches its own
GROWTH = 1.02
SLACK = 1 << 20


def write_rows(path, rows):
    """Three factors and noise; some cells are missing, some rows far out."""
    dice = random.Random(15)
    with open(path, "w", encoding="ascii") as file:
        file.write(",".join(f"c{j + 1}" for j in range(COLS)) + "\n")
        for i in range(rows):
            factors = [dice.gauss(0, 3) for _ in range(3)]
            far = 20 if i % 500 == 7 else 0
            cells = [f"{factors[j % 3] + dice.gauss(far, 1):.4f}" for j in range(COLS)]
            if i % 50 == 3:
                for j in dice.sample(range(COLS), dice.choice((1, 2, COLS))):
                    cells[j] = ""
            file.write(",".join(cells) + "\n")


def resident(process):
    with open(f"/proc/{process}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Session:
    """One run of the command: who writes rows, who disturbs it, and who reads."""

    def __init__(self, command, rows, answers, end, seed):
        self.dice = random.Random(seed)
        self.header, self.rows = rows
        self.head, self.answers = answers
        self.end = end
        self.stop = threading.Event()
        self.fed = 0  # whole rounds of the rows
        self.started = False  # the head of the answers was read
        self.read = 0  # bytes of answers after it
        self.samples = []
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)

    def feed(self, dice):
        """Writes rounds until told to stop, in pieces; then the bad row, if it is to end by one."""
        pipe = self.process.stdin
        try:
            pipe.write(self.header)
            while not self.stop.is_set():
                at = 0
                while at < len(self.rows):
                    size = dice.choice((1, 100, 4096, 65536, 1 << 20, 1 << 22))
                    at += pipe.write(self.rows[at:at + size])
                    if dice.random() < 0.02:
                        time.sleep(dice.expovariate(200))
                self.fed += 1
            if self.end in BAD:
                pipe.write(BAD[self.end].encode() + self.rows)
            if self.end != "term":
                pipe.close()
        except BrokenPipeError:
            pass

    def disturb(self, dice):
        while not self.stop.wait(dice.expovariate(50)):
            self.process.send_signal(dice.choice(PESTS) if self.read > 0 else signal.SIGWINCH)  # it may still be starting
            if dice.random() < 0.1:
                self.process.send_signal(signal.SIGSTOP)
                time.sleep(dice.expovariate(100))
                self.process.send_signal(signal.SIGCONT)
            if processor_seconds(self.process.pid) > WARM:
                self.samples.append(resident(self.process.pid))

    def check(self, piece):
        """Whether the next bytes are the batch's."""
        if not self.started:
            if not piece.startswith(self.head):
                return False
            self.started = True
            piece = piece[len(self.head):]
        at = self.read % len(self.answers)
        self.read += len(piece)
        while piece:
            part = piece[:len(self.answers) - at]
            if self.answers[at:at + len(part)] != part:
                return False
            piece, at = piece[len(part):], 0
        return True

    def consume(self, seconds):
        """Reads until the rows end; tells the others to stop when the command has had its processor time."""
        pipe = self.process.stdout
        while True:
            if not self.stop.is_set() and processor_seconds(self.process.pid) >= seconds:
                self.stop.set()
                if self.end == "leave":
                    pipe.close()
                    return True
                if self.end == "term":
                    self.process.terminate()
            piece = pipe.read(1 << 20)
            while piece and not self.started and len(piece) < len(self.head):
                more = pipe.read(1 << 20)
                if not more:
                    return False
                piece += more
            if not piece:
                return True
            if not self.check(piece):
                return False
            if self.dice.random() < 0.01:
                time.sleep(self.dice.expovariate(200))

    def run(self, seconds):
        """What is wrong, or None."""
        said = []
        threads = [threading.Thread(target=self.feed, args=(random.Random(self.dice.random()),)),
                   threading.Thread(target=self.disturb, args=(random.Random(self.dice.random()),)),
                   threading.Thread(target=lambda: said.append(self.process.stderr.read().decode()))]
        for thread in threads:
            thread.start()
        same = self.consume(seconds)
        self.stop.set()
        if not same:
            self.process.kill()
        code = self.process.wait()
        for thread in threads:
            thread.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()
        return "other answers than the batch's" if not same else self.judge(code, said[0].strip())

    def judge(self, code, said):
        rounds = ROWS * self.fed
        complete = self.read == self.fed * len(self.answers)
        if self.end == "end" and (code != 0 or said or not complete):
            return f"exit {code}, {self.read} bytes of {self.fed * len(self.answers)}: {said}"
        if self.end in BAD and (code != 1 or said.count("\n") or f"line {rounds + 2}" not in said
                                or self.read > self.fed * len(self.answers)):
            return f"exit {code} where line {rounds + 2} is bad: {said}"
        if self.end == "leave" and code != -signal.SIGPIPE or self.end == "term" and code != -signal.SIGTERM:
            return f"exit {code}: {said}"
        if self.end == "end" and not self.samples:
            return "its memory was never measured"
        if self.samples and max(self.samples) > GROWTH * self.samples[0] + SLACK:
            return f"resident memory grew from {self.samples[0]} to {max(self.samples)} bytes"
        return None


def processor_seconds(process):
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run_session(scree, folder, number, seconds):
    """Processor seconds, and whether all was well."""
    options = OPTIONS[number % len(OPTIONS)]
    end = ENDS[number % len(ENDS)]
    batch = subprocess.run([scree, "score", "model.scree", "rows.csv", "-q", *options], cwd=folder, check=True,
                           stdout=subprocess.PIPE).stdout
    with open(os.path.join(folder, "rows.csv"), "rb") as file:
        rows = file.read()
    cut = batch.index(b"\n") + 1
    first = rows.index(b"\n") + 1
    command = [scree, "score", os.path.join(folder, "model.scree"), "-", "-q", *options]
    before = os.times()
    session = Session(command, (rows[:first], rows[first:]), (batch[:cut], batch[cut:]), end, number)
    wrong = session.run(seconds)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    settled = session.samples or [0]
    print(f"session {number + 1:3} {end:7} {' '.join(options):28} {session.fed * ROWS:10} rows {used:7.1f} s  "
          f"memory {settled[0] / 2**20:6.1f} to {max(settled) / 2**20:6.1f} MiB  {wrong or 'well'}", flush=True)
    return used, wrong is None


def main():
    scree = os.path.abspath(os.environ["SCREE"])
    full = os.environ.get("SCREE_PROVE") == "full"
    minutes = float(os.environ.get("SCREE_SOAK") or (24 if full else 1 / 12))
    with open(scree, "rb") as file:
        if any(mark in file.read() for mark in (b"__asan_init", b"__tsan_init")):
            print("skipped: sanitizers keep memory that was freed")
            return 77
    used, number, well = 0.0, 0, True
    session = max(2 * WARM, minutes * 60 / 16)
    with tempfile.TemporaryDirectory() as folder:
        write_rows(os.path.join(folder, "rows.csv"), ROWS)
        subprocess.run([scree, "fit", "-q", "rows.csv", "-k", "3", "--no-imputer", "-o", "model.scree"], cwd=folder, check=True)
        while used < 60 * minutes or number < len(ENDS):
            seconds, fine = run_session(scree, folder, number, session)
            used, number, well = used + seconds, number + 1, well and fine
    print(f"{number} sessions, {used / 60:.2f} minutes of processor time")
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
