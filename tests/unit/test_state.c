/* SPDX-License-Identifier: BSD-3-Clause */
/* States: whatever the batches, the number of parts, their order and the size of the means, a model of a state is that
 * of one fit of all rows, to 1e-12 (covariance, svd) or within the bound (low-rank); what is forgotten is forgotten;
 * rows and states that do not belong are refused, and leave the state as it was. */

#include "support/checks.h"

#include "base/memory.h"
#include "support/rows.h"

#include <stdlib.h>
#include <string.h>

enum { N = 4000, D = 12, K = 4, WIDE = 60 };

static const char *const exact[] = {"covariance", "svd"};

/* n×d rows with means of base, of four directions and noise. */
static double *made(int64_t n, int64_t d, double base)
{
    double *x = scree__alloc(n * d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++) {
            double sum = base + 0.3 * rows_random(1, i, j) + (base > 0 ? (double)j : 0);
            for (int64_t k = 0; k < K; k++)
                sum += (5.0 - (double)k) * rows_random(2, i, k) * rows_random(3, k, j);
            x[i * d + j] = sum;
        }
    return x;
}

static scree_block block_of(const double *x, int64_t count, int64_t d)
{
    scree_block block = SCREE_BLOCK_INIT;
    block.data = x;
    block.rows = count;
    block.cols = d;
    return block;
}

static scree_state *new_state(const char *method, int64_t d, double forget)
{
    scree_state_options options = SCREE_STATE_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    scree_state *state = NULL;
    options.method = method;
    options.forget = forget;
    options.rank = strcmp(method, "low-rank") == 0 ? 8 : 0;
    EXPECT_OK(scree_state_new(&state, d, &options, &error), error);
    return state;
}

static void add(scree_state *state, const double *x, int64_t count, int64_t d, int64_t batch)
{
    scree_error error = SCREE_ERROR_INIT;
    for (int64_t at = 0; at < count; at += batch) {
        const scree_block block = block_of(x + at * d, count - at < batch ? count - at : batch, d);
        EXPECT_OK(scree_state_add(state, &block, &error), error);
    }
}

static scree_model *model_of(scree_state *state, int64_t k)
{
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    options.components = k;
    EXPECT_OK(scree_state_fit(&model, state, &options, &error), error);
    return model;
}

