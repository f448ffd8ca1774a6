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
echo '--- what was there stays'
echo precious >kept.npy
(ulimit -f 64 && "$SCREE" convert numbers.csv kept.npy) 2>message
cat kept.npy
rm message
left
