/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows with gaps against brute force in long double: for each row the covariance of its observed columns is formed and
 * inverted. Dense and sparse chunks, repeated patterns, rows with nothing in them, lists of cells, uncertain loadings.
 */

#include "support/checks.h"

#include "base/memory.h"
#include "kernel/observed.h"
#include "support/dense_gauss.h"
#include "support/rows.h"

#include <string.h>

enum { MOST = 48 };

typedef struct problem {
    int64_t n;
    int64_t d;
    int64_t m;
    double *x;
    double *w;
    double *shift;
    double *factor;
    double *outer;
    scree__loadings loadings;
} problem;

static problem made(int64_t n, int64_t d, int64_t m, double observed)
{
    problem p = {.n = n, .d = d, .m = m};
    p.x = scree__alloc(n * d, sizeof *p.x);
    p.w = scree__alloc(d * m, sizeof *p.w);
    p.shift = scree__alloc(d, sizeof *p.shift);
    p.factor = scree__alloc(d, sizeof *p.factor);
    p.outer = scree__alloc(d * scree__pairs(m + 1), sizeof *p.outer);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++) {
            const bool is_there = erfc(-rows_random(5, i, j) / sqrt(2)) / 2 < observed;
            p.x[i * d + j] = is_there ? 3 + 2 * rows_random(6, i, j) : NAN;
        }
    for (int64_t i = 0; i < d * m; i++)
        p.w[i] = rows_random(7, i, 1);
    for (int64_t j = 0; j < d; j++) {
        p.shift[j] = 3 + rows_random(8, j, 0);
        p.factor[j] = 1.5 + rows_random(9, j, 0);
    }
    scree__loadings_outer(p.outer, p.w, d, m);
    p.loadings = (scree__loadings){
        .cols = d, .m = m, .shift = p.shift, .factor = p.factor, .w = p.w, .noise = 0.3, .outer = p.outer};
    return p;
}

static void clear(problem *p)
{
    free(p->x);
    free(p->w);
    free(p->shift);
    free(p->factor);
    free(p->outer);
}

static scree__rows rows_in(const problem *p)
{
    return (scree__rows){p->x, SCREE_F64, p->n, p->d, p->d, NULL};
}

/* What one row says, by C = W_oW_o' + σ²I of its observed columns. */
typedef struct truth {
    int64_t seen;
    int64_t column[MOST];
    long double x[MOST];
    long double z[MOST];
    long double covariance[MOST * MOST];
    long double density;
} truth;

static truth truth_of(const problem *p, int64_t row)
{
    static long double c[MOST * MOST];
    truth t = {0};
    for (int64_t j = 0; j < p->d; j++)
        if (!isnan(p->x[row * p->d + j])) {
            t.column[t.seen] = j;
            t.x[t.seen++] = ((long double)p->x[row * p->d + j] - p->shift[j]) * p->factor[j];
        }
    for (int64_t a = 0; a < t.seen; a++)
        for (int64_t b = 0; b < t.seen; b++) {
            long double sum = a == b ? (long double)p->loadings.noise : 0;
            for (int64_t i = 0; i < p->m; i++)
                sum += (long double)p->w[t.column[a] * p->m + i] * p->w[t.column[b] * p->m + i];
            c[a * t.seen + b] = sum;
        }
    const long double logdet = t.seen > 0 ? dense_invert(c, t.seen) : 0;
    for (int64_t i = 0; i < p->m; i++)
        t.covariance[i * p->m + i] = 1;
    for (int64_t a = 0; a < t.seen; a++)
        for (int64_t b = 0; b < t.seen; b++) {
            t.density += t.x[a] * c[a * t.seen + b] * t.x[b];
            for (int64_t i = 0; i < p->m; i++) {
                const long double weight = p->w[t.column[a] * p->m + i] * c[a * t.seen + b];
                t.z[i] += weight * t.x[b];
                for (int64_t j = 0; j < p->m; j++)
                    t.covariance[i * p->m + j] -= weight * p->w[t.column[b] * p->m + j];
            }
        }
    t.density = -0.5L * ((long double)t.seen * 1.83787706640934548356L + logdet + t.density);
    return t;
}

/* Entry (i, j) of the posterior covariance of a row. */
static double covariance_at(const problem *p, const scree__observed *o, int64_t row, int64_t i, int64_t j)
{
    const int64_t entry = i < j ? scree__pair(j, i) : scree__pair(i, j);
    return p->loadings.noise * o->inverse[entry * o->height + o->pattern[row]];
}

