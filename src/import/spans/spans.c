/* spans.c - sorts all that has a time, and writes it in pieces. */
#include "src/import/spans/spans.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "src/base/sort.h"
#include "src/import/chrome/event_owner.h"
#include "src/import/import_whole.h"
#include "src/import/json/json_read.h"

#define SECOND UINT64_C(1000000000)
#define NAME_MOST ((size_t)1024)
#define SPANS_MOST ((size_t)1 << 31)
#define ITEMS 65536 /* records of a step */

/* in their order at one time */
enum { SLICE, POINT, LEAVES, ARRIVES, LINK_LEAVES, LINK_ARRIVES };

void spans_init(struct spans *s, const struct json_walk_rule *rules, void *ctx) {
    json_walk_init(&s->walk, rules, ctx);
}

void spans_free(struct spans *s) {
    span_tree_free(&s->tree);
    span_lanes_free(&s->lanes);
    span_store_free(&s->store);
    vec_free(&s->items);
    free(s->logs);
    json_walk_free(&s->walk);
}

/* ---- fields ---- */

static int base64(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+' || c == '-')
        return 62;
    return c == '/' || c == '_' ? 63 : -1;
}

/* An id of 8 bytes, or of 16. */
static bool is_base64(struct str text) {
    return (text.n == 12 && text.s[11] == '=') || (text.n == 24 && text.s[23] == '=');
}

/* The last 8 bytes of 8 or 16. */
static bool base64_id(struct str text, uint64_t *id) {
    size_t n = text.n;
    while (n > 0 && text.s[n - 1] == '=')
        n--;
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++) {
        int digit = base64(text.s[i]);
        if (digit < 0)
            return false;
        bool last = i == n - 1; /* 2 bits of 11 digits are none, and 4 of 22 */
        unsigned none = n == 11 ? 2 : 4;
        bits = last ? bits << (6 - none) | (uint64_t)digit >> none : bits << 6 | (uint64_t)digit;
    }
    *id = bits;
    return true;
}

/* It has no key: the same source gives the same words each time. */
static uint64_t hash_of(struct str text) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < text.n; i++)
        hash = (hash ^ (unsigned char)text.s[i]) * UINT64_C(0x100000001b3);
    return hash | 1;
}

bool spans_id(struct str text, uint64_t *id) {
    uint64_t bits = 0;
    *id = 0;
    if (is_base64(text))
        return base64_id(text, id);
    for (size_t i = 0; i < text.n; i++) {
        int digit = json_read_hex(text.s[i]);
        if (digit < 0) {
            *id = hash_of(text);
            return true;
        }
        bits = bits << 4 | (uint64_t)digit;
    }
    *id = bits;
    return bits != 0;
}

static bool is_hex(struct str text) {
    for (size_t i = 0; i < text.n; i++)
        if (json_read_hex(text.s[i]) < 0)
            return false;
    return true;
}

struct str spans_id_hex(struct str text, char hex[SPANS_ID_MOST]) {
    static const char digits[] = "0123456789abcdef";
    if (!is_base64(text))
        return text.n <= SPANS_ID_MOST && is_hex(text)
                   ? (struct str){hex, spans_lower(text, hex, SPANS_ID_MOST)}
                   : text;
    size_t n = 0, most = text.n == 12 ? 16 : 32;
    unsigned bits = 0, known = 0;
    for (size_t i = 0; n < most; i++) {
        int digit = base64(text.s[i]);
        if (digit < 0)
            return text;
        bits = bits << 6 | (unsigned)digit;
        for (known += 6; known >= 4 && n < most; known -= 4)
            hex[n++] = digits[bits >> (known - 4) & 15];
    }
    return (struct str){hex, n};
}

uint64_t spans_ns(struct spans *s, uint32_t node) {
    uint64_t ns = 0;
    if (node == 0 || !json_read_whole(json_walk_text(&s->walk, node), &ns))
        return 0;
    return ns <= INT64_MAX ? ns : 0;
}

uint64_t spans_us(struct spans *s, uint32_t node) {
    struct json_time time;
    bool negative;
    if (node == 0 ||
        json_read_time(json_walk_text(&s->walk, node), &time, &negative) != JSON_READ_TIME)
        return 0;
    return negative ? 0 : json_read_ns(time);
}

