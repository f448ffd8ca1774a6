# SPDX-License-Identifier: BSD-3-Clause
# Another cohort on a model of genotypes: the same calls with the other allele counted give the same codes, to the last
# bit; variants that are not there, or have other alleles, are what the model says of them on average.
. "$SRC/tests/cli/lib.sh"
cp "$SRC"/examples/cohort.* .
try fit -q cohort.bed -k 2 -o m.scree
try project m.scree cohort.bed -o same.csv

# Every call of 120 samples, four to a byte, becomes that of the other allele: 00 and 11 change places.
octal() {
    awk -v turn="$1" 'BEGIN {
        for (i = 0; i < 256; i++) {
            byte = 0
            for (place = 1; place < 256; place *= 4) {
                call = int(i / place) % 4
                byte += place * (turn && call % 3 == 0 ? 3 - call : call)
            }
            printf "\\%03o", byte
        }
    }'
}
head -c 3 cohort.bed >turned.bed
tail -c +4 cohort.bed | LC_ALL=C tr "$(octal 0)" "$(octal 1)" >>turned.bed
cp cohort.fam turned.fam
awk '{ print $1, $2, $3, $4, $6, $5 }' cohort.bim >turned.bim
try project m.scree turned.bed -o turned.csv
cmp same.csv turned.csv && echo "the same codes"
try score -q m.scree turned.bed -o turned_scores.csv
try score -q m.scree cohort.bed -o same_scores.csv
cmp same_scores.csv turned_scores.csv && echo "the same scores"

# Some variants are not there, or have other alleles; and each of several cohorts is matched by itself.
cp turned.bed part.bed
cp turned.fam part.fam
awk 'NR % 10 == 1 { $2 = "x" $2 } NR % 10 == 2 { $5 = $6 = "N" } { print }' turned.bim >part.bim
try project m.scree part.bed -o part.csv
awk -F, 'NR == FNR { a[FNR] = $3; next } FNR > 1 { xy += a[FNR] * $3; xx += a[FNR]^2; yy += $3^2 }
    END { r = xy / sqrt(xx * yy); print (r > 0.9 && r < 0.9999) ? "nearly the same codes" : r }' same.csv part.csv
try project m.scree part.bed cohort.bed -o both.csv
head -121 both.csv | cmp - part.csv && echo "first the one cohort"
tail -120 both.csv >end.csv
tail -120 same.csv | cmp - end.csv && echo "then the other"

echo '--- loadings with what is known of the variants'
try loadings m.scree --variants cohort.bed -o of_cohort.csv
head -n 3 of_cohort.csv | cut -d, -f1-6
tail -n +2 of_cohort.csv | awk -F, '{ print $2 "\t" $3 "\t" $4 "\t" $5 "\t" $6 }' >known
awk '{ print $1 "\t" $2 "\t" $4 "\t" $5 "\t" $6 }' cohort.bim | cmp - known && echo "as in the .bim"
"$SCREE" loadings m.scree -o plain.csv
cut -d, -f1,7- of_cohort.csv | cmp - plain.csv && echo "the same loadings"
try loadings m.scree --variants turned.bed -q -o of_turned.csv
cmp of_cohort.csv of_turned.csv && echo "the alleles of the model"
"$SCREE" loadings m.scree --variants part.bed -q --what all --format csv | head -n 4 | cut -d, -f1-6
cp "$SRC/examples/iris.csv" .
try loadings m.scree --variants iris.csv -o none.csv
try loadings m.scree --variants cohort.bed -o cohort.bed
try loadings m.scree --variants cohort.bed
try loadings m.scree cohort.bed --variants cohort.bed -o none.csv
"$SCREE" fit -q iris.csv -k 2 -o iris.scree
try loadings iris.scree --variants cohort.bed -o none.csv
ls none.csv 2>/dev/null || echo 'nothing was written'
echo '--- the default scale is that of genotypes however rows are chosen, and whatever is alike in one of two files'
for rows in '' '--rows 1:' '--sample 40' '--exclude 1'; do
    # shellcheck disable=SC2086 # flags are words
    "$SCREE" fit cohort.bed $rows -k 1 -o m.scree 2>&1 | grep -c 'were divided by'
done
"$SCREE" fit cohort.bed cohort.bed -k 1 -o m.scree 2>&1 | grep -c 'were divided by'
echo '--- missing calls are what impute fills'
cp "$SRC"/examples/cohort.* .
"$SCREE" fit -q cohort.bed -k 2 -o m.scree
try impute m.scree cohort.bed -o filled.csv --sd spread.csv
tail -n +2 spread.csv | tr , '\n' | awk '$1 + 0 > 0 { n++ } END { print n " cells have a spread" }'
