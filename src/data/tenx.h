/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_TENX_H
#define SCREE_DATA_TENX_H

/* Folders of counts as Cell Ranger writes them: a Matrix Market file of genes by cells, and two tables that name both.
 *
 *   tenx_files.c     which files of the folder these are
 *   tenx_tables.c    the names of genes, one for each column, and of cells
 *   tenx_matrix.c    the matrix: its head, its entries one by one
 *   tenx_source.c    a source of cells */

#include "data/lines.h"
#include "data/source.h"

/* Whether a path is a folder; what is not there is none. */
scree_status scree__folder_look(bool *is_folder, const char *path, scree_error *error);

/* The files of a folder. Zeroed: not looked for. */
typedef struct scree__tenx_files {
    char *matrix;
    char *features;
    char *barcodes;
} scree__tenx_files;

scree_status scree__tenx_find(scree__tenx_files *files, const char *folder, scree_error *error);
void scree__tenx_files_clear(scree__tenx_files *files);
/* Whether a file is called as the matrix of such a folder, and barcodes lie beside it. */
bool scree__tenx_beside(const char *matrix);

/* Texts, one behind the other. Zeroed: none. */
typedef struct scree__tenx_texts {
    char *text;
    int64_t used;
    int64_t size;
    int64_t *at; /* count: where each begins */
    int64_t count;
    int64_t room;
} scree__tenx_texts;

/* What the file of features says. */
typedef struct scree__tenx_features {
    int64_t count;  /* in the file */
    int64_t cols;   /* that are columns */
    int32_t *place; /* count: which column each is; -1: none */
    char **names;   /* cols: symbols, made unique */
    int64_t renamed;
    const char *type; /* of the columns; NULL: the file has no types, or one */
    int64_t types;    /* how many there are */
    char own[64];
} scree__tenx_features;

/* wanted: the type of features that are to be columns; NULL: those of genes, or all where there is one type. */
scree_status scree__tenx_features_read(scree__tenx_features *features, const char *path, const char *wanted,
                                       const scree_read_options *options, scree_error *error);
void scree__tenx_features_clear(scree__tenx_features *features);

scree_status scree__tenx_barcodes_read(scree__tenx_texts *barcodes, const char *path, const scree_read_options *options,
                                       scree_error *error);
const char *scree__tenx_text(const scree__tenx_texts *texts, int64_t index);
void scree__tenx_texts_clear(scree__tenx_texts *texts);

/* The matrix, entry by entry. */
typedef struct scree__tenx_matrix {
    scree__lines lines;
    int64_t features;
    int64_t cells;
    int64_t entries;  /* as its head says */
    bool cells_first; /* an entry is cell, feature, value */
    int64_t found;    /* entries read */
    int64_t body;     /* line of the first one, from 1 */
} scree__tenx_matrix;

typedef struct scree__tenx_entry {
    int64_t feature; /* from 0 */
    int64_t cell;
    double value;
} scree__tenx_entry;

/* Opens the file and reads its head, which has to agree with the tables; whether its first entries come cell after
 * cell, and may be taken to do so to the end, goes to *streams. */
scree_status scree__tenx_matrix_open(scree__tenx_matrix *matrix, const char *path, int64_t features, int64_t cells,
                                     bool *streams, const scree_read_options *options, scree_error *error);
/* *there becomes false at the end, and where fewer or more entries came than announced, that is an error. */
scree_status scree__tenx_matrix_next(scree__tenx_matrix *matrix, scree__tenx_entry *entry, bool *there,
                                     scree_error *error);
/* Back to the first entry. */
scree_status scree__tenx_matrix_rewind(scree__tenx_matrix *matrix, scree_error *error);
void scree__tenx_matrix_close(scree__tenx_matrix *matrix);

scree_status scree__tenx_open(scree_source **out, const char *folder, const scree_read_options *options,
                              scree_error *error);

#endif
