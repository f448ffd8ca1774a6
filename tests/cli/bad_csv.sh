# SPDX-License-Identifier: BSD-3-Clause
# CSV that cannot be fitted: one sentence with the place and the remedy, exit code 1, and nothing is left behind.
. "$SRC/tests/cli/lib.sh"

# Fits what standard input has, with more options if any.
fit()
{
    echo "--- $1"
    shift
    cat >data.csv
    try fit data.csv -o model.scree "$@"
    rm data.csv
    left
}

echo '--- no such file'
try fit missing.csv -o model.scree
try fit . -o model.scree
left
fit 'empty file' </dev/null
printf 'a,b,c\n' | fit 'header only'
printf 'a,b,c\n1,2,3\n' | fit 'one row'
printf 'a,b,c\n1,2,3\n4,5\n6,7,8\n' | fit 'ragged row: too few cells'
printf 'a,b,c\n1,2,3\n4,5,6\n6,7,8,9\n' | fit 'ragged row: too many cells'
printf 'height,weight\n1,2\n3,4\n5,heavy\n6,7\n' | fit 'text in a numeric column'
printf '1,2\n3,4\n5,6x\n6,7\n' | fit 'text in a numeric column without a name'
printf 'height,weight\n1,2\n3,\n5,6\n' | fit 'missing cell, empty' --solver covariance
printf 'height,weight\n1,2\n3,4\nNA,6\n' | fit 'missing cell, NA' --solver svd
printf 'height,weight\n1,2\n3,nan\n5,6\n' | fit 'missing cell, nan' --solver covariance
printf 'height,weight\n1,2\n3,inf\n5,6\n' | fit 'infinite cell'
printf 'height,weight\n1,2\n3,-Infinity\n5,6\n' | fit 'infinite cell, negative'
printf 'height,weight\n1,2\n3,1e999\n5,6\n' | fit 'a number too large for a double'
printf 'a,b\n3,7\n3,7\n3,7\n' | fit 'all columns constant'
printf 'a,b\n"1,2\n3,4\n5,6\n' | fit 'quote that is never closed'
printf 'name,kind\nx,y\nz,w\n' | fit 'text columns only'
echo '--- columns that are not there'
printf 'height,weight\n1,2\n3,4\n5,7\n' >data.csv
try fit data.csv -o model.scree --columns height,wieght
try fit data.csv -o model.scree --columns 3
try fit data.csv -o model.scree --label species
rm data.csv
left
echo '--- files of other programs'
printf '[\n{"a": 1, "b": 2},\n{"a": 3, "b": 5}\n]\n' >data.json
try fit data.json -o model.scree
printf 'PK\003\004 and so on' >data.npz
try fit data.npz -o model.scree
rm data.json data.npz
left
