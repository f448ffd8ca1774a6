/* SPDX-License-Identifier: BSD-3-Clause */
/* Names to numbers: an open hash table of numbers, at most half full, over one text that holds all names. Equal hashes
 * are compared, then equal texts. A look-up is one probe or two; a name takes its length and some 25 bytes. */

#include "data/names.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1024, FIRST_SIZE = 4096, MOST_DIGITS = 18, DECIMAL = 10 };

static uint64_t hash_of(const char *name, size_t size)
{
    uint64_t key = UINT64_C(0x9e3779b97f4a7c15) ^ size;
    for (; size >= 8; name += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, name, sizeof word);
        key = (key ^ word) * UINT64_C(0xff51afd7ed558ccd);
        key ^= key >> 32;
    }
    uint64_t rest = 0;
    memcpy(&rest, name, size);
    key = (key ^ rest) * UINT64_C(0xff51afd7ed558ccd);
    return key ^ key >> 29;
}

/* The slot of a name, or the free one that it would take. */
static int64_t slot_of(const scree__names *names, const char *name, uint64_t key)
{
    const int64_t mask = names->slot_count - 1;
    int64_t slot = (int64_t)(key & (uint64_t)mask);
    while (names->slots[slot] > 0) {
        const int64_t number = names->slots[slot] - 1;
        if (names->keys[number] == key && strcmp(names->text + names->at[number], name) == 0)
            break;
        slot = (slot + 1) & mask;
    }
    return slot;
}

static bool grow_slots(scree__names *names)
{
    const int64_t count = names->slot_count > 0 ? 2 * names->slot_count : FIRST_SLOTS;
    int32_t *slots = calloc((size_t)count, sizeof *slots);
    if (!slots)
        return false;
    free(names->slots);
    names->slots = slots;
    names->slot_count = count;
    for (int64_t i = 0; i < names->count; i++) {
        int64_t slot = (int64_t)(names->keys[i] & (uint64_t)(count - 1));
        while (slots[slot] > 0)
            slot = (slot + 1) & (count - 1);
        slots[slot] = (int32_t)(i + 1);
    }
    return true;
}

/* Space for one more name of so many bytes. */
static bool make_space(scree__names *names, int64_t size)
{
    if (2 * (names->count + 1) > names->slot_count && !grow_slots(names))
        return false;
    if (names->count == names->capacity) {
        const int64_t capacity = names->capacity > 0 ? 2 * names->capacity : FIRST_SLOTS;
        int64_t *at = realloc(names->at, (size_t)capacity * sizeof *at);
        if (!at)
            return false;
        names->at = at;
        uint64_t *keys = realloc(names->keys, (size_t)capacity * sizeof *keys);
        if (!keys)
            return false;
        names->keys = keys;
        names->capacity = capacity;
    }
    if (names->used + size > names->size) {
        const int64_t size_wanted = 2 * (names->size + size) + FIRST_SIZE;
        char *text = realloc(names->text, (size_t)size_wanted);
        if (!text)
            return false;
        names->text = text;
        names->size = size_wanted;
    }
    return true;
}

int64_t scree__names_number(scree__names *names, const char *name)
{
    const size_t size = strlen(name);
    const uint64_t key = hash_of(name, size);
    if (names->slot_count > 0) {
        const int64_t slot = slot_of(names, name, key);
        if (names->slots[slot] > 0)
            return names->slots[slot] - 1;
    }
    if (names->count == INT32_MAX - 1 || !make_space(names, (int64_t)size + 1))
        return -1;
    const int64_t slot = slot_of(names, name, key);
    const int64_t number = names->count++;
    names->at[number] = names->used;
    names->keys[number] = key;
    memcpy(names->text + names->used, name, size + 1);
    names->used += (int64_t)size + 1;
    names->slots[slot] = (int32_t)(number + 1);
    return number;
}

const char *scree__names_at(const scree__names *names, int64_t number)
{
    return names->text + names->at[number];
}

int64_t scree__names_memory(const scree__names *names)
{
    return names->size + 16 * names->capacity + 4 * names->slot_count;
}

/* A whole number as it is usually written; -1: it is none. */
static int64_t number_of(const char *name)
{
    int64_t number = 0;
    const size_t digits = strspn(name, "0123456789");
    if (digits == 0 || digits > MOST_DIGITS || name[digits] != 0 || (name[0] == '0' && digits > 1))
        return -1;
    for (size_t i = 0; i < digits; i++)
        number = DECIMAL * number + (name[i] - '0');
    return number;
}

static int by_number(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a;
    const int64_t y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

bool scree__names_rank(const scree__names *names, int32_t *place, int64_t *scratch)
{
    for (int64_t i = 0; i < names->count; i++) {
        scratch[2 * i] = number_of(scree__names_at(names, i));
        scratch[2 * i + 1] = i;
        if (scratch[2 * i] < 0)
            return false;
    }
    qsort(scratch, (size_t)names->count, 2 * sizeof *scratch, by_number);
    for (int64_t i = 0; i < names->count; i++)
        place[scratch[2 * i + 1]] = (int32_t)i;
    return true;
}

void scree__names_clear(scree__names *names)
{
    free(names->text);
    free(names->at);
    free(names->keys);
    free(names->slots);
    *names = (scree__names){0};
}
