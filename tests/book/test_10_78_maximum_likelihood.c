/* SPDX-License-Identifier: BSD-3-Clause */
/* (10.77) µ = (1/N) Σ x, (10.78) B = T(Λ - σ²I)^½, (10.79) σ² = (1/(D-M)) Σ_{j>M} λ_j maximise the likelihood: the
 * parameters are those of a plain eigendecomposition, the sum of ln p over the rows is the closed form of the maximum,
 * and no step away from it goes up, by
 *
 *     ln L = -(N/2) [D ln 2π + ln det C + tr(C⁻¹(S + (x̄ - µ)(x̄ - µ)ᵀ))],  C = BBᵀ + σ²I,  as dense matrices. */

#include "support/checks.h"
#include "support/dense_gauss.h"
#include "support/reference.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/calls.h"

enum { DIRECTIONS = SLOW_BUILD ? 100 : 1000 };
static const long double LN_2PI = 1.83787706640934548356065947281123528L;

/* µ, B, σ² of (10.77)–(10.79) from Jacobi's eigenpairs; the sign and a rotation of B are free, so BBᵀ is compared. */
static void the_parameters(const ppca_case *c, const scree_model *model, const reference *r)
{
    const scree_model_view *view = scree_model_get(model);
    double *b = scree__alloc(c->d * c->m, sizeof *b);
    long double left = 0;
    assert_non_null(b);
    assert_int_equal(scree_model_loadings(model, b, NULL), SCREE_OK);
    for (int64_t j = c->m; j < r->count; j++)
        left += r->values[j];
    const long double noise = c->m < c->d ? left / (long double)(c->d - c->m) : 0;
    EXPECT_NEAR(view->noise_variance, noise, 1e-10 * noise + 1e-15 * r->total);
    for (int64_t i = 0; i < c->d; i++) {
        EXPECT_NEAR(view->mean[i], r->mean[i], 1e-13 * (1 + fabs(r->mean[i])));
        for (int64_t k = 0; k < c->d; k++) {
            long double wanted = 0;
            double found = 0;
            for (int64_t j = 0; j < c->m; j++) {
                wanted += (r->values[j] - noise) * r->vectors[j * c->d + i] * r->vectors[j * c->d + k];
                found += b[i * c->m + j] * b[k * c->m + j];
            }
            wanted *= (long double)r->scale[i] * r->scale[k];
            EXPECT_NEAR(found, wanted, 1e-10 * r->scale[i] * r->scale[k] * r->total);
        }
    }
    free(b);
}

/* Σ ln p(x), the closed form, and the library's word for it. */
static void the_maximum(const ppca_case *c, const scree_model *model, const reference *r, const double *x)
{
    scree_error error = SCREE_ERROR_INIT;
    const double n = (double)c->n;
    scree_scorer *scorer = NULL;
    row_score *scores = scree__alloc(c->n, sizeof *scores);
    long double sum = 0;
    long double left = 0;
    long double volume = (long double)c->d * LN_2PI;
    assert_non_null(scores);
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    EXPECT_OK(score_rows(scorer, BLOCK(x, SCREE_F64, c->n, c->d), scores, &error), error);
    for (int64_t i = 0; i < c->n; i++)
        sum += scores[i].loglik;
    for (int64_t j = 0; j < r->count; j++) {
        volume += j < c->m ? logl(r->values[j]) : 0;
        left += j < c->m ? 0 : r->values[j];
    }
    volume += (long double)(c->d - c->m) * logl(left / (long double)(c->d - c->m));
    for (int64_t j = 0; j < c->d; j++)
        volume += 2 * logl(r->scale[j]);
    const long double wanted = -0.5L * (n * volume + (n - c->ddof) * (long double)c->d);
    EXPECT_NEAR(sum, wanted, 1e-10 * fabsl(wanted));
    EXPECT_NEAR(facts_of(model).log_likelihood, wanted, 1e-10 * fabsl(wanted));
    scree_scorer_free(scorer);
    free(scores);
}

