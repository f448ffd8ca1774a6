/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues by cyclic Jacobi rotations (Golub and Van Loan, 8.5): S ← JᵀSJ zeroes one pair of entries after another,
 * a sweep costs about 6D³ operations, and ten sweeps are plenty; V collects the rotations. Of wide data it is done with
 * G = CCᵀ, N×N, whose eigenvectors v give those of S as Cᵀv. */

#include "support/reference.h"

#include "base/memory.h"
#include "support/checks.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SWEEPS = 60 };

static void *take(int64_t count, size_t size)
{
    void *memory = scree__alloc(count, size);
    assert_non_null(memory);
    return memory;
}

static reference *reference_new(int64_t n, int64_t d, int64_t count)
{
    reference *r = take(1, sizeof *r);
    r->n = n;
    r->d = d;
    r->count = count;
    r->mean = take(d, sizeof *r->mean);
    r->scale = take(d, sizeof *r->scale);
    r->values = take(count, sizeof *r->values);
    r->vectors = take(count * d, sizeof *r->vectors);
    for (int64_t j = 0; j < d; j++)
        r->scale[j] = 1;
    return r;
}

void reference_free(reference *r)
{
    free(r->mean);
    free(r->scale);
    free(r->values);
    free(r->vectors);
    free(r->covariance);
    free(r->centred);
    free(r);
}

/* C = x less its mean, the columns over their deviations where asked for. */
static long double *centred(reference *r, const double *x, reference_options options)
{
    long double *c = take(r->n * r->d, sizeof *c);
    for (int64_t j = 0; j < r->d; j++) {
        long double mean = 0;
        long double squares = 0;
        for (int64_t i = 0; i < r->n; i++)
            mean += x[i * r->d + j];
        mean /= (long double)r->n;
        for (int64_t i = 0; i < r->n; i++) {
            const long double off = x[i * r->d + j] - mean;
            c[i * r->d + j] = off;
            squares += off * off;
        }
        const long double deviation = sqrtl(squares / (long double)(r->n - options.ddof));
        const bool varies = deviation > 1e-14L * fabsl(mean);
        r->mean[j] = (double)mean;
        r->scale[j] = options.unit && varies ? (double)deviation : 1;
        for (int64_t i = 0; options.unit && varies && i < r->n; i++)
            c[i * r->d + j] /= deviation;
    }
    return c;
}

static void rotate(long double *a, long double *b, int64_t n, int64_t step, long double cosine, long double sine)
{
    for (int64_t i = 0; i < n * step; i += step) {
        const long double x = a[i];
        const long double y = b[i];
        a[i] = cosine * x - sine * y;
        b[i] = sine * x + cosine * y;
    }
}

/* S (n×n) becomes diagonal, the rows of v its eigenvectors. */
static void jacobi(long double *s, long double *v, int64_t n)
{
    long double trace = 0;
    for (int64_t i = 0; i < n; i++) {
        v[i * n + i] = 1;
        trace += s[i * n + i];
    }
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        bool done = true;
        for (int64_t p = 0; p < n; p++)
            for (int64_t q = p + 1; q < n; q++) {
                const long double off = s[p * n + q];
                if (fabsl(off) <= LDBL_EPSILON * 1e-4L * trace)
                    continue;
                const long double ratio = (s[q * n + q] - s[p * n + p]) / (2 * off);
                const long double tangent = copysignl(1 / (fabsl(ratio) + sqrtl(1 + ratio * ratio)), ratio);
                const long double cosine = 1 / sqrtl(1 + tangent * tangent);
                rotate(s + p * n, s + q * n, n, 1, cosine, cosine * tangent);
                rotate(s + p, s + q, n, n, cosine, cosine * tangent);
                rotate(v + p * n, v + q * n, n, 1, cosine, cosine * tangent);
                s[p * n + q] = s[q * n + p] = 0;
                done = false;
            }
        if (done)
            return;
    }
    fail_msg("Jacobi's method did not end");
}

static void sort_down(long double *values, long double *vectors, int64_t n, int64_t d)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t best = i;
        for (int64_t j = i + 1; j < n; j++)
            if (values[j] > values[best])
                best = j;
        const long double value = values[i];
        values[i] = values[best];
        values[best] = value;
        for (int64_t j = 0; best != i && j < d; j++) {
            const long double entry = vectors[i * d + j];
            vectors[i * d + j] = vectors[best * d + j];
            vectors[best * d + j] = entry;
        }
    }
}

