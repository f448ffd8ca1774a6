# SPDX-License-Identifier: BSD-3-Clause
# What a network says of itself and becomes; and what it is not asked.
. "$SRC/tests/cli/lib.sh"

flowers >flowers.csv
"$SCREE" autoencode -q flowers.csv --code 2 --linear -o net.scree
hide() { sed -E 's/[0-9]+\.[0-9]+(e[-+][0-9]+)?/#/g; s/^(epochs|best epoch) +[0-9]+/\1 #/; s/ +#/ #/g'; }
try info net.scree | hide
try info net.scree --views | hide
echo '--- a linear one reaches J_M of PCA'
"$SCREE" fit -q flowers.csv -k 2 -o pca.scree
"$SCREE" info --json net.scree >net.json
"$SCREE" info --json pca.scree >pca.json
python3 - <<'END'
import json
net, pca = json.load(open("net.json")), json.load(open("pca.json"))
print(sorted(net), net["network"]["widths"])
print(abs(net["network"]["pca_training_error"] / pca["reconstruction_error"] - 1) < 1e-9)
print(net["reconstruction_error"] / pca["reconstruction_error"] < 1.001)
END
echo '--- one unit, or both are named'
{ npy_header '40, 4' '|u1'; awk 'BEGIN { for (i = 0; i < 160; i++) printf "%c", 65 + (i * i + 3 * i) % 50 }'; } >bytes.npy
"$SCREE" autoencode bytes.npy --code 1 --linear -o bytes.scree | sed -nE 's/[0-9]+\.[0-9]+/#/g; s/ +#/ #/g; /^(PCA|errors)/p'
"$SCREE" info bytes.scree | sed -nE 's/[0-9]+(\.[0-9]+)?/#/g; s/ +#/ #/g; /^(training error|total)/p'
"$SCREE" info --json bytes.scree | grep -c '"error_unit":.*data'
"$SCREE" autoencode bytes.npy --code 1 --linear --json -o bytes.scree | grep -c '"error_unit":.*data'
echo '--- ONNX'
try convert net.scree net.onnx
echo '--- what only PCA answers'
try info net.scree --distortion 0.1
try info net.scree --views --distortion 0.1
try info net.scree -k 1
try convert net.scree one.onnx -k 1
echo '--- a kind by its name'
"$SCREE" fit -q flowers.csv -k 2 --model-kind pca -o named.scree && cmp pca.scree named.scree && echo the same
try fit flowers.csv --model-kind network -o no.scree
try fit flowers.csv --model-kind nets -o no.scree
left
