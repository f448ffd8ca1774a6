# SPDX-License-Identifier: BSD-3-Clause
# A command beside which there is no libscree-view: it works, says in one sentence what pictures need, leaves nothing
# behind, and the demo goes on without them.
. "$SRC/tests/cli/lib.sh"

library=$(ldd "$SCREE" | awk '/libscree\.so/ {print $3}')
[ -e "$library" ] || skip 'this command does not load libscree.so'
! ldconfig -p 2>/dev/null | grep -q libscree-view || skip 'the system has a libscree-view'
mkdir alone
cp "$SCREE" "$library" alone
flowers >flowers.csv
"$SCREE" fit -q flowers.csv -k 2 -o model.scree
export LD_LIBRARY_PATH="$PWD/alone"
SCREE=$PWD/alone/scree

# Without the reason, which is the loader's or the build's.
plain() { sed -E "s|^(without pictures and pages: )?(scree: )?(pictures and pages need libscree-view.*)|\1\2REASON: \3|;
    s|(scree: )?this scree was built without.*|\1REASON|; s|REASON: .*|REASON|; s|$PWD/alone/||g"; }
try version 2>&1 | sed -E 's/^scree [0-9.]*$/scree #/; /^with(out)? [a-z0-9]+:/d' | plain
try plot model.scree -o picture.svg 2>&1 | plain
try plot model.scree 2>&1 | plain
try report model.scree flowers.csv -o page.html 2>&1 | plain
"$SCREE" report model.scree flowers.csv -o page.html 2>&1 | grep -c 'Cairo and Pango'
left
echo '--- the demo'
"$SCREE" demo -o demo >printed
echo "exit $?"
grep -E '^\$|left out' printed | plain | sed 's|left out: .*|left out: REASON|'
ls demo
