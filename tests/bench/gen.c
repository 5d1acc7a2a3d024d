/* gen.c - gen OUT.fxt [options] writes a large trace for measurements; `gen --help` lists the
 * options.
 *
 * Each thread is a small simulation of nested slices with a clock of its own. A heap takes the
 * thread whose next record is the earliest, so the file has the order of a real trace. Complete
 * events are at their end (children first) with --order end, else at their begin. The same options
 * and seed give the same bytes. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/base/wide.h"
#include "src/fxt/writer.h"
#include "tests/lib/chance.h"

#define NAMES 400
#define CATEGORIES 8
#define ARG_NAMES 24
#define VALUES 64
#define DEPTH_MAX 4096
#define SECTION 4096 /* records of a provider before the next one's turn */
#define CPUS 8
#define INDEX_MAX 0x7fff
#define ROOT_NS 16000000
#define LEAF_NS 2000

enum indexes { INDEXES_DENSE, INDEXES_SPARSE, INDEXES_HASHED }; /* of strings */
enum mix { MIX_BEGIN, MIX_COMPLETE, MIX_BOTH };
enum share {
    SHARE_INSTANT,
    SHARE_COUNTER,
    SHARE_ASYNC,
    SHARE_FLOW,
    SHARE_SCHED,
    SHARE_LOG,
    SHARES
};

struct options {
    uint64_t size, seed, clock; /* clock: ticks a second */
    unsigned threads, depth, reregister, providers, far;
    /* arguments of an event that has some; shares in percent of the records */
    double args, share[SHARES];
    enum mix mix;
    enum indexes indexes;
    bool children_first, inline_all;
};

struct frame {
    uint64_t begin, end;
    uint16_t name;
    uint8_t category;
    bool complete;
};

struct thread {
    uint64_t pid, tid, next; /* next: time of its next record */
    struct writer_thread ref;
    struct frame *stack;
    unsigned depth;
};

struct provider {
    uint32_t id;
    struct thread **heap; /* by next, the earliest first */
    unsigned n;
    struct writer_string names[NAMES], categories[CATEGORIES], arg_names[ARG_NAMES], values[VALUES];
    unsigned strings; /* registered, but dense ones */
    bool used[INDEX_MAX + 1];
};

struct gen {
    struct options o;
    struct writer w;
    struct chance chance;
    struct provider *providers, *p;
    char (*texts)[32]; /* NAMES of them */
    uint64_t flow, async, serial, limit[SHARES];
    bool flow_open;
    unsigned far; /* times far off so far */
    uint64_t running[CPUS];
};

static uint64_t gen_below(struct gen *g, uint64_t n) { /* n < 2^32 */
    return n > 0 ? ((chance_star(&g->chance) >> 32) * n) >> 32 : 0;
}

/* ---- names ---- */

static struct writer_string text_of(struct gen *g, const char *text) {
    struct str s = str_of(text);
    if (g->o.inline_all || g->o.indexes == INDEXES_DENSE)
        return g->o.inline_all ? writer_inline(s) : writer_intern(&g->w, s);
    /* A hole after the names, or a place by the text, or the next free one. */
    unsigned n = g->p->strings++, index = n < NAMES ? n + 1 : n + 600;
    if (g->o.indexes == INDEXES_HASHED) {
        uint32_t hash = 2166136261;
        for (size_t i = 0; i < s.n; i++)
            hash = (hash ^ (unsigned char)s.s[i]) * 16777619;
        for (index = hash % INDEX_MAX + 1; g->p->used[index];)
            index = index % INDEX_MAX + 1;
        g->p->used[index] = true;
    }
    writer_string(&g->w, (uint16_t)index, s);
    return writer_index((uint16_t)index);
}

static const char *category_text(unsigned i) {
    static const char *const texts[CATEGORIES] = {"gfx",   "net",   "io", "app", "kernel:syscall",
                                                  "audio", "input", "db"};
    return texts[i];
}

static const char *arg_text(unsigned i) {
    static const char *const texts[ARG_NAMES] = {
        "size",   "offset", "count", "status",   "id",    "path",  "bytes",   "width",
        "height", "frame",  "queue", "priority", "flags", "key",   "latency", "ratio",
        "url",    "method", "state", "token",    "owner", "depth", "retry",   "target"};
    return texts[i];
}

