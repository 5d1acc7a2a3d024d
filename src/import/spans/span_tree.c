/* span_tree.c - two maps: of trace and id, and of these with the process and the side.
 *
 * A client and its server may share an id (Zipkin): then the server's parent is the client, and
 * children of the server are found by their process. */
#include "src/import/spans/span_tree.h"

struct query {
    const struct span_tree *tree;
    uint64_t trace, id;
    uint32_t process;
    bool server;
};

static bool same_id(const void *ctx, uint32_t i) {
    const struct query *q = ctx;
    const struct span_entry *s = &q->tree->store->spans.v[q->tree->by_id.v[i].first];
    return s->trace == q->trace && s->id == q->id;
}

static bool same_span(const void *ctx, uint32_t i) {
    const struct query *q = ctx;
    const struct span_entry *s = &q->tree->store->spans.v[q->tree->spans.v[i]];
    return s->trace == q->trace && s->id == q->id && s->process == q->process &&
           s->server == q->server;
}

static uint64_t hash_of(const struct query *q) {
    return hash_words(hash_words(q->trace, q->id), (uint64_t)q->process << 1 | q->server);
}

static void add(struct span_tree *tree, uint32_t i) {
    struct span_entry *s = &tree->store->spans.v[i];
    struct query q = {tree, s->trace, s->id, s->process, s->server};
    uint32_t n = (uint32_t)tree->spans.n,
             k = map_intern(&tree->exact, hash_of(&q), same_span, &q, n);
    s->again = k < n;
    tree->again += s->again;
    if (s->again)
        return;
    vec_push(&tree->spans, i);
    n = (uint32_t)tree->by_id.n;
    k = map_intern(&tree->ids, hash_words(s->trace, s->id), same_id, &q, n);
    if (k == n)
        vec_push(&tree->by_id, ((struct span_id){i, SPAN_NONE}));
    if (s->client && tree->by_id.v[k].client == SPAN_NONE)
        tree->by_id.v[k].client = i;
}

static const struct span_id *any(const struct span_tree *tree, uint64_t trace, uint64_t id) {
    struct query q = {tree, trace, id, 0, false};
    uint32_t k = map_find(&tree->ids, hash_words(trace, id), same_id, &q);
    return k == MAP_NONE ? NULL : &tree->by_id.v[k];
}

uint32_t span_tree_find(const struct span_tree *tree, uint64_t trace, uint64_t id,
                        uint32_t process) {
    struct query q = {tree, trace, id, process, true};
    for (int side = 0; side < 2; side++, q.server = false) {
        uint32_t k = map_find(&tree->exact, hash_of(&q), same_span, &q);
        if (k != MAP_NONE)
            return tree->spans.v[k];
    }
    const struct span_id *one = any(tree, trace, id);
    return one ? one->first : SPAN_NONE;
}

static void find_parent(struct span_tree *tree, uint32_t i) {
    struct span_entry *s = &tree->store->spans.v[i];
    const struct span_id *same = s->server ? any(tree, s->trace, s->id) : NULL;
    s->up = SPAN_NONE;
    if (s->again)
        return;
    if (same && same->client != SPAN_NONE) {
        s->up = same->client;
        return;
    }
    if (!s->child)
        return;
    s->up = span_tree_find(tree, s->trace, s->parent, s->process);
    tree->unknown += s->up == SPAN_NONE;
}

/* Goes up to a span whose depth is known, then down again. A parent that was passed on the way is
 * none: they are a circle. */
static void find_depths(struct span_tree *tree) {
    enum { UNKNOWN, PASSED, KNOWN };
    struct span_entry *v = tree->store->spans.v;
    size_t n = tree->store->spans.n;
    unsigned char *state = err_calloc(n + 1, 1);
    VEC(uint32_t) way = {0};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = i;
        way.n = 0;
        while (at != SPAN_NONE && state[at] == UNKNOWN) {
            state[at] = PASSED;
            vec_push(&way, at);
            uint32_t up = v[at].up;
            if (up != SPAN_NONE && state[up] == PASSED) {
                v[at].up = up = SPAN_NONE;
                tree->cycles++;
            }
            at = up;
        }
        while (way.n > 0) {
            uint32_t down = way.v[--way.n];
            v[down].depth = v[down].up == SPAN_NONE ? 0 : v[v[down].up].depth + 1;
            state[down] = KNOWN;
        }
    }
    vec_free(&way);
    free(state);
}

void span_tree_make(struct span_tree *tree, struct span_store *store) {
    tree->store = store;
    for (uint32_t i = 0; i < store->spans.n; i++)
        add(tree, i);
    for (uint32_t i = 0; i < store->spans.n; i++)
        find_parent(tree, i);
    find_depths(tree);
    for (size_t i = 0; i < store->links.n; i++) {
        struct span_link *link = &store->links.v[i];
        link->from = span_tree_find(tree, link->trace, link->id, SPAN_NONE);
        tree->unknown += link->from == SPAN_NONE;
    }
}

void span_tree_free(struct span_tree *tree) {
    map_free(&tree->ids);
    map_free(&tree->exact);
    vec_free(&tree->by_id);
    vec_free(&tree->spans);
}
