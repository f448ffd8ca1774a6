# SPDX-License-Identifier: BSD-3-Clause
"""True eigenpairs of a table's covariance, and how far a result is from them.

All in double, with numpy and LAPACK, nothing of scree: columns are centred first, S = XᵀX/N or XXᵀ/N is formed on the
shorter side and reduced by LAPACK, or, where few pairs of something large are needed, by block Lanczos that keeps its
whole basis and orthogonalises it twice, until residuals are 1e-10 of the first eigenvalue. Where S itself is too
large, products with it are made from the rows. What was found is kept in a folder under a checksum of the rows.
"""

import os

import numpy
from scipy import linalg

import matrices

MOST_FORMED = 2.5e12  # multiplications to form S
MOST_REDUCED = 1500  # of that order S is reduced completely
CHUNK = 1 << 24  # cells that are doubles at a time
MOST_KEPT = 1 << 26  # cells that stay doubles
STILL = 1e-10
ROUNDING = 1e-12  # of the reference, relative to the first eigenvalue


class Rows:
    """Centred doubles of a table, a chunk at a time."""

    def __init__(self, x):
        self.x = x
        self.kept = None  # all rows, centred
        self.rows, self.cols = x.shape
        step = max(1, CHUNK // self.cols)
        self.pieces = [slice(i, i + step) for i in range(0, self.rows, step)]
        self.mean = numpy.zeros(self.cols)
        self.mean = sum(self.chunk(p).sum(axis=0) for p in self.pieces) / self.rows
        self.mean += sum(self.chunk(p).sum(axis=0) for p in self.pieces) / self.rows
        if x.size <= MOST_KEPT:
            self.kept = self.chunk(slice(None))

    def chunk(self, piece):
        return self.x[piece].astype(numpy.float64) - self.mean if self.kept is None else self.kept[piece]

    def times(self, columns):
        """S·columns, D×p, from the rows."""
        total = numpy.zeros_like(columns)
        for p in self.pieces:
            c = self.chunk(p)
            total += c.T @ (c @ columns)
        return total / self.rows

    def scatter(self):
        """XᵀX/N."""
        total = numpy.zeros((self.cols, self.cols))
        for p in self.pieces:
            c = self.chunk(p)
            total += c.T @ c
        return total / self.rows

    def inner(self):
        """XXᵀ/N."""
        total = numpy.zeros((self.rows, self.rows))
        step = max(1, CHUNK // self.rows)
        for first in range(0, self.cols, step):
            part = slice(first, first + step)
            c = self.x[:, part].astype(numpy.float64) - self.mean[part]
            total += c @ c.T
        return total / self.rows

    def turned(self, columns):
        """Xᵀ·columns, D×p."""
        return sum(self.chunk(p).T @ columns[p] for p in self.pieces)


def block_lanczos(times, order, k):
    """The k largest pairs, and their residuals."""
    width = max(24, min(k + 8, 64))
    generator = numpy.random.default_rng(7)
    block = numpy.linalg.qr(generator.standard_normal((order, width)))[0]
    basis = numpy.zeros((order, 0))
    images = numpy.zeros((order, 0))
    while True:
        image = times(block)
        basis = numpy.hstack([basis, block])
        images = numpy.hstack([images, image])
        if basis.shape[1] >= 2 * k:
            small = basis.T @ images
            values, y = linalg.eigh((small + small.T) / 2)
            values, y = values[::-1][:k], y[:, ::-1][:, :k]
            vectors = basis @ y
            residuals = numpy.linalg.norm(images @ y - vectors * values, axis=0)
            if residuals.max() <= STILL * values[0]:
                return values, vectors, residuals
            if basis.shape[1] + width > order:
                raise ArithmeticError(f"no reference pairs: residuals are {residuals.max():.1e} of {values[0]:.1e}")
        for _ in range(2):
            image -= basis @ (basis.T @ image)
        block = numpy.linalg.qr(image)[0]
        block -= basis @ (basis.T @ block)
        block = numpy.linalg.qr(block)[0]


def pairs_of_formed(s, k):
    order = len(s)
    if order <= MOST_REDUCED or 5 * k > order:
        values, vectors = linalg.eigh(s, driver="evd")
        values, vectors = values[::-1][:k], vectors[:, ::-1][:, :k]
        return values, vectors, numpy.linalg.norm(s @ vectors - vectors * values, axis=0)
    return block_lanczos(lambda columns: s @ columns, order, k)


class Reference:
    """values, descending; vectors, k×D; residuals."""

    def __init__(self, x, k, kept):
        self.rows = Rows(x)
        self.s = None
        if kept and self.load(kept, k):
            return
        n, d = x.shape
        if float(n) * d * min(n, d) > MOST_FORMED:
            values, columns, residuals = block_lanczos(self.rows.times, d, k)
        elif d <= n:
            self.s = self.rows.scatter()
            values, columns, residuals = pairs_of_formed(self.s, k)
        else:
            values, inner, residuals = pairs_of_formed(self.rows.inner(), k)
            columns = self.rows.turned(inner)
            columns /= numpy.maximum(numpy.linalg.norm(columns, axis=0), 1e-300)
        self.values, self.vectors, self.residuals = values, numpy.ascontiguousarray(columns.T), residuals
        if kept:
            numpy.savez(kept, checksum=matrices.checksum(x), values=values, vectors=self.vectors, residuals=residuals)

    def load(self, kept, k):
        if not os.path.exists(kept):
            return False
        with numpy.load(kept) as found:
            if str(found["checksum"]) != matrices.checksum(self.rows.x) or len(found["values"]) < k:
                return False
            self.values, self.vectors, self.residuals = (found[name] for name in ("values", "vectors", "residuals"))
        return True

    def times(self, components):
        """components·S, k×D."""
        n, d = self.rows.x.shape
        if self.s is None and d <= min(n, 1000) and len(components) > 20:
            self.s = self.rows.scatter()
        if self.s is not None:
            return components @ self.s
        return self.rows.times(numpy.ascontiguousarray(components.T)).T

    def slack(self, m):
        """What of an eigenvalue's error may be the reference's own."""
        gaps = numpy.abs(numpy.diff(self.values))
        near = numpy.minimum(numpy.append(gaps, numpy.inf), numpy.append(numpy.inf, gaps))[:m]
        own = self.residuals[:m]
        return own * own / numpy.maximum(numpy.maximum(near, own), 1e-300) + ROUNDING * self.values[0]


class Errors:
    """Of eigenpairs with the divisor N: true residuals and errors of eigenvalues, and the variance captured."""

    def __init__(self, reference, values, components):
        images = reference.times(components)
        m = len(values)
        self.residuals = numpy.linalg.norm(images - values[:, None] * components, axis=1)
        self.shifts = numpy.abs(values - reference.values[:m])
        self.captured = float(numpy.einsum("ij,ij", images, components))
        positive = numpy.maximum(numpy.abs(values), 1e-12 * reference.values[0])
        self.residual = float((self.residuals / positive).max())
        self.value = float((self.shifts / positive).max())


def broken_promises(reference, errors, result):
    """Sentences on components whose true errors are above what is said of them; none is as it should be."""
    found = []
    m = len(result["values"])
    slack = reference.slack(m)
    for j in range(m):
        if not errors.residuals[j] <= result["residuals"][j] + ROUNDING * reference.values[0]:
            found.append(f"component {j + 1}: residual {errors.residuals[j]:.3g}, bound {result['residuals'][j]:.3g}")
        if not errors.shifts[j] <= result["bounds"][j] + slack[j]:
            found.append(f"component {j + 1}: eigenvalue off by {errors.shifts[j]:.3g}, bound {result['bounds'][j]:.3g}")
    return found + wide_angles(reference, result)


def wide_angles(reference, result):
    """The same of angles; a cluster's components against the space that the true ones span."""
    found = []
    m = len(result["values"])
    for j in range(m):
        first, last = int(result["first"][j]), int(result["last"][j])
        if result["angles"][j] >= 1 or last >= m or reference.values[last] < 1e-10 * reference.values[0]:
            continue
        beyond = reference.values[last + 1] if last + 1 < len(reference.values) else None
        gaps = [reference.values[first - 1] - reference.values[first]] if first else []
        gaps += [reference.values[last] - beyond] if beyond is not None else []
        own = reference.residuals[first : last + 1].max() + ROUNDING * reference.values[0]
        u, v = result["components"][j], reference.vectors[first : last + 1]
        sine = numpy.linalg.norm(u - (u @ v.T) @ v)
        if not sine <= result["angles"][j] + 2 * own / max(min(gaps, default=own), own) + 1e-9:
            found.append(f"component {j + 1}: sine {sine:.3g}, bound {result['angles'][j]:.3g}")
    return found
