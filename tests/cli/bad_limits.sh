# SPDX-License-Identifier: BSD-3-Clause
# A memory limit that is too small says how much would do, and that much does; a pipe cannot be read twice.
. "$SRC/tests/cli/lib.sh"

numbers 300 200 >numbers.csv
echo '--- memory'
"$SCREE" fit numbers.csv -k 5 --memory 4K -o model.scree 2>message
echo "exit $?"
sed -E 's/[0-9]+(\.[0-9]+)? ?([kKMG]i?B?|bytes)/# bytes/g' message
left
for solver in covariance gram svd lanczos; do
    "$SCREE" fit numbers.csv -k 5 --solver $solver --memory 4K -o model.scree 2>message
    echo "$solver: exit $?"
    enough=$(grep -oE -e '--memory [0-9]+[A-Za-z]*' message | cut -d' ' -f2)
    [ -n "$enough" ] || cat message
    "$SCREE" fit -q numbers.csv -k 5 --solver $solver --memory "$enough" -o model.scree
    echo "with what would do: exit $?"
    rm -f model.scree
done
rm message
left
echo '--- pipe'
for solver in lanczos; do
    cat numbers.csv | try fit - -k 5 --solver $solver -o model.scree
done
left
for solver in covariance; do
    cat numbers.csv | try fit -q - -k 5 --solver $solver -o model.scree
done
left
