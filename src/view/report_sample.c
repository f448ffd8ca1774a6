/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rows are shown: the outliers that the table names, then a sample of the others, stratified by label. One pass.
 *
 * A row has a random priority, a function of the seed and of its number alone. Within a class of n_c of the n rows, the
 * row of rank r by priority has the key (r + ½)/max(n_c, n/(10 classes)): as far as one goes in the order of the keys,
 * each class is there in its proportion, and a small one with a tenth of an even share if it has as many. Candidates
 * are kept in twice the room of the sample, and cut to the best when it is full; so memory goes with the sample, and
 * what is chosen depends neither on blocks nor on threads. */

#include "answer/scored.h"
#include "base/memory.h"
#include "base/random.h"
#include "view/report.h"

#include <inttypes.h>
#include <string.h>

static const uint64_t STREAM = 0x7265706F7274; /* of random numbers: apart from those of draws */

typedef struct sampling {
    scree__report *report;
    scree__scored scored;
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

/* The number of the class of row i of a block. */
static scree_status class_of(sampling *all, const scree__block *block, int64_t i, int64_t *label, scree_error *error)
{
    scree__report *report = all->report;
    const int64_t row = block->first + i;
    *label = -1;
    if (report->labels) {
        if (row < report->label_count)
            *label = report->labels[row];
    } else if (report->class_text >= 0 && block->text) {
        const char *text = block->text[i * report->source->about.text_count + report->class_text];
        return scree__dictionary_number(&report->classes, text, label, error);
    }
    return SCREE_OK;
}

static void take(sampling *all, const scree__report_row *row)
{
    scree__report *report = all->report;
    if (all->count == all->room)
        keep_best(all);
    all->rows[all->count++] = *row;
    if (!report->scorer || !(row->score.p_value <= report->options.alpha))
        return;
    report->outliers++;
    if (all->outlier_count == 2 * report->most_outliers)
        keep_outliers(all);
    if (report->most_outliers > 0)
        all->outliers[all->outlier_count++] = *row;
}

static scree_status sample_rows(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    sampling *all = context;
    scree__report *report = all->report;
    (void)out;
    if (report->scorer)
        SCREE_TRY(scree__scored_block(&all->scored, block, threads, error));
    for (int64_t i = 0; i < block->rows; i++) {
        uint32_t words[4];
        scree__report_row row = {.row = block->first + i, .full = -1};
        SCREE_TRY(class_of(all, block, i, &row.label, error));
        SCREE_TRY(reserve_class(all, row.label, error));
        scree__philox(report->options.seed, STREAM, (uint64_t)row.row, words);
        row.priority = (uint64_t)words[0] << 32 | words[1];
        if (report->scorer)
            row.score = all->scored.scores[i];
        report->total++;
        all->sizes[row.label + 1]++;
        take(all, &row);
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
        report->rows[report->count].full = report->count;
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
    if (report->total == 0)
        return scree__fail(error, SCREE_ERR_VALUE, "%s: has no rows; give a file with some",
                           report->source->about.path);
    if (report->labels && report->label_count != report->total)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: has %" PRId64 " labels, but %s has %" PRId64 " rows; give a label for each row",
                           report->options.labels->about.path, report->label_count, report->source->about.path,
                           report->total);
    return SCREE_OK;
}

scree_status scree__report_sample(scree__report *report, scree_error *error)
{
    scree_status status = SCREE_OK;
    sampling all = {.report = report, .room = 2 * report->most_rows};
    const scree__map map = {.stage = "report", .rows = sample_rows, .context = &all, .pass = 1, .passes = 2};
    if (report->scorer)
        SCREE_TRY(scree__scored_open(&all.scored, report->scorer, report->source, report->options.run, error));
    SCREE_ALLOC(all.rows, all.room, error);
    SCREE_ALLOC(all.outliers, 2 * report->most_outliers, error);
    SCREE_TRY(reserve_class(&all, 0, error));
    SCREE_TRY(scree__stream_run(report->source, &map, NULL, report->options.run, error));
    SCREE_TRY(check(report, error));
    SCREE_TRY(settle(&all, error));
    report->class_sizes = all.sizes;
    all.sizes = NULL;
done:
    scree__scored_close(&all.scored);
    free(all.rows);
    free(all.outliers);
    free(all.sizes);
    return status;
}
