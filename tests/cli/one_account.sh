# SPDX-License-Identifier: BSD-3-Clause
# One account of the noise and of M; a column that has most of the variance; p-values that are not spread evenly.
. "$SRC/tests/cli/lib.sh"

# Rows of three columns from sums of twelve even numbers, nearly normal; with a factor the third is a hundred times as
# wide, and with tails each row is multiplied by a number that is now small, now large.
rows()
{
    awk -v seed="$1" -v count="$2" -v factor="$3" -v tails="$4" 'function even() {
            seed = (seed * 69069 + 12345) % 4294967296; return seed / 4294967296 }
        function normal(  i, s) { for (i = s = 0; i < 12; i++) s += even(); return s - 6 }
        BEGIN { print "a,b,c"; for (n = 0; n < count; n++) {
            t = tails ? exp(1.2 * normal()) : 1; z = normal()
            printf "%.6f,%.6f,%.6f\n", t * (3 * z + normal()), t * (2 * z + normal()), t * factor * normal() } }'
}

rows 1 300 1 0 >plain.csv
rows 2 300 100 0 >wide.csv
rows 3 300 1 1 >tails.csv
rows 4 300 1 1 >more.csv
rows 5 300 1 0 >new.csv
lines()
{
    grep -E 'total variance|has .* of the variance|probability model|recommend' | sed 's/[0-9.]*[0-9][0-9][0-9][0-9]/#/g'
}
for how in '' '-k 2' '--latent 2' '--scale unit' '-k 3'; do
    echo "--- fit $how"
    "$SCREE" fit wide.csv $how -o wide.scree 2>&1 | lines
    "$SCREE" info wide.scree | lines
done
echo '--- no column has most of the variance'
"$SCREE" fit plain.csv -k 2 -o plain.scree 2>&1 | lines
echo '--- all others are constant'
awk -F, -v OFS=, 'NR > 1 { $1 = 1; $2 = 7 } 1' wide.csv >constant.csv
"$SCREE" fit constant.csv -k 1 -o constant.scree 2>&1 | lines
echo '--- normal rows, new and fitted'
said()
{
    "$SCREE" score "$@" 2>&1 >out.csv | grep -E 'evenly|Gaussian'
    "$SCREE" score --json "$@" | grep -E 'even|gaussian'
}
said plain.scree new.csv
said plain.scree plain.csv --training
echo '--- rows with heavy tails, new and fitted; calibrated'
"$SCREE" fit -q tails.csv -k 2 -o tails.scree
said tails.scree more.csv
said tails.scree tails.csv --training
sed 2d tails.csv >fewer.csv
said tails.scree more.csv --calibrate fewer.csv
echo '--- several columns that hide the others, and units that differ'
awk -F, -v OFS=, '{ line = $0; for (i = 0; i < 7; i++) line = line OFS (NR == 1 ? "x" i "," "y" i "," "z" i : $1 + i "," $2 * (i + 1) / 7 "," $3)
    print (NR == 1 ? "l,m" : 900 * $1 OFS 700 * $2), line }' plain.csv >several.csv
"$SCREE" fit several.csv -k 2 -o several.scree 2>&1 | grep 'of the variance'
awk -F, -v OFS=, '{ print (NR == 1 ? "l,m" : 900 * $1 OFS 700 * $2), $0 }' plain.csv >units.csv
"$SCREE" fit units.csv -k 2 -o units.scree 2>&1 | grep 'of the variance'
"$SCREE" fit units.csv -k 2 --scale unit -o units.scree 2>&1 | grep 'of the variance'
echo '--- a number that may stand for missing, and a column that counts rows'
awk -F, -v OFS=, 'NR % 20 == 0 { $2 = -999 } NR > 1 { $3 = NR + 40 } 1' plain.csv >codes.csv
"$SCREE" fit codes.csv -k 1 -o codes.scree 2>&1 >out.txt | grep -v header
"$SCREE" fit codes.csv -k 1 --columns a,b -o codes.scree 2>&1 >out.txt | grep -v header
awk -F, -v OFS=, 'NR % 20 == 0 { $2 = -9 } 1' plain.csv >near.csv
"$SCREE" fit near.csv -k 1 -o codes.scree 2>&1 >out.txt | grep -v header
echo '--- a page of rows that are not normal'
"$SCREE" report tails.scree more.csv -o page.html 2>said
grep -q 'needs D3' said || { grep -c evenly said; grep -o '"uneven":[a-z]*' page.html; }
echo '--- Bayes of noise, and one that is asked to keep something'
awk 'function even() { seed = (seed * 69069 + 12345) % 4294967296; return seed / 4294967296 }
    BEGIN { seed = 9; print "a,b,c"; for (n = 0; n < 200; n++) print even() "," even() "," even() }' >noise.csv
"$SCREE" fit noise.csv --bayes -o noise.scree 2>&1 | grep 'probability model'
"$SCREE" sample -q noise.scree -n 3 | wc -l
try fit noise.csv --bayes -k 1 -o noise.scree
echo '--- a relation that holds, a row number beside text, and a model on the standard output'
awk 'BEGIN { srand(7); print "name,at,x,y,both"
             for (i = 1; i <= 40; i++) { x = int(1000 * rand()); y = int(1000 * rand())
                                         print "r" i "," i "," x "," y "," x + y } }' >sums.csv
"$SCREE" fit sums.csv -o sums.scree 2>&1 | grep -E -A1 'relation|counts the rows'
"$SCREE" fit sums.csv -o /dev/stdout 2>notes >sums.scree && "$SCREE" info sums.scree | sed -n 2,3p
