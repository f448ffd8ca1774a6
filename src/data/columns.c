/* SPDX-License-Identifier: BSD-3-Clause */
/* From "height,3,7-9" to column numbers. An item in quotes is a name, and nothing else. Any other is tried as a name,
 * then as a number, then as a range at each of its hyphens, so that names with hyphens and names that are numbers work.
 * A wrong name gets an error that suggests the nearest one by edit distance. Cost: items × columns comparisons of
 * strings. */

#include "data/columns.h"

#include "base/memory.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 64 }; /* of names that edit distance looks at */

typedef struct table {
    char **names;
    int64_t cols;
    const char *file;
} table;

/* A part of the user's text, without spaces around it. */
typedef struct span {
    const char *text;
    int64_t length;
} span;

static span trimmed(const char *begin, const char *end)
{
    while (begin < end && isspace((unsigned char)*begin))
        begin++;
    while (end > begin && isspace((unsigned char)end[-1]))
        end--;
    return (span){begin, end - begin};
}

static bool is_name(const char *name, span item)
{
    return strncmp(name, item.text, (size_t)item.length) == 0 && name[item.length] == 0;
}

/* The number of the column, -1 when there is none, -2 when two have this name. */
static int64_t by_name(const table *t, span item)
{
    int64_t found = -1;
    for (int64_t i = 0; t->names && i < t->cols; i++)
        if (is_name(t->names[i], item)) {
            if (found >= 0)
                return -2;
            found = i;
        }
    return found;
}

static int64_t by_number(const table *t, span item)
{
    int64_t number = 0;
    for (int64_t i = 0; i < item.length; i++) {
        if (item.text[i] < '0' || item.text[i] > '9' || number > t->cols)
            return -1;
        number = 10 * number + (item.text[i] - '0');
    }
    return number >= 1 && number <= t->cols ? number - 1 : -1;
}

static int64_t column_of(const table *t, span item)
{
    int64_t column = by_name(t, item);
    return column == -1 ? by_number(t, item) : column;
}

/* Levenshtein's distance, one row at a time, upper and lower case being equal. */
static int distance(span a, const char *b)
{
    int row[LONGEST + 1];
    int width = (int)strnlen(b, LONGEST);
    for (int j = 0; j <= width; j++)
        row[j] = j;
    for (int i = 0; i < a.length && i < LONGEST; i++) {
        int diagonal = row[0];
        row[0] = i + 1;
        for (int j = 0; j < width; j++) {
            int change = diagonal + (tolower((unsigned char)a.text[i]) != tolower((unsigned char)b[j]));
            int shift = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            diagonal = row[j + 1];
            row[j + 1] = change < shift ? change : shift;
        }
    }
    return row[width];
}

/* NULL when no name is near enough to be a slip of the fingers: something of what was written must be in it. */
static const char *nearest(const table *t, span item)
{
    const char *best = NULL;
    int least = item.length < 3 ? (int)item.length : (int)(item.length < LONGEST ? item.length : LONGEST) / 3 + 2;
    for (int64_t i = 0; t->names && i < t->cols; i++) {
        int d = distance(item, t->names[i]);
        if (d < least) {
            least = d;
            best = t->names[i];
        }
    }
    return best;
}

static scree_status unknown(const table *t, span item, scree_error *error)
{
    int length = (int)(item.length < 200 ? item.length : 200);
    const char *near = nearest(t, item);
    if (near)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: there is no column '%.*s'; did you mean '%s'?", t->file,
                           length, item.text, near);
    return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: there is no column '%.*s'; choose by %snumber from 1 to %lld",
                       t->file, length, item.text, t->names ? "name or by " : "", (long long)t->cols);
}

static scree_status ambiguous(const table *t, span item, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: two columns are named '%.*s'; choose by number from 1 to %lld",
                       t->file, (int)(item.length < 200 ? item.length : 200), item.text, (long long)t->cols);
}

static scree_status range_of(int64_t *first, int64_t *last, const table *t, span item, scree_error *error)
{
    *first = *last = column_of(t, item);
    if (*first == -2)
        return ambiguous(t, item, error);
    const char *end = item.text + item.length;
    for (const char *p = item.text; *first < 0 && p < end; p++)
        if (*p == '-') {
            int64_t a = column_of(t, trimmed(item.text, p));
            int64_t b = column_of(t, trimmed(p + 1, end));
            if (a >= 0 && b >= 0) {
                *first = a;
                *last = b;
            }
        }
    if (*first < 0)
        return unknown(t, item, error);
    if (*first > *last)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: the columns '%.*s' run backwards; put the first one first",
                           t->file, (int)(item.length < 200 ? item.length : 200), item.text);
    return SCREE_OK;
}

static scree_status take(const table *t, span item, int64_t *list, bool *taken, int64_t *count, scree_error *error)
{
    int64_t first;
    int64_t last;
    scree_status status = range_of(&first, &last, t, item, error);
    for (int64_t i = first; status == SCREE_OK && i <= last; i++) {
        if (taken[i])
            return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: column %lld is chosen twice; name it once", t->file,
                               (long long)(i + 1));
        taken[i] = true;
        list[(*count)++] = i;
    }
    return status;
}

/* The text of the item at p where that is quoted, doubled quotes being one, to name, unless that is NULL. Returns the
 * comma or the end of all behind it; NULL: there are no quotes around it. */
