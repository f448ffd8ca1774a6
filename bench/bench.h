/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BENCH_H
#define SCREE_BENCH_H

/* What the files of the benchmark tell each other.
 *
 *   bench.c              options, the table of cases
 *   measure.c            the clock, medians of interleaved runs, what the machine can do
 *   integer_rate.c       products of bytes a second
 *   child.c              a program run and waited for: its time, its memory
 *   room.c               disk and memory that are free; what the system keeps of a file
 *   matrix.c             synthetic matrices, kept as NPY
 *   images.c             the MNIST digits, or bytes that look like them
 *   numbers.c            synthetic CSV files
 *   counts.c             synthetic sparse counts, as CSR
 *   genotypes.c          simulated genotypes, and products with their relationship matrix
 *   doubles.c            rows of a matrix as centred doubles, and products with their covariance
 *   truth.c              true covariances and eigenvalues, kept beside the matrix
 *   reference.c          true errors of a model
 *   integers.c           the covariance of bytes in whole numbers of 128 bits
 *   gaps.c               rows of a PPCA model with gaps, and what a model says of them
 *   peers.c, peers.py    other programs, run beside
 *   fitting.c            a fit that can be timed, and what the planner says of it
 *   serve.c              fits on request, for map/map.py
 *   contest.c            our fit beside those of several others
 *   report.c             the table, and the same as JSON; table.py makes the tables of the documents of it
 *   case_*.c             one comparison each: verified first, then timed
 */

#include "base/error.h"

#include <stdio.h>

enum {
    BENCH_MOST_REPEATS = 99,
    BENCH_MOST_LINES = 192,
    BENCH_MOST_LEFT_OUT = 32,
    BENCH_COMPONENTS = 50,
    BENCH_GAPS_COMPONENTS = 10,
    BENCH_GENOTYPES_COMPONENTS = 10
};

/* == measure.c == */

double bench_now(void); /* seconds */

/* One of the things that are timed against each other; each times itself, so that preparing is not counted. */
typedef struct bench_side {
    scree_status (*once)(void *context, double *seconds, scree_error *error);
    void *context;
    double seconds[BENCH_MOST_REPEATS];
    double median;
    double best;
    int runs;
} bench_side;

/* All sides in turn, repeats times over, so that each sees the same noise of the machine. */
scree_status bench_interleave(bench_side *sides, int count, int repeats, scree_error *error);

typedef struct bench_machine {
    char processor[128];
    int cores;
    int blas_threads;
    double flops[2]; /* a second, of GEMM with all threads: of SCREE_F32, SCREE_F64 */
    double bytes;    /* a second, read and written, of a copy with all threads */
    double byte_ops; /* multiplications and additions of bytes a second, all threads; 0: not known */
} bench_machine;

scree_status bench_machine_measure(bench_machine *machine, int threads, scree_error *error);

/* == integer_rate.c == */

double bench_byte_ops(int threads); /* 0: no instruction for it that this program knows */

/* == child.c == */

typedef struct bench_child {
    double seconds;
    double peak; /* bytes of memory that it had at most */
} bench_child;

/* To be called before anything large is in memory. */
scree_status bench_child_start(scree_error *error);
/* Runs the program of the path arguments[0], its standard output thrown away. */
scree_status bench_child_run(bench_child *child, const char *const arguments[], scree_error *error);
/* `cat FILE >/dev/null`. */
scree_status bench_child_cat(double *seconds, const char *path, scree_error *error);

/* == report.c == */

/* The largest, relative to the eigenvalue they belong to; 0: not measured. */
typedef struct bench_errors {
    double residual;
    double value;
} bench_errors;

typedef struct bench_line {
    const char *name;
    char what[128];
    char against[80];
    const char *unit; /* of what is compared; NULL: seconds */
    double ours;      /* the median */
    double theirs;    /* 0: not compared */
    double best_ours; /* of all runs: less than the median by what the machine did beside */
    double best_theirs;
    double least; /* that ours/theirs is to be */
    double most;  /* that ours/theirs is to be; 0: just to be known */
    double floor; /* seconds that nothing on this machine can go below; 0: none is known */
    const char *floor_of;
    double predicted; /* seconds, by the planner; 0: nothing is planned */
    int runs;
    int their_runs;
    bench_errors errors;
    bench_errors their_errors;
    char note[384];
} bench_line;

typedef struct bench_peers bench_peers;

