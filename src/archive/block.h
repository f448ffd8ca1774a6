/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_BLOCK_H
#define SCREE_ARCHIVE_BLOCK_H

/* Rows as the bytes of a block, and back. */

#include "archive/code.h"
#include "kernel/rows.h"

/* What became of the cells of a block, or of several. */
typedef struct scree__outcome {
    int64_t cells;      /* that are finite */
    double worst;       /* error */
    double squares;     /* sum of squared errors */
    double code_noise;  /* sum of squared rounding errors of codes */
    int64_t code_bytes; /* of the codes */
    int64_t corrected;  /* cells with a correction */
    double saved;       /* on trial: bytes less that zstd at its best is going to take */
    int64_t raw;        /* cells that are stored as they are, NaN counted */
} scree__outcome;

void scree__outcome_add(scree__outcome *outcome, const scree__outcome *other);

/* Appends the block. One thread. */
void scree__block_put(scree__pack *pack, const scree__code *code, const scree__rows *rows, scree__outcome *outcome);

/* data: rows×cols elements of the code's type. */
void scree__block_get(scree__unpack *unpack, const scree__code *code, void *data, int64_t rows);

/* ---- one file a coding ---- */

/* Cells that are stored as they are, in order. */
typedef struct scree__raws {
    scree__pack values; /* elements of the type */
} scree__raws;

/* After a row of cells was coded: its marked cells are kept, and errors counted. */
void scree__raws_keep(scree__raws *raws, scree__outcome *outcome, scree_type type, const double *x, const double *back,
                      const int32_t *k, int64_t cols);
void scree__raws_put(scree__pack *pack, scree__raws *raws, scree_type type);

/* Lends the values of the marked cells, one after the other; to be freed. NULL and failed, or NULL where there are
 * none. */
void *scree__raws_get(scree__unpack *unpack, const int32_t *cells, int64_t count, scree_type type);
/* Puts them in place among a row of cells; used: how many were taken. */
void scree__raws_place(const void *raws, int64_t *used, scree_type type, const int32_t *k, double *back, int64_t cols);

/* A row of doubles as elements of a type. */
void scree__row_store(const double *from, scree_type type, void *to, int64_t cols);

/* How a block is coded and decoded; put returns false where it cannot code these rows, and get fails where the bytes
 * make no sense. */
typedef struct scree__coding_calls {
    const char *name; /* as it is told */
    bool (*put)(scree__pack *pack, const scree__code *code, const scree__rows *rows, scree__outcome *outcome);
    void (*get)(scree__unpack *unpack, const scree__code *code, void *data, int64_t rows);
} scree__coding_calls;

extern const scree__coding_calls scree__coding_model;
extern const scree__coding_calls scree__coding_beside;
extern const scree__coding_calls scree__coding_numbers;
extern const scree__coding_calls scree__coding_elements;

/* The numbers of a block, as they would be coded; to be freed. NULL: no column has a rule, or out of memory. */
int32_t *scree__block_numbers(const scree__rows *rows, int element, double max_error);
/* What zstd's best gains over its quickest level on numbers, by trying it where it might come below so many bytes. */
double scree__block_gain(const int32_t *cells, int64_t count, double most);

/* Elements that zstd may make smaller at its best, and the byte that then stands in front of them. */
typedef struct scree__harder {
    const void *data;
    int64_t count;
    int size;
    unsigned front;
} scree__harder;

/* Puts them in the place of what was packed from begun on, where that is smaller; on trial it is not done, but counted
 * as saved. Returns whether it was done. */
bool scree__block_harder(scree__pack *pack, int64_t begun, const scree__code *code, const scree__harder *harder,
                         scree__outcome *outcome);

const char *scree__coding_name(scree__coding coding);

#endif
