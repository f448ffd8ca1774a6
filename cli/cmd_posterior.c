/* SPDX-License-Identifier: BSD-3-Clause */
/* scree posterior: what rows say of their codes, p(z|x) = N(m, C) (10.73–10.75): the means a row for a row, and C,
 * which is the same for all that have no gaps. As JSON the object is printed as it is made: the means, then C, which is
 * said only when it holds for all. */

#include "cli.h"
#include "json.h"
#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    cli_write write;
    scree_read_options read;
    scree_run run;
    cli_noise noise;
    double interval;
    int64_t components;
    int json;
    int quiet;
} arguments;

static const arguments defaults = {
    .write = CLI_WRITE_INIT, .read = SCREE_READ_OPTIONS_INIT, .run = SCREE_RUN_INIT, .noise = CLI_NOISE_INIT};

static const cli_option options[] = {
    {.name = "interval",
     .value = "P",
     .help = "write also m1_low, m1_high, ...: where each coordinate lies with this probability, such as 0.95",
     .read = cli_read_chance,
     .offset = offsetof(arguments, interval)},
    {.name = "json",
     .help =
         "print one JSON object with m, columns, logdet, covariance (null where rows with gaps have their own) and, "
         "unless -o names a file, the means",
     .offset = offsetof(arguments, json),
     .set = 1},
    {.group = cli_write_options, .offset = offsetof(arguments, write)},
    {.group = cli_model_options, .offset = offsetof(arguments, components)},
    {.group = cli_noise_options, .offset = offsetof(arguments, noise)},
    {.group = cli_input_options, .offset = offsetof(arguments, read)},
    {.group = cli_read_options, .offset = offsetof(arguments, read)},
    {.group = cli_run_options, .offset = offsetof(arguments, run)},
    {.group = cli_quiet_options, .offset = offsetof(arguments, quiet)},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree posterior iris.scree iris.csv -o means.csv",
    "writes m1, m2, ... of every row, with its label in front",
    "scree posterior iris.scree iris.csv --interval 0.95",
    "adds how uncertain each coordinate is",
    "scree posterior iris.scree iris.csv --json | jq .covariance",
    "hands the covariance of the codes to another program",
    NULL,
};

/* The whole matrix, though only its diagonal is not 0. */
static void print_covariance(const double *variances, int64_t m)
{
    printf("\t\"covariance\":\t[");
    for (int64_t i = 0; i < m; i++) {
        fputs(i ? ", [" : "[", stdout);
        for (int64_t j = 0; j < m; j++) {
            fputs(j ? ", " : "", stdout);
            cli_json_put_number(stdout, i == j ? variances[i] : 0.0);
        }
        putchar(']');
    }
    printf("]");
}

/* What follows the means: the covariance, where it is one for all. */
static void print_tail(const scree_model *model, const scree_source *source)
{
    const int64_t m = scree_model_get(model)->m;
    double *variances = cli_alloc((size_t)m, sizeof *variances);
    double logdet = 0.0;
    scree_gaps gaps = SCREE_GAPS_INIT;
    scree_source_gaps(source, &gaps, NULL);
    scree_model_posterior_covariance(model, variances, &logdet, NULL);
    printf(",\n\t\"rows_with_gaps\":\t%" PRId64 ",\n\t\"logdet\":\t", gaps.rows);
    if (gaps.rows == 0)
        cli_json_put_number(stdout, logdet);
    else
        printf("null");
    printf(",\n");
    if (gaps.rows == 0)
        print_covariance(variances, m);
    else
        printf("\t\"covariance\":\tnull");
    printf("\n}\n");
    free(variances);
}

/* What is known before the rows, laid out as other objects are, with the brace still open. */
static void print_head(const arguments *args, const scree_model *model)
{
    const int64_t m = scree_model_get(model)->m;
    printf("{\n\t\"m\":\t%" PRId64 ",\n\t\"interval\":\t", m);
    if (args->interval > 0.0)
        cli_json_put_number(stdout, args->interval);
    else
        printf("null");
    printf(",\n\t\"columns\":\t[");
    for (int64_t j = 1; j <= m; j++) {
        printf("%s\"m%" PRId64 "\"", j > 1 ? ", " : "", j);
        if (args->interval > 0.0)
            printf(", \"m%" PRId64 "_low\", \"m%" PRId64 "_high\"", j, j);
    }
    putchar(']');
}

static scree_status work(arguments *args, const scree_model *model, scree_source *source, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_sink *sink = NULL;
    const bool inside = args->json && strcmp(args->write.output, "-") == 0; /* means are part of the object */
    cli_progress progress;
    scree_posterior_options how = SCREE_POSTERIOR_OPTIONS_INIT;
    how.interval = args->interval;
    how.run = &args->run;
    if (inside)
        args->write.format = "json-arrays";
    CLI_TRY(cli_sink_open(&sink, &args->write, SCREE_F64, error));
    if (args->json)
        print_head(args, model);
    if (inside) {
        printf(",\n\t\"means\":\t");
        fflush(stdout); /* the sink writes behind it */
    }
    cli_progress_begin(&progress, &args->run, args->quiet);
    status = scree_model_posterior(model, source, sink, &how, error);
    cli_progress_end(&progress);
    CLI_TRY(status);
    CLI_TRY(scree_sink_finish(sink, error));
    if (args->json)
        print_tail(model, source);
done:
    scree_sink_free(sink);
    return status;
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = NULL;
    args->read.threads = args->run.threads;
    CLI_TRY(cli_output_apart(call, args->write.output, NULL, &error));
    CLI_TRY(cli_model_open_noisy(&model, call->operands[0], args->components, &args->noise, &error));
    CLI_TRY(cli_data_open(&source, call, 1, &args->read, &error));
    CLI_TRY(work(args, model, source, &error));
    cli_gaps(source, args->quiet);
    cli_note(source, args->quiet);
    if (!args->quiet && !(scree_model_get(model)->noise_variance > 0.0))
        fputs("σ² = 0: the posterior is a point, its covariance is 0 and has no log-determinant\n", stderr);
done:
    scree_source_free(source);
    scree_model_free(model);
    return cli_finish(status, &error);
}

const cli_command cli_posterior = {
    .name = "posterior",
    .synopsis = "MODEL DATA... [-o MEANS] [--interval P] [OPTIONS]",
    .operands = "MODEL DATA...",
    .summary = "write what rows say of their codes: posterior means",
    .description =
        "In the probability model a row x = Bz + mean + noise has a code z with a standard normal prior. Given x, z "
        "is normal again: its mean is written for each row, as the columns m1, m2, ...; its covariance is the same "
        "for every row without gaps and is printed with --json. A row with gaps has a mean and a covariance given the "
        "cells that are there, which --interval follows. Means are codes shrunk towards 0, the more so the less a "
        "component stands out from the noise. Label and id columns are carried through.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
