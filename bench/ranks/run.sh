#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Weak and strong scaling over processes of one thread, beside independent SGEMMs: run.sh OUT. OUT is a folder, which gets
# ranks.csv, ranks.svg (with python3) and machine.txt; a table and verdicts are printed.
#
# From the environment: ROWS of each process (131072), STRONG rows of all (262144; 0: none), COLS (1000), ROUNDS (7),
# RANKS ("1 2 4 8 16", of which those that the machine has cores for), MPIRUN (mpirun), MPI (openmpi or mpich).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: run.sh OUT}
rows=${ROWS:-131072}
strong=${STRONG:-262144}
cols=${COLS:-1000}
rounds=${ROUNDS:-7}
mpi=${MPI:-openmpi}
mpirun=${MPIRUN:-mpirun}
cores=$(nproc) # before OMP_NUM_THREADS, which it minds
mkdir -p "$out"
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none # containers may not read each other's memory
library=$(echo "$here"/libscree-mpi-"$mpi".so.*)
# The machine's own OpenBLAS and LAPACK, where it has them, else those that came along.
blas=$(mktemp -d)
trap 'rm -rf "$blas"' EXIT
tar -xJf "$here/blas.tar.xz" -C "$blas"
known=$(ldconfig -p 2>/dev/null || true)
for file in "$blas"/*; do
    [ -n "${OWN_BLAS:-}" ] || ! grep -q "[[:space:]]$(basename "$file") " <<<"$known" || rm "$file"
done
export LD_LIBRARY_PATH=$here/lib:$blas${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

# How so many processes are bound: each to a core of its own, else to a hardware thread, else to nothing.
place() {
    if [ "$mpi" = mpich ]; then
        echo "-bind-to core"
        return
    fi
    for flags in "--bind-to core --map-by core" "--use-hwthread-cpus --bind-to hwthread --map-by hwthread" \
        "--oversubscribe --bind-to none"; do
        # shellcheck disable=SC2086
        ! "$mpirun" $flags -n "$1" true >/dev/null 2>&1 || { echo "$flags"; return; }
    done
}

{
    date -u
    lscpu
    free -m
    "$mpirun" --version
    LD_TRACE_LOADED_OBJECTS=1 "$here/scree_ranks" | grep -i 'blas\|lapack'
} >"$out/machine.txt" 2>&1 || true

echo "how,ranks,rows,cols,fit_s,fit_sums_s,sgemm_s,sgemm_slowest_s,ssyrk_s,ssyrk_slowest_s,model" >"$out/ranks.csv"
for how in weak strong; do
    many=$rows
    [ $how = weak ] || many=$strong
    [ "$many" -gt 0 ] || continue
    for ranks in ${RANKS:-1 2 4 8 16}; do
        [ "$ranks" -le "$cores" ] || continue
        flags=$(place "$ranks")
        echo "$how, $ranks: $flags" >>"$out/machine.txt"
        # shellcheck disable=SC2086
        "$mpirun" $flags -n "$ranks" "$here/scree_ranks" "$library" $how "$many" "$cols" "$rounds" | tee -a "$out/ranks.csv"
    done
done
# A fit is over when its slowest process is: it is compared with the slowest of the SGEMMs, and with their mean beside.
awk -F, 'NR > 1 && $2 == 1 {fit[$1] = $5; gemm[$1] = $7; syrk[$1] = $9}
    NR > 1 && $1 == "weak" && fit[$1] > 0 {
        f = fit[$1] / $5; g = gemm[$1] / $8; mean = gemm[$1] / $7; s = syrk[$1] / $10
        printf "weak, %2d ranks: fit %.3f s, efficiency %.3f; SGEMM %.3f (mean %.3f), SSYRK %.3f; fit over SGEMM %.3f (mean %.3f), over SSYRK %.3f%s\n",
            $2, $5, f, g, mean, s, f / g, f / mean, f / s, (f / g >= 0.9) ? "" : "  below 0.9"}
    NR > 1 && $1 == "strong" && fit[$1] > 0 {
        printf "strong, %2d ranks: fit %.3f s, efficiency %.3f; SGEMM %.3f\n", $2, $5, fit[$1] / $5 / $2, gemm[$1] / $7 / $2}
' "$out/ranks.csv" | tee "$out/verdict.txt"
! command -v python3 >/dev/null || python3 "$here/plot.py" "$out/ranks.csv" "$out/ranks.svg"
