/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums for supplementary columns, row by row. A mean moves by ω/Σω of the distance to the new row, and a product about
 * the means grows by ω times the distance to the old mean times that to the new one (Welford 1962, West 1979): as exact
 * as two passes, whatever the mean is. O(M) a row and column of numbers, O(D + M + log groups) a row and text. */

#include "answer/supplement.h"

#include "base/memory.h"
#include "base/size_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GROUPS = 1000, GROUP_BYTES = 256 }; /* of a group beside its means, at most */

scree_status scree__code_sums_open(scree__code_sums *sums, int64_t m, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(sums->mean, m, error);
    SCREE_ALLOC(sums->squares, m, error);
done:
    return status;
}

void scree__code_sums_add(scree__code_sums *sums, const double *z, int64_t m, double weight)
{
    sums->weight += weight;
    for (int64_t k = 0; k < m; k++) {
        const double step = z[k] - sums->mean[k];
        sums->mean[k] += weight / sums->weight * step;
        sums->squares[k] += weight * step * (z[k] - sums->mean[k]);
    }
}

void scree__number_sums_add(scree__number_sums *sums, double x, const double *z, int64_t m, double weight)
{
    const double step = x - sums->mean;
    scree__code_sums_add(&sums->codes, z, m, weight);
    sums->rows++;
    sums->mean += weight / sums->codes.weight * step;
    sums->square += weight * step * (x - sums->mean);
    for (int64_t k = 0; k < m; k++)
        sums->products[k] += weight * step * (z[k] - sums->codes.mean[k]);
}

/* Where the text is among the groups, or would be. */
static int64_t find(const scree__text_groups *texts, const char *text, bool *is_there)
{
    int64_t low = 0;
    int64_t high = texts->count;
    *is_there = false;
    while (low < high && !*is_there) {
        const int64_t middle = low + (high - low) / 2;
        const int order = strcmp(text, texts->groups[middle].name);
        *is_there = order == 0;
        if (order < 0)
            high = middle;
        else
            low = order == 0 ? middle : middle + 1;
        if (*is_there)
            return middle;
    }
    return low;
}

static void clear(scree__group *group)
{
    free(group->name);
    free(group->mean);
    free(group->centred);
}

static scree_status insert(scree__text_groups *texts, int64_t at, const char *text, int64_t m, int64_t d,
                           scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__group group = {.weight = 0};
    char size[SCREE__SIZE_TEXT];
    if (texts->count == MOST_GROUPS)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "column '%s' has more than %d different texts, so it names rows and no groups; leave it out",
                   texts->column, MOST_GROUPS);
    const int64_t bytes = (d + 4 * m) * (int64_t)sizeof(double) + GROUP_BYTES + 2 * (int64_t)strlen(text);
    if (*texts->spare < bytes)
        SCREE_FAIL(error, SCREE_ERR_LIMIT,
                   "column '%s' has more than %" PRId64 " different texts, and there is too little memory for their "
                   "means, %s each; allow more, or leave it out",
                   texts->column, texts->count, scree__size_text(size, bytes));
    *texts->spare -= bytes;
    if (!texts->groups)
        SCREE_ALLOC(texts->groups, MOST_GROUPS, error);
    group.name = scree__strdup(text);
    if (!group.name)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: cannot keep the texts of column '%s'", texts->column);
    SCREE_ALLOC(group.mean, m, error);
    SCREE_ALLOC(group.centred, d, error);
    memmove(texts->groups + at + 1, texts->groups + at, (size_t)(texts->count - at) * sizeof group);
    texts->groups[at] = group;
    texts->count++;
    group = (scree__group){.weight = 0};
done:
    clear(&group);
    return status;
}

scree_status scree__text_groups_add(scree__text_groups *texts, const char *text, double weight, const double *z,
                                    int64_t m, const double *c, int64_t d, scree_error *error)
{
    scree_status status = SCREE_OK;
    bool is_there;
    if (!text || !*text)
        return SCREE_OK;
    const int64_t at = find(texts, text, &is_there);
    if (!is_there)
        SCREE_TRY(insert(texts, at, text, m, d, error));
    scree__group *group = &texts->groups[at];
    scree__code_sums_add(&texts->codes, z, m, weight);
    texts->rows++;
    group->weight += weight;
    for (int64_t k = 0; k < m; k++)
        group->mean[k] += weight / group->weight * (z[k] - group->mean[k]);
    for (int64_t j = 0; j < d; j++)
        group->centred[j] += weight / group->weight * (c[j] - group->centred[j]);
done:
    return status;
}

void scree__code_sums_close(scree__code_sums *sums)
{
    free(sums->mean);
    free(sums->squares);
}

void scree__number_sums_close(scree__number_sums *sums)
{
    scree__code_sums_close(&sums->codes);
    free(sums->products);
}

void scree__text_groups_close(scree__text_groups *texts)
{
    scree__code_sums_close(&texts->codes);
    for (int64_t g = 0; g < texts->count; g++)
        clear(&texts->groups[g]);
    free(texts->groups);
}
