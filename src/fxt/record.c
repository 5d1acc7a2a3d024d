/* record.c - decodes one record at a time.
 *
 * A cursor takes words, strings, threads and arguments off a record and refuses those that do not
 * fit. Each type of record has a decode function, which stops at the first refusal and sets a
 * fault. If the format leaves a choice between one and two words of an inline thread, the size of
 * the record decides (SEMANTICS 1.8). */
#include "src/fxt/record.h"

#include "src/fxt/record_layout.h"

/* A position in one record. All are words: nothing is read at or past `avail`, and contents must
 * end before `size`. */
struct cursor {
    const uint64_t *words;
    uint64_t at, avail, size;
    bool swap;
};

static inline uint64_t left(const struct cursor *c) {
    return c->avail - c->at;
}

static inline bool take(struct cursor *c, uint64_t *w) {
    if (c->at >= c->avail)
        return false;
    *w = record_word(c->words + c->at++, c->swap);
    return true;
}

static inline uint64_t words_of(uint64_t bytes) {
    return bytes / 8 + (bytes % 8 != 0);
}

/* The string of a reference; an inline one has a stream. */
static bool take_string(struct cursor *c, uint16_t ref, struct fxt_string *s) {
    if (!(ref & FXT_INLINE)) {
        *s = (struct fxt_string){ref, NULL};
        return true;
    }
    uint64_t n = words_of(ref & FXT_STRING_MAX);
    if (n > left(c))
        return false;
    *s = (struct fxt_string){ref, (const char *)(c->words + c->at)};
    c->at += n;
    return true;
}

static bool take_thread(struct cursor *c, uint8_t index, struct fxt_thread_ref *t) {
    *t = (struct fxt_thread_ref){.index = index};
    return index != 0 || (take(c, &t->pid) && take(c, &t->tid));
}

/* `bytes` of payload, or the part of it that is in memory. False if it does not fit into the
 * record. */
static bool take_payload(struct cursor *c, uint64_t bytes, struct str *s) {
    uint64_t n = words_of(bytes), have = left(c);
    bool fits = n <= c->size - c->at;
    if (n > have) {
        n = have;
        bytes = have * 8;
    }
    *s = (struct str){(const char *)(c->words + c->at), (size_t)bytes};
    c->at += n;
    return fits;
}

static bool take_blob(struct fxt_record *r, struct cursor *c) {
    uint64_t most = (c->size - c->at) * 8;
    r->blob.at = c->at;
    r->blob.there = r->blob.size < most ? r->blob.size : most;
    return take_payload(c, r->blob.size, &r->payload);
}

bool record_argument_fits(uint64_t h, uint64_t size) {
    static const uint8_t least[16] = {[FXT_ARG_INT64] = 1,
                                      [FXT_ARG_UINT64] = 1,
                                      [FXT_ARG_DOUBLE] = 1,
                                      [FXT_ARG_POINTER] = 1,
                                      [FXT_ARG_KOID] = 1};
    unsigned type = (unsigned)FXT_BITS(h, 0, 3);
    uint64_t need = 1 + least[type];
    if (FXT_BITS(h, 31, 31))
        need += words_of(FXT_BITS(h, 16, 30));
    if (type == FXT_ARG_STRING && FXT_BITS(h, 47, 47))
        need += words_of(FXT_BITS(h, 32, 46));
    if (type == FXT_ARG_BLOB)
        need += words_of(FXT_BITS(h, 32, 63));
    return need <= size;
}

/* Takes `count` arguments, or those before the first malformed one; the cursor is then after the
 * last good one. */
static bool take_arguments(struct cursor *c, unsigned count, struct fxt_arguments *args) {
    uint64_t start = c->at;
    unsigned i;
    for (i = 0; i < count; i++) {
        if (c->at >= c->avail)
            break;
        uint64_t h = record_word(c->words + c->at, c->swap);
        uint64_t size = FXT_BITS(h, 4, 15);
        if (size == 0 || size > left(c) || !record_argument_fits(h, size))
            break;
        c->at += size;
    }
    *args = (struct fxt_arguments){c->words + start, (size_t)(c->at - start), i, c->swap, 0};
    return i == count;
}

