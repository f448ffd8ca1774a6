/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening files as a source: one by its format, several as one. Of several each is opened to see that it is what the
 * others are, and closed again, since its turn may come much later; a pipe cannot be opened again, and stays open. */

#include "base/memory.h"
#include "base/sized.h"
#include "data/formats.h"
#include "data/join.h"
#include "data/nested.h"
#include "data/some_rows.h"
#include "data/stamp.h"
#include "data/tenx.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What is about text is refused where there is none, and would be ignored. */
static scree_status check_text(const scree__reader *reader, const char *path, const scree_read_options *options,
                               scree_error *error)
{
    const char *what = options->delimiter     ? "--delimiter"
                       : options->encoding    ? "--encoding"
                       : options->header >= 0 ? "--header"
                       : options->na          ? "--na"
                       : options->decimal     ? "--decimal"
                       : options->skip > 0    ? "--skip"
                                              : NULL;
    if (!what || reader == &scree__reader_csv || reader == &scree__reader_tsv || reader == &scree__reader_triplets)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: is read as %s, and %s is for CSV and other text; leave it out",
                       path, reader->name, what);
}

static scree_status check_from(const scree__reader *reader, const char *path, const scree_read_options *options,
                               scree_error *error)
{
    if (!options->columns_from || reader == &scree__reader_hdf5)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_ARGUMENT,
                       "%s: is read as %s, and --columns-from is for AnnData files; choose columns with --columns",
                       path, reader->name);
}

/* The same of what is about cells that are listed one by one. */
static scree_status check_cells(const scree__reader *reader, const char *path, const scree_read_options *options,
                                scree_error *error)
{
    if (options->absent == SCREE_CELLS_BY_FORMAT || reader == &scree__reader_mtx || reader == &scree__reader_triplets)
        return SCREE_OK;
    return scree__fail(
        error, SCREE_ERR_ARGUMENT,
        "%s: is read as %s, and --absent is for Matrix Market files and triplets, which list their cells; "
        "leave it out",
        path, reader->name);
}

static scree_status check_genotypes(const scree__reader *reader, const char *path, const scree_read_options *options,
                                    scree_error *error)
{
    const char *what = options->min_allele > 0 ? "--maf" : options->chromosomes ? "--chr" : NULL;
    if (!what || reader == &scree__reader_bed)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: is read as %s, and %s is for genotypes; leave it out", path,
                       reader->name, what);
}

static scree_status check_query(const scree__reader *reader, const char *path, const scree_read_options *options,
                                scree_error *error)
{
    if (!options->query || reader == &scree__reader_sqlite)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: is read as %s, and --query is for databases; leave it out", path,
                       reader->name);
}

static scree_status check_transposed(const char *path, const scree_read_options *options, scree_error *error)
{
    if (options->transpose && options->weights)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: a column of a file that is transposed cannot hold the weights of its rows; leave out "
                           "--weights or --transpose",
                           path);
    if (options->transpose && options->on_error != SCREE_STOP)
        return scree__fail(
            error, SCREE_ERR_ARGUMENT,
            "%s: a line of a file that is transposed is no row that could be left out; leave out --on-error "
            "or --transpose",
            path);
    return SCREE_OK;
}

static scree_status turn(scree_source **source, const scree_read_options *options, scree_error *error)
{
    scree_source *turned = NULL;
    const scree_status status = scree__transposed_open(&turned, *source, options->memory, error);
    if (status == SCREE_OK)
        *source = turned;
    return status;
}

/* A folder, which is one of 10x counts. */
static scree_status open_folder(scree_source **out, const char *path, const scree_read_options *options,
                                scree__faults *faults, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    if (options->format && strcmp(options->format, scree__reader_tenx.name) != 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: is a folder, and %s is a format of files: leave it out", path,
                   options->format);
    SCREE_TRY(check_text(&scree__reader_tenx, path, options, error));
    SCREE_TRY(check_cells(&scree__reader_tenx, path, options, error));
    SCREE_TRY(check_query(&scree__reader_tenx, path, options, error));
    SCREE_TRY(check_genotypes(&scree__reader_tenx, path, options, error));
    SCREE_TRY(scree__tenx_open(&source, path, options, error));
    source->faults = faults;
    if (options->transpose)
        SCREE_TRY(turn(&source, options, error));
    if (options->weights)
        SCREE_TRY(scree__weighted_open(out, source, options->weights, error));
    else
        *out = source;
    source = NULL;
done:
    scree_source_free(source);
    return status;
}

