/* SPDX-License-Identifier: BSD-3-Clause */
/* How a file finds its format in the tables (reader_table.c, writer_table.c): by the name that the user gave, by
 * content, by extension. */

#include "data/formats.h"

#include "data/decoder.h"
#include "data/foreign.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* What stands behind the last dot of the file's name, size characters of it; NULL: nothing. A dot in front hides a
 * file. */
static const char *extension_of(const char *path, const char *end, int64_t *size)
{
    const char *from = end;
    while (from > path && from[-1] != '.' && from[-1] != '/')
        from--;
    if (from == path || from[-1] != '.' || from - 1 == path || from[-2] == '/')
        return NULL;
    *size = end - from;
    return from;
}

static bool is_extension(const char *extension, int64_t size, const char *name)
{
    return extension && (int64_t)strlen(name) == size && strncasecmp(extension, name, (size_t)size) == 0;
}

static bool is_listed(const char *extension, int64_t size, const char *const *names)
{
    for (; names && *names; names++)
        if (is_extension(extension, size, *names))
            return true;
    return false;
}

static const scree__reader *reader_by_extension(const char *path)
{
    int64_t size = 0;
    const char *end = path + strlen(path);
    const char *extension = extension_of(path, end, &size);
    if (extension && scree__decoder_has_extension(extension, size))
        extension = extension_of(path, extension - 1, &size);
    for (int i = 0; scree__readers[i]; i++)
        if (is_listed(extension, size, scree__readers[i]->extensions))
            return scree__readers[i];
    return NULL;
}

static const scree__reader *reader_by_content(const unsigned char *head, int64_t size)
{
    for (int i = 0; scree__readers[i]; i++)
        if (scree__readers[i]->matches && scree__readers[i]->matches(head, size))
            return scree__readers[i];
    return NULL;
}

static void append(char *list, size_t size, const char *name)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
}

scree_status scree__reader_find(const scree__reader **out, const char *format, const char *path,
                                const unsigned char *head, int64_t size, scree_error *error)
{
    char known[256] = "";
    if (!format) {
        const scree__reader *reader = reader_by_content(head, size);
        if (reader) {
            *out = reader;
            return SCREE_OK;
        }
        reader = reader_by_extension(path);
        *out = reader ? reader : scree__readers[0];
        return scree__foreign_refuse(path, head, size, error);
    }
    if (scree__raw_names(format)) {
        *out = &scree__reader_raw;
        return SCREE_OK;
    }
    for (int i = 0; scree__readers[i]; i++) {
        if (strcasecmp(scree__readers[i]->name, format) == 0) {
            *out = scree__readers[i];
            return SCREE_OK;
        }
        append(known, sizeof known, scree__readers[i]->name);
    }
    return scree__fail(error, SCREE_ERR_ARGUMENT,
                       "%s: the format '%s' is not known: give one of %s, f4:COLUMNS or f8:COLUMNS, or none to guess",
                       path, format, known);
}

scree_status scree__writer_find(const scree__writer **out, const char *format, const char *path, scree_error *error)
{
    char known[256] = "";
    char others[64] = "";
    int64_t size = 0;
    const char *extension = extension_of(path, path + strlen(path), &size);
    if (extension && scree__decoder_has_extension(extension, size))
        return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                           "%s: compressed files are read but not written: write without .%s, then use %s", path,
                           extension,
                           strcasecmp(extension, "gz") == 0    ? "gzip"
                           : strcasecmp(extension, "xz") == 0  ? "xz"
                           : strcasecmp(extension, "bz2") == 0 ? "bzip2"
                                                               : "zstd");
    for (int i = 0; scree__writers[i]; i++) {
        if (format ? strcasecmp(scree__writers[i]->name, format) == 0
                   : is_listed(extension, size, scree__writers[i]->extensions)) {
            *out = scree__writers[i];
            return SCREE_OK;
        }
        if (scree__writers[i] == &scree__writer_h5ad)
            continue; /* for codes of what is AnnData alone */
        if (format || scree__writers[i]->extensions)
            append(known, sizeof known, scree__writers[i]->name);
        else
            append(others, sizeof others, scree__writers[i]->name);
    }
    if (format)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: the format '%s' cannot be written: give one of %s", path,
                           format, known);
    if (size > 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: '.%s' is not a format that is written: end the name in one of %s, or name the format, "
                           "one of these or %s",
                           path, extension, known, others);
    *out = scree__writers[0];
    return SCREE_OK;
}
