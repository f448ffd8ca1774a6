/* SPDX-License-Identifier: BSD-3-Clause */
/* Replies. Every one says that it is what it says it is, is kept nowhere, is for this page alone, and names no other
 * page where it leads; none allows anything to be run or fetched but the page itself. */

#include "serve/server.h"

#include <string.h>

static const char *const nothing = "default-src 'none'; frame-ancestors 'none'";

static const struct {
    int status;
    const char *sentence;
} refusals[] = {
    {400, "This request makes no sense here; open the address that scree serve has printed.\n"},
    {403, "Open the address that scree serve has printed, all of it: what comes from other pages is refused.\n"},
    {404, "There is nothing here; open the address that scree serve has printed.\n"},
    {405, "Only GET and HEAD are answered.\n"},
    {421, "scree serve answers to 127.0.0.1 and localhost alone; open the address that it has printed.\n"},
    {500, "This cannot be answered: there is no memory left, or the row cannot be read.\n"},
    {503, "The codes of all rows are not known yet, or not kept.\n"},
};

static void put(scree_reply *reply, int *at, const char *name, const char *value)
{
    reply->headers[(*at)++] = name;
    reply->headers[(*at)++] = value;
}

void scree__reply_lend(scree_reply *reply, const char *type, const char *policy, const void *body, int64_t bytes)
{
    int at = 0;
    reply->status = 200;
    reply->body = body;
    reply->bytes = bytes;
    put(reply, &at, "Content-Type", type);
    put(reply, &at, "Content-Security-Policy", policy ? policy : nothing);
    put(reply, &at, "X-Content-Type-Options", "nosniff");
    put(reply, &at, "X-Frame-Options", "DENY");
    put(reply, &at, "Referrer-Policy", "no-referrer");
    put(reply, &at, "Cross-Origin-Resource-Policy", "same-origin");
    put(reply, &at, "Cross-Origin-Opener-Policy", "same-origin");
    put(reply, &at, "Cache-Control", "no-store");
    put(reply, &at, NULL, NULL); /* room for one more */
}

void scree__reply_give(scree_reply *reply, const char *type, void *body, int64_t bytes)
{
    scree__reply_lend(reply, type, NULL, body, bytes);
    reply->owned = body;
}

void scree__reply_refuse(scree_reply *reply, int status)
{
    const char *sentence = "";
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if (refusals[i].status == status)
            sentence = refusals[i].sentence;
    free(reply->owned);
    reply->owned = NULL;
    scree__reply_lend(reply, "text/plain; charset=utf-8", NULL, sentence, (int64_t)strlen(sentence));
    reply->status = status;
    int at = 0;
    while (reply->headers[at])
        at++;
    if (status == 405)
        put(reply, &at, "Allow", "GET, HEAD");
    reply->headers[at] = NULL;
}

void scree_reply_clear(scree_reply *reply)
{
    static const scree_reply none = SCREE_REPLY_INIT;
    if (!reply)
        return;
    free(reply->owned);
    reply->owned = NULL;
    (void)SCREE_GIVE(reply, &none, NULL);
}
