# SPDX-License-Identifier: BSD-3-Clause
# The shared libraries export what their headers declare, all of it and nothing else, each name with its version; their
# SONAMEs carry the version. What libscree needs are the libraries that it is meant to need.
. "$(dirname "$0")/lib.sh"

series=${version%.*}

# exported LIBRARY NODE: the names that it defines under the version node.
exported()
{
    nm -D --defined-only "$1" | awk '$2 != "A" {print $3}' | sed -n "s/@@*$2\$//p" | sort
}

# declared MARK HEADER: the functions that it declares.
declared()
{
    sed '/^#/d' "$2" | tr '\n' ' ' | grep -o "\b$1 [^;{]*;" | sed -n 's/^\([^(]*[ *]\)\(scree_[a-z0-9_]*\)(.*/\2/p' | sort
}

# same WHAT HEADER: the files exported and declared hold the same names.
same()
{
    [ -s "$work/declared" ] || fail "no declarations found in $2"
    extra=$(comm -23 "$work/exported" "$work/declared")
    [ -z "$extra" ] || fail "exported by $1, but not declared in $2: $extra"
    absent=$(comm -13 "$work/exported" "$work/declared")
    [ -z "$absent" ] || fail "declared in $2, but not exported by $1: $absent"
}

exported "$lib/libscree.so" "SCREE_$series" >"$work/exported"
declared SCREE_API "$prefix/include/scree.h" >"$work/declared"
same libscree.so scree.h
exported "$lib/libscree.so" "SCREE_PRIVATE_$series" >"$work/exported"
declared SCREE_PRIVATE "$here/../../include/scree_private.h" >"$work/declared"
same libscree.so scree_private.h
other=$(nm -D --defined-only "$lib/libscree.so" | awk '$2 != "A" {print $3}' | grep -v "@@*SCREE_\(PRIVATE_\)\?$series\$" || true)
[ -z "$other" ] || fail "exported by libscree.so without a version: $other"

names=scree
if [ -e "$lib/libscree-view.so" ]; then
    names='scree scree-view'
    exported "$lib/libscree-view.so" "SCREE_VIEW_$series" >"$work/exported"
    declared SCREE_API "$prefix/include/scree_view.h" >"$work/declared"
    same libscree-view.so scree_view.h
elif [ -e "$prefix/include/scree_view.h" ]; then
    fail "scree_view.h is installed, and libscree-view is not"
fi
for name in $names; do
    soname=$(readelf -d "$lib/lib$name.so" | sed -n 's/.*soname: \[\(.*\)\]/\1/p')
    [ "$soname" = "lib$name.so.$series" ] || fail "SONAME is '$soname', not lib$name.so.$series"
done
[ ! -e "$prefix/include/scree_private.h" ] || fail "scree_private.h is installed"

needed=$(readelf -d "$lib/libscree.so" | sed -n 's/.*(NEEDED).*\[lib\([a-z0-9]*\).*\].*/\1/p' | sort)
for name in $needed; do
    case $name in
    blas | cblas | openblas | lapack | lapacke | blis | flexiblas | mkl | pthread | z | bz2 | zstd | lzma | cjson | c | m) ;;
    *) fail "libscree.so needs lib$name" ;;
    esac
done
