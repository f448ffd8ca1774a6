#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""examples/engines/ray_fit.py, with Ray on this machine: the model of all files is that of one fit. See engine.py."""

import engine

engine.example("ray_fit", "ray")
print("Ray finds the model of one fit")
