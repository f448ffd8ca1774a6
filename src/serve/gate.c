/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is let in: a request by GET or HEAD, to a host by which only this machine calls itself, from the page itself or
 * from the address line, whose path begins with the token.
 *
 * A page of somebody else in the same browser can send requests here, too. It can neither know the token, nor read an
 * answer, nor hide where it comes from: a name of its own that it has resolve to 127.0.0.1 stands in Host, its own name
 * in Origin, and Sec-Fetch-Site says that it is another site. Each of these refuses it alone. */

#include "serve/server.h"

#include <stdio.h>
#include <string.h>

/* As long as a comparison of the first letter: where texts differ cannot be told by the clock. */
static bool has_token(const char *token, const char *path)
{
    unsigned char differs = path[0] != '/';
    size_t i = differs ? 0 : 1;
    for (size_t k = 0; token[k]; k++) {
        differs |= (unsigned char)(token[k] ^ path[i]);
        i += path[i] != '\0';
    }
    return !differs && token[0] && path[i] == '/';
}

static bool is_host(const char *host, int port)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    char whole[64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(whole, sizeof whole, "%s:%d", names[i], port);
        if (strcmp(host, whole) == 0 || (port == 80 && strcmp(host, names[i]) == 0))
            return true;
    }
    return false;
}

static bool is_own(const scree_request *request)
{
    static const char scheme[] = "http://";
    const char *origin = request->origin, *site = request->site;
    const bool same_origin = !origin || (strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
                                         strcmp(origin + sizeof scheme - 1, request->host) == 0);
    return same_origin && (!site || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0);
}

int scree__gate(const char *token, int port, const scree_request *request, const char **rest)
{
    if (!request->method || !request->target || request->target[0] != '/')
        return 400;
    if (strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0)
        return 405;
    if (!request->host || !is_host(request->host, port))
        return 421;
    if (!is_own(request) || !has_token(token, request->target))
        return 403;
    *rest = request->target + 1 + strlen(token) + 1;
    return 0;
}

/* Where a value ends. */
static const char *value_end(const char *text)
{
    return text + strcspn(text, "&");
}

static scree__asked *find(scree__asked *asked, int count, const char *name, size_t length)
{
    for (int i = 0; i < count; i++)
        if (strlen(asked[i].name) == length && strncmp(asked[i].name, name, length) == 0)
            return &asked[i];
    return NULL;
}

static bool read_value(scree__asked *asked, const char *text, const char *end)
{
    if (asked->given || scree__parse_double(text, end, &asked->value) != end)
        return false;
    asked->given = true;
    return asked->value >= asked->low && asked->value <= asked->high &&
           (!asked->whole || asked->value == floor(asked->value));
}

bool scree__query_read(const char *query, scree__asked *asked, int count)
{
    int given = 0;
    for (const char *at = query ? query : ""; *at; given++) {
        const size_t length = strcspn(at, "=&");
        scree__asked *one = at[length] == '=' ? find(asked, count, at, length) : NULL;
        const char *text = at + length + 1;
        if (!one || !read_value(one, text, value_end(text)))
            return false;
        at = value_end(text);
        if (*at && !*++at)
            return false;
    }
    return given == count;
}
