/* demo.c - demo OUT.fxt writes a small trace with something of everything, for pictures and for
 * trying out keys.
 *
 * Two seconds of three services on four CPUs: frames that are laid out, painted and rastered on two
 * more threads, some late; audio that is mixed every 10 ms; requests from the network. Every run
 * writes the same bytes. Each service is a trace provider and the kernel a fourth; they take turns
 * in the file. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/fxt/writer.h"
#include "tests/lib/chance.h"

#define MS INT64_C(1000000)
#define US INT64_C(1000)
#define LENGTH (2000 * MS)
#define CHUNK (250 * MS) /* a provider's turn */
/* ticks of the first moment: a machine that has been up for a while */
#define START UINT64_C(48213000000)
#define CPUS 4
#define IDLE INT32_MIN /* the weight of idle threads */

enum process { RENDER = 1100, AUDIO = 1200, NET = 1300, KERNEL = 1000 };
enum thread {
    UI = 1101,
    RASTER_0,
    RASTER_1,
    VSYNC,
    MIXER = 1201,
    DECODE,
    IO = 1301,
    HTTP_0,
    HTTP_1,
    IDLE_0 = 1001,
    PAGEOUT = 1010,
};
enum provider { P_RENDER = 1, P_AUDIO, P_NET, P_KERNEL };

struct busy { /* a thread wants a CPU */
    int64_t from, to;
    enum thread tid, waker;
};

struct sched { /* one record of the kernel's */
    int64_t ts;
    unsigned cpu, state;
    uint64_t out, in; /* out 0: a wakeup */
    uint64_t waker;
};

struct demo {
    struct writer w;
    struct chance chance;
    VEC(struct busy) busy;
    VEC(struct sched) sched;
    VEC(int64_t) fetched; /* when data arrived that a frame shall use */
    size_t fetched_used;
    uint64_t frame, heap, flow, request, block;
    int64_t next_vsync, ui_free, raster_free[2], next_mix, next_request, http_free[2];
};

static int64_t between(struct demo *d, int64_t low, int64_t high) {
    return low + (int64_t)(chance_star(&d->chance) >> 11) % (high - low + 1);
}

/* Mostly near the low end, now and then far out: what durations look like. */
static int64_t around(struct demo *d, int64_t usual) {
    int64_t t = between(d, usual * 3 / 4, usual * 5 / 4);
    return chance_star(&d->chance) % 16 == 0 ? t * 2 : t;
}

/* ---- one record each ---- */

static struct writer_string text(struct demo *d, const char *s) {
    return writer_intern(&d->w, str_of(s));
}

static uint64_t pid_of(uint64_t tid) {
    return tid / 100 * 100;
}

static struct writer_event event(struct demo *d, enum thread tid, int64_t ts, const char *category,
                                 const char *name) {
    return (struct writer_event){
        .ts = START + (uint64_t)ts,
        .thread = writer_intern_thread(&d->w, pid_of(tid), tid),
        .category = text(d, category),
        .name = text(d, name),
    };
}

static struct writer_argument number(struct demo *d, const char *name, uint8_t type,
                                     uint64_t value) {
    return writer_number(type, text(d, name), value);
}

static struct writer_arguments one(const struct writer_argument *a) {
    return (struct writer_arguments){a, 1};
}

static void begin(struct demo *d, enum thread tid, int64_t ts, const char *category,
                  const char *name) {
    struct writer_event e = event(d, tid, ts, category, name);
    writer_begin(&d->w, &e);
}

static void end(struct demo *d, enum thread tid, int64_t ts, const char *category,
                const char *name) {
    struct writer_event e = event(d, tid, ts, category, name);
    writer_end(&d->w, &e);
}

struct stretch { /* ns since START */
    int64_t from, to;
};

static void complete(struct demo *d, enum thread tid, struct stretch at, const char *category,
                     const char *name, struct writer_arguments args) {
    struct writer_event e = event(d, tid, at.from, category, name);
    e.args = args;
    writer_complete(&d->w, &e, START + (uint64_t)at.to);
}

static void flow(struct demo *d, enum fxt_event type, enum thread tid, int64_t ts,
                 const char *category, uint64_t id) {
    struct writer_event e = event(d, tid, ts, category, category);
    writer_flow(&d->w, type, &e, id);
}

