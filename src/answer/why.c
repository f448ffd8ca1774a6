/* SPDX-License-Identifier: BSD-3-Clause */
/* Why rows are outliers: the columns that the distribution of the model blames most (model/reasons.c), with their
 * shares; of a row that breaks a relation between columns, that relation first. The cost is that of a row's reasons for
 * each outlier, in parallel; the other rows cost nothing. */

#include "answer/why.h"

#include "base/memory.h"
#include "base/threads.h"
#include "model/frame.h"
#include "model/kind.h"
#include "model/model.h"
#include "model/relations.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EXTRA = 40, EQUATION = 256 }; /* room beside a name: "column ", a number, its share; for a relation */

static int64_t longest_name(const scree_model_view *view)
{
    size_t longest = 0;
    for (int64_t j = 0; view->columns && j < view->d; j++) {
        const size_t length = strlen(view->columns[j]);
        longest = length > longest ? length : longest;
    }
    return (int64_t)longest;
}

scree_status scree__why_open(scree__why *why, const scree_scorer *scorer, double threshold, int64_t cols, int threads,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(scorer->model);
    *why = (scree__why){.scorer = scorer, .threshold = threshold, .cols = cols, .workers = scree__threads(threads)};
    why->most = scorer->options.blame_columns < view->d ? scorer->options.blame_columns : view->d;
    why->length = 1 + why->most * (longest_name(view) + EXTRA);
    if (scorer->kept->relations)
        why->length += EQUATION;
    SCREE_ALLOC(why->scratch, why->workers * (cols + 2 * view->d), error);
    SCREE_ALLOC(why->causes, why->workers * why->most, error);
done:
    return status;
}

void scree__why_close(scree__why *why)
{
    free(why->scratch);
    free(why->causes);
    free(why->texts);
    free(why->outliers);
    free(why->text);
    *why = (scree__why){0};
}

/* The largest parts, descending, the first of equals first; how many. */
static int64_t largest(const double *parts, int64_t count, scree__cause *causes, int64_t most)
{
    int64_t found = 0;
    for (int64_t i = 0; i < count; i++) {
        if (found == most && !(parts[i] > causes[found - 1].part))
            continue;
        int64_t at = found < most ? found++ : found - 1;
        for (; at > 0 && parts[i] > causes[at - 1].part; at--)
            causes[at] = causes[at - 1];
        causes[at] = (scree__cause){i, parts[i]};
    }
    return found;
}

/* "breaks a + b = c", or "is far from" a relation that holds but for errors; how long that is. row becomes
 * (x - µ)/scale. */
static int64_t write_relation(char *text, const scree_scorer *scorer, int64_t relation, double *row)
{
    const scree_model_view *view = scree_model_get(scorer->model);
    char equation[EQUATION - 16];
    if (!scorer->kept->relations || scorer->calibration)
        return 0;
    for (int64_t j = 0; j < view->d; j++)
        row[j] = scree__frame_enter(view, j, row[j]);
    const int64_t named = relation > 0 ? relation - 1 : scree__relations_strained(scorer->kept, row);
    if (named < 0)
        return 0;
    scree_model_relation_text(scorer->kept, named, equation, sizeof equation);
    return snprintf(text, EQUATION, "%s %s", relation > 0 ? "breaks" : "is far from", equation);
}

/* "height 63 %, width 20 %"; what has a share below half a per cent is not worth a word, but for the first. */
static void write_causes(char *text, int64_t size, const scree_model_view *view, const scree__cause *causes,
                         int64_t count, double total)
{
    int64_t used = 0;
    for (int64_t i = 0; i < count && used < size; i++) {
        const double share = 100 * causes[i].part / total;
        const int64_t number = causes[i].index + 1;
        const char *gap = i ? ", " : "";
        if (i > 0 && share < 0.5)
            break;
        if (view->columns)
            used += snprintf(text + used, (size_t)(size - used), "%s%s", gap, view->columns[number - 1]);
        else
            used += snprintf(text + used, (size_t)(size - used), "%scolumn %" PRId64, gap, number);
        if (isfinite(share) && used < size) /* not where nothing is to blame: at the mean */
            used += scree__format(text + used, (size_t)(size - used), " %.0f %%", share);
    }
}

typedef struct work {
    scree__why *why;
    const scree__row_block *given;
    const scree__score *scores;
    bool missed; /* a row had no memory */
} work;

