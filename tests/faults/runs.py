# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command once for each of its calls, with that call made to fail by libfault.so, and judges what happened: exit code,
what was said, what was written, what was left behind."""

import os
import re
import select
import shutil
import signal
import subprocess
import tempfile

KINDS = {"none": 0, "memory": 1, "EIO": 2, "ENOSPC": 3, "EMFILE": 4, "EINTR": 5, "short": 6, "thread": 7}
PATIENCE = 60  # seconds until a run counts as hanging: a hundred times of what the longest takes
OLD = b"this was here before\n"
TIMES = re.compile(rb'(?<![\w.])[\d.]+(e-?\d+)? ?(ns|\xc2\xb5s|us|ms|s|min|h)\b|"seconds":\s*[\d.e+-]+')


def scratch():
    """A folder in memory, if there is one: runs sync their files."""
    return tempfile.mkdtemp(prefix="scree-faults-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


class Outcome:
    """What one run did."""

    def __init__(self, code, points, failed, call, trace, live):
        self.code, self.points, self.failed, self.call, self.trace, self.live = code, points, failed, call, trace, live
        self.out = self.err = b""
        self.files = {}
        self.strays = []


class Server:
    """A command that waits where its main would begin, and runs on in a new process for each request."""

    def __init__(self, scree, library, case, inputs, load=""):
        self.piped, words, self.outputs = case
        self.top = scratch()
        self.folder = os.path.join(self.top, "work")
        self.files = os.path.join(self.top, "std")
        shutil.copytree(inputs, self.folder)
        write(self.files + ".in", read(os.path.join(inputs, self.piped)) if self.piped else b"")
        self.names = set(os.listdir(self.folder)) | set(self.outputs)
        ask_read, self.ask = os.pipe()
        self.answer, answer_write = os.pipe()
        environment = dict(os.environ, LD_PRELOAD=library, FAULTS_PIPES=f"{ask_read},{answer_write}", FAULTS_FILES=self.files,
                           FAULTS_LOAD=load, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", SCREE_CACHE="off", LC_ALL="C.UTF-8",
                           TERM="dumb", COLUMNS="80")
        self.process = subprocess.Popen([scree, *words], cwd=self.folder, env=environment, pass_fds=(ask_read, answer_write),
                                        stdin=subprocess.DEVNULL)
        os.close(ask_read)
        os.close(answer_write)
        self.buffer = b""

    def close(self):
        os.close(self.ask)
        self.process.wait()
        os.close(self.answer)
        shutil.rmtree(self.top)

    def line(self, patience):
        while b"\n" not in self.buffer:
            if not select.select([self.answer], [], [], patience)[0]:
                return None
            more = os.read(self.answer, 65536)
            if not more:
                raise RuntimeError("the command did not wait for requests")
            self.buffer += more
        text, _, self.buffer = self.buffer.partition(b"\n")
        return text.decode().split(" ")

    def reset(self):
        for name in self.outputs:
            path = os.path.join(self.folder, name)
            if not os.path.exists(path) or read(path) != OLD:
                write(path, OLD)

    def run_full(self):
        """Standard output is a full disk."""
        os.unlink(self.files + ".out")
        os.symlink("/dev/full", self.files + ".out")
        try:
            return self.run(out=False)
        finally:
            os.unlink(self.files + ".out")

    def run(self, kind="none", at=0, after=False, out=True):
        self.reset()
        os.write(self.ask, f"{KINDS[kind]} {at} {int(after)}\n".encode())
        child = int(self.line(PATIENCE)[1])
        done = self.line(PATIENCE)
        hangs = done is None
        if hangs:
            os.kill(child, signal.SIGKILL)
            done = self.line(PATIENCE)
        trace, live = self.line(PATIENCE)[1:], self.line(PATIENCE)[1:]
        code = "hangs" if hangs else os.waitstatus_to_exitcode(int(done[1]))
        outcome = Outcome(code, int(done[2]), int(done[3]), done[4], trace,
                          {place: int(count) for place, count in (word.rsplit("=", 1) for word in live)})
        outcome.out, outcome.err = read(self.files + ".out") if out else b"", read(self.files + ".err")
        outcome.files = {name: read(os.path.join(self.folder, name)) if os.path.exists(os.path.join(self.folder, name)) else None
                         for name in self.outputs}
        for name in set(os.listdir(self.folder)) - self.names:
            path = os.path.join(self.folder, name)
            if os.path.isdir(path):
                outcome.files.update(folder_files(path, name))
                shutil.rmtree(path)
            else:
                outcome.strays.append(name)
                os.unlink(path)
        return outcome


def folder_files(path, name):
    return {os.path.join(name, entry): read(os.path.join(path, entry)) for entry in os.listdir(path)}


ADDRESS = re.compile(rb"http://127\.0\.0\.1:[0-9]+/[0-9a-f]{32}/")  # of scree serve: another one each time


def timeless(text):
    return TIMES.sub(b"TIME", ADDRESS.sub(b"ADDRESS", text))


def same_files(one, other):
    """Two sets of files are the same, apart from times that they mention."""
    return one.keys() == other.keys() and all(
        one[name] == other[name] or timeless(one[name] or b"") == timeless(other[name] or b"") for name in one)


def judge(outcome, good, reason):
    """What is wrong with a run in which a call failed; None: nothing. reason: what its sentence must match."""
    if outcome.code == "hangs":
        return "hangs"
    if outcome.code < 0:
        return f"dies of signal {-outcome.code}"
    if outcome.strays:
        return f"leaves {' '.join(outcome.strays)}"
    if outcome.code == 0:
        if not same_files(outcome.files, good.files):
            return "another result with exit 0"
        if timeless(outcome.out) != timeless(good.out):
            return "other words on standard output with exit 0"
        if timeless(outcome.err) != timeless(good.err):
            return "other words on standard error with exit 0"
        return leaks(outcome, good)
    if outcome.code != 1:
        return f"exit {outcome.code}"
    if any(data != OLD for name, data in outcome.files.items() if "/" not in name) and SAYS_WHAT_STAYS not in outcome.err:
        return "exit 1, but its output was replaced"
    said = [line for line in outcome.err.decode(errors="replace").splitlines() if line.startswith("scree: ")]
    if len(said) != 1:
        return f"exit 1 with {len(said)} sentences"
    if not re.search(reason, said[0]):
        return "exit 1, but the sentence has another reason"
    if len(outcome.err.splitlines()) != 1 + sum(line in good.err.splitlines() for line in outcome.err.splitlines()):
        return "exit 1, and more is said than the sentence"
    return leaks(outcome, good)


# Of two outputs, the second cannot get its name, and neither can the old file of the first have its name back.
SAYS_WHAT_STAYS = b", and the new file stays in "

# The command itself ends at once where its own allocations fail, and leaves what it holds to the system.
ENDS_AT_ONCE = b"scree: out of memory; close other programs"


# Fonts and what the loader keeps differ from run to run.
OURS = ("scree", "libscree", "libcjson", "libz", "liblapack", "libopenblas", "libblas")


def leaks(outcome, good):
    """Blocks that live at the end where a run without a fault has none from the same place."""
    if ENDS_AT_ONCE in outcome.err:
        return None
    more = [place for place, count in outcome.live.items() if count > good.live.get(place, 0) and place.startswith(OURS)]
    return f"leaks memory of {' '.join(more)}" if more else None


KNOWN = {}  # names of places, which addr2line takes long to tell


def name_trace(trace, folder):
    """Functions of the places of a trace that are in files of the build; the libraries of others."""
    names = []
    for place in trace:
        module, _, offset = place.partition("+")
        path = os.path.join(folder, module)
        if place not in KNOWN and os.path.exists(path):
            said = subprocess.run(["addr2line", "-fe", path, hex(int(offset, 16) - 1)], capture_output=True, text=True, check=False)
            KNOWN[place] = said.stdout.split("\n")[0] or place
        name = KNOWN.get(place, module)
        if name not in ("libfault.so", "_start") and (not names or names[-1] != name):
            names.append(name)
    return " < ".join(names[:8])
