/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_PROGRESS_H
#define SCREE_CLI_PROGRESS_H

/* A line on the terminal that shows the progress of long work, and the signals that stop it. */

#include "scree.h"

typedef struct cli_progress {
    double began;      /* start of the work, as cli_seconds */
    double pass_began; /* start of the pass */
    double drawn;      /* last update of the line */
    double seconds;    /* duration of the work, known at its end */
    int pass;
    bool wanted;   /* standard error is a terminal, and not --quiet */
    bool visible;  /* the line is on the terminal */
    char note[64]; /* added to the line by the command */
} cli_progress;

/* Makes run report to progress. */
void cli_progress_begin(cli_progress *progress, scree_run *run, bool quiet);
/* Clears the line, and keeps listening for signals. */
void cli_progress_clear(cli_progress *progress);
/* Clears the line. Call it before printing anything; if a signal has arrived, the program ends here. */
void cli_progress_end(cli_progress *progress);

double cli_seconds(void); /* of a monotonic clock */

#endif
