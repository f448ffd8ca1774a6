# SPDX-License-Identifier: BSD-3-Clause
# What the command tests share.

# Shows a call of scree, what it prints and its exit code.
try()
{
    echo "\$ scree${*:+ $*}"
    "$SCREE" "$@"
    echo "exit $?"
}

# The same where digits depend on the machine: times, and bounds that come from rounding.
try_report()
{
    try "$@" 2>&1 | sed -E 's/[0-9]\.[0-9]e[-+][0-9]+/#.#e-##/g; s/[0-9.]+ (µs|ms|s)$/# s/'
}

# Numbers to nine decimals: processors round the last digits differently.
nine_decimals()
{
    sed -E 's/([0-9]\.[0-9]{9})[0-9]+/\1/g'
}

# sentence: the test cannot run here, and why.
skip()
{
    echo "skipped: $*"
    exit 77
}

# For tests that watch what is done on a terminal.
need_terminal()
{
    command -v python3 >python3.path || skip 'there is no python3 to open a terminal with'
    python3 "$SRC/tests/cli/on_terminal.py" true || exit 77
    rm python3.path
}

# For tests of pictures: without a font, letters are boxes, and not the same ones twice.
need_font()
{
    flowers >font.csv
    "$SCREE" fit -q font.csv -k 1 -o font.scree
    "$SCREE" plot -q font.scree --outlines -o font.svg
    grep -q glyph font.svg || skip 'there is no font here to draw letters with'
    rm font.csv font.scree font.svg
}

# What lies in the folder, hidden files too.
left()
{
    echo "left: $(ls -A | tr '\n' ' ')"
}

# Four columns with names and a label; the same numbers everywhere.
flowers()
{
    cat <<'END'
sepal_length,sepal_width,petal_length,petal_width,species
5.1,3.5,1.4,0.2,setosa
4.9,3.0,1.4,0.2,setosa
4.7,3.2,1.3,0.2,setosa
5.4,3.9,1.7,0.4,setosa
7.0,3.2,4.7,1.4,versicolor
6.4,3.2,4.5,1.5,versicolor
5.5,2.3,4.0,1.3,versicolor
6.3,3.3,6.0,2.5,virginica
5.8,2.7,5.1,1.9,virginica
7.1,3.0,5.9,2.1,virginica
END
}

# rows columns: numbers without a header that are full of small differences.
numbers()
{
    awk -v n="$1" -v d="$2" 'BEGIN {
        for (i = 0; i < n; i++)
            for (j = 0; j < d; j++)
                printf "%d%s", (i * 7919 + j * 104729 + i * j * 31) % 1009, j + 1 < d ? "," : "\n"
    }'
}

# shape type: the header of an NPY of version 1, 128 bytes with what stands before it.
npy_header()
{
    printf '\223NUMPY\001\000\166\000'
    printf "%-117s\n" "{'descr': '$2', 'fortran_order': False, 'shape': ($1), }"
}

# count: that many zero bytes.
zeros()
{
    head -c "$1" /dev/zero
}
