# SPDX-License-Identifier: BSD-3-Clause
# The path that people take first: fit with the defaults, then ask. On tables that are small, flat, tied, constant or
# wide every question is answered, or one sentence says why not; p-values are numbers between 0 and 1, or NaN.
. "$SRC/tests/cli/lib.sh"

# What a command says: its exit code, and the sentence where it fails.
say()
{
    "$SCREE" "$@" -o "out.csv" >said 2>&1
    code=$?
    case $code in
    0) echo "  $1: works" ;;
    *) echo "  $1: exit $code, $(tail -1 said)" ;;
    esac
}

# The p-values of rows: how many there are, how many are none, and whether one is no probability.
check()
{
    "$SCREE" score -q table.scree table.csv $1 -o out.csv || return
    awk -F, -v what="${1:-new}" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "p_value") at = i; next }
        { rows++; if ($at == "nan" || $at == "") none++; else if (!($at >= 0 && $at <= 1)) bad++ }
        END { printf "  %s: %d p-values, %d none, %d wrong\n", what, rows - none, none, bad }' out.csv
}

# name: the table is table.csv.
path()
{
    echo "--- $1"
    "$SCREE" fit table.csv -o table.scree >said 2>&1 || { echo "  fit: $(tail -1 said)"; return; }
    grep -h 'probability model' said || echo 'all components'
    check
    check --training
    say posterior table.scree table.csv
    say sample table.scree -n 3
    say explore table.scree table.csv
    say impute table.scree table.csv
    rm -f table.scree out.* said
}

# rows columns: noise, the same everywhere.
noise()
{
    awk -v n="$1" -v d="$2" 'BEGIN {
        for (i = 1; i <= n; i++)
            for (j = 1; j <= d; j++) {
                x = sin(i * 12.9898 + j * 78.233) * 43758.5453
                y = sin(i * 39.3468 + j * 11.135) * 24634.6345
                printf "%.6f%s", x - int(x) + y - int(y), j < d ? "," : "\n"
            }
    }'
}

flowers | cut -d, -f1-4 >table.csv
path 'ten flowers'
noise 40 6 >table.csv
path 'nothing but noise'
noise 40 6 | sed 's/$/,7/' >table.csv
path 'a constant column'
noise 40 4 | awk -F, -v OFS=, '{ print $0, $1 }' >table.csv
path 'a column twice'
noise 40 5 | awk -F, -v OFS=, '{ for (i = 1; i <= NF; i++) $i = int(2 * $i); print }' >table.csv
path 'whole numbers with ties'
noise 8 30 >table.csv
path 'more columns than rows'
noise 20 1 >table.csv
path 'one column'
noise 3 3 >table.csv
path 'three rows'
noise 2 3 >table.csv
path 'two rows'
noise 1 3 >table.csv
path 'one row'
printf '1,2\n1,2\n1,2\n' >table.csv
path 'rows that are all the same'
noise 40 6 | sed '3s/[^,]*/nan/' >table.csv
path 'a gap'

# what options: new rows of a table whose last column is the sum of the others, and one whose sum is wrong.
flat()
{
    echo "--- $1"
    shift
    "$SCREE" fit -q flat.csv "$@" -o flat.scree
    "$SCREE" score -q flat.scree new.csv "$@" 2>/dev/null | awk -F, 'NR > 1 && NR < 102 { low += $4 <= 0.05; bad += !($4 >= 0 && $4 <= 1) }
        NR == 102 { last = $4 } END { printf "  %s of 100 at 0.05, %d wrong; a wrong sum: p = %g\n", low < 12 ? "few" : low, bad, last }'
}
for columns in 3 45; do
    noise 170 $columns | awk -F, -v OFS=, '{ sum = 0; for (i = 1; i <= NF; i++) sum += $i; print $0, sprintf("%.6f", sum), 5 }' >all.csv
    head -70 all.csv >flat.csv
    tail -100 all.csv >new.csv
    tail -1 all.csv | awk -F, -v OFS=, '{ $(NF - 1) += 1; print }' >>new.csv
    flat "$columns columns, their sum and a constant, two components" -k 2
    flat 'one component' -k 1
done
