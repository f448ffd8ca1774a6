/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of a snapshot, each moved as its bytes; what is read back lies within its bounds, or nothing that follows
 * is read. */

#include "base/snapshot.h"

void scree__snapshot_bytes(scree__snapshot *s, void *data, int64_t bytes)
{
    if (s->status == SCREE_OK && bytes > 0)
        s->status = s->move(s->context, data, bytes, s->error);
}

void scree__snapshot_refuse(scree__snapshot *s)
{
    if (s->status == SCREE_OK)
        s->status = scree__fail(s->error, SCREE_ERR_FORMAT, "it does not fit");
}

void scree__snapshot_count(scree__snapshot *s, int64_t *value, int64_t least, int64_t most)
{
    int64_t read = *value;
    scree__snapshot_bytes(s, &read, sizeof read);
    if (!s->reads || s->status != SCREE_OK)
        return;
    if (read < least || read > most)
        scree__snapshot_refuse(s);
    else
        *value = read;
}

void scree__snapshot_same(scree__snapshot *s, int64_t value)
{
    scree__snapshot_count(s, &value, value, value);
}

void scree__snapshot_int(scree__snapshot *s, int *value, int least, int most)
{
    int64_t wide = *value;
    scree__snapshot_count(s, &wide, least, most);
    *value = (int)wide;
}

void scree__snapshot_flag(scree__snapshot *s, bool *value)
{
    int64_t wide = *value;
    scree__snapshot_count(s, &wide, 0, 1);
    *value = wide == 1;
}

void scree__snapshot_doubles(scree__snapshot *s, double *values, int64_t count)
{
    scree__snapshot_bytes(s, values, count * (int64_t)sizeof *values);
}

void scree__snapshot_double(scree__snapshot *s, double *value)
{
    scree__snapshot_doubles(s, value, 1);
}
