/* SPDX-License-Identifier: BSD-3-Clause */
/* The target of requests to a served page, lines of text: method, target, Host, Origin, Sec-Fetch-Site, a line that is
 * only "-" for a header that is not there. T in the target stands for the token. What must hold: nothing but GET and
 * HEAD with the token, to this host, from this page or the address line, gets anything but a refusal; a reply has a
 * length, and says that it is kept nowhere and is what it says it is. */

#include "pictures.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

enum { LINES = 5, ROWS = 60, COLS = 4, PORT = 4321, MOST_TARGET = 4096 };
static const char TOKEN[] = "0123456789abcdef0123456789abcdef";
static const char HOST[] = "127.0.0.1:4321";

/* What is made once, and lives as long as the program. */
static scree_server *server;
static double cells[ROWS * COLS];

static scree_source *open_rows(void)
{
    scree_source *source = NULL;
    scree_block block = SCREE_BLOCK_INIT;
    block.data = cells;
    block.type = SCREE_F64;
    block.rows = ROWS;
    block.cols = COLS;
    fuzz_require(scree_source_from_memory(&source, &block, NULL) == SCREE_OK, "rows in memory are a source");
    return source;
}

static void open_server(void)
{
    static scree_model *model;
    scree_error error = SCREE_ERROR_INIT;
    scree_fit_options fit = SCREE_FIT_OPTIONS_INIT;
    scree_serve_options options = SCREE_SERVE_OPTIONS_INIT;
    for (int i = 0; i < ROWS * COLS; i++)
        cells[i] = (double)(i * i * 7 % 31) + (double)(i % COLS) * 3.0;
    fit.components = 2;
    scree_source *rows = open_rows(), *again = open_rows();
    fuzz_require(scree_model_fit(&model, rows, &fit, &error) == SCREE_OK, error.text);
    options.token = TOKEN;
    options.port = PORT;
    if (cli_server_open(&server, model, rows, &options, &error) == SCREE_OK)
        fuzz_require(cli_server_count(server, again, NULL, &error) == SCREE_OK, error.text);
    else
        fuzz_require(error.status == SCREE_ERR_UNSUPPORTED, error.text); /* built without what a page needs */
    scree_source_free(again);
}

/* The target with T in place of the token. */
static void spell_out(char *out, const char *text)
{
    size_t length = 0;
    for (; *text && length + sizeof TOKEN < MOST_TARGET; text++) {
        const size_t size = *text == 'T' ? sizeof TOKEN - 1 : 1;
        memcpy(out + length, *text == 'T' ? TOKEN : text, size);
        length += size;
    }
    out[length] = '\0';
}

static const char *header(const scree_reply *reply, const char *name)
{
    for (int i = 0; reply->headers[i]; i += 2)
        if (strcmp(reply->headers[i], name) == 0)
            return reply->headers[i + 1];
    return "";
}

static int is_own(const scree_request *request)
{
    static const char prefix[] = "/0123456789abcdef0123456789abcdef/";
    const int host =
        request->host && (strcmp(request->host, HOST) == 0 || strcmp(request->host, "localhost:4321") == 0 ||
                          strcmp(request->host, "[::1]:4321") == 0);
    const int origin = !request->origin || (host && strncmp(request->origin, "http://", 7) == 0 &&
                                            strcmp(request->origin + 7, request->host) == 0);
    const int site = !request->site || strcmp(request->site, "none") == 0 || strcmp(request->site, "same-origin") == 0;
    return (strcmp(request->method, "GET") == 0 || strcmp(request->method, "HEAD") == 0) && host && origin && site &&
           strncmp(request->target, prefix, sizeof prefix - 1) == 0;
}

static void check(const scree_request *request, const scree_reply *reply)
{
    fuzz_require(reply->status == 200 || (reply->status >= 400 && reply->status < 504), "a reply has a status");
    fuzz_require(is_own(request) || reply->status >= 400, "strangers are refused");
    fuzz_require(reply->body && reply->bytes > 0, "a reply has a body");
    fuzz_require(strcmp(header(reply, "Cache-Control"), "no-store") == 0, "a reply is kept nowhere");
    fuzz_require(strcmp(header(reply, "X-Content-Type-Options"), "nosniff") == 0, "a reply is what it says it is");
    fuzz_require(strstr(header(reply, "Content-Security-Policy"), "default-src 'none'") != NULL,
                 "nothing else is loaded");
    unsigned sum = 0;
    for (int64_t i = 0; i < reply->bytes; i++)
        sum += ((const unsigned char *)reply->body)[i]; /* all of it is there */
    fuzz_require(sum > 0, "a body says something");
}

void fuzz_serve(const fuzz_target *target, const uint8_t *data, size_t size)
{
    (void)target;
    char *lines[LINES] = {0}, whole[MOST_TARGET];
    scree_request request = SCREE_REQUEST_INIT;
    scree_reply reply = SCREE_REPLY_INIT;
    static int tried;
    if (!tried++)
        open_server();
    char *text = malloc(size + 1);
    if (!text || !server) {
        free(text);
        return;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    char *rest = text;
    for (int i = 0; i < LINES; i++)
        lines[i] = rest ? strsep(&rest, "\n") : NULL;
    spell_out(whole, lines[1] ? lines[1] : "");
    request.method = lines[0];
    request.target = whole;
    request.host = lines[2] && strcmp(lines[2], "-") != 0 ? lines[2] : NULL;
    request.origin = lines[3] && strcmp(lines[3], "-") != 0 ? lines[3] : NULL;
    request.site = lines[4] && strcmp(lines[4], "-") != 0 ? lines[4] : NULL;
    cli_server_answer(server, &request, &reply);
    check(&request, &reply);
    cli_reply_clear(&reply);
    free(text);
}
