# SPDX-License-Identifier: BSD-3-Clause
# What is done to rows before a fit: scales of every kind, logarithms, no centring, tables that lie on their side; and
# codes of unit variance. What cannot be is refused with a sentence.
. "$SRC/tests/cli/lib.sh"

flowers >flowers.csv
printf 'sepal_width,0.1\npetal_width,0.2\nsepal_length,0.5\npetal_length,0.4\n' >named.csv
printf '0.5\n0.1\n0.4\n0.2\n' >order.csv
printf 'sepal_length,sepal_width,petal_length,petal_width\n0.5,0.1,0.4,0.2\n' >across.csv
for how in none unit range pareto named.csv order.csv across.csv; do
    echo "--- $how"
    "$SCREE" fit -q flowers.csv --scale $how -k 2 -o "$how.scree"
    "$SCREE" info "$how.scree" | grep -E '^(method|scale)'
    "$SCREE" project -q "$how.scree" flowers.csv -o codes.csv
    sed -n 2p codes.csv | nine_decimals
done
"$SCREE" project -q named.csv.scree flowers.csv >named
"$SCREE" project -q order.csv.scree flowers.csv | cmp - named
"$SCREE" project -q across.csv.scree flowers.csv | cmp - named
echo '--- the same of columns that were divided before'
awk -F, -v OFS=, 'NR == 1 { print } NR > 1 { print $1 / 0.5, $2 / 0.1, $3 / 0.4, $4 / 0.2, $5 }' flowers.csv >divided.csv
"$SCREE" fit -q divided.csv -k 2 -o divided.scree
"$SCREE" project -q divided.scree divided.csv | sed -n 2p | nine_decimals
sed -n 2p named | nine_decimals
"$SCREE" select -q flowers.csv --scale order.csv --json | grep -c '"recommended"'
"$SCREE" plan -q flowers.csv --scale range --json | grep -m 1 passes
echo '--- scales that cannot be'
try fit flowers.csv --scale unti -k 2 -o no.scree 2>&1 | sed -n 2p
try fit flowers.csv --scale nothing.csv -k 2 -o no.scree
printf '0.5\n0.1\n' >few.csv
try fit flowers.csv --scale few.csv -k 2 -o no.scree
printf 'a,1\nsepal_width,2\n' >others.csv
try fit flowers.csv --scale others.csv -k 2 -o no.scree
printf '0.5\n0\n1\n2\n' >zero.csv
try fit flowers.csv --scale zero.csv -k 2 -o no.scree
printf '1,2\n3,4\n5,6\n7,8\n' >square.csv
try fit flowers.csv --scale square.csv -k 2 -o no.scree
printf 'sepal_width,much\npetal_width,little\n' >words.csv
try fit flowers.csv --scale words.csv -k 2 -o no.scree
printf 'sepal_length,1\nsepal_width,2\npetal_length,3\npetal_width,4\nsepal_width,5\n' >twice.csv
try fit flowers.csv --scale twice.csv -k 2 -o no.scree
sed '1s/petal_length/sepal_width/' flowers.csv >repeated.csv
try fit repeated.csv --scale named.csv -k 2 -o no.scree
sed '1s/petal_length/sepal_width/' across.csv >repeated-across.csv
"$SCREE" fit -q repeated.csv --scale repeated-across.csv -k 2 -o repeated.scree
"$SCREE" project -q repeated.scree repeated.csv | cmp - named
cat flowers.csv | try fit - --scale range -k 2 -o no.scree
cat flowers.csv | try fit - --scale pareto -q -k 2 -o piped.scree
echo '--- logarithms'
printf 'a,b,c\n0,12,3\n4,90,1\n1,7,22\n2,31,8\n9,55,2\n3,0,40\n' >counts.csv
awk -F, -v OFS=, 'NR == 1 { print } NR > 1 { printf "%.17g,%.17g,%.17g\n", log(1 + $1), log(1 + $2), log(1 + $3) }' counts.csv >logs.csv
"$SCREE" fit -q counts.csv --log1p -k 1 -o counts.scree
"$SCREE" fit -q logs.csv -k 1 -o logs.scree
"$SCREE" info counts.scree | grep transform
for what in project score posterior; do
    "$SCREE" $what -q counts.scree counts.csv | nine_decimals >counts
    "$SCREE" $what -q logs.scree logs.csv | nine_decimals | diff - counts && echo "$what: the same"
