# SPDX-License-Identifier: BSD-3-Clause
"""The two programs that fit: each a process that holds the rows and answers lines, and is ended when it takes too long.

scree is the benchmark's own program (--serve, bench/serve.c), scikit-learn is sklearn_worker.py. A process that was
ended is started again when it is next asked, and reads the rows again before any clock runs.
"""

import os
import select
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LOOK = 0.01  # seconds between two looks at whether all are idle
LONGEST_PAUSE = 1.0


class TooLong(Exception):
    pass


class Failed(Exception):
    pass


def processor_time(processes):
    """Seconds that all threads of these processes have run."""
    return sum(time.clock_gettime((~process << 3) | 2) for process in processes)


def wait_until_idle(processes):
    """OpenBLAS's threads spin for some 0.1 s before they go to sleep, and would take the cores from the next fit."""
    end = time.monotonic() + LONGEST_PAUSE
    used = processor_time(processes)
    while time.monotonic() < end:
        time.sleep(LOOK)
        before, used = used, processor_time(processes)
        if used - before < 0.1 * LOOK:
            return


class Worker:
    running = {}  # by their numbers: all that may still spin

    def __init__(self, command):
        self.command = command
        self.process = None
        self.load = None  # the request that brings the rows
        self.about = ""

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        Worker.running[self.process.pid] = self
        self.about = self.read_line(120)
        if self.load:
            self.exchange(self.load, 600)

    def stop(self):
        if self.process:
            del Worker.running[self.process.pid]
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
        self.process = None

    def read_line(self, limit):
        """What comes within the limit, up to the end of a line."""
        line = b""
        end = time.monotonic() + limit
        while not line.endswith(b"\n"):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                self.stop()
                raise TooLong
            part = os.read(self.process.stdout.fileno(), 1 << 16)
            if not part:
                self.stop()
                raise Failed("the program has ended")
            line += part
        return line.decode().rstrip("\n")

    def exchange(self, words, limit):
        self.process.stdin.write(("\t".join(map(str, words)) + "\n").encode())
        self.process.stdin.flush()
        state, *answer = self.read_line(limit).split("\t")
        if state != "ok":
            raise Failed(" ".join(answer))
        return answer

    def hold(self, *words):
        """The rows that fits are of from now on."""
        self.load = ("load", *words)
        if self.process:
            self.exchange(self.load, 600)

    def ask(self, *words, limit):
        if not self.process:
            self.start()
        wait_until_idle([os.getpid(), *Worker.running])
        return self.exchange(words, limit)


def scree(bench, folder, threads):
    return Worker([bench, "--serve", "--threads", str(threads), "--data", folder])


def scikit_learn():
    return Worker([sys.executable, os.path.join(HERE, "sklearn_worker.py")])
