/* SPDX-License-Identifier: BSD-3-Clause */
/* Anderson's acceleration of EM (1965; Walker and Ni 2011). θ is [w, µ, s ln σ²], s = (Σw² + Dσ²)^½; f = G(θ) - θ is
 * what an EM step G changes. With the differences of the last few θ and f as columns of X and F,
 *
 *     θ next = θ + f - (X + F)γ,    γ minimises ‖f - Fγ‖,
 *
 * the step that would end the iteration if G were linear there; its length estimates the distance that is left. Whether
 * the next θ is better is for the caller to see, who then forgets the past. Maximum likelihood leaves w free to turn:
 * G(θ) is turned to θ (Procrustes). For Bayes the axes are fixed, and only signs are to be agreed on. O(D M) numbers
 * for each of the past steps. */

#include "fit/em.h"

#include "base/memory.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

enum { PAST = 8 };
static const double RIDGE = 1e-12;
static const double UNTRIED = 100; /* the first step says little about the distance */
static const double MAX_NOISE = 2; /* change of ln σ² in one step */

struct scree__em_anderson {
    int64_t max_length; /* of a vector, that there is memory for */
    int64_t length;
    double size;   /* s */
    int64_t count; /* differences that there are */
    int64_t seen;  /* steps since the past was forgotten */
    double *x;     /* PAST vectors */
    double *f;
    double *last_x;
    double *last_f;
    double *this_x;
    double *this_f;
};

int64_t scree__em_anderson_memory(int64_t d, int64_t m)
{
    return 8 * (2 * PAST + 4) * (d * (m + 1) + 1);
}

scree_status scree__em_anderson_new(scree__em_anderson **out, int64_t d, int64_t m, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__em_anderson *a = NULL;
    const int64_t length = d * (m + 1) + 1;
    SCREE_ALLOC(a, 1, error);
    a->max_length = length;
    SCREE_ALLOC(a->x, PAST * length, error);
    SCREE_ALLOC(a->f, PAST * length, error);
    SCREE_ALLOC(a->last_x, 4 * length, error);
    a->last_f = a->last_x + length;
    a->this_x = a->last_x + 2 * length;
    a->this_f = a->last_x + 3 * length;
    *out = a;
    a = NULL;
done:
    scree__em_anderson_free(a);
    return status;
}

void scree__em_anderson_free(scree__em_anderson *a)
{
    if (!a)
        return;
    free(a->x);
    free(a->f);
    free(a->last_x);
    free(a);
}

void scree__em_anderson_forget(scree__em_anderson *a)
{
    a->count = 0;
    a->seen = 0;
}

