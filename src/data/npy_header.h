/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_NPY_HEADER_H
#define SCREE_DATA_NPY_HEADER_H

/* The header of an NPY file: a Python dictionary as text. */

#include "data/array.h"

/* Fills element, shape and order of the layout from the text of a header; file is for messages. */
scree_status scree__npy_parse(scree__layout *layout, const char *text, int64_t size, const char *file,
                              scree_error *error);

/* Reads all that stands before the first element, and fills the layout, whose format is set. */
scree_status scree__npy_begin(scree__bytes *bytes, scree__layout *layout, scree_error *error);

enum { SCREE__NPY_HEADER_BYTES = 128 };

/* A whole header, magic and all, for a matrix in C order; cols 0: for a vector. Always of the same size, so that it can
 * be replaced. */
void scree__npy_format(char header[SCREE__NPY_HEADER_BYTES], scree_type type, int64_t rows, int64_t cols);
/* The same for texts of a fixed number of characters, each four bytes, little-endian. */
void scree__npy_format_text(char header[SCREE__NPY_HEADER_BYTES], int64_t width, int64_t rows, int64_t cols);

#endif