int record_argument(struct fxt_arguments *args, struct fxt_argument_value *v) {
    if (args->count == 0)
        return 0;
    if (args->n == 0)
        return -1;
    uint64_t h = record_word(args->words, args->swap);
    uint64_t size = FXT_BITS(h, 4, 15);
    if (size == 0 || size > args->n || !record_argument_fits(h, size))
        return -1;
    struct cursor c = {args->words, 1, size, size, args->swap};
    *v = (struct fxt_argument_value){.type = (uint8_t)FXT_BITS(h, 0, 3)};
    take_string(&c, (uint16_t)FXT_BITS(h, 16, 31), &v->name);
    switch (v->type) {
    case FXT_ARG_INT32:
        v->bits = (uint64_t)(int64_t)(int32_t)(uint32_t)FXT_BITS(h, 32, 63);
        break;
    case FXT_ARG_UINT32:
        v->bits = FXT_BITS(h, 32, 63);
        break;
    case FXT_ARG_BOOL:
        v->bits = FXT_BITS(h, 32, 32);
        break;
    case FXT_ARG_INT64:
    case FXT_ARG_UINT64:
    case FXT_ARG_DOUBLE:
    case FXT_ARG_POINTER:
        take(&c, &v->bits);
        break;
    case FXT_ARG_KOID:
        take(&c, &v->bits);
        v->bits = record_id(args->ids, v->bits);
        break;
    case FXT_ARG_STRING:
        take_string(&c, (uint16_t)FXT_BITS(h, 32, 47), &v->string);
        break;
    case FXT_ARG_BLOB:
        take_payload(&c, FXT_BITS(h, 32, 63), &v->blob);
        break;
    default:
        break;
    }
    args->words += size;
    args->n -= (size_t)size;
    args->count--;
    return 1;
}

static void decode_metadata(struct fxt_record *r, struct cursor *c) {
    uint64_t h = r->header;
    unsigned type = (unsigned)FXT_BITS(h, 16, 19);
    r->provider.id = (uint32_t)FXT_BITS(h, 20, 51);
    switch (type) {
    case FXT_PROVIDER_INFO:
        r->kind = FXT_K_PROVIDER_INFO;
        if (words_of(FXT_BITS(h, 52, 59)) > left(c))
            r->faults |= FXT_FAULT_CONTENTS;
        else
            take_payload(c, FXT_BITS(h, 52, 59), &r->payload);
        break;
    case FXT_PROVIDER_SECTION:
        r->kind = FXT_K_PROVIDER_SECTION;
        break;
    case FXT_PROVIDER_EVENT:
        r->kind = FXT_K_PROVIDER_EVENT;
        r->provider.event = (uint8_t)FXT_BITS(h, 52, 55);
        break;
    case FXT_TRACE_INFO:
        if (h == FXT_MAGIC) {
            r->kind = FXT_K_MAGIC;
            break;
        }
        r->kind = FXT_K_TRACE_INFO_UNKNOWN;
        r->unknown.type = (uint8_t)FXT_BITS(h, 20, 23);
        break;
    default:
        r->kind = FXT_K_METADATA_UNKNOWN;
        r->unknown.type = (uint8_t)type;
        break;
    }
}

static void decode_init(struct fxt_record *r, struct cursor *c) {
    r->kind = FXT_K_INITIALIZATION;
    r->init.ends_by_name = FXT_BITS(r->header, 16, 16) != 0;
    if (!take(c, &r->init.ticks_per_second))
        r->faults |= FXT_FAULT_CONTENTS;
    else if (left(c) >= 2) {
        take(c, &r->init.base_tick);
        r->init.has_base = take(c, &r->init.base_unix_ns);
    }
}

static void decode_string(struct fxt_record *r, struct cursor *c) {
    r->kind = FXT_K_STRING;
    r->string_index = (uint16_t)FXT_BITS(r->header, 16, 30);
    uint64_t n = FXT_BITS(r->header, 32, 46);
    if (words_of(n) > left(c))
        r->faults |= FXT_FAULT_CONTENTS;
    else
        take_payload(c, n, &r->payload);
}

