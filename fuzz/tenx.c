/* SPDX-License-Identifier: BSD-3-Clause */
/* The targets of what is several files: 10x folders, features, barcodes and a matrix; and genotypes, samples, variants
 * and calls. All from one input, each behind a line of one exclamation mark
 * but the first, as the files of a folder, which is read twice, with blocks of two sizes. Promised, and looked at: what
 * fails comes with a sentence, and what was read can be read again, and gives the same rows. */

#include "input.h"
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES = 3 };

static const char *const cells[FILES] = {"features.tsv", "barcodes.tsv", "matrix.mtx"};
static const char *const genotypes[FILES] = {"c.fam", "c.bim", "c.bed"};
static const char *const *names = cells; /* a program runs one of the targets at a time */
static char folder[256];

static void path_of(char *path, size_t size, int file)
{
    snprintf(path, size, "%s/%s", folder, names[file]);
}

static void remove_files(void)
{
    char path[300];
    for (int i = 0; i < FILES; i++) {
        path_of(path, sizeof path, i);
        unlink(path);
    }
}

static void remove_folder(void)
{
    remove_files();
    rmdir(folder);
}

/* Made once, and removed when the program ends. */
static void make_folder(void)
{
    const char *top = getenv("TMPDIR");
    if (*folder)
        return;
    snprintf(folder, sizeof folder, "%s/scree-fuzz-10x-XXXXXX", top && *top ? top : "/tmp");
    fuzz_require(mkdtemp(folder) != NULL, "a folder can be made");
    atexit(remove_folder);
}

static void write_file(int file, const uint8_t *data, size_t size)
{
    char path[300];
    path_of(path, sizeof path, file);
    FILE *out = fopen(path, "wb");
    fuzz_require(out != NULL, "a file can be made");
    fuzz_require(size == 0 || fwrite(data, 1, size, out) == size, "a file can be written");
    fclose(out);
}

/* Where the next file begins, behind a line of one exclamation mark; NULL: nowhere. */
static const uint8_t *next_part(const uint8_t *p, const uint8_t *end)
{
    for (; p && end - p >= 3; p++)
        if (memcmp(p, "\n!\n", 3) == 0)
            return p + 3;
    return NULL;
}

static void write_files(const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size;
    const uint8_t *p = data;
    for (int i = 0; i < FILES; i++) {
        const uint8_t *next = p && i + 1 < FILES ? next_part(p, end) : NULL;
        const uint8_t *last = next ? next - 2 : end; /* the line break before the mark is the file's */
        write_file(i, p ? p : end, p ? (size_t)(last - p) : 0);
        p = next;
    }
}

static void read_files(const char *const *files, int opened, const uint8_t *data, size_t size)
{
    char path[300];
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    fuzz_input input;
    fuzz_rows rows;
    fuzz_rows again;
    fuzz_input_read(&input, data, size);
    make_folder();
    names = files;
    write_files(input.file, input.size);
    snprintf(path, sizeof path, "%s", folder);
    if (opened >= 0)
        path_of(path, sizeof path, opened);
    const scree_status status = scree_source_open(&source, path, &input.read, &error);
    fuzz_require((status == SCREE_OK) == (source != NULL), "a source is there when nothing failed, and only then");
    fuzz_require(status == SCREE_OK || error.text[0], "a failure comes with a sentence");
    if (source && fuzz_rows_read(&rows, source, 0) == SCREE_OK) {
        const scree_status second = fuzz_rows_read(&again, source, input.block > 0 ? input.block % 64 + 1 : 1);
        if (second != SCREE_ERR_MEMORY && second != SCREE_ERR_LIMIT) {
            fuzz_require(second == SCREE_OK, "a folder that was read can be read again");
            fuzz_require(again.digest == rows.digest, "reading again gives the same rows");
        }
    }
    scree_source_free(source);
    remove_files();
}

void fuzz_tenx(const fuzz_target *target, const uint8_t *data, size_t size)
{
    (void)target;
    read_files(cells, -1, data, size);
}

void fuzz_bed(const fuzz_target *target, const uint8_t *data, size_t size)
{
    (void)target;
    read_files(genotypes, FILES - 1, data, size);
}
