/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole weights are rows repeated, in every method, element type, scale and divisor: N, mean, eigenvalues, σ² and
 * log-likelihood to 1e-12, spaces to 1e-9, with gaps and without. Weights that are no whole numbers split rows into
 * parts. A row of weight 0 leaves no trace, not in a bit, whatever is in it. Threads and blocks change no bit. */

#include "support/checks.h"

#include "base/memory.h"
#include "support/agreement.h"
#include "support/calls.h"
#include "support/reference.h"
#include "support/rows.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WEIGHT = 4, K = 3 };

/* The same data in two ways. */
typedef struct pair {
    rows *once;      /* each row with its weight, some of them 0 */
    double *weights; /* of once */
    rows *repeated;
    double total; /* Σw */
} pair;

typedef struct shape {
    int64_t n;
    int64_t d;
    scree_type type;
    double missing; /* share of the cells */
} shape;

static double weight_of(int64_t i)
{
    return (double)((i * 7 + i / 5) % (MOST_WEIGHT + 1));
}

static double cell_of(const shape *s, int64_t i, int64_t j)
{
    double x = 4 + 0.3 * rows_random(5, i, j);
    for (int64_t r = 0; r < K; r++)
        x += rows_random(6, i, r) * rows_random(7, j, r) * (double)(K - r);
    return fabs(rows_random(8, i, j)) < 1.3 * s->missing ? (double)NAN : x;
}

static pair made(const shape *s)
{
    pair p = {.weights = scree__alloc(s->n, sizeof *p.weights)};
    double *once = scree__alloc(s->n * s->d, sizeof *once);
    double *repeated = scree__alloc(s->n * s->d * MOST_WEIGHT, sizeof *repeated);
    int64_t count = 0;
    assert_true(p.weights && once && repeated);
    for (int64_t i = 0; i < s->n; i++) {
        p.weights[i] = weight_of(i);
        for (int64_t j = 0; j < s->d; j++)
            once[i * s->d + j] = cell_of(s, i, j);
        for (int64_t copy = 0; copy < (int64_t)p.weights[i]; copy++)
            memcpy(repeated + count++ * s->d, once + i * s->d, (size_t)s->d * sizeof *once);
        if (weight_of(i) == 0 && s->type != SCREE_U8) /* not there, so that it may be anything */
            once[i * s->d + i % s->d] = i % 2 ? (double)INFINITY : (double)NAN;
    }
    p.total = (double)count;
    p.once = rows_of(once, s->n, s->d, s->type, 9);
    p.repeated = rows_of(repeated, count, s->d, s->type, 9);
    return p;
}

static void clear(pair *p)
{
    rows_free(p->once);
    rows_free(p->repeated);
    free(p->weights);
}

static scree_model *fit_weighted(const rows *r, const double *weights, const scree_fit_options *options)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = rows_source(r);
    EXPECT_OK(scree_source_weigh(source, weights, r->n, &error), error);
    EXPECT_OK(scree_model_fit(&model, source, options, &error), error);
    scree_source_free(source);
    return model;
}

static void expect_near(double found, double wanted)
{
    EXPECT_NEAR(found, wanted, 1e-12 * fabs(wanted));
}

static void expect_same(const scree_model *found, const scree_model *wanted)
{
    const scree_model_view *a = scree_model_get(found);
    const scree_model_view *b = scree_model_get(wanted);
    assert_int_equal(a->m, b->m);
    assert_true(a->weight == b->weight);
    expect_near(a->total_variance, b->total_variance);
    expect_near(a->noise_variance, b->noise_variance);
    expect_near(facts_of(found).log_likelihood, facts_of(wanted).log_likelihood);
    EXPECT_NEAR(models_eigenvalue_distance(found, wanted), 0, 1e-12);
    EXPECT_NEAR(models_subspace_sine(found, wanted), 0, 1e-9);
    for (int64_t j = 0; j < a->d; j++) {
        expect_near(a->mean[j], b->mean[j]);
        expect_near(a->variances[j], b->variances[j]);
        if (a->scale)
            expect_near(a->scale[j], b->scale[j]);
    }
    for (int64_t k = 0; k < a->m && !a->stopped; k++) /* bounds that are proven hold for both */
        EXPECT_NEAR(a->eigenvalues[k], b->eigenvalues[k], a->eigenvalue_bounds[k] + b->eigenvalue_bounds[k]);
}

/* other: for the rows repeated, which may be too many for a method. */
static void expect_repeated(const shape *s, const char *solver, const char *other, const char *em)
{
    pair p = made(s);
    /* EM is compared on its way: at its end, what acceleration makes of rounding decides how many steps are left. */
    const double tolerance = solver && strcmp(solver, "lanczos") == 0 ? 1e-12 : 1e-4;
    for (int way = 0; way < 4; way++) {
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.no_imputer = true; /* tested apart */
        options.components = K;
        options.solver = solver;
        options.em = em;
        options.ddof = way % 2;
        options.scale = way / 2 ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
        options.tolerance = tolerance;
        scree_model *found = fit_weighted(p.once, p.weights, &options);
        options.solver = other;
        scree_model *wanted = rows_fit(p.repeated, &options);
        assert_true(scree_model_get(found)->weight == p.total);
        assert_true(scree_model_get(found)->n < p.once->n);
        expect_same(found, wanted);
        scree_model_free(found);
        scree_model_free(wanted);
    }
    clear(&p);
}

