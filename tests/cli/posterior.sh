# SPDX-License-Identifier: BSD-3-Clause
# Posteriors: means with labels, intervals, one JSON object; without noise they are codes over their standard deviations.
. "$SRC/tests/cli/lib.sh"

brief()
{
    awk -F, -v OFS=, '{ for (i = 1; i <= NF; i++) if ($i ~ /^-?[0-9.]+(e-?[0-9]+)?$/) $i = sprintf("%.5f", $i); print }'
}

flowers >flowers.csv
"$SCREE" fit -q flowers.csv -k 2 -o model.scree
try posterior model.scree flowers.csv -o means.csv
brief <means.csv
echo '--- intervals'
"$SCREE" posterior -q model.scree flowers.csv --interval 0.95 | brief | head -3
echo '--- for machines'
"$SCREE" posterior model.scree flowers.csv --json -q >whole.json
grep -v '^\[-\?[0-9.]*,-\?[0-9.]*\],\?$' whole.json | sed 's/\(logdet":.-[0-9]*\.[0-9][0-9][0-9][0-9]\).*/\1,/; s/\(\.[0-9][0-9][0-9][0-9]\)[0-9]*/\1/g'
grep -c '^\[-\?[0-9.]*,-\?[0-9.]*\],\?$' whole.json
"$SCREE" posterior -q model.scree flowers.csv --json --interval 0.5 | grep -e interval -e columns
"$SCREE" posterior -q model.scree flowers.csv --json -o again.csv >short.json
cmp means.csv again.csv
grep -q means short.json && echo "means are there twice"
if command -v python3 >python; then
    python3 -c 'import json; a, b = json.load(open("whole.json")), json.load(open("short.json"))
a.pop("means"); assert a == b, (a, b)'
fi
echo '--- the noise-free limit'
try posterior model.scree flowers.csv --noise 0 -o limit.csv
"$SCREE" project -q model.scree flowers.csv -o codes.csv
eigenvalues=$("$SCREE" info --json model.scree | tr -d ' \t\n' | sed 's/.*"eigenvalues":\[\([^]]*\)\].*/\1/')
paste -d, limit.csv codes.csv | awk -F, -v list="$eigenvalues" 'NR > 1 {
    split(list, lambda, ",")
    for (j = 1; j <= 2; j++) {
        difference = $(1 + j) - $(4 + j) / sqrt(lambda[j])
        if (difference > 1e-9 || difference < -1e-9) print "row " NR - 1 ": " difference
    } }'
