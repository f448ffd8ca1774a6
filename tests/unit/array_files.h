/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_ARRAY_FILES_H
#define SCREE_TESTS_ARRAY_FILES_H

/* Small files made byte by byte, and rows read back as doubles. Include after cmocka.h. */

#include "data/source.h"
#include "temporary_folder.h"

#include <zlib.h>

typedef struct image {
    unsigned char bytes[8192];
    size_t size;
} image;

static inline void put(image *file, const void *data, size_t size)
{
    assert_true(file->size + size <= sizeof file->bytes);
    memcpy(file->bytes + file->size, data, size);
    file->size += size;
}

/* The low size bytes of bits, in the order asked for. */
static inline void put_bits(image *file, uint64_t bits, int size, int big)
{
    for (int i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)(bits >> (8 * (big ? size - 1 - i : i)));
        put(file, &byte, 1);
    }
}

static inline uint64_t bits_of(char kind, int size, double value)
{
    uint64_t bits = 0;
    float single = (float)value;
    uint32_t word = 0;
    if (kind != 'f')
        return (uint64_t)(int64_t)value;
    if (size == 8) {
        memcpy(&bits, &value, 8);
        return bits;
    }
    memcpy(&word, &single, 4);
    if (size == 4)
        return word;
    if (value == 0.0)
        return 0;
    return (word >> 16 & 0x8000u) | ((word >> 23 & 0xffu) - 112u) << 10 | (word >> 13 & 0x3ffu);
}

/* Everything a source has, as doubles; -1: an error. At most size of them. */
static inline int64_t read_doubles(scree_source *source, double *out, int64_t size, scree_error *error)
{
    scree__block block;
    int64_t count = 0;
    for (;;) {
        if (scree__source_next(source, &block, error) != SCREE_OK)
            return -1;
        if (block.rows == 0)
            return count;
        assert_true(block.rows <= source->block_rows);
        for (int64_t i = 0; i < block.rows; i++)
            for (int64_t j = 0; j < source->about.cols; j++) {
                int64_t at = i * block.stride + j;
                assert_true(count < size);
                out[count++] = block.type == SCREE_F64   ? ((const double *)block.data)[at]
                               : block.type == SCREE_F32 ? (double)((const float *)block.data)[at]
                                                         : (double)((const uint8_t *)block.data)[at];
            }
    }
}

static inline const char *file_write_gzip(const char *name, const void *data, size_t size)
{
    const char *path = folder_path(name);
    gzFile file = gzopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, data, (unsigned)size), (int)size);
    assert_int_equal(gzclose(file), Z_OK);
    return path;
}

/* Gives the bytes to standard input through a pipe; returns what stdin_restore needs. */
static inline int stdin_replace(const void *data, size_t size)
{
    int ends[2];
    int saved = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], data, size), (ssize_t)size);
    close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    return saved;
}

static inline void stdin_restore(int saved)
{
    assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
    close(saved);
}

/* Every truncation fails; every flipped byte gives an error or readable rows; nothing crashes. */
static inline void expect_robust(const image *good, const char *name)
{
    static double values[1 << 16];
    image bad = *good;
    for (size_t size = 0; size < good->size; size++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_source *source = NULL;
        assert_int_not_equal(scree_source_open(&source, file_write(name, good->bytes, size), NULL, &error), SCREE_OK);
        assert_null(source);
        assert_non_null(strstr(error.text, name));
    }
    for (size_t at = 0; at < good->size; at++)
        for (int bit = 0; bit < 8; bit++) {
            scree_error error = SCREE_ERROR_INIT;
            scree_source *source = NULL;
            bad.bytes[at] = (unsigned char)(good->bytes[at] ^ 1u << bit);
            if (scree_source_open(&source, file_write(name, bad.bytes, bad.size), NULL, &error) == SCREE_OK) {
                int64_t count = read_doubles(source, values, 1 << 16, &error);
                assert_true(count < 0 || count == source->about.rows * source->about.cols);
            } else {
                assert_true(strlen(error.text) > 0);
            }
            scree_source_free(source);
            bad.bytes[at] = good->bytes[at];
        }
}

#endif
