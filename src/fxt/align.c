/* align.c - puts the traces of a set on one clock.
 *
 * A reader of its own goes through each trace, mostly only to its first event. The wall clock is
 * that of the first initialization record. A trace made from JSON has the number
 * "baseTimeNanoseconds" in the text around its events, or its times are Unix times themselves. */
#include "src/fxt/align.h"

#include <string.h>

#include "src/fxt/reader.h"

#define STEP_BYTES (UINT64_C(64) << 10)
#define BUFFER 512
#define SAME_NS 1000000                         /* wall clocks of one clock differ by less */
#define UNIX_LEAST (INT64_C(31536000000000000)) /* 1971: clocks that were never set are before it */
#define JSON_UNIX_LEAST UINT64_C(1000000000000000000)
#define JSON_UNIX_MOST UINT64_C(4200000000000000000)

struct look {
    struct reader *reader;
    bool timed, has_epoch;
    int64_t epoch;
    struct duration_buffer buffer;
    struct duration durations[BUFFER];
};

/* ---- the text around the events ---- */

/* Reads a number of digits alone. */
static bool number_at(struct str s, size_t at, int64_t *number) {
    int64_t n = 0;
    size_t digits = 0;
    while (at < s.n && strchr(" \t\r\n:", s.s[at]) && s.s[at])
        at++;
    for (; at < s.n && s.s[at] >= '0' && s.s[at] <= '9'; at++, digits++)
        if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, s.s[at] - '0', &n))
            return false;
    *number = n;
    return digits > 0 && (at == s.n || strchr(".eE", s.s[at]) == NULL);
}

/* The end of a string that begins at the quote `at`. */
static size_t string_end(struct str s, size_t at) {
    for (at++; at < s.n && s.s[at] != '"'; at++)
        at += s.s[at] == '\\';
    return at < s.n ? at : s.n;
}

/* Finds the number of "baseTimeNanoseconds" at the top of an object, or in its object
 * "viztracer_metadata". */
static bool epoch_in(struct str s, int64_t *epoch) {
    static const char key[] = "\"baseTimeNanoseconds", metadata[] = "\"viztracer_metadata";
    int depth = 0, within = 0; /* within: the depth of the metadata; 0: not in there */
    bool metadata_next = false;
    for (size_t at = 0; at < s.n; at++) {
        char c = s.s[at];
        if (c == '{' || c == '[') {
            depth++;
            within = metadata_next && c == '{' ? depth : within;
            metadata_next = false;
        } else if (c == '}' || c == ']') {
            within = within == depth ? 0 : within;
            depth--;
        } else if (c == '"') {
            size_t end = string_end(s, at);
            struct str text = {s.s + at, end - at};
            bool here = depth == 1 || (within > 0 && depth == within);
            if (here && str_eq(text, STR(key)) && number_at(s, end + 1, epoch))
                return true;
            metadata_next = depth == 1 && str_eq(text, STR(metadata));
            at = end;
        }
    }
    return false;
}

/* ---- a look at a trace ---- */

static struct duration_buffer *take_buffer(void *ctx, uint32_t thread,
                                           const struct provider *provider) {
    struct look *look = ctx;
    (void)thread;
    (void)provider;
    look->timed = true;
    look->buffer.next = look->durations;
    return &look->buffer;
}

static void take_events(void *ctx, const struct plain_event *events, size_t n,
                        const struct provider *provider) {
    struct look *look = ctx;
    (void)events;
    (void)n;
    (void)provider;
    look->timed = true;
}

static void take_record(void *ctx, const struct item *item) {
    struct look *look = ctx;
    int64_t epoch;
    look->timed = look->timed || item->is_event;
    if (item->record->kind == FXT_K_BLOB && !look->has_epoch &&
        str_eq(names_str(reader_names(look->reader), item->name), STR("around the events")) &&
        epoch_in(item->record->payload, &epoch)) {
        look->has_epoch = true;
        look->epoch = epoch;
    }
}

static bool is_sensible(int64_t unix_ns) {
    return unix_ns >= UNIX_LEAST;
}

static void find_wall(struct align_part *part, const struct look *look, const struct file *file) {
    uint64_t tps = 0, tick = 0, unix_ns = 0;
    bool has_base = false;
    if (file_imported(file)) {
        bool is_unix = part->timed && part->first.hi == 0 && part->first.lo >= JSON_UNIX_LEAST &&
                       part->first.lo <= JSON_UNIX_MOST;
        part->has_wall = (look->has_epoch && is_sensible(look->epoch)) || is_unix;
        part->unix_ns = look->has_epoch && is_sensible(look->epoch) ? look->epoch : 0;
        return;
    }
    if (!reader_init(look->reader, &tps, &tick, &unix_ns, &has_base) || !has_base)
        return;
    tps = tps ? tps : 1000000000;
    struct wide at = wide_div(wide_mul(tick, 1000000000), tps);
    if (unix_ns > INT64_MAX || !is_sensible((int64_t)unix_ns) || at.hi > 0 || at.lo > INT64_MAX)
        return;
    part->has_wall = true;
    part->unix_ns = (int64_t)(unix_ns - at.lo);
    part->tps = tps;
}

