# SPDX-License-Identifier: BSD-3-Clause
"""What scree is compared with: soft-impute with a threshold found by cross-validation, column means, and pcaMethods.

All work on columns that are standardised by the cells which are there.
"""

import os
import subprocess
import tempfile

import numpy as np

STEPS, TOLERANCE, THRESHOLDS, FOLDS, FOLD_SHARE = 200, 1e-4, 20, 3, 0.1


def shrink(filled, threshold):
    """Singular values less the threshold, those below it left out, by the smaller Gram matrix."""
    wide = filled.shape[0] < filled.shape[1]
    matrix = filled.T if wide else filled
    values, vectors = np.linalg.eigh(matrix.T @ matrix)
    sizes = np.sqrt(np.maximum(values, 0))
    kept = sizes > threshold
    turned = matrix @ vectors[:, kept]
    low = turned * ((sizes[kept] - threshold) / sizes[kept]) @ vectors[:, kept].T
    return low.T if wide else low


def soft_impute(x, there, threshold, low):
    """Mazumder, Hastie and Tibshirani (2010), from low on."""
    for _ in range(STEPS):
        new = shrink(np.where(there, x, low), threshold)
        moved = np.sum((new - low) ** 2) / max(np.sum(low**2), 1e-12)
        low = new
        if moved < TOLERANCE**2:
            break
    return low


def soft_impute_path(x, there, thresholds):
    low = np.zeros_like(x)
    for threshold in thresholds:
        low = soft_impute(x, there, threshold, low)
        yield low


def soft_impute_validated(x, there, seed):
    """The threshold that predicts held-out cells best, on average over three choices of them."""
    random = np.random.default_rng(seed)
    zeroed = np.where(there, x, 0)
    largest = np.linalg.norm(zeroed, 2)
    thresholds = largest * np.geomspace(0.9, 0.002, THRESHOLDS)
    errors = np.zeros(THRESHOLDS)
    for _ in range(FOLDS):
        held = there & (random.uniform(size=x.shape) < FOLD_SHARE)
        for i, low in enumerate(soft_impute_path(zeroed, there & ~held, thresholds)):
            errors[i] += np.sum((low - x)[held] ** 2)
            if i > 3 and errors[i] > 1.5 * errors[: i + 1].min():
                errors[i + 1 :] = np.inf
                break
    best = int(np.argmin(errors))
    *_, low = soft_impute_path(zeroed, there, thresholds[: best + 1])
    return low


def pca_methods(x, there, seed):
    """{name: filled} by ppca and bpca, each with the number of components that predicts held-out cells best."""
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as folder:
        np.where(there, x, np.nan).tofile(os.path.join(folder, "x"))
        arguments = [folder, *map(str, x.shape), str(seed)]
        subprocess.run(["Rscript", "--vanilla", os.path.join(here, "pca_methods.R"), *arguments], check=True)
        found = {}
        for name in ("ppca", "bpca"):
            path = os.path.join(folder, name)
            if os.path.exists(path):
                found[name] = np.fromfile(path).reshape(x.shape)
    return found


def has_pca_methods():
    try:
        call = ["Rscript", "--vanilla", "-e", "library(pcaMethods)"]
        return subprocess.run(call, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def scree(program, x, there, options=()):
    """(filled, standard deviations) in the columns as they are."""
    with tempfile.TemporaryDirectory() as folder:
        names = {n: os.path.join(folder, n) for n in ("gaps.npy", "model.scree", "filled.npy", "sd.npy")}
        np.save(names["gaps.npy"], np.where(there, x, np.nan))
        subprocess.run([program, "fit", "-q", names["gaps.npy"], "-o", names["model.scree"], *options], check=True)
        call = [program, "impute", "-q", names["model.scree"], names["gaps.npy"], "-o", names["filled.npy"]]
        subprocess.run([*call, "--sd", names["sd.npy"]], check=True)
        return np.load(names["filled.npy"]), np.load(names["sd.npy"])
