# SPDX-License-Identifier: BSD-3-Clause
# What the machine can do is measured for a plan of something large, and kept where the user's cache is; nothing else
# writes there, and the method that is chosen does not depend on it.
. "$SRC/tests/cli/lib.sh"

# 100000 × 1000 floats of a file with holes: a plan reads nothing of them.
printf '\223NUMPY\001\000v\000%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (100000, 1000), }" >large.npy
truncate -s $((128 + 4 * 100000 * 1000)) large.npy
numbers 300 40 >small.csv
mkdir home mine xdg

# What times rest on, and where rates were kept.
kept()
{
    "$SCREE" plan -q "$1" -k 5 | tail -1 | sed 's/:.*//'
    find home mine xdg -name 'rates-*' | sed 's/rates-.*/rates/'
    find home mine xdg -name 'rates-*' -delete
}
HOME=$PWD/home
export HOME
unset XDG_CACHE_HOME SCREE_CACHE
echo '--- HOME'
kept large.npy
echo '--- a small job'
kept small.csv
echo '--- XDG_CACHE_HOME'
XDG_CACHE_HOME=$PWD/xdg kept large.npy
echo '--- a relative one does not count'
XDG_CACHE_HOME=xdg kept large.npy
echo '--- SCREE_CACHE'
SCREE_CACHE=$PWD/mine kept large.npy
echo '--- off, empty, relative'
for cache in off '' mine; do
    SCREE_CACHE=$cache kept large.npy
done
echo '--- no home'
HOME='' kept large.npy
echo '--- a fit keeps nothing'
"$SCREE" fit -q small.csv -k 2 -o small.scree
"$SCREE" select -q small.csv >selected
find home mine xdg -type f
rm -r home mine xdg
left
