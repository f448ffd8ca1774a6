/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KIND_NETWORK_NETWORK_H
#define SCREE_KIND_NETWORK_NETWORK_H

/* An auto-encoder as a model: layers that make a code of a row, and layers that make a row of a code (10.76).
 *
 *     h₀ = (x - offset)/range,   h_l = f_l(W_l h_{l-1} + b_l),   z = h_encoders,   x̃ = h_count · range + offset
 *
 * W_l is out×in, row-major. Weights are float; a row is loaded and given back in double. The network is the data of a
 * model of the kind scree__kind_network. */

#include "kernel/activation.h"
#include "kind/kinds.h"
#include "model/model.h"

typedef struct scree__layer {
    int64_t in;
    int64_t out;
    scree__activation activation; /* f_l; of the code it is SCREE__IDENTITY */
    float *weights;               /* out×in */
    float *bias;                  /* out; NULL: none */
} scree__layer;

/* Where an interrupted training goes on; NULL arrays when it was finished. */
typedef struct scree__training {
    float *current;    /* P: the weights where training stopped; those of the layers are the best so far */
    float *moments[2]; /* P each: Adam's */
    int64_t step;      /* updates done */
    int64_t stale;     /* epochs since the best one */
    double sum;        /* of the errors in the epoch that was broken off, in the units of training */
    int64_t seen;      /* rows of it */
    int64_t before;    /* epochs that were done when it began */
    int64_t epochs;    /* options, with which it goes on */
    int64_t batch;
    int64_t patience;
    double rate;
    double decay;
    double validation;
} scree__training;

enum { SCREE__MAX_ENCODERS = 11 }; /* hidden layers, and the one that makes the code */
enum {
    SCREE__NETWORK_FACTS = 16,
    SCREE__FACT_TEXTS = SCREE__NETWORK_FACTS + 2,
    SCREE__FACT_SIZE = 24 * (2 * SCREE__MAX_ENCODERS + 1)
};

struct scree__network {
    scree_network_view view; /* what the user sees */
    scree__layer *layers;    /* count: first those of the encoder, then those of the decoder */
    int64_t count;
    int64_t encoders; /* layers of the encoder: the last of them makes the code */
    bool tied;        /* decoder layer i has the weights of layer count-1-i, transposed: a copy that follows them */
    int64_t *widths;  /* count + 1: D, ..., M, ..., D */
    double *offset;   /* D */
    double *range;    /* D, positive */
    scree__training training;
    scree_fact facts[SCREE__NETWORK_FACTS]; /* what is said of it, once it is settled */
    char texts[SCREE__FACT_TEXTS][SCREE__FACT_SIZE];
};

typedef struct scree__network scree__network;

/* What a network is to be. */
typedef struct scree__shape {
    const int64_t *widths;        /* encoders + 1: D, hidden ..., M */
    int64_t encoders;             /* at least 1 */
    scree__activation activation; /* of hidden layers */
    scree__activation output;     /* of the last */
    bool tied;
    bool bias;
} scree__shape;

/* All arrays zeroed, ranges 1. */
scree_status scree__network_new(scree__network **out, const scree__shape *shape, scree_error *error);
void scree__network_free(scree__network *network); /* NULL-safe */

/* One of the same shape, offset, range and parameters, of which nothing else is known. */
scree_status scree__network_copy(scree__network **out, const scree__network *network, scree_error *error);

/* Numbers that are trained: weights and biases of all layers, those of tied layers once. */
int64_t scree__network_parameters(const scree__network *network);

/* Copies them in and out, layer by layer, weights before bias; taking also renews the tied copies. */
void scree__network_give(const scree__network *network, float *parameters);
void scree__network_take(scree__network *network, const float *parameters);

static inline bool scree__is_network(const scree_model *model)
{
    return model->kind == &scree__kind_network;
}

/* The network of a model that is one. */
static inline scree__network *scree__network_of(const scree_model *model)
{
    return model->data;
}

/* The entries of the kind's table, each in a file of its own. */
void scree__network_project(scree__question *question);
void scree__network_reconstruct(scree__question *question);
void scree__network_round_trip(scree__question *question);
scree_status scree__network_save(const scree_model *model, scree__draft *draft, scree_error *error);
scree_status scree__network_load(scree_model **out, const scree__safetensors *file, scree_error *error);
void scree__network_describe(scree__network *network); /* its facts */
const scree_fact *scree__network_fact(const scree_model *model, int64_t index);
scree_status scree__network_page(const scree_model *model, int64_t limit, char **json, scree_error *error);
extern const scree__onnx_kind scree__network_onnx;

/* Layers first .. last-1 for rows: in rows×in of the first, out rows×out of the last; work: rows ×
 * scree__network_work() floats. One thread. */
void scree__network_forward(const scree__network *network, int64_t first, int64_t last, int64_t rows, const float *in,
                            float *out, float *work);
int64_t scree__network_work(const scree__network *network);

/* z of rows that are (x - offset)/range already, and x̃ of codes as (x̃ - offset)/range, in double; rows is the height
 * of a chunk. work: rows × scree__network_room() doubles. */
void scree__network_encode(const scree__network *network, int64_t rows, const double *x, double *codes, double *work);
void scree__network_decode(const scree__network *network, int64_t rows, const double *codes, double *x, double *work);
int64_t scree__network_room(const scree__network *network);

#endif
