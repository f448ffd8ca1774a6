/* SPDX-License-Identifier: BSD-3-Clause */
/* A report's data as JSON: texts and single numbers as they are, arrays as base64 of what a typed array reads.
 *
 *     mean, scale      f64: means may be large beside what varies
 *     components       f64 when they are few, else f32
 *     codes            u16, evenly between the least and the largest of each component: within 1e-5 of its range
 *     columns          f32, less the mean
 *
 * Whole rows stand apart (report_originals.c).
 *
 * The page's src/view/page/data.js is the other side of this file. */

#include "view/report.h"

#include <cJSON.h>
#include <math.h>
#include <string.h>

/* An object that is being filled; ok stays true while memory lasts. */
typedef struct object {
    cJSON *json;
    bool *ok;
} object;

static object inside(object outer, const char *name)
{
    cJSON *json = cJSON_AddObjectToObject(outer.json, name);
    *outer.ok = *outer.ok && json;
    return (object){json, outer.ok};
}

/* An item that a full array does not take is freed. */
static void append(object o, cJSON *array, cJSON *item)
{
    *o.ok = *o.ok && array && cJSON_AddItemToArray(array, item);
    if (!*o.ok)
        cJSON_Delete(item);
}

static void put_number(object o, const char *name, double value)
{
    *o.ok = *o.ok && (isfinite(value) ? cJSON_AddNumberToObject(o.json, name, value)
                                      : cJSON_AddNullToObject(o.json, name)) != NULL;
}

static void put_flag(object o, const char *name, bool value)
{
    *o.ok = *o.ok && cJSON_AddBoolToObject(o.json, name, value) != NULL;
}

static void put_text(object o, const char *name, const char *text)
{
    char *clean = text ? scree__report_text(text, SCREE__SENTENCE_LETTERS) : NULL;
    *o.ok = *o.ok && (clean || !text) &&
            (clean ? cJSON_AddStringToObject(o.json, name, clean) : cJSON_AddNullToObject(o.json, name));
    free(clean);
}

static void put_texts(object o, const char *name, const char *const *texts, int64_t count)
{
    cJSON *array = cJSON_AddArrayToObject(o.json, name);
    for (int64_t i = 0; i < count; i++) {
        char *clean = scree__report_text(texts[i], SCREE__LABEL_LETTERS);
        *o.ok = *o.ok && clean;
        append(o, array, *o.ok ? cJSON_CreateString(clean) : NULL);
        free(clean);
    }
    *o.ok = *o.ok && array;
}

static void put_numbers(object o, const char *name, const double *values, int64_t count)
{
    cJSON *array = cJSON_AddArrayToObject(o.json, name);
    for (int64_t i = 0; i < count; i++)
        append(o, array, cJSON_CreateNumber(values[i]));
    *o.ok = *o.ok && array;
}

static void put_bytes(object o, const char *name, const void *data, int64_t size)
{
    char *text = data ? scree__base64(data, size) : NULL;
    *o.ok = *o.ok && text && cJSON_AddStringToObject(o.json, name, text);
    free(text);
}

static void put_floats(object o, const char *name, const double *values, int64_t count)
{
    float *narrow = scree__alloc(count, sizeof *narrow);
    for (int64_t i = 0; narrow && i < count; i++)
        narrow[i] = (float)values[i];
    put_bytes(o, name, narrow, count * (int64_t)sizeof *narrow);
    free(narrow);
}

