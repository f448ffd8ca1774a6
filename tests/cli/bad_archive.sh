# SPDX-License-Identifier: BSD-3-Clause
# Archives that are damaged, goals that cannot be, rows that are not there: one sentence each, and nothing left behind.
. "$SRC/tests/cli/lib.sh"

numbers 500 20 >rows.csv
"$SCREE" compress -q rows.csv -e 20 -o rows.screez
size=$(wc -c <rows.screez)

# place: the byte there becomes another.
damage()
{
    cp rows.screez damaged.screez
    byte=$(od -An -tu1 -j "$1" -N 1 rows.screez)
    printf "$(printf '\\%03o' $(((byte + 1) % 256)))" | dd of=damaged.screez bs=1 seek="$1" conv=notrunc 2>/dev/null
}

echo '--- a block'
damage $((size - 500))
try decompress damaged.screez -o out.npy
try fit damaged.screez -k 2 -o out.scree
try decompress --salvage damaged.screez -o salvaged.npy
echo '--- one block of several'
numbers 6000 60 >many.csv
"$SCREE" compress -q many.csv -e 20 -o many.screez
cp many.screez damaged.screez
printf x | dd of=damaged.screez bs=1 seek=$(($(wc -c <many.screez) - 500)) conv=notrunc 2>/dev/null
try decompress --salvage damaged.screez -o salvaged.npy
echo '--- the head'
damage 30
try decompress damaged.screez -o out.npy
try decompress --salvage damaged.screez -o out.npy
echo '--- the index'
damage $((size - 30))
try decompress damaged.screez -o out.npy
try decompress --salvage damaged.screez -o salvaged.csv
wc -l <salvaged.csv
echo '--- cut'
head -c $((size / 2)) rows.screez >damaged.screez
try info damaged.screez
try decompress rows.csv -o out.npy
echo '--- goals'
try compress rows.csv
try compress rows.csv -e 1 --rmse 1 -o out.screez
try compress rows.csv -e -1 -o out.screez
try compress rows.csv -e 1 -k 21 -o out.screez
try compress rows.csv -e 1 --memory 2M --threads 2 -o out.screez
try compress --rd rows.csv -e 1
printf 'a,b\n1e-19,2\n3,0.1234567890123\n5,6\n' >fine.csv
try compress fine.csv -k 1 -o out.screez
try compress rows.csv --json -o -
cat rows.csv | try compress - -o out.screez
try compress rows.csv -o rows.csv
echo '--- whole numbers that doubles may round'
{
    printf '\223NUMPY\001\000v\000%-117s\n' "{'descr': '<i8', 'fortran_order': False, 'shape': (1, 2), }"
    printf '\001\0\0\0\0\0\0\0\001\0\0\0\0\0\040\0'
} >wide.npy
try compress wide.npy -o out.screez
try compress -q wide.npy -e 2 -o out.screez
echo '--- rows'
try decompress rows.screez --rows 400:600 -o out.npy
try decompress rows.screez --rows 9:3 -o out.npy
left
