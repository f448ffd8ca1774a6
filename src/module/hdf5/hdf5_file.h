/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODULE_HDF5_FILE_H
#define SCREE_MODULE_HDF5_FILE_H

/* An HDF5 file: how it is opened, how its objects are found without leaving it, and what all else in this module needs:
 * one lock around everything, since the usual libhdf5 is not made for threads, and sentences for failures, since its
 * own messages are neither printed nor meant for users. */

#include "scree.h"

#include <hdf5.h>

/* One way out, as everywhere: to the label done, with the local variable status set. */
#define TRY(expression)                                                                                                \
    do {                                                                                                               \
        status = (expression);                                                                                         \
        if (status != SCREE_OK)                                                                                        \
            goto done;                                                                                                 \
    } while (0)
#define FAIL(error, code, ...)                                                                                         \
    do {                                                                                                               \
        status = (code);                                                                                               \
        scree__hdf5_fail((error), status, __VA_ARGS__);                                                                \
        goto done;                                                                                                     \
    } while (0)

/* Fills *error and returns the status. */
scree_status scree__hdf5_fail(scree_error *error, scree_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Zeroed; NULL: no memory, or more than an address can say. Freed by free. */
void *scree__hdf5_alloc(int64_t count, int64_t size);
char *scree__hdf5_copy(const char *text);

/* Around every call into libhdf5; its errors are not printed meanwhile. Calls do not nest. */
void scree__hdf5_lock(void);
void scree__hdf5_unlock(void);

/* What libhdf5 says of the failure of its last call: its innermost reason. Returns buffer. */
enum { SCREE__HDF5_REASON = 160 };
const char *scree__hdf5_reason(char buffer[SCREE__HDF5_REASON]);

typedef struct scree__hdf5 {
    hid_t id;
    char *name;    /* for messages */
    int64_t limit; /* bytes that one thing in it may take in memory */
} scree__hdf5;

/* Opens a file to read it; memory: what reading may use, or 0. It cannot be left by a link. */
scree_status scree__hdf5_open(scree__hdf5 *file, const char *path, int64_t memory, scree_error *error);
void scree__hdf5_close(scree__hdf5 *file); /* zeroed and closed ones, too */

/* Fails with a sentence when something of so many bytes is more than may be taken. what: "a row". */
scree_status scree__hdf5_within(const scree__hdf5 *file, int64_t count, int64_t size, const char *path,
                                const char *what, scree_error *error);

/* The object at a path, from the root or from a group; *out is -1 when there is none. Soft links are followed within
 * the file; one that leads out of it, or around in a circle, is an error. */
scree_status scree__hdf5_find(hid_t *out, const scree__hdf5 *file, hid_t from, const char *path, scree_error *error);
/* The same of a group, or of a dataset; something else is as nothing. */
scree_status scree__hdf5_find_group(hid_t *out, const scree__hdf5 *file, hid_t from, const char *path,
                                    scree_error *error);
scree_status scree__hdf5_find_dataset(hid_t *out, const scree__hdf5 *file, hid_t from, const char *path,
                                      scree_error *error);
/* Whether a group has a member of that name, whatever it is; a link out of the file counts. */
bool scree__hdf5_has(hid_t group, const char *name);

void scree__hdf5_release(hid_t id); /* of any kind; -1 and 0: nothing */

/* A short text that an attribute of the object is; false: there is none, or it is something else. */
enum { SCREE__HDF5_WORD = 256 };
bool scree__hdf5_word(hid_t object, const char *attribute, char word[SCREE__HDF5_WORD]);
/* The first two of its numbers; false: there are fewer, or more. */
bool scree__hdf5_pair(hid_t object, const char *attribute, int64_t pair[2]);

#endif
