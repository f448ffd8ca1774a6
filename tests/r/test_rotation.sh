# SPDX-License-Identifier: BSD-3-Clause
# What scree rotate finds, beside R's varimax and promax, and GPArotation's quartimax and oblimin: test_rotation.sh
set -eu
skip()
{
    echo "skipped: $*"
    exit 77
}

command -v Rscript >/dev/null || skip 'there is no R'
Rscript -e 'quit(status = !requireNamespace("GPArotation", quietly = TRUE))' 2>/dev/null ||
    skip 'R has no GPArotation (Debian: r-cran-gparotation)'
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
cd "$box"
Rscript --vanilla "$SRC/tests/r/rotation.R" "$SCREE"
