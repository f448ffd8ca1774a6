/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_PRIVATE_H
#define SCREE_PRIVATE_H

/* What libscree-view uses of libscree beyond scree.h. It is not installed and not for programs: libscree exports these
 * names under a version node of their own (SCREE_PRIVATE_0.2 in cmake/exports.map), and a view library that was made
 * for another node is refused when it is loaded. What they do is said in full where they are defined; the structs of
 * libscree stay opaque. */

#include "scree.h"

#include <stdarg.h>
#include <stdlib.h>

#define SCREE_PRIVATE SCREE_API

/* == Failing: a status up the stack, one sentence for the user beside it. How: base/error.h == */

/* Fills *error (may be NULL) and returns status. */
SCREE_PRIVATE scree_status scree__fail(scree_error *error, scree_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* One way out: to the label done, with the local variable status set. */
#define SCREE_TRY(expression)                                                                                          \
    do {                                                                                                               \
        status = (expression);                                                                                         \
        if (status != SCREE_OK)                                                                                        \
            goto done;                                                                                                 \
    } while (0)

#define SCREE_FAIL(error, code, ...)                                                                                   \
    do {                                                                                                               \
        status = (code); /* said here, so that compilers and analysers know it is not SCREE_OK */                      \
        scree__fail((error), status, __VA_ARGS__);                                                                     \
        goto done;                                                                                                     \
    } while (0)

/* == Memory: counted in elements so that no product overflows, aligned to 64 bytes, zeroed. Freed with free() == */

/* NULL when count*size is negative, overflows, or cannot be allocated; count 0 gives a valid pointer. */
SCREE_PRIVATE void *scree__alloc(int64_t count, size_t size);

/* pointer = count zeroed elements, or out through done. */
#define SCREE_ALLOC(pointer, count, error)                                                                             \
    do {                                                                                                               \
        (pointer) = scree__alloc((count), sizeof *(pointer));                                                          \
        if (!(pointer))                                                                                                \
            SCREE_FAIL((error), SCREE_ERR_MEMORY, "out of memory: cannot allocate %lld bytes",                         \
                       (long long)(count) * (long long)sizeof *(pointer));                                             \
    } while (0)

/* Whether an allocation of this thread has failed since it began to watch: for work that would take a failure for an
 * answer, such as "this block is damaged" or "that code is no smaller". It is asked where the work is divided, not in
 * the middle; watches may nest, and before is what scree__memory_watch returned. */
SCREE_PRIVATE bool scree__memory_watch(void);
SCREE_PRIVATE bool scree__memory_missed(bool before);

/* A copy of a string; NULL when there is no memory, or text is NULL. */
SCREE_PRIVATE char *scree__strdup(const char *text);
SCREE_PRIVATE void scree__strings_free(char **strings, int64_t count); /* an array of strings; NULL-safe */

/* == Structs that begin with their size. How: base/sized.h == */

/* mine holds defaults; theirs may be NULL. Fails when theirs has no size, or sets a field that mine does not have. */
SCREE_PRIVATE scree_status scree__adopt(void *mine, size_t size, const void *theirs, const char *name,
                                        scree_error *error);
#define SCREE_ADOPT(mine, theirs, error) scree__adopt((mine), sizeof *(mine), (theirs), #theirs, (error))

/* theirs may be NULL: then nothing is wanted. Fails when it has no size. */
SCREE_PRIVATE scree_status scree__give(void *theirs, const void *mine, size_t size, const char *name,
                                       scree_error *error);
#define SCREE_GIVE(theirs, mine, error) scree__give((theirs), (mine), sizeof *(mine), #theirs, (error))

/* *mine becomes the caller's run, or the default one where it is NULL; *run points to it from then on. */
SCREE_PRIVATE scree_status scree__run_adopt(scree_run *mine, const scree_run **run, scree_error *error);

/* == Files that appear under their names when they are whole, or not at all: base/atomic_file.h == */

typedef struct scree__atomic_file scree__atomic_file;

/* Path "-" is standard output, written straight through. */
SCREE_PRIVATE scree_status scree__atomic_open(scree__atomic_file **out, const char *path, scree_error *error);
/* All of size bytes, or an error that names the path and the reason (full disk among them). */
SCREE_PRIVATE scree_status scree__atomic_write(scree__atomic_file *file, const void *data, int64_t size,
                                               scree_error *error);
/* Flush, sync, rename. */
SCREE_PRIVATE scree_status scree__atomic_commit(scree__atomic_file *file, scree_error *error);
/* Frees; removes the temporary file when not committed. NULL-safe. */
SCREE_PRIVATE void scree__atomic_free(scree__atomic_file *file);

/* == Numbers and letters: base/number.h, base/random.h, base/utf8.h == */

/* Bytes that hold any printed number and its final zero. */
enum { SCREE__NUMBER_SIZE = 32 };

/* Writes the shortest decimal that reads back as value, of those the nearest: 0.1, 123456, 1e-7, 6.02e23, -0, nan, inf.
 * Returns its length; a zero follows. */
SCREE_PRIVATE int scree__print_double(char *buffer, double value);

/* Reads the longest number that begins at text and ends before end: [+-] digits [. digits] [e [+-] digits], with a
 * digit on at least one side of the point, or inf, infinity, nan in any case. No spaces, no hexadecimal.
 * Returns the place after it, or NULL when there is none; *value is the double nearest to it, ties to even. */
SCREE_PRIVATE const char *scree__parse_double(const char *text, const char *end, double *value);

/* snprintf, with a decimal point in every locale: for all that is written to files and pictures. */
SCREE_PRIVATE int scree__format(char *out, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
SCREE_PRIVATE int scree__format_list(char *out, size_t size, const char *format, va_list list)
    __attribute__((format(printf, 3, 0)));

/* Philox 4×32-10: four 32-bit words for the counter (stream, block) under the key seed. */
SCREE_PRIVATE void scree__philox(uint64_t seed, uint64_t stream, uint64_t block, uint32_t out[4]);

/* The letter of UTF-8 that the size bytes at text begin with: its bytes, 1 to 4, or 0 when it is none. */
SCREE_PRIVATE int scree__utf8_letter(const char *text, size_t size, uint32_t *code);
/* Does it move the cursor, begin a line or turn the direction of writing around, instead of being seen? */
SCREE_PRIVATE bool scree__utf8_steers(uint32_t code);

/* Bytes as text (RFC 4648): four letters for three bytes. The caller's to free; NULL: no memory. */
SCREE_PRIVATE char *scree__base64(const void *data, int64_t size);

/* == Rows of a source, block by block, with what a model says of them: answer/survey.c == */

/* Text columns that the rows of a source carry along. Lent. */
typedef struct scree__source_texts {
    const char *const *names;
    int64_t count;
    int64_t label; /* which of them was asked for as label, from 0; -1: none was */
    int64_t id;    /* and as id */
} scree__source_texts;

SCREE_PRIVATE void scree__source_texts_of(const scree_source *source, scree__source_texts *out);
/* Can it be read more than once? */
SCREE_PRIVATE bool scree__source_rewinds(const scree_source *source);
/* Can any part of it be read by itself? */
SCREE_PRIVATE bool scree__source_slices(const scree_source *source);

/* What scree_scores holds of one row. */
typedef struct scree__score {
    double loglik;
    double t2;
    double q;
    double p_t2;
    double p_q;
    double p_value;
    int64_t broken; /* 1 and the number of a relation that the row breaks (scree_model_relations); 0: none */
} scree__score;

/* Whether p-values are spread evenly, as those of rows of the model are. Counts add up to the same in any order. */
enum { SCREE__UNIFORM_BINS = 100 };

typedef struct scree__uniform {
    int64_t counts[SCREE__UNIFORM_BINS];
    int64_t none; /* rows without a p-value */
} scree__uniform;

SCREE_PRIVATE void scree__uniform_add(scree__uniform *all, double p);
/* False where they are not: see answer/uniform.c. fitted: how many rows the model of new ones was fitted to, HUGE_VAL
 * for those rows themselves. */
SCREE_PRIVATE bool scree__uniform_fits(const scree__uniform *all, double fitted);

/* Rows as a survey shows them: lent for the time of the call. */
typedef struct scree__sight {
    int64_t first; /* number of the first row in the source, from 0 */
    int64_t rows;
    const char *const *texts;   /* rows × the source's text columns; NULL: there are none */
    const scree__score *scores; /* rows of them, where there is a scorer */
    const double *codes;        /* rows×M, where they are asked for */
    const struct scree__cells *cells;
} scree__sight;

typedef struct scree__survey {
    const char *stage; /* for progress */
    int pass;          /* of so many, for progress; 0: the only one */
    int passes;
    const scree_model *model;   /* whose columns are looked at; NULL: those of the source as they stand */
    bool codes;                 /* by the model */
    const scree_scorer *scorer; /* NULL: no scores */
    scree_status (*visit)(void *context, const scree__sight *sight, scree_error *error);
    void *context;
    int64_t keeps_rows;  /* that visit keeps at most */
    int64_t keeps_bytes; /* of each of these */
    int64_t keeps_more;  /* bytes beside them; all three count in what the pass needs */
} scree__survey;

/* One pass over the source, from its first row. */
SCREE_PRIVATE scree_status scree__survey_run(scree_source *source, const scree__survey *survey, const scree_run *run,
                                             scree_error *error);
/* Row i of what is seen, as doubles, NaN where a cell is missing: the model's D columns, or those of the source. */
SCREE_PRIVATE void scree__sight_row(const scree__sight *sight, int64_t i, double *out);

/* == What a model says of rows and of itself == */

/* Fails when the model's kind cannot: "FILE is NOUN; WHAT needs ADVICE". */
SCREE_PRIVATE scree_status scree__kind_needs(const scree_model *model, scree_ability ability, const char *what,
                                             scree_error *error);

/* What codes are called, before their number: "pc", "z". */
SCREE_PRIVATE const char *scree__model_code_prefix(const scree_model *model);

/* What a page needs to decode codes of this model, as one JSON object, the caller's to free; NULL: the components
 * suffice. Where it takes more than limit bytes, the object says how many and leaves the decoder out:
 *
 *     {"layers": [...] or null, "bytes": of the decoder in the page, ...}   */
SCREE_PRIVATE scree_status scree__model_page(const scree_model *model, int64_t limit, char **json, scree_error *error);

/* σ² was set by hand. */
SCREE_PRIVATE bool scree__model_noise_is_given(const scree_model *model);

/* Codes of rows in memory as a survey shows them: where the model divides rows by their sums, these are. */
SCREE_PRIVATE scree_status scree__project_shown(const scree_model *model, const scree_block *rows, double *codes,
                                                const scree_run *run, scree_error *error);

/* What is to blame for each of count outliers, whose rows (count×D, in the model's columns) have these scores: texts as
 * scree_scorer_score writes them, the caller's to free (scree__strings_free). */
SCREE_PRIVATE scree_status scree__scorer_blame(char ***texts, const scree_scorer *scorer, const double *rows,
                                               const scree__score *scores, int64_t count, scree_error *error);

/* The T² and the Q that a share alpha of rows lies beyond, each alone; NaN where it has no distribution. training: of
 * the rows that were fitted. */
SCREE_PRIVATE void scree__score_limits(const scree_model *model, bool training, double alpha, double *t2, double *q);

/* What a row says of its code, in the plane of two components: the posterior as an ellipse. */
typedef enum scree__seen { SCREE__SEEN_ALL, SCREE__SEEN_SOME, SCREE__SEEN_NONE } scree__seen;

typedef struct scree__ellipse {
    scree__seen seen;     /* cells of the row that are there */
    double mean[2];       /* of (Λ - σ²I)^½ z given them, in the units of the codes */
    double covariance[3]; /* of the same: first, both, second */
} scree__ellipse;

/* row: D, as it is, NaN where a cell is missing. component[1] may be -1: there is only one.
 * ERR_UNSUPPORTED: the kind of the model does not say; the ellipse is a point then. */
SCREE_PRIVATE scree_status scree__ellipse_of(scree__ellipse *ellipse, const scree_model *model, const double *row,
                                             const int64_t component[2], scree_error *error);

#endif
