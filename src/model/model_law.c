/* SPDX-License-Identifier: BSD-3-Clause */
/* What a model tells the law of its rows: N, its eigenvalues, and of those beyond what the fit knew of them. A model
 * that knows only their sum, as one of an older file, or of a method that does not see them, takes them for those of
 * white noise. Of many rows the law of new ones has fewer poles, for speed. Weights count rows: a weight of 3 is three
 * rows. What a fit of rows with gaps says is in gap_law.c. O(kept). */

#include "model/model_law.h"

#include "base/memory.h"
#include "model/evidence.h"
#include "model/gap_law.h"
#include "model/relations.h"
#include "model/scaling.h"
#include "model/support.h"

#include <float.h>
#include <math.h>

enum { KNOWN = 64, MORE_THAN_LATENT = 20, SEVERAL_ROWS = 500, FEWER_BINS = 20 };
static const double DIGITS = 50;    /* times what is rounding: the average of what is left, to be taken as it is */
static const double MEASURED = 1e4; /* times D u², for Q to have a law: that of a row is then good to some per cent */
static const double NOTHING = 1e4;  /* times the noise: the weakest component, where the noise is taken for none */
static const double RESCALED =
    100; /* times √(2D): the N from which Q moves by less than a hundredth of its deviation */

int64_t scree__law_known(double rows, int64_t latent, int64_t kept)
{
    const int64_t more = latent + MORE_THAN_LATENT;
    const int64_t most = rows > SEVERAL_ROWS || more > KNOWN ? more : KNOWN;
    return kept < most ? kept : most;
}

