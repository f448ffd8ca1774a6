# SPDX-License-Identifier: BSD-3-Clause
# Rows as an archive and back: nothing lost, or within an error; labels and names; rows alone; other commands; damage.
. "$SRC/tests/cli/lib.sh"

flowers >flowers.csv
untimed() { grep -v '^time'; }

echo '--- nothing lost: decimals are whole numbers of tenths'
"$SCREE" compress flowers.csv -o flowers.screez | untimed
"$SCREE" decompress flowers.screez -o back.csv
head -2 back.csv
"$SCREE" convert -q flowers.csv same.csv
cmp back.csv same.csv
echo '--- an archive is a format like any other'
"$SCREE" fit -q flowers.csv -k 2 -o one.scree
"$SCREE" fit -q flowers.screez -k 2 -o two.scree
cmp one.scree two.scree
"$SCREE" decompress flowers.screez | tail -1
"$SCREE" project -q one.scree - <flowers.screez | cut -d , -f 1 | tail -1
echo '--- within an error'
"$SCREE" sample one.scree -n 3000 --seed 5 -o rows.npy
"$SCREE" compress -q rows.npy --max-error 0.05 -o rows.screez
"$SCREE" info rows.screez --json | grep -c -E '"(coding|bound|worst_error|rmse|bits_per_code)"'
"$SCREE" info rows.screez | sed -n '2,3p'
"$SCREE" decompress rows.screez -o back.npy
cat >off.py <<'END'
import struct, sys
a, b = (struct.unpack("<12000d", open(f, "rb").read()[128:]) for f in sys.argv[1:3])
off = max(abs(x - y) for x, y in zip(a, b))
print("within 0.05, and not for nothing" if 0.04 < off <= 0.05 else off)
END
python3 off.py rows.npy back.npy
echo '--- rows alone'
"$SCREE" decompress rows.screez --rows 2999: -o last.npy
tail -c 64 back.npy >x
tail -c 64 last.npy | cmp - x
"$SCREE" decompress flowers.screez --rows 3:4
"$SCREE" decompress flowers.screez --rows 5 | tail -1
echo '--- the same bytes for any number of threads'
for threads in 1 2 3; do
    "$SCREE" compress -q rows.npy --rmse 0.03 --threads $threads --block-rows $((threads * 100)) -o $threads.screez
done
cmp 1.screez 2.screez
cmp 2.screez 3.screez
echo '--- to standard output, and from standard input'
"$SCREE" compress -q rows.npy --ratio 8 -o - >piped.screez
"$SCREE" convert - piped.npy <piped.screez
test "$(($(wc -c <rows.npy) / $(wc -c <piped.screez)))" -ge 8 && echo at least eight times smaller
echo '--- a model from a pipe: nothing is read of it to see whether it is an archive'
"$SCREE" fit -q flowers.csv -k 2 -o flowers.scree
cat flowers.scree | "$SCREE" info /dev/stdin | sed -n 2,3p
echo '--- what an error costs'
"$SCREE" compress -q --rd flowers.csv | awk 'NR == 1 { print } END { print NR - 1, "points" }'
"$SCREE" compress -q --rd --json flowers.csv | grep -c bits_per_value
echo '--- an archive is no model'
try info flowers.screez --views
