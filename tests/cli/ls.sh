# SPDX-License-Identifier: BSD-3-Clause
# What files hold: one table has one line, several files are listed in turn, and what cannot be listed is said.
. "$SRC/tests/cli/lib.sh"

printf 'a,b,name\n1,2,x\n3,4,y\n' >rows.csv
printf '%%%%MatrixMarket matrix coordinate real general\n3 2 2\n1 1 1\n3 2 5\n' >cells.mtx
try ls rows.csv
try ls rows.csv cells.mtx
try ls nothing.csv
try ls -
try ls --input-format csv rows.csv
try ls
echo '--- models and states are shown by another command'
flowers >flowers.csv
"$SCREE" fit -q flowers.csv -k 2 -o flowers.scree
"$SCREE" fit -q flowers.csv --state flowers.state
try ls flowers.scree
try ls flowers.state
