/* SPDX-License-Identifier: BSD-3-Clause */
/* Matching the columns of data with those that a model was fitted on, by name where there are names: a sorted index of
 * the data's names, one search for each of the model's. O((C + D) log C) comparisons for C columns of data.
 *
 * Names that stand twice in the data are an error only when the model asks for them: guessing would be worse. */

#include "answer/match.h"

#include "base/memory.h"
#include "model/kind.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct named {
    const char *name;
    int64_t column;
} named;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

/* The model's columns come first in the data, in order: the usual case, and the only one for names that stand twice. */
static bool stand_in_order(const scree_model_view *view, const scree_source *source)
{
    if (source->about.cols < view->d)
        return false;
    for (int64_t j = 0; j < view->d; j++)
        if (strcmp(view->columns[j], source->about.columns[j]) != 0)
            return false;
    return true;
}

/* "'a', 'b', 'c' and 4 more", the columns of the model that columns[] does not know. */
static void name_missing(const scree_model_view *view, const int64_t *columns, char *text, size_t size)
{
    enum { SHOWN = 3 };
    int64_t missing = 0;
    size_t used = 0;
    for (int64_t j = 0; j < view->d; j++) {
        if (columns[j] >= 0)
            continue;
        if (missing++ < SHOWN && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s'%.60s'", missing > 1 ? ", " : "", view->columns[j]);
    }
    if (missing > SHOWN && used < size)
        snprintf(text + used, size - used, " and %" PRId64 " more", missing - SHOWN);
}

/* Fills columns[] from the sorted index of the source's names. */
static scree_status look_up(const scree_model_view *view, const scree_source *source, const named *index,
                            int64_t *columns, scree_error *error)
{
    scree_status status = SCREE_OK;
    const named *last = index + source->about.cols - 1;
    bool complete = true;
    char text[400];
    for (int64_t j = 0; j < view->d; j++) {
        const named wanted = {view->columns[j], 0};
        const named *found = bsearch(&wanted, index, (size_t)source->about.cols, sizeof *index, by_name);
        columns[j] = found ? found->column : -1;
        complete &= found != NULL;
        if (found &&
            ((found > index && by_name(found - 1, found) == 0) || (found < last && by_name(found, found + 1) == 0)))
            SCREE_FAIL(error, SCREE_ERR_SHAPE, "%s: there are several columns '%.200s'; rename or leave out the others",
                       source->about.path, view->columns[j]);
    }
    if (!complete) {
        name_missing(view, columns, text, sizeof text);
        SCREE_FAIL(error, SCREE_ERR_SHAPE,
                   "%s: columns of the model are missing: %s; give data with the columns that the model was fitted on",
                   source->about.path, text);
    }
done:
    return status;
}

static scree_status match_names(int64_t **out, const scree_model_view *view, const scree_source *source,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    named *index = NULL;
    int64_t *columns = NULL;
    if (stand_in_order(view, source))
        return SCREE_OK;
    SCREE_ALLOC(index, source->about.cols, error);
    SCREE_ALLOC(columns, view->d, error);
    for (int64_t j = 0; j < source->about.cols; j++)
        index[j] = (named){source->about.columns[j], j};
    qsort(index, (size_t)source->about.cols, sizeof *index, by_name);
    SCREE_TRY(look_up(view, source, index, columns, error));
    *out = columns;
    columns = NULL;
done:
    free(index);
    free(columns);
    return status;
}

scree_status scree__match_columns(int64_t **columns, const scree_model *model, const scree_source *source,
                                  scree_error *error)
{
    const scree_model_view *view = scree_model_get(model);
    *columns = NULL;
    if (view->columns && source->about.columns)
        return match_names(columns, view, source, error);
    if (source->about.cols != view->d)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: rows have %" PRId64 " columns where the model has %" PRId64
                           "; give data with the columns that the model was fitted on",
                           source->about.path, source->about.cols, view->d);
    return SCREE_OK;
}

