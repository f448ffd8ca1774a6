/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_H
#define SCREE_H

/* scree: principal component analysis that knows how sure it is.
 *
 * This header is the manual, simple use first.
 *
 *     scree_source *rows = NULL;
 *     scree_model *model = NULL;
 *     scree_error error = SCREE_ERROR_INIT;
 *     scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
 *     options.components = 2;
 *
 *     if (scree_source_open(&rows, "iris.csv", NULL, &error) ||
 *         scree_model_fit(&model, rows, &options, &error) ||
 *         scree_model_save(model, "iris.scree", &error))
 *         fprintf(stderr, "%s\n", error.text);
 *     scree_model_free(model);
 *     scree_source_free(rows);
 *
 * Conventions. Rows are observations: X is N×D. The covariance S has divisor N (ddof 0) as in the book's maximum
 * likelihood, or N-1 (ddof 1). Components are ordered by eigenvalue; the entry of largest magnitude of each is
 * positive. Results are the same bits for any number of threads and any block size, and for the same rows from files,
 * callbacks and streams that say how many there are. Rows in memory in C order cost nothing to read again: for large
 * jobs another method may be planned for them, and lanczos multiplies them where they lie; name another solver where
 * every bit must be that of the file.
 *
 * Calls are scree_<noun>_<verb>(out, what, results, options, error). Those that can fail return a scree_status and fill
 * an optional scree_error with one sentence for the user. An object that a call makes comes first: *out is NULL on
 * entry, set on success only, and the caller's to free. Arrays and structs that a call fills come after what they are
 * about. Getters lend: what they return lives as long as the object. Options, runs, errors and what
 * is said to may be NULL; other pointers must not.
 *
 * Structs that a caller fills, or has filled, begin with their size: start from their _INIT. So a program compiled
 * today runs with a later library: fields that it does not know have their defaults, which are 0 in every field that is
 * added. A program that sets a field which an older library does not know is told so. Structs that are lent grow at
 * their end.
 *
 * The library never prints, exits or aborts, writes no file that it was not given a path for, keeps no state that
 * changes a result, and leaves the threads of the BLAS as they were. An object is used by one thread at a time, except
 * a model, which never changes once made. A process that was forked computes on one thread: the others stayed with its
 * parent. Where address space is limited (ulimit -v), as many threads work as there is room for.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCREE_VERSION_MAJOR 0
#define SCREE_VERSION_MINOR 2
#define SCREE_VERSION_PATCH 0
#define SCREE_VERSION_NUMBER (SCREE_VERSION_MAJOR * 10000 + SCREE_VERSION_MINOR * 100 + SCREE_VERSION_PATCH)

#if defined(__GNUC__)
#define SCREE_API __attribute__((visibility("default")))
#else
#define SCREE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Of the library that is loaded; SCREE_VERSION_NUMBER is that of the header. */
SCREE_API const char *scree_version(void); /* "0.2.0" */
SCREE_API int scree_version_number(void);  /* 200 */

/* What this library knows, by name: the index-th name of a table, NULL past the last. */
typedef enum scree_table {
    SCREE_TABLE_SOLVERS, /* of fitting: "covariance", ... */
    SCREE_TABLE_KINDS,   /* of models: "pca", ... */
    SCREE_TABLE_READERS, /* formats that are read: "csv", ... */
    SCREE_TABLE_WRITERS, /* and written */
    SCREE_TABLE_MODULES  /* of formats that need further libraries, whether they are there or not: "hdf5", ... */
} scree_table;

SCREE_API const char *scree_table_name(scree_table table, int64_t index);
/* One line on it, for help: "eigenvectors of the covariance, one pass". */
SCREE_API const char *scree_table_text(scree_table table, int64_t index);

/* == 1. Errors == */

/* One list makes the enum, the names and the short texts. */
#define SCREE_STATUS_LIST(X)                                                                                           \
    X(OK, "success")                                                                                                   \
    X(ERR_ARGUMENT, "an argument is out of range")                                                                     \
    X(ERR_MEMORY, "out of memory")                                                                                     \
    X(ERR_LIMIT, "the memory limit is too small")                                                                      \
    X(ERR_IO, "a file cannot be read or written")                                                                      \
    X(ERR_FORMAT, "a file is not what it claims to be")                                                                \
    X(ERR_VALUE, "a value cannot be used")                                                                             \
    X(ERR_SHAPE, "shapes do not fit")                                                                                  \
    X(ERR_MODEL, "a model file is damaged or of an unknown version")                                                   \
    X(ERR_UNSUPPORTED, "this combination is not supported")                                                            \
    X(ERR_NUMERIC, "a numerical routine failed")                                                                       \
    X(ERR_CANCELLED, "cancelled")

typedef enum scree_status {
#define SCREE_X(name, text) SCREE_##name,
    SCREE_STATUS_LIST(SCREE_X)
#undef SCREE_X
} scree_status;

/* Caller-owned; every call that takes one accepts NULL. It is set when a call fails, and left alone when it succeeds:
 * the status that a call returns says which. */
typedef struct scree_error {
    scree_status status;
    char text[1024];
} scree_error; /* never grows */

/* clang-format off */
#define SCREE_ERROR_INIT {SCREE_OK, {0}}
/* clang-format on */

/* "ERR_IO" and "a file cannot be read or written". */
SCREE_API const char *scree_status_name(scree_status status);
SCREE_API const char *scree_status_text(scree_status status);

/* Names and labels are somebody else's text. This copy of one can be printed on a terminal: control characters, bytes
 * that are not UTF-8 and letters that turn the direction of writing around are spelled out, as \x1b and \u202e. Error
 * texts already are so. Cut between letters where it does not fit in size bytes with a final zero; returns the length
 * that it has in full. */
SCREE_API size_t scree_text_visible(char *out, size_t size, const char *text);

/* == 2. Where rows come from == */

typedef struct scree_source scree_source;

/* Element types. Rows are worked on as F32, F64 or U8, which BOOL becomes: other integers become F64, from memory as
 * from files, half precision becomes F32, and so do bytes of which some are missing. Integers that no double is are
 * counted from an origin, where a source can and a question allows it, and refused else: none is rounded. */
typedef enum scree_type {
    SCREE_F32,
    SCREE_F64,
    SCREE_U8,
    SCREE_I8,
    SCREE_I16,
    SCREE_U16,
    SCREE_I32,
    SCREE_U32,
    SCREE_I64,
    SCREE_U64,
    SCREE_F16,
    SCREE_BOOL /* bytes that are 0 or 1 */
} scree_type;

/* What an entry means that a sparse block does not hold. */
typedef enum scree_absent { SCREE_ABSENT_ZERO, SCREE_ABSENT_MISSING } scree_absent;

/* Rows in memory: all that a call is given, or the next few of a source. Dense, element (i, j) is
 * data[i·row_stride + j·col_stride]: C and Fortran order alike, without a copy; strides are not negative, and elements
 * do not overlap. Sparse, when starts is not NULL (CSR): the entries of row i are data[p] in column indices[p], for p
 * from starts[i] to starts[i+1] - 1, columns ascending. NaN is a missing cell. */
typedef struct scree_block {
    size_t size;
    const void *data;
    scree_type type;
    int64_t rows;
    int64_t cols;
    int64_t row_stride;       /* in elements; 0: cols */
    int64_t col_stride;       /* 0: 1 */
    const int64_t *starts;    /* sparse: rows + 1 */
    const int32_t *indices;   /* sparse: a column for each entry, from 0 */
    scree_absent absent;      /* sparse */
    const double *weights;    /* of the rows, from a source; NULL: rows count alike */
    const char *const *texts; /* rows × text columns, from a source; NULL: none */
} scree_block;

/* clang-format off */
#define SCREE_BLOCK_INIT                                                                                               \
    {sizeof(scree_block), NULL, SCREE_F64, 0, 0, 0, 0, NULL, NULL, SCREE_ABSENT_ZERO, NULL, NULL}
/* clang-format on */

/* What becomes of a row with a cell that is no number, or infinite, or with too few cells or too many. */
typedef enum scree_on_error {
    SCREE_STOP = 0, /* it is an error, after the rows before it were answered */
    SCREE_SKIP = 1, /* it has no answer, and is counted: scree_source_faults */
    SCREE_NAN = 2   /* its answer is NaN, and it is counted */
} scree_on_error;

/* sentence: where the row is, and what is wrong with it, as the error would say. */
typedef void (*scree_fault_fn)(void *context, const char *sentence);

/* What cells are that a file of cells does not list. */
typedef enum scree_absent_cells {
    SCREE_CELLS_BY_FORMAT, /* zero in Matrix Market files and sparse arrays, missing in triplets */
    SCREE_CELLS_ZERO,
    SCREE_CELLS_MISSING
} scree_absent_cells;

typedef struct scree_read_options {
    size_t size;
    const char *format;   /* one of SCREE_TABLE_READERS; NULL: by content and extension */
    const char *columns;  /* columns to use: names, numbers from 1, ranges ("a,c,5-9"); names that have commas stand in
                             quotes; NULL: all */
    const char *label;    /* a column to carry along as label, by name or number; NULL: text columns are found */
    const char *id;       /* a column to carry along as row id */
    int header;           /* CSV: 1 there is one, 0 there is none, -1 guess */
    char delimiter;       /* CSV: 0 guesses among comma, tab, semicolon, bar and space */
    int threads;          /* for parsing; 0: all */
    const char *weights;  /* a column that is the weight of each row, by name or number, taken out of the columns; NULL:
                             rows count alike. See scree_source_weigh */
    int64_t memory;       /* bytes that reading may use; 0: most of what is free, but of a file that announces much more
                             than it holds at most 256 MiB and 16 times its size */
    int64_t held;         /* bytes that the program holds for itself, where limits of memory are meant for all of it:
                             counted in what reading and answering rows needs */
    const char *encoding; /* CSV: that of the text, as iconv names it: "latin1"; NULL: by content, UTF-8, UTF-16 or
                             Windows-1252, and the note says which where it is not UTF-8 */
    const char *exclude;  /* columns to leave out, as in columns; text columns, too; NULL: none */
    const char *na;       /* CSV: cells that are missing, besides the usual ones, separated by commas: "-999,n.m.,<*"; a
                             number means all its spellings, a star at the end whatever follows; NULL: none */
    char decimal;         /* CSV: '.' or ',', and the other one may group the digits of large numbers; 0: guess */
    int64_t skip;         /* CSV: lines at the top that are not part of the table */
    int transpose;     /* 1: columns of the file are rows, its header their ids, its texts the names of the columns; by
                          way of a scratch file in $TMPDIR, /var/tmp or /tmp, unless it is an array in Fortran order */
    int64_t row_width; /* an array of one dimension that has so many numbers is one row; 0: each is a row of one */
    bool live; /* pipes of CSV, TSV, NPY, IDX and raw numbers, in any encoding, not compressed: rows are lent, and
                  answers written, when nothing more comes for a moment, and the layout is that which a file of the
                  header and the first row alone would have. Else, and in files, many rows are read at a time */
    scree_on_error on_error; /* rows that cannot be used, in calls that go from source to sink */
    scree_fault_fn fault;    /* is told of such rows where they are no error of the call, of the first dozen where many
                                stand together; NULL: nobody is. Calls may come from another thread than the caller's,
                                one at a time */
    void *fault_context;
    const char *const *numeric; /* live pipes of CSV: names of columns that are numbers whatever the first row says, as
                                   the columns of a model: a first record that has all of them is the header; NULL:
                                   none. Lent for as long as the source lives */
    int64_t numeric_count;
    const char *dataset; /* which part of a file that holds several: the path of a dataset or group in an HDF5 file, the
                            layer of an AnnData file ("layers/counts"), a member of an NPZ, a variable of a MAT, a table
                            of a database; also given as FILE:PART, where there is no file of that whole name; NULL: the
                            one that there is, or that is meant */
    const char *query;   /* databases: the rows are those of this SELECT; NULL: those of a table */
    scree_absent_cells absent; /* files of cells, one by one: what those are that are not listed */
    int64_t first_row;         /* rows before this one, from 1, are left out; 0: none is */
    int64_t last_row;          /* and those behind this one; 0: none */
    int64_t sample;            /* so many rows, drawn at random without replacement, in their order; 0: all */
    uint64_t sample_seed;
    const char *columns_from; /* AnnData: only columns whose cell in this column of var is true or not 0:
                                 "highly_variable"; NULL: all */
    bool
        totals; /* rows know the sum over all columns of the file, whichever are chosen: for scree_fit_options.normalize
                 */
    double min_allele; /* genotypes: variants whose rarer allele has less than this frequency are left out */
    const char
        *chromosomes;    /* genotypes: only these, with positions where given: "1-5,X,6:25000000-34000000"; NULL: all
                          */
    bool missing_calls;  /* genotypes: calls that are missing stay so, as cells of all other formats do, for method em
                            and for scree_model_impute; else each is the mean of its variant */
    bool varying;        /* genotypes: variants of which all calls are alike are left out, as a fit wants */
    const double *means; /* genotypes: of each column of numeric, the model's. Then rows have these columns: variants
                            are matched by name and allele, 2 - x where the other allele is counted; a call that is
                            missing, or of a variant that is not there with these alleles, is this mean. NULL: rows are
                            the variants of the file */
} scree_read_options;

