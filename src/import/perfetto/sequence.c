/* sequence.c - tables by number, of which the last entry counts. */
#include "src/import/perfetto/sequence.h"

#include "src/import/perfetto/proto.h"

static const struct {
    unsigned char field;
    bool message; /* all of the entry is kept, not its text alone */
} kinds[SEQUENCE_KINDS] = {
    [SEQUENCE_CATEGORY] = {1, false}, [SEQUENCE_NAME] = {2, false},
    [SEQUENCE_KEY] = {3, false},      [SEQUENCE_LOCATION] = {4, true},
    [SEQUENCE_FUNCTION] = {5, false}, [SEQUENCE_FRAME] = {6, true},
    [SEQUENCE_CALLSTACK] = {7, true}, [SEQUENCE_LOG] = {20, false},
    [SEQUENCE_TEXT] = {29, false},    [SEQUENCE_CORRELATION] = {43, false},
    [SEQUENCE_SYMBOL] = {26, false},
};

struct sequence *sequence_get(struct sequences *all, uint64_t id) {
    if (all->last && all->last->id == id)
        return all->last;
    uint64_t i = u64map_get(&all->by_id, u64map_key(id));
    if (i == UINT64_MAX) {
        struct sequence *s = err_calloc(1, sizeof *s);
        s->id = id;
        i = all->v.n;
        u64map_set(&all->by_id, u64map_key(id), i);
        vec_push(&all->v, s);
    }
    return all->last = all->v.v[i];
}

static void free_tables(struct sequence *s) {
    if (s->tables == NULL)
        return;
    for (size_t i = 0; i < SEQUENCE_KINDS; i++)
        u64map_free(&s->tables->by_iid[i]);
    u64map_free(&s->tables->sums);
    vec_free(&s->tables->v);
    vec_free(&s->tables->text);
    free(s->tables);
    s->tables = NULL;
}

void sequence_free(struct sequences *all) {
    for (size_t i = 0; i < all->v.n; i++) {
        free_tables(all->v.v[i]);
        vec_free(&all->v.v[i]->defaults);
        free(all->v.v[i]);
    }
    vec_free(&all->v);
    u64map_free(&all->by_id);
}

void sequence_clear(struct sequence *s) {
    free_tables(s);
    s->valid = true;
    s->has_clock = s->has_track = false; /* the thread stays */
    s->defaults.n = 0;
}

static struct sequence_tables *tables_of(struct sequence *s) {
    if (s->tables == NULL)
        s->tables = err_calloc(1, sizeof *s->tables);
    return s->tables;
}

static void add(struct sequence *s, enum sequence_kind kind, struct str message) {
    struct proto p = proto_of(message);
    struct str text = kinds[kind].message ? message : STR("");
    uint64_t iid = 0;
    while (proto_next(&p)) {
        if (p.tag == PROTO_V(1))
            iid = p.value;
        else if (p.tag == PROTO_B(2) && !kinds[kind].message)
            text = p.bytes;
    }
    struct sequence_tables *t = tables_of(s);
    u64map_set(&t->by_iid[kind], u64map_key(iid), t->v.n);
    vec_push(&t->v, ((struct sequence_entry){.at = t->text.n, .n = text.n}));
    vec_reserve(&t->text, t->text.n + text.n + 1);
    if (text.n > 0)
        memcpy(t->text.v + t->text.n, text.s, text.n);
    t->text.n += text.n;
}

void sequence_intern(struct sequence *s, struct str interned) {
    struct proto p = proto_of(interned);
    while (proto_next(&p))
        for (unsigned kind = 0; kind < SEQUENCE_KINDS; kind++)
            if (p.tag == PROTO_B(kinds[kind].field))
                add(s, kind, p.bytes);
}

void sequence_set_defaults(struct sequence *s, struct str defaults) {
    struct proto p = proto_of(defaults);
    s->has_clock = s->has_track = false;
    s->defaults.n = 0;
    while (proto_next(&p)) {
        if (p.tag == PROTO_V(58)) {
            s->has_clock = true;
            s->clock = p.value;
        } else if (p.tag == PROTO_B(11)) {
            struct proto event = proto_of(p.bytes);
            vec_reserve(&s->defaults, p.bytes.n + 1);
            s->defaults.n = p.bytes.n;
            if (p.bytes.n > 0)
                memcpy(s->defaults.v, p.bytes.s, p.bytes.n);
            while (proto_next(&event))
                if (event.tag == PROTO_V(11)) {
                    s->has_track = true;
                    s->track = event.value;
                }
        }
    }
}

struct sequence_entry *sequence_find(const struct sequence *s, enum sequence_kind kind,
                                     uint64_t iid) {
    uint64_t i = s->tables ? u64map_get(&s->tables->by_iid[kind], u64map_key(iid)) : UINT64_MAX;
    return i == UINT64_MAX ? NULL : &s->tables->v.v[i];
}

struct str sequence_bytes(const struct sequence *s, enum sequence_kind kind, uint64_t iid) {
    const struct sequence_entry *e = sequence_find(s, kind, iid);
    return e ? sequence_text(s, e) : STR("");
}

double sequence_sum(struct sequence *s, uint64_t uuid, double difference) {
    struct u64map *sums = &tables_of(s)->sums;
    uint64_t bits = u64map_get(sums, u64map_key(uuid));
    double sum = bits == UINT64_MAX ? difference : proto_double(bits) + difference;
    memcpy(&bits, &sum, sizeof bits);
    u64map_set(sums, u64map_key(uuid), bits);
    return sum;
}
