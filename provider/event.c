/* event.c - what the trace macros call: from a call site and its arguments to a record.
 *
 * The words of a record are counted first and written then, straight into the thread's chunk. A
 * call site keeps the indexes of its literals for a generation. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "provider/clock.h"
#include "provider/lib/trace/event.h"
#include "provider/names.h"
#include "provider/session.h"
#include "provider/write.h"

#define RECORD_MAX 4095         /* words */
#define ANY_ROOM (SIZE_MAX / 8) /* words */
#define VIRTUAL (UINT64_C(1) << 63)

static const struct fxttrace_arg no_arguments[1]; /* with a count of 0 */

/* ---- references ---- */

struct text { /* a string reference: an index, or an inline text */
    const char *s;
    uint32_t n; /* bytes inline; 0: none */
    uint16_t index;
};

static size_t text_words(struct text t) {
    return (t.n + 7) / 8;
}

static uint64_t text_ref(struct text t) {
    return t.n > 0 ? 0x8000u | t.n : t.index;
}

static uint64_t *put_text(uint64_t *to, struct text t) {
    if (t.n > 0) {
        to[(t.n - 1) / 8] = 0;
        memcpy(to, t.s, t.n);
    }
    return to + text_words(t);
}

static struct text text_of(const char *s, uint16_t index) {
    size_t n = index > 0 || s == NULL ? 0 : strlen(s);
    return (struct text){s, (uint32_t)(n < 32000 ? n : 32000), index};
}

/* Prepares a call site for a generation; false: its category is disabled. */
static bool resolve(struct fxttrace_site *site, uint32_t generation, const char *category,
                    const char *name, uint32_t what, const struct fxttrace_arg *v, uint32_t n) {
    if (!names_enabled(category)) {
        if (what & FXTTRACE_LITERAL_CATEGORY)
            __atomic_store_n(&site->off, generation, __ATOMIC_RELAXED);
        return false;
    }
    uint16_t c = what & FXTTRACE_LITERAL_CATEGORY ? names_index(category, strlen(category)) : 0;
    uint16_t m = what & FXTTRACE_LITERAL_NAME ? names_index(name, strlen(name)) : 0;
    __atomic_store_n(&site->category, c, __ATOMIC_RELAXED);
    __atomic_store_n(&site->name, m, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < n; i++)
        __atomic_store_n(&site->arguments[i], names_index(v[i].key, strlen(v[i].key)),
                         __ATOMIC_RELAXED);
    if (what & FXTTRACE_LITERAL_CATEGORY) /* else each event asks whether it is enabled */
        __atomic_store_n(&site->generation, generation, __ATOMIC_RELEASE);
    return true;
}

struct names { /* of an event */
    struct text category, name;
    uint64_t refs; /* of both, as in the header; 0: one of them is inline */
};

static bool look_up(struct fxttrace_site *site, uint32_t generation, const char *category,
                    const char *name, uint32_t what, const struct fxttrace_arg *v, uint32_t n,
                    struct names *names) {
    if (__atomic_load_n(&site->generation, __ATOMIC_ACQUIRE) != generation &&
        !resolve(site, generation, category, name, what, v, n))
        return false;
    uint16_t c = __atomic_load_n(&site->category, __ATOMIC_RELAXED),
             m = __atomic_load_n(&site->name, __ATOMIC_RELAXED);
    if (!(what & FXTTRACE_LITERAL_CATEGORY))
        c = names_index(category, strlen(category));
    if (!(what & FXTTRACE_LITERAL_NAME))
        m = names_index(name, strlen(name));
    *names = (struct names){text_of(category, c), text_of(name, m), 0};
    if (c > 0 && m > 0)
        names->refs = (uint64_t)c << 32 | (uint64_t)m << 48;
    return true;
}

