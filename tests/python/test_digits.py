# SPDX-License-Identifier: BSD-3-Clause
"""Small eigenvalues, tiny and huge rows, integers that are no doubles: digits are found, kept, or their lack is said."""

import warnings
from fractions import Fraction

import numpy as np
import pytest

import scree


def units(N=178, D=8, seed=0):
    """Rows of columns in units so different that the last eigenvalues are 1e-17 of the first."""
    X = np.random.default_rng(seed).normal(size=(N, D)) @ np.random.default_rng(1).normal(size=(D, D))
    scale = np.ones(D)
    scale[0], scale[1] = 1e6, 1e-4
    return X, scale


def falling(N=300, D=6):
    """Singular values that fall by 100 each, in no column's direction."""
    rng = np.random.default_rng(1)
    turned = np.linalg.qr(rng.normal(size=(D, D)))[0]
    return (rng.normal(size=(N, D)) * 10.0 ** -np.arange(0, 2 * D, 2)) @ turned


def truth(X):
    """Singular values of the centred rows by Householder, squared: relative to the first singular value, not its square."""
    centred = X - X[0]
    centred = centred - centred.mean(axis=0)
    return np.linalg.svd(centred, compute_uv=False) ** 2 / (len(X) - 1)


@pytest.mark.parametrize("solver", ["full", "covariance_eigh", "randomized", "auto"])
def test_small_eigenvalues_keep_their_vectors(solver):
    X, scale = units()
    pca = scree.PCA(svd_solver=solver).fit(X * scale)
    codes = pca.transform(X * scale)
    np.testing.assert_allclose(codes.var(axis=0, ddof=1) / pca.explained_variance_, 1, rtol=1e-10)


def test_likelihood_of_columns_in_other_units():
    X, scale = units()
    N, D = X.shape
    expected = -0.5 * (D * np.log(2 * np.pi) + np.linalg.slogdet(np.cov(X.T))[1] + D * (N - 1) / N) - np.log(scale).sum()
    for solver in ("full", "auto"):
        pca = scree.PCA(svd_solver=solver).fit(X * scale)
        assert pca.score(X * scale) == pytest.approx(expected, rel=1e-10)
        assert pca.score_samples(X * scale).mean() == pytest.approx(expected, rel=1e-10)


