/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_EM_H
#define SCREE_FIT_EM_H

/* What the files of method em share: PPCA of rows with gaps, by maximum likelihood or by variational Bayes.
 *
 *     x_d = µ_d + w_d'z + noise of variance σ²,   z ~ N(0, I)          in the scaled columns
 *
 * em.c           the method: what it takes, and what it returns
 * em_search.c    iterates until nothing is left to gain
 * em_rows.c      the rows: measured, and kept in memory where they fit; em_cells.c those of which cells are kept
 * em_start.c     a first guess from the covariance of available pairs; em_range.c where that is too large
 * em_pairs.c     sums over available pairs; em_spread.c what they say of the noise
 * em_together.c  the rows, and passes over them, of several processes
 * em_expect.c    E step: one pass
 * em_maximise.c  M step: the columns' normal equations
 * em_expand.c    the step that costs nothing: the scale and the rotation of z
 * em_anderson.c  acceleration
 * em_constants.c columns that do not vary, which are none of the fit's
 * em_latent.c    how many components the distribution has
 * em_prune.c     components that Bayes can do without */

#include "fit/job.h"
#include "kernel/observed.h"

/* Parameters. */
typedef struct scree__em_state {
    int64_t d;
    int64_t m;
    double *w;      /* D×M */
    double *offset; /* D: µ less the mean of the observed cells, in the scaled columns */
    double noise;   /* σ² */
    bool bayes;     /* w and µ have a posterior: */
    double *cover;  /* D×pairs(M+1): covariance of [w; µ] of each column */
    double *logdet; /* D: of that */
    double *width;  /* M: prior variance of the loadings of each component (relevance) */
    double broad;   /* prior variance of µ */
    /* Of the imputer alone (imputer.h), which lends them: */
    const double *noises; /* D: σ² of each column; NULL: it is noise */
    double precision;     /* 1/v, the same for all components, where it is given; 0: it is learnt */
} scree__em_state;

static inline double scree__em_noise(const scree__em_state *state, int64_t d)
{
    return state->noises ? state->noises[d] : state->noise;
}

scree_status scree__em_state_new(scree__em_state *state, int64_t d, int64_t m, bool bayes, scree_error *error);
void scree__em_state_copy(scree__em_state *into, const scree__em_state *from);
void scree__em_state_clear(scree__em_state *state);

/* W = U diag(values)^½ V': U into vectors, rows orthonormal. */
scree_status scree__em_principal(const scree__em_state *state, int threads, double *values, double *vectors,
                                 scree_error *error);

/* How far the posterior of w and µ is from its prior (Kullback-Leibler); 0 for maximum likelihood. */
double scree__em_state_divergence(const scree__em_state *state);

/* ‖(C_a - C_b)u‖, C = WW' + σ²I; r: D of scratch. */
double scree__em_moved(const scree__em_state *a, const scree__em_state *b, const double *u, double *r);

/* The rows, and what the first pass finds out about them. */
typedef struct scree__em_rows {
    scree__job job;     /* the one given; its source is memory once rows are kept */
    scree_source *kept; /* owned, or NULL */
    char *data;         /* of the rows kept */
    double *weights;    /* of these, where they have any */
    int64_t capacity;
    int64_t rows;       /* visited */
    int64_t empty;      /* rows with nothing observed */
    int64_t cells;      /* observed */
    double weight;      /* N: total weight of the rows, one each where they have no weights */
    double cell_weight; /* total weight of the observed cells */
    int64_t *counts;    /* D: observed cells of each column */
    double *seen;       /* D: their weight, n_d */
    double *mean;       /* D, of the observed cells */
    double *variance;   /* D, divisor n_d */
    int passes;         /* over the source given */
    int64_t own;        /* rows that this process has visited, */
    int64_t own_empty;  /* and those of them with nothing observed, where several share the rows: */
    scree_source *part; /* its rows; owned, or NULL: it has none */
    int64_t *cuts;      /* where each of its ranges begins among the rows visited, and the end; NULL: nobody shares */
    int64_t range;      /* at work while they are measured */
    scree__team_items items; /* how rows are shared */
} scree__em_rows;