/* Which number of the code a column called pc3 holds, from 0; -1: none of those that there are. */
static int64_t component_of(const char *name, const char *prefix, int64_t m)
{
    const size_t length = strlen(prefix);
    char *end = NULL;
    if (strncmp(name, prefix, length) != 0 || name[length] < '1' || name[length] > '9')
        return -1;
    const long long number = strtoll(name + length, &end, 10);
    return *end || number > m ? -1 : number - 1;
}

/* Fills columns[], -1 for those not found; *found: how many there are. */
static scree_status find_codes(int64_t *columns, int64_t m, const char *prefix, const scree_source *codes,
                               int64_t *found, scree_error *error)
{
    for (int64_t j = 0; j < m; j++)
        columns[j] = -1;
    *found = 0;
    for (int64_t j = 0; codes->about.columns && j < codes->about.cols; j++) {
        const int64_t component = component_of(codes->about.columns[j], prefix, m);
        if (component < 0)
            continue;
        if (columns[component] >= 0)
            return scree__fail(error, SCREE_ERR_SHAPE,
                               "%s: there are several columns '%s'; rename or leave out the others", codes->about.path,
                               codes->about.columns[j]);
        columns[component] = j;
        ++*found;
    }
    return SCREE_OK;
}

/* Codes without names of components: their width decides, unless they are rows by their names. */
static scree_status match_width(const scree_model_view *view, const scree_source *codes, scree_error *error)
{
    if (codes->about.cols != view->m)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: codes have %" PRId64 " column%s where the model has %" PRId64
                           " component%s; give codes that this model has made",
                           codes->about.path, codes->about.cols, codes->about.cols == 1 ? "" : "s", view->m,
                           view->m == 1 ? "" : "s");
    if (view->columns && codes->about.columns && stand_in_order(view, codes))
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: these are rows, with the model's own columns; give codes that this model has made",
                           codes->about.path);
    return SCREE_OK;
}

static scree_status match_codes(int64_t **out, const scree_model *model, const char *prefix, const scree_source *codes,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(model);
    int64_t *columns = NULL;
    int64_t found = 0;
    int64_t first_missing = 0;
    bool in_order = true;
    *out = NULL;
    SCREE_ALLOC(columns, view->m, error);
    SCREE_TRY(find_codes(columns, view->m, prefix, codes, &found, error));
    while (first_missing < view->m && columns[first_missing] >= 0)
        first_missing++;
    if (found == 0)
        SCREE_TRY(match_width(view, codes, error));
    else if (found < view->m)
        SCREE_FAIL(error, SCREE_ERR_SHAPE,
                   "%s: there is no column '%s%" PRId64 "', and the model has %" PRId64
                   " components; give codes that this model has made",
                   codes->about.path, prefix, first_missing + 1, view->m);
    for (int64_t j = 0; j < view->m; j++)
        in_order &= columns[j] == j;
    if (found > 0 && !in_order) {
        *out = columns;
        columns = NULL;
    }
done:
    free(columns);
    return status;
}

scree_status scree__match_codes(int64_t **out, const scree_model *model, const scree_source *codes, scree_error *error)
{
    if (scree_model_can(model, SCREE_CAN_ORDER) && codes->about.columns && codes->about.cols > 0 &&
        component_of(codes->about.columns[0], SCREE__WHITE_PREFIX, 1) == 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: its columns %s1, ... are whitened codes; reconstruct them as such (--whiten)",
                           codes->about.path, SCREE__WHITE_PREFIX);
    return match_codes(out, model, scree__model_code_prefix(model), codes, error);
}

scree_status scree__match_whitened(int64_t **out, const scree_model *model, const scree_source *codes,
                                   scree_error *error)
{
    return match_codes(out, model, SCREE__WHITE_PREFIX, codes, error);
}

scree_status scree__name_codes(char ***out, const char *prefix, int64_t m, scree_error *error)
{
    scree_status status = SCREE_OK;
    char **names = NULL;
    SCREE_ALLOC(names, m, error);
    for (int64_t i = 0; i < m; i++) {
        SCREE_ALLOC(names[i], 24, error);
        snprintf(names[i], 24, "%s%" PRId64, prefix, i + 1);
    }
    *out = names;
    names = NULL;
done:
    scree__strings_free(names, m);
    return status;
}