reference *reference_of(const double *x, int64_t n, int64_t d, reference_options options)
{
    reference *r = reference_new(n, d, d);
    long double *c = centred(r, x, options);
    long double *s = take(d * d, sizeof *s);
    r->covariance = take(d * d, sizeof *r->covariance);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            for (int64_t l = j; l < d; l++)
                s[j * d + l] += c[i * d + j] * c[i * d + l];
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = i; j < d; j++) {
            s[i * d + j] /= (long double)(n - options.ddof);
            r->covariance[i * d + j] = r->covariance[j * d + i] = s[j * d + i] = s[i * d + j];
        }
    jacobi(s, r->vectors, d);
    for (int64_t j = 0; j < d; j++) {
        r->values[j] = s[j * d + j];
        r->total += (double)s[j * d + j];
    }
    sort_down(r->values, r->vectors, d, d);
    free(c);
    free(s);
    return r;
}

/* aᵀb, in eight sums, so that none waits for another. */
static long double dot_of(const long double *a, const long double *b, int64_t n)
{
    long double sums[8] = {0};
    long double all = 0;
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (int64_t l = 0; l < 8; l++)
            sums[l] += a[i + l] * b[i + l];
    for (; i < n; i++)
        all += a[i] * b[i];
    for (int64_t l = 0; l < 8; l++)
        all += sums[l];
    return all;
}

/* out (d) = Cᵀy. */
static void across(const reference *r, const long double *y, long double *out)
{
    memset(out, 0, (size_t)r->d * sizeof *out);
    for (int64_t i = 0; i < r->n; i++)
        for (int64_t j = 0; j < r->d; j++)
            out[j] += y[i] * r->centred[i * r->d + j];
}

reference *reference_of_wide(const double *x, int64_t n, int64_t d, int64_t k, reference_options options)
{
    reference *r = reference_new(n, d, n);
    long double *c = r->centred = centred(r, x, options);
    long double *g = take(n * n, sizeof *g);
    long double *v = take(n * n, sizeof *v);
    const int64_t copies = options.copies > 0 ? options.copies : 1;
    for (int64_t i = 0; i < n * d; i++)
        c[i] /= sqrtl((long double)(n - options.ddof));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i; j < n; j++)
            g[i * n + j] = g[j * n + i] = (long double)copies * dot_of(c + i * d, c + j * d, d / copies);
    jacobi(g, v, n);
    for (int64_t j = 0; j < n; j++) {
        r->values[j] = g[j * n + j];
        r->total += (double)g[j * n + j];
    }
    sort_down(r->values, v, n, n);
    while (r->count > 0 && r->values[r->count - 1] <= 1e-16L * r->values[0])
        r->count--;
    for (int64_t j = 0; j < k && j < r->count; j++) {
        long double *u = r->vectors + j * d;
        across(r, v + j * n, u);
        const long double norm = sqrtl(dot_of(u, u, d));
        for (int64_t i = 0; i < d; i++)
            u[i] /= norm;
    }
    free(g);
    free(v);
    return r;
}

reference *reference_known(int64_t n, int64_t d, int64_t count, const double *values, const double *vectors)
{
    reference *r = reference_new(n, d, count);
    for (int64_t j = 0; j < count; j++) {
        r->values[j] = values[j];
        r->total += values[j];
    }
    for (int64_t i = 0; i < count * d; i++)
        r->vectors[i] = vectors[i];
    return r;
}

double reference_sine(const reference *r, const double *u, int64_t first, int64_t last)
{
    long double *rest = take(r->d, sizeof *rest);
    long double length = 0;
    long double outside = 0;
    for (int64_t i = 0; i < r->d; i++)
        rest[i] = u[i];
    for (int64_t j = first; j <= last; j++) {
        const long double *v = r->vectors + j * r->d;
        long double along = 0;
        for (int64_t i = 0; i < r->d; i++)
            along += v[i] * u[i];
        for (int64_t i = 0; i < r->d; i++)
            rest[i] -= along * v[i];
    }
    for (int64_t i = 0; i < r->d; i++) {
        length += (long double)u[i] * u[i];
        outside += rest[i] * rest[i];
    }
    free(rest);
    return (double)sqrtl(outside / length);
}