static inline bool names_of(struct fxttrace_site *site, uint32_t generation, const char *category,
                            const char *name, uint32_t what, const struct fxttrace_arg *v,
                            uint32_t n, struct names *names) {
    const uint32_t literals = FXTTRACE_LITERAL_CATEGORY | FXTTRACE_LITERAL_NAME;
    if (__atomic_load_n(&site->generation, __ATOMIC_ACQUIRE) == generation &&
        (what & literals) == literals) {
        uint16_t c = __atomic_load_n(&site->category, __ATOMIC_RELAXED),
                 m = __atomic_load_n(&site->name, __ATOMIC_RELAXED);
        if (c > 0 && m > 0) {
            *names =
                (struct names){{NULL, 0, c}, {NULL, 0, m}, (uint64_t)c << 32 | (uint64_t)m << 48};
            return true;
        }
    }
    return look_up(site, generation, category, name, what, v, n, names);
}

/* ---- arguments ---- */

static struct text key_of(const struct fxttrace_site *site, const struct fxttrace_arg *v,
                          uint32_t i) {
    return text_of(v[i].key, __atomic_load_n(&site->arguments[i], __ATOMIC_RELAXED));
}

static struct text value_text(const struct fxttrace_value *v) {
    const char *s = (const char *)(uintptr_t)v->bits;
    uint16_t index = v->literal ? names_index(s, v->length) : 0;
    return (struct text){s, index > 0 ? 0 : v->length, index};
}

static bool is_word(uint16_t type) { /* the value fits into the header */
    return type == FXTTRACE_NULL || type == FXTTRACE_INT32 || type == FXTTRACE_UINT32 ||
           type == FXTTRACE_BOOL;
}

/* The words of all arguments, of which texts take at most `room` together. */
static size_t argument_words(const struct fxttrace_site *site, const struct fxttrace_arg *v,
                             uint32_t n, size_t room) {
    size_t words = 0;
    for (uint32_t i = 0; i < n; i++) {
        words += 1 + text_words(key_of(site, v, i));
        if (v[i].value.type == FXTTRACE_STRING) {
            size_t text = text_words(value_text(&v[i].value));
            text = text < room ? text : room;
            words += text;
            room -= text;
        } else {
            words += !is_word(v[i].value.type);
        }
    }
    return words;
}

/* Writes one argument; a text is cut to at most `room` words of text. */
static uint64_t *put_argument(uint64_t *to, struct text key, const struct fxttrace_value *value,
                              size_t room) {
    uint64_t *header = to, low = value->type | text_ref(key) << 16;
    to = put_text(to + 1, key);
    if (value->type == FXTTRACE_STRING) {
        struct text t = value_text(value);
        t.n = t.n > room * 8 ? (uint32_t)room * 8 : t.n;
        low |= text_ref(t) << 32;
        to = put_text(to, t);
    } else if (is_word(value->type)) {
        low |= value->type == FXTTRACE_NULL ? 0 : value->bits << 32;
    } else {
        *to++ = value->bits;
    }
    *header = low | (uint64_t)(to - header) << 4;
    return to;
}

static uint64_t *put_arguments(uint64_t *to, const struct fxttrace_site *site,
                               const struct fxttrace_arg *v, uint32_t n, size_t room) {
    for (uint32_t i = 0; i < n; i++) {
        struct text key = key_of(site, v, i);
        uint64_t *from = to + 1 + text_words(key);
        to = put_argument(to, key, &v[i].value, room);
        room -= v[i].value.type == FXTTRACE_STRING ? (size_t)(to - from) : 0;
    }
    return to;
}

/* ---- events ---- */

struct place { /* thread and time of an event */
    uint64_t ticks;
    uint64_t tid;   /* of an inline thread */
    uint8_t thread; /* its index; 0: inline */
};

static struct place here(const struct write_node *node) {
    return (struct place){clock_ticks(write_buffer.clock), node->tid, node->thread};
}

/* The words of an event before its arguments. */
static size_t head_words(const struct place *place, const struct names *names) {
    return 2 + (place->thread ? 0 : 2) + text_words(names->category) + text_words(names->name);
}

/* Reserves a record of `words` after its head, and writes the head. *end: after it. NULL:
 * dropped. */