static void counter(struct demo *d, enum thread tid, int64_t ts, const char *name,
                    const char *series, uint64_t value) {
    struct writer_event e = event(d, tid, ts, "stats", name);
    struct writer_argument a = number(d, series, FXT_ARG_UINT64, value);
    e.args = one(&a);
    writer_counter(&d->w, &e, 0);
}

static void say(struct demo *d, enum thread tid, int64_t ts, const char *message) {
    writer_log(&d->w, START + (uint64_t)ts, writer_intern_thread(&d->w, pid_of(tid), tid),
               str_of(message));
}

static void wants_cpu(struct demo *d, enum thread tid, enum thread waker, int64_t from,
                      int64_t to) {
    vec_push(&d->busy, ((struct busy){from, to, tid, waker}));
}

/* ---- render_svc ---- */

/* Complete events are written when they end: the tiles before the raster that holds them. */
static void raster(struct demo *d, unsigned layer, int64_t submitted, uint64_t id) {
    enum thread tid = layer ? RASTER_1 : RASTER_0;
    int64_t start = submitted + between(d, 60 * US, 200 * US);
    if (start < d->raster_free[layer])
        start = d->raster_free[layer];
    int64_t t = start + 40 * US;
    unsigned tiles = 2 + (unsigned)(chance_star(&d->chance) % 4);
    flow(d, FXT_FLOW_END, tid, start + 5 * US, "frame", id);
    for (unsigned i = 0; i < tiles; i++) {
        int64_t took = around(d, 420 * US);
        struct writer_argument a[3] = {
            number(d, "tile", FXT_ARG_UINT32, i), number(d, "layer", FXT_ARG_UINT32, layer),
            writer_double(text(d, "coverage"), (double)between(d, 10, 100) / 100)};
        complete(d, tid, (struct stretch){t + took / 2, t + took - 20 * US}, "gpu", "Upload",
                 (struct writer_arguments){0});
        complete(d, tid, (struct stretch){t, t + took}, "gfx", "Raster tile",
                 (struct writer_arguments){a, 3});
        t += took + between(d, 5 * US, 25 * US);
    }
    struct writer_argument a = number(d, "tiles", FXT_ARG_INT32, tiles);
    complete(d, tid, (struct stretch){start, t + 15 * US}, "gfx", "Raster", one(&a));
    wants_cpu(d, tid, UI, start, t + 15 * US);
    d->raster_free[layer] = t + 45 * US;
}

static int64_t layout(struct demo *d, int64_t t, bool late) {
    int64_t took = late ? between(d, 14 * MS, 19 * MS) : around(d, 2200 * US), stop = t + took;
    begin(d, UI, t, "ui", "Layout");
    for (t += 30 * US; t + took / 5 < stop; t += 20 * US) {
        int64_t part = between(d, took / 8, took / 4);
        begin(d, UI, t, "ui", "Measure");
        if (chance_star(&d->chance) % 3 == 0)
            complete(d, UI, (struct stretch){t + part / 4, t + part / 2}, "text", "Shape text",
                     (struct writer_arguments){0});
        t += part;
        t = t < stop ? t : stop - US;
        end(d, UI, t, "ui", "Measure");
    }
    struct writer_event e = event(d, UI, stop, "ui", "Layout");
    struct writer_argument a = number(d, "nodes", FXT_ARG_INT32, (uint64_t)between(d, 180, 260));
    e.args = one(&a);
    writer_end(&d->w, &e);
    return stop;
}

static int64_t paint(struct demo *d, int64_t t, uint64_t id[2], int64_t submitted[2]) {
    begin(d, UI, t, "ui", "Paint");
    for (unsigned layer = 0; layer < 2; layer++) {
        int64_t took = around(d, 600 * US);
        struct writer_argument a[2] = {
            number(d, "object", FXT_ARG_POINTER, UINT64_C(0x7f3a5c001000) + layer * 0x40),
            writer_text(text(d, "kind"), text(d, layer ? "overlay" : "content")),
        };
        complete(d, UI, (struct stretch){t + 20 * US, t + took}, "ui", "Record layer",
                 (struct writer_arguments){a, 2});
        id[layer] = ++d->flow;
        submitted[layer] = t + took - 10 * US;
        flow(d, FXT_FLOW_BEGIN, UI, submitted[layer], "frame", id[layer]);
        t += took + 15 * US;
    }
    end(d, UI, t, "ui", "Paint");
    return t;
}

