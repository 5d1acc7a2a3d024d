/* backtraces.c - looks up addresses and gives the stacks to samples.h.
 *
 * An address belongs to the latest mapping before the backtrace that has it. A mapping is of the
 * module that its number meant then, or else means next. The innermost address of a backtrace is
 * that of an instruction, the others return to the one after a call: one less is looked up. The
 * frames of an address are made once, and again if more is known of symbols. */
#include "src/import/profiles/backtraces.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/import/profiles/address_map.h"
#include "src/import/profiles/samples.h"

#define MODULE_NAME_MOST 256            /* bytes of one in the name of a frame */
#define NO_MODULE UINT32_MAX            /* of an address without a mapping */
#define MADE_TID (2 * SAMPLES_MADE_TID) /* apart from rows that the trace may have of an import */

struct module {
    bool missed; /* a backtrace was in it before it was registered */
    bool known;
    char *name;       /* NULL: not registered so far */
    char *build_id;   /* "": it has none */
    uint32_t symbols; /* symbols_module() */
};

struct process {
    uint64_t pid;
    struct address_map map;
};

struct number { /* of a module, in a process */
    uint32_t process;
    uint16_t id;
    uint32_t module; /* its present meaning */
};

struct address {
    uint64_t address;
    uint32_t module;   /* or NO_MODULE */
    uint32_t first, n; /* of its frames: the outermost first */
    uint64_t version;  /* of the symbols that they are made of */
    bool named;        /* they are */
    struct symbols_found found;
};

struct thread {
    uint64_t pid, tid;
    uint64_t left; /* when it left its CPU; UINT64_MAX: never, it is on one, or samples know it */
    bool sampled;
    bool held; /* its latest sample waits for its next record: that may be its switch */
    struct backtraces_sample sample;
    VEC(struct samples_frame) stack;
};

struct event {          /* a sample, or a switch, until all before it in time are known */
    uint64_t ts, place; /* place: in file order */
    bool switches, dead;
    uint64_t out, in;
    struct backtraces_sample sample;
    struct samples_frame *stack; /* owned */
    size_t n;
};

struct backtraces {
    struct backtraces_faults to;
    struct writer words;
    uint64_t made_tid;
    struct samples *samples; /* NULL: no sample so far */
    uint64_t period;         /* 0: not known */
    struct symbols symbols;
    const struct symbols_source *source; /* NULL: none */
    struct map by_pid, by_number, by_module, by_address;
    VEC(struct process *) processes;
    VEC(struct number) numbers;
    VEC(struct module) modules;
    VEC(struct address) addresses;
    VEC(struct samples_frame) frames; /* of the addresses */
    VEC(struct samples_frame) stack;
    struct u64map by_tid;
    VEC(struct thread) threads;
    VEC(struct event) events; /* since a second before the latest sample, but at most EVENTS_MOST */
    uint64_t places;
    uint64_t latest, latest_sample; /* time of all; and of samples */
    uint64_t offset;                /* of the present record */
};

/* ---- faults ---- */

static void fault(struct backtraces *b, enum import_fault kind, const char *sentence) {
    b->to.fault(b->to.ctx, kind, b->offset, sentence);
}

static void mark_sample(void *ctx, const struct import_place *source) {
    (void)ctx;
    (void)source;
}

static void fault_sample(void *ctx, enum import_fault kind, const struct import_place *source,
                         const char *sentence) {
    struct backtraces *b = ctx;
    b->to.fault(b->to.ctx, kind, source->byte, sentence);
}

/* ---- tables ---- */

struct wanted {
    const struct backtraces *b;
    const void *key;
};

static bool same_pid(const void *ctx, uint32_t i) {
    const struct wanted *w = ctx;
    return w->b->processes.v[i]->pid == *(const uint64_t *)w->key;
}

static uint32_t process_of(struct backtraces *b, uint64_t pid) {
    struct wanted wanted = {b, &pid};
    uint32_t i =
        map_intern(&b->by_pid, hash_words(pid, 0), same_pid, &wanted, (uint32_t)b->processes.n);
    if (i == b->processes.n) {
        struct process *p = err_calloc(1, sizeof *p);
        p->pid = pid;
        vec_push(&b->processes, p);
    }
    return i;
}

