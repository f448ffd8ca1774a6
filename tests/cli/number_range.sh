# SPDX-License-Identifier: BSD-3-Clause
# Numbers at the edge of their range: integers beyond 2^53, large means, tiny values, element types through an archive.
. "$SRC/tests/cli/lib.sh"

cat >make.py <<'END'
import struct, sys
def write(name, descr, letter, rows):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }" % (descr, len(rows), len(rows[0]))
    with open(name, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00v\x00" + head.ljust(117).encode() + b"\n")
        for row in rows:
            f.write(struct.pack("<%d%s" % (len(row), letter), *row))
small = [[i * 37 % 4001, i * i % 997, i * 37 % 4001 // 3 + i % 5] for i in range(300)]
write("small.npy", "<f8", "d", small)
write("wide.npy", "<i8", "q", [[2**60 + x for x in row] for row in small])
write("unsigned.npy", "<u8", "Q", [[2**63 + 2**40 + x for x in row] for row in small])
write("ranging.npy", "<i8", "q", [[2**60 + x, x, i * (2**53 + 1)] for i, (x, _, _) in enumerate(small)])
write("level.npy", "<f8", "d", [[3e14 + x % 5 * 0.5625, y, 3e14 / 7] for x, y, _ in small])
write("tiny.npy", "<f8", "d", [[x * 1e-163 for x in row] for row in small])
write("first.npy", "<i8", "q", [[2**52 + 5, 1], [2**52 + 7, 2], [2**52 + 9, 4]])
write("second.npy", "<f8", "d", [[1.25, 3.0], [2.5, 5.0]])
write("less.npy", "<f8", "d", [[x * 2.0**-300 for x in row] for row in small])
for descr, letter in ("<f2", "e"), ("<f4", "f"), ("<f8", "d"), ("|u1", "B"), ("|i1", "b"), ("<i2", "h"), ("<u2", "H"), \
                     ("<i4", "i"), ("<u4", "I"), ("<i8", "q"), ("<u8", "Q"):
    write(descr[1:] + ".npy", descr, letter, [[x % 100, y % 100, z % 100] for x, y, z in small])
END
python3 make.py

echo '--- the same model and codes, wherever integers are counted from'
"$SCREE" fit -q small.npy -k 2 -o small.scree
"$SCREE" project -q small.scree small.npy | nine_decimals >small.csv
for name in wide unsigned; do
    "$SCREE" fit -q $name.npy -k 2 -o $name.scree
    "$SCREE" project -q $name.scree $name.npy | nine_decimals | cmp - small.csv
    "$SCREE" info $name.scree --json | grep -A3 eigenvalues | nine_decimals >$name.values
    "$SCREE" info small.scree --json | grep -A3 eigenvalues | nine_decimals | cmp - $name.values
    "$SCREE" score -q $name.scree $name.npy | nine_decimals >$name.score
    "$SCREE" score -q small.scree small.npy | nine_decimals | cmp - $name.score
done
echo '--- a range beyond 2^53'
try fit ranging.npy -o out.scree
try fit -q ranging.npy --columns 1,2 -k 1 -o out.scree
try fit first.npy second.npy -k 1 -o out.scree
echo '--- who needs the numbers themselves'
try compress wide.npy --max-error 10 -o out.screez
try compress unsigned.npy --max-error 10 -o out.screez
try convert wide.npy out.csv
echo '--- a large mean is not constant, and equal values are'
"$SCREE" fit -q level.npy --scale unit -k 1 -o level.scree
"$SCREE" info level.scree | grep -E '^total|constant'
echo '--- squares'
for solver in covariance svd em; do
    try fit tiny.npy --solver $solver -k 2 -o out.scree
    "$SCREE" fit -q less.npy --solver $solver -k 2 -o less.scree && echo fitted
done
echo '--- probabilities do not depend on the unit'
for name in small less; do
    "$SCREE" fit -q $name.npy -k 1 -o $name.scree
    "$SCREE" score -q $name.scree $name.npy | cut -d , -f 4 | nine_decimals >$name.p
done
head -3 less.p
cmp small.p less.p && echo 'the same'
echo '--- every element type comes back'
for type in f2 f4 f8 u1 i1 i2 u2 i4 u4 i8 u8; do
    "$SCREE" compress -q $type.npy -o $type.screez
    "$SCREE" decompress -q $type.screez -o back.npy
    cmp $type.npy back.npy
    "$SCREE" info $type.screez | grep type
done
