/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rows are shown: the outliers that the table names, then a sample of the others, stratified by label. One pass.
 *
 * A row has a random priority, a function of the seed and of its number alone. Within a class of n_c of the n rows, the
 * row of rank r by priority has the key (r + ½)/max(n_c, n/(10 classes)): as far as one goes in the order of the keys,
 * each class is there in its proportion, and a small one with a tenth of an even share if it has as many. Candidates
 * are kept in twice the room of the sample, and cut to the best when it is full; so memory goes with the sample, and
 * what is chosen depends neither on blocks nor on threads. */

#include "view/report_class.h"

#include <inttypes.h>
#include <string.h>

static const uint64_t STREAM = 0x7265706F7274; /* of random numbers: apart from those of draws */

typedef struct sampling {
    scree__report *report;
    scree__class_search search;
    scree__report_row *rows; /* candidates */
    int64_t count;
    int64_t room;
    scree__report_row *outliers; /* candidates */
    int64_t outlier_count;
    int64_t *sizes; /* of the classes; that of the rest is the first */
    int64_t class_room;
} sampling;

static int by_class(const void *a, const void *b)
{
    const scree__report_row *x = a;
    const scree__report_row *y = b;
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    if (x->priority != y->priority)
        return x->priority < y->priority ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static int by_key(const void *a, const void *b)
{
    const scree__report_row *x = a;
    const scree__report_row *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static int by_chance(const void *a, const void *b)
{
    const scree__score *x = &((const scree__report_row *)a)->score;
    const scree__score *y = &((const scree__report_row *)b)->score;
    if (x->p_value != y->p_value)
        return x->p_value < y->p_value ? -1 : 1;
    if (x->loglik != y->loglik)
        return x->loglik < y->loglik ? -1 : 1;
    return by_key(a, b);
}

/* Puts the candidates into the order of their keys. */
static void order(sampling *all)
{
    scree__report *report = all->report;
    int64_t classes = 0, rank = 0;
    for (int64_t c = 0; c < all->class_room; c++)
        classes += all->sizes[c] > 0;
    const double least = (double)report->total / (10.0 * (double)(classes > 0 ? classes : 1));
    qsort(all->rows, (size_t)all->count, sizeof *all->rows, by_class);
    for (int64_t i = 0; i < all->count; i++) {
        scree__report_row *row = &all->rows[i];
        const double size = (double)all->sizes[row->label + 1];
        rank = i > 0 && all->rows[i - 1].label == row->label ? rank + 1 : 0;
        row->key = ((double)rank + 0.5) / (size > least ? size : least);
    }
    qsort(all->rows, (size_t)all->count, sizeof *all->rows, by_key);
}

static void keep_best(sampling *all)
{
    order(all);
    if (all->count > all->report->most_rows)
        all->count = all->report->most_rows;
}

static void keep_outliers(sampling *all)
{
    qsort(all->outliers, (size_t)all->outlier_count, sizeof *all->outliers, by_chance);
    if (all->outlier_count > all->report->most_outliers)
        all->outlier_count = all->report->most_outliers;
}

static scree_status reserve_class(sampling *all, int64_t label, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t *sizes = NULL;
    if (label + 1 < all->class_room)
        return SCREE_OK;
    SCREE_ALLOC(sizes, 2 * label + 64, error);
    if (all->sizes)
        memcpy(sizes, all->sizes, (size_t)all->class_room * sizeof *sizes);
    free(all->sizes);
    all->sizes = sizes;
    all->class_room = 2 * label + 64;
done:
    return status;
}

static void take(sampling *all, const scree__report_row *row)
{
    scree__report *report = all->report;
    if (all->count == all->room)
        keep_best(all);
    all->rows[all->count++] = *row;
    if (report->scorer)
        scree__uniform_add(&report->p, row->score.p_value);
    if (!report->scorer || !(row->score.p_value <= report->options.alpha))
        return;
    report->outliers++;
    if (all->outlier_count == 2 * report->most_outliers)
        keep_outliers(all);
    if (report->most_outliers > 0)
        all->outliers[all->outlier_count++] = *row;
}

/* A row whose class is known. */
static scree_status count_row(sampling *all, const scree__report_row *row, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(reserve_class(all, row->label, error));
    all->report->total++;
    all->sizes[row->label + 1]++;
    take(all, row);
done:
    return status;
}

/* Rows that have waited until it was known what their class is. */
static scree_status count_waiting(sampling *all, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int64_t i = 0; i < all->search.count; i++)
        SCREE_TRY(count_row(all, &all->search.rows[i], error));
    all->search.count = 0;
done:
    return status;
}

/* texts: the row's, or NULL. */
static scree_status sample_row(sampling *all, scree__report_row *row, const char *const *texts, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__report *report = all->report;
    if (!all->search.decided && texts) {
        SCREE_TRY(scree__class_search_note(&all->search, row, texts, error));
        return all->search.decided ? count_waiting(all, error) : SCREE_OK;
    }
    if (report->labels)
        row->label = row->row < report->label_count ? report->labels[row->row] : -1;
    else if (report->class_text >= 0 && texts)
        SCREE_TRY(scree__dictionary_number(&report->classes, texts[report->class_text], &row->label, error));
    SCREE_TRY(count_row(all, row, error));
done:
    return status;
}

static scree_status sample_rows(void *context, const scree__sight *sight, scree_error *error)
{
    scree_status status = SCREE_OK;
    sampling *all = context;
    for (int64_t i = 0; i < sight->rows; i++) {
        uint32_t words[4];
        scree__report_row row = {.row = sight->first + i, .label = -1};
        scree__philox(all->report->options.seed, STREAM, (uint64_t)row.row, words);
        row.priority = (uint64_t)words[0] << 32 | words[1];
        if (sight->scores)
            row.score = sight->scores[i];
        SCREE_TRY(sample_row(all, &row, sight->texts ? sight->texts + i * all->report->carried.count : NULL, error));
    }
done:
    return status;
}

/* Outliers first, then the best of the others, as many as are shown. */
static scree_status settle(sampling *all, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__report *report = all->report;
    keep_best(all);
    keep_outliers(all);
    SCREE_ALLOC(report->rows, all->count + all->outlier_count, error);
    for (int64_t i = 0; i < all->outlier_count; i++) {
        report->rows[report->count] = all->outliers[i];
        report->rows[report->count++].outlier = true;
    }
    for (int64_t i = 0; i < all->outlier_count; i++)
        all->outliers[i].key = 0; /* now by row, to be looked up */
    qsort(all->outliers, (size_t)all->outlier_count, sizeof *all->outliers, by_key);
    for (int64_t i = 0; i < all->count && report->count < report->most_rows; i++) {
        scree__report_row wanted = all->rows[i];
        wanted.key = 0;
        if (!bsearch(&wanted, all->outliers, (size_t)all->outlier_count, sizeof wanted, by_key))
            report->rows[report->count++] = all->rows[i];
    }
done:
    return status;
}

static scree_status check(const scree__report *report, scree_error *error)
{
    const char *name = scree_source_name(report->source);
    if (report->total == 0)
        return scree__fail(error, SCREE_ERR_VALUE, "%s: has no rows; give a file with some", name);
    if (report->labels && report->label_count != report->total)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: has %" PRId64 " labels, but %s has %" PRId64 " rows; give a label for each row",
                           scree_source_name(report->options.labels), report->label_count, name, report->total);
    return SCREE_OK;
}