/* Data that arrived since the last frame goes into this one. */
static int64_t apply_fetched(struct demo *d, int64_t t) {
    while (d->fetched_used < d->fetched.n && d->fetched.v[d->fetched_used] < t) {
        int64_t took = around(d, 350 * US);
        d->fetched_used++;
        begin(d, UI, t, "ui", "Apply data");
        flow(d, FXT_FLOW_END, UI, t + 10 * US, "fetch", 100000 + d->fetched_used);
        end(d, UI, t + took, "ui", "Apply data");
        t += took + 10 * US;
    }
    return t;
}

static void frame(struct demo *d) {
    int64_t vsync = d->next_vsync, start = vsync + between(d, 80 * US, 300 * US), t;
    bool late = d->frame % 29 == 17;
    uint64_t id[2];
    int64_t submitted[2];
    struct writer_event e = event(d, VSYNC, vsync, "gfx", "vsync");
    writer_instant_scope(&d->w, &e, 2);
    wants_cpu(d, VSYNC, IDLE_0, vsync - 20 * US, vsync + 30 * US);
    d->next_vsync += 16666667;
    if (d->ui_free > vsync + 2 * MS) { /* the last one is still at it: this one is dropped */
        say(d, UI, vsync + 10 * US, "frame dropped: the one before took too long");
        return;
    }
    start = d->ui_free > start ? d->ui_free + 50 * US : start;
    struct writer_argument a = number(d, "number", FXT_ARG_UINT64, d->frame);
    e = event(d, UI, start, "ui", "Frame");
    e.args = one(&a);
    writer_begin(&d->w, &e);
    t = apply_fetched(d, start + 30 * US);
    t = layout(d, t + 10 * US, late);
    t = paint(d, t + 10 * US, id, submitted);
    if (d->frame % 24 == 23) {
        int64_t took = around(d, 1800 * US);
        a = number(d, "freed", FXT_ARG_UINT64, d->heap / 3);
        complete(d, UI, (struct stretch){t + 20 * US, t + took}, "vm", "Collect garbage", one(&a));
        d->heap -= d->heap / 3;
        t += took;
    }
    end(d, UI, t + 40 * US, "ui", "Frame");
    d->ui_free = t + 40 * US;
    wants_cpu(d, UI, VSYNC, start, d->ui_free);
    for (unsigned layer = 0; layer < 2; layer++)
        raster(d, layer, submitted[layer], id[layer]);
    d->heap += (uint64_t)between(d, 150000, 420000);
    counter(d, UI, d->ui_free, "heap", "used", d->heap);
    counter(d, VSYNC, vsync + 20 * US, "fps", "fps", late ? 37 : (uint64_t)between(d, 58, 60));
    d->frame++;
}

/* ---- audio_svc ---- */

static void mix(struct demo *d) {
    int64_t t = d->next_mix + between(d, 0, 60 * US), took = around(d, 900 * US);
    begin(d, MIXER, t, "audio", "Mix");
    if (d->block % 4 == 0) {
        int64_t from = t + 100 * US, long_one = around(d, 2400 * US);
        struct writer_argument a[2] = {writer_text(text(d, "codec"), text(d, "opus")),
                                       number(d, "samples", FXT_ARG_INT32, 1920)};
        uint64_t id = ++d->flow;
        flow(d, FXT_FLOW_BEGIN, MIXER, from - 20 * US, "decode", id);
        flow(d, FXT_FLOW_END, DECODE, from + 70 * US, "decode", id);
        complete(d, DECODE, (struct stretch){from + 60 * US, from + long_one}, "audio", "Decode",
                 (struct writer_arguments){a, 2});
        wants_cpu(d, DECODE, MIXER, from + 60 * US, from + long_one);
    }
    for (unsigned i = 0; i < 3; i++)
        complete(d, MIXER,
                 (struct stretch){t + (i + 1) * took / 5, t + (i + 1) * took / 5 + took / 6},
                 "audio",
                 i == 0   ? "Voice"
                 : i == 1 ? "Music"
                          : "Effects",
                 (struct writer_arguments){0});
    end(d, MIXER, t + took, "audio", "Mix");
    wants_cpu(d, MIXER, IDLE_0, t, t + took);
    counter(d, MIXER, t + took, "queue", "frames", (uint64_t)between(d, 2, 6));
    if (d->block == 117)
        say(d, MIXER, t + took + 10 * US, "underrun: 480 frames of silence");
    d->block++;
    d->next_mix += 10 * MS;
}

