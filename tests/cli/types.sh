# SPDX-License-Identifier: BSD-3-Clause
# Element types: an archive gives back the one that went in, booleans too, or any that is asked for and holds the values.
. "$SRC/tests/cli/lib.sh"

type_of()
{
    head -c 60 "$1" | grep -a -o "'descr': '[^']*'"
}
awk 'BEGIN { print "a,b,c"; for (i = 0; i < 100; i++) print i % 2 "," (i % 3 == 0) "," (i % 7 > 2) }' >bits.csv
awk 'BEGIN { print "a,b,c"; for (i = 0; i < 100; i++) print i "," 2 * i "," 100 - i }' >small.csv
for type in bool f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8; do
    "$SCREE" convert -q bits.csv "bits-$type.npy" --type $type
    "$SCREE" compress -q "bits-$type.npy" -o bits.screez
    "$SCREE" decompress -q bits.screez -o back.npy
    "$SCREE" info bits.screez | grep '^columns'
    type_of back.npy
    cmp back.npy "bits-$type.npy"
    "$SCREE" decompress -q bits.screez --type bool -o back.npy
    cmp back.npy bits-bool.npy
done
echo '--- an array of one dimension stays one'
{ printf '\223NUMPY\001\000\166\000'; printf '%-117s\n' "{'descr': '|u1', 'fortran_order': False, 'shape': (9,), }"
    printf abcdefghi; } >line.npy
"$SCREE" compress -q line.npy -o line.screez
"$SCREE" decompress -q line.screez -o back.npy
cmp back.npy line.npy
"$SCREE" decompress -q line.screez --rows 2:4 -o back.npy
head -c 70 back.npy | tail -c +11
echo
"$SCREE" convert -q line.npy -o back.npy
cmp back.npy line.npy
"$SCREE" fit -q line.npy -k 1 -o line.scree
"$SCREE" project -q line.scree line.npy -o back.npy
head -c 70 back.npy | tail -c +11
echo
rm line.npy line.screez line.scree
echo '--- values that do not fit'
"$SCREE" compress -q small.csv -o small.screez
try decompress small.screez --type bool -o no.npy
try decompress small.screez --type i1 -o no.npy
try decompress -q small.screez --type u1 -o yes.npy
try decompress small.screez --type f3 -o no.npy
left
