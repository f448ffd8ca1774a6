/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_PROGRESS_H
#define SCREE_CLI_PROGRESS_H

/* One line on the terminal that says how far long work is, and the ear for signals that should stop it. */

#include "scree.h"

typedef struct cli_progress {
    double began;      /* the work */
    double pass_began; /* the pass */
    double drawn;      /* the line, last */
    double seconds;    /* that the work took, at its end */
    int pass;
    bool wanted;   /* standard error is a terminal, and not --quiet */
    bool visible;  /* a line stands there */
    char note[64]; /* what the command adds to the line */
} cli_progress;

/* Makes run report to progress. */
void cli_progress_begin(cli_progress *progress, scree_run *run, bool quiet);
/* Clears the line, and goes on listening. */
void cli_progress_clear(cli_progress *progress);
/* Clears the line. Call it before anything else is printed; when a signal came meanwhile, the program ends here. */
void cli_progress_end(cli_progress *progress);

double cli_seconds(void); /* of a clock that only goes forward */

#endif
