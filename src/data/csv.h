/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_CSV_H
#define SCREE_DATA_CSV_H

/* What the files of the CSV reader tell each other. Words: a record is a row of the file, mostly one line, more when a
 * quoted cell has line breaks; a cell is what stands between two delimiters; a window is the piece of the file that is
 * in memory, whole records only; it is parsed in pieces, by several threads.
 *
 *   csv_scan.c    where records and cells end
 *   csv_value.c   what a cell says
 *   csv_survey.c  delimiter, decimal comma, lines above the table
 *   csv_guess.c   header, which columns are text
 *   csv_wanted.c  columns that the caller knows to be numbers
 *   csv_live.c    how much of a pipe settles that
 *   csv_layout.c  what becomes of each column, from the guess and the options
 *   csv_origin.c  from where whole numbers beyond 2^53 are counted
 *   csv_index.c   where all delimiters and line breaks are, at memory speed
 *   csv_parse.c   pieces to numbers and texts
 *   csv_window.c  the window, and how it is cut into pieces
 *   csv_source.c  the file as a source
 *   csv_rows.c    where rows begin, for processes that share them
 *   csv_fault.c   what is said of records that cannot be read
 */

#include "base/number_cells.h"
#include "base/number_whole.h"
#include "data/bytes.h"

/* == csv_scan.c == */

typedef struct scree__csv_cell {
    char *begin;  /* without spaces around it; with its quotes */
    char *end;    /* after its last character */
    char *next;   /* the next cell, or the next record when this was the last */
    int64_t wrap; /* line breaks inside */
    bool last;    /* of its record */
    bool quoted;
} scree__csv_cell;

/* After the record that begins at p, or NULL when it is not whole before end; then *open is the quote that is not
 * closed, if that is why. */
char *scree__csv_record_end(char *p, const char *end, char delimiter, char **open);

/* The cell at p. The record is whole: its line break is a sentinel. */
void scree__csv_cell_read(scree__csv_cell *cell, char *p, char delimiter);

/* The text of a cell without its quotes, and a final zero, to out, which may be cell->begin. Returns its length. */
int64_t scree__csv_cell_text(const scree__csv_cell *cell, char *out);

/* Is the text of so many bytes UTF-8? Else *text moves to the first byte that is not. */
bool scree__csv_is_utf8(const char **text, int64_t size);
/* at: the byte that is not UTF-8. field from 0. */
scree_status scree__csv_fail_encoding(const char *at, const char *file, int64_t line, int64_t field,
                                      scree_error *error);

/* Nothing but spaces on the line at p. *next receives the next line. */
bool scree__csv_is_blank(char *p, char **next);

/* == csv_value.c == */

enum { SCREE__CSV_NA_MOST = 32, SCREE__CSV_WORDS = 80 };

typedef struct scree__csv_na_word {
    const char *text;
    const char *shown; /* as it was given */
    int64_t length;
    bool begins; /* a cell may go on */
    bool is_number;
    double value;
} scree__csv_na_word;

/* What the options call missing. Zeroed: nothing. */
typedef struct scree__csv_na {
    scree__csv_na_word word[SCREE__CSV_NA_MOST];
    int count;
    int numbers; /* of them */
    char *memory;
} scree__csv_na;

/* From a list with commas, "-999,n.m.,<*"; na is zeroed, and list may be NULL. */
scree_status scree__csv_na_read(scree__csv_na *na, const char *list, const char *file, scree_error *error);
void scree__csv_na_clear(scree__csv_na *na);

/* How cells are written. */
typedef struct scree__csv_syntax {
    bool decimal_comma;
    char thousands;          /* comma or point, where that groups digits; 0: neither does */
    const scree__csv_na *na; /* NULL: nothing but the usual words is missing */
} scree__csv_syntax;

typedef enum scree__csv_kind {
    SCREE__CSV_NUMBER,
    SCREE__CSV_MISSING,
    SCREE__CSV_TEXT,
    SCREE__CSV_PERCENT /* a number with a per cent sign */
} scree__csv_kind;

