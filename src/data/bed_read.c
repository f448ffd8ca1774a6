/* SPDX-License-Identifier: BSD-3-Clause */
/* Genotypes of PLINK 1: a .bed of 2 bits a call, variant after variant, and beside it a .bim that names the variants
 * and a .fam that names the samples. Rows are samples, columns variants, and a cell is the number of copies of A1, the
 * allele in the fifth column of the .bim, as plink counts them. A missing call is lent as the mean of its variant, or
 * as missing where the options say so.
 *
 * Nothing in the three files says how many samples and variants there are: the lines of the tables do, and the size of
 * the .bed must be 3 + variants·⌈samples/4⌉. Opening counts the calls of all variants, one read of the file: means are
 * known from then on. Rows are made by bed_rows.c; a method that can work on the calls as they lie finds them in
 * source->genotypes. */

#include "base/memory.h"
#include "base/threads.h"
#include "data/array.h"
#include "data/bed.h"
#include "data/bed_rows.h"
#include "data/formats.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MAGIC = 3, TEXTS = 2, FACTS = 5, BLOCK_BYTES = 4 << 20, COUNT_BYTES = 1 << 20, AUTOSOMES = 22 };
static const int64_t HELD_BYTES = INT64_C(256) << 20;

typedef struct bed_source {
    scree_source base;
    scree__bytes *bytes;
    scree__samples samples;
    scree__variants variants;
    scree__genotypes genotypes;
    scree__bed_rows rows;
    scree__matches matches;
    scree__buffer own; /* for blocks, where the driver offers none */
    int64_t at;        /* next sample */
} bed_source;

/* ---- rows ---- */

static scree_status bed_next(scree_source *base, scree__block *block, scree_error *error)
{
    bed_source *bed = (bed_source *)base;
    scree_status status = SCREE_OK;
    const int64_t left = base->about.rows - bed->at;
    const int64_t rows = left < base->block_rows ? left : base->block_rows;
    scree__buffer *buffer = base->buffer ? base->buffer : &bed->own;
    if (rows == 0)
        return SCREE_OK;
    if (!bed->rows.held) {
        bed->rows.held = scree__alloc_raw(bed->rows.variants * bed->rows.held_bytes, 1);
        if (!bed->rows.held)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the calls of %" PRId64 " samples",
                       base->about.path, 4 * bed->rows.held_bytes);
    }
    SCREE_TRY(scree__buffer_reserve(buffer, rows * base->about.cols * scree__type_size(base->about.type),
                                    base->about.path, error));
    SCREE_TRY(scree__bed_rows_take(&bed->rows, bed->at, rows, base->about.type, buffer->data,
                                   base->threads > 0 ? base->threads : 1, error));
    block->data = buffer->data;
    block->rows = rows;
    block->first = bed->at;
    block->text = bed->samples.ids + TEXTS * bed->at;
    bed->at += rows;
done:
    return status;
}

static scree_status bed_rewind(scree_source *base, scree_error *error)
{
    (void)error;
    ((bed_source *)base)->at = 0;
    return SCREE_OK;
}

static void bed_close(scree_source *base)
{
    bed_source *bed = (bed_source *)base;
    scree__genotypes_clear(&bed->genotypes);
    scree__bytes_close(bed->bytes);
    scree__samples_clear(&bed->samples);
    scree__variants_clear(&bed->variants);
    free(bed->rows.value);
    free(bed->rows.held);
    free(bed->matches.flip);
    scree__buffer_free(&bed->own);
}

static const scree__source_table bed_table = {
    .name = "bed", .next = bed_next, .rewind = bed_rewind, .close = bed_close};

/* ---- the three files ---- */

static bool bed_matches(const unsigned char *head, int64_t size)
{
    return size >= MAGIC && head[0] == 0x6c && head[1] == 0x1b && head[2] <= 1;
}

/* The path of a file beside the .bed; the caller's to free. */
static char *beside(const char *path, const char *extension)
{
    const size_t length = strlen(path);
    const bool named = length > 4 && strcasecmp(path + length - 4, ".bed") == 0;
    const size_t stem = named ? length - 4 : length;
    const size_t size = stem + strlen(extension) + 1;
    char *other = scree__alloc((int64_t)size, 1);
    if (other)
        snprintf(other, size, "%.*s%s", (int)stem, path, extension);
    return other;
}

