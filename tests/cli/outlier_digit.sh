# SPDX-License-Identifier: BSD-3-Clause
# A seven, drawn with a thick pen, among handwritten zeros and ones: it is flagged, ones and zeros are not, and --why
# names pixels of its strokes, or beside them, where ink is missing.
. "$SRC/tests/cli/lib.sh"

"$SCREE" convert -q "$SRC/data/mnist01/mnist01-1000-images-idx3-ubyte.gz" digits.csv
sed -n '1p;2,601p' digits.csv >fit.csv
sed -n '1p;602,901p' digits.csv >calibrate.csv
sed -n '1p;902,1001p' digits.csv >new.csv
awk 'BEGIN {
    for (r = 0; r < 28; r++)
        for (c = 0; c < 28; c++) {
            bar = r >= 6 && r <= 8 && c >= 6 && c <= 20
            slope = 20 - (r - 8) * 0.5
            stem = r > 8 && r <= 22 && c >= slope - 2 && c <= slope
            printf "%d%s", bar || stem ? 255 : 0, r * 28 + c < 783 ? "," : "\n"
        } }' >strokes
(head -1 digits.csv; cat strokes) >seven.csv
"$SCREE" fit -q fit.csv -k 50 -o digits.scree
try score digits.scree seven.csv --calibrate calibrate.csv --alpha 0.02 --why 5 -q -o seven.out.csv
awk -F, 'NR > 1 { print ($5 == 1 ? "the seven is an outlier" : "the seven passes, p = " $4) }' seven.out.csv
"$SCREE" score digits.scree new.csv --calibrate calibrate.csv --alpha 0.02 -q | awk -F, 'NR > 1 { n += $5 }
    END { print (n <= 10 ? "zeros and ones pass" : n " zeros and ones of 100 are flagged") }'
sed -n '2s/.*"\(.*\)"/\1/p' seven.out.csv | tr ',' '\n' | sed 's/.*c\([0-9]*\) .*/\1/' >blamed
wc -l <blamed
while read -r column; do
    cut -d, -f"$((column - 1))-$((column + 1))" strokes | grep -q 255 || echo "pixel $column is not of the strokes"
done <blamed
