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
echo '--- memory of answers'
"$SCREE" fit -q numbers.csv -k 5 -o model.scree
"$SCREE" project -q model.scree numbers.csv -o codes.csv
for command in 'project model.scree' 'score model.scree' convert; do
    "$SCREE" $command numbers.csv --threads 2 --memory 64K -o out.csv 2>message
    echo "$command: exit $?"
    sed -E 's/[0-9.]+ MiB/# MB/g' message
    enough=$(sed -nE 's/.* needs at least ([0-9.]+) MiB.*/\1M/p' message)
    "$SCREE" $command -q numbers.csv --threads 2 --memory "$enough" -o out.csv
    echo "with what it needs: exit $?"
done
"$SCREE" project -q model.scree numbers.csv --threads 2 --memory "$enough" | cmp - codes.csv
rm -f model.scree codes.csv out.csv message
left
echo '--- pipe'
cat numbers.csv | try fit - -k 5 --solver lanczos -o model.scree
left
echo '--- one pass is no trouble'
cat numbers.csv | try fit -q - -k 5 --solver covariance -o model.scree
cat numbers.csv | try fit -q - -k 5 -o model.scree
left
