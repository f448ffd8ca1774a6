# SPDX-License-Identifier: BSD-3-Clause
"""Exported models in onnxruntime: onnx's checker takes the files, and what comes out is what scree project and scree
reconstruct say, in float to 1e-5 of the spread of the data and in double to rounding.

Wants $SCREE (the binary) and $SRC (the repository). See tests/support/interpreter.py.
"""

import os
import subprocess
import sys
import tempfile

SCREE = os.environ["SCREE"]
SRC = os.environ["SRC"]

sys.path.append(os.path.join(SRC, "tests", "support"))
import interpreter  # noqa: E402

interpreter.need("onnx", "numpy", "onnx", "onnxruntime")

# ruff: noqa: E402
import numpy as np
import onnx
import onnxruntime

DIGITS = os.path.join(SRC, "data", "mnist01", "mnist01-1000-images-idx3-ubyte.gz")
BOUND = {"f4": 1e-5, "f8": 1e-12}  # of the spread
ROUNDING = {"f4": 1e-7, "f8": 3e-16}  # of what comes out, which may lie far from 0


def scree(*arguments):
    done = subprocess.run([SCREE, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"scree {' '.join(arguments)}: {done.stderr}"
    return done.stdout


def run(path, **inputs):
    """Outputs by name, of a file that the checker takes."""
    onnx.checker.check_model(onnx.load(path), full_check=True)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return dict(zip([output.name for output in session.get_outputs()], session.run(None, inputs)))


def near(label, found, wanted, spread, bound):
    off = np.abs(found - wanted).max() / spread
    assert found.shape == wanted.shape and off <= bound, f"{label}: off by {off:.2g} of the spread, more than {bound:g}"
    return off


def check(label, model, rows, types):
    """All parts and types of a model, beside what scree says of the rows (an NPY)."""
    scree("project", "-q", model, rows, "--type", "f8", "-o", "codes.npy")
    scree("reconstruct", "-q", model, "codes.npy", "-o", "back.npy")
    x, codes, back = np.load(rows), np.load("codes.npy"), np.load("back.npy")
    for kind in types:
        name, dtype = f"m-{kind}.onnx", np.dtype(kind)
        for part in ("both", "encode", "decode"):
            scree("convert", model, "-o", part + "-" + name, "--type", kind, "--part", part)
        both = run("both-" + name, x=x.astype(dtype))
        bound, spread = BOUND[kind], codes.std()
        width = x.std(axis=0).max() + ROUNDING[kind] / bound * np.abs(x).max()
        worst = [near(f"{label} {kind} codes", both["codes"], codes, spread, bound),
                 near(f"{label} {kind} reconstruction", both["reconstruction"], back, width, bound)]
        near(f"{label} {kind} encode", run("encode-" + name, x=x.astype(dtype))["codes"], codes, spread, bound)
        near(f"{label} {kind} decode", run("decode-" + name, codes=codes.astype(dtype))["reconstruction"], back, width,
             bound)
        assert run("both-" + name, x=x[:1].astype(dtype))["codes"].shape == (1, codes.shape[1])  # N is open
        print(f"{label}, {kind}: codes within {worst[0]:.1e}, reconstruction within {worst[1]:.1e} of the spread")


def check_pca():
    scree("convert", DIGITS, "-o", "digits.npy")
    scree("fit", "-q", "digits.npy", "-k", "20", "-o", "digits.scree")
    check("digits", "digits.scree", "digits.npy", ("f4", "f8"))
    chance = np.random.default_rng(7)
    plain = chance.normal(size=(500, 12)) @ chance.normal(size=(12, 12)) * 10.0 ** -np.arange(12)
    for label, rows, more in (("scaled", plain, ("--scale", "unit")), ("far off", plain[:, :3] + 3e4, ()),
                              ("one column", plain[:, :1], ())):
        np.save("rows.npy", rows.astype("f4"))
        scree("fit", "-q", "rows.npy", "-k", "1" if rows.shape[1] == 1 else "3", *more, "-o", "m.scree")
        check(label, "m.scree", "rows.npy", ("f4", "f8"))


def check_networks():
    """Agreement does not wait for a good network: a few epochs do."""
    for label, more in (("deep", ("--code", "5", "--hidden", "40,20")),
                        ("tied", ("--code", "4", "--hidden", "30", "--tied", "--activation", "tanh")),
                        ("linear", ("--code", "3", "--linear"))):
        scree("autoencode", "-q", "digits.npy", *more, "--epochs", "2", "-o", "net.scree")
        check(label, "net.scree", "digits.npy", ("f4",))


def check_what_is_said():
    scree("fit", "-q", os.path.join(SRC, "examples", "iris.csv"), "-k", "2", "-o", "iris.scree")
    scree("convert", "iris.scree", "-o", "iris.onnx")
    model = onnx.load("iris.onnx")
    said = {entry.key: entry.value for entry in model.metadata_props}
    assert said["columns"] == '["sepal_length","sepal_width","petal_length","petal_width"]' and said["kind"] == "pca"
    assert model.producer_name == "scree" and "Principal component analysis" in model.doc_string


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_pca()
        check_networks()
        check_what_is_said()
        os.chdir(SRC)


main()
