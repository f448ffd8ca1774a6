/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_TALLY_H
#define SCREE_TESTS_TALLY_H

/* Counts of a simulation that may be run in parts, on several processors or machines:
 *
 *     PROGRAM --part 1/16 --fits 1000 >part-1; …     each runs its share of the samples of every case, and prints
 * counts PROGRAM --sum part-*                           adds them up, and judges
 *
 * Without arguments it runs all samples and judges. */

#include <stdbool.h>
#include <stdint.h>

enum { TALLY_ROWS = 1000, TALLY_COUNTS = 4, TALLY_NAME = 96 };

typedef struct tally_row {
    char name[TALLY_NAME];
    int64_t samples;
    int64_t count[TALLY_COUNTS]; /* of the samples */
} tally_row;

typedef struct tally {
    int64_t used;
    tally_row row[TALLY_ROWS];
} tally;

/* What the arguments ask for. */
typedef struct tally_plan {
    int64_t part; /* from 0 */
    int64_t parts;
    int64_t samples; /* of a case; 0: as many as the program has by itself */
    bool only_count; /* a part: its counts are printed and not judged */
    char **files;    /* of counts, to be summed; NULL: run the simulation */
    int file_count;
    const char *only; /* part of a case's name; NULL: all of them */
} tally_plan;

/* False: they cannot be understood, and how to call the program has been printed. */
bool tally_arguments(tally_plan *plan, int count, char **arguments);

/* Whether sample i is in this part, and whether a case of this name is wanted. */
bool tally_has(const tally_plan *plan, int64_t sample);
bool tally_wants(const tally_plan *plan, const char *name);

/* The row of that name, begun where there is none. */
tally_row *tally_of(tally *t, const char *name);

double tally_share(const tally_row *row, int which);
void tally_print(const tally *t);
/* Adds the counts of all files of the plan; false: one cannot be read. */
bool tally_read(tally *t, const tally_plan *plan);

#endif
