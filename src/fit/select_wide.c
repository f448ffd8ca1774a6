/* SPDX-License-Identifier: BSD-3-Clause */
/* Selection with fewer rows than columns: all rows in memory, centred, and N×N Grams CCᵀ of F folds of columns; N² D
 * flops. Their sum has the eigenvalues of the covariance, times N. Everything else follows from it:
 *
 *     rows held out   with µ the mean of the rows i left in, (x_o-µ)ᵀ(x_i-µ) is an entry of the Gram less means of its
 *                     row and column; an eigenvector v of the part left in, of eigenvalue λ, is u = Cᵀv/√λ, so that
 *                     uᵀ(x_o-µ) = Σ_i v_i (x_o-µ)ᵀ(x_i-µ)/√λ
 *     cells held out  rows and columns change roles: folds of columns, halves of rows (select_bicross.c). */

#include "fit/select_wide.h"

#include "base/memory.h"
#include "base/threads.h"
#include "fit/course.h"
#include "kernel/blas.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct wide {
    const scree__selecting *w;
    scree__resident x;
    int64_t n;
    double *panels;         /* n×SCREE__PANEL_COLS for each fold */
    double *grams;          /* a fold n×n, */
    double *own;            /* which are owned, */
    scree__team_tree *tree; /* or, where several processes share the columns, the tree's */
    double *all;            /* their sum */
    bool failed;
} wide;

static const scree__ops *const ops = &scree__ops_f64;

int64_t scree__select_wide_memory(const scree__job *job, int folds, int threads)
{
    const int64_t n = scree__job_rows(job);
    const int workers = threads < folds ? threads : folds;
    const int64_t cross_validation = folds > 1 ? workers * (scree__unseen_room(n) + 2 * n * n) : 0;
    const int64_t together = job->team ? scree__wide_together_memory(job, folds) : 8 * folds * n * n;
    return scree__resident_memory(job, ops, scree__wide_cols(job)) + together +
           8 * (folds * n * SCREE__PANEL_COLS + 2 * n * n + cross_validation + 3 * job->cols);
}

int scree__fold_gram(const scree__fold_columns *c, int64_t fold, double *gram)
{
    const double *x = (const double *)(const void *)c->x->data;
    const int64_t n = c->x->rows;
    double *panel = c->panels + fold * n * SCREE__PANEL_COLS;
    int info = 0;
    int64_t held = 0;
    double kept = c->begins ? 0 : 1; /* of what is there */
    for (int64_t j = c->first; j < c->end; j++) {
        if (scree__fold_of(c->w->options->seed, c->x->first + j, c->w->folds) == fold) {
            for (int64_t i = 0; i < n; i++)
                panel[i * SCREE__PANEL_COLS + held] = x[i * c->x->cols + j];
            held++;
        }
        if (held == SCREE__PANEL_COLS || (held > 0 && j == c->end - 1)) {
            info = scree__blas_first(info, scree__dsyrk(false, n, held, 1, panel, SCREE__PANEL_COLS, kept, gram, n));
            held = 0;
            kept = 1;
        }
    }
    if (kept == 0) /* no column is the fold's */
        memset(gram, 0, (size_t)(n * n) * sizeof *gram);
    return info;
}

/* Task: the Gram of a fold. */
static void gram_fold(void *context, int64_t f, int worker)
{
    wide *w = context;
    double *gram = w->grams + f * w->n * w->n;
    const scree__fold_columns columns = {.w = w->w, .x = &w->x, .end = w->x.cols, .panels = w->panels};
    (void)worker;
    if (scree__fold_gram(&columns, f, gram) != 0)
        __atomic_store_n(&w->failed, true, __ATOMIC_RELAXED);
    for (int64_t i = 0; i < w->n; i++)
        for (int64_t j = 0; j < i; j++)
            gram[i * w->n + j] = gram[j * w->n + i];
}

/* The same by several processes. */
static scree_status gram_together(wide *w, scree_error *error)
{
    const scree__fold_columns columns = {.w = w->w, .x = &w->x, .panels = w->panels};
    scree__blas_enter();
    const scree_status status = scree__wide_grams_together(&columns, &w->tree, &w->grams, error);
    scree__blas_leave();
    return status;
}

