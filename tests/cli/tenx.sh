# SPDX-License-Identifier: BSD-3-Clause
# Folders of 10x counts: both generations, entries in any order, features of several types; and every way in which the
# three files may be damaged, or not belong together.
. "$SRC/tests/cli/lib.sh"

# folder order: 30 cells and 8 genes, of the second generation; order: how sort puts the entries.
make_folder()
{
    mkdir -p "$1"
    awk 'BEGIN { for (g = 1; g <= 8; g++) printf "ENSG%03d\t%s\n", g, g == 4 || g == 7 ? "TWICE" : "gene" g }' >"$1/genes.tsv"
    awk 'BEGIN { for (c = 1; c <= 30; c++) printf "CELL%02d-1\n", c }' >"$1/barcodes.tsv"
    awk 'BEGIN { for (c = 1; c <= 30; c++) for (g = 1; g <= 8; g++) {
        n = c == 5 ? 0 : int(((c * c + 3 * g * c) % 17) / (1 + (g + c) % 4)) - 2
        if (n > 0) print g, c, n } }' | sort $2 >entries
    { echo '%%MatrixMarket matrix coordinate integer general'; echo '%metadata: {}'
        echo "8 30 $(wc -l <entries)"; cat entries; } >"$1/matrix.mtx"
}

make_folder v2 '-n -k2,2 -k1,1'
try_report fit v2 --normalize 1e4 --log1p -k 2 -o v2.scree
"$SCREE" info v2.scree | grep -E '^(columns|normalize)'
"$SCREE" project -q v2.scree v2 >codes.csv
head -3 codes.csv | nine_decimals
echo '--- entries in any other order'
i=0
for order in '-n -k2,2 -k1,1r' '-n -k1,1 -k2,2' '-n -k3,3 -k1,1r'; do
    i=$((i + 1))
    make_folder "order$i" "$order"
    "$SCREE" fit -q "order$i" --normalize 1e4 --log1p -k 2 -o order.scree
    cmp order.scree v2.scree && echo 'the same model'
    "$SCREE" project -q v2.scree "order$i" | cmp - codes.csv
