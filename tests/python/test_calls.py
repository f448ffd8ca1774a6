# SPDX-License-Identifier: BSD-3-Clause
"""Long calls: other threads go on, Ctrl-C ends them, progress is told, errors have their types."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import scree


def long_rows():
    """Batches without end to speak of, each as slow as a disk."""
    X = np.random.default_rng(0).normal(size=(2000, 50))
    for _ in range(10000):
        time.sleep(0.002)
        yield X


def test_a_thread_advances_during_a_fit():
    X = np.random.default_rng(0).normal(size=(20000, 300))
    count, done = 0, threading.Event()

    def advance():
        nonlocal count
        while not done.is_set():
            count += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=advance)
    thread.start()
    try:
        before = count
        for _ in range(5):
            scree.PPCA(5).fit(X)
        during = count - before
    finally:
        done.set()
        thread.join()
    assert during > 20


INTERRUPTED = """
import signal, sys, threading, time, os
import numpy as np, scree
sys.path.insert(0, sys.argv[1])
from test_calls import long_rows
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background of a shell
started = []
def interrupt():
    time.sleep(0.5)
    started.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
estimator = getattr(scree, sys.argv[2])(5)
threading.Thread(target=interrupt, daemon=True).start()
try:
    estimator.fit(long_rows())
except KeyboardInterrupt:
    print("stopped", time.monotonic() - started[0], flush=True)
