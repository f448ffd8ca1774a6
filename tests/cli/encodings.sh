# SPDX-License-Identifier: BSD-3-Clause
# Text that is not UTF-8: read as what it looks like, which is said, or in the encoding that is named; where that cannot
# be told it is refused with the place. None of it reaches a model.
. "$SRC/tests/cli/lib.sh"

printf 'width,height,name\n1,2,Gr\366\337e\n3,5,x\n4,4,y\n' >label.csv
printf 'width,h\351ight\n1,2\n3,5\n4,4\n' >name.csv
echo '--- Latin-1 as it stands'
try fit -q name.csv -o model.scree
"$SCREE" info model.scree --json | sed -n 's/.*"columns":\t*\(.*\]\).*/\1/p'
rm model.scree
try convert - <name.csv
try convert label.csv
gzip -c label.csv | try convert -
printf 'width,name\n1,\201\215\n2,x\n' >none.csv
try convert none.csv
try convert label.csv --label 3
try convert label.csv --columns width,height
try convert label.csv name.csv
echo '--- the encoding is named'
try convert label.csv --encoding latin1 -q
try convert label.csv --encoding windows-1252 --format json -q
try fit name.csv --encoding latin1 -o model.scree -q
"$SCREE" info model.scree --json | sed -n 's/.*"columns":\t*\(.*\]\).*/\1/p'
try convert label.csv label.csv --encoding latin1 -q
try convert label.csv --encoding klingon
try convert label.csv --encoding ascii
try convert label.csv --encoding utf-8
echo '--- the last letter could get an accent, and has none'
printf 'x,n\n1,b\n2,a' >last.csv
try convert last.csv --encoding windows-1258 -q
echo '--- UTF-16 is known by its mark, compressed and from a pipe, too'
if command -v iconv >iconv.path; then
    iconv -f latin1 -t utf-16le label.csv | { printf '\377\376' && cat; } >little.csv
    iconv -f latin1 -t utf-16be label.csv | { printf '\376\377' && cat; } >big.csv
else
    skip 'there is no iconv to make UTF-16 with'
fi
try convert little.csv
try convert big.csv -q
echo '--- and without it'
tail -c +3 little.csv | try convert -
tail -c +3 big.csv >bare.csv
try convert bare.csv
echo '--- compressed, and from a pipe'
gzip -c little.csv >little.csv.gz
try convert little.csv.gz -q
try convert - -q <big.csv
head -c 41 little.csv >cut.csv
try convert cut.csv -q
echo '--- longer than every buffer, and read twice'
i=0
while [ $i -lt 30000 ]; do
    printf '%d,%d,\351\350\374%d\n' $i $((i * 7 % 13)) $((i % 5))
    i=$((i + 1))
done >long.csv
iconv -f latin1 -t utf-8 long.csv >long8.csv
iconv -f latin1 -t utf-16le long.csv | { printf '\377\376' && cat; } >long16.csv
for threads in 1 4; do
    "$SCREE" convert long8.csv --threads $threads -q >long8.converted
    "$SCREE" convert long.csv --encoding latin1 --threads $threads -q | cmp - long8.converted
    "$SCREE" convert long16.csv --threads $threads -q | cmp - long8.converted
    "$SCREE" fit long.csv --encoding latin1 --solver svd --threads $threads -o long.scree -q
    "$SCREE" fit long8.csv --solver svd --threads $threads -o long8.scree -q
    cmp long.scree long8.scree
done
sed -n 3p long8.converted
echo '--- bytes that are not UTF-8 deep in the file, for any number of threads'
{ cat long8.csv && printf '1,2,\303\n' && cat long8.csv; } >deep.csv
try convert deep.csv --threads 1 -q -o deep.out.csv
try convert deep.csv --threads 4 -q -o deep.out.csv
echo '--- a lone letter of Latin-1 behind much ASCII: a file is looked at as a whole, of a pipe the beginning'
{ echo 'a,b,name' && sed 's/[^0-9,]//g; s/,[0-9]*$/,x/' long8.csv && printf '1,2,\374\n'; } >late.csv
"$SCREE" convert late.csv -q | tail -1
try convert - -q -o late.out.csv <late.csv
cat late.csv | try convert - -q -o late.out.csv
echo '--- a pipe that ends with such a letter is what the file is'
printf 'x,l\n1,a\n2,\344\n' >short.csv
"$SCREE" convert short.csv -q -o short.out.csv
cat short.csv | "$SCREE" convert - -q | cmp - short.out.csv
echo '--- a model file with such a name'
"$SCREE" fit label.csv --encoding latin1 -o model.scree -q
LC_ALL=C sed 's/height/h\xffight/' model.scree >bad.scree
try info bad.scree
