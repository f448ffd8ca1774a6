# SPDX-License-Identifier: BSD-3-Clause
"""Names of columns that were Latin-1, Windows-1252, UTF-16 or UTF-8 in the file: the model is read by safetensors, its
export by onnx and onnxruntime, and all of them say the names as a person wrote them.

Wants $SCREE (the binary) and $SRC (the repository). See tests/support/interpreter.py.
"""

import json
import os
import subprocess
import sys
import tempfile

SCREE = os.environ["SCREE"]
SRC = os.environ["SRC"]

sys.path.append(os.path.join(SRC, "tests", "support"))
import interpreter  # noqa: E402

interpreter.need("onnx", "numpy", "onnx", "onnxruntime", "safetensors")

# ruff: noqa: E402
import numpy as np
import onnx
import onnxruntime
from safetensors import safe_open

NAMES = ["température", "Größe", "piñón"]
ROWS = [[20.5, 1013, 1], [21, 1009, 4], [19.25, 1020, 2], [18, 1001, 3], [22, 1017, 7]]


def scree(*arguments, stdin=None):
    done = subprocess.run([SCREE, *arguments], input=stdin, capture_output=True, check=False)
    assert done.returncode == 0, f"scree {' '.join(arguments)}: {done.stderr.decode()}"
    return done.stderr.decode()


def text_of(names):
    lines = [",".join(names)] + [",".join(str(x) for x in row) for row in ROWS]
    return "\r\n".join(lines) + "\r\n"


def check(label, data, names, said):
    with open("data.csv", "wb") as out:
        out.write(data)
    note = scree("fit", "data.csv", "-k", "2", "-o", "model.scree")
    assert said is None or f"read as {said}," in note, f"{label}: {note}"
    scree("fit", "-q", "-", "-k", "2", "-o", "piped.scree", stdin=data)
    with open("model.scree", "rb") as one, open("piped.scree", "rb") as two:
        assert one.read() == two.read(), f"{label}: another model from a pipe"
    with safe_open("model.scree", "np") as model:
        assert json.loads(model.metadata()["columns"]) == names, f"{label}: {model.metadata()['columns']}"
        mean = model.get_tensor("mean")
    assert np.allclose(mean, np.mean(ROWS, axis=0)), f"{label}: {mean}"
    scree("convert", "model.scree", "-o", "model.onnx", "--type", "f8")
    exported = onnx.load("model.onnx")
    onnx.checker.check_model(exported, full_check=True)
    session = onnxruntime.InferenceSession("model.onnx", providers=["CPUExecutionProvider"])
    told = session.get_modelmeta().custom_metadata_map
    assert json.loads(told["columns"]) == names, f"{label}: onnxruntime says {told['columns']}"
    codes = session.run(["codes"], {"x": np.array(ROWS, dtype="f8")})[0]
    scree("project", "-q", "model.scree", "data.csv", "-o", "codes.npy")
    assert np.allclose(codes, np.load("codes.npy"), atol=1e-10), f"{label}: other codes"
    print(f"{label}: {', '.join(names)}")


def main():
    quoted = ["prix en €", "n° “7”", "piñón"]
    check("Latin-1", text_of(NAMES).encode("latin1"), NAMES, "Windows-1252")
    check("Windows-1252", text_of(quoted).encode("cp1252"), quoted, "Windows-1252")
    check("UTF-16 with a mark", text_of(NAMES).encode("utf-16"), NAMES, "UTF-16")
    check("UTF-16 without", text_of(NAMES).encode("utf-16-be"), NAMES, "UTF-16BE")
    check("UTF-8 with a mark", text_of(quoted).encode("utf-8-sig"), quoted, None)
    check("UTF-8", text_of(quoted).encode(), quoted, None)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
