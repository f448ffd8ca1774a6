/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_TEXTS_H
#define SCREE_VIEW_TEXTS_H

/* Texts that rows carry along: which column of them is the label, and which one names the rows. */

#include "view/labels.h"

enum { SCREE__TEXTS_MOST = 16 };

typedef struct scree__texts {
    scree__labels columns[SCREE__TEXTS_MOST]; /* the distinct texts of each */
    int64_t count;                            /* columns that are kept, the first of those that there are */
    int64_t label;                            /* the column that is the label; -1: none, or not chosen yet */
    int64_t id;                               /* the column that names the rows; -1: none */
} scree__texts;

/* A row's texts, to numbers of them: count each. */
scree_status scree__texts_add(scree__texts *texts, const char *const *row, int32_t *numbers, scree_error *error);
/* When all rows are known. The label is the column of that name, or the one that the source was asked for, or the first
 * that is not the id and not another text in every row. The id is the one that the source was asked for, or the first
 * that is another text in every row and not the label. */
void scree__texts_choose(scree__texts *texts, const scree__source_texts *source, const char *label);
/* "setosa-17", or "row 17" when rows have no names; row counts from 0, numbers are its texts. Returns buffer. */
const char *scree__texts_name(const scree__texts *texts, const int32_t *numbers, int64_t row, char *buffer,
                              size_t size);
void scree__texts_clear(scree__texts *texts); /* safe on a zeroed struct */

#endif
