/* arguments.c - the arguments of a row of slice as SQL has them.
 *
 * Both records are decoded again. An argument whose name occurs later is dropped, so one of each
 * name is left, in the place of its last one. */
#include "sql/arguments/arguments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sql/family.h"

static struct str text_of(const struct arguments *a, size_t at, size_t n) {
    return (struct str){n > 0 ? a->text.v + at : "", n};
}

static size_t keep(struct arguments *a, struct str s, size_t *n) {
    size_t at = a->text.n;
    char *valid = source_valid_text(s, n);
    chars_add(&a->text, (struct str){valid, *n});
    free(valid);
    return at;
}

void arguments_add(struct arguments *a, struct str name, struct str flat, struct str string,
                   uint64_t bits, uint8_t type) {
    struct argument own = {.bits = bits, .type = type};
    own.name = keep(a, name, &own.nname);
    own.flat = keep(a, flat, &own.nflat);
    own.string = keep(a, string, &own.nstring);
    vec_push(&a->v, own);
}

static struct str value_text(const struct detail_argument *x, char buf[64]) {
    switch (x->type) {
    case FXT_ARG_NULL:
        return STR("null");
    case FXT_ARG_INT32:
    case FXT_ARG_UINT32:
    case FXT_ARG_INT64:
    case FXT_ARG_UINT64:
    case FXT_ARG_KOID:
        /* of uint64, too: wraps to signed */
        snprintf(buf, 64, "%lld", (long long)(int64_t)x->bits);
        return str_of(buf);
    case FXT_ARG_STRING:
    case FXT_ARG_BOOL:
    case FXT_ARG_POINTER:
    case FXT_ARG_DOUBLE:
        return detail_value(x, buf);
    default:
        return STR("unknown");
    }
}

static void read_record(struct arguments *a, struct source *source, uint64_t offset) {
    struct detail d;
    struct detail_argument x;
    char buf[64];
    if (!detail_open(&d, source->trace, offset))
        return;
    struct fxt_arguments args = d.record.args;
    while (detail_argument(&d, &args, &x)) {
        struct argument own = {.bits = x.bits, .type = x.type};
        own.name = keep(a, x.name, &own.nname);
        own.flat = own.name;
        own.nflat = own.nname;
        own.string = keep(a, value_text(&x, buf), &own.nstring);
        for (size_t i = 0; i < a->v.n; i++) {
            if (!str_eq(text_of(a, a->v.v[i].name, a->v.v[i].nname),
                        text_of(a, own.name, own.nname)))
                continue;
            memmove(&a->v.v[i], &a->v.v[i + 1], (a->v.n - i - 1) * sizeof *a->v.v);
            a->v.n--;
            break;
        }
        vec_push(&a->v, own);
    }
}

void arguments_read(struct arguments *a, struct source *source, int64_t id) {
    const struct rows_lane *lane;
    uint32_t i;
    uint64_t end;
    a->v.n = a->text.n = 0;
    if (!rows_find(family_rows(source), id, &lane, &i))
        return;
    uint64_t offset = family_offset(source, lane, i, &end);
    read_record(a, source, offset);
    if (end != 0 && end != offset)
        read_record(a, source, end);
}

void arguments_free(struct arguments *a) {
    vec_free(&a->v);
    vec_free(&a->text);
}

const struct argument *arguments_find(const struct arguments *a, struct str name) {
    for (size_t i = 0; i < a->v.n; i++)
        if (str_eq(text_of(a, a->v.v[i].name, a->v.v[i].nname), name))
            return &a->v.v[i];
    return NULL;
}

static const char *type_name(uint8_t type) {
    switch (type) {
    case FXT_ARG_INT32:
    case FXT_ARG_UINT32:
    case FXT_ARG_INT64:
    case FXT_ARG_UINT64:
    case FXT_ARG_KOID:
        return "int";
    case FXT_ARG_DOUBLE:
        return "real";
    case FXT_ARG_POINTER:
        return "pointer";
    case FXT_ARG_BOOL:
        return "bool";
    default:
        return "string";
    }
}

static bool is_integer(uint8_t type) {
    return strchr("ipb", type_name(type)[0]) != NULL;
}

struct str arguments_text(const struct arguments *a, const struct argument *x) {
    return x->type == FXT_ARG_STRING ? text_of(a, x->string, x->nstring) : STR("");
}

static double real_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void give(sqlite3_context *out, struct str s) {
    sqlite3_result_text64(out, s.s, s.n, SQLITE_TRANSIENT, SQLITE_UTF8);
}

void arguments_cell(const struct arguments *a, const struct argument *x,
                    enum argument_column column, sqlite3_context *out) {
    const char *type = type_name(x->type);
    switch (column) {
    case ARGUMENT_KEY:
        give(out, text_of(a, x->name, x->nname));
        break;
    case ARGUMENT_FLAT_KEY:
        give(out, text_of(a, x->flat, x->nflat));
        break;
    case ARGUMENT_INT:
        if (is_integer(x->type))
            sqlite3_result_int64(out, (sqlite3_int64)x->bits);
        break;
    case ARGUMENT_STRING:
        if (type[0] == 's')
            give(out, text_of(a, x->string, x->nstring));
        break;
    case ARGUMENT_REAL:
        if (type[0] == 'r')
            sqlite3_result_double(out, real_of(x->bits));
        break;
    case ARGUMENT_TYPE:
        sqlite3_result_text(out, type, -1, SQLITE_STATIC);
        break;
    default: /* of a real, as SQLite casts it to a text */
        if (type[0] == 'r' && !isnan(real_of(x->bits))) {
            char buf[64];
            sqlite3_snprintf((int)sizeof buf, buf, "%!.15g", real_of(x->bits));
            sqlite3_result_text(out, buf, -1, SQLITE_TRANSIENT);
        } else if (type[0] != 'r') {
            give(out, text_of(a, x->string, x->nstring));
        }
    }
}

void arguments_value(const struct arguments *a, const struct argument *x, sqlite3_context *out) {
    enum argument_column column = type_name(x->type)[0] == 'r' ? ARGUMENT_REAL : ARGUMENT_STRING;
    if (is_integer(x->type))
        column = ARGUMENT_INT;
    arguments_cell(a, x, column, out);
}