void spans_number(struct spans *s, uint32_t node) {
    double x;
    if (s->walk.tree.v[node].kind == JSON_STRING &&
        json_read_double(json_walk_text(&s->walk, node), &x))
        s->walk.tree.v[node].kind = JSON_NUMBER;
}

size_t spans_lower(struct str text, char *to, size_t most) {
    size_t n = text.n < most ? text.n : most;
    for (size_t i = 0; i < n; i++)
        to[i] = (char)(text.s[i] >= 'A' && text.s[i] <= 'Z' ? text.s[i] | 32 : text.s[i]);
    return n;
}

struct str spans_text(struct spans *s, uint32_t node, const char *key) {
    uint32_t i = json_walk_get(&s->walk, node, key);
    return i > 0 ? json_walk_text(&s->walk, i) : (struct str){"", 0};
}

uint32_t spans_name(struct spans *s, struct str text) {
    if (text.n > NAME_MOST) {
        json_walk_fault(&s->walk, IMPORT_CUT, s->walk.at, "a name of more than %zu bytes: cut",
                        NAME_MOST);
        text.n = (size_t)str_head(text, NAME_MOST);
    }
    return span_store_text(&s->store, text);
}

uint32_t spans_process(struct spans *s, struct str name, struct str instance) {
    if (name.n == 0)
        name = STR("(unknown service)");
    name.n = (size_t)str_head(name, NAME_MOST);
    return span_store_process(&s->store, name, instance);
}

void spans_own(struct spans *s, size_t span, uint32_t process) {
    struct span_entry *one = &s->store.spans.v[span];
    one->process = process;
    if (one->thread == SPAN_NONE)
        return;
    const struct span_thread t = s->store.threads.v[one->thread];
    one->thread = span_store_thread(&s->store, process, span_store_text_of(&s->store, t.id),
                                    span_store_text_of(&s->store, t.name));
}

uint64_t spans_args_end(struct spans *s) {
    bool cut;
    uint64_t list = span_store_args_end(&s->store, &cut);
    if (cut)
        json_walk_fault(&s->walk, IMPORT_CUT, s->walk.at, "more arguments than a record holds");
    return list;
}

/* ---- spans ---- */

void spans_begin(struct spans *s) {
    s->now = (struct span_entry){.at = s->walk.at, .thread = SPAN_NONE, .up = SPAN_NONE};
    span_store_args(&s->store);
}

void spans_without_id(struct spans *s) {
    if (!s->walk.resumed)
        json_walk_fault(&s->walk, IMPORT_FIELD, s->walk.at, "a span without an id");
}

void spans_last_us(struct spans *s, uint32_t begin, uint32_t duration) {
    struct json_time from, dur, to;
    bool before, less;
    s->now.begin = spans_us(s, begin);
    s->now.end = SPAN_NO_END;
    if (begin == 0 || duration == 0 ||
        json_read_time(json_walk_text(&s->walk, begin), &from, &before) != JSON_READ_TIME ||
        json_read_time(json_walk_text(&s->walk, duration), &dur, &less) != JSON_READ_TIME)
        return;
    if (less)
        s->now.end = s->now.begin - 1; /* before it begins */
    else if (json_read_add(from, dur, &to))
        s->now.end = json_read_ns(to);
}

uint32_t spans_end(struct spans *s) {
    struct span_entry *now = &s->now;
    now->args = spans_args_end(s);
    now->damaged = now->begin == 0;
    if (now->damaged) {
        json_walk_fault(&s->walk, IMPORT_FIELD, now->at, "a span without a time of its begin");
        now->end = 0;
    }
    if (now->end == SPAN_NO_END)
        json_walk_fault(&s->walk, IMPORT_FIELD, now->at, "a span without an end");
    if (now->end < now->begin) {
        json_walk_fault(&s->walk, IMPORT_FIELD, now->at, "a span ends before it begins");
        now->end = now->begin;
    }
    vec_push(&s->store.spans, *now);
    return (uint32_t)s->store.spans.n - 1;
}

