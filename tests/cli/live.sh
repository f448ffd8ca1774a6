# SPDX-License-Identifier: BSD-3-Clause
# Rows from pipes, rows that cannot be used, logs, alarms, and raw numbers. How soon answers come is tested elsewhere
# (tests/kills/test_live.py).
. "$SRC/tests/cli/lib.sh"

flowers >flowers.csv
"$SCREE" fit -q flowers.csv --columns 1-4 -k 2 -o flowers.scree
cut -d, -f1-4 flowers.csv >rows.csv
echo '--- a pipe is answered as a file is'
for command in score project posterior impute 'explore -n 2'; do
    "$SCREE" $command flowers.scree flowers.csv -q >file.out
    cat flowers.csv | "$SCREE" $command flowers.scree - -q | cmp - file.out
done
"$SCREE" reconstruct flowers.scree --data flowers.csv -q >file.out
cat flowers.csv | "$SCREE" reconstruct flowers.scree --data - -q | cmp - file.out
echo '--- the layout is that of header and first row'
{ head -2 rows.csv; echo 'one,2,3,4'; } | try score flowers.scree - -q 2>&1 | nine_decimals
{ sed -n 2p rows.csv; sed -n 3p rows.csv; } | try score flowers.scree - 2>&1 | nine_decimals
echo '--- a bad first row does not say what the columns of the model are'
head -1 rows.csv | sed 's/^/id,/' >first.csv
for row in 'a,1,2,3,4,5' 'a,1,x,3,4' 'a,,,,' 'a' ',1,2,3,4'; do
    { cat first.csv; echo "$row"; echo b,5.1,3.5,1.4,0.2; } | try score flowers.scree - --on-error skip 2>&1 | nine_decimals