/* clang-format off */
#define SCREE_READ_OPTIONS_INIT                                                                                        \
    {sizeof(scree_read_options), NULL, NULL, NULL, NULL, -1, 0, 0, NULL, 0, 0, NULL, NULL, NULL, 0, 0, 0, 0, false,     \
     SCREE_STOP, NULL, NULL, NULL, 0, NULL, NULL, SCREE_CELLS_BY_FORMAT, 0, 0, 0, 0, NULL, false, 0.0, NULL, \
     false, false, NULL}
/* clang-format on */

/* Opens a file, "-" for standard input: CSV, TSV, NPY, IDX, each plain or compressed by gzip, xz or zstd; and cells one
 * by one, Matrix Market files and "triplets", text with a line for the row, column and value of each: those that are
 * there are kept, 12 bytes each, and the others are 0 in Matrix Market files and missing in triplets, or as absent
 * says. Missing in a CSV or TSV is a cell that
 * is empty, or says NA, N/A, NaN, null, none, <NA>, #NA, n.a., n.d., -, ? or a lone point, in any case, or an error of
 * a spreadsheet, such as #N/A and #DIV/0!. Files of numbers that are large compared with free memory are read past the
 * page cache; what is in the cache already is taken from it. */
SCREE_API scree_status scree_source_open(scree_source **out, const char *path, const scree_read_options *options,
                                         scree_error *error);

/* Ends the input, or, with false, lets it go on: calls that go from a source to a sink, or wait for a live pipe, act as
 * if the source had ended after the rows that were read, and return as usual. May be called from a signal handler, and
 * by any thread; holds for all sources of the program. */
SCREE_API void scree_input_stop(bool stop);

/* Several files as one source: the rows of the first, then those of the second, and so on. They have as many columns,
 * of the same names in the same order where they have names; formats and element types may differ, and the widest type
 * is taken. A CSV of a header and no rows adds none. Where only some files carry a label, it is empty in the rows of
 * the others, and the note says so. A file is opened again when its turn comes: a thousand take no more memory than
 * one. */
SCREE_API scree_status scree_source_open_many(scree_source **out, const char *const *paths, int64_t count,
                                              const scree_read_options *options, scree_error *error);

/* Rows in the caller's memory, which must outlive the source. Sparse rows whose absent entries are zeros are never made
 * dense by methods covariance and lanczos: float, double, unsigned byte and SCREE_I32 are lent as they lie, other types
 * are converted some rows at a time, and a fit takes little beside its own vectors (see examples/fit_sparse.c). Arrays
 * as SciPy's csr_array has them fit, starts being int64 and indices int32; for those of a csc_array see
 * scree_source_calls. */
SCREE_API scree_status scree_source_from_memory(scree_source **out, const scree_block *rows, scree_error *error);

/* Rows that the caller's own code hands in. Everything but next and cols may be left at its default. A callback that
 * fails returns a status and fills the error with its sentence: they become those of the call that read. Callbacks may
 * come from another thread than the caller's, one at a time. */
typedef struct scree_source_calls {
    size_t size;
    void *context;
    /* Lends the next rows, at most max_rows, until the next call; *block is empty (SCREE_BLOCK_INIT) on entry, and
     * stays so at the end. How many rows a block has changes no result. */
    scree_status (*next)(void *context, int64_t max_rows, scree_block *block, scree_error *error);
    scree_status (*rewind)(void *context, scree_error *error); /* back to the first row; NULL: can be read once */
    void (*release)(void *context); /* once, when the source is freed; never when it could not be made */
    const char *name;               /* for messages; NULL: "rows" */
    int64_t rows;                   /* -1: not known; methods that need it are then not planned */
    int64_t cols;
    scree_type type;               /* of every block; where it is U8, blocks have no missing cells */
    bool weighted;                 /* every block has weights */
    const char *const *columns;    /* cols names; NULL: none. Copied, as the next */
    const char *const *text_names; /* names of text columns; a text that is NULL is empty */
    int64_t text_count;
    bool sparse;         /* every block is sparse, its absent entries zeros: methods that can take it as it is */
    int64_t entries;     /* of all sparse rows together, for plans; 0: not known */
    const uint8_t *kept; /* cols: 0 leaves a column out, after totals of rows were taken; NULL: all are kept. Copied */
    const char *note;    /* one line on what was guessed, see scree_source_note; NULL: nothing. Copied */
    int64_t memory;      /* bytes that it holds for itself, for plans */
    bool unsorted;       /* with sparse: the columns of a row need not ascend, and several entries of a cell are its
                            summands; false: both are errors */
    /* With sparse: the data is stored by column (CSC), and next hands in columns: the rows of a block are the next
     * columns of the data, at most max_rows of them, its cols are the rows of the data, and its indices rows, counted
     * from 0. They may come in any order, and several entries of a cell are its summands. Blocks have no weights and no
     * texts; rows must be known. The library makes rows of them when the first is wanted: in memory, 4 bytes and a
     * value for each entry, where that is at most half of what reading may use, else by way of a scratch file in
     * $TMPDIR, /var/tmp or /tmp. Where there is rewind it reads the columns twice, to count the entries first; without,
     * once, and takes up to 28 bytes for each. After that neither next nor rewind is called again. */
    bool by_columns;
    /* With by_columns and text columns: lends the texts of rows first .. first+count-1, count × text_count, until the
     * next call. NULL: all are empty. */
    scree_status (*texts)(void *context, int64_t first, int64_t count, const char *const **texts, scree_error *error);
    int64_t text_label; /* which text column was asked for as label, from 1; 0: none was */
    int64_t text_id;    /* and as id */
    /* Not with by_columns: the next rows are those from this one on, counted from 0; rows must be known. For processes
     * that share rows (scree_communicator), each of which reads its own. NULL: all are read, and others passed over. */
    scree_status (*seek)(void *context, int64_t row, scree_error *error);
} scree_source_calls;

/* clang-format off */
#define SCREE_SOURCE_CALLS_INIT                                                                                        \
    {sizeof(scree_source_calls), NULL, NULL, NULL, NULL, NULL, -1, 0, SCREE_F64, false, NULL, NULL, 0, false, 0, NULL, \
     NULL, 0, false, false, NULL, 0, 0, NULL}
/* clang-format on */

SCREE_API scree_status scree_source_from_calls(scree_source **out, const scree_source_calls *calls, scree_error *error);

/* An Arrow C stream of record batches (the published C stream interface). Numeric columns are the rows, nulls missing;
 * text columns are carried along; options as for a CSV. The stream is moved on success: the caller must not use it
 * again, and on failure still owns it. It can be read once. Columns that are all float, or all unsigned bytes without
 * nulls by their schema, keep their type. */
struct ArrowArrayStream;
SCREE_API scree_status scree_source_from_arrow(scree_source **out, struct ArrowArrayStream *stream,
                                               const scree_read_options *options, scree_error *error);

/* The same of rows that can be had again, as those of a table in memory: open makes their stream, once at first and
 * once for each pass that starts over, always with the same columns. A stream that it made is the source's, which
 * releases it. Callbacks that fail, and the threads that they come from, are as in scree_source_calls. */
typedef struct scree_arrow_calls {
    size_t size;
    void *context;
    scree_status (*open)(void *context, struct ArrowArrayStream *out, scree_error *error);
    void (*release)(void *context); /* once, when the source is freed; never when it could not be made; may be NULL */
    const char *name;               /* for messages; NULL: "Arrow stream" */
    int64_t rows;                   /* -1: not known */
} scree_arrow_calls;

/* clang-format off */
#define SCREE_ARROW_CALLS_INIT {sizeof(scree_arrow_calls), NULL, NULL, NULL, NULL, -1}
/* clang-format on */

SCREE_API scree_status scree_source_from_arrow_calls(scree_source **out, const scree_arrow_calls *calls,
                                                     const scree_read_options *options, scree_error *error);

/* Gives each row of a source a weight, for scree_model_fit: count of them, which must outlive the source. They are
 * frequencies: a row of weight w counts like w equal rows, a row of weight 0 is not there, whatever is in it, and N in
 * every formula is the sum of the weights, which need not be whole numbers. Negative, infinite and NaN are errors. */
SCREE_API scree_status scree_source_weigh(scree_source *source, const double *weights, int64_t count,
                                          scree_error *error);

/* What a file holds that can be opened as rows, or that looks like it and cannot. Lent for the time of the call. */
typedef struct scree_part {
    size_t size;
    const char *path; /* what scree_read_options.dataset takes; NULL: the file is one table */
    int64_t rows;     /* -1: not known */
    int64_t cols;     /* -1: not known */
    const char *type; /* of its numbers, as they are stored: "f4", "i8"; NULL: not known */
    const char *kind; /* how it is stored: "dense", "CSR", "table", or the name of the format */
    const char *note; /* more on it, or why it cannot be opened; NULL: nothing */
    bool closed;      /* it cannot be opened */
    bool meant;       /* it is what is opened where no part is named */
} scree_part;

/* clang-format off */
#define SCREE_PART_INIT {sizeof(scree_part), NULL, -1, -1, NULL, NULL, NULL, false, false}
/* clang-format on */

typedef scree_status (*scree_part_fn)(void *context, const scree_part *part, scree_error *error);

/* Calls visit for each part of a file. Of a file that is one table there is one part, without a path. options: as for
 * scree_source_open, or NULL. A visit that fails ends the list. */
SCREE_API scree_status scree_file_parts(const char *path, const scree_read_options *options, scree_part_fn visit,
                                        void *context, scree_error *error);

/* Whether the module of that name, one of SCREE_TABLE_MODULES, can be loaded; the error says why not. */
SCREE_API scree_status scree_module_check(const char *name, scree_error *error);

SCREE_API void scree_source_free(scree_source *source); /* NULL-safe, as every _free */

/* For messages: "iris.csv", "part-1.npy and 3 more", "standard input", "memory". */
SCREE_API const char *scree_source_name(const scree_source *source);
SCREE_API int64_t scree_source_rows(const scree_source *source); /* -1: known only after reading */
SCREE_API int64_t scree_source_cols(const scree_source *source);
SCREE_API scree_type scree_source_type(const scree_source *source);                    /* that rows are worked on as */
SCREE_API scree_type scree_source_element_type(const scree_source *source);            /* that they are stored as */
SCREE_API const char *scree_source_column(const scree_source *source, int64_t column); /* NULL: no names */

/* What a file says of its columns beside their names, as chrom, id, pos, A1 and A2 of variants; a text is empty where
 * it is not known. */
SCREE_API int64_t scree_source_fact_count(const scree_source *source);                   /* 0: nothing */
SCREE_API const char *scree_source_fact_name(const scree_source *source, int64_t index); /* NULL: past the last */
SCREE_API const char *scree_source_fact(const scree_source *source, int64_t column, int64_t index);

/* Rows that could not be used and were skipped or answered with NaN since the source was opened: see scree_on_error. */
SCREE_API int64_t scree_source_faults(const scree_source *source);

/* What the columns are divided by, after centring. One that does not vary is divided by 1. */
typedef enum scree_scale {
    SCREE_SCALE_NONE,    /* nothing */
    SCREE_SCALE_UNIT,    /* the standard deviation: each column is standardised (10.6) */
    SCREE_SCALE_RANGE,   /* the largest value less the smallest, at the price of one more pass */
    SCREE_SCALE_PARETO,  /* the square root of the standard deviation */
    SCREE_SCALE_GIVEN,   /* numbers that the caller gives */
    SCREE_SCALE_BINOMIAL /* genotypes 0, 1 and 2: √(2p(1-p)), p half their mean; of others at the price of a pass */
} scree_scale;

/* The scale that a fit of these rows usually has: SCREE_SCALE_BINOMIAL for genotypes, else SCREE_SCALE_NONE. */
SCREE_API scree_scale scree_source_scale(const scree_source *source);

