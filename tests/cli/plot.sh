# SPDX-License-Identifier: BSD-3-Clause
# Pictures: every kind to every format, valid and the same bytes again; in the terminal; what cannot be drawn.
# It needs pictures.
. "$SRC/tests/cli/lib.sh"
need_font
need_terminal

images=$SRC/data/mnist01/mnist01-1000-images-idx3-ubyte.gz
labels=$SRC/data/mnist01/mnist01-1000-labels-idx1-ubyte.gz
flowers >flowers.csv
"$SCREE" fit -q flowers.csv -k 2 -o flowers.scree
"$SCREE" fit -q "$images" -k 20 -o digits.scree
echo '--- letters'
try plot flowers.scree
try plot -q flowers.scree flowers.csv --highlight 4
try plot flowers.scree --kind loadings --terminal unicode --width 60
echo '--- files that others can read, the same twice'
check()
{
    case $1 in
    *.svg) xmllint --noout "$1" || echo "$1 is not XML" ;;
    *.pdf) pdfinfo "$1" | grep -q '^Pages: *1$' || echo "$1 is no PDF of one page" ;;
    *.png) head -c 8 "$1" | cmp -s - "$(printf '\211PNG\r\n\032\n' >head; echo head)" || echo "$1 is no PNG" ;;
    esac
}
for kind in scree error loadings samples circle contributions embedding biplot reconstruction outliers rows cos2; do
    case $kind in
    scree | error | loadings | samples | circle | contributions) table='' digits='' ;;
    *) table=flowers.csv digits=$images ;;
    esac
    for format in svg pdf png; do
        "$SCREE" plot -q flowers.scree $table --kind $kind -o one.$format || echo "$kind as $format failed"
        "$SCREE" plot -q flowers.scree $table --kind $kind --threads 3 --block-rows 7 -o two.$format
        cmp one.$format two.$format
        check one.$format
    done
    "$SCREE" plot digits.scree ${digits:+"$digits"} --kind $kind -o images.svg || echo "$kind of images failed"
    check images.svg
done
echo '--- the figure of the book'
"$SCREE" plot digits.scree "$images" --labels "$labels" -o figure.svg
xmllint --noout figure.svg
grep -c '<image' figure.svg
"$SCREE" plot digits.scree "$images" --labels "$labels" --highlight none -o none.svg
grep -c '<image' none.svg
"$SCREE" plot digits.scree "$images" --kind reconstruction --at 1,5,10,20 -o at.svg
grep -c '<image' at.svg
"$SCREE" plot digits.scree --kind error --at 1,5,10,20 --terminal unicode | grep -o 'M = [0-9]*: [0-9.×⁰¹²³⁴⁵⁶⁷⁸⁹]*'
echo '--- dark, narrow, and for print'
"$SCREE" plot flowers.scree --dark --width 400 -o dark.png
"$SCREE" plot flowers.scree --width 85mm -o print.png
od -A n -t u1 -j 16 -N 8 dark.png
od -A n -t u1 -j 16 -N 8 print.png
echo '--- many points are one image'
"$SCREE" sample flowers.scree -n 30000 -o many.npy
"$SCREE" plot flowers.scree many.npy -o many.svg
xmllint --noout many.svg
grep -c '<image' many.svg
[ "$(wc -c <many.svg)" -lt 2000000 ] || echo 'too large'
"$SCREE" plot flowers.scree many.npy --points 1000 --terminal unicode | sed -n 2p
echo '--- pipes'
cat flowers.csv | "$SCREE" plot -q flowers.scree - -o pipe.svg
"$SCREE" plot -q flowers.scree flowers.csv -o file.svg
sed -n '$p' pipe.svg
echo '--- labels that are anything'
printf 'a,b,c,l\n1,2,3,<script>\n2,1,3,"x\033[31m"\n4,5,1,\302\205\n1,1,1,%s\n' "$(printf '%0300d' 7)" >odd.csv
"$SCREE" fit -q odd.csv -k 2 -o odd.scree
"$SCREE" plot -q odd.scree odd.csv --label l -o odd.svg && xmllint --noout odd.svg
"$SCREE" plot -q odd.scree odd.csv --label l | tail -4
echo '--- labels and names of rows'
awk -F, 'NR == 1 {print "name," $0} NR > 1 {print "plant" NR-1 "," $0}' flowers.csv >named.csv
"$SCREE" plot -q flowers.scree named.csv --highlight 4,9 | grep -o 'plant[0-9]*\|o setosa .*'
"$SCREE" plot -q flowers.scree named.csv --id 1 | tail -1
"$SCREE" plot -q flowers.scree named.csv --label name --width 100 | tail -2
"$SCREE" plot -q flowers.scree named.csv --kind outliers --alpha 0.5 | grep -o 'plant[0-9]*\|outlier .*' | sort
awk -F, 'BEGIN {print "a,b,class"} {for (i = 0; i < 30; i++) if (NR > 1 && i < 13 + NR) print $1 + i "," $2 * i ",k" i}' \
    flowers.csv >classes.csv
