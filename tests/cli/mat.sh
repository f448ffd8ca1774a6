# SPDX-License-Identifier: BSD-3-Clause
# MAT files: what scree writes, and files of others (fuzz/corpus/mat, by fuzz/seeds.py).
. "$SRC/tests/cli/lib.sh"

"$SCREE" version | grep -q '^with matio' || skip 'the module scree-matio.so was not built'

flowers | "$SCREE" convert -q - --exclude species -o flowers.csv
flowers >labels.csv
echo '--- written and read again'
try convert flowers.csv -q -o flowers.mat
try ls flowers.mat
"$SCREE" convert -q flowers.mat -o flowers.npy
"$SCREE" convert -q flowers.csv -o wanted.npy
cmp flowers.npy wanted.npy && echo same
try fit -q flowers.mat -k 2 -o m.scree
try convert labels.csv -q -o labels.mat
try ls labels.mat
try convert labels.mat:codes -o - | head -3
echo '--- files of others'
for name in all small packed old sparse; do
    cp "$SRC/fuzz/corpus/mat/seed-$name" $name.mat
    try ls $name.mat
done
try convert all.mat -o -
for part in f u i b S c t cell st cube e none; do
    try convert all.mat:$part -o -
done
"$SCREE" convert -q small.mat -o - >small.csv
for name in packed old; do
    "$SCREE" convert -q $name.mat -o - | cmp small.csv - && echo same
done
cat small.csv
try convert sparse.mat -o -
try fit all.mat:f --label x -o m.scree
echo '--- damaged'
head -c 200 small.mat >cut.mat
try convert cut.mat -o -
head -c 140 small.mat >cut.mat
try convert cut.mat -o -
head -c 200 packed.mat >cut.mat
try convert cut.mat -o -
head -c 110 old.mat >cut.mat
try convert cut.mat -o -
cat small.mat | try convert - -o -
{ head -c 160 small.mat; printf '\000\000\000\077\003'; tail -c +166 small.mat; } >lie.mat # rows
try convert lie.mat -o -
printf 'nothing of the kind' >no.mat
try convert no.mat -o -
left
