# SPDX-License-Identifier: BSD-3-Clause
"""The rows of a table: a planted spectrum, or a real table, as an NPY file.

    x = µ + Σ_j √λ_j z_j w_j + σ e,   z, e standard normal, w_j random directions, orthonormal where that is affordable.

σ²(1 + √(D/N))², where the bulk of the noise ends, is the unit of all λ but those of harmonic:

    harmonic  1/j and noise at 10⁻⁴ below them      spikes    20, 15, 10, 7 and 5, then noise
    noise     nothing else                          plateaus  20 at 100, 60 at 10, then noise

and of the tables that are held out

    steps     5 at 1000, 20 at 100, 80 at 10        exponential  10⁴ e^(-j/8)
    slow      j^-¼, without noise                   huge         one of 10⁶, 4 of 5
    heavy     spikes, noise with the t distribution of 4 degrees of freedom
    walk      each row a random walk                faces        smooth images: a kernel of length D/40
    genotypes 0, 1 and 2 in four populations

Bytes are 128 + 30x/sd, rounded. Rows are made in pieces, each by its own generator, so that threads do not matter.
"""

import gzip
import os
import zlib
from concurrent.futures import ThreadPoolExecutor

import numpy

MOST_ORTHONORMAL = 2e11  # flops of a QR
PIECE_CELLS = 1 << 22
SEED = 13


def planted(spectrum, rows, cols):
    """λ, and σ² of the noise."""
    least = min(rows, cols)
    edge = (1 + numpy.sqrt(cols / rows)) ** 2
    count = least if least <= 2000 else 400
    j = numpy.arange(1, count + 1)
    if spectrum == "harmonic":
        return 1 / j, 1e-4 / edge
    if spectrum == "slow":
        return numpy.arange(1, min(least, 3500) + 1) ** -0.25, 0
    values = {
        "noise": [],
        "spikes": [20, 15, 10, 7, 5],
        "heavy": [20, 15, 10, 7, 5],
        "plateaus": [100] * 20 + [10] * 60,
        "steps": [1000] * 5 + [100] * 20 + [10] * 80,
        "exponential": 1e4 * numpy.exp(-j[:120] / 8),
        "huge": [1e6, 5, 5, 5, 5],
    }[spectrum]
    return edge * numpy.array(values, dtype=float)[: least // 2], 1.0


def directions(generator, count, cols):
    w = generator.standard_normal((count, cols))
    if 4.0 * count * count * cols > MOST_ORTHONORMAL:
        return w / numpy.sqrt(cols)
    return numpy.linalg.qr(w.T)[0].T


def noise_of(spectrum, generator, shape, real):
    if spectrum == "heavy":
        return (generator.standard_t(4, shape) / numpy.sqrt(2)).astype(real)
    return generator.standard_normal(shape, dtype=real)


def planted_pieces(table, real):
    """A function of first row, count and generator, and the standard deviation of a cell."""
    generator = numpy.random.default_rng([SEED, table.rows, table.cols])
    values, noise = planted(table.spectrum, table.rows, table.cols)
    w = directions(generator, len(values), table.cols)
    loadings = (numpy.sqrt(values)[:, None] * w).astype(real)
    deviation = numpy.sqrt(values.sum() / table.cols + noise)
    mean = (deviation * generator.standard_normal(table.cols)).astype(real)

    def piece(count, own):
        x = own.standard_normal((count, len(values)), dtype=real) @ loadings
        if noise:
            x += real(numpy.sqrt(noise)) * noise_of(table.spectrum, own, x.shape, real)
        return x if table.type == "u1" else x + mean

    return piece, deviation


def simulated_pieces(table, real):
    """The same of what has no planted spectrum."""
    generator = numpy.random.default_rng([SEED, table.rows, table.cols])
    if table.spectrum == "walk":
        return lambda count, own: own.standard_normal((count, table.cols), dtype=real).cumsum(axis=1), 1.0
    if table.spectrum == "genotypes":
        shares = generator.uniform(0.05, 0.5, table.cols)
        pull = numpy.clip(shares + 0.1 * generator.standard_normal((4, table.cols)), 0.01, 0.99)
        return lambda count, own: own.binomial(2, pull[own.integers(0, 4, count)]), None
    place = numpy.arange(table.cols) / table.cols
    waves = numpy.array([numpy.cos(numpy.pi * f * place) * numpy.exp(-((f / 80) ** 2)) for f in range(320)])

    def image(count, own):
        return own.standard_normal((count, 320)) @ waves + 0.02 * own.standard_normal((count, table.cols))

    return image, 1.0


def read_digits(rows):
    """MNIST's training images, from the folder that MNIST names."""
    path = os.path.join(os.environ.get("MNIST", ""), "train-images-idx3-ubyte.gz")
    with gzip.open(path) as file:
        return numpy.frombuffer(file.read(), numpy.uint8, offset=16).reshape(-1, 784)[:rows]


def real_table(table):
    """A table that somebody measured, or None."""
    if table.spectrum == "mnist":
        return read_digits(table.rows)
    names = {"digits": "load_digits", "cancer": "load_breast_cancer", "wine": "load_wine", "diabetes": "load_diabetes"}
    if table.spectrum not in names:
        return None
    from sklearn import datasets

    return getattr(datasets, names[table.spectrum])().data


def write_pieces(table, file):
    real = numpy.float64 if table.type == "f8" else numpy.float32
    maker = simulated_pieces if table.spectrum in ("walk", "genotypes", "faces") else planted_pieces
    piece, deviation = maker(table, real)
    step = max(1, PIECE_CELLS // table.cols)

    def fill(first):
        own = numpy.random.default_rng([SEED, table.rows, table.cols, zlib.crc32(table.spectrum.encode()), first])
        x = piece(min(step, table.rows - first), own)
        if table.type == "u1" and deviation:
            x = numpy.clip(numpy.rint(128 + 30 * x / deviation), 0, 255)
        file[first : first + len(x)] = x

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(fill, range(0, table.rows, step)))


def write(table, path):
    """Makes the file; the rows as the system maps them."""
    file = numpy.lib.format.open_memmap(path, "w+", numpy.dtype(table.type), (table.rows, table.cols))
    real = real_table(table)
    if real is not None:
        file[:] = real
    else:
        write_pieces(table, file)
    file.flush()
    return file


def checksum(x):
    """Tells rows from others, at the speed of memory."""
    flat = x.reshape(-1).view(numpy.uint8)
    whole = flat[: len(flat) // 8 * 8].view(numpy.uint64)
    return f"{int(whole.sum(dtype=numpy.uint64)):016x}{zlib.crc32(flat[: 1 << 20]):08x}"
