/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_ABOUT_H
#define SCREE_DATA_ABOUT_H

/* The description of the rows of a source: shape, type, names; apart from how they are read (source.h). */

#include "base/error.h"

/* Columns of a file that hold text, carried along or left out; for messages. */
typedef struct scree__text_columns {
    char **names;
    int64_t *lines; /* of the file, from 1: where the first text of each stands */
    int64_t count;
} scree__text_columns;

/* Every pointer is owned. Zeroed: nothing is known. */
typedef struct scree__about {
    char *path;            /* for messages: the file's name, "standard input", or "memory" */
    scree_type type;       /* of every block: F32, F64 or U8 */
    int element;           /* 1 + the type that elements are stored as; 0: the same */
    int64_t rows;          /* -1: not known before the end */
    int64_t rows_estimate; /* for plans, when rows is not known: from the size of the file; -1: no idea */
    int64_t row_text;      /* bytes of text that a row is parsed from, about, for plans; 0: it is not text */
    int64_t cols;
    char **columns;    /* cols names, or NULL */
    char **fact_names; /* names of the further facts about each column, such as "chromosome" */
    int64_t fact_count;
    char **facts;         /* cols × fact_count texts */
    int64_t *file_column; /* cols: which column of the file each is, from 0, for messages; NULL: in their order */
    char **text_names;    /* names of the columns carried along (label, id), in the order of the file */
    int64_t text_count;
    int64_t text_label;        /* which of them was asked for as label, from 1; 0: none was */
    int64_t text_id;           /* and as id */
    scree__text_columns texts; /* that the file names */
    bool only_header;          /* a header and no row: an error by itself, and no rows among several files */
    int64_t image_rows;        /* shape of a row that is an image, else 0 */
    int64_t image_cols;
    bool transposed;    /* columns of the file are rows already */
    bool is_vector;     /* an array of one dimension: a row is a number */
    bool wide_integers; /* in the file elements are whole numbers of 64 bits, which doubles may round */
    bool weighted;      /* rows have weights */
    scree_scale scale;  /* what columns are divided by where nobody says; SCREE_SCALE_NONE but of genotypes */
    char *weight_name;  /* of the column that they stood in, or NULL */
    char *note;         /* what was guessed, or NULL */
    int64_t note_late;  /* from which character on, from 1, the note has what only reading has shown; 0: nothing such */
} scree__about;

/* The type that elements are stored as, where it is one for all. */
scree_type scree__about_element(const scree__about *about);

/* A copy that owns all it points to; *to is overwritten, and empty when there is no memory. */
scree_status scree__about_copy(scree__about *to, const scree__about *from, scree_error *error);

/* The same of columns index[0..count-1] of from, in that order. */
scree_status scree__about_choose(scree__about *to, const scree__about *from, const int64_t *index, int64_t count,
                                 scree_error *error);

/* Frees all that it points to. */
void scree__about_clear(scree__about *about);

/* to is empty; false: out of memory. */
bool scree__text_columns_copy(scree__text_columns *to, const scree__text_columns *from);
void scree__text_columns_clear(scree__text_columns *texts);

#endif
