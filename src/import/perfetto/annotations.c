/* annotations.c - a value is one of a dozen fields, of which the last counts.
 *
 * A dictionary or an array is written as JSON on the way. */
#include "src/import/perfetto/annotations.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "src/import/perfetto/proto.h"

#define DEPTH 32 /* of dictionaries and arrays; deeper values are null */
#define JSON_MOST ((size_t)WRITER_STRING_MAX)

struct value {
    unsigned char type; /* enum fxt_argument; FXT_ARG_STRING: a text */
    bool json;          /* the text is JSON */
    uint64_t bits;
    struct str text;
};

void annotations_init(struct annotations *a, struct writer *w) {
    a->b.w = w;
    a->b.ev = &a->fields;
    a->b.text = a->text;
}

void annotations_free(struct annotations *a) {
    event_fields_free(&a->fields);
    vec_free(&a->json);
}

void annotations_start(struct annotations *a) {
    event_fields_clear(&a->fields);
    a->b.n = 0;
    a->b.bytes = EVENT_BUILD_FIXED;
    a->json.n = 0;
    a->protos = false;
}

/* ---- JSON ---- */

static bool is_full(const struct annotations *a) {
    return a->json.n > JSON_MOST;
}

static void put(struct annotations *a, struct str s) {
    if (is_full(a))
        return;
    vec_reserve(&a->json, a->json.n + s.n + 1);
    if (s.n > 0)
        memcpy(a->json.v + a->json.n, s.s, s.n);
    a->json.n += s.n;
}

static void put_string(struct annotations *a, struct str s) {
    put(a, STR("\""));
    for (size_t i = 0; i < s.n && !is_full(a); i++) {
        char escape[8];
        unsigned char c = (unsigned char)s.s[i];
        if (c == '"' || c == '\\')
            snprintf(escape, sizeof escape, "\\%c", c);
        else if (c < ' ')
            snprintf(escape, sizeof escape, "\\u%04x", c);
        if (c == '"' || c == '\\' || c < ' ')
            put(a, str_of(escape));
        else
            put(a, (struct str){s.s + i, 1});
    }
    put(a, STR("\""));
}

#define NUMBER 32 /* bytes of its text */

static struct str number_text(const struct value *v, char to[NUMBER]) {
    double d = proto_double(v->bits);
    switch (v->type) {
    case FXT_ARG_BOOL:
        return v->bits ? STR("true") : STR("false");
    case FXT_ARG_INT64:
        snprintf(to, NUMBER, "%" PRId64, (int64_t)v->bits);
        break;
    case FXT_ARG_DOUBLE:
        snprintf(to, NUMBER, isfinite(d) ? "%.17g" : "null", d);
        break;
    case FXT_ARG_NULL:
        return STR("null");
    default:
        snprintf(to, NUMBER, "%" PRIu64, v->bits);
        break;
    }
    return str_of(to);
}

static void put_value(struct annotations *a, const struct value *v) {
    char number[NUMBER];
    if (v->type == FXT_ARG_STRING && v->json)
        put(a, v->text);
    else if (v->type == FXT_ARG_STRING)
        put_string(a, v->text);
    else
        put(a, number_text(v, number));
}

/* Reads a value of a DebugAnnotation or a NestedValue, but no dictionary or array. */
static bool plain(struct annotations *a, const struct sequence *s, const struct proto *p,
                  struct value *v) {
    v->json = false;
    v->bits = p->value;
    switch (p->tag) {
    case PROTO_V(2):
        v->type = FXT_ARG_BOOL;
        v->bits = p->value != 0;
        break;
    case PROTO_V(3):
        v->type = FXT_ARG_UINT64;
        break;
    case PROTO_V(4):
        v->type = FXT_ARG_INT64;
        break;
    case PROTO_F(5):
        v->type = FXT_ARG_DOUBLE;
        break;
    case PROTO_V(7):
        v->type = FXT_ARG_POINTER;
        break;
    case PROTO_B(6):
    case PROTO_B(9):
        v->type = FXT_ARG_STRING;
        v->json = p->tag == PROTO_B(9);
        v->text = p->bytes;
        break;
    case PROTO_V(17):
        v->type = FXT_ARG_STRING;
        v->text = sequence_bytes(s, SEQUENCE_TEXT, p->value);
        break;
    case PROTO_B(14):
        a->protos = true;
        return false;
    default:
        return false;
    }
    return true;
}

static void put_nested(struct annotations *a, struct str message, int depth);

/* The values of one kind in a NestedValue, as members or elements. */
static void put_values(struct annotations *a, struct str message, bool dictionary, int depth) {
    struct proto keys = proto_of(message), values = proto_of(message);
    bool first = true;
    put(a, dictionary ? STR("{") : STR("["));
    while (proto_next(&values) && !is_full(a)) {
        if (values.tag != (dictionary ? PROTO_B(3) : PROTO_B(4)))
            continue;
        put(a, first ? STR("") : STR(","));
        first = false;
        if (dictionary) {
            bool more;
            while ((more = proto_next(&keys)) && keys.tag != PROTO_B(2))
                ;
            put_string(a, more ? keys.bytes : STR(""));
            put(a, STR(":"));
        }
        put_nested(a, values.bytes, depth + 1);
    }
    put(a, dictionary ? STR("}") : STR("]"));
}

