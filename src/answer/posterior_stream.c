/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_posterior: rows in, the means of p(z|x) out (10.73–10.75), in columns m1..mM; with an interval also where each
 * z_j lies with that probability, m_j ± q √C_jj. */

#include "answer/asked.h"
#include "answer/match.h"
#include "base/memory.h"
#include "base/special.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

typedef struct posterior {
    scree__asked asked;
    int64_t m;
    double *half; /* M: half the width of each interval; NULL: none wanted */
} posterior;

/* Means are written at the front of the output, then spread out from the last row to the first. */
static scree_status rows(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    posterior *p = context;
    scree_status status = scree__asked_rows(&p->asked, block, out, threads, error);
    if (status != SCREE_OK || !p->half)
        return status;
    for (int64_t i = block->rows * p->m - 1; i >= 0; i--) {
        const double mean = out[i];
        const double half = p->half[i % p->m];
        out[3 * i] = mean;
        out[3 * i + 1] = mean - half;
        out[3 * i + 2] = mean + half;
    }
    return SCREE_OK;
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

static scree_status half_widths(posterior *p, const scree_model *model, double interval, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double quantile = -scree__normal_quantile((1 - interval) / 2); /* ½ + interval/2 could round to 1 */
    SCREE_ALLOC(p->half, p->m, error);
    scree_posterior_covariance(model, p->half, NULL);
    for (int64_t j = 0; j < p->m; j++)
        p->half[j] = quantile * sqrt(p->half[j]);
done:
    return status;
}

scree_status scree_posterior(const scree_model *model, scree_source *source, double interval, scree_sink *sink,
                             const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    posterior p = {.asked = {.source = source}, .m = scree_model_get(model)->m};
    const int64_t each = interval > 0 ? 3 : 1;
    char **names = NULL;
    if (!(interval >= 0 && interval < 1))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "the probability of an interval lies between 0 and 1, not at %g",
                   interval);
    SCREE_TRY(scree__match_columns(&p.asked.columns, model, source, error));
    SCREE_TRY(name_columns(&names, p.m, each, error));
    if (interval > 0)
        SCREE_TRY(half_widths(&p, model, interval, error));
    SCREE_TRY(scree__posterior_open(&p.asked.chunks, model, source->cols, run ? run->threads : 0, error));
    const scree__map map = {
        .stage = "posterior", .cols = p.m * each, .columns = (const char *const *)names, .rows = rows, .context = &p};
    SCREE_TRY(scree__stream_run(source, &map, sink, run, error));
done:
    scree__asked_close(&p.asked);
    scree__strings_free(names, p.m * each);
    free(p.half);
    return status;
}