static uint64_t *begin_event(struct write_node *node, const struct place *place, unsigned type,
                             const struct names *names, uint32_t count, size_t words,
                             uint64_t *header, uint64_t **end) {
    size_t n = head_words(place, names) + words;
    if (n > RECORD_MAX) {
        write_dropped();
        return NULL;
    }
    uint64_t *record = write_reserve(node, n), *to;
    if (record == NULL)
        return NULL;
    to = record + 1;
    *header = 4 | (uint64_t)n << 4 | (uint64_t)type << 16 | (uint64_t)count << 20 |
              (uint64_t)place->thread << 24 | text_ref(names->category) << 32 |
              text_ref(names->name) << 48;
    *to++ = place->ticks;
    if (!place->thread) {
        *to++ = write_buffer.pid;
        *to++ = place->tid;
    }
    *end = put_text(put_text(to, names->category), names->name);
    return record;
}

/* The words of arguments without texts; SIZE_MAX: there are some. */
static inline size_t number_words(const struct fxttrace_site *site, const struct fxttrace_arg *v,
                                  uint32_t n) {
    size_t words = n;
    for (uint32_t i = 0; i < n; i++) {
        if (v[i].value.type == FXTTRACE_STRING ||
            __atomic_load_n(&site->arguments[i], __ATOMIC_RELAXED) == 0)
            return SIZE_MAX;
        words += !is_word(v[i].value.type);
    }
    return words;
}

/* An event without texts, as most are. It takes a quarter of the time of the general way below. */
static inline bool write_numbers(struct write_node *node, const struct place *place, unsigned type,
                                 uint64_t refs, const struct fxttrace_site *site,
                                 const struct fxttrace_arg *v, uint32_t n, size_t words,
                                 uint64_t extra) {
    bool has_extra = type != FXTTRACE_BEGIN && type != FXTTRACE_END;
    size_t size = 2 + words + has_extra;
    uint64_t *record = write_reserve(node, size), *to;
    if (record == NULL)
        return false;
    to = record + 2;
    record[1] = place->ticks;
    for (uint32_t i = 0; i < n; i++) {
        const struct fxttrace_value *value = &v[i].value;
        uint64_t key = __atomic_load_n(&site->arguments[i], __ATOMIC_RELAXED),
                 low = value->type | key << 16;
        if (is_word(value->type)) {
            *to++ = low | 1 << 4 | (value->type == FXTTRACE_NULL ? 0 : value->bits << 32);
        } else {
            *to++ = low | 2 << 4;
            *to++ = value->bits;
        }
    }
    if (has_extra)
        *to = extra;
    uint64_t thread = (uint64_t)place->thread << 24;
    write_commit(node, record, size,
                 4 | size << 4 | (uint64_t)type << 16 | (uint64_t)n << 20 | thread | refs);
    return true;
}

static bool write_event(struct write_node *node, const struct place *place, unsigned type,
                        const struct names *names, const struct fxttrace_site *site,
                        const struct fxttrace_arg *v, uint32_t n, uint64_t extra) {
    bool has_extra = type != FXTTRACE_BEGIN && type != FXTTRACE_END;
    uint64_t header, *to;
    size_t words = names->refs > 0 && place->thread > 0 ? number_words(site, v, n) : SIZE_MAX;
    if (words != SIZE_MAX)
        return write_numbers(node, place, type, names->refs, site, v, n, words, extra);
    size_t head = head_words(place, names) + has_extra, room = ANY_ROOM;
    words = argument_words(site, v, n, room);
    if (head + words > RECORD_MAX) { /* rather than drop it, its texts are cut */
        size_t least = head + argument_words(site, v, n, 0);
        room = least < RECORD_MAX ? RECORD_MAX - least : 0;
        words = argument_words(site, v, n, room);
    }
    uint64_t *record = begin_event(node, place, type, names, n, words + has_extra, &header, &to);
    if (record == NULL)
        return false;
    to = put_arguments(to, site, v, n, room);
    if (has_extra)
        *to++ = extra;
    write_commit(node, record, (size_t)(to - record), header);
    return true;
}

