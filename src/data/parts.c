/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_file_parts: what a file holds. A format that knows says it itself; any other file is one table, which is opened
 * to see what it is. */

#include "base/sized.h"
#include "data/formats.h"
#include "data/tenx.h"

#include <string.h>

/* "f4", as files and options call element types. */
static const char *type_name(scree_type type)
{
    static const char *const names[] = {
        [SCREE_F32] = "f4", [SCREE_F64] = "f8", [SCREE_U8] = "u1",  [SCREE_I8] = "i1",
        [SCREE_I16] = "i2", [SCREE_U16] = "u2", [SCREE_I32] = "i4", [SCREE_U32] = "u4",
        [SCREE_I64] = "i8", [SCREE_U64] = "u8", [SCREE_F16] = "f2", [SCREE_BOOL] = "b1"};
    return (size_t)type < sizeof names / sizeof names[0] ? names[type] : NULL;
}

/* Whether rows can be read: of an Arrow file, the schema says nothing of how the batches are compressed. */
static scree_status open_and_look(scree_source **out, const scree__reader *reader, const char *path,
                                  const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__block block;
    SCREE_TRY(scree_source_open(out, path, options, error));
    if (reader == &scree__reader_arrow)
        SCREE_TRY(scree__source_next(*out, &block, error));
done:
    return status;
}

/* An Arrow file that is whole, but not as it would have to be: what the sentence says behind the name of the file. */
static bool is_closed(const scree__reader *reader, scree_status status, const scree_error *why, const char **note)
{
    const char *behind = strstr(why->text, ": ");
    *note = behind ? behind + 2 : why->text;
    return reader == &scree__reader_arrow && status == SCREE_ERR_UNSUPPORTED;
}

static scree_status visit_table(const scree__reader *reader, const char *path, const scree_read_options *options,
                                scree_part_fn visit, void *context, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree_part part = SCREE_PART_INIT;
    scree_error why = SCREE_ERROR_INIT;
    part.kind = reader->name;
    part.meant = true;
    status = open_and_look(&source, reader, path, options, &why);
    part.closed = is_closed(reader, status, &why, &part.note);
    if (status != SCREE_OK && !part.closed)
        SCREE_FAIL(error, status, "%s", why.text);
    part.rows = source ? scree_source_rows(source) : -1;
    part.cols = source ? scree_source_cols(source) : -1;
    part.type = source ? type_name(scree_source_element_type(source)) : NULL;
    part.note = part.closed ? part.note : scree_source_note(source);
    SCREE_TRY(visit(context, &part, error));
done:
    scree_source_free(source);
    return status;
}

scree_status scree_file_parts(const char *path, const scree_read_options *options, scree_part_fn visit, void *context,
                              scree_error *error)
{
    scree_read_options mine = SCREE_READ_OPTIONS_INIT;
    scree_status status = SCREE_OK;
    scree__bytes *bytes = NULL;
    const scree__reader *reader = NULL;
    const unsigned char *head = NULL;
    int64_t size = 0;
    bool is_folder = false;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    if (!path || strcmp(path, "-") == 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "what a pipe holds is not known before it is read: name a file");
    SCREE_TRY(scree__folder_look(&is_folder, path, error));
    if (is_folder) {
        status = visit_table(&scree__reader_tenx, path, &mine, visit, context, error);
        goto done;
    }
    SCREE_TRY(scree__bytes_open(&bytes, path, error));
    SCREE_TRY(scree__bytes_peek(bytes, &head, &size, error));
    SCREE_TRY(scree__reader_find(&reader, mine.format, path, head, size, error));
    SCREE_TRY(reader->list ? reader->list(bytes, &mine, visit, context, error)
                           : visit_table(reader, path, &mine, visit, context, error));
done:
    scree__bytes_close(bytes);
    return status;
}
