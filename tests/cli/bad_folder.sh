# SPDX-License-Identifier: BSD-3-Clause
# An unwritable folder is found before the work begins. Root may write everywhere but in /sys.
. "$SRC/tests/cli/lib.sh"
[ -d /sys ] || skip 'there is no /sys here'

flowers >flowers.csv
"$SCREE" fit -q flowers.csv -k 2 -o model.scree
{
    try fit flowers.csv -o /sys/model.scree
    try project model.scree flowers.csv -o /sys/codes.csv
    try convert flowers.csv /sys/flowers.npy
} 2>&1 | sed 's/(.*)/(reason)/'
left