static scree_model *fitted(const double *x, int64_t n, int64_t d, const char *solver, int64_t k)
{
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_error error = SCREE_ERROR_INIT;
    const scree_block block = block_of(x, n, d);
    scree_source *source = NULL;
    scree_model *model = NULL;
    options.components = k;
    options.solver = solver;
    EXPECT_OK(scree_source_from_memory(&source, &block, &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    scree_source_free(source);
    return model;
}

/* Eigenvalues and means; the angle of each component where the fit tells its direction. */
static void expect_same(const scree_model *found, const scree_model *wanted, double tolerance)
{
    const scree_model_view *a = scree_model_get(found);
    const scree_model_view *b = scree_model_get(wanted);
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->m, b->m);
    for (int64_t j = 0; j < a->d; j++) {
        EXPECT_NEAR(a->mean[j], b->mean[j], 1e-15 * fabs(b->mean[j]) + 1e-13);
        EXPECT_NEAR(a->variances[j], b->variances[j], tolerance * b->variances[j]);
    }
    EXPECT_NEAR(a->total_variance, b->total_variance, tolerance * b->total_variance);
    for (int64_t k = 0; k < a->m; k++) {
        double dot = 0;
        EXPECT_NEAR(a->eigenvalues[k], b->eigenvalues[k], tolerance * b->eigenvalues[k]);
        for (int64_t j = 0; j < a->d; j++)
            dot += a->components[k * a->d + j] * b->components[k * a->d + j];
        EXPECT_NEAR(dot, 1, 1e-10);
    }
}

static void batches_do_not_matter(void **unused)
{
    static const int64_t batches[] = {1, 7, 1000, N};
    static const double bases[] = {0, 1e8};
    (void)unused;
    for (int64_t m = 0; m < COUNT_OF(exact); m++)
        for (int64_t b = 0; b < COUNT_OF(bases); b++) {
            double *x = made(N, D, bases[b]);
            scree_model *wanted = fitted(x, N, D, exact[m], D);
            for (int64_t i = 0; i < COUNT_OF(batches); i++) {
                scree_state *state = new_state(exact[m], D, 0);
                add(state, x, N, D, batches[i]);
                scree_model *model = model_of(state, D);
                expect_same(model, wanted, 1e-12);
                scree_model_free(model);
                scree_state_free(state);
            }
            scree_model_free(wanted);
            free(x);
        }
}

/* Rows of part i of count: uneven, the second of one row. */
static int64_t part_rows(int64_t i, int64_t count, int64_t left, int64_t n)
{
    const int64_t some = i == 1 ? 1 : 1 + (int64_t)(fabs(rows_random(9, i, count)) * (double)n / (double)count);
    return i == count - 1 ? left : some < left - count ? some : 1;
}

/* All parts merged: from the first on, from the last on, or by a hash; then to be freed. */
static scree_state *merged(const char *method, const double *x, int64_t n, int64_t d, int64_t count, int order)
{
    scree_state *parts[64] = {NULL};
    scree_error error = SCREE_ERROR_INIT;
    int64_t at = 0;
    for (int64_t i = 0; i < count; i++) {
        const int64_t some = part_rows(i, count, n - at, n);
        parts[i] = new_state(method, d, 0);
        add(parts[i], x + at * d, some, d, 333);
        at += some;
    }
    assert_int_equal(at, n);
    scree_state *all = new_state(method, d, 0);
    for (int64_t i = 0; i < count; i++) {
        const int64_t next = order == 0 ? i : order == 1 ? count - 1 - i : (i * 37 + 11) % count;
        EXPECT_OK(scree_state_merge(all, parts[next], &error), error);
    }
    for (int64_t i = 0; i < count; i++)
        scree_state_free(parts[i]);
    return all;
}

static void parts_add_up_in_any_order(void **unused)
{
    static const int64_t counts[] = {1, 2, 7, 64};
    static const double bases[] = {0, 1e8};
    (void)unused;
    for (int64_t m = 0; m < COUNT_OF(exact); m++)
        for (int64_t b = 0; b < COUNT_OF(bases); b++) {
            double *x = made(N, D, bases[b]);
            scree_model *wanted = fitted(x, N, D, exact[m], D);
            for (int64_t i = 0; i < COUNT_OF(counts); i++)
                for (int order = 0; order < 3; order++) {
                    scree_state *all = merged(exact[m], x, N, D, counts[i], order);
                    scree_model *model = model_of(all, D);
                    expect_same(model, wanted, 1e-12);
                    scree_model_free(model);
                    scree_state_free(all);
                }
            scree_model_free(wanted);
            free(x);
        }
}

/* Eigenvalues within the bounds that the model states, and the bound not idle. */
static void expect_within(const scree_model *found, const scree_model *wanted)
{
    const scree_model_view *a = scree_model_get(found);
    const scree_model_view *b = scree_model_get(wanted);
    EXPECT_NEAR(a->total_variance, b->total_variance, 1e-12 * b->total_variance);
    for (int64_t k = 0; k < a->m; k++) {
        double dot = 0;
        EXPECT_NEAR(a->eigenvalues[k], b->eigenvalues[k], a->eigenvalue_bounds[k] + 1e-12 * b->eigenvalues[0]);
        for (int64_t j = 0; j < a->d; j++)
            dot += a->components[k * a->d + j] * b->components[k * a->d + j];
        if (a->cluster_first[k] == a->cluster_last[k])
            EXPECT_NEAR(sqrt(fmax(1 - dot * dot, 0)), 0, a->angle_bounds[k] + 1e-7);
    }
}

static void a_sketch_keeps_its_bound(void **unused)
{
    static const int64_t counts[] = {1, 2, 7, 64};
    static const double bases[] = {0, 1e8};
    (void)unused;
    for (int64_t b = 0; b < COUNT_OF(bases); b++) {
        double *x = made(N, WIDE, bases[b]);
        scree_model *wanted = fitted(x, N, WIDE, "covariance", K);
        for (int64_t i = 0; i < COUNT_OF(counts); i++)
            for (int order = 0; order < 3; order++) {
                const scree_state_view *view = NULL;
                scree_state *all = merged("low-rank", x, N, WIDE, counts[i], order);
                scree_model *model = model_of(all, K);
                assert_int_equal(scree_state_get(&view, all, NULL), SCREE_OK);
                assert_true(view->bound > 0 && view->bound < scree_model_get(model)->eigenvalues[K - 1]);
                assert_true(scree_model_get(model)->angle_bounds[0] < 0.5);
                expect_within(model, wanted);
                scree_model_free(model);
                scree_state_free(all);
            }
        scree_model_free(wanted);
        free(x);
    }
}

/* A decomposition rounds also where a column never varied, or hardly; what was written is read all the same. */
static void a_constant_column_is_read_back(void **unused)
{
    (void)unused;
    enum { COLS = 20 };
    static const double bases[] = {0, 5, 1e8};
    for (int64_t b = 0; b < COUNT_OF(bases); b++)
        for (int64_t n = 15; n <= 480; n *= 2) {
            scree_error error = SCREE_ERROR_INIT;
            scree_state *again = NULL;
            void *bytes = NULL;
            size_t size = 0;
            double *x = made(n, COLS, 0);
            for (int64_t i = 0; i < n; i++) {
                x[COLS * i + 1] = bases[b];
                x[COLS * i + 3] = bases[b] + (i == 7 ? 1e-12 : 0);
            }
            scree_state *state = new_state("low-rank", COLS, 0);
            add(state, x, n, COLS, 15);
            EXPECT_OK(scree_state_save_buffer(&bytes, &size, state, &error), error);
            EXPECT_OK(scree_state_load_buffer(&again, bytes, size, &error), error);
            scree_model *model = model_of(again, 2);
            for (int64_t k = 0; k < 2; k++)
                EXPECT_NEAR(scree_model_get(model)->components[COLS * k + 1], 0, 1e-9);
            scree_model_free(model);
            scree_state_free(again);
            scree_state_free(state);
            scree_buffer_free(bytes);
            free(x);
        }
}

static void nothing_is_cut_of_few_rows(void **unused)
{
    (void)unused;
    const scree_state_view *view = NULL;
    double *x = made(20, WIDE, 3);
    scree_model *wanted = fitted(x, 20, WIDE, "svd", 15);
    scree_state *state = new_state("low-rank", WIDE, 0);
    add(state, x, 20, WIDE, 7);
    scree_model *model = model_of(state, 15);
    expect_same(model, wanted, 1e-12);
    assert_int_equal(scree_state_get(&view, state, NULL), SCREE_OK);
    assert_true(view->bound == 0);
    scree_model_free(model);
    scree_model_free(wanted);
    scree_state_free(state);
    free(x);
}

/* Weights by age, as frequencies in one fit. */
static void old_rows_count_less(void **unused)
{
    static const int64_t batches[] = {1, 1000};
    static const char *const methods[] = {"covariance", "svd", "low-rank"};
    const double half = 300;
    (void)unused;
    double *x = made(N, WIDE, 1e3);
    double weights[N];
    double total = 0;
    for (int64_t i = 0; i < N; i++)
        total += weights[i] = exp2(-(double)(N - 1 - i) / half);
    scree_block block = block_of(x, N, WIDE);
    block.weights = weights;
    scree_source *source = NULL;
    scree_model *wanted = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = K;
    options.solver = "svd";
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree_source_from_memory(&source, &block, &error), error);
    EXPECT_OK(scree_model_fit(&wanted, source, &options, &error), error);
    for (int64_t m = 0; m < COUNT_OF(methods); m++)
        for (int64_t b = 0; b < COUNT_OF(batches); b++) {
            scree_state *state = new_state(methods[m], WIDE, half);
            add(state, x, N, WIDE, batches[b]);
            scree_model *model = model_of(state, K);
            EXPECT_NEAR(scree_model_get(model)->weight, total, 1e-10 * total);
            if (m < 2)
                expect_same(model, wanted, 1e-11);
            else
                expect_within(model, wanted);
            scree_model_free(model);
            scree_state_free(state);
        }
    scree_model_free(wanted);
    scree_source_free(source);
    free(x);
}

