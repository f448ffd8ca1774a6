# SPDX-License-Identifier: BSD-3-Clause
# Several files as one: the same bits as the one file that they were cut from, and what is wrong with one of them.
. "$SRC/tests/cli/lib.sh"

flowers >whole.csv
{ head -5 whole.csv; } >part-1.csv
{ head -1 whole.csv; sed -n 6,7p whole.csv; } >part-2.csv
{ head -1 whole.csv; sed -n '8,$p' whole.csv; } >part-3.csv
gzip -c part-2.csv >packed.csv.gz
tail -n +2 part-3.csv >bare.csv
"$SCREE" convert -q part-3.csv part-3.npy --columns 1-4

# Models of the whole and of the parts.
same()
{
    echo "--- $*"
    "$SCREE" fit -q whole.csv -k 2 -o whole.scree
    "$SCREE" fit -q "$@" -k 2 -o parts.scree && cmp whole.scree parts.scree && echo 'the same bits'
}

same part-1.csv part-2.csv part-3.csv
same part-*.csv --block-rows 1
same part-*.csv --threads 3 --block-rows 3
same part-1.csv packed.csv.gz bare.csv
same part-1.csv part-2.csv part-3.npy
echo '--- a pipe among them'
tail -n +6 whole.csv | "$SCREE" fit -q part-1.csv - -k 2 -o parts.scree && cmp whole.scree parts.scree && echo 'the same bits'

echo '--- every command that reads rows'
try_report fit part-*.csv -k 2 -o parts.scree
for command in project score posterior 'explore --row 7 -n 2' 'explore -n 1'; do
    "$SCREE" $command -q whole.scree whole.csv >whole.out
    "$SCREE" $command -q whole.scree part-*.csv >parts.out
    cmp whole.out parts.out && echo "$command: the same"
done
"$SCREE" select -q whole.csv >whole.out
"$SCREE" select -q part-*.csv >parts.out
cmp whole.out parts.out && echo 'select: the same'
"$SCREE" plan -q whole.csv --json | grep -v seconds | head -3
"$SCREE" convert -q part-*.csv -o again.csv
"$SCREE" convert -q whole.csv whole-again.csv
cmp again.csv whole-again.csv && echo 'convert: the same'
"$SCREE" project -q whole.scree part-1.csv -o codes-1.csv
"$SCREE" project -q whole.scree part-2.csv part-3.csv -o codes-2.csv
"$SCREE" project -q whole.scree whole.csv -o codes.csv
"$SCREE" reconstruct -q whole.scree codes.csv >whole.out
"$SCREE" reconstruct -q whole.scree codes-1.csv codes-2.csv >parts.out
cmp whole.out parts.out && echo 'reconstruct: the same'
try project whole.scree part-2.csv part-3.npy 2>&1 | nine_decimals

echo '--- files of several kinds'
try project whole.scree part-3.npy part-2.csv 2>&1 | nine_decimals
try project whole.scree bare.csv part-2.csv 2>&1 | nine_decimals
printf '5,3,2,1\n6,3,4,2\n' >none.csv
tr ',' '\t' <part-2.csv >part-2.tsv
try project whole.scree part-1.csv none.csv part-2.tsv part-3.npy part-3.npy -o kinds.csv
try project whole.scree part-3.npy part-3.npy -o kinds.csv

echo '--- files without rows'
head -1 whole.csv >head.csv
same head.csv part-1.csv part-2.csv head.csv part-3.csv head.csv
head -1 whole.csv | "$SCREE" fit -q part-*.csv - -k 2 -o parts.scree && cmp whole.scree parts.scree && echo 'the same bits'
try project whole.scree head.csv part-2.csv head.csv -o codes.csv
try project whole.scree head.csv part-3.npy -o codes.csv

echo '--- types: the widest'
{ npy_header '2, 2' '|u1'; printf '\001\002\003\007'; } >bytes.npy
{ npy_header '1, 2' '<f4'; printf '\000\000\200\077\000\000\000\100'; } >floats.npy
{ npy_header '1, 2' '<f8'; zeros 16; } >doubles.npy
try convert bytes.npy floats.npy -o both.npy
tail -c +11 both.npy | head -c 40; echo
try convert bytes.npy floats.npy doubles.npy -o - --format csv
try convert bytes.npy floats.npy doubles.npy -o all.npy
try convert all.npy