/* ‖CᵀCu - λu‖. */
static double wide_residual(const reference *r, const double *u, double value)
{
    long double *y = take(r->n, sizeof *y);
    long double *image = take(r->d, sizeof *image);
    for (int64_t j = 0; j < r->d; j++)
        image[j] = u[j];
    for (int64_t i = 0; i < r->n; i++)
        y[i] = dot_of(r->centred + i * r->d, image, r->d);
    across(r, y, image);
    for (int64_t j = 0; j < r->d; j++)
        image[j] -= (long double)value * u[j];
    const double norm = (double)sqrtl(dot_of(image, image, r->d));
    free(y);
    free(image);
    return norm;
}

static double true_residual(const reference *r, const double *u, double value)
{
    if (r->centred)
        return wide_residual(r, u, value);
    long double sum = 0;
    for (int64_t i = 0; i < r->d; i++) {
        long double image = -(long double)value * u[i];
        for (int64_t j = 0; j < r->d; j++)
            image += r->covariance[i * r->d + j] * u[j];
        sum += image * image;
    }
    return (double)sqrtl(sum);
}

static void expect_orthonormal(const scree_model_view *view, const char *label)
{
    for (int64_t i = 0; i < view->m; i++)
        for (int64_t j = 0; j <= i; j++) {
            double dot = i == j ? -1 : 0;
            for (int64_t l = 0; l < view->d; l++)
                dot += view->components[i * view->d + l] * view->components[j * view->d + l];
            if (!(fabs(dot) <= 1e-13))
                fail_msg("%s: components %lld and %lld are off by %.3g from orthonormal", label, (long long)i,
                         (long long)j, dot);
        }
}

static double value_at(const reference *r, int64_t j)
{
    return j < r->count ? (double)r->values[j] : 0;
}

static void expect_component(const reference *r, const scree_model_view *view, int64_t j, const char *label)
{
    const double bound = view->eigenvalue_bounds[j];
    const double angle = view->angle_bounds[j];
    const int64_t first = view->cluster_first[j];
    const int64_t last = view->cluster_last[j];
    const double *u = view->components + j * r->d;
    const double truth = value_at(r, j);
    const double own = 64 * (double)LDBL_EPSILON * r->total; /* the reference's own error */
    const double off = (double)fabsl(view->eigenvalues[j] - (j < r->count ? r->values[j] : 0));
    if (!(off <= bound + own))
        fail_msg("%s: eigenvalue %lld is %.17g, not %.17g: off by %.3g, bound %.3g", label, (long long)j,
                 view->eigenvalues[j], truth, off, bound);
    if ((r->covariance || r->centred) && !(true_residual(r, u, view->eigenvalues[j]) <= view->residuals[j] + own))
        fail_msg("%s: component %lld has the residual %.3g, bound %.3g", label, (long long)j,
                 true_residual(r, u, view->eigenvalues[j]), view->residuals[j]);
    assert_true(first <= j && j <= last && last < view->m);
    assert_true(angle >= 0 && angle <= 1);
    if (angle == 1)
        return;
    if (last >= r->count)
        fail_msg("%s: component %lld has an angle bound, %.3g, with no variance to determine it", label, (long long)j,
                 angle);
    const double sine = reference_sine(r, u, first, last);
    if (!(sine <= angle + 1e-15 + own / view->gaps[j]))
        fail_msg("%s: component %lld is off by an angle of sine %.3g, bound %.3g, cluster %lld-%lld", label,
                 (long long)j, sine, angle, (long long)first, (long long)last);
}

/* What is well determined must be said to be so: a bound that is always 1 would never be wrong. */
static void expect_informative(const reference *r, const scree_model_view *view, int64_t j, const char *label)
{
    const double first = value_at(r, 0);
    int64_t low = j;
    int64_t high = j;
    while (low > 0 && value_at(r, low - 1) - value_at(r, low) <= 1e-9 * first)
        low--;
    while (high + 1 < r->d && value_at(r, high) - value_at(r, high + 1) <= 1e-9 * first)
        high++;
    const double above = low > 0 ? value_at(r, low - 1) - value_at(r, low) : first;
    const double below = high + 1 < r->d ? value_at(r, high) - value_at(r, high + 1) : first;
    if (high < view->m && fmin(above, below) > 1e-2 * first && view->angle_bounds[j] > 0.1)
        fail_msg("%s: component %lld stands clear, but its angle bound is %.3g", label, (long long)j,
                 view->angle_bounds[j]);
    const bool sampling = view->stop_rule && strcmp(view->stop_rule, "sampling") == 0;
    const double most = sampling ? fmax(1e-3, sqrt(2.0 / (double)view->n)) : 1e-3;
    if (!(view->eigenvalue_bounds[j] <= most * first))
        fail_msg("%s: eigenvalue %lld has the bound %.3g, which says nothing", label, (long long)j,
                 view->eigenvalue_bounds[j]);
}

