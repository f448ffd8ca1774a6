/* SPDX-License-Identifier: BSD-3-Clause */
/* The target of checkpoints. An input says which fit is broken off, after how many reports, and which bytes of its
 * checkpoint are others then: three bytes each, a place and a value. Checksums are made right, and the fit goes on from
 * that. Promised, and looked at: it ends with a model, or with a sentence; and where nothing was changed, with the
 * model of a fit that was not broken off. */

#include "target.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { ROWS = 40, COLS = 60, HEAD = 40, ITEM = 32, NAME = 16 };

static const struct {
    const char *solver; /* NULL: a network */
    int64_t rows;
    int64_t cols;
    bool gaps;
    bool bytes;
} fits[] = {
    {"covariance", 40, 5, false, false}, {"covariance", 40, 5, false, true}, {"svd", 40, 5, false, false},
    {"gram", 12, 60, false, false},      {"lanczos", 40, 60, false, false},  {"em", 40, 5, true, false},
    {NULL, 40, 5, false, false},
};

static char path[512];
static double cells[ROWS * COLS];
static uint8_t whole[ROWS * COLS];

static int stop(void *context, const scree_progress *progress)
{
    int *left = context;
    (void)progress;
    return (*left)-- <= 0;
}

static void fill(size_t which)
{
    uint32_t random = 1;
    for (int64_t i = 0; i < fits[which].rows * fits[which].cols; i++) {
        random = random * 1103515245U + 12345U;
        whole[i] = (uint8_t)(random >> 24);
        cells[i] = fits[which].gaps && whole[i] < 30 ? NAN : (double)whole[i] / 16;
    }
}

static scree_status run(size_t which, bool keeps, int reports, void **bytes, size_t *size)
{
    scree_run how = SCREE_RUN_INIT;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    how.threads = 1;
    how.progress = stop;
    how.progress_context = &reports;
    scree_block rows = SCREE_BLOCK_INIT;
    rows.data = fits[which].bytes ? (const void *)whole : (const void *)cells;
    rows.type = fits[which].bytes ? SCREE_U8 : SCREE_F64;
    rows.rows = fits[which].rows;
    rows.cols = fits[which].cols;
    scree_status status = scree_source_from_memory(&source, &rows, &error);
    if (status == SCREE_OK && fits[which].solver) {
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        options.components = 2;
        options.solver = fits[which].solver;
        options.run = &how;
        options.checkpoint = keeps ? path : NULL;
        options.checkpoint_every = 1e9; /* cancelled fits are saved, and nothing else */
        status = scree_model_fit(&model, source, &options, &error);
    } else if (status == SCREE_OK) {
        scree_autoencode_options options = SCREE_AUTOENCODE_OPTIONS_INIT;
        options.code = 1;
        options.epochs = 3;
        options.run = &how;
        options.checkpoint = keeps ? path : NULL;
        options.checkpoint_every = 0; /* one that has a best network is not cancelled, but ends with it */
        status = scree_model_autoencode(&model, source, &options, &error);
    }
    fuzz_require((status == SCREE_OK) == (model != NULL), "a model is there when nothing failed, and only then");
    fuzz_require(status == SCREE_OK || error.text[0], "a failure comes with a sentence");
    if (model && scree_model_save_buffer(bytes, size, model, NULL) != SCREE_OK)
        *bytes = NULL; /* numbers that no file can hold */
    scree_model_free(model);
    scree_source_free(source);
    return status;
}

static uint8_t *read_all(size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    *size = 0;
    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && ftell(file) > 0) {
        *size = (size_t)ftell(file);
        rewind(file);
        data = malloc(*size);
        if (data && fread(data, 1, *size, file) != *size)
            *size = 0;
    }
    fclose(file);
    return data;
}

/* The checksum of every item that lies within the file. */
static void repair(uint8_t *data, size_t size, size_t at)
{
    while (size - at >= ITEM) {
        int64_t bytes;
        memcpy(&bytes, data + at + NAME, sizeof bytes);
        if (bytes < 0 || (uint64_t)bytes > size - at - ITEM)
            return;
        const uint32_t crc = (uint32_t)crc32_z(0, data + at + ITEM, (size_t)bytes);
        memcpy(data + at + NAME + sizeof bytes + sizeof(uint32_t), &crc, sizeof crc);
        at += ITEM + (size_t)bytes;
    }
}

/* What lies behind the head gets other bytes. */
static void change(const uint8_t *edits, size_t count)
{
    size_t size;
    int64_t length = 0;
    uint8_t *data = read_all(&size);
    if (!data)
        return;
    memcpy(&length, data + NAME + sizeof length, sizeof length);
    const size_t first = HEAD + (size_t)length;
    for (size_t i = 0; i < count && size > first; i++)
        data[first + (edits[3 * i] + 256U * edits[3 * i + 1]) % (size - first)] = edits[3 * i + 2];
    repair(data, size, first);
    FILE *file = fopen(path, "wb");
    if (file) {
        fuzz_require(fwrite(data, 1, size, file) == size, "there is room for a small file");
        fclose(file);
    }
    free(data);
}

void fuzz_checkpoint(const fuzz_target *target, const uint8_t *data, size_t size)
{
    const char *folder = getenv("TMPDIR");
    void *wanted = NULL;
    void *found = NULL;
    size_t sizes[2] = {0, 0};
    (void)target;
    if (size < 2)
        return;
    const size_t which = data[0] % (sizeof fits / sizeof *fits);
    snprintf(path, sizeof path, "%s/scree-fuzz-%ld.checkpoint", folder && *folder ? folder : "/tmp", (long)getpid());
    unlink(path);
    fill(which);
    if (run(which, true, data[1], &wanted, &sizes[0]) != SCREE_OK && access(path, F_OK) == 0) {
        change(data + 2, (size - 2) / 3);
        run(which, true, INT32_MAX, &found, &sizes[1]);
        if (size < 5) {
            run(which, false, INT32_MAX, &wanted, &sizes[0]);
            fuzz_require(wanted && found && sizes[0] == sizes[1] && memcmp(wanted, found, sizes[0]) == 0,
                         "a fit that goes on ends in the same bytes");
        }
    }
    unlink(path);
    scree_buffer_free(wanted);
    scree_buffer_free(found);
}
