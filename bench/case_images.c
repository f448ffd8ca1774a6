/* SPDX-License-Identifier: BSD-3-Clause */
/* Images of bytes, k = 50, against other programs on the same numbers as floats: every solver of scikit-learn, of which
 * the fastest counts, scikit-learn-intelex and FAISS. The covariance is first compared with that of whole numbers of
 * 128 bits, all of its bits. Floor: N D² operations on bytes, or one read of them. */

#include "bench.h"

#include "base/memory.h"
#include "kernel/integer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static scree_status check_bits(const bench_contest *c, const double *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = c->x->cols;
    scree__integer *integer = NULL;
    double *mean = NULL;
    double *found = NULL;
    const scree__rows rows = {c->fit.data, SCREE_U8, c->x->rows, d, d, NULL};
    SCREE_TRY(scree__integer_new(&integer, d, c->b->threads, NULL, error));
    scree__integer_add(integer, &rows);
    scree__integer_finish(integer, c->x->rows - 1, &mean, &found);
    for (int64_t i = 0; i < d * d; i++)
        if (memcmp(&found[i], &s[i], sizeof *s) != 0)
            SCREE_FAIL(error, SCREE_ERR_NUMERIC, "%s: covariance %d, %d is %.17g, in whole numbers %.17g", c->x->path,
                       (int)(i / d) + 1, (int)(i % d) + 1, found[i], s[i]);
done:
    scree__integer_free(integer);
    return status;
}

/* The covariance bit for bit; the variances of the model, which it may have scaled, within rounding. */
static scree_status check_exact(bench_contest *c, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = c->x->cols;
    const double *found = scree_model_get(c->fit.model)->variances;
    double *s = NULL;
    SCREE_ALLOC(s, d * d, error);
    SCREE_TRY(bench_integer_covariance(c->fit.data, c->x, 1, c->b->threads, s, error));
    SCREE_TRY(check_bits(c, s, error));
    for (int64_t j = 0; j < d; j++)
        if (!(fabs(found[j] - s[j * d + j]) <= 1e-12 * s[j * d + j]))
            SCREE_FAIL(error, SCREE_ERR_NUMERIC, "%s: column %d has the variance %.17g, in whole numbers %.17g",
                       c->x->path, (int)j + 1, found[j], s[j * d + j]);
done:
    free(s);
    return status;
}

scree_status bench_images(const bench_case *c, bench *b, scree_error *error)
{
    static const bench_entrant entrants[] = {
        {"sklearn-full", 1.0 / 3, true},   {"sklearn-covariance_eigh", 1.0 / 3, true},
        {"sklearn-arpack", 1.0 / 3, true}, {"sklearn-randomized", 1.0 / 3, true},
        {"sklearnex", 0, false},           {"faiss", 0, false},
    };
    scree_status status = SCREE_OK;
    unsigned char *bytes = NULL;
    bench_matrix x = {0};
    bench_contest contest = {.b = b, .x = &x, .request = "fit", .check = check_exact, .entrants = entrants};
    SCREE_TRY(bench_images_get(&bytes, &x, b, c, error));
    bench_fitting_array(&contest.fit, b, bytes, SCREE_U8, x.rows, x.cols);
    contest.path = x.path;
    contest.count = sizeof entrants / sizeof entrants[0];
    contest.line = (bench_line){.name = c->name, .most = c->most};
    const double cells = (double)(x.rows * x.cols);
    bench_line_floor(&contest.line,
                     cells * (double)x.cols / (b->machine.byte_ops > 0 ? b->machine.byte_ops : b->machine.flops[0]),
                     cells / b->machine.bytes);
    if (b->machine.byte_ops > 0 && contest.line.floor_of[0] == 'f')
        contest.line.floor_of = "operations on bytes";
    snprintf(contest.line.what, sizeof contest.line.what, "fit of bytes, %s, %" PRId64 "×%" PRId64 ", k = %d",
             b->digits ? "MNIST" : "synthetic", x.rows, x.cols, BENCH_COMPONENTS);
    snprintf(contest.line.note, sizeof contest.line.note,
             "covariance in all bits that of 128-bit integers; the others get floats");
    SCREE_TRY(bench_contest_run(&contest, error));
done:
    bench_contest_clear(&contest);
    free(bytes);
    bench_matrix_clear(&x);
    return status;
}
