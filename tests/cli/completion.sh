# SPDX-License-Identifier: BSD-3-Clause
# Completions: bash's are tried out; those of zsh and fish must name every command and option.
. "$SRC/tests/cli/lib.sh"

complete_bash()
{
    echo "complete: $*"
    bash -c '"$SCREE" help --completion bash >rules && . ./rules
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _scree
        printf "  %s\n" "${COMPREPLY[@]}" | sort' bash "$@"
}

touch data.csv
complete_bash scree ''
complete_bash scree pl
complete_bash scree fit --so
complete_bash scree fit --solver ''
complete_bash scree fit --scale u
complete_bash scree fit da
complete_bash scree help f
complete_bash scree help --completion ''
for shell in zsh fish; do
    "$SCREE" help --completion $shell >"$shell"
    for command in $("$SCREE" help --list); do
        grep -q "$command" $shell || echo "$shell lacks $command"
        "$SCREE" help "$command" | sed -n 's/^ *\(-[a-z], \)\{0,1\}--\([a-z-]*\).*/\2/p' | while read -r option; do
            grep -q -e "-l $option\|--$option" $shell || echo "$shell lacks --$option"
        done
    done
    if command -v $shell >found; then
        $shell -n $shell
    fi
done
