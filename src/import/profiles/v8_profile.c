/* v8_profile.c - nodes become a tree once all of a piece are known: a parent may follow its
 * children, or be named by itself alone. */
#include "src/import/profiles/v8_profile.h"

void v8_profile_free(struct v8_profile *p) {
    stack_tree_free(&p->tree);
    vec_free(&p->nodes);
    vec_free(&p->open);
    vec_free(&p->path);
    vec_free(&p->ids);
    vec_free(&p->deltas);
    vec_free(&p->v);
    vec_free(&p->name.v);
    vec_free(&p->file.v);
    u64map_free(&p->by_id);
    u64map_free(&p->around);
}

static void fault(struct v8_profile *p, uint64_t at, const char *sentence) {
    p->fault(p->ctx, at, sentence);
}

bool v8_profile_time(const struct json_token *token, int64_t *ns) {
    struct json_time time;
    bool negative;
    if (token->kind != JSON_NUMBER ||
        json_read_time(token->text, &time, &negative) != JSON_READ_TIME)
        return false;
    *ns = (int64_t)json_read_ns(time);
    *ns = negative ? -*ns : *ns;
    return true;
}

/* ---- nodes ---- */

static void read_frame(struct json_pull *pull, struct v8_open *open) {
    if (json_pull_is(pull, "functionName"))
        open->name = pull->token;
    else if (json_pull_is(pull, "url"))
        open->file = pull->token;
    else if (json_pull_is(pull, "lineNumber"))
        json_read_i64(pull->token.text, &open->line);
}

/* Takes a key of a node but its children. Lines are from 0 within `callFrame`, else from 1. */
static void read_key(struct v8_profile *p, struct json_pull *pull, struct v8_open *open) {
    struct v8_node *node = &p->nodes.v[open->node];
    if (json_pull_is(pull, "callFrame") && json_pull_enter(pull, JSON_OBJECT)) {
        open->first = 0;
        while (json_pull_next(pull))
            read_frame(pull, open);
    } else if (json_pull_is(pull, "id")) {
        open->has_id = json_read_whole(pull->token.text, &node->id);
    } else if (json_pull_is(pull, "parent")) {
        node->has_parent = json_read_whole(pull->token.text, &node->parent_id);
    } else {
        read_frame(pull, open);
    }
}

static void open_node(struct v8_profile *p, struct json_pull *pull) {
    uint32_t around = p->open.n > 0 ? p->open.v[p->open.n - 1].node : STACK_TREE_NONE;
    struct json_token none = {.text = {"", 0}};
    uint64_t at = pull->token.at;
    if (!json_pull_enter(pull, JSON_OBJECT)) {
        fault(p, at, "a node that is no object");
        return;
    }
    vec_push(&p->open, ((struct v8_open){(uint32_t)p->nodes.n, none, none, -1, 1, false, false}));
    vec_push(&p->nodes, ((struct v8_node){.at = at, .parent = around}));
}

static void close_node(struct v8_profile *p) {
    struct v8_open *open = &p->open.v[--p->open.n];
    struct v8_node *node = &p->nodes.v[open->node];
    struct import_place place = {.byte = node->at};
    struct str name = json_pull_string(&open->name, &p->name),
               file = json_pull_string(&open->file, &p->file);
    node->root = str_eq(name, STR("(root)"));
    node->idle = str_eq(name, STR("(idle)"));
    node->frame.id = samples_frame(p->samples, &place, name.n > 0 ? name : STR("(anonymous)"), file,
                                   (struct str){"", 0});
    if (open->line >= open->first && open->line < UINT32_MAX)
        node->frame.line = (uint32_t)(open->line - open->first) + 1;
    if (!open->has_id)
        fault(p, node->at, "a node without a number as its id");
    else if (u64map_get(&p->by_id, u64map_key(node->id)) != UINT64_MAX)
        fault(p, node->at, "a node with the id of another one: that counts");
    else
        u64map_set(&p->by_id, u64map_key(node->id), open->node);
}

/* An element of `children`: an id, or a node of the old form. */
static void read_child(struct v8_profile *p, struct json_pull *pull, uint32_t around) {
    uint64_t id;
    if (pull->bracket)
        open_node(p, pull);
    else if (json_read_whole(pull->token.text, &id))
        u64map_set(&p->around, u64map_key(id), around);
}

void v8_profile_node(struct v8_profile *p, struct json_pull *pull) {
    open_node(p, pull);
    while (p->open.n > 0) {
        struct v8_open *open = &p->open.v[p->open.n - 1];
        bool more = json_pull_next(pull);
        if (!more && open->children && !pull->fault)
            open->children = false;
        else if (!more)
            close_node(p);
        else if (open->children)
            read_child(p, pull, open->node);
        else if (json_pull_is(pull, "children") && json_pull_enter(pull, JSON_ARRAY))
            open->children = true;
        else
            read_key(p, pull, open);
    }
}

void v8_profile_nodes(struct v8_profile *p, struct json_pull *pull) {
    if (json_pull_enter(pull, JSON_ARRAY))
        while (json_pull_next(pull))
            v8_profile_node(p, pull);
}