done
"$SCREE" reconstruct -q logs.scree --data logs.csv | awk -F, 'NR == 3 { printf "%.6f,%.6f,%.6f\n", exp($1) - 1, exp($2) - 1, exp($3) - 1 }'
"$SCREE" reconstruct -q counts.scree --data counts.csv | awk -F, 'NR == 3 { printf "%.6f,%.6f,%.6f\n", $1, $2, $3 }'
printf 'a,b,c\n0,12,\n,90,1\n' >holes.csv
"$SCREE" impute -q counts.scree holes.csv --sd sd.csv | cut -d, -f2 | head -3
awk -F, 'NR == 2 { print ($1 == 0), ($3 > 0) }' sd.csv
"$SCREE" sample -q counts.scree -n 20 | awk -F, 'NR > 1 && !($1 > -1 && $2 > -1 && $3 > -1) { print "not a count" }'
printf 'a,b,c\n0,12,3\n4,-1,1\n1,7,22\n' >low.csv
try fit low.csv --log1p -k 1 -o no.scree
try project counts.scree low.csv -o none.csv
echo '--- no centring'
"$SCREE" fit -q flowers.csv --center none -k 2 --json -o uncentred.scree | tr -d '\n\t ' | grep -o '"uncentred":true'
"$SCREE" info uncentred.scree | grep center
"$SCREE" project -q uncentred.scree flowers.csv | sed -n 2p | nine_decimals
try fit flowers.csv --center none --ddof 1 -k 2 -o no.scree
try fit flowers.csv --center none -k auto -o no.scree
try fit flowers.csv --center none --bootstrap 50 -k 2 -o no.scree
try fit holes.csv --center none -k 1 -o no.scree
echo '--- genes by samples'
printf 'gene,s1,s2,s3,s4\nBRCA1,5,3,8,1\nTP53,2,2,9,4\nEGFR,7,1,0,3\n' >genes.csv
try convert -q genes.csv --transpose samples.csv
cat samples.csv
"$SCREE" convert -q samples.csv --transpose | diff - genes.csv
"$SCREE" fit -q genes.csv --transpose -k 1 -o genes.scree
"$SCREE" fit -q samples.csv -k 1 -o samples.scree
for what in project score posterior reconstruct; do
    data=
    [ $what = reconstruct ] && data=--data
    "$SCREE" $what -q genes.scree $data genes.csv --transpose >turned
    "$SCREE" $what -q samples.scree $data samples.csv | cmp - turned && echo "$what: the same"
done
gzip -k genes.csv
"$SCREE" project -q genes.scree - --transpose <genes.csv.gz | cmp - turned || echo 'codes are no rows'
try project genes.scree genes.csv --transpose --on-error skip
try fit genes.csv --transpose --weights s1 -o no.scree
TMPDIR=/nowhere "$SCREE" project -q genes.scree genes.csv --transpose
echo '--- a file larger than the memory'
{ npy_header '20, 3000000' '|u1'; awk 'BEGIN { srand(1); for (i = 0; i < 9973; i++) printf "%c", 33 + int(90 * rand()) }' >noise
    awk 'BEGIN { for (i = 0; i < 6017; i++) print "noise" }' | xargs cat | head -c 60000000; } >wide.npy
"$SCREE" fit -q wide.npy --transpose -k 2 --memory 48M -o wide.scree
"$SCREE" convert -q wide.npy --transpose --type u1 --memory 48M tall.npy
head -c 80 tall.npy | grep -a -o "'shape': ([^)]*)"
"$SCREE" fit -q tall.npy -k 2 --memory 48M -o tall.scree
"$SCREE" project -q wide.scree wide.npy --transpose --memory 48M -o wide-codes.npy
"$SCREE" project -q tall.scree tall.npy -o tall-codes.npy
cmp wide-codes.npy tall-codes.npy && echo 'the same'
echo '--- unit variances'
"$SCREE" fit -q flowers.csv -k 2 -o flowers.scree
for ddof in 0 1; do
    "$SCREE" project -q flowers.scree flowers.csv --whiten --ddof $ddof -o white.csv
    awk -F, -v ddof=$ddof 'NR == 1 { print } NR > 1 { a += $2 * $2; b += $3 * $3 } END { printf "%.9f %.9f\n", a / (NR - 1 - ddof), b / (NR - 1 - ddof) }' white.csv
done
"$SCREE" reconstruct -q flowers.scree white.csv --whiten --ddof 1 | nine_decimals >white
"$SCREE" reconstruct -q flowers.scree --data flowers.csv | nine_decimals | diff - white | wc -l
try reconstruct flowers.scree white.csv
echo '--- numbers that are no codes of this model, by their names'
"$SCREE" project -q flowers.scree flowers.csv -o codes.csv
try reconstruct flowers.scree codes.csv --whiten
"$SCREE" posterior -q flowers.scree flowers.csv -o means.csv
try reconstruct flowers.scree means.csv
"$SCREE" rotate -q flowers.scree -o rotated.scree >report
"$SCREE" project -q rotated.scree flowers.csv -o factors.csv
try reconstruct flowers.scree factors.csv
try reconstruct flowers.scree factors.csv --whiten
try reconstruct rotated.scree codes.csv
try project rotated.scree flowers.csv --whiten
"$SCREE" reconstruct -q rotated.scree factors.csv | nine_decimals | diff - white | wc -l
sed '1s/pc/axis/g' codes.csv | "$SCREE" reconstruct -q flowers.scree - | nine_decimals | diff - white | wc -l
try project flowers.scree flowers.csv --ddof 1 2>&1 | sed -n 2p
try reconstruct flowers.scree --data flowers.csv --whiten 2>&1 | sed -n 2p
awk -F, -v OFS=, '{ print $1, $2, $3, $4, NR == 1 ? "sum" : $1 + $2 }' flowers.csv >sums.csv
"$SCREE" fit -q sums.csv -k all -o sums.scree
"$SCREE" project sums.scree sums.csv --whiten 2>&1 | sed -E 's/[0-9.]+e-[0-9]+/#/'
echo '--- float in, float out; one row of an array'
"$SCREE" convert -q flowers.csv --type f4 flowers.npy
for what in project posterior impute score; do
    "$SCREE" $what -q flowers.scree flowers.npy -o out.npy
    echo "$what $(head -c 60 out.npy | grep -a -o "'descr': '[^']*'")"
done
"$SCREE" project -q flowers.scree flowers.npy --type f8 -o out.npy
head -c 60 out.npy | grep -a -o "'descr': '[^']*'"
{ npy_header 4, '<f4'; tail -c +129 flowers.npy | head -c 16; } >row.npy
for what in project score posterior impute explore; do
    "$SCREE" $what -q flowers.scree row.npy | wc -l
done
