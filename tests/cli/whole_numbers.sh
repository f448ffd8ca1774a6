# SPDX-License-Identifier: BSD-3-Clause
# Whole numbers of text files that doubles would round: counted from the first row where a column begins with such,
# refused in one sentence elsewhere, never rounded.
. "$SRC/tests/cli/lib.sh"

# 200 rows; both columns far from 0, as text: no awk has such integers.
rows()
{
    awk -v FS="$1" -v OFS="$1" 'BEGIN { print "a", "b"; for (i = 0; i < 200; i++)
        printf "11529215046%08d%s-2305843009%09d\n", 6846976 + i * 37 % 4001, FS, 213693952 + i * i % 997 }'
}

awk 'BEGIN { print "a,b"; for (i = 0; i < 200; i++) print i * 37 % 4001 "," (-(i * i % 997)) }' >small.csv
rows , >wide.csv
rows '	' >wide.tsv
echo '--- the components are those of the small parts'
for file in small.csv wide.csv wide.tsv; do
    "$SCREE" fit -q "$file" -k 1 -o "$file.scree"
    "$SCREE" info --json "$file.scree" | grep -A 1 '"eigenvalues"' | tr -d '\n\t'
    echo
    "$SCREE" project -q "$file.scree" "$file" | awk -F, 'NR == 8 { printf "%.9g\n", $1 }'
done
echo '--- the bootstrap sees the same'
for file in small.csv wide.csv; do
    "$SCREE" fit -q "$file" -k 1 --bootstrap 50 -o boot.scree
    "$SCREE" info --json boot.scree | awk -F'[][]' '/"(low|high|angles_degrees)"/ { printf "%.6g\n", $2 }'
done
echo '--- rows that the model makes are doubles'
"$SCREE" project -q wide.csv.scree wide.csv -o codes.csv
"$SCREE" reconstruct wide.csv.scree codes.csv -o back.csv
"$SCREE" sample wide.csv.scree -n 2 -o back.csv
"$SCREE" sample -q wide.csv.scree -n 2 -o back.csv
"$SCREE" sample small.csv.scree -n 2 -o back.csv
echo '--- whoever needs the numbers themselves refuses them'
try compress wide.csv -o wide.screez
try convert wide.csv wide.npy
try score small.csv.scree wide.csv --why 1 -o none.csv
echo '--- a row that is too far off, and one beyond 2^53 in a column of small numbers'
{ cat wide.csv; echo 5,-2305843009213693952; } >far.csv
try fit far.csv -o far.scree
{ cat small.csv; echo 9007199254740993,1; } >beyond.csv
try fit beyond.csv -o beyond.scree
echo '--- what a double is, a measurement, and a column that nobody asks for'
{ cat small.csv; echo 9007199254740994,1; echo 9007199254740993.0,1; echo 9007199254740993e0,2; } >fine.csv
try fit -q fine.csv -o fine.scree
try fit -q beyond.csv --columns b -o b.scree
try project -q b.scree beyond.csv -o codes.csv
echo '--- triplets and Matrix Market'
printf 'u,x,1\nu,y,1152921504606846977\n' >cells.triplets
try fit cells.triplets -o cells.scree
printf '%%%%MatrixMarket matrix coordinate integer general\n1 2 2\n1 1 5\n1 2 1152921504606846977\n' >cells.mtx
try fit cells.mtx -o cells.scree
left
