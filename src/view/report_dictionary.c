/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts by number, through a hash table with open addressing that is never more than half full (FNV-1a). A label costs
 * its bytes once, however many rows have it. What is kept is clean: a page is UTF-8 from end to end, and one label must
 * not fill it. */

#include "view/report_dictionary.h"

#include "scree_private.h"

#include <stdbool.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

/* Bytes of the character that begins here, by its first byte and the bytes that must follow; 0: it is none. */
static int character(const unsigned char *at)
{
    const int size = at[0] < 0x20 || at[0] == 0x7F   ? 0
                     : at[0] < 0x80                  ? 1
                     : at[0] >= 0xC2 && at[0] < 0xE0 ? 2
                     : (at[0] & 0xF0) == 0xE0        ? 3
                     : at[0] >= 0xF0 && at[0] < 0xF5 ? 4
                                                     : 0;
    for (int i = 1; i < size; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    if ((at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] > 0x9F) || (at[0] == 0xF0 && at[1] < 0x90) ||
        (at[0] == 0xF4 && at[1] > 0x8F))
        return 0; /* overlong, a surrogate, or past the last character */
    return size;
}

char *scree__report_text(const char *text, int64_t most)
{
    static const char unknown[] = "\xEF\xBF\xBD", dots[] = "\xE2\x80\xA6";
    const unsigned char *at = (const unsigned char *)text;
    const size_t length = strlen(text); /* a byte becomes three at most */
    char *clean = malloc(3 * length + sizeof dots);
    char *end = clean;
    for (int64_t count = 0; clean && *at; count++) {
        const int size = character(at);
        if (count == most) {
            memcpy(end, dots, sizeof dots - 1);
            end += sizeof dots - 1;
            break;
        }
        memcpy(end, size ? (const char *)at : unknown, size ? (size_t)size : sizeof unknown - 1);
        end += size ? (size_t)size : sizeof unknown - 1;
        at += size ? size : 1;
    }
    if (clean)
        *end = '\0';
    return clean;
}

/* The slot of a text: where it is, or where it would go. */
static int64_t *find(const scree__dictionary *words, const char *text)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        hash = (hash ^ *at) * 0x100000001B3u;
    uint64_t slot = hash & (uint64_t)(words->slot_count - 1);
    while (words->slots[slot] && strcmp(words->text[words->slots[slot] - 1], text) != 0)
        slot = (slot + 1) & (uint64_t)(words->slot_count - 1);
    return &words->slots[slot];
}

/* Room for one more. */
static scree_status grow(scree__dictionary *words, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t *slots = NULL;
    char **text = NULL;
    if (words->count < words->room)
        return SCREE_OK;
    const int64_t slot_count = words->slot_count ? 2 * words->slot_count : FIRST_SLOTS;
    SCREE_ALLOC(slots, slot_count, error);
    SCREE_ALLOC(text, slot_count / 2, error);
    if (words->count > 0)
        memcpy(text, words->text, (size_t)words->count * sizeof *text);
    free(words->slots);
    free(words->text);
    words->slots = slots;
    words->text = text;
    words->slot_count = slot_count;
    words->room = slot_count / 2;
    slots = NULL;
    for (int64_t i = 0; i < words->count; i++)
        *find(words, text[i]) = i + 1;
done:
    free(slots);
    return status;
}

scree_status scree__dictionary_number(scree__dictionary *words, const char *text, int64_t *number, scree_error *error)
{
    scree_status status = SCREE_OK;
    char *clean = scree__report_text(text, SCREE__LABEL_LETTERS);
    if (!clean)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for the texts of the rows; show fewer rows");
    SCREE_TRY(grow(words, error));
    int64_t *slot = find(words, clean);
    if (!*slot && words->most > 0 && words->count == words->most) {
        *number = -1;
        goto done;
    }
    if (!*slot) {
        words->text[words->count++] = clean;
        clean = NULL;
        *slot = words->count;
    }
    *number = *slot - 1;
done:
    free(clean);
    return status;
}

void scree__dictionary_clear(scree__dictionary *words)
{
    scree__strings_free(words->text, words->count);
    free(words->slots);
    *words = (scree__dictionary){0};
}
