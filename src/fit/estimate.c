/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of the parts of a fit: flops over rates, and what does not go at the rate of a product.
 *
 *   product     time of b columns = of square products · (1 + h/b); h from the rate for 16 columns
 *   eigen       5.5 n³ flops at the rate of square products, and n² steps that no blocking hurries
 *   centring    and other plain code: elements or bytes, at a speed that goes with eigen
 *
 * This is the one place for constants that are found by measuring. `make bench CASE=map ALONE=1` prints predicted
 * beside measured times of every method; where one kind of them is off by a factor, the constant here is. */

#include "fit/estimate.h"

#include "fit/solve.h"
#include "fit/stopping.h"
#include "kernel/dense.h"
#include "kernel/integer_kernel.h"

#include <math.h>

/* Over 1/eigen. */
static const double CENTRING = 0.02;       /* of an element that is centred and packed */
static const double PACKING_BYTES = 0.004; /* of a byte that is only packed */
static const double LAYING_FLOATS = 0.006; /* of an element that is centred for a sweep */
static const double LAYING_DOUBLES = 0.01;
static const double LAYING_BYTES = 0.005;
static const double KEEPING = 0.01;          /* of one that is copied */
static const double MEASURING = 0.03;        /* of one that is measured, and centred a few times */
static const double FINISHING_SQUARES = 0.1; /* of n² elements: lanes joined, divided, mirrored */
static const double REDUCING_SQUARES = 0.2;
static const double DIVIDING_SQUARES = 0.3;
static const double BEGINNING = 12000;   /* of a fit */
static const double STEP = 4000;         /* of a step of an iteration */
static const double SMALL_SQUARES = 0.7; /* of n² elements, or n times SMALL_SIDE: many short products */
static const double PART_STEPS = 5;      /* of an entry of an eigenvector of a tridiagonal matrix */
static const double JACOBI_SQUARES = 4;
static const double EM_CELL = 0.35; /* of a cell in an iteration, whatever the components */
/* Bytes a second, over eigen. */
static const double GZIP_SPEED = 15; /* what comes out */
static const double TEXT_SPEED = 42; /* what goes in, a thread */
/* Others. */
static const double FILE_BYTES = 2e9;    /* a second: disks are not measured */
static const double MEMORY_SPEED = 2;    /* of all threads that read, over one that copies */
static const double SCATTER_SPEED = 0.9; /* over square products */
/* Columns that Lanczos multiplies with blocks of 16 to the error of sampling, and for each one wanted: between these,
 * by the spectrum, which is not known. */
static const double FEWEST_COLUMNS = 60;
static const double FEWEST_COLUMNS_EACH = 2.6;
static const double MOST_COLUMNS = 330;
static const double MOST_COLUMNS_EACH = 9;
static const double STEPS_FIRST = 0.55; /* to a tolerance: so many times as many, and for each digit */
static const double STEPS_A_DIGIT = 0.18;
static const double WIDER_BLOCKS = 0.4;    /* power by which wider blocks take fewer steps */
static const double SWEEP_SPEED = 0.7;     /* of sweeps, over square products, */
static const double SWEPT_COLUMNS = 8;     /* in whole panels */
static const double INTEGER_SPEED = 2;     /* of exact products of bytes, over those of floats: between AVX2 and VNNI */
static const double QR_OVERHEAD = 230;     /* columns for which QR takes twice the time of its flops as products */
static const double EIGEN_CUBES = 5.5;     /* n³ flops of an eigendecomposition, at the rate of products */
static const double JACOBI_CUBES = 150;    /* the same of the Jacobi method, */
static const double DIVIDED_CUBES = 8;     /* and of singular values by divide and conquer */
static const double EM_SPEED = 0.4;        /* of moments of codes, over products */
static const double CHOLESKY_SPEED = 0.75; /* over products */
static const double FEW_COLUMNS = 200;     /* that an iteration to round-off multiplies, and for each one wanted: */
static const double FEW_COLUMNS_EACH = 4;  /* between a spectrum that falls and one where it gives up */
static const double SMALL_SIDE = 400;      /* of SMALL_SQUARES */
static const double EARLY_SHARE = 0.6;     /* of columns, that the sampling error takes where not all digits count */
static const double FEW_SHARE = 0.35;      /* of n columns at most */
static const double LOOKING_CUBES = 30;    /* of the Ritz pairs of so many columns */
static const double REDUCING_CUBES = 3;    /* n³ flops of a tridiagonal form, */
static const double REDUCING_LARGE_CUBES = 4.3; /* where no cache holds the matrix, */
static const double LARGE_ORDER = 2500;
static const double DIVIDING_CUBES = 1.6;  /* of divide and conquer */
static const double RESTORING_SPEED = 0.7; /* of vectors taken back, over products */
static const double ENTRIES_SPEED = 0.15;  /* of sparse products, over dense ones */
static const double LAYING_ENTRY = 0.05;
static const double OUTER_PAIR = 0.01;   /* of two entries of a row */
static const double PROBED_COLUMNS = 16; /* of the skinny rate */

