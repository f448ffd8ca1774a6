/* SPDX-License-Identifier: BSD-3-Clause */
/* The BLAS door: storage orders are as blas.h says, sizes are checked, the guard nests. Values are small enough to be
 * exact, or come from a matrix whose eigenvalues are known. */

#include "kernel/blas.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("found %.17g, expected %.17g", found, expected);
}

static void gemm_is_row_major(void **state)
{
    (void)state;
    const double a[] = {1, 2, 3, 4, 5, 6};  /* 2×3 */
    const double b[] = {1, 0, 2, 1, 0, 3};  /* 3×2 */
    const double ab[] = {5, 11, 14, 23};    /* A B */
    const double at_a[] = {17, 22, 22, 29}; /* first 2×2 of AᵀA */
    const float fa[] = {1, 2, 3, 4, 5, 6};
    double c[4] = {1, 1, 1, 1};
    float f[4] = {0};
    assert_int_equal(scree__dgemm(false, false, 2, 2, 3, 1.0, a, 3, b, 2, 0.0, c, 2), 0);
    for (int i = 0; i < 4; i++)
        assert_near(c[i], ab[i], 0.0);
    assert_int_equal(scree__dgemm(true, false, 2, 2, 2, 1.0, a, 3, a, 3, 1.0, c, 2), 0);
    for (int i = 0; i < 4; i++)
        assert_near(c[i], ab[i] + at_a[i], 0.0);
    assert_int_equal(scree__sgemm(true, false, 2, 2, 2, 1.0F, fa, 3, fa, 3, 0.0F, f, 2), 0);
    for (int i = 0; i < 4; i++)
        assert_near((double)f[i], at_a[i], 0.0);
}

static void syrk_fills_the_upper_triangle(void **state)
{
    (void)state;
    const double a[] = {1, 2, 3, 4, 5, 6};
    const float fa[] = {1, 2, 3, 4, 5, 6};
    double c[9] = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
    const double expected[9] = {17, 22, 27, -1, 29, 36, -1, -1, 45};
    float f[4] = {0, 0, -1, 0};
    assert_int_equal(scree__dsyrk(true, 3, 2, 1.0, a, 3, 0.0, c, 3), 0);
    for (int i = 0; i < 9; i++)
        assert_near(c[i], expected[i], 0.0);
    assert_int_equal(scree__ssyrk(false, 2, 3, 1.0F, fa, 3, 0.0F, f, 2), 0);
    assert_near((double)f[0], 14, 0.0);
    assert_near((double)f[1], 32, 0.0);
    assert_near((double)f[2], -1, 0.0);
    assert_near((double)f[3], 77, 0.0);
}

static void cholesky_and_trsm_orthonormalise(void **state)
{
    (void)state;
    double x[] = {3, 1, 0, 4, 0, 2}; /* 3×2 */
    double r[4] = {0};
    double g[4] = {0};
    assert_int_equal(scree__dsyrk(true, 2, 3, 1.0, x, 2, 0.0, r, 2), 0);
    assert_int_equal(scree__dpotrf(2, r, 2), 0);
    assert_near(r[0], 3.0, 1e-15);
    assert_near(r[1], 1.0, 1e-15);
    assert_int_equal(scree__dtrsm(true, false, 3, 2, 1.0, r, 2, x, 2), 0); /* X R⁻¹ */
    assert_int_equal(scree__dgemm(true, false, 2, 2, 3, 1.0, x, 2, x, 2, 0.0, g, 2), 0);
    assert_near(g[0], 1.0, 1e-14);
    assert_near(g[1], 0.0, 1e-14);
    assert_near(g[3], 1.0, 1e-14);
    double indefinite[4] = {1, 2, 2, 1};
    assert_int_equal(scree__dpotrf(2, indefinite, 2), 2);
}

static void syevd_gives_eigenvectors_as_rows(void **state)
{
    (void)state;
    /* The lower triangle is rubbish: only the upper one may be read. */
    double a[] = {2, 1, 0, 99, 2, 0, 99, 99, 7};
    double w[3];
    assert_int_equal(scree__dsyevd(3, a, 3, w), 0);
    assert_near(w[0], 1.0, 1e-14);
    assert_near(w[1], 3.0, 1e-14);
    assert_near(w[2], 7.0, 1e-14);
    assert_near(a[0] + a[1], 0.0, 1e-14); /* row 0: (1, -1, 0)/√2 */
    assert_near(fabs(a[0]), sqrt(0.5), 1e-14);
    assert_near(a[3] - a[4], 0.0, 1e-14);
    assert_near(fabs(a[8]), 1.0, 1e-14);
}

static void syevr_gives_the_largest_ascending(void **state)
{
    (void)state;
    double a[] = {2, 1, 0, 99, 2, 0, 99, 99, 7};
    double w[3];
    double z[6];
    assert_int_equal(scree__dsyevr(3, a, 3, 2, w, z, 3), 0);
    assert_near(w[0], 3.0, 1e-14);
    assert_near(w[1], 7.0, 1e-14);
    assert_near(fabs(z[0]), sqrt(0.5), 1e-14); /* row 0: (1, 1, 0)/√2 */
    assert_near(z[0] - z[1], 0.0, 1e-14);
    assert_near(fabs(z[5]), 1.0, 1e-14);
    assert_int_equal(scree__dsyevr((int64_t)INT32_MAX + 1, a, 3, 1, w, z, 3), SCREE__BLAS_TOO_LARGE);
}

