/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_SELECTION_H
#define SCREE_FIT_SELECTION_H

/* How the data becomes what the criteria see: two ways to gather it, by D×D moments of folds of rows or by N×N Grams of
 * folds of columns, and what both do with their folds. */

#include "fit/criterion.h"
#include "fit/job.h"
#include "fit/select_sample.h"

enum { SCREE__MAX_FOLDS = 20 };
/* Shares of the time that follows the rows: until folds are judged, and until criteria are. */
#define SCREE__BEFORE_FOLDS 0.05
#define SCREE__BEFORE_CRITERIA 0.45

/* A selection at work. */
typedef struct scree__selecting {
    const scree_select_options *options;
    const scree__job *job;
    int folds;
    int64_t sample_rows; /* that are kept for whitening; 0: none */
    bool is_whitened;    /* that is done */
    bool takes_gaps;
} scree__selecting;

/* Fill s from the source. Memory that they need with so many folds and threads; one fold is none: the criteria that
 * judge by data not seen are then left out. */
int64_t scree__select_tall_memory(const scree__job *job, int folds, int threads);
scree_status scree__select_tall(const scree__selecting *w, scree__spectrum *s, scree_error *error);
int64_t scree__select_wide_memory(const scree__job *job, int folds, int threads);
scree_status scree__select_wide(const scree__selecting *w, scree__spectrum *s, scree_error *error);

/* One of the two. */
typedef struct scree__select_way {
    int64_t (*memory)(const scree__job *job, int folds, int threads);
    scree_status (*gather)(const scree__selecting *w, scree__spectrum *s, scree_error *error);
} scree__select_way;

/* The way that the memory allows: with the folds of w if it can be, without them if it must, and then s says why; NULL:
 * none. Folds and threads are set to what there is room for, and so are the rows that are kept for whitening. Processes
 * that share the rows go the same way. */
scree_status scree__select_plan(const scree__select_way **way, scree__selecting *w, scree__job *job, scree__spectrum *s,
                                scree_error *error);
/* The sentence for a memory that allows neither a way nor the fit that would do instead. */
scree_status scree__select_too_little(const scree__selecting *w, const scree_fit_options *fit, scree_error *error);

/* The fold of item i of a stream: each `folds` items in a row go to different folds, in an order drawn at random. */
int scree__fold_of(uint64_t seed, int64_t i, int folds);
/* 0 .. count-1 in an order drawn at random, one of many. */
void scree__shuffle(uint64_t seed, int64_t which, int64_t *order, int64_t count);

/* ---- what rows are kept for ---- */

/* How many rows whitening wants, and what keeping and whitening them takes. */
int64_t scree__select_rows_wanted(const scree__job *job);
int64_t scree__select_sample_memory(const scree__job *job);
/* How many rows to keep for whitening within the memory that is left; 0: none, and s says why. */
int64_t scree__select_sample_rows(const scree__job *job, int64_t memory_used, scree__spectrum *s);
/* Whitens the rows of the sample, and leaves in s what was found. */
scree_status scree__select_whiten(scree__spectrum *s, scree__row_sample *sample, scree_error *error);

/* A table whose gaps have been filled; x is the caller's to free. */
typedef struct scree__filled {
    double *x; /* rows×cols: of the columns that vary */
    int64_t rows;
    int64_t cols;
    int64_t gaps;     /* in all rows */
    int64_t all_rows; /* in which something is observed: rows are a sample of these */
} scree__filled;

/* What reading and filling rows takes, and a selection from them. */
enum { SCREE__FILL_ROWS = 256 }; /* that are read at a time */
int64_t scree__select_fill_memory(const scree__job *job);
/* Reads the rows of a source with gaps, fills them, and leaves in s what whitening has found. */
scree_status scree__select_fill(const scree__selecting *w, scree__spectrum *s, scree__filled *out, scree_error *error);

/* As scree_selection_make, which takes gaps; if it should not, they are an error. */
scree_status scree__selection_make(scree_selection **out, scree_source *source, const scree_select_options *options,
                                   bool takes_gaps, scree_error *error);

