/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_supplement_make: columns that the model was not fitted to, described by its components, in one pass. With x a
 * column of numbers, z_k the code, n rows of N in a group, z̄_k and c̄ the means of its rows,
 *
 *     correlation_k = cov(x, z_k)/(sd x · sd z_k)
 *
 *     structure_k = correlation_k · sd x, or · 1 where columns are scaled
 *
 *     cos²_k = z̄_k²/(‖w_k‖² ‖c̄‖²)
 *
 *     v_k = (z̄_k - mean z_k) √(n (N - 1)/(N - n)) / sd z_k
 *
 *     η²_k = Σ_groups n (z̄_k - mean z_k)² / Σ_rows (z_k - mean z_k)²
 *
 * means and deviations being those of the rows that are read, so that they need not be the rows of the fit. The v-test
 * is that of Lebart, Morineau and Piron (1995). sd has the divisor of the fit, but in v, where it has N. */

#include "answer/supplement.h"

#include "answer/match.h"
#include "answer/row_query.h"
#include "base/memory.h"
#include "base/sized.h"
#include "data/columns.h"
#include "model/kind.h"

#include <math.h>
#include <string.h>

struct scree_supplement {
    scree_supplement_view view;
    char **names;
    char **text_names;
    char **group_names;
    int64_t *group_text;
    int64_t *missing;
    double *numbers; /* of the view: all its arrays of doubles */
};

typedef struct gathering {
    scree__row_query query;
    scree__describe_out out;
    const scree_model *model;
    scree_source *source;
    int64_t *uses; /* columns of the source: the model's, then those of numbers that are described */
    int64_t count;
    int64_t *texts; /* text columns of the source */
    int64_t text_count;
    scree__number_sums *sums;   /* count */
    scree__text_groups *groups; /* text_count */
    double *row;                /* a row as it came */
    int64_t rows;
    int64_t spare; /* bytes that groups may still take */
} gathering;

/* Is the column of the source one of the model's? */
static bool is_known(const gathering *all, int64_t column)
{
    for (int64_t j = 0; j < all->model->view.d; j++)
        if ((all->query.columns ? all->query.columns[j] : j) == column)
            return true;
    return false;
}

/* Columns of numbers and of texts have no common order: beside texts only names say which is meant. */
static scree_status check_numbers(const gathering *all, const char *spec, char **names, int64_t count,
                                  scree_error *error)
{
    int64_t length = 0;
    const char *item = all->source->about.text_count > 0 ? scree__columns_numbered(spec, names, count, &length) : NULL;
    if (!item)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_ARGUMENT,
                       "%s: supplementary column '%.*s' is a number, and some columns are text; give names",
                       all->source->about.path, (int)length, item);
}

/* Those that the caller names, among the columns of numbers and behind them those of texts. */
static scree_status choose_named(gathering *all, const char *spec, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__about *about = &all->source->about;
    const int64_t cols = about->cols;
    int64_t *index = NULL;
    int64_t count = 0;
    char **names = NULL;
    if (about->columns || about->text_count > 0)
        SCREE_ALLOC(names, cols + about->text_count, error);
    for (int64_t j = 0; names && j < cols + about->text_count; j++)
        names[j] = j >= cols ? about->text_names[j - cols] : about->columns ? about->columns[j] : "";
    SCREE_TRY(check_numbers(all, spec, names, cols + about->text_count, error));
    SCREE_TRY(scree__columns_parse(&index, &count, spec, names, cols + about->text_count, about->path, error));
    for (int64_t i = 0; i < count; i++) {
        if (index[i] >= cols)
            all->texts[all->text_count++] = index[i] - cols;
        else if (is_known(all, index[i]))
            SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                       "%s: the model was fitted to column '%s', so it is not supplementary; leave it out, or fit "
                       "without it",
                       about->path, names ? names[index[i]] : "");
        else
            all->uses[all->model->view.d + all->count++] = index[i];
    }
