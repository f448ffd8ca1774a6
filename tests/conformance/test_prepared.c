/* SPDX-License-Identifier: BSD-3-Clause */
/* What a fit does to rows before it, done by hand: rows divided by their ranges, by Pareto's scales or by given ones,
 * and logarithms of rows, give the models of such rows, whatever the method, the element type and the divisor; the
 * answers of these models are those of the others, back in the units of the rows. Rows that are not centred have the
 * components of these rows and their mirror images together, whose mean is 0. Whitened codes have unit variance. */

#include "support/checks.h"

#include "base/memory.h"
#include "support/agreement.h"
#include "support/calls.h"
#include "support/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { K = 3 };

typedef struct shape {
    int64_t n;
    int64_t d;
} shape;

static const shape shapes[] = {{240, 120}, {40, 70}};
static const char *const methods[] = {"covariance", "gram", "svd", "lanczos", "em"};

/* Positive, three directions that stand out, columns in different units, and one that does not vary. */
static rows *made(shape s, scree_type type)
{
    double *x = scree__alloc(s.n * s.d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < s.n; i++)
        for (int64_t j = 0; j < s.d; j++) {
            double sum = 0.2 * rows_random(1, i, j);
            for (int64_t r = 0; r < K; r++)
                sum += (3.0 - 0.7 * (double)r) * rows_random(2, i, r) * rows_random(3, j, r);
            x[i * s.d + j] = j == 5 ? 7 : exp(0.08 * sum) * (1 + (double)(j % 4));
        }
    return rows_of(x, s.n, s.d, type, 20);
}

/* The deviation, with the divisor n - ddof, about the mean or about 0. */
static double deviation(const rows *r, int64_t j, int ddof)
{
    double mean = 0;
    double sum = 0;
    for (int64_t i = 0; i < r->n; i++)
        mean += r->exact[i * r->d + j] / (double)r->n;
    for (int64_t i = 0; i < r->n; i++)
        sum += pow(r->exact[i * r->d + j] - mean, 2);
    return sqrt(sum / (double)(r->n - ddof));
}

static double scale_of(const rows *r, int64_t j, scree_scale scale, int ddof)
{
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (int64_t i = 0; i < r->n; i++) {
        low = fmin(low, r->exact[i * r->d + j]);
        high = fmax(high, r->exact[i * r->d + j]);
    }
    if (scale == SCREE_SCALE_GIVEN)
        return 0.5 + (double)(j % 7);
    if (j == 5)
        return 1;
    return scale == SCREE_SCALE_RANGE ? high - low : sqrt(deviation(r, j, ddof));
}

static bool takes(const char *method, const rows *r)
{
    return !(strcmp(method, "gram") == 0 && r->n > r->d) && !(strcmp(method, "em") == 0 && r->type == SCREE_U8) &&
           !(strcmp(method, "lanczos") == 0 && r->n < 100);
}

static double tolerance_of(const char *method)
{
    return strcmp(method, "em") == 0 ? 2e-3 : strcmp(method, "lanczos") == 0 ? 1e-8 : 1e-10;
}

static scree_fit_options options_for(const char *method)
{
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = K;
    options.solver = method;
    options.tolerance = strcmp(method, "lanczos") == 0 ? 1e-11 : 0;
    options.em = strcmp(method, "em") == 0 ? "ml" : NULL;
    return options;
}

static void expect_same(const scree_model *a, const scree_model *b, double tolerance)
{
    EXPECT_NEAR(models_eigenvalue_distance(a, b), 0, tolerance);
    EXPECT_NEAR(models_subspace_sine(a, b), 0, 100 * tolerance);
    EXPECT_NEAR(scree_model_get(a)->total_variance / scree_model_get(b)->total_variance, 1, tolerance);
}

static rows *divided(const rows *r, const double *scales)
{
    double *x = scree__alloc(r->n * r->d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < r->n * r->d; i++)
        x[i] = r->exact[i] / scales[i % r->d];
    return rows_of(x, r->n, r->d, SCREE_F64, 0);
}

