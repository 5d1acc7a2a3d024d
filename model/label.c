#include "model/label.h"

struct query {
    const struct labels *labels;
    const struct label *label;
};

static inline bool equal(const struct label *a, const struct label *b) {
    return a->name == b->name && a->who == b->who && a->category == b->category;
}

static bool same(const void *ctx, uint32_t i) {
    const struct query *q = ctx;
    return equal(&q->labels->v.v[i], q->label);
}

static uint32_t number(struct labels *labels, const struct label *label) {
    struct query q = {labels, label};
    uint32_t *guess =
        map_guess(&labels->numbers, (uint64_t)label->who << 40 ^ (uint64_t)label->category << 20 ^ label->name);
    if (*guess && equal(&labels->v.v[*guess - 1], label))
        return *guess - 1;
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

uint64_t label_mark(struct labels *labels, uint64_t offset, unsigned kind, const struct label *label) {
    uint32_t i = number(labels, label);
    if (i >= LABEL_FAR) {
        aside_set(&labels->far, offset, i);
        i = LABEL_FAR;
    }
    return offset >> 3 << 27 | (uint64_t)i << 2 | kind;
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
