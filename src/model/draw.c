/* SPDX-License-Identifier: BSD-3-Clause */
/* Ancestral sampling (10.66): z ~ N(0, I), then x = Bz + µ + ε, ε ~ N(0, σ²I), in the columns as they came; where rows
 * do not vary in all directions ε keeps to those in which they do (support.c), and components whose variance is but
 * rounding are left at 0.
 *
 * The normals of draw i are stream i of a counter-based generator, z first, then ε: any thread may make any draw. Bz +
 * µ is a reconstruction from codes √(λ - σ²) z, 2DM flops. */

#include "model/draw.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"
#include "model/frame.h"
#include "model/kind.h"
#include "model/ppca.h"

#include <math.h>

scree_status scree__draw_open(scree__draw *draw, const scree_model *kept, uint64_t seed, int threads, int64_t capacity,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model *model = scree_model_distribution(kept);
    const scree_model_view *view = scree_model_get(model);
    *draw = (scree__draw){.model = model, .seed = seed, .threads = scree__threads(threads)};
    SCREE_TRY(SCREE__DENSITY_NEEDS(model, code, "sample", error));
    SCREE_TRY(SCREE__DENSITY_NEEDS(model, noise, "sample", error));
    SCREE_TRY(scree__reconstruct_open(&draw->decoder, model, view->m, threads, error));
    draw->decoder.question.keeps_logarithm = true; /* noise comes before the way back */
    SCREE_ALLOC(draw->codes, capacity * view->m, error);
    SCREE_ALLOC(draw->noise, 2 * draw->threads * view->d, error);
    if (model->kind->density->support)
        SCREE_TRY(model->kind->density->support(&draw->support, kept, error));
done:
    if (status != SCREE_OK)
        scree__draw_close(draw);
    return status;
}

void scree__draw_close(scree__draw *draw)
{
    scree__chunks_close(&draw->decoder);
    free(draw->codes);
    free(draw->noise);
    scree__support_close(&draw->support);
    *draw = (scree__draw){0};
}

static void latent_row(void *context, int64_t i, int worker)
{
    const scree__draw *draw = context;
    const int64_t m = scree_model_get(draw->model)->m;
    (void)worker;
    scree__normals(draw->seed, (uint64_t)(draw->first + i), 0, m, draw->z + i * m);
}

void scree__draw_latent(scree__draw *draw, int64_t first, int64_t count, double *z)
{
    draw->first = first;
    draw->z = z;
    scree__parallel(draw->threads, count, latent_row, draw);
}

void scree__ppca_code(const scree_model *model, const double *z, double *code)
{
    const scree_model_view *view = scree_model_get(model);
    const double nothing = view->m > 0 ? scree__model_rounding(view) * view->eigenvalues[0] : 0;
    for (int64_t j = 0; j < view->m; j++)
        code[j] = view->eigenvalues[j] > nothing ? scree__ppca_loading(view, j) * z[j] : 0;
}

void scree__ppca_noise(const scree_model *model, const double *normals, double *x)
{
    const scree_model_view *view = scree_model_get(model);
    const double sd = sqrt(view->noise_variance);
    for (int64_t j = 0; sd > 0 && j < view->d; j++)
        x[j] += sd * normals[j] * (view->scale ? view->scale[j] : 1);
}

void scree__ppca_spread(const scree_model *model, const void *gaps, const double *normals, double *offset)
{
    const int64_t m = scree_model_get(model)->m;
    if (gaps) {
        scree__gaps_root(gaps, normals, offset);
        return;
    }
    scree__ppca_posterior_covariance(model, offset, NULL);
    for (int64_t j = 0; j < m; j++)
        offset[j] = sqrt(offset[j]) * normals[j];
}

/* Task: ε on top of Bz + µ. */
static void noise_row(void *context, int64_t i, int worker)
{
    const scree__draw *draw = context;
    const scree_model_view *view = scree_model_get(draw->model);
    double *noise = draw->noise + 2 * worker * view->d;
    scree__normals(draw->seed, (uint64_t)(draw->first + i), view->m, view->d, noise);
    scree__support_confine(&draw->support, noise, noise + view->d);
    draw->model->kind->density->noise(draw->model, noise, draw->x + i * view->d);
    scree__support_settle(&draw->support, draw->x + i * view->d);
    scree__frame_expand(view, draw->x + i * view->d, 1);
}

scree_status scree__draw_visible(scree__draw *draw, int64_t first, int64_t count, double *z, double *x,
                                 scree_error *error)
{
    const int64_t m = scree_model_get(draw->model)->m;
    for (int64_t i = 0; i < count; i++)
        draw->model->kind->density->code(draw->model, z + i * m, draw->codes + i * m);
    const scree__row_block given = {
        {draw->codes, SCREE_F64, count, m, m, NULL}, first, "draws", 0, NULL, NULL, NULL, NULL};
    scree_status status = scree__chunks_run(&draw->decoder, &given, draw->threads, x, error);
    if (status == SCREE_OK) {
        draw->first = first;
        draw->x = x;
        scree__parallel(draw->threads, count, noise_row, draw);
    }
    return status;
}
