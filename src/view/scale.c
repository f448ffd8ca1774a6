/* SPDX-License-Identifier: BSD-3-Clause */
/* Scales: place = (v - low)/(high - low), of logarithms where the scale is logarithmic. Ticks stand at the multiples of
 * the step 1, 2 or 5 × 10^k that gives about as many as are wanted; logarithmic ones at powers of ten, every so many,
 * with 2 and 5 between them where the range is short. */

#include "view/scale.h"
#include "scree_private.h"
#include "view/words.h"

#include <math.h>
#include <stdio.h>

static const double air = 0.04;

scree__scale scree__scale_over(double low, double high, bool logarithmic)
{
    scree__scale scale = {.low = low, .high = high, .logarithmic = logarithmic && low > 0.0};
    if (scale.logarithmic) {
        const double ratio = high > low ? pow(high / low, air) : 2.0;
        scale.low = low / ratio;
        scale.high = high * ratio;
        return scale;
    }
    const double size = fmax(fabs(low), fabs(high));
    const double span = high - low > 1e-12 * size ? air * (high - low) : size > 0.0 ? 0.5 * size : 1.0;
    scale.low = low - span;
    scale.high = high + span;
    return scale;
}

double scree__scale_place(const scree__scale *scale, double value)
{
    if (!scale->logarithmic)
        return (value - scale->low) / (scale->high - scale->low);
    if (!(value > 0.0))
        return NAN;
    return log(value / scale->low) / log(scale->high / scale->low);
}

static void add(scree__ticks *ticks, const scree__scale *scale, double value)
{
    const double place = scree__scale_place(scale, value);
    if (ticks->count < SCREE__MOST_TICKS && place > -1e-9 && place < 1.0 + 1e-9)
        ticks->at[ticks->count++] = value;
}

static double nice_step(double span, int wanted)
{
    const double raw = span / (wanted > 1 ? wanted : 1), power = pow(10.0, floor(log10(raw)));
    const double rest = raw / power;
    return power * (rest <= 1.0 ? 1.0 : rest <= 2.0 ? 2.0 : rest <= 5.0 ? 5.0 : 10.0);
}

/* A whole number. */
static void put_grouped(char *out, size_t size, double value)
{
    char digits[24];
    scree__words_count(digits, sizeof digits, (int64_t)llround(fabs(value)));
    snprintf(out, size, "%s%s", value < 0.0 ? "−" : "", digits);
}

static void linear_ticks(scree__ticks *ticks, const scree__scale *scale, int wanted)
{
    const double least = fmin(scale->low, scale->high), greatest = fmax(scale->low, scale->high);
    double step = nice_step(greatest - least, wanted);
    if (scale->whole && step < 1.0)
        step = 1.0;
    const double first = ceil(least / step - 1e-9);
    for (int i = 0; i < SCREE__MOST_TICKS && (first + i) * step <= greatest + 1e-9 * step; i++)
        add(ticks, scale, (first + i) * step);
    const double largest = fmax(fabs(scale->low), fabs(scale->high));
    const int decimals = step < 1.0 ? (int)fmin(8.0, ceil(-log10(step) - 1e-9)) : 0;
    for (int i = 0; i < ticks->count; i++) {
        const double value = fabs(ticks->at[i]) < 1e-9 * step ? 0.0 : ticks->at[i];
        if (largest >= 1e5 || largest < 1e-3)
            scree__words_number(ticks->text[i], sizeof ticks->text[i], value, 3);
        else if (largest >= 1e4 && decimals == 0)
            put_grouped(ticks->text[i], sizeof ticks->text[i], value);
        else
            scree__format(ticks->text[i], sizeof ticks->text[i], "%s%.*f", value < 0.0 ? "−" : "", decimals,
                          fabs(value));
    }
}

static void log_ticks(scree__ticks *ticks, const scree__scale *scale, int wanted)
{
    const int first = (int)floor(log10(scale->low)), last = (int)ceil(log10(scale->high));
    const double decades = log10(scale->high / scale->low);
    const int every = decades > wanted ? (int)ceil(decades / wanted) : 1;
    static const double between[] = {1.0, 2.0, 5.0};
    const int parts = decades < 0.6 * wanted || decades < 1.5 ? 3 : 1;
    for (int power = first; power <= last; power++) {
        if (power % every != 0)
            continue;
        for (int i = 0; i < parts; i++)
            add(ticks, scale, between[i] * pow(10.0, power));
    }
    for (int i = 0; i < ticks->count; i++) {
        const int power = (int)floor(log10(ticks->at[i]) + 1e-9);
        const int digit = (int)lround(ticks->at[i] / pow(10.0, power));
        if (digit == 1)
            scree__words_power(ticks->text[i], sizeof ticks->text[i], power);
        else
            scree__words_number(ticks->text[i], sizeof ticks->text[i], ticks->at[i], 1);
    }
}

void scree__scale_ticks(scree__ticks *ticks, const scree__scale *scale, int wanted)
{
    ticks->count = 0;
    const double span = scale->high - scale->low;
    if (!(scale->logarithmic ? span > 0.0 : fabs(span) > 0.0) || !isfinite(span))
        return;
    for (int more = wanted; scale->logarithmic && ticks->count < 2 && more < SCREE__MOST_TICKS; more++) {
        ticks->count = 0; /* one tick alone is no scale */
        log_ticks(ticks, scale, more);
    }
    for (int more = wanted; ticks->count < 2 && more < SCREE__MOST_TICKS; more++) { /* a range too short for powers */
        ticks->count = 0;
        linear_ticks(ticks, scale, more);
    }
}

void scree__range(const double *values, int64_t count, int64_t stride, bool positive, double range[2])
{
    bool found = false;
    range[0] = 0.0;
    range[1] = 1.0;
    for (int64_t i = 0; i < count; i++) {
        const double value = values[i * stride];
        if (!isfinite(value) || (positive && !(value > 0.0)))
            continue;
        range[0] = found ? fmin(range[0], value) : value;
        range[1] = found ? fmax(range[1], value) : value;
        found = true;
    }
}
