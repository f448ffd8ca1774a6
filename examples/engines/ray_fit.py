# SPDX-License-Identifier: BSD-3-Clause
"""Components of files, each read by a task of Ray: ray_fit.py MODEL COMPONENTS CSV..."""

import csv
import functools
import sys

import ray
import scree


@ray.remote
def seen(path, columns):
    return scree.State(columns).add(path)


def fit(files, columns, components):
    states = ray.get([seen.remote(path, columns) for path in files])
    return functools.reduce(scree.State.merge, states).fit(components)


def main():
    path, components, *files = sys.argv[1:]
    with open(files[0], encoding="utf-8", newline="") as file:
        columns = next(csv.reader(file))
    fit(files, columns, int(components)).save(path)


main()
