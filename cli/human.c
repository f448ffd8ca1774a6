/* SPDX-License-Identifier: BSD-3-Clause */
/* Human-readable quantities: two or three digits and a unit. */

#include "human.h"

#include <stdio.h>

static const char *const decimal[] = {"", "k", "M", "G", "T", "P", "E", NULL};
static const char *const binary[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", NULL};

static const char *scaled(char *buffer, size_t size, double value, const char *const *prefixes, const char *unit)
{
    const double step = prefixes == binary ? 1024.0 : 1000.0;
    size_t power = 0;
    while (value >= 999.5 && prefixes[power + 1]) {
        value /= step;
        power++;
    }
    const char *gap = power || *unit ? " " : "";
    snprintf(buffer, size, power && value < 9.95 ? "%.1f%s%s%s" : "%.0f%s%s%s", value, gap, prefixes[power], unit);
    return buffer;
}

const char *cli_human_count(char *buffer, size_t size, double count)
{
    return scaled(buffer, size, count, decimal, "");
}

const char *cli_human_bytes(char *buffer, size_t size, double bytes)
{
    return scaled(buffer, size, bytes, decimal, "B");
}

const char *cli_human_memory(char *buffer, size_t size, double bytes)
{
    return scaled(buffer, size, bytes, binary, "B");
}

const char *cli_human_time(char *buffer, size_t size, double seconds)
{
    const long long whole = seconds < 1e15 ? (long long)(seconds + 0.5) : 0;
    if (seconds < 0.9995e-3)
        snprintf(buffer, size, "%.0f µs", 1e6 * seconds);
    else if (seconds < 0.9995)
        snprintf(buffer, size, "%.*f ms", seconds < 9.95e-3 ? 1 : 0, 1e3 * seconds);
    else if (seconds < 9.95)
        snprintf(buffer, size, "%.1f s", seconds);
    else if (seconds < 99.5)
        snprintf(buffer, size, "%.0f s", seconds);
    else if (whole < 3600)
        snprintf(buffer, size, "%lld min %lld s", whole / 60, whole % 60);
    else if (seconds < 1e15)
        snprintf(buffer, size, "%lld h %lld min", whole / 3600, whole % 3600 / 60);
    else
        snprintf(buffer, size, "%.2g h", seconds / 3600.0);
    return buffer;
}
