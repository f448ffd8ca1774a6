/* SPDX-License-Identifier: BSD-3-Clause */
/* The covariance method, from rows in memory to a certified model, over the bare SYRK of the same rows: XᵀX in one call
 * with all threads of the BLAS, nothing centred, nothing checked, no eigenvectors. What a fit takes beyond that is what
 * its care costs. Floor: N D² flops at the rate of GEMM, or one read of the rows. */

#include "bench.h"

#include "base/memory.h"
#include "kernel/blas.h"

#include <inttypes.h>

typedef struct product {
    const bench_matrix *x;
    void *gram;
} product;

static scree_status syrk_once(void *context, double *seconds, scree_error *error)
{
    const product *p = context;
    const int64_t n = p->x->rows;
    const int64_t d = p->x->cols;
    const double start = bench_now();
    const int info = p->x->type == SCREE_F32 ? scree__ssyrk(true, d, n, 1, p->x->data, d, 0, p->gram, d)
                                             : scree__dsyrk(true, d, n, 1, p->x->data, d, 0, p->gram, d);
    *seconds = bench_now() - start;
    return info == 0 ? SCREE_OK : scree__fail(error, SCREE_ERR_NUMERIC, "SYRK failed");
}

static void set_floor(bench_line *line, const bench_machine *machine, const bench_matrix *x)
{
    const double cells = (double)x->rows * (double)x->cols;
    bench_line_floor(line, cells * (double)x->cols / machine->flops[x->type], bench_matrix_bytes(x) / machine->bytes);
}

scree_status bench_covariance(const bench_case *c, bench *b, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_matrix x = {0};
    bench_line line = {.name = c->name, .most = c->most};
    bench_fitting fit = {0};
    product syrk = {.x = &x};
    bench_side sides[] = {{.once = bench_fit_once, .context = &fit}, {.once = syrk_once, .context = &syrk}};
    SCREE_TRY(bench_matrix_get(&x, b, c, error));
    bench_fitting_array(&fit, b, x.data, x.type, x.rows, x.cols);
    fit.options.solver = "covariance";
    syrk.gram = scree__alloc(x.cols * x.cols, sizeof(double));
    if (!syrk.gram)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for the result of SYRK");
    SCREE_TRY(bench_interleave(sides, 2, 1, error)); /* the first of each counts for nothing but to be verified */
    SCREE_TRY(bench_check_model(&x, fit.model, &line.errors, error));
    SCREE_TRY(bench_interleave(sides, 2, b->repeats, error));
    bench_line_times(&line, &sides[0], &sides[1]);
    set_floor(&line, &b->machine, &x);
    snprintf(line.what, sizeof line.what, "covariance fit, %" PRId64 "×%" PRId64 " %s, k = %d", x.rows, x.cols,
             bench_type_name(x.type), BENCH_COMPONENTS);
    snprintf(line.against, sizeof line.against, "%ssyrk", x.type == SCREE_F32 ? "s" : "d");
    SCREE_TRY(bench_predict(&line.predicted, &fit, error));
    bench_add(b, &line);
done:
    bench_fitting_clear(&fit);
    free(syrk.gram);
    bench_matrix_clear(&x);
    return status;
}
