/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures what one thread can do: square products (2n³ flops), products of a tall block with 16 columns and of its
 * transpose (4mnb flops), an eigendecomposition of low order, and a copy of memory that is larger than most
 * caches.
 *
 * Each is done once to warm up and then the best of three counts. The clock is the thread's own: time that the system
 * gives to others is not counted, so that a busy machine looks almost like a quiet one. Ten milliseconds, or some more
 * where memory is slow to allocate. */

#include "fit/rates.h"

#include "base/memory.h"
#include "base/random.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { TRIES = 3, SQUARE = 192, TALL = 512, WIDE = 512, FEW = 16, ORDER = 64, COPY_BYTES = 16 << 20, DRAWN = 4096 };
static const double EIGEN_CUBES = 5.5; /* flops, over n³, that go at the rate of products */

typedef struct probe {
    double *a; /* TALL×WIDE each */
    double *b;
    double *c;
    float *fa; /* the same, one after the other */
    float *fb;
    float *fc;
    char *from; /* COPY_BYTES each */
    char *to;
} probe;

static double now(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void square_f32(probe *p)
{
    scree__sgemm(false, false, SQUARE, SQUARE, SQUARE, 1, p->fa, SQUARE, p->fb, SQUARE, 0, p->fc, SQUARE);
}

static void square_f64(probe *p)
{
    scree__dgemm(false, false, SQUARE, SQUARE, SQUARE, 1, p->a, SQUARE, p->b, SQUARE, 0, p->c, SQUARE);
}

static void skinny_f32(probe *p)
{
    scree__sgemm(false, false, TALL, FEW, WIDE, 1, p->fa, WIDE, p->fb, FEW, 0, p->fc, FEW);
    scree__sgemm(true, false, WIDE, FEW, TALL, 1, p->fa, WIDE, p->fb, FEW, 0, p->fc, FEW);
}

static void skinny_f64(probe *p)
{
    scree__dgemm(false, false, TALL, FEW, WIDE, 1, p->a, WIDE, p->b, FEW, 0, p->c, FEW);
    scree__dgemm(true, false, WIDE, FEW, TALL, 1, p->a, WIDE, p->b, FEW, 0, p->c, FEW);
}

/* Of the symmetric matrix whose upper triangle stands in a. */
static void eigen(probe *p)
{
    double values[ORDER];
    memcpy(p->c, p->a, ORDER * ORDER * sizeof *p->c);
    scree__dsyevd(ORDER, p->c, ORDER, values);
}

static void copy(probe *p)
{
    memcpy(p->to, p->from, COPY_BYTES);
}

static double best_of(void (*work)(probe *p), probe *p)
{
    double best = HUGE_VAL;
    work(p);
    for (int i = 0; i < TRIES; i++) {
        const double start = now();
        work(p);
        best = fmin(best, now() - start);
    }
    return best;
}

static void set(double *rate, double amount, double seconds)
{
    if (seconds > 0 && amount / seconds > 0)
        *rate = amount / seconds;
}

static void measure_all(probe *p, scree__rates *rates)
{
    const double square = 2.0 * SQUARE * SQUARE * SQUARE;
    const double skinny = 4.0 * TALL * WIDE * FEW;
    const double cubes = EIGEN_CUBES * ORDER * ORDER * ORDER;
    set(&rates->gemm_f32, square, best_of(square_f32, p));
    set(&rates->gemm_f64, square, best_of(square_f64, p));
    set(&rates->skinny_f32, skinny, best_of(skinny_f32, p));
    set(&rates->skinny_f64, skinny, best_of(skinny_f64, p));
    set(&rates->eigen, (double)ORDER * ORDER, best_of(eigen, p) - cubes / rates->gemm_f64);
    set(&rates->copy, COPY_BYTES, best_of(copy, p));
}

void scree__rates_measure(scree__rates *rates)
{
    probe p = {0};
    p.a = scree__alloc_raw(TALL * WIDE, sizeof *p.a);
    p.b = scree__alloc_raw(TALL * WIDE, sizeof *p.b);
    p.c = scree__alloc_raw(TALL * WIDE, sizeof *p.c);
    p.fa = scree__alloc_raw(3 * TALL * WIDE, sizeof *p.fa);
    p.from = scree__alloc_raw(COPY_BYTES, 1);
    p.to = scree__alloc_raw(COPY_BYTES, 1);
    if (p.a && p.b && p.c && p.fa && p.from && p.to) {
        p.fb = p.fa + TALL * WIDE;
        p.fc = p.fb + TALL * WIDE;
        scree__normals(1, 0, 0, DRAWN, p.a);
        for (int i = DRAWN; i < TALL * WIDE; i++)
            p.a[i] = p.a[i % DRAWN];
        memcpy(p.b, p.a, TALL * WIDE * sizeof *p.b);
        for (int i = 0; i < 2 * TALL * WIDE; i++)
            p.fa[i] = (float)p.a[i % DRAWN];
        memset(p.from, 1, COPY_BYTES);
        scree__blas_enter();
        measure_all(&p, rates);
        scree__blas_leave();
    }
    free(p.a);
    free(p.b);
    free(p.c);
    free(p.fa);
    free(p.from);
    free(p.to);
}