typedef struct bench {
    const char *folder; /* for data that is kept */
    const char *json;   /* a file, or NULL */
    const char *only;   /* cases that begin so; NULL: all */
    const char *python; /* NULL: no peers */
    const char *script;
    const char *command; /* scree itself; NULL: cases that run it are left out */
    const char *digits;  /* the file of the MNIST training images; NULL: bytes that look like them */
    int repeats;
    double budget; /* seconds that the repeats of a case may take, when there are two */
    bool serve;    /* no case is run: fits on request */
    bool full;     /* nothing is timed on a part and scaled */
    int threads;
    int64_t shrink; /* rows are divided by this, to try the benchmark itself */
    bench_machine machine;
    bench_peers *peers; /* or NULL */
    bench_line lines[BENCH_MOST_LINES];
    int line_count;
    char left_out[BENCH_MOST_LEFT_OUT][256]; /* what was not run, and why */
    int left_out_count;
} bench;

/* How often to repeat what takes so long. */
int bench_repeats(const bench *b, double seconds);

void bench_line_times(bench_line *line, const bench_side *ours, const bench_side *theirs); /* theirs may be NULL */
/* The larger of two floors, one of arithmetic, one of moving bytes. */
void bench_line_floor(bench_line *line, double by_flops, double by_bytes);
void bench_add(bench *b, const bench_line *line);
void bench_leave_out(bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void bench_print(const bench *b);
scree_status bench_write_json(const bench *b, scree_error *error);

/* == peers.c == */

/* Starts the program; its first line is its versions. */
scree_status bench_peers_start(bench_peers **out, const char *python, const char *script, scree_error *error);
const char *bench_peers_versions(const bench_peers *peers);
bool bench_peers_has(const bench_peers *peers, const char *package);
/* One request, one answer: how long the work took. */
scree_status bench_peers_ask(bench_peers *peers, double *seconds, scree_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void bench_peers_stop(bench_peers *peers);

/* == bench.c == */

typedef struct bench_case {
    const char *name;
    int64_t rows;
    int64_t cols;
    scree_type type;
    double most; /* of ours/theirs */
    scree_status (*run)(const struct bench_case *c, bench *b, scree_error *error);
} bench_case;

int64_t bench_rows(const bench *b, const bench_case *c); /* of the case, when it is shrunk */

scree_status bench_covariance(const bench_case *c, bench *b, scree_error *error);
scree_status bench_images(const bench_case *c, bench *b, scree_error *error);
scree_status bench_wide_memory(const bench_case *c, bench *b, scree_error *error);
scree_status bench_wide_file(const bench_case *c, bench *b, scree_error *error);
scree_status bench_wide_exact(const bench_case *c, bench *b, scree_error *error);
scree_status bench_eigen(const bench_case *c, bench *b, scree_error *error);
scree_status bench_score(const bench_case *c, bench *b, scree_error *error);
scree_status bench_csv(const bench_case *c, bench *b, scree_error *error);
scree_status bench_csv_fit(const bench_case *c, bench *b, scree_error *error);
scree_status bench_disk(const bench_case *c, bench *b, scree_error *error);
scree_status bench_sweeps(const bench_case *c, bench *b, scree_error *error);
scree_status bench_growth(const bench_case *c, bench *b, scree_error *error);

scree_status bench_counts_case(const bench_case *c, bench *b, scree_error *error);
scree_status bench_genotypes_case(const bench_case *c, bench *b, scree_error *error);
scree_status bench_missing(const bench_case *c, bench *b, scree_error *error);
scree_status bench_ratings(const bench_case *c, bench *b, scree_error *error);
scree_status bench_archive(const bench_case *c, bench *b, scree_error *error);
scree_status bench_archive_speed(const bench_case *c, bench *b, scree_error *error);

/* == gaps.c == */

typedef struct bench_gaps {
    int64_t rows;
    int64_t cols;
    double *truth; /* rows×cols */
    double *seen;  /* the same, NaN where a cell is missing */
} bench_gaps;

/* Of BENCH_GAPS_COMPONENTS components. */
typedef struct bench_ppca {
    const double *mean;       /* D */
    const double *components; /* M×D, orthonormal */
    const double *values;     /* M, of the covariance */
    double noise;             /* σ² */
} bench_ppca;

scree_status bench_gaps_make(bench_gaps *g, int64_t rows, int64_t cols, double share, scree_error *error);
void bench_gaps_clear(bench_gaps *g);
/* Of the missing cells, as they were filled in. */
double bench_gaps_rmse(const bench_gaps *g, const double *filled);
/* ln p of all cells that are there. */
scree_status bench_gaps_density(const bench_gaps *g, const bench_ppca *p, double *density, scree_error *error);
/* The same with the σ² that makes it largest, for a model that comes without one. */
scree_status bench_gaps_best_noise(const bench_gaps *g, bench_ppca *p, double *density, scree_error *error);

/* == matrix.c == */

typedef struct bench_matrix {
    char path[512]; /* of its NPY file */
    scree_type type;
    int64_t rows;
    int64_t cols;
    void *data;
    void *mapped; /* the file, when data points into it */
    int64_t mapped_bytes;
} bench_matrix;

/* Made when first asked for, read from its file after that. */
scree_status bench_matrix_get(bench_matrix *x, const bench *b, const bench_case *c, scree_error *error);
/* The same, but data is the file as the system maps it: for matrices that are larger than memory. */
scree_status bench_matrix_map(bench_matrix *x, const bench *b, const bench_case *c, scree_error *error);
/* Writes x, which is in memory, to its file unless it is there. */
scree_status bench_matrix_keep(const bench_matrix *x, scree_error *error);
void bench_matrix_clear(bench_matrix *x);
double bench_matrix_bytes(const bench_matrix *x);
int64_t bench_type_size(scree_type type);
const char *bench_matrix_description(void);
const char *bench_type_name(scree_type type); /* "f32" */

/* == counts.c == */

typedef struct bench_counts {
    char path[512];  /* of its NPY files, less "-data.npy", "-indices.npy" and "-indptr.npy" */
    scree_type type; /* SCREE_F32 or SCREE_I32 */
    int64_t rows;
    int64_t cols;
    int64_t entries;
    void *data;
    int32_t *indices;
    int64_t *starts;
} bench_counts;

scree_status bench_counts_get(bench_counts *x, const bench *b, const bench_case *c, scree_error *error);
double bench_counts_bytes(const bench_counts *x); /* of the three arrays */
void bench_counts_clear(bench_counts *x);

/* == genotypes.c == */

typedef struct bench_genotypes {
    char prefix[512]; /* of its .bed, .bim and .fam */
    int64_t samples;
    int64_t variants;
    int64_t stride; /* bytes of a variant */
} bench_genotypes;

scree_status bench_genotypes_get(bench_genotypes *g, const bench *b, const bench_case *c, scree_error *error);
/* ‖Kv - λv‖ for the k columns of v, samples×k, of length 1, and values λ of the relationship matrix K. */
scree_status bench_genotypes_residuals(const bench_genotypes *g, int threads, const double *v, const double *values,
                                       int64_t k, double *residuals, scree_error *error);

/* == room.c == */

/* Whether the case can run with so much data on disk and so much in memory, both programs together; when it cannot,
 * that is said in the report. */
bool bench_has_room(bench *b, const bench_case *c, double disk, double memory);
bool bench_file_exists(const char *path);
double bench_file_bytes(const char *path);
/* Bytes of memory that this process has, and from now on the most that it has had; 0 where the system does not tell. */
double bench_memory_begin(void);
double bench_memory_peak(void);
/* The system forgets what it keeps of the file in memory; the share that it still keeps. */
double bench_file_forget(const char *path);

/* == images.c == */

/* 60000×784 bytes, and the same as a matrix of floats. */
scree_status bench_images_get(unsigned char **bytes, bench_matrix *x, const bench *b, const bench_case *c,
                              scree_error *error);

/* == numbers.c == */

/* A CSV file of rows×cols numbers with a header; path is set. */
scree_status bench_numbers_get(char *path, size_t size, const bench *b, int64_t rows, int64_t cols, scree_error *error);
/* The cells of a file of any format as scree reads them, rows×cols. */
scree_status bench_numbers_read(const char *path, int threads, int64_t rows, int64_t cols, double *values,
                                scree_error *error);
/* The cells of a CSV file as the C library reads them, rows×cols. */
scree_status bench_numbers_reference(const char *path, int64_t rows, int64_t cols, double *values, scree_error *error);
/* The doubles of x as a CSV file beside it, each as short as reads back the same. */
scree_status bench_numbers_of_matrix(char *path, size_t size, const bench_matrix *x, int threads, scree_error *error);

/* == doubles.c == */

/* Rows of a matrix as doubles less their mean, a piece at a time. */
typedef struct bench_doubles {
    const bench_matrix *x;
    double *mean;  /* D */
    double *piece; /* piece_rows×D */
    int64_t piece_rows;
} bench_doubles;

scree_status bench_doubles_new(bench_doubles *c, const bench_matrix *x, scree_error *error);
/* The piece holds the rows from first on; how many. */
int64_t bench_doubles_load(bench_doubles *c, int64_t first);
void bench_doubles_clear(bench_doubles *c);
/* images = vectors·S, k×D, S with divisor N. */
scree_status bench_covariance_times(const bench_matrix *x, const double *vectors, int64_t k, double *images,
                                    scree_error *error);

/* == truth.c == */

/* The k largest eigenvalues of the covariance with divisor N, descending. */
scree_status bench_true_values(const bench_matrix *x, int64_t k, double *values, scree_error *error);
/* As bench_covariance_times, from a covariance that is kept where that is small. */
scree_status bench_true_images(const bench_matrix *x, const double *vectors, int64_t k, double *images,
                               scree_error *error);

/* == reference.c == */

/* What is claimed of k eigenpairs of the covariance with divisor N - ddof. */
typedef struct bench_claim {
    const double *values;     /* k, descending */
    const double *components; /* k×D */
    const double *residuals;  /* k, or NULL: nothing is said of errors */
    const double *bounds;     /* k: of the errors of values */
    int64_t k;
    int ddof;
} bench_claim;

/* True errors against the reference; it fails when one is larger than is said. */
scree_status bench_check(const bench_matrix *x, const bench_claim *claim, bench_errors *errors, scree_error *error);
scree_status bench_check_model(const bench_matrix *x, const scree_model *model, bench_errors *errors,
                               scree_error *error);

/* == integers.c == */

/* S with divisor N - ddof of rows of bytes of that shape, D×D, each entry the double nearest to the true one. */
scree_status bench_integer_covariance(const unsigned char *bytes, const bench_matrix *shape, int ddof, int threads,
                                      double *s, scree_error *error);

/* == fitting.c == */

/* Rows of an array or of a file, and how they are fitted: BENCH_COMPONENTS components unless options say otherwise. */
typedef struct bench_fitting {
    const char *path; /* of the file; NULL: the array counts */
    const void *data; /* rows×cols */
    scree_type type;
    int64_t rows;
    int64_t cols;
    scree_fit_options options; /* their run is the next, wherever this is copied to */
    scree_run run;
    scree_model *model; /* of the last run */
} bench_fitting;

/* Rows one after the other. */
scree_block bench_block(const void *data, scree_type type, int64_t rows, int64_t cols);
/* What is given is lent as long as f is used. */
void bench_fitting_array(bench_fitting *f, const bench *b, const void *data, scree_type type, int64_t rows,
                         int64_t cols);
void bench_fitting_file(bench_fitting *f, const bench *b, const char *path);
void bench_fitting_clear(bench_fitting *f);
/* The side of a comparison, with a bench_fitting as its context. */
scree_status bench_fit_once(void *fitting, double *seconds, scree_error *error);
/* What each method would cost; to be freed. */
scree_status bench_plan(scree_plan **plan, const bench_fitting *f, scree_error *error);
/* Seconds that the planner predicts for the method it takes. */
scree_status bench_predict(double *seconds, const bench_fitting *f, scree_error *error);

/* == serve.c == */

/* Answers requests on standard input until it ends. */
void bench_serve(const bench *b);

/* == contest.c == */

typedef struct bench_entrant {
    const char *program; /* as peers.py knows it: "sklearn-full" */
    double most;         /* that ours/theirs is to be; 0: just to be known */
    bool is_one_of_many; /* of those only the fastest is repeated, and held against the target */
} bench_entrant;

/* Our fit and those of others of the same rows, with ddof 1. The prediction stands in the line when it has run. */
typedef struct bench_contest {
    bench *b;
    const bench_matrix *x;
    const char *request; /* to peers.py: "fit", "fit-file", "csv-fit" */
    const char *path;    /* that they get */
    bench_fitting fit;   /* ours */
    /* What is to be checked of our first result beyond its errors, or NULL. */
    scree_status (*check)(struct bench_contest *contest, scree_error *error);
    const bench_entrant *entrants;
    int count;
    bench_line line; /* what is the same in all lines */
    bench_side ours; /* set by the run */
} bench_contest;

scree_status bench_contest_run(bench_contest *contest, scree_error *error);
void bench_contest_clear(bench_contest *contest);

#endif
