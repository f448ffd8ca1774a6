/* SPDX-License-Identifier: BSD-3-Clause */
/* What decodes codes in the page where components do not suffice: the JSON that the model's kind makes. */

#include "model/kind.h"
#include "view/report.h"

#include <cJSON.h>
#include <stdlib.h>

static cJSON *parse(const scree_model *model, bool with_decoder)
{
    char *text = NULL;
    cJSON *object = NULL;
    if (scree__model_page(model, with_decoder ? INT64_MAX : 0, &text, NULL) == SCREE_OK && text)
        object = cJSON_Parse(text);
    free(text);
    return object;
}

int64_t scree__report_decoder_bytes(const scree_model *model)
{
    cJSON *object = parse(model, false);
    const cJSON *bytes = cJSON_GetObjectItemCaseSensitive(object, "bytes");
    const int64_t found = cJSON_IsNumber(bytes) ? (int64_t)bytes->valuedouble : -1;
    cJSON_Delete(object);
    return found;
}

bool scree__report_decoder(cJSON *object, const scree_model *model, bool with_decoder)
{
    cJSON *made = parse(model, with_decoder);
    bool fine = made != NULL;
    while (fine && made->child) {
        cJSON *item = cJSON_DetachItemViaPointer(made, made->child);
        fine = cJSON_AddItemToObject(object, item->string, item);
    }
    cJSON_Delete(made);
    return fine;
}
