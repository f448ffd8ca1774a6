# SPDX-License-Identifier: BSD-3-Clause
# Weights of rows: whole ones are rows repeated, by every method; parts of rows; what is no weight is refused.
. "$SRC/tests/cli/lib.sh"

# A count for each flower, in the middle of the table.
flowers | awk -F, -v OFS=, '{ print $1, $2, NR == 1 ? "count" : NR % 4, $3, $4, $5 }' >counted.csv
awk -F, -v OFS=, '{ for (i = NR == 1 ? 1 : $3; i > 0; i--) print $1, $2, $4, $5, $6 }' counted.csv >repeated.csv

try_report fit counted.csv --weights count -k 2 -o counted.scree
"$SCREE" fit repeated.csv -k 2 -q -o repeated.scree
echo '--- what differs from the rows repeated'
"$SCREE" info counted.scree | sed -E 's/[0-9.]+e-[0-9]+/SMALL/g' >one
"$SCREE" info repeated.scree | sed -E 's/[0-9.]+e-[0-9]+/SMALL/g' >two
diff one two
"$SCREE" info --json counted.scree | grep -E '"(n|weight|divisor|ddof)"'

echo '--- every method, number and format'
short() { sed -nE 's/^[[:space:]]*"(noise_variance|log_likelihood)":[[:space:]]*(-?[0-9]+\.[0-9]{8}).*/\1 \2/p'; }
"$SCREE" info --json repeated.scree | short
for solver in covariance svd em; do
    "$SCREE" fit counted.csv --weights 3 -k 2 --solver $solver -q -o other.scree
    "$SCREE" info --json other.scree | short
done
"$SCREE" convert counted.csv -q -o counted.npy
"$SCREE" fit counted.npy --weights 3 -k 2 -q -o other.scree
"$SCREE" info --json other.scree | short
cat counted.csv | "$SCREE" fit - --weights count -k 2 -q -o other.scree
cmp counted.scree other.scree
"$SCREE" fit counted.csv --weights count -k 2 -q --threads 4 --block-rows 3 -o other.scree
cmp counted.scree other.scree

echo '--- a row of weight 0 may be anything'
awk -F, -v OFS=, '$3 == 0 { $1 = "inf"; $2 = "" } { print }' counted.csv >broken.csv
"$SCREE" fit broken.csv --weights count -k 2 -q -o other.scree
cmp counted.scree other.scree

echo '--- parts, plans, selection'
awk -F, -v OFS=, 'NR > 1 { $3 /= 8 } { print }' counted.csv >parts.csv
"$SCREE" fit parts.csv --weights count -k 2 -q --json -o parts.scree | grep -E '"(n|weight|divisor)"'
"$SCREE" plan counted.csv --weights count -k 2 --threads 2 -q --json | grep -c '"chosen":.*true'
"$SCREE" select counted.csv --weights count -q | head -n 1
"$SCREE" fit counted.csv --weights count -k auto -q -o other.scree
"$SCREE" project counted.scree counted.csv -q | head -n 2 | sed -E 's/([0-9]\.[0-9]{6})[0-9]+/\1/g'

echo '--- an error that weighs nothing says so'
"$SCREE" reconstruct counted.scree --data counted.csv -o back.csv 2>&1 | grep -c 'fitted with weights'
"$SCREE" reconstruct repeated.scree --data repeated.csv -o back.csv 2>&1 | grep -c 'fitted with weights'
echo '--- refused'
edit() { awk -F, -v OFS=, -v value="$1" 'NR == 5 { $3 = value } { print }' counted.csv >bad.csv; }
edit -1
try fit bad.csv --weights count -k 2 -o no.scree
edit ''
try fit bad.csv --weights count -k 2 -o no.scree
edit inf
try fit bad.csv --weights count -k 2 -o no.scree
edit 18014398509481985
try fit bad.csv --weights count -k 2 -o no.scree
edit 1e308
try fit bad.csv --weights count -k 2 -o no.scree
awk -F, -v OFS=, 'NR > 1 { $3 = 0 } { print }' counted.csv >zero.csv
try fit zero.csv --weights count -k 2 -o no.scree
try fit counted.csv --weights species -k 2 -o no.scree
try fit counted.csv --weights coutn -k 2 -o no.scree
try fit counted.csv --weights count --id count -k 2 -o no.scree
try fit counted.csv --weights count --columns count -k 2 -o no.scree
try fit counted.csv --weights count --online -k 2 -o no.scree
try fit parts.csv --weights count --columns 1-2 --ddof 1 -k 1 -o ok.scree -q
try project counted.scree counted.csv --weights count
left
