# SPDX-License-Identifier: BSD-3-Clause
# What only the tests have goes all the way through a command that has it in its tables: test_seams.sh COMMAND
set -eu
seams=$1
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
cd "$box"

wrong() { echo "$*" >&2 && exit 1; }
says() { grep -q -e "$1" said || { cat said >&2 && wrong "does not say '$1'"; }; }

python3 - <<'END'
import random, struct
random.seed(7)
rows = [[random.gauss(3 * j, 1 + j) for j in range(5)] for _ in range(200)]
with open("rows.ledger", "wb") as file:
    file.write(b"LEDGER %8d %8d\n" % (200, 5))
    file.write(struct.pack("<1000d", *[cell for row in rows for cell in row]))
with open("rows.csv", "w") as file:
    file.writelines(",".join(map(repr, row)) + "\n" for row in rows)
END

# The format: found by its first bytes, named in help, the same model as from another format.
"$seams" fit -q rows.ledger -k 2 --solver covariance -o ledger.scree
"$seams" fit -q rows.csv -k 2 --solver covariance -o csv.scree
cmp ledger.scree csv.scree || wrong 'a ledger and a CSV of the same numbers give different models'
"$seams" help fit >said
says ledger
says jacobi
says rotated
printf 'LEDGER 1 2 3' >bad.ledger
if "$seams" fit -q bad.ledger -k 1 -o bad.scree 2>said; then wrong 'a ledger cut short was read'; fi
says 'ledger'

# The method: planned, run when asked for, and as good as another.
"$seams" plan rows.ledger -k 2 >said
says jacobi
"$seams" fit rows.ledger -k 2 --solver jacobi -o jacobi.scree >said
says 'method jacobi'
"$seams" info jacobi.scree >said
says jacobi
"$seams" project -q jacobi.scree rows.ledger -o jacobi.csv
"$seams" project -q ledger.scree rows.ledger -o covariance.csv
python3 - <<'END'
def read(name):
    with open(name) as file:
        return [[float(cell) for cell in line.split(",")] for line in file.readlines()[1:]]
for one, other in zip(read("jacobi.csv"), read("covariance.csv")):
    assert all(abs(a - b) < 1e-9 for a, b in zip(one, other)), (one, other)
END
if "$seams" fit -q rows.ledger --solver jacob -o bad.scree 2>said; then wrong 'an unknown solver was taken'; fi
says jacobi

# The kind: fitted, saved, loaded, described, asked for codes, and refusing in its own words.
"$seams" fit -q rows.ledger -k 2 --model-kind rotated -o rotated.scree
"$seams" info rotated.scree >said
says rotated
says angle
"$seams" project -q rotated.scree rows.ledger -o rotated.csv
[ "$(head -n 1 rotated.csv)" = rc1,rc2 ] || wrong "codes are called $(head -n 1 rotated.csv)"
"$seams" reconstruct -q rotated.scree rotated.csv -o there.csv
"$seams" reconstruct -q ledger.scree covariance.csv -o straight.csv
python3 - <<'END'
def read(name):
    with open(name) as file:
        return [[float(cell) for cell in line.split(",")] for line in file.readlines()[1:]]
for one, other in zip(read("there.csv"), read("straight.csv")):
    assert all(abs(a - b) < 1e-9 for a, b in zip(one, other)), (one, other)
END
if "$seams" score -q rotated.scree rows.ledger -o bad.csv 2>said; then wrong 'a rotated model has a density'; fi
says 'a rotated model'
[ ! -e bad.scree ] && [ ! -e bad.csv ] || wrong 'something half-written is left'
echo 'a format, a method and a kind of model came by a line of a table each'