static void explain(void *context, int64_t index, int worker)
{
    work *job = context;
    const scree__why *why = job->why;
    const scree_scorer *scorer = why->scorer;
    const scree_model_view *view = scree_model_get(scorer->model);
    const int64_t at = why->outliers[index];
    double *loaded = why->scratch + worker * (why->cols + 2 * view->d);
    double *row = loaded + why->cols;
    double *parts = row + view->d;
    scree__cause *causes = why->causes + worker * why->most;
    double total = 0;
    const double *x = scree__rows_load(&job->given->x, at, loaded);
    for (int64_t j = 0; j < view->d; j++)
        row[j] = x[job->given->columns ? job->given->columns[j] : j];
    for (int64_t j = 0; scorer->model->thin && !scorer->calibration && j < view->d; j++)
        row[j] = scorer->model->thin[j] ? NAN : row[j]; /* it did not count */
    why->text[index * why->length] = '\0';
    if (!scorer->model->kind->density->reasons)
        return;
    const scree_status status = scorer->model->kind->density->reasons(scorer, row, parts);
    if (status == SCREE_ERR_MEMORY)
        __atomic_store_n(&job->missed, true, __ATOMIC_RELAXED);
    if (status != SCREE_OK)
        return; /* a row that has a score fails by lack of words of its kind: it goes without a reason */
    for (int64_t i = 0; i < view->d; i++)
        total += parts[i];
    const int64_t found = largest(parts, view->d, causes, why->most);
    char *text = why->text + index * why->length;
    const int64_t used = write_relation(text, scorer, job->scores[at].broken, row);
    if (job->scores[at].broken > 0 && used > 0 && scorer->unrelated_count == 1)
        return; /* its columns are all that can be blamed, and each alike */
    if (used > 0)
        memcpy(text + used, ": ", sizeof ": ");
    write_causes(text + used + (used > 0 ? 2 : 0), why->length - used - 2, view, causes, found, total);
}

static scree_status reserve_rows(scree__why *why, int64_t rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (rows <= why->rows_room)
        return SCREE_OK;
    free(why->texts);
    free(why->outliers);
    why->rows_room = 0;
    why->outliers = NULL;
    SCREE_ALLOC(why->texts, rows, error);
    SCREE_ALLOC(why->outliers, rows, error);
    why->rows_room = rows;
done:
    return status;
}

static scree_status reserve_outliers(scree__why *why, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (count <= why->outliers_room)
        return SCREE_OK;
    free(why->text);
    why->outliers_room = 0;
    SCREE_ALLOC(why->text, count * why->length, error);
    why->outliers_room = count;
done:
    return status;
}

scree_status scree__why_rows(scree__why *why, const scree__row_block *given, const scree__score *scores, int threads,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    work job = {why, given, scores, false};
    int64_t count = 0;
    SCREE_TRY(reserve_rows(why, given->x.rows, error));
    for (int64_t i = 0; i < given->x.rows; i++) {
        why->texts[i] = "";
        if (scores[i].p_value <= why->threshold)
            why->outliers[count++] = i;
    }
    SCREE_TRY(reserve_outliers(why, count, error));
    for (int64_t i = 0; i < count; i++)
        why->texts[why->outliers[i]] = why->text + i * why->length;
    scree__parallel(threads < why->workers ? threads : why->workers, count, explain, &job);
    if (job.missed)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the reasons of outliers", given->name);
done:
    return status;
}

scree_status scree__scorer_blame(char ***texts, const scree_scorer *scorer, const double *rows,
                                 const scree__score *scores, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = scree_model_get(scorer->model)->d;
    const scree__row_block given = {{rows, SCREE_F64, count, d, d, NULL}, 0, "outliers", 0, NULL, NULL, NULL, NULL};
    scree__why why = {0};
    char **made = NULL;
    SCREE_ALLOC(made, count, error);
    SCREE_TRY(scree__why_open(&why, scorer, 1.0, d, 1, error));
    SCREE_TRY(scree__why_rows(&why, &given, scores, 1, error));
    for (int64_t i = 0; i < count; i++) {
        made[i] = scree__strdup(why.texts[i]);
        if (!made[i])
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for the reasons of outliers");
    }
    *texts = made;
    made = NULL;
done:
    scree__why_close(&why);
    scree__strings_free(made, count);
    return status;
}