scree_status scree__file_open(scree_source **out, const char *path, const scree_read_options *options,
                              scree__faults *faults, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__bytes *bytes = NULL;
    scree_source *source = NULL;
    const scree__reader *reader = NULL;
    scree__nested nested = {0};
    bool is_folder = false;
    const unsigned char *head = NULL;
    int64_t size = 0;
    scree_read_options read = *options;
    read.live = options->live && !options->transpose; /* which needs all rows */
    const scree__bytes_how how = {read.live, scree__raw_names(options->format)};
    SCREE_TRY(check_transposed(path, options, error));
    SCREE_TRY(scree__folder_look(&is_folder, path, error));
    if (is_folder) {
        status = open_folder(out, path, options, faults, error);
        goto done;
    }
    SCREE_TRY(scree__nested_split(&nested, path, options, error));
    path = nested.file;
    read.dataset = nested.part;
    SCREE_TRY(scree__bytes_open_as(&bytes, path, how, error));
    scree__bytes_budget(bytes)->given = options->memory;
    scree__bytes_budget(bytes)->held = options->held;
    const int64_t decoder = scree__bytes_decoder_memory(bytes);
    const int64_t left = scree__budget_left(scree__bytes_budget(bytes));
    if (decoder > 0)
        SCREE_TRY(scree__budget_take(scree__bytes_budget(bytes), decoder, path, "buffers for decompression", error));
    if (options->memory > 0)
        scree__bytes_decoder_limit(bytes, left);
    SCREE_TRY(scree__bytes_peek(bytes, &head, &size, error));
    SCREE_TRY(scree__reader_find(&reader, options->format, path, head, size, error));
    SCREE_TRY(check_text(reader, path, options, error));
    SCREE_TRY(check_from(reader, path, options, error));
    SCREE_TRY(check_cells(reader, path, options, error));
    SCREE_TRY(check_query(reader, path, options, error));
    SCREE_TRY(scree__nested_check(&nested, reader, error));
    SCREE_TRY(check_genotypes(reader, path, options, error));
    if (!reader->live)
        SCREE_TRY(scree__bytes_stay_whole(bytes, error));
    SCREE_TRY(reader->open(&source, bytes, &read, error));
    bytes = NULL;
    source->memory += decoder;
    source->faults = faults;
    if (options->transpose && !source->about.transposed && !source->about.only_header)
        SCREE_TRY(turn(&source, options, error));
    if (options->weights)
        SCREE_TRY(scree__weighted_open(out, source, options->weights, error));
    else
        *out = source;
    source = NULL;
done:
    scree_source_free(source);
    scree__bytes_close(bytes);
    scree__nested_clear(&nested);
    return status;
}

scree_status scree__only_header_fail(const char *file, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_FORMAT,
                       "%s: there is a header and no row below it; give a file with rows of numbers", file);
}

/* "part-1.npy and 3 more" */
static scree_status name_all(scree__join *join, scree_error *error)
{
    const char *first = join->parts[0].name;
    const size_t size = strlen(first) + 40;
    char *text = scree__alloc((int64_t)size, 1);
    if (!text)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory", first);
    snprintf(text, size, "%s and %" PRId64 " more", first, join->count - 1);
    join->base.about.path = text;
    return SCREE_OK;
}

