# SPDX-License-Identifier: BSD-3-Clause
# Counts: rows divided by their sums before logarithms, and the columns that vary most. Models are those of rows that
# were prepared by hand, take rows as they come, and refuse what has no share of a sum.
. "$SRC/tests/cli/lib.sh"

awk 'BEGIN { print "a,b,c,d,e"
    for (i = 0; i < 40; i++)
        if (i == 5) print "0,0,0,0,0"
        else printf "%d,%d,%d,%d,%d\n", i % 3, (i * i) % 11, 7 * (i % 2), (3 * i) % 5, 50 + (i * 7) % 13 }' >counts.csv
awk -F, -v OFS=, 'NR == 1 { print } NR > 1 { s = $1 + $2 + $3 + $4 + $5; s = s > 0 ? s : 1
    for (j = 1; j <= 5; j++) $j = sprintf("%.17g", log(1 + 100 * $j / s)); print }' counts.csv >hand.csv
try_report fit counts.csv --normalize 100 --log1p -k 2 -o counts.scree
"$SCREE" fit -q hand.csv -k 2 -o hand.scree
"$SCREE" info counts.scree | grep -E '^(normalize|transform)'
"$SCREE" info counts.scree --json | tr -d '\n\t ' | grep -o '"normalize[a-z_]*":[0-9]*'
for what in project score posterior; do
    "$SCREE" $what -q counts.scree counts.csv | nine_decimals >counts
    "$SCREE" $what -q hand.scree hand.csv | nine_decimals | diff - counts && echo "$what: the same"
done
"$SCREE" project -q counts.scree counts.csv >codes.csv
"$SCREE" project -q counts.scree - <counts.csv | cmp - codes.csv
"$SCREE" project -q counts.scree counts.csv --block-rows 3 | cmp - codes.csv
"$SCREE" score -q counts.scree counts.csv --why 2 | cut -d, -f7- | sed 1d >why
"$SCREE" score -q hand.scree hand.csv --why 2 | cut -d, -f7- | sed 1d | cmp - why
echo '--- rows come back divided by their sums, for these are in no code'
"$SCREE" reconstruct -q counts.scree codes.csv | awk -F, 'NR == 3 { printf "%.6f,%.6f\n", $1, $5 }'
"$SCREE" reconstruct -q hand.scree --data hand.csv | awk -F, 'NR == 3 { printf "%.6f,%.6f\n", exp($1) - 1, exp($5) - 1 }'
echo '--- the median of the sums'
try_report fit counts.csv --normalize median -k 2 -o median.scree 2>&1 | grep median
cat counts.csv | try fit - --normalize median -k 2 -o no.scree
echo '--- columns that vary most'
"$SCREE" fit counts.csv --normalize 100 --log1p --top-variance 3 -k 2 -o top.scree 2>&1 | grep 'vary most'
"$SCREE" info top.scree | grep -E '^(columns|normalize)'
cut -d, -f2,3,5 hand.csv >three.csv
"$SCREE" fit -q three.csv -k 2 -o three.scree
"$SCREE" project -q three.scree three.csv | nine_decimals >codes
"$SCREE" project top.scree counts.csv 2>note | nine_decimals | diff - codes && echo 'the same'
cat note
cut -d, -f1-3 counts.csv | try project top.scree -
"$SCREE" convert -q counts.csv --type u1 counts.npy
"$SCREE" fit -q counts.npy --normalize 100 --log1p --top-variance 3 -k 2 -o nameless.scree
"$SCREE" project -q nameless.scree counts.npy -o codes.npy
"$SCREE" convert -q codes.npy - | sed 1d | nine_decimals >nameless
sed 1d codes | diff - nameless && echo 'the same without names'
"$SCREE" convert -q three.csv three.npy
try project nameless.scree three.npy -o none.npy
try_report fit counts.csv --top-variance 9 -k 2 -o all.scree 2>&1 | grep 'no effect'
for what in select plan; do "$SCREE" $what counts.csv --top-variance 9 2>&1 | grep 'no effect'; done
try fit counts.csv --top-variance 0 -k 2 -o no.scree 2>&1 | sed -n 2p
cat counts.csv | try fit - --top-variance 2 -k 2 -o no.scree
"$SCREE" select -q counts.csv --normalize 100 --log1p --top-variance 3 --json >one
"$SCREE" select -q three.csv --json >other
grep '"recommended"' one | diff - other | grep '^<'
"$SCREE" plan -q counts.csv --normalize median --top-variance 3 --json | grep -m 1 passes
echo '--- what has no share of a sum'
printf 'a,b,c,d,e\n1,2,3,4,5\n5,4,3,2,1\n1,-2,3,4,5\n1,1,1,1,1\n' >low.csv
try fit low.csv --normalize 100 -k 2 -o no.scree
try project counts.scree low.csv 2>&1 | nine_decimals
try project -q counts.scree low.csv --on-error nan | nine_decimals
try project counts.scree low.csv --on-error skip 2>&1 | nine_decimals
printf 'a,b,c,d,e\n1,2,,4,5\n5,4,3,2,1\n1,2,3,4,5\n' >holes.csv
try fit holes.csv --normalize 100 -k 2 -o no.scree
try impute counts.scree holes.csv
printf 'a,b\n0,0\n0,0\n' >zeros.csv
try fit zeros.csv --normalize median -k 1 -o no.scree
try fit counts.csv --normalize much -k 1 -o no.scree 2>&1 | sed -n 2p
try fit counts.csv --normalize 0 -k 1 -o no.scree 2>&1 | sed -n 2p
try fit counts.csv --normalize 100 --model-kind network -k 1 -o no.scree
try convert counts.scree counts.onnx
awk -F, -v OFS=, '{ print $0, NR == 1 ? "age" : NR }' counts.csv >aged.csv
try loadings counts.scree aged.csv --supplementary age
left
