/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels from a file of their own, as digits come with: a row for a row, one column. A text is a label as it stands, a
 * number as it prints. Eight bytes a row; more than 4096 different labels are no classes, and the rest are one. */

#include "base/memory.h"
#include "base/number.h"
#include "data/stream.h"
#include "view/report.h"

#include <inttypes.h>
#include <math.h>

typedef struct reading {
    scree__report *report;
    int64_t room;
    int64_t text_count;
    int64_t cols;
} reading;

static scree_status reserve(reading *all, int64_t more, scree_error *error)
{
    scree__report *report = all->report;
    if (more <= all->room - report->label_count)
        return SCREE_OK;
    const int64_t room = 2 * all->room + more;
    int64_t *labels = room <= INT64_MAX / 16 ? realloc(report->labels, (size_t)room * sizeof *labels) : NULL;
    if (!labels)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for %" PRId64 " labels; report on fewer rows",
                           report->options.labels->about.path, room);
    report->labels = labels;
    all->room = room;
    return SCREE_OK;
}

static double cell(const scree__block *block, int64_t row)
{
    const int64_t at = row * block->stride;
    return block->type == SCREE_F64   ? ((const double *)block->data)[at]
           : block->type == SCREE_F32 ? (double)((const float *)block->data)[at]
                                      : (double)((const uint8_t *)block->data)[at];
}

static scree_status read_labels(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    reading *all = context;
    char number[SCREE__NUMBER_SIZE];
    (void)out;
    (void)threads;
    SCREE_TRY(reserve(all, block->rows, error));
    for (int64_t i = 0; i < block->rows; i++) {
        const char *text = number;
        if (all->text_count > 0 && block->text)
            text = block->text[i * all->text_count];
        else
            scree__print_double(number, cell(block, i));
        SCREE_TRY(scree__dictionary_number(&all->report->classes, text,
                                           &all->report->labels[all->report->label_count++], error));
    }
done:
    return status;
}

scree_status scree__report_labels(scree__report *report, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = report->options.labels;
    if (!source)
        return SCREE_OK;
    reading all = {.report = report, .text_count = source->about.text_count, .cols = source->about.cols};
    const scree__map map = {.stage = "labels", .rows = read_labels, .context = &all};
    if (source->about.text_count == 0 && source->about.cols != 1)
        SCREE_FAIL(error, SCREE_ERR_SHAPE, "%s: has %" PRId64 " columns, and labels are one; keep that column only",
                   source->about.path, source->about.cols);
    SCREE_TRY(reserve(&all, source->about.rows > 0 ? source->about.rows : 1, error));
    SCREE_TRY(scree__stream_run(source, &map, NULL, report->options.run, error));
done:
    return status;
}