static scree_status gram_alone(wide *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int folds = w->w->folds;
    SCREE_ALLOC(w->own, folds * w->n * w->n, error);
    w->grams = w->own;
    scree__blas_enter();
    scree__parallel(w->w->job->threads, folds, gram_fold, w);
    scree__blas_leave();
    if (w->failed)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of %lld rows", (long long)w->n);
done:
    return status;
}

static scree_status make_grams(wide *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int folds = w->w->folds;
    const int64_t size = w->n * w->n;
    SCREE_ALLOC(w->panels, folds * w->n * SCREE__PANEL_COLS, error);
    SCREE_ALLOC(w->all, size, error);
    SCREE_TRY((w->w->job->team ? gram_together : gram_alone)(w, error));
    for (int f = 0; f < folds; f++)
        for (int64_t i = 0; i < size; i++)
            w->all[i] += w->grams[f * size + i];
done:
    return status;
}

/* Entries of the Gram about the mean of the rows left in. */
typedef struct parted {
    int64_t rows_in;
    int64_t rows_out;
    int64_t *index;  /* n: rows left in, then rows held out */
    double *towards; /* n: means of the Gram's rows over the rows left in, in the order of index */
    double centre;   /* their mean over the rows left in */
} parted;

static void part(const wide *w, int fold, parted *p)
{
    const int64_t n = w->n;
    p->rows_in = 0;
    p->rows_out = 0;
    p->centre = 0;
    for (int64_t i = 0; i < n; i++)
        if (scree__fold_of(w->w->options->seed, i, w->w->folds) == fold)
            p->index[n - 1 - p->rows_out++] = i;
        else
            p->index[p->rows_in++] = i;
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < p->rows_in; j++)
            sum += w->all[p->index[i] * n + p->index[j]];
        p->towards[i] = sum / (double)p->rows_in;
        p->centre += i < p->rows_in ? p->towards[i] / (double)p->rows_in : 0;
    }
}

static double about_mean(const wide *w, const parted *p, int64_t i, int64_t j)
{
    return w->all[p->index[i] * w->n + p->index[j]] - p->towards[i] - p->towards[j] + p->centre;
}

/* Rows held out against those left in. work: n² and 3n doubles and n int64_t. */
static int score_rows(const wide *w, const scree__unseen *u, int fold, double *work)
{
    const int64_t n = w->n;
    parted p = {.towards = work, .index = (int64_t *)(void *)(work + n)};
    part(w, fold, &p);
    double *values = work + 2 * n;
    double *energy = work + 3 * n;
    double *v = work + 4 * n;
    double *between = v + p.rows_in * p.rows_in; /* rows_out×rows_in */
    double *codes = between + p.rows_out * p.rows_in;
    scree__heldout h = {
        .d = u->s->d, .max_components = u->s->max_components, .count = p.rows_in, .values = values, .energy = energy};
    h.rows_in = (double)p.rows_in;
    h.rows_out = (double)p.rows_out;
    for (int64_t i = 0; i < p.rows_in; i++)
        for (int64_t j = 0; j < p.rows_in; j++)
            v[i * p.rows_in + j] = about_mean(w, &p, i, j);
    for (int64_t o = 0; o < p.rows_out; o++) {
        const int64_t at = p.rows_in + o;
        h.total += about_mean(w, &p, at, at);
        for (int64_t j = 0; j < p.rows_in; j++)
            between[o * p.rows_in + j] = about_mean(w, &p, at, j);
    }
    int info = scree__dsyevd(p.rows_in, v, p.rows_in, values);
    if (info == 0)
        info = scree__dgemm(false, true, p.rows_out, p.rows_in, p.rows_in, 1, between, p.rows_in, v, p.rows_in, 0,
                            codes, p.rows_in);
    for (int64_t j = 0; j < p.rows_in; j++) {
        energy[j] = 0;
        for (int64_t o = 0; o < p.rows_out && values[j] > 0; o++)
            energy[j] += codes[o * p.rows_in + j] * codes[o * p.rows_in + j] / values[j];
    }
    scree__heldout_score(&h, u->heldout + fold * (u->s->max_components + 1));
    return info;
}

