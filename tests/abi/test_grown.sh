# SPDX-License-Identifier: BSD-3-Clause
# A program compiled against today's header runs with a library whose structs all have grown: test_grown.sh
# Builds that library from the same sources, with the header that grow_header.py makes.
set -eu
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT

python3 "$SRC/tests/abi/grow_header.py" "$SRC/include" "$box/include"
cmake -S "$SRC" -B "$box/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DSCREE_WERROR=OFF \
    -DSCREE_TESTS=OFF -DSCREE_VIEW=OFF -DSCREE_INCLUDE_DIR="$box/include" >"$box/log" 2>&1 || { cat "$box/log"; exit 1; }
cmake --build "$box/build" --target scree_shared >"$box/log" 2>&1 || { tail -n 40 "$box/log"; exit 1; }

cd "$box"
${CC:-cc} -I "$SRC/include" "$SRC/tests/abi/outside.c" -o outside -L build -lscree -lm
LD_LIBRARY_PATH=build ./outside archive.screez
for example in fit_memory plan sample score; do
    ${CC:-cc} -I "$SRC/include" "$SRC/examples/$example.c" -o $example -L build -lscree -lm
    (cd "$SRC/examples" && LD_LIBRARY_PATH="$box/build" "$box/$example") >"$box/said" || { cat "$box/said"; exit 1; }
done
