/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_DENSITY_H
#define SCREE_MODEL_DENSITY_H

/* A model as a probability distribution: what a kind brings so that section 7 of scree.h has answers. check is
 * there always; what else is NULL is refused with a sentence, but for laws, contributions and reasons: scores then come
 * without limits or reasons. The one of probabilistic PCA is in ppca.h; a kind whose noise differs by column, or whose
 * components are rotated, takes what it shares from there and brings the rest. Nothing outside of such a table reads
 * the one noise variance of the view to answer for a kind. */

#include "model/answers.h"
#include "model/support.h"
#include "model/tail_table.h"

typedef struct scree__density {
    /* Fails with a sentence where this model has no density, or no inverse covariance. */
    scree_status (*check)(const scree_model *model, scree_error *error);
    void (*facts)(const scree_model *model, scree_facts *facts);
    void (*rate)(const scree_model *model, double distortion, scree_rate *rate);
    scree_status (*with_noise)(scree_model **out, const scree_model *model, double noise, scree_error *error);

    /* B and the covariance of x, or its inverse: as an operator, and as D×D numbers in rows of ld. */
    void (*loadings)(const scree_model *model, double *loadings, int64_t ld);
    void (*multiply)(const scree_model *model, const double *x, double *y, bool inverse);
    void (*dense)(const scree_model *model, double *covariance, int64_t ld, bool inverse);

    /* Rows with gaps, in whatever question welcomes them; NULL: they are refused. */
    const scree__gap_solver *gaps;

    /* p(z|x): a question whose out is a scree__posterior_out; the covariance of a row without gaps; and that of one
     * row, with gaps or without. */
    void (*posterior)(scree__question *question);
    void (*posterior_covariance)(const scree_model *model, double *variances, double *logdet);
    scree_status (*posterior_row)(const scree_model *model, const double *row, double *mean, double *covariance,
                                  double *logdet, scree_error *error);
    /* The same as an ellipse (scree_private.h), all zero before, of a row that may have gaps. */
    scree_status (*ellipse)(scree__ellipse *ellipse, const scree_model *model, const double *row,
                            const int64_t component[2], scree_error *error);

    /* ln p(x): prepares a scorer, which has model and options; a question whose out is a scree__score_out; what each
     * column adds to Q; and how far each is to blame for a row, in parts of whatever unit. */
    scree_status (*scorer)(scree_scorer *scorer, scree_error *error);
    void (*score)(scree__question *question);
    scree_status (*contributions)(const scree_model *model, const double *row, double *contributions,
                                  scree_error *error);
    scree_status (*reasons)(const scree_scorer *scorer, const double *row, double *parts);
    /* How T² and Q of whole rows are distributed. training: of the rows that were fitted; else of new ones. */
    void (*laws)(const scree_model *model, bool training, scree__tail *t2, scree__tail *q);

    /* Codes of rows are Uᵀ(x - µ), and noise is the same in all directions but those: new rows can be judged together
     * by scree_drift_make, which then reads the view. */
    bool drift;

    /* p(x_m|x_o): a question whose out is a scree__impute_out. */
    void (*impute)(scree__question *question);

    /* Draws. The code that reconstruction makes E[x|z] of; D standard normals as noise on top of a row; and how far z
     * is from the mean of p(z|x), C^½ normals. gaps: the solver's, solved for the row where it has any, else NULL. */
    void (*code)(const scree_model *model, const double *z, double *code);
    void (*noise)(const scree_model *model, const double *normals, double *x);
    /* Where noise lies, from the model with all components that were kept; NULL: everywhere. */
    scree_status (*support)(scree__support *support, const scree_model *kept, scree_error *error);
    void (*spread)(const scree_model *model, const void *gaps, const double *normals, double *offset);
} scree__density;

#endif
