/* SPDX-License-Identifier: BSD-3-Clause */
/* Inner products of centred rows and what follows from them (wide_gram.c, wide_vectors.c), against plain loops in long
 * double: of float, double and bytes, with weights and scales, for few rows and many, so that threads take lanes of
 * their own or share them; means that dwarf the deviations; eigenvectors of rows that repeat, whose last eigenvalues
 * are zero. The same bits for any number of threads. */

#include "support/checks.h"

#include "base/memory.h"
#include "kernel/dense.h"
#include "kernel/wide_gram.h"
#include "kernel/wide_vectors.h"
#include "support/rows.h"

#include <string.h>

typedef struct setting {
    int64_t n;
    int64_t d;
    scree_type type;
    const scree__ops *ops;
    double mean;
    bool weighted;
    bool scaled;
    int64_t repeats; /* rows are those of i mod repeats; 0: all differ */
} setting;

typedef struct fixture {
    rows *r;
    double *weights;
    double *factor;
    scree__wide_rows w;
    double *g;
} fixture;

static fixture made(const setting *s, int threads)
{
    fixture f = {0};
    double *x = scree__alloc(s->n * s->d, sizeof *x);
    f.weights = scree__alloc(s->n, sizeof(double));
    f.factor = scree__alloc(s->d, sizeof(double));
    f.g = scree__alloc(s->n * s->n, sizeof(double));
    double *columns = scree__alloc(3 * s->d, sizeof *columns);
    assert_true(x && f.weights && f.factor && f.g && columns);
    double sum = 0;
    for (int64_t i = 0; i < s->n; i++) {
        const int64_t own = s->repeats > 0 ? i % s->repeats : i;
        f.weights[i] = 1 + 0.5 * (double)(i % 3);
        sum += s->weighted ? f.weights[i] : 1;
        for (int64_t j = 0; j < s->d; j++)
            x[i * s->d + j] = s->mean * (1 + 0.1 * (double)(j % 7)) + rows_random(1, own, j) +
                              3 * rows_random(2, own, 0) * rows_random(3, 0, j);
    }
    for (int64_t j = 0; j < s->d; j++)
        f.factor[j] = 0.5 + 0.25 * (double)(j % 5);
    f.r = rows_of(x, s->n, s->d, s->type, 20);
    f.w = (scree__wide_rows){.ops = s->ops,
                             .x = {f.r->data, s->type, s->n, s->d, f.r->stride, s->weighted ? f.weights : NULL},
                             .threads = threads,
                             .weight = sum,
                             .divisor = sum,
                             .mean = columns,
                             .rest = columns + s->d,
                             .variance = columns + 2 * s->d,
                             .factor = s->scaled ? f.factor : NULL};
    return f;
}

static void clear(fixture *f)
{
    free(f->w.mean);
    free(f->weights);
    free(f->factor);
    free(f->g);
    rows_free(f->r);
}

/* C in long double, and from it S·trace and G. */
static long double *centred(const fixture *f)
{
    const int64_t n = f->w.x.rows;
    const int64_t d = f->w.x.cols;
    long double *c = calloc((size_t)(n * d), sizeof *c);
    assert_non_null(c);
    for (int64_t j = 0; j < d; j++) {
        const long double origin = f->r->exact[j]; /* so that large means cost no digits */
        long double mean = 0;
        for (int64_t i = 0; i < n; i++)
            mean += (f->w.x.weights ? f->weights[i] : 1) * (f->r->exact[i * d + j] - origin);
        mean /= (long double)f->w.weight;
        for (int64_t i = 0; i < n; i++)
            c[i * d + j] = (f->r->exact[i * d + j] - origin - mean) * (f->w.factor ? f->factor[j] : 1) *
                           sqrtl(f->w.x.weights ? f->weights[i] : 1);
    }
    return c;
}

