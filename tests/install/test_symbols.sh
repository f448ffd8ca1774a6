# SPDX-License-Identifier: BSD-3-Clause
# The shared library exports what scree.h declares, all of it and nothing else; its SONAME carries the version.
. "$(dirname "$0")/lib.sh"

library=$lib/libscree.so
nm -D --defined-only "$library" | awk '{print $3}' | sort >"$work/exported"
sed -n '/^SCREE_API/s/.*[ *]\(scree_[a-z0-9_]*\)(.*/\1/p' "$prefix/include/scree.h" | sort >"$work/declared"
[ -s "$work/declared" ] || fail "no declarations found in scree.h"

extra=$(comm -23 "$work/exported" "$work/declared")
[ -z "$extra" ] || fail "exported, but not declared in scree.h: $extra"
absent=$(comm -13 "$work/exported" "$work/declared")
[ -z "$absent" ] || fail "declared in scree.h, but not exported: $absent"

soname=$(readelf -d "$library" | sed -n 's/.*soname: \[\(.*\)\]/\1/p')
[ "$soname" = "libscree.so.${version%.*}" ] || fail "SONAME is '$soname', not libscree.so.${version%.*}"