/* Where the data lie is nobody's business who gets the page: what stands behind the last slash. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static void put_card(object o, const scree__report *report)
{
    const scree_model_view *view = scree_model_get(report->model);
    scree_facts facts = {sizeof facts, NAN, NAN, NAN};
    (void)scree_model_facts(report->model, &facts, NULL); /* a kind without a density has none */
    put_text(o, "version", scree_version());
    put_text(o, "title", report->options.title ? report->options.title : base_name(scree_source_name(report->source)));
    put_text(o, "data", base_name(scree_source_name(report->source)));
    put_number(o, "rows", (double)(report->numbers ? report->of : report->total));
    put_number(o, "fitted", (double)view->n);
    put_number(o, "observed", (double)view->observed / ((double)view->n * (double)view->d));
    put_number(o, "emptyRows", (double)view->empty_rows);
    put_number(o, "kept", (double)view->m);
    put_number(o, "ddof", view->ddof);
    put_text(o, "solver", view->solver);
    put_number(o, "passes", view->passes);
    put_flag(o, "converged", view->converged);
    put_text(o, "stopped", view->stopped);
    put_number(o, "iterations", view->iterations);
    put_flag(o, "bayes", view->bayes);
    put_number(o, "onlineAngle", view->online_angle);
    put_number(o, "onlineNoise", view->online_noise);
    put_number(o, "tolerance", view->tolerance);
    put_number(o, "logLikelihood", facts.log_likelihood);
    put_number(o, "mutualInformation", facts.mutual_information);
    put_number(o, "effectiveRank", facts.effective_rank);
    put_flag(o, "training", report->options.training);
    put_number(o, "alpha", report->options.alpha);
    put_number(o, "outliers", (double)report->outliers);
    put_flag(o, "uneven", scree__report_is_uneven(report));
    put_text(o, "noScores", report->scorer ? NULL : report->no_scores);
    if (report->numbers)
        put_number(o, "scored", (double)report->total);
    if (report->numbers)
        put_flag(o, "fetches", report->fetches);
}

static void put_accuracy(object o, const scree_model_view *view)
{
    cJSON *array = cJSON_AddArrayToObject(o.json, "bounds");
    for (int64_t j = 0; j < view->m; j++) {
        const double numbers[] = {view->residuals[j], view->eigenvalue_bounds[j], view->angle_bounds[j],
                                  (double)view->cluster_first[j] + 1, (double)view->cluster_last[j] + 1};
        append(o, array, cJSON_CreateDoubleArray(numbers, 5));
    }
    *o.ok = *o.ok && array;
}

/* What so many rows say of the population: interval of the eigenvalue, limit of the angle in degrees; null: noise. */
static void put_sampling(object o, const scree_model *model, int64_t count)
{
    static const double degrees = 57.29577951308232; /* in a radian */
    cJSON *array = cJSON_AddArrayToObject(o.json, "sampling");
    for (int64_t j = 0; j < count; j++) {
        scree_sampling s = SCREE_SAMPLING_INIT;
        const bool given = scree_model_sampling(model, j, &s, NULL) == SCREE_OK;
        const bool known = given && !isnan(s.low);
        const double numbers[] = {s.low, s.high, degrees * s.angle_limit};
        cJSON *item = known               ? cJSON_CreateDoubleArray(numbers, 3)
                      : given && !s.noise ? cJSON_CreateFalse()
                                          : cJSON_CreateNull();
        append(o, array, item);
    }
    *o.ok = *o.ok && array;
}

static void put_model(object o, const scree__report *report)
{
    const scree_model_view *all = scree_model_get(report->model);
    const scree_model_view *view = scree_model_get(report->shown);
    const int64_t d = view->d;
    double *sd = scree__alloc(d, sizeof *sd);
    for (int64_t i = 0; sd && i < d; i++)
        sd[i] = sqrt(view->variances[i]);
    put_number(o, "d", (double)d);
    put_number(o, "m", (double)view->m);
    put_number(o, "latent", (double)(report->decoder || all->latent > view->m ? view->m : all->latent));
    put_number(o, "scored", (double)all->latent); /* components of the scores */
    put_number(o, "totalVariance", view->total_variance);
    put_number(o, "noise", scree__model_noise_is_given(report->model) ? view->noise_variance : NAN);
    put_number(o, "directions", (double)(view->n - !view->uncentred < d ? view->n - !view->uncentred : d));
    put_numbers(o, "eigenvalues", all->eigenvalues, report->decoder ? 0 : all->m);
    put_accuracy(o, all);
    put_sampling(o, report->model, report->decoder ? 0 : all->m);
    put_bytes(o, "mean", view->mean, d * (int64_t)sizeof *view->mean);
    if (view->scale)
        put_bytes(o, "scale", view->scale, d * (int64_t)sizeof *view->scale);
    if (view->scale && view->scaling != SCREE_SCALE_UNIT)
        put_flag(o, "otherScale", true);
    if (view->log1p)
        put_flag(o, "log1p", true);
    if (sd)
        put_floats(o, "sd", sd, d);
    put_flag(o, "wide", scree__report_wide(d, view->m));
    if (report->decoder)
        *o.ok = *o.ok && cJSON_AddRawToObject(o.json, "decoder", report->decoder);
    else if (scree__report_wide(d, view->m))
        put_bytes(o, "components", view->components, d * view->m * (int64_t)sizeof *view->components);
    else
        put_floats(o, "components", view->components, d * view->m);
    if (view->columns)
        put_texts(o, "columns", view->columns, d);
    put_number(o, "imageRows", (double)report->image_rows);
    put_number(o, "imageCols", (double)report->image_cols);
    *o.ok = *o.ok && sd;
    free(sd);
}

