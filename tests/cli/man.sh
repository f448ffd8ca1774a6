# SPDX-License-Identifier: BSD-3-Clause
# Man pages: every command has one with all its options, and groff, where there is one, has nothing to complain about.
. "$SRC/tests/cli/lib.sh"

try help --man version
"$SCREE" help --man >scree.1
head -4 scree.1
for command in $("$SCREE" help --list); do
    "$SCREE" help --man "$command" >"$command.1" || echo "no page of $command"
    grep -c '^\.SH' "$command.1"
    "$SCREE" help "$command" | sed -n 's/^ *\(-[a-z], \)\{0,1\}--\([a-z-]*\).*/\2/p' | while read -r option; do
        sed 's/\\-/-/g' "$command.1" | grep -q -e "--$option" || echo "$command.1 lacks --$option"
    done
done
if command -v groff >groff; then
    for page in *.1; do
        groff -man -ww -Tutf8 "$page" 2>&1 >rendered
    done
fi