static const char *value_text(unsigned i) {
    static const char *const texts[] = {"ok",      "pending",   "GET /index.html", "texture/rgba8",
                                        "blocked", "cache hit", "/data/app/db",    "layer",
                                        "surface"};
    static char text[48];
    snprintf(text, sizeof text, "%s %u", texts[i % (sizeof texts / sizeof *texts)], i);
    return text;
}

static void name_texts(struct gen *g) {
    static const char *const verbs[] = {"Draw", "Load",   "Parse", "Send",
                                        "Wait", "Commit", "Read",  "Compose"};
    static const char *const nouns[] = {"Frame", "Layer",  "Request", "Buffer", "Tile",
                                        "Query", "Packet", "Glyphs",  "Tree"};
    for (unsigned i = 0; i < NAMES; i++)
        snprintf(g->texts[i], sizeof *g->texts, "%s%s_%u", verbs[i % 8], nouns[i / 8 % 9], i);
}

static void start_provider(struct gen *g, struct provider *p) {
    char name[32];
    int n = snprintf(name, sizeof name, "provider_%" PRIu32, p->id);
    writer_provider_info(&g->w, p->id, (struct str){name, (size_t)n});
    writer_init_record(&g->w, g->o.clock);
    for (unsigned i = 0; i < NAMES; i++)
        p->names[i] = text_of(g, g->texts[i]);
    for (unsigned i = 0; i < CATEGORIES; i++)
        p->categories[i] = text_of(g, category_text(i));
    for (unsigned i = 0; i < ARG_NAMES; i++)
        p->arg_names[i] = text_of(g, arg_text(i));
    for (unsigned i = 0; i < VALUES && !g->o.inline_all; i++)
        p->values[i] = text_of(g, value_text(i));
    for (unsigned i = 0; i < p->n; i++) {
        struct thread *t = p->heap[i];
        if (g->o.inline_all)
            t->ref = writer_inline_thread(t->pid, t->tid);
        else
            t->ref = writer_intern_thread(&g->w, t->pid, t->tid);
    }
}

/* Another text into the next slot of the names, round and round: what an old reference means must
 * not change. (The ends of slices that are open then say the new text, and are counted as
 * mismatches.) */
static void reregister(struct gen *g) {
    unsigned slot = (unsigned)(g->serial++ % NAMES);
    char text[48];
    int n = snprintf(text, sizeof text, "%s#%" PRIu64, g->texts[slot], g->serial / NAMES);
    if (!g->o.inline_all)
        writer_string(&g->w, g->p->names[slot].index, (struct str){text, (size_t)n});
}

/* ---- records ---- */

static struct writer_arguments some_args(struct gen *g, struct writer_argument args[15]) {
    static const uint8_t types[] = {FXT_ARG_INT32,   FXT_ARG_INT64,  FXT_ARG_UINT64, FXT_ARG_DOUBLE,
                                    FXT_ARG_STRING,  FXT_ARG_UINT32, FXT_ARG_STRING, FXT_ARG_KOID,
                                    FXT_ARG_POINTER, FXT_ARG_UINT64, FXT_ARG_DOUBLE, FXT_ARG_BOOL};
    uint64_t r = chance_star(&g->chance);
    if (r & 1 || g->o.args <= 0)
        return (struct writer_arguments){args, 0};
    size_t n = 1 + (size_t)((double)(r >> 11) * 0x1p-53 * (2 * g->o.args - 1));
    n = n > 15 ? 15 : n;
    for (size_t i = 0; i < n; i++) {
        uint64_t v = chance_star(&g->chance);
        struct writer_string name = g->p->arg_names[v % ARG_NAMES];
        uint8_t type = types[(v >> 8) % sizeof types];
        if (type == FXT_ARG_STRING) {
            unsigned value = (unsigned)(v >> 16) % VALUES;
            args[i] = writer_text(name, g->o.inline_all
                                            ? writer_inline(str_of(arg_text(value % ARG_NAMES)))
                                            : g->p->values[value]);
        } else if (type == FXT_ARG_DOUBLE) {
            args[i] = writer_double(name, (double)(v >> 40) / 1024);
        } else {
            args[i] = writer_number(
                type, name, v >> (type == FXT_ARG_INT32 || type == FXT_ARG_UINT32 ? 44 : 24));
        }
    }
    return (struct writer_arguments){args, n};
}

