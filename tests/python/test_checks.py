# SPDX-License-Identifier: BSD-3-Clause
"""What scikit-learn demands of every estimator, of each of ours."""

import pytest

import scree

checks = pytest.importorskip("sklearn.utils.estimator_checks")


@checks.parametrize_with_checks([scree.PCA(), scree.IncrementalPCA(), scree.TruncatedSVD(n_components=1)])
def test_estimator(estimator, check):
    check(estimator)
