/* reader_near.c - what references of the current provider mean, for the fast path.
 *
 * Strings and threads are in arrays by reference, so that the fast path asks with one load and without a limit: indices
 * may have holes. An index enters when it is first used, from the tables of the provider and of the implicit one. All
 * are forgotten when another provider is current. So the memory is constant, however many providers there are.
 *
 * Inline threads and strings are in direct-mapped caches, by content. A text of up to 16 bytes is its first and last
 * word; of a longer one the bytes are compared as well. */
#include <string.h>

#include "src/fxt/reader_internal.h"

struct near *reader_near_new(struct reader *r) {
    struct near *near = err_calloc(1, sizeof *near); /* most of its pages are never touched */
    r->near = near;
    near->pairs_from = err_calloc(NEAR_PAIRS + 1, sizeof *near->pairs);
    near->pairs =
        (struct near_pair *)(((uintptr_t)near->pairs_from + sizeof *near->pairs - 1) & ~(sizeof *near->pairs - 1));
    for (unsigned low = 16; low < 256; low++) {
        unsigned type = low % 16;
        near->whole[low] = type <= FXT_ARG_BOOL && record_argument_fits(low, low / 16);
        near->reference[low] = type == FXT_ARG_STRING ? UINT16_MAX : 0;
        near->bytes[low] = low / 16 * 8;
    }
    near->durs[0] = DURATION_BEGINS;
    near->durs[1] = DURATION_ENDS;
    reader_near_forget(r);
    return near;
}

void reader_near_free(struct near *near) {
    vec_free(&near->used);
    free(near->pairs_from);
    free(near);
}

void reader_near_forget(struct reader *r) {
    struct near *near = r->near;
    for (size_t i = 0; i < near->used.n; i++) {
        near->known[near->used.v[i]] = 0;
        near->strings[near->used.v[i]] = 0;
        near->packed[near->used.v[i]] = 0;
    }
    near->used.n = 0;
    for (unsigned i = 0; i < 256; i++)
        near->threads[i] = (struct near_thread){&r->no_buffer, 0, 0};
    if (++near->epoch == 0) {
        memset(near->pairs, 0, NEAR_PAIRS * sizeof *near->pairs);
        near->epoch = 1;
    }
    near->entered = 0;
    near->known[0] = near->known[FXT_INLINE] = near->strings[0] = near->packed[0] = 1; /* name 0, never watched */
}

static void set(struct reader *r, uint16_t index, uint32_t value) {
    r->near->strings[index] = value;
    r->near->packed[index] = value - 1 == r->watched ? 0 : event_pack(0, value - 1) + 1;
}

void reader_near_string(struct reader *r, uint16_t index, uint32_t value) {
    if (r->near->known[index])
        set(r, index, value);
}

void reader_near_define(struct reader *r, uint16_t index, struct str text, uint64_t offset) {
    struct near *near = r->near;
    near->defined =
        (struct near_defined){text, names_hash(r->names, text.s, text.n), offset, index, near->known[index]};
    near->known[index] = 0;
    near->strings[index] = 0;
    near->packed[index] = 0;
}

void reader_near_look_up(struct reader *r) {
    struct near_defined *d = &r->near->defined;
    uint32_t value = names_intern_hashed(r->names, d->text.s, d->text.n, d->hash) + 1;
    index_table_set(&r->provider->strings, d->index, d->offset, value);
    if (d->known) {
        r->near->known[d->index] = 1;
        set(r, d->index, value);
    }
    d->text.s = NULL;
}

void reader_near_thread(struct reader *r, uint8_t index) {
    r->near->threads[index] = (struct near_thread){&r->no_buffer, 0, 0};
}

/* Number + 1 of the name of an index; 0: it was never registered. */
static uint32_t string_of(struct reader *r, uint16_t index) {
    struct near *near = r->near;
    uint32_t id;
    if (!reader_string_defined(r, index, &id))
        return 0;
    if (!near->known[index])
        vec_push(&near->used, index);
    near->known[index] = 1;
    set(r, index, id + 1);
    return id + 1;
}

