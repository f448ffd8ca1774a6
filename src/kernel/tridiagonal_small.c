/* SPDX-License-Identifier: BSD-3-Clause */
/* A small symmetric matrix to tridiagonal form, on one thread: the reflections of tridiagonal.c, one by one. As all of
 * A lies in a cache, with both triangles, there are no panels: one sweep over the rows that are left takes off them
 * what the last reflection changes, and multiplies them with the vector of the next,
 *
 *     a_i ← a_i - v_i w - w_i v,     y_i = a_iᵀ v',     w' = τ'y - ½τ'(τ'yᵀv')v'
 *
 * once row j alone has been changed, of which v' is made. 2n³ flops instead of 4n³/3, in a third of the time that the
 * calls of panels and pieces take. */

#include "kernel/tridiagonal_small.h"

#include "base/cpu.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { LANES = 8, PIECE = 2 * LANES };

typedef double lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));

typedef struct vectors {
    double *v;    /* of the last reflection: apart doubles each, 0 up to its row */
    double *w;    /* and what it changes */
    double *next; /* of the one at work */
    double *y;
} vectors;

static int64_t apart_of(int64_t n)
{
    return (n + PIECE - 1) / PIECE * PIECE;
}

int64_t scree__tridiagonal_small_memory(int64_t n)
{
    return 8 * (n + 4) * apart_of(n);
}

/* row -= v_i w + w_i v; row·x. */
static inline double change_row(double *restrict row, const vectors *all, int64_t i, const double *restrict x,
                                int64_t first, int64_t apart)
{
    const double *restrict v = all->v;
    const double *restrict w = all->w;
    const double along_w = v[i];
    const double along_v = w[i];
    lanes sums = {0};
    lanes others = {0};
    for (int64_t k = first; k < apart; k += PIECE) {
        lanes *at = (lanes *)(row + k);
        const lanes *vs = (const lanes *)(v + k);
        const lanes *ws = (const lanes *)(w + k);
        const lanes *xs = (const lanes *)(x + k);
        at[0] = at[0] - along_w * ws[0] - along_v * vs[0];
        at[1] = at[1] - along_w * ws[1] - along_v * vs[1];
        sums += at[0] * xs[0];
        others += at[1] * xs[1];
    }
    sums += others;
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

/* All rows from first on. */
SCREE_CLONES static void change_rows(double *a, const vectors *all, int64_t first, int64_t n, int64_t apart)
{
    for (int64_t i = first; i < n; i++)
        all->y[i] = change_row(a + i * apart, all, i, all->next, first / PIECE * PIECE, apart);
}

/* The reflection of x, the entries of row j beyond the diagonal: x becomes its vector, 1 at first. */
static void reflect(scree__tridiagonal *t, int64_t j, double *x)
{
    const int64_t n = t->n;
    double squares = 0;
    for (int64_t i = j + 2; i < n; i++)
        squares += x[i] * x[i];
    scree__tridiagonal_reflect(t, j, x, squares);
}

/* w of the reflection at work, from y. */
static void find_change(const vectors *all, double tau, int64_t first, int64_t n)
{
    double dot = 0;
    for (int64_t i = first; i < n; i++) {
        all->y[i] *= tau;
        dot += all->y[i] * all->next[i];
    }
    for (int64_t i = first; i < n; i++)
        all->y[i] -= 0.5 * tau * dot * all->next[i];
}

/* A with both triangles, in rows that are apart. */
static void spread(const scree__tridiagonal *t, double *a, int64_t apart)
{
    const int64_t n = t->n;
    for (int64_t i = 0; i < n; i++) {
        memcpy(a + i * apart + i, t->v + i * n + i, (size_t)(n - i) * sizeof *a);
        for (int64_t k = i + 1; k < n; k++)
            a[k * apart + i] = t->v[i * n + k];
    }
}

scree_status scree__tridiagonal_small(scree__tridiagonal *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = t->n;
    const int64_t apart = apart_of(n);
    double *a = NULL;
    double *room = NULL;
    SCREE_ALLOC(a, n * apart, error);
    SCREE_ALLOC(room, 4 * apart, error);
    spread(t, a, apart);
    vectors all = {room, room + apart, room + 2 * apart, room + 3 * apart};
    for (int64_t j = 0; j < n - 1; j++) {
        change_row(a + j * apart, &all, j, all.next, j / PIECE * PIECE, apart);
        t->diagonal[j] = a[j * apart + j];
        memset(all.next, 0, (size_t)(j + 1) * sizeof *all.next);
        memcpy(all.next + j + 1, a + j * apart + j + 1, (size_t)(n - j - 1) * sizeof *all.next);
        reflect(t, j, all.next);
        memcpy(t->v + j * n + j + 1, all.next + j + 1, (size_t)(n - j - 1) * sizeof *t->v);
        change_rows(a, &all, j + 1, n, apart);
        memset(all.y, 0, (size_t)(j + 1) * sizeof *all.y);
        find_change(&all, t->tau[j], j + 1, n);
        all = (vectors){all.next, all.y, all.v, all.w};
    }
    change_row(a + (n - 1) * apart, &all, n - 1, all.next, (n - 1) / PIECE * PIECE, apart);
    t->diagonal[n - 1] = a[(n - 1) * apart + n - 1];
done:
    free(a);
    free(room);
    return status;
}
