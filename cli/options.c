/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses a command line by the command's option table: --name value, --name=value, -x value, -xvalue, clusters of short
 * flags, options and operands in any order, and -- before operands that begin with a dash. A lone dash is an operand
 * (standard input or output), and so is a negative number. */

#include "cli.h"
#include "help.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 64, MOST_CHOICES = 32 };

/* The command line while it is parsed. */
typedef struct reading {
    cli_call *call;
    char **next; /* the next word */
    char **end;
    char typed[48]; /* the option as it was written: "-k" or "--components" */
    int exit_code;
    bool ended; /* help was printed, or the usage was wrong */
} reading;

int cli_usage(const cli_command *command, const cli_option *option, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    cli_print(stderr, "scree %s: ", command->name);
    cli_print_list(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    if (option && option->help)
        cli_help_option(stderr, option);
    else
        cli_help_usage(stderr, command);
    return CLI_WRONG_USAGE;
}

static void stop(reading *line, int exit_code)
{
    line->exit_code = exit_code;
    line->ended = true;
}

static const cli_option *find_long(const cli_command *command, const char *name, size_t length, size_t *offset)
{
    cli_walk walk = cli_walk_start(command);
    walk.all = true;
    for (const cli_option *option; (option = cli_walk_next(&walk));) {
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0) {
            *offset = walk.offset;
            return option;
        }
    }
    return NULL;
}

static const cli_option *find_short(const cli_command *command, char letter, size_t *offset)
{
    cli_walk walk = cli_walk_start(command);
    walk.all = true;
    for (const cli_option *option; (option = cli_walk_next(&walk));) {
        if (option->letter == letter) {
            *offset = walk.offset;
            return option;
        }
    }
    return NULL;
}

static int unknown_option(const cli_command *command, const char *name, size_t length)
{
    char word[48];
    const char *words[MOST_OPTIONS + 1];
    size_t offset = 0;
    int count = 0;
    cli_walk walk = cli_walk_start(command);
    for (const cli_option *option; (option = cli_walk_next(&walk)) && count < MOST_OPTIONS;)
        words[count++] = option->name;
    words[count] = NULL;
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    const char *meant = cli_suggest(word, words);
    if (!meant)
        return cli_usage(command, NULL, "unknown option --%.*s", (int)length, name);
    return cli_usage(command, find_long(command, meant, strlen(meant), &offset),
                     "unknown option --%.*s; did you mean --%s?", (int)length, name, meant);
}

static int bad_value(const reading *line, const cli_option *option, const char *text, const char *wanted)
{
    const cli_command *command = line->call->command;
    if (!cli_option_is_choice(option))
        return cli_usage(command, option, "invalid value '%s' for %s: expected %s", text, line->typed, wanted);
    const char *words[MOST_CHOICES + 1] = {NULL};
    for (int i = 0; i < MOST_CHOICES && (words[i] = cli_option_choice(option, i)); i++)
        ;
    const char *meant = cli_suggest(text, words);
    if (meant)
        return cli_usage(command, option, "invalid value '%s' for %s; did you mean '%s'?", text, line->typed, meant);
    char list[256] = "";
    FILE *out = fmemopen(list, sizeof list, "w");
    if (out) {
        cli_option_print_choices(out, option, ", ", option->also ? ", " : " or ");
        if (option->also)
            cli_print(out, ", %s", option->also);
        fclose(out);
    } else {
        cli_out_of_memory();
    }
    return cli_usage(command, option, "invalid value '%s' for %s: expected %s", text, line->typed, list);
}

/* Whether a word is one of the command's own options, and thus hardly meant as a value. */
static bool is_known(const cli_command *command, const char *word)
{
    size_t offset = 0;
    if (word[0] != '-' || !word[1])
        return false;
    if (word[1] == '-')
        return find_long(command, word + 2, strcspn(word + 2, "="), &offset);
    return !word[2] && find_short(command, word[1], &offset);
}

/* Of several values of one option, none is more meant than the others; one that is repeated does no harm. */
static bool is_another(const reading *line, const cli_option *option, const char *value)
{
    const cli_call *call = line->call;
    for (int i = 0; !option->repeats && i + 1 < call->given_count; i++)
        if (call->given[i] == option && call->values[i] && strcmp(call->values[i], value) != 0)
            return true;
    return false;
}

