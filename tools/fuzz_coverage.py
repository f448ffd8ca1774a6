#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which lines the inputs of fuzz targets reach, as a table: tools/fuzz_coverage.py BUILD "TARGET ..."

BUILD is that of the preset fuzz-coverage. Each target runs on its inputs, those of fuzz/ and those that build/fuzz/corpus
has gathered. A line of the table is a file of a reader: the share of its lines that the reader's own target reaches, and
that all targets that ran reach together. `own` also counts functions: those that write, in files that do both, are never
called by a reader, and `called` is the share of lines of the functions that were called at all.
"""

import glob
import json
import os
import subprocess
import sys

# What each target is meant to reach.
FILES = {
    "csv": ["src/data/csv_guess.c", "src/data/csv_index.c", "src/data/csv_layout.c", "src/data/csv_mixed.c",
            "src/data/csv_origin.c", "src/data/csv_survey.c", "src/data/csv_value.c",
            "src/data/csv_parse.c", "src/data/csv_scan.c", "src/data/csv_source.c", "src/data/csv_window.c",
            "src/data/transcode.c", "src/base/utf8.c"],
    "npy": ["src/data/npy_read.c", "src/data/npy_header.c", "src/data/array.c", "src/data/elements.c"],
    "idx": ["src/data/idx_read.c"],
    "npz": ["src/data/npz_read.c", "src/data/npz_sparse.c", "src/data/zip.c", "src/data/inflate.c"],
    "mtx": ["src/data/mtx_text.c", "src/data/turned.c", "src/data/entry_order.c", "src/data/triplets_mtx.c", "src/data/triplets_sort.c", "src/data/triplets_source.c"],
    "triplets": ["src/data/triplets_csv.c", "src/data/names.c"],
    "gzip": ["src/data/gunzip.c", "src/data/pump.c"],
    "xz": ["src/data/decoder.c", "src/data/unxz.c"],
    "zstd": ["src/data/decoder.c", "src/archive/unzstd.c"],
    "guess": ["src/data/formats.c", "src/data/source_open.c", "src/data/bytes.c"],
    "screez": ["src/archive/open.c", "src/archive/read.c", "src/archive/archive_source.c", "src/archive/archive.c",
               "src/archive/block.c", "src/archive/block_beside.c", "src/archive/block_elements.c",
               "src/archive/block_model.c", "src/archive/block_numbers.c", "src/archive/code.c",
               "src/archive/pack.c", "src/archive/rans.c", "src/archive/range.c", "src/archive/squeeze.c"],
    "arrow_ipc": ["src/data/arrow_batch.c", "src/data/arrow_dictionary.c", "src/data/arrow_message.c", "src/data/arrow_read.c",
                  "src/data/arrow_schema.c", "src/data/arrow_texts.c", "src/data/arrow_time.c", "src/data/flat.c"],
    "arrow": ["src/data/source_arrow.c", "src/data/arrow_column.c"],
    "model": ["src/model/safetensors_read.c", "src/model/safetensors.c", "src/model/model_file.c",
              "src/model/fields.c", "src/kind/pca/pca_load.c"],
    "network": ["src/kind/network/network_load.c"],
    "options": ["cli/options.c", "cli/values.c", "cli/suggest.c"],
}


def replay(build, target):
    """Runs a target on all its inputs; returns the profile."""
    inputs = [path for pattern in (f"fuzz/corpus/{target}/*", f"fuzz/findings/{target}/*", f"build/fuzz/corpus/{target}/*")
              for path in sorted(glob.glob(pattern))]
    folder = os.path.abspath(f"{build}/profiles")
    os.makedirs(folder, exist_ok=True)
    for old in glob.glob(f"{folder}/{target}-*"):
        os.remove(old)
    environment = dict(os.environ, LLVM_PROFILE_FILE=f"{folder}/{target}-%m.profraw", SCREE_CACHE="off")
    for first in range(0, len(inputs), 500):
        run = subprocess.run([f"{build}/fuzz/fuzz_replay", target, *inputs[first:first + 500]], env=environment,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if run.returncode != 0:
            sys.exit(f"{target}: an input from {inputs[first]} on fails, or was removed by a fuzzer that still runs")
    return merge(f"{folder}/{target}.profdata", glob.glob(f"{folder}/{target}-*.profraw")), len(inputs)


def merge(to, profiles):
    subprocess.run(["llvm-profdata", "merge", "-sparse", "-o", to, *profiles], check=True)
    return to


def lines(build, profile):
    """{file: (reached, all)} of lines, and the same of functions that were called."""
    shown = subprocess.run(["llvm-cov", "export", "-skip-expansions", "-instr-profile", profile,
                            f"{build}/fuzz/fuzz_replay", "-object", f"{build}/libscree.so"],
                           check=True, capture_output=True).stdout
    data = json.loads(shown)["data"][0]
    whole = {os.path.relpath(file["filename"]): (file["summary"]["lines"]["covered"], file["summary"]["lines"]["count"])
             for file in data["files"]}
    called = {}
    for function in data["functions"]:
        if function["count"] == 0:
            continue
        name = os.path.relpath(function["filenames"][0])
        first = min(region[0] for region in function["regions"])
        last = max(region[2] for region in function["regions"])
        called.setdefault(name, set()).update(range(first, last + 1))
    for file in data["files"]:
        name = os.path.relpath(file["filename"])
        reached = reached_lines(file["segments"])
        inside = called.get(name, set()) & set(reached)
        called[name] = (sum(reached[line] for line in inside), len(inside))
    return whole, called


def reached_lines(segments):
    """{line: whether it ran}, from llvm-cov's segments: line, column, count, has count, starts a region, is a gap."""
    result = {}
    for (line, _, count, counted, *_), following in zip(segments, segments[1:] + [[segments[-1][0]]] if segments else []):
        if not counted:
            continue
        for at in range(line, following[0] + 1):
            result[at] = result.get(at, False) or count > 0
    return result


def percent(pair):
    return f"{100 * pair[0] / pair[1]:5.1f}" if pair and pair[1] else "    -"


def main(build, targets):
    profiles = {}
    for target in targets:
        profiles[target], count = replay(build, target)
        print(f"{target}: {count} inputs", file=sys.stderr)
    together, _ = lines(build, merge(f"{build}/profiles/all.profdata", list(profiles.values())))
    print("| target | file | lines | own % | called % | all % |\n|---|---|---:|---:|---:|---:|")
    for target in targets:
        own, called = lines(build, profiles[target])
        sums = [[0, 0], [0, 0], [0, 0]]
        for file in FILES.get(target, []):
            pairs = (own.get(file), called.get(file), together.get(file))
            if not pairs[0]:
                continue
            for total, pair in zip(sums, pairs):
                total[0] += pair[0]
                total[1] += pair[1]
            print(f"| {target} | {file} | {pairs[0][1]} | {' | '.join(map(percent, pairs))} |")
        if sums[0][1]:
            print(f"| **{target}** | all of these | {sums[0][1]} | {' | '.join(map(percent, sums))} |")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n")[0])
    main(sys.argv[1], sys.argv[2].split())
