# SPDX-License-Identifier: BSD-3-Clause
# States: made of parts, merged in any order, updated, fitted; what does not belong together, is damaged or is no state
# is refused, and an old file stays as it was.
. "$SRC/tests/cli/lib.sh"

flowers >all.csv
(head -n 1 all.csv && sed -n 2,5p all.csv) >a.csv
(head -n 1 all.csv && sed -n 6p all.csv) >b.csv
(head -n 1 all.csv && sed -n '7,$p' all.csv) >c.csv

echo '# parts'
for part in a b c; do
    "$SCREE" fit -q $part.csv --state $part.state
done
try fit b.csv --state b.state
try merge c.state a.state b.state -o all.state
try info all.state --json | grep -v -E '"(mean|variances)"'
"$SCREE" fit -q all.csv -k 4 -o once.scree
"$SCREE" fit -q all.state -k 4 -o merged.scree
for model in once merged; do
    "$SCREE" info $model.scree --json | grep -E '"eigenvalues"' | nine_decimals
done
try_report fit a.state b.state c.state -k 2 -o three.scree
try_report merge a.state b.state c.state -k auto -o three.scree

echo '# update'
cp a.state more.state
try update more.state b.csv c.csv
"$SCREE" update -q a.state b.csv c.csv -o new.state
cmp more.state new.state && echo same
try update more.state a.csv --forget 5 -o faded.state
cat c.csv | "$SCREE" update -q - b.csv -o wrong.state
"$SCREE" update -q b.state - -o piped.state <c.csv
"$SCREE" info - <c.state
"$SCREE" info piped.state | head -n 1

echo '# methods'
try fit all.csv --state svd.state --state-method svd -q
try_report fit svd.state -k 1 -o svd.scree
try fit all.csv --state low.state --state-method low-rank --rank 1
try merge all.state svd.state -o no.state
try fit all.csv --state low.state --state-method low-rank --rank 3

echo '# what does not belong'
printf 'sepal_length,sepal_width,petal_length,width\n1,2,3,4\n' >names.csv
printf 'a,b\n1,2\n3,4\n' >narrow.csv
printf 'sepal_length,sepal_width,petal_length,petal_width\n1,2,3,4\n1,,3,4\n' >gaps.csv
cp all.state before.state
try update all.state names.csv
try update all.state narrow.csv
printf 'sepal_width,sepal_length,petal_length,petal_width\n1,2,3,4\n' >turned.csv
printf 'id,sepal_length,sepal_width,petal_length,petal_width\n7,1,2,3,4\n' >wider.csv
printf 'sepal_length,petal_length,petal_width\n1,2,3\n' >lacking.csv
printf '1,2,3\n' >nameless.csv
for rows in turned wider lacking nameless; do
    try update all.state $rows.csv
done
try update all.state wider.csv --exclude id -o new.state -q
try update all.state a.state
try update all.state gaps.csv
cmp all.state before.state && echo 'as it was'
"$SCREE" fit -q narrow.csv --state narrow.state
try merge all.state narrow.state -o no.state
try fit gaps.csv --state no.state
try fit b.state -k 1 -o no.scree
try fit all.state once.scree -o no.scree
try fit all.state all.csv -o no.scree
try fit all.csv all.state -o no.scree
try project all.state all.csv
try merge once.scree -o no.state
try merge all.csv -o no.state
try merge nothing.state -o no.state
try merge all.state
try merge all.state -o all.state
try fit all.csv --state all.csv
try fit all.csv
try fit all.csv --state no.state -k 2
try fit all.state --state no.state -o no.scree
try fit all.csv -o no.scree --forget 3
try update all.state all.csv --forget 0.5

echo '# damaged'
head -c 500 all.state >cut.state
try info cut.state
sed 's/"rows":"1/"rows":"9/' all.state >rows.state
try info rows.state 2>&1 | sed -E "s/checksum is .* was written/checksum is wrong/"
left
