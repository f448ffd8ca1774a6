# SPDX-License-Identifier: BSD-3-Clause
"""Several threads of one interpreter, with its lock or without (free-threaded builds of Python)."""

import sys
import sysconfig
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import scree

THREADS = 8


def rows(seed=0, n=1500, d=12):
    return np.random.default_rng(seed).normal(size=(n, d)) * np.arange(1, d + 1)


def at_once(work):
    """work(i) in THREADS threads that begin together."""
    start = threading.Barrier(THREADS)

    def begin(i):
        start.wait()
        return work(i)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begin, range(THREADS)))


def test_importing_leaves_the_lock_off():
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("this Python has the lock")
    assert not sys._is_gil_enabled()


@pytest.mark.parametrize("name", ["PCA", "PPCA", "TruncatedSVD"])
def test_fits_of_the_same_rows(name):
    X = rows()
    alone = getattr(scree, name)(3).fit(X)
    for fitted in at_once(lambda i: getattr(scree, name)(3).fit(X)):
        np.testing.assert_array_equal(fitted.components_, alone.components_)
        np.testing.assert_array_equal(fitted.transform(X), alone.transform(X))


def test_one_model_answers_all():
    model = scree.PPCA(3).fit(rows())
    parts = [rows(i + 1, 400) for i in range(THREADS)]
    wanted = [(model.transform(part), model.score_samples(part)) for part in parts]
    for got, want in zip(at_once(lambda i: (model.transform(parts[i]), model.score_samples(parts[i]))), wanted):
        np.testing.assert_array_equal(got[0], want[0])
        np.testing.assert_array_equal(got[1], want[1])


def test_a_state_is_one_threads_at_a_time():
    """Whoever finds it in use is told; what was added is what it has seen."""
    state = scree.State(12)
    parts = [rows(i, 3000) for i in range(THREADS)]

    def add(i):
        done = 0
        for _ in range(20):
            try:
                state.add(parts[i])
                done += 1
            except RuntimeError as error:
                assert "give each thread a state of its own" in str(error)
        return done

    counts = at_once(add)
    assert state.view["rows"] == 3000 * sum(counts) > 0
    seen = np.vstack([np.repeat(part[np.newaxis], count, axis=0).reshape(-1, 12) for part, count in zip(parts, counts) if count])
    np.testing.assert_allclose(state.view["mean"], seen.mean(axis=0), atol=1e-9)
    np.testing.assert_allclose(state.view["variances"], seen.var(axis=0), rtol=1e-10)


def test_states_of_threads_are_merged():
    parts = [rows(i) for i in range(THREADS)]
    states = at_once(lambda i: scree.State(12).add(parts[i]))
    whole = states[0]
    for state in states[1:]:
        whole.merge(state)
    fitted = scree.PPCA(3).fit(np.vstack(parts))
    np.testing.assert_allclose(whole.fit(3).explained_variance_, fitted.explained_variance_, rtol=1e-12)
    with pytest.raises(ValueError, match="cannot be merged with itself"):
        whole.merge(whole)
