/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_SERVE_SERVER_H
#define SCREE_SERVE_SERVER_H

/* A page that fetches what it does not hold, request by request:
 *
 *   draw.c      a sample of the rows, for the page
 *   server.c    the page, made once
 *   codes.c     codes of all rows, found while requests are answered
 *   gate.c      which requests are let in
 *   answer.c    what can be asked, a const table
 *   tile.c      how many rows lie where in the plane of two components
 *   row.c       a row as it is, and the row nearest to a place
 *   reply.c     headers and bodies
 *
 * An answer is a function of the server and the request. Nothing in here knows of sockets, files or clocks. */

#include "view/report.h"

#include <stdatomic.h>

/* Rows that were drawn, as a source in memory. */
typedef struct scree__drawing {
    scree_source *source;
    int64_t *numbers; /* count of them, ascending, from 0 */
    int64_t count;
    int64_t of;   /* rows that there are */
    bool fetches; /* any row can be asked for */
    scree_type type;
    int64_t cols;
    int64_t text_count;
    char *cells;  /* count×cols, of type */
    char **texts; /* count×text_count */
    char **names; /* of the columns, or NULL */
    char **text_names;
    int64_t lent; /* rows that the source has lent */
} scree__drawing;

/* At most so many rows of the source, in so many bytes. source is read where any row can be reached, and else once. */
scree_status scree__drawing_make(scree__drawing *drawing, scree_source *source, int64_t most, int64_t bytes,
                                 uint64_t seed, const scree_run *run, scree_error *error);
void scree__drawing_clear(scree__drawing *drawing); /* safe on a zeroed struct */

/* Codes of all rows, component by component. One thread writes, others read what is behind coded. */
typedef struct scree__codes {
    int64_t rows;
    int64_t components; /* that are kept, the first ones; 0: there is no room for two */
    float *values;      /* components × rows */
    uint8_t *classes;   /* of each row: one of the commonest, or class_count; NULL: there are none */
    int64_t class_count;
    const char *class_names[SCREE__LABELS_SHOWN]; /* lent by the report */
    atomic_llong coded;                           /* rows whose codes are known, from the first */
} scree__codes;

struct scree_server {
    const scree_model *model; /* the caller's, as the next */
    scree_source *source;
    scree__drawing drawing;
    scree__report report;
    scree_run run;
    scree__codes codes;
    char *page;
    int64_t page_size;
    char *policy; /* the content security policy of the page */
    char *token;
    int port;
};

/* ---- requests ---- */

/* Whether a request is let in: 0, or the status that refuses it. *rest: what of its path is behind the token. */
int scree__gate(const char *token, int port, const scree_request *request, const char **rest);

/* A number that a query must have. */
typedef struct scree__asked {
    const char *name;
    double low;
    double high;
    bool whole;
    double value;
    bool given;
} scree__asked;

/* All of them and nothing else, each once and within its bounds. query: "x=0&y=1", NULL: none. */
bool scree__query_read(const char *query, scree__asked *asked, int count);

/* ---- replies ---- */

/* A sentence, with a status that refuses; a body that becomes the reply's; the page. */
void scree__reply_refuse(scree_reply *reply, int status);
void scree__reply_give(scree_reply *reply, const char *type, void *body, int64_t bytes);
void scree__reply_lend(scree_reply *reply, const char *type, const char *policy, const void *body, int64_t bytes);

/* ---- what can be asked: each fills the reply, or leaves it empty where there is no memory ---- */

void scree__answer_status(const scree_server *server, const char *query, scree_reply *reply);
void scree__answer_tiles(const scree_server *server, const char *query, scree_reply *reply);
void scree__answer_row(const scree_server *server, const char *query, scree_reply *reply);
void scree__answer_nearest(const scree_server *server, const char *query, scree_reply *reply);

/* Tiles of 128 × 128 bins that one request may ask for. */
enum { SCREE__TILE = 128, SCREE__TILES_MOST = 512 };
int64_t scree__tiles_most(const scree__codes *codes);

/* Room for the codes of the drawing's rows in so many bytes; 0: a GiB. */
scree_status scree__codes_open(scree__codes *codes, const scree_server *server, int64_t bytes, scree_error *error);

#endif