void spans_event(struct spans *s, uint32_t span, uint64_t ts, struct str name) {
    struct span_point p = {.ts = ts, .at = s->walk.at, .span = span, .kind = SPAN_EVENT};
    p.args = spans_args_end(s);
    p.name = spans_name(s, name);
    if (ts == 0) {
        json_walk_fault(&s->walk, IMPORT_FIELD, p.at, "an event without a time: at the begin");
        p.ts = s->store.spans.v[span].begin;
    }
    vec_push(&s->store.points, p);
}

void spans_link(struct spans *s, uint32_t span, uint64_t trace, uint64_t id) {
    vec_push(&s->store.links, ((struct span_link){.span = span, .trace = trace, .id = id}));
}

/* ---- records ---- */

static uint64_t pid_of(uint32_t process) {
    return EVENT_OWNER_FIRST + (uint64_t)process;
}

static uint64_t tid_of(const struct spans *s, uint32_t lane) {
    return EVENT_OWNER_FIRST + s->store.processes.n + lane;
}

static uint64_t log_tid_of(const struct spans *s, uint32_t process) {
    return tid_of(s, (uint32_t)s->lanes.lanes.n) + process;
}

static struct writer_string text_of(struct spans *s, uint32_t i) {
    return writer_intern(&s->walk.w, span_store_text_of(&s->store, i));
}

static void name_thread(struct spans *s, uint64_t tid, uint32_t process, struct str name) {
    struct writer *w = &s->walk.w;
    struct writer_argument owner =
        writer_number(FXT_ARG_KOID, writer_intern(w, STR("process")), pid_of(process));
    writer_kernel_object(w, FXT_OBJECT_THREAD, tid, writer_intern(w, name),
                         (struct writer_arguments){&owner, 1});
}

static void name_owners(struct spans *s) {
    struct writer *w = &s->walk.w;
    struct writer_argument args[SPAN_ARGUMENTS + 1];
    const struct span_lane *lanes = s->lanes.lanes.v;
    for (uint32_t i = 0; i < s->store.processes.n; i++) {
        const struct span_process *p = &s->store.processes.v[i];
        writer_kernel_object(w, FXT_OBJECT_PROCESS, pid_of(i), text_of(s, p->name),
                             span_store_read(&s->store, p->args, w, args));
    }
    for (uint32_t i = 0; i < s->lanes.lanes.n; i++) {
        char number[16];
        snprintf(number, sizeof number, "%" PRIu32, lanes[i].number);
        struct str name = str_of(number);
        if (lanes[i].thread != SPAN_NONE) {
            const struct span_thread *t = &s->store.threads.v[lanes[i].thread];
            name = span_store_text_of(&s->store, t->name);
            name = name.n > 0 ? name : span_store_text_of(&s->store, t->id);
        }
        name_thread(s, tid_of(s, i), lanes[i].process, name);
    }
    for (uint32_t i = 0; i < s->store.processes.n; i++)
        if (s->logs[i])
            name_thread(s, log_tid_of(s, i), i, STR("logs"));
}

static struct writer_event event_of(struct spans *s, uint32_t span, uint64_t ts) {
    const struct span_entry *one = &s->store.spans.v[span];
    return (struct writer_event){.ts = ts,
                                 .thread =
                                     writer_intern_thread(&s->walk.w, pid_of(one->process),
                                                          tid_of(s, s->lanes.places[span].lane)),
                                 .category = text_of(s, one->category)};
}

static void write_slice(struct spans *s, uint32_t i) {
    const struct span_entry *one = &s->store.spans.v[i];
    struct writer_argument args[SPAN_ARGUMENTS + 1];
    struct writer_event e = event_of(s, i, one->begin);
    e.name = text_of(s, one->name);
    e.args = span_store_read(&s->store, one->args, &s->walk.w, args);
    json_walk_mark(&s->walk, one->at);
    if (one->end == SPAN_NO_END)
        writer_begin(&s->walk.w, &e);
    else
        writer_complete(&s->walk.w, &e, one->end);
}

