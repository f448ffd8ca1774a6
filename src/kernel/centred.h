/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_CENTRED_H
#define SCREE_KERNEL_CENTRED_H

/* Rows that arrive in pieces, turned into chunks of centred rows whose outer products add up to the scatter of all rows
 * about their common mean, though that mean is known only at the end; see centred.c. */

#include "base/snapshot.h"
#include "kernel/chunk.h"

enum { SCREE__MOST_LANES = 16 };

typedef struct scree__centred {
    const scree__ops *ops;
    int threads;
    int64_t cols;
    int64_t chunk_rows; /* rows of a chunk; the last one may have fewer */
    int64_t lanes;
    int64_t batch_rows; /* what scree__centred_take wants: a multiple of chunk_rows */
    int64_t rows;       /* seen so far */
    int64_t chunks;     /* seen before this batch: decides the lane of its first chunk */
    scree__lane lane[SCREE__MOST_LANES];
    /* The batch at work. */
    const scree__rows *batch;
    int64_t batch_chunks;
    char *packed;  /* places for chunks of (chunk_rows+1)×D elements, as many as a batch has */
    double *means; /* D for each place */
    bool bad;      /* a cell is not finite */
    double *lane_means;
    double *origin; /* D: near the rows, taken from each before anything is summed */
} scree__centred;

/* Chunk, lanes and batch are functions of the columns and the type alone. lane_bytes: what each lane costs its user. */
scree__centred scree__centred_shape(int64_t cols, int64_t lane_bytes, const scree__ops *ops);
int64_t scree__centred_memory(const scree__centred *shape);

/* Allocates, from a shape. */
scree_status scree__centred_start(scree__centred *centred, int threads, scree_error *error);
void scree__centred_clear(scree__centred *centred);

/* Centres the chunks of the next rows: batch_rows of them, fewer only at the end. SCREE_ERR_VALUE when a cell is not
 * finite. Chunk i stands at place i until scree__centred_done. */
scree_status scree__centred_take(scree__centred *centred, const scree__rows *x, scree_error *error);

void scree__centred_done(scree__centred *centred);

/* What the rows so far come to, between pieces. */
void scree__centred_move(scree__centred *centred, scree__snapshot *snapshot);

/* The centred rows at a place. Of a chunk of the batch: how many rows (one more than it has), and its lane. */
void *scree__centred_chunk(const scree__centred *centred, int64_t place);
int64_t scree__centred_chunk_rows(const scree__centred *centred, int64_t chunk);
int64_t scree__centred_chunk_lane(const scree__centred *centred, int64_t chunk);

/* Of all rows, at the end: how many they count for. */
double scree__centred_weight(const scree__centred *centred);

/* Joins the rows and the mean of lane from to those of lane into; w (D) receives the row whose outer product is what
 * the scatter of both gains beside the sum of their scatters. False when from is empty. */
bool scree__centred_join(scree__centred *centred, int64_t into, int64_t from, double *w);

/* At the end, once: lends the mean (D) of lane 0, where the rows stand. */
double *scree__centred_mean(scree__centred *centred);

#endif
