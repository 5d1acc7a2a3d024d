/* reader_lookup.c - answers questions about what was read: records, strings, threads and times at
 * an offset, totals.
 *
 * References mean what the provider's tables had at the offset (index_table_at()). The provider and
 * the tick rate are found in the lists of changes. While a record is read, only the functions that
 * end in _now are called, and only for a few records. */
#include <stdio.h>

#include "src/base/lower_bound.h"
#include "src/fxt/reader_internal.h"

/* bytes that reader_frame_at() searches for the next record */
#define RESUME_LOOK (UINT64_C(1) << 20)

struct provider *reader_provider_span(const struct reader *r, uint64_t offset, uint64_t *from,
                                      uint64_t *to) {
    const struct reader_part *part = reader_part_at(r, offset);
    const struct provider_switch *switches = part->switches.v;
    size_t at = 1, n = part->switches.n;
    lower_bound(at, n, i, switches[i].offset <= offset);
    *from = at > 1 ? switches[at - 1].offset : part->begin;
    *to = UINT64_MAX;
    if (at < n)
        *to = switches[at].offset;
    else if (part->number + 1 < r->parts.n)
        *to = r->parts.v[part->number + 1]->begin;
    return r->providers.v[switches[at - 1].provider];
}

static struct provider *provider_at(const struct reader *r, uint64_t offset) {
    uint64_t from, to;
    return reader_provider_span(r, offset, &from, &to);
}

bool reader_record_at(struct reader *r, uint64_t offset, struct fxt_record *record,
                      struct provider **provider) {
    size_t n;
    const uint64_t *words = file_span(r->file, offset, WHOLE_RECORD, &n);
    if (words == NULL || n < 8)
        return false;
    const struct reader_part *part = reader_part_at(r, offset);
    uint64_t size = record_words(record_word(words, part->swap));
    if (size == 0)
        return false;
    if (size > n / 8) {
        uint64_t want = size > LARGE_AT_HAND / 8 ? LARGE_AT_HAND : size * 8;
        words = file_span(r->file, offset, want, &n);
        if (words == NULL || size > (reader_bounds(r, part).end - offset) / 8)
            return false;
    }
    if (provider)
        *provider = provider_at(r, offset);
    record_decode(record, words, n / 8 < size ? n / 8 : size, size, part->swap);
    if (part->archived.ids != 0)
        record_own_ids(record, part->archived.ids);
    return true;
}

/* The end of the whole words of the part that has an offset. */
static uint64_t words_end(const struct reader *r, uint64_t offset) {
    const struct reader_part *part = reader_part_at(r, offset);
    return part->begin + (reader_bounds(r, part).end - part->begin) / 8 * 8;
}

/* The place where reading goes on after the damage at offset, at most RESUME_LOOK after it. */
static uint64_t resume_at(struct reader *r, uint64_t offset) {
    uint64_t end = words_end(r, offset),
             until = end - offset > RESUME_LOOK ? offset + RESUME_LOOK : end;
    for (uint64_t at = offset + 8; at < until; at += 8)
        if (reader_chain_at(r, at) == CHAIN_YES)
            return at;
    return until;
}

/* The word before may be the last one of a record as well. */
static bool is_after_zeros(struct reader *r, uint64_t offset) {
    size_t n = 0;
    const uint64_t *before = offset >= reader_part_at(r, offset)->begin + 8
                                 ? file_span(r->file, offset - 8, 8, &n)
                                 : NULL;
    return before && n >= 8 && record_word(before, false) == 0;
}

bool reader_frame_at(struct reader *r, uint64_t offset, struct reader_frame *f) {
    const struct reader_part *part = reader_part_at(r, offset);
    uint64_t end = reader_bounds(r, part).end, left = offset < end ? end - offset : 0;
    size_t n;
    *f = (struct reader_frame){.provider = provider_at(r, offset), .swap = part->swap};
    f->words = file_span(r->file, offset, 8, &n);
    if (f->words == NULL || n == 0)
        return false;
    if (n < 8 || left < 8) {
        f->kind = FRAME_BYTES;
        f->bytes = left < n ? left : n;
        return true;
    }
    uint64_t h = record_word(f->words, part->swap), resume = offset;
    f->size = record_words(h);
    if (f->size > 0 && f->size <= left / 8 && is_after_zeros(r, offset))
        reader_after_zeros(r, offset, f->size, &resume);
    if (resume > offset) {
        f->kind = FRAME_CUT;
        f->bytes = resume - offset;
    } else if (f->size != 0 && f->size <= left / 8) {
        f->kind = FRAME_RECORD;
        f->bytes = f->size * 8;
    } else if (h == 0) {
        f->kind = FRAME_ZEROS;
        f->bytes = left / 8 * 8;
    } else {
        f->kind = f->size == 0 ? FRAME_ZERO_SIZE : FRAME_CUT;
        f->bytes = resume_at(r, offset) - offset;
    }
    f->words =
        file_span(r->file, offset, f->bytes < LARGE_AT_HAND ? (size_t)f->bytes : LARGE_AT_HAND, &n);
    if (f->words == NULL || n < 8)
        return false;
    f->avail = n < f->bytes ? n / 8 : f->bytes / 8;
    if (f->kind == FRAME_ZEROS) {
        uint64_t zeros = 1;
        while (zeros < f->avail && zeros < RESUME_LOOK / 8 &&
               record_word(f->words + zeros, false) == 0)
            zeros++;
        f->avail = zeros;
        f->bytes = file_data(r->file, offset + zeros * 8) - offset;
    }
    return true;
}