/* One pass: measures, and keeps the rows when budget bytes allow. */
scree_status scree__em_rows_open(scree__em_rows *rows, const scree__job *job, int64_t budget, scree_error *error);
void scree__em_rows_close(scree__em_rows *rows);
/* The same for a source that keeps cells: counts, means, and squares about them in variance. */
scree_status scree__em_rows_measure(scree__em_rows *rows, const scree__job *job, scree_error *error);
/* Whether rows are kept, and what that takes; passes over memory need no copy. */
int64_t scree__em_rows_bytes(const scree__job *job);
/* Another pass over all rows, or those of this process, whose number is filled in. */
scree_status scree__em_rows_read(scree__em_rows *rows, scree__reading *reading, scree_error *error);

/* ---- by several processes (em_together.c) ---- */

/* The most rows that a process has; for plans. */
int64_t scree__em_rows_most(const scree__job *job);
/* The job becomes that of the rows of this process. */
scree_status scree__em_rows_share(scree__em_rows *rows, const scree__job *job, scree_error *error);
/* The tree of what is measured; a range has ended, whose means are counted from an origin (D), and the next begins; and
 * the end, when all have what all ranges come to. */
scree_status scree__em_rows_tree(scree__team_tree **out, scree__em_rows *rows, scree_error *error);
scree_status scree__em_rows_range(scree__em_rows *rows, scree__team_tree *tree, double *origin, scree_error *error);
scree_status scree__em_rows_join(scree__em_rows *rows, scree__team_tree *tree, scree_status failed, scree_error *error);
/* Rows with a cell that come before those of this process. */
scree_status scree__em_rows_before(const scree__em_rows *rows, int64_t *before, scree_error *error);
/* Rows (cols numbers each, weights or NULL) in the order of the processes, of which this one has its own in place: all
 * have all. failed: or it has not. */
typedef struct scree__em_collected {
    double *x;
    double *weights;
    int64_t cols;
    int64_t own; /* rows */
} scree__em_collected;
scree_status scree__em_rows_collect(const scree__em_rows *rows, scree_status failed, const scree__em_collected *all,
                                    scree_error *error);

/* The sentence for a batch with a cell that is infinite, or too large. */
scree_status scree__em_bad_cell(const scree__job *job, const scree__batch *batch, scree_error *error);
/* Refuses a column without any cell. seen: how many each has. */
scree_status scree__em_check_columns(const scree__job *job, const double *seen, int64_t rows, scree_error *error);
/* The same before anything is read, of a source that keeps cells; other sources are fine. */
scree_status scree__em_check_cells(const scree__job *job, scree_error *error);

/* What an E step finds. */
typedef struct scree__em_sums {
    double *a;      /* D×pairs(M+1): Σ⟨[z;1][z;1]'⟩ over the rows that observed the column */
    double *b;      /* D×(M+1): Σ(x-µ)[z;1] */
    double *z;      /* pairs(M+1): Σ⟨[z;1][z;1]'⟩ over all rows with something observed */
    double density; /* Σ ln p(x observed), less the divergence: a lower bound, for Bayes */
    double square;  /* Σ⟨(x - µ - w'z)²⟩ over the observed cells */
} scree__em_sums;

struct scree__em;

/* Over available pairs of columns: see em_pairs.c. */
typedef struct scree__em_pairs {
    double *products; /* D×D, from the diagonal on */
    double *counts;
    int (*at_chunk)(struct scree__em *em, scree__observed *chunk); /* what becomes of the cells before; or NULL */
} scree__em_pairs;

enum { SCREE__EM_PAIRS = 2048 }; /* columns that they are formed for, at most */

/* What em has of all columns, while its own are fewer: see em_constants.c. */
typedef struct scree__em_narrowed {
    scree__chosen chosen;
    double *seen;
    double *mean;
    double *variance;
    int64_t cells;
    double cell_weight;
} scree__em_narrowed;

/* A fit at work. */
typedef struct scree__em {
    const scree__job *job;
    scree__em_rows rows;
    double *factor; /* D: 1/scale, or NULL */
    int64_t d;
    int64_t max_components; /* that there is memory for */
    int64_t slots;
    scree__observed *slot;        /* slots of them, a chunk each */
    double *outer;                /* D×pairs(M+1) */
    double *change;               /* D */
    double floor;                 /* σ² is not let below */
    scree__em_narrowed *narrowed; /* while the fit is of some of the columns only; NULL: of all */
    scree__em_sums sums;
    scree__loadings loadings; /* of the E step at work */
    scree__em_pairs pairs;
} scree__em;