done:
    free(names);
    free(index);
    return status;
}

static scree_status choose(gathering *all, const char *spec, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__about *about = &all->source->about;
    const int64_t d = all->model->view.d;
    SCREE_ALLOC(all->uses, d + about->cols, error);
    SCREE_ALLOC(all->texts, about->text_count, error);
    for (int64_t j = 0; j < d; j++)
        all->uses[j] = all->query.columns ? all->query.columns[j] : j;
    if (spec)
        SCREE_TRY(choose_named(all, spec, error));
    for (int64_t j = 0; !spec && j < about->cols; j++)
        if (!is_known(all, j))
            all->uses[d + all->count++] = j;
    for (int64_t j = 0; !spec && j < about->text_count; j++)
        if (j + 1 != about->text_id)
            all->texts[all->text_count++] = j;
    if (all->count + all->text_count == 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%s has no column that the model was not fitted to; there is nothing to describe", about->path);
done:
    return status;
}

static scree_status open_sums(gathering *all, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = all->model->view.m;
    SCREE_ALLOC(all->sums, all->count, error);
    SCREE_ALLOC(all->groups, all->text_count, error);
    SCREE_ALLOC(all->row, all->source->about.cols, error);
    for (int64_t i = 0; i < all->count; i++) {
        SCREE_TRY(scree__code_sums_open(&all->sums[i].codes, m, error));
        SCREE_ALLOC(all->sums[i].products, m, error);
    }
    for (int64_t t = 0; t < all->text_count; t++) {
        all->groups[t].spare = &all->spare;
        all->groups[t].column = all->source->about.text_names[all->texts[t]];
        SCREE_TRY(scree__code_sums_open(&all->groups[t].codes, m, error));
    }
done:
    return status;
}

static void gathering_close(gathering *all)
{
    for (int64_t i = 0; all->sums && i < all->count; i++)
        scree__number_sums_close(&all->sums[i]);
    for (int64_t t = 0; all->groups && t < all->text_count; t++)
        scree__text_groups_close(&all->groups[t]);
    scree__row_query_close(&all->query);
    free(all->uses);
    free(all->texts);
    free(all->sums);
    free(all->groups);
    free(all->row);
}

/* out: rows×M codes, then rows×D centred rows where there are texts. */
static scree_status gather_rows(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    gathering *all = context;
    const int64_t d = all->model->view.d;
    const int64_t m = all->model->view.m;
    const int64_t text_count = all->source->about.text_count;
    const scree__rows rows = scree__row_query_rows(&all->query, block).x;
    all->out.codes = out;
    all->out.centred = all->text_count > 0 ? out + block->rows * m : NULL;
    SCREE_TRY(scree__row_query_block(&all->query, block, &all->out, threads, error));
    SCREE_TRY(scree__row_query_weights(&all->query, block, error));
    for (int64_t i = 0; i < block->rows; i++) {
        const double weight = block->weights ? block->weights[i] : 1;
        const double *z = out + i * m;
        const double *x = scree__rows_load(&rows, i, all->row);
        if (!(weight > 0))
            continue;
        all->rows++;
        for (int64_t q = 0; q < all->count; q++) {
            const int64_t column = all->uses[d + q];
            const double value = x[column] + (block->origin ? block->origin[column] : 0);
            if (isfinite(value))
                scree__number_sums_add(&all->sums[q], value, z, m, weight);
        }
        for (int64_t t = 0; block->text && t < all->text_count; t++)
            SCREE_TRY(scree__text_groups_add(&all->groups[t], block->text[i * text_count + all->texts[t]], weight, z, m,
                                             all->out.centred + i * d, d, error));
    }
done:
    return status;
}

/* Room for everything that the view has, and its names. */
static scree_status make_view(scree_supplement *made, const gathering *all, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = all->model->view.m;
    const scree__about *about = &all->source->about;
    int64_t groups = 0;
    for (int64_t t = 0; t < all->text_count; t++)
        groups += all->groups[t].count;
    made->view = (scree_supplement_view){.size = sizeof made->view,
                                         .rows = all->rows,
                                         .m = m,
                                         .columns = all->count,
                                         .texts = all->text_count,
                                         .groups = groups};
    SCREE_ALLOC(made->numbers, (3 * all->count + all->text_count + 3 * groups) * m + 2 * groups, error);
    SCREE_ALLOC(made->names, all->count, error);
    SCREE_ALLOC(made->text_names, all->text_count, error);
    SCREE_ALLOC(made->group_names, groups, error);
    SCREE_ALLOC(made->group_text, groups, error);
    SCREE_ALLOC(made->missing, all->count + all->text_count, error);
    for (int64_t i = 0; i < all->count + all->text_count; i++)
        made->missing[i] = all->rows - (i < all->count ? all->sums[i].rows : all->groups[i - all->count].rows);
    for (int64_t i = 0; i < all->count; i++) {
        const int64_t column = all->uses[all->model->view.d + i];
        made->names[i] = scree__strdup(about->columns ? about->columns[column] : "");
        if (!made->names[i])
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for the name of a column");
    }
    for (int64_t t = 0; t < all->text_count; t++) {
        made->text_names[t] = scree__strdup(all->groups[t].column);
        if (!made->text_names[t])
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for the name of a column");
    }
    made->view.names = (const char *const *)made->names;
    made->view.text_names = (const char *const *)made->text_names;
    made->view.group_names = (const char *const *)made->group_names;
    made->view.group_text = made->group_text;
    made->view.missing = made->missing;
done:
    return status;
}

static void describe_numbers(const gathering *all, double *structure, double *correlations, double *cos2)
{
    const scree_model_view *view = scree_model_get(all->model);
    for (int64_t i = 0; i < all->count; i++) {
        const scree__number_sums *sums = &all->sums[i];
        const double divisor = sums->codes.weight - view->ddof;
        const double sd = view->scale ? 1 : sqrt(sums->square / divisor);
        for (int64_t k = 0; k < view->m; k++) {
            const double both = sqrt(sums->square) * sqrt(sums->codes.squares[k]);
            const double r = both > 0 ? sums->products[k] / both : NAN;
            correlations[i * view->m + k] = r;
            cos2[i * view->m + k] = r * r;
            structure[i * view->m + k] = both > 0 ? r * sd : 0;
        }
    }
}

typedef struct group_numbers {
    double *eta2, *coordinates, *cos2, *v_tests, *weights, *distances;
} group_numbers;

static void describe_component(const gathering *all, const group_numbers *to, int64_t k)
{
    const int64_t m = all->model->view.m;
    const double length = scree__meaning_length(all->model, k);
    int64_t at = 0;
    for (int64_t t = 0; t < all->text_count; t++) {
        const scree__text_groups *texts = &all->groups[t];
        const double n = texts->codes.weight;
        const double sd = sqrt(texts->codes.squares[k] / n);
        double between = 0;
        for (int64_t g = 0; g < texts->count; g++, at++) {
            const scree__group *group = &texts->groups[g];
            const double off = group->mean[k] - texts->codes.mean[k];
            const double distance = to->distances[at];
            between += group->weight * off * off;
            to->coordinates[at * m + k] = group->mean[k];
            to->cos2[at * m + k] =
                distance > 0 ? group->mean[k] * group->mean[k] / (length * distance * distance) : NAN;
            to->v_tests[at * m + k] = off * sqrt(group->weight * (n - 1) / (n - group->weight)) / sd;
        }
        to->eta2[t * m + k] = between / texts->codes.squares[k];
    }
}

static scree_status describe_groups(scree_supplement *made, const gathering *all, const group_numbers *to,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t at = 0;
    for (int64_t t = 0; t < all->text_count; t++)
        for (int64_t g = 0; g < all->groups[t].count; g++, at++) {
            const scree__group *group = &all->groups[t].groups[g];
            double sum = 0;
            for (int64_t j = 0; j < all->model->view.d; j++)
                sum += group->centred[j] * group->centred[j];
            made->group_names[at] = scree__strdup(group->name);
            if (!made->group_names[at])
                SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for the texts of a column");
            made->group_text[at] = t;
            to->weights[at] = group->weight;
            to->distances[at] = sqrt(sum);
        }
    for (int64_t k = 0; k < all->model->view.m; k++)
        describe_component(all, to, k);
done:
    return status;
}

static scree_status settle(scree_supplement *made, const gathering *all, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(make_view(made, all, error));
    scree_supplement_view *view = &made->view;
    double *structure = made->numbers;
    double *correlations = structure + view->columns * view->m;
    double *cos2 = correlations + view->columns * view->m;
    group_numbers to = {.eta2 = cos2 + view->columns * view->m};
    to.coordinates = to.eta2 + view->texts * view->m;
    to.cos2 = to.coordinates + view->groups * view->m;
    to.v_tests = to.cos2 + view->groups * view->m;
    to.weights = to.v_tests + view->groups * view->m;
    to.distances = to.weights + view->groups;
    describe_numbers(all, structure, correlations, cos2);
    SCREE_TRY(describe_groups(made, all, &to, error));
    view->structure = structure;
    view->correlations = correlations;
    view->cos2 = cos2;
    view->eta2 = to.eta2;
    view->coordinates = to.coordinates;
    view->group_cos2 = to.cos2;
    view->v_tests = to.v_tests;
    view->group_weights = to.weights;
    view->distances = to.distances;
done:
    return status;
}

scree_status scree_supplement_make(scree_supplement **out, const scree_model *model, scree_source *source,
                                   const scree_supplement_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_run own;
    scree_supplement_options mine = SCREE_SUPPLEMENT_OPTIONS_INIT;
    scree_supplement *made = NULL;
    gathering all = {.query = {.source = source}, .model = model, .source = source};
    const scree_model_view *view = scree_model_get(model);
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(scree__run_adopt(&own, &mine.run, error));
    SCREE_TRY(scree__match_columns(&all.query.columns, model, source, error));
    SCREE_TRY(scree__describe_open(&all.query.chunks, &all.out, model, source->about.cols, mine.run->threads, error));
    SCREE_TRY(choose(&all, mine.columns, error));
    if (all.count > 0 && view->normalize > 0)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: the model divides rows by their sums, in which supplementary columns of numbers would count; "
                   "give columns of text alone",
                   source->about.path);
    SCREE_TRY(open_sums(&all, error));
    scree__map map = {.stage = "describe",
                      .cols = view->m + (all.text_count > 0 ? view->d : 0),
                      .rows = gather_rows,
                      .takes_origin = true,
                      .normal = scree__row_query_normal(model),
                      .uses = all.uses,
                      .use_count = view->d + all.count,
                      .context = &all};
    all.spare = all.text_count > 0 ? scree__stream_spare(source, &map, mine.run) : 0;
    map.holds = mine.run->memory > 0 ? all.spare : 0;
    SCREE_TRY(scree__stream_run(source, &map, NULL, mine.run, error));
    SCREE_ALLOC(made, 1, error);
    SCREE_TRY(settle(made, &all, error));
    *out = made;
    made = NULL;
done:
    scree_supplement_free(made);
    gathering_close(&all);
    return status;
}

const scree_supplement_view *scree_supplement_get(const scree_supplement *supplement)
{
    return &supplement->view;
}

void scree_supplement_free(scree_supplement *supplement)
{
    if (!supplement)
        return;
    scree__strings_free(supplement->names, supplement->view.columns);
    scree__strings_free(supplement->text_names, supplement->view.texts);
    scree__strings_free(supplement->group_names, supplement->view.groups);
    free(supplement->group_text);
    free(supplement->missing);
    free(supplement->numbers);
    free(supplement);
}
