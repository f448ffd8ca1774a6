/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_CLI_H
#define SCREE_CLI_CLI_H

/* The framework of the command line: a command is a file with a const table of options; parsing, help, man pages and
 * completions are all driven by these tables. Commands use only the public headers of the library. */

#include "print.h"
#include "scree.h"

#include <stdio.h>

/* Exit status. A run that is stopped by a signal ends by that signal (130, 143). */
enum { CLI_SUCCESS = 0, CLI_FAILURE = 1, CLI_WRONG_USAGE = 2, CLI_ALARM = 3 };

/* ---- options ---- */

typedef struct cli_option cli_option;

/* The index-th of some names, NULL past the last. */
typedef const char *(*cli_names)(int64_t index);

/* Reads text into *where. Returns NULL, or what was expected instead: "a whole number". */
typedef const char *(*cli_reader)(void *where, const char *text, const cli_option *option);

struct cli_option {
    const char *name;           /* "components" */
    const char *value;          /* "COUNT"; NULL: a flag, which stores set in an int */
    const char *help;           /* lower case, no full stop, expanded by cli_text_fill; NULL: an older name,
                                   accepted but not shown */
    cli_reader read;            /* of the value */
    size_t offset;              /* where to store: in the command's arguments, or in the group's */
    const char *const *choices; /* allowed values, NULL-terminated; NULL: anything */
    cli_names names;            /* or names from a table of the library */
    const char *also;           /* what is taken besides, for messages; NULL: nothing */
    const cli_option *group;    /* instead of all the above: the options of this table, stored from offset on */
    int set;                    /* what a flag stores */
    char letter;                /* 'k', or 0 */
    bool repeats;               /* may be given several times, each with a value of its own */
};

/* clang-format off */
#define CLI_OPTIONS_END {.name = NULL}
/* clang-format on */

bool cli_option_is_choice(const cli_option *option);
const char *cli_option_choice(const cli_option *option,
                              int64_t index); /* of one that is a choice; NULL past the last */
void cli_option_print_choices(FILE *out, const cli_option *option, const char *between, const char *before_last);

/* Names from the tables of the library. */
const char *cli_solver_name(int64_t index);
const char *cli_reader_name(int64_t index);
const char *cli_writer_name(int64_t index);
const char *cli_kind_name(int64_t index);

/* Replaces {solvers}, {readers}, {writers} and {kinds} by lists of their names; the caller frees the result. */
char *cli_text_fill(const char *text);

/* Common options have the same name and meaning everywhere. Those in the first group are stored in the cli_work at the
 * start of a command's arguments (work.h), the others at the offset given by the command. */
extern const cli_option cli_read_options[];   /* --input-format, --columns, --label, --id, ... */
extern const cli_option cli_live_options[];   /* --on-error, --append */
extern const cli_option cli_sample_options[]; /* --seed, where nothing else needs one */
extern const cli_option cli_weight_options[]; /* --weights */
extern const cli_option cli_run_options[];    /* --threads, --memory, --block-rows */
extern const cli_option cli_write_options[];  /* -o, --format, --type */
extern const cli_option cli_model_options[];  /* -k, to use fewer components of a model */
extern const cli_option cli_noise_options[];  /* --noise, --noise-floor */
extern const cli_option cli_whiten_options[]; /* cli_whiten: --whiten, --ddof */
extern const cli_option cli_quiet_options[];  /* --quiet */

extern const cli_option cli_fit_options[];    /* scree_fit_options: -k, --solver, --ddof, --tol, --seed */
extern const cli_option cli_bayes_options[];  /* int: --bayes */
extern const cli_option cli_select_options[]; /* scree_select_options: --max, --folds, --noise-sd, --seed */
extern const cli_option cli_draw_options[];   /* cli_draw: -n, --seed */
extern const cli_option cli_page_options[];   /* scree_report_options: --title, --alpha, --seed */
extern const cli_option cli_image_options[];  /* two int64_t, rows and columns: --image */
extern const cli_option cli_labels_options[]; /* const char *: --labels */

/* Random draws. */
typedef struct cli_draw {
    int64_t count;
    uint64_t seed;
} cli_draw;

/* clang-format off */
#define CLI_DRAW_INIT {1, 0}
/* clang-format on */

/* Readers; where points to the type in the comment. */
const char *cli_read_text(void *where, const char *text, const cli_option *option);       /* const char * */
const char *cli_read_choice(void *where, const char *text, const cli_option *option);     /* const char * */
const char *cli_read_int(void *where, const char *text, const cli_option *option);        /* int, not negative */
const char *cli_read_threads(void *where, const char *text, const cli_option *option);    /* int, positive */
const char *cli_read_components(void *where, const char *text, const cli_option *option); /* scree_fit_options: -k */
const char *cli_read_count(void *where, const char *text, const cli_option *option);      /* int64_t, positive */
const char *cli_read_seed(void *where, const char *text, const cli_option *option);       /* uint64_t */
const char *cli_read_size(void *where, const char *text, const cli_option *option);       /* int64_t bytes: 256M */
const char *cli_read_tolerance(void *where, const char *text, const cli_option *option);  /* double in (0,1) */
const char *cli_read_chance(void *where, const char *text, const cli_option *option);     /* double in (0,1) */
const char *cli_read_positive(void *where, const char *text, const cli_option *option);   /* double, positive */
const char *cli_read_variance(void *where, const char *text, const cli_option *option);   /* double, not negative */
const char *cli_read_delimiter(void *where, const char *text, const cli_option *option);  /* char */
const char *cli_read_decimal(void *where, const char *text, const cli_option *option);    /* char */

