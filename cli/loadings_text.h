/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_LOADINGS_TEXT_H
#define SCREE_CLI_LOADINGS_TEXT_H

/* What components mean for columns, as tables, as JSON, and as rows to write to a file. */

#include "json.h"
#include "scree.h"

/* What can be asked of columns, with the name of the numbers: "loadings", and of one of them: "loading". */
typedef struct cli_meaning {
    const char *name;
    const char *one;
    const char *title; /* of a table */
    scree_meaning what;
} cli_meaning;

extern const cli_meaning cli_meanings[]; /* ends with NULL */

const cli_meaning *cli_meaning_find(const char *name); /* NULL: there is none */

/* One meaning of the model's columns as a table of at most shown components; or of all of them. */
void cli_meaning_print(FILE *out, const scree_model *model, const cli_meaning *meaning, int64_t shown);
void cli_meaning_json(cJSON *object, const scree_model *model, const cli_meaning *meaning);
/* Names of columns and components, for both. */
void cli_meaning_names_json(cJSON *object, const scree_model *model);

void cli_supplement_print(FILE *out, const scree_model *model, const scree_supplement *supplement, int64_t shown);
/* One line: how many rows have nothing in which of the columns. Nothing where there are none. */
void cli_supplement_note(FILE *out, const scree_supplement *supplement);
void cli_supplement_json(cJSON *object, const scree_model *model, const scree_supplement *supplement);

/* The same as rows of a source, with the texts that name them. meaning NULL: all of them, side by side. facts: of the
 * model's columns, what it knows of them goes beside their names; or NULL. The model, these and the supplement outlive
 * it. */
scree_status cli_meaning_source(scree_source **out, const scree_model *model, const cli_meaning *meaning,
                                const scree_source *facts, scree_error *error);
scree_status cli_supplement_source(scree_source **out, const scree_model *model, const scree_supplement *supplement,
                                   scree_error *error);

#endif
