/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_FIT_H
#define SCREE_FIT_FIT_H

#include "fit/job.h"

/* scree_model_fit for components: planned, found by a method, with what is proven of them. */
scree_status scree__fit_components(scree_model **out, scree_source *source, const scree_fit_options *options,
                                   scree_error *error);

/* A model of what a method found, with what is proven of its components; its reason and latent dimensions are still to
 * be set. */
scree_status scree__fit_model(scree_model **out, const scree__job *job, const scree__solution *solution,
                              const char *solver, scree_error *error);

/* Settles the latent dimensions of a model that was fitted with these options, which are resolved. */
scree_status scree__fit_latent(scree_model *model, const scree_fit_options *options, scree_error *error);

#endif
