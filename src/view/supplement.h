/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_SUPPLEMENT_H
#define SCREE_VIEW_SUPPLEMENT_H

/* Columns that the model was not fitted to: arrows for those of numbers, the means of their groups for those of text.
 */

#include "view/arrows.h"

/* What options name, described by the model; NULL in *out: nothing. */
scree_status scree__supplement_gather(scree_supplement **out, const scree__plot *plot, scree_error *error);
/* How many arrows they need. */
int64_t scree__supplement_arrows(const scree_supplement *supplement);
/* Where arrow i of them ends along a component: the correlation, or the covariance with the component of unit variance.
 */
double scree__supplement_tip(const scree_supplement *supplement, int64_t i, int64_t component, bool correlation);
/* Adds them to arrows that have room. */
void scree__supplement_add(const scree_supplement *supplement, scree__arrows *arrows, const int64_t component[2],
                           bool correlation);

#endif
