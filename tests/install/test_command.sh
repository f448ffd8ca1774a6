# SPDX-License-Identifier: BSD-3-Clause
# The installed command runs from anywhere: it needs neither libscree.so nor the folder where it was built.
. "$(dirname "$0")/lib.sh"

[ -x "$prefix/bin/scree" ] || skip 'the command was not built'
cp "$prefix/bin/scree" "$work/scree"
said=$(env -i "$work/scree" version)
[[ $said == *"$version"* ]] || fail "scree version says '$said', not $version"
if readelf -d "$work/scree" | grep -E 'libscree|RPATH|RUNPATH'; then fail "scree depends on where it was built"; fi