/* One line on what was guessed ("comma-separated, header, label column 'species'"); NULL when nothing was. */
SCREE_API const char *scree_source_note(const scree_source *source);

/* == 3. Fitting == */

typedef struct scree_model scree_model;

/* What a long call tells its caller now and then; a caller that returns nonzero cancels. Lent. */
typedef struct scree_progress {
    size_t size;
    const char *stage;  /* "fit", "project", ... */
    int pass;           /* from 1 */
    int passes;         /* 0: not known */
    int64_t rows;       /* done in this pass */
    int64_t rows_total; /* -1: not known; an estimate where the source has only that */
    int64_t bytes;      /* done in this pass, as bytes of the data in memory */
    const char *part; /* of work that is no pass over rows, such as "eigenvectors"; the last pass is told with it. NULL:
                         it is a pass */
    double done;      /* of the pass or the part, from 0 to 1; negative: not known */
    double seconds_left; /* of the call, an estimate; negative: not known */
} scree_progress;

typedef int (*scree_progress_fn)(void *context, const scree_progress *progress);

/* Processes that do a call together. Each of them makes the same call with a communicator of its own and a source of
 * the same rows, all of them, of which it works on its share; rows that can be read only once are refused. What
 * scree_model_fit makes is then the same on every process, and the same to the last bit for any number of them, one
 * included; answers to rows go to the sink of process 0, in order, and the sinks of the others stay empty. A call
 * fails on all of them or on none, with the sentence of the first that failed. libscree-mpi makes one of an MPI
 * communicator (scree_mpi.h). All of it is called by the thread that made the call. */
typedef struct scree_communicator {
    size_t size;
    void *context;
    int rank;       /* of this process, from 0 */
    int ranks;      /* how many there are */
    int ranks_here; /* how many of them run on this machine, and share its cores and its memory; 0: not known */
    /* To and from one other process; they return when the bytes are sent, or there. */
    scree_status (*send)(void *context, int to, const void *data, int64_t bytes, scree_error *error);
    scree_status (*receive)(void *context, int from, void *data, int64_t bytes, scree_error *error);
    /* From process 0 to all. */
    scree_status (*broadcast)(void *context, void *data, int64_t bytes, scree_error *error);
} scree_communicator;

/* clang-format off */
#define SCREE_COMMUNICATOR_INIT {sizeof(scree_communicator), NULL, 0, 1, 0, NULL, NULL, NULL}
/* clang-format on */

/* For what the processes do beside calls that share their work: all of them call it, each with how it has fared, and it
 * fails on all of them when one has failed, with the sentence of the first that did. */
SCREE_API scree_status scree_communicator_agree(const scree_communicator *communicator, scree_status status,
                                                scree_error *error);

/* How a call may use the machine. Where a call or its options take a run, NULL is this. */
typedef struct scree_run {
    size_t size;
    int threads;        /* 0: all */
    int64_t memory;     /* bytes the call may use; 0: most of what is free */
    int64_t block_rows; /* rows read at a time; 0: planned */
    scree_progress_fn progress;
    void *progress_context;
    const char *cache; /* a folder where the measured speed of the machine is kept; NULL: predictions rest on built-in
                          rates. Times that are printed depend on it, results never do */
    const scree_communicator *communicator; /* who else works on the same rows; NULL: nobody. Calls that do not say that
                                               they share their work leave it alone */
} scree_run;

/* clang-format off */
#define SCREE_RUN_INIT {sizeof(scree_run), 0, 0, 0, NULL, NULL, NULL, NULL}
/* clang-format on */

typedef struct scree_fit_options {
    size_t size;
    int64_t components; /* how many; SCREE_ALL: min(N, D); SCREE_AUTO: as scree_selection_make recommends, at the price
                           of one more pass; 0: by share if that is set, else at most 50 */
    double share;       /* in (0,1): the fewest components that keep this share of the variance */
    const char *solver; /* one of SCREE_TABLE_SOLVERS; NULL: the planner's choice, em where values are missing and only
                           there */
    scree_scale scale;
    int ddof; /* divisor N - ddof */
    double
        tolerance; /* of an iteration: residual over eigenvalue, 0: it stops where the proven error is a tenth of the
                      sampling error; of em: estimated distance of the parameters to the optimum, relative, 0: 1e-6 */
    uint64_t seed; /* for random starts */
    const scree_run *run;
    const char *em; /* with gaps: "ml", maximum likelihood; "vb", variational Bayes, which finds the number of
                       components by itself, at most as many as asked for; NULL: vb where little was observed (fewer
                       than half of the cells, or on average fewer than 5(M+1) of a column) or the number of components
                       was left open, else ml */
    bool bayes;     /* variational Bayes for complete data too */
    bool online;    /* one pass and bounded memory even where cells are missing, for pipes without end: stepwise EM from
                       a fit of the first rows, with an error that it states; the closed form when none is missing */
    const char *kind; /* of the model, one of SCREE_TABLE_KINDS; NULL: the first of them, "pca" */
    int64_t latent;   /* latent dimensions of the model as a distribution, at most the components kept; 0: the number
                         of components where that was chosen, not by a share, else SCREE_AUTO; SCREE_AUTO: as many as
                         the data speak for (scree_selection_from_model); SCREE_NONE: none, means and one variance */
    int64_t
        bootstrap;   /* replicates of the rows by Poisson weights, for intervals whatever the distribution of the rows:
                        40 or more; 0: none. They take D² numbers each, and see the rows in the pass of the fit */
    bool no_imputer; /* with gaps: fit no imputer (scree_model_imputer); gaps are then filled from the components */
    const double *scales; /* with SCREE_SCALE_GIVEN: one for each column of the source, positive */
    bool log1p;           /* fit log(1 + x) of every cell, before anything else is done to the columns; the model does
                             the same to rows that it is asked about, and gives rows back as they came */
    bool uncentred;   /* the mean is 0 and not estimated: components of the second moments XᵀX/N, the truncated SVD
                         of the rows, of singular values √(Nλ). Without gaps and bootstrap, with divisor N */
    double normalize; /* each row is divided by its sum and multiplied by this, before log1p: counts in a million, say;
                         SCREE_NORMALIZE_MEDIAN: by the median of the sums that are not 0, at the price of one more
                         pass. Sums are over all columns of the file where the source was opened with totals. 0: it is
                         not */
    int64_t top_variance; /* only so many columns, those that vary most, after normalize and log1p, at the price of one
                             more pass; 0: all. scales are still one for each column of the source */
    const char *checkpoint;  /* a file that says how far the fit is, saved now and then, from which the same fit goes on
                                to the same bits after it was killed or cancelled (docs/checkpoints.md): where the file
                                is there, it does; of other data, options or machines it is refused. It is removed when
                                the fit is over. Not for pipes, and not online; NULL: none */
    double checkpoint_every; /* seconds from one save to the next, at least; 0: whenever there is something new */
    bool checkpoint_stays;   /* it is for the caller to remove, once the model is safe */
} scree_fit_options;

#define SCREE_NORMALIZE_MEDIAN (-1.0)

#define SCREE_ALL INT64_MAX
#define SCREE_AUTO (-INT64_C(1))
#define SCREE_NONE (-INT64_C(2))
/* clang-format off */
#define SCREE_FIT_OPTIONS_INIT                                                                                         \
    {sizeof(scree_fit_options), 0, 0.0, NULL, SCREE_SCALE_NONE, 0, 0.0, 0, NULL, NULL, false, false, NULL, 0, 0, false,\
     NULL, false, false, 0.0, 0, NULL, 300.0, false}
/* clang-format on */

/* Finds the model of all rows of the source, from its first; a pipe must be fresh. */
SCREE_API scree_status scree_model_fit(scree_model **out, scree_source *source, const scree_fit_options *options,
                                       scree_error *error);

/* What each method would cost, before anything is read. Lent. */
typedef struct scree_plan_entry {
    size_t size;
    const char *solver;
    bool applicable;
    bool chosen;
    int passes;       /* over the data; an estimate for iterative methods */
    double flops;     /* in all */
    double bytes;     /* read from the source */
    int64_t memory;   /* peak */
    double seconds;   /* predicted */
    char reason[256]; /* why chosen, why not, why not applicable */
    bool if_missing;  /* not applicable unless values turn out to be missing: what it would cost then */
} scree_plan_entry;

typedef struct scree_plan scree_plan;

/* Which method is chosen depends on the data and the options: methods are compared on a reference machine, with
 * built-in rates and 4 threads. Where the run names a cache folder, the times of this machine are predicted from what
 * it can do, measured once in some ten milliseconds and kept there. scree_model_fit makes a plan of its own, and
 * measures nothing.
 */
SCREE_API scree_status scree_plan_make(scree_plan **out, scree_source *source, const scree_fit_options *options,
                                       scree_error *error);
SCREE_API int64_t scree_plan_count(const scree_plan *plan);
SCREE_API const scree_plan_entry *scree_plan_at(const scree_plan *plan, int64_t index);
SCREE_API const char *scree_plan_basis(const scree_plan *plan); /* one line: the rates that times rest on */
SCREE_API void scree_plan_free(scree_plan *plan);

/* == 4. The model == */

/* What is proven of each component, in six arrays of the view. With r the residual ‖Su - λu‖, rounding in S included,
 * and gap the distance from λ to the other eigenvalues: an eigenvalue lies within min(r, r²/gap) of λ, and the angle to
 * its eigenvector has sine ≤ r/gap. Components nearer to each other than that are one cluster: bounds then hold for the
 * subspace of the cluster. An angle bound of 1 says nothing: the cluster reaches past the last component kept.
 *
 * The solver em has no S of its own, and proves nothing: there r estimates how far the model's covariance would still
 * move along u on the way to the optimum, ‖(C - C')u‖, the eigenvalue is said to be within r, not r²/gap, and what
 * follows from r is as good as that estimate.
 *
 * Two things hold with high probability, not for certain: with the solver lanczos, that no larger eigenvalue was missed
 * (from random probes); and for float data and the solver svd, that rounding errors add up like independent ones. */

/* Everything a model knows. Lent; arrays live as long as the model. What a kind of model does not have is 0, NULL or
 * NaN. */
