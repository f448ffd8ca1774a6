# SPDX-License-Identifier: BSD-3-Clause
# The sevens of MNIST's test set under a model of zeros and ones: most are flagged, fresh zeros and ones as often as
# alpha says, and --why names the pixels that reconstruction misses most. Needs the data set; set MNIST to its folder.
. "$SRC/tests/cli/lib.sh"

folder=${MNIST:-$SRC/../shared/data/mnist}
[ -r "$folder/t10k-images-idx3-ubyte.gz" ] && [ -r "$folder/t10k-labels-idx1-ubyte.gz" ] ||
    skip 'the MNIST test set is not here; set MNIST to its folder'

"$SCREE" convert -q "$SRC/data/mnist01/mnist01-1000-images-idx3-ubyte.gz" digits.csv
sed -n '1p;2,501p' digits.csv >fit.csv
sed -n '1p;502,1001p' digits.csv >calibrate.csv
"$SCREE" fit -q fit.csv -k 50 -o digits.scree
"$SCREE" score -q digits.scree "$folder/t10k-images-idx3-ubyte.gz" --calibrate calibrate.csv --alpha 0.05 --why 1 \
    -o scores.csv
"$SCREE" convert -q "$folder/t10k-labels-idx1-ubyte.gz" labels.csv
paste -d, labels.csv scores.csv | awk -F, 'NR > 1 { count[$1]++; flagged[$1] += $6 } END {
    print (flagged[7] > 0.6 * count[7] ? "sevens are flagged" : "sevens pass: " flagged[7] " of " count[7])
    rate = (flagged[0] + flagged[1]) / (count[0] + count[1])
    print (rate < 0.08 ? "zeros and ones pass" : "zeros and ones are flagged: " rate) }'
echo '--- the first image is a seven'
sed -n 2p labels.csv
sed -n 2p scores.csv | awk -F, '{ print $5 }'
"$SCREE" convert -q "$folder/t10k-images-idx3-ubyte.gz" | head -2 >first.csv
"$SCREE" reconstruct -q digits.scree --data first.csv -o kept.csv
blamed=$(sed -n '2s/.*,c\([0-9]*\) .*/\1/p' scores.csv)
(tail -1 first.csv; tail -1 kept.csv) | awk -F, -v blamed="$blamed" 'NR == 1 { for (j = 1; j <= NF; j++) x[j] = $j }
    NR == 2 { worst = 1; for (j = 1; j <= NF; j++) if (($j - x[j]) ^ 2 > ($worst - x[worst]) ^ 2) worst = j
    print (worst == blamed ? "the pixel to blame is the one that is missed most" : blamed " blamed, " worst " missed") }'
