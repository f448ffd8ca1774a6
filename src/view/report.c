/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_model_report: a model and its data as one page that opens offline in any browser: the embedding, the latent
 * explorer, the spectrum, the components, the outliers and what is proven. The page is made when scree is built; here
 * its data are put between its parts. Two passes over the rows.
 *
 * Rows in the order of the sample make any first part of them a sample; so a page that comes out too large is made
 * again with fewer, until it fits. */

#include "view/report.h"

#include "view/report_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { REASONS = 3, MOST_CLASSES = 4096 };

static scree_status check_image(scree__report *report, scree_error *error)
{
    const scree_model_view *view = scree_model_get(report->model);
    const scree_report_options *options = &report->options;
    report->image_rows = options->image_rows > 0 ? options->image_rows : view->image_rows;
    report->image_cols = options->image_rows > 0 ? options->image_cols : view->image_cols;
    if (report->image_rows > 0 && (report->image_cols <= 0 || view->d / report->image_rows != report->image_cols ||
                                   view->d % report->image_rows != 0))
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: images of %" PRId64 "×%" PRId64 " pixels do not have the %" PRId64
                           " columns of a row; give their true shape",
                           scree_source_name(report->source), report->image_rows, report->image_cols, view->d);
    return SCREE_OK;
}

static scree_status make_scorer(scree__report *report, scree_error *error)
{
    scree_error reason = SCREE_ERROR_INIT;
    const scree_report_options *options = &report->options;
    const scree_score_options how = {
        .size = sizeof how, .training = options->training, .alpha = options->alpha, .blame_columns = REASONS};
    const scree_status status = scree_scorer_make(&report->scorer, report->model, &how, &reason);
    if (status != SCREE_OK && status != SCREE_ERR_UNSUPPORTED && status != SCREE_ERR_NUMERIC)
        return scree__fail(error, status, "%s", reason.text);
    snprintf(report->no_scores, sizeof report->no_scores, "%.250s", reason.text); /* a model without a density */
    return SCREE_OK;
}

scree_status scree__report_prepare(scree__report *report, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (!scree__report_page.head)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "a report needs D3, which was not there when scree was built; install it (node-d3 in Debian) and "
                   "build scree again");
    if (!scree__source_rewinds(report->source))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: can be read only once, and a report takes two passes over the rows; save them to a file first",
                   scree_source_name(report->source));
    report->originals.low = HUGE_VAL;
    report->originals.high = -HUGE_VAL;
    scree__source_texts_of(report->source, &report->carried);
    report->options.alpha = report->options.alpha > 0.0 ? report->options.alpha : 0.01;
    report->classes.most = MOST_CLASSES;
    SCREE_TRY(check_image(report, error));
    SCREE_TRY(make_scorer(report, error));
    SCREE_TRY(scree__report_plan(report, error));
done:
    return status;
}

