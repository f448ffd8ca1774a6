# SPDX-License-Identifier: BSD-3-Clause
# --rows and --sample: the same rows whatever the format, from a pipe, of several files, sparse, transposed; with labels
# and weights; rows in messages are those of the file; what is refused.
. "$SRC/tests/cli/lib.sh"

awk -v OFS=, 'BEGIN { print "a,b,w,name"; for (i = 1; i <= 400; i++) print i, i * 37 % 101 / 10, i % 3, "r" i }' >rows.csv
sed -n '2,151p' rows.csv | sed '1i a,b,w,name' >one.csv
{ echo a,b,w,name; sed -n '152,401p' rows.csv; } >two.csv
"$SCREE" convert -q rows.csv rows.npy
{ echo '%%MatrixMarket matrix coordinate real general'; echo '400 3 1200'
  awk -F, 'NR > 1 { print NR - 1, 1, $1; print NR - 1, 2, $2; print NR - 1, 3, $3 }' rows.csv; } >rows.mtx

echo '--- the same rows'
for how in '--rows 100:160' '--rows 390:' '--rows :3' '--rows 7' '--sample 9' '--sample 9 --seed 4' '--rows 200:300 --sample 5'; do
    "$SCREE" convert -q rows.csv --columns a,b,w $how | cut -d, -f2-4 | tail -n +2 >wanted
    tr '\n' ' ' <wanted | cut -c1-60
    for file in rows.npy rows.mtx; do
        "$SCREE" convert -q $file $how --block-rows 11 | tail -n +2 | cmp - wanted
    done
    for file in 'one.csv two.csv' -; do
        "$SCREE" convert -q $file --columns a,b,w $how --threads 2 -o - <rows.csv | cut -d, -f2-4 | tail -n +2 | cmp - wanted
    done
    cat rows.csv | "$SCREE" convert -q - --columns a,b,w $how | cut -d, -f2-4 | tail -n +2 | cmp - wanted
done

echo '--- answers for them, with names, weights and labels'
"$SCREE" fit -q rows.csv --weights w --sample 300 --seed 2 -o m.scree
"$SCREE" fit -q rows.csv --weights w --sample 300 --seed 2 --threads 3 -o n.scree && cmp m.scree n.scree
"$SCREE" project -q m.scree rows.csv --rows 5:6 | cut -d, -f1
"$SCREE" project -q m.scree rows.csv --sample 3 --seed 1 | cut -d, -f1

echo '--- rows are named as in the file'
sed '301s/.*/300,NA,1,r300/' rows.csv >gap.csv
try fit gap.csv --rows 250:350 --solver svd -o no.scree
try fit gap.csv --sample 399 --solver svd -o no.scree
{ echo a,b,w,name; sed -n '152,401p' gap.csv; } >gap2.csv
try fit one.csv gap2.csv --rows 250:350 --solver svd -o no.scree

echo '--- refused'
try convert rows.csv --rows 400:401
cat rows.csv | try convert - --rows 400:401 -q -o none.csv
try convert rows.csv --rows 401:
try convert rows.csv --rows 3:2
try convert rows.csv --rows a
try convert rows.csv --sample 401
try convert rows.csv --rows 3:5 --sample 4
try convert rows.csv --seed 4
left