/* Ends that were dropped come before the next record of the thread and have its time, so that
 * nesting is right again. An argument shows that the loss cut their slices. */
static bool pay_owed(struct write_node *node, const struct place *place) {
    static const struct names none;
    const struct fxttrace_arg cut = {WIRE_CUT, TA_BOOL(true)};
    const struct fxttrace_site site = {.arguments = {names_index(WIRE_CUT, sizeof WIRE_CUT - 1)}};
    for (; node->owed > 0; node->owed--)
        if (!write_event(node, place, FXTTRACE_END, &none, &site, &cut, 1, 0))
            return false;
    return true;
}

static inline bool pay(struct write_node *node, const struct place *place) {
    return __builtin_expect(node->owed == 0, 1) || pay_owed(node, place);
}

bool event_pay(struct write_node *node) {
    if (node->owed == 0)
        return true;
    struct place place = here(node);
    node->pays = true;
    bool paid = pay_owed(node, &place);
    node->pays = false;
    return paid;
}

/* Enters after fork(), too. */
static struct write_node *enter_forked(uint32_t *generation) {
    if (__builtin_expect(__atomic_load_n(&fxttrace_generation, __ATOMIC_RELAXED) == WRITE_FORKED,
                         0))
        session_revive();
    return write_enter(generation);
}

/* Enters for an event of a site; NULL: nothing is to be written. */
static struct write_node *enter(struct fxttrace_site *site, const char *category, const char *name,
                                uint32_t what, const struct fxttrace_arg *v, uint32_t n,
                                struct names *names, uint32_t *generation) {
    struct write_node *node = enter_forked(generation);
    if (node == NULL && (what & 255) != FXTTRACE_END) /* it belongs to its begin */
        write_missed();
    if (node == NULL)
        return NULL;
    if (names_of(site, *generation, category, name, what, v, n, names))
        return node;
    write_leave(node);
    return NULL;
}

/* A begin or an end without a scope: an end is written only if its begin was. */
static void write_raw(struct write_node *node, const struct place *place, unsigned type,
                      const struct names *names, const struct fxttrace_site *site,
                      const struct fxttrace_arg *v, uint32_t n) {
    if (type == FXTTRACE_BEGIN) {
        bool written = pay(node, place) && write_event(node, place, type, names, site, v, n, 0);
        uint64_t bit = node->raw_depth < 64 ? UINT64_C(1) << node->raw_depth : 0;
        node->raw_written = written ? node->raw_written | bit : node->raw_written & ~bit;
        node->raw_depth++;
        return;
    }
    if (node->raw_depth == 0)
        return; /* it began before this session */
    uint32_t depth = --node->raw_depth;
    bool begun = depth >= 64 || node->raw_written >> depth & 1;
    if (begun && !(pay(node, place) && write_event(node, place, type, names, site, v, n, 0)))
        node->owed++;
}

void fxttrace_write(struct fxttrace_site *site, const char *category, const char *name,
                    uint32_t what, uint64_t extra, const struct fxttrace_arg *v, uint32_t n) {
    uint32_t generation;
    struct names names;
    struct write_node *node = enter(site, category, name, what, v, n, &names, &generation);
    if (node == NULL)
        return;
    unsigned type = what & 255;
    struct place place = here(node);
    if (type == FXTTRACE_BEGIN || type == FXTTRACE_END) {
        write_raw(node, &place, type, &names, site, v, n);
    } else if (pay(node, &place)) {
        uint64_t now = place.ticks;
        if (type == FXTTRACE_COMPLETE) {
            place.ticks = extra;
            extra = now;
        }
        write_event(node, &place, type, &names, site, v, n, extra);
    }
    write_leave(node);
}

