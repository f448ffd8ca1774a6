# SPDX-License-Identifier: BSD-3-Clause
# One model as every view of PCA sees it.
. "$SRC/tests/cli/lib.sh"

flowers >flowers.csv
"$SCREE" fit -q flowers.csv -k 2 -o flowers.scree
try info flowers.scree --views --distortion 0.05
echo '--- at the distortion Dσ² the rate is the mutual information; the rate falls as more is allowed'
"$SCREE" info flowers.scree --views --json >views.json
python3 - <<'END'
import json, math
model = json.load(open("views.json"))
views = model["views"]
rates = {rate["at"]: rate for rate in views["rates"]}
values, noise, d = model["eigenvalues"], model["noise_variance"], model["d"]
print(abs(rates["noise"]["bits"] - views["mutual_information_bits"]) < 1e-12)
print(abs(sum(0.5 * math.log2(v / noise) for v in values) - rates["noise"]["bits"]) < 1e-12)
print(abs(views["variance_kept"] + views["reconstruction_error"] - model["total_variance"]) < 1e-12)
best = -0.5 * (d * math.log(2 * math.pi) + sum(map(math.log, values)) + (d - 2) * math.log(noise) + d)
print(abs(views["log_likelihood_row"] - best) < 1e-12)
print([rate["at"] for rate in sorted(views["rates"], key=lambda rate: -rate["bits"])])
END
echo '--- without noise'
"$SCREE" fit -q flowers.csv -k all -o all.scree
try info all.scree --views
echo '--- fewer components; scaled columns, another divisor'
try info all.scree -k 1 --views
"$SCREE" fit -q flowers.csv --scale unit --ddof 1 -k 2 -o unit.scree
try info unit.scree --views
echo '--- gaps'
sed '3s/3.0//' flowers.csv >gaps.csv
"$SCREE" fit -q gaps.csv -k 1 --em ml -o gaps.scree
"$SCREE" info gaps.scree --views | grep -A1 likelihood | sed -E 's/-?[0-9]+\.[0-9]+/#/g'
echo '--- what is wrong'
try info flowers.scree --views --distortion 0
try info flowers.scree --distortion much
