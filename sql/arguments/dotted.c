/* dotted.c - arguments as Perfetto makes them of Chrome's JSON.
 *
 * Objects and lists are one text in FXT. They are read token by token, with the names around each
 * on a list, so depth costs no stack. A text that is no whole JSON, or that would become too many
 * arguments or names too long, stays one text. */
#include "sql/arguments/dotted.h"

#include <math.h>
#include <stdio.h>

#include "src/fxt/fxt.h"
#include "src/import/json/json_read.h"
#include "src/import/json/json_scan.h"

#define LONGEST ((size_t)4 << 20) /* names and values of one argument */

struct level {
    size_t name, flat; /* lengths of the names of what it is in */
    uint64_t next;     /* place in a list */
    bool list;
};

struct spread {
    struct arguments *out;
    struct chars name, flat;
    VEC(struct level) levels;
    bool keyed; /* the names end with a key whose value comes */
};

static void add_key(struct spread *s, struct str raw) {
    const struct level *in = &s->levels.v[s->levels.n - 1];
    bool cut;
    struct chars key = {0};
    vec_reserve(&key, raw.n + 1);
    key.n = json_read_string(raw, key.v, raw.n, &cut);
    s->name.n = in->name;
    s->flat.n = in->flat;
    chars_text(&s->name, ".");
    chars_text(&s->flat, ".");
    chars_add(&s->name, (struct str){key.v, key.n});
    chars_add(&s->flat, (struct str){key.v, key.n});
    vec_free(&key);
    s->keyed = true;
}

/* The names of the next value; false: a value of an object without a key. */
static bool name_value(struct spread *s) {
    if (s->levels.n == 0)
        return true;
    struct level *in = &s->levels.v[s->levels.n - 1];
    bool keyed = s->keyed;
    s->keyed = false;
    if (!in->list)
        return keyed;
    s->name.n = in->name;
    s->flat.n = in->flat;
    chars_format(&s->name, "[%llu]", (unsigned long long)in->next++);
    return true;
}

static void add_value(struct spread *s, const struct json_token *token) {
    struct str name = {s->name.v, s->name.n}, flat = {s->flat.v, s->flat.n};
    struct str text = token->text;
    struct chars string = {0};
    int64_t integer;
    double real;
    uint64_t bits;
    bool cut;
    switch (token->kind) {
    case JSON_STRING:
        vec_reserve(&string, text.n + 1);
        string.n = json_read_string(text, string.v, text.n, &cut);
        arguments_add(s->out, name, flat, (struct str){string.v, string.n}, 0, FXT_ARG_STRING);
        vec_free(&string);
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        arguments_add(s->out, name, flat, text, token->kind == JSON_TRUE, FXT_ARG_BOOL);
        break;
    case JSON_NUMBER:
        if (json_read_i64(text, &integer)) {
            arguments_add(s->out, name, flat, text, (uint64_t)integer, FXT_ARG_INT64);
        } else if (json_read_double(text, &real)) {
            memcpy(&bits, &real, sizeof bits);
            arguments_add(s->out, name, flat, text, bits, FXT_ARG_DOUBLE);
        }
        break;
    default: /* null */
        break;
    }
}

/* Takes a token; false: it cannot be there. */
static bool take(struct spread *s, const struct json_token *token, struct json_scan *scan) {
    bool list = token->kind == JSON_ARRAY, key;
    switch (token->kind) {
    case JSON_OBJECT:
    case JSON_ARRAY:
        if (!name_value(s))
            return false;
        vec_push(&s->levels, ((struct level){s->name.n, s->flat.n, 0, list}));
        return true;
    case JSON_OBJECT_END:
    case JSON_ARRAY_END:
        list = token->kind == JSON_ARRAY_END;
        if (s->levels.n == 0 || s->keyed || s->levels.v[s->levels.n - 1].list != list)
            return false;
        s->levels.n--;
        return true;
    case JSON_STRING:
    case JSON_NUMBER:
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL:
        key = !s->levels.v[s->levels.n - 1].list && !s->keyed;
        if (key && token->kind == JSON_STRING) {
            struct json_token colon;
            add_key(s, token->text);
            return json_scan_next(scan, &colon) == JSON_COLON;
        }
        if (!name_value(s))
            return false;
        add_value(s, token);
        return true;
    default:
        return false;
    }
}

bool dotted_add(struct arguments *out, struct str name, struct str text) {
    struct spread s = {.out = out};
    struct json_scan scan = {.last = true};
    struct json_token token;
    size_t before = out->v.n, bytes = out->text.n;
    bool fine = true;
    chars_add(&s.name, name);
    chars_add(&s.flat, name);
    json_scan_feed(&scan, text, true);
    do
        fine = json_scan_next(&scan, &token) != JSON_MORE && !token.cut && !token.open &&
               take(&s, &token, &scan) && out->v.n < DOTTED_MOST && out->text.n - bytes < LONGEST;
    while (fine && s.levels.n > 0);
    fine = fine && json_scan_next(&scan, &token) == JSON_MORE;
    if (!fine) {
        out->v.n = before;
        out->text.n = bytes;
    }
    json_scan_free(&scan);
    vec_free(&s.name);
    vec_free(&s.flat);
    vec_free(&s.levels);
    return fine;
}

bool dotted_is_time(struct str name) {
    return str_eq(name, STR("tts")) || str_eq(name, STR("tdur"));
}

bool dotted_ns(const struct detail_argument *x, int64_t *ns) {
    char buf[64];
    struct json_time time;
    bool negative;
    if (json_read_time(detail_value(x, buf), &time, &negative) != JSON_READ_TIME)
        return false;
    *ns = negative ? -(int64_t)json_read_ns(time) : (int64_t)json_read_ns(time);
    return true;
}

void dotted_arguments(struct arguments *a) {
    struct arguments as_read = *a;
    struct chars name = {0};
    *a = (struct arguments){.v = {0}};
    for (size_t i = 0; i < as_read.v.n; i++) {
        const struct argument *x = &as_read.v.v[i];
        struct str own = {as_read.text.v + x->name, x->nname},
                   text = {as_read.text.v + x->string, x->nstring};
        if (dotted_is_time(own) || x->type == FXT_ARG_NULL)
            continue;
        name.n = 0;
        chars_text(&name, "args.");
        chars_add(&name, own);
        struct str whole = {name.v, name.n};
        bool nested =
            x->type == FXT_ARG_STRING && text.n > 0 && (text.s[0] == '{' || text.s[0] == '[');
        if (!nested || !dotted_add(a, whole, text))
            arguments_add(a, whole, whole, text, x->bits, x->type);
    }
    vec_free(&name);
    arguments_free(&as_read);
}
