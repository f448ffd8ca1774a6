/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KIND_NETWORK_AUTOENCODE_H
#define SCREE_KIND_NETWORK_AUTOENCODE_H

/* What the parts of training an auto-encoder share: rows that come in shuffled batches, and the trainer.
 *
 * Each row is one for training or one for validation, by a random number that its place decides; nothing that is
 * learned, the PCA beside it included, has seen the others. */

#include "data/pass.h"
#include "fit/checkpoint.h"
#include "kernel/rows.h"
#include "kernel/stack.h"
#include "kind/network/network.h"

typedef enum scree__part { SCREE__TRAINING, SCREE__VALIDATION } scree__part;

/* Which part row i of a source belongs to. */
scree__part scree__part_of(uint64_t seed, double validation, int64_t row);

/* The rows of one part, as a source around inner, which is borrowed and must not be used meanwhile. rows: how many
 * there are. */
scree_status scree__part_open(scree_source **out, scree_source *inner, scree__part part, uint64_t seed,
                              double validation, int64_t rows, scree_error *error);

/* The data: all of it in memory, or a source that is read again and again. */
typedef struct scree__feed {
    scree_source *source; /* that rows are read from: the one given, or resident */
    scree_source *resident;
    char *raw; /* rows×cols elements of the source's type; NULL: they are not kept */
    int64_t cols;
    int64_t rows;
    int64_t part_rows[2];
    int64_t *order; /* of raw: the rows for training, then those for validation */
    double *lowest; /* D: of the rows for training */
    double *highest;
    const double *offset; /* D: x' = (x - offset)·factor; set before batches are asked for */
    double *factor;
    int64_t held; /* bytes of the rows that are kept, and what the source given holds then */
    int64_t room; /* bytes that rows may take, kept or being shuffled */
    uint64_t seed;
    double validation;
    const scree_run *run;
    int threads;
} scree__feed;

/* One pass: checks every cell, keeps the rows where they fit into room bytes, finds their extremes. */
scree_status scree__feed_open(scree__feed *feed, scree_source *source, const scree_autoencode_options *options,
                              int64_t room, scree_error *error);
void scree__feed_close(scree__feed *feed); /* safe on a zeroed struct */

/* What is done with rows x' that were put where the caller wanted them, as floats. */
typedef struct scree__batches {
    float *into;    /* room for the rows of a batch */
    int64_t batch;  /* rows wanted */
    int64_t epoch;  /* from 0: decides the order */
    int64_t epochs; /* for progress, */
    double began;   /* and when this one began; 0: it is not known */
    int64_t skip;   /* batches that were done before */
    bool silent;    /* no progress, and no cancelling */
    scree_status (*visit)(void *context, int64_t rows, scree_error *error);
    void *context;
} scree__batches;

/* How many batches an epoch has, and the rows of the largest. */
int64_t scree__feed_batches(const scree__feed *feed, int64_t batch);
int64_t scree__feed_largest(const scree__feed *feed, int64_t batch);

/* The rows for training in an order that seed and epoch decide, in batches of nearly one size. */
scree_status scree__feed_shuffled(const scree__feed *feed, const scree__batches *batches, scree_error *error);

/* The rows of a part in their own order; the last batch may be smaller. */
scree_status scree__feed_in_order(const scree__feed *feed, scree__part part, const scree__batches *batches,
                                  scree_error *error);

/* Random numbers below limit, as many as are wanted, in an order that the seed and the stream decide. */
typedef struct scree__dice {
    uint64_t seed;
    uint64_t stream;
    uint64_t thrown;
} scree__dice;

int64_t scree__dice_throw(scree__dice *dice, int64_t limit);

/* Streams of random numbers, all different; those of epochs come after the others. */
enum { SCREE__STREAM_PARTS = 0x70617274, SCREE__STREAM_START = 0x73746172 };
static const uint64_t SCREE__STREAM_EPOCHS = UINT64_C(1) << 36;

/* scree_model_autoencode, where rows in memory and a batch on its way may each take room bytes. */
scree_status scree__autoencode_within(scree_model **out, scree_source *source, const scree_autoencode_options *options,
                                      int64_t room, scree_error *error);

/* Training: the network, its parameters where they are now and where they were best, and how far it is. */
typedef struct scree__trainer {
    scree_autoencode_options options; /* with nothing left open */
    scree__feed *feed;
    scree__network *network;
    scree__stack stack;
    float *current; /* P */
    float *best;    /* P */
    float *moments[2];
    double unit; /* errors are in units of the data over this, which is squared */
    int64_t step;
    int64_t steps_an_epoch;
    int64_t stale;     /* epochs since the best */
    double best_error; /* that decides: of validation where there is one */
    double sum;        /* of errors in this epoch so far */
    int64_t seen;      /* rows of it */
    double began;      /* seconds on a clock */
    double pca_error;  /* that errors are compared with */
    int64_t before;    /* epochs that a finished network was trained for already */
    bool out_of_time;
    scree__checkpoint *checkpoint; /* or NULL */
    int64_t memory;                /* with it: what the PCA beside it is planned for */
} scree__trainer;

/* Options checked, and what they leave open settled; of an interrupted training, as they were. Batch, epochs and
 * patience may be left open until it is known how many rows there are for training. */
scree_status scree__autoencode_settle(scree_autoencode_options *options, const scree_source *source,
                                      scree_error *error);
void scree__autoencode_settle_rows(scree_autoencode_options *options, int64_t rows);

/* The weights that training starts from, into current. pca: of the rows for training. */
scree_status scree__trainer_start(scree__trainer *trainer, const scree_model_view *pca, scree_error *error);

/* Mini-batches by Adam; all rows at once by L-BFGS. Each sets what the network's view says of the training, and leaves
 * the best parameters in best. Cancelling is no error once there is a best. */
scree_status scree__train_adam(scree__trainer *trainer, scree_error *error);
scree_status scree__train_whole(scree__trainer *trainer, scree_error *error);

/* Bytes that the second remembers. */
int64_t scree__train_whole_memory(int64_t parameters);

/* The checkpoint that the options ask for, in the trainer, and what depends on the memory at hand: see
 * autoencode_resume.c. */
scree_status scree__trainer_checkpoint(scree__trainer *trainer, scree_source *source, int64_t *room,
                                       scree_error *error);
/* What both ways of training have: parameters, the best ones, and how far it is; between two steps or epochs. */
void scree__trainer_move(scree__trainer *trainer, scree__snapshot *snapshot);

/* Fails, for errors are no numbers any more. */
scree_status scree__trainer_lost(const scree__trainer *trainer, scree_error *error);

/* Mean error of the rows of a part in units of the data; NaN when there are none. */
scree_status scree__trainer_error(scree__trainer *trainer, scree__part part, double *mean, scree_error *error);

/* Tells of an epoch: whoever asked for it, and the network's view. Returns whether this one is the best. */
bool scree__trainer_tell(scree__trainer *trainer, int64_t epoch, double training, double validation);

/* Since the first call. */
double scree__trainer_seconds(scree__trainer *trainer);

#endif
