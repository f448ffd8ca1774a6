/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_JSON_PARSE_H
#define SCREE_MODEL_JSON_PARSE_H

/* JSON of a model file: cJSON alone does not tell text that is wrong from memory that is missing. */

#include "base/error.h"

#include <cJSON.h>

/* *out: freed by the caller; NULL: the text is not JSON. *end, which may be NULL: where the value and white space
 * behind it end; without it, nothing may follow the value. Fails only where there is no memory. path: for the message.
 */
scree_status scree__json_parse(cJSON **out, const char *text, size_t length, const char **end, const char *path,
                               scree_error *error);

#endif
