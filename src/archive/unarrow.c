/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of Arrow files that are compressed by zstd, for the reader in src/data. */

#include "archive/squeeze.h"
#include "data/arrow_ipc.h"

bool scree__ipc_unzstd(void *to, int64_t size, const void *from, int64_t packed)
{
    return scree__unzstd_whole(to, size, from, packed);
}
