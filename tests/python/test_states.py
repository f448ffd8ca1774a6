# SPDX-License-Identifier: BSD-3-Clause
"""States in the place of rows: what estimators find of one, names of columns, weights, what is refused. Partitions of Dask are
in tests/engines."""

import pickle

import numpy as np
import pytest

import scree

X = np.random.default_rng(4).normal(size=(300, 5)) * [5, 4, 3, 2, 1] + 1e4
W = np.random.default_rng(5).integers(0, 4, 300).astype(float)


def parts(rows, count=7):
    return [scree.State(rows.shape[1]).add(part) for part in np.array_split(rows, count)]


def merged(states):
    whole = states[0].empty()
    for state in states:
        whole.merge(pickle.loads(pickle.dumps(state)))
    return whole


def same(found, wanted):
    np.testing.assert_allclose(found.explained_variance_, wanted.explained_variance_, rtol=1e-12)
    np.testing.assert_allclose(found.components_, wanted.components_, atol=1e-10)
    np.testing.assert_allclose(found.mean_, wanted.mean_, rtol=1e-14)


@pytest.mark.parametrize("kind", [scree.PCA, scree.PPCA, scree.IncrementalPCA])
def test_a_state_is_fitted_as_its_rows(kind):
    state = merged(parts(X))
    same(kind(3).fit(state), kind(3).fit(X))
    same(kind(3).fit(state), kind(3).fit(X))  # the state is as it was
    assert state.view["rows"] == 300


def test_files_are_loaded_as_one(tmp_path):
    paths = [tmp_path / f"{number}.state" for number in range(3)]
    for path, state in zip(paths, parts(X, 3)):
        state.save(path)
    merged = scree.State.load(paths)
    assert merged.view["rows"] == len(X)
    np.testing.assert_allclose(merged.view["variances"], X.var(axis=0), rtol=1e-12)
    with pytest.raises(OSError, match="none.state"):
        scree.State.load([*paths, tmp_path / "none.state"])
    with pytest.raises(ValueError, match="no states"):
        scree.State.load([])


def test_options_reach_the_state():
    same(scree.PPCA(0.8, scale="unit").fit(merged(parts(X))), scree.PPCA(0.8, scale="unit").fit(X))
    found = scree.PCA(0.9).fit(merged(parts(X)))
    assert found.n_components_ == scree.PCA(0.9).fit(X).n_components_
    assert found.noise_variance_ == pytest.approx(scree.PCA(0.9).fit(X).noise_variance_, rel=1e-12)


def test_weights_are_repetitions():
    state = scree.State(5)
    for rows, weights in zip(np.array_split(X, 4), np.array_split(W, 4)):
        state.add(rows, weights)
    same(scree.PPCA(3).fit(state), scree.PPCA(3).fit(np.repeat(X, W.astype(int), axis=0)))
    assert state.view["weight"] == W.sum() and state.view["rows"] == np.count_nonzero(W)
    with pytest.raises(ValueError, match="the weight is -1"):
        state.add(X[:2], [-1.0, 1.0])
    with pytest.raises(ValueError, match="has the weights of its rows already"):
        scree.PCA(3).fit(state, sample_weight=W)


def test_names_go_into_the_model():
    state = scree.State(["a", "b", "c", "d", "e"]).add(X)
    model = pickle.loads(pickle.dumps(state.empty().merge(state))).fit(2)
    assert list(model.feature_names_in_) == ["a", "b", "c", "d", "e"]
    with pytest.raises(ValueError, match=r"^column 1 is 'x', and 'b' in the state .counted from 0."):
        state.merge(scree.State(["a", "x", "c", "d", "e"]).add(X))


def test_only_fits_take_a_state():
    state = merged(parts(X))
    with pytest.raises(TypeError, match="needs the rows"):
        scree.PCA(3).fit(X).transform(state)
    with pytest.raises(TypeError, match="call fit"):
        scree.PCA(3).fit_transform(state)
    with pytest.raises(TypeError, match="no option"):
        scree.PPCA(3).fit(state, columns="a")


def test_an_iterator_of_partitions_is_one_fit():
    same(scree.PCA(3).fit(iter(np.array_split(X, 9))), scree.PCA(3).fit(X))
    same(scree.IncrementalPCA(3).fit(iter(np.array_split(X, 9))), scree.PCA(3).fit(X))