typedef struct scree_model_view {
    size_t size;
    const char *kind;                /* one of SCREE_TABLE_KINDS */
    int64_t n;                       /* rows fitted; of weighted rows those with a weight above 0 */
    double weight;                   /* N in every formula: the sum of the weights; n when rows have none */
    int64_t d;                       /* columns */
    int64_t m;                       /* components kept */
    int ddof;                        /* divisor weight - ddof */
    const char *solver;              /* that found it */
    int passes;                      /* over the data */
    bool converged;                  /* every kept component reached its goal: see stop_rule */
    double tolerance;                /* asked for, residual over eigenvalue; 0: none */
    double total_variance;           /* tr S, of the scaled columns where scale is set */
    double reconstruction_error;     /* J_M (10.44) */
    double noise_variance;           /* σ² (10.79); 0 when M = D */
    const double *mean;              /* D */
    const double *scale;             /* D, or NULL */
    const double *variances;         /* D: of each column as it came; 0 when it is constant */
    const double *eigenvalues;       /* M, descending */
    const double *components;        /* M×D, orthonormal rows */
    const double *residuals;         /* M: r */
    const double *gaps;              /* M */
    const double *eigenvalue_bounds; /* M */
    const double *angle_bounds;      /* M */
    const int64_t *cluster_first;    /* M: the component itself, from 0, when it stands alone */
    const int64_t *cluster_last;     /* M */
    const char *const *columns;      /* D names, or NULL */
    int64_t observed;                /* cells that were there: n·d when none is missing */
    int64_t empty_rows;              /* rows of which nothing was observed: they count in n and say nothing */
    int iterations;                  /* of em; 0 for the other methods */
    bool bayes;                      /* em by variational Bayes */
    double log_likelihood;           /* of the observed cells, constants aside, by em: of its parameters; by Bayes a
                                        lower bound of the evidence; NaN once the model was cut; 0 for other methods:
                                        scree_model_facts */
    const char *stopped;             /* why em stopped: "tolerance", "stalled" (no rise that double can show), "floor"
                                        (noise at its least) or "iterations"; "pass" when it was one pass (online); NULL for
                                        the other methods */
    double online_angle;             /* one pass: about how far the fit of all rows at once may be from this one, the
                                        sine of the angle between their spaces; 0: this is that fit */
    double online_noise;             /* the same of σ², relative */
    int64_t image_rows;              /* when a row is an image (IDX): its shape, else 0 */
    int64_t image_cols;
    const char *solver_reason; /* why this solver was taken: "the fastest that fits"; NULL: of a model that was loaded,
                                  or made otherwise than by scree_model_fit */
    bool noise_given;          /* σ² was set by hand (scree_model_with_noise), and does not follow from the rest */
    const char *stop_rule;     /* where an iteration stopped: "sampling", its proven error is small beside that of
                                  sampling, for eigenvalue and direction, or "tolerance", which residuals may miss by
                                  rounding; NULL: all digits, or em */
    int64_t latent;            /* M of the model as a distribution, which is of the first M of the m components: see
                                  scree_model_distribution */
    bool no_latent;            /* M = 0, and not: not known */
    int64_t rest_count;        /* eigenvalues beyond those kept, in so many bins; 0: only their sum is known */
    const double *rest_values; /* the value of each bin, descending */
    const double *rest_counts; /* how many eigenvalues each stands for */
    int64_t spare_count; /* components beyond those kept: p-values of new rows and errors of scaled columns use them */
    const double *spare_values;     /* their eigenvalues, which are among those in bins */
    const double *spare_components; /* spare_count×D */
    double latent_next;             /* where the data chose M: the eigenvalue from which on a component more would have
                                       been chosen; 0: not known */
    int64_t latent_less;            /* where the data chose M: by how much a row more could have lowered it */
    const double *mean_rest;        /* D: what rounding has taken from mean, of integers beyond 2⁵³; NULL: nothing */
    bool graded;         /* small eigenvalues have kept their digits beside those of columns in much larger units */
    double noise_spread; /* of a fit with gaps: how far the variances beyond the components are from equal,
                            the square of their deviation over their mean; 0: they are, or it is not known */
    const double *seen;  /* D: rows in which each column was observed; NULL: all, or it is not known */
    int64_t distinct;    /* rows that differ from each other, of a fit without gaps: one that came ten times or more
                            counts as often as it came; 0: not known */
    int64_t alone;       /* those that are the only one to differ from all others in some column */
    int64_t rare; /* columns in which fewer than ten of them differ from all others: rows that do are not judged by
                     relations with such columns */
    const int64_t *rare_columns; /* rare, ascending */
    const double *rare_values;   /* rare: what the others have there, (x - µ)/scale */
    const char *code_prefix;     /* what codes are called, before their number: "pc" */
    scree_scale scaling;         /* what scale is; SCREE_SCALE_NONE where there is one: SCREE_SCALE_UNIT */
    bool uncentred;              /* mean is 0, and variances are second moments: see scree_fit_options */
    bool log1p;                  /* everything here, and the distribution of section 7, is of log(1 + x) */
    double normalize;            /* what rows are brought to in sum before that; 0: they are not. Rows that the model
                                    gives back are so, too: the sum of a row is not in its code */
    int64_t normalize_columns;   /* of how many columns these sums are: all of the file, and the model may use some */
    int64_t normalize_empty;     /* rows of the fit that summed to 0, and stayed as they were */
    const int64_t *kept_columns; /* D: where the columns that scree_fit_options.top_variance kept stand in the rows,
                                    from 0, where they have no names; NULL: all were kept, or they have */
} scree_model_view;

SCREE_API const scree_model_view *scree_model_get(const scree_model *model);
SCREE_API void scree_model_free(scree_model *model);

/* What a kind of model can answer. A call that needs what the model's kind has not fails with SCREE_ERR_UNSUPPORTED and
 * a sentence that says what to use instead. */
typedef enum scree_ability {
    SCREE_CAN_PROJECT,     /* rows to codes */
    SCREE_CAN_RECONSTRUCT, /* codes to rows */
    SCREE_CAN_ORDER,       /* components in the order of the variance they explain: truncate, select, spectra */
    SCREE_CAN_DENSITY,     /* section 7: likelihood, posterior, draws, gaps */
    SCREE_CAN_EXPORT,      /* ONNX */
    SCREE_CAN_EXPLAIN      /* section 11: what its components mean for columns and rows */
} scree_ability;

SCREE_API bool scree_model_can(const scree_model *model, scree_ability ability);

/* What the model says of itself beyond the view, in the order to print it: the index-th fact, NULL past the last. */
typedef struct scree_fact {
    size_t size;
    const char *name;  /* as a key: "validation_error" */
    const char *title; /* for people: "validation error" */
    const char *text;  /* the value as text */
    double number;     /* the value; NaN: it is not a number */
    const char *json;  /* the value as JSON; NULL: it is the number, or else the text */
} scree_fact;

SCREE_API const scree_fact *scree_model_fact(const scree_model *model, int64_t index);

/* The model as a distribution: what section 7 asks, with M = latent components. Lent; the model itself where it keeps
 * no more than those. Everything that speaks of a density speaks of this one: posterior means have its M. */
SCREE_API const scree_model *scree_model_distribution(const scree_model *model);

/* The same model with another number of latent dimensions, 0 to m. */
SCREE_API scree_status scree_model_with_latent(scree_model **out, const scree_model *model, int64_t latent,
                                               scree_error *error);

/* How far a component may be from that of the population which the rows were drawn from, however exactly it was
 * computed. For rows that are about normal and independent; bounds of the view are about arithmetic alone. */
typedef struct scree_sampling {
    size_t size;
    double eigenvalue; /* of the population, estimated: that of the sample less its bias */
    double error;      /* its standard error; NaN where noise is set, where columns are scaled and theory would take too
                          long: D²m² products, and where arithmetic leaves the eigenvalue more uncertain */
    double low;        /* 95 % interval of the population's eigenvalue; NaN where error is */
    double high;
    double angle;       /* expected to the population's component, radians: arcsine of the root mean square sine */
    double angle_limit; /* 95 % of samples are within; π/2: it may be any direction */
    bool noise;         /* indistinguishable from noise: noise alone has an eigenvalue as large in one of 20 samples */
    int64_t replicates; /* 0: error, interval and angles are those of theory; else of so many bootstrap replicates */
    double share_low;   /* 95 % interval of the share of the variance, by bootstrap; NaN without */
    double share_high;
} scree_sampling;

/* clang-format off */
#define SCREE_SAMPLING_INIT {sizeof(scree_sampling), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, false, 0, 0.0, 0.0}
/* clang-format on */

/* component: from 0. Only what the model knows is asked: eigenvalues, N and D, and components where columns are
 * scaled. */
SCREE_API scree_status scree_model_sampling(const scree_model *model, int64_t component, scree_sampling *out,
                                            scree_error *error);

/* What else a fit with bootstrap replicates says (scree_fit_options); NULL: there were none. It is saved with the
 * model, but not copied by scree_model_from_arrays. */
typedef struct scree_bootstrap_view {
    size_t size;
    int64_t replicates;
    int64_t signals_low;          /* 95 % of replicates have so many components that can be told from noise, or more, */
    int64_t signals_high;         /* up to so many */
    const double *loading_errors; /* M×D: standard errors of the entries of components, replicates matched by order and
                                     turned to the same side */
} scree_bootstrap_view;

SCREE_API const scree_bootstrap_view *scree_model_bootstrap(const scree_model *model);

/* A fit of rows with gaps also fits an imputer, which fills gaps better than the components do, with intervals that
 * include what is not known of the parameters: up to three factor models of the standardised columns, by variational
 * Bayes, weighted by how well each predicts cells that were held out in the pattern of the gaps. scree_model_impute and
 * scree_model_impute_rows use it; components, densities and everything else do not. It is saved with the model; a model
 * that is cut, or given another noise or another number of latent dimensions, has none. NULL: there is none. */
typedef struct scree_imputer_view {
    size_t size;
    int64_t fits;          /* 1 to 3 */
    int64_t components;    /* of the largest */
    const double *weights; /* fits */
    double widening;       /* what standard deviations are multiplied by, so that 95 % of the held-out cells are within
                              1.96 of them */
    int64_t held_out;      /* cells that weights and widening were found from */
    int64_t singles;       /* columns of a single value: deviations and draws of their missing cells are NaN */
    int64_t single;        /* the first of them */
    bool relations_sought; /* there were complete rows enough to see relations between columns, if there are any */
} scree_imputer_view;

SCREE_API const scree_imputer_view *scree_model_imputer(const scree_model *model);

/* Linear relations between columns that held in all fitted rows: a copied column, a sum. With y = (x - µ)/scale, column
 * columns[k] is Σ_j coefficients[k·D + j] y_j, plus a constant; no such column has a part in another one's. Exact ones,
 * of variance 0, are honoured: missing cells that they determine are filled so, draws keep to them, and a row that
 * breaks one by more than rounding has a p-value of 0, unless it is one of the few that differ from the others in a
 * column of it (rare in scree_model_view). Others held but for errors of that variance, as after rounding
 * to a few digits; they only help to fill gaps. Looked for in up to 256 columns, by methods that find all of S; with
 * gaps, from complete rows. NULL: there is none, or nobody looked. */
typedef struct scree_relations_view {
    size_t size;
    int64_t count;
    const int64_t *columns;     /* count, ascending */
    const double *coefficients; /* count×D */
    const double *variances;    /* count */
} scree_relations_view;

SCREE_API const scree_relations_view *scree_model_relations(const scree_model *model);

/* Relation k as an equation between columns as they came, "a + 2·b = c", cut to size bytes with its final 0. */
SCREE_API void scree_model_relation_text(const scree_model *model, int64_t k, char *text, size_t size);

/* The same model with fewer components; needs no data. Its distribution has at most as many. */
SCREE_API scree_status scree_model_truncate(scree_model **out, const scree_model *model, int64_t components,
                                            scree_error *error);

/* A .scree file is a safetensors file (docs/format.md). Saving is atomic; loading checks everything. */
SCREE_API scree_status scree_model_save(const scree_model *model, const char *path, scree_error *error);
SCREE_API scree_status scree_model_load(scree_model **out, const char *path, scree_error *error);

/* The same bytes in memory: *out is to be freed with scree_buffer_free. */
SCREE_API scree_status scree_model_save_buffer(void **out, size_t *bytes, const scree_model *model, scree_error *error);
SCREE_API scree_status scree_model_load_buffer(scree_model **out, const void *data, size_t bytes, scree_error *error);
SCREE_API void scree_buffer_free(void *buffer);

/* A model of the kind "pca" from its numbers: a view that the caller has filled, all of it copied. n, d, m,
 * eigenvalues and components are needed. What is 0 or NULL is not known: no scale, no names, mean 0, variances those of
 * the model's own covariance, total_variance the sum of the eigenvalues, weight n, solver "arrays"; latent m, without
 * residuals nothing is proven, and bounds say so. A negative noise_variance is computed (10.79). λ must descend and
 * components be orthonormal to 1e-6. The view of a model gives the same model to the last bit, less its bootstrap,
 * its imputer and the relations between its columns. */
/* clang-format off */
#define SCREE_MODEL_VIEW_INIT                                                                                          \
    {sizeof(scree_model_view), NULL, 0, 0.0, 0, 0, 0, NULL, 0, true, 0.0, 0.0, 0.0, -1.0, NULL, NULL, NULL, NULL,      \
     NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, false, 0.0, NULL, 0.0, 0.0, 0, 0, NULL, false, NULL,      \
     0, false, 0, NULL, NULL, 0, NULL, NULL, 0.0, 0, NULL, false, 0.0, NULL, 0, 0, 0,                                  \
     NULL, NULL, NULL, SCREE_SCALE_NONE, false, false, 0.0, 0, 0, NULL}
/* clang-format on */
SCREE_API scree_status scree_model_from_arrays(scree_model **out, const scree_model_view *arrays, scree_error *error);

/* The model as an ONNX graph, for the runtimes of other languages and devices: rows "x" [N, D] become "codes" [N, M],
 * z = Uᵀ(x - µ), and these "reconstruction" [N, D]. Codes in float are scree's to 1e-5 of the spread of the
 * data, reconstructions to that or to 6e-8 of the mean. A gap (NaN) in a row is not filled there: it makes NaN of what
 * depends on it. Written whole or not at all. */
typedef struct scree_onnx_options {
    size_t size;
    const char *part; /* "encode": codes only; "decode": reconstruction, from codes; NULL or "both": x to both */
    scree_type type;  /* SCREE_F32 or SCREE_F64: of all that goes in and out */
} scree_onnx_options;

/* clang-format off */
#define SCREE_ONNX_OPTIONS_INIT {sizeof(scree_onnx_options), NULL, SCREE_F32}
/* clang-format on */

SCREE_API scree_status scree_model_export_onnx(const scree_model *model, const char *path,
                                               const scree_onnx_options *options, scree_error *error);