static void decode_thread(struct fxt_record *r, struct cursor *c) {
    r->kind = FXT_K_THREAD;
    r->thread_def.index = (uint8_t)FXT_BITS(r->header, 16, 23);
    if (!take(c, &r->thread_def.pid) || !take(c, &r->thread_def.tid))
        r->faults |= FXT_FAULT_CONTENTS;
}

static void decode_event(struct fxt_record *r, struct cursor *c) {
    uint64_t h = r->header;
    unsigned type = (unsigned)FXT_BITS(h, 16, 19);
    r->argc = (uint8_t)FXT_BITS(h, 20, 23);
    if (type > FXT_FLOW_END) {
        r->kind = FXT_K_EVENT_UNKNOWN;
        r->unknown.type = (uint8_t)type;
        return;
    }
    r->kind = (uint8_t)(FXT_K_INSTANT + type);
    if (!take(c, &r->ts) || !take_thread(c, (uint8_t)FXT_BITS(h, 24, 31), &r->thread)) {
        r->faults |= FXT_FAULT_CONTENTS | FXT_FAULT_NO_EVENT | FXT_FAULT_NO_TAIL;
        return;
    }
    if (!take_string(c, (uint16_t)FXT_BITS(h, 32, 47), &r->category) ||
        !take_string(c, (uint16_t)FXT_BITS(h, 48, 63), &r->name)) {
        r->faults |= FXT_FAULT_CONTENTS | FXT_FAULT_NO_TAIL;
        return;
    }
    if (!take_arguments(c, r->argc, &r->args)) {
        r->faults |= FXT_FAULT_ARGUMENTS | FXT_FAULT_NO_TAIL;
        return;
    }
    switch (type) {
    case FXT_INSTANT:
        r->scope.present = take(c, &r->scope.value);
        break;
    case FXT_DURATION_BEGIN:
    case FXT_DURATION_END:
        break;
    case FXT_DURATION_COMPLETE:
        if (!take(c, &r->end))
            r->faults |= FXT_FAULT_CONTENTS | FXT_FAULT_NO_TAIL;
        break;
    default:
        if (!take(c, &r->id))
            r->faults |= FXT_FAULT_CONTENTS | FXT_FAULT_NO_TAIL;
        break;
    }
}

static void decode_blob(struct fxt_record *r, struct cursor *c) {
    r->kind = FXT_K_BLOB;
    r->blob.size = FXT_BITS(r->header, 32, 46);
    r->blob.type = (uint8_t)FXT_BITS(r->header, 48, 55);
    if (!take_string(c, (uint16_t)FXT_BITS(r->header, 16, 31), &r->name) || !take_blob(r, c))
        r->faults |= FXT_FAULT_CONTENTS;
}

/* The inline process of a userspace object has one word, as the format requires, or two, as most
 * writers do. The form is taken with which the contents end where the record ends; else that which
 * fits; else two words. */
static void decode_userspace_object(struct fxt_record *r, struct cursor *c) {
    uint64_t h = r->header;
    uint16_t name = (uint16_t)FXT_BITS(h, 24, 39);
    r->kind = FXT_K_USERSPACE_OBJECT;
    r->argc = (uint8_t)FXT_BITS(h, 40, 43);
    r->thread.index = (uint8_t)FXT_BITS(h, 16, 23);
    if (!take(c, &r->user.pointer)) {
        r->faults |= FXT_FAULT_CONTENTS | FXT_FAULT_NO_EVENT;
        return;
    }
    if (r->thread.index == 0) {
        struct cursor best = *c;
        int best_score = -1;
        for (unsigned n = 2; n >= 1; n--) { /* 2: ends exactly, 1: fits, 0: neither */
            struct cursor t = *c;
            struct fxt_string s;
            struct fxt_arguments a;
            if (n > left(&t))
                continue;
            t.at += n;
            struct cursor behind = t;
            int score = 0;
            if (take_string(&t, name, &s) && take_arguments(&t, r->argc, &a))
                score = left(&t) == 0 ? 2 : 1;
            if (score > best_score) {
                best_score = score;
                best = behind;
            }
        }
        if (best_score < 0) {
            r->faults |= FXT_FAULT_CONTENTS | FXT_FAULT_NO_EVENT;
            return;
        }
        take(c, &r->thread.pid);
        r->thread.no_tid = true;
        c->at = best.at;
    }
    if (!take_string(c, name, &r->name))
        r->faults |= FXT_FAULT_CONTENTS;
    else if (!take_arguments(c, r->argc, &r->args))
        r->faults |= FXT_FAULT_ARGUMENTS;
}

