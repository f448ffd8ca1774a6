# SPDX-License-Identifier: BSD-3-Clause
# Columns of numbers that a model does not know are left out, or copied, and one line says so, whatever is asked.
. "$SRC/tests/cli/lib.sh"

flowers | awk -F, -v OFS=, '{ print $0, NR == 1 ? "height" : NR, NR == 1 ? "c a" : NR % 3, NR == 1 ? "z" : 2 * NR,
    NR == 1 ? "w" : 1 / NR }' >more.csv
flowers >flowers.csv
"$SCREE" fit -q flowers.csv -k 2 -o model.scree
cut -d, -f1-6 more.csv >one.csv
for name in score project posterior impute explore 'reconstruct --data'; do
    echo "--- $name"
    case $name in
    reconstruct*) "$SCREE" reconstruct model.scree --data more.csv -o out.csv 2>&1 | grep 'not in the model' ;;
    *) "$SCREE" "$name" model.scree more.csv -o out.csv 2>&1 | grep 'not in the model' ;;
    esac
done
echo '--- one of them; none; when nothing is to be said; codes'
"$SCREE" score model.scree one.csv 2>&1 >out.csv | grep -c "column not in the model and left out: 'height'"
"$SCREE" score model.scree flowers.csv 2>&1 >out.csv | grep -c 'left out'
"$SCREE" score -q model.scree more.csv 2>&1 >out.csv | grep -c 'left out'
"$SCREE" project -q model.scree more.csv -o codes.csv
"$SCREE" reconstruct model.scree codes.csv 2>&1 >out.csv | grep -c 'left out'
echo '--- the answer is the same'
"$SCREE" project -q model.scree flowers.csv | cmp - codes.csv