/* == 5. Answers, row by row in memory == */

/* codes, rows×M: z = Uᵀ(x - µ)  (10.3). Cells may be missing (NaN): see section 6. */
SCREE_API scree_status scree_model_project_rows(const scree_model *model, const scree_block *rows, double *codes,
                                                const scree_run *run, scree_error *error);

/* data, rows×D: x̃ = Uz + µ  (10.3) */
SCREE_API scree_status scree_model_reconstruct_rows(const scree_model *model, const scree_block *codes, double *data,
                                                    const scree_run *run, scree_error *error);

/* == 6. Where answers go, and answers from source to sink == */

typedef struct scree_sink scree_sink;

typedef struct scree_write_options {
    size_t size;
    const char *format; /* one of SCREE_TABLE_WRITERS; NULL: by extension, CSV when there is none */
    scree_type type;    /* NPY, HDF5: element type */
    bool spreadsheet;   /* CSV, TSV: an apostrophe before texts that a spreadsheet would take for a formula */
    bool append;        /* CSV, TSV: rows are added to a file that may exist, and then has the same header, which is not
                           written again; they are there as soon as they are written, and stay whatever follows */
    const char *into;   /* AnnData: the file whose copy the rows, one for each of its cells, are written into; it may be
                           the output itself. NULL: none, and a new file is made where the format allows it */
    const scree_model_view *model; /* AnnData: the model that rows are codes of, kept with them; NULL: not known */
} scree_write_options;

/* clang-format off */
#define SCREE_WRITE_OPTIONS_INIT {sizeof(scree_write_options), NULL, SCREE_F64, false, false, NULL, NULL}
/* clang-format on */

/* A file, "-" for standard output. It appears under its name when finished, whole or not at all. */
SCREE_API scree_status scree_sink_open(scree_sink **out, const char *path, const scree_write_options *options,
                                       scree_error *error);
/* The caller's memory, rows×cols doubles, filled from the top. */
SCREE_API scree_status scree_sink_to_memory(scree_sink **out, double *data, int64_t rows, int64_t cols,
                                            scree_error *error);
/* The caller's own code. A callback that fails fills the error with its sentence, which becomes that of the call. */
typedef struct scree_sink_calls {
    size_t size;
    void *context;
    /* Once, before the first rows: what they will be. rows: -1 when not known; columns: cols names, or NULL; text
     * columns as scree_source_calls has them. NULL: not wanted. */
    scree_status (*begin)(void *context, int64_t rows, int64_t cols, const char *const *columns,
                          const char *const *text_names, int64_t text_count, scree_error *error);
    /* Rows in order, as doubles: cols of them in a row, dense; texts or NULL. Lent for the time of the call. */
    scree_status (*write)(void *context, const scree_block *rows, scree_error *error);
    scree_status (*finish)(void *context, scree_error *error); /* by scree_sink_finish; NULL: nothing to do */
    void (*release)(void *context); /* once, when the sink is freed; never when it could not be made; NULL: nothing */
    const char *name;               /* for messages; NULL: "rows" */
} scree_sink_calls;

/* clang-format off */
#define SCREE_SINK_CALLS_INIT {sizeof(scree_sink_calls), NULL, NULL, NULL, NULL, NULL, NULL}
/* clang-format on */

SCREE_API scree_status scree_sink_to_calls(scree_sink **out, const scree_sink_calls *calls, scree_error *error);

SCREE_API scree_status scree_sink_finish(scree_sink *sink, scree_error *error);
/* Files appear together or not at all, even if the last cannot get its name. Sinks may be NULL: those are passed over.
 */
SCREE_API scree_status scree_sink_finish_all(scree_sink *const *sinks, int64_t count, scree_error *error);
SCREE_API void scree_sink_free(scree_sink *sink); /* an unfinished file is removed; NULL-safe */

/* For programs that must not fail after their files have appeared: from hold on, files that are finished are complete
 * and synced, but wait under temporary names, until publish gives all of them their names, together or none, or discard
 * removes them; both end the waiting. Of the whole process. */
SCREE_API void scree_outputs_hold(void);
SCREE_API scree_status scree_outputs_publish(scree_error *error);
SCREE_API void scree_outputs_discard(void);

/* For signal handlers: removes unfinished files; async-signal-safe. */
SCREE_API void scree_cleanup(void);

/* Each reads the source from its first row to its end and writes a row for a row, label and id columns carried
 * through. Columns are matched by name when both model and data have names. run may be NULL.
 *
 * A row with gaps (NaN) is answered given the cells that are there, by the model as a probability distribution (section
 * 7): its code is E[z|x_o], as if the gaps were filled with what is expected in them, E[x_m|x_o]. Where σ² = 0 that is
 * least squares, and what the cells leave open stays at its mean. A row with nothing in it is taken for the mean.
 * Infinite cells are errors. */
SCREE_API scree_status scree_model_project(const scree_model *model, scree_source *source, scree_sink *sink,
                                           const scree_run *run, scree_error *error);
/* Codes are found by their names pc1..pcM where they have such names. */
SCREE_API scree_status scree_model_reconstruct(const scree_model *model, scree_source *codes, scree_sink *sink,
                                               const scree_run *run, scree_error *error);

/* Codes of unit variance: each divided by the square root of its eigenvalue, in columns that are called w1..wM. */
typedef struct scree_whiten_options {
    size_t size;
    int ddof; /* the variances that become 1 have the divisor N - ddof: 0 or 1; -1: that of the model */
    const scree_run *run;
} scree_whiten_options;

/* clang-format off */
#define SCREE_WHITEN_OPTIONS_INIT {sizeof(scree_whiten_options), -1, NULL}
/* clang-format on */

/* Fails where an eigenvalue is no more than rounding, or the model's kind does not order its components. */
SCREE_API scree_status scree_model_whiten(const scree_model *model, scree_source *source, scree_sink *sink,
                                          const scree_whiten_options *options, scree_error *error);
/* The rows of such codes, found by their names w1..wM where they have such names. scree_model_reconstruct refuses
 * these names. */
SCREE_API scree_status scree_model_unwhiten(const scree_model *model, scree_source *codes, scree_sink *sink,
                                            const scree_whiten_options *options, scree_error *error);
/* Project and reconstruct in one step: x̃ = UUᵀ(x - µ) + µ. mean_squared_error, when not NULL, receives
 * (1/N) Σ ‖x - x̃‖² (10.29), over the cells that are there, in the scaled columns where the model has a scale. sink may
 * be NULL. */
SCREE_API scree_status scree_model_round_trip(const scree_model *model, scree_source *source, scree_sink *sink,
                                              double *mean_squared_error, const scree_run *run, scree_error *error);
/* Rows as they are, from one format to another. */
SCREE_API scree_status scree_source_copy(scree_source *source, scree_sink *sink, const scree_run *run,
                                         scree_error *error);

/* The gaps that the last of these calls, or of those below, has met in the source; those of a source of draws are of
 * the rows that were explored so far. */
typedef struct scree_gaps {
    size_t size;
    int64_t rows;  /* with at least one missing cell among the model's columns */
    int64_t cells; /* that were missing */
    int64_t empty; /* rows of which nothing was observed: the answer was the prior's */
} scree_gaps;

/* clang-format off */
#define SCREE_GAPS_INIT {sizeof(scree_gaps), 0, 0, 0}
/* clang-format on */

SCREE_API scree_status scree_source_gaps(const scree_source *source, scree_gaps *gaps, scree_error *error);

/* == 7. The model as a probability distribution (10.63-10.81) == */

/* The model says: z ~ N(0, I), x = Bz + µ + ε, ε ~ N(0, σ²I), with B = U(Λ - σ²I)^½; so x ~ N(µ, BBᵀ + σ²I). In this
 * section M is latent, the number of components of the distribution (scree_model_distribution), which may be fewer than
 * the m that are kept; U, Λ and σ² are the distribution's, and arrays that a call fills have room for that M. Where the
 * model has a scale, that is said of the scaled columns, and everything below is given back in the columns as they
 * came. No D×D matrix is formed unless a function's name says dense. A density needs σ² > 0: a model that keeps all D
 * components, or explains everything, has σ² = 0, and calls that need a density then fail with a sentence; give such a
 * model a floor with scree_model_with_noise. */

/* The same model with another σ². 0 is the noise-free limit: PCA (10.80). Components with λ ≤ σ² get no loading. The
 * new σ² stays with the model when it is saved, and when it is truncated. */
SCREE_API scree_status scree_model_with_noise(scree_model **out, const scree_model *model, double noise,
                                              scree_error *error);

/* What the spectrum says of the whole. NaN where σ² = 0 leaves a number without meaning. */
typedef struct scree_facts {
    size_t size;
    double log_likelihood;     /* of the N rows fitted */
    double mutual_information; /* I(x; z) in nats */
    double effective_rank;     /* exp of the entropy of the shares of variance; at most, if components were left out */
} scree_facts;

/* clang-format off */
#define SCREE_FACTS_INIT {sizeof(scree_facts), 0.0, 0.0, 0.0}
/* clang-format on */

SCREE_API scree_status scree_model_facts(const scree_model *model, scree_facts *facts, scree_error *error);

/* What a row costs when it may be off by a given mean squared error, by the best code there is for rows of the model's
 * distribution (reverse water-filling): directions whose variance is above a level θ are coded to an error of θ, the
 * others not at all. At the distortion Dσ² the rate is the mutual information. */
typedef struct scree_rate {
    size_t size;
    double distortion; /* E‖x - x̃‖² that is allowed, in the units of J_M */
    double level;      /* θ */
    int64_t coded;     /* directions with a variance above θ */
    double bits;       /* a row */
} scree_rate;

/* clang-format off */
#define SCREE_RATE_INIT {sizeof(scree_rate), 0.0, 0.0, 0, 0.0}
/* clang-format on */

/* distortion: positive. */
SCREE_API scree_status scree_model_rate(const scree_model *model, double distortion, scree_rate *rate,
                                        scree_error *error);

/* B, D×M with M = latent (10.71: it is also Cov[x, z]). */
SCREE_API scree_status scree_model_loadings(const scree_model *model, double *loadings, scree_error *error);

/* y = (BBᵀ + σ²I) x and its inverse, in O(DM); x and y hold D numbers and do not overlap. */
SCREE_API scree_status scree_model_marginal_multiply(const scree_model *model, const double *x, double *y,
                                                     scree_error *error);
SCREE_API scree_status scree_model_precision_multiply(const scree_model *model, const double *x, double *y,
                                                      scree_error *error);
/* The same as D×D matrices, and the covariance of (x, z), (D+M)×(D+M) with M = latent (10.72); its mean is (µ, 0). */
SCREE_API scree_status scree_model_marginal_dense(const scree_model *model, double *covariance, scree_error *error);
SCREE_API scree_status scree_model_precision_dense(const scree_model *model, double *precision, scree_error *error);
SCREE_API scree_status scree_model_joint_dense(const scree_model *model, double *covariance, scree_error *error);

/* p(z|x) = N(m, C) (10.73-10.75). C is diagonal, and the same for every x without gaps: variances holds its M = latent
 * entries, logdet ln det C (-inf when σ² = 0). Either may be NULL. */
SCREE_API scree_status scree_model_posterior_covariance(const scree_model *model, double *variances, double *logdet,
                                                        scree_error *error);

/* A row with gaps has a covariance of its own, C_o = σ²(B_oᵀB_o + σ²I)⁻¹ with the rows of B that belong to its observed
 * columns o: wider than C, and not diagonal. For each row m, and the diagonal of its covariance: rows×M each, M =
 * latent, either may be NULL; */
SCREE_API scree_status scree_model_posterior_rows(const scree_model *model, const scree_block *rows, double *means,
                                                  double *variances, const scree_run *run, scree_error *error);
/* and all of it for one row: mean M, covariance M×M, its ln det, M = latent. Each may be NULL. */
SCREE_API scree_status scree_model_posterior_row(const scree_model *model, const double *row, double *mean,
                                                 double *covariance, double *logdet, scree_error *error);

/* What a model thinks of each row. With gaps it is the density of what is there, ln p(x_o); T² and Q are those of the
 * model that the observed columns make, and follow the same laws with their number for D. A row with nothing observed
 * has ln p = 0, T² = Q = 0 and p = 1. */
