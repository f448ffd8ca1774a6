/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers and nothing else, as programs hand them to each other: rows of D little-endian floats, f4:D, or doubles,
 * f8:D, one after the other. There is no header, so that the format is always named; a plain file tells by its size how
 * many rows it has, and a pipe by its end. array.c reads them. */

#include "data/array.h"
#include "data/formats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 1 << 28 };

/* Bytes of an element, and columns, of a format; false: it is none of these. */
static bool read_format(const char *format, int *size, int64_t *cols)
{
    char *end = NULL;
    if (!format || (format[0] != 'f' && format[0] != 'F') || (format[1] != '4' && format[1] != '8') ||
        format[2] != ':' || format[3] < '0' || format[3] > '9')
        return false;
    *size = format[1] - '0';
    *cols = strtoll(format + 3, &end, 10);
    return *end == '\0';
}

bool scree__raw_names(const char *format)
{
    int size = 0;
    int64_t cols = 0;
    return read_format(format, &size, &cols);
}

static scree_status raw_open(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *name = scree__bytes_name(bytes);
    const int64_t bytes_size = scree__bytes_size(bytes);
    scree__layout layout = {.format = "raw", .dimensions = 2};
    int size = 0;
    int64_t cols = 0;
    if (!read_format(options->format, &size, &cols) || cols < 1 || cols > MOST_COLUMNS)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: the format '%s' has no number of columns from 1 to %d: give f4:768",
                   name, options->format, MOST_COLUMNS);
    layout.element = (scree__element){SCREE__FLOAT, size, __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__};
    layout.open = bytes_size < 0;
    layout.shape[0] = layout.open ? (INT64_C(1) << 53) / cols : bytes_size / (size * cols);
    layout.shape[1] = cols;
    if (!layout.open && bytes_size % (size * cols) != 0)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: has %" PRId64 " bytes, no whole number of rows of %" PRId64 ": check the format %s", name,
                   bytes_size, size * cols, options->format);
    SCREE_TRY(scree__array_open(out, bytes, &layout, options, error));
done:
    return status;
}

const scree__reader scree__reader_raw = {"f4:D", NULL,  NULL, raw_open, "rows of D floats, f4:D, or doubles, f8:D",
                                         true,   false, NULL};
