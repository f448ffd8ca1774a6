/* SPDX-License-Identifier: BSD-3-Clause */
/* What compressing takes, in bytes, for a sample of S cells of s bytes, M components of D columns and t threads:
 *
 *     (s + 4) S                       the sample, and the clean one that the model is learnt from
 *     16 MD + 24 min(D, S/D)²         the model, and finding it
 *     t (20 MD + (s + 20) P + 16 CD)  codes on trial, on P cells, in chunks of C rows
 *     t (s + 28) B                    blocks of B cells that are gathered and coded
 *
 * Where that is too much, the sample and the components are halved until it is not. Archives are the same for any
 * limit that does not ask for this. */

#include "archive/compress.h"

#include "archive/choose.h"
#include "base/threads.h"

#include <math.h>

enum { MOST_HALVINGS = 5, BESIDES = 24 << 20 };

static double need_of(const scree_source *source, const scree__allowance *a, int threads)
{
    const double d = (double)source->about.cols;
    const double size = (double)scree__type_size(source->about.type);
    const double rows = source->about.rows >= 0 ? (double)source->about.rows : HUGE_VAL;
    const double kept = fmin(fmax((double)a->sample_cells / d, SCREE__SAMPLE_LEAST), rows + SCREE__SAMPLE_RUN);
    const double most = a->components != SCREE_AUTO ? (double)a->components : (double)a->most_components;
    const double m = fmin(fmin(most, d), kept);
    const double part = fmin(fmax((double)SCREE__TRIAL_CELLS, 64 * d), kept * d);
    const double block = fmin((double)a->block_rows, rows) * d;
    const double side = fmin(d, kept);
    const double each = 20 * m * d + fmax((size + 20) * part + 16 * SCREE__CHUNK * d, (size + 28) * block);
    return (double)source->memory + (size + 4) * kept * d + 16 * m * d + 24 * side * side + threads * each + BESIDES;
}

scree_status scree__allow(scree__allowance *allowance, const scree_source *source, const scree_run *run,
                          scree_error *error)
{
    const double mega = 1 << 20;
    const int threads = scree__threads(run->threads);
    double need = need_of(source, allowance, threads);
    for (int i = 0; i < MOST_HALVINGS && run->memory > 0 && need > (double)run->memory; i++) {
        allowance->sample_cells /= 2;
        allowance->most_components /= 2;
        need = need_of(source, allowance, threads);
    }
    if (run->memory > 0 && need > (double)run->memory)
        return scree__fail(error, SCREE_ERR_LIMIT,
                           "%s: %.3g MiB is too little memory: compressing with %d thread%s needs %.0f MiB; allow "
                           "that much",
                           source->about.path, (double)run->memory / mega, threads, threads == 1 ? "" : "s",
                           ceil(need / mega));
    return SCREE_OK;
}