/* The time of an event in ticks; a flipped bit puts --far of them, evenly over the file, far
 * off. */
static uint64_t ticks(struct gen *g, uint64_t ns) {
    uint64_t time =
        g->o.clock == 1000000000 ? ns : wide_div(wide_mul(ns, g->o.clock), 1000000000).lo;
    if (g->far == g->o.far || writer_offset(&g->w) < g->o.size / (g->o.far + 1) * (g->far + 1))
        return time;
    g->far++;
    return time ^ UINT64_C(1) << 60;
}

static struct writer_event event_of(struct gen *g, const struct thread *t, uint64_t ts,
                                    unsigned category, unsigned name) {
    return (struct writer_event){.ts = ticks(g, ts),
                                 .thread = t->ref,
                                 .category = g->p->categories[category],
                                 .name = g->p->names[name]};
}

static void write_frame(struct gen *g, const struct thread *t, const struct frame *f, bool end) {
    struct writer_argument args[15];
    struct writer_event e = event_of(g, t, end ? f->end : f->begin, f->category, f->name);
    if (f->complete) {
        e.ts = ticks(g, f->begin);
        e.args = some_args(g, args);
        writer_complete(&g->w, &e, ticks(g, f->end));
    } else if (end) {
        writer_end(&g->w, &e);
    } else {
        e.args = some_args(g, args);
        writer_begin(&g->w, &e);
    }
}

static void write_counter(struct gen *g, const struct thread *t) {
    struct writer_event e = event_of(g, t, t->next, 2, 1 + (unsigned)gen_below(g, 4));
    struct writer_argument args[2] = {
        writer_number(FXT_ARG_INT64, g->p->arg_names[0], gen_below(g, 1u << 30)),
        writer_number(FXT_ARG_UINT32, g->p->arg_names[2], gen_below(g, 1000)),
    };
    e.args = (struct writer_arguments){args, 2};
    writer_counter(&g->w, &e, 0);
}

/* Each flow has a begin and an end, on whatever threads come along. */
static void write_flow(struct gen *g, const struct thread *t) {
    struct writer_event e = event_of(g, t, t->next, 3, 7);
    g->flow += !g->flow_open;
    writer_flow(&g->w, g->flow_open ? FXT_FLOW_END : FXT_FLOW_BEGIN, &e, g->flow);
    g->flow_open = !g->flow_open;
}

/* Sixteen operations are open at a time, in the end. */
static void write_async(struct gen *g, const struct thread *t) {
    struct writer_event e = event_of(g, t, t->next, 1, 20 + g->async / 2 % 8);
    uint64_t id = g->async / 2;
    if (g->async % 2 == 0)
        writer_async(&g->w, FXT_ASYNC_BEGIN, &e, id);
    else if (id >= 16) {
        e.name = g->p->names[20 + (id - 16) % 8];
        writer_async(&g->w, FXT_ASYNC_END, &e, id - 16);
    }
    g->async++;
}

static void write_sched(struct gen *g, const struct thread *t) {
    unsigned cpu = (unsigned)gen_below(g, CPUS);
    struct writer_switch s = {.ts = ticks(g, t->next),
                              .cpu = cpu,
                              .out_state = 3,
                              .out_tid = g->running[cpu],
                              .in_tid = t->tid};
    if (chance_star(&g->chance) & 1)
        writer_wakeup(&g->w, s.ts, cpu, t->tid, (struct writer_arguments){0});
    else
        writer_switch(&g->w, &s), g->running[cpu] = t->tid;
}

static void write_log(struct gen *g, const struct thread *t) {
    char text[64];
    int n = snprintf(text, sizeof text, "[%" PRIu64 "] request finished in %" PRIu64 " us",
                     g->serial++, gen_below(g, 9000));
    writer_log(&g->w, ticks(g, t->next), t->ref, (struct str){text, (size_t)n});
}

