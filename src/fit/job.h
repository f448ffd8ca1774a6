/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_JOB_H
#define SCREE_FIT_JOB_H

/* What the methods of fitting share: the job they are given, the solution they return. */

#include "data/pass.h"
#include "data/team.h"
#include "fit/checkpoint.h"
#include "fit/estimate.h"
#include "kernel/ops.h"
#include "model/rest.h"

/* A fit, options resolved. */
typedef struct scree__job {
    scree_source *source;
    const scree_fit_options *options;
    scree__team *team;          /* processes that have the same rows; NULL: this one is alone */
    const scree__rates *rates;  /* for predicting times */
    int threads;                /* 1 where others would hardly help, */
    int allowed;                /* and so many where they do */
    int64_t memory;             /* bytes that may be used */
    int64_t rows;               /* known, or an estimate, or -1 */
    bool rows_known;            /* not an estimate */
    int64_t cols;               /* D */
    int64_t k;                  /* components wanted */
    double share;               /* > 0: the fewest that keep this share */
    double rival;               /* seconds of the next best method, as plans are compared; 0: there is none */
    const char *gave_way;       /* a method that is not to be chosen again, or NULL */
    bool k_is_flexible;         /* fewer will do where the data has fewer: nobody asked for exactly k */
    bool takes_sparse;          /* visits take sparse rows as they are */
    bool takes_cells;           /* visits take lists of cells from sources that store only these */
    const char *missing_advice; /* what to do about a missing cell, for those who need complete rows; NULL: as a fit */
    const double *factor;       /* D: powers of two that the columns are times, and so are their scales; NULL: 1 */
    bool *gap;                  /* set when a cell turns out to be missing, where not NULL */
    struct scree__replicates *replicates; /* that see the rows of a first pass too; NULL: none were asked for */
    struct scree__witnesses *witnesses;   /* that do so, too, but for rows that are kept as cells; or NULL */
    scree__checkpoint *checkpoint;        /* lent, or NULL */
} scree__job;

/* What else a method finds that fits a probability model by iterating its parameters. */
typedef struct scree__likelihood {
    int64_t observed;   /* cells */
    int64_t empty_rows; /* rows with nothing observed */
    int iterations;
    bool bayes;
    double log_likelihood; /* of the observed cells, or its lower bound */
    const char *stopped;   /* why, see scree_model_view */
    bool selected;         /* selection said how many components are part of the distribution: */
    int64_t latent;
    bool nothing;        /* no component stands out: the one that was found is not part of the distribution */
    double noise_spread; /* beyond the components, see scree_model_view */
    double online_angle; /* error of a single pass, see scree_model_view */
    double online_noise;
} scree__likelihood;

/* What a method found. S is the covariance (of the scaled columns) as the method computed it. */
typedef struct scree__solution {
    int64_t rows;      /* with a weight above 0, where they have any */
    double weight;     /* N: the sum of the weights, or the number of the rows */
    double *mean;      /* D */
    double *scale;     /* D, or NULL */
    double *variances; /* D, of the columns before scaling; 0 for constant ones, whose scale is 1 */
    int64_t k;         /* components found */
    int64_t spare;     /* more that follow them, in values and vectors: see solution_spare.c */
    double *values;    /* k, descending */
    double *vectors;   /* k×D, orthonormal rows */
    double *residuals; /* k: ‖Su - λu‖ */
    double *errors;    /* k: bounds on the errors of the eigenvalues, where the method knows better ones; or NULL */
    double total;      /* tr S */
    double next;       /* an upper bound of the (k+1)-th eigenvalue of S */
    double rounding;   /* a bound of ‖S - the covariance of the data in exact arithmetic‖ */
    int passes;
    bool converged;
    bool misjudged;        /* there are far more rows than estimated: count them, and plan again */
    bool uncentred;        /* rows are as they came, less no mean */
    bool graded;           /* small eigenvalues keep their digits beside large ones, as squares of singular values do */
    bool in_float;         /* variances are of products in float */
    bool out_of_range;     /* rows times a power of two are needed: their squares are no doubles */
    bool gave_way;         /* another method is the shorter way: nothing was found */
    double tolerance;      /* of the iteration, where one was asked for; 0: a direct method */
    const char *stop_rule; /* see scree_model_view; NULL: a direct method */
    scree__likelihood *likelihood; /* owned; NULL: not fitted by likelihood */
    double *spectrum; /* all eigenvalues of S or of as many as rows span, those beyond the k perhaps as estimated from
                         their distribution; or NULL */
    int64_t spectrum_count;
    double squares;                     /* the sum of their squares; 0: not known */
    struct scree__imputer *imputer;     /* owned; NULL: none was fitted */
    double *seen;                       /* D: rows in which each column was observed; NULL: all, or not known */
    struct scree__relations *relations; /* owned; NULL: none was found */
    struct scree__evidence *evidence;   /* owned; NULL: not known */
} scree__solution;

/* Genotypes whose packed calls a method may work on as they lie; NULL: it needs rows. */
const struct scree__genotypes *scree__job_packed(const scree__job *job);

/* Options checked and resolved. */
scree_status scree__job_make(scree__job *job, scree_source *source, const scree_fit_options *options,
                             scree_error *error);

/* Whether the bytes of a D×D matrix fit in an integer. If not, reason (256 bytes) says so. */
bool scree__job_has_squares(const scree__job *job, char *reason);

/* Rows for plans: known, estimated, or a modest guess. */
int64_t scree__job_rows(const scree__job *job);
/* Entries of sparse rows, for plans: known, or a modest guess. */
double scree__job_entries(const scree__job *job);
/* Components for plans: what k becomes for that many rows. */
int64_t scree__job_components(const scree__job *job, int64_t rows);

