# SPDX-License-Identifier: BSD-3-Clause
# IDX files that are not what they claim to be.
. "$SRC/tests/cli/lib.sh"

# Fits what standard input has.
fit()
{
    echo "--- $1"
    cat >data.idx
    try fit data.idx -o model.scree
    rm data.idx
    left
}

{ printf '\000\000\010\003\000\000\000\004\000\000\000\002\000\000\000\002'; printf 'abcdefgh'; } | fit 'truncated'
{ printf '\000\000\010\003\000\000\000\002\000\000\000\002\000\000\000\002'; printf 'abcdefghi'; } | fit 'over-long'
printf '\000\000\010\003\377\377\377\377\377\377\377\377\377\377\377\377abcd' | fit 'claims a huge shape'
printf '\000\000\010\003\000\000\000\004\000\000' | fit 'cut in the header'
{ printf '\000\000\012\002\000\000\000\004\000\000\000\002'; printf 'abcdefgh'; } | fit 'unknown element type'
{ printf '\000\000\010\002\000\000\000\001\000\000\000\002'; printf 'ab'; } | fit 'one row'
{ printf '\000\000\010\002\000\000\000\003\000\000\000\002'; printf 'ababab'; } | fit 'all columns constant'
