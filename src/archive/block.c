/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of codings, and what they share: cells that are stored as they are, and counting errors. A block that its
 * archive's coding cannot code, or that is smaller so, is stored as its elements. A marked cell is SCREE__VALUE_NAN,
 * which says everything, or SCREE__VALUE_RAW, whose element follows in a list at the end of the block. */

#include "archive/block.h"

#include "archive/squeeze.h"
#include "base/memory.h"
#include "data/source.h"

#include <math.h>
#include <string.h>

enum { ENOUGH_TO_GUESS = 1 << 15 };

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
    outcome->saved += other->saved;
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

static const double margin = 1.05;  /* that an estimate may be wrong by */
static const double nothing = 0.99; /* what is left of bytes that are not worth zstd's best */

bool scree__block_harder(scree__pack *pack, int64_t begun, const scree__code *code, const scree__harder *harder,
                         scree__outcome *outcome)
{
    const int64_t bytes = harder->count * harder->size;
    const double now = (double)(pack->size - begun);
    const bool may = code->gain < HUGE_VAL && !pack->failed;
    const double estimate = may ? scree__squeeze_estimate(harder->data, bytes, code->gain) : HUGE_VAL;
    bool done = false;
    if (!(estimate < margin * now))
        return false;
    if (code->on_trial && bytes > ENOUGH_TO_GUESS) {
        outcome->saved += margin * estimate < now ? now - margin * estimate : 0;
        return false;
    }
    scree__pack hard = {0};
    scree__pack_u8(&hard, harder->front);
    if (estimate < nothing * (double)bytes)
        scree__squeeze_hard(&hard, harder->data, harder->count, harder->size);
    else
        scree__squeeze_not(&hard, harder->data, harder->count, harder->size);
    if (!hard.failed && hard.size < pack->size - begun) {
        pack->size = begun;
        scree__pack_bytes(pack, hard.data, hard.size);
        done = true;
    }
    scree__pack_free(&hard);
    return done;
}

/* ---- the table ---- */

static void get_bytes(scree__unpack *unpack, const scree__code *code, void *data, int64_t rows)
{
    scree__unsqueeze(unpack, data, rows * code->cols, size_of(code->lattice.type));
}

static const scree__coding_calls coding_bytes = {"bytes", NULL, get_bytes}; /* no longer written */

static const scree__coding_calls *const codings[SCREE__CODINGS] = {
    [SCREE__CODING_MODEL] = &scree__coding_model,
    [SCREE__CODING_BESIDE] = &scree__coding_beside,
    [SCREE__CODING_BYTES] = &coding_bytes,
    [SCREE__CODING_NUMBERS] = &scree__coding_numbers,
    [SCREE__CODING_ELEMENTS] = &scree__coding_elements,
};

const char *scree__coding_name(scree__coding coding)
{
    return codings[coding]->name;
}

/* Packs the coding and the block; false, and nothing is packed, where it cannot. */
static bool put_by(scree__pack *pack, scree__coding coding, const scree__code *code, const scree__rows *rows,
                   scree__outcome *outcome)
{
    const int64_t begun = pack->size;
    scree__outcome mine = {0};
    scree__pack_u8(pack, coding);
    if (!codings[coding]->put(pack, code, rows, &mine)) {
        pack->size = pack->failed ? pack->size : begun;
        return false;
    }
    scree__outcome_add(outcome, &mine);
    return true;
}

/* Whether the elements themselves may take fewer bytes than the block does. */
static bool is_worth_elements(const scree__code *code, const scree__rows *rows, int64_t bytes)
{
    const bool others = code->coding != SCREE__CODING_NUMBERS && code->coding != SCREE__CODING_ELEMENTS;
    const int64_t all = rows->rows * rows->cols * scree__type_size(rows->type);
    return others && !code->on_trial && rows->stride == rows->cols &&
           scree__squeeze_estimate(rows->data, all, code->gain) < (double)bytes;
}

void scree__block_put(scree__pack *pack, const scree__code *code, const scree__rows *rows, scree__outcome *outcome)
{
    const int64_t begun = pack->size;
    scree__outcome mine = {0};
    const bool done = put_by(pack, code->coding, code, rows, &mine);
    if (!pack->failed && (!done || is_worth_elements(code, rows, pack->size - begun))) {
        scree__pack other = {0};
        scree__outcome others = {0};
        put_by(&other, SCREE__CODING_ELEMENTS, code, rows, &others);
        pack->failed = pack->failed || other.failed;
        if (!done || other.size < pack->size - begun) {
            pack->size = begun;
            scree__pack_bytes(pack, other.data, other.size);
            mine = others;
        }
        scree__pack_free(&other);
    }
    scree__outcome_add(outcome, &mine);
}

void scree__block_get(scree__unpack *unpack, const scree__code *code, void *data, int64_t rows)
{
    const unsigned coding = code->tagged ? scree__unpack_u8(unpack) : code->coding;
    /* Only the head's own coding has what it needs there. */
    const bool known =
        coding == (unsigned)code->coding || coding == SCREE__CODING_NUMBERS || coding == SCREE__CODING_ELEMENTS;
    unpack->failed = unpack->failed || !known;
    if (!unpack->failed)
        codings[coding]->get(unpack, code, data, rows);
}
