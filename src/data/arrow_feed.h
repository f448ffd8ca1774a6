/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_ARROW_FEED_H
#define SCREE_DATA_ARROW_FEED_H

/* Where Arrow record batches come from: a C stream, or a file. source_arrow.c makes rows of them. */

#include "data/arrow.h"
#include "data/source.h"

typedef struct scree__arrow_feed {
    void *context;
    const char *name;   /* for messages */
    const char *advice; /* what to do where no column holds numbers; NULL: none */
    int64_t rows;       /* -1: not known */
    int64_t memory;     /* that it holds for itself, for plans */
    /* Which columns of the schema are going to be looked at; the others need not be filled in. NULL: all are. */
    void (*choose)(void *context, const bool *wanted);
    /* The next batch, as a C stream gives it; its release is NULL at the end. */
    scree_status (*next)(void *context, struct ArrowArray *out, scree_error *error);
    scree_status (*rewind)(void *context, scree_error *error); /* NULL: can be read once */
    void (*release)(void *context);                            /* when the source is freed; not where it failed */
} scree__arrow_feed;

scree_status scree__arrow_open(scree_source **out, const scree__arrow_feed *feed, const struct ArrowSchema *schema,
                               const scree_read_options *options, scree_error *error);

#endif
