# SPDX-License-Identifier: BSD-3-Clause
# scree report: a page, how much of the rows is in it, and a sentence where there can be none. What the page does is
# tested in a browser.
# It needs pictures.
. "$SRC/tests/cli/lib.sh"

flowers >flowers.csv
"$SCREE" fit -q flowers.csv -k 2 -o model.scree
"$SCREE" report -q model.scree flowers.csv -o none.html 2>said || { grep -q 'needs D3' said && skip 'this scree was built without D3'; }
rm none.html said

# The size hangs on the version of D3.
sized() { try "$@" 2>&1 | sed -E 's/[0-9.]+ [kM]B$/# kB/'; }

echo '--- a page'
sized report model.scree flowers.csv
head -c 15 report.html; echo
grep -c '<script' report.html
grep -o "default-src 'none'" report.html
echo '--- fewer rows, another name, standard output'
sized report model.scree flowers.csv --points 4 --title 'Some flowers' -o four.html
"$SCREE" report -q model.scree flowers.csv --points 4 --title 'Some flowers' -o - | cmp - four.html
grep -o '"title":"Some flowers"' four.html
echo '--- rows with gaps'
sed '3s/4.9/NA/; 5s/^5.4,3.9,1.7,0.4/,,,/' flowers.csv >gaps.csv
sized report model.scree gaps.csv -o gaps.html
echo '--- labels from a file'
cut -d, -f1-4 flowers.csv >plain.csv
printf 'kind\n1\n1\n1\n1\n2\n2\n2\n3\n3\n3\n' >kinds.csv
sized report -q model.scree plain.csv --labels kinds.csv -o kinds.html
grep -o '"words":\[[^]]*\]' kinds.html
echo '--- the label is no text that is different in every row, nor the id'
awk -F, 'NR == 1 { print "name,group," $0 } NR > 1 { print "n" NR ",g" NR % 3 "," $0 }' flowers.csv >named.csv
classes() { "$SCREE" report -q model.scree "$@" -o named.html; grep -o '"name":"[a-z]*","isClass":[a-z]*' named.html; }
classes named.csv
classes named.csv --id group
classes named.csv --label name
echo '--- no density, one component, five rows'
awk -F, 'NR == 1 { print "a,b,sum" } NR > 1 { print $1 "," $2 "," $1 + $2 }' flowers.csv >sums.csv
"$SCREE" fit -q sums.csv -k all --latent 3 -o all.scree
sized report -q all.scree sums.csv -o all.html
grep -o '"noScores":"[^;]*' all.html
sized report -q -k 1 model.scree flowers.csv -o one.html
head -6 flowers.csv >five.csv
sized report -q model.scree five.csv -o five.html
echo '--- what cannot be'
rm *.html
head -5 kinds.csv >few.csv
try report model.scree plain.csv --labels few.csv
try report model.scree plain.csv --labels plain.csv
cat flowers.csv | try report model.scree -
try report model.scree flowers.csv --image 3x3
try report model.scree flowers.csv --image 3
echo '--- some of the rows'
try report model.scree flowers.csv --rows none
sized report model.scree flowers.csv --rows 2:5 -o few.html
try report model.scree flowers.csv --max-size 10k 2>&1 | sed -E 's/[0-9]+$/#/; s/^exit #/exit 1/'
try report model.scree flowers.csv -o flowers.csv
head -1 flowers.csv >empty.csv
try report model.scree empty.csv
left
