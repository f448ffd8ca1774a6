/* SPDX-License-Identifier: BSD-3-Clause */
/* A sweep by several processes: W of each range of rows by itself, and a tree that adds them up, so that the number of
 * processes moves no bit. Of rows in memory several ranges are at work at once, so that threads that are through with
 * one go on with the next. */

#include "fit/sweep_inner.h"

#include <string.h>

static scree_status no_room(const scree__sweep *s, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_MEMORY, "out of memory: %lld vectors of %lld columns do not fit",
                       (long long)s->b, (long long)s->all->job->cols);
}

static scree_status begin_range(scree__sweep *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *image = scree__team_tree_place(s->tree);
    if (!image)
        SCREE_TRY(no_room(s, error));
    if (s->sparse)
        SCREE_TRY(scree__sparse_product_start(s->sparse, s->q, s->b, image, error));
    else
        scree__product_start(s->product, s->q, s->b, image);
done:
    return status;
}

static scree_status end_range(scree__sweep *s, scree_error *error)
{
    if (s->sparse)
        scree__sparse_product_finish(s->sparse);
    else
        scree__product_finish(s->product);
    s->range++;
    return scree__team_tree_add(s->tree, error);
}

/* A range has ended in a pass; the next one, if there is one, begins. */
static scree_status ended(void *context, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__sweep *s = context;
    const scree__ranges *ranges = &s->all->job->team->ranges;
    SCREE_TRY(end_range(s, error));
    if (ranges->first + s->range < ranges->end)
        SCREE_TRY(begin_range(s, error));
done:
    return status;
}

/* Rows in memory, as many ranges as are at work at once. */
static scree_status multiply_together(scree__sweep *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__ranges *own = &s->all->job->team->ranges;
    const int64_t left = own->end - own->first - s->range;
    scree__product_range ranges[SCREE__PRODUCT_RANGES] = {0};
    const int64_t count = left < s->at_once ? left : s->at_once;
    int64_t put = 0;
    for (int64_t i = 0; i < count; i++) {
        const int64_t *start = s->all->starts + s->range + i;
        ranges[i].x = scree__rows_slice(&s->x, start[0], start[1] - start[0]);
        ranges[i].w = scree__team_tree_take(s->tree);
        if (!ranges[i].w)
            SCREE_TRY(no_room(s, error));
    }
    scree__product_ranges(s->product, s->q, s->b, ranges, count);
    s->range += count;
    while (put < count)
        SCREE_TRY(scree__team_tree_put(s->tree, ranges[put++].w, error));
done:
    for (int64_t i = put; i < count; i++)
        free(ranges[i].w);
    return status;
}

/* The same of sparse rows, range by range. */
static scree_status multiply_entries(scree__sweep *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t first = s->all->starts[s->range];
    const int64_t rows = s->all->starts[s->range + 1] - first;
    SCREE_TRY(begin_range(s, error));
    if (rows > 0) {
        scree__entries x = scree__entries_of(&s->all->kept, s->all->job->cols);
        x.starts += first;
        x.weights = x.weights ? x.weights + first : NULL;
        x.rows = rows;
        scree__sparse_product_add(s->sparse, &x);
    }
    SCREE_TRY(end_range(s, error));
done:
    return status;
}

static scree_status multiply_ranges(scree__sweep *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__ranges *ranges = &s->all->job->team->ranges;
    while (ranges->first + s->range < ranges->end)
        SCREE_TRY(s->sparse ? multiply_entries(s, error) : multiply_together(s, error));
    SCREE_TRY(scree__sweep_report(s->all, error));
done:
    return status;
}

static scree_status pass_ranges(scree__sweep *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = s->all->job;
    const scree__ranges *ranges = &job->team->ranges;
    const scree__range_visits visits = {.visit = s->sparse ? scree__sweep_visit_entries : scree__sweep_visit,
                                        .ended = ended,
                                        .context = s,
                                        .several = s->sparse != NULL};
    s->kept.x.rows = 0;
    if (s->sparse)
        scree__entries_empty(&s->all->kept);
    if (ranges->first < ranges->end)
        SCREE_TRY(begin_range(s, error));
    SCREE_TRY(scree__job_pass_ranges(job, s->all->passes, 0, scree__sweep_rows(job, s->all->rows, s->width, s->ops),
                                     &visits, NULL, error));
    if (!s->sparse && s->kept.room > 0 && s->kept.x.rows == s->all->rows)
        SCREE_TRY(scree__sweep_use_kept(s, error));
done:
    return status;
}

scree_status scree__sweep_apply_together(scree__sweep *s, const double *q, int64_t b, double *image, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = s->all->job;
    const bool is_kept = s->sparse ? s->all->kept.rows > 0 && s->all->kept.rows == s->all->rows : s->x.rows > 0;
    double *all = NULL;
    s->q = q;
    s->b = b;
    s->range = 0;
    SCREE_TRY(scree__team_tree_new(&s->tree, job->team, job->cols * b, NULL, NULL, error));
    status = (is_kept ? multiply_ranges : pass_ranges)(s, error);
    SCREE_TRY(scree__team_tree_finish(s->tree, status, job->gap, &all, error));
    memcpy(image, all, (size_t)(job->cols * b) * sizeof *image);
done:
    scree__team_tree_free(s->tree);
    s->tree = NULL;
    return status;
}
