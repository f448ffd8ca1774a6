# SPDX-License-Identifier: BSD-3-Clause
# Labels and names that a spreadsheet would run as formulas: written as they are, and made safe where that is asked for.
. "$SRC/tests/cli/lib.sh"

cat >data.csv <<'END'
=SUM(A1),+b,c,@who
1,2,3,=HYPERLINK("http://x")
2,1,5,"+1,2"
4,4,-4,-x
7,-1,6,-3
3,8,1,@cmd
2,2,9,plain
END
printf '5,1,2,"\tx"\n6,3,2,"\rx"\n9,1,1,a=b\n' >>data.csv
try convert data.csv -q
try convert data.csv -q --spreadsheet
try convert data.csv -q --spreadsheet --format tsv
try fit data.csv -o model.scree -q -k 1
try project model.scree data.csv -q --spreadsheet -o codes.csv
cut -d, -f1 codes.csv | head -3
echo '--- other formats have no formulas'
try convert data.csv -q --spreadsheet --format json
try convert data.csv -q --spreadsheet -o data.npy
[ ! -e data.npy ] || echo 'data.npy was written'
echo '--- read back, only the apostrophe is more'
"$SCREE" convert data.csv -q --spreadsheet -o safe.csv
"$SCREE" convert safe.csv -q | sed "s/^\"'/\"/; s/,'/,/g; s/^'//" >back.csv
"$SCREE" convert data.csv -q | cmp - back.csv
