# SPDX-License-Identifier: BSD-3-Clause
# Compression around any format: what is read in order is decompressed as it comes, and what is not, in a scratch file that
# is gone afterwards; pipes of such formats, too.
. "$SRC/tests/cli/lib.sh"

flowers >rows.csv
"$SCREE" convert -q rows.csv --exclude species rows.npy
printf '%%%%MatrixMarket matrix coordinate real general\n3 2 3\n3 1 4\n1 2 2\n2 1 7\n' >cells.mtx
python3 -c '
import bz2, gzip, lzma, zipfile
packers = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
with zipfile.ZipFile("rows.npz", "w") as z:
    z.write("rows.npy", "x.npy")
for name in ("rows.csv", "rows.npy", "rows.npz", "cells.mtx"):
    data = open(name, "rb").read()
    for extension, pack in packers.items():
        open(name + "." + extension, "wb").write(pack(data))
two = open("rows.csv", "rb").read()
open("two.csv.bz2", "wb").write(bz2.compress(two[:100]) + bz2.compress(two[100:]))
open("cut.csv.bz2", "wb").write(bz2.compress(two)[:-9])
bad = bytearray(bz2.compress(two))
bad[60] ^= 1
open("bad.csv.bz2", "wb").write(bad)
open("none.csv.bz2", "wb").write(bz2.compress(b""))
' || skip 'there is no python3 with bz2 to compress with'
"$SCREE" convert -q rows.csv.bz2 >said 2>&1 || { grep -q 'compressed with bzip2' said && skip 'this scree was built without libbz2'; }

mkdir scratch
TMPDIR=$PWD/scratch
export TMPDIR
for name in rows.csv rows.npy rows.npz cells.mtx; do
    "$SCREE" convert -q $name >wanted
    for extension in gz bz2 xz; do
        "$SCREE" convert -q $name.$extension >found && cmp found wanted
        "$SCREE" convert -q - <$name.$extension >found && cmp found wanted
        cat $name.$extension | "$SCREE" convert -q - >found && cmp found wanted
    done
done
"$SCREE" convert -q rows.csv >wanted && "$SCREE" convert -q two.csv.bz2 | cmp - wanted
"$SCREE" convert -q rows.npz.bz2:x --rows 2:3
"$SCREE" fit -q rows.npz.xz -k 2 -o packed.scree && "$SCREE" fit -q rows.npy -k 2 -o plain.scree && cmp packed.scree plain.scree
ls -A scratch

echo '--- refused'
try convert cut.csv.bz2 -o no.csv
try convert bad.csv.bz2 -o no.csv
try convert none.csv.bz2 -o no.csv
try convert rows.csv -o no.csv.bz2
TMPDIR=$PWD/nowhere
try convert rows.npz.gz -o no.csv
left