static const scree_type types[] = {SCREE_F64, SCREE_F32, SCREE_U8};

static void covariance(void **state)
{
    (void)state;
    for (int64_t t = 0; t < COUNT_OF(types); t++)
        expect_repeated(&(shape){1100, 11, types[t], 0}, "covariance", "covariance", NULL);
}

static void svd(void **state)
{
    (void)state;
    for (int64_t t = 0; t < COUNT_OF(types); t++) {
        expect_repeated(&(shape){500, 11, types[t], 0}, "svd", "svd", NULL);
        expect_repeated(&(shape){20, 60, types[t], 0}, "svd", "svd", NULL);
    }
}

static void gram(void **state)
{
    (void)state;
    for (int64_t t = 0; t < COUNT_OF(types); t++)
        expect_repeated(&(shape){20, 60, types[t], 0}, "gram", "covariance", NULL);
}

static void lanczos(void **state)
{
    (void)state;
    for (int64_t t = 0; t < COUNT_OF(types); t++)
        expect_repeated(&(shape){300, 80, types[t], 0}, "lanczos", "lanczos", NULL);
}

static void em_of_whole_rows(void **state)
{
    (void)state;
    for (int64_t t = 0; t < COUNT_OF(types); t++)
        expect_repeated(&(shape){300, 9, types[t], 0}, "em", "em", "ml");
    expect_repeated(&(shape){300, 9, SCREE_F64, 0}, "em", "em", "vb");
}

static void em_of_rows_with_gaps(void **state)
{
    (void)state;
    expect_repeated(&(shape){300, 9, SCREE_F64, 0.2}, NULL, NULL, "ml");
    expect_repeated(&(shape){300, 9, SCREE_F32, 0.2}, NULL, NULL, "vb");
}

/* So few cells that they are listed, and so many columns that the start is by power iterations. */
static void em_of_few_cells(void **state)
{
    (void)state;
    const shape s = {120, 2060, SCREE_F64, 0.93};
    pair p = made(&s);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.no_imputer = true; /* tested apart */
    options.components = 2;
    options.em = "vb";
    options.solver = "em";
    for (int64_t j = 0; j < s.d; j++)
        for (int64_t i = 0; i < 3; i++) /* nothing is said of a column that is empty */
            ((double *)p.once->data)[(1 + 2 * i) * p.once->stride + j] = cell_of(&(shape){0}, 1 + 2 * i, j);
    for (int64_t i = 0, at = 0; i < s.n; at += (int64_t)p.weights[i++])
        for (int64_t copy = 0; copy < (int64_t)p.weights[i]; copy++)
            memcpy((double *)p.repeated->data + (at + copy) * p.repeated->stride,
                   (double *)p.once->data + i * p.once->stride, (size_t)s.d * sizeof(double));
    scree_model *found = fit_weighted(p.once, p.weights, &options);
    scree_model *wanted = rows_fit(p.repeated, &options);
    assert_int_equal(scree_model_get(found)->m, scree_model_get(wanted)->m);
    expect_near(scree_model_get(found)->noise_variance, scree_model_get(wanted)->noise_variance);
    expect_near(scree_model_get(found)->log_likelihood, scree_model_get(wanted)->log_likelihood);
    scree_model_free(found);
    scree_model_free(wanted);
    clear(&p);
}

/* Fewer rows than columns, and more than that when they are counted by their weights: as many components. */
static void em_of_few_rows(void **state)
{
    (void)state;
    pair p = made(&(shape){8, 12, SCREE_F64, 0.1});
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.no_imputer = true; /* tested apart */
    assert_true(p.once->n < p.once->d && p.total > (double)p.once->d);
    options.components = SCREE_ALL;
    options.em = "ml";
    scree_model *found = fit_weighted(p.once, p.weights, &options);
    scree_model *wanted = rows_fit(p.repeated, &options);
    assert_int_equal(scree_model_get(wanted)->m, p.once->d - 1);
    assert_int_equal(scree_model_get(found)->m, scree_model_get(wanted)->m);
    scree_model_free(found);
    scree_model_free(wanted);
    clear(&p);
}

