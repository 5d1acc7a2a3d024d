/* texts.c - texts one after the other, found by their hashes. */
#include "src/import/perfetto/texts.h"

struct query {
    const struct texts *all;
    struct str text;
};

static bool same(const void *ctx, uint32_t number) {
    const struct query *q = ctx;
    return str_eq(texts_get(q->all, number + 1), q->text);
}

uint32_t texts_number(struct texts *t, struct str text) {
    struct query q = {t, text};
    if (text.n == 0)
        return 0;
    uint32_t i = map_intern(&t->by_text, hash_bytes(text.s, text.n), same, &q, (uint32_t)t->v.n);
    if (i < t->v.n)
        return i + 1;
    vec_push(&t->v, ((struct texts_entry){t->text.n, text.n}));
    vec_reserve(&t->text, t->text.n + text.n);
    memcpy(t->text.v + t->text.n, text.s, text.n);
    t->text.n += text.n;
    return i + 1;
}

struct str texts_get(const struct texts *t, uint32_t number) {
    if (number == 0)
        return STR("");
    const struct texts_entry *e = &t->v.v[number - 1];
    return (struct str){t->text.v + e->at, e->n};
}

void texts_free(struct texts *t) {
    vec_free(&t->v);
    vec_free(&t->text);
    map_free(&t->by_text);
}
