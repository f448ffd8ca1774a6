/* SPDX-License-Identifier: BSD-3-Clause */
/* scree autoencode: trains an auto-encoder, saves it as a model, and says how it compares with PCA. Ctrl-C stops the
 * training and saves the best network so far, with all that --resume needs to go on. */

#include "cli.h"
#include "human.h"
#include "json.h"
#include "network_text.h"
#include "progress.h"
#include "signals.h"
#include "table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HIDDEN = 10, SAVING = 3600 /* seconds that a signal waits once there is something to save */ };

typedef struct layers {
    int64_t widths[MOST_HIDDEN];
    int64_t count;
} layers;

typedef struct arguments {
    scree_autoencode_options train;
    scree_read_options read;
    scree_run run;
    layers hidden;
    const char *output;
    const char *resume;
    int linear;
    int tied;
    int untied;
    int json;
    int quiet;
} arguments;

static const arguments defaults = {
    .train = SCREE_AUTOENCODE_OPTIONS_INIT, .read = SCREE_READ_OPTIONS_INIT, .run = SCREE_RUN_INIT};

static const char *const activations[] = {"gelu", "relu", "tanh", NULL};
static const char *const outputs[] = {"linear", "sigmoid", NULL};

/* "1000,500,250" */
static const char *read_layers(void *where, const char *text, const cli_option *option)
{
    layers *hidden = where;
    hidden->count = 0;
    (void)option;
    while (hidden->count < MOST_HIDDEN) {
        char *end = NULL;
        const long long width = strtoll(text, &end, 10);
        if (end == text || *text == '-' || width < 1 || width > INT32_MAX || (*end && *end != ','))
            break;
        hidden->widths[hidden->count++] = width;
        if (!*end)
            return NULL;
        text = end + 1;
    }
    return "at most ten widths such as 1000,500,250";
}

/* "90", "90s", "15m", "2h" */
static const char *read_time(void *where, const char *text, const cli_option *option)
{
    char *end = NULL;
    const double number = strtod(text, &end);
    const double unit = strcmp(end, "h") == 0 ? 3600 : strcmp(end, "m") == 0 ? 60 : 1;
    (void)option;
    if (end == text || (*end && strcmp(end, "s") != 0 && unit == 1) || !(number > 0) || !isfinite(number * unit))
        return "a time such as 90s, 15m or 2h";
    *(double *)where = number * unit;
    return NULL;
}

/* A share of the rows that may be none of them. */
static const char *read_share(void *where, const char *text, const cli_option *option)
{
    double share = 0;
    if (cli_read_variance(&share, text, option) || share >= 1)
        return "a share of the rows such as 0.1, or 0";
    *(double *)where = share;
    return NULL;
}

static const char *read_rate(void *where, const char *text, const cli_option *option)
{
    return cli_read_positive(where, text, option) ? "a rate: a positive number such as 0.001" : NULL;
}

static const char *read_decay(void *where, const char *text, const cli_option *option)
{
    double decay = 0;
    if (cli_read_variance(&decay, text, option) || decay >= 1)
        return "a number from 0 to below 1 such as 0.1";
    *(double *)where = decay;
    return NULL;
}

