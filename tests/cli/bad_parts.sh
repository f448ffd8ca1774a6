# SPDX-License-Identifier: BSD-3-Clause
# Files that do not belong together, and operands that are not what is asked for.
. "$SRC/tests/cli/lib.sh"

printf 'a,b,c\n1,2,3\n4,5,7\n' >abc.csv
printf 'a,c,b\n1,2,3\n4,5,6\n' >acb.csv
printf 'a,b,c,d\n1,2,3,4\n4,5,6,7\n' >abcd.csv
printf 'a,b\n1,2\n4,5\n' >ab.csv
printf 'a,b,c,kind\n1,2,3,x\n4,5,6,y\n' >kind.csv
printf 'a,b,c,sort\n1,2,3,x\n4,5,6,y\n' >sort.csv
printf 'a,b,c,kind,sort\n1,2,3,x,u\n4,5,6,y,v\n' >both.csv
printf 'a,b,c\n1,2,3\n4,,6\n' >missing.csv
printf 'a,b,c\n1,2,3\n4,inf,6\n' >far.csv
printf 'a,b,c\n1,2,3\n4,five,6\n7,8,9\n' >word.csv
printf 'a,b,c\n8,1,3\n4,5,6\n' >more.csv
: >empty.csv
{ npy_header '4, 2' '<f8'; zeros 64; } >two.npy

fit()
{
    try fit "$@" -k 1 -o model.scree
}

echo '--- columns'
fit abc.csv acb.csv
fit abc.csv abcd.csv
fit abcd.csv abc.csv
fit abc.csv two.npy
fit two.npy two.npy abc.csv
fit abc.csv acb.csv --columns b,c -q
echo '--- texts'
fit kind.csv sort.csv
fit kind.csv both.csv
fit two.npy ab.csv --label kind
echo '--- a column that is text in one file only'
printf 'a,b,c\n1,2,3\n\n4,five,6\n7,six,9\n' >btext.csv
printf 'a,b,c,kind\n1,2,3,1\n4,5,6,2\n' >numkind.csv
printf '1,2,3\n4,5,6\n' >bare.csv
printf '1,x,3\n4,y,6\n' >baretext.csv
fit abc.csv btext.csv
fit btext.csv abc.csv
fit kind.csv numkind.csv
fit numkind.csv kind.csv
fit kind.csv numkind.csv --label kind -q
printf 'a,b,c,kind\n1,x,3,x\n4,y,6,y\n' >bkind.csv
fit kind.csv bkind.csv --label kind
fit bare.csv baretext.csv
echo '--- headers without rows'
printf 'a,b,c\n' >head.csv
printf 'a,c,b\n' >headacb.csv
printf 'a,b\n' >headab.csv
printf 'a,b,c,d\n' >headabcd.csv
fit head.csv
fit head.csv head.csv
fit abc.csv headacb.csv
fit headab.csv abc.csv
fit abc.csv headabcd.csv
fit abc.csv head.csv --label d
echo '--- the row at fault is that of its file'
fit abc.csv more.csv missing.csv --solver covariance
fit abc.csv word.csv more.csv
"$SCREE" fit -q abc.csv more.csv -k 1 -o model.scree
try project -q model.scree abc.csv more.csv far.csv -o codes.csv
echo '--- files'
fit abc.csv empty.csv
fit abc.csv nowhere.csv
fit 'part-*.csv'
fit abc.csv 'part-[0-9].npy'
fit - abc.csv - </dev/null
printf 'a,b,c\n1,2,3\n4,5,7\n' | fit - abc.csv -
cat abc.csv | fit abc.csv - --solver lanczos
mv model.scree other.scree
fit abc.csv other.scree
try project other.scree abc.csv other.scree
mv other.scree model.scree
echo '--- usage'
try fit abc.csv more.csv -o more.csv
try convert abc.csv more.csv again.csv
try select abc.csv model.scree
try project abc.csv model.scree
try reconstruct model.scree --data abc.csv more.csv
rm -f *.csv two.npy
left
