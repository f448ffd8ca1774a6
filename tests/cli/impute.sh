# SPDX-License-Identifier: BSD-3-Clause
# Rows with gaps: impute fills them and touches nothing else, every command that answers row by row takes them, and says
# what it did about them; the same bytes on any threads and blocks.
. "$SRC/tests/cli/lib.sh"

brief()
{
    awk -F, -v OFS=, '{ for (i = 1; i <= NF; i++) if ($i ~ /^-?[0-9]+\.[0-9]+(e-?[0-9]+)?$/) $i = sprintf("%.5f", $i); print }'
}

flowers >flowers.csv
cat >gaps.csv <<'END'
id,petal_width,sepal_length,notes,sepal_width,petal_length,species
1,0.20,5.1,7,3.5,1.4,setosa
2,,4.9,,NA,1.40,setosa
3,nan,,3,,,nobody
4,2.5,,1e2,3.3,6,virginica
END
"$SCREE" fit -q flowers.csv -k 2 -o model.scree
echo '--- impute'
try impute model.scree gaps.csv --id id --label species -o whole.csv --sd sd.csv
brief <whole.csv
brief <sd.csv
try impute -q model.scree flowers.csv -o same.csv
"$SCREE" convert -q flowers.csv copy.csv
cmp same.csv copy.csv
echo '--- draws'
try impute model.scree gaps.csv --id id --label species --draws 2 --seed 3 -o draws.csv
cut -d, -f1-6 draws.csv | brief
"$SCREE" impute -q model.scree gaps.csv --draws 2 --seed 4 --id id --label species | cmp -s - draws.csv && echo 'the seed does nothing'
echo '--- to a file of numbers and back'
"$SCREE" convert -q gaps.csv --columns petal_width,sepal_length,sepal_width,petal_length gaps.npy
"$SCREE" fit -q flowers.csv --columns petal_width,sepal_length,sepal_width,petal_length -k 2 -o turned.scree
"$SCREE" impute -q turned.scree gaps.npy -o whole.npy
"$SCREE" convert -q whole.npy | brief
echo '--- other questions'
for command in project posterior score 'explore --seed 1'; do
    try $command model.scree gaps.csv --id id --label species -o "${command%% *}.csv"
    brief <"${command%% *}.csv"
done
try explore model.scree gaps.csv --row 3 -n 2 --id id -o /dev/null
try reconstruct model.scree --data gaps.csv --id id -o /dev/null
"$SCREE" posterior -q model.scree gaps.csv --interval 0.95 | brief
"$SCREE" posterior -q model.scree gaps.csv --json -o means.csv
sed 's/^4,2.5/4,250/' gaps.csv | "$SCREE" score -q model.scree - --why 2 | cut -d, -f5- | tail -n 1 | brief
echo '--- without noise'
"$SCREE" impute -q model.scree gaps.csv --noise 0 | brief
echo '--- any threads and blocks'
numbers 500 12 | awk -F, -v OFS=, '{ for (i = 1; i <= NF; i++) if (NR > 60 && (NR * 31 + i * 17) % 5 == 0) $i = ""; print }' >many.csv
head -60 many.csv | "$SCREE" fit -q - -k 3 -o many.scree
for command in impute 'impute --draws 3' project 'posterior --interval 0.9' 'score --why 2' 'explore -n 2'; do
    "$SCREE" $command -q many.scree many.csv --threads 1 >one
    "$SCREE" $command -q many.scree many.csv --threads 3 --block-rows 7 | cmp - one
    "$SCREE" $command -q many.scree many.csv --threads 2 --block-rows 129 | cmp - one
    "$SCREE" $command -q many.scree - <many.csv | cmp - one
done
echo '--- what cannot be'
try impute model.scree gaps.csv -o out.csv --sd out.csv
try impute model.scree gaps.csv --sd -
try impute model.scree gaps.csv -o gaps.csv
try impute model.scree flowers.csv -o out.csv --sd flowers.csv
sed 's/,3.3,/,inf,/' gaps.csv >far.csv
try impute model.scree far.csv -o out.csv
cut -d, -f1-4 gaps.csv >narrow.csv
try impute model.scree narrow.csv -o out.csv
left
