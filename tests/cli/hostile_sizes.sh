# SPDX-License-Identifier: BSD-3-Clause
# Small files that announce much are refused in a sentence, within a second, before memory is taken for them; those that
# are right about their sizes can be read with a limit that allows it.
. "$SRC/tests/cli/lib.sh"

command -v python3 >found || skip 'there is no python3 to measure memory with'
rm found
if grep -q -e __asan_init -e __tsan_init "$SCREE"; then skip 'sanitizers keep memory that was freed'; fi

# What a command says, and that it took at most 200 MiB. A limit of CPU time would end what works on.
refuse()
{
    printf '$ scree %s\n' "$*"
    (ulimit -t 5 && python3 "$SRC/tests/cli/peak.py" "$SCREE" "$@") >peak 2>said
    echo "exit $?"
    sed -E 's/only [0-9]+ KiB/only # KiB/' said
    [ "$(cat peak)" -le 204800 ] || echo "$(cat peak) KiB were taken"
    rm -f peak said
}

mtx() { printf '%%%%MatrixMarket matrix coordinate real general\n%s\n1 1 2\n1 2 3\n2 2 2\n' "$1"; }

echo '--- Matrix Market'
mtx '2000000000 2 3' >rows.mtx
mtx '2 2000000000 3' >columns.mtx
refuse fit rows.mtx -k 1 -o no.scree
refuse convert columns.mtx
refuse convert columns.mtx --memory 40M
mtx '2 20000000 3' >wide.mtx
mtx '20000 20000 3' >square.mtx
mtx '2000 2000000 3' >both.mtx
for file in wide square both; do
    refuse select $file.mtx --absent missing
    refuse fit $file.mtx --absent missing -k 1 -o no.scree
    refuse fit $file.mtx --absent missing -k 1 --online -o no.scree
    refuse autoencode $file.mtx --absent missing --code 1 -o no.scree
done
refuse fit square.mtx --absent missing -k 1 --solver covariance -o no.scree
refuse fit square.mtx --absent missing -k auto --solver svd -o no.scree
refuse compress wide.mtx -o no.screez
refuse plan wide.mtx
"$SCREE" convert -q wide.mtx --columns 1,2 && echo 'columns may be chosen among more'
mtx '2 2000000 3' >right.mtx
"$SCREE" convert -q right.mtx -o right.npy && echo 'empty columns that fit are read'
mtx '2000000 2 3' | gzip >packed.mtx.gz
"$SCREE" convert -q packed.mtx.gz -o right.npy && echo 'and empty rows'
mtx '40000000 2 3' | refuse plan - -k 1
mtx '40000000 2 3' >many.mtx
"$SCREE" plan -q many.mtx -k 1 --memory 8G >plan && echo 'and more with a limit that allows it'

echo '--- IDX and NPY without rows'
printf '\0\0\10\3\0\0\0\0\0\0\116\40\0\0\47\20' >none.idx
refuse convert none.idx
refuse compress none.idx -o no.screez
header="{'descr': '<f8', 'fortran_order': False, 'shape': (0, 900000000)}"
{ printf '\223NUMPY\1\0\166\0'; printf '%-117s\n' "$header"; } >none.npy
refuse convert none.npy
header="{'descr': '<f8', 'fortran_order': False, 'shape': (3, 900000000)}"
{ printf '\223NUMPY\1\0\166\0'; printf '%-117s\n' "$header"; } | refuse convert -

echo '--- one line'
python3 -c "import sys; sys.stdout.write('1,' * (64 << 20) + '1\n')" >line.csv
refuse convert line.csv
gzip -1 line.csv
refuse convert line.csv.gz
refuse convert line.csv.gz --memory 40M
rm -f line.csv.gz plan right.npy
left
