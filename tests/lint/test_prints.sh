# SPDX-License-Identifier: BSD-3-Clause
# The rule on printing finds what goes past the filter in cli/, not literals, and not other folders.
. "$(dirname "$0")/lib.sh"

for call in 'printf("%s", x)' 'puts(x)' 'fputs(name, out)' 'fputs(\n        name, out)' 'fwrite(x, 1, 2, out)'; do
    breaks prints cli/f.c "int x;\nvoid f(void)\n{\n    $call;\n}" 'cli/f.c:4: '
done
all='fprintf(out, "x"); perror(x); fputc(*x, out); putchar(c); vfprintf(out, x, list); write(2, x, 3);'
breaks prints cli/f.c "$all" 'calls vfprintf'
keeps prints cli/print.c "$all"
keeps prints src/base/f.c "$all"
keeps prints cli/f.c "/* why not\n * $all */"
keeps prints cli/f.c 'cli_print(out, "%s", x); fputs("x", out); fputs(\n        "x", out); fputs(cli_bold(out, true), out);'
keeps prints cli/f.c "putchar('\\\\n'); fputc('x', out); snprintf(x, 3, y);"
