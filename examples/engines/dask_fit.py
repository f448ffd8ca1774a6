# SPDX-License-Identifier: BSD-3-Clause
"""Components of files that Dask reads: dask_fit.py MODEL COMPONENTS CSV..."""

import sys

import dask.dataframe as dd
import scree


def fit(frame, components):
    return scree.PPCA(components).fit(frame)  # partitions become states where they are


def main():
    path, components, *files = sys.argv[1:]
    rows = dd.read_csv(files, float_precision="round_trip")  # the default of pandas may be off by the last digit
    model = fit(rows, int(components))
    model.save(path)


main()
