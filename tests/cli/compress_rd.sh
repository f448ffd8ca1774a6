# SPDX-License-Identifier: BSD-3-Clause
# The rate-distortion curve: a table, a picture, both in a terminal; what cannot be drawn.
# It needs pictures.
. "$SRC/tests/cli/lib.sh"
need_font
need_terminal

flowers >flowers.csv
echo '--- pictures that others can read, the same twice'
for format in svg pdf png; do
    try compress -q --rd flowers.csv -o one.$format
    "$SCREE" compress -q --rd flowers.csv --threads 3 --block-rows 7 -o two.$format
    cmp one.$format two.$format
done
xmllint --noout one.svg
pdfinfo one.pdf | grep '^Pages'
head -c 4 one.png | od -A n -c
echo '--- dark and narrow'
"$SCREE" compress -q --rd flowers.csv --dark --width 400 -o dark.png
od -A n -t u1 -j 16 -N 8 dark.png
"$SCREE" compress -q --rd flowers.csv --width 400 -o light.png
cmp -s light.png dark.png || echo another picture
echo '--- a picture and its numbers'
"$SCREE" compress -q --rd flowers.csv --json -o with.svg | grep -c bits_per_value
cmp one.svg with.svg
echo '--- in a terminal a picture and the table, elsewhere the table'
on_terminal="python3 $SRC/tests/cli/on_terminal.py"
TMUX=1 NO_COLOR=1 TERM=xterm $on_terminal "$SCREE" compress -q --rd flowers.csv | tr -d '\r' >shown
grep -c -E '^Rate and distortion|what an archive takes' shown
"$SCREE" compress -q --rd flowers.csv >table
tail -n 12 shown | cmp - table
TMUX=1 TERM=xterm $on_terminal "$SCREE" compress -q --rd --json flowers.csv | grep -c 'Rate and'
echo '--- what cannot be drawn'
rm -f ./*.svg ./*.png ./*.pdf shown table
try compress --rd flowers.csv -o curve.txt
try compress --rd flowers.csv -o -
try compress --rd flowers.csv --width 100 -o curve.svg
try compress flowers.csv --dark -o flowers.screez
try compress --rd flowers.csv --width 400
try compress -q --rd flowers.csv -o nowhere/curve.svg
cp flowers.csv flowers.svg
try compress -q --rd flowers.svg --input-format csv -o flowers.svg
cmp flowers.csv flowers.svg
printf 'a,b\n1,2\n1,2\n1,2\n' >same.csv
try compress -q --rd same.csv -o curve.svg
left
