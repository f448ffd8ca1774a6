/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints of the commands that have them. The library goes on from a file where there is one; here it is only said,
 * and the file is removed when the outputs are safe. */

#include "checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "0", "30s", "5m", "1h" */
static const char *read_every(void *where, const char *text, const cli_option *option)
{
    char *end = NULL;
    const double number = strtod(text, &end);
    const double unit = strcmp(end, "h") == 0 ? 3600 : strcmp(end, "m") == 0 ? 60 : 1;
    (void)option;
    if (end == text || (*end && strcmp(end, "s") != 0 && unit == 1) || !(number >= 0) || !isfinite(number * unit))
        return "a time such as 30s, 5m or 1h, or 0";
    *(double *)where = number * unit;
    return NULL;
}

const cli_option cli_checkpoint_options[] = {
    {.name = "checkpoint",
     .value = "FILE",
     .help = "save to FILE now and then how far the work is; the same command goes on from there after it was killed, "
             "to the same bits, and removes FILE in the end",
     .read = cli_read_text,
     .offset = offsetof(cli_checkpoint, path)},
    {.name = "every",
     .value = "TIME",
     .help = "time from one checkpoint to the next, such as 30s, 5m or 1h (default: 5m)",
     .read = read_every,
     .offset = offsetof(cli_checkpoint, every)},
    CLI_OPTIONS_END,
};

int cli_checkpoint_check(const cli_call *call, const cli_checkpoint *checkpoint, const char *output)
{
    if (!checkpoint->path)
        return cli_given(call, "every")
                   ? cli_usage(call->command, NULL, "--every is for checkpoints; add --checkpoint FILE")
                   : 0;
    if (!*checkpoint->path || strcmp(checkpoint->path, "-") == 0)
        return cli_usage(call->command, NULL, "--checkpoint needs the name of a file");
    if (output && strcmp(checkpoint->path, output) == 0)
        return cli_usage(call->command, NULL, "--checkpoint and -o name the same file; name two");
    for (int i = 0; i < call->operand_count; i++)
        if (strcmp(checkpoint->path, call->operands[i]) == 0)
            return cli_usage(call->command, NULL, "--checkpoint names the data; name another file");
    return 0;
}

void cli_checkpoint_note(const cli_checkpoint *checkpoint, bool quiet)
{
    if (checkpoint->path && !quiet && access(checkpoint->path, F_OK) == 0)
        cli_print(stderr, "going on from %s\n", checkpoint->path);
}

void cli_checkpoint_remove(const cli_checkpoint *checkpoint)
{
    if (checkpoint->path)
        (void)unlink(checkpoint->path);
}
