/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes as text, in units of 1024. */

#include "base/size_text.h"

#include "scree_private.h"

#include <math.h>
#include <stdio.h>

const char *scree__size_text(char text[SCREE__SIZE_TEXT], int64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    double b = (double)bytes;
    int unit = 0;
    for (; unit < 3 && b >= 1024; unit++)
        b /= 1024;
    if (unit == 3)
        scree__format(text, SCREE__SIZE_TEXT, "%.2f GiB", ceil(100 * b) / 100);
    else
        scree__format(text, SCREE__SIZE_TEXT, "%.0f %s", ceil(b), units[unit]);
    return text;
}