#define TRAIN(field) (offsetof(arguments, train) + offsetof(scree_autoencode_options, field))

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "write the network here, as a model; must be given",
     .read = cli_read_text,
     .offset = offsetof(arguments, output)},
    {.name = "code",
     .value = "COUNT",
     .help = "numbers that a row is made to; must be given, unless with --resume",
     .read = cli_read_count,
     .offset = TRAIN(code)},
    {.name = "hidden",
     .value = "WIDTHS",
     .help = "layers between row and code, such as 1000,500,250; back to the row in reverse; without it, none",
     .read = read_layers,
     .offset = offsetof(arguments, hidden)},
    {.name = "linear",
     .help =
         "decoder B, encoder B transposed, no biases: the optimum spans the space of PCA; trained on all rows at once",
     .offset = offsetof(arguments, linear),
     .set = 1},
    {.name = "tied",
     .help = "the decoder has the weights of the encoder, transposed; by itself with --linear",
     .offset = offsetof(arguments, tied),
     .set = 1},
    {.name = "untied",
     .help = "it has weights of its own; by itself without --linear",
     .offset = offsetof(arguments, untied),
     .set = 1},
    {.name = "activation",
     .value = "NAME",
     .help = "of the hidden layers: gelu, relu or tanh; without it, gelu",
     .read = cli_read_choice,
     .offset = TRAIN(activation),
     .choices = activations},
    {.name = "output-layer",
     .value = "NAME",
     .help = "linear, or sigmoid, which keeps values within those that were seen; without it, sigmoid for bytes, such "
             "as images, with hidden "
             "layers, else linear",
     .read = cli_read_choice,
     .offset = TRAIN(output),
     .choices = outputs},
    {.name = "epochs",
     .value = "COUNT",
     .help = "passes over the rows, at most; without it, 100, or for few rows up to 1000; with --linear 500",
     .read = cli_read_count,
     .offset = TRAIN(epochs)},
    {.name = "batch",
     .value = "ROWS",
     .help = "rows for each update, about; without it, a 32nd of the rows, 16 to 256",
     .read = cli_read_count,
     .offset = TRAIN(batch)},
    {.name = "rate",
     .value = "NUMBER",
     .help = "step of Adam at its largest, after the first epoch; falls to 0 as a cosine; without it, 0.001, where all "
             "layers "
             "are narrower than 1000 up to 0.005",
     .read = read_rate,
     .offset = TRAIN(rate)},
    {.name = "decay",
     .value = "NUMBER",
     .help = "pull of the weights towards 0, times the rate; without it, 0",
     .read = read_decay,
     .offset = TRAIN(decay)},
    {.name = "validation",
     .value = "SHARE",
     .help = "of the rows is kept apart to judge by; without it, 0.1, with --linear 0",
     .read = read_share,
     .offset = TRAIN(validation)},
    {.name = "patience",
     .value = "EPOCHS",
     .help = "ends after so many without a better error on the rows kept apart; without it, a fifth of all",
     .read = cli_read_count,
     .offset = TRAIN(patience)},
    {.name = "time",
     .value = "TIME",
     .help =
         "for training, such as 90s, 15m or 2h: plans fewer epochs where the first shows that all would take longer",
     .read = read_time,
     .offset = TRAIN(seconds)},
    {.name = "seed",
     .value = "NUMBER",
     .help = "of random weights, of the rows kept apart and of the order of rows; the same seed gives the same network",
     .read = cli_read_seed,
     .offset = TRAIN(seed)},
    {.name = "resume",
     .value = "NET",
     .help = "go on with this network: its shape, seed and rows kept apart; all options where it was interrupted",
     .read = cli_read_text,
     .offset = offsetof(arguments, resume)},
    {.name = "json",
     .help = "print the report as one JSON object, with all numbers in full precision",
     .offset = offsetof(arguments, json),
     .set = 1},
    {.group = cli_data_options, .offset = offsetof(arguments, read)},
    {.group = cli_read_options, .offset = offsetof(arguments, read)},
    {.group = cli_run_options, .offset = offsetof(arguments, run)},
    {.name = "quiet",
     .letter = 'q',
     .help = "print no report, no notes and no progress",
     .offset = offsetof(arguments, quiet),
     .set = 1},
    CLI_OPTIONS_END,
};

static const char *const examples[] = {
    "scree autoencode digits.idx --code 30 --hidden 1000,500,250 -o net.scree",
    "trains a deep auto-encoder, and says how it compares with PCA of 30 components",
    "scree autoencode digits.idx --code 30 --hidden 500,100 --time 15m -o net.scree",
    "the same in a quarter of an hour; Ctrl-C saves the best so far",
    "scree autoencode digits.idx --resume net.scree -o net.scree",
    "goes on where it was interrupted",
    "scree autoencode iris.csv --code 2 --linear -o linear.scree",
    "finds the space of the first two principal components by training",
    "scree reconstruct net.scree --data digits.idx -o again.npy",
    "a network is a model: project, reconstruct, info, plot and report take it",
    NULL,
};

/* What is told of a training. */
typedef struct report {
    const arguments *args;
    const scree_source *source;
    const scree_network_view *network;
    double seconds;
} report;

/* Errors are told with bytes as numbers from 0 to 1, as people do of images. */
static double unit_of(const scree_source *source)
{
    return scree_source_type(source) == SCREE_U8 ? 255.0 * 255.0 : 1.0;
}

/* What the callbacks need. */
typedef struct watch {
    cli_progress progress;
    const scree_source *source;
} watch;

static void on_epoch(void *context, const scree_epoch *epoch)
{
    watch *seen = context;
    const double unit = unit_of(seen->source);
    const double error = isnan(epoch->validation_error) ? epoch->training_error : epoch->validation_error;
    snprintf(seen->progress.note, sizeof seen->progress.note, "error %.4g, PCA %.4g", error / unit,
             epoch->pca_error / unit);
    cli_signals_patience(SAVING);
}

