#include "model/store/event_key.h"

struct query {
    const struct labels *labels;
    const struct label *label;
};

static bool same(const void *ctx, uint32_t i) {
    const struct query *q = ctx;
    const struct label *r = &q->labels->v.v[i];
    return r->who == q->label->who && r->category == q->label->category && r->name == q->label->name;
}

uint32_t label_number(struct labels *labels, const struct label *label, uint32_t *guess) {
    struct query q = {labels, label};
    uint64_t hash = map_hash2((uint64_t)label->who << 32 | label->category, label->name);
    uint32_t i = map_find(&labels->numbers, hash, same, &q);
    if (i != UINT32_MAX) {
        *guess = i + 1;
        return i;
    }
    i = (uint32_t)labels->v.n;
    vec_push(&labels->v, *label);
    map_add(&labels->numbers, hash, i);
    return i;
}

uint64_t label_far(struct labels *labels, uint64_t offset, unsigned kind, uint32_t number) {
    aside_set(&labels->far, offset, number);
    return offset >> 3 << 27 | (uint64_t)LABEL_FAR << 2 | kind;
}

void labels_free(struct labels *labels) {
    vec_free(&labels->v);
    map_free(&labels->numbers);
    aside_free(&labels->far);
    *labels = (struct labels){0};
}

uint64_t labels_bytes(const struct labels *labels) {
    return labels->v.n * sizeof *labels->v.v + labels->numbers.n * 12 + aside_bytes(&labels->far);
}
