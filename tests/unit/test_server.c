/* SPDX-License-Identifier: BSD-3-Clause */
/* What a served page is answered: the page, counts of all rows beside those counted here, rows as they are, and
 * refusals with the same headers. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <cJSON.h>

#include "scree_view.h"
#include "serve/server.h"
#include "support/rows.h"
#include "unit/temporary_folder.h"
#include "view/report_page.h"

enum { ROWS = 5000, COLS = 6, PORT = 4321, TILE = 128 };
static const char TOKEN[] = "0123456789abcdef0123456789abcdef";

typedef struct world {
    rows *data;
    scree_model *model;
    scree_source *source;
    scree_source *again;
    scree_server *server;
    double *codes; /* ROWS×3 */
} world;

static scree_server *open_server(const world *w, int64_t points, int64_t memory)
{
    scree_report_options report = SCREE_REPORT_OPTIONS_INIT;
    scree_serve_options options = SCREE_SERVE_OPTIONS_INIT;
    scree_server *server = NULL;
    report.rows = points;
    options.report = &report;
    options.token = TOKEN;
    options.port = PORT;
    options.memory = memory;
    assert_int_equal(scree_server_open(&server, w->model, w->source, &options, NULL), SCREE_OK);
    return server;
}

static world make(void)
{
    world w = {0};
    double *x = calloc(ROWS * COLS, sizeof *x);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < COLS; j++)
            x[i * COLS + j] = rows_random(9, i, j) * (double)(2 * j + 1) + (i % 3 == 0 && j == 5 ? 30 : 0);
    w.data = rows_of(x, ROWS, COLS, SCREE_F32, 1.0);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 3;
    w.model = rows_fit(w.data, &options);
    w.source = rows_source(w.data);
    w.again = rows_source(w.data);
    w.codes = calloc(ROWS * 3, sizeof *w.codes);
    scree_sink *sink = NULL;
    assert_int_equal(scree_sink_to_memory(&sink, w.codes, ROWS, 3, NULL), SCREE_OK);
    assert_int_equal(scree_model_project(w.model, w.source, sink, NULL, NULL), SCREE_OK);
    scree_sink_free(sink);
    return w;
}

static void drop(world *w)
{
    scree_server_free(w->server);
    scree_source_free(w->source);
    scree_source_free(w->again);
    scree_model_free(w->model);
    if (w->data)
        rows_free(w->data);
    free(w->codes);
}

static scree_reply ask(const scree_server *server, const char *rest)
{
    char target[256];
    scree_request request = SCREE_REQUEST_INIT;
    scree_reply reply = SCREE_REPLY_INIT;
    snprintf(target, sizeof target, "/%s/%s", TOKEN, rest);
    request.method = "GET";
    request.target = target;
    request.host = "127.0.0.1:4321";
    scree_server_answer(server, &request, &reply);
    return reply;
}

static const char *header(const scree_reply *reply, const char *name)
{
    for (int i = 0; reply->headers[i]; i += 2)
        if (strcmp(reply->headers[i], name) == 0)
            return reply->headers[i + 1];
    return NULL;
}

static cJSON *json(const scree_server *server, const char *rest)
{
    scree_reply reply = ask(server, rest);
    assert_int_equal(reply.status, 200);
    assert_string_equal(header(&reply, "Content-Type"), "application/json");
    cJSON *root = cJSON_ParseWithLength(reply.body, (size_t)reply.bytes);
    assert_non_null(root);
    scree_reply_clear(&reply);
    return root;
}

static double number(const cJSON *root, const char *name)
{
    return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(root, name));
}

