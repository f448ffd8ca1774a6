# SPDX-License-Identifier: BSD-3-Clause
# Standard input and output, gzip, and readers that go away.
. "$SRC/tests/cli/lib.sh"

flowers >flowers.csv
"$SCREE" fit -q flowers.csv -k 2 --solver covariance -o flowers.scree
echo '--- rows from a pipe, model to a pipe'
cat flowers.csv | "$SCREE" fit -q - -k 2 --solver covariance -o - >piped.scree
cmp flowers.scree piped.scree
echo '--- gzip from a file and a pipe'
gzip -c flowers.csv >flowers.csv.gz
"$SCREE" fit -q flowers.csv.gz -k 2 --solver covariance -o zipped.scree
cmp flowers.scree zipped.scree
gzip -c flowers.csv | "$SCREE" fit -q - -k 2 --solver covariance -o zipped.scree
cmp flowers.scree zipped.scree
echo '--- model from a pipe'
cat flowers.scree | "$SCREE" info - | sed -n '2,4p'
echo '--- the report leaves standard output to the model'
"$SCREE" fit flowers.csv -k 2 -o - 2>report >piped.scree
"$SCREE" info piped.scree | sed -n 2p
sed -n '1s/, 1 pass.*//p' report
echo '--- formats'
"$SCREE" convert -q flowers.csv --columns 1-4 flowers.npy
"$SCREE" convert -q flowers.npy --format npy >piped.npy
cmp flowers.npy piped.npy
try convert flowers.csv --columns 1-4 --format npy
cat flowers.npy | "$SCREE" convert - --format tsv
"$SCREE" convert -q flowers.npy small.npy --type f4
wc -c <small.npy
"$SCREE" convert -q small.npy | head -2
printf '\000\000\010\003\000\000\000\003\000\000\000\002\000\000\000\002abcdefghijkl' >images-idx3-ubyte
try convert images-idx3-ubyte
"$SCREE" convert -q images-idx3-ubyte images.npy
head -c 128 images.npy | tail -c 118 | head -c 60
echo
echo '--- a reader that goes away'
numbers 20000 10 >numbers.csv
"$SCREE" convert numbers.csv | head -1
left
echo '--- a reader that has seen enough of a report: what was to be written is there'
rm -f flowers.scree
mkfifo away
exec 4<>away 3>away 4>&- # nobody reads it any more
rm away
"$SCREE" fit flowers.csv -k 2 -o flowers.scree >&3
echo "exit $?"
"$SCREE" fit flowers.csv --state flowers.state >&3
echo "exit $?"
"$SCREE" merge flowers.state flowers.state -o twice.state >&3
echo "exit $?"
"$SCREE" update flowers.state flowers.csv >&3
echo "exit $?"
"$SCREE" info twice.state | sed -n 2p
echo '--- rows or a model that nobody reads, and a disk that is full'
"$SCREE" project -q flowers.scree flowers.csv >&3
echo "exit $?"
"$SCREE" fit -q flowers.csv -k 2 -o - >&3
echo "exit $?"
"$SCREE" fit flowers.csv -k 2 -o full.scree >/dev/full
echo "exit $?"
exec 3>&-
left
