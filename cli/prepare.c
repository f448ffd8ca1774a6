/* SPDX-License-Identifier: BSD-3-Clause */
/* The options that say how rows are prepared: what columns are divided by. A word is one of a few; what has a point or
 * a slash in it names a file of scales. */

#include "prepare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const scales[] = {"none", "unit", "range", "pareto", "binomial", NULL};
static const char *const centres[] = {"mean", "none", NULL};

static const char *read_scale(void *where, const char *text, const cli_option *option)
{
    cli_prepare *prepare = where;
    (void)option;
    prepare->scale_file = NULL;
    for (int i = 0; scales[i]; i++) {
        if (strcmp(scales[i], text) == 0) {
            prepare->scale = i < 4 ? (scree_scale)i : SCREE_SCALE_BINOMIAL; /* in the order of the enumeration */
            return NULL;
        }
    }
    if (!strpbrk(text, "./"))
        return "none, unit, range, pareto, binomial, or a file such as scales.csv";
    prepare->scale = SCREE_SCALE_GIVEN;
    prepare->scale_file = text;
    return NULL;
}

static const char *read_normalize(void *where, const char *text, const cli_option *option)
{
    if (strcmp(text, "median") != 0)
        return cli_read_positive(where, text, option) ? "a positive number such as 10000, or median" : NULL;
    *(double *)where = SCREE_NORMALIZE_MEDIAN;
    return NULL;
}

const cli_option cli_prepare_options[] = {
    {.name = "scale",
     .value = "HOW",
     .help =
         "divide each column by its standard deviation (unit), its range (range) or the square root of its standard "
         "deviation (pareto), genotypes by sqrt(2p(1-p)), p half their mean (binomial), or by the numbers in a file, "
         "one "
         "for each column, by name or in order (default: binomial for genotypes, none for others)",
     .read = read_scale,
     .offset = 0,
     .choices = scales},
    {.name = "normalize",
     .value = "SUM",
     .help =
         "divide each row of counts by its sum and multiply it by SUM, such as 1e4, or by the median of all sums "
         "(median), before anything else; the model does so with all rows that it is given later. Sums are over all "
         "columns of the file, whichever are used; of CSV and other text, over those that are used",
     .read = read_normalize,
     .offset = offsetof(cli_prepare, normalize)},
    {.name = "log1p",
     .help = "take log(1 + x) of every cell first; the model does so with all rows that it is given later, and gives "
             "rows back as they came",
     .offset = offsetof(cli_prepare, log1p),
     .set = 1},
    {.name = "top-variance",
     .value = "COUNT",
     .help = "use only the COUNT columns that vary most, after --normalize and --log1p; reads the data once more",
     .read = cli_read_count,
     .offset = offsetof(cli_prepare, top_variance)},
    CLI_OPTIONS_END,
};

static const char *const missing_words[] = {"mean", "keep", NULL};

static const char *read_missing(void *where, const char *text, const cli_option *option)
{
    const char *word = NULL;
    const char *wanted = cli_read_choice(&word, text, option);
    if (!wanted)
        *(bool *)where = word == missing_words[1];
    return wanted;
}

static const char *read_frequency(void *where, const char *text, const cli_option *option)
{
    double frequency = 0;
    if (cli_read_positive(&frequency, text, option) || frequency > 0.5)
        return "a frequency above 0 and up to 0.5";
    *(double *)where = frequency;
    return NULL;
}

const cli_option cli_genotype_options[] = {
    {.name = "maf",
     .value = "FREQUENCY",
     .help = "genotypes: leave out variants of which the rarer allele has less than this frequency",
     .read = read_frequency,
     .offset = offsetof(cli_work, read.min_allele)},
    {.name = "chr",
     .value = "LIST",
     .help = "genotypes: only variants on these chromosomes, or parts of them, such as 1-5,X,6:25000000-34000000",
     .read = cli_read_text,
     .offset = offsetof(cli_work, read.chromosomes)},
    {.name = "missing",
     .value = "HOW",
     .help = "genotypes: a missing call is the mean of its variant (mean), or stays missing (keep), for method em "
             "(default: mean)",
     .read = read_missing,
     .offset = offsetof(cli_work, read.missing_calls),
     .choices = missing_words},
    CLI_OPTIONS_END,
};

void cli_prepare_unused(const cli_work *work, int64_t top_variance)
{
    const int64_t cols = scree_source_cols(work->source);
    if (!work->quiet && top_variance >= cols)
        cli_print(stderr, "there are %" PRId64 " columns: --top-variance had no effect\n", cols);
}

void cli_prepare_note(const cli_work *work)
{
    if (!cli_given(work->call, "scale") && scree_source_scale(work->source) == SCREE_SCALE_BINOMIAL)
        cli_print(stderr, "variants were divided by √(2p(1-p)), as genotypes usually are: --scale none leaves them as "
                          "they are\n");
}

static const char *read_center(void *where, const char *text, const cli_option *option)
{
    const char *word = NULL;
    const char *wanted = cli_read_choice(&word, text, option);
    if (!wanted)
        *(bool *)where = word == centres[1];
    return wanted;
}

const cli_option cli_center_options[] = {
    {.name = "center",
     .value = "HOW",
     .help =
         "mean: subtract the mean of each column; none: leave the rows as they are, for the truncated SVD (default: "
         "mean)",
     .read = read_center,
     .offset = offsetof(scree_fit_options, uncentred),
     .choices = centres},
    CLI_OPTIONS_END,
};

bool cli_prepare_sums(const cli_prepare *prepare)
{
    return prepare->normalize != 0;
}

/* A .raw file of plink has genotypes and other columns about the samples, which would be fitted with them. */
static scree_status check_raw(cli_work *work)
{
    static const char *const others[] = {"FID", "IID", "PAT", "MAT", "SEX", "PHENOTYPE"};
    enum { OTHERS = 6, TOLD = 3 }; /* with so many of them it is one */
    char list[64] = "";
    int found = 0;
    for (int64_t j = 0; j < OTHERS && j < scree_source_cols(work->source); j++) {
        const char *name = scree_source_column(work->source, j);
        for (int i = 0; name && i < OTHERS; i++) {
            const size_t used = strlen(list);
            if (strcmp(name, others[i]) == 0)
                snprintf(list + used, sizeof list - used, "%s%s", found++ ? "," : "", name);
        }
    }
    if (found < TOLD)
        return SCREE_OK;
    snprintf(work->error.text, sizeof work->error.text,
             "%s: is a .raw of plink, of which some columns are no genotypes: leave them out with --exclude %s",
             scree_source_name(work->source), list);
    return work->error.status = SCREE_ERR_VALUE;
}

scree_status cli_prepare_open(cli_prepare *prepare, cli_work *work)
{
    const scree_status status = check_raw(work);
    if (status != SCREE_OK)
        return status;
    if (!cli_given(work->call, "scale"))
        prepare->scale = scree_source_scale(work->source);
    if (!prepare->scale_file)
        return SCREE_OK;
    return cli_scales_read(&prepare->scales, work, prepare->scale_file);
}

void cli_prepare_close(cli_prepare *prepare)
{
    free(prepare->scales);
    prepare->scales = NULL;
}
