#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What docs/from.md says of scikit-learn and of R, on the iris data: eigenvalues with their divisors, codes with their signs,
loadings, noise variance and likelihood. Each system is asked where it is installed; without any, the test is skipped. The
interpreter that has scikit-learn may be named by SCIKIT_LEARN.
"""

import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile

SRC, SCREE = os.environ["SRC"], os.environ["SCREE"]
DATA = os.path.join(SRC, "examples", "iris.csv")
failures = []

PYTHON = """
import json, sys
import numpy as np
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.preprocessing import StandardScaler
X = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1, usecols=range(4))
p, w = PCA(2).fit(X), PCA(2, whiten=True)
S, t = StandardScaler().fit_transform(X), TruncatedSVD(2, algorithm="arpack").fit(X)
print(json.dumps({"values": p.explained_variance_.tolist(), "ratio": p.explained_variance_ratio_.tolist(),
    "singular": p.singular_values_.tolist(), "components": p.components_.tolist(), "mean": p.mean_.tolist(),
    "noise": p.noise_variance_, "codes": p.transform(X).tolist(), "white": w.fit_transform(X).tolist(),
    "loglik": p.score_samples(X).tolist(), "all": PCA().fit(X).n_components_,
    "uncentred": t.transform(X).ravel().tolist(), "uncentred-ratio": t.explained_variance_ratio_.tolist(),
    "uncentred-singular": t.singular_values_.tolist(), "standard": PCA(2).fit_transform(S).tolist(),
    "standard-values": PCA(2).fit(S).explained_variance_.tolist(), "standard-white": w.fit_transform(S).tolist()}))
