# SPDX-License-Identifier: BSD-3-Clause
# Rotations: what is printed, the model that is made, what it answers as the one it is made of, and what it refuses.
. "$SRC/tests/cli/lib.sh"

brief()
{
    sed -E 's/([0-9]\.[0-9]{5})[0-9]*/\1/g; s/-0\.00000([^0-9]|$)/0.00000\1/g'
}

# file file: the largest difference of their numbers, of those that stand in the same place.
apart()
{
    paste -d, "$1" "$2" | awk -F, 'NR > 1 { half = NF / 2
        for (i = 2; i <= half; i++) { off = $i - $(half + i); if (off < 0) off = -off; if (off > most) most = off } }
        END { print (most < 1e-9 ? "the same" : "apart by " most) }'
}

flowers >flowers.csv
"$SCREE" fit -q flowers.csv --scale unit -k 3 -o model.scree
try rotate model.scree -k 2 -o varimax.scree
try rotate model.scree -k 2 --method oblimin -o oblimin.scree
try rotate model.scree --method promax --power 3 --no-kaiser --json -o promax.scree | tr -d '\t\n ' | brief
echo
"$SCREE" rotate -q model.scree --method quartimax -o - | "$SCREE" info - | sed -n '2p;7,10p'
try info oblimin.scree
"$SCREE" info oblimin.scree --json | tr -d '\t\n ' | brief
echo
echo '--- loadings'
try loadings oblimin.scree --what structure
"$SCREE" loadings oblimin.scree flowers.csv --training -q | brief | head -n 2
"$SCREE" loadings oblimin.scree flowers.csv --supplementary species -q --format csv | brief | head -n 2
echo '--- the same rows, scores, gaps and draws'
"$SCREE" project -q oblimin.scree flowers.csv -o codes.csv && head -n 2 codes.csv | brief
"$SCREE" reconstruct -q oblimin.scree codes.csv -o back.csv
"$SCREE" reconstruct -q -k 2 model.scree --data flowers.csv -o wanted.csv
apart back.csv wanted.csv
"$SCREE" reconstruct -q oblimin.scree --data flowers.csv -o again.csv
apart again.csv wanted.csv
"$SCREE" score -q oblimin.scree flowers.csv -o scores.csv
"$SCREE" score -q -k 2 model.scree flowers.csv -o wanted.csv
apart scores.csv wanted.csv
sed 's/3.9,1.7/,1.7/' flowers.csv >gaps.csv
"$SCREE" impute -q oblimin.scree gaps.csv -o filled.csv
"$SCREE" impute -q -k 2 model.scree gaps.csv -o wanted.csv
apart filled.csv wanted.csv
"$SCREE" project -q oblimin.scree gaps.csv -o of_gaps.csv
"$SCREE" project -q oblimin.scree filled.csv -o of_filled.csv
apart of_gaps.csv of_filled.csv
"$SCREE" sample -q oblimin.scree -n 5 -o drawn.csv
"$SCREE" sample -q -k 2 model.scree -n 5 -o wanted.csv
apart drawn.csv wanted.csv
echo '--- what it refuses'
try posterior oblimin.scree flowers.csv
try explore oblimin.scree flowers.csv
try project -k 1 oblimin.scree flowers.csv
try rotate oblimin.scree -o twice.scree
try select oblimin.scree
"$SCREE" autoencode -q flowers.csv --code 1 --linear --epochs 2 -o net.scree
try rotate net.scree -o x.scree
try rotate model.scree -k 4 -o x.scree
awk -F, -v OFS=, 'NR == 1 { print $1, $2, "sum" } NR > 1 { print $1, $2, $1 + $2 }' flowers.csv >sums.csv
"$SCREE" fit -q sums.csv -k all -o sums.scree
try rotate sums.scree -k 3 -o x.scree
for wrong in '' '-o x.scree --power 3' '-o x.scree --method promax --power 0.5' '-o x.scree --gamma 0.5' '-o x.scree --method none' \
    '-o x.scree --method oblimin --gamma 2' '-o x.scree --starts -1' '-o - --json' '-o model.scree'; do
    "$SCREE" rotate model.scree $wrong 2>&1 | head -n 1
done
left