/* What a cell is; *value receives the number, NaN when it is missing. */
scree__csv_kind scree__csv_cell_value(const scree__csv_cell *cell, const scree__csv_syntax *syntax, double *value);

/* Where the number of a cell would stand: without quotes and spaces around it. */
void scree__csv_cell_bare(const scree__csv_cell *cell, char **begin, char **end);

/* Is the text a number without groups? With a decimal comma a point is none. The text is left as it was. */
bool scree__csv_is_plain(char *text, const char *end, bool decimal_comma, double *value);

/* The spelling of missing that a cell or a value is, a number below SCREE__CSV_WORDS; -1: none. */
int scree__csv_cell_word(const scree__csv_cell *cell, const scree__csv_syntax *syntax);
int scree__csv_na_number(const scree__csv_na *na, double value);
/* That spelling, where it is worth a note; else NULL. */
const char *scree__csv_word_text(const scree__csv_na *na, int word);

/* Which decimal marks make a number of a cell that has a comma or a point: with digits in groups where needed. */
typedef enum scree__csv_shape {
    SCREE__CSV_BY_NONE,
    SCREE__CSV_BY_COMMA,
    SCREE__CSV_BY_POINT,
    SCREE__CSV_BY_EITHER, /* 1,234 and 1.234 */
} scree__csv_shape;
scree__csv_shape scree__csv_cell_shape(const scree__csv_cell *cell);

/* == csv_guess.c == */

typedef struct scree__csv_guess {
    scree__budget *budget; /* that what follows is drawn from */
    char delimiter;
    scree__csv_syntax syntax; /* its na is set before, as is the next */
    const char *encoding;     /* that the text was converted from, where it was guessed; NULL: it was not */
    bool header;
    bool row_names;      /* the first column names the rows, and has no cell in the header */
    bool row_numbers;    /* the first column numbers the rows, and has an empty cell in the header */
    int64_t fields;      /* of a record */
    char **names;        /* fields; NULL without header */
    bool *is_text;       /* fields */
    int64_t *text_lines; /* fields: the line of the first text below the header; 0: there is none */
    bool *is_percent;    /* fields: numbers have per cent signs; NULL: none */
    bool *is_mixed;      /* fields: texts, and not so few numbers, or all with another decimal mark; NULL: none */
    bool *is_empty;      /* fields: neither name nor cells, as where every line ends with a delimiter; NULL: none */
    bool only_header;    /* no record follows it */
    bool unsettled;      /* a further record may change what stands above the table */
    int64_t comments;    /* lines in front that begin with # */
    int64_t titles;      /* lines above the table, blank ones included */
    int64_t title_bytes; /* of these */
    int64_t data_offset; /* bytes before the first record of data */
    int64_t data_line;   /* its line, from 1 */
} scree__csv_guess;

/* From the first records of text; one that is not whole is left alone. file is for messages. */
scree_status scree__csv_guess_make(scree__csv_guess *guess, char *text, int64_t size, const scree_read_options *options,
                                   const char *file, scree_error *error);
void scree__csv_guess_clear(scree__csv_guess *guess);

/* == csv_mixed.c == */

/* Fails when a column that would become text is one of numbers with some cells that are none, or of numbers with
 * another decimal mark, and the options have not chosen it as anything else. The guess is made; text is what it was
 * made from. */
scree_status scree__csv_mixed_check(const scree__csv_guess *guess, char *text, int64_t size,
                                    const scree_read_options *options, const char *file, scree_error *error);

/* Cells of a column that are no numbers. */
enum { SCREE__CSV_BAD_SHOWN = 3 };
typedef struct scree__csv_bad {
    int64_t count;
    int64_t line[SCREE__CSV_BAD_SHOWN];
    char text[SCREE__CSV_BAD_SHOWN][64];
} scree__csv_bad;

/* Keeps a copy of the first few cells. */
void scree__csv_bad_add(scree__csv_bad *bad, const scree__csv_cell *cell, int64_t line);
/* "FILE: line 4, COLUMN: 'heavy' is not a number; ...". percent: the column is one of percentages.
 */
