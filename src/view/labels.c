/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels are kept once each, found by a hash table with open addressing. The 36 commonest are shown, in the order
 * in which people list them: numbers by value, then words by the alphabet. */

#include "view/labels.h"

#include "scree_private.h"

#include <string.h>

#define SWAP(type, a, b)                                                                                               \
    do {                                                                                                               \
        type swapped_ = (a);                                                                                           \
        (a) = (b);                                                                                                     \
        (b) = swapped_;                                                                                                \
    } while (0)

static uint64_t hash(const char *text)
{
    uint64_t h = 1469598103934665603u; /* FNV-1a */
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return h;
}

static int64_t slot_of(const scree__labels *labels, const char *text)
{
    int64_t slot = (int64_t)(hash(text) % (uint64_t)labels->slot_count);
    while (labels->slots[slot] && strcmp(labels->names[labels->slots[slot] - 1], text) != 0)
        slot = (slot + 1) % labels->slot_count;
    return slot;
}

/* Four times the room. */
static scree_status grow(scree__labels *labels, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t room = labels->room ? 4 * labels->room : 64;
    char **names = NULL;
    int64_t *counts = NULL;
    int32_t *slots = NULL;
    SCREE_ALLOC(names, room, error);
    SCREE_ALLOC(counts, room, error);
    SCREE_ALLOC(slots, 2 * room + 1, error);
    for (int64_t i = 0; i < labels->count; i++) {
        names[i] = labels->names[i];
        counts[i] = labels->counts[i];
    }
    SWAP(char **, labels->names, names);
    SWAP(int64_t *, labels->counts, counts);
    SWAP(int32_t *, labels->slots, slots);
    labels->room = room;
    labels->slot_count = 2 * room + 1;
    for (int64_t i = 0; i < labels->count; i++)
        labels->slots[slot_of(labels, labels->names[i])] = (int32_t)i + 1;
done:
    free((void *)names);
    free(counts);
    free(slots);
    return status;
}

scree_status scree__labels_add(scree__labels *labels, const char *text, int32_t *number, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t most = labels->most > 0 ? labels->most : SCREE__LABELS_MOST;
    *number = -1;
    if (labels->count == labels->room && labels->room < most)
        SCREE_TRY(grow(labels, error));
    const int64_t slot = slot_of(labels, text);
    if (!labels->slots[slot] && labels->count < labels->room) {
        labels->names[labels->count] = scree__strdup(text);
        if (!labels->names[labels->count])
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for labels");
        labels->slots[slot] = (int32_t)++labels->count;
    }
    if (labels->slots[slot]) {
        *number = labels->slots[slot] - 1;
        labels->counts[*number]++;
    }
done:
    return status;
}

/* Does name a come before name b? */
static bool comes_before(const char *a, const char *b)
{
    double x, y;
    const char *const a_end = a + strlen(a), *const b_end = b + strlen(b);
    const bool a_number = scree__parse_double(a, a_end, &x) == a_end && *a;
    const bool b_number = scree__parse_double(b, b_end, &y) == b_end && *b;
    if (a_number && b_number && x != y)
        return x < y;
    return a_number == b_number ? strcmp(a, b) < 0 : a_number;
}

/* The label with the most rows that is not shown yet; the first of equals. */
static int64_t commonest(const scree__labels *labels)
{
    int64_t best = -1;
    for (int64_t i = 0; i < labels->count; i++)
        if (labels->series[i] < 0 && (best < 0 || labels->counts[i] > labels->counts[best]))
            best = i;
    return best;
}

static void number_series(scree__labels *labels)
{
    for (int64_t i = 1; i < labels->shown; i++)
        for (int64_t j = i; j > 0 && comes_before(labels->names[labels->order[j]], labels->names[labels->order[j - 1]]);
             j--) {
            const int32_t swapped = labels->order[j];
            labels->order[j] = labels->order[j - 1];
            labels->order[j - 1] = swapped;
        }
    for (int64_t i = 0; i < labels->shown; i++)
        labels->series[labels->order[i]] = (int32_t)i;
}

scree_status scree__labels_settle(scree__labels *labels, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t most = 0;
    SCREE_ALLOC(labels->series, labels->count + 1, error);
    for (int64_t i = 0; i < labels->count; i++) {
        labels->series[i] = -1;
        most = labels->counts[i] > most ? labels->counts[i] : most;
        labels->others += labels->counts[i];
    }
    if (most <= 1 && labels->count > SCREE__LABELS_ALONE)
        goto done;
    while (labels->shown < SCREE__LABELS_SHOWN && labels->shown < labels->count) {
        const int64_t next = commonest(labels);
        labels->series[next] = 0;
        labels->others -= labels->counts[next];
        labels->order[labels->shown++] = (int32_t)next;
    }
    number_series(labels);
done:
    return status;
}

void scree__labels_clear(scree__labels *labels)
{
    scree__strings_free(labels->names, labels->count);
    free(labels->counts);
    free(labels->slots);
    free(labels->series);
    *labels = (scree__labels){0};
}

int64_t scree__labels_series(const scree__labels *labels, int32_t number)
{
    return number >= 0 && labels->series && number < labels->count ? labels->series[number] : -1;
}