static void decode_kernel_object(struct fxt_record *r, struct cursor *c) {
    uint64_t h = r->header;
    r->kind = FXT_K_KERNEL_OBJECT;
    r->argc = (uint8_t)FXT_BITS(h, 40, 43);
    r->object.type = (uint8_t)FXT_BITS(h, 16, 23);
    if (!take(c, &r->object.koid))
        r->faults |= FXT_FAULT_CONTENTS | FXT_FAULT_NO_EVENT;
    else if (!take_string(c, (uint16_t)FXT_BITS(h, 24, 39), &r->name))
        r->faults |= FXT_FAULT_CONTENTS;
    else if (!take_arguments(c, r->argc, &r->args))
        r->faults |= FXT_FAULT_ARGUMENTS;
}

static void decode_scheduling(struct fxt_record *r, struct cursor *c) {
    uint64_t h = r->header;
    unsigned type = (unsigned)FXT_BITS(h, 60, 63);
    bool whole = false;
    switch (type) {
    case FXT_SWITCH_LEGACY:
        r->kind = FXT_K_SWITCH_LEGACY;
        r->sched.cpu = (uint16_t)FXT_BITS(h, 16, 23);
        r->sched.state = (uint8_t)FXT_BITS(h, 24, 27);
        r->sched.out_priority = (uint8_t)FXT_BITS(h, 44, 51);
        r->sched.in_priority = (uint8_t)FXT_BITS(h, 52, 59);
        whole = take(c, &r->ts) && take_thread(c, (uint8_t)FXT_BITS(h, 28, 35), &r->thread) &&
                take_thread(c, (uint8_t)FXT_BITS(h, 36, 43), &r->sched.in);
        break;
    case FXT_SWITCH:
        r->kind = FXT_K_SWITCH;
        r->argc = (uint8_t)FXT_BITS(h, 16, 19);
        r->sched.cpu = (uint16_t)FXT_BITS(h, 20, 35);
        r->sched.state = (uint8_t)FXT_BITS(h, 36, 39);
        whole = take(c, &r->ts) && take(c, &r->sched.out_tid) && take(c, &r->sched.in_tid);
        break;
    case FXT_WAKEUP:
        r->kind = FXT_K_WAKEUP;
        r->argc = (uint8_t)FXT_BITS(h, 16, 19);
        r->sched.cpu = (uint16_t)FXT_BITS(h, 20, 35);
        whole = take(c, &r->ts) && take(c, &r->sched.in_tid);
        break;
    default:
        r->kind = FXT_K_SCHEDULING_UNKNOWN;
        r->unknown.type = (uint8_t)type;
        return;
    }
    if (!whole)
        r->faults |= FXT_FAULT_CONTENTS | FXT_FAULT_NO_EVENT;
    else if (!take_arguments(c, r->argc, &r->args))
        r->faults |= FXT_FAULT_ARGUMENTS;
}

static void decode_log(struct fxt_record *r, struct cursor *c) {
    uint64_t n = FXT_BITS(r->header, 16, 30);
    r->kind = FXT_K_LOG;
    if (!take(c, &r->ts) || !take_thread(c, (uint8_t)FXT_BITS(r->header, 32, 39), &r->thread))
        r->faults |= FXT_FAULT_CONTENTS | FXT_FAULT_NO_EVENT;
    else if (words_of(n) > left(c))
        r->faults |= FXT_FAULT_CONTENTS;
    else
        take_payload(c, n, &r->payload);
}

/* The inline thread of a module or mmap record has two words, or one if `rest` leaves only one. */
static bool take_profiler_thread(struct cursor *c, uint8_t index, uint64_t rest,
                                 struct fxt_thread_ref *t) {
    if (index != 0 || left(c) != rest + 1)
        return take_thread(c, index, t);
    *t = (struct fxt_thread_ref){.no_tid = true};
    return take(c, &t->pid);
}