static void scales_are_divisions(const rows *r, const char *method, scree_scale scale, int ddof)
{
    scree_fit_options options = options_for(method);
    double *scales = scree__alloc(r->d, sizeof *scales);
    assert_non_null(scales);
    for (int64_t j = 0; j < r->d; j++)
        scales[j] = scale_of(r, j, scale, ddof);
    rows *by_hand = divided(r, scales);
    options.ddof = ddof;
    scree_model *plain = rows_fit(by_hand, &options);
    options.scale = scale;
    options.scales = scale == SCREE_SCALE_GIVEN ? scales : NULL;
    scree_model *model = rows_fit(r, &options);
    expect_same(model, plain, tolerance_of(method));
    assert_int_equal(scree_model_get(model)->scaling, scale);
    for (int64_t j = 0; j < r->d; j++)
        EXPECT_NEAR(scree_model_get(model)->scale[j] / scales[j], 1, 1e-9);
    scree_model_free(model);
    scree_model_free(plain);
    rows_free(by_hand);
    free(scales);
}

static void test_scales(void **state)
{
    static const scree_type types[] = {SCREE_F64, SCREE_F32, SCREE_U8};
    (void)state;
    for (size_t s = 0; s < 2; s++)
        for (size_t t = 0; t < 3; t++) {
            rows *r = made(shapes[s], types[t]);
            for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
                for (int scale = SCREE_SCALE_RANGE; scale <= SCREE_SCALE_GIVEN; scale++)
                    if (takes(methods[m], r))
                        scales_are_divisions(r, methods[m], (scree_scale)scale, (int)m % 2);
            rows_free(r);
        }
}

/* Rows with logarithms by hand, and both models. */
typedef struct logged {
    rows *plain;
    rows *by_hand;
    scree_model *model;
    scree_model *other;
} logged;

static logged logged_make(const char *method, scree_scale scale)
{
    logged l = {.plain = made(shapes[0], SCREE_F64)};
    scree_fit_options options = options_for(method);
    double *x = scree__alloc(l.plain->n * l.plain->d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < l.plain->n * l.plain->d; i++)
        x[i] = log1p(l.plain->exact[i]);
    l.by_hand = rows_of(x, l.plain->n, l.plain->d, SCREE_F64, 0);
    options.scale = scale;
    l.other = rows_fit(l.by_hand, &options);
    options.log1p = true;
    l.model = rows_fit(l.plain, &options);
    return l;
}

static void logged_free(logged *l)
{
    scree_model_free(l->model);
    scree_model_free(l->other);
    rows_free(l->plain);
    rows_free(l->by_hand);
}

