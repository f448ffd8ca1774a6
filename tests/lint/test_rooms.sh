# SPDX-License-Identifier: BSD-3-Clause
# The rule on rooms finds includes that point the wrong way, and only those.
. "$(dirname "$0")/lib.sh"

keeps rooms src/kernel/gram.c '#include "base/memory.h"\n#include "kernel/gram.h"\n#include "scree.h"\n#include <math.h>'
keeps rooms src/answer/match.c '#include "data/source.h"\n#include "model/model.h"'
keeps rooms src/kernel/typed/multiply.c '#include "kernel/typed/real.h"'
keeps rooms src/view/plot.c '#include "scree_private.h"\n#include "scree_view.h"\n#include "view/frame.h"'
keeps rooms cli/pictures.h '#include "scree_view.h"'
keeps rooms src/kind/network/train.c '#include "fit/fit.h"\n#include "kind/network/network.h"\n#include "data/pass.h"'
keeps rooms cli/main.c '#include "scree.h"\n#include <stdio.h>'

breaks rooms src/base/memory.c '#include "kernel/blas.h"' 'room base includes "kernel/blas.h"'
breaks rooms src/data/csv.c '#include "model/model.h"' 'room data includes "model/model.h"'
breaks rooms src/model/model.c '#include "data/source.h"' 'room model includes "data/source.h"'
breaks rooms src/fit/svd.c '#include "view/plot.h"' 'room fit includes "view/plot.h"'
breaks rooms src/view/plot.c '#include "base/memory.h"' 'room view includes "base/memory.h"'
breaks rooms src/fit/svd.c '#include "scree_view.h"' 'ROOM/scree_view.h'
breaks rooms cli/cmd_fit.c '#include "scree_private.h"' 'only scree.h'
breaks rooms src/fit/fit.c '#include "kind/kinds.h"' 'room fit includes "kind/kinds.h"'
breaks rooms src/view/plot.c '#include "kind/kinds.h"' 'room view includes "kind/kinds.h"'
breaks rooms src/kind/pca/pca.c '#include "view/plot.h"' 'room kind includes "view/plot.h"'
breaks rooms src/kernel/typed/multiply.c '  #  include "data/pass.h"' 'room kernel includes "data/pass.h"'
breaks rooms src/data/csv.c '#include "bytes.h"' 'ROOM/bytes.h'
breaks rooms src/data/csv.c '#include "../model/model.h"' 'ROOM/model.h'
breaks rooms src/attic/old.c '#include "base/error.h"' 'no known room'
breaks rooms cli/cmd_fit.c '#include "base/memory.h"' 'only scree.h'
breaks rooms examples/simple.c '#include "../src/base/memory.h"' 'only scree.h'
breaks rooms src/fit/svd.c '#include <lapacke.h>' 'includes <lapacke.h>'
