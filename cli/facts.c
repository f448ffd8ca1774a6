/* SPDX-License-Identifier: BSD-3-Clause */
/* The facts of a model: as lines, with the texts in one column; as JSON, each by its own rule, or else as a number or a
 * text. */

#include "facts.h"
#include "json.h"
#include "print.h"
#include "table.h"

#include <math.h>

enum { TITLE_WIDTH = 10 }; /* at least: as wide as the titles that scree info prints itself */

void cli_facts_print(FILE *out, const scree_model *model)
{
    const scree_fact *fact = NULL;
    int widest = TITLE_WIDTH;
    for (int64_t i = 0; (fact = scree_model_fact(model, i)); i++)
        widest = cli_width(fact->title) > widest ? cli_width(fact->title) : widest;
    for (int64_t i = 0; (fact = scree_model_fact(model, i)); i++)
        cli_print(out, "%s%*s%s\n", fact->title, widest + 2 - cli_width(fact->title), "", fact->text);
}

void cli_facts_json(cJSON *object, const scree_model *model)
{
    const scree_fact *fact = NULL;
    for (int64_t i = 0; (fact = scree_model_fact(model, i)); i++) {
        cJSON *value = fact->json ? cli_json_parse(fact->json) : NULL;
        if (value && !cJSON_IsNumber(value)) {
            cli_json_add(object, fact->name, value);
            continue;
        }
        cJSON_Delete(value);
        if (fact->json) /* a number that a double may not hold */
            cli_json_add(object, fact->name, cJSON_CreateRaw(fact->json));
        else if (isnan(fact->number))
            cli_json_text(object, fact->name, fact->text);
        else
            cli_json_number(object, fact->name, fact->number);
    }
}
