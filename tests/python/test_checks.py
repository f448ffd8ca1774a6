# SPDX-License-Identifier: BSD-3-Clause
"""What scikit-learn demands of every estimator, of each of ours."""

import pytest

import scree

checks = pytest.importorskip("sklearn.utils.estimator_checks")


ESTIMATORS = [
    scree.PCA(),
    scree.IncrementalPCA(),
    scree.TruncatedSVD(n_components=1),
    scree.PPCA(1),
    scree.Autoencoder(1, hidden=(4,), epochs=3),
]


@checks.parametrize_with_checks(ESTIMATORS)
def test_estimator(estimator, check):
    check(estimator)