/* One record that is no slice, where the dice say so. */
static bool write_other(struct gen *g, const struct thread *t) {
    uint64_t dice = chance_star(&g->chance) >> 32;
    if (dice >= g->limit[SHARES - 1])
        return false;
    struct writer_event e = event_of(g, t, t->next, 0, 3);
    if (dice < g->limit[SHARE_INSTANT])
        writer_instant(&g->w, &e);
    else if (dice < g->limit[SHARE_COUNTER])
        write_counter(g, t);
    else if (dice < g->limit[SHARE_ASYNC])
        write_async(g, t);
    else if (dice < g->limit[SHARE_FLOW])
        write_flow(g, t);
    else if (dice < g->limit[SHARE_SCHED])
        write_sched(g, t);
    else
        write_log(g, t);
    return true;
}

static void open_frame(struct gen *g, struct thread *t) {
    uint64_t left = t->depth > 0 ? t->stack[t->depth - 1].end - t->next : ROOT_NS;
    uint64_t r = chance_star(&g->chance);
    struct frame f = {.begin = t->next,
                      .name = (uint16_t)((r >> 8) % NAMES),
                      .category = (uint8_t)(r % CATEGORIES)};
    f.end = f.begin + LEAF_NS / 2 + gen_below(g, left * 3 / 4);
    if (t->depth > 0 && f.end >= t->stack[t->depth - 1].end)
        f.end = t->stack[t->depth - 1].end - 1;
    f.complete = g->o.mix == MIX_COMPLETE || (g->o.mix == MIX_BOTH && r >> 63);
    if (!f.complete || !g->o.children_first)
        write_frame(g, t, &f, false);
    t->stack[t->depth++] = f;
}

static void close_frame(struct gen *g, struct thread *t) {
    const struct frame *f = &t->stack[--t->depth];
    if (!f->complete || g->o.children_first)
        write_frame(g, t, f, true);
}

/* Writes the thread's next event, and sets the time of the one after it. */
static void act(struct gen *g, struct thread *t) {
    uint64_t gap = 20 + gen_below(g, LEAF_NS);
    if (!write_other(g, t)) {
        if (t->depth > 0 && t->next >= t->stack[t->depth - 1].end) {
            close_frame(g, t);
        } else {
            open_frame(g, t);
            gap /= 4;
        }
    }
    uint64_t end = t->depth > 0 ? t->stack[t->depth - 1].end : UINT64_MAX;
    uint64_t left = end > t->next ? end - t->next : 0;
    bool nest = t->depth == 0 || (t->depth < g->o.depth && left > LEAF_NS && gen_below(g, 8) != 0);
    if (nest && t->next + gap < end)
        t->next += gap;
    else
        t->next = end > t->next ? end : t->next;
}

/* ---- the heap ---- */

static void sift_down(struct provider *p) {
    unsigned i = 0;
    struct thread *t = p->heap[0];
    for (;;) {
        unsigned child = 2 * i + 1;
        if (child >= p->n)
            break;
        if (child + 1 < p->n && p->heap[child + 1]->next < p->heap[child]->next)
            child++;
        if (p->heap[child]->next >= t->next)
            break;
        p->heap[i] = p->heap[child];
        i = child;
    }
    p->heap[i] = t;
}

static void section(struct gen *g, struct provider *p) {
    g->p = p;
    if (g->o.providers > 1)
        writer_provider_section(&g->w, p->id);
    for (uint64_t stop = g->w.records + SECTION;
         g->w.records < stop && writer_offset(&g->w) < g->o.size;) {
        uint64_t before = g->w.records;
        act(g, p->heap[0]);
        sift_down(p);
        if (g->o.reregister > 0 && g->w.records / g->o.reregister != before / g->o.reregister)
            reregister(g);
    }
}

/* Every slice gets its end, the outermost last. */
static void finish(struct gen *g) {
    for (unsigned i = 0; i < g->o.providers; i++) {
        g->p = &g->providers[i];
        writer_provider_section(&g->w, g->p->id);
        for (unsigned j = 0; j < g->p->n; j++)
            while (g->p->heap[j]->depth > 0)
                close_frame(g, g->p->heap[j]);
    }
}

