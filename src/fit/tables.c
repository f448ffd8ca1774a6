/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_table_name and scree_table_text: what the tables of methods, kinds and formats say of themselves, so that help
 * and messages of every program list what this library has. */

#include "data/formats.h"
#include "data/module.h"
#include "fit/method.h"
#include "model/kind.h"

typedef struct described {
    const char *name;
    const char *text;
} described;

/* The index-th of a NULL-terminated table; NULL past its end. */
static const void *entry(const void *const *table, int64_t index)
{
    for (int64_t i = 0; i < index; i++)
        if (!table[i])
            return NULL;
    return index < 0 ? NULL : table[index];
}

static described solver_at(int64_t index)
{
    const scree__method *method = entry((const void *const *)scree__methods, index);
    return method ? (described){method->name, method->text} : (described){0};
}

static described reader_at(int64_t index)
{
    const scree__reader *reader = entry((const void *const *)scree__readers, index);
    return reader ? (described){reader->name, reader->text} : (described){0};
}

static described writer_at(int64_t index)
{
    const scree__writer *writer = entry((const void *const *)scree__writers, index);
    return writer ? (described){writer->name, writer->text} : (described){0};
}

static described kind_at(int64_t index)
{
    const scree__kind *kind = entry((const void *const *)scree__kinds, index);
    return kind ? (described){kind->name, kind->text} : (described){0};
}

static described module_at(int64_t index)
{
    const scree__module *module = entry((const void *const *)scree__modules, index);
    return module ? (described){module->name, module->text} : (described){0};
}

static described at(scree_table table, int64_t index)
{
    switch (table) {
    case SCREE_TABLE_SOLVERS:
        return solver_at(index);
    case SCREE_TABLE_READERS:
        return reader_at(index);
    case SCREE_TABLE_WRITERS:
        return writer_at(index);
    case SCREE_TABLE_KINDS:
        return kind_at(index);
    case SCREE_TABLE_MODULES:
        return module_at(index);
    }
    return (described){0};
}

const char *scree_table_name(scree_table table, int64_t index)
{
    return at(table, index).name;
}

const char *scree_table_text(scree_table table, int64_t index)
{
    return at(table, index).text;
}
