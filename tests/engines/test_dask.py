#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Dask arrays and frames, fitted where their partitions are, beside the same rows in memory: chunks of every shape, along
the columns too, of one row, of none, of unknown length; floats, sparse chunks, weights; what cannot be is refused in a
sentence; and examples/engines/dask_fit.py. See engine.py."""

import sys
import warnings

import engine

engine.need("numpy", "pandas", "dask")

import numpy as np
import scree

assert scree.PCA(2).fit(engine.rows(20, 4)).n_components_ == 2
assert "dask" not in sys.modules, "scree has imported Dask for rows in memory"

try:
    import dask
    import dask.array as da
    import dask.dataframe as dd
    import pandas as pd
except ImportError as error:
    engine.skip(f"Dask is not whole: {error}")

N, D = 1000, 12
X = engine.rows(N, D, 1e4)
FRAME = pd.DataFrame(X, columns=[f"c{j}" for j in range(D)])
W = np.random.default_rng(5).integers(0, 4, N).astype(float)
ESTIMATORS = scree.PCA, scree.IncrementalPCA, scree.PPCA


def chunked(rows, *chunks):
    return da.from_array(rows, chunks=chunks)


def test_chunks_of_every_shape():
    for rows in (100, 333, N, 1):
        for columns in (D, 5):
            for kind in ESTIMATORS:
                engine.same(kind(3).fit(chunked(X, rows, columns)), kind(3).fit(X), 1e-11 if rows == 1 else 1e-12)


def test_counts_of_components():
    for count in (None, 0.9, "mle"):
        found, wanted = scree.PCA(count).fit(chunked(X, 100, D)), scree.PCA(count).fit(X)
        engine.same(found, wanted)
        assert abs(found.noise_variance_ - wanted.noise_variance_) <= 1e-12 * wanted.explained_variance_[0]
        assert found.n_samples_ == N
    scaled = scree.PPCA("auto", scale="unit").fit(chunked(X, 100, D))
    engine.same(scaled, scree.PPCA("auto", scale="unit").fit(X))


def test_floats_stay_floats():
    single = X.astype(np.float32)
    found = scree.PCA(3).fit(chunked(single, 100, D))
    assert found.components_.dtype == found.explained_variance_.dtype == np.float32
    engine.same(found, scree.PCA(3).fit(single), 1e-6)
    assert scree.PCA(3).fit(dd.from_pandas(FRAME.astype("f4"), npartitions=3)).mean_.dtype == np.float32


def test_frames():
    frame = dd.from_pandas(FRAME, npartitions=7)
    for kind in ESTIMATORS:
        found = kind(3).fit(frame)
        engine.same(found, kind(3).fit(X))
        assert list(found.feature_names_in_) == list(FRAME.columns)
    few = frame[frame.c0 > FRAME.c0.quantile(0.99)]  # some partitions are empty
    assert 0 in list(few.map_partitions(len).compute())
    engine.same(scree.PCA(3).fit(few), scree.PCA(3).fit(few.compute().to_numpy()))
    assert scree.PCA().fit(dd.from_pandas(FRAME[:5], npartitions=2)).components_.shape == (5, D)


def test_unknown_lengths():
    rows = chunked(X, 100, D)
    engine.same(scree.PCA(3).fit(rows[rows[:, 0] > 1e4]), scree.PCA(3).fit(X[X[:, 0] > 1e4]))


def test_sparse_chunks():
    try:
        import scipy.sparse as sparse
    except ImportError:
        return
    thin = np.where(np.random.default_rng(3).random(X.shape) < 0.2, X, 0)
    engine.same(scree.PCA(3).fit(chunked(thin, 100, D).map_blocks(sparse.csr_array)), scree.PCA(3).fit(thin))


def test_weights():
    rows, frame = chunked(X, 100, D), dd.from_pandas(FRAME, npartitions=7)
    for kind in (scree.PCA, scree.PPCA):
        wanted = kind(3).fit(X, sample_weight=W)
        for weights in (W, list(W), chunked(W, 77)):
            engine.same(kind(3).fit(rows, sample_weight=weights), wanted)
        engine.same(kind(3).fit(frame, sample_weight=dd.from_pandas(pd.Series(W), npartitions=7)), wanted)
    engine.refused(lambda: scree.PCA(3).fit(frame, sample_weight=W), "in partitions, too")
    engine.refused(lambda: scree.PCA(3).fit(rows, sample_weight=W[:5]), "expected (1000,)")
    engine.refused(lambda: scree.PCA(3).fit(rows, sample_weight=chunked(W[:5], 5)), "expected (1000,)")
    engine.refused(lambda: scree.PCA(3).fit(rows, sample_weight=-W), "sample_weight is -2")


def test_rows_that_come_later():
    frame = dd.from_pandas(FRAME, npartitions=7)
    some = scree.IncrementalPCA(3).partial_fit(frame.partitions[:3])
    engine.same(some.partial_fit(frame.partitions[3:]), scree.IncrementalPCA(3).fit(X))
    mixed = scree.IncrementalPCA(3).fit(X[:100]).partial_fit(chunked(X[100:], 300, D))
    engine.same(mixed, scree.IncrementalPCA(3).fit(X))
    assert mixed.n_samples_seen_ == N
    engine.refused(lambda: mixed.partial_fit(chunked(X[:, :4], 100, 4)), "expecting 12 features")


def test_wide_rows():
    draw = np.random.default_rng(2)
    wide = draw.normal(size=(300, 4)) @ draw.normal(size=(4, 5100)) + 0.01 * draw.normal(size=(300, 5100))
    found, wanted = scree.PCA(3).fit(chunked(wide, 50, 5100)), scree.PCA(3).fit(wide)
    assert (np.abs(found.explained_variance_ - wanted.explained_variance_) <= found.bounds_ + wanted.bounds_).all()
    engine.refused(lambda: scree.PCA().fit(chunked(wide, 50, 5100)), "say how many components")


def test_what_is_refused():
    rows, frame = chunked(X, 100, D), dd.from_pandas(FRAME, npartitions=7)
    gap = X.copy()
    gap[517, 3] = np.nan
    engine.refused(lambda: scree.PCA(3).fit(chunked(gap, 100, D)), "partition 5: row 17, column 3 is missing")
    engine.refused(lambda: scree.PCA(3).fit(frame.assign(text="x")), "text has the type")
    engine.refused(lambda: scree.PCA(3).fit(dask.delayed(X)), "give a Dask array or frame", TypeError)
    engine.refused(lambda: scree.PCA(3).fit(chunked(W, 100)), "Expected 2D")
    engine.refused(lambda: scree.PCA(20).fit(rows), "n_components=20")
    engine.refused(lambda: scree.PCA(3).fit_transform(rows), "call fit", TypeError)
    engine.refused(lambda: scree.PCA(3).fit(rows).transform(rows), "map_blocks", TypeError)
    engine.refused(lambda: scree.PPCA(3, bootstrap=10).fit(rows), "bootstrap")


def test_codes_where_the_rows_are():
    model = scree.PCA(3).fit(X)
    codes = chunked(X, 100, D).map_blocks(model.transform, chunks=((100,) * 10, (3,)), dtype=float)
    assert np.array_equal(codes.compute(), model.transform(X))


def test_the_same_bits_by_any_scheduler():
    rows = chunked(X, 30, D)
    with dask.config.set(scheduler="synchronous"):
        one = scree.PCA(3).fit(rows)
    with dask.config.set(scheduler="threads", num_workers=4):
        other = scree.PCA(3).fit(rows)
    assert np.array_equal(one.components_, other.components_) and np.array_equal(one.mean_, other.mean_)


def main():
    warnings.simplefilter("error", RuntimeWarning)
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
    engine.example("dask_fit", "dask", "pandas")
    print("Dask's partitions come to the fit of all rows")


main()