static scree_status check_head(scree__bytes *bytes, scree_error *error)
{
    scree_status status = SCREE_OK;
    unsigned char head[MAGIC] = {0};
    const char *name = scree__bytes_name(bytes);
    if (!scree__bytes_can_seek(bytes) || strcmp(name, "standard input") == 0)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: a .bed is read with the .bim and .fam beside it, from a plain file only: save or decompress it",
                   name);
    SCREE_TRY(scree__array_head(bytes, head, MAGIC, 0, "BED", error));
    if (head[0] == 0x6c && head[1] == 0x1b && head[2] == 0)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: holds sample after sample, as only old versions of plink write: make it anew with plink "
                   "--make-bed",
                   name);
    if (head[0] != 0x6c || head[1] != 0x1b || head[2] != 1)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: is not a PLINK 1 .bed, its first bytes are not 6c 1b 01: check the file or name its format",
                   name);
done:
    return status;
}

/* The samples, the variants, and whether the size of the .bed is theirs. */
static scree_status read_tables(bed_source *bed, scree__budget *budget, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *name = bed->base.about.path;
    const int64_t size = scree__bytes_size(bed->bytes) - MAGIC;
    char *fam = beside(name, ".fam");
    char *bim = beside(name, ".bim");
    if (!fam || !bim)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", name);
    SCREE_TRY(scree__samples_read(&bed->samples, fam, budget, error));
    const int64_t stride = (bed->samples.count + 3) / 4;
    if (size < stride || size % stride != 0)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: has %" PRId64 " bytes of calls, no whole number of variants of %" PRId64
                   " bytes, as the %" PRId64 " samples of %s have: copy the files again, or give those that belong "
                   "together",
                   name, size, stride, bed->samples.count, fam);
    SCREE_TRY(scree__variants_read(&bed->variants, bim, size / stride, budget, error));
    SCREE_TRY(scree__variants_name(&bed->variants, bim, error));
    bed->rows = (scree__bed_rows){
        .bytes = bed->bytes, .offset = MAGIC, .stride = stride, .samples = bed->samples.count, .first = -1};
done:
    free(fam);
    free(bim);
    return status;
}

/* The packed calls as a source: rows of bytes. */
static scree_status open_packed(bed_source *bed, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_read_options plain = SCREE_READ_OPTIONS_INIT;
    scree__bytes *bytes = NULL;
    const scree__layout layout = {.format = "BED",
                                  .element = {SCREE__UNSIGNED, 1, false},
                                  .offset = MAGIC,
                                  .dimensions = 2,
                                  .shape = {bed->variants.count, bed->rows.stride}};
    SCREE_TRY(scree__bytes_share(&bytes, bed->bytes, error));
    SCREE_TRY(scree__array_open(&bed->genotypes.packed, bytes, &layout, &plain, error));
    bytes = NULL;
    bed->genotypes.samples = bed->samples.count;
done:
    scree__bytes_close(bytes);
    return status;
}

/* ---- which variants ---- */

/* Behind the last sample, what is left of a byte is 0: calls that stand there are of a sample that the .fam lacks. */
static bool has_more_samples(const uint8_t *packed, int64_t samples)
{
    return samples % 4 != 0 && packed[samples / 4] >> samples % 4 * 2 != 0;
}

static scree_status count_calls(void *context, const scree__packed_variants *variants, scree_error *error)
{
    scree__genotypes *g = context;
    for (int64_t v = 0; v < variants->count; v++) {
        const uint8_t *packed = variants->data + v * variants->stride;
        if (has_more_samples(packed, g->samples))
            return scree__fail(error, SCREE_ERR_FORMAT,
                               "%s: has calls of more samples than the %" PRId64
                               " of the .fam: lines are missing there, or the files do not belong together",
                               scree_source_name(g->packed), g->samples);
        g->counts[variants->first + v] = scree__calls_count(packed, g->samples);
    }
    return SCREE_OK;
}

