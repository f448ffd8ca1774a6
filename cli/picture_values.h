/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_PICTURE_VALUES_H
#define SCREE_CLI_PICTURE_VALUES_H

/* Option values for pictures. */

#include "cli.h"

enum { CLI_LISTED = 64, CLI_SHARES = 8 };

typedef struct cli_list {
    int64_t items[CLI_LISTED]; /* from 0 */
    int64_t count;             /* SCREE_AUTO: chosen by the library */
} cli_list;

typedef struct cli_shares {
    double items[CLI_SHARES]; /* above 0 and below 1 */
    int64_t count;
} cli_shares;

/* In pixels, or in print at 300 dots per inch. */
typedef struct cli_length {
    double pixels; /* of 1/96 inch; 0: automatic */
    bool print;
} cli_length;

#define CLI_PRINT_SCALE (300.0 / 96.0) /* dots of a PNG for each pixel, where lengths are for print */

/* Readers, as in cli.h. */
const char *cli_read_list(void *where, const char *text, const cli_option *option); /* cli_list: "1,2" */
const char *cli_read_rows(void *where, const char *text, const cli_option *option); /* cli_list: the same, or "none" */
const char *cli_read_shares(void *where, const char *text, const cli_option *option); /* cli_shares: "0.5,0.95" */
const char *cli_read_length(void *where, const char *text, const cli_option *option); /* cli_length: "800", "85mm" */
const char *cli_read_shape(void *where, const char *text, const cli_option *option);  /* two int64_t: "28x28" */

#endif
