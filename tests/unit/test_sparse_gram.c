/* SPDX-License-Identifier: BSD-3-Clause */
/* Inner products of sparse rows about their mean and what follows from them (sparse_turned.c, sparse_gram.c,
 * sparse_vectors.c), against plain loops in long double: few columns and more than a panel of nearly full ones, light
 * and heavy, empty rows and columns, weights and scales, eigenvectors of rows that repeat, whose last eigenvalues are
 * zero. The same bits for any number of threads. */

#include "support/checks.h"

#include "base/memory.h"
#include "kernel/dense.h"
#include "kernel/sparse_columns.h"
#include "kernel/sparse_gram.h"
#include "kernel/sparse_vectors.h"
#include "support/rows.h"

#include <string.h>

enum { K = 4 };

typedef struct setting {
    int64_t n;
    int64_t d;
    int64_t full;    /* of the first 2·full columns, two of each three have an entry in most rows */
    int64_t repeats; /* rows are those of i mod repeats; 0: all differ */
    bool weighted;
    bool scaled;
} setting;

static const setting settings[] = {
    {30, 50, 0, 0, false, false},   {70, 400, 20, 0, false, true},    {90, 900, 330, 0, true, true},
    {200, 260, 60, 4, true, false}, {140, 600, 600, 0, false, false},
};

typedef struct fixture {
    int64_t *starts;
    int32_t *indices;
    double *value;
    double *cells; /* n×d */
    double *weights;
    double *factor;
    scree__entries x;
    scree__sparse_centring centring;
    scree__sparse_turned turned;
    double weight;
    double *g;
} fixture;

/* A cell: every fifth column is empty, as is row 3; of the full ones, each second has a mean far from 0. */
static double cell(const setting *s, int64_t i, int64_t j)
{
    const int64_t own = s->repeats > 0 ? i % s->repeats : i;
    const bool is_full = j < 2 * s->full && j % 3 > 0;
    if (j % 5 == 4 || own == 3 || fabs(rows_random(5, own, j)) > (is_full ? 1.9 : 0.15))
        return 0;
    return (is_full && j % 2 ? 50 : 0.5) + rows_random(1, own, j) + 2 * rows_random(2, own, 0) * rows_random(3, 0, j);
}

static void fill(fixture *f, const setting *s)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->n; i++) {
        f->weights[i] = s->weighted ? 1 + 0.5 * (double)(i % 3) : 1;
        f->weight += f->weights[i];
        for (int64_t j = 0; j < s->d; j++) {
            f->cells[i * s->d + j] = cell(s, i, j);
            if (f->cells[i * s->d + j] == 0)
                continue;
            f->indices[count] = (int32_t)j;
            f->value[count++] = f->cells[i * s->d + j];
        }
        f->starts[i + 1] = count;
    }
    for (int64_t j = 0; j < s->d; j++)
        f->factor[j] = s->scaled ? 0.5 + 0.25 * (double)(j % 5) : 1;
}

static fixture made(const setting *s, int threads)
{
    fixture f = {0};
    scree_error error = SCREE_ERROR_INIT;
    scree__sparse_columns *columns = NULL;
    scree__sparse_found found;
    f.starts = scree__alloc(s->n + 1, sizeof *f.starts);
    f.indices = scree__alloc(s->n * s->d, sizeof *f.indices);
    f.value = scree__alloc(s->n * s->d, sizeof *f.value);
    f.cells = scree__alloc(s->n * s->d, sizeof *f.cells);
    f.weights = scree__alloc(s->n, sizeof *f.weights);
    f.factor = scree__alloc(s->d, sizeof *f.factor);
    f.g = scree__alloc(s->n * s->n, sizeof *f.g);
    assert_true(f.starts && f.indices && f.value && f.cells && f.weights && f.factor && f.g);
    fill(&f, s);
    f.x = (scree__entries){f.value, SCREE_F64, s->n, s->d, f.starts, f.indices, s->weighted ? f.weights : NULL};
    EXPECT_OK(scree__sparse_columns_new(&columns, s->d, threads, &error), error);
    assert_true(scree__sparse_columns_add(columns, &f.x));
    scree__sparse_columns_finish(columns, &found);
    EXPECT_OK(scree__sparse_centring_init(&f.centring, s->d, found.mean, found.rest, found.squares, f.weight,
                                          s->scaled ? f.factor : NULL, &error),
              error);
    scree__sparse_columns_free(columns);
    EXPECT_OK(scree__sparse_turned_init(&f.turned, &f.x, &f.centring, threads, &error), error);
    EXPECT_OK(scree__sparse_gram(&f.turned, f.weight, f.g, &error), error);
    return f;
}

static void clear(fixture *f)
{
    free(f->starts);
    free(f->indices);
    free(f->value);
    free(f->cells);
    free(f->weights);
    free(f->factor);
    free(f->g);
    scree__sparse_centring_clear(&f->centring);
    scree__sparse_turned_clear(&f->turned);
}

