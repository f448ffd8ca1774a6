# SPDX-License-Identifier: BSD-3-Clause
# Shared by the tests of the installed tree. The first argument is the build folder; install.sh has filled its folder
# `installed` before. The second is `lto` for link-time optimisation of the static library, which takes a minute.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$1
prefix=$build/installed
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
cc=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
lib=$(dirname "$(find "$prefix" -name libscree.a)")
link=-fno-lto # the objects in libscree.a hold both, code and what link-time optimisation wants
[ "${2-}" != lto ] || link=
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
    printf '%s\n' "$*"
    exit 1
}

skip()
{
    printf 'skipped: %s\n' "$*"
    exit 77
}
