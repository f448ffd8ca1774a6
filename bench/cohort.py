#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Simulates genotypes of several populations and writes them as PREFIX.bed, .bim and .fam.

    bench/cohort.py PREFIX SAMPLES VARIANTS [--missing SHARE] [--populations 5] [--fst 0.02,0.05] [--seed 1]

Balding and Nichols (1995): a variant has an ancestral frequency p, uniform on [0.05, 0.5]; the frequency of a population
is drawn from Beta(p(1-F)/F, (1-p)(1-F)/F), where F is its FST, evenly spaced between the two that are given; and each of
a sample's two alleles is drawn with the frequency of its population, in which samples take turns. Every block of variants
has random numbers of its own, so that processes, one for each processor, can draw them in any order."""

import argparse
import functools
import multiprocessing

import numpy as np

CODE = np.array([3, 2, 0], np.uint8)  # of 0, 1 and 2 copies of A1
LETTERS = np.array(["A", "C", "G", "T"])


def frequencies(draw, count, spread):
    """Of count variants in each population."""
    p = draw.uniform(0.05, 0.5, count)[:, None]
    return draw.beta(p * (1 - spread) / spread, (1 - p) * (1 - spread) / spread)


def pack(code):
    """Codes of 2 bits, variants × samples, four to a byte, the first lowest."""
    samples = code.shape[1]
    padded = np.zeros((code.shape[0], -(-samples // 4) * 4), np.uint8)
    padded[:, :samples] = code
    return padded[:, 0::4] | padded[:, 1::4] << 2 | padded[:, 2::4] << 4 | padded[:, 3::4] << 6


def block_of(options, span):
    """Packed variants, of a span (first, count) of them."""
    first, count = span
    draw = np.random.default_rng((options.seed, first))
    population = np.arange(options.samples) % options.populations
    low, high = (float(f) for f in options.fst.split(","))
    spread = np.linspace(low, high, options.populations)
    reach = (frequencies(draw, count, spread) * 65535).astype(np.uint16)[:, population]
    copies = np.zeros(reach.shape, np.uint8)
    for _ in range(2):
        copies += draw.integers(0, 65535, reach.shape, np.uint16) < reach
    code = CODE[copies]
    if options.missing > 0:
        code[draw.random(code.shape, np.float32) < options.missing] = 1
    return pack(code).tobytes()


def write_bed(options):
    block = max(1, 8_000_000 // options.samples)
    spans = [(first, min(block, options.variants - first)) for first in range(0, options.variants, block)]
    with open(options.prefix + ".bed", "wb") as out, multiprocessing.Pool() as pool:
        out.write(bytes([0x6C, 0x1B, 0x01]))
        for packed in pool.imap(functools.partial(block_of, options), spans):
            out.write(packed)


def write_bim(draw, path, count):
    """Variants evenly over 22 chromosomes, with two different letters each."""
    first = draw.integers(0, 4, count)
    second = (first + draw.integers(1, 4, count)) % 4
    chromosome = np.arange(count) * 22 // count + 1
    with open(path, "w") as out:
        for j in range(count):
            out.write(f"{chromosome[j]}\trs{j + 1}\t0\t{1000 * (j + 1)}\t{LETTERS[first[j]]}\t{LETTERS[second[j]]}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("prefix")
    parser.add_argument("samples", type=int)
    parser.add_argument("variants", type=int)
    parser.add_argument("--missing", type=float, default=0)
    parser.add_argument("--populations", type=int, default=5)
    parser.add_argument("--fst", default="0.02,0.05")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    write_bed(options)
    write_bim(np.random.default_rng(options.seed), options.prefix + ".bim", options.variants)
    with open(options.prefix + ".fam", "w") as out:
        for i in range(options.samples):
            out.write(f"pop{i % options.populations + 1}\tsample{i + 1}\t0\t0\t{i % 2 + 1}\t-9\n")


if __name__ == "__main__":
    main()
