/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_source_compress: a pass that samples, a search for the code, a pass that writes. What was promised of all rows
 * together, the mean squared error or the size, is known when all are coded: where it was missed the steps are changed
 * by as much, and the rows are coded once more. The file gets its name when all promises are kept. */

#include "archive/compress.h"
#include "archive/choose.h"
#include "base/memory.h"
#include "base/sized.h"
#include "kernel/strided.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { FIRST_COMPONENTS = 64, MOST_COMPONENTS = 512, BLOCK_BYTES = 1 << 21, BLOCK_ROWS = 256 };
enum { TRIES = 8, SEARCHES = 12 };

static const double close_enough = 0.97; /* a size is met when it is missed by no more */
static const double near_enough = 0.004; /* octaves between errors that are not worth telling apart */

static const double LEAST_SQUARED = 1e-140;

typedef struct job {
    scree_source *source;
    const char *path;
    const scree_compress_options *options;
    scree_run run;
    scree__sample sample;
    scree__learnt learnt;
    scree__trial trial;
    scree__goal goal;
    scree__choice choice;
    double ratio;       /* asked for, or 0 */
    double wanted;      /* bytes, as they are estimated, that give that ratio */
    int64_t part_cells; /* that codes are tried on */
    scree__allowance allowance;
} job;

static scree_status check_options(const scree_compress_options *o, scree_error *error)
{
    const double values[] = {o->max_error, o->rmse, o->psnr, o->ratio};
    int given = 0;
    for (int i = 0; i < 4; i++) {
        if (!(values[i] >= 0 && values[i] < HUGE_VAL))
            return scree__fail(error, SCREE_ERR_ARGUMENT,
                               "an error, a PSNR or a ratio of %g was asked for; give a positive number", values[i]);
        given += values[i] > 0;
    }
    if (given > 1)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "a largest error, a mean error, a PSNR and a ratio exclude each other; give one of them");
    if (o->components != SCREE_AUTO && o->components < 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%lld components were asked for; give 0 or more",
                           (long long)o->components);
    return SCREE_OK;
}

/* Two megabytes of elements are lost with a block; frequencies are worth their place for as many. */
static int64_t block_rows_of(const scree_source *source)
{
    const int64_t rows = BLOCK_BYTES / scree__type_size(source->about.type) / source->about.cols;
    const int64_t most = SCREE__BLOCK_CELLS_MOST / source->about.cols;
    if (rows >= BLOCK_ROWS)
        return rows;
    return most >= BLOCK_ROWS ? BLOCK_ROWS : most > 0 ? most : 1;
}

/* Before anything is read. */
static scree_status plan(job *j, scree_error *error)
{
    const int64_t asked = j->options->components;
    const int64_t cols = j->source->about.cols;
    j->allowance = (scree__allowance){SCREE__SAMPLE_CELLS, MOST_COMPONENTS, asked, block_rows_of(j->source)};
    if (asked != SCREE_AUTO && asked > cols)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: %lld components were asked for, but there %s only %lld column%s; ask for at most %lld",
                           j->source->about.path, (long long)asked, cols == 1 ? "is" : "are", (long long)cols,
                           cols == 1 ? "" : "s", (long long)cols);
    return scree__allow(&j->allowance, j->source, &j->run, error);
}

/* Codes are tried on so many cells from here on. */
static scree_status try_on(job *j, scree_error *error)
{
    scree__trial_clear(&j->trial);
    return scree__trial_new(&j->trial, &j->sample, &j->learnt, j->part_cells, j->run.threads, error);
}

/* Components are learnt in two helpings: most data need few, and many cost time. */
static scree_status learn(job *j, int64_t components, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__learnt_clear(&j->learnt);
    SCREE_TRY(scree__learn(&j->learnt, &j->sample, components, &j->run, error));
    SCREE_TRY(try_on(j, error));
done:
    return status;
}

