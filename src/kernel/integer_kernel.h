/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_INTEGER_KERNEL_H
#define SCREE_KERNEL_INTEGER_KERNEL_H

/* Sums of products of bytes, for several instruction sets that all give the same integers.
 *
 * Columns are packed in panels of 16. A panel holds its rows in groups, the rows of a group side by side for each
 * column, as the instructions of the kernel want them; what is missing to a whole group or panel is zeros. One multiply
 * adds Σ x_i (x_j - shift) over the rows of a pack: in 32 bits, which hold 2^15 rows, then in 64. */

#include <stdbool.h>
#include <stdint.h>

enum { SCREE__PANEL = 16, SCREE__SQUARE = SCREE__PANEL * SCREE__PANEL, SCREE__MOST_PANELS = 3 };

/* A panel times its neighbours to the right, itself perhaps among them. */
typedef struct scree__integer_piece {
    const char *a;  /* the panel of columns i */
    const char *b;  /* the first panel of columns j */
    int64_t stride; /* bytes from panel to panel */
    int64_t panels; /* of columns j: 1 to SCREE__MOST_PANELS */
    int64_t groups; /* of rows */
    int64_t *sums;  /* for each panel a block i×j, 64-byte aligned: gains the products */
} scree__integer_piece;

typedef struct scree__integer_kernel {
    const char *name;
    bool (*runs_here)(void);
    int64_t group; /* rows, a divisor of 64 */
    int64_t bytes; /* of a group in a panel, 32 for each row at most */
    int64_t shift;
    double speed; /* over products of floats, about: for predicting times */
    /* rows, whole groups of them, of 16 columns. */
    void (*pack)(const uint8_t *x, int64_t stride, int64_t rows, void *panel);
    /* The same of the transpose: 16 rows, and columns, whole groups of them. */
    void (*pack_across)(const uint8_t *x, int64_t stride, int64_t cols, void *panel);
    void (*multiply)(const scree__integer_piece *piece);
} scree__integer_kernel;

/* The kernel of that name, or NULL when there is none or this machine cannot run it; NULL asks for the fastest. */
const scree__integer_kernel *scree__integer_kernel_find(const char *name);

#endif
