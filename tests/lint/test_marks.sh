# SPDX-License-Identifier: BSD-3-Clause
# The rule on marks wants the licence at the top of code, and no work left for later anywhere.
. "$(dirname "$0")/lib.sh"

later=TO''DO
keeps marks src/base/f.c "$spdx\nint x;"
keeps marks tools/run "#!/bin/sh\n# SPDX-License-Identifier: BSD-3-Clause"
keeps marks docs/page.md "A page needs no licence line; a mastodon is no $later"x
breaks marks src/base/f.c 'int x;' 'SPDX'
breaks marks src/base/f.c "/* first */\nint x;\n$spdx" 'SPDX'
breaks marks tools/run '#!/bin/sh\ntrue' 'SPDX'
breaks marks src/base/f.c "$spdx\nint x; /* $later: y */" ':2: leaves work'
breaks marks docs/page.md "one\n\n$later" ':3: leaves work'