/* ---- net_svc ---- */

static void fetch(struct demo *d) {
    static const char *const urls[] = {"/feed?page=1", "/avatar/81.webp", "/feed?page=2",
                                       "/style.json", "/map/14/8580"};
    unsigned worker = d->http_free[0] <= d->http_free[1] ? 0 : 1;
    enum thread http = worker ? HTTP_1 : HTTP_0;
    int64_t asked = d->next_request, t = asked + between(d, 4 * MS, 20 * MS);
    uint64_t id = ++d->request, status = id % 9 == 8 ? 503 : 200;
    t = t > d->http_free[worker] ? t : d->http_free[worker] + MS;

    struct writer_event e = event(d, IO, asked, "net", "Fetch");
    struct writer_argument a[3] = {writer_text(text(d, "url"), writer_inline(str_of(urls[id % 5]))),
                                   number(d, "channel", FXT_ARG_KOID, 4711)};
    e.args = (struct writer_arguments){a, 2};
    complete(d, IO, (struct stretch){asked - 15 * US, asked + 120 * US}, "net", "Send request",
             (struct writer_arguments){0});
    wants_cpu(d, IO, UI, asked - 15 * US, asked + 120 * US);
    writer_async(&d->w, FXT_ASYNC_BEGIN, &e, id);
    counter(d, IO, asked, "io.queue", "depth", (uint64_t)between(d, 0, 5));

    begin(d, http, t, "net", "Handle response");
    int64_t head = t + around(d, 300 * US), body = head + around(d, 1500 * US);
    complete(d, http, (struct stretch){t + 20 * US, head}, "net", "Parse headers",
             (struct writer_arguments){0});
    e = event(d, http, head, "net", "Headers");
    a[0] = number(d, "status", FXT_ARG_INT32, status);
    e.args = one(a);
    writer_async(&d->w, FXT_ASYNC_INSTANT, &e, id);
    complete(d, http, (struct stretch){head + (body - head) / 4, body - 40 * US}, "net", "Inflate",
             (struct writer_arguments){0});
    complete(d, http, (struct stretch){head + 10 * US, body - 20 * US}, "net", "Read body",
             (struct writer_arguments){0});
    vec_push(&d->fetched, body);
    flow(d, FXT_FLOW_BEGIN, http, body - 10 * US, "fetch", 100000 + d->fetched.n);
    end(d, http, body, "net", "Handle response");
    e = event(d, http, body, "net", "Fetch");
    a[0] = number(d, "bytes", FXT_ARG_UINT64, (uint64_t)between(d, 900, 64000));
    a[1] = number(d, "cached", FXT_ARG_BOOL, id % 4 == 1);
    e.args = (struct writer_arguments){a, 2};
    writer_async(&d->w, FXT_ASYNC_END, &e, id);
    wants_cpu(d, http, IO, t, body);
    if (status != 200)
        say(d, http, body + 20 * US, "503 from upstream, will retry");
    d->http_free[worker] = body + MS;
    d->next_request += between(d, 8 * MS, 40 * MS);
}

/* ---- the kernel ---- */

static int by_from(const void *a, const void *b) {
    const struct busy *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->tid > y->tid) - (x->tid < y->tid);
}

