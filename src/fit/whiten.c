/* SPDX-License-Identifier: BSD-3-Clause */
/* Invertible transforms of rows and columns keep the rank of what is not noise. So under each M the noise is whitened
 * (each column and row over its standard deviation, correlated neighbours made independent, heavy tails clipped), and
 * then it is tested whether the next eigenvalue stands out (noise_test.c): M = 0, 1, … until it does not. What the
 * noise is like depends on M and M on what it is like: a few rounds for each M, and more as long as they help. What was
 * found must be worth its parameters, compared with white noise (whiten_evidence.c).
 *
 * From STRIDE components on M grows by an eighth, and goes back by halves once the test passes. A table of d columns
 * can tell M components from d different noises only while (d-M)² ≥ d+M (Ledermann 1937), and the same holds for rows;
 * more than half of the eigenvalues are believed only where what they leave is white. At most ROUNDS decompositions of
 * order min(n,d) for each M that is looked at; the work is bounded by looking at no more rows than scree__whiten_rows
 * allows, and at no more M than MOST_WORK allows. One thread. */

#include "fit/whiten.h"

#include "base/memory.h"
#include "fit/noise_test.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 5, MOST_ROUNDS = 15, GAP_ROUNDS = 40, STRIDE = 16, LEAST_ROWS = 12, LEAST_COLS = 4, KEPT_ROWS = 64 };
static const double LEVEL = 0.01;
enum { LARGE = 16 };
static const double STRONG = 6; /* of evidence: a factor of e³ */
static const double SETTLED = 0.01;
static const double FILLED = 0.1;   /* what fills gaps moves no more than this, in standard deviations of the noise */
static const double HOPELESS = -30; /* ln of a chance that further rounds do not mend */
static const double RISING = 0.8;   /* of it: where rounds still help */
static const double ROUND_WORK = 3e8;
static const double MOST_WORK = 4e10;
static const double MOST_CELLS = 0x1p21;

/* Flops of a round, roughly. */
static double round_work(double n, double d)
{
    const double q = fmin(n, d);
    return q * q * (fmax(n, d) + 4 * q) + 60 * n * d;
}

int64_t scree__whiten_rows(int64_t cols)
{
    int64_t rows = KEPT_ROWS;
    while (round_work((double)rows * 1.25, (double)cols) < ROUND_WORK && 1.25 * (double)(rows * cols) < MOST_CELLS)
        rows += rows / 4;
    return rows;
}

bool scree__whiten_suffices(int64_t n, int64_t cols)
{
    return n >= LEAST_ROWS && cols >= LEAST_COLS;
}

/* The largest M that can be told from as many noises. */
static int64_t testable(int64_t n, int64_t d)
{
    const int64_t q = n - 1 < d ? n - 1 : d;
    int64_t m = 0;
    while (m < q - 2 && (q - m - 1) * (q - m - 1) >= q + m + 1)
        m++;
    return m;
}

int64_t scree__whiten_memory(int64_t rows, int64_t cols)
{
    const int64_t q = rows < cols ? rows : cols;
    const int64_t vectors = (testable(rows, cols) + 1) * (rows + cols);
    return 8 * (3 * rows * cols + 3 * q * q + vectors + 6 * rows + 12 * cols + 32 * q);
}