/* c (n×d): centred, scaled and weighted. */
static long double *centred(const fixture *f, const setting *s)
{
    long double *c = scree__alloc(s->n * s->d, sizeof *c);
    assert_non_null(c);
    for (int64_t j = 0; j < s->d; j++) {
        long double mean = 0;
        for (int64_t i = 0; i < s->n; i++)
            mean += (long double)f->weights[i] * (long double)f->cells[i * s->d + j];
        mean /= (long double)f->weight;
        for (int64_t i = 0; i < s->n; i++)
            c[i * s->d + j] = ((long double)f->cells[i * s->d + j] - mean) * (long double)f->factor[j] *
                              sqrtl((long double)f->weights[i]);
    }
    return c;
}

static void test_products(void **state)
{
    (void)state;
    for (int64_t which = 0; which < COUNT_OF(settings); which++) {
        const setting *s = &settings[which];
        fixture f = made(s, 2);
        long double *c = centred(&f, s);
        long double trace = 0;
        long double off = 0;
        for (int64_t i = 0; i < s->n; i++)
            for (int64_t j = 0; j < s->n; j++) {
                long double sum = 0;
                for (int64_t l = 0; l < s->d; l++)
                    sum += c[i * s->d + l] * c[j * s->d + l];
                sum /= (long double)f.weight;
                trace += i == j ? sum : 0;
                off += (sum - (long double)f.g[i * s->n + j]) * (sum - (long double)f.g[i * s->n + j]);
            }
        const double error = (double)sqrtl(off);
        const double bound = scree__sparse_gram_rounding(&f.turned) / f.weight;
        assert_true(trace > 0);
        if (!(error <= bound && error < 1e-14 * (double)trace && bound < 1e-12 * (double)trace))
            fail_msg("setting %d: off by %.3g of a trace of %.3g", (int)which, error, (double)trace);
        free(c);
        clear(&f);
    }
}

/* Length 1, orthogonal, eigenvectors within the residuals that are stated. */
static void expect_vectors(const fixture *f, const setting *s, const scree__wide_pairs *p)
{
    long double *c = centred(f, s);
    for (int64_t a = 0; a < K; a++) {
        long double off = 0;
        for (int64_t b = 0; b <= a; b++) {
            double dot = 0;
            for (int64_t j = 0; j < s->d; j++)
                dot += p->u[a * s->d + j] * p->u[b * s->d + j];
            EXPECT_NEAR(dot, a == b, 1e-13);
        }
        long double *y = scree__alloc(s->n, sizeof *y);
        assert_non_null(y);
        for (int64_t i = 0; i < s->n; i++)
            for (int64_t j = 0; j < s->d; j++)
                y[i] += c[i * s->d + j] * (long double)p->u[a * s->d + j];
        for (int64_t j = 0; j < s->d; j++) {
            long double sum = 0;
            for (int64_t i = 0; i < s->n; i++)
                sum += c[i * s->d + j] * y[i];
            sum = sum / (long double)f->weight - (long double)(p->values[a] * p->u[a * s->d + j]);
            off += sum * sum;
        }
        EXPECT_NEAR((double)sqrtl(off), p->residuals[a], 1e-13 * p->values[0]);
        assert_true(p->residuals[a] < 1e-12 * p->values[0]);
        free(y);
    }
    free(c);
}

static void test_vectors(void **state)
{
    (void)state;
    for (int64_t which = 0; which < COUNT_OF(settings); which++) {
        const setting *s = &settings[which];
        scree_error error = SCREE_ERROR_INIT;
        double values[K];
        double residuals[K];
        int64_t k = K;
        fixture f = made(s, 3);
        double *v = scree__alloc(K * s->n, sizeof *v);
        double *u = scree__alloc(K * s->d, sizeof *u);
        assert_true(v && u);
        const scree__dense_options options = {.threads = 1};
        scree__dense_result found = {.values = values, .vectors = v, .residuals = residuals};
        EXPECT_OK(scree__dense_eigen(f.g, s->n, &k, &options, &found, &error), error);
        const scree__wide_pairs pairs = {.k = K, .values = values, .v = v, .u = u, .residuals = residuals};
        EXPECT_OK(scree__sparse_vectors(&f.turned, f.weight, &pairs, &error), error);
        expect_vectors(&f, s, &pairs);
        free(v);
        free(u);
        clear(&f);
    }
}

static void test_threads(void **state)
{
    (void)state;
    for (int64_t which = 0; which < COUNT_OF(settings); which++) {
        const setting *s = &settings[which];
        fixture one = made(s, 1);
        fixture many = made(s, 5);
        assert_memory_equal(one.g, many.g, (size_t)(s->n * s->n) * sizeof *one.g);
        clear(&one);
        clear(&many);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
