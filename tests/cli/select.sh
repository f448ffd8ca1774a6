# SPDX-License-Identifier: BSD-3-Clause
# scree select: tables, choices and one recommendation; the same from a pipe; from a model what it suffices for; and
# fit -k auto, which takes what is recommended.
. "$SRC/tests/cli/lib.sh"

# Two strong directions in eight columns of noise, 60 rows.
awk 'function noise() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 - 0.5 }
BEGIN {
    seed = 7
    for (i = 0; i < 60; i++) {
        a = 9 * noise(); b = 6 * noise()
        for (j = 0; j < 8; j++)
            printf "%.4f%s", a * (j % 3 - 1) + b * (j % 2) + noise(), j < 7 ? "," : "\n"
    }
}' >two.csv

try_report select two.csv
"$SCREE" select two.csv --quiet >one 2>notes
"$SCREE" select - --quiet <two.csv >other 2>notes
cmp one other
"$SCREE" select two.csv --threads 1 --quiet >other 2>notes
cmp one other

echo '--- JSON'
"$SCREE" select two.csv --json --max 3 --noise-sd 0.3 >json 2>notes
grep -c '"values":	\[' json
grep -E '"(recommended|most|n|d)":' json

echo '--- a model'
"$SCREE" fit two.csv -k auto -o two.scree 2>notes | sed -n '1s/,[^,]*$//p; 2p'
try_report select two.scree
cat two.csv | try fit - -k auto -o pipe.scree 2>&1

echo '--- the command that fit names reads the data as fit did'
again()
{
    "$SCREE" fit "$@" -k auto -o again.scree 2>notes | sed -n 's/.*; \(scree select .*\) explains it/\1/p' | tee again.txt
    eval "\"\$SCREE\" $(sed 's/^scree //' again.txt) --json" 2>notes | grep -E '"(n|d)"' || cat notes
}
{ echo 'a table'; awk -F, '{ print $1 ";" $2 ";" $3 ";" $4 ";" NR }' two.csv | tr . ,; } >'odd table.csv'
printf '2\n1\n3\n' >'my scales.csv'
again 'odd table.csv' --skip 1 --no-header --delimiter ';' --encoding latin1 --decimal , --na 'n m' --exclude 1 \
    --weights=5 --input-format csv --scale './my scales.csv'
again two.csv two.csv --columns 1-7 --scale unit

echo '--- gaps, and noise that is alike in neighbouring columns'
awk 'function noise() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 - 0.5 }
BEGIN {
    seed = 11
    for (i = 0; i < 150; i++) {
        a = 9 * noise(); e = 0
        for (j = 0; j < 16; j++) {
            e = 0.7 * e + noise()
            printf "%s%s", (i * 16 + j) % 17 == 5 ? "NA" : sprintf("%.4f", a * (j % 3 - 1) + e), j < 15 ? "," : "\n"
        }
    }
}' >alike.csv
"$SCREE" select alike.csv --quiet >answer 2>notes
sed -n '/^recommended/,$p' answer
cat alike.csv | try select - 2>&1

echo '--- wrong usage'
try select two.csv --folds 1
try select two.csv --noise-sd 0
try select two.csv --max 0
try select nothing.scree