/* Counts the calls of the variants that chromosomes have left. */
static scree_status count(bed_source *bed, const scree_read_options *options, const bool *on, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__genotypes *g = &bed->genotypes;
    scree_run run = SCREE_RUN_INIT;
    const int64_t at_once = COUNT_BYTES / bed->rows.stride;
    run.threads = options->threads;
    SCREE_ALLOC(g->row, bed->variants.count, error);
    SCREE_ALLOC(g->counts, bed->variants.count, error);
    for (int64_t j = 0; j < bed->variants.count; j++)
        if (on[j])
            g->row[g->variants++] = j;
    const scree__genotypes_pass pass = {.stage = "count",
                                        .pass = 1,
                                        .at_once = at_once > 1 ? at_once : 1,
                                        .run = &run,
                                        .visit = count_calls,
                                        .context = g};
    SCREE_TRY(scree__genotypes_read(g, &pass, error));
done:
    return status;
}

static bool is_alike(const scree__call_counts *c)
{
    const int64_t present = scree__calls_present(c);
    return c->of[SCREE__CALL_TWO] == present || c->of[SCREE__CALL_ONE] == present || c->of[SCREE__CALL_NONE] == present;
}

typedef struct left_out {
    int64_t elsewhere;
    int64_t alike;
    int64_t rare;
} left_out;

/* By what the calls are. */
static void choose(bed_source *bed, const scree_read_options *options, left_out *out)
{
    scree__genotypes *g = &bed->genotypes;
    int64_t kept = 0;
    for (int64_t j = 0; j < g->variants; j++) {
        const double p = scree__calls_mean(&g->counts[j]) / 2;
        const bool alike = options->varying && is_alike(&g->counts[j]);
        const bool rare = !alike && fmin(p, 1 - p) < options->min_allele;
        out->alike += alike;
        out->rare += rare;
        if (alike || rare)
            continue;
        g->counts[kept] = g->counts[j];
        g->row[kept++] = g->row[j];
    }
    g->variants = kept;
}

static scree_status choose_variants(bed_source *bed, const scree_read_options *options, left_out *out,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    bool *on = NULL;
    SCREE_ALLOC(on, bed->variants.count, error);
    for (int64_t j = 0; j < bed->variants.count; j++)
        on[j] = !options->chromosomes;
    if (options->chromosomes)
        SCREE_TRY(scree__variants_on(on, &bed->variants, options->chromosomes, bed->base.about.path, error));
    SCREE_TRY(count(bed, options, on, error));
    out->elsewhere = bed->variants.count - bed->genotypes.variants;
    choose(bed, options, out);
    if (bed->genotypes.variants == 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE,
                   "%s: no variant is left: %" PRId64 " are on other chromosomes, %" PRId64
                   " do not vary, and in %" PRId64 " the rarer allele is too rare",
                   bed->base.about.path, out->elsewhere, out->alike, out->rare);
done:
    free(on);
    return status;
}

/* ---- the source ---- */

/* A column: its name, and what else the .bim says of it. The allele that is counted and the other one are part of the
 * name, as in the tables that plink exports (include-alt): a model is then never asked about copies of another one.
 * column: as a model calls it, or NULL. */
static scree_status describe_variant(bed_source *bed, int64_t j, const char *column, scree_error *error)
{
    static const scree__variant none = {.chromosome = "", .id = "", .position = "", .a1 = "", .a2 = ""};
    scree_status status = SCREE_OK;
    scree__about *about = &bed->base.about;
    const int64_t row = bed->genotypes.row[j];
    const scree__variant *v = row < 0 ? &none : &bed->variants.all[row];
    const bool flip = bed->matches.flip && bed->matches.flip[j];
    const char *const facts[FACTS] = {v->chromosome, v->id, v->position, flip ? v->a2 : v->a1, flip ? v->a1 : v->a2};
    const bool both = scree__allele_known(v->a2);
    const size_t size = column ? strlen(column) + 1 : strlen(v->name) + strlen(v->a1) + strlen(v->a2) + 5;
    SCREE_ALLOC(about->columns[j], (int64_t)size, error);
    if (column)
        memcpy(about->columns[j], column, size);
    else
        snprintf(about->columns[j], size, both ? "%s_%s(/%s)" : "%s_%s", v->name, v->a1, v->a2);
    for (int i = 0; i < FACTS; i++) {
        about->facts[j * FACTS + i] = scree__strdup(facts[i]);
        if (!about->facts[j * FACTS + i])
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the alleles of variants", about->path);
    }
done:
    return status;
}

