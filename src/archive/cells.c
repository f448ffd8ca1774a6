/* SPDX-License-Identifier: BSD-3-Clause */
/* Corrections: columns are put into classes by the octave of their mean magnitude, the class of each column is packed,
 * and the values of a class are coded together, row by row. Columns that need no correction cost their class and
 * nothing more. Or zstd takes the bytes as they lie, for data that repeats rather than scatters.
 *
 * Codes: component by component. Neighbours share a table of frequencies as long as their histograms joined take fewer
 * bits than apart, tables counted. */

#include "archive/cells.h"

#include "archive/squeeze.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { CLASSES = 20, MIDDLE = 12, LARGE = 1 << 12, BYTE_MOST = 253, BYTE_NAN, BYTE_RAW };

/* Of all values by columns: 0 for nothing but zeros, else the octave of the mean magnitude. */
static void classify(const int32_t *cells, int64_t rows, int64_t cols, int64_t *sums, int32_t *classes)
{
    memset(sums, 0, (size_t)cols * sizeof *sums);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            const int32_t value = cells[i * cols + j];
            const int32_t size = value < 0 ? -value : value;
            sums[j] += size < LARGE ? size : LARGE;
        }
    for (int64_t j = 0; j < cols; j++) {
        const int octave = sums[j] > 0 ? ilogb((double)sums[j] / (double)rows) + MIDDLE : 0;
        classes[j] = sums[j] == 0 ? 0 : octave < 1 ? 1 : octave < CLASSES ? octave : CLASSES - 1;
    }
}

/* Columns of the class, in order; how many. */
static int64_t columns_of(const int32_t *classes, int64_t cols, int class, int64_t *columns)
{
    int64_t count = 0;
    for (int64_t j = 0; j < cols; j++)
        if (classes[j] == class)
            columns[count++] = j;
    return count;
}

static void put_classes(scree__pack *pack, const int32_t *cells, int64_t rows, int64_t cols)
{
    int64_t *columns = scree__alloc_raw(cols, sizeof *columns);
    int32_t *classes = scree__alloc_raw(cols, sizeof *classes);
    int32_t *values = scree__alloc_raw(rows * cols, sizeof *values);
    if (!columns || !classes || !values) {
        pack->failed = true;
        goto done;
    }
    classify(cells, rows, cols, columns, classes);
    scree__values_put(pack, classes, cols);
    for (int c = 1; c < CLASSES; c++) {
        const int64_t count = columns_of(classes, cols, c, columns);
        for (int64_t i = 0; i < rows; i++)
            for (int64_t k = 0; k < count; k++)
                values[i * count + k] = cells[i * cols + columns[k]];
        scree__values_put(pack, values, rows * count);
    }
done:
    free(values);
    free(classes);
    free(columns);
}

static void get_classes(scree__unpack *unpack, int32_t *cells, int64_t rows, int64_t cols)
{
    int64_t *columns = scree__alloc_raw(cols, sizeof *columns);
    int32_t *classes = scree__alloc(cols, sizeof *classes);
    int32_t *values = scree__alloc_raw(rows * cols, sizeof *values);
    if (!columns || !classes || !values) {
        unpack->failed = true;
        goto done;
    }
    scree__values_get(unpack, classes, cols);
    for (int64_t j = 0; j < cols && !unpack->failed; j++)
        unpack->failed = classes[j] < 0 || classes[j] >= CLASSES;
    memset(cells, 0, (size_t)(rows * cols) * sizeof *cells);
    for (int c = 1; c < CLASSES && !unpack->failed; c++) {
        const int64_t count = columns_of(classes, cols, c, columns);
        scree__values_get(unpack, values, rows * count);
        for (int64_t i = 0; i < rows && !unpack->failed; i++)
            for (int64_t k = 0; k < count; k++)
                cells[i * cols + columns[k]] = values[i * count + k];
    }
done:
    free(values);
    free(classes);
    free(columns);
}

/* One byte each where all are small, else four. */
static void put_repeats(scree__pack *pack, const int32_t *cells, int64_t count)
{
    bool small = true;
    for (int64_t i = 0; i < count; i++)
        small = small && ((cells[i] >= -BYTE_MOST / 2 && cells[i] <= BYTE_MOST / 2) || cells[i] >= SCREE__VALUE_RAW);
    scree__pack_u8(pack, small ? 1 : 4);
    if (!small) {
        scree__squeeze(pack, cells, count, 4);
        return;
    }
    unsigned char *bytes = scree__alloc_raw(count, 1);
    if (!bytes) {
        pack->failed = true;
        return;
    }
    for (int64_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)(cells[i] == SCREE__VALUE_RAW   ? BYTE_RAW
                                   : cells[i] == SCREE__VALUE_NAN ? BYTE_NAN
                                                                  : cells[i] + BYTE_MOST / 2);
    scree__squeeze(pack, bytes, count, 1);
    free(bytes);
}