static void print_text(const report *done, FILE *out)
{
    const scree_network_view *net = done->network;
    const double unit = unit_of(done->source);
    const bool apart = net->validation_rows > 0;
    char time[32];
    cli_table *table = cli_table_new(apart ? "lrr" : "lr");
    cli_network_layers(out, net);
    fprintf(out, "%" PRId64 " rows for training, %" PRId64 " kept apart; %" PRId64 " epoch%s, %s; %s\n\n",
            net->training_rows, net->validation_rows, net->epochs, net->epochs == 1 ? "" : "s",
            cli_network_stopped(net), cli_human_time(time, sizeof time, done->seconds));
    cli_table_cell(table, "error a row");
    cli_table_cell(table, "training");
    if (apart)
        cli_table_cell(table, "kept apart");
    cli_table_cell(table, "network");
    cli_table_cell(table, "%.6g", net->training_error / unit);
    if (apart)
        cli_table_cell(table, "%.6g", net->validation_error / unit);
    const int64_t code = net->widths[net->encoder_layers];
    cli_table_cell(table, "PCA, %" PRId64 " component%s", code, code == 1 ? "" : "s");
    cli_table_cell(table, "%.6g", net->pca_training_error / unit);
    if (apart)
        cli_table_cell(table, "%.6g", net->pca_validation_error / unit);
    cli_table_cell(table, "PCA / network");
    cli_table_cell(table, "%.4g", net->pca_training_error / net->training_error);
    if (apart)
        cli_table_cell(table, "%.4g", net->pca_validation_error / net->validation_error);
    cli_table_print(table, out);
    cli_table_free(table);
    fprintf(out, "\nerrors are squared and summed over the columns%s\n",
            unit > 1 ? ", bytes taken as 0 to 1: 1/65025 of what info prints" : "");
    if (net->best_epoch < net->epochs)
        fprintf(out, "the network is that of epoch %" PRId64 ", the best\n", net->best_epoch);
}

static void print_json(const report *done)
{
    cJSON *object = cJSON_CreateObject();
    cli_json_text(object, "data", scree_source_name(done->source));
    cli_json_text(object, "model", done->args->output);
    cli_network_training_json(object, done->network);
    cli_json_number(object, "seconds", done->seconds);
    cli_json_print(object, stdout);
}

static void print_report(const report *done)
{
    const arguments *args = done->args;
    if (args->json)
        print_json(done);
    else if (!args->quiet)
        print_text(done, strcmp(args->output, "-") == 0 ? stderr : stdout);
    cli_note(done->source, args->quiet);
    const bool broken = strcmp(done->network->stopped, "cancelled") == 0 || strcmp(done->network->stopped, "time") == 0;
    if (broken && !args->quiet && !args->linear) {
        fflush(stdout);
        fprintf(stderr, "it was not finished: --resume %s goes on\n", args->output);
    }
}

/* Trains and saves, so that a signal which stops the training does not stop the saving. */
static scree_status train(arguments *args, scree_source *source, const scree_model *before, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model *model = NULL;
    watch seen = {.source = source};
    args->train.hidden = args->hidden.widths;
    args->train.hidden_count = args->hidden.count;
    args->train.linear = args->linear != 0;
    if (args->tied || args->untied)
        args->train.tied = args->tied;
    args->train.resume = before;
    args->train.run = &args->run;
    args->train.on_epoch = on_epoch;
    args->train.on_epoch_context = &seen;
    cli_progress_begin(&seen.progress, &args->run, args->quiet);
    status = scree_model_autoencode(&model, source, &args->train, error);
    if (status == SCREE_ERR_CANCELLED) {
        cli_progress_clear(&seen.progress);
        fputs("scree: interrupted before the first epoch was done; there is no network yet, and nothing was saved\n",
              stderr);
    }
    CLI_TRY(status);
    CLI_TRY(scree_model_save(model, args->output, error));
    cli_progress_clear(&seen.progress);
    print_report(&(report){args, source, scree_model_network(model), cli_seconds() - seen.progress.began});
    fflush(stdout);
done:
    scree_model_free(model);
    cli_progress_end(&seen.progress);
    return status;
}

/* An option that --linear has no use for, or NULL. */
static const char *not_linear(const arguments *args)
{
    const scree_autoencode_options *train = &args->train;
    return train->activation                                       ? "--activation"
           : train->output && strcmp(train->output, "linear") != 0 ? "--output-layer sigmoid"
           : train->batch > 0                                      ? "--batch"
           : train->rate > 0                                       ? "--rate"
           : train->decay > 0                                      ? "--decay"
           : train->patience > 0                                   ? "--patience"
                                                                   : NULL;
}

