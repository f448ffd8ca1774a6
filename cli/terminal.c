/* SPDX-License-Identifier: BSD-3-Clause */
/* Which pictures the terminal can show: known from its name, or else found by querying its attributes (ESC [ c; a 4 in
 * the reply means sixel) with a timeout of a fifth of a second. Terminal multiplexers (tmux, screen) do not pass
 * pictures on, and are not queried. */

#include "terminal.h"
#include "table.h"

#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { TIMEOUT = 200, USUAL = 80, WIDEST = 120 }; /* ms; characters */

static bool contains(const char *variable, const char *part)
{
    const char *value = getenv(variable);
    return value && strstr(value, part);
}

/* Reads up to the character that ends the reply. */
static bool read_answer(int fd, char *answer, size_t size)
{
    size_t used = 0;
    while (used + 1 < size) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        if (poll(&ready, 1, TIMEOUT) != 1 || read(fd, answer + used, 1) != 1)
            return false;
        if (answer[used++] == 'c')
            break;
    }
    answer[used] = '\0';
    return true;
}

/* ESC [ ? 62 ; 4 ; ... c */
static bool says_sixel(const char *answer)
{
    const char *at = strchr(answer, '?');
    while (at) {
        at++;
        if (at[0] == '4' && (at[1] == ';' || at[1] == 'c'))
            return true;
        at = strchr(at, ';');
    }
    return false;
}

static bool ask_sixel(void)
{
    static const char question[] = "\033[c";
    struct termios before, quiet;
    char answer[64];
    bool sixel = false;
    if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &before) != 0)
        return false;
    quiet = before;
    quiet.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    if (tcsetattr(STDIN_FILENO, TCSANOW, &quiet) != 0)
        return false;
    if (write(STDOUT_FILENO, question, sizeof question - 1) == (ssize_t)(sizeof question - 1) &&
        read_answer(STDIN_FILENO, answer, sizeof answer))
        sixel = says_sixel(answer);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &before); /* a late reply is discarded */
    return sixel;
}

/* What the locale says of letters; where nothing is set, nothing is known. */
static bool is_ascii_only(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return !strstr(value, "UTF-8") && !strstr(value, "utf8") && !strstr(value, "UTF8") &&
                   !strstr(value, "utf-8");
    }
    return false;
}

bool cli_terminal_is(void)
{
    return isatty(STDOUT_FILENO) != 0;
}

const char *cli_terminal_letters(void)
{
    const char *terminal = getenv("TERM");
    if (is_ascii_only() || (isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") == 0))
        return "ascii";
    return *cli_bold(stdout, true) ? "ansi" : "text";
}

bool cli_terminal_is_letters(const char *format)
{
    return strcmp(format, "ansi") == 0 || strcmp(format, "text") == 0 || strcmp(format, "ascii") == 0;
}

const char *cli_terminal_format(void)
{
    const char *terminal = getenv("TERM");
    if (!isatty(STDOUT_FILENO) || !terminal || strcmp(terminal, "dumb") == 0)
        return cli_terminal_letters();
    if (getenv("TMUX") || contains("TERM", "screen") || contains("TERM", "tmux") || contains("TERM", "linux"))
        return cli_terminal_letters();
    if (getenv("KITTY_WINDOW_ID") || contains("TERM", "kitty") || contains("TERM", "ghostty") ||
        contains("TERM_PROGRAM", "ghostty") || contains("TERM_PROGRAM", "WezTerm"))
        return "kitty";
    if (contains("TERM", "foot") || contains("TERM", "mlterm") || contains("TERM", "sixel") ||
        contains("TERM", "contour") || contains("TERM_PROGRAM", "iTerm"))
        return "sixel";
    return ask_sixel() ? "sixel" : cli_terminal_letters();
}

int cli_terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 40)
        return USUAL;
    return size.ws_col < WIDEST ? size.ws_col : WIDEST;
}

int cli_terminal_height(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row < 2)
        return 0;
    return size.ws_row - 1;
}
