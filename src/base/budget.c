/* SPDX-License-Identifier: BSD-3-Clause */
/* The budget of a reader: allowed is
 *
 *     L - held                a limit L that the caller gave, less what the program holds
 *     min(F, C + R · seen)    without: F four fifths of the free memory, seen the bytes of input so far
 *
 * and never less than SMALL. With C of 256 MiB and R of 16, 33 million numbers are fine in a file of any size, and a
 * text of two bytes a cell may become doubles twice over. */

#include "base/budget.h"

#include "base/memory.h"
#include "base/size_text.h"

enum { SMALL = 16 << 20, CONSTANT = 256 << 20, RATIO = 16 };

/* What the input may ask for without a limit. */
static int64_t trusted(const scree__budget *budget)
{
    int64_t bytes = 0;
    if (__builtin_mul_overflow(budget->seen, RATIO, &bytes) || __builtin_add_overflow(bytes, CONSTANT, &bytes))
        return INT64_MAX;
    return bytes;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t allowed(scree__budget *budget)
{
    if (budget->given > 0)
        return larger(budget->given - budget->held, SMALL);
    if (budget->free == 0)
        budget->free = scree__memory_available() / 10 * 8 + 1;
    return larger(trusted(budget) < budget->free ? trusted(budget) : budget->free, SMALL);
}

static scree_status refuse(const scree__budget *budget, int64_t wanted, const char *file, const char *what,
                           scree_error *error)
{
    char needed[SCREE__SIZE_TEXT];
    char other[SCREE__SIZE_TEXT];
    scree__size_text(needed, wanted);
    if (budget->given > 0)
        return scree__fail(error, SCREE_ERR_LIMIT,
                           "%s: %s is too little memory: %s alone need %s; allow more than that", file,
                           scree__size_text(other, budget->given), what, needed);
    if (wanted > trusted(budget))
        return scree__fail(error, SCREE_ERR_LIMIT,
                           "%s: %s need %s of memory, but only %s of input has been seen; check the file, or allow "
                           "that much memory (--memory) if it is right",
                           file, what, needed, scree__size_text(other, budget->seen));
    return scree__fail(error, SCREE_ERR_LIMIT, "%s: %s need %s of memory, and %s is free; use a part of the data", file,
                       what, needed, scree__size_text(other, budget->free));
}

scree_status scree__budget_check(scree__budget *budget, int64_t bytes, const char *file, const char *what,
                                 scree_error *error)
{
    int64_t wanted = 0;
    if (bytes < 0 || __builtin_add_overflow(budget->taken, bytes, &wanted))
        return refuse(budget, INT64_MAX, file, what, error);
    if (wanted <= SMALL || wanted <= allowed(budget))
        return SCREE_OK;
    return refuse(budget, wanted > INT64_MAX - budget->held ? wanted : wanted + budget->held, file, what, error);
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