struct near_thread *reader_near_find_thread(struct reader *r, uint8_t index) {
    struct near_thread *t = &r->near->threads[index];
    if (t->number == 0)
        t->number = reader_thread_now(r, index) + 1; /* NO_THREAD: 0 */
    return t->number != 0 ? t : NULL;
}

struct near_thread *reader_near_find_pair(struct reader *r, uint64_t pid, uint64_t tid, uint64_t offset) {
    struct near_pair *pair = reader_near_pair(r->near, pid, tid);
    if (pair->tid != tid || pair->pid != pid || pair->thread.epoch != r->near->epoch) {
        uint32_t number = reader_pair_thread(r, pid, tid, offset) + 1;
        *pair = (struct near_pair){pid, tid, {&r->no_buffer, number, r->near->epoch}};
        r->near->entered++;
    }
    return &pair->thread;
}

static uint32_t name_of(struct reader *r, const uint64_t *w, uint32_t bytes) {
    uint64_t words = (bytes + 7) / 8, first = record_word(w, false), last = record_word(w + words - 1, false);
    uint64_t hash = (first ^ hash_rotate(last, 23) ^ bytes) * UINT64_C(0x9e3779b97f4a7c15);
    struct near_text *text = &r->near->texts[hash >> 32 & (NEAR_TEXTS - 1)];
    if (text->ref == bytes && text->first == first && text->last == last &&
        (words <= 2 || str_eq(names_str(r->names, text->name), (struct str){(const char *)w, bytes})))
        return text->name;
    *text = (struct near_text){first, last, bytes, names_intern(r->names, (const char *)w, bytes)};
    return text->name;
}

/* The name of a reference; moves *w after its stream. */
static bool find_string(struct reader *r, uint16_t ref, const uint64_t **w, const uint64_t *end, uint32_t *name) {
    if (!(ref & FXT_INLINE)) {
        uint32_t v = r->near->strings[ref] ? r->near->strings[ref] : string_of(r, ref);
        *name = v - 1;
        return v != 0;
    }
    uint32_t bytes = ref & FXT_STRING_MAX, words = (bytes + 7) / 8;
    if (words > (uint64_t)(end - *w))
        return false;
    *name = bytes > 0 ? name_of(r, *w, bytes) : 0;
    *w += words;
    return true;
}

bool reader_near_find_event(struct reader *r, const uint64_t *w, uint64_t h, const uint64_t *end, uint64_t offset,
                            struct near_event *e) {
    uint8_t thread = (uint8_t)FXT_BITS(h, 24, 31);
    if ((uint64_t)(end - w) < (thread == 0 ? 4 : 2))
        return false;
    e->arguments = w + (thread == 0 ? 4 : 2);
    if (thread == 0)
        e->thread = reader_near_find_pair(r, record_word(w + 2, false), record_word(w + 3, false), offset);
    else
        e->thread = reader_near_find_thread(r, thread);
    return e->thread && find_string(r, (uint16_t)FXT_BITS(h, 32, 47), &e->arguments, end, &e->category) &&
           find_string(r, (uint16_t)(h >> 48), &e->arguments, end, &e->name) && e->name != r->watched;
}

/* Does an index mean something, or is the reference inline? */
static bool means(struct reader *r, uint16_t ref) {
    return r->near->known[ref] || ref & FXT_INLINE || string_of(r, ref) != 0;
}

const uint64_t *reader_near_arguments(struct reader *r, const uint64_t *w, const uint64_t *end, uint64_t count) {
    for (; count > 0; count--) {
        if (w >= end)
            return NULL;
        uint64_t h = record_word(w, false), size = FXT_BITS(h, 4, 15), type = FXT_BITS(h, 0, 3);
        if (size == 0 || size > (uint64_t)(end - w) || type > FXT_ARG_BLOB || !record_argument_fits(h, size) ||
            !means(r, (uint16_t)FXT_BITS(h, 16, 31)) ||
            (type == FXT_ARG_STRING && !means(r, (uint16_t)FXT_BITS(h, 32, 47))))
            return NULL;
        w += size;
    }
    return w;
}
