#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a small folder of 10x counts, of 60 cells and 100 genes: examples/make_cells.py FOLDER

Cells are of three types. A gene has a level in each, which a cell has times its own depth, and counts are draws of
Poisson distributions of these means. The same files every time.
"""

import gzip
import math
import os
import random
import sys

CELLS, GENES, TYPES = 60, 100, ("B", "T", "NK")


def poisson(draw, mean):
    """A count: how many exponential waits fit into one."""
    count, limit, product = 0, math.exp(-mean), draw.random()
    while product > limit:
        count += 1
        product *= draw.random()
    return count


def put(path, text):
    with open(path, "wb") as file, gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as packed:
        packed.write(text.encode())


def main(folder):
    draw = random.Random(10)
    levels = [[draw.gammavariate(0.4, 1.2) * (3 if draw.random() < 0.15 else 1) for _ in range(GENES)] for _ in TYPES]
    depths = [draw.gammavariate(6, 1 / 6) for _ in range(CELLS)]
    entries = [(g + 1, c + 1, n) for c, depth in enumerate(depths) for g in range(GENES)
               if (n := poisson(draw, levels[c % len(TYPES)][g] * depth))]
    os.makedirs(folder, exist_ok=True)
    names = [f"GENE{g + 1}" for g in range(GENES)]
    names[41] = names[17]  # as some symbols stand for two genes
    put(f"{folder}/features.tsv.gz",
        "".join(f"ENSG{g + 1:011d}\t{name}\tGene Expression\n" for g, name in enumerate(names)))
    put(f"{folder}/barcodes.tsv.gz",
        "".join("".join(draw.choice("ACGT") for _ in range(16)) + "-1\n" for _ in range(CELLS)))
    put(f"{folder}/matrix.mtx.gz", f"%%MatrixMarket matrix coordinate integer general\n{GENES} {CELLS} {len(entries)}\n" +
        "".join(f"{g} {c} {n}\n" for g, c, n in entries))


main(sys.argv[1])
