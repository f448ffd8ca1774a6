/* SPDX-License-Identifier: BSD-3-Clause */
/* Data large enough for lanczos to search in float and certify in double: the true errors of every component must be
 * within the bounds that the model reports, whatever float made of ties, large means, steep spectra and missing ranks;
 * and the bits must not depend on threads, on the rows read at a time, nor on memory to keep packed rows in. */

#include "support/checks.h"

#include "base/memory.h"
#include "support/reference.h"
#include "support/rows.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 64, COPIES = 8 }; /* each row is there so often: the reference needs it once */

typedef struct mixed {
    const char *name;
    int64_t n;
    int64_t d;
    int64_t k;
    double (*cell)(int64_t i, int64_t j); /* or NULL: Walsh functions */
    int64_t copies[3];                    /* of the values 5, 4 and 2 */
    double tolerance;
    bool unit;
} mixed;

static double decaying(int64_t i, int64_t j)
{
    return rows_random(1, i, j) / (double)(1 + j);
}

static double far_away(int64_t i, int64_t j)
{
    return 1000 + decaying(i, j);
}

/* Neighbouring eigenvalues as near as chance makes them. */
static double flat(int64_t i, int64_t j)
{
    return rows_random(2, i, j);
}

/* The tenth eigenvalue is a millionth of the first. */
static double steep(int64_t i, int64_t j)
{
    return rows_random(3, i, j) * exp2(-(double)j);
}

static double four_directions(int64_t i, int64_t j)
{
    double sum = 0;
    for (int64_t r = 0; r < 4; r++)
        sum += rows_random(4, i, r) * rows_random(5, r, j) / (double)(1 + r);
    return sum;
}

static const mixed cases[] = {
    {"decaying", 20000, 104, 10, decaying, {0}, 1e-6, false},
    {"decaying, strict", 20000, 104, 10, decaying, {0}, 1e-8, false},
    {"far away", 20000, 104, 10, far_away, {0}, 1e-6, false},
    {"flat", 20000, 104, 5, flat, {0}, 1e-6, false},
    {"steep", 20000, 104, 10, steep, {0}, 1e-6, false},
    {"six of four", 20000, 104, 6, four_directions, {0}, 1e-6, false},
    {"unit scale", 20000, 104, 10, far_away, {0}, 1e-6, true},
    {"ties", 8192, 256, 10, NULL, {3, 7, 20}, 1e-6, false},
    {"a tie that is cut", 8192, 256, 20, NULL, {3, 30, 10}, 1e-6, false},
    {"more copies than the block, cut", 8192, 256, 10, NULL, {40, 10, 0}, 1e-8, false},
};

static reference *reference_of_case(const mixed *c, const rows *x, const double *s, int64_t count)
{
    double values[MOST];
    if (c->cell) {
        reference *r = reference_of(x->exact, c->n / COPIES, c->d, (reference_options){.unit = c->unit});
        r->n = c->n;
        return r;
    }
    double *vectors = scree__alloc(count * c->d, sizeof *vectors);
    assert_non_null(vectors);
    for (int64_t r = 0; r < count; r++) {
        values[r] = s[r] * s[r] * (double)c->d;
        for (int64_t j = 0; j < c->d; j++)
            vectors[r * c->d + j] = rows_walsh(r + 1, j) / sqrt((double)c->d);
    }
    reference *known = reference_known(c->n, c->d, count, values, vectors);
    free(vectors);
    return known;
}

static double *cells_of(const mixed *c, const double *s, int64_t count)
{
    if (!c->cell)
        return rows_walsh_sum(c->n, c->d, s, count);
    double *x = scree__alloc(c->n * c->d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < c->n; i++)
        for (int64_t j = 0; j < c->d; j++)
            x[i * c->d + j] = c->cell(i % (c->n / COPIES), j);
    rows_mix(x, c->n, c->d);
    return x;
}

static void run_case(const mixed *c, scree_type type)
{
    static const double value[] = {5, 4, 2};
    static const scree_run runs[] = {{.size = sizeof(scree_run), .threads = 2},
                                     {.size = sizeof(scree_run), .threads = 1, .block_rows = 333},
                                     {.size = sizeof(scree_run), .threads = 4, .memory = INT64_C(20) << 20}};
    double s[MOST];
    int64_t count = 0;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.no_imputer = true; /* tested apart */
    for (int kind = 0; kind < 3; kind++)
        for (int64_t i = 0; i < c->copies[kind]; i++)
            s[count++] = value[kind];
    rows *x = rows_of(cells_of(c, s, count), c->n, c->d, type, 1);
    reference *r = reference_of_case(c, x, s, count);
    options.components = c->k;
    options.solver = "lanczos";
    options.tolerance = c->tolerance;
    options.scale = c->unit ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
    scree_model_free(reference_expect_runs(r, x, &options, runs, type == SCREE_F32 ? 2 : 3, c->name));
    reference_free(r);
    rows_free(x);
}

static void test_double(void **state)
{
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(cases); i += SLOW_BUILD ? 4 : 1)
        run_case(&cases[i], SCREE_F64);
}

static void test_float(void **state)
{
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(cases); i += SLOW_BUILD ? 5 : 2)
        run_case(&cases[i], SCREE_F32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_double),
        cmocka_unit_test(test_float),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
