/* SPDX-License-Identifier: BSD-3-Clause */
/* NPY, NumPy's file of one array: six bytes of magic, a version, the length of the header (two bytes in version 1, four
 * after, little-endian), the header, the numbers. Here is what stands before the numbers; array.c reads them. */

#include "base/memory.h"
#include "data/formats.h"
#include "data/npy_header.h"

#include <inttypes.h>
#include <string.h>

enum { MAGIC = 6, MOST_HEADER = 1 << 20 };

static const unsigned char magic[MAGIC] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

static bool npy_matches(const unsigned char *head, int64_t size)
{
    return size >= MAGIC && memcmp(head, magic, MAGIC) == 0;
}

scree_status scree__npy_begin(scree__bytes *bytes, scree__layout *layout, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *name = scree__bytes_name(bytes);
    unsigned char fixed[12] = {0};
    char *text = NULL;
    SCREE_TRY(scree__array_head(bytes, fixed, MAGIC + 2, 0, layout->format, error));
    if (!npy_matches(fixed, MAGIC))
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: is not an NPY file, its first bytes are not \\x93NUMPY: check the file or name its format",
                   name);
    if (fixed[6] < 1 || fixed[6] > 3 || fixed[7] != 0)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: is of NPY version %d.%d, and 1.0 to 3.0 are known: save it again",
                   name, fixed[6], fixed[7]);
    int digits = fixed[6] == 1 ? 2 : 4;
    SCREE_TRY(scree__array_head(bytes, fixed + 8, digits, 8, layout->format, error));
    int64_t size = 0;
    for (int i = digits - 1; i >= 0; i--)
        size = size << 8 | fixed[8 + i];
    if (size > MOST_HEADER)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: the NPY header claims %" PRId64 " bytes: the file is damaged, save it "
                   "again",
                   name, size);
    SCREE_ALLOC(text, size, error);
    layout->offset = 8 + digits + size;
    SCREE_TRY(scree__array_head(bytes, text, size, 8 + digits, layout->format, error));
    SCREE_TRY(scree__npy_parse(layout, text, size, name, error));
done:
    free(text);
    return status;
}

static scree_status npy_open(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                             scree_error *error)
{
    scree__layout layout = {.format = "NPY"};
    const scree_status status = scree__npy_begin(bytes, &layout, error);
    return status == SCREE_OK ? scree__array_open(out, bytes, &layout, options, error) : status;
}

static const char *const npy_extensions[] = {"npy", NULL};

const scree__reader scree__reader_npy = {"npy",         npy_extensions, npy_matches, npy_open,
                                         "NumPy array", true,           false,       NULL};
