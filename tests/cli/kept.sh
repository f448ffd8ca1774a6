# SPDX-License-Identifier: BSD-3-Clause
# What earlier versions wrote is read for ever, and answers as it did then: the last digits may differ by the machine.
. "$SRC/tests/cli/lib.sh"

# same NAME: what was answered now, in NAME, and then; a probability is computed to 3 digits, everything else to 9.
same()
{
    awk -F, -v name="$1" '
        function size(a) { return a < 0 ? -a : a }
        function differs(a, b, digits) { return a != b && (size(a - b) > digits * (1 + size(a)) || a + 0 != a || b + 0 != b) }
        NR == FNR { then[FNR] = $0; count = FNR; next }
        {
            fields = split(then[FNR], old, ",")
            if (FNR == 1) for (i = 1; i <= NF; i++) digits[i] = $i == "p_value" ? 1e-3 : 1e-9
            if (fields != NF) { print name ": line " FNR " has " NF " fields, and had " fields; bad = 1 }
            for (i = 1; i <= NF; i++)
                if (differs($i, old[i], digits[i])) { print name ": line " FNR ": " $i " where " old[i] " was"; bad = 1 }
        }
        END { if (FNR != count) { print name ": " FNR " lines where " count " were"; bad = 1 }; if (!bad) print name ": the same" }' \
        "$kept/$1" "$1"
}

for kept in "$SRC"/tests/kept/*/; do
    echo "version $(basename "$kept")"
    for model in "$kept"*.scree; do
        name=$(basename "$model" .scree)
        "$SCREE" project -q "$model" "$kept/rows.csv" -o "$name.codes.csv" && same "$name.codes.csv"
    done
    "$SCREE" score -q "$kept/pca.scree" "$kept/rows.csv" -o pca.scores.csv && same pca.scores.csv
    for name in lossless lossy; do
        "$SCREE" decompress -q "$kept/$name.screez" -o all.csv && head -n 20 all.csv >$name.csv && same $name.csv
    done
done
