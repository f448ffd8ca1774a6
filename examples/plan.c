/* SPDX-License-Identifier: BSD-3-Clause */
/* What a fit would cost, before anything is computed: each method's passes over the data, memory and predicted time
 * for ten components of a file (or of an array of 2000×300 numbers when no file is named), and which one is taken.
 *
 *     cc plan.c $(pkg-config --cflags --libs scree) && ./a.out rows.npy
 */
#include <inttypes.h>
#include <scree.h>
#include <stdio.h>

static float numbers[2000][300]; /* a plan looks at the shape only */

static void print(const scree_plan *plan)
{
    for (int64_t i = 0; i < scree_plan_count(plan); i++) {
        const scree_plan_entry *e = scree_plan_at(plan, i);
        if (e->applicable)
            printf("%c %-10s  %3d passes  %9" PRId64 " bytes  %.2g s: %s\n", e->chosen ? '*' : ' ', e->solver,
                   e->passes, e->memory, e->seconds, e->reason);
        else
            printf("  %-10s  cannot: %s\n", e->solver, e->reason);
    }
}

int main(int argc, char **argv)
{
    scree_source *rows = NULL;
    scree_plan *plan = NULL;
    scree_error error = SCREE_ERROR_INIT;
    scree_block block = SCREE_BLOCK_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    block.data = numbers;
    block.type = SCREE_F32;
    block.rows = 2000;
    block.cols = 300;
    options.components = 10;
    scree_status status =
        argc > 1 ? scree_source_open(&rows, argv[1], NULL, &error) : scree_source_from_memory(&rows, &block, &error);
    if (status == SCREE_OK)
        status = scree_plan_make(&plan, rows, &options, &error);
    if (status == SCREE_OK)
        print(plan);
    else
        fprintf(stderr, "%s\n", error.text);
    scree_plan_free(plan);
    scree_source_free(rows);
    return status != SCREE_OK;
}
