/* SPDX-License-Identifier: BSD-3-Clause */
/* In the place of serve_http.c where libmicrohttpd was not there when scree was built. */

#include "serve_http.h"

#include <stdio.h>

scree_status cli_http_open(cli_http **out, int port, int *taken, scree_error *error)
{
    (void)out;
    (void)port;
    (void)taken;
    snprintf(error->text, sizeof error->text,
             "this scree was built without libmicrohttpd, which scree serve needs; install it (libmicrohttpd-dev in "
             "Debian) and build scree again, or write a page with scree report");
    return error->status = SCREE_ERR_UNSUPPORTED;
}

scree_status cli_http_start(cli_http *http, const cli_http_calls *calls, scree_error *error)
{
    (void)http;
    (void)calls;
    return error->status = SCREE_ERR_UNSUPPORTED;
}

double cli_http_idle(const cli_http *http)
{
    (void)http;
    return 0.0;
}

void cli_http_close(cli_http *http)
{
    (void)http;
}
