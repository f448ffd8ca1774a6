/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers by their contexts. Cell t has a near neighbour a = u(t - near), a far one b = u(t - far), and those beside
 * it, c = u(t - near - far) and d = u(t - far + near): of a picture left, up, and the two corners.
 *
 * Values: is u the most frequent number? Else the bits of u, from the top, each by the bits before it. The first answer
 * goes by the levels of a, b, c, d, the bits by those of a and b, where levels cut the numbers into parts that are
 * about as frequent; or all go by columns.
 *
 * Differences r from what is guessed (Weinberger, Seroussi and Sapiro 2000): is r zero, its sign, the octave of |r| in
 * steps, the three bits below its leading one, and the rest as it is. They go by the octave of how much neighbours
 * differ, |a - c| + |b - c| + |r(t - near)|, or by columns.
 *
 * Costs one bit of range.h for the most frequent number, up to ten for others: 10 to 50 nanoseconds a cell. */

#include "archive/contexts.h"

#include "archive/range.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { LEVELS = SCREE__CONTEXT_LEVELS, COARSE = 5, FINE = 10, FLAGS = COARSE * COARSE * COARSE * COARSE };
enum { SKIP = 8, MOST_STATES = 1 << 20 };
enum { OCTAVES = 33, BELOW = 8, PER_CONTEXT = 2 + OCTAVES * (1 + BELOW), ACTIVITIES = 36 };

#define INLINE static inline __attribute__((always_inline))

typedef struct walk {
    scree__contexts how;
    scree__range range;
    int32_t *cells;
    int64_t rows;
    int64_t cols;
    scree__chance *chances;
    /* Values: */
    scree__chance skipped;  /* that eight cells are usual */
    int usual;              /* the most frequent number */
    int bits;               /* of a number */
    int fine;               /* levels */
    uint8_t levels[LEVELS]; /* of each number */
    uint8_t *marks;         /* of each cell that is coded, padded: its level */
    /* Differences: */
    int32_t *centres; /* D */
    uint32_t *errors; /* |r| of each cell that is coded, padded */
} walk;

int64_t scree__contexts_pad(const scree__contexts *contexts)
{
    return (int64_t)contexts->near + contexts->far + SKIP;
}

/* ---- values ---- */

/* Fewer cells teach fewer contexts. */
static int fine_levels(int64_t count)
{
    return count > 300000 ? FINE : count > 30000 ? 6 : count > 3000 ? 3 : 2;
}

/* Level 0 is the usual number; the others are cut so that each level has about as many. starts: the first number of
 * each level from 2 on. */
static void make_levels(walk *w, const uint8_t *starts)
{
    int level = 1;
    for (int v = 0; v < LEVELS; v++) {
        while (level + 1 < w->fine && v >= starts[level - 1])
            level++;
        w->levels[v] = (uint8_t)(v == w->usual ? 0 : level);
    }
}

static void find_levels(walk *w, uint8_t *starts)
{
    int64_t counts[LEVELS] = {0};
    const int64_t all = w->rows * w->cols;
    int64_t sum = 0;
    int level = 1;
    int largest = 0;
    for (int64_t t = 0; t < all; t++)
        counts[w->cells[t]]++;
    w->usual = 0;
    for (int v = 0; v < LEVELS; v++) {
        w->usual = counts[v] > counts[w->usual] ? v : w->usual;
        largest = counts[v] > 0 ? v : largest;
    }
    w->bits = 1;
    while (largest >> w->bits)
        w->bits++;
    const int64_t others = all - counts[w->usual];
    for (int v = 0; v < LEVELS && level + 1 < w->fine; v++) {
        sum += v == w->usual ? 0 : counts[v];
        while (level + 1 < w->fine && sum * (w->fine - 1) > others * level)
            starts[level++ - 1] = (uint8_t)(v < LEVELS - 1 ? v + 1 : v);
    }
    for (; level + 1 < w->fine; level++)
        starts[level - 1] = LEVELS - 1;
}

static int64_t value_states(const walk *w)
{
    const int64_t tree = INT64_C(1) << w->bits;
    return w->how.by_column ? w->cols * (1 + tree) : FLAGS + w->fine * w->fine * tree;
}

INLINE int32_t value_bits(scree__range *range, bool writing, scree__chance *tree, int bits, int32_t value)
{
    uint32_t node = 1;
    for (int b = bits - 1; b >= 0; b--)
        node = node << 1 | scree__range_bit(range, writing, &tree[node], (uint32_t)value >> b & 1U);
    return (int32_t)(node - (1U << bits));
}

/* Whether eight cells in a row are usual. */
INLINE bool are_usual(const uint8_t *marks)
{
    uint64_t eight = 0;
    memcpy(&eight, marks, sizeof eight);
    return eight == 0;
}