scree_status scree__csv_bad_fail(const scree__csv_bad *bad, const char *file, const char *column, bool percent,
                                 scree_error *error);

/* Fails where the first lines are those of a LIBSVM file. */
scree_status scree__csv_refuse_libsvm(const char *text, int64_t size, const char *file, scree_error *error);

/* == csv_live.c == */

/* Bytes of the text by which the layout of a live pipe is settled: up to the end of its first row of data; -1: more has
 * to come. */
int64_t scree__csv_first_rows(char *text, int64_t size, const scree_read_options *options);

/* == csv_layout.c == */

typedef enum scree__csv_use {
    SCREE__CSV_SKIP,
    SCREE__CSV_VALUE,
    SCREE__CSV_CARRY,
    SCREE__CSV_EMPTY, /* nothing may stand there */
} scree__csv_use;

typedef struct scree__csv_field {
    scree__csv_use use;
    int64_t place; /* among the values or the texts of a row */
    int64_t run;   /* values from this field on whose places follow each other, read at once; 0: not such a value */
    bool percent;  /* a value with a per cent sign */
} scree__csv_field;

typedef struct scree__csv_layout {
    char delimiter;
    scree__csv_syntax syntax;
    int64_t fields; /* in every record */
    scree__csv_field *field;
    int64_t cols;         /* values a row */
    int64_t text_count;   /* texts a row */
    scree__whole *origin; /* cols: what whole numbers are counted from (wide.h); NULL: 0 for all */
    double *shift;        /* cols: the same as doubles, or NULL */
    bool counted;         /* that is done */
} scree__csv_layout;

/* Also fills cols, columns, text_names, text_count and note of the source. */
scree_status scree__csv_layout_make(scree__csv_layout *layout, scree_source *source, const scree__csv_guess *guess,
                                    const scree_read_options *options, scree_error *error);

/* Adds to the note what the first pass has shown: how many cells were missing by which of SCREE__CSV_WORDS, and lines
 * of nothing but delimiters at the end. */
scree_status scree__csv_note_end(scree_source *source, const scree__csv_na *na, const int64_t *missing, int64_t empty,
                                 scree_error *error);

/* Which values are read at once: all but those of columns that have an origin. */
void scree__csv_find_runs(scree__csv_layout *layout);

/* == csv_origin.c == */

/* Fills origin and shift from the first whole records of the text. */
scree_status scree__csv_origin_find(scree__csv_layout *layout, char *text, int64_t size, scree_error *error);

/* == csv_index.c == */

/* Places in a text, in order; both lists hold as many. */
typedef struct scree__csv_index {
    uint32_t *ends;   /* of delimiters and line breaks */
    uint32_t *breaks; /* of line breaks alone */
    int64_t end_count;
    int64_t break_count;
    int64_t point_count;
    int64_t capacity; /* at least 64 */
    bool marked;      /* the marks are made too, and ends[-1] is -1 */
    scree__cell_marks marks;
    void *memory; /* of all of this */
} scree__csv_index;

/* Room for so many cells; false: out of memory. */
bool scree__csv_index_open(scree__csv_index *index, int64_t cells);
void scree__csv_index_close(scree__csv_index *index);

/* Quotes are not looked at. Stops early when there may be no space for more. point is that of numbers, for the marks.
 */
void scree__csv_index_make(scree__csv_index *index, const char *text, int64_t size, char delimiter, char point);

/* The ways to do so: on any machine, with AVX2, and with AVX-512, which marks cells. */
void scree__csv_index_plain(scree__csv_index *index, const char *text, int64_t size, char delimiter);
void scree__csv_index_avx2(scree__csv_index *index, const char *text, int64_t size, char delimiter);
void scree__csv_index_avx512(scree__csv_index *index, const char *text, int64_t size, char delimiter, char point);

/* == csv_parse.c == */

typedef enum scree__csv_fault {
    SCREE__CSV_FINE,
    SCREE__CSV_NOT_A_NUMBER,
    SCREE__CSV_NOT_EMPTY,
    SCREE__CSV_NOT_UTF8,
    SCREE__CSV_RAGGED,
    SCREE__CSV_NO_MEMORY /* to remember another */
} scree__csv_fault;