/* Component by component, each evenly between its least and its largest code. */
static void put_codes(object o, const scree__report *report, int64_t rows)
{
    const int64_t m = scree_model_get(report->shown)->m;
    uint16_t *codes = scree__alloc(rows * m, sizeof *codes);
    double *low = scree__alloc(2 * m, sizeof *low);
    double *high = low ? low + m : NULL;
    *o.ok = *o.ok && codes && low;
    for (int64_t j = 0; *o.ok && j < m; j++) {
        low[j] = HUGE_VAL;
        high[j] = -HUGE_VAL;
        for (int64_t i = 0; i < rows; i++) {
            low[j] = fmin(low[j], (double)report->codes[i * m + j]);
            high[j] = fmax(high[j], (double)report->codes[i * m + j]);
        }
        const double step = high[j] > low[j] ? 65535.0 / (high[j] - low[j]) : 0.0;
        for (int64_t i = 0; i < rows; i++)
            codes[j * rows + i] = (uint16_t)lround(((double)report->codes[i * m + j] - low[j]) * step);
    }
    if (*o.ok) {
        put_numbers(o, "codesLow", low, m);
        put_numbers(o, "codesHigh", high, m);
        put_bytes(o, "codes", codes, rows * m * (int64_t)sizeof *codes);
    }
    free(codes);
    free(low);
}

static void put_scores(object o, const scree__report *report, int64_t rows)
{
    static const struct {
        const char *name;
        size_t offset;
    } fields[] = {{"loglik", offsetof(scree__score, loglik)},
                  {"t2", offsetof(scree__score, t2)},
                  {"q", offsetof(scree__score, q)},
                  {"p", offsetof(scree__score, p_value)}};
    double *values = scree__alloc(rows, sizeof *values);
    *o.ok = *o.ok && values;
    for (size_t f = 0; *o.ok && f < sizeof fields / sizeof *fields; f++) {
        for (int64_t i = 0; i < rows; i++)
            values[i] = *(const double *)(const void *)((const char *)&report->rows[i].score + fields[f].offset);
        put_floats(o, fields[f].name, values, rows);
    }
    free(values);
}

/* The columns of text: the words that are used, each once, and a number for each row. */
static void put_words(object o, const scree__report *report, int64_t t, int64_t rows)
{
    const scree__dictionary *words = &report->words[t];
    uint32_t *index = scree__alloc(rows, sizeof *index);
    int64_t *renamed = scree__alloc(words->count, sizeof *renamed);
    const char **used = scree__alloc(words->count, sizeof *used);
    int64_t count = 0;
    *o.ok = *o.ok && index && renamed && used;
    for (int64_t i = 0; *o.ok && i < rows; i++) {
        const uint32_t word = report->texts[i * report->text_count + t];
        if (!renamed[word]) {
            used[count++] = words->text[word];
            renamed[word] = count;
        }
        index[i] = (uint32_t)(renamed[word] - 1);
    }
    if (*o.ok) {
        put_texts(o, "words", used, count);
        put_bytes(o, "index", index, rows * (int64_t)sizeof *index);
    }
    free(index);
    free(renamed);
    free(used);
}

/* Which classes have a colour, and of how many: known of all rows, not of those shown alone. */
static void put_classes(object o, const scree__report *report)
{
    const char *texts[SCREE__LABELS_SHOWN];
    const int64_t count = scree__report_commonest(report, texts);
    put_number(o, "classes", (double)report->classes.count);
    put_texts(o, "commonest", texts, count);
}

