/* SPDX-License-Identifier: BSD-3-Clause */
/* Variants as the columns of a model, which are called by the name of a variant, the allele that is counted and the
 * other one, rs1_A(/G). A variant of this name with these alleles is the column; one that has them the other way round
 * is 2 - x of it, since plink counts whichever allele is the rarer in a cohort. Both have to agree as far as they are
 * known: plink writes 0 for an allele that no sample has, and older models name A1 alone. Any other alleles are those
 * of something else, and the column is as unknown as one of which there is no variant. Strands are not guessed.
 * O((V + D) log V) comparisons of names. */

#include "data/bed.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct place {
    const scree__variant *variant;
    int64_t chosen; /* which of the chosen variants that is */
    bool used;      /* by the model */
} place;

typedef enum match { ABSENT, OTHER, SAME, FLIPPED } match;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const place *)a)->variant->name, ((const place *)b)->variant->name);
}

/* The variant called as the first characters of a text; NULL: there is none. */
static place *find(place *sorted, int64_t count, const char *text, size_t length)
{
    int64_t low = 0;
    int64_t high = count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const char *name = sorted[middle].variant->name;
        int order = strncmp(text, name, length);
        order = order == 0 && name[length] ? -1 : order;
        if (order == 0)
            return &sorted[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* A part of a text: an allele. */
typedef struct allele {
    const char *text;
    size_t length; /* 0: not known */
} allele;

bool scree__allele_known(const char *text)
{
    return *text && strcmp(text, "0") != 0 && strcmp(text, ".") != 0;
}

/* 1: the same; 0: one of them is not known; -1: they differ. */
static int agree(allele wanted, const char *found)
{
    if (wanted.length == 0 || !scree__allele_known(found))
        return 0;
    return strncmp(wanted.text, found, wanted.length) == 0 && !found[wanted.length] ? 1 : -1;
}

static bool are_these(allele one, allele two, const char *a1, const char *a2)
{
    const int first = agree(one, a1);
    const int second = agree(two, a2);
    return first >= 0 && second >= 0 && first + second > 0;
}

/* Whether a variant has the alleles of a column, "A(/G)", or "A" where the other is not known. */
static match compare(const char *alleles, const scree__variant *found)
{
    const char *mark = strstr(alleles, "(/");
    allele one = {alleles, strlen(alleles)};
    allele two = {NULL, 0};
    if (mark && alleles[one.length - 1] == ')') {
        two = (allele){mark + 2, one.length - (size_t)(mark - alleles) - 3};
        one.length = (size_t)(mark - alleles);
    }
    return are_these(one, two, found->a1, found->a2)   ? SAME
           : are_these(one, two, found->a2, found->a1) ? FLIPPED
                                                       : OTHER;
}

/* Names and alleles may both have underscores: whatever is a variant with its allele is meant. */
static match locate(place **out, place *sorted, int64_t count, const char *column)
{
    match best = ABSENT;
    *out = NULL;
    for (size_t length = strlen(column); length-- > 0;) {
        place *found = column[length] == '_' ? find(sorted, count, column, length) : NULL;
        if (!found)
            continue;
        best = compare(column + length + 1, found->variant);
        if (best == OTHER)
            continue;
        *out = found;
        return best;
    }
    return best;
}

/* The genotypes are those of the model's columns from now on. */
static void arrange(scree__matches *matches, scree__genotypes *g, const scree_read_options *model, place *sorted,
                    int64_t *row, scree__call_counts *counts)
{
    int64_t count[FLIPPED + 1] = {0};
    for (int64_t j = 0; j < model->numeric_count; j++) {
        place *found = NULL;
        const match how = locate(&found, sorted, g->variants, model->numeric[j]);
        count[how]++;
        matches->flip[j] = how == FLIPPED;
        row[j] = -1;
        if (!found)
            continue;
        row[j] = g->row[found->chosen];
        counts[j] = g->counts[found->chosen];
        found->used = true;
    }
    for (int64_t j = 0; j < g->variants; j++)
        matches->unused += !sorted[j].used;
    matches->same = count[SAME];
    matches->flipped = count[FLIPPED];
    matches->other = count[OTHER];
    matches->absent = count[ABSENT];
}

scree_status scree__variants_match(scree__matches *matches, scree__genotypes *g, const scree__variants *variants,
                                   const scree_read_options *model, scree__budget *budget, const char *path,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t wanted = model->numeric_count;
    place *sorted = NULL;
    int64_t *row = NULL;
    scree__call_counts *counts = NULL;
    SCREE_TRY(scree__budget_take(budget,
                                 g->variants * (int64_t)sizeof *sorted +
                                     wanted * (int64_t)(sizeof *row + sizeof *counts + sizeof *matches->flip),
                                 path, "the columns of the model", error));
    SCREE_ALLOC(sorted, g->variants, error);
    SCREE_ALLOC(row, wanted, error);
    SCREE_ALLOC(counts, wanted, error);
    SCREE_ALLOC(matches->flip, wanted, error);
    for (int64_t j = 0; j < g->variants; j++)
        sorted[j] = (place){&variants->all[g->row[j]], j, false};
    qsort(sorted, (size_t)g->variants, sizeof *sorted, by_name);
    arrange(matches, g, model, sorted, row, counts);
    if (2 * (matches->same + matches->flipped) < wanted)
        SCREE_FAIL(error, SCREE_ERR_SHAPE,
                   "%s: too few variants of the model are here: %" PRId64 " of %" PRId64 ", and %" PRId64
                   " more with other alleles; give genotypes with the ids and alleles that the model was fitted on",
                   path, matches->same + matches->flipped, wanted, matches->other);
    free(g->row);
    free(g->counts);
    g->row = row;
    g->counts = counts;
    g->variants = wanted;
    row = NULL;
    counts = NULL;
done:
    free(sorted);
    free(row);
    free(counts);
    return status;
}

void scree__matches_note(const scree__matches *matches, char *note, size_t size)
{
    const int64_t unknown = matches->other + matches->absent;
    const int64_t wanted = matches->same + matches->flipped + unknown;
    const int used =
        snprintf(note, size,
                 "; of the model's %" PRId64 " variant%s %" PRId64 " matched, %" PRId64 " flipped, %" PRId64
                 " mismatched (other alleles), %" PRId64 " absent%s",
                 wanted, wanted == 1 ? "" : "s", matches->same, matches->flipped, matches->other, matches->absent,
                 unknown == 0 ? "" : "; mismatched and absent ones are taken as missing calls");
    if (matches->unused > 0 && used >= 0 && (size_t)used < size)
        snprintf(note + used, size - (size_t)used, "; %" PRId64 " variant%s that the model does not use left out",
                 matches->unused, matches->unused == 1 ? "" : "s");
}
