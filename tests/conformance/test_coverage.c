/* SPDX-License-Identifier: BSD-3-Clause */
/* Intervals of eigenvalues and limits of angles hold the truth in 90 to 98 % of samples, at nominal 95 %, of 50 to 1000
 * rows and 5 to 100 columns; those of a bootstrap, shares included, where there are ten rows or more for a column. The
 * same for scaled columns, for the last component of those kept, and near ties. Rows that are not normal have no
 * theory: what it covers there is known and must not become less, and a bootstrap must come nearer; rows of Student's t
 * lose angles the more the columns are, and are looked at with five. tally.h says how to run it in parts. */

#include "support/checks.h"

#include "support/coverage.h"
#include "support/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 1000, REPLICATES = 200, VALUE = 0, ANGLE, SHARE };

static const int64_t rows[] = {50, 200, 1000};
static const int64_t columns[] = {5, 20, 100};

/* Separated spectra; other directions have variance 1, or fall off likewise. */
static const population spectra[] = {
    {.signals = 4, .value = {300, 100, 30, 10}},
    {.signals = 3, .value = {60, 24, 10}},
    {.signals = 1, .value = {12}},
    {.signals = 2, .value = {16, 8}, .tail = 0.5},
    {.signals = 3, .value = {100, 50, 45}},
};

typedef struct family {
    const char *name;
    int64_t replicates;
    bool scaled;
    coverage_shape shape;
    int64_t divisor; /* of SAMPLES, where not all are needed */
    double least;    /* coverage of eigenvalues and shares that is expected, at least */
    double angle;    /* and of angles */
    double most;
    int64_t kept;        /* components of a fit; 0: all, of a bootstrap the signals */
    int64_t max_columns; /* 0: any number */
} family;

static const family families[] = {
    {"theory", 0, false, SHAPE_NORMAL, 2, 0.90, 0.90, 0.98, 0, 0},
    {"bootstrap", REPLICATES, false, SHAPE_NORMAL, 10, 0.90, 0.90, 0.98, 0, 0},
    {"theory, scaled", 0, true, SHAPE_NORMAL, 2, 0.88, 0.88, 0.99, 0, 0},
    {"theory, scaled, one kept", 0, true, SHAPE_NORMAL, 2, 0.88, 0.88, 0.99, 1, 0},
    {"theory, one kept", 0, false, SHAPE_NORMAL, 2, 0.90, 0.90, 0.98, 1, 0},
    {"bootstrap, scaled", REPLICATES, true, SHAPE_NORMAL, 10, 0.88, 0.88, 0.99, 0, 0},
    {"theory, t5 rows", 0, false, SHAPE_HEAVY_ROWS, 5, 0.70, 0.55, 0.95, 0, 5},
    {"theory, Laplace", 0, false, SHAPE_LAPLACE, 5, 0.74, 0.88, 0.99, 0, 0},
    {"theory, skewed", 0, false, SHAPE_SKEWED, 5, 0.63, 0.85, 0.99, 0, 0},
    {"bootstrap, t5 rows", REPLICATES, false, SHAPE_HEAVY_ROWS, 20, 0.88, 0.88, 1, 0, 0},
    {"bootstrap, Laplace", REPLICATES, false, SHAPE_LAPLACE, 20, 0.88, 0.90, 1, 0, 0},
    {"bootstrap, skewed", REPLICATES, false, SHAPE_SKEWED, 20, 0.84, 0.90, 1, 0, 0},
};

static tally_plan plan;
static tally counts;

static void add_counts(const char *name, const population *p, const coverage *c)
{
    char text[TALLY_NAME + 64];
    for (int64_t j = 0; j < p->signals && (p->kept == 0 || j < p->kept); j++) {
        snprintf(text, sizeof text, "%s: component %lld of %lld", name, (long long)j + 1, (long long)p->signals);
        tally_row *row = tally_of(&counts, text);
        row->samples += c->samples;
        row->count[VALUE] += c->value[j];
        row->count[ANGLE] += c->angle[j];
        row->count[SHARE] += c->share[j];
    }
}

/* Few, or as many as the test has by itself, or as asked for. */
static int64_t samples_of(const family *f)
{
    return plan.samples > 0 ? plan.samples : SLOW_BUILD ? 10 : SAMPLES / f->divisor;
}

static void simulate(const family *f, const population *p, uint64_t seed)
{
    char name[TALLY_NAME];
    coverage c = {0};
    snprintf(name, sizeof name, "%s, %lld × %lld", f->name, (long long)p->rows, (long long)p->columns);
    if (!tally_wants(&plan, name))
        return;
    coverage_world *world = coverage_begin(p);
    for (int64_t i = 0; i < samples_of(f); i++)
        if (tally_has(&plan, i))
            coverage_add(world, seed + (uint64_t)i, &c);
    coverage_free(world);
    add_counts(name, p, &c);
}

static void simulate_all(const family *f, uint64_t seed)
{
    for (int64_t n = 0; n < COUNT_OF(rows); n++)
        for (int64_t d = 0; d < COUNT_OF(columns); d++)
            for (int64_t s = 0; s < COUNT_OF(spectra); s++) {
                population p = spectra[s];
                p.rows = rows[n];
                p.columns = columns[d];
                p.kept = f->replicates > 0 ? p.signals : f->kept;
                p.bootstrap = f->replicates;
                p.scaled = f->scaled;
                p.shape = f->shape;
                seed += UINT64_C(1) << 20;
                if (f->scaled && p.tail > 0)
                    continue;
                if (f->max_columns > 0 && p.columns > f->max_columns)
                    continue;
                if (f->replicates == 0 || p.rows >= 10 * p.columns)
                    simulate(f, &p, seed);
            }
}

static bool is_wrong(const tally_row *row, int which, const family *f)
{
    const double error = sqrt(0.95 * 0.05 / (double)row->samples);
    const double share = tally_share(row, which);
    const double least = which == ANGLE ? f->angle : f->least;
    return share < least - 3 * error || share > f->most + 3 * error;
}

static const family *family_of(const tally_row *row)
{
    const family *found = NULL;
    for (int64_t f = 0; f < COUNT_OF(families); f++)
        if (strncmp(row->name, families[f].name, strlen(families[f].name)) == 0)
            found = &families[f]; /* the last: longer names come later */
    assert_non_null(found);
    return found;
}

static void judge(void)
{
    int failures = 0;
    for (int64_t i = 0; i < counts.used; i++) {
        const tally_row *row = &counts.row[i];
        const family *f = family_of(row);
        const int last = f->replicates > 0 ? SHARE : ANGLE;
        bool wrong = false;
        for (int which = VALUE; which <= last; which++)
            wrong |= is_wrong(row, which, f);
        printf("%-48s eigenvalue %.3f, angle %.3f", row->name, tally_share(row, VALUE), tally_share(row, ANGLE));
        if (last == SHARE)
            printf(", share %.3f", tally_share(row, SHARE));
        printf(" of %lld%s\n", (long long)row->samples, wrong ? "  WRONG" : "");
        failures += wrong;
    }
    assert_int_equal(failures, 0);
}

static void test_coverage(void **state)
{
    (void)state;
    if (plan.files)
        assert_true(tally_read(&counts, &plan));
    for (int64_t f = 0; f < COUNT_OF(families) && !plan.files; f++)
        simulate_all(&families[f], (uint64_t)(f + 1) << 32);
    if (plan.only_count)
        tally_print(&counts);
    else
        judge();
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage),
    };
    if (!tally_arguments(&plan, count, arguments))
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
