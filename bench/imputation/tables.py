# SPDX-License-Identifier: BSD-3-Clause
"""Complete tables for the benchmark of imputation, and the cells that are taken out of them.

Tables that scree was judged by when it was made are in NAMED; those in OTHERS it never saw.
"""

import numpy as np

PATTERNS = ("5", "20", "50", "blocks")


def simulate(seed, rows, cols, rank, noise):
    """Rows of a factor model; noise: one standard deviation, or one for each column."""
    random = np.random.default_rng(seed)
    sizes = np.sqrt(np.linspace(3, 1, rank))
    signal = random.standard_normal((rows, rank)) * sizes @ random.standard_normal((rank, cols)) / np.sqrt(rank)
    return signal + random.standard_normal((rows, cols)) * noise


def from_scikit_learn(name):
    from sklearn import datasets

    return getattr(datasets, name)().data.astype(float)


def unequal():
    return simulate(2, 300, 40, 5, np.exp(np.random.default_rng(3).uniform(np.log(0.1), np.log(2), 40)))


def spectra():
    """Smooth curves with few degrees of freedom and little noise, more columns than rows."""
    random = np.random.default_rng(5)
    axis = np.linspace(0, 1, 150)
    bands = np.exp(-(((axis - random.uniform(0, 1, (6, 1))) / random.uniform(0.05, 0.2, (6, 1))) ** 2))
    return random.gamma(2, size=(45, 6)) @ bands + 0.02 * random.standard_normal((45, 150))


def heavy_tails():
    random = np.random.default_rng(6)
    return simulate(7, 250, 20, 3, 0.3) + 0.7 * random.standard_t(3, (250, 20))


def faces():
    """Patches of a photograph, 8×8."""
    from sklearn.datasets import load_sample_image

    image = load_sample_image("china.jpg").astype(float).mean(axis=2)
    random = np.random.default_rng(8)
    corners = zip(random.integers(0, image.shape[0] - 8, 600), random.integers(0, image.shape[1] - 8, 600))
    return np.stack([image[i : i + 8, j : j + 8].ravel() for i, j in corners])


def tiny():
    return simulate(9, 25, 12, 2, 0.6)


NAMED = {
    "iris": lambda: from_scikit_learn("load_iris"),
    "wine": lambda: from_scikit_learn("load_wine"),
    "wdbc": lambda: from_scikit_learn("load_breast_cancer"),
    "digits": lambda: from_scikit_learn("load_digits"),
    "equal": lambda: simulate(1, 200, 30, 4, 0.7),
    "unequal": unequal,
}
OTHERS = {
    "diabetes": lambda: from_scikit_learn("load_diabetes"),
    "linnerud": lambda: np.hstack([from_scikit_learn("load_linnerud"), linnerud_target()]),
    "spectra": spectra,
    "heavy": heavy_tails,
    "patches": faces,
    "tiny": tiny,
    "noise": lambda: np.random.default_rng(10).standard_normal((120, 15)),
}


def linnerud_target():
    from sklearn.datasets import load_linnerud

    return load_linnerud().target.astype(float)


def take_out(x, pattern, seed):
    """A mask, True for cells to take out; every column keeps two cells."""
    random = np.random.default_rng([seed, len(pattern), ord(pattern[0])])
    rows, cols = x.shape
    if pattern == "blocks":
        out = np.zeros(x.shape, bool)
        some_rows = random.permutation(rows)[: max(rows // 5, 1)]
        some_cols = random.permutation(cols)[: max(cols // 5, 1)]
        out[np.ix_(some_rows, some_cols)] = True
    else:
        out = random.uniform(size=x.shape) < float(pattern) / 100
    for j in np.flatnonzero((~out).sum(axis=0) < 2):
        out[random.permutation(rows)[:2], j] = False
    return out