static scree_status choose(job *j, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(scree__choose(&j->choice, &j->trial, &j->goal, error));
    const bool cut = j->allowance.most_components > FIRST_COMPONENTS && j->learnt.components == FIRST_COMPONENTS &&
                     4 * j->choice.components > 3 * FIRST_COMPONENTS;
    if (cut && j->goal.components == SCREE_AUTO) {
        SCREE_TRY(learn(j, j->allowance.most_components, error));
        SCREE_TRY(scree__choose(&j->choice, &j->trial, &j->goal, error));
    }
done:
    return status;
}

static double cell_bytes(const job *j)
{
    const scree_type element = scree__about_element(&j->source->about);
    return (double)j->sample.rows * (double)j->sample.cols * (double)scree__element_size(element);
}

/* Of the finite cells; 0 where there is none. */
static double range_of(const job *j)
{
    return fmin(fmax(j->sample.largest - j->sample.least, 0), DBL_MAX);
}

/* Logarithms of errors, and the sizes there. */
typedef struct bracket {
    double low;
    double high;
    double most;
    double least;
} bracket;

/* The size at an error whose logarithm is given. */
static scree_status try_error(job *j, double at, double *bytes, scree_error *error)
{
    j->goal.rmse = exp2(at);
    const scree_status status = choose(j, error);
    *bytes = j->choice.bytes;
    return status;
}

/* The least error between low and high at which the archive is small enough. Sizes fall about evenly with the logarithm
 * of the error, so the next error lies between those known, by the rule of three; sizes jump, so never near an end. */
static scree_status meet_size(job *j, bracket b, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__choice found = {.bytes = HUGE_VAL};
    double met = b.high;
    for (int i = 0; i < SEARCHES && b.high - b.low > near_enough &&
                    !(found.bytes >= close_enough * j->wanted && found.bytes < HUGE_VAL);
         i++) {
        double bytes = 0;
        const double share = (b.most - j->wanted) / (b.most - b.least);
        const double at = b.low + (b.high - b.low) * (share > 0.1 ? fmin(share, 0.9) : 0.1);
        SCREE_TRY(try_error(j, at, &bytes, error));
        if (bytes > j->wanted) {
            b.low = at;
            b.most = bytes;
        } else {
            b.high = met = at;
            b.least = bytes;
            found = j->choice;
        }
    }
    if (found.bytes == HUGE_VAL) {
        SCREE_TRY(try_error(j, met, &found.bytes, error));
        found = j->choice;
    }
    j->choice = found;
    j->goal.rmse = exp2(met);
done:
    return status;
}

/* The least error that is worth the name, on the way to the largest: that of the mean alone. */
static bracket whole_range(const job *j, double most)
{
    const scree__learnt *l = &j->learnt;
    const double all = l->total > 0 && l->total < HUGE_VAL ? sqrt(l->total / (double)l->cols) : range_of(j);
    const double high = log2(fmin(1.1 * all, DBL_MAX));
    const double octaves = j->sample.type == SCREE_F64 ? 50 : j->sample.type == SCREE_F32 ? 26 : 12;
    return (bracket){high - octaves, high, most, 0};
}

/* Again, for another size or on other rows: near the error that is known, or anywhere. */
static scree_status choose_near(job *j, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double at = log2(j->goal.rmse);
    double bytes = 0;
    SCREE_TRY(try_error(j, at, &bytes, error));
    if (bytes >= close_enough * j->wanted && bytes <= j->wanted)
        goto done;
    bracket b = whole_range(j, cell_bytes(j));
    if (bytes > j->wanted) {
        b.low = at;
        b.most = bytes;
        b.high = fmin(at + 2, b.high);
        b.least = fmin(bytes / 2, j->wanted / 2);
    } else {
        b.high = at;
        b.least = bytes;
        b.low = at - 2;
        b.most = 2 * j->wanted;
    }
    SCREE_TRY(meet_size(j, b, error));
done:
    return status;
}

/* On a few rows first, then near what was found there on more. */
static scree_status choose_ratio(job *j, scree_error *error)
{
    scree_status status = SCREE_OK;
    j->wanted = cell_bytes(j) / j->ratio;
    SCREE_TRY(choose(j, error)); /* nothing lost, when that will do */
    if (j->choice.bytes <= 0.99 * j->wanted || !(j->sample.largest > j->sample.least))
        goto done;
    const double most = j->choice.bytes;
    j->part_cells = SCREE__TRIAL_CELLS / 8;
    SCREE_TRY(try_on(j, error));
    SCREE_TRY(meet_size(j, whole_range(j, most), error));
    j->part_cells = SCREE__TRIAL_CELLS;
    if (j->trial.part.rows < j->sample.kept) {
        SCREE_TRY(try_on(j, error));
        SCREE_TRY(choose_near(j, error));
    }
done:
    return status;
}

