# SPDX-License-Identifier: BSD-3-Clause
"""Scripts as people have them, with only the import changed; each is held against scikit-learn's own classes."""

import numpy as np
import pytest

import scree

sklearn = pytest.importorskip("sklearn")
import sklearn.decomposition as theirs  # noqa: E402
from sklearn.datasets import load_digits, load_iris  # noqa: E402

OURS, THEIRS = scree, theirs


def both(script, *args):
    return script(OURS, *args), script(THEIRS, *args)


def test_grid_search_over_components():
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import StandardScaler

    def script(library):
        X, y = load_iris(return_X_y=True)
        pipe = Pipeline([("scale", StandardScaler()), ("pca", library.PCA()), ("model", LogisticRegression(max_iter=500))])
        search = GridSearchCV(pipe, {"pca__n_components": [1, 2, 3, 0.95], "pca__whiten": [False, True]}, cv=3).fit(X, y)
        return search.best_params_, search.best_score_

    ours, expected = both(script)
    assert ours[0] == expected[0] and abs(ours[1] - expected[1]) < 1e-9


def test_column_transformer_and_frames():
    pandas = pytest.importorskip("pandas")
    from sklearn.compose import ColumnTransformer
    from sklearn.preprocessing import OneHotEncoder

    def script(library):
        X = load_iris().data
        frame = pandas.DataFrame(X, columns=list("abcd"), index=range(1000, 1150)).assign(kind=["u", "v", "w"] * 50)
        made = ColumnTransformer([("pca", library.PCA(2), list("abcd")), ("kind", OneHotEncoder(sparse_output=False), ["kind"])])
        return made.set_output(transform="pandas").fit_transform(frame)

    ours, expected = both(script)
    pandas.testing.assert_frame_equal(ours, expected)


def test_feature_union():
    from sklearn.feature_selection import SelectKBest
    from sklearn.pipeline import FeatureUnion

    def script(library):
        X, y = load_iris(return_X_y=True)
        union = FeatureUnion([("pca", library.PCA(2)), ("best", SelectKBest(k=1))]).fit(X, y)
        return union.transform(X), list(union.get_feature_names_out())

    ours, expected = both(script)
    np.testing.assert_allclose(ours[0], expected[0], atol=1e-10)
    assert ours[1] == expected[1]


def test_cross_validated_score_chooses():
    from sklearn.model_selection import cross_val_score

    def script(library):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(300, 3)) @ rng.normal(size=(3, 12)) + 0.3 * rng.normal(size=(300, 12))
        return [cross_val_score(library.PCA(k, svd_solver="full"), X).mean() for k in range(0, 8)]

    ours, expected = both(script)
    np.testing.assert_allclose(ours, expected, rtol=1e-8)
    assert np.argmax(ours) == 3


def test_whitening_before_k_means():
    from sklearn.cluster import KMeans

    def script(library):
        X = load_digits().data[:400]
        codes = library.PCA(8, whiten=True, random_state=0).fit_transform(X)
        return KMeans(10, n_init=2, random_state=0).fit(codes).inertia_

    ours, expected = both(script)
    assert abs(ours / expected - 1) < 0.02


def test_memmap_in_uneven_batches(tmp_path):
    rng = np.random.default_rng(0)
    np.save(tmp_path / "x.npy", rng.normal(size=(1000, 3)) @ rng.normal(size=(3, 15)))

    def script(library):
        X = np.load(tmp_path / "x.npy", mmap_mode="r")
        ipca = library.IncrementalPCA(n_components=3)
        for start, end in [(0, 100), (100, 137), (137, 600), (600, 604), (604, 1000)]:
            ipca.partial_fit(X[start:end])
        return ipca.transform(X[:50]), ipca.n_samples_seen_, ipca.inverse_transform(ipca.transform(X[:50]))

    ours, expected = both(script)
    np.testing.assert_allclose(ours[0], expected[0], atol=1e-8)
    np.testing.assert_allclose(ours[2], expected[2], atol=1e-8)
    assert ours[1] == expected[1] == 1000


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_set_output(name):
    frames = pytest.importorskip(name)

    def script(library):
        frame = frames.DataFrame({c: load_iris().data[:, i] for i, c in enumerate("abcd")})
        pca = library.PCA(2).set_output(transform=name).fit(frame)
        return pca.transform(frame), list(pca.feature_names_in_), pca

    ours, expected = both(script)
    np.testing.assert_allclose(ours[0].to_numpy(), expected[0].to_numpy(), atol=1e-10)
    assert list(ours[0].columns) == list(expected[0].columns) and ours[1] == expected[1]
    with pytest.raises(ValueError, match="feature names"):
        ours[2].transform(frames.DataFrame({c: load_iris().data[:, 0] for c in "abce"}))


