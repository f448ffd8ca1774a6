# SPDX-License-Identifier: BSD-3-Clause
# Scores: one row for a row with its label; outliers, reasons, false discoveries, calibration; the same bytes for any
# blocks and threads.
. "$SRC/tests/cli/lib.sh"

# Scores with six digits: the last ones depend on the machine.
brief()
{
    awk -F, -v OFS=, '{ for (i = 1; i <= NF; i++) if ($i ~ /^-?[0-9.]+(e-?[0-9]+)?$/) $i = sprintf("%.6g", $i); print }'
}

flowers >flowers.csv
"$SCREE" fit -q flowers.csv -k 2 -o model.scree
cat >new.csv <<'END'
petal_width,petal_length,sepal_width,sepal_length,name
1.4,4.7,3.2,7.0,usual
0.2,1.4,8.5,5.1,broad
30,70,10,100,huge
0.3,1.5,3.4,5.0,usual
END
echo '--- rows that are new'
try score model.scree new.csv --why 2 -o scores.csv
brief <scores.csv
echo '--- rows that were fitted'
try score model.scree flowers.csv --training --alpha 0.2 -o training.csv
brief <training.csv
echo '--- their log-likelihoods add up to that of the model'
"$SCREE" info --json model.scree | awk -F'[:,]' '/"log_likelihood"/ { printf "%.9g\n", $2 }'
awk -F, 'NR > 1 { sum += $2 } END { printf "%.9g\n", sum }' training.csv
echo '--- false discoveries'
try score model.scree new.csv --alpha 0.05 --fdr -o fdr.csv
cut -d, -f1,6 fdr.csv
awk -F, -v OFS=, 'NR > 1 { for (i = 1; i < NF; i++) $i = $i * (1 + (i + NR) % 3 / 100) } { print }' flowers.csv >held.csv
echo '--- calibrated'
try score model.scree new.csv --calibrate held.csv --alpha 0.2 -o calibrated.csv
brief <calibrated.csv | cut -d, -f1,5,6
try score model.scree new.csv --calibrate held.csv -o calibrated.csv
echo '--- calibrated by several files, and by the first that a pattern names'
{ head -1 held.csv; sed -n 2,5p held.csv; } >part-1.csv
{ head -1 held.csv; sed -n '6,$p' held.csv; } >part-2.csv
try score model.scree new.csv --calibrate part-1.csv --calibrate part-2.csv --alpha 0.2 -o parts.csv
"$SCREE" score -q model.scree new.csv --calibrate held.csv --alpha 0.2 | cmp - parts.csv
try score model.scree part-1.csv --calibrate part-*.csv --alpha 0.2 -o parts.csv
try score model.scree new.csv --calibrate part-1.csv --calibrate part-2.csv -o part-2.csv
rm part-1.csv part-2.csv parts.csv
echo '--- rows that cannot calibrate: those that were fitted, those that are scored'
try score model.scree new.csv --calibrate flowers.csv -o calibrated.csv
try score model.scree new.csv --calibrate held.csv --calibrate ./new.csv -o calibrated.csv
echo '--- a summary for machines'
"$SCREE" score model.scree new.csv --json -q | sed 's/\(loglik":.-[0-9]*\).*/\1,/; s/\(_limit":.[0-9]*\.[0-9]\{6\}\).*/\1,/'
left
echo '--- a pipe, other formats'
cat new.csv | "$SCREE" score -q model.scree - --why 2 | cmp - scores.csv
"$SCREE" score -q model.scree new.csv --why 2 -o scores.npy
"$SCREE" convert -q scores.npy | tail -n +2 >numbers
tail -n +2 scores.csv | cut -d, -f2-6 | cmp - numbers
echo '--- any blocks, any threads'
"$SCREE" sample model.scree -n 1000 -o many.csv
"$SCREE" score -q model.scree many.csv --why 3 --alpha 0.1 -o one.csv
for how in '--block-rows 1' '--block-rows 7 --threads 2' '--block-rows 129 --threads 3'; do
    "$SCREE" score -q model.scree many.csv --why 3 --alpha 0.1 $how | cmp - one.csv
done
awk -F, 'NR > 1 { n += $5 } END { if (n < 1) print "no outliers, no reasons" }' one.csv
echo '--- fewer components, more noise'
"$SCREE" fit -q flowers.csv -k all -o all.scree
brief <training.csv >wanted
"$SCREE" score -q -k 2 all.scree flowers.csv --training --alpha 0.2 | brief | cmp - wanted
try score all.scree new.csv --noise-floor 0.05 --why 1 -o floor.csv
cut -d, -f1,6,7 floor.csv
echo '--- what so few calibration rows can find'
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sed 1d flowers.csv; done | (head -1 flowers.csv; cat) >many_flowers.csv
try score model.scree new.csv --calibrate many_flowers.csv --fdr -o fdr.csv
try score model.scree flowers.csv --calibrate many_flowers.csv --fdr -o fdr.csv
echo '--- directions that the fitted rows do not have'
awk -F, -v OFS=, '{ print $1, $2, $3, NR == 1 ? "constant" : 7 }' flowers.csv >flat.csv
(head -2 flat.csv; sed -n 2p flat.csv | sed 's/,7$/,7.01/') >left.csv
"$SCREE" fit -q flat.csv -o flat.scree
"$SCREE" score -q flat.scree left.csv --why 2 | cut -d, -f5-
echo '--- the command that a fit names, and its noise in JSON'
"$SCREE" fit flowers.csv --scale unit --columns 1-3 -o part.scree 2>&1 | grep -A1 'scree select'
"$SCREE" fit flowers.csv --scale unit --columns 1-3 -o part.scree 2>&1 | sed -n 's/.*\(noise variance[^;]*\).*/\1/p'
"$SCREE" info part.scree --json | grep noise_variance
try fit flowers.csv -k 100% -o part.scree
echo '--- shares that were rounded add up to 100 but for that, and a row that does not'
awk 'BEGIN { print "a,b,c,d"
    for (i = 1; i <= 80; i++) {
        a = 20 + 10 * sin(1.3 * i); b = 30 + 8 * cos(2.1 * i); c = 25 + 5 * sin(0.7 * i * i)
        printf "%.1f,%.1f,%.1f,%.1f\n", a, b, c, 100 - a - b - c
    } }' >shares.csv
"$SCREE" fit -q shares.csv -o shares.scree
(sed -n 1,2p shares.csv; echo 20,30,25,28) >sum.csv
"$SCREE" score -q shares.scree sum.csv --why 2 | cut -d, -f5- | sed 's/[0-9.]*·//g; s/ = .*//'
