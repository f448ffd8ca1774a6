# SPDX-License-Identifier: BSD-3-Clause
# A memory limit that is too small says how much would do, and that much does; a pipe cannot be read twice.
. "$SRC/tests/cli/lib.sh"

numbers 300 200 >numbers.csv
numbers 50 200 >wide.csv

# solver data: the fit fails with 4 kB, says how much it needs, and succeeds with that.
limit()
{
    "$SCREE" fit "$2" -k 5 --solver "$1" --memory 4K -o model.scree 2>message
    echo "$1: exit $?"
    sed -E 's/[0-9.]+ [KMG]i?B/# MB/g' message
    left
    enough=$(sed -nE 's/.* needs ([0-9.]+) ([KMG])i?B.*/\1\2/p' message)
    "$SCREE" fit -q "$2" -k 5 --solver "$1" --memory "$enough" -o model.scree
    echo "with what it needs: exit $?"
    rm -f model.scree message
}

echo '--- memory'
limit covariance numbers.csv
limit svd numbers.csv
limit lanczos numbers.csv
limit gram wide.csv
left
echo '--- pipe'
cat numbers.csv | try fit - -k 5 --solver lanczos -o model.scree
left
echo '--- one pass is no trouble'
cat numbers.csv | try fit -q - -k 5 --solver covariance -o model.scree
cat numbers.csv | try fit -q - -k 5 -o model.scree
left
