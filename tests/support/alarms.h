/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_ALARMS_H
#define SCREE_TESTS_ALARMS_H

/* How often clean rows are called outliers: fits to simulated Gaussian rows, over and over, and the shares of fitted
 * and of new rows whose p-value is at most 0.05, 0.01 and 0.001, with standard errors over the fits. */

#include "scree.h"

enum { ALARM_LEVELS = 3, ALARM_NEW = 0, ALARM_FITTED = 1, ALARM_ROWS = 2 };
enum { ALARM_NO_LATENT = -1 }; /* as kept: a distribution without components */
extern const double alarm_levels[ALARM_LEVELS];
extern const char *const alarm_rows[ALARM_ROWS]; /* "new", "fitted" */

typedef struct alarm_cell {
    int64_t n;          /* rows fitted */
    int64_t d;          /* columns */
    int64_t truth;      /* components that there are */
    int64_t kept;       /* asked for; 0: the default */
    double share;       /* of the variance asked for instead; 0: none */
    bool scaled;        /* columns are scaled by their deviations */
    double planted;     /* share of the scored rows that are shifted; new ones are then judged by a fit of clean rows */
    double shift;       /* by so many deviations of the noise, in one column */
    bool oracle;        /* power of one who knows the parameters is wanted; fitted rows are then all clean */
    double unequal;     /* the largest deviation of the noise of a column over the smallest, log-uniform; 0: 1 */
    double loud;        /* one column is so many times as large as it would be; 0: 1 */
    const char *solver; /* NULL: the planner's choice */
    int again;          /* another number: other random rows */
} alarm_cell;

typedef struct alarm_rates {
    int fits;
    int failed;                             /* fits or scores that did not succeed */
    double rate[ALARM_ROWS][ALARM_LEVELS];  /* of clean rows that have a p-value */
    double error[ALARM_ROWS][ALARM_LEVELS]; /* its standard error, over fits */
    double rows[ALARM_ROWS];                /* clean ones that were scored */
    double none[ALARM_ROWS];                /* share of rows without a p-value */
    double discoveries[ALARM_ROWS];         /* false ones, share of all, by Benjamini and Hochberg at 0.1 */
    double discovery_error[ALARM_ROWS];     /* its standard error, over fits */
    double power[ALARM_ROWS];               /* of planted rows, share with p ≤ 0.01 */
    double oracle;                          /* the same of new ones, by the true parameters */
} alarm_rates;

/* fresh: new rows for each fit. Seeds differ by cell. */
alarm_rates alarms(const alarm_cell *cell, int fits, int64_t fresh, int threads);

/* What is wrong with the rates of new or fitted rows: "above@0.01", more than 1.3 times the level and two standard
 * errors; "below@0.01", less than half of it, and so many standard errors, where 60 rows or more were fitted; "no-p",
 * no p-value where there should be one; "failed"; or "ok". */
void alarms_verdict(const alarm_cell *cell, const alarm_rates *rates, int kind, double errors, char text[24]);

#endif