/* Where all is usual before and above, one bit says that the next eight cells are, too. */
INLINE bool skip(walk *w, scree__range *range, bool writing, int64_t t)
{
    bool all = true;
    for (int k = 0; writing && k < SKIP; k++)
        all = all && w->cells[t + k] == w->usual;
    if (!scree__range_bit(range, writing, &w->skipped, all))
        return false;
    for (int k = 0; !writing && k < SKIP; k++)
        w->cells[t + k] = w->usual;
    memset(w->marks + t, 0, SKIP);
    return true;
}

INLINE void walk_by_levels(walk *w, bool writing)
{
    const int64_t near = w->how.near;
    const int64_t far = w->how.far;
    const int64_t all = w->rows * w->cols;
    const int bits = w->bits;
    const int fine = w->fine;
    scree__range range = w->range;
    scree__chance *flags = w->chances;
    scree__chance *trees = flags + FLAGS;
    uint8_t narrow[FINE];
    for (int i = 0; i < FINE; i++)
        narrow[i] = (uint8_t)(i < 2 ? i : i < 4 ? 2 : i < 7 ? 3 : 4);
    for (int64_t t = 0, tried = 0; t < all; t++) {
        uint8_t *at = w->marks + t;
        if (t >= tried && far >= SKIP && all - t >= SKIP && are_usual(at - SKIP) && are_usual(at - far)) {
            tried = t + SKIP;
            if (skip(w, &range, writing, t)) {
                t += SKIP - 1;
                continue;
            }
        }
        const int a = at[-near];
        const int b = at[-far];
        const int corners = narrow[at[-near - far]] * COARSE + narrow[at[near - far]];
        int32_t value = w->cells[t];
        if (scree__range_bit(&range, writing, &flags[(corners * COARSE + narrow[a]) * COARSE + narrow[b]],
                             value == w->usual))
            value = w->usual;
        else
            value = value_bits(&range, writing, trees + ((a * fine + b) << bits), bits, value);
        w->cells[t] = value;
        *at = w->levels[value];
    }
    w->range = range;
}

INLINE void walk_by_columns(walk *w, bool writing)
{
    const int bits = w->bits;
    scree__range range = w->range;
    scree__chance *trees = w->chances + w->cols;
    for (int64_t i = 0, t = 0; i < w->rows; i++)
        for (int64_t j = 0; j < w->cols; j++, t++) {
            const int32_t value = w->cells[t];
            if (scree__range_bit(&range, writing, &w->chances[j], value == w->usual))
                w->cells[t] = w->usual;
            else
                w->cells[t] = value_bits(&range, writing, trees + (j << bits), bits, value);
        }
    w->range = range;
}

/* ---- differences ---- */

static int octave_of(uint64_t value)
{
    return value == 0 ? 0 : 64 - __builtin_clzll(value);
}

/* Two an octave. */
INLINE int activity(uint64_t value)
{
    if (value < 4)
        return (int)value;
    const int top = 63 - __builtin_clzll(value);
    const int found = 2 * top + (int)(value >> (top - 1) & 1U);
    return found < ACTIVITIES ? found : ACTIVITIES - 1;
}

INLINE int64_t guessed(scree__context_guess guess, const scree__guess_from *f)
{
    const int64_t least = f->near < f->far ? f->near : f->far;
    const int64_t most = f->near < f->far ? f->far : f->near;
    switch (guess) {
    case SCREE__GUESS_NEAR:
        return f->near;
    case SCREE__GUESS_FAR:
        return f->far;
    case SCREE__GUESS_PLANE:
        return f->near + f->far - f->between;
    case SCREE__GUESS_MEDIAN:
        return f->between >= most ? least : f->between <= least ? most : f->near + f->far - f->between;
    default:
        return f->centre;
    }
}

int64_t scree__guess(scree__context_guess guess, const scree__guess_from *from)
{
    return guessed(guess, from);
}

/* size - 1 of a difference that is not zero. */
INLINE uint64_t magnitude(scree__range *range, bool writing, scree__chance *chances, uint64_t size)
{
    int octave = writing ? octave_of(size + 1) - 1 : 0;
    int found = 0;
    while (found < OCTAVES - 1 && scree__range_bit(range, writing, &chances[found], found < octave))
        found++;
    octave = found;
    uint64_t value = 1;
    int left = octave;
    scree__chance *below = chances + OCTAVES + (int64_t)octave * BELOW;
    for (unsigned node = 1; left > 0 && node < BELOW; left--) {
        const unsigned bit = scree__range_bit(range, writing, &below[node], (size + 1) >> (left - 1) & 1U);
        node = node << 1 | bit;
        value = value << 1 | bit;
    }
    while (left > 0) {
        const int some = left < 16 ? left : 16;
        left -= some;
        value = value << some |
                scree__range_plain(range, writing, some, (uint32_t)((size + 1) >> left & ((1U << some) - 1)));
    }
    return value - 1;
}