def test_latent_semantic_analysis():
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import Normalizer

    texts = ["the cat sat on the mat", "a dog sat on a log", "cats and dogs", "stocks fell on monday", "markets and stocks rose",
             "the market fell", "dogs chase cats", "monday markets"] * 3

    def script(library):
        return make_pipeline(TfidfVectorizer(), library.TruncatedSVD(3, random_state=0), Normalizer()).fit_transform(texts)

    ours, expected = both(script)
    np.testing.assert_allclose(ours, expected, atol=1e-6)


def test_scanpy(monkeypatch):
    scanpy = pytest.importorskip("scanpy")
    anndata = pytest.importorskip("anndata")
    rng = np.random.default_rng(0)
    counts = rng.poisson(rng.gamma(1, 1, size=(3, 60))[rng.integers(0, 3, 200)]).astype(np.float32)

    def script():
        cells = anndata.AnnData(counts.copy())
        scanpy.pp.normalize_total(cells, target_sum=1e4)
        scanpy.pp.log1p(cells)
        scanpy.pp.pca(cells, n_comps=10, dtype="float64")
        return np.abs(cells.obsm["X_pca"]), cells.uns["pca"]["variance_ratio"]

    expected = script()
    monkeypatch.setattr(theirs, "PCA", scree.PCA)
    ours = script()
    np.testing.assert_allclose(ours[0][:, :2], expected[0][:, :2], atol=1e-3)
    np.testing.assert_allclose(ours[1], expected[1], rtol=1e-4)


def test_eigenfaces_reconstruction_and_clone():
    import pickle

    from sklearn.base import clone

    def script(library):
        X = load_digits().data
        pca = pickle.loads(pickle.dumps(clone(library.PCA(0.9, svd_solver="full")).fit(X)))
        return pca.n_components_, ((pca.inverse_transform(pca.transform(X)) - X) ** 2).mean(), pca.get_covariance()

    ours, expected = both(script)
    assert ours[0] == expected[0]
    np.testing.assert_allclose(ours[1], expected[1], rtol=1e-9)
    np.testing.assert_allclose(ours[2], expected[2], atol=1e-9)


def test_metadata_routing():
    from sklearn.linear_model import LinearRegression
    from sklearn.pipeline import make_pipeline

    X, y = load_iris(return_X_y=True)
    weights = np.r_[np.ones(100), np.zeros(50)]
    with sklearn.config_context(enable_metadata_routing=True):
        pca = scree.PCA(2).set_fit_request(sample_weight=True)
        pipe = make_pipeline(pca, LinearRegression().set_fit_request(sample_weight=True)).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(pipe[0].mean_, X[:100].mean(axis=0))


def test_kernel_of_attributes():
    """Every public attribute of scikit-learn's is there, with its shape and type."""
    X = load_digits().data[:300].astype(np.float32)
    for name in ("PCA", "IncrementalPCA", "TruncatedSVD"):
        a, b = getattr(OURS, name)(n_components=5).fit(X), getattr(THEIRS, name)(n_components=5).fit(X)
        for attribute in [key for key in vars(b) if key.endswith("_") and not key.startswith("_")]:
            assert np.shape(getattr(a, attribute)) == np.shape(getattr(b, attribute)), (name, attribute)
        assert a.get_params() == b.get_params() and repr(a) == repr(b)
