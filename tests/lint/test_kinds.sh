# SPDX-License-Identifier: BSD-3-Clause
# The rule on kinds finds whatever outside of src/kind includes, names or compares a kind of model.
. "$(dirname "$0")/lib.sh"

breaks kinds src/model/model.c '#include "kind/kinds.h"' 'includes a header of src/kind'
breaks kinds src/fit/fit.c 'int x;\nf(&scree__kind_pca);' "src/fit/fit.c:2: names a part of the kind 'pca'"
breaks kinds src/view/plot.c 'scree__network_of(view);' "part of the kind 'network'"
breaks kinds src/view/plot.c 'scree__pca_save(model);' "part of the kind 'pca'"
breaks kinds cli/cmd_info.c 'if (strcmp(view->kind, "pca") == 0)' "has the name of the kind 'pca'"
breaks kinds cli/cmd_info.c 'if (network) {}' "speaks of 'network'"
breaks kinds cli/cmd_info.c 'scree_model_network(model);' "speaks of 'network'"
breaks kinds src/view/plot.c '/* Networks have no order. */' "speaks of 'Networks'"
breaks kinds src/view/plot.c 'bool takes_networks;' "speaks of 'networks'"
breaks kinds src/view/page/card.js 'const kind = model.network;' "speaks of 'network'"
breaks kinds src/view/page/card.js 'readNetwork(x);' "speaks of 'Network'"
breaks kinds examples/simple.c '/* an auto-encoder */' "speaks of 'auto-encod'"
breaks kinds cli/network_text.c '/* words */ int network;' "speaks of 'network'"
keeps kinds src/kind/network/network.c '#include "kind/kinds.h"\nstruct network *x = f("network");'
keeps kinds cli/cmd_autoencode.c 'const scree_network_view *network;'
keeps kinds cli/autoencode_text.c 'const scree_network_view *network;'
keeps kinds cli/cli.h '    X(autoencode) \\\\'
keeps kinds cli/cmd_report.c '"one file that needs nothing else, no network either"'
keeps kinds src/fit/fit.c '/* PCA of the rows */ scree__ppca_density; pca = 1;'
keeps kinds src/model/kind.c 'scree__kind_find(name); scree__kind_needs(model); scree__kinds[0];'
keeps kinds include/scree.h 'scree_model_network(model);'
keeps kinds tests/unit/test_network.c '#include "kind/network/network.h"'