static void rows_of_every_form_are_taken(void **unused)
{
    (void)unused;
    enum { ROWS = 50 };
    float single[ROWS * 3];
    double columns[3 * ROWS];
    uint8_t bytes[ROWS * 3];
    int64_t starts[ROWS + 1];
    int32_t indices[ROWS * 3];
    double entries[ROWS * 3];
    double plain[ROWS * 3];
    for (int64_t i = 0; i < ROWS; i++) {
        starts[i] = 3 * i;
        for (int64_t j = 0; j < 3; j++) {
            const double value = (double)((i * 7 + j * i + 3 * j) % 16);
            plain[i * 3 + j] = columns[j * ROWS + i] = entries[i * 3 + j] = value;
            single[i * 3 + j] = (float)value;
            bytes[i * 3 + j] = (uint8_t)value;
            indices[i * 3 + j] = (int32_t)j;
        }
    }
    starts[ROWS] = 3 * ROWS;
    scree_block blocks[5];
    for (int i = 0; i < 5; i++)
        blocks[i] = block_of(plain, ROWS, 3);
    blocks[1].data = single;
    blocks[1].type = SCREE_F32;
    blocks[2].data = columns;
    blocks[2].row_stride = 1;
    blocks[2].col_stride = ROWS;
    blocks[3].data = bytes;
    blocks[3].type = SCREE_U8;
    blocks[4].data = entries;
    blocks[4].starts = starts;
    blocks[4].indices = indices;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *wanted = fitted(plain, ROWS, 3, "covariance", 3);
    scree_state *mixed = new_state("covariance", 3, 0);
    for (int i = 0; i < 5; i++) {
        scree_state *state = new_state("covariance", 3, 0);
        EXPECT_OK(scree_state_add(state, &blocks[i], &error), error);
        EXPECT_OK(scree_state_add(mixed, &blocks[i], &error), error);
        scree_model *model = model_of(state, 3);
        expect_same(model, wanted, 1e-13);
        scree_model_free(model);
        scree_state_free(state);
    }
    scree_model *model = model_of(mixed, 3);
    for (int k = 0; k < 3; k++)
        EXPECT_NEAR(scree_model_get(model)->eigenvalues[k], scree_model_get(wanted)->eigenvalues[k], 1e-13);
    assert_int_equal(scree_model_get(model)->n, 5 * ROWS);
    scree_model_free(model);
    scree_model_free(wanted);
    scree_state_free(mixed);
}

