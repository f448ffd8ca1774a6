/* SPDX-License-Identifier: BSD-3-Clause */
/* The packed calls, variant after variant: the bytes of the file are an array of rows, and one read of them is a pass
 * over these (pass.h), read ahead or from the page cache as those of any other array. Variants that were not chosen are
 * passed over. */

#include "data/genotypes.h"

#include "base/memory.h"

typedef struct reading {
    const scree__genotypes *genotypes;
    const scree__genotypes_pass *pass;
    int64_t next; /* of the chosen variants */
} reading;

/* Chosen variants that lie one after the other are lent together. */
static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    reading *r = context;
    const scree__genotypes *g = r->genotypes;
    scree_status status = SCREE_OK;
    while (r->next < g->variants && g->row[r->next] < batch->first + batch->rows) {
        const int64_t row = g->row[r->next];
        int64_t count = 1;
        while (r->next + count < g->variants && g->row[r->next + count] == row + count &&
               row + count < batch->first + batch->rows)
            count++;
        const scree__packed_variants part = {.data =
                                                 (const uint8_t *)batch->data + (row - batch->first) * batch->stride,
                                             .stride = batch->stride,
                                             .first = r->next,
                                             .count = count};
        SCREE_TRY(r->pass->visit(r->pass->context, &part, error));
        r->next += count;
    }
done:
    return status;
}

scree_status scree__genotypes_read(const scree__genotypes *g, const scree__genotypes_pass *pass, scree_error *error)
{
    reading r = {.genotypes = g, .pass = pass};
    scree_run run = SCREE_RUN_INIT;
    if (pass->run)
        run = *pass->run;
    run.block_rows = 0; /* which counts rows of the fit, not variants */
    const scree__pass inner = {.stage = pass->stage,
                               .pass = pass->pass,
                               .batch_rows = pass->at_once,
                               .run = &run,
                               .takes_origin = true,
                               .visit = visit,
                               .context = &r};
    return scree__pass_run(g->packed, &inner, NULL, error);
}

int64_t scree__genotypes_read_memory(const scree__genotypes *g, int64_t at_once)
{
    return scree__pass_memory(g->packed, at_once);
}

void scree__genotypes_clear(scree__genotypes *g)
{
    scree_source_free(g->packed);
    free(g->row);
    free(g->counts);
    *g = (scree__genotypes){0};
}