static bool same_number(const void *ctx, uint32_t i) {
    const struct wanted *w = ctx;
    const struct number *n = &w->b->numbers.v[i], *key = w->key;
    return n->process == key->process && n->id == key->id;
}

static uint32_t new_module(struct backtraces *b) {
    vec_push(&b->modules, ((struct module){0}));
    return (uint32_t)b->modules.n - 1;
}

static struct number *number_of(struct backtraces *b, uint64_t pid, uint16_t id) {
    struct number number = {.process = process_of(b, pid), .id = id};
    struct wanted wanted = {b, &number};
    uint32_t i = map_intern(&b->by_number, hash_words(number.process, id), same_number, &wanted,
                            (uint32_t)b->numbers.n);
    if (i == b->numbers.n) {
        number.module = new_module(b);
        vec_push(&b->numbers, number);
    }
    return &b->numbers.v[i];
}

/* ---- modules and mappings ---- */

/* A build id as lower-case hexadecimal digits: as it is, or of its bytes. */
static struct str build_id_of(struct str given, char text[512]) {
    static const char digits[] = "0123456789abcdef";
    size_t n = 0;
    bool hex = given.n > 0;
    for (size_t i = 0; i < given.n && hex; i++)
        hex = given.s[i] != '\0' && strchr("0123456789abcdefABCDEF", given.s[i]);
    for (size_t i = 0; i < given.n && i < 255; i++) { /* the format's limit */
        unsigned char c = (unsigned char)given.s[i];
        if (hex) {
            text[n++] = (char)(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
        } else {
            text[n++] = digits[c >> 4];
            text[n++] = digits[c & 15];
        }
    }
    return (struct str){text, n};
}

void backtraces_module(struct backtraces *b, uint64_t offset, uint64_t pid,
                       const struct fxt_record *r) {
    char text[512];
    b->offset = offset;
    if (r->faults)
        return; /* counted by the reader */
    struct number *number = number_of(b, pid, r->module.id);
    struct str build_id = build_id_of(r->module.build_id, text);
    uint32_t symbols = symbols_module(&b->symbols, build_id, r->payload);
    struct module *m = &b->modules.v[number->module];
    if (m->name && m->symbols == symbols && str_eq(str_of(m->name), r->payload))
        return;
    if (m->name) { /* the number is of another one from here on */
        number->module = new_module(b);
        m = &b->modules.v[number->module];
    }
    m->name = err_malloc(r->payload.n + 1);
    for (size_t i = 0; i < r->payload.n; i++)
        m->name[i] = (char)(r->payload.s[i] ? r->payload.s[i] : ' ');
    m->name[r->payload.n] = '\0';
    m->build_id = err_copy(build_id.s, build_id.n);
    m->symbols = symbols;
}

void backtraces_mmap(struct backtraces *b, uint64_t offset, uint64_t pid,
                     const struct fxt_record *r) {
    b->offset = offset;
    if (r->faults)
        return;
    uint64_t start = r->mmap.start, last = start + (r->mmap.size - 1);
    if (r->mmap.size == 0) {
        fault(b, IMPORT_FIELD, "a mapping of no length");
        return;
    }
    if (last < start) {
        fault(b, IMPORT_FIELD, "a mapping beyond the last address: up to that");
        last = UINT64_MAX;
    }
    const struct number *number = number_of(b, pid, r->mmap.module_id);
    struct address_piece piece = {start, last, r->mmap.address - start, number->module};
    address_map_add(&b->processes.v[number->process]->map, piece);
}

/* ---- blobs ---- */

#define PERIOD_BLOB STR("samples")

bool backtraces_wants_blob(struct str name) {
    return str_eq(name, SYMBOLS_BLOB) || str_eq(name, PERIOD_BLOB);
}

static void fault_line(void *ctx, unsigned line, const char *sentence) {
    char said[120];
    snprintf(said, sizeof said, "line %u of symbols: %s", line, sentence);
    fault(ctx, IMPORT_FIELD, said);
}

static void take_period(struct backtraces *b, struct str blob) {
    while (blob.n > 0) {
        struct str line = symbols_cut(&blob, '\n'), word = symbols_cut(&line, ' ');
        if (!str_eq(word, STR("period")))
            continue;
        if (!symbols_number(line, 10, INT64_MAX, &b->period) || b->period == 0) {
            b->period = 0;
            fault(b, IMPORT_FIELD, "a period of samples that is no number of nanoseconds");
        }
        if (b->samples)
            samples_period(b->samples, 1, b->period);
    }
}

void backtraces_blob(struct backtraces *b, uint64_t offset, struct str name, struct str bytes) {
    b->offset = offset;
    if (str_eq(name, PERIOD_BLOB))
        take_period(b, bytes);
    else
        symbols_take(&b->symbols, bytes, (struct symbols_faults){b, fault_line});
}

/* ---- frames ---- */

static struct str base_of(struct str path) {
    for (size_t i = path.n; i > 0; i--)
        if (path.s[i - 1] == '/')
            return (struct str){path.s + i, path.n - i};
    return path;
}

static void add_frame(struct backtraces *b, struct str name, struct str file, struct str dso,
                      uint32_t line) {
    struct import_place place = {.byte = b->offset};
    vec_push(&b->frames,
             ((struct samples_frame){samples_frame(b->samples, &place, name, file, dso), line}));
}

static void make_frames(struct backtraces *b, struct address *a) {
    char text[MODULE_NAME_MOST + 32];
    struct str none = {"", 0}, dso = none;
    a->first = (uint32_t)b->frames.n;
    if (a->module != NO_MODULE)
        dso = str_of(b->modules.v[a->module].name);
    for (uint32_t i = a->found.n; i > 0; i--) {
        struct symbol symbol = b->symbols.symbols.v[a->found.first + i - 1];
        const struct symbols_function *f = &b->symbols.functions.v[symbol.function];
        add_frame(b, str_of(f->name), str_of(f->file), dso, symbol.line);
    }
    if (a->found.n == 0) {
        struct str base = base_of(dso);
        int n = snprintf(text, sizeof text, "0x%" PRIx64 "%s%.*s", a->address,
                         base.n > 0 ? " " : "", str_head(base, MODULE_NAME_MOST), base.s);
        add_frame(b, (struct str){text, (size_t)n}, none, dso, 0);
    }
    a->n = (uint32_t)b->frames.n - a->first;
}

static bool same_address(const void *ctx, uint32_t i) {
    const struct wanted *w = ctx;
    const struct address *a = &w->b->addresses.v[i], *key = w->key;
    return a->address == key->address && a->module == key->module;
}

static struct symbols_found find_symbols(struct backtraces *b, const struct module *m,
                                         uint64_t address) {
    if (b->source == NULL)
        return symbols_find(&b->symbols, m->symbols, address);
    return symbols_seek(&b->symbols, m->symbols, address, b->source, str_of(m->build_id),
                        str_of(m->name));
}

/* The frames of an address, which is one in the numbering of its module. */
static const struct address *address_of(struct backtraces *b, uint32_t module, uint64_t address) {
    struct address key = {.address = address, .module = module};
    struct wanted wanted = {b, &key};
    uint32_t i = map_intern(&b->by_address, hash_words(address, module), same_address, &wanted,
                            (uint32_t)b->addresses.n);
    bool is_new = i == b->addresses.n;
    if (is_new)
        vec_push(&b->addresses, key);
    struct address *a = &b->addresses.v[i];
    if (is_new || a->version != b->symbols.version) {
        struct symbols_found found = {0, 0};
        if (module != NO_MODULE)
            found = find_symbols(b, &b->modules.v[module], address);
        bool same = !is_new && found.first == a->found.first && found.n == a->found.n;
        a->found = found;
        a->version = b->symbols.version; /* also if they have grown by this one */
        if (!same)
            make_frames(b, a);
    }
    return a;
}

static const struct address *look_up(struct backtraces *b, const struct process *process,
                                     uint64_t pc, bool returns) {
    uint64_t at = returns && pc > 0 ? pc - 1 : pc;
    const struct address_piece *piece = address_map_find(&process->map, at);
    if (piece == NULL)
        return address_of(b, NO_MODULE, pc);
    struct module *m = &b->modules.v[piece->what];
    if (m->name)
        return address_of(b, piece->what, at + piece->bias);
    if (!m->missed) {
        fault(b, IMPORT_FIELD, "a backtrace in a mapping of a module that is not registered");
        m->missed = true;
    }
    return address_of(b, NO_MODULE, pc);
}

/* ---- samples ---- */

static void start(struct backtraces *b) {
    writer_magic(&b->words);
    writer_init_record(&b->words, 1000000000);
    b->samples =
        samples_new((struct samples_out){&b->words, &b->made_tid, b, mark_sample, fault_sample});
    /* a thread may have slices: its samples are on a row of their own */
    samples_event(b->samples, STR(""));
    samples_event(b->samples, STR("samples"));
    samples_period(b->samples, 1, b->period);
}

static struct thread *thread_of(struct backtraces *b, uint64_t tid) {
    uint64_t i = u64map_get(&b->by_tid, u64map_key(tid));
    if (i == UINT64_MAX) {
        i = b->threads.n;
        u64map_set(&b->by_tid, u64map_key(tid), i);
        vec_push(&b->threads, ((struct thread){.tid = tid, .left = UINT64_MAX}));
    }
    return &b->threads.v[i];
}

/* It left its CPU without a sample of that moment. */
static void leave(struct backtraces *b, struct thread *thread) {
    struct import_place place = {.byte = b->offset};
    if (thread->sampled && thread->left != UINT64_MAX)
        samples_off(b->samples, thread->left, thread->pid, thread->tid, &place);
    thread->left = UINT64_MAX;
}

static void give(struct backtraces *b, struct thread *thread, bool blocked) {
    if (!thread->held)
        return;
    thread->held = false;
    thread->pid = thread->sample.pid;
    thread->sampled = true;
    samples_add(b->samples, &(struct samples_sample){.ts = thread->sample.ts,
                                                     .pid = thread->sample.pid,
                                                     .tid = thread->sample.tid,
                                                     .frames = thread->stack.v,
                                                     .n = thread->stack.n,
                                                     .cpu = -1,
                                                     .weight = 1,
                                                     .blocked = blocked,
                                                     .event = 1,
                                                     .thread = thread->sample.thread,
                                                     .source.byte = thread->sample.offset});
}

static void take_sample(struct backtraces *b, const struct event *event) {
    struct thread *thread = thread_of(b, event->sample.tid);
    bool blocked = thread->left == event->ts;
    give(b, thread, false);
    if (!blocked)
        leave(b, thread);
    thread->left = UINT64_MAX;
    thread->stack.n = 0;
    for (size_t i = 0; i < event->n; i++)
        vec_push(&thread->stack, event->stack[i]);
    thread->sample = event->sample;
    thread->held = true;
    if (blocked)
        give(b, thread, true);
}

static void take_switch(struct backtraces *b, const struct event *event) {
    struct import_place place = {.byte = b->offset};
    struct thread *thread = thread_of(b, event->out);
    bool blocked = thread->held && thread->sample.ts == event->ts && !event->dead;
    give(b, thread, blocked);
    thread->left = blocked ? UINT64_MAX : event->ts;
    if (event->dead && thread->sampled)
        samples_on(b->samples, event->ts, thread->pid, event->out, &place);
    if (event->dead)
        leave(b, thread);
    thread = thread_of(b, event->in);
    if (thread->sample.ts < event->ts) /* else it may leave its CPU again at that time */
        give(b, thread, false);
    leave(b, thread);
    if (thread->sampled)
        samples_on(b->samples, event->ts, thread->pid, event->in, &place);
}

/* ---- the order of time ---- */

#define EVENTS_MOST 65536
#define SECOND UINT64_C(1000000000)
#define HELD (30 * SECOND) /* stacks whose names are sought come so much later than switches */

static int by_time(const void *v, const void *w) {
    const struct event *x = v, *y = w;
    if (x->ts != y->ts)
        return x->ts < y->ts ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Takes the events up to a time, and at least so many. */
static void take_events(struct backtraces *b, uint64_t until, size_t least) {
    size_t n = b->events.n, i = 0;
    if (n > 1)
        qsort(b->events.v, n, sizeof *b->events.v, by_time);
    for (; i < n && (i < least || b->events.v[i].ts <= until); i++) {
        if (b->events.v[i].switches)
            take_switch(b, &b->events.v[i]);
        else
            take_sample(b, &b->events.v[i]);
        free(b->events.v[i].stack);
    }
    if (i > 0)
        memmove(b->events.v, b->events.v + i, (n - i) * sizeof *b->events.v);
    b->events.n = n - i;
}

/* Writers collect the records of a moment from several buffers, one after the other. */
static void add_event(struct backtraces *b, struct event event) {
    event.place = b->places++;
    vec_push(&b->events, event);
    if (event.ts > b->latest)
        b->latest = event.ts;
    if (b->events.n == EVENTS_MOST)
        take_events(b, 0, EVENTS_MOST / 2);
}

void backtraces_add(struct backtraces *b, const struct backtraces_sample *sample,
                    const struct fxt_record *r) {
    b->offset = sample->offset;
    if (b->samples == NULL)
        start(b);
    uint32_t number = process_of(b, sample->pid);
    b->stack.n = 0;
    for (unsigned i = r->backtrace.n; i > 0; i--) {
        uint64_t pc = record_word(r->backtrace.pcs + i - 1, r->swap);
        const struct address *a = look_up(b, b->processes.v[number], pc, i > 1);
        for (uint32_t k = 0; k < a->n; k++)
            vec_push(&b->stack, b->frames.v[a->first + k]);
    }
    size_t bytes = b->stack.n * sizeof *b->stack.v;
    if (sample->ts > b->latest_sample)
        b->latest_sample = sample->ts;
    struct event event = {.ts = sample->ts, .sample = *sample, .n = b->stack.n};
    event.stack = err_malloc(bytes + 1);
    if (bytes > 0)
        memcpy(event.stack, b->stack.v, bytes);
    add_event(b, event);
}

void backtraces_switch(struct backtraces *b, uint64_t ts, uint64_t out, bool dead, uint64_t in) {
    add_event(b, (struct event){.ts = ts, .switches = true, .dead = dead, .out = out, .in = in});
}

void backtraces_end(struct backtraces *b) {
    take_events(b, UINT64_MAX, 0);
    for (size_t i = 0; i < b->threads.n; i++) {
        give(b, &b->threads.v[i], false);
        leave(b, &b->threads.v[i]);
    }
    if (b->samples)
        samples_end(b->samples, b->latest);
}

struct str backtraces_take(struct backtraces *b) {
    uint64_t sampled = b->latest_sample > SECOND ? b->latest_sample - SECOND : 0,
             all = b->latest > HELD ? b->latest - HELD : 0;
    if (sampled > 0 || all > 0)
        take_events(b, sampled > all ? sampled : all, 0);
    return writer_take(&b->words);
}

struct backtraces *backtraces_new(struct backtraces_faults to, size_t part) {
    struct backtraces *b = err_calloc(1, sizeof *b);
    b->to = to;
    b->made_tid = MADE_TID + ((uint64_t)part << 40);
    writer_init(&b->words, NULL);
    return b;
}

void backtraces_source(struct backtraces *b, const struct symbols_source *source) {
    b->source = source;
}

void backtraces_free(struct backtraces *b) {
    if (b == NULL)
        return;
    for (size_t i = 0; i < b->processes.n; i++) {
        address_map_free(&b->processes.v[i]->map);
        free(b->processes.v[i]);
    }
    for (size_t i = 0; i < b->modules.n; i++) {
        free(b->modules.v[i].name);
        free(b->modules.v[i].build_id);
    }
    for (size_t i = 0; i < b->threads.n; i++)
        vec_free(&b->threads.v[i].stack);
    for (size_t i = 0; i < b->events.n; i++)
        free(b->events.v[i].stack);
    vec_free(&b->events);
    vec_free(&b->stack);
    if (b->samples)
        samples_free(b->samples);
    writer_free(&b->words);
    symbols_free(&b->symbols);
    vec_free(&b->processes);
    vec_free(&b->numbers);
    vec_free(&b->modules);
    vec_free(&b->addresses);
    vec_free(&b->frames);
    vec_free(&b->threads);
    map_free(&b->by_pid);
    map_free(&b->by_number);
    map_free(&b->by_module);
    map_free(&b->by_address);
    u64map_free(&b->by_tid);
    free(b);
}
