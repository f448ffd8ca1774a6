/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rotated model says of itself: the method, what each factor explains, their correlations where they have any;
 * and its decoder for a page, which is one layer, c ≈ B f, of floats. */

#include "kind/rotated/rotated.h"

#include "base/number.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct list {
    scree__rotated *rotated;
    int count;
} list;

/* The next fact, with room for its text in *text. */
static scree_fact *add(list *all, const char *name, const char *title, char **text)
{
    scree_fact *fact = &all->rotated->facts[all->count];
    *text = all->rotated->texts + all->count * SCREE__ROTATED_TEXT;
    *fact = (scree_fact){.size = sizeof *fact, .name = name, .title = title, .text = *text, .number = NAN};
    all->count++;
    return fact;
}

/* "a, b, c" of numbers, cut where there is no more room. */
static void put_list(char *text, const double *values, int64_t count, int64_t stride, double factor)
{
    size_t used = 0;
    for (int64_t i = 0; i < count && used + 40 < SCREE__ROTATED_TEXT; i++)
        used += (size_t)scree__format(text + used, SCREE__ROTATED_TEXT - used, "%s%.4g", i ? ", " : "",
                                      factor * values[i * stride]);
    if (used + 40 >= SCREE__ROTATED_TEXT)
        snprintf(text + used, SCREE__ROTATED_TEXT - used, ", …");
}

/* The factors that are most correlated. */
static void put_correlations(char *text, const scree__rotated *rotated)
{
    const int64_t m = rotated->m;
    int64_t most = 1;
    for (int64_t i = 0; i < m * m; i++)
        if (i / m < i % m && fabs(rotated->correlations[i]) > fabs(rotated->correlations[most]))
            most = i;
    if (m > 1)
        scree__format(text, SCREE__ROTATED_TEXT, "at most %.4g in magnitude, of rc%" PRId64 " and rc%" PRId64,
                      fabs(rotated->correlations[most]), most / m + 1, most % m + 1);
    else
        snprintf(text, SCREE__ROTATED_TEXT, "none: there is one factor");
}

void scree__rotated_describe(scree__rotated *rotated, const scree_model *model)
{
    const scree_rotation_view *view = &rotated->view;
    const double total = model->view.total_variance;
    for (int64_t k = 0; k < rotated->m; k++)
        rotated->correlations[k * (rotated->m + 1)] = 1; /* but for rounding it is */
    list all = {.rotated = rotated};
    char *text;
    add(&all, "method", "rotation", &text);
    snprintf(text, SCREE__ROTATED_TEXT, "%s", view->method);
    add(&all, "kaiser", "Kaiser", &text)->json = view->kaiser ? "true" : "false";
    snprintf(text, SCREE__ROTATED_TEXT, "%s", view->kaiser ? "normalised" : "not normalised");
    add(&all, "converged", "converged", &text)->json = view->converged ? "true" : "false";
    snprintf(text, SCREE__ROTATED_TEXT, "%s", view->converged ? "yes" : "no: loadings are not at an optimum");
    if (view->power > 0) {
        add(&all, "power", "power", &text)->number = view->power;
        scree__format(text, SCREE__ROTATED_TEXT, "%g", view->power);
    } else if (view->gamma != 0) {
        add(&all, "gamma", "gamma", &text)->number = view->gamma;
        scree__format(text, SCREE__ROTATED_TEXT, "%g", view->gamma);
    }
    add(&all, "variance_percent", "variance %", &text);
    put_list(text, rotated->variances, rotated->m, 1, total > 0 ? 100 / total : 0);
    if (view->oblique) {
        add(&all, "correlation", "correlated", &text);
        put_correlations(text, rotated);
    }
    while (all.count < SCREE__ROTATED_FACTS)
        rotated->facts[all.count++] = (scree_fact){0};
}

const scree_fact *scree__rotated_fact(const scree_model *model, int64_t index)
{
    const scree__rotated *rotated = scree__rotated_of(model);
    return index < SCREE__ROTATED_FACTS && rotated->facts[index].name ? &rotated->facts[index] : NULL;
}

static bool put_bytes(cJSON *object, const char *name, const void *data, int64_t size)
{
    char *text = data ? scree__base64(data, size) : NULL;
    const bool fine = text && cJSON_AddStringToObject(object, name, text);
    free(text);
    return fine;
}

/* One layer, D×k floats. */
static bool put_layer(cJSON *layers, const scree_model *model)
{
    const int64_t d = model->view.d;
    const int64_t m = model->view.m;
    cJSON *object = cJSON_CreateObject();
    if (!object || !cJSON_AddItemToArray(layers, object)) {
        cJSON_Delete(object);
        return false;
    }
    float *weights = scree__alloc(d * m, sizeof *weights);
    for (int64_t i = 0; weights && i < d * m; i++)
        weights[i] = (float)scree__rotated_of(model)->loadings[i % m * d + i / m];
    const bool fine = cJSON_AddNumberToObject(object, "in", (double)m) &&
                      cJSON_AddNumberToObject(object, "out", (double)d) &&
                      cJSON_AddStringToObject(object, "activation", "linear") &&
                      put_bytes(object, "weights", weights, d * m * (int64_t)sizeof *weights);
    free(weights);
    return fine;
}

/* What the card of the page says in place of how a network was trained. */
static bool put_facts(cJSON *object, const scree_model *model)
{
    cJSON *facts = cJSON_AddArrayToObject(object, "facts");
    const scree_fact *fact = NULL;
    bool fine = facts != NULL;
    for (int64_t i = 0; fine && (fact = scree__rotated_fact(model, i)); i++) {
        const char *both[] = {fact->title, fact->text};
        cJSON *pair = cJSON_CreateStringArray(both, 2);
        fine = pair && cJSON_AddItemToArray(facts, pair);
    }
    return fine;
}

scree_status scree__rotated_page(const scree_model *model, int64_t limit, char **json, scree_error *error)
{
    const int64_t d = model->view.d;
    const int64_t bytes = (4 * model->view.m + 16) * d / 3 * 4;
    const int64_t columns = d * (int64_t)sizeof(double);
    cJSON *object = cJSON_CreateObject();
    double *range = scree__alloc(d, sizeof *range);
    for (int64_t j = 0; range && j < d; j++)
        range[j] = model->scale ? model->scale[j] : 1;
    cJSON *layers = !object          ? NULL
                    : bytes <= limit ? cJSON_AddArrayToObject(object, "layers")
                                     : cJSON_AddNullToObject(object, "layers");
    bool fine = layers && (bytes > limit || put_layer(layers, model));
    fine = fine && put_bytes(object, "offset", model->mean, columns) && put_bytes(object, "range", range, columns) &&
           cJSON_AddNumberToObject(object, "bytes", (double)bytes) && put_facts(object, model);
    *json = fine ? cJSON_PrintUnformatted(object) : NULL;
    free(range);
    cJSON_Delete(object);
    return *json ? SCREE_OK : scree__fail(error, SCREE_ERR_MEMORY, "out of memory for the decoder of a page");
}
