/* SPDX-License-Identifier: BSD-3-Clause */
/* A fit and its checkpoint. A checkpoint belongs to one fit: its identity names the version of scree, the processor and
 * the BLAS, on which the last bits depend, the data, by their names, types, files and first rows, and all options. What
 * is decided by the memory or the threads that there were when the fit began is decided once, and noted. */

#include "fit/fit_resume.h"

#include "base/memory.h"
#include "base/number.h"
#include "fit/checkpoint_file.h"
#include "fit/method.h"
#include "fit/rates.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LOOKED_BYTES = 1 << 16, TEXT = 2048 }; /* bytes of rows that are looked at; of a text */

scree_status scree__fit_check_rewind(const scree_source *source, scree_error *error)
{
    if (source->can & SCREE__CAN_REWIND)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                       "%s can be read only once, so that a fit that was killed could not go on; save the rows to a "
                       "file first, or leave out --checkpoint",
                       source->about.path);
}

scree_status scree__fit_check_every(const char *path, double every, scree_error *error)
{
    if (path && !*path)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "a checkpoint needs the name of a file");
    if (!(every >= 0 && isfinite(every)))
        return scree__fail(error, SCREE_ERR_ARGUMENT, "the time between checkpoints must be 0 or more, not %g seconds",
                           every);
    return SCREE_OK;
}

/* A CRC of the first rows, of the names of the columns, and of weights that the caller gave. */
static scree_status look_at_rows(uint32_t *crc, scree_source *source, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t usual = source->block_rows;
    const int64_t row_bytes = source->about.cols * scree__type_size(source->about.type);
    scree__block block;
    *crc = 0;
    source->takes_origin = true;
    SCREE_TRY(scree__source_restart(source, error));
    source->block_rows = scree__source_rows_in(source, LOOKED_BYTES);
    SCREE_TRY(scree__source_next(source, &block, error));
    for (int64_t i = 0; i < block.rows && !block.starts; i++)
        *crc = scree__checkpoint_crc(*crc, (const char *)block.data + i * block.stride * scree__type_size(block.type),
                                     row_bytes);
    for (int64_t j = 0; source->about.columns && j < source->about.cols; j++)
        *crc = scree__checkpoint_crc(*crc, source->about.columns[j], (int64_t)strlen(source->about.columns[j]) + 1);
    if (source->weights)
        *crc = scree__checkpoint_crc(*crc, source->weights, source->weight_count * (int64_t)sizeof *source->weights);
    SCREE_TRY(scree__source_restart(source, error));
done:
    source->block_rows = usual;
    return status;
}

/* Line breaks would end the line. */
static void flatten(char *text)
{
    for (; *text; text++)
        if (*text == '\n')
            *text = ' ';
}

scree_status scree__fit_identity(char **out, scree_source *source, const char *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    uint32_t crc;
    char machine[TEXT];
    char path[TEXT];
    const int64_t rows = source->can & SCREE__IN_MEMORY ? source->about.rows : 0;
    const size_t size = 3 * TEXT + strlen(options);
    char *text = NULL;
    scree__machine_name(machine, sizeof machine);
    snprintf(path, sizeof path, "%.1000s", source->about.path);
    flatten(path);
    SCREE_TRY(look_at_rows(&crc, source, error));
    SCREE_ALLOC(text, (int64_t)size, error);
    snprintf(text, size,
             "versions: %s\nmachines: %s\ndata: %s\ncolumns: %" PRId64 " of %s\nrows in memory: %" PRId64
             "\nfile sizes, times or ways of reading: %08" PRIx32 "\nfirst rows: %08" PRIx32 "\n%s",
             scree_version(), machine, path, source->about.cols,
             source->about.type == SCREE_F64   ? "float64"
             : source->about.type == SCREE_F32 ? "float32"
                                               : "uint8",
             rows, source->stamp, crc, options);
    *out = text;
done:
    return status;
}

/* All options of a fit. */
static void print_options(char *text, size_t size, const scree_source *source, const scree_fit_options *o)
{
    const uint32_t scales =
        o->scales ? scree__checkpoint_crc(0, o->scales, source->about.cols * (int64_t)sizeof *o->scales) : 0;
    scree__format(text, size,
                  "components: %" PRId64 "\nshares: %.17g\nsolvers: %.40s\nscales: %d, %08" PRIx32
                  "\nddof: %d\ntolerances: %.17g\nseeds: %" PRIu64 "\nways of em: %.40s\nBayes: %d\nkinds: %.40s"
                  "\nlatent dimensions: %" PRId64 "\nbootstraps: %" PRId64 "\nimputers: %d\nlog1p: %d\ncentring: %d"
                  "\nnormalize: %.17g\ntop-variance: %" PRId64 "\nmemory: %" PRId64 "\n",
                  o->components, o->share, o->solver ? o->solver : "chosen", (int)o->scale, scales, o->ddof,
                  o->tolerance, o->seed, o->em ? o->em : "chosen", o->bayes, o->kind ? o->kind : "usual", o->latent,
                  o->bootstrap, !o->no_imputer, o->log1p, !o->uncentred, o->normalize, o->top_variance, o->run->memory);
}

