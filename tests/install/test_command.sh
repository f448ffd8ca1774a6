# SPDX-License-Identifier: BSD-3-Clause
# The installed tree runs from wherever it is put: the command finds libscree, and libscree-view when it draws, relative
# to itself. Without libscree-view it works all the same, and says what a picture needs.
. "$(dirname "$0")/lib.sh"

[ -x "$prefix/bin/scree" ] || skip "the command was not built"
cp -R "$prefix" "$work/moved"
scree=$work/moved/bin/scree
moved_lib=$work/moved${lib#"$prefix"}

said=$(env -i "$scree" version)
[[ $said == "scree $version"* ]] || fail "scree version says '$said', not $version"
if readelf -d "$scree" "$moved_lib"/libscree*.so | grep -E 'R(UN)?PATH' | grep -v '\[\$ORIGIN[^:]*\]'; then
    fail "what is installed depends on where it was built"
fi

printf 'a,b\n1,2\n2,1\n3,5\n4,4\n' >"$work/rows.csv"
env -i SCREE_CACHE=off "$scree" fit -q "$work/rows.csv" -k 1 -o "$work/model.scree"
if [ -e "$moved_lib/libscree-view.so" ]; then
    [[ $said == *"with pictures"* ]] || fail "libscree-view is there, and scree version says '$said'"
    env -i HOME="$work" "$scree" plot "$work/model.scree" -o "$work/picture.svg"
    [ -s "$work/picture.svg" ] || fail "scree plot draws nothing"
    rm "$moved_lib"/libscree-view*
fi
said=$(env -i "$scree" version)
[[ $said == *"without pictures"* ]] || fail "there is no libscree-view, and scree version says '$said'"
code=0
said=$(env -i "$scree" plot "$work/model.scree" -o "$work/none.svg" 2>&1) || code=$?
[ $code -eq 1 ] || fail "scree plot without libscree-view ends with $code"
[ "$(printf '%s\n' "$said" | wc -l)" -eq 1 ] || fail "that is more than one sentence: $said"
[[ $said == *"Cairo and Pango"* ]] || fail "scree plot does not say what it needs: $said"
[ ! -e "$work/none.svg" ] || fail "scree plot leaves a picture behind"
