/* SPDX-License-Identifier: BSD-3-Clause */
/* The schema of an Arrow file: for each column its name and type, for each node, nested ones included, how many buffers
 * it has in a batch, so that those of columns nobody asks for can be passed over. Types that rows can be made of have
 * the letters of the C data interface, all others a word, for messages. A table may be named more than once by a file
 * that means harm, so nodes are no more than the schema has room for, and nest no deeper than DEPTH. */

#include "data/arrow_ipc.h"

#include "base/memory.h"

#include <string.h>

enum { DEPTH = 64, TYPES = 27, VERSION_4 = 3 };

enum { FIELD_NAME, FIELD_NULLABLE, FIELD_KIND, FIELD_TYPE, FIELD_DICTIONARY, FIELD_CHILDREN };

/* The types in the order of their numbers. */
static const struct {
    const char *word;
    uint8_t buffers;
} types[TYPES] = {
    {"none", 0},
    {"null", 0},
    {"int", 2},
    {"float", 2},
    {"binary", 3},
    {"u", 3},
    {"b", 2},
    {"decimal", 2},
    {"date", 2},
    {"time", 2},
    {"timestamp", 2},
    {"interval", 2},
    {"list", 2},
    {"struct", 1},
    {"union", 1},
    {"fixed-size binary", 2},
    {"fixed-size list", 1},
    {"map", 2},
    {"duration", 2},
    {"large binary", 3},
    {"U", 3},
    {"large list", 2},
    {"run-end encoded", 0},
    {"binary view", 2 | SCREE__IPC_VIEWS},
    {"vu", 2 | SCREE__IPC_VIEWS},
    {"list view", 3},
    {"large list view", 3},
};
enum { TYPE_NULL = 1, TYPE_INT, TYPE_FLOAT, TYPE_DATE = 8, TYPE_TIMESTAMP = 10, TYPE_UNION = 14 };

static const char *integer_format(scree__flat *flat, const scree__flat_table *type)
{
    const bool is_signed = scree__flat_number(flat, type, 1, 1, 0) != 0;
    switch (scree__flat_number(flat, type, 0, 4, 0)) {
    case 8:
        return is_signed ? "c" : "C";
    case 16:
        return is_signed ? "s" : "S";
    case 32:
        return is_signed ? "i" : "I";
    case 64:
        return is_signed ? "l" : "L";
    default:
        return "int";
    }
}

static const char *format_of(scree__flat *flat, const scree__flat_table *field, int64_t kind)
{
    static const char *const floats[] = {"e", "f", "g"};
    static const char *const stamps[2][4] = {{"tss:", "tsm:", "tsu:", "tsn:"},
                                             {"tss:UTC", "tsm:UTC", "tsu:UTC", "tsn:UTC"}};
    const scree__flat_table type = scree__flat_inner(flat, field, FIELD_TYPE);
    const int64_t unit = scree__flat_number(flat, &type, 0, 2, kind == TYPE_DATE ? 1 : 0);
    if (kind == TYPE_INT)
        return integer_format(flat, &type);
    if (kind == TYPE_FLOAT && unit >= 0 && unit <= 2)
        return floats[unit];
    if (kind == TYPE_DATE && unit >= 0 && unit <= 1)
        return unit ? "tdm" : "tdD";
    if (kind == TYPE_TIMESTAMP && unit >= 0 && unit <= 3) {
        const char *zone = scree__flat_text(flat, &type, 1);
        return stamps[zone && *zone][unit];
    }
    return kind == TYPE_NULL ? "n" : types[kind].word;
}

int scree__ipc_width(const char *format)
{
    static const struct {
        const char *formats;
        int width;
    } widths[] = {{"cC", 1}, {"sSe", 2}, {"iIfu", 4}, {"lLgU", 8}};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (strchr(widths[i].formats, format[0]) && format[1] == 0)
            return widths[i].width;
    if (strcmp(format, "vu") == 0)
        return 16;
    return strcmp(format, "tdD") == 0 ? 4 : strncmp(format, "t", 1) == 0 ? 8 : 0;
}

