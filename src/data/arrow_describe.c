/* SPDX-License-Identifier: BSD-3-Clause */
/* The FlatBuffers of an Arrow file: a schema, record batches, and a footer with the schema again and the place of every
 * batch. A batch lists for each column how many rows and nulls it has, and where its buffers are in the body: what is
 * not null, if something is; numbers, or offsets and texts. All begin at multiples of eight. */

#include "data/arrow_write.h"

#include "base/memory.h"
#include "kernel/strided.h"

#include <string.h>

enum { VERSION_5 = 4, KIND_SCHEMA = 1, KIND_BATCH = 3, TYPE_INT = 2, TYPE_FLOAT = 3, TYPE_TEXT = 5, TYPE_BOOL = 6 };

scree_status scree__arrow_plan_make(scree__arrow_plan *plan, const scree__sink_shape *shape, scree_type type,
                                    const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t front = shape->text_count - shape->text_behind;
    plan->count = shape->cols + shape->text_count;
    plan->cols = shape->cols;
    plan->text_count = shape->text_count;
    plan->type = type;
    SCREE_ALLOC(plan->columns, plan->count, error);
    for (int64_t i = 0; i < plan->count; i++) {
        char number[24];
        scree__arrow_planned *column = &plan->columns[i];
        column->name = scree__strdup(scree__sink_heading(shape, i, number));
        if (!column->name)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the names of its columns", path);
        column->value = i - front;
        column->text = i < front ? i : i >= front + shape->cols ? i - shape->cols : -1;
    }
done:
    return status;
}

const char *scree__arrow_plan_name(const scree__arrow_plan *plan, int64_t value)
{
    int64_t i = 0;
    while (plan->columns[i].text >= 0 || plan->columns[i].value != value)
        i++;
    return plan->columns[i].name;
}

scree_status scree__arrow_plan_add(scree__arrow_plan *plan, int64_t offset, int64_t description, int64_t body,
                                   const char *path, scree_error *error)
{
    if (plan->block_count == plan->block_room) {
        const int64_t size = 2 * plan->block_room + 16;
        scree__arrow_block *more = scree__alloc(size, sizeof *more);
        if (!more)
            return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for where its batches are", path);
        if (plan->block_count > 0)
            memcpy(more, plan->blocks, (size_t)plan->block_count * sizeof *more);
        free(plan->blocks);
        plan->blocks = more;
        plan->block_room = size;
    }
    plan->blocks[plan->block_count++] = (scree__arrow_block){offset, description, body};
    return SCREE_OK;
}

void scree__arrow_plan_clear(scree__arrow_plan *plan)
{
    for (int64_t i = 0; plan->columns && i < plan->count; i++)
        free(plan->columns[i].name);
    free(plan->columns);
    free(plan->blocks);
    scree__flat_writer_free(&plan->writer);
}

/* The type of a column of numbers: its table, and which of the union it is. */
static int64_t put_type(scree__flat_writer *to, scree_type type, bool is_text, int *kind)
{
    const bool is_signed = type == SCREE_I8 || type == SCREE_I16 || type == SCREE_I32 || type == SCREE_I64;
    const bool is_float = type == SCREE_F16 || type == SCREE_F32 || type == SCREE_F64;
    *kind = is_text ? TYPE_TEXT : is_float ? TYPE_FLOAT : type == SCREE_BOOL ? TYPE_BOOL : TYPE_INT;
    scree__flat_begin(to);
    if (*kind == TYPE_FLOAT)
        scree__flat_put_number(to, 0, type == SCREE_F16 ? 0 : type == SCREE_F32 ? 1 : 2, 2);
    if (*kind == TYPE_INT) {
        scree__flat_put_number(to, 0, 8 * scree__element_size(type), 4);
        scree__flat_put_number(to, 1, is_signed, 1);
    }
    return scree__flat_end(to);
}

static int64_t put_field(scree__flat_writer *to, const scree__arrow_planned *column, scree_type type)
{
    int kind = 0;
    const int64_t name = scree__flat_put_text(to, column->name);
    const int64_t table = put_type(to, type, column->text >= 0, &kind);
    const int64_t children = scree__flat_put_places(to, NULL, 0);
    scree__flat_begin(to);
    scree__flat_put_place(to, 0, name);
    scree__flat_put_place(to, 3, table);
    scree__flat_put_place(to, 5, children);
    scree__flat_put_number(to, 1, column->text < 0, 1);
    scree__flat_put_number(to, 2, kind, 1);
    return scree__flat_end(to);
}