scree_status scree__fit_checkpoint(scree__checkpoint **out, scree_source *source, const scree_fit_options *options,
                                   scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    char text[TEXT];
    char *identity = NULL;
    scree__checkpoint *checkpoint = NULL;
    int64_t memory = run->memory;
    SCREE_TRY(scree__fit_check_every(options->checkpoint, options->checkpoint_every, error));
    if (!options->checkpoint)
        goto done;
    if (memory <= 0)
        memory = scree__memory_available() / 10 * 8;
    if (options->online)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "a fit online reads rows once and keeps no checkpoint; leave out --checkpoint or --online");
    SCREE_TRY(scree__fit_check_rewind(source, error));
    print_options(text, sizeof text, source, options);
    SCREE_TRY(scree__fit_identity(&identity, source, text, error));
    const scree__checkpoint_options how = {
        .path = options->checkpoint, .every = options->checkpoint_every, .identity = identity};
    SCREE_TRY(scree__checkpoint_open(&checkpoint, &how, error));
    SCREE_TRY(scree__checkpoint_settle(checkpoint, "memory", &memory, 1, error));
    if (memory <= 0)
        SCREE_TRY(scree__checkpoint_broken(options->checkpoint, error));
    run->memory = memory;
    *out = checkpoint;
    checkpoint = NULL;
done:
    scree__checkpoint_close(checkpoint);
    free(identity);
    return status;
}

scree_status scree__fit_settle_method(const scree__job *job, scree__choice *choice, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t values[2] = {0, 0}; /* the number of the method, and the bits of what its rival takes */
    int64_t count = 0;
    while (scree__methods[count])
        count++;
    while (values[0] < count && scree__methods[values[0]] != choice->method)
        values[0]++;
    memcpy(&values[1], &choice->rival, sizeof choice->rival);
    SCREE_TRY(scree__checkpoint_settle(job->checkpoint, "method", values, 2, error));
    if (values[0] < 0 || values[0] >= count)
        SCREE_TRY(scree__checkpoint_broken(job->options->checkpoint, error));
    choice->method = scree__methods[values[0]];
    memcpy(&choice->rival, &values[1], sizeof choice->rival);
done:
    return status;
}

static void move_rows(void *context, scree__snapshot *s)
{
    scree__snapshot_count(s, &((scree_source *)context)->about.rows, -1, SCREE__SNAPSHOT_MOST);
}

scree_status scree__fit_recall_turn(const scree__job *job, const char *name, bool *taken, scree_error *error)
{
    const scree__stage stage = {.name = name, .move = move_rows, .context = job->source};
    return scree__checkpoint_recall(job->checkpoint, &stage, taken, error);
}

scree_status scree__fit_take_turn(const scree__job *job, const char *name, int64_t mark, scree_error *error)
{
    const scree__stage stage = {.name = name, .move = move_rows, .context = job->source};
    scree__checkpoint_rewind(job->checkpoint, mark);
    return scree__checkpoint_note(job->checkpoint, &stage, error);
}

/* What a selection settles. */
typedef struct settled {
    scree_source *source;
    scree_fit_options *options;
    bool by_gaps; /* the method that takes gaps finds it out itself */
} settled;

static void move_settled(void *context, scree__snapshot *s)
{
    const settled *t = context;
    bool by_gaps = t->by_gaps;
    move_rows(t->source, s);
    scree__snapshot_count(s, &t->options->components, SCREE_NONE, INT64_MAX);
    scree__snapshot_count(s, &t->options->latent, SCREE_NONE, INT64_MAX);
    scree__snapshot_flag(s, &by_gaps);
    if (s->reads && by_gaps)
        t->options->solver = scree__method_that(SCREE__TAKES_GAPS)->name;
}

scree_status scree__fit_recall_components(scree__checkpoint *checkpoint, scree_source *source,
                                          scree_fit_options *options, bool *found, scree_error *error)
{
    settled t = {.source = source, .options = options};
    const scree__stage stage = {.name = "components", .move = move_settled, .context = &t};
    return scree__checkpoint_recall(checkpoint, &stage, found, error);
}

scree_status scree__fit_note_components(scree__checkpoint *checkpoint, scree_source *source, scree_fit_options *options,
                                        scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__method *other = scree__method_that(SCREE__TAKES_GAPS);
    settled t = {source, options, options->solver && other && strcmp(options->solver, other->name) == 0};
    const scree__stage stage = {.name = "components", .move = move_settled, .context = &t};
    SCREE_TRY(scree__checkpoint_note(checkpoint, &stage, error));
    SCREE_TRY(scree__checkpoint_offer(checkpoint, error));
done:
    return status;
}
