/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_COLUMNS_H
#define SCREE_DATA_COLUMNS_H

/* Which columns a user means: names, numbers from 1 and ranges of either, separated by commas: "height,3,7-9,x1-x4".
 * Names in double quotes may have commas.
 * A text that is the name of a column means that column, whatever else it could be read as. */

#include "base/error.h"

/* The columns of spec in the order given, as numbers from 0; none may come twice. names may be NULL: numbers only.
 * file is for messages. *index is the caller's to free. */
scree_status scree__columns_parse(int64_t **index, int64_t *count, const char *spec, char **names, int64_t cols,
                                  const char *file, scree_error *error);

/* The first item of spec that is no name but a number or a range of them, and its length; NULL: there is none. */
const char *scree__columns_numbered(const char *spec, char **names, int64_t cols, int64_t *length);

/* Those that spec names, cols of them; stays NULL where spec is NULL. The caller frees. */
scree_status scree__columns_exclude(bool **excluded, const char *spec, char **names, int64_t cols, const char *file,
                                    scree_error *error);
scree_status scree__columns_all_excluded(const char *file, scree_error *error);

/* The columns that the options choose, all where they choose none, the weights behind them where there are such. */
scree_status scree__columns_choose(int64_t **index, int64_t *count, const scree_read_options *options, char **names,
                                   int64_t cols, const char *file, scree_error *error);
scree_status scree__columns_none_left(const char *file, const char *weights, scree_error *error);

/* One column, by name or by number from 1. */
scree_status scree__columns_find(int64_t *column, const char *name, char **names, int64_t cols, const char *file,
                                 scree_error *error);

#endif
