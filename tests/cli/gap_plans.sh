# SPDX-License-Identifier: BSD-3-Clause
# What plan and fit say around gaps: what em would take, options that contradict each other, memory that suffices, noise.
. "$SRC/tests/cli/lib.sh"

# rows columns strength every: strength times one direction and noise; every so many-th cell missing, 0: none.
made()
{
    awk -v n="$1" -v d="$2" -v s="$3" -v e="$4" '
    function noise() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 - 0.5 }
    BEGIN {
        seed = 11
        for (i = 1; i <= n; i++) {
            x = s * noise()
            for (j = 1; j <= d; j++)
                printf "%s%s", e && (i * d + j * 3) % e == 0 ? "nan" : sprintf("%.4f", x * (j % 3 - 1) + noise()),
                    j < d ? "," : "\n"
        }
    }'
}
made 200 8 9 13 >gaps.csv
made 200 8 9 0 >whole.csv
made 300 6 0 13 >noise.csv
made 50 1 1 0 >one.csv

echo '--- what em would take'
"$SCREE" plan -q gaps.csv -k 2 | grep 'if values are missing' | sed -E 's/[0-9.]+ (µs|ms|s)/# s/; s/[0-9.]+ [KM]iB/# MiB/'
"$SCREE" plan -q gaps.csv -k 0.9 | grep '^em'
"$SCREE" plan -q whole.csv -k 2 --bayes --em vb | grep -E '^[*]|^em' | sed -E 's/^([*] *[a-z]*).*/\1/'
[ "$("$SCREE" plan -q whole.csv -k 2 --json | sed -n 's/.*"bytes":[^0-9]*\([0-9]*\).*/\1/p' | head -1)" -gt \
    $(($(wc -c <whole.csv) / 2)) ] || echo 'what is read is not the text'
"$SCREE" plan -q whole.csv -k 2 | grep -c '0\.0×'

echo '--- options that contradict each other'
try fit -q whole.csv -k 2 --bayes --solver svd -o no.scree
try fit whole.csv -k 2 --em vb -o whole.scree 2>&1 >report | grep missing
grep -E '^(exit|.*missing)' report

echo '--- complete rows are needed'
try fit -q gaps.csv -k 2 --solver covariance -o no.scree

echo '--- select takes gaps'
"$SCREE" select -q gaps.csv | sed -n "/^recommended/,\$p"

echo '--- why em, and what its bounds are'
"$SCREE" fit -q gaps.csv -k 2 --json -o two.scree | grep -E '"(reason|bounds)"'
"$SCREE" info two.scree | grep -E '^(method|bounds)'
"$SCREE" info two.scree | grep -c log-likelihood
"$SCREE" info --json whole.scree | grep '"bounds"'
"$SCREE" fit one.csv -k 1 -o one.scree 2>notes | sed -n '1s/, 1 pass.*//p'

echo '--- the memory that the sentence names is enough'
for data in gaps.csv whole.csv; do
    limit=100K
    for round in 1 2 3; do
        "$SCREE" fit -q $data -k 2 --threads 1 --memory $limit -o small.scree 2>notes && break
        limit=$(sed -nE 's/.*needs ([0-9.]+) ([KMG])iB.*/\1\2/p' notes)
    done
    [ -e small.scree ] && echo "$data fits after at most two sentences"
    rm -f small.scree
done

echo '--- noise'
try fit -q noise.csv -k auto -o no.scree
printf 'a,b,c\n1,2,3\n4,,6\n7,8,10\n1,5,2\n,,\n' >five.csv
"$SCREE" fit -q five.csv -k 1 --json -o five.scree | grep -E '"(em|bayes|method)"' | tr -d ' '
rm five.scree
try fit -q noise.csv -k 3 --em vb -o no.scree
try fit -q noise.csv -k 3 --bayes -o no.scree
left
