/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of columns that others determine, and of those that never vary. */

#include "relation_text.h"

#include "json.h"
#include "print.h"

#include <inttypes.h>

enum { MOST_NAMED = 3 };

int64_t cli_relations_exact(const scree_model *model)
{
    const scree_relations_view *relations = scree_model_relations(model);
    int64_t count = 0;
    for (int64_t k = 0; relations && k < relations->count; k++)
        count += relations->variances[k] == 0;
    return count;
}

void cli_relations_remark(FILE *out, const scree_model *model)
{
    const scree_relations_view *relations = scree_model_relations(model);
    const int64_t count = cli_relations_exact(model);
    char text[CLI_EQUATION];
    int64_t named = 0;
    if (count == 0)
        return;
    cli_print(
        out,
        "%" PRId64
        " linear relation%s between columns hold%s in all rows to within rounding, so a row that breaks %s\nby more "
        "than rounding is an outlier:\n",
        count, count == 1 ? "" : "s", count == 1 ? "s" : "", count == 1 ? "it" : "one");
    for (int64_t k = 0; k < relations->count && named < MOST_NAMED; k++) {
        if (relations->variances[k] > 0)
            continue;
        scree_model_relation_text(model, k, text, sizeof text);
        cli_print(out, "  %s\n", text);
        named++;
    }
    if (count > named)
        cli_print(out, "  and %" PRId64 " more\n", count - named);
}

void cli_relations_json(cJSON *object, const scree_model *model)
{
    const scree_relations_view *relations = scree_model_relations(model);
    cJSON *array = cli_json_add_array(object, "relations");
    char text[CLI_EQUATION];
    for (int64_t k = 0; relations && k < relations->count; k++) {
        if (relations->variances[k] > 0)
            continue;
        scree_model_relation_text(model, k, text, sizeof text);
        cli_json_append(array, cJSON_CreateString(text));
    }
}

void cli_constants_json(cJSON *object, const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    cJSON *array = cli_json_add_array(object, "constant_columns");
    for (int64_t j = 0; view->total_variance > 0 && j < view->d; j++)
        if (!(view->variances[j] > 0))
            cli_json_append(array,
                            view->columns ? cJSON_CreateString(view->columns[j]) : cJSON_CreateNumber((double)(j + 1)));
}
