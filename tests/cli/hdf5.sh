# SPDX-License-Identifier: BSD-3-Clause
# HDF5 without a convention: what files hold, which dataset is meant, every type and way of storing, what is written; and
# what is refused: links out of the file, numbers that are elsewhere, sizes that lie, damage. fuzz/hdf5_seeds.py made the
# files.
. "$SRC/tests/cli/lib.sh"

"$SCREE" version | grep -q '^with hdf5' || { echo 'skipped: the module scree-hdf5.so was not built'; exit 77; }
for file in plain chunked lzf big-endian vector pandas empty other links deep virtual huge half tenth; do
    cp "$SRC/fuzz/corpus/hdf5/seed-$file" $file.h5
done

echo '--- read'
try convert plain.h5
try convert -q chunked.h5
try convert -q lzf.h5 rows.npy
try fit -q lzf.h5 -o m.scree
try convert -q vector.h5
try convert -q pandas.h5
try ls big-endian.h5
for part in b h i u x; do
    try convert -q big-endian.h5:$part
done
try convert -q big-endian.h5 --dataset /x --columns 2
try convert big-endian.h5
try convert -q big-endian.h5:nothing

echo '--- written, and read again'
cp "$SRC/examples/iris.csv" .
try convert -q iris.csv iris.h5
try ls iris.h5
"$SCREE" convert -q iris.csv >want.csv
"$SCREE" convert -q iris.h5 | cmp - want.csv && echo same
try fit -q iris.h5 --label nothing -o m.scree
try convert -q plain.h5 small.h5 --type f4
try ls small.h5
try convert -q plain.h5 whole.h5 --type i2
try convert -q plain.h5 - --format hdf5
try convert -q plain.h5 new.h5ad

echo '--- refused'
try ls links.h5
try convert -q links.h5:soft
for part in round away through g/self/x; do
    try convert -q links.h5:$part
done
try convert -q deep.h5
try ls other.h5
for part in cube record szipped text; do
    try convert -q other.h5:$part
done
try ls virtual.h5
try convert -q virtual.h5:e
try convert -q virtual.h5:v
try convert -q empty.h5
try convert -q empty.h5:none
try convert -q half.h5
try convert -q tenth.h5
for part in chunk row long tile; do
    try fit -q huge.h5:$part -k 1 --memory 100M -o m.scree
done
try convert -q plain.h5 --label x
try convert -q plain.h5 --columns-from x
cat plain.h5 | try convert -