/* Σ ½log₂⁺(λ/θ) over the codes that are kept, θ being what rounding costs each of them. */
static double code_bound(const job *j, const scree__outcome *o)
{
    const int64_t m = j->choice.coding == SCREE__CODING_MODEL ? j->choice.components : 0;
    const double theta = o->code_noise / ((double)j->sample.rows * (double)(m > 0 ? m : 1));
    double bits = 0;
    for (int64_t i = 0; i < m && theta > 0; i++)
        bits += j->learnt.eigenvalues[i] > theta ? log2(j->learnt.eigenvalues[i] / theta) / 2 : 0;
    return m > 0 ? bits / (double)m : 0;
}

static scree_status describe(scree__head *head, const job *j, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_source *s = j->source;
    head->rows = j->sample.rows;
    head->block_rows = block_rows_of(s);
    head->image_rows = s->about.image_rows;
    head->image_cols = s->about.image_cols;
    head->is_vector = s->about.is_vector && s->about.cols == 1 && s->about.image_rows == 0;
    SCREE_TRY(scree__choice_make(&head->code, &j->choice, &j->learnt, error));
    head->text_count = s->about.text_count;
    head->columns = scree__strings_copy((const char *const *)s->about.columns, s->about.cols);
    head->text_names = scree__strings_copy((const char *const *)s->about.text_names, s->about.text_count);
    if ((s->about.columns && !head->columns) || (s->about.text_count > 0 && !head->text_names))
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the names of columns", s->about.path);
done:
    return status;
}

/* Whether promises are kept; where the mean squared error is too large, the choice is changed so that it will be. */
static bool is_kept(job *j, const scree__outcome *o, int64_t bytes, bool first)
{
    scree__choice *c = &j->choice;
    const double rmse = o->cells > 0 ? sqrt(o->squares / (double)o->cells) : 0;
    if (j->ratio > 0) {
        const double most = cell_bytes(j) / j->ratio;
        const bool better = first && j->goal.rmse > 0 && (double)bytes < close_enough * most; /* once more might be */
        return (double)bytes <= most && !better;
    }
    if (j->goal.rmse == 0 || rmse <= j->goal.rmse)
        return true;
    const double factor = 0.995 * j->goal.rmse / rmse;
    const double grid = c->lattice.grid;
    const double half = grid > 0 ? (c->lattice.width - 1) / 2 / grid : c->lattice.width / 2;
    c->step *= factor;
    c->max_error *= factor;
    if (!scree__lattice_make(&c->lattice, &j->sample, half * factor))
        c->coding = SCREE__CODING_ELEMENTS;
    return false;
}

/* Another size for the estimate, by as much as it was wrong. */
static scree_status choose_again(job *j, int64_t bytes, scree_error *error)
{
    j->wanted *= 0.997 * cell_bytes(j) / j->ratio / (double)bytes;
    return choose_near(j, error);
}

/* One try; *kept tells whether it is the last, and before whether it is the first. */
static scree_status write_once(job *j, bool dry, bool *kept, scree_archive *about, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__head head = {0};
    scree__index index = {.count = 0};
    scree__pack end = {0};
    scree__atomic_file *file = NULL;
    int64_t bytes = 0;
    const bool first = *kept;
    *kept = false;
    SCREE_TRY(describe(&head, j, error));
    if (!dry)
        SCREE_TRY(scree__atomic_open(&file, j->path, error));
    SCREE_TRY(scree__archive_write(&head, j->source, file, &j->run, &index, &bytes, error));
    if (j->source->about.rows != head.rows)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: had %lld rows when it was first read, and now has %lld; copy it first",
                   j->source->about.path, (long long)head.rows, (long long)j->source->about.rows);
    index.code_bound = code_bound(j, &index.outcome);
    scree__index_put(&end, &index, bytes);
    if (end.failed)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the index", j->path);
    bytes += end.size;
    scree__archive_about(about, &head, &index, bytes);
    *kept = is_kept(j, &index.outcome, bytes, first);
    if (file && *kept) {
        SCREE_TRY(scree__atomic_write(file, end.data, end.size, error));
        SCREE_TRY(scree__atomic_commit(file, error));
    }
