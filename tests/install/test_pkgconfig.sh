# SPDX-License-Identifier: BSD-3-Clause
# An outside program is built through pkg-config with the shared and with the static library, and runs.
. "$(dirname "$0")/lib.sh"

export PKG_CONFIG_PATH=$lib/pkgconfig
define=-DEXPECTED_VERSION=\"$version\"

[ "$(pkg-config --modversion scree)" = "$version" ] || fail "scree.pc has another version than $version"

# shellcheck disable=SC2046 # flags are words
$cc "$define" "$here/outside.c" -o "$work/shared" $(pkg-config --cflags --libs scree)
LD_LIBRARY_PATH=$lib "$work/shared" || fail "the program linked with libscree.so fails"

# The linker takes libscree.so where there is one; -l:libscree.a is how to ask for the archive.
flags=$(pkg-config --static --cflags --libs scree)
# shellcheck disable=SC2086 # flags are words
$cc $link "$define" "$here/outside.c" -o "$work/static" ${flags//-lscree/-l:libscree.a}
"$work/static" || fail "the program linked with libscree.a fails"
if readelf -d "$work/static" | grep -q libscree; then fail "the program linked with libscree.a wants libscree.so"; fi

[ -e "$lib/libscree-view.so" ] || exit 0
[ "$(pkg-config --modversion scree-view)" = "$version" ] || fail "scree-view.pc has another version than $version"
# shellcheck disable=SC2046 # flags are words
$cc "$here/outside_view.c" -o "$work/view_shared" $(pkg-config --cflags --libs scree-view)
LD_LIBRARY_PATH=$lib "$work/view_shared" || fail "the program linked with libscree-view.so fails"
flags=$(pkg-config --static --cflags --libs scree-view)
flags=${flags//-lscree-view/-l:libscree-view.a}
# shellcheck disable=SC2086 # flags are words
$cc $link "$here/outside_view.c" -o "$work/view_static" ${flags//-lscree /-l:libscree.a }
"$work/view_static" || fail "the program linked with libscree-view.a fails"
if readelf -d "$work/view_static" | grep -q libscree; then fail "the program linked with libscree-view.a wants libscree.so"; fi