static const char *unquote(const char *p, char *name)
{
    p += strspn(p, " ");
    if (*p++ != '"')
        return NULL;
    for (; *p && (*p != '"' || p[1] == '"'); p++) {
        p += *p == '"';
        if (name)
            *name++ = *p;
    }
    if (name)
        *name = 0;
    if (!*p++)
        return NULL;
    p += strspn(p, " ");
    return *p == ',' || !*p ? p : NULL;
}

/* A quoted item: no number, and no range. */
static scree_status take_name(const table *t, const char *name, int64_t *list, bool *taken, int64_t *count,
                              scree_error *error)
{
    const span item = {name, (int64_t)strlen(name)};
    const int64_t column = by_name(t, item);
    if (column == -1)
        return unknown(t, item, error);
    return take(t, item, list, taken, count, error);
}

scree_status scree__columns_parse(int64_t **index, int64_t *count, const char *spec, char **names, int64_t cols,
                                  const char *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    table t = {names, cols, file};
    int64_t *list = NULL;
    bool *taken = NULL;
    char *name = NULL;
    int64_t found = 0;
    SCREE_ALLOC(list, cols, error);
    SCREE_ALLOC(taken, cols, error);

    /* A name may itself have commas: then it is the whole spec, or stands in quotes. */
    const char *end = spec + strlen(spec);
    bool whole = by_name(&t, trimmed(spec, end)) >= 0;
    SCREE_ALLOC(name, end - spec + 1, error);
    for (const char *p = spec; p <= end; p++) {
        const char *comma = whole ? end : p + strcspn(p, ",");
        const char *quoted = whole ? NULL : unquote(p, name);
        if (quoted)
            SCREE_TRY(take_name(&t, name, list, taken, &found, error));
        else
            SCREE_TRY(take(&t, trimmed(p, comma), list, taken, &found, error));
        p = quoted ? quoted : comma;
    }
    *index = list;
    *count = found;
    list = NULL;
done:
    free(list);
    free(taken);
    free(name);
    return status;
}

const char *scree__columns_numbered(const char *spec, char **names, int64_t cols, int64_t *length)
{
    const table t = {names, cols, NULL};
    const char *end = spec + strlen(spec);
    if (by_name(&t, trimmed(spec, end)) != -1)
        return NULL;
    for (const char *p = spec; p < end; p++) {
        const char *quoted = unquote(p, NULL);
        const char *comma = p + strcspn(p, ",");
        const span item = trimmed(p, comma);
        *length = item.length;
        if (!quoted && item.length > 0 && by_name(&t, item) == -1 &&
            (int64_t)strspn(item.text, "0123456789-") >= item.length)
            return item.text;
        p = quoted ? quoted : comma;
    }
    return NULL;
}

scree_status scree__columns_find(int64_t *column, const char *name, char **names, int64_t cols, const char *file,
                                 scree_error *error)
{
    table t = {names, cols, file};
    span item = trimmed(name, name + strlen(name));
    int64_t found = column_of(&t, item);
    if (found == -1 && item.length > 2 && item.text[0] == '"' && item.text[item.length - 1] == '"') {
        item = (span){item.text + 1, item.length - 2};
        found = by_name(&t, item);
    }
    if (found == -2)
        return ambiguous(&t, item, error);
    if (found < 0)
        return unknown(&t, item, error);
    *column = found;
    return SCREE_OK;
}

scree_status scree__columns_exclude(bool **excluded, const char *spec, char **names, int64_t cols, const char *file,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t *index = NULL;
    bool *out = NULL;
    int64_t count = 0;
    if (!spec)
        return SCREE_OK;
    SCREE_TRY(scree__columns_parse(&index, &count, spec, names, cols, file, error));
    SCREE_ALLOC(out, cols, error);
    for (int64_t i = 0; i < count; i++)
        out[index[i]] = true;
    *excluded = out;
    out = NULL;
done:
    free(index);
    free(out);
    return status;
}

scree_status scree__columns_all_excluded(const char *file, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: every column of numbers is excluded; leave one in", file);
}

scree_status scree__columns_none_left(const char *file, const char *weights, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_ARGUMENT,
                       "%s: column '%.200s' holds the weights, and no other column of numbers is left; choose more",
                       file, weights);
}

scree_status scree__columns_choose(int64_t **index, int64_t *count, const scree_read_options *options, char **names,
                                   int64_t cols, const char *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t *chosen = NULL;
    int64_t *list = NULL;
    bool *excluded = NULL;
    int64_t weights = -1;
    int64_t found = 0;
    int64_t left = 0;
    SCREE_TRY(scree__columns_exclude(&excluded, options->exclude, names, cols, file, error));
    if (options->columns)
        SCREE_TRY(scree__columns_parse(&chosen, &found, options->columns, names, cols, file, error));
    else
        found = cols;
    if (options->weights)
        SCREE_TRY(scree__columns_find(&weights, options->weights, names, cols, file, error));
    SCREE_ALLOC(list, found + 1, error);
    for (int64_t i = 0; i < found; i++) {
        const int64_t column = chosen ? chosen[i] : i;
        if (column != weights && !(excluded && excluded[column]))
            list[left++] = column;
    }
    if (excluded && left == 0)
        SCREE_TRY(scree__columns_all_excluded(file, error));
    if (options->weights && left == 0)
        SCREE_TRY(scree__columns_none_left(file, options->weights, error));
    if (options->weights)
        list[left++] = weights;
    *index = list;
    *count = left;
    list = NULL;
done:
    free(chosen);
    free(list);
    free(excluded);
    return status;
}