static void write_point(struct spans *s, const struct span_point *p) {
    struct writer_argument args[SPAN_ARGUMENTS + 1];
    struct writer_event e;
    json_walk_mark(&s->walk, p->at);
    if (p->span != SPAN_NONE)
        e = event_of(s, p->span, p->ts);
    else
        e = (struct writer_event){.ts = p->ts,
                                  .thread = writer_intern_thread(&s->walk.w, pid_of(p->process),
                                                                 p->kind == SPAN_LOG
                                                                     ? log_tid_of(s, p->process)
                                                                     : pid_of(p->process))};
    if (p->kind == SPAN_LOG) {
        writer_log(&s->walk.w, p->ts, e.thread, span_store_text_of(&s->store, p->name));
        return;
    }
    e.name = text_of(s, p->name);
    e.args = span_store_read(&s->store, p->args, &s->walk.w, args);
    if (p->kind == SPAN_COUNTER)
        writer_counter(&s->walk.w, &e, 0);
    else
        writer_instant(&s->walk.w, &e);
}

static void write_flow(struct spans *s, enum fxt_event type, uint32_t at, uint32_t to, uint64_t ts,
                       const char *name) {
    struct writer_event e = event_of(s, at, ts);
    e.category = e.name = writer_intern(&s->walk.w, str_of(name));
    json_walk_mark(&s->walk, s->store.spans.v[to].at);
    writer_flow(&s->walk.w, type, &e, s->flow);
}

static void write_link(struct spans *s, const struct span_item *item) {
    const struct span_link *link = &s->store.links.v[item->index];
    bool leaves = item->kind == LINK_LEAVES;
    s->flow = (uint64_t)item->index + 1;
    write_flow(s, leaves ? FXT_FLOW_BEGIN : FXT_FLOW_END, leaves ? link->from : link->span,
               link->span, item->ts, "link");
}

static void write_item(struct spans *s, const struct span_item *item) {
    switch (item->kind) {
    case SLICE:
        write_slice(s, s->lanes.order.v[item->index]);
        break;
    case POINT:
        write_point(s, &s->store.points.v[item->index]);
        break;
    case LEAVES:
        s->flow = (uint64_t)item->index + 1;
        write_flow(s, FXT_FLOW_BEGIN, s->store.spans.v[item->index].up, item->index, item->ts,
                   "parent");
        break;
    case ARRIVES:
        s->flow = (uint64_t)item->index + 1;
        write_flow(s, FXT_FLOW_END, item->index, item->index, item->ts, "parent");
        break;
    default:
        write_link(s, item);
        break;
    }
}

/* ---- their order ---- */

