/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_EVERY_KIND_MEANING_H
#define SCREE_TESTS_EVERY_KIND_MEANING_H

/* What models are asked about the meaning of their components, against sums over the rows. Each function asks one,
 * checks what it answers, and returns its status. */

#include "every_kind.h"

/* The correlation of column j with code k, over the rows. */
static double correlation_of(const fixture *f, int64_t j, int64_t k)
{
    double x[N];
    double mean[2] = {0};
    double sums[3] = {0};
    for (int64_t i = 0; i < N; i++) {
        x[i] = f->x[i * D + j];
        mean[0] += x[i] / N;
        mean[1] += f->codes[i * M + k] / N;
    }
    for (int64_t i = 0; i < N; i++) {
        const double a = x[i] - mean[0];
        const double b = f->codes[i * M + k] - mean[1];
        sums[0] += a * a;
        sums[1] += a * b;
        sums[2] += b * b;
    }
    return sums[1] / sqrt(sums[0] * sums[2]);
}

static double variance_of(const fixture *f, int64_t k)
{
    double sum = 0;
    for (int64_t i = 0; i < N; i++)
        sum += f->codes[i * M + k] * f->codes[i * M + k] / N;
    return sum;
}

static void expect_correlations(const fixture *f, scree_error *error)
{
    double r[D * M];
    double cos2[D * M];
    double structure[D * M];
    assert_int_equal(scree_model_meaning(f->model, SCREE_MEANING_CORRELATIONS, r, error), SCREE_OK);
    assert_int_equal(scree_model_meaning(f->model, SCREE_MEANING_COS2, cos2, error), SCREE_OK);
    assert_int_equal(scree_model_meaning(f->model, SCREE_MEANING_STRUCTURE, structure, error), SCREE_OK);
    for (int64_t i = 0; i < D * M; i++) {
        const double wanted = correlation_of(f, i / M, i % M);
        EXPECT_NEAR(r[i], wanted, 1e-12);
        EXPECT_NEAR(cos2[i], wanted * wanted, 1e-12);
        EXPECT_NEAR(structure[i], wanted * sqrt(scree_model_get(f->model)->variances[i / M]), 1e-11);
    }
}

/* Codes are weights times rows, rows loadings times codes. */
static scree_status ask_meaning(fixture *f, scree_error *error)
{
    double w[D * M];
    double b[D * M];
    double c[D * M];
    const double *mean = scree_model_get(f->model)->mean;
    const scree_status status = scree_model_meaning(f->model, SCREE_MEANING_WEIGHTS, w, error);
    if (status != SCREE_OK)
        return status;
    assert_int_equal(scree_model_meaning(f->model, SCREE_MEANING_LOADINGS, b, error), SCREE_OK);
    assert_int_equal(scree_model_meaning(f->model, SCREE_MEANING_CONTRIBUTIONS, c, error), SCREE_OK);
    for (int64_t k = 0; k < M; k++) {
        double sum = 0;
        double all = 0;
        double squares = 0;
        for (int64_t j = 0; j < D; j++) {
            sum += w[j * M + k] * (f->x[j] - mean[j]);
            all += c[j * M + k];
            squares += b[j * M + k] * b[j * M + k];
        }
        EXPECT_NEAR(sum, f->codes[k], 1e-12);
        EXPECT_NEAR(all, 100, 1e-12);
        EXPECT_NEAR(c[k], 100 * b[k] * b[k] / squares, 1e-12);
    }
    for (int64_t j = 0; j < D; j++) {
        double sum = mean[j];
        for (int64_t k = 0; k < M; k++)
            sum += b[j * M + k] * f->codes[k] / sqrt(variance_of(f, k));
        EXPECT_NEAR(sum, f->back[j], 1e-11);
    }
    expect_correlations(f, error);
    assert_int_equal(scree_model_meaning(f->model, (scree_meaning)99, w, NULL), SCREE_ERR_ARGUMENT);
    return status;
}