static scree_status describe_variants(bed_source *bed, const scree_read_options *options, scree_error *error)
{
    static const char *const names[FACTS] = {"chrom", "id", "pos", "A1", "A2"};
    scree_status status = SCREE_OK;
    scree__about *about = &bed->base.about;
    const scree__genotypes *g = &bed->genotypes;
    about->cols = g->variants;
    SCREE_ALLOC(about->columns, g->variants, error);
    if (!bed->matches.flip)
        SCREE_ALLOC(about->file_column, g->variants, error);
    about->fact_names = scree__strings_copy(names, FACTS);
    if (!about->fact_names)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", about->path);
    about->fact_count = FACTS;
    SCREE_ALLOC(about->facts, g->variants * FACTS, error);
    for (int64_t j = 0; j < g->variants; j++) {
        SCREE_TRY(describe_variant(bed, j, bed->matches.flip ? options->numeric[j] : NULL, error));
        if (about->file_column)
            about->file_column[j] = g->row[j];
    }
done:
    return status;
}

/* Which text is the label and which the id, where somebody asks. */
static scree_status describe_samples(bed_source *bed, const scree_read_options *options, scree_error *error)
{
    static const char *const names[TEXTS] = {"FID", "IID"};
    scree__about *about = &bed->base.about;
    const char *const asked[TEXTS] = {options->label, options->id};
    int64_t *const found[TEXTS] = {&about->text_label, &about->text_id};
    about->text_names = scree__strings_copy(names, TEXTS);
    if (!about->text_names)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory", about->path);
    about->text_count = TEXTS;
    for (int i = 0; i < TEXTS; i++) {
        for (int t = 0; asked[i] && t < TEXTS; t++)
            *found[i] = strcasecmp(asked[i], names[t]) == 0 ? t + 1 : *found[i];
        if (asked[i] && *found[i] == 0)
            return scree__fail(error, SCREE_ERR_ARGUMENT,
                               "%s: there is no text column '%s' beside genotypes: samples have FID and IID",
                               about->path, asked[i]);
    }
    return SCREE_OK;
}

static int64_t count_missing(const scree__genotypes *g)
{
    int64_t missing = 0;
    for (int64_t j = 0; j < g->variants; j++)
        missing += g->counts[j].of[SCREE__CALL_MISSING];
    return missing;
}

/* Variants on sex chromosomes and of mitochondria, of which men have one copy or none. */
static int64_t count_elsewhere(const bed_source *bed)
{
    int64_t count = 0;
    for (int64_t j = 0; j < bed->genotypes.variants; j++) {
        const int64_t row = bed->genotypes.row[j];
        count += row >= 0 && bed->variants.all[row].order > AUTOSOMES;
    }
    return count;
}

static void add_note(char *note, size_t size, const char *format, int64_t count)
{
    const size_t used = strlen(note);
    if (count > 0)
        /* cppcheck-suppress wrongPrintfScanfArgNum ; each format takes the count and its plural */
        snprintf(note + used, size - used, format, count, count == 1 ? "" : "s");
}

static scree_status describe(bed_source *bed, const scree_read_options *options, const left_out *out,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__about *about = &bed->base.about;
    const int64_t missing = count_missing(&bed->genotypes);
    const int64_t unknown = bed->matches.other + bed->matches.absent;
    char note[800] = "PLINK genotypes, copies of allele A1";
    SCREE_TRY(describe_variants(bed, options, error));
    SCREE_TRY(describe_samples(bed, options, error));
    about->rows = about->rows_estimate = bed->samples.count;
    about->type = missing + unknown > 0 ? SCREE_F64 : SCREE_U8;
    add_note(note, sizeof note, "; %" PRId64 " variant%s on other chromosomes left out", out->elsewhere);
    add_note(note, sizeof note, "; %" PRId64 " variant%s left out where all calls are alike", out->alike);
    add_note(note, sizeof note, "; %" PRId64 " variant%s left out where the rarer allele is too rare", out->rare);
    add_note(note, sizeof note,
             options->missing_calls ? "; %" PRId64 " missing call%s"
             : bed->matches.flip    ? "; %" PRId64 " missing call%s, each taken as the model's mean of its variant"
                                    : "; %" PRId64 " missing call%s, each taken as the mean of its variant",
             missing);
    if (!options->chromosomes && !bed->matches.flip)
        add_note(note, sizeof note,
                 "; %" PRId64 " variant%s on X, Y or MT used as they are (--chr 1-22 leaves them out)",
                 count_elsewhere(bed));
    if (bed->matches.flip)
        scree__matches_note(&bed->matches, note + strlen(note), sizeof note - strlen(note));
    about->note = scree__strdup(note);
    if (!about->note)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", about->path);
done:
    return status;
}

