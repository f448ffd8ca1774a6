/* SPDX-License-Identifier: BSD-3-Clause */
/* Roots of the secular equation beside bisection in a longer precision: distances to all poles as exact as the terms
 * tell, poles evenly spaced, drawn, graded, in pairs that nearly touch, with weights from 1 to 1e-14. */

#include "support/checks.h"

#include "base/random.h"
#include "kernel/roots.h"

#include <float.h>
#include <math.h>

enum { MOST = 67 };

typedef struct equation {
    double poles[MOST];
    double squares[MOST];
    int64_t count;
    double rho;
} equation;

static long double at(const equation *e, int64_t nearer, long double tau)
{
    long double sum = 1 / (long double)e->rho;
    for (int64_t j = 0; j < e->count; j++)
        sum += e->squares[j] / (((long double)e->poles[j] - e->poles[nearer]) - tau);
    return sum;
}

/* The root between poles i and i + 1, less the nearer one of these. */
static long double reference(const equation *e, int64_t i, int64_t *nearer)
{
    const long double half = ((long double)e->poles[i + 1] - e->poles[i]) / 2;
    long double low = 0;
    long double high = half;
    *nearer = i;
    if (at(e, i, half) < 0) {
        *nearer = i + 1;
        low = -half;
        high = 0;
    }
    for (int step = 0; step < 16000; step++) {
        const long double middle = (low + high) / 2;
        if (!(middle > low && middle < high))
            break;
        *(at(e, *nearer, middle) < 0 ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

/* What rounding of the terms may move the root by, relative to it. */
static double bound_of(const equation *e, int64_t nearer, long double tau)
{
    long double terms = 1 / (long double)e->rho;
    long double slope = 0;
    for (int64_t j = 0; j < e->count; j++) {
        const long double distance = ((long double)e->poles[j] - e->poles[nearer]) - tau;
        terms += fabsl(e->squares[j] / distance);
        slope += e->squares[j] / (distance * distance);
    }
    return 1e-14 + (double)(8 * DBL_EPSILON * terms / (slope * fabsl(tau)));
}

static void expect_roots(const equation *e)
{
    const scree__poles poles = {e->count, e->poles, e->squares, e->rho};
    double distances[MOST];
    double value;
    for (int64_t i = 0; i + 1 < e->count; i++) {
        int64_t nearer;
        const long double tau = reference(e, i, &nearer);
        assert_true(scree__root_between(&poles, i, distances, &value));
        assert_true(value >= e->poles[i] && value <= e->poles[i + 1]);
        const double bound = bound_of(e, nearer, tau);
        for (int64_t j = 0; j < e->count; j++) {
            const long double distance = ((long double)e->poles[j] - e->poles[nearer]) - tau;
            EXPECT_NEAR((double)(distances[j] / distance), 1, bound);
        }
    }
}

static void even(equation *e, int64_t count, double least)
{
    e->count = count;
    e->rho = 0.7;
    for (int64_t j = 0; j < count; j++) {
        e->poles[j] = (double)j / 16;
        e->squares[j] = j % 3 == 1 ? least : 1.0 / (double)(j + 1);
    }
}

static void test_even(void **state)
{
    (void)state;
    equation e;
    for (int64_t count = 2; count <= MOST; count += 5)
        for (int weights = 0; weights < 3; weights++) {
            even(&e, count, weights == 0 ? 0.5 : weights == 1 ? 1e-7 : 1e-14);
            expect_roots(&e);
        }
}

static void test_drawn(void **state)
{
    (void)state;
    equation e = {.count = MOST, .rho = 3};
    double steps[MOST];
    scree__normals(5, 0, 0, MOST, steps);
    scree__normals(5, 1, 0, MOST, e.squares);
    for (int64_t j = 0; j < MOST; j++) {
        e.poles[j] = (j > 0 ? e.poles[j - 1] : -1) + steps[j] * steps[j];
        e.squares[j] *= e.squares[j];
    }
    expect_roots(&e);
}

static void test_graded(void **state)
{
    (void)state;
    equation e = {.count = 40, .rho = 1};
    for (int64_t j = 0; j < e.count; j++) {
        e.poles[j] = pow(0.5, (double)(e.count - j));
        e.squares[j] = pow(0.7, (double)(e.count - j));
    }
    expect_roots(&e);
}

static void test_pairs(void **state)
{
    (void)state;
    equation e;
    even(&e, 60, 1e-3);
    for (int64_t j = 1; j < e.count; j += 2)
        e.poles[j] = e.poles[j - 1] + 1e-13;
    expect_roots(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_even),
        cmocka_unit_test(test_drawn),
        cmocka_unit_test(test_graded),
        cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
