# SPDX-License-Identifier: BSD-3-Clause
# An outside CMake project finds the package, links the libraries that there are, shared and static, and the programs run. The
# installed tree is moved first: nothing in it may remember where it was.
. "$(dirname "$0")/lib.sh"

cp -R "$prefix" "$work/moved"
with_view=0
[ ! -e "$lib/libscree-view.a" ] || with_view=1
cmake -G Ninja -S "$here" -B "$work/build" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$work/moved" \
    -DCMAKE_EXE_LINKER_FLAGS="$link" -DEXPECTED_VERSION="$version" -DWITH_VIEW=$with_view >"$work/log" 2>&1 ||
    fail "$(cat "$work/log")"
cmake --build "$work/build" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
"$work/build/with_shared" || fail "the program linked with scree::scree fails"
"$work/build/with_static" || fail "the program linked with scree::scree_static fails"
if [ $with_view = 1 ]; then
    "$work/build/view_shared" || fail "the program linked with scree::view fails"
    "$work/build/view_static" || fail "the program linked with scree::view_static fails"
fi
if grep -rIl "$prefix" "$work/moved"; then fail "these files remember where they were installed"; fi