static void decode_profiler(struct fxt_record *r, struct cursor *c) {
    uint64_t h = r->header;
    unsigned type = (unsigned)FXT_BITS(h, 16, 19);
    uint8_t thread = (uint8_t)FXT_BITS(h, 20, 27);
    if (type > FXT_BACKTRACE) {
        r->kind = FXT_K_PROFILER_UNKNOWN;
        r->unknown.type = (uint8_t)type;
        return;
    }
    r->kind = (uint8_t)(FXT_K_MODULE + type);
    bool known = take(c, &r->ts), whole = false;
    switch (type) {
    case FXT_MODULE: {
        uint64_t name = FXT_BITS(h, 44, 51), build = FXT_BITS(h, 52, 59);
        r->module.id = (uint16_t)FXT_BITS(h, 28, 43);
        known =
            known && take_profiler_thread(c, thread, words_of(name) + words_of(build), &r->thread);
        if (known && words_of(name) <= left(c)) {
            take_payload(c, name, &r->payload);
            whole = words_of(build) <= left(c) && take_payload(c, build, &r->module.build_id);
        }
        break;
    }
    case FXT_MMAP:
        r->mmap.module_id = (uint16_t)FXT_BITS(h, 28, 43);
        r->mmap.flags = (uint8_t)FXT_BITS(h, 44, 46);
        known = known && take_profiler_thread(c, thread, 3, &r->thread);
        whole =
            known && take(c, &r->mmap.start) && take(c, &r->mmap.size) && take(c, &r->mmap.address);
        break;
    default:
        known = known && take_thread(c, thread, &r->thread);
        if (known) {
            uint64_t n = FXT_BITS(h, 28, 35);
            whole = n <= left(c);
            r->backtrace.n = (uint8_t)(whole ? n : left(c));
            r->backtrace.pcs = c->words + c->at;
            c->at += r->backtrace.n;
        }
        break;
    }
    if (!known)
        r->faults |= FXT_FAULT_CONTENTS | FXT_FAULT_NO_EVENT;
    else if (!whole)
        r->faults |= FXT_FAULT_CONTENTS;
}

static void decode_large(struct fxt_record *r, struct cursor *c) {
    uint64_t h = r->header, f;
    unsigned type = (unsigned)FXT_BITS(h, 36, 39), format = (unsigned)FXT_BITS(h, 40, 43);
    if (type != 0 || format > FXT_LARGE_ATTACHMENT) {
        r->kind = FXT_K_LARGE_UNKNOWN;
        r->unknown.type = (uint8_t)type;
        r->unknown.format = (uint8_t)format;
        return;
    }
    bool event = format == FXT_LARGE_EVENT;
    r->kind = event ? FXT_K_LARGE_EVENT : FXT_K_LARGE_ATTACHMENT;
    if (!take(c, &f)) {
        r->faults |= FXT_FAULT_CONTENTS | FXT_FAULT_NO_EVENT;
        return;
    }
    if (!take_string(c, (uint16_t)FXT_BITS(f, 0, 15), &r->category) ||
        !take_string(c, (uint16_t)FXT_BITS(f, 16, 31), &r->name)) {
        r->faults |= FXT_FAULT_CONTENTS | FXT_FAULT_NO_EVENT;
        return;
    }
    if (event) {
        r->argc = (uint8_t)FXT_BITS(f, 32, 35);
        if (!take(c, &r->ts) || !take_thread(c, (uint8_t)FXT_BITS(f, 36, 43), &r->thread)) {
            r->faults |= FXT_FAULT_CONTENTS | FXT_FAULT_NO_EVENT;
            return;
        }
        if (!take_arguments(c, r->argc, &r->args)) {
            r->faults |= FXT_FAULT_ARGUMENTS;
            return;
        }
    }
    if (!take(c, &r->blob.size) || !take_blob(r, c))
        r->faults |= FXT_FAULT_CONTENTS;
}

