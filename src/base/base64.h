/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_BASE64_H
#define SCREE_BASE_BASE64_H

/* Bytes as text (RFC 4648): four letters for three bytes. */

#include <stdint.h>

/* The caller's to free; NULL: no memory. */
char *scree__base64(const void *data, int64_t size);

#endif