static void every_case(void **state)
{
    (void)state;
    for (const ppca_case *c = ppca_cases; c->label; c++) {
        if (c->noise > 0)
            continue; /* not the most likely σ² */
        double *x = ppca_case_rows(c);
        scree_model *model = ppca_case_model(c, x);
        reference *r = reference_of(x, c->n, c->d, (reference_options){.ddof = c->ddof, .unit = c->unit});
        if (!c->ties || c->m % 2 == 0) /* where a tie is cut, BBᵀ is a matter of taste */
            the_parameters(c, model, r);
        the_maximum(c, model, r, x);
        reference_free(r);
        scree_model_free(model);
        free(x);
    }
}

/* ln L of the parameters in g, for data of which reference knows x̄ and S. C is formed from g->b and g->noise. */
static long double log_likelihood(const dense_gauss *g, const reference *r)
{
    const int64_t d = g->d;
    long double *inverse = scree__alloc(d * d, sizeof *inverse);
    long double trace = 0;
    assert_non_null(inverse);
    for (int64_t a = 0; a < d; a++)
        for (int64_t b = 0; b < d; b++) {
            inverse[a * d + b] = a == b ? g->noise[a] : 0;
            for (int64_t j = 0; j < g->m; j++)
                inverse[a * d + b] += g->b[a * g->m + j] * g->b[b * g->m + j];
        }
    const long double logdet = dense_invert(inverse, d);
    for (int64_t a = 0; a < d; a++)
        for (int64_t b = 0; b < d; b++)
            trace +=
                inverse[a * d + b] * (r->covariance[a * d + b] + (r->mean[a] - g->mean[a]) * (r->mean[b] - g->mean[b]));
    free(inverse);
    return -0.5L * (long double)r->n * ((long double)d * LN_2PI + logdet + trace);
}

/* to = from, moved by length along a random direction of (µ, B, ln σ²). */
static void step_away(dense_gauss *to, const dense_gauss *from, int direction, long double length)
{
    const int64_t d = from->d;
    const int64_t cells = d * from->m;
    const long double size = sqrtl(from->covariance[0]);
    double *normals = scree__alloc(1 + d + cells, sizeof *normals);
    assert_non_null(normals);
    scree__normals(78, (uint64_t)direction, 0, 1 + d + cells, normals);
    for (int64_t i = 0; i < d; i++) {
        to->noise[i] = from->noise[i] * expl(length * normals[0]);
        to->mean[i] = from->mean[i] + length * size * normals[1 + i];
    }
    for (int64_t i = 0; i < cells; i++)
        to->b[i] = from->b[i] + length * size * normals[1 + d + i];
    free(normals);
}

/* Short steps and long ones; a slope would show in the short, and every random one must go down by more than rounding.
 */
static void no_step_goes_up(void **state)
{
    (void)state;
    static const ppca_case cases[] = {{"tall", 100, 9, 3, false, false, 0, 0}, {"wide", 10, 16, 4, false, false, 0, 0}};
    static const long double lengths[] = {1e-5L, 1e-3L, 0.1L};
    for (int64_t k = 0; k < COUNT_OF(cases); k++) {
        const ppca_case *c = &cases[k];
        double *x = ppca_case_rows(c);
        scree_model *model = ppca_case_model(c, x);
        reference *r = reference_of(x, c->n, c->d, (reference_options){0});
        dense_gauss *best = dense_gauss_of(model);
        dense_gauss *other = dense_gauss_of(model);
        const long double top = log_likelihood(best, r);
        EXPECT_NEAR(facts_of(model).log_likelihood, top, 1e-10 * fabsl(top));
        for (int i = 0; i < DIRECTIONS; i++)
            for (int64_t l = 0; l < COUNT_OF(lengths); l++) {
                step_away(other, best, i, lengths[l]);
                const long double there = log_likelihood(other, r);
                if (!(there < top))
                    fail_msg("%s: direction %d, length %Lg: ln L rises by %Lg", c->label, i, lengths[l], there - top);
            }
        dense_gauss_free(best);
        dense_gauss_free(other);
        reference_free(r);
        scree_model_free(model);
        free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case), cmocka_unit_test(no_step_goes_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
