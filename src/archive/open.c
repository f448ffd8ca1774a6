/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives among the formats, and what is told of them: opening by content, choosing columns, slices, what a file
 * says of itself, and what is left of a damaged one. */

#include "archive/archive_source.h"
#include "archive/compress.h"
#include "base/file_calls.h"
#include "base/memory.h"
#include "base/sized.h"
#include "data/columns.h"
#include "data/formats.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool matches(const unsigned char *head, int64_t size)
{
    return size >= (int64_t)sizeof scree__archive_magic &&
           memcmp(head, scree__archive_magic, sizeof scree__archive_magic) == 0;
}

static bool has_text(const scree_source *source, const char *name)
{
    for (int64_t i = 0; i < source->about.text_count; i++)
        if (strcmp(source->about.text_names[i], name) == 0)
            return true;
    return false;
}

/* On success *source is another, around it. */
static scree_status choose_columns(scree_source **source, const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *chosen = NULL;
    scree_source *inner = *source;
    int64_t *index = NULL;
    int64_t count = 0;
    scree_read_options columns = *options;
    columns.weights = NULL;
    SCREE_TRY(scree__columns_choose(&index, &count, &columns, inner->about.columns, inner->about.cols,
                                    inner->about.path, error));
    SCREE_TRY(scree__select_open(&chosen, inner, index, count, error));
    *source = chosen;
done:
    free(index);
    return status;
}

static scree_status open_reader(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    const char *const texts[] = {options->label, options->id};
    SCREE_TRY(scree__archive_source(&source, bytes, options->threads, false, error));
    for (int i = 0; i < 2 && status == SCREE_OK; i++)
        if (texts[i] && !has_text(source, texts[i]))
            status = scree__fail(error, SCREE_ERR_ARGUMENT, "%s: has no text column '%s'; leave it out",
                                 source->about.path, texts[i]);
    if (status == SCREE_OK && (options->columns || options->exclude))
        status = choose_columns(&source, options, error);
    if (status != SCREE_OK) {
        scree__archive_release(source);
        SCREE_TRY(status);
    }
    *out = source;
done:
    return status;
}

static const char *const extensions[] = {"screez", NULL};

const scree__reader scree__reader_screez = {
    "screez", extensions, matches, open_reader, "archive written by scree compress", false, false, NULL};

/* How many of the first size bytes there are; -1: reading fails. */
static int64_t read_head(int fd, unsigned char *head, int64_t size)
{
    int64_t held = 0;
    while (held < size) {
        const int64_t got = scree__call_read(fd, head + held, size - held);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        held += got;
    }
    return held;
}

bool scree_archive_is(const char *path)
{
    unsigned char head[sizeof scree__archive_magic];
    struct stat about;
    /* What is read of a pipe is gone for whoever opens it next. */
    errno = 0;
    const bool plain = stat(path, &about) == 0 && S_ISREG(about.st_mode);
    const int fd = plain ? scree__call_open(path, O_RDONLY | O_CLOEXEC, 0) : -1;
    const int64_t got = fd >= 0 ? read_head(fd, head, (int64_t)sizeof head) : plain || errno == EIO ? -1 : 0;
    const int reason = got < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    errno = reason;
    return got > 0 && matches(head, got);
}

/* The bytes of a file, with what may be allocated for them. */
static scree_status open_bytes(scree__bytes **out, const char *path, const scree_read_options *options,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(scree__bytes_open(out, path, error));
    scree__bytes_budget(*out)->given = options->memory;
    scree__bytes_budget(*out)->held = options->held;
done:
    return status;
}

scree_status scree_archive_read_within(const char *path, const scree_read_options *options, scree_archive *about,
                                       scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__archive_file file = {0};
    scree__bytes *bytes = NULL;
    scree_archive told = SCREE_ARCHIVE_INIT;
    scree_read_options mine = SCREE_READ_OPTIONS_INIT;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(open_bytes(&bytes, path, &mine, error));
    SCREE_TRY(scree__archive_open(&file, bytes, false, error));
    scree__archive_about(&told, &file.head, &file.index, file.size);
    SCREE_TRY(SCREE_GIVE(about, &told, error));
done:
    file.bytes = bytes;
    scree__archive_close(&file);
    return status;
}

scree_status scree_archive_read(const char *path, scree_archive *about, scree_error *error)
{
    return scree_archive_read_within(path, NULL, about, error);
}

/* What is said of a source that was salvaged: how many rows are lost, and which. */
static scree_status tell_lost(scree_source *source, int64_t *lost, scree_error *error)
{
    scree_status status = SCREE_OK;
    *lost = scree__archive_lost(source);
    if (*lost > 0 && *lost == source->about.rows)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: no block is whole, and all %lld rows are lost: copy the file again",
                   source->about.path, (long long)*lost);
    const bool before = scree__memory_watch();
    source->about.note = scree__archive_lost_rows(source);
    if (scree__memory_missed(before))
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for naming the rows that are lost", source->about.path);
done:
    return status;
}

scree_status scree_archive_salvage_within(scree_source **out, const char *path, const scree_read_options *options,
                                          int64_t *lost, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__bytes *bytes = NULL;
    scree_source *source = NULL;
    scree_read_options mine = SCREE_READ_OPTIONS_INIT;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(open_bytes(&bytes, path, &mine, error));
    if (!scree__bytes_can_seek(bytes))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "%s: can only be read from its start to its end: save it to a file",
                   scree__bytes_name(bytes));
    SCREE_TRY(scree__archive_source(&source, bytes, mine.threads, true, error));
    bytes = NULL;
    SCREE_TRY(tell_lost(source, lost, error));
    source->memory += mine.held;
    *out = source;
    source = NULL;
done:
    scree_source_free(source);
    scree__bytes_close(bytes);
    return status;
}

scree_status scree_archive_salvage(scree_source **out, const char *path, int64_t *lost, scree_error *error)
{
    return scree_archive_salvage_within(out, path, NULL, lost, error);
}

scree_status scree_source_slice(scree_source **out, scree_source *source, int64_t first, int64_t count,
                                scree_error *error)
{
    if (!source->table->slice || !(source->can & SCREE__CAN_SLICE))
        return scree__fail(
            error, SCREE_ERR_UNSUPPORTED,
            "%s: can only be read from its start to its end: give a plain file of an archive or an array",
            source->about.path);
    return source->table->slice(out, source, first, count, error);
}
