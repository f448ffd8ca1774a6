/* SPDX-License-Identifier: BSD-3-Clause */
/* What fits into a page of a given size. Bytes become a third more as base64. The components come first, for without
 * them nothing can be decoded: up to 50, in double precision while that is little, in at most a third of the page. A
 * row is its number, its scores, its texts, two bytes for each component, and a few columns. What rows leave goes to
 * more columns, those that the components say most about, or to whole images of some rows. */

#include "scree_private.h"
#include "view/report.h"
#include "view/report_page.h"

#include <cJSON.h>
#include <inttypes.h>
#include <string.h>

enum {
    ROWS = 60000,
    OUTLIERS = 100,
    COMPONENTS = 50,
    COLUMNS = 64,
    FEW_COLUMNS = 8,
    ROW_BYTES = 4 + 4 + 4 * 4 + 4,
    FULL_MEMORY = 64 << 20,
    DEFAULT_SIZE = 12000000,
    JSON_COPIES = 3,
    PACKED = 8,
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Bytes of the page without any data. */
static int64_t page_frame(void)
{
    return scree__report_page.head_size + scree__report_page.middle_size + scree__report_page.tail_size;
}

/* Bytes of the page that do not depend on rows: mean and standard deviation, components, names. */
static int64_t model_bytes(const scree_model_view *view, int64_t components)
{
    const int64_t element = scree__report_wide(view->d, components) ? 8 : 4;
    int64_t names = 0;
    for (int64_t i = 0; view->columns && i < view->d; i++)
        names += (int64_t)strlen(view->columns[i]) + 3;
    return (view->d * (components * element + (view->scale ? 20 : 12))) / 3 * 4 + names;
}

static scree_status plan_components(scree__report *report, int64_t *left, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(report->model);
    const int64_t size = report->options.max_size;
    int64_t components = least(view->m, COMPONENTS);
    while (components > 1 && model_bytes(view, components) > size / 3)
        components--;
    *left = size - scree__report_page.head_size - scree__report_page.tail_size - model_bytes(view, components);
    if (*left < size / 20)
        SCREE_FAIL(error, SCREE_ERR_LIMIT,
                   "%s: a page of %" PRId64 " bytes cannot hold %" PRId64
                   " columns of one component and some rows; allow at least %" PRId64,
                   scree_source_name(report->source), size, view->d,
                   (page_frame() + model_bytes(view, components)) / 9 * 10 + 1000);
    SCREE_TRY(scree_model_truncate(&report->cut, report->model, components, error));
    report->shown = report->cut;
done:
    return status;
}

/* Bytes of the decoder in the page, and whether it is there. */
static scree_status read_decoder(const char *json, int64_t *bytes, bool *is_there, scree_error *error)
{
    cJSON *decoder = cJSON_Parse(json);
    if (!decoder)
        return scree__fail(error, SCREE_ERR_MEMORY, "out of memory for the decoder of a page");
    *bytes = (int64_t)cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(decoder, "bytes"));
    *is_there = cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(decoder, "layers"));
    cJSON_Delete(decoder);
    return SCREE_OK;
}

/* A model whose components do not suffice is shown whole, its decoder where three quarters of the page hold it: without
 * rows there is nothing to decode. */
static scree_status plan_decoder(scree__report *report, int64_t fixed, int64_t *left, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(report->model);
    const int64_t size = report->options.max_size, least_bytes = view->d * 16 / 3 * 4;
    int64_t bytes = 0;
    bool is_there = false;
    report->shown = report->model;
    SCREE_TRY(read_decoder(report->decoder, &bytes, &is_there, error));
    *left = size - fixed - (is_there ? bytes : least_bytes);
    if (*left < size / 20)
        SCREE_FAIL(error, SCREE_ERR_LIMIT,
                   "%s: a page of %" PRId64 " bytes cannot hold %" PRId64
                   " columns and some rows; allow at least %" PRId64,
                   scree_source_name(report->source), size, view->d, (fixed + least_bytes) / 9 * 10 + 1000);
done:
    return status;
}

/* What the components of the page say about a column: Σ λ_j u_ij²; without components, its variance. */
static double weight_of(const scree__report *report, const scree_model_view *view, int64_t i)
{
    double sum = report->decoder ? view->variances[i] : 0.0;
    for (int64_t j = 0; j < view->m && !report->decoder; j++)
        sum += view->eigenvalues[j] * view->components[j * view->d + i] * view->components[j * view->d + i];
    return sum;
}

/* Columns that the components of the page say most about; in their own order. */
static scree_status plan_columns(scree__report *report, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(report->shown);
    double *weight = NULL;
    SCREE_ALLOC(weight, view->d, error);
    SCREE_ALLOC(report->which, count, error);
    report->which_count = count;
    for (int64_t i = 0; i < view->d; i++)
        weight[i] = weight_of(report, view, i);
    for (int64_t k = 0; k < count; k++) {
        int64_t best = 0;
        for (int64_t i = 1; i < view->d; i++)
            if (weight[i] > weight[best])
                best = i;
        weight[best] = -1; /* taken */
    }
    for (int64_t i = 0, k = 0; i < view->d; i++)
        if (weight[i] < 0)
            report->which[k++] = i;
done:
    free(weight);
    return status;
}

