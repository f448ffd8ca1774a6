/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_KIND_H
#define SCREE_MODEL_KIND_H

/* A kind of model: one const table of what its models can answer, and of how they are made, kept and described. No
 * room asks which kind a model is: it asks whether the kind can. A new kind is a folder of src/kind and a line of the
 * table in src/kind/kinds.c.
 *
 * What every kind shares is struct scree_model (model.h): columns, means, variances, the length of a code. What only
 * one has is behind model->data, which the kind owns. */

#include "model/density.h"
#include "model/fields.h"
#include "model/meaning.h"
#include "model/onnx_frame.h"

/* A kind as nodes of an ONNX graph. */
typedef struct scree__onnx_kind {
    const char *doc;  /* what the file says of itself, with its formulas */
    const char *unit; /* what to keep fewer of where the file would be too large: "components" */
    int64_t (*numbers)(const scree_model *model); /* that the nodes hold, mean and scale aside */
    /* What a row is centred and scaled with, where that is not the view's; NULL: it is. */
    void (*frame)(const scree_model *model, const double **mean, const double **scale);
    /* "centred" becomes "codes", and these "restored". */
    void (*nodes)(scree__onnx *onnx, const scree_model *model, scree__onnx_part part);
} scree__onnx_kind;

typedef struct scree__kind {
    const char *name;        /* in files, in the view, in SCREE_TABLE_KINDS: that of its folder */
    const char *text;        /* one line, for help */
    const char *noun;        /* for sentences, with its article: "a PCA model" */
    const char *advice;      /* what answers where this kind cannot: "a PCA model, make one with 'scree fit'" */
    const char *code_prefix; /* of the names of codes, before a number: "pc" */

    /* Of rows, for scree_model_fit. Options are adopted. */
    scree_status (*fit)(scree_model **out, scree_source *source, const scree_fit_options *options, scree_error *error);
    /* Adds everything that load needs to the draft of a file, which begins with the format and the kind. */
    scree_status (*save)(const scree_model *model, scree__draft *draft, scree_error *error);
    /* Everything but what settle computes; the container is checked. *out may be set on failure: it is freed. */
    scree_status (*load)(scree_model **out, const scree__safetensors *file, scree_error *error);
    /* Numbers that follow from others; NULL: none. */
    scree_status (*settle)(scree_model *model, scree_error *error);
    void (*free)(void *data); /* NULL: there is none */

    /* Questions about rows (answers.h): each completes one that has model, width, names, mean and scale; that of codes
     * has model and width. NULL: the kind cannot answer it. round_trip is there where the first two are. */
    void (*project)(scree__question *question);
    void (*reconstruct)(scree__question *question);
    void (*round_trip)(scree__question *question);

    /* Of models whose components are in the order of the variance that they explain; NULL: they are not. */
    scree_status (*truncate)(scree_model **out, const scree_model *model, int64_t components, scree_error *error);

    const scree__density *density; /* NULL: it is no distribution */
    const scree__onnx_kind *onnx;  /* NULL: it cannot be exported */
    const scree__meaning *meaning; /* NULL: its codes are no linear functions of the columns, which would have one */

    /* scree_model_fact; NULL: the view says it all. */
    const scree_fact *(*fact)(const scree_model *model, int64_t index);
    /* scree__model_page; NULL: components suffice. */
    scree_status (*page)(const scree_model *model, int64_t limit, char **json, scree_error *error);
} scree__kind;

/* The table, NULL-terminated, in a file of its own. Files without a kind are of the first, and so are new models. */
extern const scree__kind *const scree__kinds[];

/* NULL: there is none of this name. */
const scree__kind *scree__kind_find(const char *name);

/* "this, that and the third", for sentences. */
void scree__kind_list(char *text, size_t size);

/* Makes a new model one of another kind, which takes data. */
void scree__model_become(scree_model *model, const scree__kind *kind, void *data);

/* scree__kind_needs for one entry of a table, and for one of the density's. */
scree_status scree__kind_needs_entry(const scree_model *model, bool entry, const char *what, scree_error *error);
#define SCREE__DENSITY_NEEDS(model, entry, what, error)                                                                \
    scree__kind_needs_entry(model, (model)->kind->density && (model)->kind->density->entry, what, error)

/* The sentence of both, to go after others. */
void scree__kind_refusal(const scree_model *model, const char *what, char *text, size_t size);

/* scree__kind_needs, scree__model_code_prefix and scree__model_page are declared in scree_private.h. */

#endif
