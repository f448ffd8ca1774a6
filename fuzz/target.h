/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FUZZ_TARGET_H
#define SCREE_FUZZ_TARGET_H

/* Fuzzing: a target takes any bytes and must come back without a memory error, undefined behaviour, a leak or a hang,
 * and without having broken a promise of the library (fuzz_require). One table, targets.c, has them all; a program with
 * libFuzzer is built for each of them (engine.c), and one that replays what is kept in corpus/ and findings/ for all of
 * them (replay.c). docs/fuzzing.md says how to run them and how to add one. */

#include "scree.h"

#include <stddef.h>
#include <stdint.h>

typedef struct fuzz_target fuzz_target;

struct fuzz_target {
    const char *name; /* also of its folders in corpus/ and findings/, and of its dictionary */
    void (*run)(const fuzz_target *target, const uint8_t *data, size_t size);
    const char *format; /* of the reader, for fuzz_read; NULL: it is guessed */
    /* Makes checksums right, in place, so that what lies behind them is reached; NULL: there are none. */
    void (*repair)(uint8_t *data, size_t size);
};

extern const fuzz_target fuzz_targets[]; /* ends with a name that is NULL */

const fuzz_target *fuzz_target_find(const char *name); /* NULL: there is none */
/* Runs the target on a copy of the data, repaired, that ends where the data ends. */
void fuzz_target_run(const fuzz_target *target, const uint8_t *data, size_t size);

/* What a target may call run or repair. */
void fuzz_read(const fuzz_target *target, const uint8_t *data, size_t size);       /* a file that is read */
void fuzz_model(const fuzz_target *target, const uint8_t *data, size_t size);      /* a model file */
void fuzz_checkpoint(const fuzz_target *target, const uint8_t *data, size_t size); /* a fit that goes on */
void fuzz_state(const fuzz_target *target, const uint8_t *data, size_t size);      /* a state file */
void fuzz_arrow(const fuzz_target *target, const uint8_t *data, size_t size);      /* an Arrow stream */
void fuzz_tenx(const fuzz_target *target, const uint8_t *data, size_t size);       /* a folder of three files */
void fuzz_bed(const fuzz_target *target, const uint8_t *data, size_t size);        /* genotypes, three files */
void fuzz_options(const fuzz_target *target, const uint8_t *data, size_t size);    /* a command line, only read */
void fuzz_command(const fuzz_target *target, const uint8_t *data, size_t size);    /* command lines and a file */
void fuzz_serve(const fuzz_target *target, const uint8_t *data, size_t size);      /* a request to a served page */
void fuzz_repair_archive(uint8_t *data, size_t size);
void fuzz_repair_gzip(uint8_t *data, size_t size);
void fuzz_repair_model(uint8_t *data, size_t size);
void fuzz_repair_any(uint8_t *data, size_t size); /* by content */

/* Where a promise of the library is broken: says which, and aborts, which the fuzzer takes for a finding. */
void fuzz_require(int holds, const char *promise);

#endif