/* The earliest and the last time that were read, without unset ones (SEMANTICS 4.8). */
static void find_times(struct align_part *part, const struct look *look) {
    const struct bulk *bulk = reader_bulk(look->reader, 0);
    struct bulk_stretch most = {0};
    int64_t first, last;
    part->timed = look->timed;
    if (!part->timed)
        return;
    reader_bulk_find(look->reader, 0, &most);
    bulk_core(bulk, most.unset == 0, &first, &last);
    for (size_t i = 0; i < bulk->cases.n; i++) {
        first = bulk->cases.v[i].time < first ? bulk->cases.v[i].time : first;
        last = bulk->cases.v[i].time > last ? bulk->cases.v[i].time : last;
    }
    part->first =
        most.unset > 0 ? wide_add(reader_base(look->reader), first) : reader_min(look->reader);
    part->last = wide_add(reader_base(look->reader), last);
}

/* Reads a trace up to its first event, or all of it. */
static bool look_at(struct file *file, bool whole, struct align_part *part, struct err *err) {
    if (part->whole || (part->seen && !whole))
        return true;
    struct look *look = err_calloc(1, sizeof *look);
    const struct sink sink = {look,        take_buffer,           take_events,
                              take_record, reader_ignore_problem, NULL};
    look->buffer = (struct duration_buffer){look->durations, look->durations + BUFFER, NULL, NULL};
    look->reader = reader_new(file, &sink);
    whole = whole || file_imported(file);
    enum reader_state state = READER_MORE;
    while (state != READER_END && state != READER_ALIEN && (whole || !look->timed)) {
        state = reader_step(look->reader, whole ? STEP_BYTES * 16 : STEP_BYTES);
        if (state == READER_WAIT && file_follows(file))
            break;
        if (state == READER_WAIT)
            file_step(file, (size_t)STEP_BYTES * 16, -1);
    }
    find_times(part, look);
    find_wall(part, look, file);
    part->seen = true;
    part->whole = whole;
    reader_free(look->reader);
    free(look);
    return state != READER_ALIEN || file_refuse(file, err);
}

/* ---- methods ---- */

static bool same_clock(const struct align_part *a, const struct align_part *b) {
    int64_t apart;
    return a->tps > 0 && a->tps == b->tps && a->has_wall && b->has_wall &&
           !__builtin_sub_overflow(a->unix_ns, b->unix_ns, &apart) && apart <= SAME_NS &&
           apart >= -SAME_NS;
}

static bool overlap(const struct align_part *a, const struct align_part *b) {
    return a->timed && b->timed && wide_cmp(a->first, b->last) <= 0 &&
           wide_cmp(b->first, a->last) <= 0;
}

/* False: the move is too large. */
static bool set_move(struct align_part *part, const struct align_part *to) {
    switch (part->method) {
    case ALIGN_BY_WALL:
        return !__builtin_sub_overflow(part->unix_ns, to->unix_ns, &part->move);
    case ALIGN_BY_BEGIN:
        part->move = to->timed && part->timed ? wide_diff(to->first, part->first, INT64_MAX) : 0;
        return true;
    default:
        part->move = 0;
        return true;
    }
}

static bool align_part(struct file *file, enum align_how how, size_t i, size_t reference,
                       struct align_part *parts, struct err *err) {
    struct align_part *part = &parts[i], *to = &parts[reference];
    bool walls = part->has_wall && to->has_wall;
    if (how == ALIGN_RAW)
        part->method = ALIGN_AS_WRITTEN;
    else if (how == ALIGN_WALL && !walls)
        return err_set(err, ERR_NO_OFFSET, "%s: --align=wall cannot be",
                       part->has_wall ? "the reference has no wall clock" : "has no wall clock");
    else if (how == ALIGN_WALL || (how == ALIGN_FOUND && walls && !same_clock(part, to)))
        part->method = ALIGN_BY_WALL;
    else if (how == ALIGN_FOUND && walls)
        part->method = ALIGN_BY_CLOCK;
    else if (!look_at(file_part_file(file, i), true, part, err) ||
             !look_at(file_part_file(file, reference), true, to, err))
        return false;
    else
        part->method = how == ALIGN_FOUND && !part->has_wall && !to->has_wall && overlap(part, to)
                           ? ALIGN_AS_WRITTEN
                           : ALIGN_BY_BEGIN;
    if (!set_move(part, to) || part->move >= ALIGN_MOST * 2 || part->move <= -ALIGN_MOST * 2)
        return err_set(err, ERR_NO_OFFSET, "its times are too far from those of the reference");
    return true;
}

bool align_files(struct file *file, enum align_how how, size_t reference, struct align_part *parts,
                 size_t *failed, struct err *err) {
    size_t n = file_part_count(file);
    memset(parts, 0, n * sizeof *parts);
    for (*failed = 0; *failed < n; ++*failed)
        if (!look_at(file_part_file(file, *failed), false, &parts[*failed], err))
            return false;
    for (*failed = 0; *failed < n; ++*failed)
        if (*failed != reference && !align_part(file, how, *failed, reference, parts, err))
            return false;
    return true;
}

bool align_is_exact(enum align_method method) {
    return method == ALIGN_REFERENCE || method == ALIGN_BY_CLOCK;
}

bool align_is_guess(enum align_method method) {
    return method == ALIGN_BY_BEGIN || method == ALIGN_AS_WRITTEN;
}

const char *align_text(enum align_method method) {
    static const char *const texts[] = {[ALIGN_REFERENCE] = "the reference",
                                        [ALIGN_BY_WALL] = "by wall clock (as good as NTP)",
                                        [ALIGN_BY_CLOCK] = "the same clock",
                                        [ALIGN_BY_BEGIN] = "begin with begin",
                                        [ALIGN_AS_WRITTEN] = "times as written"};
    return texts[method];
}