static void set_up(struct gen *g) {
    /* The dice are thrown at each begin and end, and a complete event is written at one of them
     * only. */
    double sum = 0, written = g->o.mix == MIX_BEGIN ? 1 : g->o.mix == MIX_COMPLETE ? 0.5 : 0.75;
    for (int i = 0; i < SHARES; i++) {
        sum += g->o.share[i];
        g->limit[i] = (uint64_t)(sum * written * 0x1p32 / 100);
    }
    g->chance.seed = g->o.seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    g->texts = err_calloc(NAMES, sizeof *g->texts);
    name_texts(g);
    g->providers = err_calloc(g->o.providers, sizeof *g->providers);
    writer_magic(&g->w);
    for (unsigned i = 0; i < g->o.providers; i++) {
        struct provider *p = g->p = &g->providers[i];
        p->id = i + 1;
        p->n = g->o.threads / g->o.providers + (i < g->o.threads % g->o.providers);
        p->heap = err_calloc(p->n, sizeof *p->heap);
        for (unsigned j = 0; j < p->n; j++) {
            struct thread *t = p->heap[j] = err_calloc(1, sizeof *t);
            t->pid = 1000 + i * 100 + j / 8;
            t->tid = 2000 + (uint64_t)i * 100000 + j;
            t->next = 1000000 + j;
            t->stack = err_calloc(g->o.depth, sizeof *t->stack);
        }
        start_provider(g, p);
    }
}

static void tear_down(struct gen *g) {
    for (unsigned i = 0; i < g->o.providers; i++) {
        for (unsigned j = 0; j < g->providers[i].n; j++) {
            free(g->providers[i].heap[j]->stack);
            free(g->providers[i].heap[j]);
        }
        free(g->providers[i].heap);
    }
    free(g->providers);
    free(g->texts);
    writer_free(&g->w);
}

/* ---- options ---- */