static void check_values(scree__unpack *unpack, const int32_t *values, int64_t count)
{
    for (int64_t i = 0; i < count && !unpack->failed; i++)
        unpack->failed = (values[i] > SCREE__VALUE_MOST || values[i] < -SCREE__VALUE_MOST) &&
                         values[i] != SCREE__VALUE_RAW && values[i] != SCREE__VALUE_NAN;
}

static void get_repeats(scree__unpack *unpack, int32_t *cells, int64_t count)
{
    const unsigned size = scree__unpack_u8(unpack);
    if (size == 4) {
        scree__unsqueeze(unpack, cells, count, 4);
        check_values(unpack, cells, unpack->failed ? 0 : count);
        return;
    }
    unsigned char *bytes = size == 1 ? scree__alloc_raw(count, 1) : NULL;
    if (bytes)
        scree__unsqueeze(unpack, bytes, count, 1);
    unpack->failed = unpack->failed || !bytes;
    for (int64_t i = 0; i < count && !unpack->failed; i++)
        cells[i] = bytes[i] == BYTE_RAW   ? SCREE__VALUE_RAW
                   : bytes[i] == BYTE_NAN ? SCREE__VALUE_NAN
                                          : bytes[i] - BYTE_MOST / 2;
    free(bytes);
}

void scree__cells_put(scree__pack *pack, const int32_t *cells, int64_t rows, int64_t cols, scree__packer packer)
{
    scree__pack_u8(pack, packer);
    if (packer == SCREE__PACK_REPEATS)
        put_repeats(pack, cells, rows * cols);
    else
        put_classes(pack, cells, rows, cols);
}

void scree__cells_get(scree__unpack *unpack, int32_t *cells, int64_t rows, int64_t cols)
{
    const unsigned packer = scree__unpack_u8(unpack);
    if (packer == SCREE__PACK_REPEATS)
        get_repeats(unpack, cells, rows * cols);
    else if (packer == SCREE__PACK_CLASSES)
        get_classes(unpack, cells, rows, cols);
    else
        unpack->failed = true;
}

/* ---- codes ---- */

void scree__codes_put(scree__pack *pack, const int32_t *codes, int64_t rows, int64_t cols)
{
    int32_t *turned = scree__alloc_raw(rows * cols, sizeof *turned);
    scree__tally *tallies = scree__alloc(cols, sizeof *tallies);
    if (!turned || !tallies) {
        pack->failed = true;
        goto done;
    }
    for (int64_t j = 0; j < cols; j++) {
        for (int64_t i = 0; i < rows; i++)
            turned[j * rows + i] = codes[i * cols + j];
        scree__tally_add(&tallies[j], turned + j * rows, rows);
    }
    for (int64_t first = 0, next = 0; first < cols; first = next) {
        scree__tally group = tallies[first];
        for (next = first + 1; next < cols; next++) {
            scree__tally joined = group;
            scree__tally_join(&joined, &tallies[next]);
            if (scree__tally_bits(&joined) > scree__tally_bits(&group) + scree__tally_bits(&tallies[next]))
                break;
            group = joined;
        }
        scree__pack_u32(pack, (uint32_t)(next - first));
        scree__values_put(pack, turned + first * rows, (next - first) * rows);
    }
done:
    free(tallies);
    free(turned);
}

void scree__codes_get(scree__unpack *unpack, int32_t *codes, int64_t rows, int64_t cols)
{
    int32_t *turned = scree__alloc(rows * cols, sizeof *turned);
    unpack->failed = unpack->failed || !turned;
    for (int64_t first = 0; first < cols && !unpack->failed;) {
        const int64_t count = scree__unpack_u32(unpack);
        unpack->failed = unpack->failed || count == 0 || count > cols - first;
        if (!unpack->failed)
            scree__values_get(unpack, turned + first * rows, count * rows);
        first += count;
    }
    for (int64_t j = 0; j < cols && !unpack->failed; j++)
        for (int64_t i = 0; i < rows; i++)
            codes[i * cols + j] = turned[j * rows + i];
    free(turned);
}
