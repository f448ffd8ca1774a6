/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of a model file, put together: texts and tensors in the order in which they are added, so that the same
 * model gives the same bytes. Tensors are lent, not copied. */

#include "model/fields.h"

#include "base/memory.h"

#include <cJSON.h>
#include <inttypes.h>
#include <stdio.h>

void scree__draft_text(scree__draft *draft, const char *key, const char *value)
{
    draft->contents.texts[draft->contents.text_count++] = (scree__text){key, value};
}

void scree__draft_integer(scree__draft *draft, const char *key, int64_t value)
{
    char *number = draft->numbers[draft->contents.text_count];
    snprintf(number, SCREE__NUMBER_SIZE, "%" PRId64, value);
    scree__draft_text(draft, key, number);
}

void scree__draft_real(scree__draft *draft, const char *key, double value)
{
    char *number = draft->numbers[draft->contents.text_count];
    scree__print_double(number, value);
    scree__draft_text(draft, key, number);
}

void scree__draft_tensor(scree__draft *draft, const char *name, scree__dtype dtype, int64_t rows, int64_t cols,
                         const void *data)
{
    scree__tensor tensor = {name, dtype, 1, {cols}, data};
    if (rows > 0) {
        tensor.rank = 2;
        tensor.shape[0] = rows;
        tensor.shape[1] = cols;
    }
    draft->contents.tensors[draft->contents.tensor_count++] = tensor;
}

scree_status scree__draft_columns(scree__draft *draft, const char *const *columns, int64_t d, scree_error *error)
{
    cJSON *names = d <= INT32_MAX ? cJSON_CreateStringArray(columns, (int)d) : NULL;
    draft->columns = names ? cJSON_PrintUnformatted(names) : NULL;
    cJSON_Delete(names);
    if (!draft->columns)
        return scree__fail(error, SCREE_ERR_MEMORY, "out of memory: the names of %" PRId64 " columns cannot be written",
                           d);
    scree__draft_text(draft, "columns", draft->columns);
    return SCREE_OK;
}

const char *scree__draft_keep(scree__draft *draft, const char *text, scree_error *error)
{
    const bool full = draft->kept_count == (int64_t)(sizeof draft->kept / sizeof draft->kept[0]);
    char *copy = full ? NULL : scree__strdup(text);
    if (!copy) {
        scree__fail(error, SCREE_ERR_MEMORY, "out of memory: the model's file cannot be put together");
        return NULL;
    }
    draft->kept[draft->kept_count++] = copy;
    return copy;
}

void scree__draft_free(scree__draft *draft)
{
    if (!draft)
        return;
    cJSON_free(draft->columns);
    for (int64_t i = 0; i < draft->kept_count; i++)
        free(draft->kept[i]);
    free(draft);
}
