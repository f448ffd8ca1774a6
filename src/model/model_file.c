/* SPDX-License-Identifier: BSD-3-Clause */
/* Models as files, and as the same bytes in memory (docs/format.md): a safetensors file whose first texts say that it
 * is a model, and of which kind; the kind adds everything else, and reads it. The first kind of the table is the one
 * that needs no name. The same model gives the same bytes. */

#include "base/memory.h"
#include "model/kind.h"
#include "model/latent.h"
#include "model/model.h"

#include <inttypes.h>
#include <string.h>

/* 2: cells become logarithms, which readers of version 1 do not know; 3: rows are divided by their sums, which those of
 * version 2 do not know. */
enum { VERSION = 3, LOGARITHMS = 2, PLAIN = 1 };

static int64_t version_of(const scree_model_view *view)
{
    return view->normalize > 0 ? VERSION : view->log1p ? LOGARITHMS : PLAIN;
}

static scree_status make_draft(scree__draft **out, const scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__draft *draft = NULL;
    SCREE_ALLOC(draft, 1, error);
    scree__draft_text(draft, "format", "scree");
    scree__draft_integer(draft, "format_version", version_of(&model->view));
    if (model->kind != scree__kinds[0])
        scree__draft_text(draft, "kind", model->kind->name);
    scree__draft_text(draft, "scree_version", scree_version());
    SCREE_TRY(model->kind->save(model, draft, error));
    *out = draft;
    draft = NULL;
done:
    scree__draft_free(draft);
    return status;
}

scree_status scree_model_save(const scree_model *model, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__draft *draft = NULL;
    SCREE_TRY(make_draft(&draft, model, error));
    SCREE_TRY(scree__safetensors_write(path, &draft->contents, error));
done:
    scree__draft_free(draft);
    return status;
}

scree_status scree_model_save_buffer(void **out, size_t *bytes, const scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__draft *draft = NULL;
    SCREE_TRY(make_draft(&draft, model, error));
    SCREE_TRY(scree__safetensors_pack(out, bytes, &draft->contents, error));
done:
    scree__draft_free(draft);
    return status;
}

void scree_buffer_free(void *buffer)
{
    free(buffer);
}

static scree_status check_version(const scree__safetensors *file, scree_error *error)
{
    const char *format = scree__safetensors_text(file, "format");
    int64_t version = 0;
    if (format && strcmp(format, "scree-state") == 0)
        return scree__fail(error, SCREE_ERR_MODEL,
                           "%s: this is a state, not a model yet; 'scree fit %s -o MODEL' makes the model of its rows",
                           file->path, strcmp(file->path, "-") == 0 ? "FILE" : file->path);
    if (!format || strcmp(format, "scree") != 0)
        return scree__fail(error, SCREE_ERR_MODEL,
                           "%s: this safetensors file is not a scree model; give one that 'scree fit' has written",
                           file->path);
    scree_status status = scree__field_integer(file, "format_version", 1, &version, error);
    if (status == SCREE_OK && version > VERSION)
        return scree__fail(error, SCREE_ERR_MODEL,
                           "%s: model format version %" PRId64
                           " is newer than this scree understands (%d); update scree",
                           file->path, version, VERSION);
    return status;
}

static scree_status find_kind(const scree__kind **out, const scree__safetensors *file, scree_error *error)
{
    char known[256];
    const char *name = scree__safetensors_text(file, "kind");
    *out = name ? scree__kind_find(name) : scree__kinds[0];
    if (*out)
        return SCREE_OK;
    scree__kind_list(known, sizeof known);
    return scree__fail(error, SCREE_ERR_MODEL,
                       "%s: a model of the kind '%.40s' is not known to this scree, which knows %s; update scree",
                       file->path, name, known);
}

/* The container is read; who calls clears it. */
static scree_status load(scree_model **out, const scree__safetensors *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__kind *kind = NULL;
    scree_model *model = NULL;
    SCREE_TRY(check_version(file, error));
    SCREE_TRY(scree__safetensors_verify(file, error));
    SCREE_TRY(find_kind(&kind, file, error));
    SCREE_TRY(kind->load(&model, file, error));
    scree__model_become(model, kind, model->data); /* kinds may share a loader */
    model->name = scree__strdup(file->path);
    if (file->path && !model->name)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", file->path);
    SCREE_TRY(scree__model_settle(model, error));
    SCREE_TRY(scree__model_distribute(model, error));
    *out = model;
    model = NULL;
done:
    scree_model_free(model);
    return status;
}

scree_status scree_model_load(scree_model **out, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__safetensors file = {0};
    if (!path || !*path)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "the model has no name: give a file, or - for standard input");
    SCREE_TRY(scree__safetensors_read(&file, path, error));
    SCREE_TRY(load(out, &file, error));
done:
    scree__safetensors_clear(&file);
    return status;
}

scree_status scree_model_load_buffer(scree_model **out, const void *data, size_t bytes, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__safetensors file = {0};
    SCREE_TRY(scree__safetensors_unpack(&file, data, bytes, error));
    SCREE_TRY(load(out, &file, error));
done:
    scree__safetensors_clear(&file);
    return status;
}
