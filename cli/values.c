/* SPDX-License-Identifier: BSD-3-Clause */
/* Readers of option values. Each accepts the whole text, or rejects it and returns what it expected. */

#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A whole number from lowest to INT64_MAX, with nothing before or after it. */
static bool read_whole(int64_t *value, const char *text, int64_t lowest)
{
    char *end = NULL;
    if (!isdigit((unsigned char)text[0]) && text[0] != '-')
        return false;
    errno = 0;
    const long long number = strtoll(text, &end, 10);
    if (errno || end == text || *end || number < lowest)
        return false;
    *value = number;
    return true;
}

/* A number and nothing else; NaN if it is not one. */
static double read_real(const char *text)
{
    char *end = NULL;
    const double value = strtod(text, &end);
    return end == text || *end ? (double)NAN : value;
}

const char *cli_read_text(void *where, const char *text, const cli_option *option)
{
    (void)option;
    if (!*text)
        return "a non-empty value";
    *(const char **)where = text;
    return NULL;
}

const char *cli_read_choice(void *where, const char *text, const cli_option *option)
{
    const char *choice = NULL;
    for (int64_t i = 0; (choice = cli_option_choice(option, i)); i++) {
        if (strcmp(choice, text) == 0) {
            *(const char **)where = choice;
            return NULL;
        }
    }
    return "one of the listed words";
}

const char *cli_read_int(void *where, const char *text, const cli_option *option)
{
    int64_t value = 0;
    (void)option;
    if (!read_whole(&value, text, 0) || value > INT_MAX)
        return "a whole number";
    *(int *)where = (int)value;
    return NULL;
}

const char *cli_read_threads(void *where, const char *text, const cli_option *option)
{
    int threads = 0;
    if (cli_read_int(&threads, text, option) || threads < 1)
        return "a positive whole number";
    *(int *)where = threads;
    return NULL;
}

const char *cli_read_count(void *where, const char *text, const cli_option *option)
{
    (void)option;
    return read_whole(where, text, 1) ? NULL : "a positive whole number";
}

const char *cli_read_seed(void *where, const char *text, const cli_option *option)
{
    char *end = NULL;
    (void)option;
    errno = 0;
    const unsigned long long value = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    if (!end || *end || errno)
        return "a whole number from 0 to 18446744073709551615";
    *(uint64_t *)where = value;
    return NULL;
}

/* 256M and 256MiB are 256·1024², 256MB is 256·1000². */
const char *cli_read_size(void *where, const char *text, const cli_option *option)
{
    static const char wanted[] = "a size such as 256M, 1.5G or 800MB";
    static const char letters[] = "KMGT";
    char *end = NULL;
    (void)option;
    if (!isdigit((unsigned char)text[0]) && text[0] != '.')
        return wanted;
    double size = strtod(text, &end);
    if (*end) {
        const char *letter = strchr(letters, toupper((unsigned char)*end));
        if (letter) {
            const bool decimal = toupper((unsigned char)end[1]) == 'B' && !end[2];
            const bool binary = !end[1] || strcmp(end + 1, "iB") == 0;
            if (!decimal && !binary)
                return wanted;
            size *= pow(decimal ? 1000.0 : 1024.0, (double)(letter - letters + 1));
        } else if (strcmp(end, "B") != 0) {
            return wanted;
        }
    }
    if (!(size >= 1.0 && size < 0x1p62))
        return wanted;
    *(int64_t *)where = (int64_t)size;
    return NULL;
}

const char *cli_read_tolerance(void *where, const char *text, const cli_option *option)
{
    const double value = read_real(text);
    (void)option;
    if (!(value > 0.0 && value < 1.0))
        return "a number between 0 and 1 such as 1e-8";
    *(double *)where = value;
    return NULL;
}

const char *cli_read_chance(void *where, const char *text, const cli_option *option)
{
    const double value = read_real(text);
    (void)option;
    if (!(value > 0.0 && value < 1.0))
        return "a probability between 0 and 1 such as 0.05 or 0.95";
    *(double *)where = value;
    return NULL;
}

const char *cli_read_variance(void *where, const char *text, const cli_option *option)
{
    const double value = read_real(text);
    (void)option;
    if (!(value >= 0.0 && value < HUGE_VAL))
        return "a variance, a non-negative number";
    *(double *)where = value;
    return NULL;
}

const char *cli_read_positive(void *where, const char *text, const cli_option *option)
{
    char *end = NULL;
    (void)option;
    const double value = strtod(text, &end);
    if (end == text || *end || !(value > 0.0 && isfinite(value)))
        return "a positive number";
    *(double *)where = value;
    return NULL;
}

const char *cli_read_delimiter(void *where, const char *text, const cli_option *option)
{
    static const struct {
        const char *name;
        char delimiter;
    } names[] = {{"comma", ','}, {"tab", '\t'}, {"\\t", '\t'}, {"semicolon", ';'}, {"space", ' '}, {"bar", '|'}};
    (void)option;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i].name, text) == 0) {
            *(char *)where = names[i].delimiter;
            return NULL;
        }
    }
    const unsigned char c = (unsigned char)text[0];
    if (!c || text[1] || c >= 0x80 || isalnum(c) || c == '"' || c == '\n' || c == '\r')
        return "one character, or comma, tab, semicolon, space or bar";
    *(char *)where = text[0];
    return NULL;
}

const char *cli_read_decimal(void *where, const char *text, const cli_option *option)
{
    (void)option;
    if (strcmp(text, ".") != 0 && strcmp(text, ",") != 0 && strcmp(text, "point") != 0 && strcmp(text, "comma") != 0)
        return "a point or a comma";
    *(char *)where = strcmp(text, ",") == 0 || strcmp(text, "comma") == 0 ? ',' : '.';
    return NULL;
}
