/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_table_name: the names in the tables of methods, kinds and formats, so that help and messages of every program
 * list what this library has. */

#include "data/formats.h"
#include "fit/job.h"
#include "model/kind.h"

/* The index-th of a NULL-terminated table; NULL past its end. */
static const void *entry(const void *const *table, int64_t index)
{
    for (int64_t i = 0; i < index; i++)
        if (!table[i])
            return NULL;
    return index < 0 ? NULL : table[index];
}

const char *scree_table_name(scree_table table, int64_t index)
{
    const void *found = NULL;
    switch (table) {
    case SCREE_TABLE_SOLVERS:
        found = entry((const void *const *)scree__methods, index);
        return found ? ((const scree__method *)found)->name : NULL;
    case SCREE_TABLE_READERS:
        found = entry((const void *const *)scree__readers, index);
        return found ? ((const scree__reader *)found)->name : NULL;
    case SCREE_TABLE_WRITERS:
        found = entry((const void *const *)scree__writers, index);
        return found ? ((const scree__writer *)found)->name : NULL;
    case SCREE_TABLE_KINDS:
        found = entry((const void *const *)scree__kinds, index);
        return found ? ((const scree__kind *)found)->name : NULL;
    }
    return NULL;
}

const char *scree_table_text(scree_table table, int64_t index)
{
    const scree__kind *kind = NULL;
    if (table != SCREE_TABLE_KINDS)
        return scree_table_name(table, index);
    kind = entry((const void *const *)scree__kinds, index);
    return kind ? kind->text : NULL;
}
