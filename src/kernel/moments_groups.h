/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_MOMENTS_GROUPS_H
#define SCREE_KERNEL_MOMENTS_GROUPS_H

/* The two ways in which threads share the groups of a batch of rows; see moments_groups.c. For moments.c and
 * moments_tally.c alone. */

#include "base/threads.h"
#include "kernel/chunk.h"
#include "kernel/moments.h"

struct scree__moments {
    const scree__ops *ops;
    int64_t cols;
    bool diagonal;
    int threads;
    /* Functions of the columns and the type alone. */
    int64_t chunk_rows;   /* the last chunk may have fewer */
    int64_t group_chunks; /* whose products are gathered before a lane gains them */
    int64_t batch_groups; /* that one call is given, fewer only at the end; or a multiple of it */
    int64_t lanes;
    int64_t strip_cols; /* columns that are worked on alone: all, or some of those whose variances are wanted */
    int64_t strips;
    int64_t tiles; /* the scatter is tiles×tiles tiles */
    int64_t pairs; /* of them, in the upper triangle */
    int64_t size;  /* doubles of a scatter */
    /* How they are shared. */
    bool by_groups; /* a thread takes whole groups; else all threads take tiles of held groups */
    int64_t held;   /* groups at a time */
    /* So far. */
    int64_t rows;
    int64_t chunks;
    int64_t groups;
    bool weighted; /* some rows had weights */
    double *origin;
    double *lane_means;   /* D for each lane, from the origin */
    double *lane_weights; /* for each strip of each lane */
    double *scatter;      /* of each lane; the upper triangle, or the diagonal */
    int64_t ready;        /* lanes, the first ones, whose scatter is 0 or what was gained */
    scree__turn *turns;   /* for each lane, and there for each strip or each pair of tiles: groups that it has gained */
    double lost;          /* of the scatter, by rows that were gained, by gaining and by fading */
    double gained;        /* trace of what was gained */
    /* The rows at work. */
    const scree__rows *batch;
    char *packed;        /* places for chunks of (chunk_rows+1)×strip_cols elements: one a thread, or those held */
    double *means;       /* D for each place */
    double *group_means; /* D for each thread, or each group that is held; in the end what joins it to its lane */
    char *scratch;       /* for each thread: products that are gathered */
    int64_t scratch_size;
    bool bad; /* a cell is not finite */
    bool failed;
};

/* So many lanes have a scatter, of all that there are: a lane that gains nothing costs nothing. */
void scree__moments_ready(scree__moments *moments, int64_t lanes);

/* Lane 0 becomes the sum of all lanes, with both triangles or the upper one alone. */
void scree__moments_join(scree__moments *moments);
void scree__moments_join_upper(scree__moments *moments);

int64_t scree__moments_chunk_bytes(const scree__moments *moments);
int64_t scree__moments_tile_start(const scree__moments *moments, int64_t tile);
int64_t scree__moments_group_rows(const scree__moments *moments);

/* The rows of the batch, each way. */
void scree__moments_by_groups(scree__moments *moments);
void scree__moments_by_tiles(scree__moments *moments);

#endif
