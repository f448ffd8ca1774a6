/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is let in to a served page, and what a query may be. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "serve/server.h"

static const char TOKEN[] = "0123456789abcdef0123456789abcdef";
enum { PORT = 4321 };

static scree_request good(void)
{
    scree_request request = SCREE_REQUEST_INIT;
    request.method = "GET";
    request.target = "/0123456789abcdef0123456789abcdef/row?n=1";
    request.host = "127.0.0.1:4321";
    return request;
}

static int ask(const scree_request *request)
{
    const char *rest = NULL;
    const int refused = scree__gate(TOKEN, PORT, request, &rest);
    assert_true(refused || rest);
    return refused;
}

static void test_good_requests(void **state)
{
    (void)state;
    static const char *const hosts[] = {"127.0.0.1:4321", "localhost:4321", "[::1]:4321"};
    const char *rest = NULL;
    scree_request request = good();
    assert_int_equal(scree__gate(TOKEN, PORT, &request, &rest), 0);
    assert_string_equal(rest, "row?n=1");
    for (size_t i = 0; i < 3; i++) {
        request.host = hosts[i];
        assert_int_equal(ask(&request), 0);
    }
    request = good();
    request.method = "HEAD";
    request.origin = "http://127.0.0.1:4321";
    request.site = "same-origin";
    assert_int_equal(ask(&request), 0);
    request.site = "none";
    assert_int_equal(ask(&request), 0);
    request = good();
    request.host = "localhost"; /* browsers leave port 80 out */
    assert_int_equal(scree__gate(TOKEN, 80, &request, &rest), 0);
}

static void test_methods(void **state)
{
    (void)state;
    static const char *const methods[] = {"POST", "PUT", "OPTIONS", "DELETE", "TRACE", "CONNECT", "get", "GETS", ""};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        scree_request request = good();
        request.method = methods[i];
        assert_int_equal(ask(&request), 405);
    }
}

static void test_hosts(void **state)
{
    (void)state;
    static const char *const hosts[] = {"evil.example:4321",   "127.0.0.1",           "127.0.0.1:4322",
                                        "127.0.0.1:4321 ",     "127.0.0.1:43210",     "127.0.0.2:4321",
                                        "localhost.evil:4321", "127.0.0.1:4321.evil", "",
                                        "0.0.0.0:4321",        "localhost:04321",     "localhost"};
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        scree_request request = good();
        request.host = hosts[i];
        assert_int_equal(ask(&request), 421);
    }
    scree_request request = good();
    request.host = NULL;
    assert_int_equal(ask(&request), 421);
}

static void test_origins(void **state)
{
    (void)state;
    static const char *const origins[] = {"http://evil.example",
                                          "null",
                                          "",
                                          "https://127.0.0.1:4321",
                                          "http://127.0.0.1:4322",
                                          "http://localhost:4321",
                                          "http://127.0.0.1:4321/",
                                          "http://127.0.0.1"};
    static const char *const sites[] = {"cross-site", "same-site", "", "Same-Origin", "none "};
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
        scree_request request = good();
        request.origin = origins[i];
        assert_int_equal(ask(&request), 403);
    }
    for (size_t i = 0; i < sizeof sites / sizeof *sites; i++) {
        scree_request request = good();
        request.site = sites[i];
        assert_int_equal(ask(&request), 403);
    }
}

static void test_tokens(void **state)
{
    (void)state;
    static const char *const targets[] = {"/",
                                          "//",
                                          "/status",
                                          "/0123456789abcdef0123456789abcdef",
                                          "/0123456789abcdef0123456789abcde/",
                                          "/0123456789abcdef0123456789abcdeF/",
                                          "/0123456789abcdef0123456789abcdef0/",
                                          "/1123456789abcdef0123456789abcdef/",
                                          "/0123456789abcdef0123456789abcdee/",
                                          "//0123456789abcdef0123456789abcdef/",
                                          "/%30123456789abcdef0123456789abcdef/",
                                          "/x/../0123456789abcdef0123456789abcdef/",
                                          "/0123456789abcdef0123456789abcdef?/"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        scree_request request = good();
        request.target = targets[i];
        assert_int_equal(ask(&request), 403);
    }
    scree_request request = good();
    const char *rest = NULL;
    request.target = "//";
    assert_int_equal(scree__gate("", PORT, &request, &rest), 403); /* a server without a token lets nobody in */
    request.target = "http://127.0.0.1:4321/0123456789abcdef0123456789abcdef/";
    assert_int_equal(ask(&request), 400);
    request.target = NULL;
    assert_int_equal(ask(&request), 400);
}

static bool read_two(const char *query, double *first, double *second)
{
    scree__asked asked[] = {{"a", 0, 10, true, 0, false}, {"bc", -1e3, 1e3, false, 0, false}};
    const bool right = scree__query_read(query, asked, 2);
    *first = asked[0].value;
    *second = asked[1].value;
    return right;
}

static void test_queries(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "a=1",        "a=1&bc=2&a=1", "a=1&bc=2&d=3", "a=1&bc=2&",  "&a=1&bc=2",  "a=1&&bc=2", "a=1.5&bc=2",
        "a=11&bc=2",  "a=-1&bc=2",    "a=1&bc=1001",  "a=1&bc=nan", "a=1&bc=inf", "a=1&bc=",   "a=1&bc=2x",
        "a=1&bc=%32", "a&bc=2",       "A=1&bc=2",     "a=1&b=2",    "a=1&bc= 2",  "a=1;bc=2",  "a=0x1&bc=2",
        "",           "=&=",          "a=1&bc=2&bc=2"};
    double first = 0, second = 0;
    assert_true(read_two("a=7&bc=-2.5e1", &first, &second));
    assert_true(first == 7 && second == -25);
    assert_true(read_two("bc=0.5&a=0", &first, &second));
    assert_true(first == 0 && second == 0.5);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(read_two(wrong[i], &first, &second));
    assert_false(read_two(NULL, &first, &second));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_good_requests), cmocka_unit_test(test_methods),
                                       cmocka_unit_test(test_hosts),         cmocka_unit_test(test_origins),
                                       cmocka_unit_test(test_tokens),        cmocka_unit_test(test_queries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
