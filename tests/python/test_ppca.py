# SPDX-License-Identifier: BSD-3-Clause
"""PPCA, Autoencoder, archives: each answer against its definition."""

import os
import pickle

import numpy as np
import pytest

import scree
from scree import _fonts


@pytest.fixture(scope="module")
def X():
    rng = np.random.default_rng(0)
    return rng.normal(size=(400, 2)) @ rng.normal(size=(2, 6)) + 0.1 * rng.normal(size=(400, 6)) + 3


@pytest.fixture(scope="module")
def model(X):
    return scree.PPCA(2).fit(X)


def test_density(X, model):
    B, noise = model.loadings("model"), model.noise_variance_
    cov = B @ B.T + noise * np.eye(6)
    centred = X - model.mean_
    expected = -0.5 * (np.einsum("ij,ij->i", centred @ np.linalg.inv(cov), centred) + np.linalg.slogdet(2 * np.pi * cov)[1])
    np.testing.assert_allclose(model.score_samples(X), expected, rtol=1e-9)
    means, variances = model.posterior(X)
    M = B.T @ B + noise * np.eye(2)
    np.testing.assert_allclose(means, centred @ B @ np.linalg.inv(M), atol=1e-10)
    np.testing.assert_allclose(variances[0], np.diag(noise * np.linalg.inv(M)), rtol=1e-9)


def test_checkpoint(X, model, tmp_path):
    where = tmp_path / "fit.checkpoint"
    again = scree.PPCA(2).fit(X, checkpoint=where, every=0)
    np.testing.assert_array_equal(again.components_, model.components_)
    assert not where.exists()
    where.write_bytes(b"something")
    with pytest.raises(Exception, match="no checkpoint, or a damaged one"):
        scree.PPCA(2).fit(X, checkpoint=where)


def test_codes(X, model):
    codes = model.transform(X)
    np.testing.assert_allclose(codes, (X - model.mean_) @ model.components_.T, atol=1e-12)
    np.testing.assert_allclose(model.inverse_transform(codes), codes @ model.components_ + model.mean_, atol=1e-12)
    np.testing.assert_allclose(model.whiten(X).std(axis=0), 1, rtol=1e-9)


def test_gaps(X, model):
    Y = X.copy()
    Y[7, 2] = np.nan
    filled, deviations = model.impute(Y, return_std=True)
    assert np.array_equal(filled[:7], X[:7]) and abs(filled[7, 2] - X[7, 2]) < 5 * deviations[7, 2]
    assert (deviations > 0).sum() == 1
    assert model.impute(Y[:9], draws=3).shape == (9, 3, 6)


def test_draws(X, model):
    draws = model.sample(2000, seed=1)
    np.testing.assert_allclose(draws.mean(axis=0), model.mean_, atol=0.2)
    assert np.array_equal(draws, model.sample(2000, seed=1))
    assert model.explore(X[:3], 4).shape == (3, 4, 6)


def test_outliers(X, model):
    Y = X.copy()
    Y[5] += 10 * np.array([1, -1, 1, -1, 1, -1])
    found = model.outliers(Y, blame=1)
    assert found["outlier"][5] and found["outliers"] == found["outlier"].sum() and found["why"][5]
    assert model.scores(Y)["p_value"][5] < 1e-6


def test_drift(X, model):
    same = model.drift(X)
    assert not same["drifted"] and list(same["checks"]) == ["mean", "spread", "angle", "likelihood"] and same["changed"] == []
    Y = model.sample(2000, seed=4)
    assert not model.drift(Y, against="model")["drifted"]
    Y[:, 3] += 0.05
    assert model.drift(X[:40], fitted=X)["shuffles"] == 2000 and same["shuffles"] == 0
    found = model.drift(Y, level=0.01)
    assert found["drifted"] and found["checks"]["mean"]["drifted"] and found["checks"]["mean"]["p_value"] < 1e-6
    first = found["changed"][0]
    assert first["check"] == "mean" and first["column"] == 3 and first["change"] > 0
    assert found["rows"] == 2000 and found["fitted"] == 400
    with pytest.raises(ValueError, match="population"):
        model.drift(Y, against="everything")
    with pytest.raises(TypeError):
        scree._core.drift(model.model_.capsule, None, None, {"unknown": 1}, None)


def test_select(X, model):
    assert model.select(X)["recommended"] == 2
    assert scree.PPCA("auto").fit(X).n_components_ == 2
    assert scree.PPCA(0.9).fit(X).n_components_ == 2


def test_changes(X, model):
    assert model.truncate(1).transform(X).shape == (400, 1)
    assert model.with_noise(0.5).noise_variance_ == 0.5
    rotated = model.rotate("varimax")
    assert rotated.rotation_["method"] == "varimax" and model.rotation_ is None
    np.testing.assert_allclose((rotated.loadings() ** 2).sum(), (model.loadings() ** 2).sum(), rtol=1e-9)
    with pytest.raises(ValueError, match="no rotation"):
        model.rotate("sideways")


def test_scale(X):
    found = scree.PPCA("all", scale="unit").fit(X)
    expected = np.sort(np.linalg.eigvalsh(np.corrcoef(X.T)))[::-1]
    np.testing.assert_allclose(found.explained_variance_, expected, rtol=1e-9)
    given = scree.PPCA("all", scale=np.std(X, axis=0)).fit(X)
    np.testing.assert_allclose(given.explained_variance_, expected, rtol=1e-9)


