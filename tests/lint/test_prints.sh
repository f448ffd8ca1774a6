# SPDX-License-Identifier: BSD-3-Clause
# The rule on printing finds what goes past the filter in cli/, not literals, and not other folders.
. "$(dirname "$0")/lib.sh"

for call in 'printf("%s", x)' 'fprintf(out, "x")' 'puts(x)' 'perror(x)' 'fputs(name, out)' 'fputc(*x, out)' \
    'fputs(\n        name, out)' 'putchar(c)' 'fwrite(x, 1, 2, out)' 'vfprintf(out, x, list)' 'write(2, x, 3)'; do
    breaks prints cli/f.c "int x;\nvoid f(void)\n{\n    $call;\n}" 'cli/f.c:4: '
    keeps prints cli/print.c "$call;"
    keeps prints src/base/f.c "$call;"
    keeps prints cli/f.c "/* why not\n * $call */"
done
for call in 'cli_print(out, "%s", x)' 'fputs("x", out)' 'fputs(\n        "x", out)' "putchar('\\\\n')" "fputc('x', out)" \
    'fputs(cli_bold(out, true), out)' 'snprintf(x, 3, "%s", y)'; do
    keeps prints cli/f.c "void f(void)\n{\n    $call;\n}"
done