static const struct option long_options[] = {
    {"size", required_argument, NULL, 's'},
    {"threads", required_argument, NULL, 't'},
    {"depth", required_argument, NULL, 'd'},
    {"args", required_argument, NULL, 'a'},
    {"mix", required_argument, NULL, 'm'},
    {"order", required_argument, NULL, 'o'},
    {"instants", required_argument, NULL, 256},
    {"counters", required_argument, NULL, 257},
    {"async", required_argument, NULL, 258},
    {"flows", required_argument, NULL, 259},
    {"sched", required_argument, NULL, 260},
    {"logs", required_argument, NULL, 261},
    {"indexes", required_argument, NULL, 'x'},
    {"clock", required_argument, NULL, 'c'},
    {"inline", no_argument, NULL, 'i'},
    {"reregister", required_argument, NULL, 'r'},
    {"far", required_argument, NULL, 'f'},
    {"providers", required_argument, NULL, 'p'},
    {"seed", required_argument, NULL, 'S'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static const char help[] =
    "usage: gen OUT.fxt [options]\n"
    "  --size BYTES            about so many, suffix k, m or g (1g)\n"
    "  --threads N             in all (16)\n"
    "  --depth N               of nesting (8)\n"
    "  --args N                of an event that has some, on average; half of the events have some "
    "(4.75)\n"
    "  --mix begin|complete|both   begin/end pairs, complete events, half and half (both)\n"
    "  --order start|end       complete events in the order of their begins, or children first "
    "(end)\n"
    "  --instants, --counters, --async, --flows, --sched, --logs PERCENT   of the records (2 2 0 1 "
    "0 0)\n"
    "  --indexes dense|sparse|hashed   of strings: without holes, with one, anywhere (dense)\n"
    "  --clock HZ              ticks a second (1000000000)\n"
    "  --inline                all strings and threads inline\n"
    "  --reregister N          a string slot gets another text every N records\n"
    "  --far N                 times far off, by a flipped bit (0, at most 8)\n"
    "  --providers N           (1)\n"
    "  --seed N                (1)\n";

static _Noreturn void usage(const char *why) {
    fprintf(stderr, "gen: %s\n%s", why, help);
    exit(2);
}

static uint64_t whole(const char *text, uint64_t min, uint64_t max) {
    char *end;
    errno = 0;
    uint64_t v = strtoull(text, &end, 0);
    static const char suffixes[] = "kmg";
    const char *suffix = *end ? strchr(suffixes, *end) : NULL;
    if (suffix != NULL) {
        v <<= 10 * (suffix - suffixes + 1);
        end++;
    }
    if (end == text || *end != '\0' || errno != 0 || v < min || v > max)
        usage("a number is out of range");
    return v;
}

static double decimal(const char *text, double max) {
    char *end;
    double v = strtod(text, &end);
    if (end == text || *end != '\0' || !(v >= 0 && v <= max))
        usage("a number is out of range");
    return v;
}

static int choice(const char *text, const char *const *words) {
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    usage("no such choice");
}

static const char *parse(struct options *o, int argc, char **argv) {
    static const char *const mixes[] = {"begin", "complete", "both", NULL},
                             *const orders[] = {"start", "end", NULL},
                             *const indexes[] = {"dense", "sparse", "hashed", NULL};
    int c;
    while ((c = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
        switch (c) {
        case 's':
            o->size = whole(optarg, 0, UINT64_C(1) << 50);
            break;
        case 't':
            o->threads = (unsigned)whole(optarg, 1, 1000000);
            break;
        case 'd':
            o->depth = (unsigned)whole(optarg, 1, DEPTH_MAX);
            break;
        case 'a':
            o->args = decimal(optarg, 15);
            break;
        case 'm':
            o->mix = (enum mix)choice(optarg, mixes);
            break;
        case 'o':
            o->children_first = choice(optarg, orders) == 1;
            break;
        case 'x':
            o->indexes = (enum indexes)choice(optarg, indexes);
            break;
        case 'c':
            o->clock = whole(optarg, 1, UINT64_C(1) << 40);
            break;
        case 'i':
            o->inline_all = true;
            break;
        case 'r':
            o->reregister = (unsigned)whole(optarg, 0, UINT32_MAX);
            break;
        case 'f':
            o->far = (unsigned)whole(optarg, 0, 8);
            break;
        case 'p':
            o->providers = (unsigned)whole(optarg, 1, 10000);
            break;
        case 'S':
            o->seed = whole(optarg, 0, UINT64_MAX);
            break;
        case 'h':
            fputs(help, stdout);
            exit(0);
        case '?':
            usage("see the options");
        default:
            o->share[c - 256] = decimal(optarg, 90);
            break;
        }
    }
    if (optind != argc - 1)
        usage("one file is written");
    if (o->providers > o->threads)
        usage("each provider needs a thread");
    return argv[optind];
}

int main(int argc, char **argv) {
    struct gen g = {.o = {.size = UINT64_C(1) << 30,
                          .seed = 1,
                          .clock = 1000000000,
                          .threads = 16,
                          .depth = 8,
                          .providers = 1,
                          .args = 4.75,
                          .share = {[SHARE_INSTANT] = 2, [SHARE_COUNTER] = 2, [SHARE_FLOW] = 1},
                          .mix = MIX_BOTH,
                          .children_first = true}};
    const char *path = parse(&g.o, argc, argv);
    struct timespec from, to;
    struct err err;
    clock_gettime(CLOCK_MONOTONIC, &from);
    FILE *f = fopen(path, "wb");
    if (f == NULL) {
        fprintf(stderr, "gen: %s: %s\n", path, strerror(errno));
        return 2;
    }
    setvbuf(f, NULL, _IONBF, 0); /* the writer's own pieces are large enough */
    writer_init(&g.w, f);
    set_up(&g);
    for (unsigned i = 0; writer_offset(&g.w) < g.o.size && !g.w.failed; i = (i + 1) % g.o.providers)
        section(&g, &g.providers[i]);
    finish(&g);
    bool ok = writer_flush(&g.w, &err);
    if (fclose(f) != 0 && ok)
        ok = err_set(&err, ERR_NO_OFFSET, "%s", strerror(errno));
    if (!ok) {
        fprintf(stderr, "gen: %s: %s\n", path, err.text);
        return 2;
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    double s = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
    uint64_t bytes = writer_offset(&g.w), n = g.w.records;
    printf("%" PRIu64 " bytes, %" PRIu64
           " records, %.1f bytes a record, %.2f s, %.1f million records a second\n",
           bytes, n, (double)bytes / (double)n, s, (double)n / s / 1e6);
    tear_down(&g);
    return 0;
}