static uint32_t word_at(const scree_reply *reply, int64_t at)
{
    const unsigned char *b = (const unsigned char *)reply->body + 4 * at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void test_page(void **state)
{
    (void)state;
    world w = make();
    w.server = open_server(&w, 300, 0);
    scree_reply reply = ask(w.server, "");
    assert_int_equal(reply.status, 200);
    assert_string_equal(header(&reply, "Content-Type"), "text/html; charset=utf-8");
    const char *policy = header(&reply, "Content-Security-Policy");
    assert_ptr_equal(strstr(policy, "default-src 'none'; script-src 'sha256-"), policy);
    assert_non_null(strstr(policy, "; connect-src 'self'; frame-ancestors 'none'"));
    char *text = calloc(1, (size_t)reply.bytes + 1);
    memcpy(text, reply.body, (size_t)reply.bytes);
    assert_non_null(strstr(text, "form-action 'none'; connect-src 'self'\">"));
    assert_non_null(strstr(text, "\"scored\":300,\"fetches\":true"));
    assert_non_null(strstr(text, "\"count\":300,"));
    free(text);
    scree_serve_summary about = SCREE_SERVE_SUMMARY_INIT;
    assert_int_equal(scree_server_about(w.server, &about, NULL), SCREE_OK);
    assert_int_equal(about.rows, ROWS);
    assert_int_equal(about.shown, 300);
    assert_int_equal(about.page_bytes, reply.bytes);
    assert_int_equal(about.bytes, 3 * ROWS * 4);
    scree_reply_clear(&reply);
    drop(&w);
}

/* Rows that lie in a bin, by codes of doubles: what rounding to float moves across an edge is allowed for. */
static void test_tiles(void **state)
{
    (void)state;
    world w = make();
    w.server = open_server(&w, 300, 0);
    scree_reply empty = ask(w.server, "tiles?x=0&y=2&z=-6&i=-1&j=-1&w=2&h=2");
    assert_int_equal(empty.status, 200);
    assert_int_equal(word_at(&empty, 0), 0); /* nothing is counted yet */
    assert_int_equal(empty.bytes, 4 * 5);
    scree_reply_clear(&empty);
    assert_int_equal(scree_server_count(w.server, w.again, NULL, NULL), SCREE_OK);
    scree_reply reply = ask(w.server, "tiles?x=0&y=2&z=-6&i=-1&j=-1&w=2&h=2");
    enum { ACROSS = 2 * TILE };
    uint32_t *own = calloc(ACROSS * ACROSS, sizeof *own);
    int64_t inside = 0, counted = 0, differs = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        const double u = ((double)(float)w.codes[3 * i] + 64) * 2, v = ((double)(float)w.codes[3 * i + 2] + 64) * 2;
        if (u >= 0 && u < ACROSS && v >= 0 && v < ACROSS) {
            own[(int)v * ACROSS + (int)u]++;
            inside++;
        }
    }
    assert_true(inside > ROWS / 2);
    assert_int_equal(word_at(&reply, 0), ROWS);
    assert_int_equal(word_at(&reply, 2), 1);
    const int64_t bins = word_at(&reply, 4);
    assert_int_equal(reply.bytes, 4 * (5 + 2 * bins));
    for (int64_t b = 0; b < bins; b++) {
        const uint32_t bin = word_at(&reply, 5 + 2 * b), count = word_at(&reply, 6 + 2 * b);
        assert_true(bin < ACROSS * ACROSS && count > 0);
        differs += own[bin] != count;
        counted += count;
    }
    assert_int_equal(counted, inside);
    assert_true(differs <= 4);
    free(own);
    scree_reply_clear(&reply);
    drop(&w);
}

static void test_rows(void **state)
{
    (void)state;
    world w = make();
    w.server = open_server(&w, 300, 0);
    for (int64_t i = 0; i < ROWS; i += 1237) {
        char query[64];
        snprintf(query, sizeof query, "row?n=%d", (int)i + 1);
        cJSON *root = json(w.server, query);
        const cJSON *cells = cJSON_GetObjectItemCaseSensitive(root, "cells");
        const cJSON *codes = cJSON_GetObjectItemCaseSensitive(root, "codes");
        assert_int_equal(cJSON_GetArraySize(cells), COLS);
        assert_int_equal(cJSON_GetArraySize(codes), 3);
        for (int j = 0; j < COLS; j++)
            assert_true((float)cJSON_GetNumberValue(cJSON_GetArrayItem(cells, j)) ==
                        (float)w.data->exact[i * COLS + j]);
        for (int j = 0; j < 3; j++)
            assert_true(fabs(cJSON_GetNumberValue(cJSON_GetArrayItem(codes, j)) - w.codes[3 * i + j]) < 1e-4);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(root, "scores")), 4);
        cJSON_Delete(root);
    }
    drop(&w);
}

