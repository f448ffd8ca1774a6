# SPDX-License-Identifier: BSD-3-Clause
# What scree loadings says, beside FactoMineR's PCA of its own decathlon data, read from the package: test_meaning.sh
set -eu
skip()
{
    echo "skipped: $*"
    exit 77
}

command -v Rscript >/dev/null || skip 'there is no R'
Rscript -e 'quit(status = !requireNamespace("FactoMineR", quietly = TRUE))' 2>/dev/null ||
    skip 'R has no FactoMineR (Debian: r-cran-factominer)'
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
cd "$box"
Rscript --vanilla "$SRC/tests/r/meaning.R" "$SCREE"
