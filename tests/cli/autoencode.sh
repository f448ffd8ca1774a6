# SPDX-License-Identifier: BSD-3-Clause
# Auto-encoders: the linear one finds what PCA finds; a deep one is a model that project, reconstruct and info take; the
# same seed gives the same file; an interrupted training is saved and goes on to the same end; what cannot be is told.
. "$SRC/tests/cli/lib.sh"
export OMP_WAIT_POLICY=passive

# Where digits, epochs and times depend on the machine.
masked()
{
    sed -E 's/[0-9]+ epochs?, (converged|all done)/# epochs, \1/; s/[0-9.]+ (µs|ms|s)$/# s/'
}

flowers >flowers.csv
{ try autoencode flowers.csv --code 2 --linear -o linear.scree; } 2>&1 | masked
{ try reconstruct linear.scree --data flowers.csv -o back.csv; } 2>&1 | grep -v 'mean squared'
head -1 back.csv
"$SCREE" project -q linear.scree flowers.csv | head -1

numbers 300 6 >rows.csv
deep="rows.csv --code 2 --hidden 20,10 --epochs 30 --batch 32 --patience 30 -q"
"$SCREE" autoencode $deep --threads 1 -o one.scree
"$SCREE" autoencode $deep --threads 3 -o three.scree
cmp one.scree three.scree && echo 'the same for one thread and three'
"$SCREE" autoencode $deep --seed 5 -o other.scree
cmp -s one.scree other.scree || echo 'another seed is another network'
"$SCREE" autoencode $deep --json -o json.scree | tr -d ' \n\t' | grep -o '"widths":[^]]*\]\|"tied":[a-z]*\|"stopped":"[a-z]*"'
"$SCREE" project one.scree rows.csv -q | awk -F, -v OFS=, '{ print $2, $1 }' >codes.csv
head -n 1 codes.csv
"$SCREE" reconstruct one.scree codes.csv -o turned.npy
"$SCREE" project one.scree rows.csv --format npy -o codes.npy
"$SCREE" reconstruct one.scree codes.npy -o one.npy
"$SCREE" reconstruct one.scree --data rows.csv -o two.npy 2>/dev/null
cmp one.npy two.npy && echo 'both ways back agree'
cmp one.npy turned.npy && echo 'codes are found by their names'

# A limit of time that is over at once leaves a network that is not finished.
try autoencode $deep --time 0.000001 -o part.scree
"$SCREE" autoencode rows.csv --resume part.scree -q -o rest.scree
cmp one.scree rest.scree && echo 'going on ends as if it had not stopped'

echo '--- what only PCA can answer'
try posterior one.scree rows.csv
try score one.scree rows.csv
try sample one.scree -n 2
try explore one.scree rows.csv
try impute one.scree rows.csv
try project -k 1 one.scree rows.csv

echo '--- what cannot be'
try autoencode rows.csv -o new.scree
try autoencode rows.csv --code 2
try autoencode rows.csv --code 7 -o new.scree
try autoencode rows.csv --code 2 --linear --hidden 3 -o new.scree
try autoencode rows.csv --code 2 --hidden 3,,4 -o new.scree
try autoencode rows.csv --code 2 --hidden 3 --activation sin -o new.scree
try autoencode rows.csv --code 2 --time soon -o new.scree
try autoencode rows.csv --code 2 --validation 1 -o new.scree
try autoencode flowers.csv --resume one.scree -o new.scree
"$SCREE" fit -q rows.csv -k 2 -o pca.scree
try autoencode rows.csv --resume pca.scree -o new.scree
echo '--- what contradicts'
try autoencode rows.csv --resume rows.csv -o new.scree
try autoencode rows.csv --resume one.scree --code 3 -o new.scree
try autoencode rows.csv --resume one.scree --hidden 20,9 -o new.scree
try autoencode rows.csv --resume one.scree --activation tanh -o new.scree
try autoencode rows.csv --resume one.scree --tied -o new.scree
try autoencode rows.csv --resume one.scree --linear -o new.scree
"$SCREE" autoencode $deep --resume part.scree -o same.scree
cmp rest.scree same.scree && echo 'what agrees may be said again'
try autoencode rows.csv --code 2 --tied --untied -o new.scree
try autoencode rows.csv --code 2 --linear --activation relu -o new.scree
try autoencode rows.csv --code 2 --linear --batch 16 -o new.scree
try autoencode rows.csv --code 2 --linear --output-layer sigmoid -o new.scree
echo '--- other input'
try autoencode missing.csv --code 2 -o new.scree
{ echo a,b; echo 1,2; echo 1,2; echo 1,2; } >constant.csv
try autoencode constant.csv --code 1 --linear -o new.scree
try autoencode rows.csv --code 2 --hidden 3000 --memory 1M -o new.scree
try autoencode rows.csv --code 2 --hidden 3 --rate 0 -o new.scree
try autoencode rows.csv --code 2 --hidden 3 --decay 1 -o new.scree
try autoencode rows.csv --code 1 --hidden 3 --epochs 1 --rate 1 -q -o loud.scree
try autoencode rows.csv --code 2 -o rows.csv
{ echo a,b; echo 1,2; echo ,3; echo 4,5; } >gap.csv
try autoencode gap.csv --code 1 -o new.scree
head -c 3000 one.scree >cut.scree
try project cut.scree rows.csv 2>&1 | sed -E 's/[0-9]{3,} bytes/# bytes/g'
left
