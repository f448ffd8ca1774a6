/* SPDX-License-Identifier: BSD-3-Clause */
/* Text to UTF-8: letters that the converter keeps back at the end of the text. */

#include "support/checks.h"

#include "data/transcode.h"

#include <string.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last_letter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
