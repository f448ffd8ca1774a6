/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODULE_SQLITE_FILE_H
#define SCREE_MODULE_SQLITE_FILE_H

/* A database that is only read, by somebody who does not trust it. */

#include "scree.h"

#include <sqlite3.h>

#define DB_TRY(call)                                                                                                   \
    do {                                                                                                               \
        status = (call);                                                                                               \
        if (status != SCREE_OK)                                                                                        \
            goto done;                                                                                                 \
    } while (0)

#define DB_FAIL(...)                                                                                                   \
    do {                                                                                                               \
        status = sqlite_fail(__VA_ARGS__);                                                                             \
        goto done;                                                                                                     \
    } while (0)

typedef struct sqlite_file {
    const char *path; /* for messages, and to open it */
    sqlite3 *db;
    int64_t steps;   /* of the virtual machine since the last row, in units of SQLITE_STEPS */
    int64_t allowed; /* of these; 0: as many as it takes */
    bool trusted;    /* its pragmas are being set */
} sqlite_file;

enum { SQLITE_STEPS = 1000000 };

scree_status sqlite_fail(scree_error *error, scree_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Read-only, with an authorizer that allows nothing but to read; file->path is set. memory: a limit, or 0. */
scree_status sqlite_file_open(sqlite_file *file, int64_t memory, scree_error *error);
void sqlite_file_close(sqlite_file *file);
/* What the library says went wrong, as a sentence: "FILE: WHAT". */
scree_status sqlite_said(sqlite_file *file, int code, scree_error *error);

/* The SELECT that the options ask for: their query, or all of a table; *out to be finalized. */
scree_status sqlite_select(sqlite3_stmt **out, sqlite_file *file, const scree_read_options *options,
                           scree_error *error);
/* Calls visit with the name and the type, table or view, of each that people made; the names live for the call. */
scree_status sqlite_tables(sqlite_file *file, scree_status (*visit)(void *, const char *, const char *, scree_error *),
                           void *context, scree_error *error);
/* All columns of a table, or with count the number of its rows. */
scree_status sqlite_table_select(sqlite3_stmt **out, sqlite_file *file, const char *table, bool count,
                                 scree_error *error);

#endif
