# SPDX-License-Identifier: BSD-3-Clause
# Two outputs appear together or not at all; one file by two names is refused; links are written through; what a killed
# run has left goes with the next.
. "$SRC/tests/cli/lib.sh"

flowers >flowers.csv
"$SCREE" fit -q flowers.csv -k 2 -o model.scree
sed '3s/,[^,]*$/,/' flowers.csv >gaps.csv

echo '--- one file by two names'
ln -s free.csv dangling.csv
mkdir folder
try impute model.scree gaps.csv -o s.csv --sd s.csv
try impute model.scree gaps.csv -o s.csv --sd ./s.csv
try impute model.scree gaps.csv -o folder/../s.csv --sd s.csv
try impute model.scree gaps.csv -o free.csv --sd dangling.csv
left
echo precious >s.csv
ln -s s.csv soft.csv
ln s.csv hard.csv
try impute model.scree gaps.csv -o s.csv --sd soft.csv
try impute model.scree gaps.csv -o s.csv --sd hard.csv
try impute model.scree gaps.csv -o soft.csv --sd folder/../hard.csv
"$SCREE" impute -q model.scree gaps.csv -o s.csv --sd - >>s.csv
echo "exit $?"
cat s.csv
rm s.csv soft.csv hard.csv

echo '--- the second cannot be written'
echo precious >s.csv
try impute model.scree gaps.csv -o s.csv --sd nowhere/sd.csv
try impute model.scree gaps.csv -o s.csv --sd /dev/full
try impute model.scree gaps.csv -o /dev/full --sd s.csv
cat s.csv
rm s.csv
left
echo '--- both'
try impute -q model.scree gaps.csv -o s.csv --sd sd.csv
left
rm s.csv sd.csv
"$SCREE" impute -q model.scree gaps.csv -o - --sd sd.csv | wc -l
"$SCREE" impute -q model.scree gaps.csv -o s.csv --sd /dev/stdout | wc -l
left
rm s.csv sd.csv

echo '--- nobody reads the second'
numbers 20000 5 >many.csv
"$SCREE" fit -q many.csv -k 2 -o five.scree
{
    "$SCREE" impute -q five.scree many.csv -o s.csv --sd -
    echo "exit $?" >code
} | head -1 >/dev/null
cat code
rm code many.csv five.scree
left

echo '--- links are written through'
try convert -q flowers.csv -o dangling.csv
head -1 free.csv
readlink dangling.csv
try project -q model.scree flowers.csv -o dangling.csv
head -1 free.csv
readlink dangling.csv
rm dangling.csv free.csv
ln -s round.csv trip.csv
ln -s trip.csv round.csv
try convert flowers.csv -o round.csv
rm round.csv trip.csv
left

echo '--- standard output is an input'
cp flowers.csv copy.csv
"$SCREE" convert copy.csv >>copy.csv
echo "exit $?"
"$SCREE" convert - <copy.csv >>copy.csv
echo "exit $?"
cmp copy.csv flowers.csv
try project -q model.scree - -o copy.csv <copy.csv
head -1 copy.csv
rm copy.csv

echo '--- nowhere to print to'
"$SCREE" fit flowers.csv -k 1 -o closed.scree >&-
echo "exit $?"
[ ! -e closed.scree ] || echo 'a model is there'
"$SCREE" fit flowers.csv -k 1 -o closed.scree 2>&- >/dev/null
echo "exit $?"
"$SCREE" info closed.scree 2>&1 | head -1
rm -f closed.scree

echo '--- what a killed run has left'
mkfifo rows
yes 1,2,3 >rows 2>/dev/null &
"$SCREE" convert rows -o out.csv >/dev/null 2>&1 &
work=$!
until [ -n "$(find . -name '.scree*' -size +0)" ]; do
    kill -0 $work || break
done
"$SCREE" convert -q flowers.csv -o other.csv # it lives
find . -name '.scree*' | wc -l
kill -KILL $work
wait $work 2>/dev/null
find . -name '.scree*' | wc -l
"$SCREE" convert -q flowers.csv -o folder/other.csv # another folder
find . -name '.scree*' | wc -l
"$SCREE" convert -q flowers.csv -o other.csv
rm rows other.csv folder/other.csv
rmdir folder
left
