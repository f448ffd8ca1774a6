# SPDX-License-Identifier: BSD-3-Clause
# Shared by the tests of the rules: small trees that break a rule, or keep it.
# A test says `breaks RULE FILE TEXT WORDS` or `keeps RULE FILE TEXT`; each call starts with an empty tree.
set -euo pipefail

rules=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../tools/rules" && pwd)
spdx='/* SPDX-License-Identifier: BSD-3-Clause */'
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# plant FILE TEXT: a tree with this one file.
plant()
{
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/$(dirname "$1")"
    printf '%b' "$2" >"$tree/$1"
}

keeps()
{
    local rule=$1
    plant "$2" "$3"
    if ! said=$(python3 "$rules/$rule.py" "$tree" 2>&1); then
        printf '%s: wrongly finds in %s:\n%s\n%s\n' "$rule" "$2" "$3" "$said"
        exit 1
    fi
}

# The finding must name the file and contain the words; a rule that crashes does neither.
breaks()
{
    local rule=$1
    plant "$2" "$3"
    if said=$(python3 "$rules/$rule.py" "$tree" 2>&1); then
        printf '%s: finds nothing in %s:\n%s\n' "$rule" "$2" "$3"
        exit 1
    fi
    if [[ $said != *"$2:"* || $said != *"$4"* ]]; then
        printf '%s: should say "%s" about %s, but says:\n%s\n' "$rule" "$4" "$2" "$said"
        exit 1
    fi
}
