/* SPDX-License-Identifier: BSD-3-Clause */
/* From a CSV file of 1 GB to a model, k = 50, against pandas.read_csv and polars.read_csv with scikit-learn's PCA after
 * them, each as it comes. The file has the doubles of a matrix in 17 digits, so what the matrix itself gives is the
 * reference. The file is in the system's cache. Floor: `cat FILE >/dev/null`. */

#include "bench.h"

#include <inttypes.h>

scree_status bench_csv_fit(const bench_case *c, bench *b, scree_error *error)
{
    const bench_entrant entrants[] = {{"pandas", c->most, false}, {"polars", 0.4, false}};
    scree_status status = SCREE_OK;
    bench_matrix x = {0};
    bench_contest contest = {.b = b, .x = &x, .request = "csv-fit", .entrants = entrants};
    char path[600];
    const double cells = (double)bench_rows(b, c) * (double)c->cols;
    if (!bench_has_room(b, c, 28 * cells, 60 * cells)) /* text and doubles; a data frame and two copies */
        return SCREE_OK;
    SCREE_TRY(bench_matrix_get(&x, b, c, error));
    SCREE_TRY(bench_numbers_of_matrix(path, sizeof path, &x, b->threads, error));
    bench_fitting_file(&contest.fit, b, path);
    contest.path = path;
    contest.count = sizeof entrants / sizeof entrants[0];
    contest.line = (bench_line){.name = c->name, .most = c->most, .floor_of = "cat"};
    SCREE_TRY(bench_child_cat(&contest.line.floor, path, error)); /* the first of two counts for nothing */
    SCREE_TRY(bench_child_cat(&contest.line.floor, path, error));
    snprintf(contest.line.what, sizeof contest.line.what, "CSV to model, %" PRId64 "×%" PRId64 ", %.2f GB, k = %d",
             x.rows, x.cols, bench_file_bytes(path) * 1e-9, BENCH_COMPONENTS);
    SCREE_TRY(bench_contest_run(&contest, error));
done:
    bench_contest_clear(&contest);
    bench_matrix_clear(&x);
    return status;
}