/* Every row twice, with parts of 1 as weights: the rows as they are. And all weights times 2.5. */
static void parts_of_rows(void **state)
{
    (void)state;
    static const char *const solvers[] = {"covariance", "svd", "lanczos", "em"};
    const int64_t n = 200;
    const int64_t d = 80;
    double *x = scree__alloc(n * d, sizeof *x);
    double *twice = scree__alloc(2 * n * d, sizeof *twice);
    double weights[400];
    assert_true(x && twice);
    for (int64_t i = 0; i < n; i++) {
        const double part = 0.1 + 0.8 * fabs(sin((double)i));
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] = twice[i * d + j] = twice[(n + i) * d + j] = cell_of(&(shape){0}, i, j);
        weights[i] = part;
        weights[n + i] = 1 - part;
    }
    rows *once = rows_of(x, n, d, SCREE_F64, 0);
    rows *both = rows_of(twice, 2 * n, d, SCREE_F64, 0);
    for (int64_t k = 0; k < COUNT_OF(solvers); k++) {
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.no_imputer = true; /* tested apart */
        options.components = K;
        options.solver = solvers[k];
        options.tolerance = 1e-12;
        scree_model *wanted = rows_fit(once, &options);
        scree_model *found = fit_weighted(both, weights, &options);
        EXPECT_NEAR(scree_model_get(found)->weight, n, 1e-12 * (double)n);
        EXPECT_NEAR(models_eigenvalue_distance(found, wanted), 0, 1e-12);
        expect_near(scree_model_get(found)->noise_variance, scree_model_get(wanted)->noise_variance);
        expect_near(facts_of(found).log_likelihood, facts_of(wanted).log_likelihood);
        scree_model_free(found);
        for (int64_t i = 0; i < n; i++)
            weights[i] = 2.5;
        found = fit_weighted(once, weights, &options);
        assert_true(scree_model_get(found)->weight == 2.5 * (double)n);
        EXPECT_NEAR(models_eigenvalue_distance(found, wanted), 0, 1e-12);
        expect_near(facts_of(found).log_likelihood, 2.5 * facts_of(wanted).log_likelihood);
        for (int64_t i = 0; i < n; i++)
            weights[i] = 1 - weights[n + i];
        scree_model_free(found);
        scree_model_free(wanted);
    }
    rows_free(once);
    rows_free(both);
}

static void expect_same_bits(const scree_model *found, const scree_model *wanted)
{
    const scree_model_view *a = scree_model_get(found);
    const scree_model_view *b = scree_model_get(wanted);
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->m, b->m);
    assert_true(a->weight == b->weight && a->noise_variance == b->noise_variance);
    assert_memory_equal(a->mean, b->mean, (size_t)a->d * sizeof *a->mean);
    assert_memory_equal(a->eigenvalues, b->eigenvalues, (size_t)a->m * sizeof *a->eigenvalues);
    assert_memory_equal(a->components, b->components, (size_t)(a->m * a->d) * sizeof *a->components);
    accuracy_expect_same(a, b, "weights");
}

static void threads_and_blocks(void **state)
{
    (void)state;
    static const char *const solvers[] = {"covariance", "svd", "lanczos", "em"};
    const shape s = {1300, 80, SCREE_F64, 0};
    pair p = made(&s);
    for (int64_t k = 0; k < COUNT_OF(solvers); k++) {
        scree_run run = SCREE_RUN_INIT;
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.no_imputer = true; /* tested apart */
        options.components = K;
        options.solver = solvers[k];
        options.run = &run;
        run.threads = 1;
        scree_model *wanted = fit_weighted(p.once, p.weights, &options);
        for (int threads = 2; threads <= 4; threads += 2) {
            run.threads = threads;
            run.block_rows = threads == 2 ? 37 : 999;
            scree_model *found = fit_weighted(p.once, p.weights, &options);
            expect_same_bits(found, wanted);
            scree_model_free(found);
        }
        scree_model_free(wanted);
    }
    clear(&p);
}

static void rows_without_weight_are_not_there(void **state)
{
    (void)state;
    static const char *const solvers[] = {"covariance", "svd", "lanczos", "em"};
    const shape s = {1300, 80, SCREE_F32, 0};
    pair p = made(&s);
    int64_t left = 0;
    double *weights = scree__alloc(s.n, sizeof *weights);
    double *x = scree__alloc(s.n * s.d, sizeof *x);
    assert_true(weights && x);
    for (int64_t i = 0; i < s.n; i++) {
        if (!(p.weights[i] > 0))
            continue;
        weights[left] = p.weights[i];
        memcpy(x + left++ * s.d, p.once->exact + i * s.d, (size_t)s.d * sizeof *x);
    }
    rows *others = rows_of(x, left, s.d, s.type, 0);
    for (int64_t k = 0; k < COUNT_OF(solvers); k++) {
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.no_imputer = true; /* tested apart */
        options.components = K;
        options.solver = solvers[k];
        scree_model *found = fit_weighted(p.once, p.weights, &options);
        scree_model *wanted = fit_weighted(others, weights, &options);
        expect_same_bits(found, wanted);
        scree_model_free(found);
        scree_model_free(wanted);
    }
    rows_free(others);
    free(weights);
    clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covariance),
        cmocka_unit_test(svd),
        cmocka_unit_test(gram),
        cmocka_unit_test(lanczos),
        cmocka_unit_test(em_of_whole_rows),
        cmocka_unit_test(em_of_rows_with_gaps),
        cmocka_unit_test(em_of_few_cells),
        cmocka_unit_test(em_of_few_rows),
        cmocka_unit_test(parts_of_rows),
        cmocka_unit_test(threads_and_blocks),
        cmocka_unit_test(rows_without_weight_are_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
