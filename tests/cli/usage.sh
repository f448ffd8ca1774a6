# SPDX-License-Identifier: BSD-3-Clause
# Wrong usage: exit code 2, what is wrong, the one line of help that matters, a near-miss suggestion.
. "$SRC/tests/cli/lib.sh"

try
try fti
try frobnicate
try -x
echo '--- operands'
try fit
try fit a.csv
try info m.scree n.scree
try fit a.csv -o - --json
try project m.scree
try reconstruct m.scree
try reconstruct m.scree codes.csv --data a.csv
try convert
try info
try version now
try help fitt
echo '--- options'
try fit a.csv --tolerance 1e-6
try fit a.csv --treads=2
try fit a.csv --colour
try fit a.csv -x
try fit a.csv -qx
try fit a.csv -o
try fit a.csv --json=yes
try info m.scree --no-such-thing
echo '--- values'
try fit a.csv -k 0
try fit a.csv -k 1.5
try fit a.csv -k -3
try fit a.csv -k many
try fit a.csv --solver covarance
try fit a.csv --solver magic
try fit a.csv --scale units
try fit a.csv --threads two
try fit a.csv --memory 12Q
try fit a.csv --memory 10MiBs
try fit a.csv --memory -1
try fit a.csv --tol 0
try fit a.csv --tol -1e-3
try fit a.csv --ddof=-1
try fit a.csv --seed 1e3
try fit a.csv --delimiter ab
try fit a.csv --columns=
try convert a.csv b.npy --type f16
try project m.scree a.csv --format idx
try fit a.csv --format csv
try help --completion tcsh
left
echo '--- values that are nearly right'
try fit a.csv -o a.scree --threads 0
try fit a.csv -o a.scree --ddof 2
try fit a.csv -o a.scree -k 1.0
try project a.scree a.csv -k 95%
try posterior a.scree a.csv --interval 95%
echo '--- one option, two values'
try convert nothing.csv --label a --label b
try fit nothing.csv -k 2 --components 3 -o model.scree
try fit nothing.csv -k 2 -k 2 -o model.scree
