/* SPDX-License-Identifier: BSD-3-Clause */
/* What is asked of a model's kind: whether it can, what it says of itself, what a page needs of it. Abilities are not
 * written down: a kind can do what its table has an entry for. */

#include "model/kind.h"

#include "model/model.h"

#include <stdio.h>
#include <string.h>

const scree__kind *scree__kind_find(const char *name)
{
    for (int i = 0; scree__kinds[i]; i++)
        if (strcmp(scree__kinds[i]->name, name) == 0)
            return scree__kinds[i];
    return NULL;
}

void scree__kind_list(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; scree__kinds[i] && used < size; i++) {
        const char *mark = i == 0 ? "" : scree__kinds[i + 1] ? ", " : " and ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", mark, scree__kinds[i]->name);
    }
}

void scree__model_become(scree_model *model, const scree__kind *kind, void *data)
{
    model->kind = kind;
    model->data = data;
    model->view.kind = kind->name;
    model->view.code_prefix = kind->code_prefix;
}

bool scree_model_can(const scree_model *model, scree_ability ability)
{
    const scree__kind *kind = model->kind;
    switch (ability) {
    case SCREE_CAN_PROJECT:
        return kind->project != NULL;
    case SCREE_CAN_RECONSTRUCT:
        return kind->reconstruct != NULL;
    case SCREE_CAN_ORDER:
        return kind->truncate != NULL;
    case SCREE_CAN_DENSITY:
        return kind->density != NULL;
    case SCREE_CAN_EXPORT:
        return kind->onnx != NULL;
    case SCREE_CAN_EXPLAIN:
        return kind->meaning != NULL;
    }
    return false;
}

void scree__kind_refusal(const scree_model *model, const char *what, char *text, size_t size)
{
    snprintf(text, size, "%s is %s; %s needs %s", model->name ? model->name : "the model", model->kind->noun, what,
             model->kind->advice);
}

scree_status scree__kind_needs_entry(const scree_model *model, bool entry, const char *what, scree_error *error)
{
    char text[sizeof error->text];
    if (entry)
        return SCREE_OK;
    scree__kind_refusal(model, what, text, sizeof text);
    return scree__fail(error, SCREE_ERR_UNSUPPORTED, "%s", text);
}

scree_status scree__kind_needs(const scree_model *model, scree_ability ability, const char *what, scree_error *error)
{
    return scree__kind_needs_entry(model, scree_model_can(model, ability), what, error);
}

const scree_fact *scree_model_fact(const scree_model *model, int64_t index)
{
    return model->kind->fact && index >= 0 ? model->kind->fact(model, index) : NULL;
}

const char *scree__model_code_prefix(const scree_model *model)
{
    return model->kind->code_prefix;
}

scree_status scree__model_page(const scree_model *model, int64_t limit, char **json, scree_error *error)
{
    *json = NULL;
    return model->kind->page ? model->kind->page(model, limit, json, error) : SCREE_OK;
}
