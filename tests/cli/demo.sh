# SPDX-License-Identifier: BSD-3-Clause
# scree demo: what it prints, that it fits a terminal, that its commands do what it did, and colours only where they
# belong.
# It needs pictures.
. "$SRC/tests/cli/lib.sh"
need_font
need_terminal

mkdir bin
ln -s "$SCREE" bin/scree
PATH=$PWD/bin:$PATH
SCREE=scree

scree demo >printed
echo "exit $?"
! grep -q 'needs D3' printed || skip 'this scree was built without D3'
sed -E 's/[0-9]\.[0-9]e-[0-9]+/#.#e-##/g; s/[0-9.]+ (µs|ms|s)$/# s/; s/difference [0-9]e[-+][0-9]+/difference #/' printed
ls scree-demo
echo '--- in 80 columns, without escape sequences'
awk '{ gsub(/[\200-\277]/, "") } length > 80 { print "too wide: " $0 }' printed
grep -c "$(printf '\033')" printed
echo '--- its commands, pasted, make the same files'
sed -n '/^\$ /,/[^\\]$/ s/^\$ //p; /^    -[-o]/p' printed >commands.sh
grep -c . commands.sh
mv scree-demo first
mkdir scree-demo
cp first/digits.idx.gz first/labels.idx.gz scree-demo
sh -e commands.sh >again 2>&1
echo "exit $?"
for file in digits.scree codes.csv rows.npy figure-10-10.png report.html; do
    cmp first/$file scree-demo/$file && echo "$file is the same"
done
echo '--- colours on a terminal, unless NO_COLOR says no'
on_terminal="python3 $SRC/tests/cli/on_terminal.py"
TERM=xterm-256color $on_terminal scree demo >coloured
for colour in 25 172; do grep -q "$(printf '\033\[0;38;5;%dm' $colour)" coloured && echo "colour $colour"; done
NO_COLOR=1 TERM=xterm-256color $on_terminal scree demo | grep -c "$(printf '\033')"
echo '--- another folder, with a name that shells take apart'
scree demo -o "it's here" | grep '^\$ .* info'
ls "it's here"
echo '--- where nothing can be written'
try demo -o no/such/folder
touch file
try demo -o file
left
try demo digits
