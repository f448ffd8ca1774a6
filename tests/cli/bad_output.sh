# SPDX-License-Identifier: BSD-3-Clause
# Places that cannot be written: no partial file appears, and what was there before stays.
. "$SRC/tests/cli/lib.sh"

flowers >flowers.csv
numbers 3000 40 >numbers.csv
"$SCREE" fit -q flowers.csv -k 2 -o model.scree

echo '--- no such folder'
try fit flowers.csv -o nowhere/model.scree
try project model.scree flowers.csv -o nowhere/codes.csv
echo '--- a file as folder'
try fit flowers.csv -o flowers.csv/model.scree
echo '--- a folder as file'
mkdir folder
try fit flowers.csv -o folder
rmdir folder
left
echo '--- full disk'
(ulimit -f 64 && try convert numbers.csv big.csv)
(ulimit -f 64 && try convert numbers.csv big.npy)
(ulimit -f 0 && try fit flowers.csv -o other.scree) 2>&1 | cat
left
echo '--- full disk on standard output'
{
    "$SCREE" info model.scree >/dev/full
    echo "exit $?"
    "$SCREE" convert numbers.csv >/dev/full
    echo "exit $?"
    "$SCREE" fit flowers.csv -q -o - >/dev/full
    echo "exit $?"
    "$SCREE" help >/dev/full
    echo "exit $?"
    try fit flowers.csv -q -o /dev/full
} 2>&1
echo '--- the output is an input'
ln -s flowers.csv link.csv
cp flowers.csv before.csv
cp model.scree before.scree
try fit flowers.csv -o flowers.csv
try fit flowers.csv -o link.csv
try convert flowers.csv flowers.csv
try convert flowers.csv -o ./flowers.csv
try project model.scree flowers.csv -o model.scree
try posterior model.scree flowers.csv -o flowers.csv
try score model.scree numbers.csv --calibrate flowers.csv -o flowers.csv
try reconstruct model.scree --data flowers.csv -o flowers.csv
try explore model.scree flowers.csv -o flowers.csv
try sample model.scree -o model.scree
echo '--- a pattern that stands for two files'
cp numbers.csv part-0.csv
cp flowers.csv part-1.csv
try convert part-*.csv
try convert part-0.csv part-1.csv --columns 1-2
cmp part-1.csv flowers.csv
try convert -q part-1.csv -o part-0.csv
head -1 part-0.csv
try convert -q part-1.csv /dev/null
rm part-0.csv part-1.csv
cmp flowers.csv before.csv && cmp model.scree before.scree
rm link.csv before.csv before.scree
echo '--- a format that is not written'
try convert flowers.csv flowers.parquet
try project model.scree flowers.csv -o codes.xlsx
try project -q model.scree flowers.csv -o codes.xlsx --format tsv
try project -q model.scree flowers.csv -o codes
try project -q model.scree flowers.csv -o .codes
head -2 codes.xlsx codes .codes | nine_decimals
rm codes.xlsx codes .codes
left
echo '--- what was there stays'
echo precious >kept.npy
(ulimit -f 64 && "$SCREE" convert numbers.csv -o kept.npy) 2>message
cat kept.npy
rm message
left