double scree__estimate_beginning(const scree__rates *rates)
{
    return BEGINNING / rates->eigen;
}

double scree__estimate_step(const scree__rates *rates)
{
    return STEP / rates->eigen;
}

double scree__estimate_centring(const scree__rates *rates, double n, double d)
{
    return n * d * CENTRING / rates->eigen;
}

void scree__estimate_keeping(const scree__rates *rates, scree__effort *effort, double n, double d, bool lie_there)
{
    if (!lie_there)
        effort->passing += n * d * KEEPING / rates->eigen;
    effort->shared += n * d * MEASURING / rates->eigen;
}

double scree__estimate_finishing(const scree__rates *rates, double elements)
{
    return elements / rates->eigen;
}

/* Exact products of bytes go as fast as the kernel that there is; on the reference machine, one between all of them. */
static double integer_speed(const scree__rates *rates)
{
    return rates == &scree__rates_builtin ? INTEGER_SPEED : scree__integer_kernel_find(NULL)->speed;
}

static double square_rate(const scree__rates *rates, scree_type type)
{
    return type == SCREE_F32  ? rates->gemm_f32
           : type == SCREE_U8 ? integer_speed(rates) * rates->gemm_f32
                              : rates->gemm_f64;
}

double scree__estimate_scatter(const scree__rates *rates, scree_type type, double n, double d)
{
    const double packing =
        type == SCREE_U8 ? n * d * PACKING_BYTES / rates->eigen : scree__estimate_centring(rates, n, d);
    return n * d * d / (SCATTER_SPEED * square_rate(rates, type)) + packing;
}

double scree__estimate_product(const scree__rates *rates, scree_type type, double flops, double b)
{
    const double square = square_rate(rates, type);
    const double skinny = type == SCREE_F32 ? rates->skinny_f32 : rates->skinny_f64;
    const double half = PROBED_COLUMNS * fmax(square / skinny - 1, 0);
    return flops / square * (1 + half / b);
}

double scree__estimate_sweep(const scree__rates *rates, scree_type rows, scree_type type, double elements, double b)
{
    const double laying = rows == SCREE_U8 ? LAYING_BYTES : rows == SCREE_F32 ? LAYING_FLOATS : LAYING_DOUBLES;
    const double flops = 4 * elements * ceil(b / SWEPT_COLUMNS) * SWEPT_COLUMNS;
    return elements * laying / rates->eigen + flops / (SWEEP_SPEED * square_rate(rates, type));
}

double scree__estimate_entries(const scree__rates *rates, scree_type type, double entries, double b)
{
    const double flops = 4 * entries * ceil(b / PROBED_COLUMNS) * PROBED_COLUMNS;
    return entries * LAYING_ENTRY / rates->eigen + flops / (ENTRIES_SPEED * square_rate(rates, type));
}

double scree__estimate_outer(const scree__rates *rates, double n, double entries)
{
    return n * entries * (LAYING_ENTRY + entries * OUTER_PAIR) / rates->eigen;
}

double scree__estimate_steps(double wanted, double block, double tolerance)
{
    const double columns =
        sqrt((FEWEST_COLUMNS + FEWEST_COLUMNS_EACH * wanted) * (MOST_COLUMNS + MOST_COLUMNS_EACH * wanted));
    const double digits = tolerance > 0 ? STEPS_FIRST - STEPS_A_DIGIT * log10(tolerance) : 1;
    return columns / PROBED_COLUMNS * pow(PROBED_COLUMNS / block, WIDER_BLOCKS) * fmax(digits, 0.5);
}

