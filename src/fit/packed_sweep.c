/* SPDX-License-Identifier: BSD-3-Clause */
/* ZZᵀY in one read of genotypes as they lie, variant after variant: for each block of variants T = ZᵀY, and the image
 * gains ZT (kernel/calls_product.c). A call becomes (x - µ)/s by a table of its variant, a missing one (µ - µ)/s = 0.
 * So the vectors that are iterated have N entries, a step is one read where D entries would take two, and nothing is
 * ever unpacked beyond a tile in the cache. 4NDb flops. */

#include "fit/packed_sweep.h"

#include "base/memory.h"
#include "kernel/calls_product.h"

#include <string.h>

typedef enum way { BOTH, COLUMNS, ROWS } way;

struct scree__packed_sweep {
    const scree__sweeps *all;
    const scree__genotypes *genotypes;
    scree__calls_product *product;
    double *tables; /* of the variants of a block */
    double *t;      /* of these, ×width */
    /* Of the read at hand: */
    way way;
    int64_t b;
    const double *from; /* ROWS: D×b */
    double *to;         /* COLUMNS: D×b */
};

const scree__genotypes *scree__job_packed(const scree__job *job)
{
    const scree__genotypes *g = job->source->genotypes;
    return g && !g->keeps_missing && !job->source->about.weighted && !job->factor && !job->team ? g : NULL;
}

static scree__calls_size size_of(const scree__job *job, int64_t width, scree_type type)
{
    return (scree__calls_size){job->source->genotypes->samples, width, type, job->threads};
}

int64_t scree__packed_sweep_memory(const scree__job *job, int64_t width, scree_type type)
{
    const scree__calls_size size = size_of(job, width, type);
    const int64_t at_once = scree__calls_at_once(size.samples);
    return scree__calls_product_memory(&size) + at_once * (SCREE__CALLS + width) * (int64_t)sizeof(double) +
           scree__genotypes_read_memory(job->source->genotypes, at_once);
}

double scree__packed_sweep_chain(const scree__job *job, scree_type type)
{
    return scree__calls_chain(job->source->genotypes->samples, job->cols, type);
}

scree_status scree__packed_sweep_new(scree__packed_sweep **out, const scree__sweeps *sweeps, int64_t width,
                                     scree_type type, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__packed_sweep *s = NULL;
    const scree__calls_size size = size_of(sweeps->job, width, type);
    const int64_t at_once = scree__calls_at_once(size.samples);
    SCREE_ALLOC(s, 1, error);
    s->all = sweeps;
    s->genotypes = sweeps->job->source->genotypes;
    SCREE_ALLOC(s->tables, at_once * SCREE__CALLS, error);
    SCREE_ALLOC(s->t, at_once * width, error);
    SCREE_TRY(scree__calls_product_new(&s->product, &size, error));
    *out = s;
    s = NULL;
done:
    scree__packed_sweep_free(s);
    return status;
}

void scree__packed_sweep_free(scree__packed_sweep *s)
{
    if (!s)
        return;
    scree__calls_product_free(s->product);
    free(s->tables);
    free(s->t);
    free(s);
}

void scree__packed_tables(const scree__genotypes *g, const double *shift, const double *factor, int64_t first,
                          int64_t count, double *tables)
{
    for (int64_t v = 0; v < count; v++) {
        const int64_t j = first + v;
        const double f = factor ? factor[j] : 1;
        double *table = tables + v * SCREE__CALLS;
        table[SCREE__CALL_TWO] = (2 - shift[j]) * f;
        table[SCREE__CALL_MISSING] = (scree__calls_mean(&g->counts[j]) - shift[j]) * f;
        table[SCREE__CALL_ONE] = (1 - shift[j]) * f;
        table[SCREE__CALL_NONE] = -shift[j] * f;
    }
}

void scree__packed_moments(const scree__genotypes *g, double *mean, double *squares)
{
    for (int64_t j = 0; j < g->variants; j++) {
        mean[j] = scree__calls_mean(&g->counts[j]);
        squares[j] = scree__calls_squares(&g->counts[j]);
    }
}

static scree_status visit(void *context, const scree__packed_variants *variants, scree_error *error)
{
    scree__packed_sweep *s = context;
    const scree__calls_block block = {variants->data, variants->stride, variants->count, s->tables};
    (void)error;
    scree__packed_tables(s->genotypes, s->all->shift, s->all->factor, variants->first, variants->count, s->tables);
    if (s->way != ROWS)
        scree__calls_product_forward(s->product, &block, s->way == BOTH ? s->t : s->to + variants->first * s->b);
    if (s->way != COLUMNS)
        scree__calls_product_backward(s->product, &block, s->way == BOTH ? s->t : s->from + variants->first * s->b);
    return SCREE_OK;
}

/* y: N×b. */
static scree_status read_calls(scree__packed_sweep *s, const double *y, int64_t b, scree_error *error)
{
    const scree__job *job = s->all->job;
    const scree__genotypes_pass pass = {.stage = "fit",
                                        .pass = s->all->passes,
                                        .at_once = scree__calls_at_once(s->genotypes->samples),
                                        .run = job->options->run,
                                        .visit = visit,
                                        .context = s};
    s->b = b;
    scree__calls_product_start(s->product, y, b);
    return scree__genotypes_read(s->genotypes, &pass, error);
}

scree_status scree__packed_sweep_both(scree__packed_sweep *s, const double *y, int64_t b, double *image,
                                      scree_error *error)
{
    s->way = BOTH;
    const scree_status status = read_calls(s, y, b, error);
    scree__calls_product_finish(s->product, image);
    return status;
}

scree_status scree__packed_sweep_columns(scree__packed_sweep *s, const double *y, int64_t b, double *w,
                                         scree_error *error)
{
    s->way = COLUMNS;
    s->to = w;
    return read_calls(s, y, b, error);
}

scree_status scree__packed_sweep_rows(scree__packed_sweep *s, const double *w, int64_t b, double *y, scree_error *error)
{
    s->way = ROWS;
    s->from = w;
    memset(y, 0, (size_t)(s->genotypes->samples * b) * sizeof *y);
    const scree_status status = read_calls(s, y, b, error);
    scree__calls_product_finish(s->product, y);
    return status;
}
