# SPDX-License-Identifier: BSD-3-Clause
# The imputer that comes with a fit of missing values: what fit and info say of it; that impute uses it, with the same
# bytes for any threads and blocks, and leaves observed cells alone; and what there is without one.
. "$SRC/tests/cli/lib.sh"

cat "$SRC/examples/iris.csv" | awk -F, -v OFS=, 'NR > 1 && NR % 3 == 0 { $(NR * 7 % 4 + 1) = "" } 1' >gaps.csv

# Digits that rounding may change are cut.
short() { sed -E 's/[0-9]+\.[0-9]+/X/g'; }

echo '--- fit and info'
"$SCREE" fit gaps.csv -k 2 -o with.scree 2>notes | grep imputer | short
"$SCREE" info with.scree | grep imputer | short
"$SCREE" info --json with.scree | grep -A 1 '"imputer"' | short
"$SCREE" fit gaps.csv -k 2 --no-imputer -o without.scree 2>notes | grep imputer
"$SCREE" info without.scree | grep imputer
"$SCREE" fit gaps.csv -k 2 --online -o online.scree 2>notes | grep imputer
cp "$SRC/examples/iris.csv" flowers.csv
"$SCREE" fit flowers.csv -k 2 -o complete.scree 2>notes | grep imputer

echo '--- impute'
try impute with.scree gaps.csv --label species -o filled.csv --sd sd.csv
"$SCREE" impute -q without.scree gaps.csv --label species -o other.csv --sd other_sd.csv
cmp -s filled.csv other.csv && echo 'the imputer does nothing'
cmp -s sd.csv other_sd.csv && echo 'the imputer does nothing to deviations'
for threads in 2 4; do
    "$SCREE" fit -q gaps.csv -k 2 --threads $threads -o again.scree
    cmp with.scree again.scree
    "$SCREE" impute -q again.scree gaps.csv --label species --threads $threads | cmp - filled.csv
    "$SCREE" impute -q with.scree gaps.csv --label species --draws 3 --threads $threads -o draws$threads.csv
done
cmp draws2.csv draws4.csv
echo '--- observed cells that were changed, cells that are far from what they were'
cp "$SRC/examples/iris.csv" flowers.csv
"$SCREE" convert -q flowers.csv whole.csv --label species
"$SCREE" convert -q gaps.csv empty.csv --label species
paste -d, whole.csv empty.csv filled.csv sd.csv | awk -F, 'NR > 1 {
    for (j = 2; j <= 5; j++) {
        if ($(j + 15) == 0 && $j != $(j + 10)) changed++
        if ($(j + 15) > 0) { gaps++; off = $j - $(j + 10); far += off * off > 9 * $(j + 15) ^ 2 }
    }
} END { print changed + 0, "of the observed;", (far <= 3 ? "few" : far), "of", gaps }'

echo '--- columns of few values'
awk -F, -v OFS=, 'NR > 2 { $2 = "" } 1' "$SRC/examples/iris.csv" >one.csv
awk -F, -v OFS=, 'NR > 3 { $2 = "" } 1' "$SRC/examples/iris.csv" >two.csv
for table in one two; do
    "$SCREE" fit -q $table.csv -k 2 -o $table.scree
    try impute $table.scree $table.csv --draws 2 -o draws.csv --sd sd.csv
    echo "unknown: $(grep -c nan draws.csv) of the draws, $(grep -c nan sd.csv) of the deviations"
done
# Two values that are 0.5 apart say little of the others: 3.5 and 3.0.
awk -F, 'NR > 3 && !($3 > 0.5 && $3 < 10) { n++ } END { print n + 0, "deviations are not as wide as two values ask for" }' sd.csv
echo '--- a column of which two values were seen, and these are equal'
awk 'BEGIN { print "a,b,c"; for (i = 1; i <= 40; i++) printf "%.3f,%.3f,%s\n", sin(i), cos(1.7 * i), i == 5 || i == 9 ? "2.5" : "" }' >equal.csv
"$SCREE" fit -q equal.csv -o equal.scree
"$SCREE" impute equal.scree equal.csv --sd equal_sd.csv -o equal_filled.csv 2>&1 | grep 'single value'
sed -n 2p equal_sd.csv | cut -d, -f3
