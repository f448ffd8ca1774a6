# SPDX-License-Identifier: BSD-3-Clause
# Genotypes: files that do not belong together, variants that a model does not know, and options of genotypes for
# other rows: a sentence, and exit code 1.
. "$SRC/tests/cli/lib.sh"
cp "$SRC"/examples/cohort.* .
try fit -q cohort.bed -k 2 -o m.scree
head -c 11000 cohort.bed >short.bed
cp cohort.bim short.bim
cp cohort.fam short.fam
try fit short.bed -k 2 -o s.scree
cp cohort.bed other.bed
cp cohort.bim other.bim
head -40 cohort.fam >other.fam
try fit other.bed -k 2 -o s.scree
try fit - -k 2 --input-format bed -o s.scree <cohort.bed
rm other.bim
try fit other.bed -k 2 -o s.scree
cp cohort.bed elsewhere.bed
cp cohort.fam elsewhere.fam
awk 'NR > 201 { $2 = "x" $2 } NR < 4 { $5 = $6 = "N" } { print }' cohort.bim >elsewhere.bim
try project m.scree elsewhere.bed
try fit cohort.bed --chr 99 -k 2 -o s.scree
try fit cohort.bed --maf 0.7 -k 2 -o s.scree
cp "$SRC/examples/iris.csv" .
try fit iris.csv --maf 0.1 -k 2 -o s.scree
echo '--- what plink has besides'
try fit cohort -k 2 -o s.scree
printf '##fileformat=VCFv4.2\n#CHROM\tPOS\n1\t2\n' >a.vcf
try fit a.vcf -k 2 -o s.scree
printf 'l\033\020Qxyz\000' >a.pgen
try fit a.pgen -k 2 -o s.scree
printf 'FID\tIID\tPAT\tMAT\tSEX\tPHENOTYPE\trs1_A\trs2_C\nf\ta\t0\t0\t1\t-9\t0\t2\nf\tb\t0\t0\t2\t-9\t1\t1\nf\tc\t0\t0\t2\t-9\t2\t1\n' >a.raw
try fit a.raw -k 1 -o s.scree
try fit -q a.raw -k 1 -o s.scree --exclude PAT,MAT,SEX,PHENOTYPE
