/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be asked of a server: these words behind the token, and nothing else. No path leads to a file. */

#include "serve/server.h"

#include <cJSON.h>
#include <string.h>

static void answer_page(const scree_server *server, const char *query, scree_reply *reply)
{
    if (query)
        scree__reply_refuse(reply, 400);
    else
        scree__reply_lend(reply, "text/html; charset=utf-8", server->policy, server->page, server->page_size);
}

void scree__answer_status(const scree_server *server, const char *query, scree_reply *reply)
{
    const scree__codes *codes = &server->codes;
    if (query) {
        scree__reply_refuse(reply, 400);
        return;
    }
    cJSON *root = cJSON_CreateObject();
    bool ok = root && cJSON_AddNumberToObject(root, "rows", (double)server->drawing.of) &&
              cJSON_AddNumberToObject(root, "coded", (double)atomic_load(&codes->coded)) &&
              cJSON_AddNumberToObject(root, "components", (double)codes->components) &&
              cJSON_AddNumberToObject(root, "tiles", (double)scree__tiles_most(codes));
    cJSON *names = ok ? cJSON_AddArrayToObject(root, "classes") : NULL;
    for (int64_t c = 0; names && c < codes->class_count; c++) {
        char *clean = scree__report_text(codes->class_names[c], SCREE__LABEL_LETTERS);
        cJSON *item = clean ? cJSON_CreateString(clean) : NULL;
        ok = ok && item && cJSON_AddItemToArray(names, item);
        free(clean);
    }
    char *text = ok && names ? cJSON_PrintUnformatted(root) : NULL;
    cJSON_Delete(root);
    if (text)
        scree__reply_give(reply, "application/json", text, (int64_t)strlen(text));
}

static const struct {
    const char *name;
    void (*answer)(const scree_server *server, const char *query, scree_reply *reply);
} routes[] = {
    {"", answer_page},          {"status", scree__answer_status},   {"tiles", scree__answer_tiles},
    {"row", scree__answer_row}, {"nearest", scree__answer_nearest},
};

static void answer(const scree_server *server, const char *rest, scree_reply *reply)
{
    const size_t length = strcspn(rest, "?");
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++)
        if (strlen(routes[i].name) == length && strncmp(routes[i].name, rest, length) == 0) {
            routes[i].answer(server, rest[length] ? rest + length + 1 : NULL, reply);
            if (reply->status == 0)
                scree__reply_refuse(reply, 500);
            return;
        }
    scree__reply_refuse(reply, 404);
}

void scree_server_answer(const scree_server *server, const scree_request *request, scree_reply *reply)
{
    scree_request asked = SCREE_REQUEST_INIT;
    scree_reply own = SCREE_REPLY_INIT;
    const char *rest = NULL;
    const bool known = SCREE_ADOPT(&asked, request, NULL) == SCREE_OK;
    const int refused = known ? scree__gate(server->token, server->port, &asked, &rest) : 400;
    if (refused)
        scree__reply_refuse(&own, refused);
    else
        answer(server, rest, &own);
    if (SCREE_GIVE(reply, &own, NULL) != SCREE_OK)
        scree_reply_clear(&own);
}
