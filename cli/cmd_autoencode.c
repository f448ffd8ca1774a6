/* SPDX-License-Identifier: BSD-3-Clause */
/* scree autoencode: trains an auto-encoder, saves it as a model, and compares it with PCA. Ctrl-C stops the training
 * and saves the best network so far, with everything that --resume needs to continue. */

#include "autoencode_options.h"
#include "autoencode_text.h"
#include "signals.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SAVING = 3600 }; /* seconds that a signal may wait once there is something to save */

static const autoencode_arguments defaults = {
    .work = CLI_WORK_INIT(NULL), .train = SCREE_AUTOENCODE_OPTIONS_INIT, .checkpoint = CLI_CHECKPOINT_INIT};

static const char *const examples[] = {
    "scree autoencode digits.idx --code 30 --hidden 1000,500,250 -o net.scree",
    "trains a deep auto-encoder, and compares it with PCA of 30 components",
    "scree autoencode digits.idx --code 30 --hidden 500,100 --time 15m -o net.scree",
    "trains for at most a quarter of an hour; Ctrl-C saves the best network so far",
    "scree autoencode digits.idx --resume net.scree -o net.scree",
    "continues an interrupted training",
    "scree autoencode iris.csv --code 2 --linear -o linear.scree",
    "finds the span of the first two principal components by training",
    "scree reconstruct net.scree --data digits.idx -o again.npy",
    "a network is a model: use it with project, reconstruct, info, plot and report",
    NULL,
};

static void on_epoch(void *context, const scree_epoch *epoch)
{
    cli_work *work = context;
    const double unit = cli_autoencode_unit(work->source);
    const double error = isnan(epoch->validation_error) ? epoch->training_error : epoch->validation_error;
    snprintf(work->progress.note, sizeof work->progress.note, "error %.4g, PCA %.4g", error / unit,
             epoch->pca_error / unit);
    cli_signals_patience(SAVING);
}

static bool was_stopped(const scree_network_view *network)
{
    return strcmp(network->stopped, "cancelled") == 0 || strcmp(network->stopped, "time") == 0;
}

static void print_report(const autoencode_arguments *args)
{
    const cli_work *work = &args->work;
    const scree_network_view *network = scree_model_network(work->model);
    const double seconds = cli_seconds() - work->progress.began;
    if (args->json)
        cli_autoencode_json(work, seconds);
    else if (!work->quiet)
        cli_autoencode_print(cli_work_is_piped(work) ? stderr : stdout, work, network, seconds);
    cli_work_note(work);
    if (was_stopped(network) && !work->quiet && !args->linear) {
        cli_flush();
        cli_print(stderr, "training was not finished; continue with --resume %s\n", work->write.output);
    }
}

/* Trains and saves: a signal that stops the training does not stop the saving. */
static scree_status train(autoencode_arguments *args, const scree_model *before)
{
    cli_work *work = &args->work;
    scree_status status = SCREE_OK;
    args->train.hidden = args->hidden.widths;
    args->train.hidden_count = args->hidden.count;
    args->train.linear = args->linear != 0;
    if (args->tied || args->untied)
        args->train.tied = args->tied;
    args->train.resume = before;
    args->train.run = &work->run;
    args->train.on_epoch = on_epoch;
    args->train.on_epoch_context = work;
    args->train.checkpoint = args->checkpoint.path;
    args->train.checkpoint_every = args->checkpoint.every;
    args->train.checkpoint_stays = true;
    cli_checkpoint_note(&args->checkpoint, work->quiet != 0);
    cli_progress_begin(&work->progress, &work->run, work->quiet != 0);
    status = scree_model_autoencode(&work->model, work->source, &args->train, &work->error);
    if (status == SCREE_ERR_CANCELLED) {
        cli_progress_clear(&work->progress);
        fputs("scree: interrupted before the end of the first epoch; nothing was saved\n", stderr);
    }
    CLI_TRY(status);
    CLI_TRY(scree_model_save(work->model, work->write.output, &work->error));
    cli_progress_clear(&work->progress);
    print_report(args);
    CLI_TRY(cli_publish(&work->error));
done:
    cli_progress_end(&work->progress);
    return status;
}

/* An option that contradicts --linear, or NULL. */
static const char *not_linear(const autoencode_arguments *args)
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

