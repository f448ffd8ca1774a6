# SPDX-License-Identifier: BSD-3-Clause
# All ways to write an option and its value mean the same.
. "$SRC/tests/cli/lib.sh"

numbers 3 2 >data.csv
cp data.csv ./-3
cp data.csv ./-data.csv
try convert data.csv -q --format=tsv
try convert --format tsv --quiet data.csv
try convert data.csv -qo-
try convert -q -o=- data.csv
try convert data.csv -q -o one.csv -o two.csv
try convert -q -- -data.csv -
try convert -q -3
try convert -q --no-header --header data.csv
try convert -q --delimiter=, --threads=1 --memory 1.5GiB --block-rows 2 data.csv
try convert -q --memory=40MB data.csv --delimiter comma
left

echo '--- an option is no value'
try impute m.scree rows.csv --sd -o x.csv
try fit rows.csv -o --json
left
