/* SPDX-License-Identifier: BSD-3-Clause */
/* HTTP for this machine alone: a socket at 127.0.0.1, and libmicrohttpd, whose one thread reads requests and sends
 * replies. What a request may be is decided elsewhere (src/serve/gate.c); here it is what came, with its limits: 16 KB
 * for a connection, 32 connections, 5 seconds in which nothing comes or goes.
 *
 * SCREE_HTTP_LIBRARY is the name of the library that scree was built with. It is loaded when it is needed, as it brings
 * a dozen others. */

#include "serve_http.h"
#include "cli.h"
#include "progress.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { CONNECTIONS = 32, SECONDS = 5, CONNECTION_BYTES = 16 << 10, BACKLOG = 32 };

/* The calls, once it is loaded. */
static struct {
    __typeof__(MHD_start_daemon) *start_daemon;
    __typeof__(MHD_stop_daemon) *stop_daemon;
    __typeof__(MHD_queue_response) *queue_response;
    __typeof__(MHD_create_response_from_buffer) *create_response;
    __typeof__(MHD_add_response_header) *add_response_header;
    __typeof__(MHD_destroy_response) *destroy_response;
    __typeof__(MHD_get_connection_values) *get_connection_values;
} calls;

struct cli_http {
    int socket;
    struct MHD_Daemon *daemon;
    cli_http_calls calls;
    _Atomic double last; /* request */
};

/* ---- loading ---- */

static bool find_call(void *library, const char *name, void *call)
{
    const void *address = dlsym(library, name);
    memcpy(call, &address, sizeof address);
    return address != NULL;
}

