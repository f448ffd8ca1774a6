# SPDX-License-Identifier: BSD-3-Clause
# Sampling error of components: in the tables, in JSON, of noise, of scaled columns; by bootstrap, planned, the same
# bits, refused.
. "$SRC/tests/cli/lib.sh"

cp "$SRC/examples/iris.csv" flowers.csv
"$SCREE" fit flowers.csv -k all -o flowers.scree 2>/dev/null | sed -n '/^M/,$p' | sed -E 's/[0-9.]+e-[0-9]+/SMALL/g'
"$SCREE" info --json flowers.scree | sed -n '/"sampling"/,/}/p' | sed -E 's/([0-9]\.[0-9]{4})[0-9]+/\1/g'

echo '--- noise has no interval'
awk 'BEGIN { srand(1); for (i = 0; i < 60; i++) { for (j = 0; j < 8; j++) printf "%s%.4f", j ? "," : "", rand(); print "" } }' >noise.csv
"$SCREE" fit noise.csv -k 3 -o noise.scree 2>/dev/null | grep -c 'noise  *–'
"$SCREE" info noise.scree | grep -c '^M'
"$SCREE" info noise.scree | grep 'told from noise'

echo '--- two tables, of 80 columns'
"$SCREE" info flowers.scree | sed -n '/^M  pop/,/^$/p'
awk 'BEGIN { srand(2); for (i = 0; i < 400; i++) { z = rand() - rand(); for (j = 0; j < 110; j++) printf "%s%.4e", j ? "," : "", (z * (j + 1) + rand() - rand()) * 1.2345678e-13; print "" } }' >wide.csv
"$SCREE" fit wide.csv -k all --bootstrap 40 -q -o wide.scree
"$SCREE" info wide.scree | sed -n '/^M/,/^$/p' | wc -L | awk '{ print $1 <= 80 ? "fits" : "too wide: " $1 }'
"$SCREE" fit wide.csv -k all -o wide.scree 2>/dev/null | sed -n '/^M/,/^$/p' | wc -L | awk '{ print $1 <= 80 ? "fits" : "too wide: " $1 }'

echo '--- scaled columns'
"$SCREE" fit flowers.csv -k all --scale unit -q -o scaled.scree
"$SCREE" info scaled.scree | sed -n '/^M  pop/,/^$/p'
"$SCREE" fit flowers.csv -k all --scale unit --bootstrap 400 -q -o scaled.scree
"$SCREE" info scaled.scree | sed -n '/^M  pop/,/^$/p'

echo '--- bootstrap'
"$SCREE" fit flowers.csv -k 2 --bootstrap 200 -o one.scree 2>/dev/null | sed -n '/^M/,$p' | sed -E 's/[0-9.]+e-[0-9]+/SMALL/g'
"$SCREE" info --json one.scree | tr -d '\t' | grep -E '"(replicates|signals_low|signals_high)"'
cat flowers.csv | "$SCREE" fit - -k 2 --bootstrap 200 --threads 1 --block-rows 7 -q -o two.scree
cmp one.scree two.scree && echo the same bits
"$SCREE" fit flowers.csv -k 2 --bootstrap 200 --seed 1 -q -o three.scree
cmp -s one.scree three.scree || echo another seed, another model
memory_of() {
    "$SCREE" plan flowers.csv -k 2 --threads 2 -q --json "$@" | grep -m 1 -o '"memory":.*' | tr -dc 0-9
}
[ "$(memory_of --bootstrap 4000)" -gt "$(memory_of)" ] && echo "replicates take memory of their own"

echo '--- few rows'
head -n 31 flowers.csv | "$SCREE" fit - -k 2 --bootstrap 40 -o few.scree 2>/dev/null | grep 'rely'

echo '--- refused'
try fit flowers.csv -k 2 --bootstrap 10 -o no.scree
try fit flowers.csv -k 2 --bootstrap 100 --solver em -o no.scree
try fit flowers.csv -k 2 --bootstrap 100 --online -o no.scree
try fit flowers.csv -k 2 --bootstrap 10000000 --memory 64M -o no.scree
awk -F, -v OFS=, 'NR == 9 { $2 = "" } { print }' flowers.csv >gaps.csv
try fit gaps.csv -k 2 --bootstrap 100 -o no.scree
