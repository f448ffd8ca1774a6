/* SPDX-License-Identifier: BSD-3-Clause */
/* IDX, the file of the MNIST digits: two zero bytes, the code of the element type, the number of dimensions, their
 * sizes as four bytes each, the numbers; all big-endian. The first dimension counts rows. Here is what stands before
 * the numbers; array.c reads them. */

#include "data/array.h"
#include "data/formats.h"

static bool element_of(unsigned char code, scree__element *element)
{
    static const struct {
        unsigned char code;
        scree__element element;
    } known[] = {
        {0x08, {SCREE__UNSIGNED, 1, false}}, {0x09, {SCREE__SIGNED, 1, false}}, {0x0b, {SCREE__SIGNED, 2, false}},
        {0x0c, {SCREE__SIGNED, 4, false}},   {0x0d, {SCREE__FLOAT, 4, false}},  {0x0e, {SCREE__FLOAT, 8, false}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].code == code) {
            *element = known[i].element;
            element->swapped = element->size > 1 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
            return true;
        }
    return false;
}

static bool idx_matches(const unsigned char *head, int64_t size)
{
    scree__element element;
    return size >= 4 && head[0] == 0 && head[1] == 0 && head[3] > 0 && element_of(head[2], &element);
}

static scree_status idx_open(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__layout layout = {.format = "IDX"};
    const char *name = scree__bytes_name(bytes);
    unsigned char head[4];
    unsigned char size[4];
    SCREE_TRY(scree__array_head(bytes, head, 4, 0, layout.format, error));
    if (head[0] != 0 || head[1] != 0 || !element_of(head[2], &layout.element))
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: is not an IDX file, its first bytes are %02x %02x %02x: check the file or name its format",
                   name, head[0], head[1], head[2]);
    if (head[3] == 0 || head[3] > SCREE__MAX_DIMENSIONS)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: the IDX header announces %d dimensions, not 1 to %d: write it again",
                   name, head[3], SCREE__MAX_DIMENSIONS);
    layout.dimensions = head[3];
    layout.offset = 4 + 4 * (int64_t)head[3];
    for (int i = 0; i < layout.dimensions; i++) {
        SCREE_TRY(scree__array_head(bytes, size, 4, 4 + 4 * (int64_t)i, layout.format, error));
        layout.shape[i] = (int64_t)size[0] << 24 | size[1] << 16 | size[2] << 8 | size[3];
    }
    SCREE_TRY(scree__array_open(out, bytes, &layout, options, error));
done:
    return status;
}

static const char *const idx_extensions[] = {"idx", "idx1-ubyte", "idx2-ubyte", "idx3-ubyte", NULL};

const scree__reader scree__reader_idx = {
    "idx", idx_extensions, idx_matches, idx_open, "images and labels as MNIST has them", true, false, NULL};
