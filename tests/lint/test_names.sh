# SPDX-License-Identifier: BSD-3-Clause
# The rule on names finds paths, tests and functions that documents name and that are not there.
. "$(dirname "$0")/lib.sh"

breaks names docs/a.md 'One.\nSee `src/fit/gone.c`.\n' 'docs/a.md:2: names src/fit/gone.c'
breaks names README.md '`test_of_nothing`' 'README.md:1: names the test test_of_nothing'
breaks names docs/a.md '`scree_vanish`' 'scree_vanish, which is not in scree.h'
breaks names docs/a.md '`scree__vanish`' 'scree__vanish, which is not in src/'
keeps names docs/a.md 'See `docs/a.md`, `src/fit/NAME.c`, `tests/cli/run --update`, src/gone.c and `test`.'
keeps names docs/a.md '```sh\ncat `docs/gone.md`\n```\n'
keeps names src/base/f.c '/* `docs/gone.md` */'
keeps names CHANGELOG.md '`scree_vanish` is `scree_model_vanish` now.'