done:
    scree__atomic_free(file);
    scree__pack_free(&end);
    free(index.places);
    scree__head_clear(&head);
    return status;
}

/* Standard output cannot be written again, so for it promises are tried before anything is written. */
static scree_status write_all(job *j, scree_archive *about, scree_error *error)
{
    scree_status status = SCREE_OK;
    const bool once = j->ratio == 0 && j->goal.rmse == 0;
    const bool dry = !once && strcmp(j->path, "-") == 0;
    bool kept = false;
    for (int i = 0; i < TRIES && !kept; i++) {
        kept = i == 0;
        SCREE_TRY(write_once(j, dry, &kept, about, error));
        if (!kept && j->ratio > 0)
            SCREE_TRY(choose_again(j, about->bytes, error));
    }
    if (!kept)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC,
                   "%s: after %d tries the archive is %.3g times smaller with an rmse of %.3g; ask for less", j->path,
                   TRIES, about->ratio, about->rmse);
    if (dry)
        SCREE_TRY(write_once(j, false, &kept, about, error));
done:
    return status;
}

/* Squares of very small and of very large errors are no doubles: there each error is held to what their mean may be. */
static void set_goal(job *j)
{
    const scree_compress_options *o = j->options;
    const double rmse = o->psnr > 0 ? range_of(j) * pow(10, -o->psnr / 20) : o->rmse;
    const bool squared = rmse == 0 || (rmse > LEAST_SQUARED && rmse < 1 / LEAST_SQUARED);
    j->goal = (scree__goal){
        .max_error = squared ? o->max_error : rmse, .rmse = squared ? rmse : 0, .components = o->components};
}

scree_status scree_source_compress(scree_source *source, const char *path, scree_archive *about,
                                   const scree_compress_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_compress_options mine = SCREE_COMPRESS_OPTIONS_INIT;
    scree_archive told = {.size = sizeof told};
    job j = {.source = source, .path = path, .options = &mine};
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(scree__run_adopt(&j.run, &mine.run, error));
    SCREE_TRY(check_options(j.options, error));
    j.part_cells = SCREE__TRIAL_CELLS;
    j.ratio = j.options->ratio;
    if (source->about.weighted)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "%s: an archive keeps every row once, and no weights; leave them out",
                   source->about.path);
    if (!(source->can & SCREE__CAN_REWIND))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: can be read only once, and compressing reads rows twice: save them to a file",
                   source->about.path);
    SCREE_TRY(plan(&j, error));
    SCREE_TRY(scree__sample_take(&j.sample, source, j.allowance.sample_cells, &j.run, error));
    if (j.sample.rows == 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: has no rows; there is nothing to compress", source->about.path);
    set_goal(&j);
    const int64_t few = j.allowance.most_components < FIRST_COMPONENTS ? j.allowance.most_components : FIRST_COMPONENTS;
    SCREE_TRY(learn(&j, j.goal.components == SCREE_AUTO ? few : j.goal.components, error));
    if ((j.sample.grid == 0 || j.sample.signals) && j.goal.components != SCREE_AUTO && j.goal.max_error == 0 &&
        j.goal.rmse == 0 && j.ratio == 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%s: no model keeps every bit of numbers that are not decimals; allow an error beside the number of "
                   "components",
                   source->about.path);
    SCREE_TRY(j.ratio > 0 ? choose_ratio(&j, error) : choose(&j, error));
    SCREE_TRY(write_all(&j, &told, error));
    SCREE_TRY(SCREE_GIVE(about, &told, error));
done:
    scree__trial_clear(&j.trial);
    scree__learnt_clear(&j.learnt);
    scree__sample_clear(&j.sample);
    return status;
}
