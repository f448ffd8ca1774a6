/* SPDX-License-Identifier: BSD-3-Clause */
/* What the codings of blocks share: cells that are stored as they are, counting errors, and the coding that stores all
 * cells so. A marked cell is SCREE__VALUE_NAN, which says everything, or SCREE__VALUE_RAW, whose element follows in a
 * list at the end of the block. */

#include "archive/block.h"

#include "archive/squeeze.h"
#include "base/memory.h"
#include "data/source.h"

#include <math.h>
#include <string.h>

static int size_of(scree_type type)
{
    return (int)scree__type_size(type);
}

void scree__outcome_add(scree__outcome *outcome, const scree__outcome *other)
{
    outcome->cells += other->cells;
    outcome->worst = other->worst > outcome->worst ? other->worst : outcome->worst;
    outcome->squares += other->squares;
    outcome->code_noise += other->code_noise;
    outcome->code_bytes += other->code_bytes;
    outcome->corrected += other->corrected;
    outcome->raw += other->raw;
}

void scree__row_store(const double *from, scree_type type, void *to, int64_t cols)
{
    if (type == SCREE_F64) {
        memcpy(to, from, (size_t)cols * sizeof *from);
    } else if (type == SCREE_F32) {
        float *floats = to;
        for (int64_t j = 0; j < cols; j++)
            floats[j] = (float)from[j];
    } else {
        unsigned char *bytes = to;
        for (int64_t j = 0; j < cols; j++)
            bytes[j] = from[j] >= 0 && from[j] <= UINT8_MAX ? (unsigned char)(int)from[j] : 0;
    }
}

void scree__raws_keep(scree__raws *raws, scree__outcome *outcome, scree_type type, const double *x, const double *back,
                      const int32_t *k, int64_t cols)
{
    double worst = outcome->worst;
    double squares = 0;
    int64_t corrected = 0;
    int64_t marked = 0;
    for (int64_t j = 0; j < cols; j++) {
        const bool mark = k[j] >= SCREE__VALUE_RAW;
        const double off = mark ? 0 : fabs(x[j] - back[j]);
        worst = off > worst ? off : worst;
        squares += off * off;
        corrected += k[j] != 0;
        marked += mark;
    }
    outcome->worst = worst;
    outcome->squares += squares;
    outcome->corrected += corrected - marked;
    outcome->raw += marked;
    outcome->cells += cols - marked;
    for (int64_t j = 0; marked > 0 && j < cols; j++) {
        if (k[j] < SCREE__VALUE_RAW)
            continue;
        marked--;
        outcome->cells += isfinite(x[j]) ? 1 : 0;
        unsigned char *to = k[j] == SCREE__VALUE_RAW ? scree__pack_room(&raws->values, size_of(type)) : NULL;
        if (to)
            scree__row_store(&x[j], type, to, 1);
    }
}

void scree__raws_put(scree__pack *pack, scree__raws *raws, scree_type type)
{
    scree__squeeze(pack, raws->values.data, raws->values.size / size_of(type), size_of(type));
    pack->failed = pack->failed || raws->values.failed;
    scree__pack_free(&raws->values);
}

void *scree__raws_get(scree__unpack *unpack, const int32_t *cells, int64_t count, scree_type type)
{
    int64_t marked = 0;
    for (int64_t i = 0; i < count; i++)
        marked += cells[i] == SCREE__VALUE_RAW;
    if (marked == 0 || unpack->failed)
        return NULL;
    void *raws = scree__alloc_raw(marked, (size_t)size_of(type));
    if (raws)
        scree__unsqueeze(unpack, raws, marked, size_of(type));
    else
        unpack->failed = true;
    return raws;
}

static double raw_at(const void *raws, scree_type type, int64_t i)
{
    if (type == SCREE_F64)
        return ((const double *)raws)[i];
    return type == SCREE_F32 ? (double)((const float *)raws)[i] : ((const unsigned char *)raws)[i];
}

void scree__raws_place(const void *raws, int64_t *used, scree_type type, const int32_t *k, double *back, int64_t cols)
{
    for (int64_t j = 0; j < cols; j++)
        if (k[j] == SCREE__VALUE_RAW)
            back[j] = raw_at(raws, type, (*used)++);
        else if (k[j] == SCREE__VALUE_NAN)
            back[j] = (double)NAN;
}

/* The elements themselves: nothing is lost. */
static void put_bytes(scree__pack *pack, const scree__code *code, const scree__rows *rows, scree__outcome *outcome)
{
    const int size = size_of(code->lattice.type);
    const int64_t row_bytes = code->cols * size;
    char *copy = scree__alloc_raw(rows->rows, (size_t)row_bytes);
    double *x = scree__alloc_raw(code->cols, sizeof *x);
    if (!copy || !x) {
        pack->failed = true;
    } else {
        for (int64_t i = 0; i < rows->rows; i++) {
            const double *row = scree__rows_load(rows, i, x);
            for (int64_t j = 0; j < code->cols; j++)
                outcome->cells += isfinite(row[j]) ? 1 : 0;
            memcpy(copy + i * row_bytes, (const char *)rows->data + i * rows->stride * size, (size_t)row_bytes);
        }
        scree__squeeze(pack, copy, rows->rows * code->cols, size);
    }
    free(x);
    free(copy);
}

void scree__block_put(scree__pack *pack, const scree__code *code, const scree__rows *rows, scree__outcome *outcome)
{
    if (code->coding == SCREE__CODING_MODEL)
        scree__block_model_put(pack, code, rows, outcome);
    else if (code->coding == SCREE__CODING_BESIDE)
        scree__block_beside_put(pack, code, rows, outcome);
    else
        put_bytes(pack, code, rows, outcome);
}

void scree__block_get(scree__unpack *unpack, const scree__code *code, void *data, int64_t rows)
{
    if (code->coding == SCREE__CODING_MODEL)
        scree__block_model_get(unpack, code, data, rows);
    else if (code->coding == SCREE__CODING_BESIDE)
        scree__block_beside_get(unpack, code, data, rows);
    else
        scree__unsqueeze(unpack, data, rows * code->cols, size_of(code->lattice.type));
}
