/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that is killed, by the kernel when memory runs out as a rule, can say nothing, and mpirun would end with a
 * code of its own. So the process that mpirun has started forks, and what it is there for is done by its child: when
 * this is ended by a signal, the guard has the last word and ends with exit code 1, upon which Open MPI's mpirun ends
 * all others. MPICH's (Hydra) would then add to the code what the others were killed by; it is told to abort with 1, in
 * the words of PMI, over the connection that the child had.
 *
 * What mpirun sends the guard it passes on. The child has a process group of its own, so that signals to the group of
 * the guard do not reach it twice; when the guard itself is killed, the child is sent SIGTERM. A child that ends by a
 * signal that was passed on, or for want of a reader, takes the guard along by the same signal, as if there were none.
 */

#define _GNU_SOURCE

#include "guard.h"
#include "cli.h"
#include "print.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READING = 200, PATIENCE = 3000 }; /* milliseconds, for Hydra to read the last word, and to end all */

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP};
enum { PASSED_ON = sizeof passed_on / sizeof *passed_on };

static bool guarded;
static volatile sig_atomic_t child;
static volatile sig_atomic_t last_passed;

static void pass_on(int number)
{
    const int before = errno;
    last_passed = number;
    kill((pid_t)child, number);
    errno = before;
}

/* In lists of processes, the guard is not to be taken for what it guards. */
static void rename_process(char *program)
{
    char arguments[4096];
    const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    const ssize_t length = file >= 0 ? read(file, arguments, sizeof arguments) : 0;
    if (file >= 0)
        close(file);
    if (length > 0) {
        memset(program, 0, (size_t)length);
        memcpy(program, "guard", (size_t)length < sizeof "guard" ? (size_t)length - 1 : sizeof "guard" - 1);
    }
    prctl(PR_SET_NAME, "guard");
}

static void say_signal(int number, const char *rank)
{
    char host[65] = "this machine";
    static char line[1024];
    gethostname(host, sizeof host - 1);
    setvbuf(stderr, line, _IOFBF, sizeof line); /* mpirun may pass on no more than it gets at once */
    cli_print(stderr, "scree: rank %s, on %s, was ended by signal %d (%s)%s\n", rank, host, number, strsignal(number),
              number == SIGKILL ? "; if memory ran out there, set a smaller --memory or start fewer processes on a "
                                  "machine"
                                : "");
    fflush(stderr);
}

/* Hydra answers by killing whom it has started, this process too, and reads no more of what they say. */
static void abort_by_pmi(void)
{
    static const char words[] = "cmd=abort exitcode=1\n";
    const char *number = getenv("PMI_FD");
    struct pollfd connection = {.fd = number ? (int)strtol(number, NULL, 10) : -1};
    if (connection.fd < 0)
        return;
    poll(NULL, 0, READING);
    if (send(connection.fd, words, sizeof words - 1, MSG_NOSIGNAL) == (ssize_t)sizeof words - 1)
        poll(&connection, 1, PATIENCE);
}

/* Waits, and ends as the child does. */
static _Noreturn void wait_for_child(const char *rank)
{
    int status = 0;
    pid_t ended;
    do
        ended = waitpid((pid_t)child, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended < 0)
        _exit(CLI_FAILURE);
    if (WIFEXITED(status))
        _exit(WEXITSTATUS(status));
    const int number = WTERMSIG(status);
    if (number == last_passed || number == SIGPIPE) {
        signal(number, SIG_DFL);
        raise(number);
    }
    say_signal(number, rank);
    abort_by_pmi();
    _exit(CLI_FAILURE);
}

static void pass_signals_on(void)
{
    struct sigaction action = {.sa_handler = pass_on};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < PASSED_ON; i++) {
        struct sigaction before;
        if (sigaction(passed_on[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(passed_on[i], &action, NULL);
    }
}

void cli_guard_start(char *program, const char *rank)
{
    sigset_t held;
    sigset_t before;
    const pid_t guard = getpid();
    sigemptyset(&held);
    for (int i = 0; i < PASSED_ON; i++)
        sigaddset(&held, passed_on[i]);
    sigprocmask(SIG_BLOCK, &held, &before);
    const pid_t made = fork();
    if (made > 0) {
        child = made;
        pass_signals_on();
        sigprocmask(SIG_SETMASK, &before, NULL);
        rename_process(program);
        wait_for_child(rank);
    }
    if (made == 0) {
        guarded = true;
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != guard)
            raise(SIGTERM); /* it was killed before this line */
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

bool cli_guarded(void)
{
    return guarded;
}
