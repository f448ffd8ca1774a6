# SPDX-License-Identifier: BSD-3-Clause
# scree plan: one row a method, one of them marked, a reason for each; the marked one is what fit does.
. "$SRC/tests/cli/lib.sh"

numbers 300 40 >tall.csv
numbers 20 300 >wide.csv
for data in tall.csv wide.csv; do
    "$SCREE" plan $data -k 3 >plan 2>notes
    echo "exit $?"
    head -1 plan | tr -s ' '
    awk 'NR > 1 && NF && $1 == "*" { print "one is marked" }' plan
    awk '/^(covariance|gram|svd|lanczos): ./ { print $1, "has a reason" }' plan
    chosen=$(awk '$1 == "*" { print $2 }' plan)
    used=$("$SCREE" fit $data -k 3 -o model.scree 2>notes | sed -n 's/^method \([a-z]*\).*/\1/p')
    [ "$chosen" = "$used" ] || echo "$chosen was planned, $used was used"
    awk '{ gsub(/[\200-\277]/, "") } length > 80 && !/:/ { print "too wide: " $0 }' plan
done
"$SCREE" plan tall.csv -k 3 --solver svd 2>notes | awk '$1 == "*" { print $2 }'