static int by_ts(const void *a, const void *b) {
    const struct sched *x = a, *y = b;
    if (x->ts != y->ts)
        return (x->ts > y->ts) - (x->ts < y->ts);
    return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static void switch_to(struct demo *d, int64_t ts, unsigned cpu, uint64_t out, unsigned state,
                      uint64_t in) {
    vec_push(&d->sched, ((struct sched){ts, cpu, state, out, in, 0}));
}

/* Gives each stretch of work the CPU its thread had last, or one that is free; where none is, the
 * work is left out. Long stretches are interrupted once. */
static void schedule(struct demo *d) {
    int64_t free_at[CPUS] = {0};
    unsigned last[1024] = {0}; /* by thread: their numbers differ in the last three digits */
    qsort(d->busy.v, d->busy.n, sizeof *d->busy.v, by_from);
    for (size_t i = 0; i < d->busy.n; i++) {
        const struct busy *b = &d->busy.v[i];
        unsigned cpu = last[b->tid % 1024], tries = 0;
        while (free_at[cpu] + 30 * US > b->from && tries++ < CPUS)
            cpu = (cpu + 1) % CPUS;
        if (tries > CPUS || b->from < 100 * US)
            continue;
        last[b->tid % 1024] = cpu;
        free_at[cpu] = b->to;
        vec_push(&d->sched, ((struct sched){b->from - between(d, 8 * US, 25 * US), cpu, 0, 0,
                                            b->tid, b->waker}));
        switch_to(d, b->from - 3 * US, cpu, IDLE_0 + cpu, 1, b->tid);
        if (b->to - b->from > 4 * MS) {
            int64_t pause = b->from + (b->to - b->from) / 2;
            switch_to(d, pause, cpu, b->tid, 1, PAGEOUT);
            switch_to(d, pause + between(d, 40 * US, 300 * US), cpu, PAGEOUT, 3, b->tid);
        }
        switch_to(d, b->to, cpu, b->tid, 3, IDLE_0 + cpu);
    }
    qsort(d->sched.v, d->sched.n, sizeof *d->sched.v, by_ts);
}

static int32_t weight_of(uint64_t tid) {
    return tid >= IDLE_0 && tid < IDLE_0 + CPUS ? IDLE : tid == MIXER || tid == VSYNC ? 31 : 16;
}

static void write_schedule(struct demo *d) {
    writer_provider_section(&d->w, P_KERNEL);
    struct writer_string in = text(d, "incoming_weight"), out = text(d, "outgoing_weight"),
                         weight = text(d, "weight"), waker = text(d, "waker");
    for (size_t i = 0; i < d->sched.n; i++) {
        const struct sched *s = &d->sched.v[i];
        struct writer_argument a[2] = {
            writer_number(FXT_ARG_INT32, in, (uint64_t)weight_of(s->in)),
            writer_number(FXT_ARG_INT32, out, (uint64_t)weight_of(s->out))};
        struct writer_switch r = {.ts = START + (uint64_t)s->ts,
                                  .cpu = s->cpu,
                                  .out_state = s->state,
                                  .out_tid = s->out,
                                  .in_tid = s->in,
                                  .args = {a, 2}};
        if (s->out != 0) {
            writer_switch(&d->w, &r);
        } else {
            a[0].name = weight;
            a[1] = writer_number(FXT_ARG_KOID, waker, s->waker);
            writer_wakeup(&d->w, r.ts, r.cpu, r.in_tid, r.args);
        }
    }
}

/* ---- the file ---- */

static void name_object(struct demo *d, enum fxt_object type, uint64_t koid, const char *name,
                        uint64_t process) {
    struct writer_argument a = number(d, "process", FXT_ARG_KOID, process);
    writer_kernel_object(&d->w, type, koid, text(d, name),
                         process ? one(&a) : (struct writer_arguments){0});
}

static void introduce(struct demo *d, enum provider id, const char *name) {
    writer_provider_info(&d->w, id, str_of(name));
    writer_init_base(&d->w, 1000000000, START, UINT64_C(1767225600000000000));
}

static void introductions(struct demo *d) {
    static const struct {
        enum thread tid;
        const char *name;
    } threads[] = {{UI, "ui"},          {RASTER_0, "raster-0"}, {RASTER_1, "raster-1"},
                   {VSYNC, "vsync"},    {MIXER, "mixer"},       {DECODE, "decode"},
                   {IO, "io"},          {HTTP_0, "http-0"},     {HTTP_1, "http-1"},
                   {PAGEOUT, "pageout"}};
    introduce(d, P_RENDER, "render_svc");
    introduce(d, P_AUDIO, "audio_svc");
    introduce(d, P_NET, "net_svc");
    introduce(d, P_KERNEL, "ktrace");
    name_object(d, FXT_OBJECT_PROCESS, KERNEL, "kernel", 0);
    name_object(d, FXT_OBJECT_PROCESS, RENDER, "render_svc.cm", 0);
    name_object(d, FXT_OBJECT_PROCESS, AUDIO, "audio_svc.cm", 0);
    name_object(d, FXT_OBJECT_PROCESS, NET, "net_svc.cm", 0);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
        name_object(d, FXT_OBJECT_THREAD, threads[i].tid, threads[i].name, pid_of(threads[i].tid));
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        char name[16];
        snprintf(name, sizeof name, "idle %u", cpu);
        name_object(d, FXT_OBJECT_THREAD, IDLE_0 + cpu, name, KERNEL);
    }
    writer_kernel_object(&d->w, 4, 4711, text(d, "http channel"), (struct writer_arguments){0});
    writer_provider_section(&d->w, P_RENDER);
    struct writer_argument a[2] = {number(d, "width", FXT_ARG_INT32, 1280),
                                   number(d, "height", FXT_ARG_INT32, 800)};
    writer_userspace_object(&d->w, UINT64_C(0x7f3a5c001000),
                            writer_intern_thread(&d->w, RENDER, UI), text(d, "Layer: feed"),
                            (struct writer_arguments){a, 2});
    writer_userspace_object(&d->w, UINT64_C(0x7f3a5c001040),
                            writer_intern_thread(&d->w, RENDER, UI), text(d, "Layer: status bar"),
                            (struct writer_arguments){0});
    writer_blob(
        &d->w, text(d, "render_svc.config"), FXT_BLOB_DATA,
        STR("{\"vsync_hz\": 60, \"raster_threads\": 2, \"tile\": [256, 256], \"damage\": true}\n"));
}

