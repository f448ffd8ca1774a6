/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_ROW_UPDATE_H
#define SCREE_MODEL_ROW_UPDATE_H

/* The exact law of a new row: it becomes the last of the fitted ones. See row_update.c. */

#include "model/row_law.h"

/* As scree__row_law_ask, of a law that exists. */
scree__chances scree__row_update_ask(const scree__row_law *law, const scree__law_row *row, double *work);

#endif