static void qr_gives_back_the_matrix(void **state)
{
    (void)state;
    const double x[] = {3, 0, 4, 1, 2, 2}; /* column-major 3×2 */
    double q[6];
    double tau[2];
    double r[6] = {0};
    for (int i = 0; i < 6; i++)
        q[i] = x[i];
    assert_int_equal(scree__dgeqrf(3, 2, q, 3, tau), 0);
    r[0] = q[0];
    r[3] = q[3];
    r[4] = q[4];
    assert_near(fabs(r[0]), 5.0, 1e-14);
    assert_int_equal(scree__dormqr('L', 'N', 3, 2, 2, q, 3, tau, r, 3), 0); /* Q R */
    for (int i = 0; i < 6; i++)
        assert_near(r[i], x[i], 1e-14);
    assert_int_equal(scree__dorgqr(3, 2, 2, q, 3, tau), 0);
    assert_near(q[0] * q[0] + q[1] * q[1] + q[2] * q[2], 1.0, 1e-14);
    assert_near(q[0] * q[3] + q[1] * q[4] + q[2] * q[5], 0.0, 1e-14);
}

static void tpqrt_stacks_triangles(void **state)
{
    (void)state;
    double a[4] = {3, 0, 1, 2}; /* upper triangular, column-major */
    double b[4] = {4, 1, 2, 2}; /* 2×2 */
    double t[4];
    assert_int_equal(scree__dtpqrt(2, 2, 0, 2, a, 2, b, 2, t, 2), 0);
    assert_near(fabs(a[0]), sqrt(26.0), 1e-14);          /* ‖(3, 0, 4, 1)‖ */
    assert_near(a[0] * a[2], 13.0, 1e-13);               /* its product with (1, 2, 2, 2) */
    assert_near(a[2] * a[2] + a[3] * a[3], 13.0, 1e-13); /* ‖(1, 2, 2, 2)‖² */
}

static void svds_agree(void **state)
{
    (void)state;
    /* Column-major 3×2 with graded columns: singular values 5 and 1e-20 exactly. */
    const double x[] = {3, 0, 4, 0, 1e-20, 0};
    double a[6];
    double sigma[2];
    double u[6];
    double v[4];
    for (int i = 0; i < 6; i++)
        a[i] = x[i];
    assert_int_equal(scree__dgejsv(3, 2, a, 3, sigma, u, 3, v, 2), 0);
    assert_near(sigma[0], 5.0, 1e-14);
    assert_near(sigma[1], 1e-20, 1e-34);
    assert_near(fabs(v[0]), 1.0, 1e-15);
    assert_near(u[0] * v[0], 0.6, 1e-15);
    for (int i = 0; i < 6; i++)
        a[i] = x[i];
    assert_int_equal(scree__dgejsv(3, 2, a, 3, sigma, NULL, 0, NULL, 0), 0);
    assert_near(sigma[1], 1e-20, 1e-34);
    for (int i = 0; i < 6; i++)
        a[i] = x[i];
    assert_int_equal(scree__dgesdd('S', 3, 2, a, 3, sigma, u, 3, v, 2), 0);
    assert_near(sigma[0], 5.0, 1e-14);
}

static void sizes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    const int64_t large = INT64_C(1) << 31;
    double a = 1.0;
    double c = 7.0;
    assert_int_equal(scree__dgemm(false, false, 1, 1, large, 1.0, &a, large, &a, 1, 0.0, &c, 1), SCREE__BLAS_TOO_LARGE);
    assert_int_equal(scree__dsyrk(false, -1, 1, 1.0, &a, 1, 0.0, &c, 1), SCREE__BLAS_TOO_LARGE);
    assert_int_equal(scree__dsyevd(large, &c, large, &a), SCREE__BLAS_TOO_LARGE);
    assert_near(c, 7.0, 0.0);
}

static void guard_nests_and_restores(void **state)
{
    (void)state;
    int before = scree__blas_threads();
    scree__blas_enter();
    assert_int_equal(scree__blas_threads(), 1);
    scree__blas_enter();
    scree__blas_leave();
    assert_int_equal(scree__blas_threads(), 1);
    scree__blas_leave();
    assert_int_equal(scree__blas_threads(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm_is_row_major),
        cmocka_unit_test(syrk_fills_the_upper_triangle),
        cmocka_unit_test(cholesky_and_trsm_orthonormalise),
        cmocka_unit_test(syevd_gives_eigenvectors_as_rows),
        cmocka_unit_test(syevr_gives_the_largest_ascending),
        cmocka_unit_test(qr_gives_back_the_matrix),
        cmocka_unit_test(tpqrt_stacks_triangles),
        cmocka_unit_test(svds_agree),
        cmocka_unit_test(sizes_that_do_not_fit_are_refused),
        cmocka_unit_test(guard_nests_and_restores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
