# SPDX-License-Identifier: BSD-3-Clause
"""scree serve over real sockets: it answers its own page, and refuses other hosts, other origins, wrong tokens, tricks with
paths, other methods, garbage, and clients that take for ever; Ctrl-C ends it.

It needs pictures. Wants $SCREE (the binary). Ends with 77 where this scree cannot serve.
"""

import contextlib
import http.client
import json
import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import traceback

SCREE = os.environ["SCREE"]
ROWS, COLS = 4000, 5
HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "X-Frame-Options": "DENY",
           "Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin"}


def make_files():
    chance = random.Random(5)
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({ROWS}, {COLS}), }}".ljust(117) + "\n"
    with open("rows.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for i in range(ROWS):
            file.write(struct.pack(f"<{COLS}f", *(chance.gauss(i % 3, c + 1) for c in range(COLS))))
    with open("rows.csv", "w", encoding="utf-8") as file:
        file.write("a,b,c,kind\n")
        for i in range(300):
            file.write(f"{chance.gauss(0, 1):.3f},{chance.gauss(0, 2):.3f},{i},{'<b>' if i % 2 else 'oak'}\n")
    for name in ("npy", "csv"):
        subprocess.run([SCREE, "fit", "-q", f"rows.{name}", "-k", "2", "-o", f"{name}.scree"], check=True)


class Server:
    def __init__(self, *words):
        self.process = subprocess.Popen([SCREE, "serve", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        address = self.process.stdout.readline()
        found = re.fullmatch(r"http://127\.0\.0\.1:([0-9]+)/([0-9a-f]{32})/\n", address)
        if not found:
            self.process.wait()
            raise RuntimeError(address + self.process.stderr.read())
        self.port, self.token = int(found[1]), found[2]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()

    def ask(self, path="", method="GET", headers=None, whole=None):
        """Status, headers and body."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            connection.putrequest(method, whole if whole is not None else f"/{self.token}/{path}", skip_host=True, skip_accept_encoding=True)
            for name, value in {"Host": f"127.0.0.1:{self.port}", **(headers or {})}.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders()
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

    def raw(self, text):
        """What is answered to these bytes, until the other side closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as line:
            line.sendall(text)
            answer = b""
            with contextlib.suppress(ConnectionResetError):
                while part := line.recv(65536):
                    answer += part
        return answer

    def counted(self):
        while True:
            status = json.loads(self.ask("status")[2])
            if status["coded"] == status["rows"]:
                return status


def check_headers(headers):
    for name, value in HEADERS.items():
        assert headers.get(name) == value, (name, headers)
    assert headers["Content-Security-Policy"].startswith("default-src 'none'"), headers
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"], headers
    assert not [name for name in headers if name.lower().startswith("access-control")], headers


def test_page_and_head(server):
    status, headers, body = server.ask()
    assert status == 200 and body.startswith(b"<!DOCTYPE html>") and b'"rows":4000,' in body and b'"fetches":true' in body
    check_headers(headers)
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    head_status, head_headers, nothing = server.ask(method="HEAD")
    assert head_status == 200 and nothing == b"" and head_headers["Content-Length"] == str(len(body))
    check_headers(head_headers)


def test_counts_all_rows(server):
    assert server.counted()["rows"] == ROWS
    status, headers, body = server.ask("tiles?x=0&y=1&z=-8&i=-1&j=-1&w=2&h=2")
    assert status == 200 and headers["Content-Type"] == "application/octet-stream"
    words = struct.unpack(f"<{len(body) // 4}I", body)
    assert words[0] == ROWS and words[2] == 1 and sum(words[6::2]) == ROWS


def test_rows_as_they_are(server):
    with open("rows.npy", "rb") as file:
        data = file.read()[-4 * ROWS * COLS:]
    for number in (1, 17, ROWS):
        status, _, body = server.ask(f"row?n={number}")
        cells = json.loads(body)["cells"]
        assert status == 200 and struct.pack(f"<{COLS}f", *cells) == data[4 * COLS * (number - 1):4 * COLS * number], number
        assert max(len(repr(cell)) for cell in cells) <= 13, cells  # the digits that a float has


def test_refuses_other_hosts(server):
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", f"127.0.0.1:{server.port + 1}", "localhost", "",
                 f"127.0.0.1:{server.port}.evil.example", f"0.0.0.0:{server.port}", None):
        status, headers, body = server.ask(headers={"Host": host})
        assert status in (400, 421) and b"<!DOCTYPE html>\n<!-- SPDX" not in body, (host, status)
        if status == 421:
            check_headers(headers)
    assert server.ask(headers={"Host": f"localhost:{server.port}"})[0] == 200


def test_refuses_other_origins(server):
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{server.port}", f"http://localhost:{server.port}", "http://127.0.0.1", ""):
        status, headers, body = server.ask("status", headers={"Origin": origin})
        assert status == 403 and b"rows" not in body, (origin, status)
        check_headers(headers)
    for site in ("cross-site", "same-site", "x"):
        assert server.ask(headers={"Sec-Fetch-Site": site})[0] == 403
    own = {"Origin": f"http://127.0.0.1:{server.port}", "Sec-Fetch-Site": "same-origin"}
    assert server.ask("status", headers=own)[0] == 200
    assert server.ask(headers={"Sec-Fetch-Site": "none"})[0] == 200


def test_refuses_headers_that_are_there_twice(server):
    for twice in ("Host: 127.0.0.1:%d\r\nHost: evil.example", "Host: evil.example\r\nHost: 127.0.0.1:%d",
                  "Host: 127.0.0.1:%d\r\nSec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site"):
        head = twice % server.port
        answer = server.raw(f"GET /{server.token}/status HTTP/1.1\r\n{head}\r\n\r\n".encode())
        assert re.match(rb"HTTP/1\.[01] 4[0-9][0-9] ", answer), answer


def test_refuses_wrong_tokens(server):
    token = server.token
    wrong = [token[:-1] + ("0" if token[-1] != "0" else "1"), token[:-1], token + "0", token.upper() + "x", "0" * 32, "", "%" + token, "x/../" + token]
    for other in wrong:
        status, headers, body = server.ask(whole=f"/{other}/status")
        assert status == 403 and b"rows" not in body, other
        check_headers(headers)
    for path in ("/", "/status", "/favicon.ico", f"/?token={token}"):
        assert server.ask(whole=path)[0] == 403, path


def test_refuses_tricks_with_paths(server):
    for path in ("../etc/passwd", "..%2f..%2fetc/passwd", "%2e%2e/", "....//", "./", "/", "//etc/passwd", "status/..", "status/", "STATUS",
                 "status%00", "page.html", "row/../status", "\\..\\", "%72ow?n=1", "index.html", "~", "C:"):
        status, headers, body = server.ask(path)
        assert status == 404 and b"root:" not in body, (path, status)
        check_headers(headers)
    for path in ("?x=1", "status?", "status?x", "row", "row?n=0", f"row?n={ROWS + 1}", "row?n=1&n=2", "row?n=%31", "row?n=1;", "row?n=1e400",
                 "tiles?x=0&y=9&z=0&i=0&j=0&w=1&h=1", "tiles?x=0&y=1&z=0&i=0&j=0&w=100&h=100", "nearest?x=0&y=1&cx=nan&cy=0&r=1"):
        assert server.ask(path)[0] == 400, path


def test_refuses_other_methods(server):
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get", "BREW"):
        status, headers, _ = server.ask(method=method, headers={"Content-Length": "0"})
        assert status == 405 and headers["Allow"] == "GET, HEAD", (method, status)
        check_headers(headers)


def test_survives_garbage(server):
    chance = random.Random(1)
    long = b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n"
    header = f"GET /{server.token}/ HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX: ".encode() + b"a" * 100000 + b"\r\n\r\n"
    many = f"GET /{server.token}/ HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n".encode() + b"X: y\r\n" * 20000 + b"\r\n"
    absolute = f"GET http://127.0.0.1:{server.port}/{server.token}/status HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
    for text in (long, header, many, absolute, b"\x16\x03\x01\x02\x00" + b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n" * 50 + b"X\r\n\r\n",
                 b"GET /\0 HTTP/1.1\r\nHost: \0\r\n\r\n"):
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            answer = server.raw(text)
            assert b" 200 " not in answer[:20], (text[:60], answer[:200])
    for _ in range(50):
        with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line, contextlib.suppress(OSError):
            line.sendall(bytes(chance.randrange(256) for _ in range(chance.randrange(400))))
    assert server.ask("status")[0] == 200


def test_slow_clients_are_left_behind(server):
    """Connections on which nothing comes are closed, as many as they are, and do not keep others out for longer."""
    lines = []
    for _ in range(40):
        line = socket.create_connection(("127.0.0.1", server.port), timeout=60)
        line.sendall(b"GET /")
        lines.append(line)
    assert server.ask("status")[0] == 200  # it may have to wait for a place
    for line in lines:
        with contextlib.suppress(ConnectionResetError):
            answer = line.recv(1000)
            assert b" 200 " not in answer, answer
        line.close()


def test_is_for_this_machine_alone(server):
    with open("/proc/net/tcp", encoding="ascii") as file:
        own = [line.split()[1] for line in file if line.split()[3] == "0A" and line.split()[1].endswith(f":{server.port:04X}")]
    assert own == [f"0100007F:{server.port:04X}"], own
    with open("/proc/net/tcp6", encoding="ascii") as file:
        assert not [line for line in file if line.split()[3] == "0A" and line.split()[1].endswith(f":{server.port:04X}")]


def test_labels_and_no_random_access(_):
    with Server("csv.scree", "rows.csv", "--label", "kind") as server:
        assert server.counted()["classes"] == ["<b>", "oak"] or server.counted()["classes"] == ["oak", "<b>"]
        body = server.ask()[2]
        assert b"<b>" not in body.split(b'id="data"')[1] and b'"fetches":false' in body
        assert server.ask("row?n=3")[0] == 404
        assert "scree convert" in end(server, signal.SIGINT)


def test_tokens_differ(server):
    with Server("npy.scree", "rows.npy") as other:
        assert other.token != server.token
        assert other.ask(whole=f"/{server.token}/")[0] == 403


def end(server, how):
    server.counted()
    server.process.send_signal(how)
    _, err = server.process.communicate(timeout=60)
    assert server.process.returncode == -how, (server.process.returncode, err)
    return err


def test_signals_end_it(_):
    for how in (signal.SIGINT, signal.SIGTERM):
        with Server("npy.scree", "rows.npy") as server:
            with contextlib.closing(socket.create_connection(("127.0.0.1", server.port))) as waiting:
                waiting.sendall(b"GET /")
                end(server, how)
    done = subprocess.run([SCREE, "serve", "npy.scree", "rows.npy", "--idle", "0.2"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done


def test_port_in_use(server):
    done = subprocess.run([SCREE, "serve", "npy.scree", "rows.npy", "--port", str(server.port)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1 and done.stdout == "" and f"port {server.port} is taken by another program" in done.stderr, done


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_files()
        try:
            common = Server("npy.scree", "rows.npy")
        except RuntimeError as error:
            if "needs" in str(error) and "install it" in str(error):
                print(f"skipped: {error}")
                sys.exit(77)
            raise
        with common:
            for name, test in list(globals().items()):
                if not name.startswith("test_") or (sys.argv[1:] and name not in sys.argv[1:]):
                    continue
                try:
                    test(common)
                    print(f"{name}: ok")
                except (AssertionError, OSError, http.client.HTTPException):
                    print(f"{name}: failed")
                    traceback.print_exc(file=sys.stdout)
                    failed += 1
        os.chdir("/")
    sys.exit(1 if failed else 0)


main()
