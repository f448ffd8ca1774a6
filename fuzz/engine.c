/* SPDX-License-Identifier: BSD-3-Clause */
/* One target for libFuzzer, or any engine that knows its two functions. FUZZ_TARGET is its name, from the build. */

#include "target.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    target = fuzz_target_find(FUZZ_TARGET);
    fuzz_require(target != NULL, "the target " FUZZ_TARGET " is in the table");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_target_run(target, data, size);
    return 0;
}
