# SPDX-License-Identifier: BSD-3-Clause
# The check of the interface finds what would break a program, and lets pass what would not.
set -euo pipefail
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT

command -v abidiff >/dev/null || { echo 'skipped: abidiff is not installed' && exit 77; }
cd "$box"

# library TEXT: an interface, compiled; extra options of the header are in the text.
library()
{
    printf '#include <stddef.h>\n%s\n' "$1" >toy.h
    cat >toy.c <<'END'
#include "toy.h"
int toy_one(const toy_options *options) { return options ? options->a : 0; }
#ifndef WITHOUT
int toy_two(NUMBER x) { return (int)x; }
#endif
#ifdef MORE
int toy_three(void) { return 3; }
#endif
END
    ${CC:-cc} -g -shared -fPIC toy.c -o libtoy.so
}

check() { "$SRC/tools/abi/check" libtoy.so toy.h kept.abi >said 2>&1; }

passes() { library "$1" && check || { cat said && echo "fails: $2" && exit 1; }; }
breaks() { library "$1" && ! check || { echo "passes: $2" && exit 1; }; }

base='#define NUMBER int
typedef struct toy_options { size_t size; int a; } toy_options;
int toy_one(const toy_options *options);
int toy_two(NUMBER x);'
library "$base"
"$SRC/tools/abi/check" --update libtoy.so toy.h kept.abi
passes "$base" 'the same'
passes "$base
#define MORE
int toy_three(void);" 'a function more'
passes "${base/int a;/int a; double later[2];}" 'a struct that has grown at its end'
breaks "#define WITHOUT
$base" 'a function less'
breaks "${base/NUMBER int/NUMBER long}" 'a parameter of another type'
breaks "${base/size_t size; int a;/size_t size; double first; int a;}" 'a field in the middle'
breaks "${base/int a;/double a;}" 'a field of another type'
