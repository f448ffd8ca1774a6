/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_STATE_WORK_H
#define SCREE_CLI_STATE_WORK_H

/* What commands do with states: options to make one, operands that are some, and what is printed of one. */

#include "work.h"

/* How fit makes a state. */
typedef struct cli_state {
    const char *path; /* NULL: it makes none */
    const char *method;
    int64_t rank;
    double forget;
} cli_state;

extern const cli_option cli_state_options[]; /* cli_state: --state, --state-method, --rank, --forget */

/* A half-life in rows, 1 or more; 0: nothing is forgotten. */
const char *cli_read_half_life(void *where, const char *text, const cli_option *option);

/* Refuses options of fit that a state has no use for, as wrong usage; 0: there are none. of_states: the operands are
 * states; with_model: a model is wanted, too. */
int cli_state_check(const cli_call *call, const cli_state *state, scree_scale scale, bool of_states, bool with_model);

/* Whether the first operand is a state: then all must be. Fails where that cannot be told. */
scree_status cli_states_are(bool *are, const cli_call *call, scree_error *error);

/* All operands merged, in their order; processes of mpirun share that. */
scree_status cli_states_load(scree_state **out, cli_work *work);

/* To the file; processes of mpirun have the same, and the first one writes it. */
scree_status cli_state_save(scree_state *state, const char *path, scree_error *error);

/* Of the rows of the work, which is open. */
scree_status cli_state_make(scree_state **out, const cli_state *how, cli_work *work);

/* "part.state: 150 rows × 4 columns, covariance, 1.2 kB", and what else there is to know of it. */
scree_status cli_state_print(FILE *out, scree_state *state, const char *path, scree_error *error);
scree_status cli_state_print_json(scree_state *state, const char *path, scree_error *error);

#endif
