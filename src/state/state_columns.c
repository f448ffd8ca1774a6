/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether columns are those of a state. What differs is told by the first place where it does: a column that is not
 * there, one that is too many, or another order. O(D) comparisons. */

#include "state/state.h"

#include <inttypes.h>
#include <string.h>

static bool is_among(const char *const *names, int64_t count, const char *name)
{
    for (int64_t j = 0; j < count; j++)
        if (strcmp(names[j], name) == 0)
            return true;
    return false;
}

/* The first place where names differ, which may be the end of the shorter. */
static int64_t first_other(const scree_state *s, const char *const *names, int64_t cols)
{
    const int64_t both = cols < s->cols ? cols : s->cols;
    int64_t j = 0;
    while (j < both && strcmp(s->columns[j], names[j]) == 0)
        j++;
    return j;
}

static scree_status match_names(const scree_state *s, const char *path, const char *const *names, int64_t cols,
                                const char *ask, scree_error *error)
{
    const char *label = scree__state_label(s);
    const int64_t j = first_other(s, names, cols);
    if (j == cols && j == s->cols)
        return SCREE_OK;
    const bool lacks = j < s->cols && (j == cols || !is_among(names, cols, s->columns[j]));
    const bool has_more = j < cols && (j == s->cols || !is_among((const char *const *)s->columns, s->cols, names[j]));
    if (lacks && !has_more)
        return scree__fail(error, SCREE_ERR_SHAPE, "%s: there is no column '%.100s', which %s has; %s", path,
                           s->columns[j], label, ask);
    if (has_more && !lacks)
        return scree__fail(error, SCREE_ERR_SHAPE, "%s: column %" PRId64 ", '%.100s', is not in %s; %s", path, j + 1,
                           names[j], label, ask);
    return scree__fail(error, SCREE_ERR_SHAPE, "%s: column %" PRId64 " is '%.100s', and '%.100s' in %s; %s", path,
                       j + 1, names[j], s->columns[j], label, ask);
}

scree_status scree__state_match(const scree_state *s, const char *path, const char *const *names, int64_t cols,
                                const char *ask, scree_error *error)
{
    if (s->columns && names)
        return match_names(s, path, names, cols, ask, error);
    if (cols == s->cols)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_SHAPE, "%s: there %s %" PRId64 " column%s, and %s has %" PRId64 "; %s", path,
                       cols == 1 ? "is" : "are", cols, cols == 1 ? "" : "s", scree__state_label(s), s->cols, ask);
}
