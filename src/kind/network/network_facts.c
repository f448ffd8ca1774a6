/* SPDX-License-Identifier: BSD-3-Clause */
/* What an auto-encoder says of itself: its layers, its training, and the mean squared error of a row (10.29, 10.76),
 * beside that of PCA with as many components, fitted to the same rows (10.44). Made once, when the model is settled, so
 * that it can be lent. */

#include "kind/network/network.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { SIZE = SCREE__FACT_SIZE };

/* The facts so far. */
typedef struct list {
    scree__network *network;
    int facts;
    int texts;
} list;

static char *new_text(list *all)
{
    return all->network->texts[all->texts++];
}

/* The next fact, and where its text goes. */
static scree_fact *add(list *all, const char *name, const char *title, char **text)
{
    scree_fact *fact = &all->network->facts[all->facts++];
    *text = new_text(all);
    *fact = (scree_fact){.size = sizeof *fact, .name = name, .title = title, .text = *text, .number = NAN};
    return fact;
}

static void add_text(list *all, const char *name, const char *title, const char *value)
{
    char *text;
    add(all, name, title, &text);
    snprintf(text, SIZE, "%s", value);
}

static void add_integer(list *all, const char *name, const char *title, int64_t value)
{
    char *text;
    add(all, name, title, &text)->number = (double)value;
    snprintf(text, SIZE, "%" PRId64, value);
}

/* NaN: there is none. */
static void add_error(list *all, const char *name, const char *title, double value)
{
    char *text;
    scree_fact *fact = add(all, name, title, &text);
    fact->number = value;
    if (isnan(value)) {
        snprintf(text, SIZE, "none");
        fact->json = "null";
    } else {
        scree__format(text, SIZE, "%.6g", value);
    }
}

/* "784-30-784", and [784,30,784]. */
static void add_widths(list *all)
{
    const scree__network *network = all->network;
    char *text;
    scree_fact *fact = add(all, "widths", "layers", &text);
    char *json = new_text(all);
    size_t used = 0;
    size_t filled = 0;
    for (int64_t l = 0; l <= network->count; l++) {
        used += (size_t)snprintf(text + used, SIZE - used, "%s%" PRId64, l ? "-" : "", network->widths[l]);
        filled += (size_t)snprintf(json + filled, SIZE - filled, "%c%" PRId64, l ? ',' : '[', network->widths[l]);
    }
    snprintf(json + filled, SIZE - filled, "]");
    fact->json = json;
}

static void add_shape(list *all)
{
    const scree_network_view *view = &all->network->view;
    int64_t weights = 0;
    char *text;
    for (int64_t l = 0; l < all->network->count; l++)
        weights += all->network->widths[l] * all->network->widths[l + 1];
    add_widths(all);
    add_text(all, "activation", "activation", view->activation);
    add_text(all, "output", "output", view->output);
    add(all, "tied", "tied weights", &text)->json = view->tied ? "true" : "false";
    snprintf(text, SIZE, "%s", view->tied ? "yes" : "no");
    add_integer(all, "weights", "weights", view->tied ? weights / 2 : weights);
}

static void add_training(list *all)
{
    const scree_network_view *view = &all->network->view;
    char *text;
    char *json;
    scree_fact *seed = add(all, "seed", "seed", &text);
    seed->json = json = new_text(all);
    seed->number = (double)view->seed;
    snprintf(text, SIZE, "%" PRIu64, view->seed);
    snprintf(json, SIZE, "%" PRId64, (int64_t)view->seed);
    add_integer(all, "training_rows", "training rows", view->training_rows);
    add_integer(all, "validation_rows", "rows kept apart", view->validation_rows);
    add_integer(all, "epochs", "epochs", view->epochs);
    add_integer(all, "best_epoch", "best epoch", view->best_epoch);
    add_text(all, "stopped", "stopped by", view->stopped);
    add_text(all, "error_unit", "unit of errors", "squares of the data's own");
    add_error(all, "training_error", "training error", view->training_error);
    add_error(all, "validation_error", "validation error", view->validation_error);
    add_error(all, "pca_training_error", "training error of PCA", view->pca_training_error);
    add_error(all, "pca_validation_error", "validation error of PCA", view->pca_validation_error);
}

void scree__network_describe(scree__network *network)
{
    list all = {network, 0, 0};
    add_shape(&all);
    add_training(&all);
}

const scree_fact *scree__network_fact(const scree_model *model, int64_t index)
{
    return index < SCREE__NETWORK_FACTS ? &scree__network_of(model)->facts[index] : NULL;
}
