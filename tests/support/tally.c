/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of counts is "count", the samples, the counts, and the name, with tabs between; other lines are passed over.
 */

#include "support/tally.h"

#include "support/checks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char USAGE[] = "usage: %s [--fits SAMPLES] [--only TEXT] [--part I/PARTS]\n"
                            "       %s --sum FILE...\n";

/* One option and its value; how many arguments it took, 0: unknown. */
static int take(tally_plan *plan, int count, char **arguments)
{
    if (strcmp(arguments[0], "--sum") == 0 && count > 1) {
        plan->files = arguments + 1;
        plan->file_count = count - 1;
        return count;
    }
    if (count < 2)
        return 0;
    if (strcmp(arguments[0], "--fits") == 0)
        plan->samples = atoll(arguments[1]);
    else if (strcmp(arguments[0], "--only") == 0)
        plan->only = arguments[1];
    else if (strcmp(arguments[0], "--part") == 0 &&
             sscanf(arguments[1], "%" SCNd64 "/%" SCNd64, &plan->part, &plan->parts) == 2) {
        plan->part--;
        plan->only_count = true;
    } else
        return 0;
    return 2;
}

bool tally_arguments(tally_plan *plan, int count, char **arguments)
{
    *plan = (tally_plan){.parts = 1};
    for (int i = 1; i < count;) {
        const int taken = take(plan, count - i, arguments + i);
        if (taken == 0 || plan->samples < 0 || plan->part < 0 || plan->part >= plan->parts) {
            fprintf(stderr, USAGE, arguments[0], arguments[0]);
            return false;
        }
        i += taken;
    }
    return true;
}

bool tally_has(const tally_plan *plan, int64_t sample)
{
    return sample % plan->parts == plan->part;
}

bool tally_wants(const tally_plan *plan, const char *name)
{
    return !plan->only || strstr(name, plan->only) != NULL;
}

tally_row *tally_of(tally *t, const char *name)
{
    for (int64_t i = 0; i < t->used; i++)
        if (strcmp(t->row[i].name, name) == 0)
            return &t->row[i];
    assert_true(t->used < TALLY_ROWS);
    tally_row *row = &t->row[t->used++];
    memset(row, 0, sizeof *row);
    snprintf(row->name, sizeof row->name, "%s", name);
    return row;
}

double tally_share(const tally_row *row, int which)
{
    return (double)row->count[which] / (double)row->samples;
}

void tally_print(const tally *t)
{
    for (int64_t i = 0; i < t->used; i++) {
        printf("count\t%" PRId64, t->row[i].samples);
        for (int c = 0; c < TALLY_COUNTS; c++)
            printf("\t%" PRId64, t->row[i].count[c]);
        printf("\t%s\n", t->row[i].name);
    }
}

static void add_line(tally *t, const char *line)
{
    int64_t samples;
    int64_t count[TALLY_COUNTS];
    char name[TALLY_NAME];
    if (sscanf(line, "count\t%" SCNd64 "\t%" SCNd64 "\t%" SCNd64 "\t%" SCNd64 "\t%" SCNd64 "\t%95[^\n]", &samples,
               &count[0], &count[1], &count[2], &count[3], name) != 2 + TALLY_COUNTS)
        return;
    tally_row *row = tally_of(t, name);
    row->samples += samples;
    for (int c = 0; c < TALLY_COUNTS; c++)
        row->count[c] += count[c];
}

bool tally_read(tally *t, const tally_plan *plan)
{
    for (int i = 0; i < plan->file_count; i++) {
        char line[512];
        FILE *file = fopen(plan->files[i], "r");
        if (!file) {
            perror(plan->files[i]);
            return false;
        }
        while (fgets(line, sizeof line, file))
            add_line(t, line);
        fclose(file);
    }
    return true;
}
