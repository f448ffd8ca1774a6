# SPDX-License-Identifier: BSD-3-Clause
# fit --online: a pipe with gaps in one pass, with its error; few rows; what is refused.
. "$SRC/tests/cli/lib.sh"

# Two directions in six columns of noise; every fifth cell missing.
rows()
{
    awk -v n="$1" 'function noise() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 - 0.5 }
    BEGIN {
        seed = 11
        print "a,b,c,d,e,f"
        for (i = 1; i <= n; i++) {
            x = 9 * noise(); y = 6 * noise()
            for (j = 0; j < 6; j++) {
                cell = sprintf("%.3f", x * (j % 3 - 1) + y * (j % 2) + noise())
                printf "%s%s", noise() < -0.3 ? "" : cell, j < 5 ? "," : "\n"
            }
        }
    }'
}

short() { sed -E 's/([0-9]\.[0-9])[0-9]+/\1/g; s/[0-9.]+ in angle, [0-9.]+ %/# in angle, # %/'; }

rows 12000 | "$SCREE" fit - -k 2 --online -o online.scree 2>notes | sed -n '1s/,[^,]*$//p; 2,5p' | short
"$SCREE" info --json online.scree | grep -oE '"(online_angle|online_noise|stopped)"'
rows 300 | "$SCREE" fit - -k 2 --online -o few.scree 2>notes | sed -n '1s/,[^,]*$//p; 2,4p' | short

# Less memory than a covariance of 500 columns takes.
numbers 3000 500 | "$SCREE" fit - -k 2 --online --threads 2 --memory 200M -o wide.scree 2>notes | sed -n "1s/,[^,]*$//p"
cat notes

echo '--- refused'
rows 300 | try fit - -k 0.9 --online -o no.scree
rows 300 | try fit - -k auto --online -o no.scree
rows 300 | try fit - -k 2 --online --em vb -o no.scree
left
