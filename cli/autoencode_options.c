/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of scree autoencode, and the readers of values that only it uses. */

#include "autoencode_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const activations[] = {"gelu", "relu", "tanh", NULL};
static const char *const outputs[] = {"linear", "sigmoid", NULL};

/* "1000,500,250" */
static const char *read_layers(void *where, const char *text, const cli_option *option)
{
    autoencode_layers *hidden = where;
    hidden->count = 0;
    (void)option;
    while (hidden->count < AUTOENCODE_MOST_HIDDEN) {
        char *end = NULL;
        const long long width = strtoll(text, &end, 10);
        if (end == text || *text == '-' || width < 1 || width > INT32_MAX || (*end && *end != ','))
            break;
        hidden->widths[hidden->count++] = width;
        if (!*end)
            return NULL;
        text = end + 1;
    }
    return "at most ten widths, such as 1000,500,250";
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

/* A share of the rows, possibly 0. */
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
    return cli_read_positive(where, text, option) ? "a positive number such as 0.001" : NULL;
}

static const char *read_decay(void *where, const char *text, const cli_option *option)
{
    double decay = 0;
    if (cli_read_variance(&decay, text, option) || decay >= 1)
        return "a number from 0 to below 1, such as 0.1";
    *(double *)where = decay;
    return NULL;
}

#define TRAIN(field) (offsetof(autoencode_arguments, train) + offsetof(scree_autoencode_options, field))

const cli_option cli_autoencode_options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "write the network to FILE, as a model (required)",
     .read = cli_read_text,
     .offset = offsetof(autoencode_arguments, work.write.output)},
    {.name = "code",
     .value = "COUNT",
     .help = "code length: how many numbers a row is encoded to (required unless --resume is given)",
     .read = cli_read_count,
     .offset = TRAIN(code)},
    {.name = "hidden",
     .value = "WIDTHS",
     .help = "widths of the layers between row and code, such as 1000,500,250; the decoder has them in reverse "
             "(default: none)",
     .read = read_layers,
     .offset = offsetof(autoencode_arguments, hidden)},
    {.name = "linear",
     .help = "decoder B, encoder B transposed, no biases: the optimum spans the principal subspace; trained on all "
             "rows at once",
     .offset = offsetof(autoencode_arguments, linear),
     .set = 1},
    {.name = "tied",
     .help = "the decoder shares the weights of the encoder, transposed (default with --linear)",
     .offset = offsetof(autoencode_arguments, tied),
     .set = 1},
    {.name = "untied",
     .help = "the decoder has its own weights (default without --linear)",
     .offset = offsetof(autoencode_arguments, untied),
     .set = 1},
    {.name = "activation",
     .value = "NAME",
     .help = "activation of the hidden layers: gelu, relu or tanh (default: gelu)",
     .read = cli_read_choice,
     .offset = TRAIN(activation),
     .choices = activations},
    {.name = "output-layer",
     .value = "NAME",
     .help = "linear, or sigmoid, which limits values to the observed range (default: sigmoid for bytes, such as "
             "images, if there are hidden layers; otherwise linear)",
     .read = cli_read_choice,
     .offset = TRAIN(output),
     .choices = outputs},
    {.name = "epochs",
     .value = "COUNT",
     .help =
         "at most this many passes over the rows (default: 100, up to 1000 if there are few rows; 500 with --linear)",
     .read = cli_read_count,
     .offset = TRAIN(epochs)},
    {.name = "batch",
     .value = "ROWS",
     .help = "approximate number of rows per update (default: a 32nd of the rows, 16 to 256)",
     .read = cli_read_count,
     .offset = TRAIN(batch)},
    {.name = "rate",
     .value = "NUMBER",
     .help = "peak learning rate of Adam, after the first epoch; it then falls to 0 as a cosine (default: 0.001, up to "
             "0.005 if all layers are narrower than 1000)",
     .read = read_rate,
     .offset = TRAIN(rate)},
    {.name = "decay",
     .value = "NUMBER",
     .help = "weight decay, relative to the learning rate (default: 0)",
     .read = read_decay,
     .offset = TRAIN(decay)},
    {.name = "validation",
     .value = "SHARE",
     .help = "hold out this share of the rows for validation (default: 0.1; 0 with --linear)",
     .read = read_share,
     .offset = TRAIN(validation)},
    {.name = "patience",
     .value = "EPOCHS",
     .help = "stop after this many epochs without a lower validation error (default: a fifth of all epochs)",
     .read = cli_read_count,
     .offset = TRAIN(patience)},
    {.name = "time",
     .value = "TIME",
     .help = "time limit for training, such as 90s, 15m or 2h: fewer epochs are planned if the first one shows that "
             "all would take longer",
     .read = read_time,
     .offset = TRAIN(seconds)},
    {.name = "seed",
     .value = "NUMBER",
     .help = "seed for the initial weights, the held-out rows and the order of rows; the same seed gives the same "
             "network (default: 0)",
     .read = cli_read_seed,
     .offset = TRAIN(seed)},
    {.name = "resume",
     .value = "NET",
     .help = "continue training this network, with its shape, seed and held-out rows; if it was interrupted, with all "
             "its options",
     .read = cli_read_text,
     .offset = offsetof(autoencode_arguments, resume)},
    {.group = cli_checkpoint_options, .offset = offsetof(autoencode_arguments, checkpoint)},
    {.name = "json",
     .help = "print the report as a JSON object with all numbers in full precision",
     .offset = offsetof(autoencode_arguments, json),
     .set = 1},
    {.group = cli_read_options},
    {.group = cli_run_options},
    {.name = "quiet",
     .letter = 'q',
     .help = "print no report, notes or progress",
     .offset = offsetof(autoencode_arguments, work.quiet),
     .set = 1},
    CLI_OPTIONS_END,
};