"$SCREE" fit -q classes.csv -k 2 -o classes.scree
"$SCREE" plot -q classes.scree classes.csv | tail -3
echo '--- gaps'
sed '3s/4.9//; 5s/1.7/NA/' flowers.csv >gaps.csv
"$SCREE" plot -q flowers.scree gaps.csv --kind outliers -o gaps.svg && xmllint --noout gaps.svg
for kind in embedding biplot reconstruction rows; do
    "$SCREE" plot -q flowers.scree gaps.csv --kind $kind --highlight 2,5 -o gaps.svg && xmllint --noout gaps.svg
done
"$SCREE" plot -q flowers.scree gaps.csv --kind reconstruction --width 60 | grep -c nan
sed '4s/.*/,,,,setosa/' gaps.csv >empty.csv
"$SCREE" plot -q flowers.scree empty.csv --highlight 2,3 | grep -o 'row.*(empty)'
"$SCREE" plot -q flowers.scree empty.csv --highlight 3,3 --kind reconstruction | grep -c 'row 3'
echo '--- very many columns, and names that are long'
awk 'BEGIN {for (i = 0; i < 6; i++) {for (j = 0; j < 3000; j++) printf "%s%d", j ? "," : "", (i * j * 7919) % 101; print ""}}' \
    >wide.csv
"$SCREE" fit -q wide.csv -k 2 -o wide.scree
for kind in loadings samples reconstruction rows; do
    case $kind in
    loadings | samples) table='' ;;
    *) table=wide.csv ;;
    esac
    "$SCREE" plot -q wide.scree $table --kind $kind --width 400 -o wide.svg && xmllint --noout wide.svg
    [ "$(wc -c <wide.svg)" -lt 500000 ] || echo "$kind of many columns is too large"
done
sed '1s/sepal/what_an_instrument_says_about_sepal/g; 1s/petal/what_an_instrument_says_about_petal/g' flowers.csv >long.csv
"$SCREE" fit -q long.csv -k 2 -o long.scree
"$SCREE" plot -q long.scree --kind samples --width 60 | tail -1
"$SCREE" plot -q long.scree --kind loadings --width 50 | grep -o '…[a-z_]*'
echo '--- what explore has written'
"$SCREE" explore -q flowers.scree flowers.csv --row 4 -n 30 -o near.csv
"$SCREE" explore -q flowers.scree flowers.csv --row 4 -n 30 -o near.npy
"$SCREE" explore -q flowers.scree flowers.csv --row 4 -n 30 --latent -o latent.npy
for file in near.csv near.npy latent.npy; do
    for kind in rows embedding; do
        try plot flowers.scree $file --kind $kind --width 60 >shown
        sed -n 3p shown
    done
