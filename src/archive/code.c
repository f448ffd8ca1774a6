/* SPDX-License-Identifier: BSD-3-Clause */
/* A code in the header of an archive. The basis is packed as whole numbers, component by component, each in about the
 * bits of its entropy; the mean as doubles, whose low bits are zero where they would not be noticed (learn.c). */

#include "archive/code.h"

#include "archive/squeeze.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

void scree__code_clear(scree__code *code)
{
    free(code->mean);
    free(code->scales);
    free(code->basis);
    free(code->tiles);
    free(code->encode);
    *code = (scree__code){0};
}

scree_status scree__code_prepare(scree__code *code, scree_error *error)
{
    scree_status status = SCREE_OK;
    free(code->tiles);
    code->tiles = NULL;
    if (code->coding != SCREE__CODING_MODEL)
        return SCREE_OK;
    SCREE_ALLOC(code->tiles, scree__tiles_size(code->cols, code->components), error);
    scree__tiles_make(code->tiles, code->mean, code->basis, code->scales, code->cols, code->components);
done:
    return status;
}

void scree__code_put(scree__pack *pack, const scree__code *code)
{
    const scree__lattice *l = &code->lattice;
    scree__pack_u8(pack, code->coding);
    scree__pack_u8(pack, code->neighbour);
    scree__pack_u8(pack, code->packer);
    scree__pack_u8(pack, l->type);
    scree__pack_number(pack, code->cols);
    scree__pack_number(pack, code->components);
    scree__pack_real(pack, l->grid);
    scree__pack_real(pack, l->low);
    scree__pack_real(pack, l->high);
    scree__pack_real(pack, l->width);
    scree__pack_real(pack, l->bound);
    scree__pack_real(pack, code->step);
    if (code->coding != SCREE__CODING_MODEL)
        return;
    scree__squeeze(pack, code->mean, code->cols, 8);
    for (int64_t j = 0; j < code->components; j++)
        scree__pack_f64(pack, code->scales[j]);
    for (int64_t j = 0; j < code->components; j++)
        scree__values_put(pack, code->basis + j * code->cols, code->cols);
}

static bool is_size(double value)
{
    return value > 0 && value < HUGE_VAL;
}

static bool is_sane(const scree__code *c)
{
    const scree__lattice *l = &c->lattice;
    const bool grid = l->grid == 0 || (is_size(l->grid) && fabs(l->low) <= 0x1p50 && fabs(l->high) <= 0x1p50);
    return c->coding < SCREE__CODINGS && c->neighbour <= SCREE__NEIGHBOUR_BOTH && c->packer <= SCREE__PACK_REPEATS &&
           l->type <= SCREE_U8 && c->cols > 0 && c->cols <= INT32_MAX && c->components >= 0 &&
           c->components <= c->cols && grid && (is_size(l->width) || c->coding >= SCREE__CODING_BYTES) && l->bound >= 0;
}

bool scree__code_may_take(scree__code *code, int64_t bytes)
{
    if (!code->budget || scree__budget_take(code->budget, bytes, "", "", NULL) == SCREE_OK)
        return true;
    code->refused = bytes;
    return false;
}

static void get_basis(scree__unpack *unpack, scree__code *code)
{
    const int64_t d = code->cols;
    const int64_t m = code->components;
    /* No file says much in few bytes: memory is taken for what its size can bear. Mean, its planes of bytes, scales,
     * basis, and tiles. */
    if (m > unpack->left / 8 || !scree__code_may_take(code, 16 * d + 8 * m + 4 * m * d + 8 * scree__tiles_size(d, m))) {
        unpack->failed = true;
        return;
    }
    code->mean = scree__alloc(d, sizeof *code->mean);
    code->scales = scree__alloc(m, sizeof *code->scales);
    code->basis = scree__alloc(m * d, sizeof *code->basis);
    if (!code->mean || !code->scales || !code->basis) {
        unpack->failed = true;
        return;
    }
    scree__unsqueeze(unpack, code->mean, d, 8);
    for (int64_t j = 0; j < m; j++)
        code->scales[j] = scree__unpack_f64(unpack);
    for (int64_t j = 0; j < m && !unpack->failed; j++)
        scree__values_get(unpack, code->basis + j * d, d);
}

void scree__code_get(scree__unpack *unpack, scree__code *code, bool compact)
{
    scree__lattice *l = &code->lattice;
    code->coding = scree__unpack_u8(unpack);
    code->neighbour = scree__unpack_u8(unpack);
    code->packer = scree__unpack_u8(unpack);
    l->type = scree__unpack_u8(unpack);
    code->tagged = compact;
    code->cols = compact ? scree__unpack_number(unpack) : scree__unpack_i64(unpack);
    code->components = compact ? scree__unpack_number(unpack) : scree__unpack_i64(unpack);
    double *const reals[] = {&l->grid, &l->low, &l->high, &l->width, &l->bound, &code->step};
    for (int i = 0; i < 6; i++)
        *reals[i] = compact ? scree__unpack_real(unpack) : scree__unpack_f64(unpack);
    unpack->failed = unpack->failed || !is_sane(code);
    if (!unpack->failed && code->coding == SCREE__CODING_MODEL)
        get_basis(unpack, code);
    if (!unpack->failed)
        unpack->failed = scree__code_prepare(code, NULL) != SCREE_OK;
}
