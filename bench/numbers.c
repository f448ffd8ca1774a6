/* SPDX-License-Identifier: BSD-3-Clause */
/* A CSV file of normal numbers with a header line: columns have 8, 12 and 17 significant digits in turn, as measured
 * data, reports and full doubles have. About 16 bytes a cell. Read back by strtod, cell by cell, it is the reference
 * for what a parser must find. */

#include "bench.h"

#include "base/memory.h"
#include "base/random.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { SEED = 11, MOST_COLUMNS = 1000 };

static void write_rows(FILE *file, int64_t rows, int64_t cols)
{
    static const int digits[] = {8, 12, 17};
    double row[MOST_COLUMNS];
    for (int64_t j = 0; j < cols; j++)
        fprintf(file, "c%" PRId64 "%c", j + 1, j + 1 < cols ? ',' : '\n');
    for (int64_t i = 0; i < rows; i++) {
        scree__normals(SEED, 0, i * cols, cols, row);
        for (int64_t j = 0; j < cols; j++)
            fprintf(file, "%.*g%c", digits[j % 3], row[j], j + 1 < cols ? ',' : '\n');
    }
}

scree_status bench_numbers_get(char *path, size_t size, const bench *b, int64_t rows, int64_t cols, scree_error *error)
{
    char unfinished[512];
    snprintf(path, size, "%s/%" PRId64 "x%" PRId64 ".csv", b->folder, rows, cols);
    snprintf(unfinished, sizeof unfinished, "%s.part", path);
    FILE *file = fopen(path, "rb");
    if (file) {
        fclose(file);
        return SCREE_OK;
    }
    if (cols > MOST_COLUMNS)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: at most %d columns are made", path, MOST_COLUMNS);
    fprintf(stderr, "making %s\n", path);
    file = fopen(unfinished, "wb");
    if (file)
        write_rows(file, rows, cols);
    bool written = file && !ferror(file);
    if (file && fclose(file) != 0)
        written = false;
    if (!written || rename(unfinished, path) != 0)
        return scree__fail(error, SCREE_ERR_IO, "%s cannot be written (%s)", path, strerror(errno));
    return SCREE_OK;
}

scree_status bench_numbers_reference(const char *path, int64_t rows, int64_t cols, double *values, scree_error *error)
{
    scree_status status = SCREE_OK;
    size_t room = 0;
    char *line = NULL;
    int64_t count = 0;
    FILE *file = fopen(path, "rb");
    if (!file || getline(&line, &room, file) < 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s cannot be read (%s)", path, strerror(errno));
    while (count < rows * cols && getline(&line, &room, file) > 0) {
        char *at = line;
        for (int64_t j = 0; j < cols; j++, at++)
            values[count++] = strtod(at, &at);
    }
    if (count != rows * cols)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s has fewer than %" PRId64 " rows; remove it, and it is made anew", path,
                   rows);
done:
    free(line);
    if (file)
        fclose(file);
    return status;
}
