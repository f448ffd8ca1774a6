/* SPDX-License-Identifier: BSD-3-Clause */
/* The imputer of a model, in one line and in JSON. */

#include "imputer_text.h"

#include "json.h"
#include "model_text.h"
#include "print.h"

#include <inttypes.h>
#include <string.h>

void cli_imputer_print(FILE *out, const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    const scree_imputer_view *imputer = scree_model_imputer(model);
    if (!imputer && cli_model_has_gaps(view))
        fputs("no imputer: scree impute fills gaps from the components\n", out);
    if (!imputer)
        return;
    cli_print(out, "imputer: %" PRId64 " fit%s of %" PRId64 " component%s, weight%s", imputer->fits,
              imputer->fits == 1 ? "" : "s", imputer->components, imputer->components == 1 ? "" : "s",
              imputer->fits == 1 ? "" : "s");
    for (int64_t i = 0; i < imputer->fits; i++)
        cli_print(out, "%s %.2f", i ? "," : "", imputer->weights[i]);
    cli_print(out, ", intervals × %.2f, from %" PRId64 " held-out cell%s\n", imputer->widening, imputer->held_out,
              imputer->held_out == 1 ? "" : "s");
    if (!imputer->relations_sought)
        fputs(
            "relations between columns, such as sums, were not looked for: that needs more complete rows than columns, "
            "and\nat most 256 columns\n",
            out);
}

void cli_imputer_json(cJSON *object, const scree_model *model)
{
    const scree_imputer_view *imputer = scree_model_imputer(model);
    if (!imputer)
        return;
    cJSON *part = cli_json_add_object(object, "imputer");
    cli_json_integer(part, "components", imputer->components);
    cli_json_numbers(part, "weights", imputer->weights, imputer->fits);
    cli_json_number(part, "widening", imputer->widening);
    cli_json_integer(part, "held_out", imputer->held_out);
    cli_json_bool(part, "relations_sought", imputer->relations_sought);
}
