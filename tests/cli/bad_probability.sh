# SPDX-License-Identifier: BSD-3-Clause
# What score, posterior, sample and explore refuse: one sentence each, and nothing left behind.
. "$SRC/tests/cli/lib.sh"

flowers >flowers.csv
"$SCREE" fit -q flowers.csv -k 2 -o model.scree
"$SCREE" fit -q flowers.csv -k all -o all.scree
numbers 4 10 >wide.csv
"$SCREE" fit -q wide.csv -k 3 -o few.scree
awk -F, 'NR == 1 { print "a,b,sum" } NR > 1 { print $1 "," $2 "," $1 + $2 }' flowers.csv >sums.csv
"$SCREE" fit -q sums.csv -k all --latent 3 -o sums.scree
"$SCREE" fit -q sums.csv -k all -o all_sums.scree
"$SCREE" fit -q sums.csv -o plain.scree
numbers 5 3 >three.csv
sed '4s/4.7/inf/' flowers.csv >far.csv
sed '4s/4.7/nan/' flowers.csv >gap.csv
head -1 flowers.csv >none.csv
echo '--- wrong usage'
try score model.scree
try score model.scree flowers.csv --alpha 0
try score model.scree flowers.csv --alpha 1
try score model.scree flowers.csv --alpha=-0.1
try score model.scree flowers.csv --alpha nan
try score model.scree flowers.csv --noise -1
try score model.scree flowers.csv --noise-floor inf
try score model.scree flowers.csv -k 0
try score model.scree flowers.csv --why 0
try score model.scree flowers.csv --training --calibrate flowers.csv
try score model.scree - --calibrate -
try posterior model.scree flowers.csv --interval 1
try posterior model.scree flowers.csv --interval 95
try sample model.scree -n 0
try sample model.scree -n 10 --noise x
try sample model.scree flowers.csv
try explore model.scree flowers.csv --row 0
try explore model.scree flowers.csv -n -2
echo '--- no noise, no density'
try score all.scree flowers.csv -o out.csv
try score model.scree flowers.csv --noise 0 -o out.csv
try score few.scree wide.csv -o out.csv
try score few.scree wide.csv -q --noise-floor 1000 -o floor.csv
try score sums.scree sums.csv -o out.csv
try posterior sums.scree sums.csv -o out.csv
try sample sums.scree -n 3 -o out.csv
try score all_sums.scree sums.csv --training -q -o out.csv
try score plain.scree sums.csv --training -q -o floor.csv
rm floor.csv
echo '--- rows that do not fit'
try score model.scree three.csv -o out.csv
try posterior model.scree three.csv -o out.csv
try explore model.scree three.csv -o out.csv
try score model.scree flowers.csv --calibrate three.csv -o out.csv
echo '--- missing values'
try score model.scree far.csv -o out.csv
try score model.scree flowers.csv --calibrate far.csv -o out.csv
try score model.scree flowers.csv --calibrate gap.csv -o out.csv
sed '2s/5.1/5.2/' flowers.csv >held.csv
try score model.scree gap.csv --calibrate held.csv -o out.csv
try posterior model.scree far.csv -o out.csv
try explore model.scree far.csv -o out.csv
echo '--- rows that are not there'
try explore model.scree flowers.csv --row 11 -o out.csv
try explore model.scree flowers.csv --row 1000000000000 -o out.csv
try score -k 3 model.scree flowers.csv -o out.csv
try sample -k 3 model.scree -o out.csv
echo '--- a pipe cannot be read twice'
cat flowers.csv | try score model.scree - --fdr -o out.csv
left
