# SPDX-License-Identifier: BSD-3-Clause
# Models as ONNX files: by the extension, in parts, and what is refused. (What the files say, tests/unit/test_onnx.c and
# tests/onnx look at.)
. "$SRC/tests/cli/lib.sh"

flowers >flowers.csv
"$SCREE" fit -q flowers.csv -k 2 -o flowers.scree
try convert flowers.scree flowers.onnx
try convert flowers.scree encoder.ONNX --part encode
try convert flowers.scree -o decoder.onnx --part decode -k 1 --type f8
grep -aoE 'codes|reconstruction|"sepal_length",.*' decoder.onnx | sort -u
echo '--- the same model, the same bytes'
"$SCREE" convert flowers.scree again.onnx
cmp flowers.onnx again.onnx
echo '--- what exists is replaced only where -o names it'
try convert flowers.scree flowers.onnx
try convert -k 1 flowers.scree -o flowers.onnx
cmp flowers.onnx again.onnx | sed 's/:.*/: another file/'
echo '--- what is wrong'
try convert flowers.scree codes.csv
try convert flowers.scree
try convert flowers.csv rows.onnx
try convert flowers.csv rows.npy --part encode
try convert flowers.scree again.scree -o two.onnx
try convert flowers.scree -o x.onnx --part middle
try convert flowers.scree -o x.onnx --type u1
try convert flowers.scree x.onnx --columns 1
try convert flowers.scree -o x.onnx -k 3
try convert flowers.scree -o nowhere/x.onnx
try convert missing.scree -o x.onnx
awk -F, -v OFS=, 'NR > 1 { $1 = $1 * 1e40 } 1' flowers.csv >huge.csv
"$SCREE" fit -q huge.csv -k 1 -o huge.scree
try convert huge.scree x.onnx
try convert huge.scree huge.onnx --type f8
left
