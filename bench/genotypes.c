/* SPDX-License-Identifier: BSD-3-Clause */
/* Genotypes of a simulated cohort (cohort.py), kept as .bed, .bim and .fam, and products with their relationship matrix
 *
 *     K = ZZᵀ/D,   z_ij = (x_ij - 2p_j)/√(2p_j(1 - p_j)),   0 where a call is missing, or all calls are alike,
 *
 * from the bytes of the file, with a table of four numbers for each variant: nothing of the library is used. A call is
 * 2 bits, four to a byte, the lowest first: 0, 2 and 3 are 2, 1 and 0 copies of A1, and 1 is missing. */

#include "bench.h"

#include "base/memory.h"
#include "base/threads.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MAGIC_BYTES = 3, PARTS = 64 };
static const char SCRIPT[] = "bench/cohort.py";

scree_status bench_genotypes_get(bench_genotypes *g, const bench *b, const bench_case *c, scree_error *error)
{
    char samples[24];
    char variants[24];
    char bed[560];
    bench_child child = {0};
    *g = (bench_genotypes){.samples = bench_rows(b, c), .variants = c->cols};
    g->stride = (g->samples + 3) / 4;
    snprintf(g->prefix, sizeof g->prefix, "%s/cohort-%" PRId64 "x%" PRId64, b->folder, g->samples, g->variants);
    snprintf(samples, sizeof samples, "%" PRId64, g->samples);
    snprintf(variants, sizeof variants, "%" PRId64, g->variants);
    snprintf(bed, sizeof bed, "%s.bed", g->prefix);
    if (bench_file_bytes(bed) == (double)(MAGIC_BYTES + g->variants * g->stride))
        return SCREE_OK;
    fprintf(stderr, "making %s\n", bed);
    const char *const arguments[] = {b->python, SCRIPT, g->prefix, samples, variants, NULL};
    return bench_child_run(&child, arguments, error);
}

static scree_status read_calls(unsigned char *calls, const bench_genotypes *g, scree_error *error)
{
    char path[560];
    snprintf(path, sizeof path, "%s.bed", g->prefix);
    const size_t size = (size_t)(g->variants * g->stride);
    FILE *file = fopen(path, "rb");
    const bool good = file && fseek(file, MAGIC_BYTES, SEEK_SET) == 0 && fread(calls, 1, size, file) == size;
    if (file)
        fclose(file);
    if (!good)
        return scree__fail(error, SCREE_ERR_IO, "%s cannot be read (%s)", path, strerror(errno));
    return SCREE_OK;
}

static int call_at(const unsigned char *variant, int64_t i)
{
    return variant[i / 4] >> (2 * (i % 4)) & 3;
}

/* z of each of the four calls of a variant. */
static void standardise(double table[4], const unsigned char *variant, int64_t samples)
{
    int64_t count[4] = {0};
    for (int64_t i = 0; i < samples; i++)
        count[call_at(variant, i)]++;
    const double seen = (double)(samples - count[1]);
    const double p = (2 * (double)count[0] + (double)count[2]) / (2 * seen);
    const double scale = sqrt(2 * p * (1 - p));
    for (int call = 0; call < 4; call++)
        table[call] = 0;
    if (!(scale > 0))
        return;
    table[0] = (2 - 2 * p) / scale;
    table[2] = (1 - 2 * p) / scale;
    table[3] = -2 * p / scale;
}

/* Sums over some variants. */
typedef struct imaging {
    const bench_genotypes *g;
    const unsigned char *calls;
    const double *v; /* N×k */
    int64_t k;
    double *images; /* threads×N×k */
} imaging;

static void image_part(void *context, int64_t part, int worker)
{
    const imaging *m = context;
    const bench_genotypes *g = m->g;
    const int64_t k = m->k;
    double *images = m->images + worker * g->samples * k;
    double table[4];
    double code[BENCH_GENOTYPES_COMPONENTS];
    for (int64_t j = part * g->variants / PARTS; j < (part + 1) * g->variants / PARTS; j++) {
        const unsigned char *variant = m->calls + j * g->stride;
        standardise(table, variant, g->samples);
        memset(code, 0, sizeof code);
        for (int64_t i = 0; i < g->samples; i++)
            for (int64_t l = 0; l < k; l++)
                code[l] += table[call_at(variant, i)] * m->v[i * k + l];
        for (int64_t i = 0; i < g->samples; i++)
            for (int64_t l = 0; l < k; l++)
                images[i * k + l] += table[call_at(variant, i)] * code[l] / (double)g->variants;
    }
}

scree_status bench_genotypes_residuals(const bench_genotypes *g, int threads, const double *v, const double *values,
                                       int64_t k, double *residuals, scree_error *error)
{
    scree_status status = SCREE_OK;
    unsigned char *calls = NULL;
    imaging m = {.g = g, .v = v, .k = k};
    SCREE_ALLOC(calls, g->variants * g->stride, error);
    SCREE_ALLOC(m.images, threads * g->samples * k, error);
    SCREE_TRY(read_calls(calls, g, error));
    m.calls = calls;
    scree__parallel(threads, PARTS, image_part, &m);
    for (int64_t l = 0; l < k; l++) {
        double sum = 0;
        for (int64_t i = 0; i < g->samples; i++) {
            double image = 0;
            for (int t = 0; t < threads; t++)
                image += m.images[(t * g->samples + i) * k + l];
            sum += pow(image - values[l] * v[i * k + l], 2);
        }
        residuals[l] = sqrt(sum);
    }
done:
    free(calls);
    free(m.images);
    return status;
}
