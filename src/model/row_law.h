/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_ROW_LAW_H
#define SCREE_MODEL_ROW_LAW_H

/* How far out a row is, by the law of Gaussian rows of any covariance, given the eigenvalues that a fit found: see
 * row_law.c. One law serves rows that were fitted, or new rows. */

#include "model/ratio_tail.h"
#include "model/rest.h"
#include "model/tail_table.h"

/* What a law is made of. */
typedef struct scree__row_law_input {
    double rows;               /* N, the total weight; of rows about a mean that is known, N + 1 */
    bool uncentred;            /* these: no mean was estimated, and a row is as far from it as it is */
    double divisor;            /* of the eigenvalues */
    int64_t rank;              /* how many eigenvalues there are, min(rows - 1, D) */
    int64_t cols;              /* D, of columns that vary */
    int64_t latent;            /* M */
    int64_t known;             /* K ≥ M: directions in which the code of a row is known */
    const double *eigenvalues; /* K */
    const scree__rest *rest;   /* of the others */
    double next;               /* see scree_model_view: latent_next */
    int64_t less;              /* and latent_less */
    bool is_flat;              /* rows have no other directions than those K: what is outside is impossible */
    bool is_bound;             /* rows may leave less than what is said of the rest: that was still falling */
    bool shrunk;               /* those of the model are smaller, and so T² is not in terms of these */
    bool fitted;               /* for the rows that were fitted */
} scree__row_law_input;

typedef struct scree__row_law {
    double rows;
    bool uncentred;
    double divisor;
    double unit; /* of everything below that is a length, a power of two: so squares of eigenvalues are doubles */
    int64_t latent;
    int64_t known;
    bool fitted;
    bool shrunk;   /* T² is found again, from the codes */
    bool exists;   /* false: too few rows for so many components, or what these leave is lost in rounding */
    bool is_quick; /* of new rows: two tables do */
    bool has_q;    /* a row has more directions than M */
    bool is_flat;  /* rows lie in the known directions */
    double fewer;  /* times as many rows as there were: those that differ in what they say */
    bool is_bound; /* Q says something only where it is far out */
    bool has_null; /* the last pole is that of the directions in which no fitted row varied */
    int64_t poles;
    double *g;      /* poles, descending: the eigenvalues times their divisor; bins beyond K */
    double *counts; /* poles: how many eigenvalues there are of each */
    double *shares; /* poles: of a new row's square outside of the known directions; 0 for the known */
    double zeros;   /* dimensions that rows had left over */
    double outside; /* Σ counts·g beyond M */
    double next;    /* of the spectrum with a new row: from here on the next component is chosen, too */
    int64_t less;   /* or so many fewer may be */
    scree__tail t2; /* of T², where fitted or quick; else of B */
    scree__ratio q; /* of Q, likewise */
    scree__tail_table t2_table;
    scree__ratio_table q_table;
} scree__row_law;

scree_status scree__row_law_make(scree__row_law *law, const scree__row_law_input *input, scree_error *error);
void scree__row_law_clear(scree__row_law *law); /* safe on a zeroed law */

/* Whether there are so many rows that one more does not matter. */
bool scree__law_is_settled(double rows, int64_t cols);

/* Tables, for a law that will be asked often. */
scree_status scree__row_law_tabulate(scree__row_law *law, scree_error *error);

/* The numbers of a row that its law is asked about. */
typedef struct scree__law_row {
    double t2;           /* for fitted and quick laws that are not shrunk */
    double q;            /* beyond the M components */
    const double *codes; /* K of a new row: its coordinates in the known directions; M do where the law is fixed */
    const double *gains; /* K + 1: factors of the eigenvalues in these and of the others, by which scaling the columns
                            anew would change them; NULL: none */
} scree__law_row;

/* ln of the chances of a T² and a Q as large, of one that says nothing 0; and the chance of both together, by Fisher's
 * method or that of the one that says something. NaN where the law does not exist. */
typedef struct scree__chances {
    double log_t2;
    double log_q;
    double joint;
} scree__chances;

/* work: scree__row_law_room(law->known) doubles where the law is neither fitted nor quick. */
scree__chances scree__row_law_ask(const scree__row_law *law, const scree__law_row *row, double *work);
int64_t scree__row_law_room(int64_t known);

/* Whether a new row leaves the directions that the fitted ones lie in, by more than rounding. */
bool scree__row_law_excludes(const scree__row_law *law, const scree__law_row *row);

/* Of ln p-values: the chance of both where both say something. */
scree__chances scree__row_law_join(double log_t2, double log_q, bool has_t2, bool has_q);

#endif
