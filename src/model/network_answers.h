/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_NETWORK_ANSWERS_H
#define SCREE_MODEL_NETWORK_ANSWERS_H

/* Each gives a question the answer of the network, where its model is one; else it stays as it is. */

#include "model/chunks.h"

void scree__network_project(scree__question *question);
void scree__network_reconstruct(scree__question *question);
void scree__network_round_trip(scree__question *question);

#endif