/* The index of the node around one, or none. */
static uint32_t parent_of(struct v8_profile *p, const struct v8_node *node) {
    if (node->parent != STACK_TREE_NONE) /* it is written in that */
        return node->parent;
    uint64_t i = node->has_parent ? u64map_get(&p->by_id, u64map_key(node->parent_id))
                                  : u64map_get(&p->around, u64map_key(node->id));
    if (node->has_parent && i == UINT64_MAX)
        fault(p, node->at, "a node whose parent is not there: it is outermost");
    return i == UINT64_MAX ? STACK_TREE_NONE : (uint32_t)i;
}

enum { NEW, ON_PATH, PLACED };

/* Puts a node into the tree, after those around it. */
static void put(struct v8_profile *p, uint32_t i) {
    p->path.n = 0;
    while (i != STACK_TREE_NONE && p->nodes.v[i].state == NEW) {
        struct v8_node *node = &p->nodes.v[i];
        node->state = ON_PATH;
        node->parent = parent_of(p, node);
        vec_push(&p->path, i);
        if (node->parent != STACK_TREE_NONE && p->nodes.v[node->parent].state == ON_PATH) {
            fault(p, node->at, "a node within itself: it is outermost");
            node->parent = STACK_TREE_NONE;
        }
        i = node->parent;
    }
    while (p->path.n > 0) {
        struct v8_node *node = &p->nodes.v[p->path.v[--p->path.n]];
        bool outermost = node->parent == STACK_TREE_NONE;
        struct samples_frame frame = node->frame;
        if (outermost && node->root)
            frame.id = STACK_TREE_NONE;
        node->place = stack_tree_add(
            &p->tree, outermost ? STACK_TREE_NONE : p->nodes.v[node->parent].place, frame);
        node->state = PLACED;
    }
}

/* ---- samples ---- */

void v8_profile_ids(struct v8_profile *p, struct json_pull *pull) {
    if (!json_pull_enter(pull, JSON_ARRAY))
        return;
    while (json_pull_next(pull)) {
        struct v8_number one = {pull->token.at, -1};
        uint64_t id;
        if (json_read_whole(pull->token.text, &id) && id <= INT64_MAX)
            one.n = (int64_t)id;
        vec_push(&p->ids, one);
    }
}

void v8_profile_deltas(struct v8_profile *p, struct json_pull *pull) {
    if (!json_pull_enter(pull, JSON_ARRAY))
        return;
    while (json_pull_next(pull)) {
        struct v8_number one = {pull->token.at, 0};
        if (!v8_profile_time(&pull->token, &one.n))
            fault(p, one.at, "a time that is none: 0");
        vec_push(&p->deltas, one);
    }
}

/* The time of the next sample. */
static int64_t time_of(struct v8_profile *p, int64_t delta) {
    int64_t now = p->now;
    if (p->too_far)
        return -1;
    p->too_far = !p->stamps && __builtin_add_overflow(p->now, delta, &now);
    p->now = p->stamps ? delta : now;
    return p->too_far ? -1 : p->now;
}

static int by_time(const void *a, const void *b) {
    const struct v8_sample *x = a, *y = b;
    if (x->ts != y->ts)
        return x->ts < y->ts ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static uint32_t node_of(struct v8_profile *p, const struct v8_number *id) {
    uint64_t i = id->n < 0 ? UINT64_MAX : u64map_get(&p->by_id, u64map_key((uint64_t)id->n));
    if (i == UINT64_MAX) {
        fault(p, id->at, "a sample of a node that is not there: it has no stack");
        return STACK_TREE_NONE;
    }
    return p->nodes.v[i].idle ? V8_PROFILE_IDLE : p->nodes.v[i].place;
}

void v8_profile_samples(struct v8_profile *p) {
    bool sorted = true;
    for (; p->placed < p->nodes.n; p->placed++)
        if (p->nodes.v[p->placed].state == NEW)
            put(p, (uint32_t)p->placed);
    if (p->deltas.n < p->ids.n)
        fault(p, p->ids.v[p->deltas.n].at, "samples without times: at that of the one before");
    p->v.n = 0;
    for (size_t i = 0; i < p->ids.n; i++) {
        struct v8_sample one = {p->now, p->ids.v[i].at, node_of(p, &p->ids.v[i])};
        if (i < p->deltas.n)
            one.ts = time_of(p, p->deltas.v[i].n);
        if (one.ts < 0) {
            fault(p, one.at, "the time of a sample cannot be: at that of the one before");
            one.ts = i > 0 ? p->v.v[i - 1].ts : 0;
        }
        sorted = sorted && (i == 0 || one.ts >= p->v.v[i - 1].ts);
        vec_push(&p->v, one);
    }
    if (!sorted)
        qsort(p->v.v, p->v.n, sizeof *p->v.v, by_time);
    p->ids.n = p->deltas.n = 0;
}

void v8_profile_add(struct v8_profile *p, const struct v8_sample *one,
                    struct samples_sample *sample) {
    sample->ts = (uint64_t)one->ts;
    if (one->node == V8_PROFILE_IDLE) {
        samples_off(p->samples, sample->ts, sample->pid, sample->tid, &sample->source);
        return;
    }
    stack_tree_get(&p->tree, one->node, sample);
    samples_add(p->samples, sample);
}