struct wide reader_ns_at(const struct reader *r, const struct provider *p, uint64_t offset,
                         uint64_t ticks) {
    const struct reader_part *part = r->parts.v[p->part];
    uint64_t tps = 1000000000;
    for (size_t i = part->rates.n; i-- > 0;) {
        const struct rate_change *c = &part->rates.v[i];
        if (c->offset < offset && c->provider == p->number) {
            tps = c->tps;
            break;
        }
        /* the clock that it started with */
        if (c->provider == p->shared && c->offset < p->offset && p->number != p->shared) {
            tps = c->tps;
            break;
        }
    }
    return wide_plus(reader_clock_wide(&(struct clock){.tps = tps}, ticks),
                     (struct wide){0, part->shift});
}

/* The value that an index had at an offset, in the provider's own table, else in that of the
 * implicit provider. */
static uint32_t index_at(struct index_table *own, struct index_table *shared, uint32_t index,
                         uint64_t offset) {
    uint32_t v = index_table_at(own, index, offset);
    return v != 0 ? v : index_table_at(shared, index, offset);
}

uint32_t reader_thread_at(struct reader *r, struct provider *p, uint8_t index, uint64_t offset) {
    /* 0, nothing: NO_THREAD */
    return index_at(&p->threads, &r->providers.v[p->shared]->threads, index, offset) - 1;
}

uint32_t reader_thread_now(const struct reader *r, uint8_t index) {
    return reader_index_now(&r->provider->threads, &r->part->implicit->threads, index) - 1;
}

static struct str string_text(struct reader *r, const struct fxt_string *s, uint32_t value,
                              char buf[24]) {
    if (s->ref & FXT_INLINE && s->bytes)
        return (struct str){s->bytes, s->ref & FXT_STRING_MAX};
    if (s->ref == 0 || s->ref & FXT_INLINE)
        return STR("");
    if (value != 0)
        return names_str(r->names, value - 1);
    int n = snprintf(buf, 24, "<string %u>", s->ref);
    return (struct str){buf, (size_t)n};
}

struct str reader_string_now(struct reader *r, const struct fxt_string *s, char buf[24]) {
    uint32_t id = 0;
    bool defined = !(s->ref & FXT_INLINE) && reader_string_defined(r, s->ref, &id);
    return string_text(r, s, defined ? id + 1 : 0, buf);
}

uint32_t reader_name_now(struct reader *r, const struct fxt_string *s) {
    uint32_t id;
    char buf[24];
    if (s->ref != 0 && !(s->ref & FXT_INLINE)) {
        if (r->near->strings[s->ref] != 0)
            return r->near->strings[s->ref] - 1;
        if (reader_string_defined(r, s->ref, &id))
            return id;
    }
    struct str text = string_text(r, s, 0, buf);
    return names_intern(r->names, text.s, text.n);
}

struct str reader_string(struct reader *r, struct provider *provider, const struct fxt_string *s,
                         uint64_t offset, char buf[24]) {
    uint32_t v = 0;
    if (s->ref != 0 && !(s->ref & FXT_INLINE))
        v = index_at(&provider->strings, &r->providers.v[provider->shared]->strings, s->ref,
                     offset);
    return string_text(r, s, v, buf);
}

bool reader_string_span(struct reader *r, struct provider *provider, uint16_t ref, uint64_t offset,
                        struct str *text, struct index_table_span *span) {
    uint32_t v = index_table_span(&provider->strings, ref, offset, span);
    if (v == 0) { /* as index_at() */
        struct index_table_span shared;
        v = index_table_span(&r->providers.v[provider->shared]->strings, ref, offset, &shared);
        span->from = shared.from > span->from ? shared.from : span->from;
        span->to = shared.to < span->to ? shared.to : span->to;
    }
    if (v != 0)
        *text = names_str(r->names, v - 1);
    return v != 0;
}

void reader_share_tables(struct reader *r) {
    for (size_t i = 0; i < r->providers.n; i++) {
        index_table_sort(&r->providers.v[i]->strings);
        index_table_sort(&r->providers.v[i]->threads);
    }
}

/* ---- the state of reading ---- */

bool reader_big_endian(const struct reader *r) {
    return r->parts.v[0]->swap;
}

uint64_t reader_records(const struct reader *r) {
    uint64_t n = 0;
    for (size_t i = 0; i < r->providers.n; i++)
        n += r->providers.v[i]->records;
    return n;
}

uint64_t reader_kind_count(const struct reader *r, enum fxt_kind kind) {
    return r->kinds[kind];
}

bool reader_wide(const struct reader *r) {
    return r->wide;
}

struct wide reader_base(const struct reader *r) {
    return r->common;
}

struct wide reader_min(const struct reader *r) {
    struct wide narrow = wide_add(r->common, r->min);
    return r->have_min_wide && wide_cmp(r->min_wide, narrow) < 0 ? r->min_wide : narrow;
}

bool reader_init(const struct reader *r, uint64_t *tps, uint64_t *base_tick, uint64_t *base_unix_ns,
                 bool *has_base) {
    const struct reader_part *part = r->parts.v[0];
    *tps = part->tps;
    *base_tick = part->base_tick;
    *base_unix_ns = part->base_unix_ns;
    *has_base = part->has_base_tick;
    return part->has_init;
}

bool reader_ends_by_name(const struct reader *r, uint64_t offset) {
    return reader_part_at(r, offset)->ends_by_name;
}

struct names *reader_names(struct reader *r) {
    return r->names;
}

struct threads *reader_threads(struct reader *r) {
    return r->threads;
}

size_t reader_provider_count(const struct reader *r) {
    return r->providers.n;
}

struct provider *reader_provider(struct reader *r, size_t i) {
    return r->providers.v[i];
}
