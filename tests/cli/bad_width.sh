# SPDX-License-Identifier: BSD-3-Clause
# Model and data of different width, or with other columns; k larger than there is.
. "$SRC/tests/cli/lib.sh"

flowers >flowers.csv
"$SCREE" fit -q flowers.csv -k 2 -o model.scree
numbers 5 3 >three.csv
numbers 5 4 >four.csv
cut -d, -f1-3,5 flowers.csv >narrow.csv
sed '1s/petal_width/stem_width/' flowers.csv >other.csv
echo '--- fewer columns, no names'
try project model.scree three.csv -o codes.csv
echo '--- a column is missing'
try project model.scree narrow.csv -o codes.csv
echo '--- a column has another name'
try project model.scree other.csv -o codes.csv
try reconstruct model.scree --data narrow.csv -o rows.csv
echo '--- codes of another model'
try reconstruct model.scree four.csv -o rows.csv
"$SCREE" project -q model.scree flowers.csv -o codes.csv
"$SCREE" fit -q flowers.csv -k 3 -o wider.scree
try reconstruct wider.scree codes.csv -o rows.csv
try reconstruct -q wider.scree -k 2 codes.csv -o rows.csv
echo '--- rows instead of codes'
"$SCREE" fit -q flowers.csv -k all -o all.scree
try reconstruct model.scree flowers.csv -o rows.csv
try reconstruct all.scree flowers.csv -o rows.csv
rm codes.csv rows.csv wider.scree all.scree
echo '--- too many components'
try fit flowers.csv -k 5 -o other.scree
try fit three.csv -k 4 -o other.scree
try fit three.csv -k 1000000000000 -o other.scree
numbers 6 50 >wide.csv
try fit wide.csv -k 7 -o other.scree
try info -k 3 model.scree
try project -k 3 model.scree flowers.csv -o codes.csv
left
