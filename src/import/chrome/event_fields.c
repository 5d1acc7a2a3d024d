/* event_fields.c - collects the texts of one event in an arena of fixed size.
 *
 * A text that exceeds a record's limit, or the rest of the arena, is cut: nothing that a source
 * declares is allocated.
 */
#include "src/import/chrome/event_fields.h"

#include "src/import/json/json_read.h"

void event_fields_clear(struct event_fields *ev) {
    memset(ev->v, 0, sizeof ev->v);
    ev->nargs = ev->used = ev->nrest = ev->noutside = ev->whole.n = 0;
    ev->cut = ev->worded = false;
    ev->nested = EVENT_FIELDS;
}

void event_fields_free(struct event_fields *ev) {
    vec_free(&ev->whole);
}

void event_fields_whole(struct event_fields *ev, struct str text) {
    if (text.n > EVENT_WHOLE - ev->whole.n)
        return;
    vec_reserve(&ev->whole, ev->whole.n + text.n);
    memcpy(ev->whole.v + ev->whole.n, text.s, text.n);
    ev->whole.n += text.n;
}

bool event_fields_empty(const struct event_fields *ev) {
    bool empty = ev->nargs == 0 && ev->nrest == 0;
    for (size_t i = 0; i < EVENT_FIELDS && empty; i++)
        empty = !event_has(ev, (enum event_field)i);
    return empty;
}

void event_fields_clear_frame(struct event_fields *ev) {
    memset(ev->v, 0, sizeof ev->v);
    ev->used = 0;
}

static size_t room(const struct event_fields *ev) {
    size_t left = EVENT_ARENA - ev->used;
    return left < WRITER_STRING_MAX ? left : WRITER_STRING_MAX;
}

struct str event_fields_keep(struct event_fields *ev, struct str text) {
    char *to = ev->arena + ev->used;
    size_t n = text.n <= room(ev) ? text.n : room(ev);
    ev->cut |= n < text.n;
    if (n > 0)
        memcpy(to, text.s, n);
    ev->used += n;
    return (struct str){to, n};
}

struct str event_fields_unescape(struct event_fields *ev, const struct json_token *string) {
    if (!string->escaped && !string->cut && string->text.n <= room(ev))
        return event_fields_keep(ev, string->text);
    char *to = ev->arena + ev->used;
    size_t n = json_read_string(string->text, to, room(ev), &ev->cut);
    ev->cut |= string->cut;
    ev->used += n;
    return (struct str){to, n};
}

void event_fields_add(struct event_fields *ev, struct str name, struct event_value value,
                      bool field) {
    if (ev->nargs < EVENT_ARGUMENTS)
        ev->args[ev->nargs++] = (struct event_argument){name, value, field};
    else
        ev->cut = true;
}

bool event_fields_decimal(struct event_fields *ev, struct str text) {
    const char *comma = text.n > 0 ? memchr(text.s, ',', text.n) : NULL;
    size_t i = comma && text.s[0] == '-' ? 1 : 0, at = comma ? (size_t)(comma - text.s) : 0;
    if (at == i || at + 1 >= text.n)
        return false;
    for (; i < text.n; i++)
        if (i != at && (text.s[i] < '0' || text.s[i] > '9'))
            return false;
    ev->arena[(size_t)(text.s - ev->arena) + at] = '.';
    return true;
}

void event_fields_only_args(struct event_fields *ev) {
    size_t n = 0, to = 0, from = 0;
    for (size_t i = 0; i < ev->nargs; i++)
        if (!ev->args[i].field)
            ev->args[n++] = ev->args[i];
    ev->nargs = n;
    for (size_t i = 0; i <= ev->noutside; i++) {
        size_t end = i < ev->noutside ? ev->outside[i].from : ev->nrest;
        memmove(ev->rest + to, ev->rest + from, end - from);
        to += end - from;
        from = i < ev->noutside ? ev->outside[i].to : end;
    }
    ev->nrest = to;
    ev->noutside = 0;
}

void event_fields_word(struct event_fields *ev, struct str word) {
    if (ev->worded)
        return;
    ev->worded = true;
    ev->word = (struct str){ev->word_bytes,
                            word.n < sizeof ev->word_bytes ? word.n : sizeof ev->word_bytes};
    memcpy(ev->word_bytes, word.s, ev->word.n);
}

void event_fields_rest(struct event_fields *ev, struct str text) {
    size_t left = EVENT_REST - ev->nrest, n = text.n <= left ? text.n : left;
    ev->cut |= n < text.n;
    if (n > 0)
        memcpy(ev->rest + ev->nrest, text.s, n);
    ev->nrest += n;
}

static void rest_string(struct event_fields *ev, struct str text) {
    static const char digits[] = "0123456789abcdef";
    size_t plain = 0;
    event_fields_rest(ev, STR("\""));
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.s[i];
        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        char escape[] = {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]};
        event_fields_rest(ev, (struct str){text.s + plain, i - plain});
        event_fields_rest(ev, (struct str){escape, sizeof escape});
        plain = i + 1;
    }
    if (plain < text.n)
        event_fields_rest(ev, (struct str){text.s + plain, text.n - plain});
    event_fields_rest(ev, STR("\""));
}

void event_fields_rest_value(struct event_fields *ev, struct str name,
                             const struct event_value *value) {
    rest_string(ev, name);
    event_fields_rest(ev, STR(":"));
    if (value->kind == JSON_STRING)
        rest_string(ev, value->text);
    else
        event_fields_rest(ev, value->text);
    event_fields_rest(ev, STR(","));
}

void event_fields_lose_last(struct event_fields *ev) {
    bool kept = ev->nargs > 0 && (ev->nargs < EVENT_ARGUMENTS || ev->nrest == 0);
    if (kept && !ev->args[ev->nargs - 1].field)
        ev->nargs--;
}
