# SPDX-License-Identifier: BSD-3-Clause
# Help of every command as it is printed; --help is the same; nothing is wider than 80 columns.
. "$SRC/tests/cli/lib.sh"

"$SCREE" version | head -n 1
"$SCREE" --version | head -n 1
try help
try help --list
for command in $("$SCREE" help --list); do
    try help "$command"
    "$SCREE" help "$command" >one
    "$SCREE" "$command" --help >two
    "$SCREE" "$command" -h >three
    cmp one two
    cmp two three
done
"$SCREE" help >one
"$SCREE" --help >two
"$SCREE" -h >three
cmp one two
cmp two three
for command in $("$SCREE" help --list); do
    "$SCREE" help "$command"
done | awk '{ gsub(/[\200-\277]/, "") } length > 80 { print "too wide: " $0 }'