static void test_nearest(void **state)
{
    (void)state;
    world w = make();
    w.server = open_server(&w, 300, 0);
    assert_int_equal(scree_server_count(w.server, w.again, NULL, NULL), SCREE_OK);
    int64_t best = -1;
    double least = HUGE_VAL;
    for (int64_t i = 0; i < ROWS; i++) {
        const double distance = hypot(w.codes[3 * i + 1] - 2.5, w.codes[3 * i] + 1.5);
        best = distance < least ? i : best;
        least = distance < least ? distance : least;
    }
    cJSON *root = json(w.server, "nearest?x=1&y=0&cx=2.5&cy=-1.5&r=3");
    assert_int_equal((int64_t)number(root, "row"), best + 1);
    cJSON_Delete(root);
    root = json(w.server, "nearest?x=1&y=0&cx=1e6&cy=-1.5&r=3");
    assert_true(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(root, "row")));
    cJSON_Delete(root);
    drop(&w);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *rest;
        int status;
    } cases[] = {{"status?x=1", 400},
                 {"?", 400},
                 {"row", 400},
                 {"row?n=0", 400},
                 {"row?n=5001", 400},
                 {"row?n=1.5", 400},
                 {"row?n=9223372036854775808", 400},
                 {"tiles?x=0&y=3&z=0&i=0&j=0&w=1&h=1", 400},
                 {"tiles?x=0&y=1&z=99&i=0&j=0&w=1&h=1", 400},
                 {"tiles?x=0&y=1&z=0&i=0&j=0&w=32&h=32", 400},
                 {"tiles?x=0&y=1&z=0&i=0&j=0&w=0&h=1", 400},
                 {"nearest?x=0&y=1&cx=0&cy=0&r=-1", 400},
                 {"..", 404},
                 {"../../etc/passwd", 404},
                 {"%2e%2e/etc/passwd", 404},
                 {"status/", 404},
                 {"Status", 404},
                 {"row/1", 404},
                 {"//status", 404},
                 {"index.html", 404}};
    world w = make();
    w.server = open_server(&w, 300, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scree_reply reply = ask(w.server, cases[i].rest);
        assert_int_equal(reply.status, cases[i].status);
        assert_true(reply.bytes > 0);
        assert_string_equal(header(&reply, "Content-Security-Policy"), "default-src 'none'; frame-ancestors 'none'");
        assert_string_equal(header(&reply, "X-Content-Type-Options"), "nosniff");
        assert_string_equal(header(&reply, "Cache-Control"), "no-store");
        assert_string_equal(header(&reply, "Referrer-Policy"), "no-referrer");
        assert_string_equal(header(&reply, "Cross-Origin-Resource-Policy"), "same-origin");
        scree_reply_clear(&reply);
    }
    scree_request request = SCREE_REQUEST_INIT;
    scree_reply reply = SCREE_REPLY_INIT;
    request.method = "POST";
    request.target = "/";
    scree_server_answer(w.server, &request, &reply);
    assert_int_equal(reply.status, 405);
    assert_string_equal(header(&reply, "Allow"), "GET, HEAD");
    scree_reply_clear(&reply);
    drop(&w);
}

/* Structs of programs that know a later library, or an earlier one. */
static void test_structs_of_other_sizes(void **state)
{
    (void)state;
    struct {
        scree_request request;
        int64_t further;
    } asked = {.request = SCREE_REQUEST_INIT};
    struct {
        scree_reply reply;
        int64_t further;
    } said = {.reply = SCREE_REPLY_INIT, .further = 5};
    char body;
    world w = make();
    w.server = open_server(&w, 300, 0);
    asked.request.size = sizeof asked;
    said.reply.size = sizeof said;
    scree_server_answer(w.server, &asked.request, &said.reply);
    assert_true(said.reply.status == 400 && said.reply.size == sizeof said && said.further == 5);
    asked.further = 1; /* what it may mean is not known here */
    asked.request.method = "POST";
    asked.request.target = "/";
    scree_server_answer(w.server, &asked.request, &said.reply);
    assert_int_equal(said.reply.status, 400);
    asked.further = 0;
    said.reply.size = offsetof(scree_reply, owned);
    said.reply.owned = &body;
    scree_server_answer(w.server, &asked.request, &said.reply);
    assert_true(said.reply.status == 405 && said.reply.owned == &body);
    drop(&w);
}

