/* SPDX-License-Identifier: BSD-3-Clause */
/* Which reader of cells a machine runs, and the one that runs on any: number after number, as number_parse.c does it.
 * With a decimal comma that one reads whole numbers only; the others get their closer look, as do whole numbers that
 * doubles may round. */

#include "base/number_cells.h"

#include "base/avx2.h"
#include "base/number.h"
#include "base/number_whole.h"

#include <stddef.h>

int64_t scree__cells_read_plain(const scree__cells *cells, double *values)
{
    const char *p = cells->text + cells->begin;
    for (int64_t i = 0; i < cells->count; i++) {
        const char *end = cells->text + cells->ends[i];
        while (p < end && *p == ' ')
            p++;
        const char *after = scree__parse_double(p, end, &values[i]);
        if (!after || after != end || scree__may_be_rounded(p, end, values[i]))
            return i;
        if (cells->point != '.')
            for (; p < end; p++)
                if (*p == '.')
                    return i;
        p = end + 1;
    }
    return cells->count;
}

static bool always(void)
{
    return true;
}

static const struct {
    const char *name;
    scree__cells_reader read;
    bool (*runs)(void);
} readers[] = {
#if SCREE_HAS_AVX512
    {"avx512", scree__cells_read_avx512, scree__has_avx512},
#endif
#if SCREE_HAS_AVX2
    {"avx2", scree__cells_read_avx2, scree__has_avx2},
#endif
    {"plain", scree__cells_read_plain, always},
};

scree__cells_reader scree__cells_reader_at(int i, const char **name)
{
    for (size_t j = 0; j < sizeof readers / sizeof readers[0]; j++)
        if (readers[j].runs() && i-- == 0) {
            *name = readers[j].name;
            return readers[j].read;
        }
    return NULL;
}

scree__cells_reader scree__cells_reader_best(void)
{
    const char *name;
    return scree__cells_reader_at(0, &name);
}
