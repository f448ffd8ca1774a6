/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_EVERY_KIND_H
#define SCREE_TESTS_EVERY_KIND_H

/* A model of every kind, small, with rows and what the model should make of them by its formulas, in double: PCA, PCA
 * without noise, a network of one layer each way, whose formulas can be written out, and PCA rotated by oblimin.
 * Include after checks.h. */

#include "made_network.h"
#include "support/calls.h"
#include "support/dense_gauss.h"
#include "support/rows.h"

#include <math.h>
#include <string.h>

enum { D = 6, M = 2, N = 40, PCA = 0, SILENT, NETWORK, ROTATED, KINDS };

typedef struct fixture {
    const char *label;
    scree_model *model;
    double x[N * D];
    double codes[N * M];  /* of the rows */
    double back[N * D];   /* of the codes */
    double tolerance;     /* of both */
    dense_gauss *density; /* NULL: there is none */
    bool rotated;
} fixture;

static inline void refer_to_components(fixture *f)
{
    const scree_model_view *v = scree_model_get(f->model);
    memset(f->codes, 0, sizeof f->codes);
    for (int64_t i = 0; i < N; i++) {
        for (int64_t k = 0; k < M; k++)
            for (int64_t j = 0; j < D; j++)
                f->codes[i * M + k] += v->components[k * D + j] * (f->x[i * D + j] - v->mean[j]);
        for (int64_t j = 0; j < D; j++) {
            f->back[i * D + j] = v->mean[j];
            for (int64_t k = 0; k < M; k++)
                f->back[i * D + j] += v->components[k * D + j] * f->codes[i * M + k];
        }
    }
}

static inline void refer_to_layers(fixture *f)
{
    const scree__network *n = scree__network_of(f->model);
    const scree__layer *in = &n->layers[0];
    const scree__layer *out = &n->layers[1];
    for (int64_t i = 0; i < N; i++) {
        for (int64_t k = 0; k < M; k++) {
            f->codes[i * M + k] = (double)in->bias[k];
            for (int64_t j = 0; j < D; j++)
                f->codes[i * M + k] += (double)in->weights[k * D + j] * (f->x[i * D + j] - n->offset[j]) / n->range[j];
        }
        for (int64_t j = 0; j < D; j++) {
            double h = (double)out->bias[j];
            for (int64_t k = 0; k < M; k++)
                h += (double)out->weights[j * M + k] * f->codes[i * M + k];
            f->back[i * D + j] = h * n->range[j] + n->offset[j];
        }
    }
}

/* f = M⁻¹ Λ^-½ z of the codes z that PCA has; rows come back the same. */
static inline void refer_to_rotation(fixture *f)
{
    const scree_model_view *v = scree_model_get(f->model);
    const double *m = scree_model_rotation(f->model)->matrix;
    const double determinant = m[0] * m[3] - m[1] * m[2];
    refer_to_components(f);
    for (int64_t i = 0; i < N; i++) {
        const double a = f->codes[i * M] / sqrt(v->eigenvalues[0]);
        const double b = f->codes[i * M + 1] / sqrt(v->eigenvalues[1]);
        f->codes[i * M] = (m[3] * a - m[1] * b) / determinant;
        f->codes[i * M + 1] = (m[0] * b - m[2] * a) / determinant;
    }
}

static inline scree_model *fitted(const double *x)
{
    scree_source *source = NULL;
    scree_model *model = NULL;
    scree_error error = SCREE_ERROR_INIT;
    const scree_fit_options options = SIZED(scree_fit_options, .components = M);
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, N, D), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
    scree_source_free(source);
    return model;
}

static inline fixture *fixture_make(int kind)
{
    static const char *const labels[] = {"PCA", "PCA without noise", "network", "rotated PCA"};
    static const int64_t widths[] = {D, M};
    const scree__shape shape = {widths, 1, SCREE__IDENTITY, SCREE__IDENTITY, false, true};
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->label = labels[kind];
    for (int64_t i = 0; i < N * D; i++)
        f->x[i] = (double)(1 + i % D) * rows_random(3, i / D, i % D) + (double)(i % D == 1) * rows_random(4, i / D, 0);
    if (kind == NETWORK) {
        f->model = made_network(&shape, 0.5, 2);
        f->tolerance = 1e-5;
        refer_to_layers(f);
        return f;
    }
    f->model = fitted(f->x);
    f->tolerance = 1e-12;
    if (kind == SILENT) {
        scree_model *other = NULL;
        assert_int_equal(scree_model_with_noise(&other, f->model, 0, NULL), SCREE_OK);
        scree_model_free(f->model);
        f->model = other;
    }
    f->density = dense_gauss_of(f->model);
    if (kind == ROTATED) {
        const scree_rotate_options options = SIZED(scree_rotate_options, .method = "oblimin");
        scree_model *other = NULL;
        assert_int_equal(scree_model_rotate(&other, f->model, &options, NULL), SCREE_OK);
        scree_model_free(f->model);
        f->model = other;
        f->rotated = true;
        refer_to_rotation(f);
        return f;
    }
    refer_to_components(f);
    return f;
}

static inline void fixture_free(fixture *f)
{
    scree_model_free(f->model);
    if (f->density)
        dense_gauss_free(f->density);
    free(f);
}

static inline void expect_near_all(const double *found, const double *wanted, int64_t count, double tolerance)
{
    for (int64_t i = 0; i < count; i++)
        EXPECT_NEAR(found[i], wanted[i], tolerance * (1 + fabs(wanted[i])));
}

static inline scree_source *rows_of_fixture(const fixture *f)
{
    scree_source *source = NULL;
    assert_int_equal(scree_source_from_memory(&source, BLOCK(f->x, SCREE_F64, N, D), NULL), SCREE_OK);
    return source;
}

/* Asks one function, checks what it answers, and returns its status. */
typedef scree_status (*asker)(fixture *f, scree_error *error);

#endif