/* From here on, em is about the columns that vary, and no others than it needs; and again about all. The latter is safe
 * where it is about all already. */
scree_status scree__em_narrow(scree__em *em, scree_error *error);
void scree__em_widen(scree__em *em);
/* m vectors of the columns that em is about become such of all columns, in place: 0 in the others. */
void scree__em_spread_out(const scree__em *em, int64_t m, double *vectors);
/* Column j of em among those of the data. */
int64_t scree__em_column(const scree__em *em, int64_t j);

/* As many latent dimensions as selection recommends, of the components of a solution. memory: bytes for that. */
scree_status scree__em_latent(int64_t *latent, scree__em *em, const scree__solution *solution, int64_t memory,
                              scree_error *error);

int64_t scree__em_memory(const scree__job *job, int64_t m, bool bayes);

/* slots, and everything of size D×M; after the rows are open. */
scree_status scree__em_open(scree__em *em, int64_t m, scree_error *error);
void scree__em_release(scree__em *em); /* all of that; the rows stay open */
void scree__em_close(scree__em *em);

/* A first guess, for at most m components; when open, for as many as stand out, and some more. */
scree_status scree__em_start(scree__em *em, scree__em_state *state, int64_t m, bool open, bool bayes,
                             scree_error *error);

/* The top m of the spectrum of the covariance, columns too many for it to be formed: values (m), vectors (m×D). */
scree_status scree__em_range(scree__em *em, int64_t m, double *values, double *vectors, scree_error *error);

/* A pass over chunks: load them all, each in a slot, with the loadings; then at_chunk for each, in parallel; then
 * at_part for each group of columns, or each tile of columns and packed entries, in parallel, which must go through the
 * chunks in their order; then in_order for each chunk, in their order. Each may be NULL. */
typedef struct scree__em_pass {
    scree__em *em;
    int (*at_chunk)(scree__em *em, scree__observed *chunk);
    int (*at_part)(scree__em *em, const scree__observed *chunk, const scree__observed_part *part);
    int64_t entries; /* that a column has; 0: parts are columns alone */
    void (*in_order)(scree__em *em, const scree__observed *chunk, void *context);
    void (*move)(void *pass, scree__snapshot *snapshot); /* for a checkpoint: the sums; or NULL */
    bool inner;                                          /* see scree__stage */
    void *context;
    /* For processes that share rows: the sums of a range, so many doubles, to where they go, and 0 from then on; and
     * those of all ranges back. */
    int64_t doubles;
    void (*give)(struct scree__em_pass *pass, double *place);
    void (*take)(struct scree__em_pass *pass, const double *all);
    /* The batch at work. */
    const scree__batch *batch;
    int64_t chunks;
    bool bad;
    int info;
} scree__em_pass;

scree_status scree__em_run_pass(scree__em_pass *pass, scree_error *error);
/* A batch of it; and the same over the rows of several processes. */
scree_status scree__em_visit(scree__em_pass *pass, const scree__batch *batch, scree_error *error);
scree_status scree__em_pass_together(scree__em_pass *pass, scree_error *error);
/* Doubles of the sums of a pass for at most m components, of those that take the most. */
int64_t scree__em_sums_doubles(const scree__job *job, int64_t m);

/* One pass: em->pairs becomes the sums over the cells as loaded with em->loadings, or what at_chunk makes of them. */
scree_status scree__em_pairs_add(scree__em *em, int (*at_chunk)(scree__em *em, scree__observed *chunk),
                                 scree_error *error);
void scree__em_pairs_clear(scree__em *em);

/* E step: fills em->sums. */
scree_status scree__em_expect(scree__em *em, const scree__em_state *state, scree_error *error);

/* How far the noise of a state is from white: see em_spread.c, and scree_model_view. vectors: M×D, its components. */
scree_status scree__em_spread(scree__em *em, const scree__em_state *state, const double *vectors, double *spread,
                              scree_error *error);