os._exit(0)
"""


@pytest.mark.parametrize("name", ["PCA", "PPCA", "Autoencoder", "IncrementalPCA"])
def test_interrupt(name):
    here = os.path.dirname(os.path.abspath(__file__))
    told = subprocess.run([sys.executable, "-c", INTERRUPTED, here, name], capture_output=True, text=True, timeout=60)
    words = told.stdout.split()
    assert words[:1] == ["stopped"], told.stderr
    assert float(words[1]) < 1


def test_interrupt_that_another_thread_catches():
    """It wakes nobody who waits."""
    code = (
        "import os, signal, threading, time, numpy as np, scree\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "X, sent = np.random.default_rng(0).normal(size=(2500, 2500)), []\n"
        "def send():\n"
        "    while not (found := [one.ident for one in threading.enumerate() if one.name == 'scree' and one.ident]): time.sleep(0.001)\n"
        "    time.sleep(0.3)\n"
        "    sent.append(time.monotonic())\n"
        "    signal.pthread_kill(found[0], signal.SIGINT)\n"
        "threading.Thread(target=send, daemon=True).start()\n"
        "try:\n"
        "    scree.PCA(svd_solver='full').fit(X)\n"
        "except KeyboardInterrupt: print('stopped', time.monotonic() - sent[0], flush=True)\n"
        "os._exit(0)\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    words = told.stdout.split()
    assert words[:1] == ["stopped"] and float(words[1]) < 1, told.stderr


def test_interrupt_in_the_eigenvalues():
    code = (
        "import os, signal, threading, time, numpy as np, scree\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "X = np.random.default_rng(0).normal(size=(1500, 1500))\n"
        "threading.Timer(0.15, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    for _ in range(100): scree.PPCA('all', solver='covariance').fit(X)\n"
        "except KeyboardInterrupt: print('stopped', flush=True)\n"
        "os._exit(0)\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert told.stdout.split() == ["stopped"], told.stderr


def test_progress():
    calls = []
    X = np.random.default_rng(0).normal(size=(2000, 10))
    with scree.config_context(progress=calls.append):
        scree.PPCA(2).fit(X)
    assert calls and calls[-1].stage == "fit" and calls[-1].rows == 2000 and calls[-1].rows_total == 2000
    assert scree.get_config()["progress"] is None
    with pytest.raises(TypeError, match="no setting"):
        scree.set_config(colour=1)


def test_progress_of_answers(tmp_path):
    calls = []
    X = np.random.default_rng(0).normal(size=(2000, 10))
    np.save(tmp_path / "rows.npy", X)
    model = scree.PPCA(2).fit(X)
    with scree.config_context(progress=calls.append):
        model.transform(tmp_path / "rows.npy")
    assert calls[-1][:5] == ("project", 1, 1, 2000, 2000) and calls[-1].done == 1
    assert calls[-1].seconds_left == 0


def test_bars_end_where_the_work_does(capsys):
    pytest.importorskip("tqdm")
    X = np.random.default_rng(0).normal(size=(2000, 100))
    with scree.config_context(progress=True):
        scree.PPCA(2).fit(X)
    shown = [line.split("\r")[-1] for line in capsys.readouterr().err.split("\n")]
    assert all("100%" in line for line in shown if line.strip()), shown


def test_passes_without_number_have_one_bar(capsys):
    pytest.importorskip("tqdm")
    from scree._run import Progress, _Bar

    bar = _Bar()
    for number in range(1, 6):
        bar(Progress("fit", number, 0, 100, 100, None, 1.0, None))
    bar.finish()
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1 and "fit 5: 100%" in shown


def test_what_progress_raises_comes_out():
    def refuse(progress):
        raise RuntimeError("enough")

    X = np.random.default_rng(0).normal(size=(2000, 10))
    with scree.config_context(progress=refuse), pytest.raises(RuntimeError, match="enough"):
        scree.PPCA(2).fit(X)


def test_what_batches_raise_comes_out():
    def batches():
        yield np.ones((5, 3))
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        scree.PPCA(1).fit(batches())
    with pytest.raises(ValueError, match="4 columns, but the first one had 3"):
        scree.PPCA(1).fit(iter([np.eye(3), np.ones((2, 4))]))
    with pytest.raises(ValueError, match="no batches"):
        scree.PPCA(1).fit(iter([]))


def test_errors(tmp_path):
    handler = signal.getsignal(signal.SIGINT)
    X = np.random.default_rng(0).normal(size=(50, 4))
    with pytest.raises(scree.NotFittedError):
        scree.PPCA(1).transform(X)
    with pytest.raises(scree.NotFittedError):
        scree.PCA(1).transform(X)
    with pytest.raises(OSError):
        scree.load(tmp_path / "nothing.scree")
    with pytest.raises(ValueError):
        scree.PPCA(9).fit(X)
    with pytest.raises(ValueError, match="expecting 4 features"):
        scree.PPCA(2).fit(X).transform(X[:, :3])
    with scree.config_context(memory=1), pytest.raises(MemoryError):
        scree.PPCA(2).fit(X)
    with pytest.raises(TypeError, match="no option 'colour'"):
        scree.PPCA(2).fit(X, colour=1)
    (tmp_path / "bad.scree").write_bytes(b"no model")
    with pytest.raises(ValueError):
        scree.load(tmp_path / "bad.scree")
    assert signal.getsignal(signal.SIGINT) is handler


def test_settings_are_checked_at_once():
    for settings in ({"threads": "x"}, {"threads": -3}, {"threads": True}, {"memory": -1}, {"memory": 1.5}, {"progress": 3}, {"threads": 2**40}, {"comm": 3}):
        with pytest.raises(ValueError, match=next(iter(settings))):
            scree.set_config(**settings)
    assert scree.get_config() == {"threads": 0, "memory": 0, "progress": None, "comm": None}


class Beside:
    """A communicator of two, of which the other one tells what it is given to tell."""

    def __init__(self, told):
        self.told = told

    def Split_type(self, kind):
        raise AssertionError("nothing is shared where somebody has failed")

    def allgather(self, mine):
        return [mine, self.told]


@pytest.mark.parametrize("name", ["PCA", "PPCA"])
def test_nobody_waits_for_a_process_that_has_failed(name, tmp_path):
    X = np.random.default_rng(0).normal(size=(20, 3))
    path = tmp_path / "x.npy"
    np.save(path, X)
    model = getattr(scree, name)(2)
    for told, kind in (((True, "y.npy: there is no such file"), OSError), ((False, "x.npy: is empty"), ValueError)):
        for rows in (path, X):
            with scree.config_context(comm=Beside(told)), pytest.raises(kind, match=f"^rank 1: {told[1]}$"):
                model.fit(rows)
    with scree.config_context(comm=Beside(None)), pytest.raises(OSError, match="z.npy: there is no such file"):
        model.fit(tmp_path / "z.npy")


@pytest.mark.parametrize("name", ["PCA", "PPCA"])
def test_weights_are_checked(name):
    X = np.random.default_rng(0).normal(size=(20, 3))
    for row, weight, words in ((3, -1.0, "sample_weight is -1 for row 3"), (4, np.nan, "sample_weight contains NaN, of row 4"), (5, np.inf, "sample_weight is inf")):
        weights = np.ones(20)
        weights[row] = weight
        with pytest.raises(ValueError, match=words):
            getattr(scree, name)(2).fit(X, sample_weight=weights)


def test_messages_count_as_python_does():
    X = np.random.default_rng(0).normal(size=(6, 3))
    X[3, 2] = np.inf
    model = scree.PPCA(1).fit(np.nan_to_num(X, posinf=0))
    for call in (scree.PPCA(1).fit, model.transform, lambda rows: scree.State(3).add(rows), lambda rows: scree.PPCA(1).fit(iter([rows]))):
        with pytest.raises(ValueError, match=r"^row 3, column 2 is infinite \(counted from 0\);"):
            call(X)
    for kind in (np.float64, np.float32):
        rows = X.astype(kind)
        fitted = scree.PCA(1).fit(np.nan_to_num(rows, posinf=0))
        for call in (scree.PCA(1).fit, fitted.transform, fitted.score, scree.IncrementalPCA(1).fit, scree.TruncatedSVD(1).fit):
            with pytest.raises(ValueError, match=rf"^Input X contains infinity or a value too large for dtype\('{np.dtype(kind)}'\)"):
                call(rows)
    with pytest.raises(ValueError, match="infinity"):
        scree.PCA(1).fit(np.full((4, 3), np.inf))
    with pytest.raises(TypeError, match="a buffer has 1 dimension, and 2 were expected"):
        scree._core.source_rows(np.ones(3))


def test_whole_numbers_that_doubles_round():
    X = np.array([[2**63 + 4097, 1, 5], [17, 2**62 + 1, 3], [1, 2**60 + 5, 4], [9, 9, 2**61]], dtype=np.uint64)
    cast = X.astype(np.float64)
    pca = scree.PCA(2).fit(X)
    np.testing.assert_array_equal(pca.components_, scree.PCA(2).fit(cast).components_)
    np.testing.assert_array_equal(pca.transform(X), pca.transform(cast))
    with pytest.raises(ValueError, match="double precision would round"):
        scree.PPCA(2).fit(X)


def test_advice_on_arrays_has_no_options_of_the_command():
    X = np.random.default_rng(0).normal(size=(10, 3))
    X[:, 1] = np.nan
    with pytest.raises(ValueError, match=r"^column 1 has no value in any of 10 rows \(counted from 0\); leave it out$"):
        scree.PCA(1).fit(X)