INLINE int64_t difference(scree__range *range, bool writing, scree__chance *chances, int64_t r)
{
    if (scree__range_bit(range, writing, &chances[0], r == 0))
        return 0;
    const bool minus = scree__range_bit(range, writing, &chances[1], r < 0);
    const uint64_t size = (uint64_t)(r < 0 ? -r : r);
    const int64_t back = (int64_t)magnitude(range, writing, chances + 2, size - 1) + 1;
    return minus ? -back : back;
}

INLINE void walk_differences(walk *w, bool writing)
{
    const int64_t near = w->how.near;
    const int64_t far = w->how.far;
    scree__range range = w->range;
    for (int64_t i = 0, t = 0; i < w->rows; i++)
        for (int64_t j = 0; j < w->cols; j++, t++) {
            const scree__guess_from from = {w->cells[t - near], w->cells[t - far], w->cells[t - near - far],
                                            w->centres[j]};
            const int64_t guess = guessed(w->how.guess, &from);
            const uint64_t spread =
                (uint64_t)(llabs(from.near - from.between) + llabs(from.far - from.between)) + w->errors[t - near];
            const int64_t context = w->how.by_column ? j : activity(spread);
            const int64_t r = difference(&range, writing, w->chances + context * PER_CONTEXT, w->cells[t] - guess);
            const int64_t value = guess + r;
            const bool fits = value >= 0 && value <= INT32_MAX;
            range.over = range.over || !fits;
            w->cells[t] = fits ? (int32_t)value : 0;
            w->errors[t] = (uint32_t)(r < 0 ? -r : r);
        }
    w->range = range;
}

/* The mean of each column. */
static void find_centres(walk *w)
{
    for (int64_t j = 0; j < w->cols && w->how.guess == SCREE__GUESS_CENTRE; j++) {
        int64_t sum = 0;
        for (int64_t i = 0; i < w->rows; i++)
            sum += w->cells[i * w->cols + j];
        w->centres[j] = (int32_t)(sum / w->rows);
    }
}

/* ---- both ---- */

INLINE void walk_all(walk *w, bool writing)
{
    if (w->how.mode == SCREE__CONTEXT_DIFFERENCES)
        walk_differences(w, writing);
    else if (w->how.by_column)
        walk_by_columns(w, writing);
    else
        walk_by_levels(w, writing);
}

static void walk_close(walk *w)
{
    const int64_t pad = scree__contexts_pad(&w->how);
    free(w->chances);
    free(w->centres);
    free(w->marks ? w->marks - pad : NULL);
    free(w->errors ? w->errors - pad : NULL);
}

/* Room and even chances; usual, bits and levels are known. */
static bool walk_open(walk *w)
{
    const bool values = w->how.mode == SCREE__CONTEXT_VALUES;
    const int64_t pad = scree__contexts_pad(&w->how);
    const int64_t count = pad + w->rows * w->cols;
    const int64_t contexts = w->how.by_column ? w->cols : ACTIVITIES;
    const int64_t states = values ? value_states(w) : contexts * PER_CONTEXT;
    w->chances = states <= MOST_STATES ? scree__alloc_raw(states, sizeof *w->chances) : NULL;
    uint8_t *marks = values ? scree__alloc_raw(count, 1) : NULL;
    uint32_t *errors = values ? NULL : scree__alloc_raw(count, sizeof *errors);
    w->marks = marks ? marks + pad : NULL;
    w->errors = errors ? errors + pad : NULL;
    if (!w->chances || (values ? !marks : !errors || !w->centres))
        return false;
    for (int64_t i = 0; i < states; i++)
        w->chances[i] = scree__chance_even;
    w->skipped = scree__chance_even;
    memset(w->cells - pad, 0, (size_t)pad * sizeof *w->cells);
    if (values)
        memset(marks, 0, (size_t)pad);
    else
        memset(errors, 0, (size_t)pad * sizeof *errors);
    return true;
}

static bool is_possible(const scree__contexts *how, const int32_t *cells, int64_t count, int64_t cols)
{
    int32_t all = 0;
    if (how->mode == SCREE__CONTEXT_DIFFERENCES)
        return !how->by_column || cols <= SCREE__CONTEXT_COLUMNS;
    for (int64_t t = 0; t < count; t++)
        all |= cells[t];
    return all < LEVELS;
}