/* What contradicts itself, or is missing, before any file is read: an exit code, or 0. */
static int check(const cli_call *call, const arguments *args)
{
    if (!args->output)
        return cli_usage(call->command, NULL, "-o NET is missing");
    if (args->train.code == 0 && !args->resume)
        return cli_usage(call->command, NULL, "--code COUNT is missing");
    if (args->json && strcmp(args->output, "-") == 0)
        return cli_usage(call->command, NULL, "-o - and --json both want standard output");
    if (args->tied && args->untied)
        return cli_usage(call->command, NULL, "give --tied or --untied, not both");
    if (args->linear && args->hidden.count > 0)
        return cli_usage(call->command, NULL, "--linear has no hidden layers: leave --hidden out");
    if (args->linear && not_linear(args))
        return cli_usage(call->command, NULL, "--linear is trained on all rows at once, and is linear: leave %s out",
                         not_linear(args));
    return 0;
}

static bool same_hidden(const layers *hidden, const scree_network_view *net)
{
    bool same = hidden->count == net->encoder_layers - 1;
    for (int64_t l = 0; same && l < hidden->count; l++)
        same = hidden->widths[l] == net->widths[l + 1];
    return same;
}

/* The option that asks for another network than the one that is to go on, or NULL. */
static const char *differs(const arguments *args, const scree_network_view *net)
{
    const scree_autoencode_options *train = &args->train;
    const bool deep = net->encoder_layers > 1;
    const bool linear = !deep && strcmp(net->output, "linear") == 0;
    return train->code > 0 && train->code != net->widths[net->encoder_layers]             ? "--code"
           : args->hidden.count > 0 && !same_hidden(&args->hidden, net)                   ? "--hidden"
           : train->activation && deep && strcmp(train->activation, net->activation) != 0 ? "--activation"
           : train->output && strcmp(train->output, net->output) != 0                     ? "--output-layer"
           : args->tied && !net->tied                                                     ? "--tied"
           : args->untied && net->tied                                                    ? "--untied"
           : args->linear && !linear                                                      ? "--linear"
                                                                                          : NULL;
}

/* The network that is to go on: it is one, and what else is asked for does not contradict it. */
static scree_status open_before(scree_model **out, const arguments *args, scree_error *error)
{
    scree_status status = scree_model_load(out, args->resume, error);
    if (status != SCREE_OK)
        return status;
    const scree_network_view *net = scree_model_network(*out);
    const char *option = net ? differs(args, net) : NULL;
    const bool broken = net && (strcmp(net->stopped, "cancelled") == 0 || strcmp(net->stopped, "time") == 0);
    if (!net)
        snprintf(error->text, sizeof error->text,
                 "%s: is a PCA model, and --resume goes on with a network; make one with 'scree autoencode'",
                 args->resume);
    else if (option)
        snprintf(error->text, sizeof error->text,
                 "%s: is another network than %s asks for; leave the option out, or train anew without --resume",
                 args->resume, option);
    else if (broken && args->train.epochs > 0 && args->train.epochs < net->epochs)
        snprintf(error->text, sizeof error->text,
                 "%s: %" PRId64 " epochs are done already, and --epochs asks for %" PRId64 "; leave it out",
                 args->resume, net->epochs, args->train.epochs);
    else
        return SCREE_OK;
    return error->status = SCREE_ERR_ARGUMENT;
}

static int run(const cli_call *call)
{
    arguments *args = call->arguments;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_model *before = NULL;
    const int wrong = check(call, args);
    if (wrong)
        return wrong;
    args->read.threads = args->run.threads;
    CLI_TRY(cli_output_apart(call, args->output, NULL, &error));
    if (args->resume)
        CLI_TRY(open_before(&before, args, &error));
    CLI_TRY(cli_data_open(&source, call, 0, &args->read, &error));
    CLI_TRY(cli_output_check(args->output, &error));
    CLI_TRY(train(args, source, before, &error));
done:
    scree_model_free(before);
    scree_source_free(source);
    return cli_finish(status, &error);
}

const cli_command cli_autoencode = {
    .name = "autoencode",
    .synopsis = "DATA... --code COUNT [--hidden WIDTHS] -o NET [OPTIONS]",
    .operands = "DATA...",
    .summary = "train an auto-encoder, linear or deep, beside PCA",
    .description =
        "Trains two networks together, one that makes a code of a row and one that makes a row of a code, so that the "
        "mean squared error of the rows that come back is small, and saves them as a model, which project, "
        "reconstruct, info, plot and report take as they take one of PCA. Prints the error beside that of PCA with as "
        "many components, both fitted to the same rows, for those and for rows that neither has seen; PCA / network is "
        "how "
        "many times the error of PCA is that of the network. Rows are read "
        "into memory where they fit, and else once for each epoch. Ctrl-C saves the best network so far, once there "
        "was an epoch. The same "
        "seed gives the same network for any number of threads; a limit of time may end it earlier.",
    .options = options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
