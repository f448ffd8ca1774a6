/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of scree autoencode, and the readers of values that only it takes. */

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

#define TRAIN(field) (offsetof(autoencode_arguments, train) + offsetof(scree_autoencode_options, field))

const cli_option cli_autoencode_options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "write the network here, as a model; must be given",
     .read = cli_read_text,
     .offset = offsetof(autoencode_arguments, work.write.output)},
    {.name = "code",
     .value = "COUNT",
     .help = "numbers that a row is made to; must be given, unless with --resume",
     .read = cli_read_count,
     .offset = TRAIN(code)},
    {.name = "hidden",
     .value = "WIDTHS",
     .help = "layers between row and code, such as 1000,500,250; back to the row in reverse; without it, none",
     .read = read_layers,
     .offset = offsetof(autoencode_arguments, hidden)},
    {.name = "linear",
     .help =
         "decoder B, encoder B transposed, no biases: the optimum spans the space of PCA; trained on all rows at once",
     .offset = offsetof(autoencode_arguments, linear),
     .set = 1},
    {.name = "tied",
     .help = "the decoder has the weights of the encoder, transposed; by itself with --linear",
     .offset = offsetof(autoencode_arguments, tied),
     .set = 1},
    {.name = "untied",
     .help = "it has weights of its own; by itself without --linear",
     .offset = offsetof(autoencode_arguments, untied),
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
     .offset = offsetof(autoencode_arguments, resume)},
    {.name = "json",
     .help = "print the report as one JSON object, with all numbers in full precision",
     .offset = offsetof(autoencode_arguments, json),
     .set = 1},
    {.group = cli_read_options},
    {.group = cli_run_options},
    {.name = "quiet",
     .letter = 'q',
     .help = "print no report, no notes and no progress",
     .offset = offsetof(autoencode_arguments, work.quiet),
     .set = 1},
    CLI_OPTIONS_END,
};
