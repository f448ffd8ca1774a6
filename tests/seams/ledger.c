/* SPDX-License-Identifier: BSD-3-Clause */
/* Format ledger, which only the tests have: the line "LEDGER ROWS COLUMNS", each number eight digits wide, then the
 * numbers as doubles of this machine. */

#include "data/array.h"
#include "data/formats.h"
#include "seams.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { HEAD = 25 };

static bool matches(const unsigned char *head, int64_t size)
{
    return size >= 7 && memcmp(head, "LEDGER ", 7) == 0;
}

static scree_status open_ledger(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    char head[HEAD + 1] = "";
    scree__layout layout = {.format = "ledger", .element = {SCREE__FLOAT, 8, false}, .offset = HEAD, .dimensions = 2};
    SCREE_TRY(scree__array_head(bytes, head, HEAD, 0, layout.format, error));
    if (sscanf(head, "LEDGER %8" SCNd64 " %8" SCNd64 "\n", &layout.shape[0], &layout.shape[1]) != 2)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: its first line does not say how large the ledger is",
                   scree__bytes_name(bytes));
    SCREE_TRY(scree__array_open(out, bytes, &layout, options, error));
done:
    return status;
}

static const char *const extensions[] = {"ledger", NULL};

const scree__reader seams_ledger = {.name = "ledger",
                                    .text = "doubles after one line, for tests",
                                    .extensions = extensions,
                                    .matches = matches,
                                    .open = open_ledger};