/* When N has become known: k settled, or an error when N does not allow it; fewer than 2 rows are an error. */
scree_status scree__job_settle(const scree__job *job, int64_t rows, int64_t *k, scree_error *error);

/* One pass over the data. */
scree_status scree__job_pass(const scree__job *job, int pass, int passes, int64_t batch_rows, scree__visit visit,
                             void *context, int64_t *rows, scree_error *error);

/* The same, with more to be said about it. */
typedef struct scree__reading {
    int pass;
    int passes;
    int64_t batch_rows;
    bool several; /* visit takes several batches at once */
    scree__visit visit;
    void *context;
    void (*move)(void *context, scree__snapshot *snapshot); /* what visit has come to, between its calls; NULL: a fit
                                                               that goes on makes this pass again */
    bool inner;                                             /* see scree__stage */
} scree__reading;

scree_status scree__job_read(const scree__job *job, const scree__reading *reading, int64_t *rows, scree_error *error);

/* The job of this process's share of the rows, which is a source of its own, *part, to be freed; they are the job and
 * NULL where nobody shares. A process without rows has a job that no pass does anything for. */
scree_status scree__job_share(scree__job *mine, scree_source **part, const scree__job *job, scree_error *error);

/* A pass over these, several batches at a time or one: ended is called after each range of rows. *rows, those that were
 * visited, where not NULL. */
typedef struct scree__range_visits {
    const char *stage; /* for progress; NULL: "fit" */
    scree__visit visit;
    scree_status (*ended)(void *context, scree_error *error);
    void *context;
    bool several;
    const scree__ranges *ranges; /* NULL: the team's */
    const int64_t *cuts;         /* see scree__pass */
} scree__range_visits;

scree_status scree__job_pass_ranges(const scree__job *job, int pass, int passes, int64_t batch_rows,
                                    const scree__range_visits *visits, int64_t *rows, scree_error *error);

/* All rows, so many, of a source in memory, which lends them for good. */
scree_status scree__job_lend(const scree__job *job, int64_t rows, scree__rows *x, scree_error *error);

/* The sentence for a batch in which a kernel found a cell that is not finite. */
scree_status scree__job_bad_cell(const scree__job *job, const scree__batch *batch, scree_error *error);
/* The same sentence, before anything is read, of a source that is known to have gaps; other sources are fine. */
scree_status scree__job_known_gap(const scree__job *job, scree_error *error);

/* Allocates mean, values, vectors, residuals for k components; scale when asked for. */
scree_status scree__solution_alloc(scree__solution *solution, const scree__job *job, int64_t k, scree_error *error);
/* Room for k components instead, and nothing in it. */
scree_status scree__solution_resize(scree__solution *solution, const scree__job *job, int64_t k, scree_error *error);
void scree__solution_clear(scree__solution *solution);

/* Where rows are not centred: the mean is 0, and variances, which have the divisor N/share, are second moments. */
void scree__job_uncentre(const scree__job *job, double *mean, double *variances, double share);

/* The sentence for rows of which no column varies. */
scree_status scree__job_constant(const scree__job *job, scree_error *error);

/* From means and variances: scale (1 for constant columns), and an error when nothing varies at all, when weights,
 * which must be known, add up to too little, or when variances are out of range. Constant is what has variance 0: sums
 * are taken from a row that there is, so that equal values leave nothing to round. */
scree_status scree__solution_scale(scree__solution *solution, const scree__job *job, const double *variances,
                                   scree_error *error);

/* How many eigenvalues there are, of columns that vary: min(N-1, D) of these. */
int64_t scree__solution_rank(const scree__solution *solution, int64_t cols);
/* What the method knows of the eigenvalues beyond the k: nothing, where it saw neither them nor their squares. */
scree_status scree__solution_rest(scree__rest *rest, const scree__solution *solution, int64_t cols, scree_error *error);

/* Relations between columns, from S of the scaled columns, D×D; and their values times a power of two made as they
 * were. */
scree_status scree__solution_relate(scree__solution *solution, const scree__job *job, const double *covariance,
                                    scree_error *error);
void scree__solution_rescale_relations(scree__solution *solution, double factor);
/* What these rest on, once all rows have come by. */
scree_status scree__solution_testify(scree__solution *solution, const scree__job *job, scree_error *error);

/* Room for k components and as many spare ones as suit so many rows. As scree__solution_alloc, for methods that find
 * them on their way. */
scree_status scree__solution_alloc_spare(scree__solution *solution, const scree__job *job, int64_t k,
                                         scree_error *error);
int64_t scree__solution_spare_memory(const scree__job *job, int64_t rows, int64_t k);
/* The share to count components by: 0, that is, all, where spare ones are wanted. Once solution->rows is known. */
double scree__solution_share(const scree__solution *solution, const scree__job *job);
/* When all is done: k becomes the number that was asked for, and spare ones follow behind it. */
void scree__solution_set_apart(scree__solution *solution, const scree__job *job);

/* N - ddof, N being the total weight. */
double scree__job_divisor(const scree__job *job, double weight);

/* Whether float products can certify residuals to a tolerance. */
bool scree__job_float_does(double tolerance);

/* The arithmetic for a job of about so many flops: float only for float data, where no tolerance was asked for that
 * float cannot certify, and where it saves time worth having; small jobs get the digits of double for nothing. */
const scree__ops *scree__job_ops(const scree__job *job, double flops);

/* Rows as the kernels want them. */
scree__rows scree__batch_rows(const scree__batch *batch);

#endif