static void expect_same_answers(const logged *l)
{
    const int64_t n = l->plain->n;
    const int64_t d = l->plain->d;
    double *a = scree__alloc(n * d, sizeof *a);
    double *b = scree__alloc(n * d, sizeof *b);
    double codes[2][K];
    assert_non_null(a);
    assert_non_null(b);
    const scree_block *x = BLOCK_STRIDED(l->plain->data, SCREE_F64, n, d, l->plain->stride);
    const scree_block *y = BLOCK_STRIDED(l->by_hand->data, SCREE_F64, n, d, l->by_hand->stride);
    assert_int_equal(scree_model_project_rows(l->model, x, a, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_model_project_rows(l->other, y, b, NULL, NULL), SCREE_OK);
    for (int64_t i = 0; i < n * K; i++)
        EXPECT_NEAR(a[i], b[i], 1e-10);
    memcpy(codes[0], a, sizeof codes[0]);
    memcpy(codes[1], b, sizeof codes[1]);
    assert_int_equal(scree_model_reconstruct_rows(l->model, BLOCK(codes[0], SCREE_F64, 1, K), a, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_model_reconstruct_rows(l->other, BLOCK(codes[1], SCREE_F64, 1, K), b, NULL, NULL), SCREE_OK);
    for (int64_t j = 0; j < d; j++)
        EXPECT_NEAR(a[j], expm1(b[j]), 1e-10 * (1 + fabs(a[j])));
    free(a);
    free(b);
}

static void test_logarithms(void **state)
{
    static const char *const some[] = {"covariance", "svd", "lanczos"};
    (void)state;
    for (size_t m = 0; m < 3; m++)
        for (int scale = SCREE_SCALE_NONE; scale <= SCREE_SCALE_PARETO; scale++) {
            logged l = logged_make(some[m], (scree_scale)scale);
            assert_true(scree_model_get(l.model)->log1p);
            expect_same(l.model, l.other, tolerance_of(some[m]));
            if (m < 2)
                expect_same_answers(&l);
            logged_free(&l);
        }
}

/* The rows, and their mirror images. */
static rows *mirrored(const rows *r)
{
    const int64_t cells = r->n * r->d;
    double *x = scree__alloc(2 * cells, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < cells; i++) {
        x[i] = r->exact[i];
        x[cells + i] = -r->exact[i];
    }
    return rows_of(x, 2 * r->n, r->d, SCREE_F64, 0);
}

static void test_uncentred(void **state)
{
    static const scree_type types[] = {SCREE_F64, SCREE_F32, SCREE_U8};
    static const char *const some[] = {"covariance", "svd", "lanczos"};
    (void)state;
    for (size_t s = 0; s < 2; s++)
        for (size_t t = 0; t < 3; t++) {
            rows *r = made(shapes[s], types[t]);
            rows *both = mirrored(r);
            scree_fit_options plain = options_for("svd");
            scree_model *centred = rows_fit(both, &plain);
            for (size_t m = 0; m < 3 && (m < 2 || r->n >= 100); m++) {
                scree_fit_options options = options_for(some[m]);
                options.uncentred = true;
                scree_model *model = rows_fit(r, &options);
                expect_same(model, centred, tolerance_of(some[m]));
                for (int64_t j = 0; j < r->d; j++)
                    assert_true(scree_model_get(model)->mean[j] == 0);
                scree_model_free(model);
            }
            scree_model_free(centred);
            rows_free(both);
            rows_free(r);
        }
}

static void test_uncentred_refuses(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    rows *r = made(shapes[0], SCREE_F64);
    scree_source *source = rows_source(r);
    (void)state;
    for (int i = 0; i < 5; i++) {
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.uncentred = true;
        options.components = i == 0 ? SCREE_AUTO : K;
        options.ddof = i == 1;
        options.online = i == 2;
        options.bootstrap = i == 3 ? 50 : 0;
        options.solver = i == 4 ? "em" : NULL;
        assert_int_not_equal(scree_model_fit(&model, source, &options, &error), SCREE_OK);
        assert_non_null(strstr(error.text, "centre"));
        assert_null(model);
    }
    scree_source_free(source);
    rows_free(r);
}

static void test_whitened(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    rows *r = made(shapes[0], SCREE_F64);
    scree_fit_options options = options_for("covariance");
    scree_model *model = rows_fit(r, &options);
    double *codes = scree__alloc(r->n * K, sizeof *codes);
    double *back = scree__alloc(r->n * r->d, sizeof *back);
    double *direct = scree__alloc(r->n * r->d, sizeof *direct);
    (void)state;
    for (int ddof = 0; ddof < 2; ddof++) {
        scree_source *source = rows_source(r);
        scree_source *white = NULL;
        scree_sink *sink = NULL;
        const scree_whiten_options how = {sizeof how, ddof, NULL};
        EXPECT_OK(scree_sink_to_memory(&sink, codes, r->n, K, &error), error);
        EXPECT_OK(scree_model_whiten(model, source, sink, &how, &error), error);
        scree_sink_free(sink);
        for (int64_t k = 0; k < K; k++) {
            double sum = 0;
            for (int64_t i = 0; i < r->n; i++)
                sum += codes[i * K + k] * codes[i * K + k];
            EXPECT_NEAR(sum / (double)(r->n - ddof), 1, 1e-10);
        }
        EXPECT_OK(scree_source_from_memory(&white, BLOCK(codes, SCREE_F64, r->n, K), &error), error);
        EXPECT_OK(scree_sink_to_memory(&sink, back, r->n, r->d, &error), error);
        EXPECT_OK(scree_model_unwhiten(model, white, sink, &how, &error), error);
        scree_sink_free(sink);
        EXPECT_OK(scree_sink_to_memory(&sink, direct, r->n, r->d, &error), error);
        EXPECT_OK(scree_model_round_trip(model, source, sink, NULL, NULL, &error), error);
        for (int64_t i = 0; i < r->n * r->d; i++)
            EXPECT_NEAR(back[i], direct[i], 1e-10);
        scree_sink_free(sink);
        scree_source_free(source);
        scree_source_free(white);
    }
    scree_model_free(model);
    rows_free(r);
    free(codes);
    free(back);
    free(direct);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scales),   cmocka_unit_test(test_logarithms),        cmocka_unit_test(test_uncentred),
        cmocka_unit_test(test_whitened), cmocka_unit_test(test_uncentred_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