/* ---- commands ---- */

typedef struct cli_command cli_command;

/* A parsed command line. */
typedef struct cli_call {
    const cli_command *command;
    char *program;   /* argv[0] */
    void *arguments; /* the command's own struct */
    char **operands; /* arguments that are not options, in order */
    int operand_count;
    const cli_option **given; /* the options that were written, in order */
    const char **values;      /* what was written with each of them; NULL: nothing */
    int given_count;
} cli_call;

/* Whether the option was written, under its name or its letter. */
bool cli_given(const cli_call *call, const char *name);
/* The first that was written of the options of a group, or of these names, which end with NULL; NULL: none was. */
const cli_option *cli_given_of(const cli_call *call, const cli_option *group);
const cli_option *cli_given_among(const cli_call *call, const char *const *names);

struct cli_command {
    const char *name;
    const char *synopsis;             /* the usage line after the name */
    const char *operands;             /* "MODEL [CODES...]": brackets: optional; dots: one or more */
    const char *summary;              /* one line, lower case */
    const char *description;          /* one paragraph */
    const cli_option *options;        /* ends with CLI_OPTIONS_END; --help is added automatically */
    const char *const *examples;      /* command line, what it does, ..., NULL */
    const void *defaults;             /* the arguments before any option */
    size_t arguments_size;            /* of the struct that defaults points to */
    int (*run)(const cli_call *call); /* returns an exit code */
};

/* All commands: each has a line here and a file cmd_NAME.c that defines `const cli_command cli_NAME`. */
#define CLI_COMMAND_LIST(X)                                                                                            \
    X(fit)                                                                                                             \
    X(project)                                                                                                         \
    X(reconstruct)                                                                                                     \
    X(info)                                                                                                            \
    X(posterior)                                                                                                       \
    X(score)                                                                                                           \
    X(drift)                                                                                                           \
    X(sample)                                                                                                          \
    X(rotate)                                                                                                          \
    X(loadings)                                                                                                        \
    X(explore)                                                                                                         \
    X(impute)                                                                                                          \
    X(autoencode)                                                                                                      \
    X(report)                                                                                                          \
    X(serve)                                                                                                           \
    X(select)                                                                                                          \
    X(plot)                                                                                                            \
    X(plan)                                                                                                            \
    X(merge)                                                                                                           \
    X(update)                                                                                                          \
    X(convert)                                                                                                         \
    X(ls)                                                                                                              \
    X(compress)                                                                                                        \
    X(decompress)                                                                                                      \
    X(demo)                                                                                                            \
    X(version)                                                                                                         \
    X(help)

#define CLI_X(name) extern const cli_command cli_##name;
CLI_COMMAND_LIST(CLI_X)
#undef CLI_X

extern const cli_command *const cli_commands[]; /* ends with NULL */

const cli_command *cli_command_find(const char *name); /* NULL: unknown */
const char *cli_command_suggest(const char *name);     /* the likely intended one, or NULL */

/* Where the name is what other systems call a command: says which one is meant. */
bool cli_elsewhere_print(FILE *out, const char *name);

/* Iterates over the options of a command, including those of groups, with --help last. all: include hidden ones.
 *
 *     cli_walk walk = cli_walk_start(command);
 *     for (const cli_option *option; (option = cli_walk_next(&walk));)
 */
typedef struct cli_walk {
    const cli_option *outer; /* next entry of the command's table */
    const cli_option *inner; /* next entry of the current group, or NULL */
    size_t base;             /* offset of that group */
    size_t offset;           /* of the option returned last, from the start of the arguments */
    bool last;               /* only --help is left */
    bool all;
} cli_walk;

cli_walk cli_walk_start(const cli_command *command);
const cli_option *cli_walk_next(cli_walk *walk);

/* Parses what follows the command's name. Returns true if the command is ready to run; otherwise help was printed or
 * wrong usage was reported, and *exit_code is set. */
bool cli_call_read(cli_call *call, const cli_command *command, int argc, char **argv, int *exit_code);
void cli_call_clear(cli_call *call);

/* ---- wrong usage ---- */

/* Prints what is wrong, then the help of the option, or the usage line if option is NULL. Returns CLI_WRONG_USAGE. */
int cli_usage(const cli_command *command, const cli_option *option, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The word that was probably meant, or NULL. words ends with NULL. */
const char *cli_suggest(const char *word, const char *const *words);

/* Flushes standard output; what fails is told at the end. */
void cli_flush(void);

/* Allocates zeroed memory; on failure ends the program with a message. */
void *cli_alloc(size_t count, size_t size);
_Noreturn void cli_out_of_memory(void);
/* Passes a status on that only memory could make a failure worth telling: then the program ends with a sentence. */
scree_status cli_known(scree_status status);

/* The exit code for a status. On failure prints the library's message; if a signal cancelled the work, dies by it.
 * Standard output is flushed and checked, then files that wait for their names get them. */
int cli_finish(scree_status status, const scree_error *error);

#endif
