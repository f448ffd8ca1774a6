/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions of the highest density (Hyndman, 1996). The density is that of a normal kernel with covariance h² S, S that
 * of the points and h = n^(-1/6) (Scott, 1992): with LLᵀ = S, points y = L⁻¹(x - m) have a kernel that is round. They
 * are dealt out to the corners of the squares of a grid (linear binning, Wand 1994), and the kernel goes over that
 * along one axis and then the other; dealing out adds about step²/6 to the variance along an axis, which the kernel is
 * narrower by. Where outliers make the squares large beside h, h is twice their side instead: *bandwidth says what was
 * taken. The region that holds a share p of the points is where the density is at least its p-th largest value at them,
 * by the bilinear function on the grid, and its edge goes through the squares in straight lines. O(n + grid²·h/step).
 */

#include "view/density.h"

#include <math.h>
#include <string.h>

enum { SIDE = 512, REACH = 4 /* bandwidths */ };

static const double finest = 1.0 / 3.0, coarsest = 0.5; /* side of a square, in bandwidths */

typedef struct grid {
    double *at; /* down×across densities at the corners of squares */
    int64_t across;
    int64_t down;
    double origin[2];
    double step;
    double mean[2];
    double root[3]; /* L: 11, 21, 22 */
} grid;

static void whiten(const grid *g, const double *x, double y[2])
{
    y[0] = (x[0] - g->mean[0]) / g->root[0];
    y[1] = (x[1] - g->mean[1] - g->root[1] * y[0]) / g->root[2];
}

/* A place of the grid, in squares, to a point of the plane. */
static void place(const grid *g, double column, double row, double out[2])
{
    const double y[] = {g->origin[0] + column * g->step, g->origin[1] + row * g->step};
    out[0] = g->mean[0] + g->root[0] * y[0];
    out[1] = g->mean[1] + g->root[1] * y[0] + g->root[2] * y[1];
}

/* The square that a point is in, and where in it. */
static int64_t square_of(const grid *g, const double *x, double inside[2])
{
    double y[2];
    whiten(g, x, y);
    const double column = (y[0] - g->origin[0]) / g->step, row = (y[1] - g->origin[1]) / g->step;
    inside[0] = column - floor(column);
    inside[1] = row - floor(row);
    return (int64_t)floor(row) * g->across + (int64_t)floor(column);
}

static void deal_out(grid *g, const double *xy, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        double t[2];
        double *corner = g->at + square_of(g, xy + 2 * i, t);
        corner[0] += (1.0 - t[0]) * (1.0 - t[1]);
        corner[1] += t[0] * (1.0 - t[1]);
        corner[g->across] += (1.0 - t[0]) * t[1];
        corner[g->across + 1] += t[0] * t[1];
    }
}

static double density_at(const grid *g, const double *x)
{
    double t[2];
    const double *corner = g->at + square_of(g, x, t);
    return (1.0 - t[1]) * ((1.0 - t[0]) * corner[0] + t[0] * corner[1]) +
           t[1] * ((1.0 - t[0]) * corner[g->across] + t[0] * corner[g->across + 1]);
}

/* The kernel along count numbers that are stride apart; line has room for them. */
static void smooth_line(double *values, int64_t count, int64_t stride, const double *kernel, int64_t reach,
                        double *line)
{
    for (int64_t i = 0; i < count; i++)
        line[i] = values[i * stride];
    for (int64_t i = 0; i < count; i++) {
        const int64_t first = i > reach ? i - reach : 0, last = i + reach < count ? i + reach : count - 1;
        double sum = 0.0;
        for (int64_t j = first; j <= last; j++)
            sum += kernel[j > i ? j - i : i - j] * line[j];
        values[i * stride] = sum;
    }
}

static scree_status smooth(grid *g, double bandwidth, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double width = sqrt(bandwidth * bandwidth / (g->step * g->step) - 1.0 / 6.0); /* in squares */
    const int64_t reach = (int64_t)ceil(REACH * bandwidth / g->step);
    double *kernel = NULL, *line = NULL;
    SCREE_ALLOC(kernel, reach + 1, error);
    SCREE_ALLOC(line, g->across > g->down ? g->across : g->down, error);
    for (int64_t k = 0; k <= reach; k++)
        kernel[k] = exp(-0.5 * (double)(k * k) / (width * width));
    for (int64_t i = 0; i < g->down; i++)
        smooth_line(g->at + i * g->across, g->across, 1, kernel, reach, line);
    for (int64_t j = 0; j < g->across; j++)
        smooth_line(g->at + j, g->down, g->across, kernel, reach, line);
done:
    free(kernel);
    free(line);
    return status;
}

/* Squares around all points and what the kernel makes of them, so that regions end inside. */
static scree_status lay_out(grid *g, const double *xy, int64_t n, double *bandwidth, scree_error *error)
{
    scree_status status = SCREE_OK;
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int64_t i = 0; i < n; i++) {
        double y[2];
        whiten(g, xy + 2 * i, y);
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], y[k]);
            high[k] = fmax(high[k], y[k]);
        }
    }
    const double widest = fmax(high[0] - low[0], high[1] - low[1]), wanted = pow((double)n, -1.0 / 6.0);
    g->step = fmax(finest * wanted, widest / SIDE);
    *bandwidth = fmax(wanted, g->step / coarsest);
    const double around = (REACH + 1) * *bandwidth;
    g->across = (int64_t)ceil((high[0] - low[0] + 2.0 * around) / g->step) + 2;
    g->down = (int64_t)ceil((high[1] - low[1] + 2.0 * around) / g->step) + 2;
    for (int k = 0; k < 2; k++)
        g->origin[k] = low[k] - around;
    SCREE_ALLOC(g->at, g->across * g->down, error);
    deal_out(g, xy, n);
    SCREE_TRY(smooth(g, *bandwidth, error));
