# SPDX-License-Identifier: BSD-3-Clause
# NPY files that are not what they claim to be.
. "$SRC/tests/cli/lib.sh"

# Fits what standard input has.
fit()
{
    echo "--- $1"
    cat >data.npy
    try fit data.npy -o model.scree
    rm data.npy
    left
}

{ npy_header '4, 3' '<f8'; zeros 90; } | fit 'truncated'
{ npy_header '4, 3' '<f8'; zeros 100; } | fit 'over-long'
{ npy_header '1152921504606846976, 3' '<f8'; zeros 96; } | fit 'claims 2^60 rows'
{ npy_header '1152921504606846976, 1152921504606846976' '<f8'; zeros 96; } | fit 'claims 2^60 rows of 2^60'
{ npy_header '4, 3' '<c16'; zeros 192; } | fit 'complex numbers'
{ npy_header '4, 3' '<U8'; zeros 384; } | fit 'texts'
{ npy_header '4, 3' '<M8[D]'; zeros 96; } | fit 'dates'
printf "\223NUMPY\001\000\166\000%-117s\n" "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (4,), }" |
    fit 'records'
{ npy_header '4, -3' '<f8'; zeros 96; } | fit 'negative shape'
{ npy_header '4, 3, 2, 1, 1' '|O'; zeros 96; } | fit 'objects'
{ npy_header '0, 3' '<f8'; } | fit 'no rows'
{ npy_header '4, 0' '<f8'; } | fit 'no columns'
{ npy_header '1, 3' '<f8'; zeros 24; } | fit 'one row'
{ npy_header '4, 3' '<f8'; zeros 96; } | fit 'all columns constant'
{ npy_header '4, 2' '<f8'; zeros 38; printf '\360\177'; zeros 24; } | fit 'infinite value'
{ npy_header '4, 2' '<f8'; zeros 38; printf '\370\177'; zeros 24; } | fit 'not a number'
printf '\223NUMPY' | fit 'cut in the magic'
printf '\223NUMPY\011\000\166\000' | fit 'unknown version'
npy_header '4, 3' '<f8' | head -c 60 | fit 'cut in the header'
printf '\223NUMPY\001\000\166\000%117s\n' "hello" | fit 'header that is none'
