/* SPDX-License-Identifier: BSD-3-Clause */
/* Text to UTF-8: letters that the converter keeps back at the end of the text, and converters that cannot be had. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */ /* NOLINT(bugprone-reserved-identifier) */
#endif

#include "support/checks.h"

#include "data/transcode.h"

#include <dlfcn.h>
#include <errno.h>
#include <iconv.h>
#include <string.h>

static int open_reason; /* 0: the system's own iconv_open is called */

/* Stands in front of the system's. */
iconv_t iconv_open(const char *to, const char *from)
{
    iconv_t (*real)(const char *, const char *);
    *(void **)&real = dlsym(RTLD_NEXT, "iconv_open");
    if (open_reason == 0)
        return real(to, from);
    errno = open_reason;
    return (iconv_t)-1;
}

/* Raw text, and how much of it was pulled. */
typedef struct raw_text {
    const char *bytes;
    int64_t at;
} raw_text;

/* One byte at a time, which is less than asked for before the end: nothing rests on how many come. */
static scree_status pull_one(void *context, void *to, int64_t size, int64_t *got, scree_error *error)
{
    raw_text *raw = context;
    (void)error;
    *got = size > 0 && raw->bytes[raw->at] ? 1 : 0;
    memcpy(to, raw->bytes + raw->at, (size_t)*got);
    raw->at += *got;
    return SCREE_OK;
}

static void expect_read(scree__transcode *transcode, const char *wanted)
{
    scree_error error = SCREE_ERROR_INIT;
    char text[64] = "";
    int64_t got = 0;
    EXPECT_OK(scree__transcode_read(transcode, text, (int64_t)sizeof text - 1, &got, &error), error);
    assert_string_equal(text, wanted);
    assert_int_equal(got, strlen(wanted));
    EXPECT_OK(scree__transcode_read(transcode, text, (int64_t)sizeof text, &got, &error), error);
    assert_int_equal(got, 0);
}

static void expect(const char *encoding, const char *bytes, const char *wanted)
{
    scree_error error = SCREE_ERROR_INIT;
    raw_text raw = {.bytes = bytes};
    scree__transcode *transcode = NULL;
    EXPECT_OK(scree__transcode_open(&transcode, encoding, "file", pull_one, &raw, &error), error);
    expect_read(transcode, wanted);
    raw.at = 0;
    scree__transcode_rewind(transcode);
    expect_read(transcode, wanted);
    scree__transcode_close(transcode);
}

/* A letter waits for an accent that may follow it: Vietnamese a, Hebrew shin. */
static void test_last_letter(void **state)
{
    (void)state;
    expect("windows-1258", "b\n2,a", "b\n2,a");
    expect("windows-1258", "a\xec", "\xc3\xa1"); /* á */
    expect("windows-1258", "a", "a");
    expect("windows-1255", "\xf9", "\xd7\xa9");
    expect("latin1", "\xe9", "\xc3\xa9");
}

static void expect_refusal(int reason, scree_status status, const char *sentence)
{
    scree_error error = SCREE_ERROR_INIT;
    raw_text raw = {.bytes = ""};
    scree__transcode *transcode = NULL;
    open_reason = reason;
    assert_int_equal(scree__transcode_open(&transcode, "latin1", "file", pull_one, &raw, &error), status);
    open_reason = 0;
    assert_null(transcode);
    assert_non_null(strstr(error.text, sentence));
}

/* Only an encoding that is not known is called so. */
static void test_refusals(void **state)
{
    (void)state;
    expect_refusal(EINVAL, SCREE_ERR_ARGUMENT, "file: the encoding 'latin1' is not known");
    expect_refusal(ENOMEM, SCREE_ERR_MEMORY, "file: out of memory");
    expect_refusal(EMFILE, SCREE_ERR_IO, "file: the encoding 'latin1' cannot be used (Too many open files)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last_letter),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