bool scree__law_rescales(const scree_model_view *view, bool fitted)
{
    return scree__is_standardised(view) && !fitted && scree__model_rows(view) < RESCALED * sqrt(2 * (double)view->d);
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* Columns, and how many of them are not determined by others. */
typedef struct columns {
    int64_t all;
    int64_t free;
} columns;

/* How far the eigenvalues of noise spread, the square of their deviation over their mean: of white noise by the ratio
 * of the sides of the data; unequal is what variances spread by, over directions of all columns. */
static double spread_of(double rows, columns cols, int64_t components, double unequal)
{
    const double down = fmax(rows - 1 - (double)components, 1);
    const double across = fmax((double)(cols.all - components), 1);
    const double directions = fmax((double)(cols.free - components), 1);
    return smaller(down, directions) * (fmax((1 + unequal) / across, 1 / directions) + 1 / down) - 1;
}

/* Columns that vary, of a model that does not know eigenvalues beyond its components: those of relations are 0, and the
 * others none of these. */
static columns columns_of(const scree_model *model)
{
    const int64_t all = scree__varying_columns(&model->view);
    const int64_t left = all - (model->rest.bins == 0 ? scree__relations_exact(model->relations) : 0);
    return (columns){all, left > model->view.m ? left : model->view.m};
}

/* N, as whole rows; what eigenvalues are divided by, likewise; how many directions so many rows span. */
static double rows_of(const scree_model_view *view)
{
    return scree__gap_law_share(view) * scree__model_rows(view);
}

static double divisor_of(const scree_model_view *view)
{
    return scree__gap_law_share(view) * scree__model_divisor(view);
}

scree_status scree__model_reach(double *reach, const scree_model_view *view, bool fitted, scree_error *error)
{
    const int64_t cols = scree__varying_columns(view);
    const double spread = spread_of(rows_of(view), (columns){cols, cols}, view->m, view->noise_spread);
    *reach = 1;
    return fitted ? SCREE_OK : scree__gap_law_reach(reach, view, spread, error);
}

int64_t scree__model_known(const scree_model_view *view, int64_t latent, int64_t kept)
{
    return scree__law_known(rows_of(view), latent, kept);
}

static int64_t spanned_by(const scree_model_view *view, double reach)
{
    const double rows = reach * scree__gap_law_share(view) * (double)(view->n - view->empty_rows);
    return (int64_t)rint(rows) - 1;
}

/* How many eigenvalues there are. */
static int64_t rank_of(const scree_model *model, double reach)
{
    const scree_model_view *view = &model->view;
    const int64_t spanned = spanned_by(view, reach);
    const int64_t cols = columns_of(model).free;
    const int64_t rank = cols < spanned ? cols : spanned;
    const bool nothing_left = model->rest.bins == 0 && !(view->reconstruction_error > 0);
    return nothing_left || rank < view->m + view->spare_count ? view->m + view->spare_count : rank;
}

/* eigenvalues: all that the model keeps, sum: that of the others. */
static scree_status guess_rest(scree__rest *rest, const scree_model *model, const double *eigenvalues, double sum,
                               scree_error *error)
{
    const scree_model_view *view = &model->view;
    const int64_t count = rank_of(model, 1) - view->m;
    const scree__rest_sums sums = {.count = (double)count,
                                   .sum = sum,
                                   .squares = NAN,
                                   .most = view->m > 0 ? eigenvalues[view->m - 1] : HUGE_VAL,
                                   .ratio = spread_of(rows_of(view), columns_of(model), view->m, view->noise_spread)};
    return count > 0 ? scree__rest_guess(rest, &sums, error) : SCREE_OK;
}

/* Takes so many eigenvalues, the largest, off the bins that they are in. */
static void take_off(double *values, double *counts, int64_t bins, const double *taken, int64_t count)
{
    int64_t bin = 0;
    for (int64_t i = 0; i < count && bin < bins; i++) {
        const double left = counts[bin] - 1;
        if (left < 0.5) {
            counts[bin++] = 0;
            continue;
        }
        values[bin] = fmax(values[bin] + (values[bin] - taken[i]) / left, 0);
        counts[bin] = left;
    }
}

/* The eigenvalues that a model keeps, as the rows have them; the sum of the others. */
static scree_status find_kept(double **kept, double *sum, const scree_model_view *view, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(*kept, view->m, error);
    for (int64_t i = 0; i < view->m; i++)
        (*kept)[i] = view->eigenvalues[i];
    *sum = scree__gap_law_spectrum(view, scree__varying_columns(view), view->m, *kept, view->reconstruction_error);
done:
    return status;
}

scree_status scree__model_kept(double **values, const scree_model *model, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = &model->view;
    double *kept = NULL;
    double sum;
    SCREE_TRY(find_kept(&kept, &sum, view, error));
    SCREE_ALLOC(*values, count, error);
    for (int64_t i = 0; i < count; i++)
        (*values)[i] = i < view->m ? kept[i] : view->spare_values[i - view->m];
done:
    free(kept);
    return status;
}

scree_status scree__model_rest(scree__rest *rest, const scree_model *model, int64_t first, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = &model->view;
    scree__rest guessed = {0};
    const scree__rest *beyond = &model->rest;
    double *eigenvalues = NULL;
    double *values = NULL;
    double *counts = NULL;
    double sum = 0;
    int64_t bins = 0;
    const int64_t kept = first < view->m ? view->m - first : 0;
    SCREE_TRY(find_kept(&eigenvalues, &sum, view, error));
    if (beyond->bins == 0) {
        SCREE_TRY(guess_rest(&guessed, model, eigenvalues, sum, error));
        beyond = &guessed;
    }
    SCREE_ALLOC(values, kept + beyond->bins, error);
    SCREE_ALLOC(counts, kept + beyond->bins, error);
    for (int64_t i = 0; i < kept + beyond->bins; i++) {
        values[i] = i < kept ? eigenvalues[first + i] : beyond->values[i - kept];
        counts[i] = i < kept ? 1 : beyond->counts[i - kept];
    }
    take_off(values, counts, beyond->bins, view->spare_values, first - view->m);
    for (int64_t i = 0; i < kept + beyond->bins; i++)
        if (counts[i] > 0) {
            values[bins] = values[i];
            counts[bins++] = counts[i];
        }
    SCREE_TRY(scree__rest_gather(rest, values, counts, bins, error));
done:
    scree__rest_clear(&guessed);
    free(eigenvalues);
    free(values);
    free(counts);
    return status;
}

/* Whether the fitted rows could have shown more directions than so many, and were enough to say that there are no more;
 * or relations between columns say so. */
static bool are_all(const scree_model *model, int64_t directions)
{
    const scree__relations *relations = model->relations;
    return (relations && relations->count + relations->loose > 0) || scree__evidence_of_plane(model, directions);
}

/* Eigenvalues that are but rounding: rows do not vary in those directions. There are then no more directions than the
 * others, as if columns had been left out; where these are all known, and rows could have shown more, a row that
 * leaves them is impossible. Repeated rows count once: if the different ones fill as many directions as their number
 * allows, they say nothing about the other directions. Returns the factor for the number of rows. */
static double flatten(scree__row_law_input *in, scree__rest *rest, const scree_model *model)
{
    const scree_model_view *view = &model->view;
    const double first = in->known > 0 ? in->eigenvalues[0] : rest->bins > 0 ? rest->values[0] : 0;
    const double nothing = scree__model_rounding(view) * first;
    double count = 0;
    int64_t bins = 0;
    const int64_t all = in->cols < in->rank ? in->cols : in->rank;
    while (in->known > in->latent && in->eigenvalues[in->known - 1] <= nothing)
        in->known--;
    for (; bins < rest->bins && rest->values[bins] > nothing; bins++)
        count += rest->counts[bins];
    rest->bins = bins;
    const int64_t rank = in->known + (int64_t)(count + 0.5);
    const bool repeated = rank < all && rank < scree__varying_columns(view) && !in->fitted &&
                          rank < spanned_by(view, 1) && !are_all(model, rank);
    const double fewer = repeated ? smaller((double)(rank + 1) / in->rows, 1) : 1;
    in->is_flat = bins == 0 && rank < view->d && rank < spanned_by(view, 1) && !repeated;
    if (rank < all)
        in->rank = rank;
    if (rank < all && !repeated)
        in->cols = rank;
    in->rows *= fewer;
    in->divisor *= fewer;
    return fewer;
}

/* Whether the noise of a fit by likelihood was falling still when it ended, and was next to nothing already beside the
 * components: columns are determined by others then, though it is not known how, and rows leave less than that. */
static bool falls_still(const scree_model_view *view, int64_t latent)
{
    return view->stopped && !view->converged && latent == view->m && latent > 0 &&
           view->eigenvalues[latent - 1] > NOTHING * scree__varying_noise(view);
}

/* The smallest variance of a column that varies; of scaled ones, 1. */
static double quietest(const scree_model_view *view)
{
    double least = HUGE_VAL;
    for (int64_t j = 0; j < view->d; j++)
        if (view->variances[j] > 0)
            least =
                smaller(least, view->scale ? view->variances[j] / view->scale[j] / view->scale[j] : view->variances[j]);
    return scree__is_standardised(view) ? 1 : least;
}

/* The average of what is left beyond the M components; where nothing is, the smallest variance of a column: else it may
 * have been lost. */
static double average_left(const scree__row_law_input *in, const scree_model_view *view)
{
    double count = (double)(in->known - in->latent);
    double sum = 0;
    for (int64_t i = in->latent; i < in->known; i++)
        sum += in->eigenvalues[i];
    for (int64_t i = 0; i < in->rest->bins; i++) {
        count += in->rest->counts[i];
        sum += in->rest->counts[i] * in->rest->values[i];
    }
    return count > 0 ? sum / count : quietest(view);
}

/* What is left beyond the M components has few digits where it is not much more than rounding: then it is taken to be
 * as large as it can be, so that Q is not taken to be less likely than it is. Whether it, and Q of a row, has any. */
static bool settle_digits(scree__row_law_input *in, double *eigenvalues, scree__rest *rest,
                          const scree_model_view *view)
{
    const double first = in->known > 0 ? in->eigenvalues[0] : HUGE_VAL;
    const double rounding = scree__model_rounding(view) * first;
    const double measured = MEASURED * (double)view->d * DBL_EPSILON * DBL_EPSILON * first;
    const double left = average_left(in, view);
    if (in->latent == 0 || in->latent == view->d || left > fmax(DIGITS * rounding, measured))
        return true;
    for (int64_t i = in->latent; i < in->known; i++)
        eigenvalues[i] += rounding;
    for (int64_t i = 0; i < rest->bins; i++)
        rest->values[i] += rounding;
    return left > fmax(rounding, measured) && (in->known > in->latent || rest->bins > 0);
}

scree_status scree__model_law(scree__row_law *law, const scree_model *model, int64_t latent, bool fitted,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = &model->view;
    const int64_t known = scree__model_known(view, latent, view->m + view->spare_count);
    scree__rest rest = {0};
    double *values = NULL;
    double reach;
    SCREE_TRY(scree__model_reach(&reach, view, fitted, error));
    const double different = fitted ? 1 : scree__evidence_share(model);
    const double rows = rows_of(view) * reach * different;
    SCREE_TRY(scree__model_kept(&values, model, known, error));
    scree__row_law_input in = {.rows = rows,
                               .uncentred = view->uncentred,
                               .divisor = divisor_of(view) * reach * different,
                               .rank = rank_of(model, reach),
                               .cols = columns_of(model).free,
                               .latent = latent,
                               .known = known,
                               .eigenvalues = values,
                               .rest = &rest,
                               .next = latent == view->latent ? view->latent_next : 0,
                               .less = latent == view->latent ? view->latent_less : 0,
                               .is_bound = falls_still(view, latent),
                               .shrunk = view->bayes,
                               .fitted = fitted};
    SCREE_TRY(scree__model_rest(&rest, model, known, error));
    for (int64_t i = 0; in.rank > known && i < rest.bins; i++)
        rest.values[i] *= (double)(rank_of(model, 1) - known) / (double)(in.rank - known);
    const double fewer = flatten(&in, &rest, model);
    in.is_flat = in.is_flat && columns_of(model).free == columns_of(model).all; /* else relations say what is outside */
    if (rows > SEVERAL_ROWS && !fitted)
        scree__rest_coarsen(&rest, FEWER_BINS);
    const bool has_digits = settle_digits(&in, values, &rest, view);
    SCREE_TRY(scree__row_law_make(law, &in, error));
    law->fewer = different * fewer;
    law->exists = law->exists && has_digits;
done:
    scree__rest_clear(&rest);
    free(values);
    return status;
}

/* Two bins with this mean and spread v, and the third moment that noise has: that of rows, w by Marchenko and Pastur's
 * law, and what is left, as a gamma law has it, w² + 3w(v - w) + 2(v - w)². None is larger than most, unless the mean
 * is. */
static void fill_two(const scree__part *part, double count, double most, double *values, double *counts)
{
    const double mean = part->sum / count;
    const double v = fmax(count * part->squares / (part->sum * part->sum) - 1, 0);
    const double w = smaller(part->white, v);
    const double third = v > 0 ? (w * w + 3 * w * (v - w) + 2 * (v - w) * (v - w)) / v : 0;
    double above = (third + sqrt(third * third + 4 * v)) / 2;
    above = fmax(smaller(above, most / mean - 1), smaller(v, above));
    const double below = above > 0 ? smaller(v / above, 1) : 0;
    values[0] = mean * (1 + above);
    values[1] = mean * (1 - below);
    counts[0] = above > 0 ? count * below / (above + below) : count / 2;
    counts[1] = count - counts[0];
}

scree_status scree__part_law(scree__row_law *law, const scree_model_view *whole, const scree__part *part, bool fitted,
                             scree_error *error)
{
    double values[2], counts[2];
    scree__rest rest = {.bins = 2, .values = values, .counts = counts};
    scree__part mine = *part;
    const int64_t spanned = spanned_by(whole, part->reach);
    const int64_t r = part->components;
    const int64_t undetermined = part->cols - part->related;
    scree__row_law_input in = {.rows = rows_of(whole) * part->reach,
                               .uncentred = whole->uncentred,
                               .divisor = divisor_of(whole) * part->reach,
                               .rank = undetermined < spanned ? undetermined : spanned,
                               .cols = undetermined,
                               .latent = r,
                               .known = r,
                               .eigenvalues = part->variances,
                               .rest = &rest,
                               .is_bound = falls_still(whole, whole->latent),
                               .shrunk = true,
                               .fitted = fitted};
    in.rank = in.rank > r ? in.rank : r;
    const double count = (double)(in.rank - r);
    mine.white = spread_of(in.rows, (columns){undetermined, undetermined}, r, 0);
    if (count > 0)
        fill_two(&mine, count, r > 0 ? part->variances[r - 1] : HUGE_VAL, values, counts);
    else
        rest.bins = 0;
    return scree__row_law_make(law, &in, error);
}
