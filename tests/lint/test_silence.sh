# SPDX-License-Identifier: BSD-3-Clause
# The rule on silence finds calls that print, exit or abort in src/, not words in comments, strings or longer names.
. "$(dirname "$0")/lib.sh"

for call in 'printf("x")' 'puts("x")' 'perror(name)' 'exit(1)' 'abort ()' 'assert(x > 0)' 'fprintf(stderr, "x")'; do
    breaks silence src/base/f.c "int x;\nvoid f(void)\n{\n    $call;\n}" 'src/base/f.c:4: '
    keeps silence cli/f.c "$call;"
    keeps silence src/base/f.c "/* why not\n * $call */"
done
keeps silence src/base/f.c 'snprintf(text, sizeof text, "exit(1) or \\"abort()\\" to stderr");'
keeps silence src/base/f.c 'static_assert(sizeof(int) == 4, "x"); on_exit_free(); vsnprintf(a, b, c, d);'
keeps silence src/base/f.c 'FILE *out = stdout;'