static void test_little_memory(void **state)
{
    (void)state;
    world w = make();
    w.server = open_server(&w, 300, ROWS * 9 + 1000); /* two components */
    scree_serve_summary about = SCREE_SERVE_SUMMARY_INIT;
    assert_int_equal(scree_server_about(w.server, &about, NULL), SCREE_OK);
    assert_int_equal(about.counted, 2);
    scree_reply reply = ask(w.server, "tiles?x=0&y=2&z=0&i=0&j=0&w=1&h=1");
    assert_int_equal(reply.status, 400);
    scree_reply_clear(&reply);
    scree_server_free(w.server);
    w.server = open_server(&w, 300, ROWS * 5); /* none */
    reply = ask(w.server, "tiles?x=0&y=1&z=0&i=0&j=0&w=1&h=1");
    assert_int_equal(reply.status, 503);
    scree_reply_clear(&reply);
    assert_int_equal(scree_server_count(w.server, w.again, NULL, NULL), SCREE_OK);
    drop(&w);
}

/* Rows that come one after the other, with texts: a sample of them, in order, that has every row's own text. */
static void test_rows_in_order(void **state)
{
    (void)state;
    const char *path = folder_path("rows.csv");
    FILE *file = fopen(path, "w");
    fputs("a,b,name,kind\n", file);
    for (int i = 0; i < 3000; i++)
        fprintf(file, "%d,%d,n%d,%s\n", i, i * i % 97, i, i % 5 ? "oak" : "ash");
    fclose(file);
    world w = {0};
    assert_int_equal(scree_source_open(&w.source, path, NULL, NULL), SCREE_OK);
    assert_int_equal(scree_source_open(&w.again, path, NULL, NULL), SCREE_OK);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = 2;
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree_model_fit(&w.model, w.source, &options, &error), SCREE_OK);
    w.server = open_server(&w, 200, 0);
    const scree__drawing *drawing = &w.server->drawing;
    assert_int_equal(drawing->count, 200);
    assert_int_equal(drawing->of, 3000);
    for (int64_t k = 0; k < drawing->count; k++) {
        char name[32];
        snprintf(name, sizeof name, "n%d", (int)drawing->numbers[k]);
        assert_true(k == 0 || drawing->numbers[k] > drawing->numbers[k - 1]);
        assert_string_equal(drawing->texts[2 * k], name);
        assert_true(((const double *)(const void *)drawing->cells)[2 * k] == (double)drawing->numbers[k]);
    }
    assert_true(drawing->numbers[0] < 200 && drawing->numbers[199] > 2800); /* by chance in one of 10⁶ it is not */
    assert_int_equal(scree_server_count(w.server, w.again, NULL, NULL), SCREE_OK);
    cJSON *root = json(w.server, "status");
    assert_int_equal((int64_t)number(root, "coded"), 3000);
    const cJSON *classes = cJSON_GetObjectItemCaseSensitive(root, "classes");
    assert_int_equal(cJSON_GetArraySize(classes), 2);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(classes, 0)), "oak");
    cJSON_Delete(root);
    int64_t ash = 0;
    for (int64_t i = 0; i < 3000; i++)
        ash += w.server->codes.classes[i] == 1;
    assert_int_equal(ash, 600);
    scree_reply reply = ask(w.server, "row?n=7"); /* none can be reached by itself */
    assert_int_equal(reply.status, 404);
    scree_reply_clear(&reply);
    remove(path);
    drop(&w);
}

static void test_bad_tokens(void **state)
{
    (void)state;
    static const char *const tokens[] = {NULL, "", "0123456789abcde", "0123456789abcdef/", "0123456789abcde "};
    world w = make();
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        scree_serve_options options = SCREE_SERVE_OPTIONS_INIT;
        scree_error error = SCREE_ERROR_INIT;
        options.token = tokens[i];
        assert_int_equal(scree_server_open(&w.server, w.model, w.source, &options, &error), SCREE_ERR_ARGUMENT);
        assert_non_null(strstr(error.text, "letters and digits"));
        assert_null(w.server);
    }
    drop(&w);
}

int main(void)
{
    if (!scree__report_page.head) {
        puts("skipped: scree was built without D3");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_little_memory),
        cmocka_unit_test(test_rows_in_order),
        cmocka_unit_test(test_bad_tokens),
        cmocka_unit_test(test_structs_of_other_sizes),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