static void put_head(scree__pack *pack, const walk *w, const uint8_t *starts)
{
    scree__pack_u8(pack, w->how.mode | (unsigned)w->how.guess << 1 | (unsigned)w->how.by_column << 4);
    scree__pack_number(pack, w->how.near);
    scree__pack_number(pack, w->how.far);
    if (w->how.mode == SCREE__CONTEXT_VALUES) {
        scree__pack_u8(pack, (unsigned)w->usual);
        scree__pack_u8(pack, (unsigned)w->bits);
        scree__pack_bytes(pack, starts, w->how.by_column ? 0 : w->fine - 2);
    }
    for (int64_t j = 0; j < w->cols && w->how.mode == SCREE__CONTEXT_DIFFERENCES; j++)
        if (w->how.guess == SCREE__GUESS_CENTRE)
            scree__pack_number(pack, w->centres[j]);
}

bool scree__contexts_put(scree__pack *pack, const scree__contexts *contexts, int32_t *cells, int64_t rows, int64_t cols,
                         int64_t most)
{
    walk w = {.how = *contexts, .cells = cells, .rows = rows, .cols = cols, .fine = fine_levels(rows * cols)};
    const int64_t begun = pack->size;
    uint8_t starts[FINE] = {0};
    bool done = false;
    if (!is_possible(contexts, cells, rows * cols, cols))
        return false;
    if (w.how.mode == SCREE__CONTEXT_VALUES) {
        find_levels(&w, starts);
        make_levels(&w, starts);
    } else {
        w.centres = scree__alloc(cols, sizeof *w.centres);
        if (!w.centres)
            return false;
        find_centres(&w);
    }
    put_head(pack, &w, starts);
    unsigned char *to = walk_open(&w) ? scree__pack_room(pack, most + 4) : NULL;
    if (to) {
        scree__range_write(&w.range, to + 4, most);
        walk_all(&w, true);
        const int64_t size = scree__range_finish(&w.range, to + 4);
        done = !w.range.over;
        pack->size -= most - size;
        scree__pack_patch(pack, pack->size - size - 4, (uint32_t)size);
    }
    walk_close(&w);
    if (!done)
        pack->size = begun;
    return done;
}

void scree__contexts_get_head(scree__unpack *unpack, scree__contexts *contexts)
{
    const unsigned how = scree__unpack_u8(unpack);
    contexts->mode = how & 1U;
    contexts->guess = how >> 1 & 7U;
    contexts->by_column = how >> 4 & 1U;
    const int64_t near = scree__unpack_number(unpack);
    const int64_t far = scree__unpack_number(unpack);
    unpack->failed = unpack->failed || how >> 5 || contexts->guess >= SCREE__GUESSES || near < 1 || far <= near ||
                     far > SCREE__CONTEXT_FARTHEST;
    contexts->near = unpack->failed ? 1 : (int32_t)near;
    contexts->far = unpack->failed ? 2 : (int32_t)far;
}

static void get_values_head(scree__unpack *unpack, walk *w)
{
    w->usual = (int)scree__unpack_u8(unpack);
    w->bits = (int)scree__unpack_u8(unpack);
    const unsigned char none[FINE] = {0};
    const unsigned char *starts = w->how.by_column ? none : scree__unpack_bytes(unpack, w->fine - 2);
    unpack->failed = unpack->failed || !starts || w->bits < 1 || w->bits > 8;
    if (!unpack->failed)
        make_levels(w, starts);
}

static void get_centres(scree__unpack *unpack, walk *w)
{
    w->centres = scree__alloc(w->cols, sizeof *w->centres);
    unpack->failed = unpack->failed || !w->centres || (w->how.by_column && w->cols > SCREE__CONTEXT_COLUMNS);
    for (int64_t j = 0; j < w->cols && w->how.guess == SCREE__GUESS_CENTRE && !unpack->failed; j++) {
        const int64_t centre = scree__unpack_number(unpack);
        unpack->failed = unpack->failed || centre < 0 || centre > INT32_MAX;
        w->centres[j] = unpack->failed ? 0 : (int32_t)centre;
    }
}

void scree__contexts_get(scree__unpack *unpack, const scree__contexts *contexts, int32_t *cells, int64_t rows,
                         int64_t cols)
{
    walk w = {.how = *contexts, .cells = cells, .rows = rows, .cols = cols, .fine = fine_levels(rows * cols)};
    if (w.how.mode == SCREE__CONTEXT_VALUES)
        get_values_head(unpack, &w);
    else
        get_centres(unpack, &w);
    const int64_t size = scree__unpack_u32(unpack);
    const unsigned char *from = scree__unpack_bytes(unpack, size);
    unpack->failed = unpack->failed || !from || !walk_open(&w);
    if (!unpack->failed) {
        scree__range_read(&w.range, from, size);
        walk_all(&w, false);
        unpack->failed = w.range.over;
    }
    walk_close(&w);
}