void fxttrace_virtual(struct fxttrace_site *site, const char *category, const char *name,
                      uint32_t what, uint64_t extra, const struct fxttrace_arg *v, uint32_t n,
                      const char *thread, uint64_t id, uint64_t ticks) {
    uint32_t generation;
    struct names names;
    struct write_node *node = enter(site, category, name, what, v, n, &names, &generation);
    if (node == NULL)
        return;
    struct place place = {ticks, id | VIRTUAL, 0};
    names_virtual(place.tid, thread);
    write_event(node, &place, what & 255, &names, site, v, n, extra);
    write_leave(node);
}

/* ---- scopes ---- */

/* Encodes arguments into the scope for the complete event at its end; texts that do not fit are
 * cut. */
static void encode(struct fxttrace_scope *scope, const struct fxttrace_site *site,
                   const struct fxttrace_arg *v, uint32_t n) {
    uint64_t *to = scope->encoded, *end = to + (n > 0 ? FXTTRACE_ARGS_WORDS : 0);
    scope->count = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct text key = key_of(site, v, i);
        /* Each argument leaves 2 words for each one after it. */
        size_t after = 2 * (size_t)(n - i - 1), own = 2 + text_words(key);
        if ((size_t)(end - to) < own + after)
            break;
        to = put_argument(to, key, &v[i].value, (size_t)(end - to) - own - after + 1);
        scope->count++;
    }
    scope->words = (uint32_t)(to - scope->encoded);
}

void fxttrace_scope_begin(struct fxttrace_scope *scope, struct fxttrace_site *site,
                          const char *category, const char *name, uint32_t what,
                          const struct fxttrace_arg *v, uint32_t n) {
    uint32_t generation;
    struct names names;
    struct write_node *node = enter(site, category, name, what, v, n, &names, &generation);
    if (node == NULL)
        return;
    struct place place = here(node);
    scope->site = site;
    scope->category = category;
    scope->name = name;
    scope->what = what;
    scope->begin = place.ticks;
    scope->count = scope->words = 0;
    if (write_buffer.mode == WIRE_CIRCULAR) {
        encode(scope, site, v, n);
        scope->generation = generation;
    } else if (pay(node, &place) &&
               write_event(node, &place, FXTTRACE_BEGIN, &names, site, v, n, 0)) {
        scope->generation = generation;
    }
    write_leave(node);
}

void fxttrace_scope_end(struct fxttrace_scope *scope) {
    uint32_t generation;
    struct names names;
    struct write_node *node = write_enter(&generation);
    if (node == NULL)
        return;
    if (generation != scope->generation ||
        !names_of(scope->site, generation, scope->category, scope->name, scope->what, no_arguments,
                  0, &names)) {
        write_leave(node);
        return;
    }
    struct place place = here(node);
    if (write_buffer.mode != WIRE_CIRCULAR) {
        if (!(pay(node, &place) &&
              write_event(node, &place, FXTTRACE_END, &names, scope->site, no_arguments, 0, 0)))
            node->owed++;
        write_leave(node);
        return;
    }
    uint64_t header, *to, ended = place.ticks;
    place.ticks = scope->begin;
    uint64_t *record = begin_event(node, &place, FXTTRACE_COMPLETE, &names, scope->count,
                                   scope->words + 1, &header, &to);
    if (record) {
        memcpy(to, scope->encoded, scope->words * sizeof *to);
        to += scope->words;
        *to++ = ended;
        write_commit(node, record, (size_t)(to - record), header);
    }
    write_leave(node);
}

/* ---- blobs and alerts ---- */

static void put_bytes(uint64_t *to, const void *bytes, size_t size) {
    if (size > 0) {
        to[(size - 1) / 8] = 0;
        memcpy(to, bytes, size);
    }
}

