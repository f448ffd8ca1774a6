/* SPDX-License-Identifier: BSD-3-Clause */
/* Dates and instants of Arrow columns as text. A day becomes a date of the Gregorian calendar, carried on before its
 * time, by counting years from March, so that the day that comes every four years is the last of one: eras of 400 years
 * are 146097 days, and the months from March have (153 m + 2)/5 days before them. */

#include "data/arrow_column.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DAY_SECONDS = 86400, ERA_DAYS = 146097, DAYS_TO_1970 = 719468 /* from the 1st of March of the year 0 */ };

/* The largest whole number of units that is not more. */
static int64_t floored(int64_t value, int64_t unit)
{
    return value / unit - (value % unit < 0);
}

static int print_date(char text[SCREE__ARROW_SCRATCH], int64_t day)
{
    const int64_t from = floored(day, ERA_DAYS);
    int64_t rest = day - from * ERA_DAYS + DAYS_TO_1970; /* no more days than there are numbers for */
    const int64_t era = from + rest / ERA_DAYS;
    rest %= ERA_DAYS;
    const int64_t year = (rest - rest / 1460 + rest / 36524 - rest / 146096) / 365;
    const int64_t of_year = rest - (365 * year + year / 4 - year / 100);
    const int64_t month = (5 * of_year + 2) / 153;
    const int64_t shown = month < 10 ? month + 3 : month - 9;
    return snprintf(text, SCREE__ARROW_SCRATCH, "%04" PRId64 "-%02d-%02d", era * 400 + year + (shown <= 2), (int)shown,
                    (int)(of_year - (153 * month + 2) / 5 + 1));
}

/* Digits of a fraction of a second behind the point, without zeros at the end. */
static int print_fraction(char *text, size_t size, int digits, int64_t fraction)
{
    for (; digits > 0 && fraction % 10 == 0; digits--)
        fraction /= 10;
    return digits > 0 ? snprintf(text, size, ".%0*" PRId64, digits, fraction) : 0;
}

int64_t scree__arrow_print_time(char text[SCREE__ARROW_SCRATCH], char unit, bool zone, int64_t value)
{
    const int digits = unit == 'm' ? 3 : unit == 'u' ? 6 : unit == 'n' ? 9 : 0;
    int64_t ticks = 1;
    for (int i = 0; i < digits; i++)
        ticks *= 10;
    if (unit == 'D')
        return print_date(text, value);
    if (unit == 'd')
        return print_date(text, floored(value, (int64_t)DAY_SECONDS * 1000));
    const int64_t second = floored(value, ticks);
    const int64_t day = floored(second, DAY_SECONDS);
    const int of_day = (int)(second - day * DAY_SECONDS);
    int length = print_date(text, day);
    length += snprintf(text + length, (size_t)(SCREE__ARROW_SCRATCH - length), " %02d:%02d:%02d", of_day / 3600,
                       of_day / 60 % 60, of_day % 60);
    length += print_fraction(text + length, (size_t)(SCREE__ARROW_SCRATCH - length), digits,
                             value % ticks < 0 ? value % ticks + ticks : value % ticks);
    if (zone)
        text[length++] = 'Z';
    text[length] = 0;
    return length;
}
