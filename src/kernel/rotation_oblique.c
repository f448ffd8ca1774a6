/* SPDX-License-Identifier: BSD-3-Clause */
/* Direct oblimin by gradient projection (Jennrich 2002): T, k×k with columns of length 1, M = T⁻ᵀ, B = A T⁻ᵀ,
 *
 *     f = ¼ Σ_{k≠l} [Σ_j b_k² b_l² - γ/d Σ_j b_k² Σ_j b_l²],   ∂f/∂B = B ∘ X,   X_k = Σ_{l≠k} (b_l² - γ mean b_l²)
 *     G = -(Bᵀ (B∘X) T⁻¹)ᵀ,   P = G - T diag(TᵀG),   T ← columns of T - αP to length 1
 *
 * with α as Barzilai and Borwein have it, halved until f falls; where f no longer shows a difference, until ‖P‖ does.
 * It ends where ‖P‖ is at its rounding. O(dk²) a step. */

#include "kernel/rotation.h"

#include "base/memory.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

enum { STEPS = 5000, ROUGH_STEPS = 200, HALVINGS = 40, MEMORY = 10 };

static const double ENOUGH = 1e-13;  /* ‖P‖, beside |f| + 1 */
static const double ROUGH = 1e-5;    /* the same, to compare starts */
static const double ROUNDED = 1e-14; /* of f */
static const double FINE = 1e-8;     /* ‖P‖ where steps end: still an optimum */

/* A place: T, and what follows from it. */
typedef struct place {
    double *t;
    double *inverse; /* T⁻¹ */
    double *p;       /* the projected gradient */
    double f;
    double slope; /* ‖P‖² */
} place;

typedef struct oblimin {
    const scree__rotate *rotate;
    const double *a;
    double *b;     /* d×k */
    double *g;     /* d×k: ∂f/∂B */
    double *small; /* 2 k×k */
    place here;
    place next;
} oblimin;

static double criterion(const oblimin *o)
{
    const scree__rotate *r = o->rotate;
    double *mean = o->small;
    double f = 0;
    memset(mean, 0, (size_t)r->k * sizeof *mean);
    for (int64_t i = 0; i < r->d * r->k; i++)
        mean[i % r->k] += o->b[i] * o->b[i] / (double)r->d;
    for (int64_t j = 0; j < r->d; j++) {
        const double *b = o->b + j * r->k;
        double all = 0;
        for (int64_t l = 0; l < r->k; l++)
            all += b[l] * b[l] - r->gamma * mean[l];
        for (int64_t l = 0; l < r->k; l++) {
            const double x = all - (b[l] * b[l] - r->gamma * mean[l]);
            o->g[j * r->k + l] = b[l] * x;
            f += 0.25 * b[l] * b[l] * x;
        }
    }
    return f;
}

/* All of a place from its T. */
static scree_status arrive(oblimin *o, place *at, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__rotate *r = o->rotate;
    const int64_t k = r->k;
    SCREE_TRY(scree__small_inverse(at->t, k, at->inverse, error));
    scree__dgemm(false, true, r->d, k, k, 1.0, o->a, k, at->inverse, k, 0.0, o->b, k);
    at->f = criterion(o);
    scree__small_product(true, k, k, r->d, o->b, o->g, o->small);
    scree__small_product(false, k, k, k, o->small, at->inverse, o->small + k * k);
    const double *minus = o->small + k * k; /* -Gᵀ */
    at->slope = 0;
    for (int64_t l = 0; l < k; l++) {
        double along = 0;
        for (int64_t i = 0; i < k; i++)
            along -= at->t[i * k + l] * minus[l * k + i];
        for (int64_t i = 0; i < k; i++) {
            at->p[i * k + l] = -minus[l * k + i] - along * at->t[i * k + l];
            at->slope += at->p[i * k + l] * at->p[i * k + l];
        }
    }
done:
    return status;
}