static int64_t page_size(const char *json)
{
    int64_t size = scree__report_page.head_size + scree__report_page.middle_size + scree__report_page.tail_size;
    for (; *json; json++)
        size += *json == '<' ? 6 : 1;
    return size;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t originals_size(const scree__report *report)
{
    int64_t size = 0;
    for (int64_t b = 0; b < report->originals.packed; b++)
        size += (int64_t)strlen(report->originals.blocks[b]) + 1;
    return size;
}

/* The largest page that fits: rows go down with what there is too much of, and a twentieth is left for whole ones. */
static scree_status make_json(char **json, const scree__report *report, int64_t *rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t most = report->options.max_size - least(originals_size(report), report->options.max_size / 20);
    for (*rows = report->count;;) {
        SCREE_TRY(scree__report_json(json, report, *rows, error));
        const int64_t size = page_size(*json);
        if (size <= most)
            break;
        free(*json);
        *json = NULL;
        if (*rows == 1)
            SCREE_FAIL(error, SCREE_ERR_LIMIT,
                       "%s: a page with one row takes %" PRId64 " bytes, and %" PRId64 " are allowed; allow more",
                       scree_source_name(report->source), size, most);
        *rows = (int64_t)((double)*rows * 0.98 * (double)most / (double)size);
        *rows = *rows > 0 ? *rows : 1;
    }
done:
    return status;
}

void scree__report_clear(scree__report *report)
{
    for (int64_t t = 0; report->words && t < report->text_count; t++)
        scree__dictionary_clear(&report->words[t]);
    for (int64_t i = 0; report->why && i < report->count && report->rows[i].outlier; i++)
        free(report->why[i]);
    scree__dictionary_clear(&report->classes);
    scree_scorer_free(report->scorer);
    scree_model_free(report->cut);
    scree__originals_clear(&report->originals);
    scree__chances_clear(&report->chances);
    free(report->decoder);
    free(report->labels);
    free(report->class_sizes);
    free(report->rows);
    free(report->codes);
    free(report->which);
    free(report->columns);
    free(report->full);
    free(report->texts);
    free(report->gaps);
    free(report->words);
    free(report->why);
}

scree_status scree__report_make(scree__report_made *made, scree__report *report, scree_error *error)
{
    scree_status status = SCREE_OK;
    const bool before = scree__memory_watch();
    int64_t rows = 0, whole = 0;
    SCREE_TRY(scree__report_labels(report, error));
    SCREE_TRY(scree__report_sample(report, error));
    SCREE_TRY(scree__report_plan_rest(report, error));
    SCREE_TRY(scree__report_gather(report, error));
    SCREE_TRY(make_json(&made->json, report, &rows, error));
    whole = rows;
    SCREE_TRY(scree__originals_text(&made->originals, &whole, report, report->options.max_size - page_size(made->json),
                                    error));
    made->summary = (scree_report_summary){sizeof made->summary,
                                           report->total,
                                           rows,
                                           scree_model_get(report->shown)->m,
                                           report->outliers,
                                           page_size(made->json) + (int64_t)strlen(made->originals),
                                           scree__report_is_uneven(report)};
done:
    if (scree__memory_missed(before) && status == SCREE_OK)
        status = scree__fail(error, SCREE_ERR_MEMORY, "out of memory for a part of the page; show fewer rows");
    return status;
}

void scree__report_made_clear(scree__report_made *made)
{
    free(made->json);
    free(made->originals);
}

/* Bytes of JSON where every < is an escape: nothing in it can end the element that it stands in. */
static scree_status write_json(scree__report_write *write, void *context, const char *json, scree_error *error)
{
    scree_status status = SCREE_OK;
    static const char escape[] = "\\u003c";
    while (*json) {
        const size_t plain = strcspn(json, "<");
        SCREE_TRY(write(context, json, (int64_t)plain, error));
        json += plain;
        if (*json) {
            SCREE_TRY(write(context, escape, sizeof escape - 1, error));
            json++;
        }
    }
done:
    return status;
}

scree_status scree__report_written(const scree__report_made *made, const char *also_allowed, scree__report_write *write,
                                   void *context, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__report_page_text *page = &scree__report_page;
    SCREE_TRY(write(context, page->head, page->policy_end, error));
    SCREE_TRY(write(context, also_allowed, (int64_t)strlen(also_allowed), error));
    SCREE_TRY(write(context, page->head + page->policy_end, page->head_size - page->policy_end, error));
    SCREE_TRY(write_json(write, context, made->json, error));
    SCREE_TRY(write(context, page->middle, page->middle_size, error));
    SCREE_TRY(write(context, made->originals, (int64_t)strlen(made->originals), error));
    SCREE_TRY(write(context, page->tail, page->tail_size, error));
done:
    return status;
}

static scree_status to_file(void *context, const void *data, int64_t size, scree_error *error)
{
    return scree__atomic_write(context, data, size, error);
}

scree_status scree_model_report(const scree_model *model, scree_source *source, const char *path,
                                scree_report_summary *summary, const scree_report_options *options, scree_error *error)
{
    static const scree_report_options plain = SCREE_REPORT_OPTIONS_INIT;
    scree_status status = SCREE_OK;
    scree__report report = {.model = model, .source = source, .options = plain};
    scree__report_made made = {0};
    scree_run run;
    scree__atomic_file *file = NULL;
    SCREE_TRY(SCREE_ADOPT(&report.options, options, error));
    SCREE_TRY(scree__run_adopt(&run, &report.options.run, error));
    SCREE_TRY(scree__report_prepare(&report, error));
    SCREE_TRY(scree__atomic_open(&file, path, error));
    SCREE_TRY(scree__report_make(&made, &report, error));
    SCREE_TRY(scree__report_written(&made, "", to_file, file, error));
    SCREE_TRY(scree__atomic_commit(file, error));
    SCREE_TRY(SCREE_GIVE(summary, &made.summary, error));
done:
    scree__atomic_free(file);
    scree__report_made_clear(&made);
    scree__report_clear(&report);
    return status;
}
