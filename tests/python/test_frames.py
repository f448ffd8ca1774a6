# SPDX-License-Identifier: BSD-3-Clause
"""Tables whose columns have names: found by name, read as often as a method needs, text as labels."""

import os
import subprocess
import sys

import numpy as np
import pytest

import scree
from scree._sources import from_batches

NAMES = list("abcd")


@pytest.fixture(scope="module")
def X():
    rng = np.random.default_rng(0)
    return rng.normal(size=(150, 2)) @ rng.normal(size=(2, 4)) + 0.1 * rng.normal(size=(150, 4)) + 3


def frame_of(library, X, names=NAMES):
    module = pytest.importorskip(library)
    columns = {name: X[:, j] for j, name in enumerate(names)}
    return module.table(columns) if library == "pyarrow" else module.DataFrame(columns)


def with_text(library, frame):
    texts = ["u", "v", "w"] * 50
    if library == "pandas":
        return frame.assign(kind=texts)
    if library == "polars":
        return frame.with_columns(pytest.importorskip("polars").Series("kind", texts))
    return frame.append_column("kind", [texts])


LIBRARIES = pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])


@LIBRARIES
def test_columns_are_found_by_name(library, X, tmp_path):
    frame, turned = frame_of(library, X), frame_of(library, X[:, ::-1], NAMES[::-1])
    fitted = scree.PPCA(2).fit(frame)
    fitted.save(tmp_path / "m.scree")
    np.savetxt(tmp_path / "x.csv", X, delimiter=",", header=",".join(NAMES), comments="", fmt="%.17g")
    from_file = scree.PPCA(2).fit(tmp_path / "x.csv")
    for model in (fitted, scree.load(tmp_path / "m.scree"), from_file):
        for name in ("transform", "score_samples", "impute", "whiten"):
            answer = getattr(model, name)
            np.testing.assert_allclose(answer(turned), answer(frame), rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(answer(turned), answer(tmp_path / "x.csv"), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(model.transform(turned), model.transform(X), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(model.posterior(turned)[0], model.posterior(X)[0], rtol=1e-9, atol=1e-12)
        assert model.outliers(turned)["outliers"] == model.outliers(frame)["outliers"]
        for answer in (model.transform, model.score_samples, model.impute):
            with pytest.raises(ValueError, match="columns of the model are missing: 'd'"):
                answer(frame_of(library, X, ["a", "b", "c", "e"]))


@LIBRARIES
def test_a_frame_is_read_as_often_as_needed(library, X):
    gappy = X.copy()
    gappy[3, 2] = np.nan
    frame, gaps = frame_of(library, X), frame_of(library, gappy)
    expected = scree.PPCA("auto", scale="unit").fit(X)
    found = scree.PPCA("auto", scale="unit").fit(frame)
    assert found.n_components_ == expected.n_components_
    np.testing.assert_allclose(found.explained_variance_, expected.explained_variance_, rtol=1e-12)
    ranged = scree.PPCA(2, scale="range").fit(frame)
    np.testing.assert_allclose(ranged.explained_variance_, scree.PPCA(2, scale="range").fit(X).explained_variance_, rtol=1e-12)
    filled, deviations = scree.PPCA(2).fit(gaps).impute(gaps, return_std=True)
    np.testing.assert_allclose(filled, scree.PPCA(2).fit(gappy).impute(gappy), rtol=1e-9)
    assert abs(filled[3, 2] - X[3, 2]) < 1 and (deviations > 0).sum() == 1
    assert scree.PPCA(2).fit(frame).outliers(frame, training=True, blame=3)["why"]
    assert scree.PPCA(2).fit(frame).select(frame)["recommended"] == scree.PPCA(2).fit(X).select(X)["recommended"]


@LIBRARIES
def test_text_columns_are_labels(library, X):
    frame = with_text(library, frame_of(library, X))
    model, plain = scree.PPCA(2).fit(frame), scree.PPCA(2).fit(X)
    assert list(model.feature_names_in_) == NAMES
    np.testing.assert_allclose(model.transform(frame), plain.transform(X), atol=1e-10)
    np.testing.assert_allclose(scree.PPCA(2).fit_transform(frame), plain.transform(X), atol=1e-10)
    np.testing.assert_allclose(model.score(frame), plain.score(X), rtol=1e-9)
    np.testing.assert_allclose(plain.transform(frame), plain.transform(X), atol=1e-10)


@LIBRARIES
def test_reports_read_twice(library, X):
    pytest.importorskip("scree._view", exc_type=ImportError)
    frame = with_text(library, frame_of(library, X))
    model = scree.PPCA(2).fit(frame)
    assert "<iframe" in model.report(frame)._repr_html_() and "<Page: HTML of" in repr(model.report(frame))
    assert repr(model.plot(frame)).startswith("<Picture: SVG of")


def test_an_index_is_no_column(X):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=NAMES, index=range(1000, 1150))
    for part in (frame, frame.assign(kind="x"), frame.astype({"a": "float32"})):
        assert scree.PPCA(2).fit(part).n_features_in_ == 4
        assert scree.State(4).add(part).view["columns"] == NAMES


def test_columns_that_are_numbered_have_no_names(X):
    pandas = pytest.importorskip("pandas")
    model = scree.PPCA(2).fit(pandas.DataFrame(X))
    assert not hasattr(model, "feature_names_in_")
    np.testing.assert_array_equal(model.transform(pandas.DataFrame(X)), scree.PPCA(2).fit(X).transform(X))
    nullable = pandas.DataFrame(X, columns=NAMES).assign(a=pandas.array([1, None, 3] * 50, dtype="Int64"))
    assert scree.PPCA(2).fit(nullable).impute(nullable).shape == (150, 4)


WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None
import numpy as np, pandas, scree
frame = pandas.DataFrame(np.random.default_rng(0).normal(size=(30, 3)), columns=list("abc")).assign(kind="x")
model = scree.PPCA("auto", scale="unit").fit(frame)
print(list(model.feature_names_in_), model.transform(frame[["kind", "c", "b", "a"]]).shape[0])
"""


def test_pandas_without_pyarrow():
    pytest.importorskip("pandas")
    path = os.pathsep.join(sys.path)
    told = subprocess.run([sys.executable, "-c", WITHOUT_PYARROW], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
    assert told.stdout.split("\n")[0] == "['a', 'b', 'c'] 30", told.stderr


def test_states_know_columns_by_name(X, tmp_path):
    frame, turned = frame_of("pandas", X), frame_of("pandas", X[:, ::-1], NAMES[::-1])
    state = scree.State(4).add(frame).add(frame.assign(kind="x")).add(X)
    assert list(state.fit(2).feature_names_in_) == NAMES
    state.save(tmp_path / "x.state")
    for one in (state, scree.State.load(tmp_path / "x.state")):
        with pytest.raises(ValueError, match="column 0 is 'd', and 'a'.*same order"):
            one.add(turned)
    assert repr(state) == "<State of 450 rows, 4 columns, kept by covariance>"


@pytest.mark.parametrize("name", ["PCA", "PPCA"])
def test_batches_of_frames_go_by_name(X, name):
    pandas = pytest.importorskip("pandas")
    one = pandas.DataFrame(X, columns=list("abcd"))
    texts = one.assign(kind="x")
    whole, parts = getattr(scree, name)(2).fit(one), getattr(scree, name)(2).fit(iter([texts[:70], texts[70:]]))
    assert list(parts.feature_names_in_) == list("abcd")
    np.testing.assert_allclose(parts.explained_variance_, whole.explained_variance_, rtol=1e-12)
    turned, wider = one[["b", "a", "c", "d"]], one.assign(e=1.0)
    for other, words in ((turned, "column 0 is 'b', and 'a'"), (wider, "column 4 is 'e', and not there"), (one[["a"]], "column 1 is not there, and 'b'")):
        with pytest.raises(ValueError, match=f"^batch 1: {words} in the first batch"):
            getattr(scree, name)(2).fit(iter([one, other]))
    again = iter([[one], [turned]])
    source = from_batches(lambda: iter(next(again)))
    with pytest.raises(ValueError, match="^batch 0: column 0 is 'b'"):
        source.keeps.rewind()


def test_states_make_the_models_of_ppca(X):
    state = scree.State(4).add(X[:70]).add(X[70:])
    for count in (0.5, 0.95, "auto", "all", 1, None):
        for scale in (None, "unit", "pareto"):
            found, expected = state.fit(count, scale=scale, ddof=1, latent=1), scree.PPCA(count, scale=scale, ddof=1, latent=1).fit(X)
            assert found.n_components_ == expected.n_components_, count
            np.testing.assert_allclose(found.explained_variance_, expected.explained_variance_, rtol=1e-9)
            np.testing.assert_allclose(found.score(X), expected.score(X), rtol=1e-9)
    raw = state.fit(1, center=False)
    np.testing.assert_allclose(raw.explained_variance_, scree.TruncatedSVD(1).fit(X).singular_values_ ** 2 / 150, rtol=1e-9)
    assert repr(state.fit(2, scale="unit")) == "PPCA(n_components=2, scale='unit')"
    for scale in ("range", "binomial", [1.0] * 4):
        with pytest.raises(ValueError, match="others need the rows"):
            state.fit(2, scale=scale)


@pytest.mark.parametrize("count", [2.7, 2.0, -1, 0, True, "2", 1.0, float("nan")])
def test_numbers_of_components(X, count):
    for fit in (scree.PPCA(count).fit, lambda rows: scree.State(4).add(rows).fit(count)):
        with pytest.raises(ValueError, match="n_components is a whole number from 1 on"):
            fit(X)
    if count != 1.0 or isinstance(count, bool):
        with pytest.raises(ValueError, match="n_components is a whole number"):
            scree.PPCA(3).fit(X).truncate(count)


def test_models_are_called_what_they_are(X):
    assert repr(scree.PPCA(3).fit(X).truncate(1)) == "PPCA(n_components=1)"
    assert scree.PPCA(np.int64(2)).fit(X).n_components_ == 2
    for rows in (X + 0j, iter([X + 0j])):
        with pytest.raises(ValueError, match="Complex data not supported"):
            scree.PPCA(1).fit(rows)
    with pytest.raises(ValueError, match="Complex data not supported"):
        scree.State(4).add(X + 0j)
