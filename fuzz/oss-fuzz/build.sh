#!/bin/bash -eu
# SPDX-License-Identifier: BSD-3-Clause
# Builds the fuzz targets for OSS-Fuzz, which sets CC, CFLAGS, LIB_FUZZING_ENGINE and OUT; the current folder is scree's.
# A target in $OUT finds the libraries that it needs, and those that they need, in $OUT/lib by its run path, the old kind
# (RPATH), which counts for both: where targets run, nothing is installed.
build=${WORK:-/tmp}/scree
case ${SANITIZER:-address} in
address | undefined) sanitize=${SANITIZER:-address} ;;
*) sanitize= ;; # coverage, introspector
esac

# The flags hold the sanitizers already; SCREE_SANITIZE only tells the build that there are some.
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None -DSCREE_FUZZ=ON -DSCREE_TESTS=OFF -DSCREE_VIEW=OFF \
    -DSCREE_WERROR=OFF -DSCREE_SANITIZE="$sanitize" -DSCREE_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
    -DCMAKE_BUILD_RPATH="\$ORIGIN/lib" -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags
cmake --build "$build" --target fuzz

mkdir -p "$OUT/lib"
for program in "$build"/fuzz/fuzz_*; do
    target=${program##*/fuzz_}
    [ "$target" != replay ] || continue
    cp "$program" "$OUT/"
    zip -q -j "$OUT/fuzz_${target}_seed_corpus.zip" fuzz/corpus/"$target"/*
    [ ! -e "fuzz/dictionaries/$target.dict" ] || cp "fuzz/dictionaries/$target.dict" "$OUT/fuzz_$target.dict"
    printf '[libfuzzer]\nclose_fd_mask = 3\nmax_len = 8192\n[asan]\nallocator_may_return_null = 1\nmax_allocation_size_mb = 64\n' \
        >"$OUT/fuzz_$target.options"
    ldd "$program" | awk '$3 ~ "^/" && $1 !~ /^(libc|libm|libdl|libpthread|librt|libgcc_s)\.so/ {print $3}'
done | sort -u | xargs -I{} cp -L {} "$OUT/lib/"
