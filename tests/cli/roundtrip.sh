# SPDX-License-Identifier: BSD-3-Clause
# From rows to a model, to codes, and back; the labels travel with them.
. "$SRC/tests/cli/lib.sh"

flowers >flowers.csv
try_report fit flowers.csv -k 2 -o flowers.scree
try_report info flowers.scree
echo '--- codes'
try project flowers.scree flowers.csv -o codes.csv
cut -d, -f1 codes.csv
awk -F, 'NR == 2 { printf "%.4f %.4f\n", $2, $3 }' codes.csv
echo '--- and back'
try reconstruct flowers.scree codes.csv -o rows.csv
head -1 rows.csv
echo '--- components in another order, and columns beside them'
awk -F, -v OFS=, '{ print $3, $1, NR, $2 }' codes.csv | sed '1s/,1,/,n,/' >mixed.csv
try reconstruct flowers.scree mixed.csv -o mixed_rows.csv
cmp rows.csv mixed_rows.csv
echo '--- the same in one step'
try reconstruct flowers.scree --data flowers.csv -o same.csv
cmp rows.csv same.csv
echo '--- all components give the rows themselves'
"$SCREE" fit -q flowers.csv -k all -o all.scree
"$SCREE" project -q all.scree flowers.csv | "$SCREE" reconstruct -q all.scree - | awk -F, '
    NR > 1 { printf "%s", $1; for (i = 2; i <= NF; i++) printf " %.1f", $i; print "" }'
echo '--- fewer components of a model'
"$SCREE" fit -q flowers.csv -k 1 -o one.scree
"$SCREE" project -q one.scree flowers.csv >one
"$SCREE" project -q -k 1 all.scree flowers.csv >two
awk -F, '{ print $1, NR == 1 ? $2 : sprintf("%.6f", $2) }' one >first
awk -F, '{ print $1, NR == 1 ? $2 : sprintf("%.6f", $2) }' two | cmp - first
echo '--- shares'
for k in 0.5 0.95 99.9% all; do
    "$SCREE" fit flowers.csv -k $k -o some.scree 2>notes | sed -n '1s/, 1 pass.*//p'
done
try_report fit flowers.csv --scale unit --ddof 1 -k 2 -o unit.scree
awk -F, -v OFS=, '{ print $1, $2, NR == 1 ? "site" : 7, $3, NR == 1 ? "year" : 1936 }' flowers.csv >constant.csv
try_report fit constant.csv --scale unit -k all -o constant.scree
try reconstruct unit.scree --data flowers.csv -o same.csv