static int judge(const void *context, const scree__unseen *u, int fold, double *work)
{
    const wide *w = context;
    const int64_t size = w->n * w->n;
    const int info = score_rows(w, u, fold, work);
    double *in = work;
    double *out = in + size;
    memset(in, 0, (size_t)(2 * size) * sizeof *in);
    for (int f = 0; f < u->folds; f++) {
        double *sum = scree__unseen_holds_in(u, fold, f) ? in : out;
        for (int64_t i = 0; i < size; i++)
            sum[i] += w->grams[f * size + i];
    }
    const scree__bicross b = {.p = w->n,
                              .max_components = u->s->max_components,
                              .in = in,
                              .out = out,
                              .live = u->live,
                              .order = u->order,
                              .splits = u->splits,
                              .centre = true,
                              .work = out + size};
    return scree__blas_first(info, scree__bicross_score(&b, u->bicross + fold * (u->s->max_components + 1)));
}

static scree_status spectrum(const wide *w, scree__spectrum *s, double trace, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = w->n;
    double *matrix = NULL;
    double *values = NULL;
    SCREE_ALLOC(matrix, n * n, error);
    SCREE_ALLOC(values, 2 * n, error);
    memcpy(matrix, w->all, (size_t)(n * n) * sizeof *matrix);
    scree__blas_enter();
    const int info = scree__dsyevd_values(n, matrix, n, values);
    scree__blas_leave();
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the eigendecomposition of a matrix", n, error));
    for (int64_t j = 0; j < n - 1; j++)
        values[n + j] = values[n - 1 - j] / (double)n;
    SCREE_TRY(scree__spectrum_make(s, values + n, n - 1 < s->cols ? n - 1 : s->cols, trace, error));
done:
    free(matrix);
    free(values);
    return status;
}

/* Variances of the scaled columns, and how many of them vary. */
static void column_variances(const scree__solution *solution, scree__spectrum *s)
{
    s->d = 0;
    for (int64_t j = 0; j < s->cols; j++) {
        const double scale = solution->scale ? solution->scale[j] : 1;
        s->variances[j] = solution->variances[j] / (scale * scale);
        s->d += s->variances[j] > 0;
    }
}

static scree_status sample_alone(const scree__selecting *w, const scree__resident *x, scree__row_sample *sample,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__rows rows = {x->data, SCREE_F64, x->rows, x->cols, x->cols, NULL};
    SCREE_TRY(scree__row_sample_make(sample, w->sample_rows, x->cols, w->options->seed, error));
    for (int64_t i = 0; i < x->rows; i++)
        scree__row_sample_add(sample, &rows, i);
done:
    return status;
}

/* The rows as they are now, centred. */
static scree_status whiten(const wide *w, scree__spectrum *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__row_sample sample = {0};
    if (w->w->sample_rows > 0)
        SCREE_TRY((w->w->job->team ? scree__wide_sample_together : sample_alone)(w->w, &w->x, &sample, error));
    SCREE_TRY(scree__select_whiten(s, &sample, error));
done:
    scree__row_sample_clear(&sample);
    return status;
}

scree_status scree__select_wide(const scree__selecting *selecting, scree__spectrum *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__solution solution = {0};
    wide w = {.w = selecting};
    scree__team_items items;
    if (selecting->job->team)
        items = scree__wide_items(selecting->job);
    SCREE_TRY(scree__resident_load(&w.x, selecting->job, ops, selecting->job->team ? &items : NULL, &solution, error));
    w.n = s->n = solution.rows; /* which have no weights */
    s->watch = scree__course_part(scree__course_of(selecting->options->run), "folds", SCREE__BEFORE_FOLDS,
                                  SCREE__BEFORE_CRITERIA);
    SCREE_ALLOC(s->variances, s->cols, error);
    column_variances(&solution, s);
    SCREE_TRY(make_grams(&w, error));
    SCREE_TRY(spectrum(&w, s, solution.total, error));
    SCREE_TRY(whiten(&w, s, error));
    if (s->n < 2 * selecting->folds)
        snprintf(s->unseen, sizeof s->unseen, "needs at least 2 columns and %d rows", 2 * selecting->folds);
    else if (selecting->folds > 1)
        SCREE_TRY(scree__unseen_run(s, false, selecting->folds, judge, &w, error));
done:
    scree__resident_clear(&w.x);
    scree__solution_clear(&solution);
    free(w.panels);
    free(w.own);
    scree__team_tree_free(w.tree);
    free(w.all);
    return status;
}