/* Checks the options before any file is read: an exit code, or 0. */
static int check(const cli_call *call, const autoencode_arguments *args)
{
    const cli_work *work = &args->work;
    if (!work->write.output)
        return cli_usage(call->command, NULL, "-o NET is required");
    if (args->train.code == 0 && !args->resume)
        return cli_usage(call->command, NULL, "--code COUNT is required");
    if (args->json && cli_work_is_piped(work))
        return cli_usage(call->command, NULL, "-o - and --json both write to standard output");
    if (args->tied && args->untied)
        return cli_usage(call->command, NULL, "give --tied or --untied, not both");
    if (args->linear && args->hidden.count > 0)
        return cli_usage(call->command, NULL, "--linear has no hidden layers: remove --hidden");
    if (args->train.activation && args->hidden.count == 0 && !args->linear && !args->resume)
        return cli_usage(call->command, NULL, "--activation is for hidden layers, and there are none: add --hidden");
    if (args->resume && (cli_given(call, "seed") || cli_given(call, "validation")))
        return cli_usage(call->command, NULL, "--resume keeps the seed and the held-out rows: remove --%s",
                         cli_given(call, "seed") ? "seed" : "validation");
    if (args->linear && not_linear(args))
        return cli_usage(call->command, NULL, "--linear is trained on all rows at once, with linear layers: remove %s",
                         not_linear(args));
    return 0;
}

static bool same_hidden(const autoencode_layers *hidden, const scree_network_view *net)
{
    bool same = hidden->count == net->encoder_layers - 1;
    for (int64_t l = 0; same && l < hidden->count; l++)
        same = hidden->widths[l] == net->widths[l + 1];
    return same;
}

/* The option that contradicts the network to be resumed, or NULL. */
static const char *differs(const autoencode_arguments *args, const scree_network_view *net)
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

/* Loads the network to be resumed, and checks that the options do not contradict it. */
static scree_status open_before(scree_model **out, const autoencode_arguments *args, scree_error *error)
{
    scree_status status = scree_model_load(out, args->resume, error);
    if (status != SCREE_OK)
        return status;
    const scree_network_view *net = scree_model_network(*out);
    const char *option = net ? differs(args, net) : NULL;
    if (!net)
        snprintf(error->text, sizeof error->text,
                 "%s: is not a network, but --resume needs one; train it with 'scree autoencode'", args->resume);
    else if (option)
        snprintf(error->text, sizeof error->text,
                 "%s: the network does not match %s; remove the option, or train anew without --resume", args->resume,
                 option);
    else if (was_stopped(net) && args->train.epochs > 0 && args->train.epochs < net->epochs)
        snprintf(error->text, sizeof error->text,
                 "%s: was already trained for %" PRId64 " epochs, but --epochs is %" PRId64 "; remove the option",
                 args->resume, net->epochs, args->train.epochs);
    else
        return SCREE_OK;
    return error->status = SCREE_ERR_ARGUMENT;
}

static int run(const cli_call *call)
{
    autoencode_arguments *args = call->arguments;
    cli_work *work = cli_work_start(call);
    scree_status status = SCREE_OK;
    scree_model *before = NULL;
    int wrong = check(call, args);
    if (!wrong)
        wrong = cli_checkpoint_check(call, &args->checkpoint, work->write.output);
    if (wrong)
        return wrong;
    CLI_TRY(cli_output_distinct(call, work->write.output, NULL, &work->error));
    if (args->resume)
        CLI_TRY(open_before(&before, args, &work->error));
    CLI_TRY(cli_work_rows(work, 0));
    CLI_TRY(cli_output_check(work->write.output, &work->error));
    CLI_TRY(train(args, before));
done:
    scree_model_free(before);
    const bool over = work->model && strcmp(scree_model_network(work->model)->stopped, "cancelled") != 0;
    const int code = cli_work_finish(work, status);
    if (over && code == CLI_SUCCESS)
        cli_checkpoint_remove(&args->checkpoint);
    return code;
}

const cli_command cli_autoencode = {
    .name = "autoencode",
    .synopsis = "DATA... --code COUNT [--hidden WIDTHS] -o NET [OPTIONS]",
    .operands = "DATA...",
    .summary = "train an auto-encoder, linear or deep, and compare it with PCA",
    .description =
        "Trains an encoder, which maps a row to a code, together with a decoder, which maps a code to a row, to "
        "minimize the mean squared error of the reconstructed rows. Saves them as a model that works with project, "
        "reconstruct, info, plot and report like a PCA model. Prints the error next to that of PCA with as many "
        "components, fitted to the same rows, both for these rows and for held-out rows; PCA / network is the ratio of "
        "the two errors. Rows are kept in memory if they fit, and otherwise read once per epoch. Ctrl-C saves the best "
        "network so far, after at least one epoch. The same seed gives the same network for any number of threads, "
        "unless a time limit ends the training early.",
    .options = cli_autoencode_options,
    .examples = examples,
    .defaults = &defaults,
    .arguments_size = sizeof defaults,
    .run = run,
};
