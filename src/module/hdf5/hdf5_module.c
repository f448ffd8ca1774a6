/* SPDX-License-Identifier: BSD-3-Clause */
/* The entries of the module: opening, listing, writing. Every call holds the lock of hdf5_file.h. */

#include "module/hdf5/hdf5_source.h"
#include "module/hdf5/hdf5_write.h"

#include <stdlib.h>

static scree_status next(void *context, int64_t max_rows, scree_block *block, scree_error *error)
{
    scree__hdf5_source *source = context;
    scree__hdf5_lock();
    const scree_status status =
        (source->table.sparse ? scree__hdf5_sparse_next : scree__hdf5_dense_next)(source, max_rows, block, error);
    scree__hdf5_unlock();
    return status;
}

static scree_status texts(void *context, int64_t first, int64_t count, const char *const **out, scree_error *error)
{
    scree__hdf5_lock();
    const scree_status status = scree__hdf5_source_texts(context, first, count, out, error);
    scree__hdf5_unlock();
    return status;
}

static scree_status back(void *context, scree_error *error)
{
    (void)error;
    ((scree__hdf5_source *)context)->at = 0;
    return SCREE_OK;
}

static scree_status seek(void *context, int64_t row, scree_error *error)
{
    (void)error;
    ((scree__hdf5_source *)context)->at = row;
    return SCREE_OK;
}

static void release(void *context)
{
    scree__hdf5_lock();
    scree__hdf5_source_free(context);
    scree__hdf5_unlock();
}

static void fill_calls(scree_source_calls *calls, scree__hdf5_source *source)
{
    scree__hdf5_table *table = &source->table;
    for (int i = 0; i < table->text_count; i++)
        source->names[i] = table->text_names[i];
    calls->context = source;
    calls->next = next;
    calls->rewind = back;
    calls->seek = table->by_columns ? NULL : seek;
    calls->release = release;
    calls->rows = table->rows;
    calls->cols = table->cols;
    calls->type = table->sparse ? table->values.size == 4 ? SCREE_F32 : SCREE_F64 : table->values.look.read;
    calls->columns = table->columns.names;
    calls->text_names = table->text_count > 0 ? source->names : NULL;
    calls->text_count = table->text_count;
    calls->sparse = table->sparse;
    calls->entries = table->entries;
    calls->kept = table->kept;
    calls->text_label = table->text_label;
    calls->text_id = table->text_id;
    calls->note = table->note;
    calls->memory = table->values.look.chunk_bytes + ((int64_t)16 << 20);
    calls->unsorted = table->sparse;
    calls->by_columns = table->by_columns;
    calls->texts = table->by_columns && table->text_count > 0 ? texts : NULL;
}

SCREE_API scree_status scree_module_open_1(scree_source_calls *calls, const char *path,
                                           const scree_read_options *options, scree_error *error);

scree_status scree_module_open_1(scree_source_calls *calls, const char *path, const scree_read_options *options,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__hdf5_source *source = scree__hdf5_alloc(1, sizeof *source);
    if (!source)
        return scree__hdf5_fail(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    scree__hdf5_lock();
    scree__hdf5_know_lzf();
    status = scree__hdf5_table_open(&source->table, path, options, error);
    if (status == SCREE_OK)
        fill_calls(calls, source);
    else
        free(source);
    scree__hdf5_unlock();
    return status;
}

SCREE_API scree_status scree_module_list_1(const char *path, const scree_read_options *options, scree_part_fn visit,
                                           void *context, scree_error *error);

scree_status scree_module_list_1(const char *path, const scree_read_options *options, scree_part_fn visit,
                                 void *context, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__hdf5 file;
    scree__hdf5_lock();
    scree__hdf5_know_lzf();
    status = scree__hdf5_open(&file, path, options->memory, error);
    if (status == SCREE_OK)
        status = scree__hdf5_list(&file, visit, context, error);
    scree__hdf5_close(&file);
    scree__hdf5_unlock();
    return status;
}

SCREE_API scree_status scree_module_write_1(scree_sink_calls *calls, const char *path, const char *name,
                                            const scree_write_options *options, scree_error *error);

scree_status scree_module_write_1(scree_sink_calls *calls, const char *path, const char *name,
                                  const scree_write_options *options, scree_error *error)
{
    return (options->into ? scree__hdf5_codes_write : scree__hdf5_rows_write)(calls, path, name, options, error);
}
