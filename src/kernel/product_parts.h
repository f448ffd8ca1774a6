/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_PRODUCT_PARTS_H
#define SCREE_KERNEL_PRODUCT_PARTS_H

/* What the files of W = CᵀCQ share: product.c, product_groups.c, product_columns.c and product_ranges.c. */

#include "kernel/product.h"
#include "kernel/tiles.h"

enum { SCREE__STRIP = 6 * SCREE__BLOCK }; /* columns of a tile */

struct scree__product {
    scree__product_size size;
    scree__tiles tiles;
    int64_t group;  /* rows of one */
    int64_t lanes;  /* sums of W, by groups of rows; 1: threads share the columns of a group instead */
    int64_t shares; /* sums of Y where they do, by strips of columns */
    int64_t strips;
    char *q;          /* D×b in panels */
    double *w;        /* for each lane D×b in panels; or for each range at work, and for each thread */
    double *sums;     /* for each lane, of all ranges at work, 1ᵀY */
    double *rest;     /* dᵀQ */
    char *laid;       /* for each thread, or for all, a group's tiles */
    double *y;        /* for each thread, or share, CQ of a group in panels */
    char *thin;       /* the same, of the panels' type: what Cᵀ is multiplied by */
    int64_t laid_one; /* bytes of one of each */
    int64_t y_one;
    /* The sweep at hand. */
    const double *from;
    double *to;
    int64_t b;
    int64_t wide;
    int64_t next; /* group that comes next */
    scree__rows x;
};

static inline int64_t scree__product_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A strip of a group's tiles. */
static inline scree__panel_tile scree__product_tile(const scree__product *p, char *laid, int64_t strip)
{
    const int64_t apart = scree__tiles_apart(p->group, p->size.ops);
    const int64_t first = strip * SCREE__STRIP;
    return (scree__panel_tile){.c = laid + first / SCREE__BLOCK * apart * p->size.ops->size,
                               .apart = apart,
                               .rows = p->group,
                               .cols = scree__product_least(SCREE__STRIP, p->tiles.padded - first)};
}

/* y (group×b, panels of doubles) gains the strip's part of CQ. */
void scree__product_forward(const scree__product *p, const scree__panel_tile *tile, int64_t strip, double *y);

/* w (D×b, panels of doubles) gains the strip's part of CᵀY. */
void scree__product_backward(const scree__product *p, const scree__panel_tile *tile, int64_t strip, const char *thin,
                             double *w);

/* Rows of Y less what the rest of the mean takes, weighted, as the panels' type; sums gains them. */
void scree__product_settle(const scree__product *p, const scree__rows *x, double *y, char *thin, double *sums);

/* All groups of p->x, shared out by groups, and by columns. */
void scree__product_by_groups(scree__product *p);
void scree__product_by_columns(scree__product *p);

/* Those of a lane of p->x, counted from that of its first group on; w, and sums of the lane, gain them. */
void scree__product_add_lane(const scree__product *p, int64_t index, double *w, double *sums, int worker);

/* The end: the sums of all lanes, and a block of rows of W. */
void scree__product_join_sums(const scree__product *p);
void scree__product_join_block(const scree__product *p, int64_t block);

#endif