typedef struct scree_scores {
    size_t size;
    double *loglik;  /* ln p(x) (10.70) */
    double *t2;      /* Hotelling's T² = Σ t²/λ: how far out within the subspace */
    double *q;       /* ‖(x - µ) - Ut‖²: how far from it, in the scaled columns */
    double *p_t2;    /* the chance of a T² at least as large, given what was estimated from how many rows */
    double *p_q;     /* the chance of a Q at least as large */
    double *p_value; /* both together; or the calibrated one. NaN where as many components as rows were estimated */
} scree_scores;      /* a number for each row; NULL: not wanted */

/* clang-format off */
#define SCREE_SCORES_INIT {sizeof(scree_scores), NULL, NULL, NULL, NULL, NULL, NULL}
/* clang-format on */

/* A scorer: made once for a model, which must outlive it, and an occasion. */
typedef struct scree_scorer scree_scorer;

typedef struct scree_score_options {
    size_t size;
    bool training; /* the rows are those that were fitted: their T² and Q follow other distributions than new rows' */
    double alpha;  /* false alarms: a row with p ≤ alpha is an outlier; 0: 0.01 */
    bool fdr;      /* Benjamini-Hochberg: alpha is the expected share of false alarms among the outliers */
    int64_t blame_columns; /* name so many columns to blame for each outlier; 0: none */
} scree_score_options;

/* clang-format off */
#define SCREE_SCORE_OPTIONS_INIT {sizeof(scree_score_options), false, 0.0, false, 0}
/* clang-format on */

SCREE_API scree_status scree_scorer_make(scree_scorer **out, const scree_model *model,
                                         const scree_score_options *options, scree_error *error);
SCREE_API void scree_scorer_free(scree_scorer *scorer);

/* From now on p_value is calibrated by these rows, which must not be among those fitted: it holds for data of any
 * distribution (split conformal, p = (1 + #{calibration rows at most as likely})/(n + 1)). Densities over different
 * columns cannot be ranked: rows with gaps are left out, and scree_source_gaps counts them; a calibrated scorer that
 * meets one fails. */
SCREE_API scree_status scree_scorer_calibrate(scree_scorer *scorer, scree_source *source, const scree_run *run,
                                              scree_error *error);

SCREE_API scree_status scree_scorer_score_rows(const scree_scorer *scorer, const scree_block *rows,
                                               const scree_scores *scores, const scree_run *run, scree_error *error);

/* Squared residuals of one row, D of them: what each column contributes to Q; 0 where the cell is missing. */
SCREE_API scree_status scree_model_contributions(const scree_model *model, const double *row, double *contributions,
                                                 scree_error *error);

typedef struct scree_score_summary {
    size_t size;
    int64_t rows;
    int64_t outliers;
    double loglik;          /* of all rows together */
    double threshold;       /* a row with p_value ≤ this is an outlier */
    int64_t rows_without_p; /* NaN: the fit had too few rows for so many components */
    bool differs;        /* the p-values are not spread evenly, and are to be calibrated: rows that were fitted are not
                            Gaussian, and new ones neither, or they are unlike those that were fitted */
    int64_t broken_rows; /* that break an exact relation between columns: their p-value is 0, unless calibrated */
    int64_t broken_relation;  /* the first relation that one of them breaks */
    int64_t columns_left_out; /* observed too seldom in the fit to judge rows by: as if they were missing */
    int64_t column_left_out;  /* the first of them */
    bool fitted; /* the rows are those that were fitted, by their number and their distances, but were not said to be */
    double t2_limit; /* the T² that a row passes by chance with the probability of the threshold, by itself; NaN: there
                        is no such law, or p-values are calibrated. Outliers are found from both together */
    double q_limit;  /* the same of Q */
} scree_score_summary;

/* clang-format off */
#define SCREE_SCORE_SUMMARY_INIT {sizeof(scree_score_summary), 0, 0, 0.0, 0.0, 0, false, 0, 0, 0, 0, false, 0.0, 0.0}
/* clang-format on */

/* From source to sink: columns loglik, t2, q, p_value, outlier (0 or 1), and a text column why where it is asked for.
 * With fdr the source is read twice. sink and summary may be NULL. */
SCREE_API scree_status scree_scorer_score(const scree_scorer *scorer, scree_source *source, scree_sink *sink,
                                          scree_score_summary *summary, const scree_run *run, scree_error *error);

/* Whether new rows, all together, are still like those that a model was fitted to: four checks, each with its p-value.
 * docs/drift.md says what each rests on. */
typedef struct scree_drift scree_drift;
typedef enum scree_drift_part {
    SCREE_DRIFT_MEAN,
    SCREE_DRIFT_SPREAD,
    SCREE_DRIFT_ANGLE,
    SCREE_DRIFT_LIKELIHOOD,
    SCREE_DRIFT_CHECKS /* how many there are */
} scree_drift_part;

typedef struct scree_drift_options {
    size_t size;
    double level; /* rows like those fitted are said to have drifted with this probability; 0: 0.05 */
    bool exact;   /* the model's numbers are exact, as for draws of scree_source_sample; else they are estimates, and
                     rows fitted and new ones two samples of one population */
    const scree_run *run;
    scree_source *fitted; /* the rows that were fitted, or a sample of them: p-values then are shares of shuffles of all
                             rows, right for any distribution and any number of them. All rows are held in memory. NULL:
                             the laws of rows that are not too far from normal. Not with exact */
} scree_drift_options;

/* clang-format off */
#define SCREE_DRIFT_OPTIONS_INIT {sizeof(scree_drift_options), 0.0, false, NULL, NULL}
/* clang-format on */

typedef struct scree_drift_check {
    size_t size;
    const char *name;  /* "mean", "spread", "angle", "likelihood" */
    const char *title; /* for people: "distance of the mean" */
    const char *unit;  /* "standard deviations", "times", "degrees", "per row" */
    double found; /* Mahalanobis distance of the mean, variance over what it was, largest angle, mean ln p(x), or NaN */
    double expected;    /* of rows like those fitted; of a distance and an angle about what chance makes them */
    double p_value;     /* NaN: there is none */
    bool drifted;       /* the p-value is at most the level, shared among the checks */
    const char *reason; /* why there is no p-value; NULL: there is one */
} scree_drift_check;

/* A column or component that has changed. A column is judged by what the components leave of it. */
typedef struct scree_drift_blame {
    size_t size;
    scree_drift_part part;
    int64_t column;    /* from 0; -1: it is a component */
    int64_t component; /* from 0; -1: it is a column */
    double change;  /* of the mean in standard deviations; new variance over old; squared slope over that of chance */
    double p_value; /* adjusted for all columns, or components, that could have been to blame */
} scree_drift_blame;

typedef struct scree_drift_view {
    size_t size;
    int64_t rows;  /* that were judged */
    int64_t gaps;  /* rows with missing cells, which were left out */
    double fitted; /* rows that the model was fitted to, as they count here, or those given; infinite: with exact */
    double level;
    double p_value;   /* of all checks together (Šidák); NaN: there is none */
    bool drifted;     /* it is at most the level */
    int64_t blames;   /* those with p_value at most the level, shared among the checks, the smallest first */
    int64_t moved;    /* columns that never varied in the fit, and do now */
    int64_t shuffles; /* of which the p-values of checks are shares; 0: they are by law */
    bool normal; /* fourth moments of the new rows are like those of normal ones. Where they are not, p-values by law
                    are approximate; those by shuffles hold */
} scree_drift_view;

/* One pass, O(DM) a row. Rows count alike: weights are refused. The model must outlive the result, which lends. */
SCREE_API scree_status scree_drift_make(scree_drift **out, const scree_model *model, scree_source *source,
                                        const scree_drift_options *options, scree_error *error);
SCREE_API const scree_drift_view *scree_drift_get(const scree_drift *drift);
SCREE_API const scree_drift_check *scree_drift_check_at(const scree_drift *drift, int64_t index); /* or NULL */
SCREE_API const scree_drift_blame *scree_drift_blame_at(const scree_drift *drift, int64_t index); /* or NULL */
SCREE_API void scree_drift_free(scree_drift *drift);                                              /* NULL-safe */

/* Columns m1..mM; with interval in (0,1) also m1_low, m1_high, ...: where each z_j lies with that probability, by the
 * row's own covariance where it has gaps. */
typedef struct scree_posterior_options {
    size_t size;
    double interval; /* 0: none */
    const scree_run *run;
} scree_posterior_options;

/* clang-format off */
#define SCREE_POSTERIOR_OPTIONS_INIT {sizeof(scree_posterior_options), 0.0, NULL}
/* clang-format on */

SCREE_API scree_status scree_model_posterior(const scree_model *model, scree_source *source, scree_sink *sink,
                                             const scree_posterior_options *options, scree_error *error);

/* Draws are sources: copy them to a sink, fit them, score them. The same bits for any number of threads; the model must
 * outlive the source. */

typedef struct scree_sample_options {
    size_t size;
    int64_t rows; /* draws */
    uint64_t seed;
    const scree_run *run;
    int64_t held; /* bytes that the program holds for itself: see scree_read_options */
} scree_sample_options;

/* clang-format off */
#define SCREE_SAMPLE_OPTIONS_INIT {sizeof(scree_sample_options), 1, 0, NULL, 0}
/* clang-format on */

/* Draws of x (10.64, 10.66). */
SCREE_API scree_status scree_source_sample(scree_source **out, const scree_model *model,
                                           const scree_sample_options *options, scree_error *error);

typedef struct scree_explore_options {
    size_t size;
    int64_t row;   /* from 0: only this row; -1: every row */
    int64_t draws; /* for each row */
    bool latent;   /* z* in front: columns z1..zM */
    uint64_t seed;
    const scree_run *run;
} scree_explore_options;

/* clang-format off */
#define SCREE_EXPLORE_OPTIONS_INIT {sizeof(scree_explore_options), -1, 1, false, 0, NULL}
/* clang-format on */

/* For each row x*: z* ~ p(z|x*), then x̃* ~ p(x|z*) (10.7.3). Columns row (from 1), draw, x̃. Owns rows on success. */
SCREE_API scree_status scree_source_explore(scree_source **out, const scree_model *model, scree_source *rows,
                                            const scree_explore_options *options, scree_error *error);

/* Filling gaps, from p(x_m|x_o) = N(B_m E[z|x_o] + µ_m, B_m C_o B_mᵀ + σ²I). Cells that are there come back bit for
 * bit.
 */

/* filled, rows×D: E[x_m|x_o] in the gaps. sd, rows×D, or NULL: the standard deviation of what was filled in, 0 for what
 * was there; widened for what N rows leave open of the parameters, and by Student's law, so that 1.96 deviations hold
 * a cell in 95 %. Draws are spread likewise. */
typedef struct scree_imputed {
    size_t size;
    double *filled;
    double *sd;
} scree_imputed;

/* clang-format off */
#define SCREE_IMPUTED_INIT {sizeof(scree_imputed), NULL, NULL}
/* clang-format on */

SCREE_API scree_status scree_model_impute_rows(const scree_model *model, const scree_block *rows,
                                               const scree_imputed *out, const scree_run *run, scree_error *error);

typedef struct scree_impute_options {
    size_t size;
    int64_t draws; /* 0: expectations; else so many draws of each row, for multiple imputation */
    uint64_t seed;
    const scree_run *run;
} scree_impute_options;

/* clang-format off */
#define SCREE_IMPUTE_OPTIONS_INIT {sizeof(scree_impute_options), 0, 0, NULL}
/* clang-format on */

/* From source to sink, the columns as they are in the source; those that the model does not know pass through, gaps
 * included. With draws, rows without gaps are repeated as well, and the columns row (from 1) and draw stand in front.
 * sd, or NULL, receives the standard deviations, a row for a row: 0 for what was there, NaN for gaps that stay. What
 * was filled, scree_source_gaps tells. */
SCREE_API scree_status scree_model_impute(const scree_model *model, scree_source *source, scree_sink *sink,
                                          scree_sink *sd, const scree_impute_options *options, scree_error *error);

/* == 8. How many components == */

/* Every criterion side by side, for M = 0, 1, ..., max_components. Those that look at the spectrum alone are computed
 * from all its eigenvalues with divisor N; those that predict data which they have not seen, from the moments of folds
 * of the rows, gathered in the same single pass. docs/select.md says what each is and when to trust it. */

typedef struct scree_selection scree_selection;

typedef struct scree_select_options {
    size_t size;
    int64_t max_components; /* look at M up to this; 0: all that the data allows */
    int folds;              /* 2 to 20; 0: 5 */
    double noise_sd;   /* standard deviation of the noise of every (scaled) column, where it is known; 0: it is not */
    scree_scale scale; /* as in a fit; ignored for a model, which knows its own */
    uint64_t seed;     /* for the folds, and for the random data of parallel analysis */
    const scree_run *run;
    const double *scales; /* with SCREE_SCALE_GIVEN, as in a fit */
    bool log1p;           /* as in a fit */
    double normalize;     /* and so are these */
    int64_t top_variance;
} scree_select_options;