static scree_status add(scree__join *join, int64_t index, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__part *part = &join->parts[index];
    scree_source *source = NULL;
    for (int64_t i = 0; i < index; i++)
        if (strcmp(path, "-") == 0 && strcmp(join->parts[i].path, "-") == 0)
            SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "standard input is named twice, and can be read once: name it once");
    SCREE_TRY(scree__file_open(&source, path, &join->options, join->base.faults, error));
    part->path = scree__strdup(path);
    part->name = scree__strdup(source->about.path);
    if (!part->path || !part->name)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", source->about.path);
    part->rows = source->about.rows;
    part->empty = source->about.only_header;
    part->keep = strcmp(path, "-") == 0 || !(source->can & SCREE__CAN_REWIND);
    if (!part->empty) {
        if (join->leader >= 0)
            SCREE_TRY(scree__join_agrees(join, source, error));
        SCREE_TRY(scree__join_describe(join, index, source, error));
        SCREE_TRY(scree__join_add_note(join, index, source, error));
    }
    if (part->keep || index == 0) {
        part->source = source;
        source = NULL;
    }
done:
    scree_source_free(source);
    return status;
}

/* Headers without rows are compared when it is known what is text in the other files. */
static scree_status check_headers(scree__join *join, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    if (join->leader < 0)
        SCREE_TRY(scree__only_header_fail(join->parts[0].name, error));
    for (int64_t i = 0; i < join->count; i++) {
        scree__part *part = &join->parts[i];
        if (!part->empty)
            continue;
        if (!part->source)
            SCREE_TRY(scree__file_open(&source, part->path, &join->options, join->base.faults, error));
        SCREE_TRY(scree__join_agrees_header(join, part->source ? part->source : source, error));
        scree_source_free(source);
        source = NULL;
    }
done:
    scree_source_free(source);
    return status;
}

static scree_status open_one(scree_source **out, const char *path, const scree_read_options *options,
                             scree__faults *faults, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    SCREE_TRY(scree__file_open(&source, path, options, faults, error));
    if (source->about.only_header)
        SCREE_TRY(scree__only_header_fail(source->about.path, error));
    *out = source;
    source = NULL;
done:
    scree_source_free(source);
    return status;
}

static scree_status open_several(scree_source **out, const char *const *paths, int64_t count,
                                 const scree_read_options *options, scree__faults *faults, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__join *join = NULL;
    scree_read_options mine = *options;
    mine.varying = false; /* what is alike in one file may vary among several */
    SCREE_TRY(scree__join_new(&join, count, &mine, error));
    join->base.faults = faults;
    for (int64_t i = 0; i < count; i++)
        SCREE_TRY(add(join, i, paths[i], error));
    SCREE_TRY(check_headers(join, error));
    SCREE_TRY(scree__join_make_note(join, error));
    SCREE_TRY(name_all(join, error));
    *out = &join->base;
    join = NULL;
done:
    scree_source_free(join ? &join->base : NULL);
    return status;
}

scree_status scree_source_open_many(scree_source **out, const char *const *paths, int64_t count,
                                    const scree_read_options *options, scree_error *error)
{
    scree_read_options mine = SCREE_READ_OPTIONS_INIT;
    scree_status status = SCREE_OK;
    scree__faults *faults = NULL;
    scree_source *all = NULL;
    if (count < 1)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "no file is named: name at least one");
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    if (mine.on_error != SCREE_STOP) { /* one count for all files */
        faults = scree__faults_new(&mine);
        if (!faults)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", paths[0]);
    }
    SCREE_TRY(count == 1 ? open_one(&all, paths[0], &mine, faults, error)
                         : open_several(&all, paths, count, &mine, faults, error));
    SCREE_TRY(scree__some_rows_open(out, all, &mine, error));
    all = NULL;
    (*out)->memory += mine.held;
    (*out)->stamp = scree__stamp_of(paths, count, &mine);
    (*out)->faults = faults;
    (*out)->owns_faults = faults != NULL;
    faults = NULL;
done:
    scree_source_free(all);
    scree__faults_free(faults);
    return status;
}

scree_status scree_source_open(scree_source **out, const char *path, const scree_read_options *options,
                               scree_error *error)
{
    return scree_source_open_many(out, &path, 1, options, error);
}
