/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_selection_make: the rows as they are to be seen, and the processes that share them; what is done to them is in
 * select_components.c. Processes open a team for it, and so all fail where one does. */

#include "base/sized.h"
#include "data/team.h"
#include "fit/prepare.h"
#include "fit/selection.h"

/* Of rows as they are to be seen. */
static scree_status make_prepared(scree_selection **out, scree_source *source, const scree_select_options *options,
                                  scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_select_options mine = *options;
    scree__prepared prepared = {0};
    const scree__preparing how = {.normalize = mine.normalize,
                                  .log1p = mine.log1p,
                                  .top_variance = mine.top_variance,
                                  .scales = mine.scales,
                                  .run = mine.run};
    SCREE_TRY(scree__prepare(&prepared, source, &how, error));
    mine.scales = prepared.scales ? prepared.scales : mine.scales;
    SCREE_TRY(scree__selection_make(out, prepared.rows, &mine, true, error));
done:
    scree__prepared_close(&prepared);
    return status;
}

/* The same by several processes: what one of them could not do, all have failed. */
static scree_status make_together(scree_selection **out, scree_source *source, const scree_select_options *options,
                                  scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_select_options mine = *options;
    scree__team *team = NULL;
    scree_selection *x = NULL;
    mine.run = run;
    SCREE_TRY(scree__team_open(&team, source, run, error));
    status = make_prepared(&x, source, &mine, error);
    if (!team->failed)
        status = scree__team_agree(team, status, NULL, error);
    if (status == SCREE_OK)
        status = scree__source_tell(source, team->with, error);
    if (status == SCREE_OK) {
        *out = x;
        x = NULL;
    }
done:
    scree__team_close(team, source);
    scree_selection_free(x);
    return status;
}

scree_status scree_selection_make(scree_selection **out, scree_source *source, const scree_select_options *options,
                                  scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_select_options mine = SCREE_SELECT_OPTIONS_INIT;
    scree_run run;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(scree__run_adopt(&run, &mine.run, error));
    SCREE_TRY(run.communicator ? make_together(out, source, &mine, &run, error)
                               : make_prepared(out, source, &mine, error));
done:
    return status;
}