done
echo '--- cells first, as matrices of rows are written'
cp -r v2 turned
awk 'NR < 3 { print } NR == 3 { print $2, $1, $3 } NR > 3 { print $2, $1, $3 }' v2/matrix.mtx >turned/matrix.mtx
"$SCREE" project -q v2.scree turned/ | cmp - codes.csv && echo 'the same'
echo '--- the third generation, compressed'
cp -r v2 v3
awk '{ print $0 "\t" (NR < 7 ? "Gene Expression" : "Antibody Capture") }' v2/genes.tsv >v3/features.tsv
rm v3/genes.tsv
gzip v3/*
try fit v3 -k 2 -q -o v3.scree
"$SCREE" info v3.scree | grep -E '^columns'
"$SCREE" project v3.scree v3 2>&1 >v3.csv
"$SCREE" fit -q v3 --dataset 'Antibody Capture' -k 1 -o antibodies.scree
"$SCREE" info antibodies.scree | grep -E '^columns'
try fit v3 --dataset Peaks -k 1 -o no.scree
try fit v2 --dataset Peaks -k 1 -o no.scree
echo '--- sums over all genes, whichever are used'
"$SCREE" fit -q v2 --normalize 1e4 --log1p --columns gene1,gene3,TWICE-1 -k 2 -o some.scree
"$SCREE" info some.scree | grep normalize
"$SCREE" project -q some.scree v2 | head -2 | nine_decimals
"$SCREE" project some.scree v2 2>&1 >some.csv | head -1
"$SCREE" convert -q v2 --columns gene1,gene3,TWICE-1 three.csv
try project some.scree three.csv -o none.csv
"$SCREE" fit v2 --normalize median --log1p --top-variance 4 -k 2 -o top.scree 2>&1 | grep -E 'median|vary'
echo '--- answers'
for what in score posterior; do
    "$SCREE" $what -q v2.scree v2 | head -2 | nine_decimals
done
"$SCREE" reconstruct -q v2.scree --data v2 | head -2 | nine_decimals | cut -d, -f1-3
"$SCREE" convert -q v2 table.csv
"$SCREE" project -q v2.scree table.csv | nine_decimals >table
nine_decimals <codes.csv | cmp - table && echo 'the same of a table'
"$SCREE" select -q v2 --normalize 1e4 --log1p --json | grep -c '"recommended"'
"$SCREE" plan -q v2 --normalize 1e4 -k 2 --json | grep -m 1 passes
echo '--- several samples'
"$SCREE" fit -q v2 turned --normalize 1e4 --log1p -k 2 -o both.scree
"$SCREE" info both.scree | grep '^rows'
"$SCREE" project -q v2.scree v2 turned | tail -n +32 | cmp - - <<END && echo 'the same'
$(tail -n +2 codes.csv)
END
echo '--- what is missing, or does not belong together'
damage()
{
    rm -rf bad
    cp -r v2 bad
    (cd bad && eval "$1")
    try fit bad -k 2 -q -o no.scree
}
damage 'rm matrix.mtx'
damage 'rm genes.tsv'
damage 'rm barcodes.tsv'
damage 'rm *.tsv *.mtx'
damage 'cp genes.tsv features.tsv'
damage 'for f in *; do mv $f GSM123_$f; done'
damage 'head -29 barcodes.tsv >b; mv b barcodes.tsv'
damage 'sed 3d genes.tsv >g; mv g genes.tsv'
damage ': >barcodes.tsv; : >b'
damage 'sed "5s/.*//" genes.tsv >g; mv g genes.tsv'
damage 'sed "5s/.*/one/" genes.tsv | sed "6s/.*/a\tb\tc/" >g; mv g genes.tsv'
damage 'sed "7s/^.* /9 1 /" matrix.mtx >m; mv m matrix.mtx'
damage 'sed "7s/.*/1 31 4/" matrix.mtx >m; mv m matrix.mtx'
damage 'sed "7s/.*/1 1/" matrix.mtx >m; mv m matrix.mtx'
damage 'sed "7s/.*/word/" matrix.mtx >m; mv m matrix.mtx'
damage 'sed "7s/[^ ]*$/nan/" matrix.mtx >m; mv m matrix.mtx'
damage 'sed "7s/[^ ]*$/9007199254740993/" matrix.mtx >m; mv m matrix.mtx'
damage 'sed \$d matrix.mtx >m; mv m matrix.mtx'
damage 'tail -1 matrix.mtx >>matrix.mtx'
damage 'sed "4{p}" matrix.mtx | awk "NR == 3 { \$3++ } { print }" >m; mv m matrix.mtx'
damage 'sed 1d matrix.mtx >m; mv m matrix.mtx'
damage 'sed "1s/integer/pattern/" matrix.mtx >m; mv m matrix.mtx'
damage 'sed "3s/.*/8 30/" matrix.mtx >m; mv m matrix.mtx'
damage 'sed "3s/.*/8 2000000000 9/" matrix.mtx >m; mv m matrix.mtx'
damage 'gzip matrix.mtx; head -c 100 matrix.mtx.gz >m; mv m matrix.mtx.gz'
damage 'printf "CELL\000\n" >>barcodes.tsv'
damage 'printf "\377\n" >>barcodes.tsv'
cp -r order2 bad2
sed '$p' order2/matrix.mtx | awk 'NR == 3 { $3++ } { print }' >bad2/matrix.mtx
try fit bad2 -k 2 -q -o no.scree
try fit v2/matrix.mtx --input-format 10x -k 2 -o no.scree
try fit v2 --input-format npy -k 2 -o no.scree
try fit v2 --header -k 2 -o no.scree
try fit v2 --label kind -k 2 -o no.scree
try fit v2 --columns-from var/highly_variable -k 2 -o no.scree
try fit v2 --maf 0.1 -k 2 -o no.scree
try fit v2 --query 'SELECT 1' -k 2 -o no.scree
try fit v2 --absent missing -k 2 -o no.scree
echo '--- what is in it, and the matrix alone'
try ls v2 v3
try ls bad
"$SCREE" convert v2/matrix.mtx -o genes.csv
(cd v3 && "$SCREE" convert matrix.mtx.gz -o ../genes.csv)
"$SCREE" convert v2/matrix.mtx --transpose -o cells.csv
cp v2/matrix.mtx alone.mtx
"$SCREE" convert alone.mtx -o genes.csv