static void write_all(struct demo *d) {
    writer_magic(&d->w);
    introductions(d);
    say(d, UI, 200 * US, "render_svc: 2 layers, 60 Hz");
    for (int64_t until = CHUNK; until <= LENGTH; until += CHUNK) {
        writer_provider_section(&d->w, P_NET);
        while (d->next_request < until && d->next_request < LENGTH - 40 * MS)
            fetch(d);
        writer_provider_section(&d->w, P_RENDER);
        while (d->next_vsync < until && d->next_vsync < LENGTH - 30 * MS)
            frame(d);
        writer_provider_section(&d->w, P_AUDIO);
        while (d->next_mix < until && d->next_mix < LENGTH - 5 * MS)
            mix(d);
    }
    writer_provider_section(&d->w, P_NET);
    begin(d, IO, LENGTH - 60 * MS, "net", "Wait for events"); /* the trace ends before it does */
    schedule(d);
    write_schedule(d);
    writer_provider_event(&d->w, P_AUDIO, 0);
}

int main(int argc, char **argv) {
    struct err err;
    if (argc != 2) {
        fputs("usage: demo OUT.fxt\n", stderr);
        return 2;
    }
    FILE *f = fopen(argv[1], "wb");
    if (f == NULL) {
        fprintf(stderr, "demo: %s: %s\n", argv[1], strerror(errno));
        return 2;
    }
    struct demo d = {.chance = {20260101},
                     .heap = 6000000,
                     .next_vsync = 5 * MS,
                     .next_mix = 2 * MS,
                     .next_request = 9 * MS};
    writer_init(&d.w, f);
    write_all(&d);
    bool ok = writer_flush(&d.w, &err);
    if (fclose(f) != 0 && ok)
        ok = err_set(&err, ERR_NO_OFFSET, "%s", strerror(errno));
    if (!ok)
        fprintf(stderr, "demo: %s: %s\n", argv[1], err.text);
    vec_free(&d.busy);
    vec_free(&d.sched);
    vec_free(&d.fetched);
    writer_free(&d.w);
    return ok ? 0 : 2;
}
