/* SPDX-License-Identifier: BSD-3-Clause */
/* Names for variants, and which of them a list of chromosomes means.
 *
 * A variant is called by its id. Where that is a point, or several have it, it is chromosome:position:alleles, the
 * alleles in the order of their letters, so that it does not matter which of them another cohort counts; and where even
 * that is not the only one, :2, :3 ... follow, in the order of the file. O(D log D). */

#include "data/bed.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int by_id(const void *a, const void *b)
{
    const scree__variant *one = *(scree__variant *const *)a;
    const scree__variant *two = *(scree__variant *const *)b;
    const int order = strcmp(one->id, two->id);
    return order ? order : (one->row > two->row) - (one->row < two->row);
}

static int by_name(const void *a, const void *b)
{
    const scree__variant *one = *(scree__variant *const *)a;
    const scree__variant *two = *(scree__variant *const *)b;
    const int order = strcmp(one->name, two->name);
    return order ? order : (one->row > two->row) - (one->row < two->row);
}

static char *long_name(const scree__variant *v)
{
    const bool in_order = strcmp(v->a1, v->a2) <= 0;
    const size_t size = strlen(v->chromosome) + strlen(v->position) + strlen(v->a1) + strlen(v->a2) + 4;
    char *name = scree__alloc((int64_t)size, 1);
    if (name)
        snprintf(name, size, "%s:%s:%s:%s", v->chromosome, v->position, in_order ? v->a1 : v->a2,
                 in_order ? v->a2 : v->a1);
    return name;
}

static char *numbered_name(const char *name, int64_t number)
{
    const size_t size = strlen(name) + 24;
    char *longer = scree__alloc((int64_t)size, 1);
    if (longer)
        snprintf(longer, size, "%s:%" PRId64, name, number);
    return longer;
}

/* The first of those with one name keeps it. False: out of memory. */
static bool number_alike(scree__variant **sorted, int64_t count, bool *changed)
{
    *changed = false;
    for (int64_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && strcmp(sorted[next]->name, sorted[first]->name) == 0; next++) {
            char *longer = numbered_name(sorted[first]->name, next - first + 1);
            if (!longer)
                return false;
            free(sorted[next]->name);
            sorted[next]->name = longer;
            *changed = true;
        }
    }
    return true;
}

scree_status scree__variants_name(scree__variants *variants, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t count = variants->count;
    scree__variant **sorted = NULL;
    bool made = true;
    bool changed = true;
    SCREE_ALLOC(sorted, count, error);
    for (int64_t j = 0; j < count; j++)
        sorted[j] = &variants->all[j];
    qsort(sorted, (size_t)count, sizeof *sorted, by_id);
    for (int64_t j = 0; made && j < count; j++) {
        scree__variant *v = sorted[j];
        const bool alike = (j > 0 && strcmp(sorted[j - 1]->id, v->id) == 0) ||
                           (j + 1 < count && strcmp(sorted[j + 1]->id, v->id) == 0);
        v->name = alike || strcmp(v->id, ".") == 0 ? long_name(v) : scree__strdup(v->id);
        made = v->name != NULL;
    }
    while (made && changed) { /* a number may make a name that is there already, but never the same one for ever */
        qsort(sorted, (size_t)count, sizeof *sorted, by_name);
        made = number_alike(sorted, count, &changed);
    }
    if (!made)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the names of variants", path);
done:
    free(sorted);
    return status;
}

/* An item of a list: chromosomes first .. last, or one by its name, with positions from .. to. */
typedef struct range {
    char name[64];
    int64_t first;
    int64_t last;
    int64_t from;
    int64_t to;
} range;

int64_t scree__chromosome_order(const char *name)
{
    static const char *const letters[] = {"X", "Y", "XY", "MT", "M"};
    char *end = NULL;
    if ((name[0] | 32) == 'c' && (name[1] | 32) == 'h' && (name[2] | 32) == 'r')
        name += 3;
    for (int i = 0; i < 5; i++)
        if (strcmp(name, letters[i]) == 0)
            return i < 4 ? 23 + i : 26;
    const long number = *name >= '0' && *name <= '9' ? strtol(name, &end, 10) : 0;
    return end && !*end && number <= 26 ? number : 0;
}

/* "FROM-TO" or "AT"; false: it is none of these. */
static bool read_places(range *r, const char *text)
{
    char *end = NULL;
    if (*text < '0' || *text > '9')
        return false;
    r->from = r->to = strtoll(text, &end, 10);
    if (*end != '-')
        return *end == '\0';
    text = end + 1;
    if (*text < '0' || *text > '9')
        return false;
    r->to = strtoll(text, &end, 10);
    return *end == '\0' && r->to >= r->from;
}

/* False: the item, size characters, is no chromosome, range of them, or part of one. */
static bool read_range(range *r, const char *item, size_t size)
{
    char *mark = NULL;
    *r = (range){.from = INT64_MIN, .to = INT64_MAX};
    if (size == 0 || size >= sizeof r->name)
        return false;
    memcpy(r->name, item, size);
    if ((mark = strchr(r->name, ':'))) {
        *mark = '\0';
        if (!r->name[0] || !read_places(r, mark + 1))
            return false;
    }
    r->first = r->last = scree__chromosome_order(r->name);
    if (r->first > 0 || mark || !strchr(r->name, '-'))
        return true;
    mark = strchr(r->name, '-');
    *mark = '\0';
    r->first = scree__chromosome_order(r->name);
    r->last = scree__chromosome_order(mark + 1);
    *mark = '-';
    if (r->first > 0 && r->last >= r->first)
        return true;
    r->first = r->last = 0; /* a name with a hyphen in it */
    return true;
}

static bool is_in(const range *r, const scree__variant *v)
{
    const bool there = r->first > 0 ? v->order >= r->first && v->order <= r->last
                                    : v->order == 0 && strcmp(v->chromosome, r->name) == 0;
    return there && v->place >= r->from && v->place <= r->to;
}

scree_status scree__variants_on(bool *keep, const scree__variants *variants, const char *list, const char *path,
                                scree_error *error)
{
    for (const char *item = list; item;) {
        const size_t size = strcspn(item, ",");
        range r;
        bool found = false;
        if (!read_range(&r, item, size))
            return scree__fail(error, SCREE_ERR_ARGUMENT,
                               "%s: '%.*s' is no chromosome: give a list such as 1-5,X,6:25000000-34000000", path,
                               (int)(size < 64 ? size : 64), item);
        for (int64_t j = 0; j < variants->count; j++) {
            const bool in = is_in(&r, &variants->all[j]);
            keep[j] = keep[j] || in;
            found = found || in;
        }
        if (!found)
            return scree__fail(error, SCREE_ERR_VALUE, "%s: there is no variant on '%.*s': check --chr", path,
                               (int)(size < 64 ? size : 64), item);
        item = item[size] ? item + size + 1 : NULL;
    }
    return SCREE_OK;
}