done
{ cat first.csv; echo a,1,x,3,4; } | try score flowers.scree - -q 2>&1 | nine_decimals
{ head -1 rows.csv; echo a,5.1,3.5,1.4,0.2; } | try score flowers.scree - 2>&1 | nine_decimals
{ head -1 rows.csv; echo 1,5.1,3.5,1.4,0.2; echo 5.1,3.5,1.4,0.2; } | try score flowers.scree - --on-error skip 2>&1 | nine_decimals
{ cat first.csv; echo a,1,x,3,4; } | try reconstruct flowers.scree --data - -q 2>&1 | nine_decimals
echo '--- what needs two passes'
cat flowers.csv | try score flowers.scree - --fdr 2>&1 | nine_decimals
echo '--- rows that cannot be used'
head -3 rows.csv >bad.csv
echo '1,2,x,4' >>bad.csv
sed -n 4p rows.csv >>bad.csv
echo '1,2' >>bad.csv
echo '1,inf,3,4' >>bad.csv
sed -n 5p rows.csv >>bad.csv
try score flowers.scree bad.csv -q 2>&1 | nine_decimals
try score flowers.scree bad.csv --on-error skip 2>&1 | nine_decimals
try score flowers.scree bad.csv --on-error nan 2>&1 | nine_decimals
try project flowers.scree bad.csv --on-error nan 2>&1 | nine_decimals
try score flowers.scree bad.csv bad.csv --on-error skip -o both.csv
wc -l <both.csv
try impute flowers.scree bad.csv --on-error skip -q --sd sd.csv 2>&1 | nine_decimals
nine_decimals <sd.csv
try impute flowers.scree bad.csv --on-error nan -n 2 -q 2>&1 | nine_decimals
try explore flowers.scree bad.csv --on-error skip -n 1 -q 2>&1 | nine_decimals
try explore flowers.scree bad.csv --on-error nan -n 1 -q 2>&1 | nine_decimals
try score flowers.scree bad.csv --on-error skip --json 2>&1 | nine_decimals
try score flowers.scree bad.csv --on-error halt 2>&1 | nine_decimals
try score flowers.scree bad.csv --on-error skip -q --format npy 2>&1 | nine_decimals
yes 1,2 | head -30 | cat rows.csv - >many.csv
try project flowers.scree many.csv --on-error skip -o many.out.csv
echo '--- a log'
"$SCREE" score flowers.scree rows.csv -q >file.out
head -3 rows.csv | "$SCREE" score flowers.scree - -q --append -o log.csv
{ head -1 rows.csv; tail -n +4 rows.csv; } | "$SCREE" score flowers.scree - -q --append -o log.csv
cmp log.csv file.out
try project flowers.scree rows.csv -q --append -o log.csv
printf 1, >>log.csv
try score flowers.scree rows.csv -q --append -o log.csv
try score flowers.scree rows.csv --append 2>&1 | nine_decimals
try score flowers.scree rows.csv --append -o log.npy
echo '--- an alarm'
try score flowers.scree rows.csv -q --alarm --alpha 1e-9 -o none.csv
echo 90,1,90,1 >>rows.csv
try score flowers.scree rows.csv -q --alarm --alpha 1e-9 -o some.csv
echo '--- raw numbers'
"$SCREE" convert -q flowers.csv --columns 1-4 rows.npy
"$SCREE" convert -q rows.npy --type f4 rows4.npy
tail -c +129 rows.npy >rows.f8
tail -c +129 rows4.npy >rows.f4
"$SCREE" project flowers.scree rows.npy -q >file.out
"$SCREE" project flowers.scree rows.f8 --input-format f8:4 -q | cmp - file.out
cat rows.f8 | "$SCREE" project flowers.scree - --input-format f8:4 -q | cmp - file.out
"$SCREE" project flowers.scree rows4.npy -q >file4.out
"$SCREE" project flowers.scree rows.f4 --input-format f4:4 -q | cmp - file4.out
"$SCREE" fit -q rows.f8 --input-format f8:4 -k 2 -o raw.scree
cat rows.f8 | "$SCREE" fit -q - --input-format f8:4 -k 2 --solver covariance -o raw.scree
try project flowers.scree rows.f8 --input-format f8:3 2>&1 | nine_decimals
head -c 100 rows.f8 | try project flowers.scree - --input-format f8:4 2>&1 | nine_decimals
try project flowers.scree rows.f8 --input-format f8:0 2>&1 | nine_decimals
try project flowers.scree rows.f8 --input-format f8:x 2>&1 | nine_decimals
echo '--- blank lines are no rows'
numbers 20 784 >wide.csv
"$SCREE" fit -q wide.csv -k 2 -o wide.scree
"$SCREE" project -q wide.scree wide.csv >file.out
yes '' | head -1500000 | cat wide.csv - >blank.csv
"$SCREE" project -q wide.scree blank.csv --on-error skip | cmp - file.out
"$SCREE" project -q wide.scree blank.csv --on-error nan --memory 200M | cmp - file.out
echo '--- many rows that the model refuses'
yes 1,inf,3,4 | head -80000 | cat rows.csv - >inf.csv
"$SCREE" explore flowers.scree rows.csv -n 1 -q >file.out
timeout 60 "$SCREE" explore flowers.scree inf.csv -n 1 -q --on-error skip | cmp - file.out
echo '--- more bad rows than good ones'
{ head -1 rows.csv; yes 5.1,3.5,1.4,0.2 | head -30; yes x | head -100; yes x,1,2,3 | head -100; } >mixed.csv
try score flowers.scree mixed.csv -q
"$SCREE" score flowers.scree mixed.csv -q --on-error skip >file.out
cat mixed.csv | "$SCREE" score flowers.scree - -q --on-error skip | cmp - file.out
wc -l <file.out
echo '--- two passes, one count'
try score flowers.scree bad.csv --fdr --on-error skip -o two.csv 2>&1 | nine_decimals
try score flowers.scree bad.csv --fdr --on-error skip --json | grep unusable
echo '--- filled cells of the rows that are written'
{ head -3 rows.csv; echo '1,2,x,4'; echo 5,,1.4,; } >filled.csv
try impute flowers.scree filled.csv --on-error skip -o filled.out.csv
try impute flowers.scree filled.csv --on-error nan -o filled.out.csv
try project flowers.scree rows.f8 --input-format f2:4 2>&1 | head -n 2