static void step(const oblimin *o, double alpha)
{
    const int64_t k = o->rotate->k;
    for (int64_t l = 0; l < k; l++) {
        double sum = 0;
        for (int64_t i = 0; i < k; i++) {
            const double t = o->here.t[i * k + l] - alpha * o->here.p[i * k + l];
            o->next.t[i * k + l] = t;
            sum += t * t;
        }
        for (int64_t i = 0; i < k; i++)
            o->next.t[i * k + l] /= sqrt(sum);
    }
}

/* ‖ΔT‖²/⟨ΔT, ΔP⟩, or the step before. */
static double next_step(const oblimin *o, double alpha)
{
    double square = 0;
    double product = 0;
    for (int64_t i = 0; i < o->rotate->k * o->rotate->k; i++) {
        const double change = o->next.t[i] - o->here.t[i];
        square += change * change;
        product += change * (o->next.p[i] - o->here.p[i]);
    }
    return product > 0 && isfinite(square / product) ? square / product : 2 * alpha;
}

/* The largest of the last few values of f. */
static double ceiling_of(const double *past, int count)
{
    double most = past[0];
    for (int i = 1; i < count && i < MEMORY; i++)
        most = fmax(most, past[i]);
    return most;
}

/* Goes on while there is a step that leads on. */
static scree_status descend(oblimin *o, bool rough, scree_error *error)
{
    scree_status status = SCREE_OK;
    double past[MEMORY];
    double alpha = 1;
    SCREE_TRY(arrive(o, &o->here, error));
    for (int steps = 0; steps < (rough ? ROUGH_STEPS : STEPS); steps++) {
        bool better = false;
        if (sqrt(o->here.slope) <= (rough ? ROUGH : ENOUGH) * (fabs(o->here.f) + 1))
            break;
        past[steps % MEMORY] = o->here.f;
        const double ceiling = ceiling_of(past, steps + 1) + ROUNDED * (fabs(o->here.f) + 1);
        for (int half = 0; half < HALVINGS && !better; half++) {
            alpha = half > 0 ? alpha / 2 : alpha;
            step(o, alpha);
            status = arrive(o, &o->next, error);
            if (status == SCREE_ERR_NUMERIC) /* so far that two columns are one */
                continue;
            SCREE_TRY(status);
            better = o->next.f <= ceiling - 1e-4 * alpha * o->here.slope;
        }
        status = SCREE_OK;
        if (!better)
            break;
        alpha = next_step(o, alpha);
        const place left = o->here;
        o->here = o->next;
        o->next = left;
    }
done:
    return status;
}

scree_status scree__oblimin(const scree__rotate *rotate, const double *a, bool rough, double *m, double *value,
                            bool *converged, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t k = rotate->k;
    const int64_t square = k * k;
    oblimin o = {.rotate = rotate, .a = a};
    double *memory = NULL;
    SCREE_ALLOC(o.b, 2 * rotate->d * k, error);
    SCREE_ALLOC(memory, 8 * square, error);
    o.g = o.b + rotate->d * k;
    o.small = memory;
    o.here = (place){.t = memory + 2 * square, .inverse = memory + 3 * square, .p = memory + 4 * square};
    o.next = (place){.t = memory + 5 * square, .inverse = memory + 6 * square, .p = memory + 7 * square};
    SCREE_TRY(scree__small_inverse(m, k, o.small, error));
    for (int64_t i = 0; i < square; i++) /* T = M⁻ᵀ */
        o.here.t[i] = o.small[i % k * k + i / k];
    SCREE_TRY(descend(&o, rough, error));
    *value = o.here.f;
    *converged = sqrt(o.here.slope) <= FINE * (fabs(o.here.f) + 1);
    for (int64_t i = 0; i < square; i++)
        m[i] = o.here.inverse[i % k * k + i / k];
done:
    free(o.b);
    free(memory);
    return status;
}
