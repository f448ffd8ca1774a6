/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ANSWER_MATCH_H
#define SCREE_ANSWER_MATCH_H

/* Which columns of the data are the model's. */

#include "data/source.h"
#include "model/model.h"

/* *columns: D column numbers of the source, the caller's to free; NULL when its columns are the model's as they stand.
 * By name when both have names, in any order, other columns ignored; else the widths must be equal. */
scree_status scree__match_columns(int64_t **columns, const scree_model *model, const scree_source *source,
                                  scree_error *error);

/* The same for codes: M column numbers. By name where columns are called pc1..pcM, other columns ignored; where none is
 * called so, the width must be M, and names that say that these are other numbers (w1, m1, ...) are refused. */
scree_status scree__match_codes(int64_t **columns, const scree_model *model, const scree_source *codes,
                                scree_error *error);

/* The same for whitened codes, w1..wM. */
#define SCREE__WHITE_PREFIX "w"
scree_status scree__match_whitened(int64_t **columns, const scree_model *model, const scree_source *codes,
                                   scree_error *error);

/* m names, the caller's to free: prefix1 .. prefixM. */
scree_status scree__name_codes(char ***out, const char *prefix, int64_t m, scree_error *error);

#endif
