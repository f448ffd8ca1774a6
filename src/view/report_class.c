/* SPDX-License-Identifier: BSD-3-Clause */
/* Which column of text holds the classes: the one that is named, else the first that is no id and says the same in two
 * rows at least; a column that is different in every row names the rows and tells them in no way apart. A look at the
 * rows until each column has repeated itself, or has had more texts than classes are counted: some thousand rows. */

#include "base/memory.h"
#include "data/stream.h"
#include "view/report.h"

#include <string.h>

typedef struct looking {
    scree__report *report;
    scree__dictionary *seen; /* texts of each column, while they are all different */
    bool *repeats;
    int64_t undecided; /* columns */
} looking;

static bool is_id(const scree__report *report, int64_t t)
{
    const char *id = report->options.id;
    return t == report->source->about.text_id - 1 || (id && strcmp(report->source->about.text_names[t], id) == 0);
}

/* A text that is new has the last number. */
static scree_status look_at(looking *all, int64_t t, const char *text, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__dictionary *seen = &all->seen[t];
    const int64_t before = seen->count;
    int64_t number = -1;
    if (all->repeats[t] || before == seen->most)
        return SCREE_OK;
    SCREE_TRY(scree__dictionary_number(seen, text, &number, error));
    all->repeats[t] = seen->count == before;
    all->undecided -= all->repeats[t] || seen->count == seen->most;
done:
    return status;
}

/* Ends the pass when nothing is undecided any more: with a status that no other place gives. */
static scree_status look_at_rows(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    looking *all = context;
    const int64_t count = all->report->source->about.text_count;
    (void)out;
    (void)threads;
    for (int64_t i = 0; block->text && i < block->rows && all->undecided > 0; i++)
        for (int64_t t = 0; t < count; t++)
            if (!is_id(all->report, t))
                SCREE_TRY(look_at(all, t, block->text[i * count + t], error));
    status = all->undecided > 0 ? SCREE_OK : SCREE_ERR_CANCELLED;
done:
    return status;
}

int64_t scree__report_commonest(const scree__report *report, const char *texts[SCREE__LABELS_SHOWN])
{
    int64_t last = INT64_MAX, after = -1, count = 0;
    while (count < SCREE__LABELS_SHOWN && count < report->classes.count) {
        int64_t best = -1;
        for (int64_t c = 0; c < report->classes.count; c++) {
            const int64_t size = report->class_sizes[c + 1];
            const bool is_left = size < last || (size == last && c > after);
            if (is_left && (best < 0 || size > report->class_sizes[best + 1]))
                best = c;
        }
        last = report->class_sizes[best + 1];
        after = best;
        texts[count++] = report->classes.text[best];
    }
    return report->classes.count > SCREE__LABELS_SHOWN && report->classes.count == report->total ? 0 : count;
}

static int64_t named(const scree__report *report)
{
    const scree_source *source = report->source;
    for (int64_t t = 0; report->options.label && t < source->about.text_count; t++)
        if (strcmp(source->about.text_names[t], report->options.label) == 0)
            return t;
    return source->about.text_label - 1;
}

scree_status scree__report_class(scree__report *report, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t count = report->source->about.text_count;
    looking all = {.report = report};
    const scree__map map = {.stage = "labels", .rows = look_at_rows, .context = &all, .pass = 1, .passes = 3};
    scree_run run = *report->options.run;
    run.progress = NULL;
    report->class_text = named(report);
    if (report->class_text >= 0 || report->options.labels || count == 0)
        goto done;
    SCREE_ALLOC(all.seen, count, error);
    SCREE_ALLOC(all.repeats, count, error);
    for (int64_t t = 0; t < count; t++) {
        all.seen[t].most = report->classes.most;
        all.undecided += !is_id(report, t);
    }
    if (all.undecided > 0)
        status = scree__stream_run(report->source, &map, NULL, &run, error);
    if (all.undecided == 0)
        status = SCREE_OK;
    for (int64_t t = 0; t < count && report->class_text < 0; t++)
        if (all.repeats[t])
            report->class_text = t;
done:
    for (int64_t t = 0; all.seen && t < count; t++)
        scree__dictionary_clear(&all.seen[t]);
    free(all.seen);
    free(all.repeats);
    return status;
}
