# SPDX-License-Identifier: BSD-3-Clause
# Columns: matched by name in any order, chosen by --columns, carried along by --label and --id, guessed and said.
. "$SRC/tests/cli/lib.sh"

flowers >flowers.csv
"$SCREE" fit flowers.csv -k 2 -o flowers.scree >report
echo '--- any order, with a column that the model does not know'
awk -F, -v OFS=, '{ print $4, $2, NR == 1 ? "noise" : NR, $1, $5, $3 }' flowers.csv >mixed.csv
"$SCREE" project flowers.scree flowers.csv -q -o one.csv
"$SCREE" project flowers.scree mixed.csv -q -o two.csv
cmp one.csv two.csv
echo '--- a name that stands twice: in order, and as often'
printf 'a,b,b,c\n1,2,3,4\n2,1,5,3\n3,5,1,9\n4,4,4,1\n' >twice.csv
"$SCREE" fit twice.csv -k 1 -o twice.scree >report
"$SCREE" project twice.scree twice.csv -q -o one.csv
awk -F, -v OFS=, '{ print $2, $1, NR == 1 ? "x" : NR, $4, $3 }' twice.csv >turned.csv
"$SCREE" project twice.scree turned.csv -q -o two.csv
cmp one.csv two.csv
cut -d, -f1,2,4 twice.csv >lacks.csv
try project twice.scree lacks.csv
sed '1s/b,c/x,c/' twice.csv >other.csv
try project twice.scree other.csv
sed 's/^/9,/; 1s/9/b/' twice.csv >surplus.csv
try project twice.scree surplus.csv
"$SCREE" convert twice.csv -q --transpose genes.tsv
"$SCREE" project twice.scree genes.tsv -q --transpose -o two.csv
tail -n +2 two.csv | cut -d, -f2 | nine_decimals >two
tail -n +2 one.csv | nine_decimals | diff - two
sed 3d genes.tsv >lacks.tsv
try project twice.scree lacks.tsv --transpose
printf 'a,b,b,c,c,c,d,d\n1,2,3,4,4,8,6,1\n2,1,5,3,7,2,5,0\n3,5,1,9,1,1,2,2\n' >more.csv
"$SCREE" fit more.csv -k 1 -o more.scree >report
echo '--- no names: by position'
"$SCREE" project flowers.scree flowers.csv -q -o one.csv
tail -n +2 flowers.csv | cut -d, -f1-4 >plain.csv
try project flowers.scree plain.csv -o three.csv
cut -d, -f2,3 one.csv | cmp - three.csv
echo '--- a choice of columns'
"$SCREE" fit flowers.csv --columns petal_length,petal_width -k all -q -o petals.scree
"$SCREE" info petals.scree | sed -n '2,4p'
"$SCREE" fit flowers.csv --columns 3-4 -k all -q -o same.scree
cmp petals.scree same.scree
echo '--- label and id'
printf 'name;x;y;group\n7;1,5;2;1\n8;2;4;1\n9;4;3;2\n' | tr , . >odd.csv
try convert odd.csv --id name --label group
try convert odd.csv --delimiter semicolon --quiet
echo '--- header or not'
printf '1,2\n3,4\n5,7\n' >bare.csv
try convert bare.csv --label 1 --id 1
try convert bare.csv
try convert bare.csv --header
try convert bare.csv --no-header -q
echo '--- tab, space, quotes, CRLF, byte order mark'
printf 'a\tb\n1\t2\n3\t4\n' >tabs.tsv
try convert tabs.tsv
printf 'a b\n1 2\n3 4\n' >spaces.txt
try convert spaces.txt
printf '\357\273\277"first, second","say ""b"""\r\n1,"2"\r\n3,4\r\n' >quoted.csv
try convert quoted.csv -q
try convert quoted.csv -q --format tsv
echo '--- columns that number the rows'
flowers | awk -v OFS=, '{ print NR == 1 ? "ID" : NR - 1, $0 }' >numbered.csv
"$SCREE" fit numbered.csv -k 2 -o numbered.scree >report
"$SCREE" fit numbered.csv -k 2 --id ID -o numbered.scree >report
sed '1s/ID//' numbered.csv >pandas.csv
"$SCREE" fit pandas.csv -k 2 -o numbered.scree >report
sed '1s/ID/Unnamed: 0/' numbered.csv >twice.csv
"$SCREE" fit twice.csv -k 2 -o numbered.scree >report
"$SCREE" fit twice.csv -q -k 2 -o numbered.scree
"$SCREE" convert flowers.csv - --columns 1-3 | "$SCREE" fit - -k 1 -o numbered.scree >report
printf '1,2\n3,5\n4,7\n' | "$SCREE" fit - -k 1 -o numbered.scree >report
printf '1\n3\n4\n' >one.csv
try fit one.csv -k 2 -o numbered.scree
echo '--- columns are those of the file'
{ npy_header '4, 5' '<f8'; zeros 62; printf '\360\177'; zeros 96; } >infinite.npy
try fit infinite.npy --columns 5,3 -k 1 -o no.scree
try fit infinite.npy infinite.npy --columns 5,3 -k 1 -o no.scree
printf 'a,1,2,3\nb,4,inf,6\nc,7,8,9\n' >infinite.csv
try fit infinite.csv --columns 4,3 -k 1 -o no.scree
