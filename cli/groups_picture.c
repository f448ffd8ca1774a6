/* SPDX-License-Identifier: BSD-3-Clause */
/* The options that several commands which draw share; the others are in groups.c. */

#include "picture_values.h"
#include "scree_view.h"
#include "work.h"

const cli_option cli_image_options[] = {
    {.name = "image",
     .value = "ROWSxCOLS",
     .help = "rows are images of this shape, such as 28x28 (default: as stored in IDX files)",
     .read = cli_read_shape},
    CLI_OPTIONS_END,
};

const cli_option cli_page_options[] = {
    {.name = "title",
     .value = "TEXT",
     .help = "title of the page (default: the name of DATA)",
     .read = cli_read_text,
     .offset = offsetof(scree_report_options, title)},
    {.name = "alpha",
     .value = "P",
     .help = "rows with a p-value of at most P are outliers (default: 0.01)",
     .read = cli_read_chance,
     .offset = offsetof(scree_report_options, alpha)},
    {.name = "seed",
     .value = "NUMBER",
     .help = "seed for the rows that are shown, and for --sample (default: 0)",
     .read = cli_read_seed,
     .offset = offsetof(scree_report_options, seed)},
    CLI_OPTIONS_END,
};

const cli_option cli_labels_options[] = {
    {.name = "labels",
     .value = "FILE",
     .help = "read labels from this file, one per row: its first text column, beside one of numbers, or a column of "
             "numbers (default: --label, or the first text column of DATA that is not --id and not unique in every "
             "row)",
     .read = cli_read_text},
    CLI_OPTIONS_END,
};