/* Bytes of a row with the columns that it has at least. */
static int64_t row_bytes(const scree__report *report)
{
    const scree_model_view *view = scree_model_get(report->shown);
    return ROW_BYTES + 2 * view->m + scree__chances_row(report) +
           (report->image_rows > 0 ? 0 : 4 * least(view->d, FEW_COLUMNS));
}

/* What the second pass will keep, before it is known how many rows there are: for one row, and for the page without
 * any. */
static void plan_memory(scree__report *report)
{
    const scree_model_view *view = scree_model_get(report->shown);
    report->row_ahead = scree__report_row_memory(report) + JSON_COPIES * (ROW_BYTES + 2 * view->m) / 3 * 4;
    report->page_ahead =
        JSON_COPIES * (report->options.max_size - report->room / 3 * 4) + 8 * report->most_outliers * view->d;
}

/* Rows that are shown at most. */
static void plan_rows(scree__report *report, int64_t left)
{
    const int64_t known = scree_source_rows(report->source);
    const int64_t wanted = known >= 0 ? least(report->options.rows, known) : report->options.rows;
    report->room = left / 4 * 3;
    report->most_rows = least(wanted > 0 ? wanted : 1, report->room / row_bytes(report) + 1);
    report->most_outliers =
        least(least(OUTLIERS, (report->most_rows + 4) / 5), FULL_MEMORY / (8 * scree_model_get(report->shown)->d));
    scree__chances_plan(report, report->most_rows, left);
    plan_memory(report);
}

/* With its code, columns and texts. */
int64_t scree__report_row_memory(const scree__report *report)
{
    const int64_t m = scree_model_get(report->shown)->m;
    return (int64_t)sizeof *report->rows + scree__chances_row(report) +
           8 * (m + report->which_count + report->carried.count + 2);
}

/* Whole rows, and again packed, outliers, and JSON: a tree, and a text that grows by doubling. */
int64_t scree__report_memory(const scree__report *report)
{
    const scree_model_view *view = scree_model_get(report->shown);
    const int64_t most = report->options.max_size;
    const int64_t row = ROW_BYTES + 2 * view->m + scree__chances_row(report) + 4 * report->which_count;
    const int64_t fixed = most - report->room / 3 * 4; /* of the page, all but rows and originals */
    return JSON_COPIES * least(most, fixed + report->count * row / 3 * 4) +
           2 * report->originals.count * scree__originals_row(report) + scree__chances_memory(report) +
           8 * report->most_outliers * view->d;
}

/* Whole rows where the page does not have all their columns anyway: as many as fit, if they become an eighth by
 * packing. */
static void plan_originals(scree__report *report, int64_t rest)
{
    const int64_t memory = report->options.max_size > FULL_MEMORY / 2 ? 2 * report->options.max_size : FULL_MEMORY;
    report->originals.exact = scree_source_type(report->source) == SCREE_U8 && report->image_rows > 0 &&
                              !scree_model_get(report->shown)->log1p;
    if (report->image_rows <= 0 && report->which_count == scree_model_get(report->shown)->d)
        return;
    const int64_t room = least(memory, PACKED * (rest > 0 ? rest : 0)) / scree__originals_row(report);
    report->originals.count = least(report->count, room > report->most_outliers ? room : report->most_outliers);
}

scree_status scree__report_plan_rest(scree__report *report, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = scree_model_get(report->shown)->d;
    const int64_t rest = report->room - report->count * row_bytes(report);
    const int64_t more = rest > 0 ? rest / (4 * report->count) : 0;
    if (report->image_rows <= 0)
        SCREE_TRY(plan_columns(report, least(least(d, COLUMNS), least(d, FEW_COLUMNS) + more), error));
    plan_originals(report, rest - report->count * 4 * (report->which_count - least(d, FEW_COLUMNS)));
done:
    return status;
}

scree_status scree__report_plan(scree__report *report, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_report_options *options = &report->options;
    int64_t left = 0;
    options->rows = options->rows > 0 ? options->rows : ROWS;
    options->max_size = options->max_size > 0 ? options->max_size : DEFAULT_SIZE;
    const int64_t fixed = page_frame() + model_bytes(scree_model_get(report->model), 0);
    SCREE_TRY(scree__model_page(report->model, options->max_size / 4 * 3 - fixed, &report->decoder, error));
    SCREE_TRY(report->decoder ? plan_decoder(report, fixed, &left, error) : plan_components(report, &left, error));
    plan_rows(report, left);
done:
    return status;
}