scree_status scree__report_sample(scree__report *report, scree_error *error)
{
    scree_status status = SCREE_OK;
    sampling all = {.report = report, .room = 2 * report->most_rows};
    const int64_t kept = 3 * (int64_t)sizeof *all.rows;
    const int64_t later = report->row_ahead; /* what is too much then is better refused now */
    const scree__survey survey = {.stage = "report",
                                  .pass = 1,
                                  .passes = 2,
                                  .model = report->model,
                                  .scorer = report->scorer,
                                  .visit = sample_rows,
                                  .context = &all,
                                  .keeps_rows = report->most_rows,
                                  .keeps_bytes = kept > later ? kept : later,
                                  .keeps_more = report->page_ahead};
    SCREE_ALLOC(all.rows, all.room, error);
    SCREE_ALLOC(all.outliers, 2 * report->most_outliers, error);
    SCREE_TRY(reserve_class(&all, 0, error));
    SCREE_TRY(scree__class_search_open(&all.search, report, error));
    SCREE_TRY(scree__survey_run(report->source, &survey, report->options.run, error));
    scree__class_search_end(&all.search);
    SCREE_TRY(count_waiting(&all, error));
    SCREE_TRY(check(report, error));
    SCREE_TRY(settle(&all, error));
    report->class_sizes = all.sizes;
    all.sizes = NULL;
done:
    scree__class_search_close(&all.search);
    free(all.rows);
    free(all.outliers);
    free(all.sizes);
    return status;
}
