/* SPDX-License-Identifier: BSD-3-Clause */
/* Made data. Padding between rows holds NaN, or 255: whoever reads it is found out. */

#include "support/rows.h"

#include "base/memory.h"
#include "support/calls.h"
#include "support/checks.h"

#include <string.h>

enum { PADDING = 3 };

static uint64_t hash(uint64_t x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

double rows_random(uint64_t seed, int64_t i, int64_t j)
{
    const uint64_t h = hash(seed << 48 ^ (uint64_t)i << 20 ^ (uint64_t)j);
    const double a = (double)(h & 0xFFFFF);
    const double b = (double)(h >> 20 & 0xFFFFF);
    const double c = (double)(h >> 40 & 0xFFFFF);
    return (a + b + c - 1.5 * 0xFFFFF) / 0x80000; /* variance 1 */
}

static double narrowed(double value, scree_type type, double levels)
{
    if (type == SCREE_F64)
        return value;
    if (type == SCREE_F32)
        return (double)(float)value;
    return fmin(fmax(round(value * levels) + 128, 0), 255);
}

static void put(rows *r, int64_t at, double value)
{
    if (r->type == SCREE_F64)
        ((double *)r->data)[at] = value;
    else if (r->type == SCREE_F32)
        ((float *)r->data)[at] = (float)value;
    else
        ((uint8_t *)r->data)[at] = isnan(value) ? 255 : (uint8_t)value;
}

rows *rows_of(double *x, int64_t n, int64_t d, scree_type type, double levels)
{
    rows *r = scree__alloc(1, sizeof *r);
    assert_non_null(r);
    *r = (rows){.n = n, .d = d, .stride = d + PADDING, .type = type, .exact = x};
    r->data = scree__alloc(n * r->stride, sizeof(double));
    assert_non_null(r->data);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < r->stride; j++) {
            if (j < d)
                x[i * d + j] = narrowed(x[i * d + j], type, levels);
            put(r, i * r->stride + j, j < d ? x[i * d + j] : NAN);
        }
    return r;
}

void rows_free(rows *r)
{
    free(r->exact);
    free(r->data);
    free(r);
}

scree_source *rows_source(const rows *r)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK_STRIDED(r->data, r->type, r->n, r->d, r->stride), &error), error);
    return source;
}

scree_model *rows_fit(const rows *r, const scree_fit_options *options)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = rows_source(r);
    EXPECT_OK(scree_model_fit(&model, source, options, &error), error);
    scree_source_free(source);
    return model;
}

uint8_t rows_byte(rows_pattern pattern, int64_t i, int64_t j)
{
    if (pattern == ROWS_ALTERNATING)
        return (i + j) % 2 ? 255 : 0;
    if (pattern != ROWS_RANDOM)
        return pattern == ROWS_HIGHEST ? 255 : 0;
    const double x = 100 + 60 * rows_random(3, i, j) + 30 * rows_random(4, i, j % 3) + 30 * rows_random(5, i % 5, j);
    return x < 0 ? 0 : x > 255 ? 255 : (uint8_t)x;
}

double rows_walsh(int64_t function, int64_t i)
{
    return __builtin_parityll((unsigned long long)(function & i)) ? -1 : 1;
}

double *rows_walsh_sum(int64_t n, int64_t d, const double *s, int64_t count)
{
    double *x = scree__alloc(n * d, sizeof *x);
    double *along = scree__alloc(d, sizeof *along);
    assert_non_null(x);
    assert_non_null(along);
    assert_true(count < n && count < d);
    for (int64_t r = 0; r < count; r++) {
        for (int64_t j = 0; j < d; j++)
            along[j] = s[r] * rows_walsh(r + 1, j);
        for (int64_t i = 0; i < n; i++) {
            const double sign = rows_walsh(r + 1, i);
            for (int64_t j = 0; j < d; j++)
                x[i * d + j] += sign * along[j];
        }
    }
    free(along);
    return x;
}

void rows_mix(double *x, int64_t n, int64_t d)
{
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < d; j++)
            sum += x[i * d + j];
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] -= 2 * sum / (double)d;
    }
}
