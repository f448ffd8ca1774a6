/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_drift_make: whether new rows are still like those that a model was fitted to, in one pass. The tests are in
 * drift_checks.c. Their k p-values become one by the smallest (Šidák 1967), 1 - (1 - p)^k, which is exact for
 * independent tests and says too much, not too little, for tests that tend to agree, as these do: mean, spread and
 * angle are independent of each other for normal rows, and the likelihood goes with the spread. What is to blame are
 * columns and components whose own p-values, adjusted for their number, pass the level that a check has. */

#include "answer/drift.h"

#include "answer/match.h"
#include "base/memory.h"
#include "base/sized.h"
#include "model/kind.h"

#include <math.h>
#include <string.h>

static const double LEVEL = 0.05;
enum { LEAST_ROWS = 4, FEWEST_NEW = 12, FEWEST_FITTED = 30 };

struct scree_drift {
    scree_drift_view view;
    scree__drift_found found;
    scree_drift_blame *blames;
};

/* out of the question below: of each row its code, c = (x - µ)/scale, and whether it has gaps. */
typedef struct rows_out {
    void (*project)(const scree_model *model, const scree__chunk *chunk, void *codes);
    double *codes;
    double *centred;
    uint8_t *skip;
} rows_out;

typedef struct gathering {
    scree__row_query query;
    const scree_model *model;
    rows_out out;
    scree__drift_law law;
    scree__drift_sums sums;
    uint8_t *skip; /* of a block */
    int64_t room;
    scree__drift_rows *kept; /* where rows go that will be shuffled; NULL: they are not */
} gathering;

static void answer(const scree_model *model, const scree__chunk *chunk, void *out)
{
    const rows_out *rows = out;
    const int64_t d = model->view.d;
    rows->project(model, chunk, rows->codes);
    for (int64_t i = 0; i < chunk->count; i++) {
        memcpy(rows->centred + (chunk->from + i) * d, chunk->x + (chunk->skip + i) * d, (size_t)d * sizeof(double));
        rows->skip[chunk->from + i] = chunk->gap && chunk->gap[chunk->skip + i];
    }
}

static scree_status open_rows(gathering *all, scree_source *source, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__question question = scree__question_of(all->model);
    SCREE_TRY(scree__match_columns(&all->query.columns, all->model, source, error));
    all->model->kind->project(&question);
    all->out.project = question.answer;
    question.answer = answer;
    SCREE_TRY(scree__chunks_open(&all->query.chunks, &question, source->about.cols, threads, error));
done:
    return status;
}

/* out: rows×M codes, rows×D cells, three numbers of each row. */
static scree_status take_rows(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    gathering *all = context;
    const scree_model_view *view = scree_model_get(all->model);
    if (block->weights)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: rows have weights, and the chances of a drift are those of rows that count alike",
                   all->query.source->about.path);
    if (block->rows > all->room) {
        free(all->skip);
        all->room = 0;
        SCREE_ALLOC(all->skip, block->rows, error);
        all->room = block->rows;
    }
    all->out.codes = out;
    all->out.centred = out + block->rows * view->m;
    all->out.skip = all->skip;
    SCREE_TRY(scree__row_query_block(&all->query, block, &all->out, threads, error));
    if (all->kept)
        SCREE_TRY(scree__drift_rows_add(all->kept, all->out.centred, all->skip, block->rows, view->d,
                                        all->query.source->about.path, error));
    scree__drift_sums_add(&all->sums, out, all->out.centred, all->skip, out + block->rows * (view->m + view->d),
                          block->rows, threads);
done:
    return status;
}

static scree_status gather(gathering *all, const scree_model *model, scree_source *source, const scree_run *run,
                           scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(all->model);
    SCREE_TRY(SCREE__DENSITY_NEEDS(model, drift, "drift", error));
    SCREE_TRY(model->kind->density->check(all->model, error));
    SCREE_TRY(scree__drift_law_make(&all->law, all->model, all->law.exact, error));
    SCREE_TRY(open_rows(all, source, run->threads, error));
    SCREE_TRY(scree__drift_sums_open(&all->sums, &all->law, error));
    const scree__map map = {.stage = "drift",
                            .cols = view->m + view->d + SCREE__DRIFT_NUMBERS,
                            .rows = take_rows,
                            .context = all,
                            .takes_origin = true,
                            .normal = scree__row_query_normal(all->model),
                            .uses = all->query.columns,
                            .use_count = view->d};
    SCREE_TRY(scree__stream_run(source, &map, NULL, run, error));
done:
    return status;
}

