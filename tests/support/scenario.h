/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_SCENARIO_H
#define SCREE_TESTS_SCENARIO_H

/* Tables with a known number of components, drawn at random: a few directions of signal, and noise that need not be
 * white. */

#include <stdint.h>

typedef enum scenario_noise {
    NOISE_WHITE,
    NOISE_ALONG_COLUMNS,    /* each cell 0.6 times its left neighbour, and something new */
    NOISE_UNEQUAL_COLUMNS,  /* standard deviations from 0.3 to 3 */
    NOISE_HEAVY_CELLS,      /* Student's t with 3 degrees of freedom */
    NOISE_HEAVY_ROWS,       /* rows of Student's t with 4, the signal with them */
    NOISE_DIFFERENT_SCALES, /* white; then each column in a unit of its own, from 0.1 to 10 */
    NOISE_TWICE,            /* white; then one column times 2 */
    NOISE_OTHER_UNIT,       /* white; then one column times 1000 */
    NOISE_NONE,             /* what is left is rounding */
} scenario_noise;

typedef struct scenario {
    const char *name;
    int64_t n;
    int64_t d;
    int64_t components;
    double strongest; /* variance of the first direction over that of the noise in any direction */
    double weakest;   /* of the last; those between fall geometrically */
    scenario_noise noise;
} scenario;

/* n×d cells, to be freed. */
double *scenario_draw(const scenario *s, uint64_t seed);

/* Makes a cell missing with the given chance. */
void scenario_punch(double *x, int64_t count, double chance, uint64_t seed);

#endif
