/* SPDX-License-Identifier: BSD-3-Clause */
/* snprintf with a decimal point, whatever the caller's locale writes there: the thread's locale is "C" for the time of
 * the call. That is a change of one pointer of the thread, and concerns no other. */

#include "scree_private.h"

#include <locale.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t plain; /* one for the process, never freed; 0: it could not be made */

static void make_plain(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

int scree__format_list(char *out, size_t size, const char *format, va_list list)
{
    pthread_once(&once, make_plain);
    const locale_t before = plain ? uselocale(plain) : (locale_t)0;
    const int length = vsnprintf(out, size, format, list);
    if (before)
        uselocale(before);
    return length;
}

int scree__format(char *out, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = scree__format_list(out, size, format, list);
    va_end(list);
    return length;
}
