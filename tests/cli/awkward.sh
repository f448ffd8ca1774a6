# SPDX-License-Identifier: BSD-3-Clause
# Files as people have them: what becomes of each in tests/awkward, its columns and values, or the sentence that refuses
# it. FILE.options has the options that such a file needs. A pipe gives the same as the file.
. "$SRC/tests/cli/lib.sh"

count=0
for file in "$SRC"/tests/awkward/*.csv "$SRC"/tests/awkward/*.txt; do
    name=$(basename "$file")
    options=$([ ! -e "$file.options" ] || cat "$file.options")
    cp "$file" .
    echo "--- $name${options:+ $options}"
    eval "\"\$SCREE\" convert $name -o out-of.csv $options" 2>said
    code=$?
    cat said
    [ $code -eq 0 ] && cat out-of.csv
    echo "exit $code"
    eval "\"\$SCREE\" convert - -o piped.csv $options" <"$name" 2>piped.said
    [ $? -eq $code ] || echo 'another exit code from standard input'
    eval "cat $name | \"\$SCREE\" convert - -o piped.csv $options" 2>piped.said
    [ $? -eq $code ] || echo 'another exit code from a pipe'
    sed "s|^$name|standard input|; s|^scree: $name|scree: standard input|" said | cmp - piped.said || echo 'other words from a pipe'
    [ $code -ne 0 ] || cmp out-of.csv piped.csv || echo 'other rows from a pipe'
    rm -f out-of.csv piped.csv "$name"
    count=$((count + 1))
done
[ $count -ge 30 ] || echo "there are only $count files"
echo '--- several files: what reading shows of each'
printf 'a;b\n1;n.d.\n2;3\n;\n' >one.csv
printf 'a;b\n5;7\n' >two.csv
printf 'a;b\n-;7\n6;1\n' >three.csv
try convert one.csv two.csv three.csv -o all.csv
try fit one.csv two.csv three.csv --solver em -k 1 -o all.scree >out.txt
try fit one.csv --weights b -k 1 -o all.scree >out.txt
