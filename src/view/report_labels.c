/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels from a file of their own, as digits come with: a row for a row, one column. A text is a label as it stands, a
 * number as it prints. Eight bytes a row; more than 4096 different labels are no classes, and the rest are one. */

#include "view/report.h"

#include <inttypes.h>

typedef struct reading {
    scree__report *report;
    int64_t room;
    int64_t text_count;
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
                           scree_source_name(report->options.labels), room);
    report->labels = labels;
    all->room = room;
    return SCREE_OK;
}

static scree_status read_labels(void *context, const scree__sight *sight, scree_error *error)
{
    scree_status status = SCREE_OK;
    reading *all = context;
    scree__report *report = all->report;
    char number[SCREE__NUMBER_SIZE];
    SCREE_TRY(reserve(all, sight->rows, error));
    for (int64_t i = 0; i < sight->rows; i++) {
        const char *text = number;
        double value = 0.0;
        if (all->text_count > 0) {
            text = sight->texts ? sight->texts[i * all->text_count] : "";
        } else {
            scree__sight_row(sight, i, &value);
            scree__print_double(number, value);
        }
        SCREE_TRY(scree__dictionary_number(&report->classes, text, &report->labels[report->label_count++], error));
    }
done:
    return status;
}

scree_status scree__report_labels(scree__report *report, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = report->options.labels;
    scree__source_texts texts;
    if (!source)
        return SCREE_OK;
    scree__source_texts_of(source, &texts);
    reading all = {.report = report, .text_count = texts.count};
    int64_t row;
    int64_t page;
    scree__report_memory_ahead(report, &row, &page);
    const scree__survey survey = {.stage = "labels",
                                  .visit = read_labels,
                                  .context = &all,
                                  .keeps_rows = report->most_rows,
                                  .keeps_bytes = row + (int64_t)sizeof *report->labels,
                                  .keeps_more = page};
    const int64_t rows = scree_source_rows(source);
    if (texts.count == 0 && scree_source_cols(source) != 1)
        SCREE_FAIL(error, SCREE_ERR_SHAPE, "%s: has %" PRId64 " columns, and labels are one; keep that column only",
                   scree_source_name(source), scree_source_cols(source));
    SCREE_TRY(reserve(&all, rows > 0 ? rows : 1, error));
    SCREE_TRY(scree__survey_run(source, &survey, report->options.run, error));
done:
    return status;
}