uint64_t record_decode(struct fxt_record *r, const uint64_t *words, uint64_t avail, uint64_t size,
                       bool swap) {
    struct cursor c = {words, 1, avail, size, swap};
    uint64_t h = record_word(words, swap);
    /* most records: zero only the fields that decode_event() may leave out */
    if (FXT_BITS(h, 0, 3) == FXT_EVENT) {
        r->faults = r->argc = 0;
        r->swap = swap;
        r->words = size;
        r->header = h;
        r->ts = 0;
        r->thread = (struct fxt_thread_ref){0};
        r->category = r->name = (struct fxt_string){0};
        r->args = (struct fxt_arguments){0};
        r->payload = (struct str){NULL, 0};
        r->scope.value = 0;
        r->scope.present = false;
        decode_event(r, &c);
        return c.at;
    }
    *r = (struct fxt_record){.swap = swap, .words = size, .header = h};
    switch (FXT_BITS(h, 0, 3)) {
    case FXT_METADATA:
        decode_metadata(r, &c);
        break;
    case FXT_INITIALIZATION:
        decode_init(r, &c);
        break;
    case FXT_STRING:
        decode_string(r, &c);
        break;
    case FXT_THREAD:
        decode_thread(r, &c);
        break;
    case FXT_BLOB:
        decode_blob(r, &c);
        break;
    case FXT_USERSPACE_OBJECT:
        decode_userspace_object(r, &c);
        break;
    case FXT_KERNEL_OBJECT:
        decode_kernel_object(r, &c);
        break;
    case FXT_SCHEDULING:
        decode_scheduling(r, &c);
        break;
    case FXT_LOG:
        decode_log(r, &c);
        break;
    case FXT_PROFILER:
        decode_profiler(r, &c);
        break;
    case FXT_LARGE:
        decode_large(r, &c);
        break;
    default:
        r->kind = FXT_K_RECORD_UNKNOWN;
        r->unknown.type = (uint8_t)FXT_BITS(h, 0, 3);
        break;
    }
    return c.at;
}

/* Whether the contents of the record fill exactly its size. Words after the known contents are
 * legal, but garbage has them, too. Not inline, because most words of garbage have no plausible
 * header and should not pay for the struct. */
static __attribute__((noinline)) uint64_t plausible_contents(const uint64_t *words, uint64_t n,
                                                             uint64_t size, bool swap, bool *more) {
    struct fxt_record r;
    uint64_t used = record_decode(&r, words, n < size ? n : size, size, swap);
    if (n < size && r.faults) {
        *more = true;
        return 0;
    }
    return r.faults == 0 && (used == size || n < size) ? size : 0;
}

uint64_t record_plausible(const uint64_t *words, uint64_t n, bool swap, bool *more) {
    if (n == 0) {
        *more = true;
        return 0;
    }
    uint64_t h = record_word(words, swap), size = record_words(h);
    const struct record_layout *layout = size > 0 ? record_layout_plausible(h, size) : NULL;
    if (layout == NULL)
        return 0;
    if (layout->words > 0) /* the header decides the size */
        return size;
    if (n < size && FXT_BITS(h, 0, 3) != FXT_LARGE) {
        *more = true;
        return 0;
    }
    return plausible_contents(words, n, size, swap, more);
}

static void own_thread(struct fxt_thread_ref *thread, uint64_t bits) {
    thread->pid = record_id(bits, thread->pid);
    thread->tid = record_id(bits, thread->tid);
}

void record_own_ids(struct fxt_record *r, uint64_t bits) {
    r->args.ids = bits;
    own_thread(&r->thread, bits);
    switch (r->kind) {
    case FXT_K_THREAD:
        r->thread_def.pid = record_id(bits, r->thread_def.pid);
        r->thread_def.tid = record_id(bits, r->thread_def.tid);
        break;
    case FXT_K_ASYNC_BEGIN:
    case FXT_K_ASYNC_INSTANT:
    case FXT_K_ASYNC_END:
        r->id ^= bits;
        break;
    case FXT_K_FLOW_BEGIN:
    case FXT_K_FLOW_STEP:
    case FXT_K_FLOW_END:
        r->id = record_flow_id(bits, r->id);
        break;
    case FXT_K_KERNEL_OBJECT:
        r->object.koid = record_id(bits, r->object.koid);
        break;
    case FXT_K_SWITCH_LEGACY:
        own_thread(&r->sched.in, bits);
        break;
    case FXT_K_SWITCH:
    case FXT_K_WAKEUP:
        r->sched.out_tid = record_id(bits, r->sched.out_tid);
        r->sched.in_tid = record_id(bits, r->sched.in_tid);
        break;
    default:
        break;
    }
}