void reference_expect(const reference *r, const scree_model *model, const char *label)
{
    const scree_model_view *view = scree_model_get(model);
    double kept = 0;
    double bounds = 0;
    assert_int_equal(view->n, r->n);
    assert_int_equal(view->d, r->d);
    /* The residual has the rounding of S in it, which float arithmetic may have. */
    if (!(fabs(view->total_variance - r->total) <= 1e-12 * r->total + view->residuals[0]))
        fail_msg("%s: the total variance is %.17g, not %.17g", label, view->total_variance, r->total);
    expect_orthonormal(view, label);
    for (int64_t j = 0; j < view->m; j++) {
        if (j > 0 && view->eigenvalues[j] > view->eigenvalues[j - 1])
            fail_msg("%s: eigenvalue %lld is larger than the one before it", label, (long long)j);
        expect_component(r, view, j, label);
        expect_informative(r, view, j, label);
        kept += value_at(r, j);
        bounds += view->eigenvalue_bounds[j];
    }
    if (!(fabs(view->reconstruction_error - (r->total - kept)) <=
          bounds + fmax(1e-12, (double)r->d * DBL_EPSILON) * r->total))
        fail_msg("%s: J is %.17g, not %.17g", label, view->reconstruction_error, r->total - kept);
}

static void expect_same(const double *a, const double *b, int64_t count, const char *what, const char *label)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a && memcmp(a, b, (size_t)count * sizeof *a) != 0)
        fail_msg("%s: the bits of %s differ", label, what);
}

void accuracy_expect_same(const scree_model_view *a, const scree_model_view *b, const char *label)
{
    assert_int_equal(a->m, b->m);
    expect_same(a->residuals, b->residuals, a->m, "the residuals", label);
    expect_same(a->gaps, b->gaps, a->m, "the gaps", label);
    expect_same(a->eigenvalue_bounds, b->eigenvalue_bounds, a->m, "the bounds of eigenvalues", label);
    expect_same(a->angle_bounds, b->angle_bounds, a->m, "the bounds of angles", label);
    for (int64_t j = 0; j < a->m; j++)
        if (a->cluster_first[j] != b->cluster_first[j] || a->cluster_last[j] != b->cluster_last[j])
            fail_msg("%s: the clusters of component %lld differ", label, (long long)j);
}

void models_expect_same(const scree_model *first, const scree_model *second, const char *label)
{
    const scree_model_view *a = scree_model_get(first);
    const scree_model_view *b = scree_model_get(second);
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->d, b->d);
    assert_int_equal(a->m, b->m);
    assert_int_equal(a->passes, b->passes);
    assert_string_equal(a->solver, b->solver);
    expect_same(a->mean, b->mean, a->d, "the mean", label);
    expect_same(a->scale, b->scale, a->d, "the scale", label);
    expect_same(a->eigenvalues, b->eigenvalues, a->m, "the eigenvalues", label);
    expect_same(a->components, b->components, a->m * a->d, "the components", label);
    expect_same(&a->total_variance, &b->total_variance, 1, "the total variance", label);
    expect_same(&a->noise_variance, &b->noise_variance, 1, "the noise variance", label);
    accuracy_expect_same(a, b, label);
}

scree_model *reference_expect_runs(const reference *r, const rows *x, const scree_fit_options *options,
                                   const scree_run *runs, int count, const char *label)
{
    scree_fit_options chosen = *options;
    chosen.run = &runs[0];
    scree_model *first = rows_fit(x, &chosen);
    if (!scree_model_get(first)->converged)
        fail_msg("%s: it did not converge", label);
    reference_expect(r, first, label);
    for (int i = 1; i < count; i++) {
        chosen.run = &runs[i];
        scree_model *model = rows_fit(x, &chosen);
        models_expect_same(first, model, label);
        scree_model_free(model);
    }
    return first;
}
