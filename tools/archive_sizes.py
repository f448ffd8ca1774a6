#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Sizes of archives beside zstd -19 of the same elements.

    tools/archive_sizes.py build/release/scree FILE.npy[:ERROR] FILE.csv[:ERROR] ...

zstd gets the elements as they lie: those of a .npy file in its type, those of a .csv file as doubles; with an error, the
values over twice the error, rounded, in the narrowest integers that hold them (bytes: over 2E + 1). Every archive is
decompressed and compared before its line is printed. Needs numpy and the zstd command.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np


def rounded(x, error):
    if error == 0:
        return x
    if x.dtype == np.uint8:
        return np.rint(x / (2 * error + 1)).astype(np.uint8)
    q = np.rint(x / (2 * error))
    most = np.abs(q).max()
    return q.astype(np.int8 if most < 127 else np.int16 if most < 32767 else np.int32 if most < 2**31 else np.int64)


def zstd(data):
    return len(subprocess.run(["zstd", "-19", "-c", "-q"], input=data, capture_output=True, check=True).stdout)


def main():
    scree = sys.argv[1]
    print("| data | error | elements | scree | zstd -19 | ratio | zstd -19 of the CSV |\n|---|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        archive, back = os.path.join(folder, "a.screez"), os.path.join(folder, "a.npy")
        for what in sys.argv[2:]:
            path, _, error = what.partition(":")
            error = float(error or 0)
            goal = ["--max-error", str(error)] if error else []
            subprocess.run([scree, "compress", "-q", path, "-o", archive, *goal], check=True)
            subprocess.run([scree, "decompress", "-q", archive, "-o", back], check=True)
            y = np.load(back)
            csv = path.endswith(".csv")
            if csv:
                first = open(path, encoding="utf-8").readline().split(",")[0]
                x = np.genfromtxt(path, delimiter=",", skip_header=int(not first.lstrip("-").replace(".", "").isdigit()))
            else:
                x = np.load(path)
            same = np.abs(x.astype(float) - y).max() <= error if error else x.tobytes() == y.astype(x.dtype).tobytes()
            if not same:
                sys.exit(f"{path}: what came back is not what went in")
            size, theirs = os.path.getsize(archive), zstd(rounded(x, error).tobytes())
            text = zstd(open(path, "rb").read()) if csv else "-"
            print(f"| {os.path.basename(path)} | {error:g} | {x.nbytes} | {size} | {theirs} | {size / theirs:.3f} | {text} |", flush=True)


if __name__ == "__main__":
    main()
