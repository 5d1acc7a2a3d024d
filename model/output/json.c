/* json.c - the rules of JSON: quotes, commas, escapes, and which values are numbers.
 *
 * Strings pass text_json(), which yields runs of plain characters and escapes. */
#include "model/output/json.h"

#include <math.h>

#include "src/base/text.h"

#define PAIR 12 /* bytes of two surrogates' escapes, which text_json() yields in one piece */
#define REPLACEMENT "\\ufffd"

struct escaping {
    const struct json *j;
    struct chars *to;
};

static void put(void *ctx, const char *bytes, size_t n) {
    const struct escaping *e = ctx;
    if (e->j->no_pairs && n == PAIR && bytes[0] == '\\')
        chars_add(e->to, STR(REPLACEMENT));
    else
        chars_add(e->to, (struct str){bytes, n});
}

void json_escape(const struct json *j, struct str s, struct chars *to) {
    text_json(s, put, &(struct escaping){j, to});
}

void json_string(struct json *j, struct str s) {
    if (chars_quoted(j->out, s))
        return;
    chars_put(j->out, '"');
    json_escape(j, s, j->out);
    chars_put(j->out, '"');
}

void json_hex(struct json *j, const char *name, uint64_t v) {
    json_key(j, name);
    chars_put(j->out, '"');
    chars_hex(j->out, v);
    chars_put(j->out, '"');
}

void json_base64(struct json *j, struct str s) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *p = (const unsigned char *)s.s;
    chars_put(j->out, '"');
    for (size_t i = 0; i < s.n; i += 3) {
        uint32_t b = (uint32_t)p[i] << 16 | (i + 1 < s.n ? (uint32_t)p[i + 1] << 8 : 0) |
                     (i + 2 < s.n ? p[i + 2] : 0);
        chars_put(j->out, digits[b >> 18]);
        chars_put(j->out, digits[b >> 12 & 63]);
        chars_put(j->out, i + 1 < s.n ? digits[b >> 6 & 63] : '=');
        chars_put(j->out, i + 2 < s.n ? digits[b & 63] : '=');
    }
    chars_put(j->out, '"');
}

bool json_has_value(const struct detail_argument *a) {
    return a->type != FXT_ARG_NULL && fxt_argument_name(a->type) != NULL;
}

void json_value(struct json *j, const struct detail_argument *a) {
    char buf[64];
    struct str value = detail_value(a, buf);
    bool number = false;
    switch (a->type) {
    case FXT_ARG_INT32:
    case FXT_ARG_INT64:
    case FXT_ARG_UINT32:
    case FXT_ARG_UINT64:
    case FXT_ARG_KOID:
    case FXT_ARG_BOOL:
        number = true;
        break;
    case FXT_ARG_DOUBLE: {
        double x;
        memcpy(&x, &a->bits, sizeof x);
        number = isfinite(x);
        break;
    }
    default:
        break;
    }
    if (a->type == FXT_ARG_BLOB)
        json_base64(j, a->string);
    else if (number)
        chars_add(j->out, value);
    else
        json_string(j, value);
}

void json_value_field(struct json *j, const char *name, const struct detail_argument *a) {
    if (!json_has_value(a))
        return;
    json_key(j, name);
    json_value(j, a);
}

/* ---- arguments ---- */

static void argument(struct json *j, const struct detail_argument *a) {
    const char *type = fxt_argument_name(a->type);
    chars_put(j->out, '{');
    j->first = true;
    json_text(j, "name", a->name);
    json_text(j, "type", type ? str_of(type) : STR("unknown"));
    json_value_field(j, "value", a);
    if (a->object.n > 0)
        json_text(j, "object", a->object);
    chars_put(j->out, '}');
    j->first = false;
}

bool json_argument_list(struct json *j, struct detail *d) {
    struct fxt_arguments args = d->record.args;
    struct detail_argument a;
    bool any = false;
    while (detail_argument(d, &args, &a)) {
        chars_put(j->out, any ? ',' : '[');
        argument(j, &a);
        any = true;
    }
    if (any)
        chars_put(j->out, ']');
    return any;
}

void json_arguments(struct json *j, const char *name, struct detail *d) {
    struct fxt_arguments args = d->record.args;
    struct detail_argument a;
    if (!detail_argument(d, &args, &a))
        return;
    json_key(j, name);
    json_argument_list(j, d);
    j->first = false;
}
