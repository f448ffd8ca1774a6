# SPDX-License-Identifier: BSD-3-Clause
# A build with SCREE_CARRY has all but the C library with it: moved elsewhere, it takes every library from there, and
# fits. Builds the library once more.
. "$(dirname "$0")/lib.sh"

[ "${SCREE_PROVE-}" = full ] || skip "this builds the library once more; SCREE_PROVE=full does"
source=$(cd "$here/../.." && pwd)
cmake -G Ninja -S "$source" -B "$work/build" -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Release -DSCREE_CARRY=ON \
    -DSCREE_TESTS=OFF -DSCREE_VIEW=OFF -DSCREE_PYTHON=OFF >"$work/log" 2>&1 || fail "$(cat "$work/log")"
cmake --build "$work/build" >"$work/log" 2>&1 || fail "$(tail -n 30 "$work/log")"
cmake --install "$work/build" --prefix "$work/first" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
mv "$work/first" "$work/moved"
rm -rf "$work/build"

# Where a library of the tree comes from, as the loader finds it.
strangers()
{
    LD_TRACE_LOADED_OBJECTS=1 "$@" | awk '/=>/ {print $1, $3}' |
        grep -Ev "^(linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|resolv)\.so)|^[^ ]+ $work/moved/" || true
}

scree=$work/moved/bin/scree
[ -z "$(strangers "$scree")" ] || fail "the command takes libraries from elsewhere: $(strangers "$scree")"
LD_TRACE_LOADED_OBJECTS=1 "$scree" | grep -q "libcjson.* => $work/moved/" || fail "libcjson is not carried"
"$scree" fit "$source/examples/iris.csv" -k 2 -o "$work/m.scree" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
"$scree" convert "$source/examples/iris.csv" "$work/iris.npy" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
for mpi in openmpi mpich; do
    command -v mpirun.$mpi >/dev/null || continue
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun.$mpi -n 2 "$scree" fit "$work/iris.npy" -k 2 \
        -o "$work/$mpi.scree" >"$work/log" 2>&1 || fail "$mpi: $(cat "$work/log")"
done