double scree__estimate_qr(const scree__rates *rates, double flops, double d)
{
    return flops / rates->gemm_f64 * (1 + QR_OVERHEAD / d);
}

double scree__estimate_em(const scree__rates *rates, double cells, double m)
{
    return cells * (EM_CELL / rates->eigen + 2 * m * m / (EM_SPEED * rates->gemm_f64));
}

double scree__estimate_eigen(const scree__rates *rates, double n)
{
    return EIGEN_CUBES * n * n * n / rates->gemm_f64 + n * n / rates->eigen;
}

double scree__estimate_triangle(const scree__rates *rates, double n)
{
    return (n > SCREE__TRIANGLE_FEW ? DIVIDED_CUBES : JACOBI_CUBES) * n * n * n / rates->gemm_f64 +
           JACOBI_SQUARES * n * n / rates->eigen;
}

double scree__estimate_memory(const scree__rates *rates, double bytes)
{
    return bytes / (MEMORY_SPEED * rates->copy);
}

double scree__estimate_reading(const scree__rates *rates, double bytes, bool plain)
{
    return bytes / (plain ? FILE_BYTES : GZIP_SPEED * rates->eigen);
}

double scree__estimate_parsing(const scree__rates *rates, double bytes)
{
    return bytes / (TEXT_SPEED * rates->eigen);
}

/* A matrix of order n reduced to a tridiagonal one: half of it are products with vectors, bound by where A lies. */
static double reducing(const scree__rates *rates, double n)
{
    const double cubes = n < LARGE_ORDER ? REDUCING_CUBES : REDUCING_LARGE_CUBES;
    return cubes * n * n * n / rates->gemm_f64 + REDUCING_SQUARES * n * n / rates->eigen;
}

/* k vectors taken back, and their residuals. */
static double restoring(const scree__rates *rates, double n, double k)
{
    const double flops = 2 * n * n * k;
    return flops / (RESTORING_SPEED * rates->gemm_f64) + scree__estimate_product(rates, SCREE_F64, flops, k);
}

/* To round-off; large matrices are not solved to the last digit (stopping.c). */
static double columns_of(double n, double k)
{
    const double digits = n < SCREE__SMALL_ORDER ? 1 : EARLY_SHARE;
    return fmin(digits * (FEW_COLUMNS + FEW_COLUMNS_EACH * k), FEW_SHARE * n);
}

static double iterating(const scree__rates *rates, double n, double k)
{
    const double columns = columns_of(n, k);
    const double orthogonalising = 4 * n * columns * columns;
    const double proof = n * n * (n / 3 + 2 * k);
    return scree__estimate_product(rates, SCREE_F64, 2 * n * n * columns, PROBED_COLUMNS) +
           orthogonalising / rates->skinny_f64 + proof / (CHOLESKY_SPEED * rates->gemm_f64);
}

double scree__estimate_dense(const scree__rates *rates, scree__effort *effort, int64_t n, int64_t k, bool all)
{
    const double order = (double)n;
    const double wanted = (double)k;
    const double squares = order * order;
    const double direct = reducing(rates, order) + restoring(rates, order, wanted);
    effort->alone += (FINISHING_SQUARES * squares + SMALL_SQUARES * order * fmin(order, SMALL_SIDE)) / rates->eigen;
    if (all || !scree__dense_is_part(n, k)) {
        effort->shared +=
            direct + DIVIDING_CUBES * squares * order / rates->gemm_f64 + DIVIDING_SQUARES * squares / rates->eigen;
        return squares * (8.0 / 3 * order + 4 * wanted);
    }
    if (scree__dense_is_few(n, k) && iterating(rates, order, wanted) < direct) {
        effort->shared += iterating(rates, order, wanted);
        effort->alone += LOOKING_CUBES * pow(columns_of(order, wanted), 3) / rates->gemm_f64;
        return squares * (2 * columns_of(order, wanted) + order / 3 + 2 * wanted);
    }
    effort->shared += direct;
    effort->alone += PART_STEPS * order * wanted / rates->eigen;
    return squares * (4.0 / 3 * order + 4 * wanted);
}