static void expect_rows(const problem *p, const scree__observed *o)
{
    for (int64_t n = 0; n < p->n; n++) {
        const truth t = truth_of(p, n);
        assert_int_equal(o->seen[o->pattern[n]], t.seen);
        EXPECT_NEAR(o->density[n], t.density, 1e-11 * (1 + fabsl(t.density)));
        for (int64_t i = 0; i < p->m; i++) {
            EXPECT_NEAR(o->z[i * o->height + n], t.z[i], 1e-12);
            for (int64_t j = 0; j < p->m; j++)
                EXPECT_NEAR(covariance_at(p, o, n, i, j), t.covariance[i * p->m + j], 1e-13);
        }
    }
}

/* The normal equations of every column, by loops over its cells. */
static void expect_sums(const problem *p, scree__observed *o)
{
    const int64_t width = scree__pairs(p->m + 1);
    double *a = scree__alloc(p->d * width, sizeof *a);
    double *b = scree__alloc(p->d * (p->m + 1), sizeof *b);
    scree__observed_sums(o, &p->loadings);
    for (int64_t first = 0; first < p->d; first += 5)        /* groups of columns add up to all */
        for (int64_t entry = 0; entry < width; entry += 7) { /* and so do tiles of entries */
            const scree__observed_part part = {first, p->d - first < 5 ? p->d - first : 5, entry,
                                               width - entry < 7 ? width - entry : 7};
            assert_int_equal(scree__observed_add(o, &part, a, b), 0);
        }
    for (int64_t n = 0; n < p->n; n++) {
        truth t = truth_of(p, n);
        for (int64_t s = 0; s < t.seen; s++)
            for (int64_t i = 0; i <= p->m; i++) {
                const long double zi = i < p->m ? t.z[i] : 1;
                b[t.column[s] * (p->m + 1) + i] -= (double)(t.x[s] * zi);
                for (int64_t j = 0; j <= i; j++) {
                    const long double both = i < p->m ? t.covariance[i * p->m + j] : 0;
                    a[t.column[s] * width + scree__pair(i, j)] -= (double)(both + zi * (j < p->m ? t.z[j] : 1));
                }
            }
    }
    for (int64_t e = 0; e < p->d * width; e++)
        EXPECT_NEAR(a[e], 0, 1e-10);
    for (int64_t e = 0; e < p->d * (p->m + 1); e++)
        EXPECT_NEAR(b[e], 0, 1e-10);
    free(a);
    free(b);
}

static void run_shape(int64_t n, int64_t d, int64_t m, double observed)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__observed o = {0};
    problem p = made(n, d, m, observed);
    const scree__rows x = rows_in(&p);
    EXPECT_OK(scree__observed_open(&o, d, m, &error), error);
    assert_true(n <= o.height);
    assert_true(scree__observed_load(&o, &p.loadings, &x));
    assert_int_equal(scree__observed_solve(&o, &p.loadings), 0);
    expect_rows(&p, &o);
    expect_sums(&p, &o);
    scree__observed_close(&o);
    clear(&p);
}

static void test_dense(void **state)
{
    (void)state;
    run_shape(1, 1, 1, 1);
    run_shape(9, 7, 2, 0.5);
    run_shape(64, 13, 3, 0.7);
    run_shape(65, 13, 12, 0.9);
    run_shape(33, 40, 4, 0.3);
}

static void test_sparse(void **state)
{
    (void)state;
    run_shape(50, 45, 3, 0.05); /* rows with nothing in them among these */
    run_shape(17, 48, 9, 0.04);
}

static void test_repeated_patterns(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__observed o = {0};
    problem p = made(120, 11, 3, 1);
    const scree__rows x = rows_in(&p);
    for (int64_t n = 0; n < p.n; n++)
        if (n % 3 > 0)
            p.x[n * p.d + n % 3] = NAN;
    EXPECT_OK(scree__observed_open(&o, p.d, p.m, &error), error);
    assert_true(scree__observed_load(&o, &p.loadings, &x));
    assert_int_equal(o.patterns, 3);
    assert_true(o.members[o.pattern[0]] == 40);
    assert_int_equal(scree__observed_solve(&o, &p.loadings), 0);
    expect_rows(&p, &o);
    expect_sums(&p, &o);
    scree__observed_close(&o);
    clear(&p);
}

