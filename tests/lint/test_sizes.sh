# SPDX-License-Identifier: BSD-3-Clause
# The rule on sizes counts the lines of functions and files, at the limit and one past it.
. "$(dirname "$0")/lib.sh"

lines() { for ((i = 0; i < $1; i++)); do printf '    x++;\\n'; done; }

keeps sizes src/base/f.c "int f(int x)\n{\n$(lines 77)}"
breaks sizes src/base/f.c "int f(int x)\n{\n$(lines 78)}" 'src/base/f.c:1: the function has 81 lines'
breaks sizes src/base/f.c "int g;\n\nint f(int x,\n      int y)\n{\n$(lines 77)}" ':3: the function has 81 lines'
breaks sizes tests/unit/test_f.c "int f(int x)\n{\n$(lines 78)}" 'the function has 81 lines'
keeps sizes src/base/table.c "static const int t[] = {\n$(lines 100)};"
keeps sizes src/base/two.c "int f(int x)\n{\n$(lines 60)}\n\nint g(int x)\n{\n$(lines 60)}"
keeps sizes src/base/long.c "int x;\n$(lines 499)"
breaks sizes src/base/long.c "int x;\n$(lines 500)" 'the file has 501 lines'
keeps sizes include/scree.h "int x;\n$(lines 799)"
breaks sizes include/scree.h "int x;\n$(lines 1800)" 'the file has 1801 lines, 1800 at most'
