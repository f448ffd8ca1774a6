# SPDX-License-Identifier: BSD-3-Clause
# What a network shows, and what it has nothing to show of. It needs pictures.
. "$SRC/tests/cli/lib.sh"

flowers >flowers.csv
"$SCREE" autoencode -q flowers.csv --code 2 --linear -o net.scree
try plot net.scree flowers.csv --width 60 -q | head -2
try plot net.scree --width 60 | head -2
try plot net.scree --kind scree
try plot net.scree flowers.csv -q --kind outliers
try plot net.scree flowers.csv -q --kind biplot
left
