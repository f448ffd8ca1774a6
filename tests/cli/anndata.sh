# SPDX-License-Identifier: BSD-3-Clause
# AnnData and the HDF5 files of 10x: names, labels, layers, the choice of columns, codes into the file; and files that lie.
# fuzz/hdf5_seeds.py made them.
. "$SRC/tests/cli/lib.sh"

"$SCREE" version | grep -q '^with hdf5' || { echo 'skipped: the module scree-hdf5.so was not built'; exit 77; }
for file in anndata-csr anndata-csc anndata-0.7 doubled bad-index bad-negative bad-starts bad-last bad-shape bad-many \
    bad-codes bad-names bad-links; do
    cp "$SRC/fuzz/corpus/hdf5/seed-$file" $file.h5ad
done
for file in v3 v2 two features short; do
    cp "$SRC/fuzz/corpus/hdf5/seed-10x-$file" 10x-$file.h5
done

echo '--- AnnData'
try ls anndata-csr.h5ad
try convert anndata-csr.h5ad
for file in csc 0.7; do
    "$SCREE" convert -q anndata-$file.h5ad >out.csv
    "$SCREE" convert -q anndata-csr.h5ad | cmp - out.csv && echo same
done
try convert -q anndata-csr.h5ad:layers/dense
try convert -q anndata-csr.h5ad --label kind
try convert -q anndata-csc.h5ad --label obs/kind
try convert -q anndata-0.7.h5ad --label kind
try convert -q anndata-csr.h5ad --label age --id depth
try convert anndata-csr.h5ad --columns-from highly_variable
try convert -q anndata-csr.h5ad --columns D,A
try convert -q doubled.h5ad
try convert -q anndata-csr.h5ad --label nothing
try convert -q anndata-csr.h5ad --columns-from nothing
try convert -q anndata-csr.h5ad:layers/nothing
try convert -q anndata-csr.h5ad:var/highly_variable --label kind

echo '--- codes into the file'
cp anndata-csr.h5ad cells.h5ad
"$SCREE" fit -q cells.h5ad -k 2 -o m.scree 2>/dev/null
try project -q m.scree cells.h5ad -o cells.h5ad
try ls cells.h5ad
"$SCREE" project -q m.scree anndata-csr.h5ad --format csv | cut -d, -f2- >want.csv
"$SCREE" convert -q cells.h5ad:obsm/X_pca | cut -d, -f2- | sed 1d >out.csv
sed 1d want.csv | cmp - out.csv && echo same
try project -q m.scree cells.h5ad cells.h5ad -o other.h5ad
try project -q m.scree anndata-csr.h5ad:layers/dense --whiten -o other.h5ad
try ls other.h5ad
"$SCREE" convert -q anndata-csr.h5ad rows.csv
try project -q m.scree rows.csv -o other.h5ad
try score -q m.scree cells.h5ad -o cells.h5ad
try project -q m.scree m.scree -o m.scree
"$SCREE" fit -q 10x-v2.h5 -k 2 -o v2.scree 2>/dev/null
try project -q v2.scree 10x-v2.h5 -o other.h5ad
try project -q v2.scree anndata-csr.h5ad -o other.h5ad
ls

echo '--- 10x'
try ls 10x-v3.h5
try convert 10x-v3.h5
try convert 10x-v2.h5
try convert 10x-features.h5
try convert '10x-features.h5:Antibody Capture'
try convert 10x-features.h5 --dataset Antibodies
try convert 10x-two.h5
try convert -q 10x-two.h5:mm10
try convert 10x-v3.h5 --label x
try convert 10x-short.h5

echo '--- files that lie'
for file in index negative starts last shape many names links; do
    try convert -q bad-$file.h5ad
done
try convert -q bad-codes.h5ad --label kind
