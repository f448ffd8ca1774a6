/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenpairs of small tridiagonal matrices by implicit shifts: values that are known, residuals and orthogonality of
 * graded matrices both ways round, many alike, zeros on and beside the diagonal, every order up to 40. */

#include "support/checks.h"

#include "base/random.h"
#include "kernel/implicit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

typedef struct matrix {
    double diagonal[MOST];
    double beside[MOST];
    double values[MOST];
    double vectors[MOST * MOST];
} matrix;

static void solve(matrix *m, int64_t n)
{
    double *room = aligned_alloc(64, SCREE__IMPLICIT_ROOM(MOST) * sizeof *room);
    assert_non_null(room);
    memcpy(m->values, m->diagonal, sizeof m->values);
    assert_true(scree__implicit_eigen(n, m->values, m->beside, m->vectors, MOST, room));
    free(room);
}

static double size_of(const matrix *m, int64_t n)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fmax(fabs(m->diagonal[i]), i + 1 < n ? fabs(m->beside[i]) : 0));
    return most;
}

static void expect_pairs(const matrix *m, int64_t n)
{
    const double bound = 2e-15 * (double)(n + 4);
    for (int64_t j = 0; j < n; j++) {
        const double *u = m->vectors + j * MOST;
        assert_true(j == 0 || m->values[j] >= m->values[j - 1]);
        for (int64_t i = 0; i < n; i++) {
            double r = (m->diagonal[i] - m->values[j]) * u[i];
            r += i > 0 ? m->beside[i - 1] * u[i - 1] : 0;
            r += i + 1 < n ? m->beside[i] * u[i + 1] : 0;
            EXPECT_NEAR(r, 0, bound * size_of(m, n));
        }
        for (int64_t l = 0; l <= j; l++) {
            double dot = 0;
            for (int64_t i = 0; i < n; i++)
                dot += u[i] * m->vectors[l * MOST + i];
            EXPECT_NEAR(dot, l == j ? 1 : 0, bound);
        }
    }
}

/* Of a value: what dense.c says of them, the largest being 4. */
#define ERROR(n) (8 * sqrt((double)(n)) * 0x1p-53 * 4)

/* 2 - 2 cos(πj/(n+1)). */
static void test_known(void **state)
{
    (void)state;
    matrix m;
    for (int64_t n = 1; n <= MOST; n++) {
        for (int64_t i = 0; i < n; i++) {
            m.diagonal[i] = 2;
            m.beside[i] = -1;
        }
        solve(&m, n);
        expect_pairs(&m, n);
        for (int64_t j = 0; j < n; j++)
            EXPECT_NEAR(m.values[j], 2 - 2 * cos(acos(-1) * (double)(j + 1) / (double)(n + 1)), ERROR(n));
    }
}

static void test_graded(void **state)
{
    (void)state;
    matrix m;
    for (int64_t n = 1; n <= MOST; n++)
        for (int way = 0; way < 2; way++) {
            for (int64_t i = 0; i < n; i++) {
                m.diagonal[i] = pow(0.3, (double)(way ? n - i : i));
                m.beside[i] = 0.4 * m.diagonal[i];
            }
            solve(&m, n);
            expect_pairs(&m, n);
        }
}

static void test_alike(void **state)
{
    (void)state;
    matrix m;
    for (int64_t n = 1; n <= MOST; n++) {
        for (int64_t i = 0; i < n; i++) {
            m.diagonal[i] = 1;
            m.beside[i] = i % 5 == 2 ? 0 : 1e-9;
        }
        solve(&m, n);
        expect_pairs(&m, n);
    }
}

static void test_zeros(void **state)
{
    (void)state;
    matrix m = {{0}, {0}, {0}, {0}};
    solve(&m, MOST);
    for (int64_t j = 0; j < MOST; j++)
        assert_true(m.values[j] == 0);
    expect_pairs(&m, 1);
    for (int64_t i = 0; i < MOST; i++)
        m.beside[i] = i % 2 == 0 ? 1 : 1e-200;
    solve(&m, MOST);
    expect_pairs(&m, MOST);
}

static void test_random(void **state)
{
    (void)state;
    matrix m;
    for (int64_t n = 1; n <= MOST; n++) {
        scree__normals(1, 0, 0, n, m.diagonal);
        scree__normals(2, 0, 0, n, m.beside);
        solve(&m, n);
        expect_pairs(&m, n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known), cmocka_unit_test(test_graded), cmocka_unit_test(test_alike),
        cmocka_unit_test(test_zeros), cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
