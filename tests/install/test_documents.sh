# SPDX-License-Identifier: BSD-3-Clause
# Every command has a man page without errors; the completions of the three shells are there and parse.
. "$(dirname "$0")/lib.sh"

scree=$prefix/bin/scree
[ -x "$scree" ] || skip 'the command was not built'
commands=$("$scree" help --list)
[ -n "$commands" ] || fail "scree help --list prints nothing"
for page in scree $(printf 'scree-%s ' $commands); do
    file=$prefix/share/man/man1/$page.1
    [ -s "$file" ] || fail "no man page $page(1)"
    head -n 20 "$file" | grep -q '^\.TH ' || fail "$page.1 has no .TH line"
    grep -q '^\.SH NAME' "$file" || fail "$page.1 has no section NAME"
    if command -v groff >/dev/null; then
        said=$(groff -man -Tutf8 -ww -z "$file" 2>&1)
        [ -z "$said" ] || fail "$page.1: $said"
    fi
done

bash_file=$prefix/share/bash-completion/completions/scree
zsh_file=$prefix/share/zsh/site-functions/_scree
fish_file=$prefix/share/fish/vendor_completions.d/scree.fish
bash -n "$bash_file"
grep -q 'complete .*scree' "$bash_file" || fail "the bash completion registers nothing"
head -n 1 "$zsh_file" | grep -q '^#compdef scree' || fail "the zsh completion does not start with #compdef scree"
grep -q 'complete .*scree' "$fish_file" || fail "the fish completion registers nothing"
if command -v zsh >/dev/null; then zsh -n "$zsh_file"; fi
if command -v fish >/dev/null; then fish -n "$fish_file"; fi
for command in $commands; do
    for file in "$bash_file" "$zsh_file" "$fish_file"; do
        grep -qw -- "$command" "$file" || fail "${file#"$prefix"/} does not know the command $command"
    done
done
