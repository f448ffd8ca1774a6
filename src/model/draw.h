/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_DRAW_H
#define SCREE_MODEL_DRAW_H

/* Draws from the model, numbered from 0: draw i is a function of the seed and of i alone. */

#include "model/answers.h"
#include "model/support.h"

typedef struct scree__draw {
    const scree_model *model;
    uint64_t seed;
    int threads;
    scree__chunks decoder;  /* z → Bz + µ */
    double *codes;          /* capacity×M: z times the loadings' lengths */
    double *noise;          /* 2·D for each thread */
    scree__support support; /* where noise lies */
    /* The draws at work. */
    int64_t first;
    double *z;
    double *x;
} scree__draw;

/* For up to capacity draws at a time, from the distribution of the model. */
scree_status scree__draw_open(scree__draw *draw, const scree_model *kept, uint64_t seed, int threads, int64_t capacity,
                              scree_error *error);
void scree__draw_close(scree__draw *draw);

/* z (count×M): standard normals for draws first .. first+count-1. */
void scree__draw_latent(scree__draw *draw, int64_t first, int64_t count, double *z);

/* x (count×D) ~ p(x|z) = N(Bz + µ, σ²I), for draws first .. first+count-1. */
scree_status scree__draw_visible(scree__draw *draw, int64_t first, int64_t count, double *z, double *x,
                                 scree_error *error);

#endif
