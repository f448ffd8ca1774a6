# SPDX-License-Identifier: BSD-3-Clause
# --json: valid, complete, in full precision, the same numbers as the model has.
. "$SRC/tests/cli/lib.sh"
command -v python3 >found || skip 'there is no python3 to read JSON with'

flowers >flowers.csv
"$SCREE" fit flowers.csv -k 2 --json -o flowers.scree 2>notes >fit.json
cat notes
"$SCREE" info flowers.scree --json >info.json
"$SCREE" plan flowers.csv -k 2 --json 2>notes >plan.json
python3 - <<'END'
import json
info, fit, plan = (json.load(open(name + ".json")) for name in ("info", "fit", "plan"))
print(", ".join(info))
print(", ".join(key for key in fit if key not in info))
print(all(fit[key] == info[key] for key in info if key in fit))
print([len(row) for row in info["components"]], [abs(sum(x * x for x in row) - 1) < 1e-12 for row in info["components"]])
print(info["n"], info["d"], info["m"], info["divisor"], info["ddof"], info["columns"])
rows = [[float(x) for x in line.split(",")[:4]] for line in list(open("flowers.csv"))[1:]]
mean = [sum(column) / len(rows) for column in zip(*rows)]
print(max(abs(a - b) for a, b in zip(mean, info["mean"])) < 1e-15 * 10)
total = sum(sum((x - m) ** 2 for x, m in zip(row, mean)) for row in rows) / len(rows)
print(abs(total - info["total_variance"]) < 1e-13)
left = total - sum(info["eigenvalues"])
print(abs(left - info["reconstruction_error"]) < 1e-13, abs(left / 2 - info["noise_variance"]) < 1e-13)
print([abs(a - b / total) < 1e-13 for a, b in zip(info["explained_variance_ratio"], info["eigenvalues"])])
print(len(info["residuals"]), len(info["angle_bounds"]), info["clusters"])
print(info["reconstruction_errors"][-1] == info["reconstruction_error"])
print(plan["d"], [method["solver"] for method in plan["methods"]], sum(method["chosen"] for method in plan["methods"]))
print(sorted(plan["methods"][0]))
END
echo '--- rows as objects'
"$SCREE" project -q flowers.scree flowers.csv -k 1 --format json | sed -n 's/\(\.[0-9][0-9][0-9]\)[0-9]*/\1/; 1,3p'
printf 'sepal_length,sepal_width,petal_length,petal_width,species\n5,3,1.4,0.2,"a ""b"""\n5,9,1.4,0.2,c\n' |
    "$SCREE" score -q flowers.scree - --why 1 -o scores.json
sed 's/"loglik".*"outlier"/..., "outlier"/' scores.json
