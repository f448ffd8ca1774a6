/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_PREPARE_H
#define SCREE_CLI_PREPARE_H

/* What is done to rows before a fit sees them: the options of fit, plan and select. */

#include "work.h"

typedef struct cli_prepare {
    scree_scale scale;
    const char *scale_file; /* of scales, or NULL */
    int log1p;
    double normalize; /* as in scree_fit_options */
    int64_t top_variance;
    double *scales; /* read from it, one for each column of the rows; or NULL */
} cli_prepare;

extern const cli_option cli_prepare_options[]; /* cli_prepare: --scale, --normalize, --log1p, ... */

extern const cli_option cli_genotype_options[]; /* in the cli_work: --maf, --chr, --missing */

/* Says that all columns were used where as many as there are, or more, were asked for. */
void cli_prepare_unused(const cli_work *work, int64_t top_variance);

/* Says by what genotypes were scaled, where nobody said. */
void cli_prepare_note(const cli_work *work);

extern const cli_option cli_center_options[]; /* scree_fit_options: --center */

/* Whether the rows have to know their sums over all columns of the file: before they are opened. */
bool cli_prepare_sums(const cli_prepare *prepare);

/* Reads what the options name, once the rows are open. */
scree_status cli_prepare_open(cli_prepare *prepare, cli_work *work);
void cli_prepare_close(cli_prepare *prepare); /* safe if nothing was opened */

/* Scales of the columns of source from a file: a number for each, with names in a text column or without, or one row of
 * them. *scales: the caller's to free. */
scree_status cli_scales_read(double **scales, cli_work *work, const char *path);

#endif