static void run_setting(const setting *s)
{
    static const int threads[] = {1, 2, 3, 40};
    double *first = NULL;
    for (int64_t t = 0; t < COUNT_OF(threads); t++) {
        scree_error error = SCREE_ERROR_INIT;
        fixture f = made(s, threads[t]);
        EXPECT_OK(scree__wide_gram(&f.w, f.g, NULL, &error), error);
        if (first) {
            assert_memory_equal(f.g, first, (size_t)(s->n * s->n) * sizeof *first);
            clear(&f);
            continue;
        }
        first = scree__alloc(s->n * s->n, sizeof *first);
        memcpy(first, f.g, (size_t)(s->n * s->n) * sizeof *first);
        long double *c = centred(&f);
        long double trace = 0;
        for (int64_t i = 0; i < s->n * s->d; i++)
            trace += c[i] * c[i] / (long double)f.w.divisor;
        const double bound = scree__wide_gram_rounding(&f.w) * (double)trace;
        for (int64_t i = 0; i<s->n; i += s->n> 50 ? 17 : 1)
            for (int64_t l = 0; l<s->n; l += s->n> 50 ? 13 : 1) {
                long double sum = 0;
                for (int64_t j = 0; j < s->d; j++)
                    sum += c[i * s->d + j] * c[l * s->d + j];
                EXPECT_NEAR(f.g[i * s->n + l], sum / (long double)f.w.divisor, bound);
            }
        free(c);
        clear(&f);
    }
    free(first);
}

static void test_gram(void **state)
{
    (void)state;
    static const setting settings[] = {
        {7, 100, SCREE_F64, &scree__ops_f64, 1, false, false, 0},
        {30, 20000, SCREE_F32, &scree__ops_f32, 100, false, false, 0},
        {30, 9000, SCREE_F64, &scree__ops_f64, 1e12, true, true, 0},
        {30, 9000, SCREE_U8, &scree__ops_f64, 5, false, true, 0},
        {300, 1100, SCREE_F32, &scree__ops_f32, 1, true, false, 0},
        {1100, 1300, SCREE_F64, &scree__ops_f64, 3, false, false, 0},
    };
    for (int64_t i = 0; i < COUNT_OF(settings) - SLOW_BUILD; i++)
        run_setting(&settings[i]);
}

/* Vectors of the k largest: orthonormal, and their residuals as large as they say, and small. */
static void expect_vectors(const fixture *f, const scree__wide_pairs *p, double tolerance)
{
    const int64_t n = f->w.x.rows;
    const int64_t d = f->w.x.cols;
    long double *c = centred(f);
    long double *y = calloc((size_t)n, sizeof *y);
    for (int64_t l = 0; l < p->k; l++) {
        const double *u = p->u + l * d;
        long double squares = 0;
        for (int64_t m = 0; m <= l; m++) {
            long double dot = 0;
            for (int64_t j = 0; j < d; j++)
                dot += (long double)u[j] * p->u[m * d + j];
            EXPECT_NEAR(dot, m == l, 1e-13);
        }
        for (int64_t i = 0; i < n; i++) {
            y[i] = 0;
            for (int64_t j = 0; j < d; j++)
                y[i] += c[i * d + j] * u[j];
        }
        for (int64_t j = 0; j < d; j++) {
            long double r = -(long double)p->values[l] * u[j];
            for (int64_t i = 0; i < n; i++)
                r += c[i * d + j] * y[i] / (long double)f->w.divisor;
            squares += r * r;
        }
        EXPECT_NEAR(p->residuals[l], sqrtl(squares), tolerance * p->values[0]);
        EXPECT_NEAR(p->residuals[l], 0, 2 * tolerance * p->values[0]);
    }
    free(c);
    free(y);
}

