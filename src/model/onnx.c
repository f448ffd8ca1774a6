/* SPDX-License-Identifier: BSD-3-Clause */
/* A model as an ONNX file: rows are centred and scaled, the nodes of the model's kind make codes of them and rows of
 * codes, and these go back to where the data lives. The file is made in memory and written whole: 4 bytes a number (8
 * in double), at most the 2 GiB that a file of this kind can hold. The same model gives the same bytes. */

#include "base/atomic_file.h"
#include "base/sized.h"
#include "model/kind.h"
#include "model/model.h"

#include <cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { OVERHEAD = 1 << 16, NAME_BYTES = 32, TEXT_SIZE = 24 };

static scree_status read_options(scree__onnx_part *what, const scree_onnx_options *options, scree_error *error)
{
    const char *part = options->part ? options->part : "both";
    if (options->type != SCREE_F32 && options->type != SCREE_F64)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "an ONNX file holds float or double; ask for f4 or f8");
    what->encode = strcmp(part, "decode") != 0;
    what->decode = strcmp(part, "encode") != 0;
    if (what->encode && what->decode && strcmp(part, "both") != 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "there is no part '%s'; ask for encode, decode or both", part);
    return SCREE_OK;
}

/* Bytes that the file will have, about. */
static scree_status measure(int64_t *bytes, const scree_model *model, scree_type type, const char *path,
                            scree_error *error)
{
    const scree_model_view *view = scree_model_get(model);
    const int64_t size = type == SCREE_F32 ? 4 : 8;
    const double numbers = (double)model->kind->onnx->numbers(model);
    const double all = (double)size * (numbers + 3 * (double)view->d) + (double)NAME_BYTES * (double)view->d + OVERHEAD;
    if (all > INT32_MAX)
        return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                           "%s: the model takes %.1f GiB in this precision, and an ONNX file holds 2; keep fewer "
                           "%s%s",
                           path, all / 0x1p30, model->kind->onnx->unit, size == 8 ? ", or export in float (f4)" : "");
    *bytes = (int64_t)all;
    return SCREE_OK;
}

static void put_graph(scree__onnx *onnx, const scree_model *model, scree__onnx_part what,
                      const scree__onnx_frame *frame)
{
    const scree_model_view *view = scree_model_get(model);
    if (what.encode) {
        scree__onnx_input(onnx, "x", view->d, "rows, in the columns that the model was fitted to");
        scree__onnx_output(onnx, "codes", view->m, "the coordinates of each row along the components");
    } else {
        scree__onnx_input(onnx, "codes", view->m, "coordinates along the components");
    }
    if (what.decode)
        scree__onnx_output(onnx, "reconstruction", view->d, "the rows that the codes stand for");
    scree__onnx_frame_tensors(onnx, frame);
    if (what.encode)
        scree__onnx_frame_enter(onnx, frame);
    model->kind->onnx->nodes(onnx, model, what);
    if (what.decode)
        scree__onnx_frame_leave(onnx, frame);
}

static void close_graph(scree__onnx *onnx, const scree_model_view *view, const char *names)
{
    char rows[TEXT_SIZE];
    char cols[TEXT_SIZE];
    char codes[TEXT_SIZE];
    snprintf(rows, sizeof rows, "%" PRId64, view->n);
    snprintf(cols, sizeof cols, "%" PRId64, view->d);
    snprintf(codes, sizeof codes, "%" PRId64, view->m);
    const scree__onnx_entry entries[] = {{"kind", view->kind},     {"n", rows},        {"d", cols}, {"m", codes},
                                         {"solver", view->solver}, {"columns", names}, {NULL, NULL}};
    scree__onnx_close(onnx, entries);
}

static scree_status write_file(const scree__wire *wire, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__atomic_file *file = NULL;
    if (wire->failed)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory while the file was made; free some and export again",
                   path);
    if (wire->size > INT32_MAX)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: the names of the columns are too long for an ONNX file; fit "
                   "without names",
                   path);
    SCREE_TRY(scree__atomic_open(&file, path, error));
    SCREE_TRY(scree__atomic_write(file, wire->bytes, wire->size, error));
    SCREE_TRY(scree__atomic_commit(file, error));
done:
    scree__atomic_free(file);
    return status;
}

scree_status scree_model_export_onnx(const scree_model *model, const char *path, const scree_onnx_options *options,
                                     scree_error *error)
{
    scree_onnx_options mine = SCREE_ONNX_OPTIONS_INIT;
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(model);
    scree_type type;
    scree__onnx_part what = {0};
    scree__onnx onnx = {0};
    scree__onnx_frame frame = {0};
    int64_t bytes = 0;
    cJSON *names = NULL;
    char *text = NULL;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(scree__kind_needs(model, SCREE_CAN_EXPORT, "an ONNX file", error));
    if (view->normalize > 0)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: the model divides rows by their sums, and no graph is written for that; project rows with "
                   "scree, or fit rows that are divided already",
                   path);
    type = mine.type;
    SCREE_TRY(read_options(&what, &mine, error));
    SCREE_TRY(measure(&bytes, model, type, path, error));
    SCREE_TRY(scree__onnx_frame_make(&frame, model, type, path, error));
    names = view->columns ? cJSON_CreateStringArray(view->columns, (int)view->d) : NULL;
    text = names ? cJSON_PrintUnformatted(names) : NULL;
    scree__onnx_open(&onnx, type, bytes, model->kind->onnx->doc);
    if (view->columns && !text)
        onnx.wire.failed = true;
    put_graph(&onnx, model, what, &frame);
    close_graph(&onnx, view, text);
    SCREE_TRY(write_file(&onnx.wire, path, error));
done:
    scree__wire_free(&onnx.wire);
    scree__onnx_frame_free(&frame);
    cJSON_free(text);
    cJSON_Delete(names);
    return status;
}
