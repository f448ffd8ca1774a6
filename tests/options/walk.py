# SPDX-License-Identifier: BSD-3-Clause
"""Runs scree in folders of their own, and tells whether an option has done anything: the exit code, standard output,
standard error or a file is another than without it. Times are not looked at, and a run that is not the same twice is
refused as a base, since any option would seem to change it.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import urllib.request

SCREE = os.environ["SCREE"]
TIMES = [(re.compile(rb"[0-9.]+ (ns|\xc2\xb5s|ms|s)\b"), b"# s"),
         (re.compile(rb'"(seconds|[a-z_]*seconds)":\s*[-+0-9.e]+'), b'"seconds": #')]
ADDRESS = (re.compile(rb"http://127\.0\.0\.1:[0-9]+/[0-9a-f]{32}/"), b"ADDRESS")
COUNTED = (re.compile(rb"all rows are counted.*\n"), b"")  # when it is said depends on when the server is ended
OPTION = re.compile(r"^ {2,6}(?:-(\w), )?--([a-z0-9-]+)(?: ([A-Z0-9][^ ]*))?", re.M)
SENTENCE = re.compile(r"^scree[^:]*: .*[^.\n]$", re.M)


class Run:
    """What a command has left behind."""

    def __init__(self, code, out, err, files):
        self.code, self.out, self.err, self.files = code, out, err, files

    def seen(self):
        return self.code, self.out, self.err, self.files

    def message(self):
        return self.err.decode(errors="replace").strip()

    def is_wrong_value(self):
        return self.code == 2 and re.search("invalid value|needs a value|unknown option|takes no value", self.message())

    def is_refusal(self):
        """Ended with 1 or 2, with a sentence, and has written nothing."""
        return self.code in (1, 2) and SENTENCE.match(self.message()) and not self.files


def scrub(data):
    for pattern, instead in [*TIMES, ADDRESS, COUNTED]:
        data = pattern.sub(instead, data)
    return data


def options_of(command):
    """The options of a command, from its help: name → what its value is called, or None."""
    text = subprocess.run([SCREE, command, "--help"], check=True, capture_output=True, text=True).stdout
    text = text[text.index("\noptions:"):]
    return {name: value or None for _, name, value in OPTION.findall(text[:text.find("\nexamples:")])}


def commands():
    return subprocess.run([SCREE, "help", "--list"], check=True, capture_output=True, text=True).stdout.split()


def choices_of(command, option):
    """The values that an option may take, from the completions."""
    text = subprocess.run([SCREE, "help", "--completion", "bash"], check=True, capture_output=True, text=True).stdout
    text = text[text.index(f"\n    {command})\n"):]
    return re.search(rf"--{option}\) words='([^']*)'", text).group(1).split()


def serve(words, box, environment):
    """Runs scree serve for as long as it takes to fetch the page; with --idle it ends by itself."""
    with subprocess.Popen([SCREE, *words], cwd=box, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=environment) as server:
        address, page = server.stdout.readline(), b""
        if address.startswith(b"http:") and "--idle" not in words:
            with urllib.request.urlopen(address.decode().strip(), timeout=60) as answer:
                page = answer.read()
            server.send_signal(signal.SIGINT)
        out, err = server.communicate(timeout=120)
    return subprocess.CompletedProcess(words, 0 if server.returncode == -signal.SIGINT else server.returncode, address + out + page, err)


class Runner:
    """Runs command lines, each in a folder with the inputs in `in` and a file kept.csv; remembers what they have left."""

    def __init__(self, inputs):
        self.inputs = inputs
        self.known = {}
        self.programs = os.path.join(inputs, "programs")
        os.makedirs(self.programs)
        browser = os.path.join(self.programs, "xdg-open")
        with open(browser, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n")
        os.chmod(browser, 0o755)

    def fresh(self, line):
        with tempfile.TemporaryDirectory() as box:
            os.symlink(self.inputs, os.path.join(box, "in"))
            shutil.copy(os.path.join(self.inputs, "kept.csv"), box)
            words, _, piped = line.partition(" < ")
            environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "SCREE_CACHE": "off", "TERM": "dumb",
                           "PATH": self.programs + os.pathsep + os.environ["PATH"]}
            with open(os.path.join(box, piped) if piped else os.devnull, "rb") as source:
                done = serve(shlex.split(words), box, environment) if words.startswith("serve ") else subprocess.run(
                    [SCREE, *shlex.split(words)], cwd=box, stdin=source, capture_output=True, env=environment, timeout=120)
            files = {}
            for folder, _, names in os.walk(box):
                for name in names:
                    path = os.path.join(folder, name)
                    with open(path, "rb") as file:
                        files[os.path.relpath(path, box)] = scrub(file.read())
            with open(os.path.join(self.inputs, "kept.csv"), "rb") as file:
                if files.get("kept.csv") == file.read():
                    del files["kept.csv"]
        return Run(done.returncode, scrub(done.stdout), scrub(done.stderr), files)

    def run(self, line):
        if line not in self.known:
            self.known[line] = self.fresh(line)
        return self.known[line]

    def base(self, line):
        """The run of a base, or what is wrong with it."""
        if "base " + line not in self.known:
            run = self.run(line)
            wrong = None
            if run.code != 0:
                wrong = f"'{line}' ends with {run.code}: {run.message()}"
            elif self.fresh(line).seen() != run.seen():
                wrong = f"'{line}' is not the same twice, so that no option can be seen to change it"
            self.known["base " + line] = (run, wrong)
        return self.known["base " + line]
