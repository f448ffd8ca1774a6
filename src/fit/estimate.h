/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_ESTIMATE_H
#define SCREE_FIT_ESTIMATE_H

/* How long the parts that methods are made of take, from the rates of the machine. Seconds of one thread. */

#include "fit/rates.h"
#include "kernel/ops.h"

/* What a method takes, by how more threads help. */
typedef struct scree__effort {
    double passing; /* done to batches as they arrive: shared among threads, side by side with reading */
    double shared;  /* shared among threads, when nothing is read */
    double alone;   /* on one thread, however many there are */
    int reads;      /* of the source, where later passes find the rows in memory; 0: each pass is one */
} scree__effort;

/* What any fit takes, however small. */
double scree__estimate_beginning(const scree__rates *rates);

/* Centring n×d elements on their way to a product, or into memory. */
double scree__estimate_centring(const scree__rates *rates, double n, double d);
/* Of n×d elements that are kept in memory, or lie there already: that they are measured, and centred a few times. */
void scree__estimate_keeping(const scree__rates *rates, scree__effort *effort, double n, double d, bool lie_there);
/* Residuals and copies of so many elements of eigenvectors. */
double scree__estimate_finishing(const scree__rates *rates, double elements);
/* Scatter of n rows of d columns: centring, and n d² flops. type: that the products are computed in; SCREE_U8: exact
 * integers. */
double scree__estimate_scatter(const scree__rates *rates, scree_type type, double n, double d);
/* flops of products in which the smaller side is b. */
double scree__estimate_product(const scree__rates *rates, scree_type type, double flops, double b);
/* A sweep CᵀCQ over so many elements of rows, b columns, computed in a type. */
double scree__estimate_sweep(const scree__rates *rates, scree_type rows, scree_type type, double elements, double b);
/* The same of so many entries of sparse rows. */
double scree__estimate_entries(const scree__rates *rates, scree_type type, double entries, double b);
/* Outer products of n sparse rows of so many entries each. */
double scree__estimate_outer(const scree__rates *rates, double n, double entries);
/* What a step of an iteration takes beside its flops: loops that begin and end. */
double scree__estimate_step(const scree__rates *rates);
/* Steps of block Lanczos: a guess, since the spectrum is not known; tolerance 0: to the error of sampling. */
double scree__estimate_steps(double wanted, double block, double tolerance);
/* Orthogonal triangular factors by Householder's method, of flops in columns of d. */
double scree__estimate_qr(const scree__rates *rates, double flops, double d);
/* One iteration of EM over so many cells, m components. */
double scree__estimate_em(const scree__rates *rates, double cells, double m);
/* All eigenpairs of a symmetric matrix of order n by LAPACK. */
double scree__estimate_eigen(const scree__rates *rates, double n);
/* All singular triplets of a triangle of order n: by divide and conquer, or, where that is small, by Jacobi's method.
 */
double scree__estimate_triangle(const scree__rates *rates, double n);

/* Reading bytes: from memory, with all threads; from a file, plain or compressed, by one; parsing them as text. */
double scree__estimate_memory(const scree__rates *rates, double bytes);
double scree__estimate_reading(const scree__rates *rates, double bytes, bool plain);
double scree__estimate_parsing(const scree__rates *rates, double bytes);

/* The k largest of an explicit symmetric matrix of order n (kernel/dense.c), added to the effort; its flops. all: all
 * must be computed, whatever k is. */
double scree__estimate_dense(const scree__rates *rates, scree__effort *effort, int64_t n, int64_t k, bool all);

#endif
