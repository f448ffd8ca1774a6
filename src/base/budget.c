/* SPDX-License-Identifier: BSD-3-Clause */
/* The budget of a reader: allowed is
 *
 *     L                       a limit L that the caller gave
 *     min(F, C + R · seen)    without: F four fifths of the free memory, seen the bytes of input so far
 *
 * and never less than SMALL. With C of 256 MiB and R of 16, 33 million empty columns of doubles are fine in a file of
 * any size, and a text of two bytes a cell may become doubles twice over. */

#include "base/budget.h"

#include "base/memory.h"
#include "base/size_text.h"

enum { SMALL = 16 << 20, CONSTANT = 256 << 20, RATIO = 16 };

static int64_t allowed(scree__budget *budget)
{
    int64_t shown = CONSTANT;
    if (budget->given > 0)
        return budget->given > SMALL ? budget->given : SMALL;
    if (budget->free == 0)
        budget->free = scree__memory_available() / 10 * 8 + 1;
    if (__builtin_mul_overflow(budget->seen, RATIO, &shown) || __builtin_add_overflow(shown, CONSTANT, &shown))
        shown = INT64_MAX;
    const int64_t least = shown < budget->free ? shown : budget->free;
    return least > SMALL ? least : SMALL;
}

static scree_status refuse(const scree__budget *budget, int64_t wanted, const char *file, const char *what,
                           scree_error *error)
{
    char needed[SCREE__SIZE_TEXT];
    char other[SCREE__SIZE_TEXT];
    scree__size_text(needed, wanted);
    if (budget->given > 0)
        return scree__fail(error, SCREE_ERR_LIMIT, "%s: %s is too little memory: %s need %s; allow that much", file,
                           scree__size_text(other, budget->given), what, needed);
    if (wanted > budget->free)
        return scree__fail(error, SCREE_ERR_LIMIT, "%s: %s need %s of memory, and %s are free; use a part of the data",
                           file, what, needed, scree__size_text(other, budget->free));
    return scree__fail(error, SCREE_ERR_LIMIT,
                       "%s: %s need %s of memory, and so far it has shown %s of data; check the file, or allow that "
                       "much memory (--memory) if it is right",
                       file, what, needed, scree__size_text(other, budget->seen));
}

scree_status scree__budget_check(scree__budget *budget, int64_t bytes, const char *file, const char *what,
                                 scree_error *error)
{
    int64_t wanted = 0;
    if (bytes < 0 || __builtin_add_overflow(budget->taken, bytes, &wanted))
        wanted = INT64_MAX;
    if (wanted <= SMALL || wanted <= allowed(budget))
        return SCREE_OK;
    return refuse(budget, wanted, file, what, error);
}

scree_status scree__budget_take(scree__budget *budget, int64_t bytes, const char *file, const char *what,
                                scree_error *error)
{
    const scree_status status = scree__budget_check(budget, bytes, file, what, error);
    if (status == SCREE_OK)
        budget->taken += bytes;
    return status;
}

void scree__budget_give(scree__budget *budget, int64_t bytes)
{
    budget->taken -= bytes < budget->taken ? bytes : budget->taken;
}

int64_t scree__budget_left(scree__budget *budget)
{
    const int64_t most = allowed(budget);
    return most > budget->taken ? most - budget->taken : 0;
}