static void test_nothing_observed(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__observed o = {0};
    problem p = made(2, 11, 3, 0);
    const scree__rows x = rows_in(&p);
    EXPECT_OK(scree__observed_open(&o, p.d, p.m, &error), error);
    assert_true(scree__observed_load(&o, &p.loadings, &x));
    assert_int_equal(scree__observed_solve(&o, &p.loadings), 0);
    assert_true(o.density[0] == 0 && o.square[0] == 0);
    for (int64_t i = 0; i < 3; i++) {
        assert_true(o.z[i * o.height] == 0);
        EXPECT_NEAR(covariance_at(&p, &o, 1, i, i), 1, 1e-15);
    }
    scree__observed_close(&o);
    clear(&p);
}

/* Cells in a list give the bits that the rows give, from any row on. */
static void run_cells(double observed)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__observed o[2] = {0};
    problem p = made(30, 40, 3, observed);
    int64_t start[32] = {0};
    int32_t *column = scree__alloc(p.n * p.d, sizeof *column);
    double *value = scree__alloc(p.n * p.d, sizeof *value);
    for (int64_t n = 0; n < p.n; n++) {
        start[n + 1] = start[n];
        for (int64_t j = 0; j < p.d; j++)
            if (!isnan(p.x[n * p.d + j])) {
                column[start[n + 1]] = (int32_t)j;
                value[start[n + 1]++] = p.x[n * p.d + j];
            }
    }
    const scree__csr cells = {p.n, p.d, start, column, value};
    const scree__rows all = rows_in(&p);
    const scree__rows x = scree__rows_slice(&all, 4, 20);
    for (int i = 0; i < 2; i++)
        EXPECT_OK(scree__observed_open(&o[i], p.d, p.m, &error), error);
    assert_true(scree__observed_load(&o[0], &p.loadings, &x));
    assert_true(scree__observed_load_cells(&o[1], &p.loadings, &cells, 4, 20));
    assert_int_equal(o[0].sparse, observed < 0.1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(scree__observed_solve(&o[i], &p.loadings), 0);
    assert_memory_equal(o[0].density, o[1].density, 20 * sizeof(double));
    for (int64_t i = 0; i < p.m; i++)
        assert_memory_equal(o[0].z + i * o[0].height, o[1].z + i * o[1].height, 20 * sizeof(double));
    for (int i = 0; i < 2; i++)
        scree__observed_close(&o[i]);
    free(column);
    free(value);
    clear(&p);
}

static void test_cells(void **state)
{
    (void)state;
    run_cells(0.05);
    run_cells(0.6);
}

/* No uncertainty, said with the arrays for it, changes nothing; a variance of µ in one column adds itself. */
static void test_uncertain(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__observed o = {0};
    problem p = made(40, 11, 3, 0.8);
    const int64_t width = scree__pairs(p.m + 1);
    const scree__rows x = rows_in(&p);
    memset(p.outer, 0, (size_t)(p.d * width) * sizeof *p.outer);
    for (int64_t j = 0; j < p.d; j++)
        scree__loadings_outer(p.outer + j * width, p.w + j * p.m, 1, p.m);
    p.loadings.uncertain = true;
    EXPECT_OK(scree__observed_open(&o, p.d, p.m, &error), error);
    assert_true(scree__observed_load(&o, &p.loadings, &x));
    assert_int_equal(scree__observed_solve(&o, &p.loadings), 0);
    expect_rows(&p, &o);
    p.outer[2 * width + width - 1] = 0.25;
    double *before = scree__alloc(p.n, sizeof *before);
    memcpy(before, o.square, (size_t)p.n * sizeof *before);
    assert_int_equal(scree__observed_solve(&o, &p.loadings), 0);
    for (int64_t n = 0; n < p.n; n++)
        EXPECT_NEAR(o.square[n] - before[n], isnan(p.x[n * p.d + 2]) ? 0 : 0.25, 1e-12);
    free(before);
    scree__observed_close(&o);
    clear(&p);
}

static void test_infinite(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__observed o = {0};
    for (int sparse = 0; sparse < 2; sparse++) {
        problem p = made(20, 40, 2, sparse ? 0.05 : 0.5);
        const scree__rows x = rows_in(&p);
        EXPECT_OK(scree__observed_open(&o, p.d, p.m, &error), error);
        assert_true(scree__observed_load(&o, &p.loadings, &x));
        p.x[7 * p.d + 3] = -INFINITY;
        assert_false(scree__observed_load(&o, &p.loadings, &x));
        scree__observed_close(&o);
        clear(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense),     cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_cells),     cmocka_unit_test(test_repeated_patterns),
        cmocka_unit_test(test_infinite),  cmocka_unit_test(test_nothing_observed),
        cmocka_unit_test(test_uncertain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