"""

R = """
X <- as.matrix(read.csv(commandArgs(TRUE)[1])[, 1:4])
give <- function(name, x) cat(name, format(as.vector(t(x)), digits = 17), "\\n")
p <- prcomp(X); q <- princomp(X); s <- prcomp(X, scale. = TRUE); c <- princomp(X, cor = TRUE)
give("uncentred-codes", prcomp(X, center = FALSE)$x[, 1:2])
give("prcomp-values", p$sdev^2); give("prcomp-codes", p$x[, 1:2]); give("prcomp-weights", p$rotation[, 1:2])
give("scaled-values", s$sdev^2); give("scaled-codes", s$x[, 1:2])
give("princomp-values", q$sdev^2); give("princomp-codes", q$scores[, 1:2])
give("princomp-first", unclass(q$loadings)[1, ]); give("cor-codes", c$scores[, 1:2])
if (suppressWarnings(suppressMessages(require(FactoMineR, quietly = TRUE)))) {
    f <- PCA(X, graph = FALSE); g <- PCA(X, scale.unit = FALSE, graph = FALSE)
    give("facto-values", f$eig[, 1]); give("facto-codes", f$ind$coord[, 1:2]); give("facto-loadings", f$var$coord[, 1:2])
    give("plain-values", g$eig[, 1]); give("plain-codes", g$ind$coord[, 1:2]); give("facto-sums", colSums(f$svd$V))
    give("facto-count", f$call$ncp)
}
if (suppressWarnings(suppressMessages(require(psych, quietly = TRUE)))) {
    m <- principal(X, nfactors = 2, rotate = "none")
    give("psych-loadings", unclass(m$loadings)); give("psych-scores", m$scores); give("psych-values", m$values)
    give("psych-sums", colSums(unclass(m$loadings)))
}
"""


def scree(*words):
    return subprocess.run([SCREE, *words], check=True, capture_output=True, text=True).stdout


def close(name, there, here, tolerance=1e-9):
    """Numbers are the same; of lists of lists, all of them."""
    flat = [x for row in here for x in row] if isinstance(here[0], list) else here
    theirs = [x for row in there for x in row] if isinstance(there[0], list) else there
    worst = max((abs(a - b) for a, b in zip(theirs, flat)), default=0.0)
    if len(theirs) != len(flat) or not worst < tolerance:
        failures.append(f"{name}: {len(theirs)} numbers there and {len(flat)} here, at most {worst:.3g} apart")


def aligned(there, here):
    """Codes of two components from there, flat, as pairs, with the signs of those from here."""
    pairs = [list(pair) for pair in zip(there[::2], there[1::2])]
    for j in range(2):
        if sum(a[j] * b[j] for a, b in zip(pairs, here)) < 0:
            for pair in pairs:
                pair[j] = -pair[j]
    return pairs


class Fit:
    """A model of scree, and what it says."""

    def __init__(self, box, *options):
        self.path = os.path.join(box, "-".join(options).replace("-", "") + ".scree")
        scree("fit", "-q", DATA, *options, "-o", self.path)
        self.info = json.loads(scree("info", "--json", self.path))

    def columns(self, command, names, *options):
        rows = csv.DictReader(scree(command, "-q", self.path, DATA, *options).splitlines())
        return [[float(row[name]) for name in names] for row in rows]

    def codes(self):
        return self.columns("project", ("pc1", "pc2"))

    def loadings(self):
        """D rows of u√λ."""
        sizes = [value ** 0.5 for value in self.info["eigenvalues"]]
        return [[row[j] * size for row, size in zip(self.info["components"], sizes)] for j in range(self.info["d"])]


def find_python():
    for python in (os.environ.get("SCIKIT_LEARN"), sys.executable, "python3"):
        if python and subprocess.run([python, "-c", "import sklearn"], capture_output=True, check=False).returncode == 0:
            return python
    return None


def check_standard(box, told):
    unit, unit_one = Fit(box, "-k", "2", "--scale", "unit"), Fit(box, "-k", "2", "--scale", "unit", "--ddof", "1")
    close("StandardScaler", told["standard"], unit.codes())
    for fit in unit, unit_one:
        close("StandardScaler, explained_variance_", told["standard-values"],
              [150 / 149 * value for value in fit.info["eigenvalues"]])
    close("StandardScaler, whiten", told["standard-white"],
          unit.columns("project", ("w1", "w2"), "--whiten", "--ddof", "1"))


def check_uncentred(box, told):
    fit = Fit(box, "-k", "2", "--center", "none")
    codes = fit.codes()
    close("TruncatedSVD", aligned(told["uncentred"], codes), codes, 1e-8)
    close("TruncatedSVD, singular_values_", told["uncentred-singular"],
          [(150 * value) ** 0.5 for value in fit.info["eigenvalues"]], 1e-8)
    means = [sum(column) / 150 for column in zip(*codes)]
    variances = [sum((x - mean) ** 2 for x in column) / 150 for column, mean in zip(zip(*codes), means)]
    total = sum(Fit(box, "-k", "all").info["eigenvalues"])
    close("TruncatedSVD, explained_variance_ratio_", told["uncentred-ratio"], [x / total for x in variances])
    if abs(told["uncentred-ratio"][0] - fit.info["explained_variance_ratio"][0]) < 0.01:
        failures.append("TruncatedSVD: explained_variance_ratio_ is that of second moments after all")


def check_scikit_learn(box, python):
    told = json.loads(subprocess.run([python, "-c", PYTHON, DATA], check=True, capture_output=True, text=True).stdout)
    fit = Fit(box, "-k", "2", "--ddof", "1")
    values = fit.info["eigenvalues"]
    close("explained_variance_", told["values"], values)
    close("explained_variance_ratio_", told["ratio"], fit.info["explained_variance_ratio"])
    close("singular_values_", told["singular"], [(149 * value) ** 0.5 for value in values])
    close("components_", told["components"], fit.info["components"])
    close("mean_", told["mean"], fit.info["mean"])
    close("noise_variance_", [told["noise"]], [fit.info["noise_variance"]])
    close("transform", told["codes"], fit.codes())
    close("whiten", told["white"], fit.columns("project", ("w1", "w2"), "--whiten"))
    close("score_samples", [[x] for x in told["loglik"]], fit.columns("score", ("loglik",)), 1e-8)
    check_standard(box, told)
    check_uncentred(box, told)
    close("all components", [told["all"]], [Fit(box, "-k", "all").info["m"]])


def check_r(box):
    said = subprocess.run(["Rscript", "-e", R, DATA], check=True, capture_output=True, text=True).stdout
    told = {words[0]: [float(x) for x in words[1:]] for words in map(str.split, said.splitlines()) if words}
    one, plain = Fit(box, "-k", "all", "--ddof", "1"), Fit(box, "-k", "all")
    unit, unit_one = Fit(box, "-k", "2", "--scale", "unit"), Fit(box, "-k", "2", "--scale", "unit", "--ddof", "1")
    close("prcomp sdev²", told["prcomp-values"], one.info["eigenvalues"])
    close("prcomp x", aligned(told["prcomp-codes"], one.codes()), one.codes())
    bare = Fit(box, "-k", "2", "--center", "none").codes()
    close("prcomp uncentred x", aligned(told["uncentred-codes"], bare), bare)
    weights = [list(pair) for pair in zip(*one.info["components"][:2])]
    close("prcomp rotation", aligned(told["prcomp-weights"], weights), weights)
    close("prcomp scaled sdev²", told["scaled-values"][:2], unit_one.info["eigenvalues"])
    close("prcomp scaled x", aligned(told["scaled-codes"], unit_one.codes()), unit_one.codes())
    close("princomp sdev²", told["princomp-values"], plain.info["eigenvalues"])
    close("princomp scores", aligned(told["princomp-codes"], plain.codes()), plain.codes())
    close("princomp cor scores", aligned(told["cor-codes"], unit.codes()), unit.codes())
    if not all(x > 0 for x in told["princomp-first"]):
        failures.append("princomp: first entries are not all positive")
    if "facto-values" in told:
        close("FactoMineR eig", told["facto-values"][:2], unit.info["eigenvalues"])
        close("FactoMineR ind$coord", aligned(told["facto-codes"], unit.codes()), unit.codes())
        close("FactoMineR var$coord", aligned(told["facto-loadings"], unit.loadings()), unit.loadings())
        close("FactoMineR unscaled eig", told["plain-values"], plain.info["eigenvalues"])
        close("FactoMineR unscaled coord", aligned(told["plain-codes"], plain.codes()), plain.codes())
        close("FactoMineR ncp", told["facto-count"], [4.0])
        if not all(x > 0 for x in told["facto-sums"]):
            failures.append("FactoMineR: sums of entries are not all positive")
    if "psych-values" in told:
        white = unit_one.columns("project", ("w1", "w2"), "--whiten")
        close("psych values", told["psych-values"][:2], unit_one.info["eigenvalues"])
        close("psych loadings", aligned(told["psych-loadings"], unit_one.loadings()), unit_one.loadings())
        close("psych scores", aligned(told["psych-scores"], white), white)
        if not all(x > 0 for x in told["psych-sums"]):
            failures.append("psych: sums of loadings are not all positive")
    return 1 + ("facto-values" in told) + ("psych-values" in told)


def main():
    asked = 0
    with tempfile.TemporaryDirectory() as box:
        python = find_python()
        if python:
            check_scikit_learn(box, python)
            asked += 1
        if shutil.which("Rscript"):
            asked += check_r(box)
    if asked == 0:
        print("skipped: there is neither scikit-learn nor R here")
        return 77
    for failure in failures:
        print(failure)
    print(f"{asked} systems asked, {len(failures)} differences")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
