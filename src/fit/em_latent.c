/* SPDX-License-Identifier: BSD-3-Clause */
/* How many latent dimensions the distribution of a fit with gaps has, where nobody said. Bayes keeps every component
 * that makes the observed cells likelier under a noise that is the same in all columns; where it is not, loud columns
 * become components of their own, and what is estimated for them makes clean rows outliers: 200 rows of 20 columns
 * whose noise differs by two decades, 30 % missing, two components: 12 are kept, and .23 of clean rows have p ≤ .05.
 * So the number is what selection recommends, which whitens the noise first (select_gappy.c), and no more than are
 * kept. Where columns depend on each other, and so next to no noise is left by the components, these are all that there
 * is; and where selection cannot choose, those that Bayes kept. The passes are over rows that are kept, where they are;
 * processes that share the rows read all of them for it, and share what comes after that. */

#include "fit/em.h"
#include "fit/selection.h"

static const double NOTHING = 1e4; /* times the noise: the weakest component, where the noise is taken for none */

scree_status scree__em_latent(int64_t *latent, scree__em *em, const scree__solution *s, int64_t memory,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_fit_options *options = em->job->options;
    scree_run run = *options->run;
    const scree_select_options select = {
        .size = sizeof select, .scale = options->scale, .seed = options->seed, .run = &run, .scales = options->scales};
    scree_selection *selection = NULL;
    scree_error problem = SCREE_ERROR_INIT;
    *latent = s->k;
    if (s->values[s->k - 1] > NOTHING * s->next)
        goto done;
    run.memory = memory;
    status = scree__selection_make(&selection, em->rows.cuts ? em->job->source : em->rows.job.source, &select, true,
                                   &problem);
    em->rows.passes += em->rows.kept == NULL || em->rows.cuts;
    if (status == SCREE_ERR_VALUE || status == SCREE_ERR_UNSUPPORTED || status == SCREE_ERR_LIMIT) {
        status = SCREE_OK; /* too few rows or columns, or too little memory */
        if (em->job->team)
            em->job->team->failed = false;
        goto done;
    }
    if (status != SCREE_OK)
        SCREE_FAIL(error, status, "%s", problem.text);
    const int64_t recommended = scree__selection_latent(selection);
    *latent = recommended < s->k ? recommended : s->k;
done:
    scree_selection_free(selection);
    return status;
}