static void gathering_close(gathering *all)
{
    scree__row_query_close(&all->query);
    scree__drift_law_clear(&all->law);
    scree__drift_sums_close(&all->sums);
    free(all->skip);
}

/* ---- what is found ---- */

static void name_checks(scree__drift_found *found)
{
    static const scree_drift_check names[SCREE_DRIFT_CHECKS] = {
        [SCREE_DRIFT_MEAN] = {.name = "mean", .title = "distance of the mean", .unit = "standard deviations"},
        [SCREE_DRIFT_SPREAD] = {.name = "spread", .title = "variance over that of the fit", .unit = "times"},
        [SCREE_DRIFT_ANGLE] = {.name = "angle", .title = "largest angle to the components", .unit = "degrees"},
        [SCREE_DRIFT_LIKELIHOOD] = {.name = "likelihood", .title = "mean log-likelihood", .unit = "per row"},
    };
    memcpy(found->checks, names, sizeof names);
    for (int i = 0; i < SCREE_DRIFT_CHECKS; i++)
        found->checks[i].size = sizeof found->checks[i];
}

/* All checks together, and the level that is left to each. */
static double decide(scree_drift *made)
{
    double least = (double)NAN;
    int64_t count = 0;
    for (int i = 0; i < SCREE_DRIFT_CHECKS; i++) {
        const double p = made->found.checks[i].p_value;
        count += !isnan(p);
        least = isnan(least) || p < least ? (isnan(p) ? least : p) : least;
    }
    const double each = count > 0 ? -expm1(log1p(-made->view.level) / (double)count) : 0;
    const double independent = count > 0 ? scree__drift_smallest(least, count) : (double)NAN;
    const bool shuffled = made->found.shuffles > 0;
    made->view.p_value = shuffled ? made->found.all : independent;
    made->view.drifted = made->view.p_value <= made->view.level;
    for (int i = 0; i < SCREE_DRIFT_CHECKS; i++)
        made->found.checks[i].drifted =
            shuffled ? made->found.adjusted[i] <= made->view.level : made->found.checks[i].p_value <= each;
    return each;
}

static int by_chance(const void *a, const void *b)
{
    const scree_drift_blame *x = a;
    const scree_drift_blame *y = b;
    if (x->p_value != y->p_value)
        return x->p_value < y->p_value ? -1 : 1;
    const int64_t order =
        x->part != y->part ? (int64_t)x->part - (int64_t)y->part : x->column + x->component - y->column - y->component;
    return order < 0 ? -1 : order > 0;
}

/* Those of one check that pass the level. */
static void blame(scree_drift *made, int part, int64_t count, bool columns, double level)
{
    const scree__drift_found *found = &made->found;
    const double *change = (columns ? found->columns : found->components) + part * count;
    const double *p = (columns ? found->column_p : found->component_p) + part * count;
    if (!found->checks[part].drifted)
        return;
    for (int64_t i = 0; i < count; i++)
        if (p[i] <= level)
            made->blames[made->view.blames++] = (scree_drift_blame){
                sizeof(scree_drift_blame), (scree_drift_part)part, columns ? i : -1, columns ? -1 : i, change[i], p[i]};
}

/* With fewer rows than these, laws of variances, angles and likelihoods say drift far too often. */
static void withhold_law(scree__drift_found *found, const gathering *all)
{
    static const char few_new[] = "fewer than 12 new rows: give more, or those that were fitted beside them";
    static const char few_fitted[] = "fewer than 30 rows were fitted: give them beside the new ones";
    const bool is_new = all->sums.rows < FEWEST_NEW;
    if (!is_new && all->law.rows >= FEWEST_FITTED)
        return;
    for (int i = 0; i < SCREE_DRIFT_CHECKS; i++) {
        found->checks[i].p_value = (double)NAN;
        if (!found->checks[i].reason)
            found->checks[i].reason = is_new ? few_new : few_fitted;
    }
}

