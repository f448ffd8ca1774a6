/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over processes, up a binary tree and down by a broadcast. They are whole numbers: the order does not matter. */

#include "data/gather_sums.h"

#include "base/memory.h"

scree_status scree__gather_sums(const scree_communicator *with, scree_status failed, int64_t *x, int64_t count,
                                scree_error *error)
{
    scree_status status = failed;
    const int64_t bytes = count * (int64_t)sizeof *x;
    int64_t *other = NULL;
    if (!with)
        return failed;
    if (status == SCREE_OK)
        other = scree__alloc_raw(count, sizeof *other);
    if (status == SCREE_OK && !other)
        status = scree__fail(error, SCREE_ERR_MEMORY, "out of memory: %lld sums do not fit", (long long)count);
    SCREE_TRY(scree_communicator_agree(with, status, error));
    for (int step = 1; step < with->ranks; step *= 2) {
        if (with->rank % (2 * step) != 0) {
            SCREE_TRY(with->send(with->context, with->rank - step, x, bytes, error));
            break;
        }
        if (with->rank + step >= with->ranks)
            continue;
        SCREE_TRY(with->receive(with->context, with->rank + step, other, bytes, error));
        for (int64_t i = 0; i < count; i++)
            x[i] += other[i];
    }
    SCREE_TRY(with->broadcast(with->context, x, bytes, error));
done:
    free(other);
    return status;
}