/* What an E step of a state is about: em->loadings. */
void scree__em_load(scree__em *em, const scree__em_state *state);

/* M step: state becomes the one that the sums ask for. */
scree_status scree__em_maximise(scree__em *em, scree__em_state *state, scree_error *error);

/* The columns alone: w, µ and their covariances, with the noise and the widths of the state as they are. */
scree_status scree__em_maximise_columns(scree__em *em, scree__em_state *state, scree_error *error);

/* z is whitened, w rotated to the principal basis: never less likely. */
scree_status scree__em_expand(scree__em *em, scree__em_state *state, scree_error *error);

/* Σ w_k² of a component; the weakest one. */
double scree__em_strength(const scree__em_state *state, int64_t k);
int64_t scree__em_weakest(const scree__em_state *state);
/* The state without its weakest component and all others whose strength is below that given; the
 * strongest stays; where there is but one it becomes zero. Bayes only. */
scree_status scree__em_leave_out(scree__em_state *state, double below, scree_error *error);
/* Components that rise above the noise; */
int64_t scree__em_alive(const scree__em_state *state);
/* the others are left out, one at least stays; how many are left. */
int64_t scree__em_prune(scree__em_state *state);

/* How far a state is from where EM leads, relative to the size of the parameters. */
typedef struct scree__em_distance {
    double step; /* of one EM step */
    double left; /* in all, estimated */
} scree__em_distance;

/* Acceleration by Anderson's method: see em_anderson.c. */
typedef struct scree__em_anderson scree__em_anderson;
scree_status scree__em_anderson_new(scree__em_anderson **out, int64_t d, int64_t m, scree_error *error);
void scree__em_anderson_free(scree__em_anderson *anderson);
int64_t scree__em_anderson_memory(int64_t d, int64_t m);
void scree__em_anderson_forget(scree__em_anderson *anderson);
/* Of a state and its image under an EM step: the image is turned to agree with the state, next becomes what to try
 * next. */
scree_status scree__em_anderson_step(scree__em_anderson *anderson, const scree__em_state *state, scree__em_state *image,
                                     scree__em_state *next, scree__em_distance *distance, scree_error *error);

/* What it remembers of up to so many columns. */
void scree__em_anderson_move(scree__em_anderson *anderson, scree__snapshot *snapshot);

/* A search at work: see em_search.c. */
typedef struct scree__em_search {
    scree__em *em;
    double tolerance;
    scree__em_state state; /* whose likelihood has been computed */
    scree__em_state image; /* one EM step on */
    scree__em_state next;
    scree__em_anderson *anderson;
    scree__em_distance distance;
    double likelihood; /* the best so far */
    int iterations;
    int near;            /* steps in a row that were within the tolerance: one alone may be a flat stretch on the way */
    int low;             /* steps in a row with σ² at its floor: the rest has yet to settle */
    int stalled;         /* steps without a rise */
    bool nothing;        /* Bayes kept no component, and how many to keep was left open */
    bool plain;          /* the state is an EM step from the best: it is not taken back */
    bool open;           /* how many components there are is left open */
    int limit;           /* of the iterations */
    int tried;           /* iteration in which it was last tried to do without a component, */
    int64_t among;       /* and of how many */
    bool trial;          /* the state is the image with some components left out, */
    bool several;        /* more than one, */
    int64_t alone;       /* and of so many only one at a time, several having been too many */
    const char *stopped; /* why, once it is over */
} scree__em_search;

/* A search in a checkpoint: see em_resume.c. */
typedef struct scree__em_resumed {
    scree__em_search *search;
    int64_t most; /* components */
    bool bayes;
} scree__em_resumed;

/* context: a scree__em_resumed. What is read back is allocated, unless the search had not begun. */
void scree__em_search_move(void *context, scree__snapshot *snapshot);
/* A state that has room for so many components. */
void scree__em_state_move(scree__em_state *state, int64_t most, scree__snapshot *snapshot);

/* With em, tolerance, open and limit set: from a first guess for m components to where it ends. */
scree_status scree__em_look(scree__em_search *search, int64_t m, bool bayes, scree_error *error);
/* Gives back all that it holds; what was set, and the iterations, stay. */
void scree__em_search_clear(scree__em_search *search);

#endif
