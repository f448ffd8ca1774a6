/* SPDX-License-Identifier: BSD-3-Clause */
/* Which options of fit a state has no use for, be it made of rows or made into a model: each is refused with the
 * reason, for it would do nothing. */

#include "prepare.h"
#include "state_work.h"

static int refuse(const cli_call *call, const cli_option *option, const char *why)
{
    return cli_usage(call->command, NULL, "--%s %s", option->name, why);
}

/* Of fits that make a state, or are made of some. */
static int check_rows(const cli_call *call, scree_scale scale)
{
    static const char *const of_rows[] = {"online", "no-imputer", "em",        "bayes",        "bootstrap",
                                          "log1p",  "checkpoint", "normalize", "top-variance", "tol",
                                          "solver", "model-kind", NULL};
    const cli_option *found = cli_given_among(call, of_rows);
    if (found)
        return refuse(call, found, "needs the rows themselves, and a state has what they come to; leave it out");
    if (scale == SCREE_SCALE_RANGE || scale == SCREE_SCALE_GIVEN || scale == SCREE_SCALE_BINOMIAL)
        return cli_usage(call->command, NULL,
                         "--scale range, binomial or by a file needs the rows themselves; use unit, pareto or none");
    return 0;
}

/* Where no model is wanted. */
static int check_model(const cli_call *call)
{
    static const char *const of_models[] = {"latent", NULL};
    const cli_option *found = cli_given_of(call, cli_fit_options);
    found = found ? found : cli_given_of(call, cli_prepare_options);
    found = found ? found : cli_given_of(call, cli_center_options);
    found = found ? found : cli_given_among(call, of_models);
    return found ? refuse(call, found, "is for a model; give -o MODEL, too, or make the model of the state later") : 0;
}

int cli_state_check(const cli_call *call, const cli_state *state, scree_scale scale, bool of_states, bool with_model)
{
    static const char *const of_making[] = {"state-method", "rank", "forget", NULL};
    const bool made = state->path != NULL;
    const cli_option *found = cli_given_among(call, of_making);
    if (found && !made)
        return refuse(call, found, "is for a state; give --state FILE, too");
    if (!made && !of_states)
        return 0;
    const int wrong = check_rows(call, scale);
    if (wrong)
        return wrong;
    if (of_states && made)
        return cli_usage(call->command, NULL, "%s is a state already; to merge several, use scree merge",
                         call->operands[0]);
    found = of_states ? cli_given_of(call, cli_read_options) : NULL;
    found = of_states && !found ? cli_given_of(call, cli_weight_options) : found;
    if (found)
        return refuse(call, found, "is for rows that are read, and a state has none");
    return with_model ? 0 : check_model(call);
}