static double product(const double *x, const double *y, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Columns of w change signs, and so do the numbers that belong to them. */
static void agree_on_signs(const scree__em_state *s, scree__em_state *image)
{
    const int64_t m = s->m;
    for (int64_t k = 0; k < m; k++) {
        double both = 0;
        for (int64_t d = 0; d < s->d; d++)
            both += s->w[d * m + k] * image->w[d * m + k];
        for (int64_t d = 0; both < 0 && d < s->d; d++) {
            double *cover = image->cover + d * scree__pairs(m + 1);
            image->w[d * m + k] = -image->w[d * m + k];
            for (int64_t j = 0; j <= m; j++)
                if (j != k)
                    cover[j < k ? scree__pair(k, j) : scree__pair(j, k)] *= -1;
        }
    }
}

/* w of the image becomes wO, O orthogonal, nearest to w of the state: with w_image'w = QSP', O = QP'. */
static scree_status rotate_onto(const scree__em_state *s, scree__em_state *image, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = s->m;
    double *square = NULL;
    double *turned = NULL;
    SCREE_ALLOC(square, 3 * m * m + m, error);
    SCREE_ALLOC(turned, s->d * m, error);
    double *p = square + m * m;
    double *q = square + 2 * m * m;
    scree__blas_enter();
    int info = scree__dgemm(true, false, m, m, s->d, 1, image->w, m, s->w, m, 0, square, m);
    if (info == 0) /* a row-major matrix is its transpose to LAPACK: p and q change places, and read as transposes */
        info = scree__dgesdd('A', m, m, square, m, square + 3 * m * m, p, m, q, m);
    if (info == 0)
        info = scree__dgemm(false, false, m, m, m, 1, q, m, p, m, 0, square, m);
    if (info == 0)
        info = scree__dgemm(false, false, s->d, m, m, 1, image->w, m, square, m, 0, turned, m);
    scree__blas_leave();
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the singular value decomposition of a matrix", m, error));
    memcpy(image->w, turned, (size_t)(s->d * m) * sizeof *turned);
done:
    free(square);
    free(turned);
    return status;
}

/* Difference i, in no particular order. */
static double *at(const scree__em_anderson *a, double *vectors, int64_t i)
{
    return vectors + i * a->max_length;
}

static void remember(scree__em_anderson *a)
{
    const int64_t n = a->length;
    if (a->seen > 0) {
        double *x = a->x + (a->seen - 1) % PAST * a->max_length;
        double *f = a->f + (a->seen - 1) % PAST * a->max_length;
        for (int64_t i = 0; i < n; i++) {
            x[i] = a->this_x[i] - a->last_x[i];
            f[i] = a->this_f[i] - a->last_f[i];
        }
        a->count = a->count < PAST ? a->count + 1 : PAST;
    }
    memcpy(a->last_x, a->this_x, (size_t)n * sizeof *a->this_x);
    memcpy(a->last_f, a->this_f, (size_t)n * sizeof *a->this_f);
    a->seen++;
}

/* γ by the normal equations, with a ridge: steps that say the same are no harm. */
static bool mix(const scree__em_anderson *a, double *gamma)
{
    double gram[PAST * PAST];
    const int64_t k = a->count;
    for (int64_t i = 0; i < k; i++) {
        const double *fi = at(a, a->f, i);
        gamma[i] = product(fi, a->this_f, a->length);
        for (int64_t j = i; j < k; j++)
            gram[i * k + j] = product(fi, at(a, a->f, j), a->length);
    }
    for (int64_t i = 0; i < k; i++)
        gram[i * k + i] *= 1 + RIDGE;
    return scree__dpotrf(k, gram, k) == 0 && scree__dtrsm(false, true, k, 1, 1, gram, k, gamma, 1) == 0 &&
           scree__dtrsm(false, false, k, 1, 1, gram, k, gamma, 1) == 0;
}

/* this_f becomes the step to take. */
static void extrapolate(scree__em_anderson *a)
{
    double gamma[PAST] = {0};
    if (a->count == 0 || !mix(a, gamma))
        return;
    for (int64_t j = 0; j < a->count; j++) {
        const double *x = at(a, a->x, j);
        const double *f = at(a, a->f, j);
        for (int64_t i = 0; i < a->length; i++)
            a->this_f[i] -= gamma[j] * (x[i] + f[i]);
    }
}

static void take_vectors(scree__em_anderson *a, const scree__em_state *s, const scree__em_state *image)
{
    const int64_t cells = s->d * s->m;
    a->length = cells + s->d + 1;
    if (a->seen == 0)
        a->size = sqrt(product(s->w, s->w, cells) + (double)s->d * s->noise);
    memcpy(a->this_x, s->w, (size_t)cells * sizeof *s->w);
    memcpy(a->this_x + cells, s->offset, (size_t)s->d * sizeof *s->w);
    a->this_x[cells + s->d] = a->size * log(s->noise);
    for (int64_t i = 0; i < cells; i++)
        a->this_f[i] = image->w[i] - s->w[i];
    for (int64_t i = 0; i < s->d; i++)
        a->this_f[cells + i] = image->offset[i] - s->offset[i];
    a->this_f[cells + s->d] = a->size * log(image->noise / s->noise);
}

scree_status scree__em_anderson_step(scree__em_anderson *a, const scree__em_state *s, scree__em_state *image,
                                     scree__em_state *next, scree__em_distance *distance, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t cells = s->d * s->m;
    if (s->bayes)
        agree_on_signs(s, image);
    else
        SCREE_TRY(rotate_onto(s, image, error));
    take_vectors(a, s, image);
    const double plain = sqrt(product(a->this_f, a->this_f, a->length));
    remember(a);
    scree__blas_enter();
    extrapolate(a);
    scree__blas_leave();
    const double accelerated = sqrt(product(a->this_f, a->this_f, a->length));
    distance->step = plain / a->size;
    distance->left = (a->count > 0 ? fmax(accelerated, plain) : UNTRIED * plain) / a->size;
    scree__em_state_copy(next, image);
    for (int64_t i = 0; i < cells; i++)
        next->w[i] = s->w[i] + a->this_f[i];
    for (int64_t i = 0; i < s->d; i++)
        next->offset[i] = s->offset[i] + a->this_f[cells + i];
    next->noise = s->noise * exp(fmax(fmin(a->this_f[cells + s->d] / a->size, MAX_NOISE), -MAX_NOISE));
done:
    return status;
}

void scree__em_anderson_move(scree__em_anderson *a, scree__snapshot *s)
{
    scree__snapshot_count(s, &a->length, 0, a->max_length);
    scree__snapshot_double(s, &a->size);
    scree__snapshot_count(s, &a->count, 0, PAST);
    scree__snapshot_count(s, &a->seen, 0, INT32_MAX);
    for (int64_t i = 0; i < a->count; i++) {
        scree__snapshot_doubles(s, at(a, a->x, i), a->length);
        scree__snapshot_doubles(s, at(a, a->f, i), a->length);
    }
    scree__snapshot_doubles(s, a->last_x, a->length);
    scree__snapshot_doubles(s, a->last_f, a->length);
}