static int64_t put_schema(scree__arrow_plan *plan)
{
    scree__flat_writer *to = &plan->writer;
    int64_t *places = scree__alloc(plan->count, sizeof *places);
    if (!places) {
        to->failed = true;
        return 0;
    }
    for (int64_t i = 0; i < plan->count; i++)
        places[i] = put_field(to, &plan->columns[i], plan->type);
    const int64_t fields = scree__flat_put_places(to, places, plan->count);
    free(places);
    scree__flat_begin(to);
    scree__flat_put_place(to, 1, fields);
    scree__flat_put_number(to, 0, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, 2);
    return scree__flat_end(to);
}

static const unsigned char *put_message(scree__arrow_plan *plan, int kind, int64_t header, int64_t body, int64_t *size)
{
    scree__flat_writer *to = &plan->writer;
    scree__flat_begin(to);
    scree__flat_put_number(to, 3, body, 8);
    scree__flat_put_place(to, 2, header);
    scree__flat_put_number(to, 0, VERSION_5, 2);
    scree__flat_put_number(to, 1, kind, 1);
    return scree__flat_finish(to, scree__flat_end(to), size);
}

const unsigned char *scree__arrow_describe_schema(scree__arrow_plan *plan, int64_t *size)
{
    scree__flat_restart(&plan->writer);
    return put_message(plan, KIND_SCHEMA, put_schema(plan), 0, size);
}

/* The low byte first, whatever this machine does. */
static void store(unsigned char *to, int64_t value)
{
    for (int i = 0; i < 8; i++)
        to[i] = (unsigned char)((uint64_t)value >> (8 * i));
}

/* The next buffer of the body, of so many bytes. */
static void add_buffer(unsigned char *to, int64_t *count, int64_t *body, int64_t size)
{
    store(to + 16 * *count, *body);
    store(to + 16 * *count + 8, size);
    *body += (size + 7) / 8 * 8;
    ++*count;
}

const unsigned char *scree__arrow_describe_batch(scree__arrow_plan *plan, int64_t rows, int64_t *size)
{
    scree__flat_writer *to = &plan->writer;
    unsigned char *nodes = scree__alloc(plan->count, 16);
    unsigned char *buffers = scree__alloc(plan->count, 48);
    int64_t count = 0;
    int64_t body = 0;
    const unsigned char *made = NULL;
    scree__flat_restart(to);
    for (int64_t i = 0; nodes && buffers && i < plan->count; i++) {
        const scree__arrow_planned *column = &plan->columns[i];
        store(nodes + 16 * i, rows);
        store(nodes + 16 * i + 8, column->nulls);
        add_buffer(buffers, &count, &body, column->nulls > 0 ? (rows + 7) / 8 : 0);
        if (column->text >= 0) {
            add_buffer(buffers, &count, &body, 4 * (rows + 1));
            add_buffer(buffers, &count, &body, column->chars);
        } else {
            const bool bits = plan->type == SCREE_BOOL;
            add_buffer(buffers, &count, &body, bits ? (rows + 7) / 8 : rows * scree__element_size(plan->type));
        }
    }
    if (nodes && buffers) {
        const int64_t second = scree__flat_put_elements(to, buffers, count, 16, 8);
        const int64_t first = scree__flat_put_elements(to, nodes, plan->count, 16, 8);
        scree__flat_begin(to);
        scree__flat_put_number(to, 0, rows, 8);
        scree__flat_put_place(to, 1, first);
        scree__flat_put_place(to, 2, second);
        made = put_message(plan, KIND_BATCH, scree__flat_end(to), body, size);
    }
    free(nodes);
    free(buffers);
    return made;
}

const unsigned char *scree__arrow_describe_footer(scree__arrow_plan *plan, int64_t *size)
{
    scree__flat_writer *to = &plan->writer;
    unsigned char *blocks = scree__alloc(plan->block_count, 24);
    if (!blocks)
        return NULL;
    for (int64_t i = 0; i < plan->block_count; i++) {
        store(blocks + 24 * i, plan->blocks[i].offset);
        store(blocks + 24 * i + 8, plan->blocks[i].description);
        store(blocks + 24 * i + 16, plan->blocks[i].body);
    }
    scree__flat_restart(to);
    const int64_t batches = scree__flat_put_elements(to, blocks, plan->block_count, 24, 8);
    free(blocks);
    const int64_t dictionaries = scree__flat_put_elements(to, NULL, 0, 24, 8);
    const int64_t schema = put_schema(plan);
    scree__flat_begin(to);
    scree__flat_put_place(to, 1, schema);
    scree__flat_put_place(to, 2, dictionaries);
    scree__flat_put_place(to, 3, batches);
    scree__flat_put_number(to, 0, VERSION_5, 2);
    return scree__flat_finish(to, scree__flat_end(to), size);
}
