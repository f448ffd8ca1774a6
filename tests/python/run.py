# SPDX-License-Identifier: BSD-3-Clause
"""Runs the tests of the Python package: run.py PACKAGE_DIR [package|sklearn|wheel|free].

package: those of this folder, and the examples in docstrings. sklearn: scikit-learn's own tests of PCA, IncrementalPCA and
TruncatedSVD, unmodified, on our classes, with and without array API; SCREE_PROVE=full runs all, else a sample. wheel:
builds a wheel, installs it beside nothing but NumPy, and tests it there; free does so for a free-threaded Python. Whatever is
missing is said in one sentence.
"""

import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TOOLS = os.path.join(ROOT, "build", "tools", "bin", "python")


def skip(sentence):
    print(f"skipped: {sentence}")
    sys.exit(77)


def interpreter(*modules):
    """A Python that has all of them: this one, or that of tools/setup python."""
    for python in (os.environ.get("SCREE_PYTHON"), TOOLS, sys.executable):
        probe = f"import {', '.join(modules)}"
        if python and subprocess.run([python, "-c", probe], capture_output=True).returncode == 0:
            return python
    skip(f"no Python with {', '.join(modules)}; tools/setup python installs them")


def run(package, python, *arguments, **variables):
    path = os.pathsep.join([package, HERE])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **variables}
    return subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments], env=environment, cwd=tempfile.gettempdir()).returncode


def of_package(package):
    python = interpreter("numpy", "pytest")
    files = [os.path.join(HERE, name) for name in sorted(os.listdir(HERE)) if name.startswith("test_")]
    tests = run(package, python, *files)
    sources = os.path.join(package, "scree")
    examples = run(package, python, "--doctest-modules", "--import-mode=importlib", *(
        os.path.join(sources, name) for name in ("__init__.py", "_run.py", "_pca.py", "_incremental.py", "_truncated.py", "_ppca.py", "_autoencoder.py", "_archive.py")
    ))
    return tests or examples or of_types(python)


def of_types(python):
    """mypy --strict, where it is."""
    if subprocess.run([python, "-c", "import mypy"], capture_output=True).returncode != 0:
        print("types are not checked: there is no mypy")
        return 0
    with tempfile.TemporaryDirectory() as cache:
        return subprocess.run([python, "-m", "mypy", "--cache-dir", cache], cwd=ROOT).returncode


def of_sklearn(package):
    python = interpreter("numpy", "pytest", "sklearn", "array_api_strict")
    found = subprocess.run([python, "-c", "import sklearn.decomposition.tests as t; print(t.__path__[0])"], capture_output=True, text=True, check=True)
    folder = found.stdout.strip()
    tests = [os.path.join(folder, f"test_{name}.py") for name in ("pca", "incremental_pca", "truncated_svd")]
    # One conftest, by its name: found by its path as well, where the folder of tests lies below a project, it would be there twice.
    plugins = ["--noconftest", "-p", "sklearn.conftest", "-p", "swap_sklearn"]
    if os.environ.get("SCREE_PROVE") != "full":
        return run(package, python, *plugins, *tests, "-k", "not test_pca_sparse")
    plain = run(package, python, *plugins, *tests)
    floats = run(package, python, *plugins, *tests, SKLEARN_RUN_FLOAT32_TESTS="1")
    return plain or floats or run(package, python, *plugins, *tests, SCIPY_ARRAY_API="1")


def of_wheel(base=sys.executable):
    if subprocess.run([base, "-c", "import ensurepip"]).returncode != 0:
        skip("no module ensurepip to make a virtual environment with")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([base, "-m", "venv", os.path.join(folder, "bare")], check=True)
        python = os.path.join(folder, "bare", "bin", "python")
        if subprocess.run([python, "-m", "pip", "install", "-q", "numpy", "pytest"]).returncode != 0:
            skip("pip cannot install NumPy here")
        made = subprocess.run([os.path.join(ROOT, "tools", "python_wheel"), folder], env={**os.environ, "PYTHON": base})
        if made.returncode == 77:
            return 77
        wheels = [name for name in os.listdir(folder) if name.endswith(".whl")]
        if made.returncode != 0 or not wheels:
            return 1
        subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", os.path.join(folder, wheels[0])], check=True)
        files = [shutil.copy(os.path.join(HERE, name), folder) for name in sorted(os.listdir(HERE)) if name.endswith(".py")]
        files = [file for file in files if os.path.basename(file).startswith("test_")]
        alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run([python, "-m", "pytest", "-q", *files], cwd=folder, env=alone).returncode


def of_free():
    """The wheel of a free-threaded Python: that which SCREE_FREE_PYTHON names, or the newest on the PATH."""
    names = [os.environ.get("SCREE_FREE_PYTHON"), *(f"python3.{minor}t" for minor in range(20, 12, -1))]
    base = next((found for name in names if name and (found := shutil.which(name))), None)
    if base is None:
        skip("no free-threaded Python, such as python3.14t, is on the PATH")
    return of_wheel(base)


def main():
    package, what = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "package"
    sys.exit({"package": lambda: of_package(package), "sklearn": lambda: of_sklearn(package), "wheel": of_wheel, "free": of_free}[what]())


main()