/* value: the rest of the same word, or NULL. */
static void store(reading *line, const cli_option *option, size_t offset, const char *value)
{
    const cli_command *command = line->call->command;
    void *where = (char *)line->call->arguments + offset;
    if (option->name && strcmp(option->name, "help") == 0 && !option->value) {
        cli_help_command(stdout, command);
        stop(line, cli_finish(SCREE_OK, NULL));
        return;
    }
    const int at = line->call->given_count++;
    line->call->given[at] = option;
    if (!option->value) {
        if (value)
            stop(line, cli_usage(command, option, "%s takes no value", line->typed));
        else
            *(int *)where = option->set;
        return;
    }
    if (!value && line->next == line->end) {
        stop(line, cli_usage(command, option, "%s needs a value", line->typed));
        return;
    }
    if (!value && is_known(command, *line->next)) {
        stop(line, cli_usage(command, option, "%s needs a value, but is followed by the option '%s'", line->typed,
                             *line->next));
        return;
    }
    if (!value)
        value = *line->next++;
    line->call->values[at] = value;
    if (is_another(line, option, value)) {
        stop(line, cli_usage(command, option, "%s is given more than once; give one value", line->typed));
        return;
    }
    const char *wanted = option->read(where, value, option);
    if (wanted)
        stop(line, bad_value(line, option, value, wanted));
}

static void read_long(reading *line, const char *word)
{
    const char *equals = strchr(word, '=');
    const size_t length = equals ? (size_t)(equals - word) : strlen(word);
    size_t offset = 0;
    const cli_option *option = find_long(line->call->command, word, length, &offset);
    snprintf(line->typed, sizeof line->typed, "--%.*s", (int)length, word);
    if (!option)
        stop(line, unknown_option(line->call->command, word, length));
    else
        store(line, option, offset, equals ? equals + 1 : NULL);
}

static void read_cluster(reading *line, const char *letters)
{
    const cli_command *command = line->call->command;
    for (; *letters && !line->ended; letters++) {
        size_t offset = 0;
        const cli_option *option = find_short(command, *letters, &offset);
        snprintf(line->typed, sizeof line->typed, "-%c", *letters);
        if (!option) {
            stop(line, cli_usage(command, NULL, "unknown option -%c", *letters));
        } else if (option->value) {
            const char *rest = letters + 1 + (letters[1] == '=');
            store(line, option, offset, letters[1] ? rest : NULL);
            return;
        } else {
            store(line, option, offset, NULL);
        }
    }
}

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] && !isdigit((unsigned char)word[1]) && word[1] != '.';
}

/* Reports too few or too many operands, by the names that the command gives them. */
static void check_operands(reading *line)
{
    const cli_call *call = line->call;
    const char *name = call->command->operands;
    int known = 0;
    while (*name) {
        const size_t length = strcspn(name, " ");
        const bool repeats = memchr(name, '.', length) != NULL;
        if (known == call->operand_count && *name != '[') {
            stop(line, cli_usage(call->command, NULL, "%.*s is missing", (int)strcspn(name, " ."), name));
            return;
        }
        if (known < call->operand_count)
            known = repeats ? call->operand_count : known + 1;
        name += length;
        name += strspn(name, " ");
    }
    if (known < call->operand_count)
        stop(line, cli_usage(call->command, NULL, "unexpected argument '%s'", call->operands[known]));
}

bool cli_call_read(cli_call *call, const cli_command *command, int argc, char **argv, int *exit_code)
{
    reading line = {.call = call, .next = argv, .end = argv + argc};
    bool plain = false;
    size_t letters = 0;
    *call = (cli_call){.command = command};
    call->operands = cli_alloc((size_t)argc + 1, sizeof *call->operands);
    for (int i = 0; i < argc; i++)
        letters += strlen(argv[i]);
    call->given = cli_alloc(letters + 1, sizeof *call->given); /* a letter is an option at most */
    call->values = cli_alloc(letters + 1, sizeof *call->values);
    call->arguments = cli_alloc(1, command->arguments_size);
    memcpy(call->arguments, command->defaults, command->arguments_size);
    while (line.next < line.end && !line.ended) {
        char *word = *line.next++;
        if (plain || !is_option(word))
            call->operands[call->operand_count++] = word;
        else if (strcmp(word, "--") == 0)
            plain = true;
        else if (word[1] == '-')
            read_long(&line, word + 2);
        else
            read_cluster(&line, word + 1);
    }
    if (!line.ended)
        check_operands(&line);
    *exit_code = line.exit_code;
    if (line.ended)
        cli_call_clear(call);
    return !line.ended;
}

bool cli_given(const cli_call *call, const char *name)
{
    for (int i = 0; i < call->given_count; i++)
        if (strcmp(call->given[i]->name, name) == 0)
            return true;
    return false;
}

const cli_option *cli_given_of(const cli_call *call, const cli_option *group)
{
    for (int i = 0; i < call->given_count; i++)
        for (const cli_option *option = group; option->name; option++)
            if (option == call->given[i])
                return option;
    return NULL;
}

const cli_option *cli_given_among(const cli_call *call, const char *const *names)
{
    for (int i = 0; i < call->given_count; i++)
        for (const char *const *name = names; *name; name++)
            if (strcmp(call->given[i]->name, *name) == 0)
                return call->given[i];
    return NULL;
}

void cli_call_clear(cli_call *call)
{
    free(call->arguments);
    free(call->operands);
    free(call->given);
    free(call->values);
    *call = (cli_call){.command = call->command};
}
