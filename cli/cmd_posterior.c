/* SPDX-License-Identifier: BSD-3-Clause */
/* scree posterior: the posterior of the code of each row, p(z|x) = N(m, C) (10.73–10.75): a mean per row, and C, which
 * is the same for all rows without missing cells. JSON is printed as it is computed: the means, then C, if it holds for
 * all rows. */

#include "json.h"
#include "work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    cli_work work;
    scree_posterior_options posterior;
    int json;
} arguments;

static const arguments defaults = {.work = CLI_WORK_INIT("-"), .posterior = SCREE_POSTERIOR_OPTIONS_INIT};

static const cli_option options[] = {
    {.name = "interval",
     .value = "P",
     .help =
         "also write m1_low, m1_high, ...: the interval that contains each coordinate with probability P, such as 0.95",
     .read = cli_read_chance,
     .offset = offsetof(arguments, posterior.interval)},
    {.name = "json",
     .help = "print a JSON object with m, columns, logdet, covariance (null if rows with missing cells have their own) "
             "and, without -o, the means",
     .offset = offsetof(arguments, json),
     .set = 1},
    {.group = cli_write_options},
    {.group = cli_model_options},
    {.group = cli_noise_options},
    {.group = cli_read_options},
    {.group = cli_sample_options},
    {.group = cli_live_options},
    {.group = cli_run_options},
    {.group = cli_quiet_options},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree posterior iris.scree iris.csv -o means.csv",
    "writes m1, m2, ... of every row, preceded by its label",
    "scree posterior iris.scree iris.csv --interval 0.95",
    "adds an interval for each coordinate",
    "scree posterior iris.scree iris.csv --json | jq .covariance",
    "extracts the covariance of the codes",
    NULL,
};

/* The whole matrix, although only its diagonal is nonzero. */
static void print_covariance(const double *variances, int64_t m)
{
    cli_print(stdout, "\t\"covariance\":\t[");
    for (int64_t i = 0; i < m; i++) {
        cli_print(stdout, i ? ", [" : "[");
        for (int64_t j = 0; j < m; j++) {
            cli_print(stdout, "%s", j ? ", " : "");
            cli_json_put_number(stdout, i == j ? variances[i] : 0.0);
        }
        putchar(']');
    }
    cli_print(stdout, "]");
}

/* What follows the means: the covariance, if it is the same for all rows. */
static void print_tail(const scree_model *model, const scree_source *source)
{
    const int64_t m = scree_model_get(scree_model_distribution(model))->m;
    double *variances = cli_alloc((size_t)m, sizeof *variances);
    double logdet = 0.0;
    scree_gaps gaps = SCREE_GAPS_INIT;
    cli_known(scree_source_gaps(source, &gaps, NULL));
    cli_known(scree_model_posterior_covariance(model, variances, &logdet, NULL));
    cli_print(stdout, ",\n\t\"rows_with_gaps\":\t%" PRId64 ",\n\t\"logdet\":\t", gaps.rows);
    if (gaps.rows == 0)
        cli_json_put_number(stdout, logdet);
    else
        cli_print(stdout, "null");
    cli_print(stdout, ",\n");
    if (gaps.rows == 0)
        print_covariance(variances, m);
    else
        cli_print(stdout, "\t\"covariance\":\tnull");
    cli_print(stdout, "\n}\n");
    free(variances);
}

/* What is known before the rows are read, formatted like other objects, with the brace still open. */
static void print_head(const scree_model *model, double interval)
{
    const int64_t m = scree_model_get(scree_model_distribution(model))->m;
    cli_print(stdout, "{\n\t\"m\":\t%" PRId64 ",\n\t\"interval\":\t", m);
    if (interval > 0.0)
        cli_json_put_number(stdout, interval);
    else
        cli_print(stdout, "null");
    cli_print(stdout, ",\n\t\"columns\":\t[");
    for (int64_t j = 1; j <= m; j++) {
        cli_print(stdout, "%s\"m%" PRId64 "\"", j > 1 ? ", " : "", j);
        if (interval > 0.0)
            cli_print(stdout, ", \"m%" PRId64 "_low\", \"m%" PRId64 "_high\"", j, j);
    }
    putchar(']');
}

static scree_status write_means(arguments *args)
{
    cli_work *work = &args->work;
    scree_status status = SCREE_OK;
    const bool inside = args->json && cli_work_is_piped(work); /* the means are part of the object */
    args->posterior.run = &work->run;
    if (inside)
        work->write.format = "json-arrays";
    CLI_TRY(cli_work_sink(work, cli_work_type(work)));
    if (args->json)
        print_head(work->model, args->posterior.interval);
    if (inside) {
        cli_print(stdout, ",\n\t\"means\":\t");
        cli_flush(); /* the sink writes after it */
    }
    CLI_TRY_ROWS(work, scree_model_posterior(work->model, work->source, work->sink, &args->posterior, &work->error));
    CLI_TRY(scree_sink_finish(work->sink, &work->error));
    if (args->json)
        print_tail(work->model, work->source);
done:
    return status;
}

static int run(const cli_call *call)
{
    cli_work *work = cli_work_start(call);
    const arguments *args = call->arguments;
    scree_status status = SCREE_OK;
    const cli_option *unused = args->json && cli_work_is_piped(work) ? cli_given_of(call, cli_write_options) : NULL;
    if (unused && strcmp(unused->name, "output") != 0)
        return cli_usage(call->command, unused, "with --json, --%s needs -o FILE: the means are part of the object",
                         unused->name);
    cli_work_live(work);
    CLI_TRY(cli_work_open(work));
    CLI_TRY(write_means(call->arguments));
    cli_work_notes(work);
    if (!work->quiet && !(scree_model_get(scree_model_distribution(work->model))->noise_variance > 0.0))
        fputs("σ² = 0: the posterior is a single point; its covariance is 0 and has no log-determinant\n", stderr);
done:
    return cli_work_finish(work, status);
}

const cli_command cli_posterior = {
    .name = "posterior",
    .synopsis = "MODEL DATA... [-o MEANS] [--interval P] [OPTIONS]",
    .operands = "MODEL DATA...",
    .summary = "compute the posterior of the codes of rows",
    .description =
        "In the probability model, a row x = Bz + mean + noise has a code z with a standard normal prior. Given x, z "
        "is normal as well. Its mean is written for each row, in the columns m1, m2, ...; its covariance is the same "
        "for all rows without missing cells, and is printed with --json. A row with missing cells has its own mean and "
        "covariance given its observed cells, which --interval takes into account. The means are codes shrunk towards "
        "0, the more so the less a component stands out from the noise. Label and id columns are copied.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
