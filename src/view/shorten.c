/* SPDX-License-Identifier: BSD-3-Clause */
/* What names share at their ends is found byte by byte, and then given back until it ends between letters, not inside a
 * number ("0" and "10" do not share a 0), and leaves something of the shortest name. O(bytes of the names). */

#include "view/shorten.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WORTH = 6, WORD = 8 }; /* fewer bytes are not worth an ellipsis; words of so many stay */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_inner(char c) /* of a letter of several bytes */
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

static int64_t same_front(const char *a, const char *b, int64_t most)
{
    int64_t same = 0;
    while (same < most && a[same] && a[same] == b[same])
        same++;
    return same;
}

static int64_t same_back(const char *a, int64_t a_size, const char *b, int64_t b_size, int64_t most)
{
    int64_t same = 0;
    while (same < most && same < a_size && same < b_size && a[a_size - 1 - same] == b[b_size - 1 - same])
        same++;
    return same;
}

static bool is_between(char c)
{
    return c == '_' || c == ' ' || c == '.' || c == '-' || c == '/' || c == ':';
}

/* A short word next to what differs says what it is: "…no_3" is better than "…3". */
static int64_t leave_word(const char *name, int64_t front)
{
    int64_t at = front;
    while (at > 0 && is_between(name[at - 1]))
        at--;
    while (at > 0 && !is_between(name[at - 1]))
        at--;
    return at > 0 && front - at <= WORD ? at : front;
}

/* The same at the other end, where a word is only begun: "sepal…" is better than "sep…". */
static int64_t leave_begun(const char *end, int64_t back)
{
    for (int64_t less = back; less > 0 && back - less <= WORD; less--)
        if (is_between(*(end - less)))
            return less;
    return back;
}

scree__shared scree__shared_of(const char *const *names, int64_t count)
{
    if (!names || count < 2)
        return (scree__shared){0, 0};
    const char *first = names[0];
    const int64_t size = (int64_t)strlen(first);
    int64_t front = size, back = size, shortest = size;
    for (int64_t i = 1; i < count && (front > 0 || back > 0); i++) {
        const int64_t own = (int64_t)strlen(names[i]);
        front = same_front(first, names[i], front);
        back = same_back(first, size, names[i], own, back);
        shortest = own < shortest ? own : shortest;
    }
    while (front > 0 && (is_digit(first[front - 1]) || is_inner(first[front])))
        front--;
    while (back > 0 && (is_digit(first[size - back]) || is_inner(first[size - back])))
        back--;
    front = leave_word(first, front);
    back = leave_begun(first + size, back);
    front = front < WORTH ? 0 : front;
    back = back < WORTH ? 0 : back;
    if (front + back >= shortest)
        back = 0;
    if (front >= shortest)
        front = 0;
    return (scree__shared){front, back};
}

void scree__shorten(char *out, size_t size, const char *name, const scree__shared *shared)
{
    const int64_t left = (int64_t)strlen(name) - shared->front - shared->back;
    if (left <= 0)
        snprintf(out, size, "%s", name);
    else
        snprintf(out, size, "%s%.*s%s", shared->front > 0 ? "…" : "", (int)left, name + shared->front,
                 shared->back > 0 ? "…" : "");
}
