# SPDX-License-Identifier: BSD-3-Clause
# xz and zstd around any format, from files and pipes; files of several streams, and such as are cut off, damaged, or
# would take gigabytes. Larger ones are in tests/unit/test_decoder.c.
. "$SRC/tests/cli/lib.sh"

for file in "$SRC"/tests/awkward/packed/*; do
    name=$(basename "$file")
    cp "$file" .
    try convert "$name" -q
    "$SCREE" convert "$name" -q >one 2>&1
    cat "$name" | "$SCREE" convert - -q >two 2>&1
    sed "s/$name/standard input/" one | cmp - two
done
echo '--- read twice, and named otherwise'
try fit table.csv.xz --solver svd -q -o one.scree
cp table.csv.zst other.csv
try fit other.csv --solver svd -q -o two.scree
cmp one.scree two.scree
echo '--- a limit of memory counts what decompression takes'
try fit table.csv.xz --memory 20M -q -o three.scree
try fit table.csv.zst --memory 20M -q -o three.scree
echo '--- they are not written'
try convert table.csv.xz out.csv.xz -q
try convert table.csv.xz out.csv.zst -q