static void run_vectors(const setting *s, int64_t k, double tolerance)
{
    scree_error error = SCREE_ERROR_INIT;
    double *first = NULL;
    for (int threads = 1; threads <= 4; threads++) {
        fixture f = made(s, threads);
        double *memory = scree__alloc(2 * k + k * s->n + k * s->d, sizeof *memory);
        assert_non_null(memory);
        scree__dense_result found = {.values = memory, .residuals = memory + k, .vectors = memory + 2 * k};
        EXPECT_OK(scree__wide_gram(&f.w, f.g, NULL, &error), error);
        const scree__dense_options options = {.threads = threads};
        EXPECT_OK(scree__dense_eigen(f.g, s->n, &k, &options, &found, &error), error);
        const scree__wide_pairs p = {.k = k,
                                     .values = found.values,
                                     .v = found.vectors,
                                     .u = memory + 2 * k + k * s->n,
                                     .ld = s->d,
                                     .residuals = found.residuals};
        EXPECT_OK(scree__wide_vectors(&f.w, &p, &error), error);
        if (first) {
            assert_memory_equal(memory, first, (size_t)(2 * k + k * s->n + k * s->d) * sizeof *memory);
            free(memory);
        } else {
            expect_vectors(&f, &p, tolerance);
            first = memory;
        }
        clear(&f);
    }
    free(first);
}

static void test_vectors(void **state)
{
    (void)state;
    static const setting plain = {20, 6000, SCREE_F64, &scree__ops_f64, 1, false, false, 0};
    static const setting floats = {40, 6000, SCREE_F32, &scree__ops_f32, 10, true, true, 0};
    static const setting many = {530, 700, SCREE_F64, &scree__ops_f64, 1e9, false, false, 0};
    static const setting twice = {20, 6000, SCREE_F64, &scree__ops_f64, 1, false, false, 10};
    run_vectors(&plain, 19, 1e-14);
    run_vectors(&floats, 5, 1e-5);
    run_vectors(&many, 4, 1e-13);
    run_vectors(&twice, 12, 1e-14);
}

/* Sums of ranges of columns from number first on. */
static void sum_ranges(const setting *s, int threads, const int64_t *start, int64_t first, int64_t count, double *out)
{
    scree_error error = SCREE_ERROR_INIT;
    double *sums[8];
    fixture f = made(s, threads);
    for (int64_t i = 0; i < count; i++)
        sums[i] = out + (first + i) * s->n * s->n;
    const scree__wide_ranges ranges = {count, start + first, sums, start[1], 2};
    EXPECT_OK(scree__wide_gram_ranges(&f.w, &ranges, &error), error);
    clear(&f);
}

/* Whichever ranges are at work together, by any number of threads, the same bits; all of them are G. */
static void test_ranges(void **state)
{
    (void)state;
    static const setting s = {300, 2600, SCREE_F32, &scree__ops_f32, 3, true, true, 0};
    static const int64_t start[] = {0, 513, 1026, 1538, 2050, 2562};
    const int64_t size = s.n * s.n;
    double *one = scree__alloc(5 * size, sizeof *one);
    double *several = scree__alloc(5 * size, sizeof *several);
    assert_true(one && several);
    scree_error error = SCREE_ERROR_INIT;
    setting whole = s;
    whole.d = start[5];
    fixture f = made(&whole, 2);
    EXPECT_OK(scree__wide_gram(&f.w, f.g, NULL, &error), error);
    for (int64_t i = 0; i < 5; i++)
        sum_ranges(&whole, 1, start, i, 1, one);
    for (int threads = 1; threads <= 5; threads++) {
        for (int64_t i = 0; i < 5 * size; i++)
            several[i] = 7;
        sum_ranges(&whole, threads, start, 0, 3, several);
        sum_ranges(&whole, threads, start, 3, 2, several);
        for (int64_t i = 0; i < 5 * s.n; i++) {
            const int64_t row = i % s.n;
            assert_memory_equal(several + i * s.n + row, one + i * s.n + row, (size_t)(s.n - row) * sizeof *one);
        }
    }
    for (int64_t i = 0; i < s.n; i++)
        for (int64_t j = i; j < s.n; j++) {
            double sum = 0;
            for (int64_t range = 0; range < 5; range++)
                sum += one[range * size + i * s.n + j];
            EXPECT_NEAR(sum / f.w.divisor, f.g[i * s.n + j], 1e-5 * f.g[0]);
        }
    clear(&f);
    free(one);
    free(several);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gram), cmocka_unit_test(test_ranges),
                                       cmocka_unit_test(test_vectors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