static scree_status load(scree_error *error)
{
    void *library = calls.start_daemon ? NULL : dlopen(SCREE_HTTP_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (calls.start_daemon || (library && find_call(library, "MHD_stop_daemon", &calls.stop_daemon) &&
                               find_call(library, "MHD_queue_response", &calls.queue_response) &&
                               find_call(library, "MHD_create_response_from_buffer", &calls.create_response) &&
                               find_call(library, "MHD_add_response_header", &calls.add_response_header) &&
                               find_call(library, "MHD_destroy_response", &calls.destroy_response) &&
                               find_call(library, "MHD_get_connection_values", &calls.get_connection_values) &&
                               find_call(library, "MHD_start_daemon", &calls.start_daemon)))
        return SCREE_OK;
    const char *reason = dlerror();
    snprintf(error->text, sizeof error->text,
             "scree serve needs %s, and it cannot be loaded (%s); install it (libmicrohttpd12 in Debian)",
             SCREE_HTTP_LIBRARY, reason ? reason : "unknown reason");
    return error->status = SCREE_ERR_UNSUPPORTED;
}

/* ---- the socket ---- */

static scree_status fail_port(int port, scree_error *error)
{
    const int reason = errno;
    if (reason == EADDRINUSE)
        snprintf(error->text, sizeof error->text,
                 "port %d is taken by another program; choose another --port, or none, for one that is free", port);
    else if (reason == EACCES)
        snprintf(error->text, sizeof error->text,
                 "port %d is for root alone; choose a --port of at least 1024, or none, for one that is free", port);
    else
        snprintf(error->text, sizeof error->text, "cannot listen at port %d of 127.0.0.1: %s; choose another --port",
                 port, strerror(reason));
    return error->status = SCREE_ERR_IO;
}

static bool take_port(int taken, int port, int *bound)
{
    const int on = 1;
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (setsockopt(taken, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(taken, (struct sockaddr *)&address, sizeof address) != 0 || listen(taken, BACKLOG) != 0 ||
        getsockname(taken, (struct sockaddr *)&address, &size) != 0)
        return false;
    *bound = ntohs(address.sin_port);
    return true;
}

scree_status cli_http_open(cli_http **out, int port, int *taken, scree_error *error)
{
    const scree_status status = load(error);
    if (status != SCREE_OK)
        return status;
    cli_http *http = cli_alloc(1, sizeof *http);
    http->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (http->socket < 0 || !take_port(http->socket, port, taken)) {
        const scree_status failed = fail_port(port, error);
        cli_http_close(http);
        return failed;
    }
    *out = http;
    return SCREE_OK;
}

/* ---- requests ---- */

/* A header that is there twice is one that nobody sends: it becomes one that is refused. */
static enum MHD_Result take_header(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    scree_request *request = context;
    (void)kind;
    const char **place = strcasecmp(name, "Host") == 0             ? &request->host
                         : strcasecmp(name, "Origin") == 0         ? &request->origin
                         : strcasecmp(name, "Sec-Fetch-Site") == 0 ? &request->site
                                                                   : NULL;
    if (place)
        *place = *place || !value ? "" : value;
    return MHD_YES;
}

static struct MHD_Response *response_of(scree_reply *reply)
{
    const enum MHD_ResponseMemoryMode mode = reply->owned ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT;
    void *body = reply->owned;
    if (!body)
        memcpy(&body, &reply->body, sizeof body); /* it is not written to */
    struct MHD_Response *response = calls.create_response((size_t)reply->bytes, body, mode);
    if (!response)
        return NULL;
    reply->owned = NULL; /* it is the response's */
    for (size_t i = 0; reply->headers[i]; i += 2)
        (void)calls.add_response_header(response, reply->headers[i], reply->headers[i + 1]);
    return response;
}

/* How libmicrohttpd hands over the target as it came, before anything in it is spelled out: for as long as the request
 * lives. */
static void *keep_target(void *context, const char *target, struct MHD_Connection *connection)
{
    (void)context;
    (void)connection;
    return strdup(target);
}

static void forget_target(void *context, struct MHD_Connection *connection, void **target,
                          enum MHD_RequestTerminationCode how)
{
    (void)context;
    (void)connection;
    (void)how;
    free(*target);
    *target = NULL;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **target)
{
    cli_http *http = context;
    scree_request request = SCREE_REQUEST_INIT;
    scree_reply reply = SCREE_REPLY_INIT;
    (void)path;
    (void)version;
    (void)upload;
    (void)upload_size;
    request.method = method;
    request.target = *target;
    calls.get_connection_values(connection, MHD_HEADER_KIND, take_header, &request);
    http->calls.answer(http->calls.context, &request, &reply);
    struct MHD_Response *response = response_of(&reply);
    const enum MHD_Result sent = response ? calls.queue_response(connection, (unsigned)reply.status, response) : MHD_NO;
    if (response)
        calls.destroy_response(response);
    http->calls.clear(&reply);
    atomic_store(&http->last, cli_seconds());
    return sent;
}

static void say_nothing(void *context, const char *format, va_list list)
{
    (void)context;
    (void)format;
    (void)list;
}

/* ---- start and end ---- */

scree_status cli_http_start(cli_http *http, const cli_http_calls *answering, scree_error *error)
{
    http->calls = *answering;
    atomic_store(&http->last, cli_seconds());
    http->daemon =
        calls.start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO | MHD_USE_ERROR_LOG, 0, NULL, NULL, handle,
                           http, MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL, MHD_OPTION_LISTEN_SOCKET, http->socket,
                           MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
                           (unsigned)SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
                           MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK, keep_target, NULL,
                           MHD_OPTION_NOTIFY_COMPLETED, forget_target, NULL, MHD_OPTION_END);
    if (http->daemon) {
        http->socket = -1; /* it is the daemon's */
        return SCREE_OK;
    }
    snprintf(error->text, sizeof error->text, "%s cannot start; free memory, or end other programs",
             SCREE_HTTP_LIBRARY);
    return error->status = SCREE_ERR_IO;
}

double cli_http_idle(const cli_http *http)
{
    return cli_seconds() - atomic_load(&http->last);
}

void cli_http_close(cli_http *http)
{
    if (!http)
        return;
    if (http->daemon)
        calls.stop_daemon(http->daemon);
    if (http->socket >= 0)
        close(http->socket);
    free(http);
}
