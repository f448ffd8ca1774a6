/* SPDX-License-Identifier: BSD-3-Clause */
/* The target of every reader: opens the bytes as a file or as a pipe, reads all rows, and then once more with blocks of
 * another size. Promised, and looked at: what fails comes with a sentence and gives no source; a file that was read can
 * be read again, and gives the same rows, however many at a time; rows that cannot be used are counted. */

#include "input.h"
#include "target.h"

#include <string.h>

/* Opens what the options ask for. */
static scree_status open_rows(scree_source **out, const fuzz_input *input, scree_error *error)
{
    const char *paths[2] = {"-", "-"};
    int64_t lost = 0;
    scree_archive about = SCREE_ARCHIVE_INIT;
    if (input->pipe)
        fuzz_standard_input(input->file, input->size);
    else
        paths[0] = paths[1] = input->read.format && strcmp(input->read.format, "sqlite") == 0
                                  ? fuzz_file_named(input->file, input->size)
                                  : fuzz_file(input->file, input->size);
    if (!input->pipe && scree_archive_is(paths[0]))
        (void)scree_archive_read(paths[0], &about, NULL);
    if (input->salvage)
        return scree_archive_salvage(out, paths[0], &lost, error);
    return scree_source_open_many(out, paths, input->twice ? 2 : 1, &input->read, error);
}

static void read_again(const fuzz_input *input, scree_source *source, const fuzz_rows *before)
{
    fuzz_rows again;
    const int64_t block = input->block > 0 ? input->block % 64 + 1 : 1;
    const scree_status status = fuzz_rows_read(&again, source, block);
    if (status == SCREE_ERR_MEMORY || status == SCREE_ERR_LIMIT)
        return;
    fuzz_require(status == SCREE_OK, "a file that was read can be read again");
    fuzz_require(again.rows == before->rows, "reading again gives as many rows");
    fuzz_require(again.digest == before->digest, "reading again gives the same rows");
}

/* Rows that cannot be used are left out, or answered: as many are missing as are counted. */
static void read_faulty(const fuzz_input *input)
{
    const scree_on_error hows[] = {SCREE_NAN, SCREE_SKIP};
    int64_t rows[2] = {0, 0}, faults[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        fuzz_input other = *input;
        fuzz_rows read;
        scree_source *source = NULL;
        scree_error error = SCREE_ERROR_INIT;
        other.read.on_error = hows[i];
        if (open_rows(&source, &other, &error) != SCREE_OK)
            return;
        const scree_status status = fuzz_rows_read(&read, source, i == 0 ? 0 : 3);
        rows[i] = read.rows;
        faults[i] = scree_source_faults(source);
        scree_source_free(source);
        if (status != SCREE_OK)
            return;
    }
    fuzz_require(faults[0] == faults[1], "as many rows are bad whatever becomes of them");
    fuzz_require(rows[0] == rows[1] + faults[1], "bad rows are answered or skipped, and no others");
}

static void read_slice(const fuzz_input *input, scree_source *source)
{
    scree_source *slice = NULL;
    fuzz_rows rows;
    if (scree_source_slice(&slice, source, input->first, input->count, NULL) == SCREE_OK)
        (void)fuzz_rows_read(&rows, slice, input->block);
    scree_source_free(slice);
}

void fuzz_read(const fuzz_target *target, const uint8_t *data, size_t size)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    fuzz_input input;
    fuzz_rows rows;
    fuzz_input_read(&input, data, size);
    if (target->format)
        input.read.format = target->format;
    input.read.live = input.pipe && size % 2 == 1;
    const scree_status status = open_rows(&source, &input, &error);
    fuzz_require((status == SCREE_OK) == (source != NULL), "a source is there when nothing failed, and only then");
    fuzz_require(status == SCREE_OK || error.text[0], "a failure comes with a sentence");
    if (source && input.count > 0)
        read_slice(&input, source);
    if (source && fuzz_rows_read(&rows, source, 0) == SCREE_OK && !input.pipe)
        read_again(&input, source, &rows);
    scree_source_free(source);
    if (!input.pipe && !input.salvage)
        read_faulty(&input);
}
