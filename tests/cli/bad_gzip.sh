# SPDX-License-Identifier: BSD-3-Clause
# Damaged gzip data, from a file and from a pipe.
. "$SRC/tests/cli/lib.sh"

numbers 200 5 | gzip -9n >good.csv.gz
size=$(wc -c <good.csv.gz)
echo '--- truncated'
head -c 300 good.csv.gz >bad.csv.gz
try fit bad.csv.gz -o model.scree
left
echo '--- truncated, in a pipe'
try fit - -o model.scree <bad.csv.gz
left
echo '--- checksum'
{ head -c $((size - 8)) good.csv.gz; printf 'xxxx'; tail -c 4 good.csv.gz; } >bad.csv.gz
try fit bad.csv.gz -o model.scree
left
echo '--- a byte in the middle'
{ head -c 200 good.csv.gz; printf '\377\377\377\377'; tail -c +205 good.csv.gz; } >bad.csv.gz
try fit bad.csv.gz -o model.scree 2>&1 | sed 's/near byte [0-9]*/near byte #/; s/([a-z -]*)/(#)/'
left
echo '--- followed by something else'
{ cat good.csv.gz; echo 'some text'; } >bad.csv.gz
try fit bad.csv.gz -o model.scree
left