typedef struct walk {
    scree__flat *flat;
    scree__ipc_shape *shape;
    int64_t most; /* nodes */
    int version;
} walk;

/* The node of a field and those of its children. */
static void add_nodes(walk *w, const scree__flat_table *field, int depth)
{
    const int64_t kind = scree__flat_number(w->flat, field, FIELD_KIND, 1, 0);
    const scree__flat_table dictionary = scree__flat_inner(w->flat, field, FIELD_DICTIONARY);
    if (depth > DEPTH || w->shape->nodes == w->most || kind <= 0 || kind >= TYPES)
        w->flat->damaged = true;
    if (w->flat->damaged)
        return;
    uint8_t buffers = types[kind].buffers;
    if (kind == TYPE_UNION) {
        const scree__flat_table type = scree__flat_inner(w->flat, field, FIELD_TYPE);
        const bool dense = scree__flat_number(w->flat, &type, 0, 2, 0) == 1;
        buffers = (uint8_t)(1 + (dense ? 1 : 0) + (w->version == VERSION_4 ? 1 : 0));
    }
    w->shape->buffers[w->shape->nodes++] = dictionary.at >= 0 ? 2 : buffers;
    const scree__flat_vector children = scree__flat_elements(w->flat, field, FIELD_CHILDREN, 4);
    for (int64_t i = 0; dictionary.at < 0 && i < children.count && !w->flat->damaged; i++) {
        const scree__flat_table child = scree__flat_element(w->flat, &children, i);
        add_nodes(w, &child, depth + 1);
    }
}

static void add_field(walk *w, const scree__flat_table *table)
{
    const int64_t node = w->shape->nodes;
    add_nodes(w, table, 0);
    if (w->flat->damaged)
        return;
    const int64_t kind = scree__flat_number(w->flat, table, FIELD_KIND, 1, 0);
    const scree__flat_table dictionary = scree__flat_inner(w->flat, table, FIELD_DICTIONARY);
    const scree__flat_table index = scree__flat_inner(w->flat, &dictionary, 1);
    const char *format = format_of(w->flat, table, kind);
    scree__ipc_field *field = &w->shape->fields[w->shape->count++];
    *field = (scree__ipc_field){.name = scree__flat_text(w->flat, table, FIELD_NAME),
                                .format = format,
                                .nullable = scree__flat_number(w->flat, table, FIELD_NULLABLE, 1, 0) != 0,
                                .node = node};
    if (dictionary.at < 0)
        return;
    field->values = format;
    field->format = index.at < 0 ? "i" : integer_format(w->flat, &index);
    field->dictionary = scree__flat_number(w->flat, &dictionary, 0, 8, 0);
}

scree_status scree__ipc_schema_read(scree__ipc *ipc, scree__flat *flat, const scree__flat_table *schema, int version,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__ipc_shape *shape = &ipc->shape;
    const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    const scree__flat_vector fields = scree__flat_elements(flat, schema, 1, 4);
    walk w = {.flat = flat, .shape = shape, .most = flat->size / 4, .version = version};
    if (schema->at < 0 || flat->damaged)
        SCREE_TRY(scree__ipc_damaged(ipc, "its schema cannot be read", error));
    if (version < VERSION_4)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: was written by Arrow before version 0.8 (2017), and later ones are read: write it again",
                   ipc->name);
    if ((scree__flat_number(flat, schema, 0, 2, 0) != 0) != big)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: its numbers are in the byte order of another machine: write it again on this one, with pyarrow",
                   ipc->name);
    SCREE_ALLOC(shape->fields, fields.count, error);
    SCREE_ALLOC(shape->buffers, w.most, error);
    for (int64_t i = 0; i < fields.count && !flat->damaged; i++) {
        const scree__flat_table field = scree__flat_element(flat, &fields, i);
        add_field(&w, &field);
    }
    if (flat->damaged)
        SCREE_TRY(scree__ipc_damaged(ipc, "its schema cannot be read", error));
done:
    return status;
}

void scree__ipc_shape_clear(scree__ipc_shape *shape)
{
    free(shape->fields);
    free(shape->buffers);
    *shape = (scree__ipc_shape){0};
}
