/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of fuzz targets: a new reader is a line here, and some small
 * files in corpus/NAME. The replay fails where the library knows a reader that has no line. */

#include "input.h"
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const fuzz_target fuzz_targets[] = {
    {"csv", fuzz_read, "csv", NULL},
    {"tsv", fuzz_read, "tsv", NULL},
    {"npy", fuzz_read, "npy", NULL},
    {"npz", fuzz_read, "npz", NULL},
    {"idx", fuzz_read, "idx", NULL},
    {"raw", fuzz_read, "f4:3", NULL},
    {"mtx", fuzz_read, "mtx", NULL},
    {"triplets", fuzz_read, "triplets", NULL},
    {"hdf5", fuzz_read, "hdf5", NULL},
    {"10x", fuzz_tenx, NULL, NULL}, /* three files of a folder */
    {"bed", fuzz_bed, NULL, NULL},  /* three files side by side */
    {"arrow_ipc", fuzz_read, "arrow", NULL},
    {"sqlite", fuzz_read, "sqlite", NULL},
    {"mat", fuzz_read, "mat", NULL},
    {"screez", fuzz_read, "screez", fuzz_repair_archive},
    {"gzip", fuzz_read, NULL, fuzz_repair_gzip},
    {"xz", fuzz_read, NULL, NULL},
    {"zstd", fuzz_read, NULL, NULL},
    {"bzip2", fuzz_read, NULL, NULL},
    {"guess", fuzz_read, NULL, fuzz_repair_any}, /* which reader it is */
    {"arrow", fuzz_arrow, NULL, NULL},
    {"model", fuzz_model, NULL, fuzz_repair_model},
    {"network", fuzz_model, NULL, fuzz_repair_model},
    {"state", fuzz_state, NULL, fuzz_repair_model},
    {"checkpoint", fuzz_checkpoint, NULL, NULL}, /* repairs what it has changed */
    {"serve", fuzz_serve, NULL, NULL},
    {"options", fuzz_options, NULL, NULL},
    {"command", fuzz_command, NULL, NULL}, /* repairs what follows the command lines */
    {NULL, NULL, NULL, NULL},
};

const fuzz_target *fuzz_target_find(const char *name)
{
    for (const fuzz_target *target = fuzz_targets; target->name; target++)
        if (strcmp(target->name, name) == 0)
            return target;
    return NULL;
}

void fuzz_target_run(const fuzz_target *target, const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        return;
    memcpy(copy, data, size);
    const size_t head = fuzz_head_length(copy, size);
    if (target->repair)
        target->repair(copy + head, size - head);
    target->run(target, copy, size);
    free(copy);
}

void fuzz_require(int holds, const char *promise)
{
    if (holds)
        return;
    fprintf(stderr, "broken promise: %s\n", promise);
    abort();
}
