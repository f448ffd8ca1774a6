#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#SBATCH --cpus-per-task=4
# One task of an array: the state of the file in line SLURM_ARRAY_TASK_ID of parts.txt.
set -eu
part=$(sed -n "${SLURM_ARRAY_TASK_ID}p" parts.txt)
scree fit -q "$part" --threads "${SLURM_CPUS_PER_TASK:-1}" --state "part-$SLURM_ARRAY_TASK_ID.state"
