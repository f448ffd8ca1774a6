# SPDX-License-Identifier: BSD-3-Clause
"""Firefox to test pages in, without a window, driven by WebDriver BiDi over a web socket with nothing but the standard library.

    with Firefox() as browser:
        browser.open("/tmp/report.html")
        browser.run("document.title")

There is no network for it to reach: its proxy is a port that nobody listens on.
"""

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile

NAMES = ("firefox-esr", "firefox")
QUIET = {"network.proxy.type": 1, "network.proxy.http": "127.0.0.1", "network.proxy.http_port": 9, "network.proxy.ssl": "127.0.0.1", "network.proxy.ssl_port": 9,
         "app.update.enabled": False, "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.enabled": False}


def missing():
    """What is not here and is needed; None when all is."""
    return None if any(shutil.which(name) for name in NAMES) else "firefox-esr"


class Socket:
    """A web socket as RFC 6455 has it, for texts."""

    def __init__(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.held = b""
        while b"\r\n\r\n" not in self.held:
            self.held += self.socket.recv(4096)
        head, self.held = self.held.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0] + b" ":
            raise RuntimeError(f"the browser does not open a web socket: {head[:200]}")

    def take(self, size):
        while len(self.held) < size:
            more = self.socket.recv(1 << 16)
            if not more:
                raise RuntimeError("the browser has closed its web socket")
            self.held += more
        taken, self.held = self.held[:size], self.held[size:]
        return taken

    def send(self, text, kind=1):
        data, mask = text.encode() if isinstance(text, str) else text, os.urandom(4)
        size = struct.pack(">B", 0x80 | len(data)) if len(data) < 126 else struct.pack(">BH", 0xFE, len(data)) if len(data) < 65536 else struct.pack(">BQ", 0xFF, len(data))
        self.socket.sendall(bytes([0x80 | kind]) + size + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def receive(self):
        """The next whole text."""
        text = b""
        while True:
            first, size = self.take(2)
            size &= 0x7F
            if size == 126:
                size = struct.unpack(">H", self.take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.take(8))[0]
            data = self.take(size)
            if first & 0x0F == 9:
                self.send(data, 10)
                continue
            text += data
            if first & 0x80:
                return text.decode()


class Firefox:
    def __init__(self, width=1200, height=900):
        self.home = tempfile.mkdtemp(prefix="scree-browser-")
        with open(os.path.join(self.home, "user.js"), "w", encoding="utf-8") as file:
            file.writelines(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in QUIET.items())
        self.process = subprocess.Popen([next(filter(None, map(shutil.which, NAMES))), "--headless", "--no-remote", "--profile", self.home, "--remote-debugging-port=0", f"--window-size={width},{height}", "about:blank"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, "HOME": self.home, "MOZ_HEADLESS_WIDTH": str(width), "MOZ_HEADLESS_HEIGHT": str(height)})
        self.count, self.said, self.socket = 0, [], None
        self.socket = Socket(self.find_port(), "/session")
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded"])
        self.context = self.call("browsingContext.create", type="window")["context"]  # the first one never has the keyboard

    def find_port(self):
        """The browser says in one of its first lines where it listens."""
        for line in self.process.stderr:
            if "listening on ws://" in line:
                return int(line.strip().rsplit(":", 1)[1])
        raise RuntimeError("Firefox ended before it listened")

    def call(self, method, **parameters):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.receive())
            if answer.get("method") == "log.entryAdded":
                self.said.append(answer["params"])
            elif answer.get("id") == self.count:
                if answer.get("type") == "error":
                    raise RuntimeError(f"{method}: {answer['error']}: {answer['message'][:500]}")
                return answer["result"]

    def open(self, path, fragment=""):
        self.call("browsingContext.navigate", context=self.context, url=f"file://{os.path.abspath(path)}{fragment}", wait="complete")

    def run(self, expression):
        """The value of an expression, or of the promise that it is, by way of JSON."""
        script = f"Promise.resolve({expression}).then((value) => JSON.stringify(value === undefined ? null : value))"
        answer = self.call("script.evaluate", expression=script, target={"context": self.context}, awaitPromise=True)
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def wait_for(self, expression):
        """Draws until the expression is true, for 3000 frames at most, and returns it."""
        return self.run(f"new Promise((done, fail) => {{ let n = 3000; const step = () => {{ const value = {expression}; if (value) done(value);"
                        " else if (n-- > 0) requestAnimationFrame(step); else fail(new Error('it never became true')); }; step(); })")

    def frames(self, count=3):
        self.run(f"new Promise((done) => {{ let n = {count}; const step = () => n-- > 0 ? requestAnimationFrame(step) : done(1); step(); }})")

    def pointer(self, *steps):
        """steps: ("move", x, y), ("down",), ("up",); x and y from the corner of the window."""
        kinds = {"move": "pointerMove", "down": "pointerDown", "up": "pointerUp"}
        actions = [{"type": kinds[kind], **({"x": round(at[0]), "y": round(at[1])} if at else {"button": 0})} for kind, *at in steps]
        self.call("input.performActions", context=self.context, actions=[{"type": "pointer", "id": "mouse", "actions": actions}])
        self.frames()

    def click(self, selector):
        x, y = self.run(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{ block: 'center' }}); const b = e.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; }})()")
        self.pointer(("move", x, y), ("down",), ("up",))

    def key(self, text):
        actions = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        self.call("input.performActions", context=self.context, actions=[{"type": "key", "id": "keys", "actions": actions}])
        self.frames()

    def printed(self):
        """The page as a PDF."""
        return base64.b64decode(self.call("browsingContext.print", context=self.context, background=True)["data"])

    def close(self):
        try:
            if self.socket:
                self.call("browser.close")
        except (RuntimeError, OSError):
            pass
        finally:
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process.stderr.close()
            shutil.rmtree(self.home, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
