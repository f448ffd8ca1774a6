/* SPDX-License-Identifier: BSD-3-Clause */
/* What a network answers to the three questions that PCA answers with its basis: the code of a row, the row of a code,
 * and the way there and back with what was lost on it, ‖x - x̃‖² in the units of the data (10.76).
 * Rows need all their cells: there is no distribution to fill the gaps from. */

#include "kind/network/network.h"

#include <string.h>

static void encode(const scree_model *model, const scree__chunk *chunk, void *out)
{
    const scree__network *network = scree__network_of(model);
    const int64_t m = model->view.m;
    double *codes = out;
    scree__network_encode(network, chunk->height, chunk->x, chunk->work, chunk->work + chunk->height * m);
    memcpy(codes + chunk->from * m, chunk->work + chunk->skip * m, (size_t)(chunk->count * m) * sizeof *codes);
}

/* A row back where the data lives. */
static void restore(const scree__network *network, const double *x, double *out)
{
    for (int64_t j = 0; j < network->widths[0]; j++)
        out[j] = x[j] * network->range[j] + network->offset[j];
}

static void decode(const scree_model *model, const scree__chunk *chunk, void *out)
{
    const scree__network *network = scree__network_of(model);
    const int64_t d = model->view.d;
    double *data = out;
    scree__network_decode(network, chunk->height, chunk->x, chunk->work, chunk->work + chunk->height * d);
    for (int64_t i = 0; i < chunk->count; i++)
        restore(network, chunk->work + (chunk->skip + i) * d, data + (chunk->from + i) * d);
}

static void there_and_back(const scree_model *model, const scree__chunk *chunk, void *out)
{
    const scree__network *network = scree__network_of(model);
    const scree__round_trip_rows *rows = out;
    const int64_t d = model->view.d;
    double *codes = chunk->work;
    double *back = codes + chunk->height * model->view.m;
    double *work = back + chunk->height * d;
    scree__network_encode(network, chunk->height, chunk->x, codes, work);
    scree__network_decode(network, chunk->height, codes, back, work);
    for (int64_t i = 0; i < chunk->count; i++) {
        const double *x = chunk->x + (chunk->skip + i) * d;
        const double *y = back + (chunk->skip + i) * d;
        double sum = 0;
        for (int64_t j = 0; rows->squares && j < d; j++) {
            const double off = (x[j] - y[j]) * network->range[j];
            sum += off * off;
        }
        if (rows->squares)
            rows->squares[chunk->from + i] = sum;
        if (rows->data)
            restore(network, y, rows->data + (chunk->from + i) * d);
    }
}

/* Rows are loaded as the network wants them. */
static const scree__network *ask_rows(scree__question *question)
{
    const scree__network *network = scree__network_of(question->model);
    question->mean = network->offset;
    question->scale = network->range;
    question->advice = "a network needs whole rows, fill the gaps first, with 'scree impute'";
    return network;
}

void scree__network_project(scree__question *question)
{
    const scree__network *network = ask_rows(question);
    question->answer = encode;
    question->work = question->model->view.m + scree__network_room(network);
}

void scree__network_reconstruct(scree__question *question)
{
    const scree__network *network = scree__network_of(question->model);
    question->answer = decode;
    question->work = question->model->view.d + scree__network_room(network);
}

void scree__network_round_trip(scree__question *question)
{
    const scree__network *network = ask_rows(question);
    const scree_model_view *view = scree_model_get(question->model);
    question->answer = there_and_back;
    question->work = view->m + view->d + scree__network_room(network);
}
