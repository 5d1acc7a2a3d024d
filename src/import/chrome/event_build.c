/* event_build.c - texts and arguments that fit into a record.
 *
 * Names of few bytes are interned; all else is inline. A record has at most 4,095 words, so texts
 * are cut as soon as the rest of it would not fit. */
#include "src/import/chrome/event_build.h"

#include "src/import/json/json_read.h"

#define RECORD_MAX (WRITER_RECORD_MAX * 8)

struct writer_string event_build_ref(struct writer *w, struct str name) {
    return name.n <= EVENT_BUILD_NAME ? writer_intern(w, name) : writer_inline(name);
}

static size_t inline_bytes(struct writer_string s) {
    return s.text.s != NULL ? (s.text.n + 7) & ~(size_t)7 : 0;
}

/* Leaves bytes for the header of each argument that may follow. */
struct str event_build_fitted(struct event_build *b, struct str text) {
    size_t kept = b->bytes + 16 * (EVENT_ARGUMENTS + 2 - b->n),
           left = kept < RECORD_MAX ? RECORD_MAX - kept : 0;
    left = left < WRITER_STRING_MAX ? left & ~(size_t)7 : WRITER_STRING_MAX;
    if (text.n > left) {
        text.n = left;
        b->ev->cut = true;
    }
    return text;
}

struct writer_string event_build_name(struct event_build *b, struct str name) {
    struct writer_string ref = event_build_ref(b->w, event_build_fitted(b, name));
    b->bytes += inline_bytes(ref);
    return ref;
}

void event_build_put(struct event_build *b, struct writer_argument a) {
    b->bytes += 16;
    b->args[b->n++] = a;
}

/* The last argument of a record has all for which there is no place before it. False: there is. */
static bool is_further(struct event_build *b, struct str name, struct event_value v) {
    if (b->n < EVENT_ARGUMENTS)
        return false;
    event_fields_rest_value(b->ev, name, &v);
    return true;
}

static void put_text(struct event_build *b, struct str name, struct str text) {
    struct writer_string key = event_build_name(b, name),
                         value = writer_inline(event_build_fitted(b, text));
    b->bytes += inline_bytes(value);
    event_build_put(b, writer_text(key, value));
}

void event_build_text(struct event_build *b, struct str name, struct str text) {
    if (!is_further(b, name, (struct event_value){JSON_STRING, text}))
        put_text(b, name, text);
}

bool event_build_number(struct event_build *b, struct str name, struct str text) {
    int64_t i;
    uint64_t u;
    double x;
    if (is_further(b, name, (struct event_value){JSON_NUMBER, text}))
        return true;
    if (json_read_i64(text, &i))
        event_build_put(b, writer_number(FXT_ARG_INT64, event_build_name(b, name), (uint64_t)i));
    else if (json_read_u64(text, &u))
        event_build_put(b, writer_number(FXT_ARG_UINT64, event_build_name(b, name), u));
    else if (json_read_double(text, &x))
        event_build_put(b, writer_double(event_build_name(b, name), x));
    else
        return false;
    return true;
}

void event_build_value(struct event_build *b, struct str name, const struct event_value *v) {
    if (is_further(b, name, *v))
        return;
    switch (v->kind) {
    case JSON_NUMBER:
        if (!event_build_number(b, name, v->text)) {
            event_fields_word(b->ev, v->text);
            put_text(b, name, v->text);
        }
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        event_build_put(
            b, writer_number(FXT_ARG_BOOL, event_build_name(b, name), v->kind == JSON_TRUE));
        break;
    case JSON_NULL:
        event_build_put(b, writer_number(FXT_ARG_NULL, event_build_name(b, name), 0));
        break;
    default:
        put_text(b, name, v->text);
        break;
    }
}

/* A stack: its text if its frame is known, else a pointer to an object to come, if its number may
 * be one. */
static void stack_argument(struct event_build *b, enum event_field field, struct str name,
                           struct str number_name) {
    const struct event_value *sf = &b->ev->v[field];
    uint64_t number;
    if (!event_has(b->ev, field))
        return;
    size_t n = event_frames_stack(b->frames, sf->text, b->text, EVENT_FRAME_STACK);
    struct str stack = {b->text, n};
    if (n > 0 && n <= EVENT_BUILD_NAME && b->n < EVENT_ARGUMENTS) { /* most come often */
        struct writer_string key = event_build_name(b, name);
        event_build_put(b, writer_text(key, event_build_name(b, stack)));
    } else if (n > 0) {
        event_build_text(b, name, stack);
    } else if (b->n < EVENT_ARGUMENTS && json_read_u64(sf->text, &number)) {
        event_build_put(b,
                        writer_number(FXT_ARG_POINTER, event_build_name(b, number_name), number));
        event_frames_point(b->frames, b->pid, number);
    } else {
        event_build_value(b, number_name, sf);
    }
}

/* The arguments past the 14th: JSON text. */
void event_build_rest(struct event_build *b) {
    size_t n = b->ev->nrest;
    if (n == 0)
        return;
    char *text = b->text;
    n = n - 1 < WRITER_STRING_MAX - 2 ? n - 1 : WRITER_STRING_MAX - 2; /* without the last comma */
    text[0] = '{';
    memcpy(text + 1, b->ev->rest, n);
    text[n + 1] = '}';
    put_text(b, STR("more"), (struct str){text, n + 2});
}

void event_build_arguments(struct event_build *b) {
    for (size_t i = 0; i < b->ev->nargs; i++)
        event_build_value(b, b->ev->args[i].name, &b->ev->args[i].value);
    stack_argument(b, EVENT_SF, STR("stack"), STR("sf"));
    stack_argument(b, EVENT_ESF, STR("end stack"), STR("esf"));
    event_build_rest(b);
}