static int in_order(const void *a, const void *b) {
    const struct span_item *x = a, *y = b;
    if (x->ts != y->ts)
        return x->ts < y->ts ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void add(struct spans *s, uint64_t ts, uint32_t kind, size_t index) {
    vec_push(&s->items, ((struct span_item){ts, kind, (uint32_t)index}));
}

/* It arrives at the begin of a span, or later, if that it comes from begins later. */
static void add_arrow(struct spans *s, uint64_t from, uint64_t begin, uint32_t kind, size_t index) {
    if (from == UINT64_MAX)
        return;
    add(s, from, kind, index);
    add(s, from > begin ? from : begin, kind + 1, index);
}

static bool is_good(const struct spans *s, uint32_t span) {
    return !s->store.spans.v[span].damaged && !s->store.spans.v[span].again;
}

static void add_items(struct spans *s) {
    const struct span_store *store = &s->store;
    for (size_t i = 0; i < s->lanes.order.n; i++)
        add(s, store->spans.v[s->lanes.order.v[i]].begin, SLICE, i);
    for (uint32_t i = 0; i < store->spans.n; i++) {
        const struct span_entry *one = &store->spans.v[i];
        const struct span_place *place = &s->lanes.places[i];
        if (one->up == SPAN_NONE || place->above || !is_good(s, i) || !is_good(s, one->up))
            continue;
        add_arrow(s, place->from, one->begin, LEAVES, i);
    }
    for (size_t i = 0; i < store->links.n; i++) {
        const struct span_link *link = &store->links.v[i];
        if (link->from == SPAN_NONE || !is_good(s, link->from) || !is_good(s, link->span))
            continue;
        add_arrow(s, link->leaves, store->spans.v[link->span].begin, LINK_LEAVES, i);
    }
    for (size_t i = 0; i < store->points.n; i++)
        if (store->points.v[i].span == SPAN_NONE || !store->spans.v[store->points.v[i].span].again)
            add(s, store->points.v[i].ts, POINT, i);
    sort_items(NULL, s->items.v, s->items.n, sizeof *s->items.v, in_order);
}

static void tell(struct spans *s) {
    struct json_walk *walk = &s->walk;
    if (s->tree.again > 0)
        json_walk_note(walk, IMPORT_IGNORED,
                       "spans that are there twice, of which the first counts: %" PRIu64,
                       s->tree.again);
    if (s->tree.unknown > 0)
        json_walk_note(walk, IMPORT_IGNORED,
                       "parents or links of spans that are not in the source: %" PRIu64,
                       s->tree.unknown);
    if (s->tree.cycles > 0)
        json_walk_note(walk, IMPORT_FIELD, "spans that are their own ancestors: %" PRIu64,
                       s->tree.cycles);
    if (s->lanes.clamped > 0)
        json_walk_note(
            walk, IMPORT_IGNORED,
            "spans that begin outside of their parents, whose arrows begin inside: %" PRIu64,
            s->lanes.clamped);
    if (s->lanes.apart > 0)
        json_walk_note(
            walk, IMPORT_IGNORED,
            "spans that end before their parents or links begin, without arrows: %" PRIu64,
            s->lanes.apart);
    if (s->unread > 0)
        json_walk_note(walk, IMPORT_IGNORED, "%" PRIu64 " metrics are no gauges and no sums",
                       s->unread);
    if (s->store.spans.n + s->store.points.n == 0)
        json_walk_note(walk, IMPORT_IGNORED, "no events");
}

static uint64_t first_time(const struct spans *s) {
    size_t i = 0;
    while (i < s->items.n && s->items.v[i].ts == 0)
        i++;
    return i < s->items.n ? s->items.v[i].ts : 0;
}

/* Log records that name their span are on its lane. */
static void find_logs(struct spans *s) {
    for (size_t i = 0; i < s->store.points.n; i++) {
        struct span_point *p = &s->store.points.v[i];
        if (p->kind == SPAN_LOG && p->id != 0)
            p->span = span_tree_find(&s->tree, p->trace, p->id, p->process);
        if (p->kind == SPAN_LOG && p->span == SPAN_NONE)
            s->logs[p->process] = true;
    }
}

static void start_records(struct spans *s) {
    s->writes = true;
    span_tree_make(&s->tree, &s->store);
    span_lanes_make(&s->lanes, &s->store);
    s->logs = err_calloc(s->store.processes.n + 1, 1);
    find_logs(s);
    add_items(s);
    uint64_t base = first_time(s);
    tell(s);
    if (base > 0)
        writer_init_base(&s->walk.w, SECOND, base, base);
    else
        writer_init_record(&s->walk.w, SECOND);
    name_owners(s);
}

/* ---- steps ---- */

void spans_hurry(struct spans *s) {
    s->hurried = s->store.spans.n + s->store.points.n > 0;
}

void spans_step(struct spans *s, struct str bytes, bool last, struct import_news *news) {
    bool ends = last || s->hurried;
    if (s->most == 0)
        s->most = import_whole_memory();
    if (!s->writes) {
        json_walk_step(&s->walk, bytes, last);
        if (span_store_bytes(&s->store) > s->most || s->store.spans.n >= SPANS_MOST) {
            json_walk_note(&s->walk, IMPORT_CUT, "stopped after %zu spans: too little memory",
                           s->store.spans.n);
            ends = true;
        }
        if (ends)
            start_records(s);
    } else {
        s->walk.marks.n = s->walk.cases.n = 0;
    }
    for (size_t n = 0; s->writes && n < ITEMS && s->next < s->items.n; n++)
        write_item(s, &s->items.v[s->next++]);
    *news = json_walk_news(&s->walk);
    news->more = s->writes && s->next < s->items.n;
    news->held = s->writes ? 0 : span_store_bytes(&s->store);
}
