/* SPDX-License-Identifier: BSD-3-Clause */
/* What the machine can do, measured once and kept in a folder that the caller names.
 *
 * Times that are predicted twice should be the same. So rates are noted as whole numbers of quarter octaves, measured
 * once for each processor, BLAS and version of the library, and never again: all processes read what the first one
 * wrote, itself too, and where nothing can be kept nothing is measured. */

#include "fit/rates.h"

#include "base/cache_file.h"
#include "kernel/blas.h"
#include "scree.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 2048, KEY_BYTES = 512, NAME_BYTES = 64, STEPS_AN_OCTAVE = 4, MAX_STEPS = 240 };
static const char FIRST_LINE[] = "scree rates 1\n";

const scree__rates scree__rates_builtin = {
#define SCREE_X(name, value) .name = (value),
    SCREE__RATES(SCREE_X)
#undef SCREE_X
};

static int steps_of(double rate)
{
    return rate > 1 && rate < HUGE_VAL ? (int)lround(STEPS_AN_OCTAVE * log2(rate)) : 0;
}

static double rate_of(long steps)
{
    return exp2((double)steps / STEPS_AN_OCTAVE);
}

/* Reads "name steps\n" and moves on. */
static bool read_rate(const char **at, const char *name, double *rate)
{
    const size_t length = strlen(name);
    if (strncmp(*at, name, length) != 0 || (*at)[length] != ' ')
        return false;
    char *end;
    const long steps = strtol(*at + length + 1, &end, 10);
    if (*end != '\n' || steps < 1 || steps > MAX_STEPS)
        return false;
    *rate = rate_of(steps);
    *at = end + 1;
    return true;
}

static bool skip(const char **at, const char *expected)
{
    const size_t length = strlen(expected);
    if (strncmp(*at, expected, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool parse(scree__rates *rates, const char *text, const char *key)
{
    scree__rates read;
    if (!skip(&text, FIRST_LINE) || !skip(&text, key) || !skip(&text, "\n"))
        return false;
#define SCREE_X(name, value)                                                                                           \
    if (!read_rate(&text, #name, &read.name))                                                                          \
        return false;
    SCREE__RATES(SCREE_X)
#undef SCREE_X
    if (strcmp(text, "end\n") != 0)
        return false;
    *rates = read;
    return true;
}

static void print(char *text, size_t size, const scree__rates *rates, const char *key)
{
    size_t at = (size_t)snprintf(text, size, "%s%s\n", FIRST_LINE, key);
#define SCREE_X(name, value)                                                                                           \
    if (at < size)                                                                                                     \
        at += (size_t)snprintf(text + at, size - at, "%s %d\n", #name, steps_of(rates->name));
    SCREE__RATES(SCREE_X)
#undef SCREE_X
    if (at < size)
        snprintf(text + at, size - at, "end\n");
}

/* Of bytes (Fowler, Noll and Vo, 64 bits). */
static uint64_t hash(const char *text)
{
    uint64_t sum = UINT64_C(14695981039346656037);
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return sum;
}

bool scree__rates_kept(scree__rates *rates, const char *folder, const char *key, scree__rates_measure_fn measure)
{
    char name[NAME_BYTES];
    char text[TEXT_BYTES];
    scree__rates fresh = scree__rates_builtin;
    snprintf(name, sizeof name, "rates-%016" PRIx64, hash(key));
    if (scree__cache_read(folder, name, text, sizeof text)) {
        if (parse(rates, text, key))
            return true;
        scree__cache_remove(folder, name);
    }
    if (!measure || !scree__cache_make(folder))
        return false;
    measure(&fresh);
    print(text, sizeof text, &fresh, key);
    scree__cache_keep(folder, name, text);
    return scree__cache_read(folder, name, text, sizeof text) && parse(rates, text, key);
}

static void name_processor(char *name, size_t size)
{
    char line[KEY_BYTES];
    FILE *file = fopen("/proc/cpuinfo", "re");
    snprintf(name, size, "unknown processor");
    while (file && fgets(line, sizeof line, file)) {
        const char *value = strstr(line, ": ");
        if (strncmp(line, "model name", strlen("model name")) == 0 && value) {
            snprintf(name, size, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
            break;
        }
    }
    if (file)
        fclose(file);
}

void scree__machine_name(char *name, size_t size)
{
    char processor[128];
    char blas[256];
    name_processor(processor, sizeof processor);
    scree__blas_name(blas, sizeof blas);
    snprintf(name, size, "%s, %s", processor, blas);
    name[strcspn(name, "\n")] = '\0';
}

static bool of_machine(scree__rates *rates, const char *folder, scree__rates_measure_fn measure)
{
    char machine[KEY_BYTES / 2];
    char key[KEY_BYTES];
    scree__machine_name(machine, sizeof machine);
    snprintf(key, sizeof key, "%s, scree %s", machine, scree_version());
    return scree__rates_kept(rates, folder, key, measure);
}

bool scree__rates_machine(scree__rates *rates, const char *folder)
{
    return of_machine(rates, folder, scree__rates_measure);
}

bool scree__rates_known(scree__rates *rates, const char *folder)
{
    return of_machine(rates, folder, NULL);
}

void scree__rates_describe(const scree__rates *rates, bool measured, char *text, size_t size)
{
    const double giga = 1e-9;
    scree__format(text, size, "%s: %.0f Gflop/s a thread in double, %.0f in float, %.0f GB/s copied",
                  measured ? "rates of this machine" : "built-in rates", rates->gemm_f64 * giga, rates->gemm_f32 * giga,
                  rates->copy * giga);
}