def test_files(X, model, tmp_path):
    model.save(tmp_path / "m.scree")
    again = scree.load(tmp_path / "m.scree")
    assert isinstance(again, scree.PPCA) and np.array_equal(again.transform(X), model.transform(X))
    assert pickle.loads(pickle.dumps(model)).score(X) == model.score(X)
    model.to_onnx(tmp_path / "m.onnx")
    assert (tmp_path / "m.onnx").stat().st_size > 100
    np.save(tmp_path / "x.npy", X)
    assert model.transform(tmp_path / "x.npy", out=tmp_path / "z.npy") is None
    np.testing.assert_array_equal(np.load(tmp_path / "z.npy"), model.transform(X))


def test_pictures(X, model, tmp_path):
    pytest.importorskip("scree._view", exc_type=ImportError)
    assert model.plot()._repr_svg_().lstrip().startswith("<?xml") or "<svg" in model.plot()._repr_svg_()
    model.plot(X, tmp_path / "p.png", labels=["a", "b"] * 200)
    assert model.plot(str(tmp_path / "alone.svg")) is None
    assert "<svg" in (tmp_path / "alone.svg").read_text(encoding="utf-8")
    assert (tmp_path / "p.png").read_bytes()[:4] == b"\x89PNG"
    assert "<iframe" in model.report(X)._repr_html_()
    assert "<table>" in model._repr_html_() and "<svg" in model._repr_html_()


def test_pictures_take_what_the_command_takes(X, model):
    pytest.importorskip("scree._view", exc_type=ImportError)
    plain = model.plot(X, kind="biplot").svg
    assert plain == model.plot(X, kind="biplot").svg  # the same bytes
    for options in ({"colour_by": "cos2"}, {"size_by": "c1"}, {"layout": "column"}, {"title": "Seen"}, {"theme": "print"},
                    {"font_size": 20.0}, {"palette": "tol-muted"}, {"outlines": True}, {"top": 1}, {"highlight": [3]},
                    {"components": (1, 0)}, {"around": "t", "levels": (0.5,)}, {"supplementary_rows": X[:5] + 1.0}):
        assert model.plot(X, kind="biplot", **options).svg != plain, options
    assert "Biplot" not in model.plot(X, kind="biplot", title="").svg.replace("<title>Biplot", "")
    assert "supplementary rows" in model.plot(X, supplementary_rows=X[:5]).svg
    assert "M = 1" in model.plot(kind="error", at=(1,)).svg
    for kind in ("variance", "heatmap", "circle", "contributions"):
        assert "<svg" in model.plot(kind=kind).svg
    assert "<svg" in model.plot(X, kind="pairs").svg
    with pytest.raises(ValueError, match="no column of numbers"):
        model.plot(X, colour_by="nothing")


def test_autoencoder(X, tmp_path):
    epochs = []
    net = scree.Autoencoder(2, hidden=(16,), epochs=3, seed=1, on_epoch=lambda *what: epochs.append(what)).fit(X)
    assert len(epochs) == 3 and net.network_["epochs"] == 3
    errors = ((net.inverse_transform(net.transform(X)) - X) ** 2).sum(axis=1)
    np.testing.assert_allclose(net.score(X), -errors.mean(), rtol=1e-5)
    net.save(tmp_path / "n.scree")
    again = scree.load(tmp_path / "n.scree")
    assert isinstance(again, scree.Autoencoder) and np.array_equal(again.transform(X), net.transform(X))


def test_archives(X, tmp_path):
    path = tmp_path / "x.screez"
    about = scree.compress(X, path, max_error=0.01)
    assert about["worst"] <= 0.01 and about["ratio"] > 2
    assert np.abs(scree.open(path).read() - X).max() <= 0.01
    scree.compress(X.astype(np.float32), path)
    assert np.array_equal(scree.open(path).read(), X.astype(np.float32))
    assert scree.PPCA(2).fit(str(path)).n_components_ == 2


def test_frames(X):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=list("abcdef"))
    found = scree.PPCA(2).fit(frame)
    assert list(found.feature_names_in_) == list("abcdef")
    np.testing.assert_allclose(found.transform(frame), scree.PPCA(2).fit(X).transform(X), atol=1e-12)


def test_fonts_of_the_wheel(tmp_path, monkeypatch):
    for name in ("FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT"):
        monkeypatch.delenv(name, raising=False)
    missing, fonts = str(tmp_path / "none.conf"), str(tmp_path)
    assert not _fonts.offer(missing, fonts)  # nothing to offer
    (tmp_path / "DejaVuSans.ttf").touch()
    assert not _fonts.offer(__file__, fonts)  # the system has its own
    monkeypatch.setenv("FONTCONFIG_PATH", "/elsewhere")
    assert not _fonts.offer(missing, fonts)
    monkeypatch.delenv("FONTCONFIG_PATH")
    monkeypatch.setenv("FONTCONFIG_FILE", "")  # restored afterwards
    monkeypatch.delenv("FONTCONFIG_FILE")
    assert _fonts.offer(missing, fonts)
    assert os.environ["FONTCONFIG_FILE"] == str(tmp_path / "fonts.conf")
