/* zipkin.c - the JSON of Zipkin v2: lists of spans, each with its service. */
#include "src/import/spans/zipkin.h"

#include "src/import/spans/spans.h"

enum { SPAN = 1 };

static const struct json_walk_rule rules[] = {
    {JSON_WALK_TOP, NULL, SPAN, true},
    {0, NULL, 0, false},
};

struct zipkin {
    struct spans spans;
};

static uint32_t process_of(struct spans *s) {
    uint32_t endpoint = json_walk_get(&s->walk, 0, "localEndpoint");
    struct str none = {"", 0};
    if (endpoint == 0)
        return spans_process(s, none, none);
    struct str address = spans_text(s, endpoint, "ipv4");
    if (address.n == 0)
        address = spans_text(s, endpoint, "ipv6");
    return spans_process(s, spans_text(s, endpoint, "serviceName"), address);
}

static void add_remote(struct spans *s) {
    uint32_t endpoint = json_walk_get(&s->walk, 0, "remoteEndpoint");
    if (endpoint == 0)
        return;
    struct str remote = spans_text(s, endpoint, "serviceName");
    if (remote.n == 0)
        remote = spans_text(s, endpoint, "ipv4");
    if (remote.n > 0)
        span_store_arg_text(&s->store, STR("remote"), remote);
}

/* The time of the first annotation is that of a span without one. */
static uint32_t begin_of(struct spans *s) {
    uint32_t time = json_walk_get(&s->walk, 0, "timestamp"),
             list = json_walk_get(&s->walk, 0, "annotations");
    if (time == 0 && list > 0 && json_walk_end(&s->walk, list) > list + 1)
        time = json_walk_get(&s->walk, list + 1, "timestamp");
    return time;
}

static void take_annotations(struct spans *s, uint32_t span) {
    uint32_t list = json_walk_get(&s->walk, 0, "annotations");
    for (uint32_t c = list + 1; list > 0 && c < json_walk_end(&s->walk, list);
         c = json_walk_end(&s->walk, c)) {
        span_store_args(&s->store);
        spans_event(s, span, spans_us(s, json_walk_get(&s->walk, c, "timestamp")),
                    spans_text(s, c, "value"));
    }
}

static bool take(void *ctx, int kind) {
    struct spans *s = &((struct zipkin *)ctx)->spans;
    struct span_entry *now = &s->now;
    struct str id_text = spans_text(s, 0, "id"), trace_text = spans_text(s, 0, "traceId"),
               side = spans_text(s, 0, "kind");
    uint32_t shared = json_walk_get(&s->walk, 0, "shared"),
             tags = json_walk_get(&s->walk, 0, "tags");
    uint64_t id, trace;
    char lower[16];
    (void)kind;
    spans_id(trace_text, &trace);
    if (!spans_id(id_text, &id)) {
        spans_without_id(s);
        return false;
    }
    uint32_t process = process_of(s);
    spans_begin(s);
    now->process = process;
    now->trace = trace;
    now->id = id;
    now->child = spans_id(spans_text(s, 0, "parentId"), &now->parent);
    now->name = spans_name(s, spans_text(s, 0, "name"));
    now->category = spans_name(s, STR(""));
    now->server =
        (shared > 0 && s->walk.tree.v[shared].kind == JSON_TRUE) || str_eq(side, STR("SERVER"));
    now->client = !now->server && str_eq(side, STR("CLIENT"));
    spans_last_us(s, begin_of(s), json_walk_get(&s->walk, 0, "duration"));
    span_store_arg_text(&s->store, STR("trace"), trace_text);
    span_store_arg_text(&s->store, STR("span"), id_text);
    side.n = spans_lower(side, lower, sizeof lower);
    if (side.n > 0)
        span_store_arg_text(&s->store, STR("kind"), (struct str){lower, side.n});
    if (tags > 0 && json_walk_get(&s->walk, tags, "error") > 0)
        span_store_arg_text(&s->store, STR("status"), STR("error"));
    add_remote(s);
    for (uint32_t c = tags + 1; tags > 0 && c < json_walk_end(&s->walk, tags);
         c = json_walk_end(&s->walk, c))
        span_store_arg(&s->store, json_walk_key(&s->walk, c), &s->walk, c);
    take_annotations(s, spans_end(s));
    return true;
}

static void *start(void) {
    struct zipkin *z = err_calloc(1, sizeof *z);
    spans_init(&z->spans, rules, z);
    z->spans.walk.take = take;
    return z;
}

static void step(void *import, struct str bytes, bool last, struct import_news *news) {
    spans_step(&((struct zipkin *)import)->spans, bytes, last, news);
}

static void stop(void *import) {
    spans_free(&((struct zipkin *)import)->spans);
    free(import);
}

static void hurry(void *import) {
    spans_hurry(&((struct zipkin *)import)->spans);
}

const struct importer zipkin = {"Zipkin", NULL, start, step, stop, hurry};
