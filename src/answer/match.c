/* SPDX-License-Identifier: BSD-3-Clause */
/* Matching the columns of data with those that a model was fitted on, by name where there are names: sorted indices of
 * the data's names and of the model's, merged. O(C log C + D log D) comparisons for C columns of data.
 *
 * Where the model has a name n times, its columns of that name are the data's of that name, in order, and the data must
 * have n. Names that stand twice in the data are an error only when the model asks for them: guessing would be worse.
 */

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

/* By name, then in the order of the columns. */
static int by_name(const void *a, const void *b)
{
    const named *one = a;
    const named *two = b;
    const int order = strcmp(one->name, two->name);
    return order ? order : (one->column > two->column) - (one->column < two->column);
}

static scree_status make_index(named **out, const char *const *names, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    named *index = NULL;
    SCREE_ALLOC(index, count, error);
    for (int64_t j = 0; j < count; j++)
        index[j] = (named){names[j], j};
    qsort(index, (size_t)count, sizeof *index, by_name);
    *out = index;
done:
    return status;
}

/* How many columns from the first of the index on have its name. */
static int64_t run_of(const named *index, int64_t count)
{
    int64_t length = 1;
    while (length < count && strcmp(index[length].name, index->name) == 0)
        length++;
    return length;
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

/* "'b'", or "'b' (number 2 of that name)" where the model has the name more than once. */
static size_t name_column(const scree_model_view *view, int64_t column, char *text, size_t size)
{
    int64_t before = 0;
    int64_t all = 0;
    for (int64_t j = 0; j < view->d; j++) {
        const bool same = strcmp(view->columns[j], view->columns[column]) == 0;
        before += same && j < column;
        all += same;
    }
    if (all == 1)
        return (size_t)snprintf(text, size, "'%.60s'", view->columns[column]);
    return (size_t)snprintf(text, size, "'%.60s' (number %" PRId64 " of that name)", view->columns[column], before + 1);
}

/* "'a', 'b', 'c' and 4 more", the columns of the model that columns[] does not know. */
static void name_missing(const scree_model_view *view, const int64_t *columns, char *text, size_t size)
{
    enum { SHOWN = 3 };
    int64_t missing = 0;
    size_t used = 0;
    for (int64_t j = 0; j < view->d; j++) {
        if (columns[j] >= 0 || missing++ >= SHOWN || used >= size)
            continue;
        if (missing > 1)
            used += (size_t)snprintf(text + used, size - used, ", ");
        if (used < size)
            used += name_column(view, j, text + used, size - used);
    }
    if (missing > SHOWN && used < size)
        snprintf(text + used, size - used, " and %" PRId64 " more", missing - SHOWN);
}

/* Fills columns[] from the sorted indices of the model's names and of the source's; -1 for those not found. */
static scree_status look_up(const scree_model_view *view, const scree_source *source, const named *own,
                            const named *index, int64_t *columns, scree_error *error)
{
    const int64_t cols = source->about.cols;
    int64_t at = 0;
    for (int64_t first = 0, wanted; first < view->d; first += wanted) {
        const char *name = own[first].name;
        wanted = run_of(own + first, view->d - first);
        while (at < cols && strcmp(index[at].name, name) < 0)
            at++;
        const bool is_there = at < cols && strcmp(index[at].name, name) == 0;
        const int64_t found = is_there ? run_of(index + at, cols - at) : 0;
        for (int64_t i = 0; i < wanted; i++)
            columns[own[first + i].column] = i < found ? index[at + i].column : -1;
        if (found > wanted)
            return scree__fail(error, SCREE_ERR_SHAPE,
                               "%s: there are several columns '%.200s'%s; rename or leave out the others",
                               source->about.path, name, wanted > 1 ? ", more than the model has" : "");
    }
    return SCREE_OK;
}

static scree_status check_complete(const scree_model_view *view, const scree_source *source, const int64_t *columns,
                                   scree_error *error)
{
    char text[400];
    int64_t j = 0;
    while (j < view->d && columns[j] >= 0)
        j++;
    if (j == view->d)
        return SCREE_OK;
    name_missing(view, columns, text, sizeof text);
    return scree__fail(
        error, SCREE_ERR_SHAPE,
        "%s: columns of the model are missing: %s; give data with the columns that the model was fitted on",
        source->about.path, text);
}

static scree_status match_names(int64_t **out, const scree_model_view *view, const scree_source *source,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    named *own = NULL;
    named *index = NULL;
    int64_t *columns = NULL;
    if (stand_in_order(view, source))
        return SCREE_OK;
    SCREE_TRY(make_index(&own, view->columns, view->d, error));
    SCREE_TRY(make_index(&index, (const char *const *)source->about.columns, source->about.cols, error));
    SCREE_ALLOC(columns, view->d, error);
    SCREE_TRY(look_up(view, source, own, index, columns, error));
    SCREE_TRY(check_complete(view, source, columns, error));
    *out = columns;
    columns = NULL;
done:
    free(own);
    free(index);
    free(columns);
    return status;
}

/* Rows without names, of which the model uses some columns: by their places. */
static scree_status match_kept(int64_t **out, const scree_model_view *view, const scree_source *source,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t *columns = NULL;
    if (view->kept_columns[view->d - 1] >= source->about.cols)
        SCREE_FAIL(error, SCREE_ERR_SHAPE,
                   "%s: rows have %" PRId64 " columns, and the model uses column %" PRId64
                   "; give data with the columns that the model was fitted on",
                   source->about.path, source->about.cols, view->kept_columns[view->d - 1] + 1);
    SCREE_ALLOC(columns, view->d, error);
    memcpy(columns, view->kept_columns, (size_t)view->d * sizeof *columns);
    *out = columns;
    columns = NULL;
done:
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
    if (view->kept_columns && source->about.cols > view->d)
        return match_kept(columns, view, source, error);
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

static bool has_column(const scree_source *codes, const char *prefix)
{
    for (int64_t j = 0; codes->about.columns && j < codes->about.cols; j++)
        if (component_of(codes->about.columns[j], prefix, 1) == 0)
            return true;
    return false;
}

/* The prefix of other numbers that models make, and in what, what those are; NULL: the columns are not called so. */
static const char *find_others(const char *prefix, const scree_source *codes, char *what, size_t size)
{
    static const char *const others[][2] = {{SCREE__WHITE_PREFIX, "whitened codes"},
                                            {"m", "posterior means, not codes"}};
    for (int i = 0; scree__kinds[i]; i++) {
        const char *other = scree__kinds[i]->code_prefix;
        snprintf(what, size, "codes of %s", scree__kinds[i]->noun);
        if (other && strcmp(other, prefix) != 0 && has_column(codes, other))
            return other;
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        snprintf(what, size, "%s", others[i][1]);
        if (strcmp(others[i][0], prefix) != 0 && has_column(codes, others[i][0]))
            return others[i][0];
    }
    return NULL;
}

/* Columns that have no name of the codes that are asked for: names of others say that these are others. */
static scree_status refuse_others(const scree_model *model, const char *prefix, const scree_source *codes,
                                  scree_error *error)
{
    char what[100];
    const bool whitens = strcmp(prefix, SCREE__WHITE_PREFIX) == 0;
    const char *other = find_others(prefix, codes, what, sizeof what);
    if (!other)
        return SCREE_OK;
    if (whitens && strcmp(other, scree__model_code_prefix(model)) == 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: its columns %s1, ... are codes that are not whitened; reconstruct them as such "
                           "(without --whiten)",
                           codes->about.path, other);
    if (strcmp(other, SCREE__WHITE_PREFIX) == 0 && scree_model_can(model, SCREE_CAN_ORDER))
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: its columns %s1, ... are whitened codes; reconstruct them as such (--whiten)",
                           codes->about.path, other);
    return scree__fail(error, SCREE_ERR_ARGUMENT,
                       "%s: its columns %s1, ... are %s; %s codes of this model are called %s1, ...: give those, as "
                       "project writes them, or rename the columns if these are",
                       codes->about.path, other, what, whitens ? "whitened" : "the", prefix);
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
    if (found == 0) {
        SCREE_TRY(refuse_others(model, prefix, codes, error));
        SCREE_TRY(match_width(view, codes, error));
    } else if (found < view->m) {
        SCREE_FAIL(error, SCREE_ERR_SHAPE,
                   "%s: there is no column '%s%" PRId64 "', and the model has %" PRId64
                   " components; give codes that this model has made",
                   codes->about.path, prefix, first_missing + 1, view->m);
    }
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