enum { SCREE__CSV_NAMED = 12 }; /* records at fault that a piece remembers; others are counted */

/* A piece of the window and where its rows go. Texts stay where they are in the window, which is written to. */
typedef struct scree__csv_piece {
    char *begin;
    char *end;
    double *values;
    const char **text;
    int64_t lines;  /* in it; an upper bound of its rows */
    int64_t filled; /* another bound: with bad, lines that are not blank */
    int64_t rows;   /* found */
    bool marked;    /* a value is none that doubles hold: too_wide.h */
    scree__csv_fault fault;
    int64_t fault_line;   /* lines of the piece before the record */
    int64_t fault_field;  /* not a number, not empty, or not UTF-8: which */
    int64_t fault_fields; /* ragged: how many there are */
    char fault_byte;      /* not UTF-8 */
    scree__csv_bad wrong; /* not a number: those of the column; not empty: the cell. Lines count from the piece */
    int64_t missing[SCREE__CSV_WORDS]; /* cells that spell missing so */
    uint8_t *bad;                      /* of each row: it stands for a record at fault; NULL: those end the parsing */
    int64_t bad_count;                 /* of these */
    struct scree__csv_piece *named;    /* the fault of the first SCREE__CSV_NAMED of them; NULL: there is none */
} scree__csv_piece;

/* Up to the end of the piece or the first fault. The index is scratch; with space for two records it is best used. With
 * bad, rows at fault are rows of NaN and empty texts. */
void scree__csv_piece_parse(scree__csv_piece *piece, const scree__csv_layout *layout, scree__csv_index *index);

/* == csv_window.c == */

enum { SCREE__CSV_READERS = 8 }; /* more do not make memory faster */

typedef struct scree__csv_window {
    scree__bytes *bytes;
    scree__bytes *readers[SCREE__CSV_READERS]; /* of the same plain file, for parts of the window */
    int reader_count;                          /* 0: bytes are read in order */
    int64_t at;                                /* bytes of the file read so far */
    char *raw;
    int64_t capacity; /* for this many bytes, and one line break after the last of the file */
    int64_t begin;    /* what stands before it was parsed */
    int64_t held;
    int64_t line; /* of raw[begin], from 1 */
    bool ended;   /* nothing is left to read */
    bool quotes;  /* there is one in it, or was before it was parsed */
    bool returns; /* lines end with carriage returns alone, which become line breaks */
} scree__csv_window;

/* Opens readers for so many threads, where the file allows it; fewer or none are no error. */
void scree__csv_window_share(scree__csv_window *window, int threads);

/* Back to the start of the file. */
scree_status scree__csv_window_rewind(scree__csv_window *window, scree_error *error);

/* Frees what the window holds; the bytes are closed with it. */
void scree__csv_window_clear(scree__csv_window *window);

/* After the first filling: sees whether lines end with carriage returns alone, as on old Macs. */
void scree__csv_window_look(scree__csv_window *window);

/* Forgets what was parsed and reads on as far as there is space, and makes some when there is none. */
scree_status scree__csv_window_fill(scree__csv_window *window, scree_error *error);

/* Whole records into at most most pieces of about the same size; none when no record is whole. Sets begin and end.
 * Lines of nothing but delimiters that nothing follows are left, since a file may end with them: *empty, how many; once
 * nothing else is left, they are no records. */
int64_t scree__csv_window_cut(const scree__csv_window *window, scree__csv_piece *pieces, int64_t most, char delimiter,
                              int64_t *empty);

/* The lines of nothing but delimiters with which the text ends begin here; there are so many. */
char *scree__csv_before_empty(char *begin, char *end, char delimiter, int64_t *lines);

/* Characters from begin to end that are the one wanted, and line breaks. */
int64_t scree__csv_count(const char *begin, const char *end, char wanted);
int64_t scree__csv_count_lines(const char *begin, const char *end);

/* == csv_source.c == */

/* The bytes become the caller's again: for who opens a CSV, and then fails. */
void scree__csv_disown(scree_source *source);

#endif
