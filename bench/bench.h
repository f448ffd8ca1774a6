/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BENCH_H
#define SCREE_BENCH_H

/* What the files of the benchmark tell each other.
 *
 *   bench.c            options, the table of cases
 *   measure.c          the clock, medians of interleaved runs, what the machine can do
 *   matrix.c           synthetic matrices, kept as NPY
 *   numbers.c          a synthetic CSV file
 *   reference.c        eigenvalues by LAPACK, true errors of a model
 *   peers.c, peers.py  other programs, run beside
 *   report.c           the table, and the same as JSON
 *   case_*.c           one comparison each: verified first, then timed
 */

#include "base/error.h"

#include <stdio.h>

enum { BENCH_MOST_REPEATS = 99, BENCH_MOST_LINES = 32, BENCH_COMPONENTS = 50 };

/* == measure.c == */

double bench_now(void); /* seconds */

/* One of the things that are timed against each other; each times itself, so that preparing is not counted. */
typedef struct bench_side {
    scree_status (*once)(void *context, double *seconds, scree_error *error);
    void *context;
    double seconds[BENCH_MOST_REPEATS];
    double median;
    double best;
} bench_side;

/* All sides in turn, repeats times over, so that each sees the same noise of the machine. */
scree_status bench_interleave(bench_side *sides, int count, int repeats, scree_error *error);

typedef struct bench_machine {
    char processor[128];
    int cores;
    int blas_threads;
    double flops[2]; /* a second, of GEMM with all threads: of SCREE_F32, SCREE_F64 */
    double bytes;    /* a second, read and written, of a copy with all threads */
} bench_machine;

scree_status bench_machine_measure(bench_machine *machine, int threads, scree_error *error);

/* == peers.c == */

typedef struct bench_peers bench_peers;

/* Starts the program; its first line is its versions. */
scree_status bench_peers_start(bench_peers **out, const char *python, const char *script, scree_error *error);
const char *bench_peers_versions(const bench_peers *peers);
/* One request, one answer: how long the work took. */
scree_status bench_peers_ask(bench_peers *peers, double *seconds, scree_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void bench_peers_stop(bench_peers *peers);

/* == report.c == */

typedef struct bench_line {
    const char *name;
    char what[128];
    char against[64];
    double ours;      /* seconds, the median */
    double theirs;    /* 0: not compared */
    double best_ours; /* of all runs: less than the median by what the machine did beside */
    double best_theirs;
    double most;  /* that ours/theirs is to be; 0: just to be known */
    double floor; /* seconds that nothing on this machine can go below; 0: none is known */
    const char *floor_of;
    char note[384];
} bench_line;

typedef struct bench {
    const char *folder; /* for data that is kept */
    const char *json;   /* a file, or NULL */
    const char *only;   /* cases that begin so; NULL: all */
    const char *python; /* NULL: no peers */
    const char *script;
    int repeats;
    int threads;
    int64_t shrink; /* rows are divided by this, to try the benchmark itself */
    bench_machine machine;
    bench_peers *peers; /* or NULL */
    bench_line lines[BENCH_MOST_LINES];
    int line_count;
} bench;

void bench_line_times(bench_line *line, const bench_side *ours, const bench_side *theirs); /* theirs may be NULL */
void bench_add(bench *b, const bench_line *line);
void bench_print(const bench *b);
scree_status bench_write_json(const bench *b, scree_error *error);

/* == bench.c == */

typedef struct bench_case {
    const char *name;
    int64_t rows;
    int64_t cols;
    scree_type type;
    double most; /* of ours/theirs */
    scree_status (*run)(const struct bench_case *c, bench *b, scree_error *error);
} bench_case;

scree_status bench_covariance(const bench_case *c, bench *b, scree_error *error);
scree_status bench_wide_memory(const bench_case *c, bench *b, scree_error *error);
scree_status bench_wide_file(const bench_case *c, bench *b, scree_error *error);
scree_status bench_score(const bench_case *c, bench *b, scree_error *error);
scree_status bench_csv(const bench_case *c, bench *b, scree_error *error);

/* == matrix.c == */

typedef struct bench_matrix {
    char path[512]; /* of its NPY file */
    scree_type type;
    int64_t rows;
    int64_t cols;
    void *data;
} bench_matrix;

/* Made when first asked for, read from its file after that. */
scree_status bench_matrix_get(bench_matrix *x, const bench *b, const bench_case *c, scree_error *error);
void bench_matrix_clear(bench_matrix *x);
const char *bench_matrix_description(void);
const char *bench_type_name(scree_type type); /* "f32" */

/* == numbers.c == */

/* A CSV file of rows×cols numbers with a header; path is set. */
scree_status bench_numbers_get(char *path, size_t size, const bench *b, int64_t rows, int64_t cols, scree_error *error);
/* Its cells as the C library reads them, rows×cols. */
scree_status bench_numbers_reference(const char *path, int64_t rows, int64_t cols, double *values, scree_error *error);

/* == reference.c == */

/* What is claimed of k eigenpairs of the covariance with divisor N - ddof. */
typedef struct bench_claim {
    const double *values;           /* k, descending */
    const double *components;       /* k×D */
    const scree_accuracy *accuracy; /* k, or NULL: nothing is said of errors */
    int64_t k;
    int ddof;
} bench_claim;

/* The largest, relative to the eigenvalue they belong to. */
typedef struct bench_errors {
    double residual;
    double value;
} bench_errors;

/* True errors against the reference; it fails when one is larger than is said. */
scree_status bench_check(const bench_matrix *x, const bench_claim *claim, bench_errors *errors, scree_error *error);
scree_status bench_check_model(const bench_matrix *x, const scree_model *model, bench_errors *errors,
                               scree_error *error);

#endif