done:
    return status;
}

static int falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Where the edge of a region crosses a side of a square: sides are numbered 2·corner for the one to the right of a
 * corner and 2·corner + 1 for the one above it. */
static void crossing(const grid *g, int64_t side, double threshold, double out[2])
{
    const int64_t corner = side / 2, other = corner + (side % 2 ? g->across : 1);
    const double t = (threshold - g->at[corner]) / (g->at[other] - g->at[corner]);
    const double column = (double)(corner % g->across), row = (double)(corner / g->across);
    place(g, column + (side % 2 ? 0.0 : t), row + (side % 2 ? t : 0.0), out);
}

/* The side by which the edge leaves a square that it has entered by some side. Corners of the square go round from
 * below on the left; side k is between corners k and k + 1. Where all four are crossed, inner corners are opposite
 * ones, and the mean of the four says whether the region joins these. */
static int leaves_by(const bool in[4], int entered, bool joined)
{
    const int crossings = (in[0] != in[1]) + (in[1] != in[2]) + (in[2] != in[3]) + (in[3] != in[0]);
    if (crossings == 4)
        return joined ? (entered + 1) % 4 : (entered + 3) % 4;
    for (int k = 1; k < 4; k++) {
        const int side = (entered + k) % 4;
        if (in[side] != in[(side + 1) % 4])
            return side;
    }
    return entered;
}

static int64_t side_number(const grid *g, int64_t square, int k)
{
    switch (k) {
    case 0:
        return 2 * square;
    case 1:
        return 2 * (square + 1) + 1;
    case 2:
        return 2 * (square + g->across);
    default:
        return 2 * square + 1;
    }
}

/* Follows an edge from the square above or right of a side round to that side again, and marks the sides that it
 * crosses. xy NULL: only counts; returns how many sides. */
static int64_t follow(const grid *g, int64_t start, double threshold, unsigned char *seen, double *xy)
{
    const int64_t steps[] = {-g->across, 1, g->across, -1};
    int64_t square = start / 2, count = 0;
    int entered = start % 2 ? 3 : 0;
    int64_t side = start;
    do {
        if (seen)
            seen[side] = 1;
        if (xy)
            crossing(g, side, threshold, xy + 2 * count);
        count++;
        const int64_t corners[] = {square, square + 1, square + g->across + 1, square + g->across};
        bool in[4];
        double mean = 0.0;
        for (int k = 0; k < 4; k++) {
            in[k] = g->at[corners[k]] >= threshold;
            mean += g->at[corners[k]] / 4.0;
        }
        const int k = leaves_by(in, entered, (mean >= threshold) == in[entered]);
        side = side_number(g, square, k);
        square += steps[k];
        entered = (k + 2) % 4;
    } while (side != start);
    return count;
}

/* All edges of a region. */
static scree_status trace(scree__outlines *outlines, const grid *g, double threshold, double level, int64_t series,
                          scree_error *error)
{
    scree_status status = SCREE_OK;
    unsigned char *seen = NULL;
    SCREE_ALLOC(seen, 2 * g->across * g->down, error);
    for (int64_t corner = 0; corner < g->across * (g->down - 1) - 1; corner++) {
        const bool in = g->at[corner] >= threshold;
        for (int upwards = 0; upwards < 2; upwards++) {
            const int64_t side = 2 * corner + upwards, other = corner + (upwards ? g->across : 1);
            if (seen[side] || in == (g->at[other] >= threshold))
                continue;
            const int64_t count = follow(g, side, threshold, seen, NULL);
            SCREE_TRY(scree__outlines_add(outlines, count + 1, series, level, error));
            double *xy = outlines->all[outlines->count - 1].xy;
            follow(g, side, threshold, NULL, xy);
            memcpy(xy + 2 * count, xy, 2 * sizeof *xy);
        }
    }
done:
    free(seen);
    return status;
}

scree_status scree__density_make(scree__outlines *outlines, const double *levels, int64_t level_count, const double *xy,
                                 int64_t n, int64_t series, double *bandwidth, bool *made, scree_error *error)
{
    scree_status status = SCREE_OK;
    grid g = {0};
    double s[3];
    double *values = NULL;
    *made = scree__outline_moments(xy, n, g.mean, s);
    if (!*made)
        return SCREE_OK;
    g.root[0] = sqrt(s[0]);
    g.root[1] = s[1] / g.root[0];
    g.root[2] = sqrt(s[2] - g.root[1] * g.root[1]);
    SCREE_TRY(lay_out(&g, xy, n, bandwidth, error));
    SCREE_ALLOC(values, n, error);
    for (int64_t i = 0; i < n; i++)
        values[i] = density_at(&g, xy + 2 * i);
    qsort(values, (size_t)n, sizeof *values, falling);
    for (int64_t k = 0; k < level_count; k++) {
        const int64_t rank = (int64_t)ceil(levels[k] * (double)n) - 1;
        SCREE_TRY(trace(outlines, &g, values[rank < 0 ? 0 : rank < n ? rank : n - 1], levels[k], series, error));
    }
done:
    free(g.at);
    free(values);
    return status;
}
