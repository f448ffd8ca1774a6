/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_SERVE_HTTP_H
#define SCREE_CLI_SERVE_HTTP_H

/* Requests of this machine, by libmicrohttpd: it is loaded when scree serve starts, and this is all that knows of it.
 */

#include "scree_view.h"

typedef struct cli_http cli_http;

/* Fills the reply; clear frees what it owns. Called by one thread, which is another one than the caller's. */
typedef struct cli_http_calls {
    void (*answer)(void *context, const scree_request *request, scree_reply *reply);
    void (*clear)(scree_reply *reply);
    void *context;
} cli_http_calls;

/* Takes a port of 127.0.0.1, 0: any that is free; *taken: which. Nothing is answered before start. */
scree_status cli_http_open(cli_http **out, int port, int *taken, scree_error *error);
scree_status cli_http_start(cli_http *http, const cli_http_calls *calls, scree_error *error);
/* Seconds since the last request came, or since the start. */
double cli_http_idle(const cli_http *http);
/* No request is answered any more; NULL-safe. */
void cli_http_close(cli_http *http);

#endif
