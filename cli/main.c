/* SPDX-License-Identifier: BSD-3-Clause */
/* The program `scree`: finds the command, reads its options and runs it. */

#include "cli.h"
#include "help.h"
#include "signals.h"
#include "together.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int unknown_command(const char *name)
{
    if (cli_elsewhere_print(stderr, name))
        return CLI_WRONG_USAGE;
    const char *meant = cli_command_suggest(name);
    if (meant) {
        cli_print(stderr, "scree: unknown command '%s'; did you mean '%s'?\n", name, meant);
        cli_help_usage(stderr, cli_command_find(meant));
    } else {
        cli_print(stderr, "scree: unknown command '%s'; 'scree help' lists all commands\n", name);
    }
    return CLI_WRONG_USAGE;
}

/* Common spellings of the commands help and version. */
static const char *command_name(const char *word)
{
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return "help";
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
        return "version";
    return word;
}

/* OpenBLAS starts threads when it is loaded, which this program, having its own, never uses. Where address space is
 * limited (ulimit -v), each of them tries for ever to get its 128 MiB, and the program could not even end: so it starts
 * once more, without them. */
static void restart_under_limit(char **argv)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || getenv("OPENBLAS_NUM_THREADS"))
        return;
    if (setenv("OPENBLAS_NUM_THREADS", "1", 1) == 0)
        execv("/proc/self/exe", argv); /* returns only when it fails: then all goes on as it was */
}

/* Where standard input, output or error is closed, the next file would be given its number, and take what is printed.
 * Something stands there instead that can neither be read nor written to. */
static void open_standard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    cli_call call;
    int exit_code = CLI_SUCCESS;
    open_standard();
    restart_under_limit(argv);
    cli_signals_catch();
    if (argc < 2) {
        cli_help_overview(stderr);
        return CLI_WRONG_USAGE;
    }
    const cli_command *command = cli_command_find(command_name(argv[1]));
    if (!command)
        return unknown_command(argv[1]);
    if (cli_together_refuses(command, &exit_code))
        return exit_code;
    if (!cli_together_read(&call, command, argc - 2, argv + 2, &exit_code))
        return exit_code;
    call.program = argv[0];
    if (cli_together_start(&call, &exit_code))
        exit_code = command->run(&call);
    cli_together_end();
    cli_call_clear(&call);
    return exit_code;
}