static void expect_refused(scree_status found, scree_status wanted, const scree_error *error, const char *part)
{
    assert_int_equal(found, wanted);
    if (!strstr(error->text, part))
        fail_msg("'%s' does not say '%s'", error->text, part);
}

static void what_does_not_belong_is_refused(void **unused)
{
    (void)unused;
    double *x = made(100, D, 0);
    scree_error error = SCREE_ERROR_INIT;
    scree_state *state = new_state("covariance", D, 0);
    scree_state *other = new_state("svd", D, 0);
    scree_state *narrow = new_state("covariance", D - 1, 0);
    scree_model *model = NULL;
    const scree_state_view *view = NULL;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    add(state, x, 100, D, 100);
    add(other, x, 100, D, 100);
    x[5 * D + 2] = NAN;
    scree_block block = block_of(x, 50, D);
    expect_refused(scree_state_add(state, &block, &error), SCREE_ERR_VALUE, &error, "row 6, column 3 is missing");
    block.row_stride = 1; /* converted on the way */
    block.col_stride = 50;
    expect_refused(scree_state_add(state, &block, &error), SCREE_ERR_VALUE, &error, "is missing");
    assert_int_equal(scree_state_get(&view, state, NULL), SCREE_OK);
    assert_int_equal(view->rows, 100);
    block = block_of(x, 5, D - 1);
    expect_refused(scree_state_add(state, &block, &error), SCREE_ERR_SHAPE, &error, "11 columns");
    expect_refused(scree_state_merge(state, other, &error), SCREE_ERR_SHAPE, &error, "the same method");
    expect_refused(scree_state_merge(state, narrow, &error), SCREE_ERR_SHAPE, &error, "11 columns");
    expect_refused(scree_state_merge(state, state, &error), SCREE_ERR_ARGUMENT, &error, "itself");
    expect_refused(scree_state_forget(state, 0.5, &error), SCREE_ERR_ARGUMENT, &error, "half-life");
    expect_refused(scree_state_fit(&model, narrow, &options, &error), SCREE_ERR_SHAPE, &error, "no rows");
    options.scale = SCREE_SCALE_RANGE;
    expect_refused(scree_state_fit(&model, state, &options, &error), SCREE_ERR_UNSUPPORTED, &error, "range");
    options.scale = SCREE_SCALE_NONE;
    options.solver = "lanczos";
    expect_refused(scree_state_fit(&model, state, &options, &error), SCREE_ERR_UNSUPPORTED, &error, "solver");
    scree_state_free(state);
    scree_state_free(other);
    scree_state_free(narrow);
    free(x);
}

