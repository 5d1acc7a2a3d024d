/* event_owner.c - turns the pids, tids and ids of JSON into numbers.
 *
 * Texts of owners are interned, up to a MiB; later ones get a hash, so that hostile input takes no
 * memory. Hashes of ids have no key: the same source gives the same words each time. */
#include "src/import/chrome/event_owner.h"

#include "src/import/json/json_read.h"

#define BYTES_MAX ((size_t)1 << 20)

void event_owners_free(struct event_owners *owners) {
    for (size_t i = 0; i < owners->v.n; i++)
        free((char *)owners->v.v[i].text.s);
    vec_free(&owners->v);
    map_free(&owners->texts);
}

static uint64_t hash_more(uint64_t hash, struct str text) {
    for (size_t i = 0; i < text.n; i++)
        hash = (hash ^ (unsigned char)text.s[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_of(struct str text) {
    return hash_more(UINT64_C(0xcbf29ce484222325), text);
}

static bool hex(struct str text, uint64_t *value) {
    if (text.n < 3 || text.n > 18 || text.s[0] != '0' || (text.s[1] != 'x' && text.s[1] != 'X'))
        return false;
    *value = 0;
    for (size_t i = 2; i < text.n; i++) {
        int digit = json_read_hex(text.s[i]);
        if (digit < 0)
            return false;
        *value = *value << 4 | (uint64_t)digit;
    }
    return true;
}

static bool number(const struct event_value *v, uint64_t *value) {
    return json_read_u64(v->text, value) || hex(v->text, value) ||
           (v->kind == JSON_NUMBER && json_read_whole(v->text, value));
}

/* ---- owners ---- */

struct text_query {
    const struct event_owners *owners;
    struct str text;
};

static bool same(const void *ctx, uint32_t i) {
    const struct text_query *q = ctx;
    return str_eq(q->owners->v.v[i].text, q->text);
}

/* NULL: too many texts. */
static struct event_owner_text *intern(struct event_owners *owners, struct str text) {
    uint64_t hash = hash_bytes(text.s, text.n);
    uint32_t i = map_find(&owners->texts, hash, same, &(struct text_query){owners, text});
    if (i != MAP_NONE)
        return &owners->v.v[i];
    if (owners->bytes + text.n > BYTES_MAX)
        return NULL;
    char *copy = err_malloc(text.n > 0 ? text.n : 1);
    memcpy(copy, text.s, text.n);
    owners->bytes += text.n + sizeof(struct event_owner_text);
    i = (uint32_t)owners->v.n;
    map_add(&owners->texts, hash, i);
    vec_push(&owners->v, ((struct event_owner_text){{copy, text.n}, false, false}));
    return &owners->v.v[i];
}

static uint64_t owner_number(struct event_owners *owners, const struct event_value *v, bool thread,
                             struct str *name) {
    uint64_t n = 0;
    *name = (struct str){NULL, 0};
    if (v->kind == JSON_MORE || number(v, &n))
        return n;
    struct event_owner_text *o = intern(owners, v->text);
    if (o == NULL)
        return hash_of(v->text) | (uint64_t)1 << 63;
    bool *named = thread ? &o->thread : &o->process;
    if (!*named)
        *name = v->text;
    *named = true;
    return EVENT_OWNER_FIRST + (uint64_t)(o - owners->v.v);
}

struct event_owner event_owner(struct event_owners *owners, const struct event_fields *ev) {
    struct event_owner o;
    o.pid = owner_number(owners, &ev->v[EVENT_PID], false, &o.new_process);
    o.tid = owner_number(owners, &ev->v[EVENT_TID], true, &o.new_thread);
    if (!event_has(ev, EVENT_TID)) /* the first thread of its process, as other viewers have it */
        o.tid = o.pid;
    return o;
}

uint64_t event_owner_made(struct event_owners *owners) {
    vec_push(&owners->v, ((struct event_owner_text){{NULL, 0}, true, true}));
    return EVENT_OWNER_FIRST + (uint64_t)owners->v.n - 1;
}

/* ---- ids ---- */

struct event_id event_owner_id(const struct event_fields *ev, enum event_field field) {
    const struct event_value *v = &ev->v[field];
    struct event_id id = {.known = event_has(ev, field)};
    int64_t negative;
    if (!id.known || number(v, &id.value))
        return id;
    if (json_read_i64(v->text, &negative)) {
        id.value = (uint64_t)negative;
        return id;
    }
    id.value = hash_of(v->text);
    id.text = v->text;
    return id;
}

struct event_id event_owner_any_id(const struct event_fields *ev) {
    enum event_field field = event_has(ev, EVENT_ID_GLOBAL) ? EVENT_ID_GLOBAL : EVENT_ID_LOCAL;
    if (event_has(ev, EVENT_ID))
        field = EVENT_ID;
    struct event_id id = event_owner_id(ev, field);
    if (id.known && event_has(ev, EVENT_SCOPE)) {
        id.text = ev->v[field].text;
        id.scope = ev->v[EVENT_SCOPE].text;
        id.value = hash_more(id.value * UINT64_C(0x100000001b3), id.scope);
    }
    return id;
}
