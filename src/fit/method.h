/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_METHOD_H
#define SCREE_FIT_METHOD_H

/* A method of fitting is one const table that says what it is, what it can take, and how it is run. The planner, the
 * messages and the help ask the table; no other file knows a method by its name. */

#include "fit/job.h"

/* What a method can take and do. */
enum {
    SCREE__TAKES_GAPS = 1,      /* rows with missing cells: taken where there are any, and else only when asked for */
    SCREE__TAKES_WEIGHTS = 2,   /* rows with weights */
    SCREE__TAKES_BYTES = 4,     /* rows of bytes (uint8) */
    SCREE__TAKES_PIPES = 8,     /* rows that can be read only once */
    SCREE__FITS_BAYES = 16,     /* variational Bayes */
    SCREE__FINDS_COUNT = 32,    /* the number of components, where it is left open */
    SCREE__TAKES_UNCENTRED = 64 /* rows as they are, without their mean taken off */
};

typedef struct scree__method {
    const char *name;
    const char *text; /* one line for help */
    unsigned can;     /* the flags above */
    double tolerance; /* that it iterates to where none was asked for; 0: it does not iterate */
    /* Whether it can do the job; if not, reason (256 bytes) says why. What the flags tell is asked before, and memory
     * afterwards. */
    bool (*applicable)(const scree__job *job, char *reason);
    /* Fills passes, flops and memory, and adds to effort, which is empty, what its arithmetic takes. */
    void (*cost)(const scree__job *job, scree_plan_entry *entry, scree__effort *effort);
    scree_status (*run)(const scree__job *job, scree__solution *solution, scree_error *error);
} scree__method;

extern const scree__method scree__method_covariance;
extern const scree__method scree__method_gram;
extern const scree__method scree__method_svd;
extern const scree__method scree__method_lanczos;
extern const scree__method scree__method_em;

/* All of them, NULL-terminated (methods.c). */
extern const scree__method *const scree__methods[];

int64_t scree__method_count(void);
const scree__method *scree__method_named(const char *name); /* NULL: there is none */
/* The first that has the flag; NULL: there is none. */
const scree__method *scree__method_that(unsigned flag);

/* "covariance, gram, svd, lanczos and em". */
void scree__method_names(char *text, size_t size);

/* Whether its flags allow the job; if not, reason (256 bytes) says why. */
bool scree__method_takes(const scree__method *method, const scree__job *job, char *reason);

/* The tolerance that was asked for, or the method's own. */
double scree__method_tolerance(const scree__method *method, const scree__job *job);

#endif
