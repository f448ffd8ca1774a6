/* SPDX-License-Identifier: BSD-3-Clause */
/* Which option each kind of picture takes. An option that has no line here is taken by all of them; one that has is
 * refused for the others, so that none is ignored in silence. The test tests/options/test_walk.py draws every kind with
 * every option. */

#include "plot_kinds.h"

#include "help.h"

#include <string.h>

enum { SCREE = 1, ERROR = 2, LOADINGS = 4, SAMPLES = 8, EMBEDDING = 16, BIPLOT = 32, RECONSTRUCTION = 64 };
enum { OUTLIERS = 128, MONITOR = 256, ROWS = 512, CIRCLE = 1024, CONTRIBUTIONS = 2048, COS2 = 4096 };
enum { VARIANCE = 8192, HEATMAP = 16384, PAIRS = 32768 };
enum { PLANE = EMBEDDING | BIPLOT, BARS = CONTRIBUTIONS | COS2 };
enum { NEED_ROWS = PLANE | PAIRS | RECONSTRUCTION | OUTLIERS | MONITOR | ROWS, TAKE_ROWS = NEED_ROWS | BARS | CIRCLE };

/* In the order of the bits above. */
const char *const cli_plot_kinds[] = {"scree",          "error",    "loadings", "samples", "embedding", "biplot",
                                      "reconstruction", "outliers", "monitor",  "rows",    "circle",    "contributions",
                                      "cos2",           "variance", "heatmap",  "pairs",   NULL};

static const struct {
    const char *option;
    int kinds;
} takes[] = {
    {"show", LOADINGS | PLANE | CIRCLE | BARS | HEATMAP | PAIRS},
    {"top", BIPLOT | CIRCLE | BARS | VARIANCE | HEATMAP},
    {"colour-by", PLANE | CIRCLE},
    {"size-by", PLANE},
    {"supplementary", PLANE | CIRCLE},
    {"supplementary-rows", PLANE},
    {"around", PLANE},
    {"level", PLANE},
    {"at", RECONSTRUCTION | ERROR},
    {"highlight", PLANE | RECONSTRUCTION | ROWS},
    {"labels", PLANE | PAIRS},
    {"label", PLANE | PAIRS | OUTLIERS},
    {"image", LOADINGS | SAMPLES | PLANE | RECONSTRUCTION | ROWS},
    {"draws", SAMPLES | ROWS},
    {"seed", SAMPLES},
    {"alpha", OUTLIERS | MONITOR},
    {"training", OUTLIERS | MONITOR},
    {"points", PLANE | PAIRS | OUTLIERS},
    {"components", ~ROWS},
    {"palette", ~CIRCLE},
    {"noise", SAMPLES | PLANE | RECONSTRUCTION | OUTLIERS | MONITOR},
    {"noise-floor", SAMPLES | PLANE | RECONSTRUCTION | OUTLIERS | MONITOR},
};

static int bit_of(const char *kind)
{
    for (int i = 0; cli_plot_kinds[i]; i++)
        if (strcmp(cli_plot_kinds[i], kind) == 0)
            return 1 << i;
    return 0;
}

static bool is_of_rows(const cli_option *option)
{
    for (const cli_option *read = cli_read_options; read->name; read++)
        if (read == option)
            return true;
    return false;
}

static int kinds_of(const cli_option *option)
{
    for (size_t i = 0; i < sizeof takes / sizeof *takes; i++)
        if (strcmp(takes[i].option, option->name) == 0)
            return takes[i].kinds;
    return is_of_rows(option) ? TAKE_ROWS : -1; /* how rows are read is of no use without any */
}

/* "--at is for --kind error or reconstruction, not scree" */
static int refuse(const cli_call *call, const cli_option *option, const char *kind)
{
    const int kinds = kinds_of(option);
    char list[256] = "";
    size_t used = 0;
    int left = 0;
    for (int i = 0; cli_plot_kinds[i]; i++)
        left += (kinds >> i) & 1;
    for (int i = 0; cli_plot_kinds[i] && used < sizeof list; i++)
        if (kinds & (1 << i)) {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", cli_plot_kinds[i],
                                     left > 2    ? ", "
                                     : left == 2 ? " or "
                                                 : "");
            left--;
        }
    return cli_usage(call->command, option, "--%s is for --kind %s, and a picture of kind %s does not use it",
                     option->name, list, kind);
}

/* A seed is for the sample of rows, too. */
static bool is_for_sample(const cli_call *call, const cli_option *option, int bit)
{
    return strcmp(option->name, "seed") == 0 && (bit & TAKE_ROWS) && cli_given(call, "sample");
}

int cli_plot_kind_check(const cli_call *call, const char *kind)
{
    const int bit = bit_of(kind);
    for (int i = 0; i < call->given_count; i++) {
        const cli_option *option = call->given[i];
        if (!(kinds_of(option) & bit) && !is_for_sample(call, option, bit))
            return refuse(call, option, kind);
        if ((bit & TAKE_ROWS) && !(bit & NEED_ROWS) && call->operand_count < 2 && is_of_rows(option))
            return cli_usage(call->command, option, "--kind %s draws columns, and --%s is for rows; give DATA as well",
                             kind, option->name);
    }
    const bool beside = cli_given(call, "supplementary");
    if (beside && call->operand_count < 2)
        return cli_usage(call->command, NULL, "--supplementary needs DATA, which has the columns");
    if (bit == CIRCLE && !beside && call->operand_count > 1)
        return cli_usage(call->command, NULL,
                         "--kind circle draws the model alone; leave %s out, or add --supplementary",
                         call->operands[1]);
    if ((bit & NEED_ROWS) && call->operand_count < 2)
        return cli_usage(call->command, NULL, "--kind %s needs rows; give DATA as well", kind);
    if (!(bit & TAKE_ROWS) && call->operand_count > 1)
        return cli_usage(call->command, NULL, "--kind %s draws the model alone; leave %s out", kind, call->operands[1]);
    return 0;
}
