/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes of all rows in float, component by component, so that a plane is two stretches of memory; and to which of the
 * commonest classes each row belongs. One pass, while requests are answered: what is counted is published behind every
 * block, and who answers looks at no more than that. */

#include "serve/server.h"

#include <inttypes.h>
#include <string.h>

typedef struct counting {
    scree_server *server;
    int64_t text;       /* the column of text that has the classes; -1: none */
    int64_t text_count; /* of the source */
    int64_t last;       /* class of the row before: neighbours are often alike */
} counting;

static const int64_t DEFAULT_BYTES = (int64_t)1 << 30;

scree_status scree__codes_open(scree__codes *codes, const scree_server *server, int64_t bytes, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__report *report = &server->report;
    const int64_t m = scree_model_get(report->shown)->m, rows = server->drawing.of;
    const int64_t room = ((bytes > 0 ? bytes : DEFAULT_BYTES) / rows - 1) / (int64_t)sizeof *codes->values;
    codes->rows = rows;
    codes->components = room < 1 || (room < 2 && m > 1) ? 0 : room < m ? room : m;
    codes->class_count = report->class_text >= 0 ? scree__report_commonest(report, codes->class_names) : 0;
    SCREE_ALLOC(codes->values, codes->components * rows, error);
    if (codes->components > 0 && codes->class_count > 0)
        SCREE_ALLOC(codes->classes, rows, error);
done:
    return status;
}

static int64_t class_of(counting *all, const char *text)
{
    const scree__codes *codes = &all->server->codes;
    if (all->last < codes->class_count && strcmp(codes->class_names[all->last], text) == 0)
        return all->last;
    for (all->last = 0; all->last < codes->class_count; all->last++)
        if (strcmp(codes->class_names[all->last], text) == 0)
            break;
    return all->last;
}

static scree_status count_rows(void *context, const scree__sight *sight, scree_error *error)
{
    counting *all = context;
    scree__codes *codes = &all->server->codes;
    const int64_t m = scree_model_get(all->server->report.shown)->m;
    if (sight->first + sight->rows > codes->rows)
        return scree__fail(
            error, SCREE_ERR_VALUE,
            "%s: has more rows than when it was opened; start scree serve again when nobody writes to it",
            scree_source_name(all->server->source));
    for (int64_t j = 0; j < codes->components; j++) {
        float *out = codes->values + j * codes->rows + sight->first;
        for (int64_t i = 0; i < sight->rows; i++)
            out[i] = (float)sight->codes[i * m + j];
    }
    for (int64_t i = 0; codes->classes && i < sight->rows; i++) {
        const char *text = sight->texts ? sight->texts[i * all->text_count + all->text] : "";
        codes->classes[sight->first + i] = (uint8_t)class_of(all, text ? text : "");
    }
    atomic_store(&codes->coded, sight->first + sight->rows);
    return SCREE_OK;
}

scree_status scree_server_count(scree_server *server, scree_source *source, const scree_run *run, scree_error *error)
{
    scree__source_texts texts;
    scree__source_texts_of(source, &texts);
    counting all = {.server = server, .text = server->report.class_text, .text_count = texts.count};
    const scree__survey survey = {.stage = "codes",
                                  .model = server->report.shown,
                                  .codes = true,
                                  .visit = count_rows,
                                  .context = &all,
                                  .keeps_more = server->codes.components * server->codes.rows * 4};
    if (server->codes.components == 0)
        return SCREE_OK;
    if (texts.count != server->report.carried.count)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: has %" PRId64 " columns of text, and the page is of %" PRId64 "; give the same rows",
                           scree_source_name(source), texts.count, server->report.carried.count);
    return scree__survey_run(source, &survey, run, error);
}
