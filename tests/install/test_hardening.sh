# SPDX-License-Identifier: BSD-3-Clause
# What was built for release is protected (cmake/Compiler.cmake): each property is read from the files themselves.
. "$(dirname "$0")/lib.sh"

command -v readelf >"$work/readelf" || skip 'there is no readelf'
grep -q '^CMAKE_BUILD_TYPE:[A-Z]*=Release$' "$build/CMakeCache.txt" || skip 'this is not a release build'
grep -q '^SCREE_HARDEN:BOOL=ON$' "$build/CMakeCache.txt" || skip 'SCREE_HARDEN is off'
disassembled=false
if [ "$(uname -m)" = x86_64 ] && command -v objdump >"$work/objdump"; then disassembled=true; fi

# wants FILE WHAT PATTERN TEXT: one of the lines matches.
wants() { grep -qE -- "$3" <<<"$4" || fail "$1: $2 is missing"; }
# bars FILE WHAT PATTERN TEXT: none does.
bars() { ! grep -qE -- "$3" <<<"$4" || fail "$1: $2"; }

# checks FILE: what libraries and the command have in common.
checks()
{
    local name dynamic segments symbols
    name=$(basename "$1")
    dynamic=$(readelf -dW "$1")
    segments=$(readelf -lW "$1")
    symbols=$(readelf -sW --dyn-syms "$1")
    wants "$name" 'RELRO' '^ *GNU_RELRO ' "$segments"
    wants "$name" 'BIND_NOW' '\(FLAGS\).*BIND_NOW|\(FLAGS_1\).*NOW' "$dynamic"
    wants "$name" 'the mark of a stack without code' '^ *GNU_STACK ' "$segments"
    bars "$name" 'the stack holds code' '^ *GNU_STACK .* RWE ' "$segments"
    bars "$name" 'code is relocated' 'TEXTREL' "$dynamic"
    wants "$name" 'the stack protector' '__stack_chk_fail' "$symbols"
    wants "$name" 'FORTIFY' ' __(v?snprintf|mem(cpy|move|set)|v?fprintf|fread|read)_chk' "$symbols"
    # The note that says CET in full is only there where the C library's own objects have it, too.
    if $disassembled; then
        objdump -d --no-show-raw-insn "$1" >"$work/code"
        wants "$name" 'the mark of where jumps may land (CET)' 'endbr64' "$(grep -m 1 endbr64 "$work/code")"
    fi
}

checks "$lib/libscree.so"
if $disassembled; then
    wants libscree.so 'a probe of every page of the stack' 'or' "$(grep -m 1 -E 'or[a-z]* +\$0x0,' "$work/code")"
fi
[ ! -e "$lib/libscree-view.so" ] || checks "$lib/libscree-view.so"
if [ -x "$prefix/bin/scree" ]; then
    checks "$prefix/bin/scree"
    wants scree 'PIE' '\(FLAGS_1\).*PIE' "$(readelf -dW "$prefix/bin/scree")"
fi
