/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of rows. Each column keeps its distinct texts once, a row their numbers: whether a column is the label is known
 * only when all rows are, for a column that says something else in every row is a name of the rows and not a label. */

#include "view/texts.h"

#include "view/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DISTINCT = 1 << 20 };

scree_status scree__texts_add(scree__texts *texts, const char *const *row, int32_t *numbers, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int64_t t = 0; t < texts->count; t++) {
        texts->columns[t].most = DISTINCT; /* names of rows are many */
        SCREE_TRY(scree__labels_add(&texts->columns[t], row[t], &numbers[t], error));
    }
done:
    return status;
}

static bool is_unique(const scree__labels *labels)
{
    for (int64_t i = 0; i < labels->count; i++)
        if (labels->counts[i] > 1)
            return false;
    return true;
}

void scree__texts_choose(scree__texts *texts, const scree__source_texts *source, const char *label)
{
    const int64_t count = texts->count;
    texts->id = source->id < count ? source->id : -1;
    texts->label = source->label < count ? source->label : -1;
    for (int64_t t = 0; t < count && label; t++)
        if (strcmp(source->names[t], label) == 0)
            texts->label = t;
    for (int64_t t = 0; t < count && texts->label < 0; t++)
        if (t != texts->id && !is_unique(&texts->columns[t]))
            texts->label = t;
    for (int64_t t = 0; t < count && texts->id < 0; t++)
        if (t != texts->label && is_unique(&texts->columns[t]))
            texts->id = t;
}

const char *scree__texts_name(const scree__texts *texts, const int32_t *numbers, int64_t row, char *buffer, size_t size)
{
    const int32_t number = texts->id >= 0 && texts->count > 0 ? numbers[texts->id] : -1;
    buffer[0] = '\0';
    if (number >= 0)
        scree__words_clean(buffer, size, texts->columns[texts->id].names[number]);
    if (!*buffer)
        snprintf(buffer, size, "row %" PRId64, row + 1);
    return buffer;
}

void scree__texts_clear(scree__texts *texts)
{
    for (int64_t t = 0; t < texts->count; t++)
        scree__labels_clear(&texts->columns[t]);
    *texts = (scree__texts){.label = -1, .id = -1};
}