/* What calls are lent as, and how many are held at a time. */
static scree_status prepare_rows(bed_source *bed, const scree_read_options *options, scree__budget *budget,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__genotypes *g = &bed->genotypes;
    const int64_t most = options->memory > 0 && options->memory / 8 < HELD_BYTES ? options->memory / 8 : HELD_BYTES;
    const int64_t values = g->variants * SCREE__CALLS * (int64_t)sizeof *bed->rows.value;
    SCREE_TRY(scree__budget_take(budget, values, bed->base.about.path, "its variants", error));
    SCREE_ALLOC(bed->rows.value, g->variants * SCREE__CALLS, error);
    for (int64_t j = 0; j < g->variants; j++) {
        double *value = bed->rows.value + j * SCREE__CALLS;
        const bool flip = bed->matches.flip && bed->matches.flip[j];
        value[SCREE__CALL_TWO] = flip ? 0 : 2;
        value[SCREE__CALL_NONE] = flip ? 2 : 0;
        value[SCREE__CALL_ONE] = 1;
        value[SCREE__CALL_MISSING] = options->missing_calls ? NAN
                                     : bed->matches.flip    ? options->means[j]
                                                            : scree__calls_mean(&g->counts[j]);
    }
    g->keeps_missing = options->missing_calls && bed->base.about.type == SCREE_F64;
    bed->rows.row = g->row;
    bed->rows.variants = g->variants;
    bed->rows.held_bytes = scree__bed_rows_held(bed->rows.stride, g->variants, most);
    bed->base.memory = bed->rows.held_bytes * g->variants + budget->taken;
done:
    return status;
}

static scree_status open_as(bed_source *bed, const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    left_out out = {0};
    /* What is taken is bounded by what the files have shown: by a limit that was given alone. */
    scree__budget budget = {.given = options->memory, .held = options->held, .seen = INT64_MAX / 64};
    SCREE_TRY(read_tables(bed, &budget, error));
    SCREE_TRY(open_packed(bed, error));
    SCREE_TRY(choose_variants(bed, options, &out, error));
    if (options->numeric_count > 0 && options->means)
        SCREE_TRY(scree__variants_match(&bed->matches, &bed->genotypes, &bed->variants, options, &budget,
                                        bed->base.about.path, error));
    SCREE_TRY(describe(bed, options, &out, error));
    SCREE_TRY(prepare_rows(bed, options, &budget, error));
    bed->base.genotypes = bed->matches.flip ? NULL : &bed->genotypes; /* else not in the order of the file */
    bed->base.about.scale = SCREE_SCALE_BINOMIAL;
    bed->base.can = SCREE__CAN_REWIND | SCREE__IN_STEP;
    bed->base.block_rows = scree__source_rows_in(&bed->base, BLOCK_BYTES);
done:
    return status;
}

static scree_status bed_open(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    bed_source *bed = NULL;
    SCREE_TRY(check_head(bytes, error));
    SCREE_ALLOC(bed, 1, error);
    bed->base.table = &bed_table;
    bed->base.about.path = scree__strdup(scree__bytes_name(bytes));
    if (!bed->base.about.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", scree__bytes_name(bytes));
    bed->bytes = bytes;
    SCREE_TRY(open_as(bed, options, error));
    SCREE_TRY(scree__select_by_options(out, &bed->base, options, error));
    bed = NULL;
done:
    if (bed) {
        bed->bytes = NULL; /* still the caller's */
        scree_source_free(&bed->base);
    }
    return status;
}

static const char *const bed_extensions[] = {"bed", NULL};

const scree__reader scree__reader_bed = {
    .name = "bed", .extensions = bed_extensions, .matches = bed_matches, .open = bed_open, .text = "PLINK genotypes"};