void fxttrace_blob(uint32_t type, const char *name, const void *bytes, size_t size) {
    uint32_t generation;
    struct write_node *node = enter_forked(&generation);
    if (node == NULL) {
        write_missed();
        return;
    }
    struct text text = text_of(name, names_index(name, strlen(name)));
    size_t n = 1 + text_words(text) + (size + 7) / 8;
    uint64_t *record = size <= 32767 && n <= RECORD_MAX ? write_reserve(node, n) : NULL;
    if (record) {
        put_bytes(put_text(record + 1, text), bytes, size);
        write_commit(node, record, n,
                     5 | (uint64_t)n << 4 | text_ref(text) << 16 | (uint64_t)size << 32 |
                         (uint64_t)(type & 255) << 48);
    } else if (size > 32767 || n > RECORD_MAX) {
        write_dropped();
    }
    write_leave(node);
}

void fxttrace_blob_event(struct fxttrace_site *site, const char *category, const char *name,
                         uint32_t what, const void *bytes, size_t size,
                         const struct fxttrace_arg *v, uint32_t count, int attachment) {
    uint32_t generation;
    struct names names;
    struct write_node *node = enter(site, category, name, what, v, count, &names, &generation);
    if (node == NULL)
        return;
    struct place place = here(node);
    size_t n = 2 + text_words(names.category) + text_words(names.name) + 1 + (size + 7) / 8;
    if (!attachment)
        n += 1 + (place.thread ? 0 : 2) + argument_words(site, v, count, ANY_ROOM);
    uint64_t *record = size < WIRE_BUFFER_MAX ? write_reserve(node, n) : NULL, *to;
    if (record == NULL) {
        write_leave(node);
        return;
    }
    to = record + 1;
    *to++ = text_ref(names.category) | text_ref(names.name) << 16 |
            (attachment ? 0 : (uint64_t)count << 32 | (uint64_t)place.thread << 36);
    to = put_text(put_text(to, names.category), names.name);
    if (!attachment) {
        *to++ = place.ticks;
        if (!place.thread) {
            *to++ = write_buffer.pid;
            *to++ = place.tid;
        }
        to = put_arguments(to, site, v, count, ANY_ROOM);
    }
    *to++ = size;
    put_bytes(to, bytes, size);
    write_commit(node, record, n, 15 | (uint64_t)n << 4 | (uint64_t)(attachment ? 1 : 0) << 40);
    write_leave(node);
}

void fxttrace_alert(const char *category, const char *name) {
    uint32_t generation;
    struct write_node *node = enter_forked(&generation);
    if (node == NULL)
        return;
    bool enabled = names_enabled(category);
    write_leave(node);
    if (enabled)
        session_alert(name);
}

/* ---- questions, and plain functions ---- */

bool fxttrace_category_enabled(const char *category) {
    uint32_t generation;
    struct write_node *node = enter_forked(&generation);
    bool enabled = node && names_enabled(category);
    if (node)
        write_leave(node);
    return enabled;
}

uint64_t fxttrace_nonce(void) {
    static uint64_t last;
    return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

trace_ticks_t fxttrace_ticks(void) {
    return clock_ticks(write_buffer.clock);
}

static void plain(const char *category, const char *name, uint32_t what, uint64_t extra,
                  const struct fxttrace_arg *v, uint32_t n) {
    struct fxttrace_site site = {0};
    if (TRACE_ENABLED())
        fxttrace_write(&site, category, name, what, extra, v, n);
}

void fxttrace_begin(const char *category, const char *name) {
    plain(category, name, FXTTRACE_BEGIN, 0, NULL, 0);
}

void fxttrace_end(const char *category, const char *name) {
    plain(category, name, FXTTRACE_END, 0, NULL, 0);
}

void fxttrace_instant(const char *category, const char *name) {
    plain(category, name, FXTTRACE_INSTANT, TRACE_SCOPE_THREAD, NULL, 0);
}

void fxttrace_complete(const char *category, const char *name, trace_ticks_t begin,
                       const struct fxttrace_arg *arguments, uint32_t count) {
    plain(category, name, FXTTRACE_COMPLETE, begin, arguments, count);
}

void fxttrace_counter(const char *category, const char *name, uint64_t id, const char *key,
                      double value) {
    const struct fxttrace_arg arg = {key, fxttrace_double(value)};
    plain(category, name, FXTTRACE_COUNTER, id, &arg, 1);
}