/* clang-format off */
#define SCREE_SELECT_OPTIONS_INIT                                                                                      \
    {sizeof(scree_select_options), 0, 0, 0.0, SCREE_SCALE_NONE, 0, NULL, NULL, false, 0.0, 0}
/* clang-format on */

/* Lent; lives as long as the selection. */
typedef struct scree_criterion {
    size_t size;
    const char *name;     /* "minka" */
    const char *title;    /* "Minka's evidence" */
    const char *rule;     /* how it chooses: "largest" */
    const double *values; /* max_components + 1 of them, for M = 0, 1, ..., NaN for an M without a value; NULL: not
                             computed */
    const char *reason;   /* why it was not computed, or why it chooses none; NULL otherwise */
    int64_t choice;       /* -1: none */
    bool votes;           /* its choice counts for the recommendation */
    bool beyond;          /* it chooses none because it would take all components that are known, or more */
} scree_criterion;

/* Lent; lives as long as the selection. */
typedef struct scree_selection_view {
    size_t size;
    int64_t n;
    int64_t d;                 /* columns */
    int64_t directions;        /* in which the rows vary: D less constant and redundant columns */
    int64_t max_components;    /* the largest M looked at */
    const double *eigenvalues; /* max_components of them, divisor N */
    double total_variance;     /* tr S, divisor N */
    int64_t recommended;       /* M; 0: nothing stands out from noise */
    const char *reason;        /* of the recommendation, one sentence */
    const char *warning;       /* where the criteria disagree; NULL when they do not */
    int64_t fewest;            /* numbers that can be defended, from this one */
    int64_t most;              /* to this one; both are recommended where what is left is only noise */
    const char *gaps;          /* what was done about missing cells; NULL: there are none */
    const char *noise;         /* how the noise differs from white noise; NULL: it does not, or it is not known */
} scree_selection_view;

/* One pass over all rows of the source. Where the columns are too many for D×D matrices in memory, a fit of the leading
 * components takes its place, and the criteria that need the whole spectrum or the folds say so. Processes share the
 * rows and the work (scree_run.communicator), and what it makes is the same on all of them. */
SCREE_API scree_status scree_selection_make(scree_selection **out, scree_source *source,
                                            const scree_select_options *options, scree_error *error);

/* From what a model knows, without data: the criteria that its eigenvalues suffice for. */
SCREE_API scree_status scree_selection_from_model(scree_selection **out, const scree_model *model,
                                                  const scree_select_options *options, scree_error *error);

SCREE_API const scree_selection_view *scree_selection_get(const scree_selection *selection);
/* In a fixed order; NULL past the last. */
SCREE_API const scree_criterion *scree_selection_criterion(const scree_selection *selection, int64_t index);
SCREE_API void scree_selection_free(scree_selection *selection); /* NULL-safe */

/* == 9. Auto-encoders (10.76) == */

/* A network that makes a code of a row, and a network that makes a row of a code, trained together so that the mean
 * squared error (1/N) Σ ‖x - x̃‖² is small. It is a model: scree_model_project, scree_model_reconstruct,
 * scree_model_round_trip, scree_model_plot, scree_model_report, scree_model_save and scree_model_load take it as they
 * take PCA; what only the probability model can answer fails with a sentence that says so. Errors are mean squared
 * errors of a row, in the units of the data. */
typedef struct scree_network_view {
    size_t size;
    int64_t layers;         /* of both networks */
    int64_t encoder_layers; /* of the first */
    const int64_t *widths;  /* layers + 1: D, hidden ..., code, hidden ..., D */
    const char *activation; /* of hidden layers: "gelu", "relu", "tanh"; "linear" when there are none */
    const char *output;     /* "linear" or "sigmoid" */
    bool tied;              /* the second network has the weights of the first, transposed */
    uint64_t seed;
    int64_t training_rows;
    int64_t validation_rows; /* that were never trained on */
    int64_t epochs;          /* trained */
    int64_t best_epoch;      /* of which this is the network */
    double training_error;
    double validation_error;   /* NaN: no rows were kept for it */
    double pca_training_error; /* J_M of PCA with as many components, fitted to the same training rows (10.44) */
    double pca_validation_error;
    const char *stopped; /* "epochs", "patience", "converged", "time", "cancelled" */
} scree_network_view;

/* Of an auto-encoder; NULL for other kinds. Lent. */
SCREE_API const scree_network_view *scree_model_network(const scree_model *model);

/* What is told after each epoch. Lent. */
typedef struct scree_epoch {
    size_t size;
    int64_t epoch;           /* from 1 */
    int64_t epochs;          /* at most */
    double training_error;   /* mean over the epoch, while weights changed */
    double validation_error; /* NaN: none */
    double pca_error;        /* of PCA on the validation rows, or on the training rows where there are none */
    double seconds;          /* since training began */
} scree_epoch;

typedef struct scree_autoencode_options {
    size_t size;
    int64_t code;          /* code length; 1 to D */
    const int64_t *hidden; /* widths of the layers between row and code; of the second network in reverse */
    int64_t hidden_count;
    bool linear;            /* encoder Bᵀ, decoder B: its optimum is the space of PCA; trained on all rows at once */
    int tied;               /* 1, 0; -1: automatic (tied if linear) */
    const char *activation; /* NULL: "gelu" */
    const char *output;     /* NULL: "sigmoid" for bytes (uint8) of which a network with hidden layers is made, else
                               "linear" */
    int64_t epochs;         /* at most; 0: 100, or up to 1000 for 3200 updates in all; linear 500 */
    int64_t batch;          /* rows an update; 0: for 32 updates an epoch, 16 to 256 */
    double rate;            /* of Adam, at its peak; 0: 0.001, narrow layers more: √(1000/widest), to 0.005 */
    double decay;           /* of weights, towards 0; as AdamW */
    double validation;      /* share of the rows that are kept apart, chosen at random; negative: 0.1, linear 0 */
    int64_t patience;       /* epochs without a better validation error; 0: a fifth of epochs */
    double seconds;         /* of training; fewer epochs are planned where the first shows that they would take longer;
                               0: any time */
    uint64_t seed;          /* the same seed gives the same bits */
    const scree_model *resume; /* goes on: where an interrupted training stopped, to the same bits as if it had not
                                been; from a finished network, for epochs more: it stays where none is better */
    void (*on_epoch)(void *context, const scree_epoch *epoch); /* NULL: not called */
    void *on_epoch_context;
    const scree_run *run;   /* cancelled: the best network so far is returned, if one epoch was done */
    const char *checkpoint; /* as in scree_fit_options, from which training goes on; the PCA beside it is found again */
    double checkpoint_every;
    bool checkpoint_stays;
} scree_autoencode_options;

/* clang-format off */
#define SCREE_AUTOENCODE_OPTIONS_INIT                                                                                  \
    {sizeof(scree_autoencode_options), 0, NULL, 0, false, -1, NULL, NULL, 0, 0, 0.0, 0.0, -1.0, 0, 0.0, 0, NULL, NULL, \
     NULL, NULL, NULL, 300.0, false}
/* clang-format on */

/* Reads rows into memory where they fit, else once an epoch, shuffled through what memory there is. */
SCREE_API scree_status scree_model_autoencode(scree_model **out, scree_source *source,
                                              const scree_autoencode_options *options, scree_error *error);

/* == 10. Archives == */

/* Rows as a file that is as small as their model allows (docs/archive.md): codes rounded to one step, entropy-coded,
 * and corrections where a cell would be off by more than is allowed. Such a file is a source like any other. */
typedef struct scree_compress_options {
    size_t size;
    double max_error;   /* every finite cell comes back within this */
    double rmse;        /* the root of the mean squared error at most */
    double psnr;        /* at least so many dB: 20 log10(range/rmse), range 255 for bytes */
    double ratio;       /* bytes of the cells over bytes of the archive at least */
    int64_t components; /* of the model; SCREE_AUTO: as many as pay */
    const scree_run *run;
} scree_compress_options; /* one of the first four is positive, or none: then every bit comes back */

/* clang-format off */
#define SCREE_COMPRESS_OPTIONS_INIT {sizeof(scree_compress_options), 0.0, 0.0, 0.0, 0.0, SCREE_AUTO, NULL}
/* clang-format on */

typedef struct scree_archive {
    size_t size;
    int64_t rows;
    int64_t cols;
    scree_type type;    /* of the elements that went in, and come back */
    int64_t components; /* kept; 0: the model is a mean, or there is none */
    const char *coding; /* of most blocks: "model"; "numbers": whole numbers by contexts; "beside"; "bytes": elements */
    int64_t blocks;     /* each can be read alone, and damage to it stays in it */
    int64_t bytes;      /* of the archive; -1: not known, for a pipe */
    double bits;        /* of it for each cell */
    double ratio;       /* bytes of the cells over its bytes */
    double bound;       /* no cell is off by more; 0: every bit came back */
    double worst;       /* error of a cell, measured */
    double rmse;        /* measured */
    double code_bits;   /* for each code that is kept */
    double rate_bound;  /* the least by rate-distortion theory, for the same error: mean of log2+(λ/θ)/2 over codes */
    int64_t corrected;  /* cells that needed a correction */
    int64_t raw;        /* cells stored as they are: missing, infinite, far out */
} scree_archive;

/* clang-format off */
#define SCREE_ARCHIVE_INIT                                                                                             \
    {sizeof(scree_archive), 0, 0, SCREE_F64, 0, NULL, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0}
/* clang-format on */

/* Reads the source twice, and once more for each try to meet rmse, psnr or ratio. What is promised is measured before
 * the file appears. The same bytes for any number of threads; the same values on any machine. about may be NULL. */
SCREE_API scree_status scree_source_compress(scree_source *source, const char *path, scree_archive *about,
                                             const scree_compress_options *options, scree_error *error);
SCREE_API bool
scree_archive_is(const char *path); /* by its first bytes; of a plain file alone; errno: if it cannot be read */
SCREE_API scree_status scree_archive_read(const char *path, scree_archive *about, scree_error *error);
/* The same within a limit of memory: of the options, memory and held count. */
SCREE_API scree_status scree_archive_read_within(const char *path, const scree_read_options *options,
                                                 scree_archive *about, scree_error *error);

/* Rows first .. first + count - 1 of a source that can be read from anywhere; a source of its own. */
SCREE_API scree_status scree_source_slice(scree_source **out, scree_source *source, int64_t first, int64_t count,
                                          scree_error *error);

/* Opens an archive that may be damaged: rows that are lost are NaN, or 0 where they are bytes. *lost counts them, and
 * the note names them; when all are lost it fails. */
SCREE_API scree_status scree_archive_salvage(scree_source **out, const char *path, int64_t *lost, scree_error *error);
/* The same within a limit of memory: of the options, memory, held and threads count. */
SCREE_API scree_status scree_archive_salvage_within(scree_source **out, const char *path,
                                                    const scree_read_options *options, int64_t *lost,
                                                    scree_error *error);

/* The rate-distortion curve: bits a cell over the error that is allowed, from the finest to the coarsest worth the
 * name. */
typedef struct scree_curve scree_curve;

typedef struct scree_curve_options {
    size_t size;
    int64_t points; /* 0: 11 */
    const scree_run *run;
} scree_curve_options;

/* clang-format off */
#define SCREE_CURVE_OPTIONS_INIT {sizeof(scree_curve_options), 0, NULL}
/* clang-format on */

/* Lent; lives as long as the curve. One array a quantity, points numbers each. */
typedef struct scree_curve_view {
    size_t size;
    int64_t points;
    const double *rmse;
    const double *psnr;
    const int64_t *kept;    /* components with λ > θ */
    const double *bound;    /* bits a cell: the bound of the model, Σ log2+(λ/θ)/2 over the cells of a row */
    const double *achieved; /* bits a cell of an archive with that rmse, from a sample of the rows */
} scree_curve_view;

SCREE_API scree_status scree_curve_make(scree_curve **out, scree_source *source, const scree_curve_options *options,
                                        scree_error *error);
SCREE_API const scree_curve_view *scree_curve_get(const scree_curve *curve);
SCREE_API void scree_curve_free(scree_curve *curve);

/* == 11. What components mean == */

/* What column j and component k have to do with each other, D×m numbers each, those of a column side by side. c is the
 * column centred, and scaled where the model has a scale; code is the number that scree_model_project makes. Divisors
 * are those of the fit. Where there are gaps, variances are those of the model's covariance. */
