# SPDX-License-Identifier: BSD-3-Clause
# The eights of MNIST, as in Figures 10.12 and 10.13 of the book: test images from 1, 10, 100 and 500 components of the
# training images, and the error over M. Needs the data set; set MNIST to its folder. It needs pictures.
. "$SRC/tests/cli/lib.sh"

folder=${MNIST:-$SRC/../shared/data/mnist}
[ -r "$folder/train-images-idx3-ubyte.gz" ] && [ -r "$folder/t10k-labels-idx1-ubyte.gz" ] ||
    skip 'MNIST is not here; set MNIST to its folder'

# part: its eights, without a header.
eights()
{
    "$SCREE" convert -q "$folder/$1-images-idx3-ubyte.gz" images.csv
    "$SCREE" convert -q "$folder/$1-labels-idx1-ubyte.gz" labels.csv
    paste -d, labels.csv images.csv | sed -n 's/^8,//p' >"$1.csv"
    rm images.csv labels.csv
    wc -l <"$1.csv"
}
eights train
eights t10k
"$SCREE" fit -q train.csv -k 600 -o eights.scree
echo '--- four test images five times'
"$SCREE" plot -q eights.scree t10k.csv --image 28x28 --kind reconstruction --at 1,10,100,500 -o rebuilt.svg
grep -c '<image' rebuilt.svg
echo '--- the error of test images falls with M, and is next to nothing with 500'
for m in 1 10 100 500; do
    "$SCREE" reconstruct eights.scree --data t10k.csv -k $m -o back.csv 2>said
    sed -n 's/.*error \([0-9.e+]*\).*/\1/p' said | head -1
done | awk '{ if (NR > 1 && $1 >= last) print "rises"; last = $1; if (NR == 1) first = $1 }
    END { print NR " errors"; print (last < first / 100 ? "next to nothing" : last " of " first) }'
echo '--- with about 550 components the training images are nearly whole'
"$SCREE" info eights.scree --json | tr -d '\n\t' | sed 's/.*"reconstruction_errors"://; s/\].*//; s/\[//' | tr , '\n' |
    awk 'NR == 1 { first = $1 } NR == 550 { print ($1 < 0.001 * first ? "nearly whole" : $1 / first) }'
"$SCREE" plot eights.scree --kind error --at 1,10,100,500 --terminal unicode | grep -c 'M = '