static scree_status settle(scree_drift *made, const gathering *all, const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = all->law.view->d;
    const int64_t m = all->law.view->m;
    name_checks(&made->found);
    SCREE_ALLOC(made->found.columns, 3 * d, error);
    SCREE_ALLOC(made->found.column_p, 3 * d, error);
    SCREE_ALLOC(made->found.components, 2 * m, error);
    SCREE_ALLOC(made->found.component_p, 2 * m, error);
    SCREE_ALLOC(made->blames, 3 * d + 2 * m, error);
    SCREE_TRY(scree__drift_checks_run(&made->found, &all->sums, error));
    made->view.rows = all->sums.rows;
    made->view.gaps = all->sums.gaps;
    made->view.normal = !made->found.not_normal;
    made->view.fitted = all->law.rows;
    if (all->kept && all->kept->fresh >= LEAST_ROWS) {
        SCREE_TRY(scree__drift_shuffle(&made->found, all->kept, all->law.view, made->view.level, run, error));
        made->view.fitted = (double)(all->kept->rows - all->kept->fresh);
        made->view.shuffles = made->found.shuffles;
    } else {
        withhold_law(&made->found, all);
    }
    for (int64_t j = 0; j < d; j++)
        made->view.moved += all->sums.moved[j] > 0;
    const double each = decide(made);
    for (int part = SCREE_DRIFT_MEAN; part <= SCREE_DRIFT_ANGLE; part++) {
        blame(made, part, d, true, each);
        if (part < SCREE_DRIFT_ANGLE)
            blame(made, part, m, false, each);
    }
    qsort(made->blames, (size_t)made->view.blames, sizeof *made->blames, by_chance);
done:
    return status;
}

/* The rows that were fitted, as those of the model. */
static scree_status gather_fitted(const gathering *fresh, const scree_model *model, scree_source *source,
                                  const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    gathering all = {.query = {.source = source}, .model = fresh->model, .kept = fresh->kept};
    fresh->kept->fresh = fresh->kept->rows;
    SCREE_TRY(gather(&all, model, source, run, error));
    if (fresh->kept->rows < fresh->kept->fresh + LEAST_ROWS)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: has %lld rows without gaps, too few to be shuffled with new ones: give at least %d",
                   source->about.path, (long long)(fresh->kept->rows - fresh->kept->fresh), LEAST_ROWS);
done:
    gathering_close(&all);
    return status;
}

scree_status scree_drift_make(scree_drift **out, const scree_model *model, scree_source *source,
                              const scree_drift_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_run own;
    scree_drift_options mine = SCREE_DRIFT_OPTIONS_INIT;
    scree_drift *made = NULL;
    scree__drift_rows kept = {0};
    gathering all = {.query = {.source = source}, .model = scree_model_distribution(model)};
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(scree__run_adopt(&own, &mine.run, error));
    if (!(mine.level >= 0 && mine.level < 1))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "the level is a probability, between 0 and 1, not %g", mine.level);
    if (mine.exact && mine.fitted)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "rows are compared with the model itself, which is exact, or with the rows that were fitted; give "
                   "one of the two");
    all.law.exact = mine.exact;
    kept.most = mine.run->memory > 0 ? mine.run->memory / 2 : scree__memory_available() / 2;
    all.kept = mine.fitted ? &kept : NULL;
    SCREE_TRY(gather(&all, model, source, mine.run, error));
    if (mine.fitted)
        SCREE_TRY(gather_fitted(&all, model, mine.fitted, mine.run, error));
    SCREE_ALLOC(made, 1, error);
    made->view = (scree_drift_view){.size = sizeof made->view, .level = mine.level > 0 ? mine.level : LEVEL};
    SCREE_TRY(settle(made, &all, mine.run, error));
    *out = made;
    made = NULL;
done:
    scree_drift_free(made);
    gathering_close(&all);
    free(kept.cells);
    return status;
}

const scree_drift_view *scree_drift_get(const scree_drift *drift)
{
    return &drift->view;
}

const scree_drift_check *scree_drift_check_at(const scree_drift *drift, int64_t index)
{
    return index >= 0 && index < SCREE_DRIFT_CHECKS ? &drift->found.checks[index] : NULL;
}

const scree_drift_blame *scree_drift_blame_at(const scree_drift *drift, int64_t index)
{
    return index >= 0 && index < drift->view.blames ? &drift->blames[index] : NULL;
}

void scree_drift_free(scree_drift *drift)
{
    if (!drift)
        return;
    free(drift->found.columns);
    free(drift->found.column_p);
    free(drift->found.components);
    free(drift->found.component_p);
    free(drift->blames);
    free(drift);
}
