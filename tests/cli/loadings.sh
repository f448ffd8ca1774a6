# SPDX-License-Identifier: BSD-3-Clause
# What components mean: tables, CSV and JSON of columns, rows, supplementary columns and rows, and what cannot be asked.
. "$SRC/tests/cli/lib.sh"

brief()
{
    sed -E 's/([0-9]\.[0-9]{5})[0-9]*/\1/g; s/-0\.00000([^0-9]|$)/0.00000\1/g'
}

flowers >flowers.csv
"$SCREE" fit -q flowers.csv --columns 1-3 --scale unit -k 2 -o model.scree
try loadings model.scree
try loadings model.scree --what all -k 1
echo '--- as rows, of each kind'
for what in weights loadings structure correlations cos2 contributions; do
    "$SCREE" loadings model.scree --what $what -o $what.csv && head -n 2 $what.csv | brief
done
"$SCREE" loadings model.scree --what all --format csv | head -n 1
"$SCREE" loadings model.scree --json | tr -d '\t\n ' | brief
echo
echo '--- rows'
"$SCREE" loadings model.scree flowers.csv --training -q | brief | head -n 3
"$SCREE" loadings model.scree flowers.csv --training -q | awk -F, 'NR > 1 { for (i = 6; i <= 7; i++) sum[i] += $i }
    END { printf "contributions add up to %.9f and %.9f\n", sum[6], sum[7] }'
try loadings model.scree flowers.csv --what cos2 -o cos2.npy
"$SCREE" loadings model.scree flowers.csv -q --what distance --json | head -n 3 | brief
echo '--- supplementary columns'
try loadings model.scree flowers.csv --supplementary petal_width,species
"$SCREE" loadings model.scree flowers.csv --supplementary all -q -o all.csv && head -n 3 all.csv | brief
"$SCREE" loadings model.scree flowers.csv --supplementary all -q --json | tr -d '\t\n ' | brief
echo
echo '--- a column that is constant, gaps, no names'
awk -F, -v OFS=, 'NR == 1 { print $0, "one" } NR > 1 { print $0, 1 }' flowers.csv >constant.csv
"$SCREE" fit -q constant.csv --columns sepal_length,one,petal_width -k 1 -o constant.scree
try loadings constant.scree --what correlations
sed 's/3.9,1.7/,1.7/; s/,2.5,virginica/,,virginica/' flowers.csv >gaps.csv
"$SCREE" fit -q gaps.csv -k 1 --no-imputer -o gaps.scree
"$SCREE" loadings gaps.scree --what correlations --format csv | awk -F, 'NR > 1 && ($2 < -1 || $2 > 1) { print "beyond 1:", $0 }'
"$SCREE" loadings gaps.scree gaps.csv | wc -l
numbers 30 4 | "$SCREE" fit -q - -k 2 -o bare.scree
"$SCREE" loadings bare.scree | head -n 4
echo '--- gaps of supplementary columns, and a label that leaves out others'
awk -F, -v OFS=, 'NR == 1 { print $0, "town" } NR > 1 { print $1, $2, $3, NR == 4 ? "" : $4, NR < 4 ? "" : $5, NR % 3 ? "north" : "south" }' \
    flowers.csv >holes.csv
"$SCREE" loadings model.scree holes.csv --supplementary petal_width,species,town >table
"$SCREE" loadings model.scree holes.csv --supplementary all --json | tr -d '\t\n ' | grep -o '"missing":[^]]*.'
"$SCREE" loadings model.scree holes.csv --supplementary town -q >table
try loadings model.scree holes.csv --supplementary town --label species
"$SCREE" loadings model.scree holes.csv --supplementary species --label species >table
echo '--- weights'
awk -F, -v OFS=, '{ print $0, NR == 1 ? "count" : NR % 3 + 1, NR == 1 ? "other" : NR % 4 + 1 }' flowers.csv >weighed.csv
"$SCREE" fit -q weighed.csv --columns 1-3 --weights count -k 2 -o weighed.scree
"$SCREE" loadings weighed.scree weighed.csv --columns 1-3 --training --weights count -q | awk -F, 'NR > 1 { for (i = 6; i <= 7; i++) sum[i] += $i }
    END { printf "contributions add up to %.9f and %.9f\n", sum[6], sum[7] }'
try loadings weighed.scree weighed.csv --training -o none.csv
try loadings weighed.scree weighed.csv --training --weights other -o none.csv
try loadings weighed.scree weighed.csv --training --what cos2 -q -o some.csv
left | tr ' ' '\n' | grep none
echo '--- what cannot be asked'
"$SCREE" autoencode -q flowers.csv --code 1 --linear --epochs 2 -o net.scree
try loadings net.scree
try loadings net.scree flowers.csv
try loadings model.scree flowers.csv --supplementary sepal_width
try loadings model.scree flowers.csv --supplementary 4
try loadings model.scree flowers.csv --supplementary nothing
sed '1s/petal_width/"petal,5,width"/' flowers.csv >commas.csv
"$SCREE" loadings model.scree commas.csv --supplementary '"petal,5,width",species' -q --format csv | cut -d, -f 1-4 | sed -n 2p
head -n 5 flowers.csv >few.csv
try loadings model.scree few.csv --training -o few.out.csv
left | tr ' ' '\n' | grep few
for wrong in '--what distance' '--what nothing' '--training' '--supplementary all' '--json -o x.csv' '--json --format csv' \
    '--columns 1' '--weights a'; do
    "$SCREE" loadings model.scree $wrong 2>&1 | head -n 1
done
"$SCREE" loadings model.scree flowers.csv --what loadings 2>&1 | head -n 1
"$SCREE" loadings model.scree flowers.csv --what contributions 2>&1 | head -n 1
"$SCREE" loadings model.scree flowers.csv --supplementary all --what cos2 2>&1 | head -n 1
seq 1002 | awk -v OFS=, 'BEGIN { print "a,b,c,name" } { print $1 % 7, $1 % 5, $1 % 3, "row" $1 }' >many.csv
"$SCREE" fit -q many.csv -k 1 -o many.scree
try loadings many.scree many.csv --supplementary name
