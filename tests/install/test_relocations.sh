# SPDX-License-Identifier: BSD-3-Clause
# A command that draws nothing starts as fast as a program that does nothing: `scree help` looks up at most 5 % more
# symbols than an empty program linked to the same libraries, libscree not among them. (`scree version` loads modules.)
. "$(dirname "$0")/lib.sh"

[ -x "$prefix/bin/scree" ] || skip 'the command was not built'

# relocations PROGRAM...: how many the loader has done, relative ones included.
relocations()
{
    LD_DEBUG=statistics "$@" 2>&1 >/dev/null |
        awk '/final number of relocations:/ {n += $NF} /number of relative relocations:/ {n += $NF} END {print n + 0}'
}

needed=$(readelf -d "$prefix/bin/scree" "$lib/libscree.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' | sort -u |
    grep -v '^libscree')
echo 'int main(void) { return 0; }' >"$work/empty.c"
# shellcheck disable=SC2046 # flags are words
$cc "$work/empty.c" -o "$work/empty" -Wl,--no-as-needed $(printf -- '-l:%s ' $needed)
empty=$(relocations "$work/empty")
[ "$empty" -gt 0 ] || skip 'this loader does not count relocations'
scree=$(relocations "$prefix/bin/scree" help)
echo "$scree relocations, against $empty of an empty program"
[ $((scree * 100)) -le $((empty * 105)) ] || fail "that is more than 5 % more"