typedef enum scree_meaning {
    SCREE_MEANING_WEIGHTS,      /* w: code = Σ w c; of PCA entries of the eigenvector, u (10.3) */
    SCREE_MEANING_LOADINGS,     /* c ≈ Σ loading · code, with codes divided by their standard deviation; u √λ */
    SCREE_MEANING_STRUCTURE,    /* covariance of c with such a code; the loading, unless components are correlated */
    SCREE_MEANING_CORRELATIONS, /* of the column with the code; NaN of a column that is constant */
    SCREE_MEANING_COS2,         /* their squares: the share of the column's variance that the component explains */
    SCREE_MEANING_CONTRIBUTIONS /* of the column to the variance of the component, in percent: 100 u² */
} scree_meaning;

SCREE_API scree_status scree_model_meaning(const scree_model *model, scree_meaning what, double *out,
                                           scree_error *error);

/* The same of rows, from source to sink, a row for a row: the coordinates pc1, ..., which are the codes; cos2_pc1, ...,
 * the squared cosine of the angle between c and the weights of a component: coordinate²/distance² of PCA;
 * contribution_pc1, ..., what the row adds to the variance of a component, in percent, of rows that were fitted alone;
 * and distance, ‖c‖. A row with gaps is taken as filled with what the model expects. Weights of the source count. */
typedef struct scree_describe_options {
    size_t size;
    bool no_coordinates;
    bool no_cos2;
    bool no_contributions;
    bool no_distance;
    bool training; /* these are the rows that were fitted: else there are no contributions */
    const scree_run *run;
} scree_describe_options;

/* clang-format off */
#define SCREE_DESCRIBE_OPTIONS_INIT {sizeof(scree_describe_options), false, false, false, false, false, NULL}
/* clang-format on */

SCREE_API scree_status scree_model_describe(const scree_model *model, scree_source *source, scree_sink *sink,
                                            const scree_describe_options *options, scree_error *error);

/* Supplementary columns: those which the model was not fitted to, described by it. Of numbers, what columns of the
 * model have; of texts, the mean of the rows that have the same text, as if it were a row. One pass over the rows,
 * which should be those that were fitted. */
typedef struct scree_supplement scree_supplement;

typedef struct scree_supplement_options {
    size_t size;
    const char *columns; /* names, separated by commas; NULL: all that the model does not know */
    const scree_run *run;
} scree_supplement_options;

/* clang-format off */
#define SCREE_SUPPLEMENT_OPTIONS_INIT {sizeof(scree_supplement_options), NULL, NULL}
/* clang-format on */

/* Lent; lives as long as the supplement. */
typedef struct scree_supplement_view {
    size_t size;
    int64_t rows;               /* that were read */
    int64_t m;                  /* components */
    int64_t columns;            /* of numbers */
    const char *const *names;   /* columns */
    const double *structure;    /* columns × m: as SCREE_MEANING_STRUCTURE */
    const double *correlations; /* columns × m; over the rows that have a value there; NaN of a constant column */
    const double *cos2;         /* columns × m */
    int64_t texts;              /* columns of text */
    const char *const *text_names;
    const double *eta2; /* texts × m: share of the variance of codes that lies between the groups */
    int64_t groups;     /* different texts of all of them, column by column, in alphabetical order */
    const char *const *group_names;
    const int64_t *group_text;   /* groups: the column that it is a text of */
    const double *group_weights; /* groups: rows, or their weight */
    const double *coordinates;   /* groups × m: means of the codes */
    const double *group_cos2;    /* groups × m */
    const double *v_tests;   /* groups × m: how far the mean is from that of all rows, in standard deviations of the
                                mean of so many rows that are drawn without putting them back */
    const double *distances; /* groups: of the mean, as of a row */
    const int64_t *missing;  /* columns, then texts: rows that have nothing there, and do not count for that column */
} scree_supplement_view;

SCREE_API scree_status scree_supplement_make(scree_supplement **out, const scree_model *model, scree_source *source,
                                             const scree_supplement_options *options, scree_error *error);
SCREE_API const scree_supplement_view *scree_supplement_get(const scree_supplement *supplement);
SCREE_API void scree_supplement_free(scree_supplement *supplement);

/* The code of PCA is one of many that say the same: R in (10.78) is free. A rotation makes of the first k components,
 * each divided by its standard deviation, as many factors f, so that loadings are large or small: with A = U √Λ
 *
 *     c ≈ B f,   B = A M,   f = M⁻¹ Λ^-½ Uᵀ c,   Φ = (MᵀM)⁻¹ the correlations of f, which have variance 1
 *
 * It is a model of its own, of the same distribution and the same reconstructions, whose codes are f. Its view has the
 * U and Λ that were rotated; loadings are scree_model_meaning's. Factors are ordered by the variance that they explain,
 * and their largest loading is positive. */
typedef struct scree_rotate_options {
    size_t size;
    const char *method; /* "varimax" or "quartimax", orthogonal: M⁻¹ = Mᵀ; "promax" or "oblimin"; NULL: varimax */
    int64_t components; /* the first so many; 0: the latent dimensions */
    bool no_kaiser;     /* else rows of A count as if all had length 1 (Kaiser's normalisation) */
    double power;       /* of promax; 0: 4 */
    double gamma;       /* of oblimin, at most 0.8: 0 is quartimin, and less is less oblique */
    int64_t starts;     /* random ones, since criteria have local optima; 0: 10, fewer where D k² is large;
                           SCREE_NONE: from A alone */
    uint64_t seed;
} scree_rotate_options;

/* clang-format off */
#define SCREE_ROTATE_OPTIONS_INIT {sizeof(scree_rotate_options), NULL, 0, false, 0.0, 0.0, 0, 0}
/* clang-format on */

SCREE_API scree_status scree_model_rotate(scree_model **out, const scree_model *model,
                                          const scree_rotate_options *options, scree_error *error);

/* Lent; lives as long as the model. */
typedef struct scree_rotation_view {
    size_t size;
    const char *method;
    bool kaiser;
    bool oblique;               /* factors are correlated */
    double power;               /* of promax, else 0 */
    double gamma;               /* of oblimin, else 0 */
    bool converged;             /* at an optimum of its criterion, to rounding */
    const double *matrix;       /* k×k: M */
    const double *correlations; /* k×k: Φ */
    const double *variances;    /* k: that each factor explains, Σ_j B_jk (BΦ)_jk; together those of the components */
} scree_rotation_view;

SCREE_API const scree_rotation_view *scree_model_rotation(const scree_model *model); /* NULL: it is no rotation */

/* == 12. States == */

/* What a fit has seen so far: counts, the mean, and a matrix of the columns. A state takes rows as they come, in any
 * number at a time, gains what another state has seen, is a file, and gives a model whenever one is wanted: that of all
 * rows in one fit. So partitions of the rows can be seen at other times and on other machines.
 *
 *     scree_state *state = NULL;
 *     if (scree_state_new(&state, 100, NULL, &error) || scree_state_add(state, &rows, &error) ||
 *         scree_state_add(state, &more, &error) || scree_state_fit(&model, state, &options, &error))
 *         fprintf(stderr, "%s\n", error.text);
 *
 * How it is kept decides what a model can be:
 *
 *     "covariance"  the scatter, D×D: eigenvalues are those of a fit of all rows at once to about 1e-15 of the largest,
 *                   whatever the batches and the order, and however large the means
 *     "svd"         the triangle of its QR factorisation, D×D: small eigenvalues keep all their digits
 *     "low-rank"    for wide rows, a few rows that stand for all, and a bound on the covariance error that they make:
 *                   it is part of every bound of the model, and 0 as long as nothing was left out; three columns or
 *                   fewer are kept as by svd, which is as small
 *
 * Rows are complete: a missing cell is refused. Weights of rows count as in scree_source_weigh. Rows are gathered until
 * there are enough to be worked on, so that rows one by one cost little more than many at a time. */
typedef struct scree_state scree_state;

typedef struct scree_state_options {
    size_t size;
    const char *method; /* "covariance", "svd" or "low-rank"; NULL: covariance, or low-rank beyond 5000 columns */
    int64_t rank;       /* low-rank: directions that are always kept; 0: 100, or as many as there can be */
    double forget;      /* a half-life in rows: each row counts half once so many have come after it; 0: all count */
    const char *const *columns; /* a name for each column, copied; NULL: none */
    int threads;                /* 0: all */
    int64_t memory;             /* bytes that it may use; 0: most of what is free */
} scree_state_options;

/* clang-format off */
#define SCREE_STATE_OPTIONS_INIT {sizeof(scree_state_options), NULL, 0, 0.0, NULL, 0, 0}
/* clang-format on */

SCREE_API scree_status scree_state_new(scree_state **out, int64_t cols, const scree_state_options *options,
                                       scree_error *error);
/* Of the columns of a source, with their names; nothing is read. */
SCREE_API scree_status scree_state_for(scree_state **out, const scree_source *source,
                                       const scree_state_options *options, scree_error *error);
SCREE_API void scree_state_free(scree_state *state); /* NULL-safe */

/* Rows in memory, of any type and order, dense or sparse. When it fails, the state is as it was. */
SCREE_API scree_status scree_state_add(scree_state *state, const scree_block *rows, scree_error *error);
/* All rows of a source, in one pass. Columns have the names of the state, in the same order, where both have names; a
 * state without rows and names takes those of the source. When it fails, rows before have been added. Processes with a
 * communicator in the run share the rows: each has the same state, which is the same again afterwards, and the same to
 * the last bit for any number of them; when that fails, it has gained no rows. */
SCREE_API scree_status scree_state_add_source(scree_state *state, scree_source *source, const scree_run *run,
                                              scree_error *error);
/* into gains what from has seen, which stays as it is. They have the same columns, method and, where both forget,
 * half-life. */
SCREE_API scree_status scree_state_merge(scree_state *into, scree_state *from, scree_error *error);
/* Another half-life for rows to come; 0: nothing is forgotten from now on. */
SCREE_API scree_status scree_state_forget(scree_state *state, double rows, scree_error *error);

/* Lent: until the next call on the state. */
typedef struct scree_state_view {
    size_t size;
    const char *method;
    int64_t cols;
    int64_t rows;               /* that were added, those of weight 0 not counted */
    double weight;              /* N in every formula: their number or weight, less what was forgotten */
    const double *mean;         /* cols */
    const double *variances;    /* cols, divisor N */
    const char *const *columns; /* cols names, or NULL */
    double forget;              /* the half-life, or 0 */
    int64_t rank;               /* low-rank: directions that are always kept; else 0 */
    double bound;  /* low-rank: the covariance of the rows is within so much, as a norm, of that of the state, divisor
                      N; 0: nothing was left out */
    int64_t bytes; /* of the matrix */
    const char *name; /* of the file that it was loaded from; NULL: none */
} scree_state_view;

SCREE_API scree_status scree_state_get(const scree_state_view **out, scree_state *state, scree_error *error);

/* The model of all rows so far; more may be added afterwards. Of the options components, share, scale, scales, ddof,
 * uncentred, latent, seed and run count; SCREE_SCALE_RANGE and others that need the rows are refused. SCREE_AUTO finds
 * the number of components from the eigenvalues alone (scree_selection_from_model). */
SCREE_API scree_status scree_state_fit(scree_model **out, scree_state *state, const scree_fit_options *options,
                                       scree_error *error);

/* A safetensors file (docs/states.md). Saving is atomic; loading checks everything. */
SCREE_API scree_status scree_state_save(scree_state *state, const char *path, scree_error *error);
SCREE_API scree_status scree_state_load(scree_state **out, const char *path, scree_error *error);
/* Many files as one state, as scree_state_merge would make it. They are joined by a binary tree whose shape depends on
 * their number, and log₂ of it are held at once. With a communicator in the run each process loads its share of the
 * files and gets the state of all; it is the same to the last bit for any number of processes, and for one alone. */
SCREE_API scree_status scree_state_load_many(scree_state **out, const char *const *paths, int64_t count,
                                             const scree_run *run, scree_error *error);
/* The same bytes in memory: *out is to be freed with scree_buffer_free. */
SCREE_API scree_status scree_state_save_buffer(void **out, size_t *bytes, scree_state *state, scree_error *error);
SCREE_API scree_status scree_state_load_buffer(scree_state **out, const void *data, size_t bytes, scree_error *error);
/* Whether a file is one, by its first bytes; of a plain file alone; errno: if it cannot be read. */
SCREE_API bool scree_state_is(const char *path);

#ifdef __cplusplus
}
#endif

#endif