/* Writes a NestedValue. */
static void put_nested(struct annotations *a, struct str message, int depth) {
    struct proto p = proto_of(message);
    struct value v = {.type = FXT_ARG_NULL};
    uint64_t type = 0;
    while (proto_next(&p)) {
        v.bits = p.value;
        switch (p.tag) {
        case PROTO_V(1):
            type = p.value;
            break;
        case PROTO_V(5):
            v.type = FXT_ARG_INT64;
            break;
        case PROTO_F(6):
            v.type = FXT_ARG_DOUBLE;
            break;
        case PROTO_V(7):
            v.type = FXT_ARG_BOOL;
            break;
        case PROTO_B(8):
            v.type = FXT_ARG_STRING;
            v.text = p.bytes;
            break;
        default:
            break;
        }
    }
    if ((type == 1 || type == 2) && depth < DEPTH)
        put_values(a, message, type == 1, depth);
    else
        put_value(a, &v);
}

static struct str name_of(const struct sequence *s, struct str message) {
    struct proto p = proto_of(message);
    struct str name = {"", 0};
    while (proto_next(&p))
        if (p.tag == PROTO_B(10))
            name = p.bytes;
        else if (p.tag == PROTO_V(1))
            name = sequence_bytes(s, SEQUENCE_KEY, p.value);
    return name;
}

static struct value read_value(struct annotations *a, const struct sequence *s, struct str message,
                               int depth);

/* Writes the entries of a dictionary, or of an array. */
static void put_entries(struct annotations *a, const struct sequence *s, struct str message,
                        bool dictionary, int depth) {
    struct proto p = proto_of(message);
    bool first = true;
    put(a, dictionary ? STR("{") : STR("["));
    while (proto_next(&p) && !is_full(a)) {
        if (p.tag != (dictionary ? PROTO_B(11) : PROTO_B(12)))
            continue;
        put(a, first ? STR("") : STR(","));
        first = false;
        if (dictionary) {
            put_string(a, name_of(s, p.bytes));
            put(a, STR(":"));
        }
        size_t before = a->json.n;
        struct value v = read_value(a, s, p.bytes, depth + 1);
        if (a->json.n == before)
            put_value(a, &v);
    }
    put(a, dictionary ? STR("}") : STR("]"));
}

/* Reads the value of a DebugAnnotation. One that has others in it is written to `json`. */
static struct value read_value(struct annotations *a, const struct sequence *s, struct str message,
                               int depth) {
    struct proto p = proto_of(message);
    struct value v = {.type = FXT_ARG_NULL};
    struct str nested = {NULL, 0};
    bool dictionary = false, array = false;
    while (proto_next(&p)) {
        plain(a, s, &p, &v);
        if (p.tag == PROTO_B(8))
            nested = p.bytes;
        dictionary |= p.tag == PROTO_B(11);
        array |= p.tag == PROTO_B(12);
    }
    if (!nested.s && !dictionary && !array)
        return v;
    size_t before = a->json.n;
    if (depth >= DEPTH)
        put(a, STR("null"));
    else if (nested.s)
        put_nested(a, nested, depth);
    else
        put_entries(a, s, message, dictionary, depth);
    a->fields.cut |= is_full(a);
    return (struct value){FXT_ARG_STRING, true, 0, {a->json.v + before, a->json.n - before}};
}

/* ---- arguments ---- */

static void add_value(struct annotations *a, struct str name, const struct value *v) {
    char number[NUMBER];
    if (v->type == FXT_ARG_STRING) {
        event_build_text(&a->b, name, v->text);
    } else if (a->b.n < EVENT_ARGUMENTS) {
        event_build_put(&a->b, writer_number(v->type, event_build_name(&a->b, name), v->bits));
    } else {
        struct event_value text = {JSON_NUMBER, number_text(v, number)};
        event_fields_rest_value(&a->fields, name, &text);
    }
}

void annotations_add(struct annotations *a, const struct sequence *s, struct str message) {
    a->json.n = 0;
    struct value v = read_value(a, s, message, 0);
    if (a->json.n > 0) /* the next one is written there, too */
        v.text = event_fields_keep(&a->fields, v.text);
    add_value(a, name_of(s, message), &v);
}

void annotations_text(struct annotations *a, struct str name, struct str text) {
    event_build_text(&a->b, name, text);
}

void annotations_number(struct annotations *a, struct str name, uint64_t number) {
    add_value(a, name, &(struct value){.type = FXT_ARG_UINT64, .bits = number});
}

struct writer_arguments annotations_end(struct annotations *a) {
    event_build_rest(&a->b);
    return (struct writer_arguments){a->b.args, a->b.n};
}

static enum json_kind kind_of(const struct value *v) {
    if (v->type == FXT_ARG_STRING)
        return v->json ? JSON_OBJECT : JSON_STRING;
    if (v->type == FXT_ARG_BOOL)
        return v->bits ? JSON_TRUE : JSON_FALSE;
    return v->type == FXT_ARG_NULL ? JSON_NULL : JSON_NUMBER;
}

void annotations_field(struct annotations *a, const struct sequence *s, struct str message) {
    struct event_fields *ev = &a->fields;
    char number[NUMBER];
    a->json.n = 0;
    struct value v = read_value(a, s, message, 0);
    struct str text = v.type == FXT_ARG_STRING ? v.text : number_text(&v, number),
               name = event_fields_keep(ev, name_of(s, message));
    bool data = kind_of(&v) == JSON_OBJECT && str_eq(name, STR("data"));
    if (data && text.n > WRITER_STRING_MAX)
        event_fields_whole(ev, text);
    struct event_value value = {kind_of(&v), event_fields_keep(ev, text)};
    if (ev->nargs < EVENT_ARGUMENTS)
        event_fields_add(ev, name, value, false);
    else
        event_fields_rest_value(ev, name, &value);
}
