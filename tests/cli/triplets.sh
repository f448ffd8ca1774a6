# SPDX-License-Identifier: BSD-3-Clause
# Cells one by one: triplets and Matrix Market files, to a model, to rows, and what is refused.
. "$SRC/tests/cli/lib.sh"

# One strong direction in six items that 60 users rated, a third of them each; cells come item by item.
awk 'BEGIN {
    print "user,item,rating"
    for (j = 0; j < 6; j++)
        for (i = 0; i < 60; i++)
            if ((i * 7 + j * 5) % 3 != 0)
                printf "u%d,i%d,%.3f\n", i, j, (i * 37 % 11 - 5) * (j % 2 ? 1 : -1) + (i * 53 + j * 29) % 17 / 20
}' >ratings.csv
awk -F, 'NR > 1 { print substr($1, 2) + 1, substr($2, 2) + 1, $3 }' ratings.csv >cells
{ echo '%%MatrixMarket matrix coordinate real general'; echo "60 6 $(wc -l <cells)"; cat cells; } >ratings.mtx

short() { sed -E 's/([0-9]\.[0-9]{2})[0-9]+/\1/g; s/[0-9.]+e-[0-9]+/SMALL/g; s/[0-9]+ (iterations|passes)/N \1/'; }

"$SCREE" fit ratings.csv --input-format triplets -k 1 --em ml -o one.scree | sed -n '1s/,[^,]*$//p; 2,4p' | short
"$SCREE" fit ratings.mtx --absent missing -k 1 --em ml -o two.scree | sed -n '1s/,[^,]*$//p; 2,4p' | short
gzip -k ratings.csv && "$SCREE" fit ratings.csv.gz --input-format triplets -k 1 --em ml -o three.scree -q && cmp one.scree three.scree
"$SCREE" convert ratings.csv --input-format triplets --columns i1,i0 2>notes | head -n 3


echo '--- what is not listed is 0'
"$SCREE" fit ratings.mtx -k 2 -o zeros.scree | sed -n '1,2s/,[^,]*$//p' | short
"$SCREE" fit ratings.csv --input-format triplets --absent zero -k 2 -o same.scree -q
"$SCREE" convert ratings.mtx -o dense.npy -q && "$SCREE" fit dense.npy -k 2 -o dense.scree -q
for name in zeros same dense; do "$SCREE" info $name.scree | grep '^[12] ' | short; done
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 3\n3 3\n' >half.mtx
try convert half.mtx
try convert half.mtx --transpose -q
printf '%%%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n' >array.mtx
try convert array.mtx
try convert array.mtx --transpose

echo '--- refused'
try convert half.mtx --absent missing
try convert half.mtx --absent nothing
try convert ratings.csv --absent zero
try fit ratings.csv --input-format triplets --label item -o no.scree
try fit ratings.csv --input-format mtx -o no.scree
echo 'u2,i1,4' | cat ratings.csv - >twice.csv
try fit twice.csv --input-format triplets -o no.scree
left
