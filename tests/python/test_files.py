# SPDX-License-Identifier: BSD-3-Clause
"""Files as the command reads them: genotypes, options by name, states, formats that need a module."""

import os

import numpy as np
import pytest

import scree
from scree._model import stream
from scree._read import FIELDS
from scree._sources import source_of

BED = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "cohort.bed")
genotypes = pytest.mark.skipif(not os.path.exists(BED), reason="the example is not here")


def copy_of(tmp_path, change):
    """The cohort's files, the lines of the .bim changed, as c.bed."""
    stem = os.path.splitext(BED)[0]
    for end in ("bed", "fam"):
        (tmp_path / f"c.{end}").write_bytes(open(f"{stem}.{end}", "rb").read())
    lines = [change(line.split()) for line in open(f"{stem}.bim", encoding="utf-8")]
    (tmp_path / "c.bim").write_text("\n".join("\t".join(line) for line in lines) + "\n")
    return tmp_path / "c.bed"


@genotypes
def test_genotypes_are_scaled_as_the_command_does():
    model = scree.PPCA(2).fit(BED)
    np.testing.assert_array_equal(model.explained_variance_, scree.PPCA(2, scale="binomial").fit(BED).explained_variance_)
    plain = scree.PPCA(2, scale="none").fit(BED)
    assert plain.explained_variance_[0] < 0.7 * model.explained_variance_[0]
    p = model.mean_ / 2
    np.testing.assert_allclose(model.model_.view["scale"], np.sqrt(2 * p * (1 - p)), rtol=1e-12)
    some = scree.PPCA(2).fit(BED, chr="1", maf=0.05, missing="keep")
    assert some.n_features_in_ < model.n_features_in_ and some.method_ == "em"


@genotypes
def test_variants_are_matched_by_allele(tmp_path):
    model = scree.PPCA(2).fit(BED)
    model.save(tmp_path / "m.scree")
    loaded = scree.load(tmp_path / "m.scree")
    calls = stream("copy", None, source_of(BED, missing="keep"))[0]
    mean = model.mean_

    def codes_of(rows):
        return (np.where(np.isnan(rows), mean, rows) - mean) / model.model_.view["scale"] @ model.components_.T

    np.testing.assert_allclose(loaded.transform(BED), codes_of(calls), atol=1e-9)
    flipped = copy_of(tmp_path, lambda line: [*line[:4], line[5], line[4]])
    np.testing.assert_allclose(loaded.transform(flipped), codes_of(2 - calls), atol=1e-9)
    np.testing.assert_allclose(model.score_samples(flipped), model.score_samples(np.where(np.isnan(calls), mean, 2 - calls)), rtol=1e-9)
    absent = copy_of(tmp_path, lambda line: [line[0], "other" if line[1] == "rs1" else line[1], *line[2:]])
    calls[:, 0] = np.nan
    np.testing.assert_allclose(loaded.transform(absent), codes_of(calls), atol=1e-9)


@pytest.fixture
def table(tmp_path):
    X = np.arange(40.0).reshape(10, 4) ** 1.5 % 7
    X[2, 1] = -999
    np.savetxt(tmp_path / "x.csv", X, delimiter=";", header="a;b;c;d", comments="", fmt="%.17g")
    return X, tmp_path / "x.csv"


def test_options_of_files(table):
    X, path = table

    def means(part=slice(None), places=slice(None), **options):
        found = scree.PPCA(1).fit(path, **options).mean_
        np.testing.assert_allclose(found, X[part, places].mean(axis=0), rtol=1e-12)

    means(slice(3, 8), rows="4:8")
    means(slice(3, None), rows="4:")
    means(slice(0, 7), rows=":7")
    means(places=[0, 2], columns=["a", "c"])
    means(places=[0, 2, 3], exclude="b", delimiter=";", header=True, encoding="utf-8", input_format="csv")
    first, again = (scree.PPCA(1).fit(path, sample=5, seed=3).mean_ for _ in range(2))
    assert np.array_equal(first, again) and not np.array_equal(first, scree.PPCA(1).fit(path, sample=5, seed=4).mean_)
    assert scree.PPCA(1).fit(path).method_ != "em"
    assert all(scree.PPCA(1).fit(path, na=given).method_ == "em" for given in (["-999", "n.m."], -999, "-999"))
    model = scree.PPCA(1).fit(path)
    np.testing.assert_array_equal(model.transform(path, rows="1:3"), model.transform(path)[:3])
    np.testing.assert_array_equal(scree.PPCA(1).fit_transform(path, sample=5, seed=3).shape, (5, 1))
    assert scree.State(4).add(path, rows="1:4").view["rows"] == 4


def test_options_that_are_none(table):
    _, path = table
    with pytest.raises(TypeError) as caught:
        scree.PPCA(1).fit(path, colour=1)
    assert all(name in str(caught.value) for name in FIELDS)
    for options, words in (({"rows": "a"}, "range"), ({"rows": "5:2"}, "range"), ({"maf": 2}, "frequency"), ({"missing": "x"}, "'mean', 'keep'"),
                           ({"seed": 1}, "sample"), ({"sample": -1}, "not a number of rows")):
        with pytest.raises(ValueError, match=words):
            scree.PPCA(1).fit(path, **options)
    with pytest.raises(TypeError, match="option 'rows' is of files and frames"):
        scree.PPCA(1).fit(np.eye(4), rows="1:2")


def test_the_documents_have_all_options():
    page = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "python.md")
    if not os.path.exists(page):
        pytest.skip("the documents are not here")
    text = open(page, encoding="utf-8").read()
    assert [name for name in FIELDS if f"`{name}`" not in text] == []


def test_a_state_is_loaded(tmp_path):
    scree.State(3).add(np.eye(3)).save(tmp_path / "a.state")
    state = scree.load(tmp_path / "a.state")
    assert isinstance(state, scree.State) and state.view["rows"] == 3


@pytest.mark.parametrize("name", ["cells.h5ad", "cells_10x.h5"])
def test_modules_are_found(name):
    folder = os.path.dirname(scree.__file__)
    path = os.path.join(os.path.dirname(BED), name)
    if not os.path.exists(os.path.join(folder, "scree-hdf5.so")) or not os.path.exists(path):
        pytest.skip("the package was built without libhdf5, or the example is not here")
    assert scree.PPCA(2).fit(path).n_components_ == 2
