# SPDX-License-Identifier: BSD-3-Clause
# Whether new rows have drifted: what is printed, the exit codes, and what is refused.
. "$SRC/tests/cli/lib.sh"

brief()
{
    sed -E 's/([0-9]\.[0-9]{3})[0-9]*/\1/g'
}

# Six columns with two directions, and one that never varies, from a generator that is the same everywhere.
rows()
{
    awk -v count="$1" -v seed="$2" 'function uniform() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
        function normal(  i, sum) { sum = -6; for (i = 0; i < 12; i++) sum += uniform(); return sum }
        BEGIN { print "a,b,c,d,e,f,same,kind"
            for (i = 0; i < count; i++) { x = 3 * normal(); y = 2 * normal()
                printf "%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,7,k%d\n", x + normal(), x + y + normal(), x - y + normal(), y + normal(), \
                    normal(), normal() + 5, i % 2 } }'
}

rows 2000 11 >fitted.csv
rows 1000 22 >new.csv
"$SCREE" fit -q fitted.csv -k 2 -o model.scree
try drift -q model.scree new.csv | brief
echo '--- a sensor moves, is louder, turns'
awk -F, -v OFS=, 'NR > 1 { $5 += 0.4 } { print }' new.csv >moved.csv
awk -F, -v OFS=, 'NR > 1 { $5 *= 1.5 } { print }' new.csv >louder.csv
awk -F, -v OFS=, 'NR > 1 { $5 += 0.2 * $1 } { print }' new.csv >turned.csv
for file in moved louder turned; do
    "$SCREE" drift -q model.scree $file.csv --alarm >$file.txt
    echo "exit $?"
    sed -n '/drifted/p; /^what/,$p' $file.txt | sed -E 's/p = [^ ]*/p/; s/ [^ ]*$//' | brief | head -n 3
done
awk -F, -v OFS=, 'NR == 30 { $7 = 8 } { print }' new.csv >varies.csv
try drift -q model.scree varies.csv --why 1 --against model | sed -n '/drifted/,$p' | brief
"$SCREE" drift -q model.scree varies.csv --json | grep -A 1 drifted | head -n 1
echo '--- options'
try drift -q model.scree moved.csv --json --level 0.01 | brief | tr -d '\t\n ' | cut -c 1-200
echo
"$SCREE" drift -q model.scree moved.csv --why 1 | tail -n 2 | brief
"$SCREE" drift -q model.scree new.csv --json >one.json
"$SCREE" drift -q model.scree - --json --threads 3 --block-rows 17 <new.csv >other.json
cmp one.json other.json && echo 'the same in other blocks'
"$SCREE" drift -q model.scree new.csv --against model | head -n 1
"$SCREE" drift -q -k 1 model.scree new.csv | sed -n '/angle/p' | brief
"$SCREE" fit -q fitted.csv -k 1 --latent 0 -o none.scree
try drift -q none.scree new.csv | brief | grep -v distance
"$SCREE" fit -q fitted.csv -k 6 --exclude same -o all.scree
"$SCREE" drift -q all.scree moved.csv | brief | tail -n 4
"$SCREE" fit -q fitted.csv -k 2 --center none -o origin.scree
"$SCREE" drift -q origin.scree moved.csv | grep 'no p-value'
echo '--- beside the rows that were fitted'
for file in new moved louder turned; do
    "$SCREE" drift -q model.scree $file.csv --fitted fitted.csv --alarm >$file.txt
    echo "exit $?"
    sed -n '1p; /drifted/p; /no drift/p; / drift$/p' $file.txt | brief
done
"$SCREE" drift -q model.scree new.csv --fitted fitted.csv --json >one.json
"$SCREE" drift -q model.scree new.csv --fitted fitted.csv --json --threads 3 --block-rows 17 >other.json
cmp one.json other.json && echo 'the same in other blocks'
awk -F, -v OFS=, 'NR > 1 && NR % 50 == 0 { for (i = 1; i < 7; i++) $i *= 8 } { print }' new.csv >heavy.csv
awk -F, -v OFS=, 'NR > 1 && NR % 50 == 0 { for (i = 1; i < 7; i++) $i *= 8 } { print }' fitted.csv >heavier.csv
"$SCREE" fit -q heavier.csv -k 2 -o heavy.scree
"$SCREE" drift heavy.scree heavy.csv 2>&1 >/dev/null | grep fitted
"$SCREE" drift model.scree new.csv 2>&1 >/dev/null | grep fitted
try drift -q heavy.scree heavy.csv --fitted heavier.csv | tail -n 2 | brief
echo '--- rows with gaps, and too few'
sed '3s/^[^,]*//; 9s/,7,/,,/' new.csv >gaps.csv
"$SCREE" drift model.scree gaps.csv 2>&1 >gaps.txt | head -n 1
head -n 1 gaps.txt
head -n 4 new.csv >three.csv
try drift model.scree three.csv --alarm
head -n 5 fitted.csv >four.csv
"$SCREE" fit -q four.csv -k 2 -o four.scree
try drift four.scree new.csv
try drift model.scree new.csv --fitted three.csv
try drift model.scree new.csv --fitted fitted.csv --level 1e-6
echo '--- what it refuses'
"$SCREE" rotate -q model.scree -k 2 -o rotated.scree
try drift rotated.scree new.csv
"$SCREE" autoencode -q new.csv --code 1 --linear --epochs 2 -o net.scree
try drift net.scree new.csv
try drift model.scree new.csv --against nothing
try drift model.scree new.csv --json --why 2
try drift model.scree new.csv --fitted fitted.csv --against model
try drift model.scree new.csv --fitted nothing.csv
try drift model.scree
try drift model.scree one.json