static scree_status allocate(scree__whitening *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t cells = w->n * w->d;
    const int64_t longer = w->n > w->d ? w->n : w->d;
    const struct {
        double **where;
        int64_t count;
    } all[] = {
        {&w->clean, cells},
        {&w->z, cells},
        {&w->e, cells},
        {&w->gram, w->q * w->q},
        {&w->vectors, (w->most + 1) * w->q},
        {&w->codes, (w->most + 1) * longer},
        {&w->values, w->q},
        {&w->mean, w->d},
        {&w->row_sd, w->n},
        {&w->row_free, w->n},
        {&w->row_sum, w->n},
        {&w->row_before, w->n},
        {&w->col_sd, w->d},
        {&w->col_free, w->d},
        {&w->col_sum, w->d},
        {&w->col_before, w->d},
        {&w->row_seen, w->n},
        {&w->col_seen, w->d},
        {&w->col_low, w->d},
        {&w->col_high, w->d},
        {&w->row_share, w->n},
        {&w->col_share, w->d},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        SCREE_ALLOC(*all[i].where, all[i].count, error);
done:
    return status;
}

static void release(scree__whitening *w)
{
    double *const all[] = {w->clean,    w->z,         w->e,         w->gram,       w->vectors,  w->codes,
                           w->values,   w->mean,      w->row_sd,    w->row_free,   w->row_sum,  w->row_before,
                           w->col_sd,   w->col_free,  w->col_sum,   w->col_before, w->variance, w->row_seen,
                           w->col_seen, w->row_share, w->col_share, w->col_low,    w->col_high};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* Mean and variance of what is observed in a column; 0 where it is constant but for rounding. */
static double column_variance(const double *x, int64_t n, int64_t cols, double *mean)
{
    double count = 0;
    double sum = 0;
    double squares = 0;
    for (int64_t i = 0; i < n; i++)
        if (!isnan(x[i * cols])) {
            sum += x[i * cols];
            count++;
        }
    *mean = count > 0 ? sum / count : 0;
    for (int64_t i = 0; i < n; i++)
        if (!isnan(x[i * cols]))
            squares += (x[i * cols] - *mean) * (x[i * cols] - *mean);
    const double variance = count > 1 ? squares / (count - 1) : 0;
    return count > 2 && variance > 1e-24 * *mean * *mean ? variance : 0;
}

/* Columns that vary, centred and in their unit, moved together in x. */
static scree_status take_columns(scree__whitening *w, const scree__whiten_table *table, scree_error *error)
{
    double *x = table->x;
    const int64_t cols = table->cols;
    scree_status status = SCREE_OK;
    double *means = NULL;
    double *variances = NULL;
    SCREE_ALLOC(w->variance, cols, error);
    SCREE_ALLOC(means, cols, error);
    SCREE_ALLOC(variances, cols, error);
    for (int64_t j = 0; j < cols; j++) {
        variances[j] = column_variance(x + j, w->n, cols, &means[j]);
        if (variances[j] > 0)
            w->variance[w->d++] = table->unit ? 1 : variances[j];
    }
    int64_t to = 0;
    for (int64_t i = 0; i < w->n; i++)
        for (int64_t j = 0; j < cols; j++)
            if (variances[j] > 0) {
                const double cell = (x[i * cols + j] - means[j]) / (table->unit ? sqrt(variances[j]) : 1);
                w->gaps += isnan(cell);
                x[to++] = cell;
            }
    w->x = x;
done:
    free(means);
    free(variances);
    return status;
}

static void begin(scree__whitening *w)
{
    for (int64_t i = 0; i < w->n * w->d; i++)
        w->clean[i] = isnan(w->x[i]) ? 0 : w->x[i];
    for (int64_t i = 0; i < w->n; i++)
        for (int64_t j = 0; j < w->d; j++) {
            const bool seen = !isnan(w->x[i * w->d + j]);
            w->row_seen[i] += seen / (double)w->d;
            w->col_seen[j] += seen / (double)w->n;
        }
    scree__whiten_bound(w);
}

/* ln of the chance of the next eigenvalue, as z has it. Gaps at random leave white noise white. But components that are
 * many fit what is observed the more closely: what is left is noise of fewer rows. */
static double chance_of_next(const scree__whitening *w, int64_t m)
{
    const double share = scree__whiten_share(w, m) / scree__whiten_share(w, 0);
    const double rows = (double)m + (double)(w->n - 1 - m) * share;
    double left = w->trace;
    for (int64_t l = 0; l < m; l++)
        left -= w->values[l];
    return scree__noise_log_chance(w->values, m, left, rows, w->directions);
}

/* The same once the noise is known as m components leave it. Adds to the work done. */
static scree_status test(scree__whitening *w, int64_t m, double *log_chance, double *work, scree_error *error)
{
    scree_status status = SCREE_OK;
    double before = -INFINITY;
    w->last = m;
    scree__whiten_reset(w);
    for (int64_t j = 0; j < w->d; j++)
        w->col_sd[j] = sqrt(w->variance[j]);
    for (int round = 1;; round++) {
        *work += round_work((double)w->n, (double)w->d) + 4.0 * (double)(w->n * w->d) * (double)m;
        int info = scree__whiten_decompose(w, m);
        *log_chance = chance_of_next(w, m);
        const bool is_settled = round > 1 && w->changed < SETTLED && w->moved < SETTLED;
        const bool is_rising = *log_chance < log(LEVEL) && *log_chance > RISING * before && round < MOST_ROUNDS;
        const bool is_hopeless =
            round > 2 + (w->gaps > 0) * 3 && *log_chance < HOPELESS && !w->kind.heavy_tails && w->moved < FILLED;
        const bool is_enough = round >= (w->gaps > 0 ? GAP_ROUNDS : ROUNDS) || is_hopeless;
        const bool is_last = is_settled || (is_enough && !is_rising);
        before = *log_chance;
        if (!is_last)
            info = scree__blas_first(info, scree__whiten_residual(w, m));
        if (info != 0)
            SCREE_TRY(scree__blas_fail(info, "the eigendecomposition of a matrix", w->q, error));
        if (is_last)
            break;
        scree__whiten_learn(w, m);
    }
done:
    return status;
}

/* The largest M that is rejected, and the smallest that is not; the first one not rejected is between. */
static scree_status search(scree__whitening *w, scree__whitened *out, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t rejected = -1;
    int64_t passed = w->most + 1;
    double work = 0;
    int64_t m = 0;
    while (rejected + 1 < passed && work < MOST_WORK) {
        double log_chance = 0;
        SCREE_TRY(test(w, m, &log_chance, &work, error));
        out->log_chance[m + 1] = log_chance;
        out->tested = m > out->tested ? m : out->tested;
        if (log_chance < log(LEVEL)) {
            rejected = m;
        } else {
            passed = m;
            out->noise = w->kind;
        }
        const int64_t step = rejected < STRIDE ? 1 : rejected / 8;
        m = passed <= w->most ? (rejected + passed) / 2 : rejected + step;
        m = m <= w->most ? m : w->most;
        m = m > rejected ? m : rejected + 1;
    }
    out->choice = rejected + 1 == passed && passed <= w->most ? passed : -1;
done:
    return status;
}

static bool is_white(const scree__noise_kind *k)
{
    return k->along_columns == 0 && k->along_rows == 0 && k->column_ratio == 1 && k->row_ratio == 1 && !k->heavy_tails;
}

/* What the choice is worth with the noise that was found. */
static scree_status judge_choice(scree__whitening *w, scree__whitened *out, scree_error *error)
{
    scree_status status = SCREE_OK;
    double unused = 0;
    double work = 0;
    if (w->last != out->choice)
        SCREE_TRY(test(w, out->choice, &unused, &work, error));
    const int info = scree__whiten_judge(w, out->choice, &out->evidence);
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the eigendecomposition of a matrix", w->q, error));
done:
    return status;
}

/* Tracy and Widom's is a law of large matrices, and in small ones a clear component may pass for noise. There, up to
 * two components more are the choice if the evidence for them is strong. */
static scree_status look_further(scree__whitening *w, scree__whitened *out, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t last = w->q < LARGE && out->choice + 2 < w->most ? out->choice + 2 : w->most;
    for (int64_t m = out->choice + 1; m <= last && w->q < LARGE; m++) {
        double log_chance = 0;
        double work = 0;
        double evidence = 0;
        SCREE_TRY(test(w, m, &log_chance, &work, error));
        const scree__noise_kind noise = w->kind;
        const int info = scree__whiten_judge(w, m, &evidence);
        if (info != 0)
            SCREE_TRY(scree__blas_fail(info, "the eigendecomposition of a matrix", w->q, error));
        if (log_chance >= log(LEVEL) && evidence < out->evidence - STRONG && !noise.heavy_tails) {
            out->choice = m;
            out->noise = noise;
            out->evidence = evidence;
        }
    }
done:
    return status;
}

/* Where the choice leaves what passes as white noise as it is, noise is white. Where components are many, noise of its
 * own in each column can stand in for the last of them: so where a few components more leave white noise, and say more
 * with less, these are the choice. */
static scree_status prefer_white(scree__whitening *w, scree__whitened *out, scree_error *error)
{
    const int64_t more = out->choice + (out->choice + 7) / 8;
    const int64_t last = out->noise.heavy_tails ? out->choice : more < w->most ? more : w->most;
    int info = scree__whiten_white(w, out->choice, out->white);
    for (int64_t m = out->choice; m <= last && !is_white(&out->noise) && info == 0; m++) {
        if (w->gaps > 0 && m > out->choice)
            info = scree__whiten_white(w, m, out->white);
        if ((m == out->choice || out->white[m] < out->evidence) && chance_of_next(w, m) >= log(LEVEL)) {
            out->choice = m;
            out->noise = w->kind;
            out->evidence = out->white[m];
        }
    }
    if (info != 0)
        return scree__blas_fail(info, "the eigendecomposition of a matrix", w->q, error);
    return SCREE_OK;
}

/* Where each number leaves more than noise that could be learned: the number that says most with least in white noise,
 * if that leaves what passes as such. */
static scree_status find_white(scree__whitening *w, scree__whitened *out, scree_error *error)
{
    int64_t best = 0;
    int info = scree__whiten_white(w, out->tested, out->white);
    for (int64_t m = 1; m <= out->tested; m++)
        best = out->white[m] < out->white[best] ? m : best;
    if (w->gaps > 0)
        info = scree__blas_first(info, scree__whiten_white(w, best, out->white));
    if (info != 0)
        return scree__blas_fail(info, "the eigendecomposition of a matrix", w->q, error);
    if (chance_of_next(w, best) >= log(LEVEL)) {
        out->choice = best;
        out->noise = w->kind;
        out->evidence = out->white[best];
    }
    return SCREE_OK;
}

/* The best account: by noise that was learned, or by white noise. */
static scree_status settle(scree__whitening *w, scree__whitened *out, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(search(w, out, error));
    if (out->choice >= 0) {
        SCREE_TRY(judge_choice(w, out, error));
        SCREE_TRY(look_further(w, out, error));
        SCREE_TRY(prefer_white(w, out, error));
    } else {
        SCREE_TRY(find_white(w, out, error));
    }
    if (2 * out->choice > w->q && !is_white(&out->noise))
        out->choice = -1; /* whatever is left after so many: the spectrum falls off gradually */
done:
    return status;
}

/* Once more under the components chosen, or the most that were tested; then x without gaps. */
static scree_status complete(scree__whitening *w, const scree__whitened *out, uint64_t seed, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = out->choice >= 0 ? out->choice : out->tested;
    double unused = 0;
    double work = 0;
    bool *seen = NULL;
    SCREE_ALLOC(seen, w->n, error);
    SCREE_TRY(test(w, m, &unused, &work, error));
    if (scree__whiten_residual(w, m) != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of %lld rows", (long long)w->n);
    scree__whiten_fill(w, seen, seed);
done:
    free(seen);
    return status;
}

scree_status scree__whiten(scree__whitened *out, scree__whiten_table *table, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__whitening w = {.n = table->n};
    const int64_t max_components = table->max_components;
    *out = (scree__whitened){.rows = w.n, .choice = -1};
    SCREE_ALLOC(out->log_chance, max_components + 2, error);
    SCREE_ALLOC(out->white, max_components + 1, error);
    for (int64_t m = 0; m < max_components + 2; m++)
        out->log_chance[m] = NAN;
    for (int64_t m = 0; m < max_components + 1; m++)
        out->white[m] = NAN;
    SCREE_TRY(take_columns(&w, table, error));
    table->cols_left = w.d;
    if (!scree__whiten_suffices(w.n, w.d))
        goto done;
    w.directions = (double)(table->directions < w.d ? table->directions : w.d);
    w.q = w.n < w.d ? w.n : w.d;
    w.most = testable(w.n, (int64_t)w.directions);
    w.most = w.most < max_components ? w.most : max_components;
    SCREE_TRY(allocate(&w, error));
    begin(&w);
    scree__blas_enter();
    status = settle(&w, out, error);
    if (status == SCREE_OK && table->complete)
        status = complete(&w, out, table->seed, error);
    scree__blas_leave();
done:
    release(&w);
    return status;
}
