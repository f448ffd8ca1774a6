# SPDX-License-Identifier: BSD-3-Clause
"""A plug-in of pytest that puts scree's classes in the place of scikit-learn's before its tests are collected.

`pytest -p swap_sklearn TESTS` runs scikit-learn's own tests, unmodified. That ours ran is proven twice: the fit methods of
scikit-learn's classes raise, and ours are counted; a run that made no fit with each class that its files test fails.
"""

from __future__ import annotations

import functools

import sklearn.decomposition as target
from sklearn.decomposition import _incremental_pca, _pca, _truncated_svd

import scree

HOMES = {"PCA": _pca, "IncrementalPCA": _incremental_pca, "TruncatedSVD": _truncated_svd}
calls = dict.fromkeys(HOMES, 0)


def forbidden(self, *args, **kwargs):
    raise AssertionError(f"scikit-learn's own {type(self).__name__} was fitted")


def counted(cls, name, method):
    @functools.wraps(method)
    def wrapped(self, *args, **kwargs):
        calls[name] += 1
        return method(self, *args, **kwargs)

    return wrapped


def swap():
    for name, home in HOMES.items():
        theirs, ours = getattr(home, name), getattr(scree, name)
        assert theirs.__module__.startswith("sklearn.") and ours.__module__.startswith("scree.")
        for verb in ("fit", "fit_transform", "partial_fit", "_fit"):
            if verb in theirs.__dict__:
                setattr(theirs, verb, forbidden)
        for verb in ("fit", "fit_transform", "partial_fit"):
            if verb in ours.__dict__:
                setattr(ours, verb, counted(ours, name, ours.__dict__[verb]))
        setattr(home, name, ours)
        setattr(target, name, ours)


swap()


def pytest_sessionfinish(session, exitstatus):
    print("\nscree's classes were fitted:", ", ".join(f"{name} {count}" for name, count in calls.items()))
    files = " ".join(str(item.fspath) for item in session.items)
    for name, stem in (("PCA", "test_pca"), ("IncrementalPCA", "incremental"), ("TruncatedSVD", "truncated")):
        if stem in files and not calls[name]:
            session.exitstatus = 1
            print(f"scree.{name} was never fitted")
