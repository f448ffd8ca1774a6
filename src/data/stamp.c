/* SPDX-License-Identifier: BSD-3-Clause */
/* A stamp of files: a CRC of their sizes, of when they were written, and of the options that they are read with. Files
 * that were changed, or are read in another way, have another one, as far as 32 bits can tell. */

#include "data/stamp.h"

#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

static uint32_t add(uint32_t stamp, const void *data, size_t size)
{
    return (uint32_t)crc32_z(stamp, data, size);
}

static uint32_t add_number(uint32_t stamp, int64_t number)
{
    return add(stamp, &number, sizeof number);
}

/* The end of a text counts, too. */
static uint32_t add_text(uint32_t stamp, const char *text)
{
    return text ? add(stamp, text, strlen(text) + 1) : add_number(stamp, -1);
}

uint32_t scree__stamp_of(const char *const *paths, int64_t count, const scree_read_options *o)
{
    const char *const texts[] = {o->format,  o->columns, o->label,   o->id,    o->weights,      o->encoding,
                                 o->exclude, o->na,      o->dataset, o->query, o->columns_from, o->chromosomes};
    const int64_t numbers[] = {o->header,    o->delimiter,     o->decimal,  o->skip,
                               o->transpose, o->row_width,     o->on_error, o->absent,
                               o->first_row, o->last_row,      o->sample,   (int64_t)o->sample_seed,
                               o->totals,    o->missing_calls, o->varying};
    uint32_t stamp = 0;
    for (int64_t i = 0; i < count; i++) {
        struct stat about;
        if (stat(paths[i], &about) != 0)
            memset(&about, 0, sizeof about); /* a part of a file, or standard input */
        stamp = add_number(stamp, about.st_size);
        stamp = add_number(stamp, about.st_mtim.tv_sec);
        stamp = add_number(stamp, about.st_mtim.tv_nsec);
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        stamp = add_text(stamp, texts[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        stamp = add_number(stamp, numbers[i]);
    return add(stamp, &o->min_allele, sizeof o->min_allele);
}
