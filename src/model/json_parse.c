/* SPDX-License-Identifier: BSD-3-Clause */
/* cJSON gives NULL for text that is no JSON and where it has no memory; malloc says which of the two it is, in errno,
 * and nothing that cJSON does afterwards can set that. */

#include "model/json_parse.h"

#include <errno.h>
#include <string.h>

scree_status scree__json_parse(cJSON **out, const char *text, size_t length, const char **end, const char *path,
                               scree_error *error)
{
    const char *stop = text;
    const int before = errno;
    errno = 0;
    *out = cJSON_ParseWithLengthOpts(text, length, &stop, false);
    const bool is_short = !*out && errno == ENOMEM;
    errno = before;
    if (is_short)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for the names in its header", path);
    while (*out && stop < text + length && (unsigned char)*stop <= ' ')
        stop++;
    if (*out && !end && stop != text + length) {
        cJSON_Delete(*out);
        *out = NULL;
    }
    if (end)
        *end = stop;
    return SCREE_OK;
}
