# SPDX-License-Identifier: BSD-3-Clause
"""Dependencies between rooms point one way: base <- kernel <- {data, model} <- answer <- fit <- {kind, state}; view is outside.

Each #include in src/ names a room that its own room may use; view, a library of its own, sees scree.h, scree_view.h and
scree_private.h; a module in src/module sees scree.h and its own folder; mpi, another library, scree_mpi.h; cli/, examples/ and python/ see scree.h, scree_view.h and their own headers; a library that is wrapped in
one file is included nowhere else. What a line includes is all that is looked at.
"""

import os
import re

import tree

BASE = ["base"]
KERNEL = BASE + ["kernel"]
ANSWER = KERNEL + ["data", "model", "answer"]
MAY_USE = {
    "base": BASE,
    "kernel": KERNEL,
    "data": KERNEL + ["data"],
    "model": KERNEL + ["model"],
    "answer": ANSWER,
    "fit": ANSWER + ["fit"],
    "kind": ANSWER + ["fit", "kind"],
    "state": KERNEL + ["data", "model", "fit", "state"],
    "archive": KERNEL + ["data", "model", "fit", "archive"],
    "view": ["view"],
    "serve": ["view", "serve"],
    "module": [],
    "mpi": [],
}
OUTSIDE = ("cli", "examples", "python")
PUBLIC = ("scree.h", "scree_view.h", "scree_mpi.h")
WRAPPED = {
    "cblas.h": ("src/kernel/blas.h", "src/kernel/blas.c"),
    "lapacke.h": ("src/kernel/blas.h", "src/kernel/lapack.c"),
    "zstd.h": ("src/archive/squeeze.c",),
    "lzma.h": ("src/data/unxz.c",),
    "mpi.h": ("src/mpi/mpi.c",),
    "microhttpd.h": ("cli/serve_http.c",),
    "cairo.h": ("src/view/canvas_inner.h",),
    "cairo-pdf.h": ("src/view/canvas.c",),
    "cairo-svg.h": ("src/view/canvas.c",),
}
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def check_outside(top, name, path):
    beside = os.path.join(top, os.path.dirname(name), path)
    if path not in PUBLIC and (".." in path or not os.path.exists(beside)):
        return f"includes \"{path}\"; outside of src/ only scree.h, scree_view.h and the headers beside the file are seen"
    return None


def check_module(name, path):
    """A module is one folder, which sees scree.h and its own headers."""
    if path == "scree.h" or path.startswith("module/" + name.split("/")[2] + "/"):
        return None
    return f"includes \"{path}\"; a module sees scree.h and module/{name.split('/')[2]}/ only"


def check_inside(name, path):
    room = name.split("/")[1] if name.count("/") > 1 else None
    if room == "module":
        return check_module(name, path)
    if room not in MAY_USE:
        return f"stands in no known room; src/ has {', '.join(MAY_USE)}"
    if path in ("scree.h", "scree_private.h") or (room in ("view", "serve") and path in PUBLIC) or (
            room == "mpi" and path == "scree_mpi.h"):
        return None
    other = path.split("/")[0]
    if "/" not in path or other not in MAY_USE:
        return f"includes \"{path}\"; write it as \"ROOM/{os.path.basename(path)}\""
    if other not in MAY_USE[room]:
        return f"room {room} includes \"{path}\", but may use only {', '.join(MAY_USE[room])}"
    return None


def check(top, name, mark, path):
    folder = name.split("/")[0]
    wrappers = WRAPPED.get(path)
    if wrappers and folder in ("src",) + OUTSIDE and name not in wrappers:
        return f"includes <{path}>, which only {' and '.join(wrappers)} may"
    if mark == "<":
        return None
    if folder == "src":
        return check_inside(name, path)
    return check_outside(top, name, path)


def findings(top):
    for name in tree.c_files(top, "src", *OUTSIDE):
        for number, line in enumerate(tree.read(top, name).splitlines(), 1):
            include = INCLUDE.match(line)
            sentence = include and check(top, name, *include.groups())
            if sentence:
                yield name, number, sentence


tree.tell(findings(tree.root()))