/* Scaled, uncentred, by share, by the eigenvalues: as a fit of the rows. */
static void options_act_as_in_a_fit(void **unused)
{
    (void)unused;
    double *x = made(N, D, 2);
    scree_error error = SCREE_ERROR_INIT;
    const scree_block block = block_of(x, N, D);
    scree_source *source = NULL;
    EXPECT_OK(scree_source_from_memory(&source, &block, &error), error);
    for (int64_t m = 0; m < COUNT_OF(exact); m++)
        for (int what = 0; what < 4; what++) {
            scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
            scree_model *wanted = NULL;
            scree_model *model = NULL;
            scree_state *state = new_state(exact[m], D, 0);
            add(state, x, N, D, 777);
            options.components = what < 2 ? 5 : what == 2 ? 0 : SCREE_AUTO;
            options.share = what == 2 ? 0.9 : 0;
            options.scale = what == 0 ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
            options.ddof = what == 0;
            options.uncentred = what == 1;
            options.solver = exact[m];
            EXPECT_OK(scree_state_fit(&model, state, &options, &error), error);
            EXPECT_OK(scree_model_fit(&wanted, source, &options, &error), error);
            expect_same(model, wanted, 1e-12);
            scree_model_free(model);
            scree_model_free(wanted);
            scree_state_free(state);
        }
    scree_source_free(source);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_do_not_matter),        cmocka_unit_test(parts_add_up_in_any_order),
        cmocka_unit_test(a_sketch_keeps_its_bound),     cmocka_unit_test(a_constant_column_is_read_back),
        cmocka_unit_test(nothing_is_cut_of_few_rows),   cmocka_unit_test(old_rows_count_less),
        cmocka_unit_test(rows_of_every_form_are_taken), cmocka_unit_test(what_does_not_belong_is_refused),
        cmocka_unit_test(options_act_as_in_a_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