/* What would be recommended if eigenvalue `index`, counted from 0, were so many times as large. Of a selection from a
 * model; what the criteria simulate does not change. */
scree_status scree__selection_if(scree_selection *selection, int64_t index, double times, int64_t *recommended,
                                 scree_error *error);

/* How many latent dimensions a distribution should have: as many as are recommended, but one less where these leave no
 * noise, without which there is no density. */
int64_t scree__selection_latent(const scree_selection *selection);

/* ---- what the folds are for ---- */

/* Moments of fold after fold, each matrix of order p: what is left in and what is held out. */
typedef struct scree__unseen scree__unseen;

/* Adds the log-likelihoods of the rows of a fold (max_components + 1), and the squared errors of its cells
 * (max_components + 1). work: scree__unseen_room(p) doubles. Not 0 when a routine of LAPACK failed: what it returned.
 */
typedef int (*scree__fold_fn)(const void *context, const scree__unseen *unseen, int fold, double *work);

struct scree__unseen {
    const scree__spectrum *s;
    int folds;
    int64_t p;
    int few;              /* folds held in by bi-cross-validation: those from the fold at hand on, cyclically */
    int64_t live;         /* indices that vary: a constant column has nothing to tell or to be told */
    const int64_t *order; /* splits×live: the first half and the rest of each are the parts of bi-cross-validation */
    int splits;
    double *heldout; /* folds×(max_components + 1) */
    double *bicross; /* folds×(max_components + 1) */
    int64_t first;   /* of the folds of this process */
    const void *context;
    scree__fold_fn fold;
    double *work;
    int info; /* of what failed; 0: nothing did */
};

/* Whether fold g is among those that bi-cross-validation holds in at fold f. */
bool scree__unseen_holds_in(const scree__unseen *unseen, int f, int g);

int64_t scree__unseen_room(int64_t p);
/* by_columns: matrices have the order of the columns, and rows are dealt to folds; else the other way round. Runs all
 * folds, and leaves their sums over N in s->heldout and s->bicross. */
scree_status scree__unseen_run(scree__spectrum *s, bool by_columns, int folds, scree__fold_fn fold, const void *context,
                               scree_error *error);

/* The rows of a fold, seen in the basis of the eigenvectors of the others. */
typedef struct scree__heldout {
    int64_t d;
    int64_t max_components;
    int64_t count;        /* eigenvalues of the rows left in: all of them, ascending, times their number */
    const double *values; /* count */
    double rows_in;
    double rows_out;
    const double *energy; /* count: Σ (uᵀ(x-µ))² of the rows held out, in the order of values */
    double total;         /* Σ ‖x-µ‖² of the rows held out */
} scree__heldout;

/* loglik[M], M = 0 .. max_components; NaN where there is no density. */
void scree__heldout_score(const scree__heldout *h, double *loglik);

/* Cells held out, predicted from Grams (Owen and Perry 2009). */
typedef struct scree__bicross {
    int64_t p;
    int64_t max_components;
    const double *in;     /* p×p, both triangles */
    const double *out;    /* p×p */
    int64_t live;         /* at least 2 */
    const int64_t *order; /* splits×live: ways to part the indices that count in two */
    int splits;
    bool centre; /* the index is a row of the data: each part is centred by its own mean */
    double *work;
} scree__bicross;

int scree__bicross_score(const scree__bicross *b, double *errors);

/* ---- the verdict ---- */

/* M, the reason for it, and a warning (empty: none), from what the criteria chose. */
typedef struct scree__verdict {
    int64_t recommended;
    int64_t fewest; /* what can be defended, from .. */
    int64_t most;   /* .. to */
    char reason[256];
    char noise[320]; /* what is special about it; empty: nothing */
    char warning[512];
} scree__verdict;

scree__verdict scree__select_verdict(const scree_criterion *criteria, int64_t count, const scree__spectrum *s);

#endif
