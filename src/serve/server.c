/* SPDX-License-Identifier: BSD-3-Clause */
/* A server's page: that of a report of a sample, which says so, may ask this server for what it does not have, and asks
 * nobody else. */

#include "serve/server.h"

#include "view/report_page.h"

#include <inttypes.h>
#include <string.h>

enum { SAMPLE = 20000, SAMPLE_BYTES = 256 << 20, LEAST_TOKEN = 16, MOST_TOKEN = 128 };

static const char *const also_allowed = "; connect-src 'self'";

/* ---- the page ---- */

typedef struct text {
    char *bytes;
    int64_t size;
    int64_t room;
} text;

static scree_status append(void *context, const void *data, int64_t size, scree_error *error)
{
    text *page = context;
    if (page->size + size > page->room) {
        const int64_t room = 2 * (page->size + size);
        char *bytes = realloc(page->bytes, (size_t)room);
        if (!bytes)
            return scree__fail(error, SCREE_ERR_MEMORY, "out of memory for a page of %" PRId64 " bytes", room);
        page->bytes = bytes;
        page->room = room;
    }
    memcpy(page->bytes + page->size, data, (size_t)size);
    page->size += size;
    return SCREE_OK;
}

/* What the page says of itself stands in the header, too, with what a page cannot say. */
static scree_status make_policy(scree_server *server, scree_error *error)
{
    static const char framing[] = "; frame-ancestors 'none'";
    const scree__report_page_text *page = &scree__report_page;
    const int64_t own = page->policy_end - page->policy_start;
    scree_status status = SCREE_OK;
    text policy = {0};
    SCREE_TRY(append(&policy, page->head + page->policy_start, own, error));
    SCREE_TRY(append(&policy, also_allowed, (int64_t)strlen(also_allowed), error));
    SCREE_TRY(append(&policy, framing, sizeof framing, error)); /* with its zero */
done:
    server->policy = policy.bytes;
    return status;
}

static scree_status make_page(scree_server *server, const scree_report_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    static const scree_report_options plain = SCREE_REPORT_OPTIONS_INIT;
    scree__report *report = &server->report;
    scree__report_made made = {0};
    text page = {0};
    const scree_run *run = &server->run;
    *report = (scree__report){.model = server->model,
                              .source = server->drawing.source,
                              .options = plain,
                              .numbers = server->drawing.numbers,
                              .of = server->drawing.of,
                              .fetches = server->drawing.fetches};
    SCREE_TRY(SCREE_ADOPT(&report->options, options, error));
    report->options.rows = server->drawing.count;
    report->options.run = run;
    SCREE_TRY(scree__report_prepare(report, error));
    SCREE_TRY(scree__report_make(&made, report, error));
    SCREE_TRY(scree__report_written(&made, also_allowed, append, &page, error));
    SCREE_TRY(make_policy(server, error));
done:
    report->options.run = NULL; /* it is the caller's */
    server->page = page.bytes;
    server->page_size = page.size;
    scree__report_made_clear(&made);
    return status;
}

/* ---- the server ---- */

static scree_status take_token(scree_server *server, const char *token, scree_error *error)
{
    static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const size_t length = token ? strlen(token) : 0;
    if (length < LEAST_TOKEN || length > MOST_TOKEN || strspn(token, letters) != length)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "the token of a server has %zu letters; give one of %d to %d letters and digits, by chance",
                           length, LEAST_TOKEN, MOST_TOKEN);
    server->token = scree__strdup(token);
    return server->token ? SCREE_OK : scree__fail(error, SCREE_ERR_MEMORY, "out of memory for a token");
}

scree_status scree_server_open(scree_server **out, const scree_model *model, scree_source *source,
                               const scree_serve_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_serve_options own = SCREE_SERVE_OPTIONS_INIT;
    scree_report_options report = SCREE_REPORT_OPTIONS_INIT;
    const scree_run *run = NULL;
    scree_server *server = NULL;
    SCREE_TRY(SCREE_ADOPT(&own, options, error));
    SCREE_TRY(SCREE_ADOPT(&report, own.report, error));
    SCREE_ALLOC(server, 1, error);
    server->model = model;
    server->source = source;
    server->port = own.port;
    run = report.run;
    SCREE_TRY(scree__run_adopt(&server->run, &run, error));
    SCREE_TRY(take_token(server, own.token, error));
    if (report.labels)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "labels of a served page are a column of the rows; add them to the rows, and name the column");
    SCREE_TRY(scree__drawing_make(&server->drawing, source, report.rows > 0 ? report.rows : SAMPLE, SAMPLE_BYTES,
                                  report.seed, &server->run, error));
    SCREE_TRY(make_page(server, own.report, error));
    SCREE_TRY(scree__codes_open(&server->codes, server, own.memory, error));
    *out = server;
    server = NULL;
done:
    scree_server_free(server);
    return status;
}

void scree_server_free(scree_server *server)
{
    if (!server)
        return;
    scree__report_clear(&server->report);
    scree__drawing_clear(&server->drawing);
    free(server->codes.values);
    free(server->codes.classes);
    free(server->page);
    free(server->policy);
    free(server->token);
    free(server);
}

scree_status scree_server_about(const scree_server *server, scree_serve_summary *about, scree_error *error)
{
    const scree__codes *codes = &server->codes;
    const scree_serve_summary own = {sizeof own,
                                     server->drawing.of,
                                     server->drawing.count,
                                     scree_model_get(server->report.shown)->m,
                                     codes->components,
                                     codes->components * codes->rows * 4 + (codes->classes ? codes->rows : 0),
                                     server->page_size,
                                     server->drawing.fetches};
    return SCREE_GIVE(about, &own, error);
}
