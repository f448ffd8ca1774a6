# SPDX-License-Identifier: BSD-3-Clause
# Models that cannot be trusted: damaged, of an unknown version, or not models at all.
. "$SRC/tests/cli/lib.sh"

flowers >flowers.csv
"$SCREE" fit -q flowers.csv -k 2 -o good.scree

# The numbers of a model, and so its checksum, depend on the machine in their last digits.
use()
{
    echo "--- $1"
    {
        try info bad.scree
        try project bad.scree flowers.csv -o codes.csv
    } 2>&1 | sed -E 's/checksum is [0-9a-f]+ where [0-9a-f]+/checksum is # where #/; s/has [0-9]+ bytes/has # bytes/'
    left
}

echo '--- no such file'
try info missing.scree
: >bad.scree
use 'empty'
cp flowers.csv bad.scree
use 'a CSV'
head -c 100 good.scree >bad.scree
use 'cut in the header'
head -c $(($(wc -c <good.scree) - 10)) good.scree >bad.scree
use 'cut in the numbers'
{ cat good.scree; printf x; } >bad.scree
use 'over-long'
{ head -c $(($(wc -c <good.scree) - 10)) good.scree; printf '\125'; tail -c 9 good.scree; } >bad.scree
use 'a flipped byte in the numbers'
sed 's/sepal_width/sepal_wodth/' good.scree >bad.scree
use 'a flipped byte in the header'
sed 's/"\(scree[a-z_.]*\)":"1"/"\1":"9"/; s/"\(format[a-z_.]*\)":"1"/"\1":"9"/' good.scree >bad.scree
cmp -s good.scree bad.scree && echo 'the version was not found'
use 'an unknown version'
{ printf '\377\377\377\377\377\377\377\017'; tail -c +9 good.scree; } >bad.scree
use 'a header that claims to be huge'
