# SPDX-License-Identifier: BSD-3-Clause
"""Processes that share rows: comm takes a communicator of mpi4py. Here there is one process, which walks the same tree as
several do (tests/mpi), and whose messages are those that mpi4py passes to itself."""

import numpy as np
import pytest

import scree

try:
    from mpi4py import MPI
except (ImportError, RuntimeError) as error:  # the latter: there is no MPI
    pytest.skip(f"mpi4py is not there: {error}", allow_module_level=True)


def rows(n=3000, d=20):
    return np.random.default_rng(2).normal(size=(n, d)) * np.arange(1, d + 1) + 100


def test_a_fit_by_a_communicator_is_that_of_one_process():
    X = rows()
    alone = scree.PCA(n_components=3).fit(X)
    with scree.config_context(comm=MPI.COMM_SELF):
        shared = scree.PCA(n_components=3).fit(X)
    np.testing.assert_allclose(shared.explained_variance_, alone.explained_variance_, rtol=1e-12)
    np.testing.assert_allclose(shared.components_, alone.components_, atol=1e-10)
    assert scree.get_config()["comm"] is None


def test_a_selection_by_a_communicator_is_that_of_one_process():
    X = rows()
    alone = scree.PPCA(3).select(X)
    with scree.config_context(comm=MPI.COMM_SELF):
        shared = scree.PPCA(3).select(X)
    np.testing.assert_allclose(shared["eigenvalues"], alone["eigenvalues"], rtol=1e-12)
    assert [one["choice"] for one in shared["criteria"]] == [one["choice"] for one in alone["criteria"]]


def test_messages_pass_bytes():
    from scree._run import _messages

    rank, ranks, here, send, receive, broadcast = _messages(MPI.COMM_SELF)
    assert (rank, ranks, here) == (0, 1, 1)
    data, got = bytearray(b"some bytes"), bytearray(10)
    wanted = MPI.COMM_SELF.Irecv([got, MPI.BYTE], source=0)
    send(0, memoryview(data))
    wanted.Wait()
    assert got == data
    broadcast(0, memoryview(data))
    sent = MPI.COMM_SELF.Isend([data, MPI.BYTE], dest=0)
    receive(0, memoryview(bytearray(10)))
    sent.Wait()


def test_states_of_files_are_shared(tmp_path):
    X = rows()
    for number, part in enumerate(np.array_split(X, 3)):
        np.save(tmp_path / f"{number}.npy", part)
        scree.State(20).add(part).save(tmp_path / f"{number}.state")
    paths = [tmp_path / f"{number}.state" for number in range(3)]
    alone = scree.State.load(paths)
    with scree.config_context(comm=MPI.COMM_SELF):
        merged = scree.State.load(paths)
        added = scree.State(20).add([tmp_path / f"{number}.npy" for number in range(3)])
        with pytest.raises(OSError, match="none.state"):
            scree.State.load([paths[0], tmp_path / "none.state"])
    assert merged.view["rows"] == added.view["rows"] == len(X)
    np.testing.assert_array_equal(merged.view["variances"], alone.view["variances"])
    np.testing.assert_allclose(added.view["variances"], X.var(axis=0), rtol=1e-12)


def test_what_can_be_read_once_is_refused():
    with scree.config_context(comm=MPI.COMM_SELF), pytest.raises(ValueError, match="only once"):
        scree.PPCA(2).fit(batch for batch in [rows(), rows()])
