# SPDX-License-Identifier: BSD-3-Clause
# fit with missing values: em by itself, by maximum likelihood and by Bayes; what info says; what a pipe can do.
. "$SRC/tests/cli/lib.sh"

# Two strong directions in eight columns of noise, 200 rows; every seventh cell missing, in three spellings; row 9 empty.
awk 'function noise() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 - 0.5 }
BEGIN {
    seed = 7
    print "a,b,c,d,e,f,g,h"
    for (i = 1; i <= 200; i++) {
        x = 9 * noise(); y = 6 * noise()
        for (j = 0; j < 8; j++) {
            cell = sprintf("%.4f", x * (j % 3 - 1) + y * (j % 2) + noise())
            if ((i * 8 + j * 3) % 7 == 0 || i == 9)
                cell = i % 3 == 0 ? "" : i % 3 == 1 ? "NA" : "nan"
            printf "%s%s", cell, j < 7 ? "," : "\n"
        }
    }
}' >gaps.csv

# Digits that rounding may change are cut.
short() { sed -E 's/([0-9]\.[0-9]{3})[0-9]+/\1/g; s/[0-9.]+e-[0-9]+/SMALL/g; s/[0-9]+ iterations/N iterations/'; }

"$SCREE" fit gaps.csv -k 2 -o two.scree 2>notes | sed -n '2,4p' | short
"$SCREE" fit gaps.csv -k 4 --em vb -o vb.scree 2>notes | sed -n '2,4p' | short
"$SCREE" fit gaps.csv -k auto -o auto.scree 2>notes | sed -n '1s/,[^,]*$//p; 2,4p' | short
"$SCREE" info two.scree | grep -E 'rows|method|observed|iterations|nothing' | short
"$SCREE" info --json two.scree | grep -E '"(observed|empty_rows|em|stopped|converged|tolerance)"'
"$SCREE" info -k 1 two.scree | tail -n 1 | short

echo '--- a pipe'
cat gaps.csv | try fit - -k 2 -o pipe.scree
cat gaps.csv | "$SCREE" fit - -k 2 --solver em -o pipe.scree 2>notes | sed -n '1s/,[^,]*$//p; 2,3p' | short

echo '--- refused'
try fit gaps.csv -k 0.9 -o no.scree
try fit gaps.csv -k 8 -o no.scree
try fit gaps.csv -k 2 --em map -o no.scree
try fit gaps.csv -k 2 --em ml --bayes -o no.scree
left
echo '--- a cell or two, and as many components as were asked for'
printf 'a,b,c,d\n' >few.csv
awk 'BEGIN { for (i = 0; i < 16; i++) printf "%.3f,%.3f,%.3f,%s\n", sin(i) * 3, sin(i + 1) * 3, cos(2 * i), i == 5 ? "" : sin(3 * i + 2) }' >>few.csv
"$SCREE" fit -k 3 few.csv -o few.scree 2>/dev/null | head -3 | tail -1 | cut -d, -f1
awk -F, -v OFS=, 'NR % 4 == 2 { $(1 + NR % 3) = "" } { print }' few.csv >more.csv
"$SCREE" fit -k 3 more.csv -o more.scree 2>&1 >/dev/null | grep asked
