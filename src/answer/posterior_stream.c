/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_model_posterior: rows in, the means of p(z|x) out (10.73–10.75), in columns m1..mM; with an interval also where
 * each z_j lies with that probability, m_j ± q √C_jj, with the row's own C where it has gaps. */

#include "answer/match.h"
#include "answer/row_query.h"
#include "base/memory.h"
#include "base/sized.h"
#include "base/special.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

typedef struct posterior {
    scree__row_query query;
    int64_t m;
    double quantile;   /* half the width of an interval, in standard deviations; 0: none wanted */
    double *variances; /* of the block at work, M a row, where intervals are wanted */
    int64_t room;      /* rows of that */
} posterior;

/* Means are written at the front of the output, then spread out from the last row to the first. */
static scree_status rows(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    posterior *p = context;
    if (p->quantile > 0 && block->rows > p->room) {
        free(p->variances);
        p->room = 0;
        SCREE_ALLOC(p->variances, block->rows * p->m, error);
        p->room = block->rows;
    }
    scree__posterior_out into = {out, p->variances};
    SCREE_TRY(scree__row_query_block(&p->query, block, &into, threads, error));
    for (int64_t i = block->rows * p->m - 1; p->quantile > 0 && i >= 0; i--) {
        const double mean = out[i];
        const double half = p->quantile * sqrt(p->variances[i]);
        out[3 * i] = mean;
        out[3 * i + 1] = mean - half;
        out[3 * i + 2] = mean + half;
    }
done:
    return status;
}

static scree_status name_columns(char ***out, int64_t m, int64_t each, scree_error *error)
{
    static const char *const endings[] = {"", "_low", "_high"};
    scree_status status = SCREE_OK;
    char **names = NULL;
    SCREE_ALLOC(names, m * each, error);
    for (int64_t i = 0; i < m * each; i++) {
        SCREE_ALLOC(names[i], 40, error);
        snprintf(names[i], 40, "m%" PRId64 "%s", i / each + 1, endings[i % each]);
    }
    *out = names;
    names = NULL;
done:
    scree__strings_free(names, m * each);
    return status;
}

scree_status scree_model_posterior(const scree_model *model, scree_source *source, scree_sink *sink,
                                   const scree_posterior_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_posterior_options mine = SCREE_POSTERIOR_OPTIONS_INIT;
    scree_run run;
    posterior p = {.query = {.source = source}, .m = scree_model_get(scree_model_distribution(model))->m};
    int64_t each = 1;
    char **names = NULL;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(scree__run_adopt(&run, &mine.run, error));
    const double interval = mine.interval;
    if (!(interval >= 0 && interval < 1))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "the probability of an interval lies between 0 and 1, not at %g",
                   interval);
    if (p.m == 0)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "the probability model has no latent dimensions (nothing stands out from noise), so rows have no "
                   "code in it; fit it with --latent 1 or more, or use project for codes of all components");
    each = interval > 0 ? 3 : 1;
    SCREE_TRY(scree__match_columns(&p.query.columns, model, source, error));
    SCREE_TRY(name_columns(&names, p.m, each, error));
    if (interval > 0)
        p.quantile = -scree__normal_quantile((1 - interval) / 2); /* ½ + interval/2 could round to 1 */
    SCREE_TRY(scree__posterior_open(&p.query.chunks, model, source->about.cols, run.threads, error));
    const scree__map map = {.stage = "posterior",
                            .cols = p.m * each,
                            .columns = (const char *const *)names,
                            .rows = rows,
                            .context = &p,
                            .takes_origin = true,
                            .normal = scree__row_query_normal(model),
                            .uses = p.query.columns,
                            .use_count = scree_model_get(model)->d};
    SCREE_TRY(scree__stream_run(source, &map, sink, &run, error));
done:
    scree__row_query_close(&p.query);
    scree__strings_free(names, p.m * each);
    free(p.variances);
    return status;
}
