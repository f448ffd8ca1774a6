# SPDX-License-Identifier: BSD-3-Clause
# Draws: sample and explore give the same bytes for a seed, on any threads, and others for another; labels and row numbers
# go with them; without noise they lie in the subspace.
. "$SRC/tests/cli/lib.sh"

flowers >flowers.csv
"$SCREE" fit -q flowers.csv -k 2 -o model.scree
echo '--- sample'
try sample model.scree -n 2000 --seed 7 -o draws.csv
head -1 draws.csv
wc -l <draws.csv
for how in '--threads 1' '--threads 2 --block-rows 7' '--threads 3 --block-rows 129'; do
    "$SCREE" sample model.scree -n 2000 --seed 7 $how | cmp - draws.csv
done
"$SCREE" sample model.scree -n 20 --seed 7 >few
head -21 draws.csv | cmp - few
"$SCREE" sample model.scree -n 20 --seed 8 | cmp -s - few && echo 'the seed does nothing'
"$SCREE" sample model.scree -n 20 --seed 7 -o draws.npy
"$SCREE" convert draws.npy 2>note | tail -n +2 >numbers
tail -n +2 few | cmp - numbers
echo '--- they are like the rows that were fitted'
"$SCREE" fit -q draws.csv -k 2 -o again.scree
for model in model again; do
    "$SCREE" info --json $model.scree | tr -d ' \t\n' | sed 's/.*"eigenvalues":\[\([^]]*\)\].*"mean":\[\([^]]*\)\].*/\1,\2\n/'
done | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) was[i] = $i } NR == 2 {
    for (i = 1; i <= NF; i++) if (($i - was[i]) ^ 2 > 0.02 * was[i] ^ 2) print i ": " was[i] " " $i }'
echo '--- without noise'
"$SCREE" sample model.scree -n 50 --noise 0 -o clean.csv
"$SCREE" reconstruct model.scree --data clean.csv 2>error >same.csv
awk '{ print ($4 < 1e-20 ? "they lie in the subspace" : "error " $4) }' error | head -1
echo '--- explore'
try explore model.scree flowers.csv --row 5 -n 3 --latent -o five.csv
cut -d, -f1-3 five.csv
head -1 five.csv
try explore model.scree flowers.csv -n 2 -q -o every.csv
cut -d, -f1-3 every.csv | sed -n '1p;2p;3p;20p;21p'
for how in '--threads 1 --block-rows 1' '--threads 3 --block-rows 7'; do
    "$SCREE" explore -q model.scree flowers.csv -n 2 $how | cmp - every.csv
done
cat flowers.csv | "$SCREE" explore -q model.scree - -n 2 | cmp - every.csv
echo '--- no noise: each draw is what the model keeps of the row'
"$SCREE" explore -q model.scree flowers.csv --noise 0 | cut -d, -f1,4- >drawn
"$SCREE" reconstruct -q model.scree --data flowers.csv >kept
paste -d, drawn kept | awk -F, 'NR > 1 { for (j = 2; j <= 5; j++) if (($j - $(j + 5)) ^ 2 > 1e-20) print NR ": " $j " " $(j + 5) }'
echo '--- without noise'
"$SCREE" explore model.scree flowers.csv --row 1 -n 2 --noise 0 >same
cut -d, -f4- same | uniq | wc -l
