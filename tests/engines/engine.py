# SPDX-License-Identifier: BSD-3-Clause
"""What tests of engines share: a Python that has the engine, rows in parts, and the model of one fit to compare with.

Wants $SCREE (the binary, with the Python package beside it) and $SRC (the repository). Where there is no such Python, a
test ends with 77.
"""

import os
import subprocess
import sys
import tempfile

SCREE, SRC = os.environ["SCREE"], os.environ["SRC"]
PACKAGE = os.path.join(os.path.dirname(SCREE), "python")
TOLERANCE = 1e-12

sys.path.append(os.path.join(SRC, "tests", "support"))
import interpreter  # noqa: E402
from interpreter import skip  # noqa: E402


def need(*modules):
    """Goes on with an interpreter that has the modules."""
    interpreter.need("engines", *modules)
    if not os.path.isdir(PACKAGE):
        skip("the Python package was not built")
    sys.path.insert(0, PACKAGE)


def rows(n, d, mean=0.0):
    """Rows of falling spread."""
    import numpy as np

    draw = np.random.default_rng(11)
    turn = np.linalg.qr(draw.normal(size=(d, d)))[0]
    return draw.normal(size=(n, d)) * 0.8 ** np.arange(d) @ turn + mean


def written(folder, x, sizes):
    """Files of so many rows each, and one of all."""
    import numpy as np

    names = ",".join(f"c{j}" for j in range(x.shape[1]))
    starts = np.cumsum([0, *sizes])
    files = [os.path.join(folder, f"part-{i}.csv") for i in range(len(sizes))]
    for path, start, size in zip(files, starts, sizes):
        np.savetxt(path, x[start : start + size], delimiter=",", header=names, comments="", fmt="%.17g")
    whole = os.path.join(folder, "whole.csv")
    np.savetxt(whole, x, delimiter=",", header=names, comments="", fmt="%.17g")
    return files, whole


def example(name, *modules):
    """Runs examples/engines/NAME.py on uneven parts: its model is that of one fit."""
    need("numpy", *modules)
    import scree

    with tempfile.TemporaryDirectory() as folder:
        x = rows(500, 7, 1e6)
        files, whole = written(folder, x, [200, 1, 150, 99, 50])
        made, once = os.path.join(folder, "made.scree"), os.path.join(folder, "once.scree")
        script = os.path.join(SRC, "examples", "engines", f"{name}.py")
        environment = {**os.environ, "PYTHONPATH": PACKAGE, "PYTHONDONTWRITEBYTECODE": "1"}
        environment |= {"PYSPARK_PYTHON": sys.executable, "RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
        subprocess.run([sys.executable, script, made, "3", *files], check=True, env=environment, cwd=folder)
        subprocess.run([SCREE, "fit", "-q", whole, "-k", "3", "-o", once], check=True)
        same(scree.load(made), scree.load(once))
        names = [f"c{j}" for j in range(7)]
        assert list(scree.load(made).feature_names_in_) == names, "the columns have lost their names"


def same(found, wanted, tolerance=TOLERANCE):
    """Eigenvalues to so many digits, components to the angle that they leave."""
    import numpy as np

    for name in ("mean_", "explained_variance_", "components_"):
        a, b = (np.asarray(getattr(model, name), dtype=float) for model in (found, wanted))
        assert a.shape == b.shape, f"{name} has the shape {a.shape}, not {b.shape}"
        error = np.max(np.abs(a - b)) / np.max(np.abs(b))
        assert error <= (10 if name == "components_" else 1) * tolerance, f"{name} is off by {error:.2g}"


def refused(call, part, kind=ValueError):
    """A sentence that says so."""
    try:
        call()
    except kind as error:
        assert part in str(error), f"'{error}' does not say '{part}'"
    else:
        raise AssertionError(f"nothing says '{part}'")
