# SPDX-License-Identifier: BSD-3-Clause
# Arrow files and streams: what scree writes, and what others wrote (fuzz/corpus/arrow_ipc, by fuzz/seeds.py).
. "$SRC/tests/cli/lib.sh"

# seed file: the file of a seed, without the line of options in front.
seed()
{
    LC_ALL=C sed '1{/^!read/d}' "$SRC/fuzz/corpus/arrow_ipc/seed-$1" >"$2"
}

flowers | "$SCREE" convert -q - -o flowers.csv # labels are in front
echo '--- written and read again'
try convert flowers.csv -o flowers.arrow
try convert flowers.arrow -o again.csv
cmp flowers.csv again.csv && echo same
try convert flowers.csv -q -o flowers.arrows
"$SCREE" convert -q flowers.arrows -o - | cmp flowers.csv - && echo same
"$SCREE" convert -q --format arrows flowers.csv | "$SCREE" convert -q - -o - | cmp flowers.csv - && echo same
gzip -k flowers.arrow
"$SCREE" convert -q flowers.arrow.gz -o - | cmp flowers.csv - && echo same
echo '--- as a CSV of the same rows'
"$SCREE" fit -q flowers.csv -k 2 -o a.scree
cp flowers.arrow flowers.feather
try fit -q flowers.feather -k 2 -o b.scree
cmp a.scree b.scree && echo same
try project a.scree flowers.feather -q -o codes.arrow --type f4
"$SCREE" convert -q codes.arrow -o - --columns pc1 | head -3 | nine_decimals
try convert flowers.arrow --columns petal_width,sepal_width --id species -q -o - | head -4
try fit flowers.arrow --weights petal_width -q -o w.scree
try convert flowers.csv --type u1 -o small.arrow
try ls flowers.arrow
echo '--- files of others: dictionaries, views, dates, nulls, nested columns'
for name in types types-pipe types-zstd; do
    seed $name $name.arrow
    "$SCREE" convert --exclude list,struct $name.arrow -o $name.csv
    cmp types.csv $name.csv && echo same
done
cat types.csv
seed all all.arrow
try convert all.arrow -o -
try ls all.arrow
try convert all.arrow --columns g,u8 -q -o - | head -3
for name in deltas replaced values; do
    seed $name $name.arrows
    try convert $name.arrows -o -
done
echo '--- what is refused'
seed lz4 lz4.feather
try fit lz4.feather --exclude list,struct -o m.scree
seed lz4-numbers lz4.feather
try ls lz4.feather
head -c 700 flowers.arrow >cut.arrow
try fit cut.arrow -o m.scree
head -c 700 flowers.arrow | try fit - -o m.scree
head -c 700 flowers.arrows >cut.arrows
try fit cut.arrows -o m.scree
try fit flowers.csv --input-format arrow -o m.scree
try fit flowers.arrow --header -o m.scree
try fit flowers.arrow --columns species -o m.scree
printf 'ARROW1\0\0' >empty.arrow
try fit empty.arrow -o m.scree
left
