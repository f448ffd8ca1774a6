# SPDX-License-Identifier: BSD-3-Clause
"""Large means cost no digits; what is fitted from memory, files and batches is the same."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import scree
from scree._model import Model
from scree._sources import source_of

N, D = 20000, 20


def rows():
    rng = np.random.default_rng(5)
    return rng.normal(size=(N, D)) * np.linspace(0.3, 3, D)


def exact(X):
    """Eigenvalues with the divisor N - 1, in extended precision as far as the sums are concerned."""
    wide = X.astype(np.longdouble)
    wide -= wide.mean(axis=0)
    return np.sort(np.linalg.eigvalsh((wide.T @ wide / (N - 1)).astype(np.float64)))[::-1]


@pytest.mark.parametrize("solver", ["auto", "full", "covariance_eigh", "arpack", "randomized"])
@pytest.mark.parametrize("kind, mean, limit", [(np.float64, 0, 1e-12), (np.float64, 1e7, 1e-12), (np.float32, 0, 1e-5), (np.float32, 1e3, 1e-5)])
def test_large_means(kind, mean, limit, solver):
    X = (rows() + mean).astype(kind)
    found = scree.PCA(10, svd_solver=solver).fit(X).explained_variance_
    assert found.dtype == kind
    truth = exact(X)[:10]
    assert np.abs(found / truth - 1).max() < limit


@pytest.mark.parametrize("mean", [0, 1e7])
def test_large_means_in_batches(mean):
    X = rows() + mean
    ipca = scree.IncrementalPCA(10)
    for start in range(0, N, 997):
        ipca.partial_fit(X[start : start + 997])
    assert np.abs(ipca.explained_variance_ / exact(X)[:10] - 1).max() < 1e-12


def test_codes_of_large_means():
    X = rows() + 1e7
    pca = scree.PCA(3).fit(X)
    assert np.abs(pca.transform(X).mean(axis=0)).max() < 1e-7


@pytest.mark.parametrize("lay", [np.ascontiguousarray, np.asfortranarray, lambda X: np.repeat(X, 2, axis=1)[:, ::2], lambda X: X[::-1][::-1]])
def test_strides(lay):
    X = rows()[:500]
    found = scree.PCA(4).fit(lay(X))
    expected = scree.PCA(4).fit(X)
    np.testing.assert_allclose(found.components_, expected.components_, atol=1e-12)
    np.testing.assert_allclose(found.transform(lay(X)), expected.transform(X), atol=1e-12)


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int16, np.uint16, np.int32, np.int64, np.float16, np.bool_, ">f8"])
def test_element_types(kind):
    X = np.random.default_rng(0).integers(0, 2 if kind is np.bool_ else 100, size=(200, 5)).astype(kind)
    found = scree.PCA(2).fit(X)
    assert found.components_.dtype == np.float64
    np.testing.assert_allclose(found.explained_variance_, scree.PCA(2).fit(X.astype(float)).explained_variance_, rtol=1e-12)


def test_read_where_it_lies():
    for kind in (np.float32, np.float64, np.uint8):
        X = np.ones((10, 3), dtype=kind)
        assert source_of(X).keeps is X


def test_files_and_batches(tmp_path):
    X = rows()[:1000]
    path = tmp_path / "rows.npy"
    np.save(path, X)
    expected = scree.PCA(3).fit(X)
    for given in (path, str(path), [path], lambda: iter([X[:400], X[400:401], X[401:]]), iter([X[:7], X[7:]])):
        found = scree.PCA(3).fit(given)
        np.testing.assert_allclose(found.components_, expected.components_, atol=1e-12)
    np.testing.assert_allclose(expected.transform(path), expected.transform(X), atol=1e-12)
    with pytest.raises(OSError, match="no such file"):
        scree.PCA(3).fit(tmp_path / "nothing.npy")


def test_same_bits_as_the_command(tmp_path):
    command = os.environ.get("SCREE")
    if not command:
        pytest.skip("no command to compare with")
    X = rows()
    np.save(tmp_path / "x.npy", X)
    subprocess.run([command, "fit", "-q", "x.npy", "-k", "5", "-o", "c.scree"], cwd=tmp_path, check=True)
    theirs = scree.load(tmp_path / "c.scree")
    ours = scree.PPCA(5).fit(tmp_path / "x.npy")
    assert theirs.model_.view["solver"] == ours.method_
    for name in ("mean", "eigenvalues", "components"):
        assert np.array_equal(theirs.model_.view[name], ours.model_.view[name])
    ours.save(tmp_path / "p.scree")
    told = subprocess.run([command, "info", "p.scree"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert "20" in told.stdout
    subprocess.run([command, "project", "p.scree", "x.npy", "-o", "z.npy"], cwd=tmp_path, check=True)
    assert np.array_equal(np.load(tmp_path / "z.npy"), ours.transform(X))


def test_safetensors(tmp_path):
    reader = pytest.importorskip("safetensors.numpy")
    model = scree.PPCA(2).fit(rows()[:100])
    model.save(tmp_path / "m.scree")
    tensors = reader.load_file(tmp_path / "m.scree")
    assert np.array_equal(tensors["eigenvalues"], model.explained_variance_)


def test_weights_are_frequencies():
    X = rows()[:50]
    counts = np.random.default_rng(1).integers(0, 4, size=50)
    found = scree.PCA(3).fit(X, sample_weight=counts)
    expected = scree.PCA(3).fit(np.repeat(X, counts, axis=0))
    np.testing.assert_allclose(found.explained_variance_, expected.explained_variance_, rtol=1e-12)
    np.testing.assert_allclose(found.components_, expected.components_, atol=1e-10)


def test_gaps():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2)) @ rng.normal(size=(2, 8)) + 0.05 * rng.normal(size=(400, 8))
    Y = np.where(rng.random(X.shape) < 0.1, np.nan, X)
    found, whole = scree.PCA(2).fit(Y), scree.PCA(2).fit(X)
    assert found.method_ == "em"
    assert np.abs(found.components_ @ whole.components_.T - np.eye(2)).max() < 0.01
    assert np.isfinite(found.transform(Y)).all()
    assert np.isfinite(found.score_samples(Y)).all()


def test_changed_attributes_are_used():
    X = rows()[:300]
    pca = scree.PCA(4).fit(X)
    pca.components_ = pca.components_[:2]
    assert pca.transform(X).shape == (300, 2)
    pca.mean_ = np.zeros(D)
    np.testing.assert_allclose(pca.transform(X), X @ pca.components_.T, atol=1e-12)


def test_infinity_is_refused():
    X = rows()[:100]
    X[3, 4] = np.inf
    for make in (lambda: scree.PCA(2).fit(X), lambda: scree.IncrementalPCA(2).fit(X), lambda: scree.TruncatedSVD(2).fit(X)):
        with pytest.raises(ValueError, match="inf"):
            make()


def test_sparse_is_dense():
    sparse = pytest.importorskip("scipy.sparse")
    X = sparse.random_array((300, 40), density=0.1, rng=np.random.default_rng(0), format="csr")
    for lay in (X, X.tocsc()):
        np.testing.assert_allclose(scree.PCA(5).fit(lay).explained_variance_, scree.PCA(5).fit(X.toarray()).explained_variance_, rtol=1e-9)
    np.testing.assert_allclose(scree.TruncatedSVD(5).fit(X).singular_values_, np.linalg.svd(X.toarray())[1][:5], rtol=1e-9)


def test_pickles_are_models():
    model = Model.fit(source_of(rows()[:100]), components=2)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.view["components"], model.view["components"])


def test_import_is_quick():
    """The package loads no estimator, and no scikit-learn, before one is named."""
    code = "import scree, sys; print([m for m in sys.modules if m.startswith(('sklearn', 'scipy', 'pandas', 'scree._pca', 'scree._core'))])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_states_add_up(tmp_path):
    X = rows()[:3000] + 1e6
    whole = scree.PPCA(4).fit(X)
    parts = [scree.State(D).add(part) for part in np.array_split(X, [1, 2, 700, 2999])]
    both = parts[0]
    for part in parts[1:]:
        part.save(tmp_path / "part.state")
        both.merge(pickle.loads(pickle.dumps(scree.State.load(tmp_path / "part.state"))))
    assert both.view["rows"] == 3000
    np.testing.assert_allclose(both.fit(4).explained_variance_, whole.explained_variance_, rtol=1e-12)
    with pytest.raises(ValueError):
        both.merge(scree.State(D + 1))
    np.save(tmp_path / "x.npy", X)
    assert np.array_equal(scree.IncrementalPCA(4).fit(tmp_path / "x.npy").n_samples_seen_, 3000)


def test_wide_batches():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5)) @ rng.normal(size=(5, 6000)) + 0.01 * rng.normal(size=(300, 6000))
    ipca = scree.IncrementalPCA(5)
    for start in range(0, 300, 50):
        ipca.partial_fit(X[start : start + 50])
    np.testing.assert_allclose(ipca.explained_variance_, scree.PCA(5).fit(X).explained_variance_, rtol=1e-6)
