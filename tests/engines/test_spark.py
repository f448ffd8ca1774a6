#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""examples/engines/spark_fit.py, in Spark's local mode: the model of all partitions is that of one fit. See engine.py."""

import shutil

import engine

engine.need("numpy", "pyarrow", "pyspark")
if shutil.which("java") is None:
    engine.skip("there is no Java for Spark; tools/setup engines installs it")
engine.example("spark_fit", "pyarrow", "pyspark")
print("Spark finds the model of one fit")
