# SPDX-License-Identifier: BSD-3-Clause
"""A browser to test pages in: Chromium without a window, driven over WebDriver with nothing but the standard library.

    with Browser() as browser:
        browser.open("/tmp/report.html")
        browser.run("return document.title")

There is no network for it to reach: every name resolves to nothing, and 127.0.0.1 is this machine.
"""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
SHIFT, CONTROL, ALT, ENTER, ESCAPE, TAB = "\ue008", "\ue009", "\ue00a", "\ue007", "\ue00c", "\ue004"
LEFT, UP, RIGHT, DOWN, PAGE_UP, PAGE_DOWN, END, HOME = "\ue012", "\ue013", "\ue014", "\ue015", "\ue00e", "\ue00f", "\ue010", "\ue011"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def missing():
    """What is not here and is needed; None when all is."""
    if not any(shutil.which(name) for name in NAMES):
        return "chromium"
    return None if shutil.which("chromedriver") else "chromedriver (chromium-driver in Debian)"


class Browser:
    def __init__(self, width=1200, height=900, dark=False):
        self.home = tempfile.mkdtemp(prefix="scree-browser-")
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, "HOME": self.home, "XDG_CONFIG_HOME": self.home, "XDG_CACHE_HOME": self.home})
        self.base = f"http://127.0.0.1:{self.find_port()}"
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                 f"--user-data-dir={self.home}/profile", f"--window-size={width},{height}"]
        if dark:
            flags.append("--blink-settings=preferredColorScheme=0")
        wanted = {"browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
                  "goog:chromeOptions": {"binary": next(filter(None, map(shutil.which, NAMES))), "args": flags}}
        self.session = None
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = f"/session/{answer['sessionId']}"

    def find_port(self):
        """The driver says in one of its first lines where it listens."""
        for line in self.driver.stdout:
            if "successfully on port" in line:
                return int(line.rstrip(".\n").split()[-1])
        raise RuntimeError("chromedriver ended before it listened")

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as failure:
            value = json.load(failure)["value"]
            raise RuntimeError(f"{path}: {value['error']}: {value['message'][:500]}") from None

    def open(self, path):
        self.call("POST", self.session + "/url", {"url": path if path.startswith("http://") else "file://" + os.path.abspath(path)})

    def run(self, script, *arguments):
        return self.call("POST", self.session + "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, *arguments):
        """Runs a script that calls its last argument, a function, when it is done."""
        return self.call("POST", self.session + "/execute/async", {"script": script, "args": list(arguments)})

    def wait_for(self, script, *arguments):
        """Draws until the script returns something true, and returns that."""
        return self.wait("const given = Array.from(arguments), done = given.pop();"  # eval is forbidden in the page
                         f"const ask = function () {{ {script} }};"
                         "const step = () => { const value = ask.apply(null, given); if (value) done(value);"
                         "else requestAnimationFrame(step); }; step();", *arguments)

    def frames(self, count=2):
        """Lets the page draw."""
        self.wait("let n = arguments[0], done = arguments[1];"
                  "const step = () => n-- > 0 ? requestAnimationFrame(step) : done(); step();", count)

    def pointer(self, *steps):
        """steps: ("move", x, y), ("down",), ("up",); x and y from the corner of the window."""
        actions = []
        for kind, *where in steps:
            if kind == "move":
                actions.append({"type": "pointerMove", "duration": 0, "x": round(where[0]), "y": round(where[1])})
            else:
                actions.append({"type": "pointerDown" if kind == "down" else "pointerUp", "button": 0})
        self.act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions})

    @contextlib.contextmanager
    def held(self, *keys):
        """With some keys down, such as SHIFT and ALT."""
        press = lambda kind: self.act({"type": "key", "id": "keys", "actions": [{"type": kind, "value": key} for key in keys]})
        press("keyDown")
        try:
            yield
        finally:
            press("keyUp")

    def wheel(self, x, y, by):
        self.act({"type": "wheel", "id": "wheel", "actions": [
            {"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0, "deltaY": by, "duration": 0}]})

    def key(self, text):
        self.act({"type": "key", "id": "keys", "actions": [
            {"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]})

    def act(self, source):
        self.call("POST", self.session + "/actions", {"actions": [source]})
        self.frames()

    def click(self, selector):
        found = self.call("POST", self.session + "/element", {"using": "css selector", "value": selector})
        self.call("POST", self.session + f"/element/{found[ELEMENT]}/click", {})
        self.frames()

    def log(self):
        """What the console has said since the last call."""
        return self.call("POST", self.session + "/se/log", {"type": "browser"})

    def picture(self, whole=False):
        """The window, or the whole page, as base64 of a PNG."""
        if not whole:
            return self.call("GET", self.session + "/screenshot")
        cdp = {"cmd": "Page.captureScreenshot", "params": {"captureBeyondViewport": True}}
        return self.call("POST", self.session + "/goog/cdp/execute", cdp)["data"]

    def close(self):
        try:
            if self.session:
                self.call("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()
            shutil.rmtree(self.home, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
