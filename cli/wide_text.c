/* SPDX-License-Identifier: BSD-3-Clause */
/* Doubles hold whole numbers up to 2^53. A model of larger ones knows their differences exactly, but the rows that it
 * makes are doubles, and near 2^60 these are 256 apart. */

#include "work.h"

#include <inttypes.h>
#include <math.h>

void cli_work_rounded(const cli_work *work)
{
    const scree_model_view *view = scree_model_get(work->model);
    int64_t largest = 0;
    int64_t count = 0;
    for (int64_t j = 0; j < view->d; j++) {
        count += fabs(view->mean[j]) > 0x1p53;
        largest = fabs(view->mean[j]) > fabs(view->mean[largest]) ? j : largest;
    }
    const double size = fabs(view->mean[largest]);
    if (work->quiet || count == 0)
        return;
    cli_flush();
    cli_print(
        stderr,
        "%" PRId64 " column%s of numbers near %.3g %s rounded: values are written as doubles, which are %.3g apart "
        "there\n",
        count, count == 1 ? "" : "s", view->mean[largest], count == 1 ? "is" : "are", nextafter(size, INFINITY) - size);
}