static void put_text_columns(object o, const scree__report *report, int64_t rows)
{
    cJSON *array = cJSON_AddArrayToObject(o.json, "texts");
    const int64_t extra = report->labels ? 1 : 0;
    for (int64_t t = 0; t < report->text_count; t++) {
        const object text = {cJSON_CreateObject(), o.ok};
        put_text(text, "name", t < extra ? "label" : report->carried.names[t - extra]);
        put_flag(text, "isClass", t < extra || (!extra && t == report->class_text));
        put_words(text, report, t, rows);
        if (t < extra || (!extra && t == report->class_text))
            put_classes(text, report);
        append(o, array, text.json);
    }
    *o.ok = *o.ok && array;
}

static void put_columns(object o, const scree__report *report, int64_t rows)
{
    double *which = scree__alloc(report->which_count, sizeof *which);
    for (int64_t k = 0; which && k < report->which_count; k++)
        which[k] = (double)report->which[k];
    *o.ok = *o.ok && which;
    if (*o.ok)
        put_numbers(o, "which", which, report->which_count);
    put_bytes(o, "columns", report->columns, rows * report->which_count * (int64_t)sizeof *report->columns);
    free(which);
}

/* For each number of components but that of the scores: p-values, and the scores of rows with gaps. */
static void put_chances(object o, const scree__report *report, int64_t rows)
{
    cJSON *array = cJSON_AddArrayToObject(o.json, "chances");
    for (int64_t k = 0; k < report->chances.count; k++) {
        const object one = {cJSON_CreateObject(), o.ok};
        int64_t count = 0;
        char *packed = scree__chances_pack(report, k, rows);
        float *gapped = scree__chances_gapped(report, k, rows, &count);
        put_number(one, "m", (double)report->chances.m[k]);
        *o.ok = *o.ok && packed && gapped && cJSON_AddStringToObject(one.json, "p", packed);
        if (count > 0)
            put_bytes(one, "gapped", gapped, 3 * count * (int64_t)sizeof *gapped);
        append(o, array, one.json);
        free(packed);
        free(gapped);
    }
    *o.ok = *o.ok && array;
}

static void put_rows(object o, const scree__report *report, int64_t rows)
{
    uint32_t *numbers = scree__alloc(rows, sizeof *numbers);
    for (int64_t i = 0; numbers && i < rows; i++)
        numbers[i] = (uint32_t)(scree__report_number(report, i) + 1);
    put_number(o, "count", (double)rows);
    put_bytes(o, "number", numbers, rows * (int64_t)sizeof *numbers);
    put_bytes(o, "gaps", report->gaps, rows * (int64_t)sizeof *report->gaps);
    put_codes(o, report, rows);
    if (report->scorer)
        put_scores(o, report, rows);
    put_chances(o, report, rows);
    put_text_columns(o, report, rows);
    put_columns(o, report, rows);
    put_number(o, "low", report->originals.exact ? 0.0 : report->originals.low);
    put_number(o, "high", report->originals.exact ? 255.0 : report->originals.high);
    free(numbers);
}

static void put_outliers(object o, const scree__report *report, int64_t rows)
{
    cJSON *array = cJSON_AddArrayToObject(o.json, "outliers");
    for (int64_t i = 0; i < rows && report->rows[i].outlier; i++) {
        const object outlier = {cJSON_CreateObject(), o.ok};
        put_number(outlier, "p", report->rows[i].score.p_value);
        put_text(outlier, "why", report->why[i]);
        append(o, array, outlier.json);
    }
    *o.ok = *o.ok && array;
}

scree_status scree__report_json(char **json, const scree__report *report, int64_t rows, scree_error *error)
{
    bool ok = true;
    char *text = NULL;
    const object root = {cJSON_CreateObject(), &ok};
    ok = root.json != NULL;
    put_card(inside(root, "card"), report);
    put_model(inside(root, "model"), report);
    put_rows(inside(root, "rows"), report, rows);
    put_outliers(root, report, rows);
    if (ok)
        text = cJSON_PrintUnformatted(root.json);
    cJSON_Delete(root.json);
    if (!text)
        return scree__fail(error, SCREE_ERR_MEMORY, "out of memory for the page; show fewer rows");
    *json = text;
    return SCREE_OK;
}
