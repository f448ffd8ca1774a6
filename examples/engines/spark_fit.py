# SPDX-License-Identifier: BSD-3-Clause
"""Components of files that Spark reads: spark_fit.py MODEL COMPONENTS CSV..."""

import functools
import pickle
import sys

import pyarrow
import scree
from pyspark.sql import SparkSession


def seen(batches):
    """The state of a partition, in whatever batches it comes."""
    state = None
    for batch in batches:
        state = state or scree.State(batch.schema.names)
        state.add(pyarrow.Table.from_batches([batch]))
    if state is not None:
        yield pyarrow.RecordBatch.from_pydict({"state": [pickle.dumps(state)]})


def fit(frame, components):
    parts = frame.mapInArrow(seen, "state binary").toLocalIterator()
    states = (pickle.loads(part.state) for part in parts)
    return functools.reduce(scree.State.merge, states).fit(components)


def main():
    path, components, *files = sys.argv[1:]
    spark = SparkSession.builder.getOrCreate()
    frame = spark.read.csv(files, header=True, inferSchema=True)
    fit(frame, int(components)).save(path)
    spark.stop()


main()
