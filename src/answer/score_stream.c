/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_scorer_score: rows in, ln p, T², Q, p-value and verdict out (10.70), with the reasons for each outlier where
 * they are asked for. One pass in O(block) memory. With a false discovery rate two: the first keeps the p-values, and
 * the step-up rule of Benjamini and Hochberg (1995) finds the threshold from them, sorted,
 *
 *     threshold = α k/n,   k = max {i : p_(i) ≤ α i/n},   0 when there is none.
 *
 * ln p is summed in pieces of 4096 rows, counted from the first, and these in their order, so that the total, too, is
 * the same for any blocks and threads. */

#include "answer/scored.h"
#include "answer/uniform.h"
#include "answer/why.h"
#include "base/memory.h"
#include "base/sized.h"
#include "base/sum.h"
#include "base/threads.h"
#include "data/team.h"

#include <math.h>

enum { COLUMNS = 5, PIECE = 4096 };
static const double SAME = 1e-8; /* of sums over rows that were fitted: rounding */
static const char *const names[COLUMNS] = {"loglik", "t2", "q", "p_value", "outlier"};

/* What a piece of the rows adds to the totals. */
typedef struct piece {
    scree__sum loglik;
    scree__sum t2;
    scree__sum q;
    int64_t outliers;
    int64_t broken;   /* rows that break a relation */
    int64_t relation; /* the first of those, and 1; 0: none */
    scree__uniform p;
} piece;

/* What the rows come to. */
typedef struct totals {
    scree__sum loglik; /* of the pieces that are complete */
    scree__sum t2;
    scree__sum q;
    int64_t rows;
    int64_t outliers;
    int64_t broken;
    int64_t relation;
    scree__uniform p;
} totals;

typedef struct scoring {
    scree__scored scored;
    scree__why why;
    bool wants_rows;
    bool wants_why;
    double threshold;
    totals totals;
    piece open; /* the one that is not complete */
    /* The block at work. */
    piece *pieces;
    int64_t room;
    int64_t block_rows;
    double *out;
} scoring;

/* The first of two relations; 0 is none. */
static int64_t first_of(int64_t a, int64_t b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

/* Task: a piece of the rows of the block, to the totals of it, and where they are wanted. */
static void take_piece(void *context, int64_t index, int worker)
{
    scoring *all = context;
    const int64_t start = (all->totals.rows / PIECE + index) * PIECE - all->totals.rows;
    const int64_t end = start + PIECE < all->block_rows ? start + PIECE : all->block_rows;
    piece sums = index == 0 ? all->open : (piece){0};
    (void)worker;
    for (int64_t i = start > 0 ? start : 0; i < end; i++) {
        const scree__score *score = &all->scored.scores[i];
        const bool outlier = score->p_value <= all->threshold;
        scree__sum_add(&sums.loglik, score->loglik);
        scree__sum_add(&sums.t2, score->t2);
        scree__sum_add(&sums.q, score->q);
        sums.outliers += outlier;
        sums.broken += score->broken > 0;
        sums.relation = first_of(sums.relation, score->broken);
        scree__uniform_add(&sums.p, score->p_value);
        if (all->wants_rows) {
            const double cells[COLUMNS] = {score->loglik, score->t2, score->q, score->p_value, outlier ? 1 : 0};
            for (int64_t j = 0; j < COLUMNS; j++)
                all->out[i * COLUMNS + j] = cells[j];
        }
    }
    all->pieces[index] = sums;
}

static void close_piece(scoring *all, const piece *sums)
{
    scree__sum_add(&all->totals.loglik, scree__sum_total(&sums->loglik));
    scree__sum_add(&all->totals.t2, scree__sum_total(&sums->t2));
    scree__sum_add(&all->totals.q, scree__sum_total(&sums->q));
    all->totals.outliers += sums->outliers;
    all->totals.broken += sums->broken;
    all->totals.relation = first_of(all->totals.relation, sums->relation);
    scree__uniform_join(&all->totals.p, &sums->p);
    all->open = (piece){0};
}

/* Rows of another process, which follow; before those, what is left of these. */
static void join_totals(void *context, const void *totals_of)
{
    scoring *all = context;
    const totals *other = totals_of;
    close_piece(all, &all->open);
    if (!other)
        return;
    const piece sums = {.loglik = other->loglik,
                        .t2 = other->t2,
                        .q = other->q,
                        .outliers = other->outliers,
                        .broken = other->broken,
                        .relation = other->relation,
                        .p = other->p};
    close_piece(all, &sums);
    all->totals.rows += other->rows;
}

/* Adds a block to the totals of all rows, and writes its rows where they are wanted. */
static scree_status take_scores(scoring *all, int64_t rows, double *out, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t count = (all->totals.rows + rows - 1) / PIECE - all->totals.rows / PIECE + 1;
    if (count > all->room) {
        free(all->pieces);
        all->room = 0;
        SCREE_ALLOC(all->pieces, count, error);
        all->room = count;
    }
    all->block_rows = rows;
    all->out = out;
    scree__parallel(threads, count, take_piece, all);
    all->totals.rows += rows;
    for (int64_t i = 0; i < count - 1; i++)
        close_piece(all, &all->pieces[i]);
    all->open = all->pieces[count - 1];
    if (all->totals.rows % PIECE == 0)
        close_piece(all, &all->pieces[count - 1]);
done:
    return status;
}

static scree_status score_rows(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    scoring *all = context;
    SCREE_TRY(scree__scored_block(&all->scored, block, threads, error));
    SCREE_TRY(take_scores(all, block->rows, out, threads, error));
    if (all->wants_why) {
        const scree__row_block rows = scree__row_query_rows(&all->scored.query, block);
        SCREE_TRY(scree__why_rows(&all->why, &rows, all->scored.scores, threads, error));
    }
done:
    return status;
}

static const char *const *reasons(void *context)
{
    return ((const scoring *)context)->why.texts;
}

/* p: n p-values, ascending. */
static double discovery_threshold(const double *p, int64_t n, double alpha)
{
    for (int64_t i = n; i > 0; i--) {
        const double threshold = alpha * (double)i / (double)n;
        if (p[i - 1] <= threshold)
            return threshold;
    }
    return 0;
}

static scree_status find_threshold(double *threshold, const scree_scorer *scorer, scree_source *source,
                                   const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__collect collect = {"score", 2, offsetof(scree__score, p_value), false};
    double *p = NULL;
    int64_t count = 0;
    *threshold = scorer->options.alpha;
    if (!scorer->options.fdr)
        return SCREE_OK;
    if (!(source->can & SCREE__CAN_REWIND))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: can be read only once, and a false discovery rate takes two passes over the rows; save them to "
                   "a file, or use alpha as a rate of false alarms, without fdr",
                   source->about.path);
    SCREE_TRY(scree__scores_sorted(&p, &count, scorer, source, &collect, run, error));
    *threshold = discovery_threshold(p, count, scorer->options.alpha);
done:
    free(p);
    return status;
}

