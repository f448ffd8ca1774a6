# SPDX-License-Identifier: BSD-3-Clause
# Files that are not read: each is known by its content, whatever its name, also from a pipe, and a sentence says what it
# is and what to do. tests/awkward/foreign/make.py made them.
. "$SRC/tests/cli/lib.sh"

for file in "$SRC"/tests/awkward/foreign/*; do
    name=$(basename "$file")
    [ "$name" != make.py ] || continue
    cp "$file" .
    try fit "$name" -o model.scree
    cp "$name" renamed.csv
    "$SCREE" convert renamed.csv 2>&1 | sed "s/renamed\.csv/NAME/g" >renamed
    "$SCREE" convert "$name" 2>&1 | sed "s/$name/NAME/g" | cmp - renamed
    cat "$name" | "$SCREE" convert - -o out.csv 2>&1 | sed 's/: is .*//' | grep -v '^scree: standard input$'
    rm "$name" renamed.csv
done
echo '--- text that begins as some of them do'
printf 'PAR1,ORC\n1,2\n3,5\n' >data.csv
try convert data.csv -q
printf 'RDX3\n1\n2\n' >data.csv
try convert data.csv -q