done
"$SCREE" explore -q digits.scree "$images" --row 7 -n 6 -o near.npy
"$SCREE" plot -q digits.scree near.npy --kind rows -o near.svg
grep -c '<image' near.svg
"$SCREE" plot -q digits.scree near.npy --kind rows --highlight 6,2,2 -o near.svg
grep -c '<image' near.svg
"$SCREE" project -q flowers.scree flowers.csv -o codes.npy
try plot flowers.scree codes.npy -o x.svg
echo '--- terminals'
on_terminal="python3 $SRC/tests/cli/on_terminal.py"
KITTY_WINDOW_ID=1 TERM=xterm $on_terminal "$SCREE" plot flowers.scree >shown
head -c 13 shown | od -A n -c
"$SCREE" plot flowers.scree --terminal sixel >shown
head -c 3 shown | od -A n -c
TMUX=1 TERM=xterm-256color $on_terminal "$SCREE" plot flowers.scree | grep -c "$(printf '\033\\[0;38;5')"
TMUX=1 NO_COLOR=1 TERM=xterm-256color $on_terminal "$SCREE" plot flowers.scree | grep -c "$(printf '\033')"
for kind in scree embedding biplot outliers; do # of 24 lines one is left for what is typed next
    rows=flowers.csv
    [ $kind != scree ] || rows=''
    TERM=xterm TMUX=1 $on_terminal sh -c "stty rows 24 cols 80; '$SCREE' plot -q flowers.scree $rows --kind $kind" | wc -l
done
TERM=dumb LC_ALL=C.UTF-8 $on_terminal "$SCREE" plot flowers.scree flowers.csv | LC_ALL=C tr -d '\r' | LC_ALL=C grep -c '[^ -~]'
LC_ALL=C "$SCREE" plot -q flowers.scree flowers.csv --kind biplot | tail -n 4
LC_ALL=C "$SCREE" plot -q flowers.scree --kind loadings | LC_ALL=C grep -c '[^ -~]'
"$SCREE" plot -q flowers.scree --kind loadings --terminal ascii | sed -n 3p
try plot flowers.scree -o x.png --outlines
echo '--- what cannot be drawn'
rm -f ./*.svg ./*.png ./*.pdf
"$SCREE" fit -q flowers.csv -k 1 -o one.scree
try plot one.scree flowers.csv --kind biplot -o x.svg
try plot flowers.scree --kind embedding -o x.svg
try plot flowers.scree --kind loadings --show 3 -o x.svg
try plot flowers.scree flowers.csv --highlight 11 -o x.svg
try plot flowers.scree --kind loadings --image 2x3 -o x.svg
try plot flowers.scree -o x.jpeg
try plot flowers.scree -o x
try plot flowers.scree --width 12 -o x.png
try plot flowers.scree --width 1000000 -o x.png
try plot flowers.scree --width 5
try plot flowers.scree --height 1e9 -o x.png
try plot flowers.scree -o no/such/folder/x.png
try plot flowers.scree flowers.csv --labels "$labels" -o x.png 2>&1 | sed "s|$SRC/||g"
try plot flowers.scree --labels flowers.csv -o x.png
printf 'kind\noak\nash\n' >words.csv
try plot flowers.scree flowers.csv --labels words.csv -o x.png
try plot flowers.scree -o x.png --terminal kitty
try plot flowers.scree --show 1,x
try plot flowers.scree --kind loadings --show 99999999999999999999 -o x.svg
try plot flowers.scree --image 28
try plot flowers.scree --width 5cm
echo '--- options and rows that a kind does not use'
try plot flowers.scree --show 1 -o x.svg
try plot flowers.scree flowers.csv --seed 1 -o x.svg
try plot flowers.scree flowers.csv --kind scree -o x.svg
try plot flowers.scree flowers.csv --kind reconstruction --components 1,2 -o x.svg
try plot flowers.scree flowers.csv --kind reconstruction --show 1,2 -o x.svg
try plot flowers.scree flowers.csv --kind reconstruction -k 2 --at 1,2 -o x.svg
try plot flowers.scree flowers.csv --kind reconstruction --at 2,3 -o x.svg
try plot flowers.scree flowers.csv --kind reconstruction --at 2,1 -o x.svg
try plot digits.scree --kind error --at 1-9 -o x.svg
try plot flowers.scree flowers.csv --kind rows -n 401 -o x.svg
try plot flowers.scree --kind loadings --delimiter tab -o x.svg
"$SCREE" fit -q flowers.csv -k all -o all.scree
try plot all.scree flowers.csv --kind outliers -o x.png
left