/* Whether these are the rows that were fitted: over those Σ T² = M δ and Σ Q = J_M δ, δ the divisor of the eigenvalues,
 * exactly. */
static bool are_fitted(const scoring *all, const scree_model_view *view)
{
    const double divisor = view->weight - view->ddof;
    const double t2 = (double)view->m * divisor;
    const double q = view->reconstruction_error * divisor;
    return all->totals.rows == view->n && all->totals.rows > 1 && view->weight == (double)view->n && !view->stopped &&
           fabs(scree__sum_total(&all->totals.t2) - t2) <= SAME * t2 &&
           fabs(scree__sum_total(&all->totals.q) - q) <= SAME * q && t2 + q > 0;
}

/* How far out is far for T² and Q, each by itself. */
static void find_limits(scree_score_summary *found, const scree_scorer *scorer)
{
    found->t2_limit = found->q_limit = (double)NAN;
    if (!scorer->calibration && found->threshold > 0)
        scree__score_limits(scorer->model, scorer->options.training, found->threshold, &found->t2_limit,
                            &found->q_limit);
}

/* Columns that were observed too seldom: model/thin.c. */
static void count_left_out(scree_score_summary *found, const scree_scorer *scorer)
{
    const scree_model *model = scorer->model;
    for (int64_t j = model->view.d - 1; model->thin && !scorer->calibration && j >= 0; j--)
        if (model->thin[j]) {
            found->columns_left_out++;
            found->column_left_out = j;
        }
}

scree_status scree_scorer_score(const scree_scorer *scorer, scree_source *source, scree_sink *sink,
                                scree_score_summary *summary, const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_run own;
    const bool fdr = scorer->options.fdr;
    bool shared = false;
    scoring all = {.wants_rows = sink != NULL, .wants_why = sink && scorer->options.blame_columns > 0};
    scree__map map = {.stage = "score",
                      .cols = sink ? COLUMNS : 0,
                      .columns = names,
                      .rows = score_rows,
                      .context = &all,
                      .takes_origin = !all.wants_why,
                      .normal = scree__row_query_normal(scorer->model),
                      .use_count = scree_model_get(scorer->model)->d,
                      .text_name = all.wants_why ? "why" : NULL,
                      .texts = reasons,
                      .shares = true,
                      .totals = &all.totals,
                      .total_bytes = sizeof all.totals,
                      .join = join_totals,
                      .pass = fdr ? 2 : 1,
                      .passes = fdr ? 2 : 1};
    SCREE_TRY(scree__run_adopt(&own, &run, error));
    SCREE_TRY(find_threshold(&all.threshold, scorer, source, run, error));
    SCREE_TRY(scree__scored_open(&all.scored, scorer, source, run, error));
    map.uses = all.scored.query.columns;
    if (all.wants_why)
        SCREE_TRY(scree__why_open(&all.why, scorer, all.threshold, source->about.cols, run->threads, error));
    shared = true;
    SCREE_TRY(scree__stream_run(source, &map, sink, run, error));
    close_piece(&all, &all.open);
    const double fitted = scorer->options.training ? HUGE_VAL : fmax((double)scree_model_get(scorer->model)->n, 1);
    scree_score_summary found = {.size = sizeof found,
                                 .rows = all.totals.rows,
                                 .outliers = all.totals.outliers,
                                 .loglik = scree__sum_total(&all.totals.loglik),
                                 .threshold = all.threshold,
                                 .rows_without_p = all.totals.p.none,
                                 .broken_rows = all.totals.broken,
                                 .broken_relation = all.totals.relation > 0 ? all.totals.relation - 1 : 0,
                                 .differs = !scorer->calibration && !scree__uniform_fits(&all.totals.p, fitted)};
    count_left_out(&found, scorer);
    find_limits(&found, scorer);
    found.fitted = !scorer->options.training && are_fitted(&all, scree_model_get(scorer->model));
    SCREE_TRY(SCREE_GIVE(summary, &found, error));
done:
    scree__why_close(&all.why);
    scree__scored_close(&all.scored);
    free(all.pieces);
    return scree__team_settle(run, shared, status, error);
}