def test_products_of_variances_that_are_no_doubles():
    X = np.random.default_rng(0).normal(size=(50, 8)) * np.repeat([1, 1e100], 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pca = scree.PCA().fit(X)
    np.testing.assert_allclose(pca.explained_variance_[:4], truth(X[:, 4:] * 1e-100) * 1e200, rtol=1e-12)
    assert np.all(pca.bounds_ <= 1e-9 * pca.explained_variance_)


def test_rows_that_are_all_the_same_have_no_model():
    pca = scree.PCA(2).fit(np.ones((9, 4)))
    assert not any(hasattr(pca, name) for name in ("bounds_", "method_", "model_", "standard_error_"))
    with pytest.raises(AttributeError, match="all the same"):
        pca.bounds_
    np.testing.assert_array_equal(pca.explained_variance_, 0)


def test_noise_has_no_standard_error():
    X = np.random.default_rng(0).normal(size=(300, 4))
    assert np.isnan(scree.PCA(2).fit(X).standard_error_).all()
    signal = scree.PCA(4).fit(X * [9, 1, 1, 1])
    np.testing.assert_allclose(signal.standard_error_[0], signal.explained_variance_[0] * np.sqrt(2 / 300), rtol=0.1)
    assert np.isnan(signal.standard_error_[1:]).all()


@pytest.mark.parametrize("size", [1e61, 1e-61])
def test_incremental_refuses_rows_that_vary_too_much_or_hardly(size):
    X = np.random.default_rng(0).normal(size=(50, 5))
    assert scree.IncrementalPCA(2).fit(X * size ** (58 / 61)).components_.shape == (2, 5)
    with pytest.raises(ValueError, match="for their squares; rescale them"):
        scree.IncrementalPCA(2).fit(X * size).components_


def test_directions_without_variance_are_completed():
    X = np.random.default_rng(0).normal(size=(50, 3)) @ np.random.default_rng(1).normal(size=(3, 6))
    first, again = scree.PCA(svd_solver="full").fit(X), scree.PCA(svd_solver="full").fit(X[::-1])
    np.testing.assert_allclose(first.components_ @ first.components_.T, np.eye(6), atol=1e-12)
    np.testing.assert_allclose(first.components_[3:], again.components_[3:], atol=1e-9)


@pytest.mark.parametrize("solver", ["full", "randomized"])
@pytest.mark.parametrize("wide", [False, True])
def test_as_many_digits_as_a_decomposition_of_the_rows(solver, wide):
    X = falling()
    if wide:  # the same columns, and many without anything
        X = np.hstack([X[:5], np.zeros((5, 200))])
    count = 4
    pca = scree.PCA(count, svd_solver=solver).fit(X)
    expected = truth(X)[:count]
    np.testing.assert_allclose(pca.explained_variance_, expected, rtol=1e-8)
    assert (np.abs(pca.explained_variance_ - expected) <= pca.bounds_ + 1e-8 * expected).all()


def test_the_noise_has_its_digits():
    X = falling()
    pca = scree.PCA(3, svd_solver="full").fit(X)
    assert pca.noise_variance_ == pytest.approx(truth(X)[3:].mean(), rel=1e-8)


def test_bounds_of_float32_hold():
    for seed in range(5):
        X = (np.random.default_rng(seed).normal(size=(500, 6)) * [5, 4, 3, 2, 1, 0.5] + 10).astype(np.float32)
        for k in (3, None):
            pca = scree.PCA(k).fit(X)
            assert pca.explained_variance_.dtype == np.float32
            expected = truth(X.astype(np.longdouble).astype(np.float64))[: pca.n_components_]
            assert (np.abs(pca.explained_variance_.astype(np.float64) - expected) <= pca.bounds_ + 1e-14 * expected[0]).all()
        svd = scree.TruncatedSVD(2).fit(X)
        expected = np.linalg.svd(X.astype(np.float64), compute_uv=False)[:2]
        assert (np.abs(svd.singular_values_.astype(np.float64) - expected) <= svd.bounds_ + 1e-14 * expected[0]).all()


@pytest.mark.parametrize("size", [1e20, 1e-22])
@pytest.mark.parametrize("make", [lambda: scree.PCA(2), lambda: scree.IncrementalPCA(2), lambda: scree.TruncatedSVD(2)])
def test_variances_that_float32_cannot_hold(make, size):
    X = (np.random.default_rng(0).normal(size=(100, 4)) * np.float64(size)).astype(np.float32)
    with pytest.warns(UserWarning, match="float32 cannot hold variances"):
        found = make().fit(X)
        values = found.explained_variance_
    assert values.dtype == np.float64
    assert np.isfinite(values).all() and (values > 0).all()


def test_whitened_codes_have_unit_variance():
    Z = np.random.default_rng(1).normal(size=(200, 5)) * [3, 2, 1, 1, 0.5]
    for X in ((Z * 1e-9).astype(np.float32), Z * 1e-17, Z, Z * 1e12):
        codes = scree.PCA(2, whiten=True).fit(X).transform(X)
        np.testing.assert_allclose(codes.std(axis=0, ddof=1), 1, rtol=1e-5)


@pytest.mark.parametrize("size", [1e-150, 1e-100, 1.0, 1e100, 1e150])
@pytest.mark.parametrize("k", [2, 5])
def test_precision_of_any_scale(k, size):
    X = np.random.default_rng(1).normal(size=(200, 5)) * [3, 2, 1, 1, 0.5] * size
    pca = scree.PCA(k).fit(X)
    product = (pca.get_precision() * size**2) @ (pca.get_covariance() / size**2)
    np.testing.assert_allclose(product, np.eye(5), atol=1e-10)


@pytest.mark.parametrize("k", [0.9, "mle"])
@pytest.mark.parametrize("N", [4, 6, 7, 8, 60])
def test_weights_and_a_share(k, N):
    X = np.random.default_rng(0).normal(size=(N, 6)) * [4, 3, 2, 1, 1, 0.5]
    if k == "mle" and N < 6:
        pytest.skip("scikit-learn's refusal")
    weighted = scree.PCA(k, svd_solver="full").fit(X, sample_weight=np.ones(N))
    assert weighted.n_components_ == scree.PCA(k, svd_solver="full").fit(X).n_components_


def test_weights_that_leave_no_divisor():
    X = np.random.default_rng(0).normal(size=(60, 6))
    for weights in (np.full(60, 1 / 120), np.r_[1, np.zeros(59)]):
        with pytest.raises(ValueError, match="sample_weight sums to .*, and variances are divided by the sum less 1"):
            scree.PCA(2).fit(X, sample_weight=weights)


def integers():
    draw = np.random.default_rng(0).integers(0, 50, (100, 3))
    return draw + np.array([2**60, 2**55, 0])


def test_integers_beyond_doubles_are_exact_or_refused():
    sparse = pytest.importorskip("scipy.sparse")
    X = integers()
    near = (X - X[0]).astype(float)
    pca = scree.PCA(3).fit(X)
    np.testing.assert_allclose(pca.get_covariance(), np.cov(near.T), rtol=1e-12, atol=1e-10)
    assert np.isfinite(pca.fit_transform(X)).all()
    for make in (lambda: scree.PCA(2), lambda: scree.PPCA(2), lambda: scree.TruncatedSVD(2), lambda: scree.IncrementalPCA(2)):
        for lay in (sparse.csr_matrix, sparse.csc_matrix):
            with pytest.raises(ValueError, match=r"beyond 2\^53"):
                make().fit(lay(X))
    scree.PCA(2).fit(sparse.csr_matrix(X - X.min(axis=0)))


def test_integers_of_frames():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(integers(), columns=["a", "b", "c"])
    with pytest.raises(ValueError, match="column 'a' has whole numbers"):
        scree.PCA(2).fit(frame)
    scree.PCA(1).fit(frame[["c"]].assign(d=[Fraction(i).numerator for i in range(100)]))


@pytest.mark.parametrize("kind, mean, sd", [(np.float32, 2000, 0.5), (np.float64, 1e8, 1e-2)])
def test_sparse_codes_of_large_means(kind, mean, sd):
    sparse = pytest.importorskip("scipy.sparse")
    X = (mean + np.random.default_rng(3).normal(size=(150, 8)) * sd).astype(kind)
    for k in (3, 7):
        pca = scree.PCA(k).fit(sparse.csr_matrix(X))
        expected = pca.transform(X)
        np.testing.assert_allclose(pca.transform(sparse.csr_matrix(X)), expected, atol=1e-6 * sd)
        np.testing.assert_allclose(pca.transform(sparse.csc_matrix(X)), expected, atol=1e-6 * sd)
        pca.components_ = pca.components_[:2].copy()
        np.testing.assert_allclose(pca.transform(sparse.csr_matrix(X)), pca.transform(X), atol=1e-6 * sd)


def test_variances_of_many_float32_codes():
    X = (1000 + np.random.default_rng(1).normal(size=(10**6, 4)) * [3, 2, 1, 1]).astype(np.float32)
    svd = scree.TruncatedSVD(2).fit(X)
    wide = X.astype(np.float64)
    codes = wide @ np.linalg.svd(wide.T @ wide)[0][:, :2]
    np.testing.assert_allclose(svd.explained_variance_, codes.var(axis=0), rtol=1e-4)
    np.testing.assert_allclose(svd.explained_variance_ratio_, codes.var(axis=0) / wide.var(axis=0).sum(), rtol=1e-4)


@pytest.mark.parametrize("columns, rank", [(1, 1), (2, 0), (3, 1), (3, 3)])
def test_low_rank_states_of_few_columns(columns, rank):
    X = np.random.default_rng(0).normal(size=(40, columns))
    left = scree.State(columns, method="low-rank", rank=rank).add(X[:11])
    both = left.merge(scree.State(columns, method="low-rank", rank=rank).add(X[11:])).fit(1)
    np.testing.assert_allclose(both.explained_variance_, scree.PPCA(1).fit(X).explained_variance_, rtol=1e-12)
    with pytest.raises(ValueError, match=f"cannot keep 9 directions; keep 1 to {columns},"):
        scree.State(columns, method="low-rank", rank=9)
