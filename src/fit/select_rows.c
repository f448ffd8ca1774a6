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

/* A selection of several processes, and what it is to leave. */
typedef struct choosing {
    const scree_select_options *options;
    scree_selection *selection;
} choosing;

static scree_status make_shared(void *context, scree_source *source, scree__team *team, scree_error *error)
{
    choosing *c = context;
    (void)team; /* the source has it */
    return make_prepared(&c->selection, source, c->options, error);
}

static scree_status make_together(scree_selection **out, scree_source *source, const scree_select_options *options,
                                  scree_run *run, scree_error *error)
{
    scree_select_options mine = *options;
    choosing c = {.options = &mine};
    mine.run = run;
    const scree_status status = scree__team_run(source, run, make_shared, &c, error);
    if (status == SCREE_OK)
        *out = c.selection;
    else
        scree_selection_free(c.selection);
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