static scree_status ask_describe(fixture *f, scree_error *error)
{
    enum { COLS = 3 * M + 1 };
    const scree_describe_options options = SIZED(scree_describe_options, .training = true);
    double w[D * M];
    double out[N * COLS];
    double sums[M] = {0};
    scree_source *source = rows_of_fixture(f);
    scree_sink *sink = NULL;
    assert_int_equal(scree_sink_to_memory(&sink, out, N, COLS, NULL), SCREE_OK);
    const scree_status status = scree_model_describe(f->model, source, sink, &options, error);
    if (status == SCREE_OK)
        assert_int_equal(scree_model_meaning(f->model, SCREE_MEANING_WEIGHTS, w, error), SCREE_OK);
    for (int64_t i = 0; status == SCREE_OK && i < N; i++) {
        const double *row = out + i * COLS;
        double square = 0;
        for (int64_t j = 0; j < D; j++)
            square += pow(f->x[i * D + j] - scree_model_get(f->model)->mean[j], 2);
        EXPECT_NEAR(row[3 * M], sqrt(square), 1e-12);
        for (int64_t k = 0; k < M; k++) {
            double length = 0;
            for (int64_t j = 0; j < D; j++)
                length += w[j * M + k] * w[j * M + k];
            const double z = f->codes[i * M + k];
            EXPECT_NEAR(row[k], z, 1e-12 * (1 + fabs(z)));
            EXPECT_NEAR(row[M + k], z * z / (length * square), 1e-11);
            sums[k] += row[2 * M + k];
        }
    }
    for (int64_t k = 0; status == SCREE_OK && k < M; k++)
        EXPECT_NEAR(sums[k], 100, 1e-10);
    scree_sink_free(sink);
    scree_source_free(source);
    return status;
}

/* Rows as they are, with a text beside each. */
typedef struct told {
    const fixture *f;
    int64_t next;
    const char *texts[N];
} told;

static scree_status tell(void *context, int64_t max_rows, scree_block *block, scree_error *error)
{
    told *all = context;
    (void)error;
    block->rows = all->next < N && max_rows > 0 ? 1 : 0;
    if (block->rows == 0)
        return SCREE_OK;
    block->data = all->f->x + all->next * D;
    block->cols = D;
    block->texts = all->texts + all->next;
    all->next++;
    return SCREE_OK;
}

static scree_status ask_supplement(fixture *f, scree_error *error)
{
    static const char *const names[] = {"side"};
    scree_source_calls calls = SCREE_SOURCE_CALLS_INIT;
    scree_source *source = NULL;
    scree_supplement *supplement = NULL;
    told all = {.f = f};
    double means[2][M] = {{0}};
    double count[2] = {0};
    for (int64_t i = 0; i < N; i++) {
        const int side = f->x[i * D] > 0;
        all.texts[i] = side ? "right" : "left";
        count[side]++;
        for (int64_t k = 0; k < M; k++)
            means[side][k] += f->codes[i * M + k];
    }
    calls.context = &all;
    calls.next = tell;
    calls.cols = D;
    calls.text_names = names;
    calls.text_count = 1;
    assert_int_equal(scree_source_from_calls(&source, &calls, NULL), SCREE_OK);
    const scree_status status = scree_supplement_make(&supplement, f->model, source, NULL, error);
    if (status == SCREE_OK) {
        const scree_supplement_view *view = scree_supplement_get(supplement);
        assert_true(view->rows == N && view->columns == 0 && view->texts == 1 && view->groups == 2);
        assert_string_equal(view->group_names[0], "left");
        for (int64_t g = 0; g < 2; g++)
            for (int64_t k = 0; k < M; k++) {
                const double mean = means[g][k] / count[g];
                const double sd = sqrt(variance_of(f, k));
                EXPECT_NEAR(view->coordinates[g * M + k], mean, 1e-12);
                EXPECT_NEAR(view->v_tests[g * M + k], mean * sqrt(count[g] * (N - 1) / (N - count[g])) / sd, 1e-10);
            }
    }
    scree_supplement_free(supplement);
    scree_source_free(source);
    return status;
}

/* A rotation explains what the components do. */
static scree_status ask_rotate(fixture *f, scree_error *error)
{
    scree_model *rotated = NULL;
    const scree_status status = scree_model_rotate(&rotated, f->model, NULL, error);
    if (status == SCREE_OK) {
        const double *variances = scree_model_rotation(rotated)->variances;
        const double *eigenvalues = scree_model_get(f->model)->eigenvalues;
        EXPECT_NEAR(variances[0] + variances[1], eigenvalues[0] + eigenvalues[1], 1e-11);
    }
    scree_model_free(rotated);
    return status;
}

static scree_status ask_rotation(fixture *f, scree_error *error)
{
    (void)error;
    const scree_rotation_view *rotation = scree_model_rotation(f->model);
    assert_true((rotation != NULL) == f->rotated);
    if (rotation)
        assert_true(rotation->oblique && rotation->converged && fabs(rotation->correlations[1]) < 1);
    return SCREE_OK;
}

#endif
