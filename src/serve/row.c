/* SPDX-License-Identifier: BSD-3-Clause */
/* One row of all: its cells in the columns of the model, its codes, texts and scores, as JSON, read from the source
 * when it is asked for; and the row that is nearest to a place in the plane of two components. */

#include "serve/server.h"
#include "view/in_model.h"

#include <cJSON.h>
#include <string.h>

typedef struct reading {
    const scree_server *server;
    cJSON *root; /* NULL: no memory */
} reading;

static void put(cJSON **root, const char *name, cJSON *item)
{
    if (*root && item && cJSON_AddItemToObject(*root, name, item))
        return;
    cJSON_Delete(item);
    cJSON_Delete(*root);
    *root = NULL;
}

static cJSON *numbers(const double *values, int64_t count)
{
    cJSON *array = cJSON_CreateArray();
    for (int64_t i = 0; array && i < count; i++) {
        cJSON *item = isfinite(values[i]) ? cJSON_CreateNumber(values[i]) : cJSON_CreateNull();
        if (!item || !cJSON_AddItemToArray(array, item)) {
            cJSON_Delete(item);
            cJSON_Delete(array);
            return NULL;
        }
    }
    return array;
}

static cJSON *texts(const char *const *text, int64_t count)
{
    cJSON *array = cJSON_CreateArray();
    for (int64_t t = 0; array && t < count; t++) {
        char *clean = scree__report_text(text && text[t] ? text[t] : "", SCREE__LABEL_LETTERS);
        cJSON *item = clean ? cJSON_CreateString(clean) : NULL;
        free(clean);
        if (!item || !cJSON_AddItemToArray(array, item)) {
            cJSON_Delete(item);
            cJSON_Delete(array);
            return NULL;
        }
    }
    return array;
}

/* A float as the shortest decimal that reads back as it. */
static double shortest(float x)
{
    char text[SCREE__NUMBER_SIZE];
    double value = (double)x;
    for (int digits = 6; digits <= 9; digits++) {
        const int length = scree__format(text, sizeof text, "%.*g", digits, (double)x);
        if (scree__parse_double(text, text + length, &value) && (float)value == x)
            break;
    }
    return value;
}

static double cell_of(const scree_server *server, const scree_model_view *view, double x)
{
    const bool narrow = server->drawing.type == SCREE_F32 && !view->log1p && view->normalize == 0;
    return narrow && isfinite(x) ? shortest((float)x) : scree__in_model(view, x);
}

static scree_status read_row(void *context, const scree__sight *sight, scree_error *error)
{
    scree_status status = SCREE_OK;
    reading *all = context;
    const scree_server *server = all->server;
    const scree_model_view *view = scree_model_get(server->model);
    const scree__source_texts *carried = &server->report.carried;
    double *cells = NULL;
    SCREE_ALLOC(cells, view->d, error);
    scree__sight_row(sight, 0, cells);
    for (int64_t c = 0; c < view->d; c++)
        cells[c] = cell_of(server, view, cells[c]);
    all->root = cJSON_CreateObject();
    put(&all->root, "cells", numbers(cells, view->d));
    put(&all->root, "codes", numbers(sight->codes, view->m));
    put(&all->root, "texts", texts(sight->texts, carried->count));
    if (sight->scores) {
        const scree__score *s = sight->scores;
        put(&all->root, "scores", numbers((const double[]){s->loglik, s->t2, s->q, s->p_value}, 4));
    }
done:
    free(cells);
    return status;
}

static void answer_json(cJSON *root, scree_reply *reply)
{
    char *text = root ? cJSON_PrintUnformatted(root) : NULL;
    if (text)
        scree__reply_give(reply, "application/json", text, (int64_t)strlen(text));
}

void scree__answer_row(const scree_server *server, const char *query, scree_reply *reply)
{
    scree__asked asked = {"n", 1, (double)server->drawing.of, true, 0, false};
    scree_source *slice = NULL;
    reading all = {.server = server};
    const scree__survey survey = {.stage = "row",
                                  .model = server->model,
                                  .codes = true,
                                  .scorer = server->report.scorer,
                                  .visit = read_row,
                                  .context = &all};
    scree_run run = SCREE_RUN_INIT;
    run.threads = 1;
    if (!scree__query_read(query, &asked, 1)) {
        scree__reply_refuse(reply, 400);
        return;
    }
    if (!server->drawing.fetches) {
        scree__reply_refuse(reply, 404);
        return;
    }
    if (scree_source_slice(&slice, server->source, (int64_t)asked.value - 1, 1, NULL) == SCREE_OK &&
        scree__survey_run(slice, &survey, &run, NULL) == SCREE_OK)
        answer_json(all.root, reply);
    cJSON_Delete(all.root);
    scree_source_free(slice);
}

static int64_t nearest(const scree__codes *codes, int64_t x, int64_t y, double cx, double cy, double reach)
{
    const float *across = codes->values + x * codes->rows, *up = codes->values + y * codes->rows;
    const int64_t coded = atomic_load(&codes->coded);
    double least = reach * reach;
    int64_t found = -1;
    for (int64_t i = 0; i < coded; i++) {
        const double dx = (double)across[i] - cx, dy = (double)up[i] - cy;
        const double distance = dx * dx + dy * dy;
        if (distance <= least && (distance < least || found < 0)) {
            least = distance;
            found = i;
        }
    }
    return found;
}

void scree__answer_nearest(const scree_server *server, const char *query, scree_reply *reply)
{
    const scree__codes *codes = &server->codes;
    const double last = (double)codes->components - 1, far = 1e100;
    enum { X, Y, CX, CY, REACH, COUNT };
    scree__asked asked[COUNT] = {[X] = {"x", 0, last, true, 0, false},
                                 [Y] = {"y", 0, last, true, 0, false},
                                 [CX] = {"cx", -far, far, false, 0, false},
                                 [CY] = {"cy", -far, far, false, 0, false},
                                 [REACH] = {"r", 0, far, false, 0, false}};
    if (codes->components == 0) {
        scree__reply_refuse(reply, 503);
        return;
    }
    if (!scree__query_read(query, asked, COUNT)) {
        scree__reply_refuse(reply, 400);
        return;
    }
    const int64_t row = nearest(codes, (int64_t)asked[X].value, (int64_t)asked[Y].value, asked[CX].value,
                                asked[CY].value, asked[REACH].value);
    cJSON *root = cJSON_CreateObject();
    put(&root, "row", row >= 0 ? cJSON_CreateNumber((double)row + 1) : cJSON_CreateNull());
    answer_json(root, reply);
    cJSON_Delete(root);
}
