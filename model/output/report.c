/* report.c - text about a trace. All text of the trace passes text_plain(). */
#include "model/output/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/query/dissect.h"
#include "model/trace/trace.h"
#include "model/trace/trace_problems.h"
#include "src/base/text.h"
#include "src/base/units.h"

#define SHOWN 12 /* of a list in the summary */

static void print_text(FILE *out, struct str s, unsigned flags) {
    char buf[512];
    struct text t = text_begin(s, flags);
    struct glyph g;
    size_t n = 0;
    while (text_next(&t, &g)) {
        for (int i = 0; i < 3 && g.cp[i]; i++)
            n += text_utf8(g.cp[i], buf + n);
        if (n > sizeof buf - 16) {
            fwrite(buf, 1, n, out);
            n = 0;
        }
    }
    fwrite(buf, 1, n, out); // cppcheck-suppress uninitvar ; n bytes of it are there
}

/* "records", or of one "record". */
static const char *counted(const char *what, uint64_t n, char buf[40]) {
    size_t length = strlen(what);
    const char *last = length < 6 ? "" : &what[length - 6]; /* six letters */
    if (n == 1 && strcmp(last, "losses") == 0)
        length -= 2;
    else if (n == 1 && what[length - 1] == 's' && strcmp(last, "series") != 0)
        length--;
    snprintf(buf, 40, "%.*s", (int)length, what);
    return buf;
}

/* ---- summary ---- */

struct busy_name {
    uint32_t name;
    uint64_t count;
    int64_t total;
};

static int by_total(const void *a, const void *b) {
    const struct busy_name *x = a, *y = b;
    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

typedef VEC(uint32_t) places; /* by name: where it is counted + 1 */

/* The names of a thread that took most time; open slices count to the trace's end. where: all 0, and left so. */
static size_t busiest(struct trace *trace, const struct thread *t, places *where, struct busy_name *best, size_t cap) {
    VEC(struct busy_name) all = {0};
    for (uint32_t row = 0; row < t->nest.nlanes; row++) {
        for (uint32_t i = 0; i < t->nest.lanes[row].n; i++) {
            const struct slice *s = lane_at(&t->nest.lanes[row], i);
            uint32_t name = trace_packed_name(trace, s->a);
            while (where->n <= name)
                vec_push(where, 0);
            if (where->v[name] == 0) {
                vec_push(&all, ((struct busy_name){name, 0, 0}));
                where->v[name] = (uint32_t)all.n;
            }
            struct busy_name *busy = &all.v[where->v[name] - 1];
            int64_t dur = slice_open(s) ? trace_end(trace) - s->start : slice_dur(s), *total = &busy->total;
            busy->count++;
            *total = dur > INT64_MAX - *total ? INT64_MAX : *total + dur;
        }
    }
    for (size_t i = 0; i < all.n; i++)
        where->v[all.v[i].name] = 0;
    if (all.n > 1)
        qsort(all.v, all.n, sizeof *all.v, by_total);
    size_t n = all.n < cap ? all.n : cap;
    if (n > 0)
        memcpy(best, all.v, n * sizeof *best);
    vec_free(&all);
    return n;
}

static int by_events(const void *a, const void *b) {
    const struct thread *x = *(struct thread *const *)a, *y = *(struct thread *const *)b;
    if (x->events != y->events)
        return x->events > y->events ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void summary_thread(struct trace *trace, FILE *out, struct thread *t, places *where, unsigned flags) {
    char buf[40], time[32], count[32], noun[40];
    bool named;
    struct busy_name best[3];
    fputs("  ", out);
    if (t->process != NO_PROCESS) {
        print_text(out, trace_process_name(trace, trace_process(trace, t->process), buf, &named), flags);
        if (named)
            fprintf(out, " %" PRIu64, t->id.pid);
        fputs(" / ", out);
    }
    print_text(out, trace_thread_name(trace, t, buf, &named), flags);
    if (named)
        fprintf(out, " %" PRIu64, t->id.tid);
    fprintf(out, ": %s %s", units_count(t->events, false, time), counted("events", t->events, noun));
    fprintf(out, ", %s %s, %u deep", units_count(t->nest.slices, false, count), counted("slices", t->nest.slices, noun),
            t->nest.nlanes);
    size_t n = busiest(trace, t, where, best, 3);
    for (size_t i = 0; i < n; i++) {
        fputs(i == 0 ? "; busiest " : ", ", out);
        print_text(out, trace_name(trace, best[i].name), flags);
        fprintf(out, " %s", units_duration(best[i].total, (flags & TEXT_ASCII) != 0, time));
    }
    putc('\n', out);
}

static void part(FILE *out, bool *any, const char *what, uint64_t n) {
    char count[32], noun[40];
    if (n > 0)
        fprintf(out, "%s%s %s", *any ? ", " : "tracks: ", units_count(n, false, count), counted(what, n, noun));
    *any = *any || n > 0;
}

/* What is on no thread's rows, or beside them. */
static void summary_others(struct trace *trace, FILE *out) {
    const struct flows *flows = trace_flows(trace);
    uint64_t ops = 0;
    size_t profile, losses;
    bool any = false;
    for (size_t i = 0; i < async_group_count(trace_async(trace)); i++)
        ops += async_group(trace_async(trace), i)->ops;
    trace_profile(trace, &profile);
    trace_lost(trace, &losses);
    part(out, &any, "async operations", ops);
    part(out, &any, "flows", flows->v.n);
    if (flows->v.n > flows->complete)
        part(out, &any, "of them incomplete", flows->v.n - flows->complete);
    part(out, &any, "counter series", counter_series_count(trace_counters(trace)));
    part(out, &any, "CPUs", sched_cpu_count(trace_sched(trace)));
    part(out, &any, "log records", trace_log_count(trace));
    part(out, &any, "profiler records", profile);
    part(out, &any, "blobs", blob_count(trace_blobs(trace)));
    part(out, &any, "losses", losses);
    if (any)
        putc('\n', out);
}

static void summary_kinds(struct trace *trace, FILE *out) {
    char buf[32];
    const char *comma = "records: ";
    for (int kind = 0; kind < FXT_K_COUNT; kind++) {
        uint64_t count = reader_kind_count(trace_reader(trace), (enum fxt_kind)kind);
        if (count == 0)
            continue;
        fprintf(out, "%s%s %s", comma, units_count(count, false, buf), fxt_kind_name((enum fxt_kind)kind));
        comma = ", ";
    }
    putc('\n', out);
}

__attribute__((cold)) void report_summary(struct trace *trace, FILE *out, bool ascii) {
    unsigned flags = ascii ? TEXT_ASCII : 0;
    uint64_t tps, base_tick, base_unix;
    bool has_base;
    char a[48], b[32], digits[40];
    fputs("file: ", out);
    print_text(out, str_of(trace_path(trace)), flags);
    fprintf(out, "\nsize: %s", units_bytes(file_size(trace_file(trace)), b));
    if (file_compression(trace_file(trace)) != FILE_PLAIN)
        fprintf(out, " (inflated from %s)", file_compression(trace_file(trace)) == FILE_GZIP ? "gzip" : "zstd");
    if (reader_big_endian(trace_reader(trace)))
        fputs(", big-endian", out);
    uint64_t records = reader_records(trace_reader(trace));
    fprintf(out, ", %s %s", units_count(records, false, b), counted("records", records, digits));
    fprintf(out, ", %s %s\n", units_count(trace_events(trace), false, b),
            counted("events", trace_events(trace), digits));
    bool has_init = reader_init(trace_reader(trace), &tps, &base_tick, &base_unix, &has_base);
    if (trace_events(trace) > 0) {
        int64_t span = (int64_t)((uint64_t)trace_end(trace) - (uint64_t)trace_origin(trace));
        fprintf(out, "span: %s, from %s ns of the trace's clock\n", units_duration(span, ascii, b),
                wide_text(trace_origin_wide(trace), digits));
    } else {
        fputs("span: no events\n", out);
    }
    if (has_init)
        fprintf(out, "clock: %" PRIu64 " ticks per second%s\n", tps, tps == 0 ? " (assuming 1 tick = 1 ns)" : "");
    else
        fputs("clock: no initialization record: assuming 1 tick = 1 ns\n", out);
    if (has_base && trace_events(trace) > 0) {
        struct wide base = tps ? wide_div(wide_mul(base_tick, 1000000000), tps) : (struct wide){0, base_tick};
        int64_t since = wide_diff(trace_origin_wide(trace), base, INT64_MAX);
        fprintf(out, "wall clock: begins %s\n", units_wall(base_unix + (uint64_t)since, a));
    }
    size_t providers = 0;
    fputs("providers:", out);
    for (size_t i = 0; i < reader_provider_count(trace_reader(trace)); i++) {
        const struct provider *p = reader_provider(trace_reader(trace), i);
        if (p->implicit || providers++ >= SHOWN)
            continue;
        fputs(providers > 1 ? ", " : " ", out);
        print_text(out, p->name, flags);
        fprintf(out, " (%" PRIu32 ", %s %s)", p->id, units_count(p->records, false, b),
                counted("records", p->records, digits));
    }
    if (providers == 0)
        fputs(" none declared", out);
    else if (providers > SHOWN)
        fprintf(out, ", and %zu more", providers - SHOWN);
    fprintf(out, "\nprocesses: %zu, threads: ", trace_process_count(trace));
    size_t n = 0;
    struct thread **threads = err_malloc((trace_thread_count(trace) + 1) * sizeof *threads);
    for (size_t i = 0; i < trace_thread_count(trace); i++)
        if (!trace_thread_hidden(trace, trace_thread(trace, i)))
            threads[n++] = trace_thread(trace, i);
    fprintf(out, "%zu\n", n);
    qsort(threads, n, sizeof *threads, by_events);
    places where = {0};
    for (size_t i = 0; i < n && i < SHOWN; i++)
        summary_thread(trace, out, threads[i], &where, flags);
    vec_free(&where);
    if (n > SHOWN)
        fprintf(out, "  and %zu more threads\n", n - SHOWN);
    free(threads);
    summary_others(trace, out);
    summary_kinds(trace, out);
    if (trace_problem_count(trace, true) == 0)
        fputs("problems: none\n", out);
    else
        fputs("problems:\n", out);
    report_check(trace, out, false);
}

bool report_check(struct trace *trace, FILE *out, bool strict) {
    const struct problems *problems = trace_problems(trace);
    bool any = false;
    char buf[96];
    for (int notes = 0; notes < 2; notes++) {
        for (int kind = 0; kind < PROBLEM_KINDS; kind++) {
            const struct problem *p = &problems->kinds[kind];
            if (p->count == 0 || problem_is_note((enum problem_kind)kind) != (notes == 1))
                continue;
            any = any || strict || notes == 0;
            fprintf(out, "%s %s: %" PRIu64 ", first at byte %" PRIu64 ": %s\n", notes ? "note   " : "problem",
                    problem_name((enum problem_kind)kind), p->count, p->first_offset,
                    problem_message((enum problem_kind)kind, p, buf));
        }
    }
    return any;
}

/* ---- records ---- */

struct records {
    FILE *out;
    struct dissect_place place;
    struct dissection anatomy;
};

static void print_record(void *ctx, const struct item *item) {
    struct records *r = ctx;
    const struct fxt_record *rec = item->record;
    struct reader_frame frame = {.kind = FRAME_RECORD,
                                 .words = item->words,
                                 .avail = item->avail,
                                 .size = rec->words,
                                 .bytes = rec->words * 8,
                                 .provider = item->provider,
                                 .swap = rec->swap};
    dissect_frame(&r->anatomy, &r->place, item->offset, &frame);
    fprintf(r->out, "0x%06" PRIx64 " %" PRIu64 " %s", item->offset, rec->words * 8, fxt_kind_name(rec->kind));
    dissect_print(&r->anatomy, r->out);
    putc('\n', r->out);
}

/* Damage that is no record has a line of its own; the rest stands in its record's. */
static void print_problem(void *ctx, enum problem_kind kind, uint64_t offset, uint64_t detail, int64_t time) {
    struct records *r = ctx;
    struct problem p = {.count = 1, .first_offset = offset, .detail = detail};
    char buf[96];
    (void)time;
    if (kind == PROBLEM_ZERO_WORDS || kind == PROBLEM_ZERO_SIZE || kind == PROBLEM_TRUNCATED_RECORD ||
        kind == PROBLEM_TRAILING_BYTES || kind == PROBLEM_NO_MAGIC)
        fprintf(r->out, "0x%06" PRIx64 " - damage: %s\n", offset, problem_message(kind, &p, buf));
}

bool report_records(const char *path, const struct trace_options *options, FILE *out, bool ascii, struct err *err) {
    struct file *file = file_open(path, options->max_inflate, err);
    if (file == NULL)
        return false;
    struct records r = {.out = out, .place = {.text = ascii ? TEXT_ASCII : 0}};
    struct sink sink = {&r, NULL, NULL, print_record, print_problem};
    struct reader *reader = r.place.reader = reader_new(file, &sink);
    enum reader_state state = READER_MORE;
    while (state != READER_END && state != READER_ALIEN && !ferror(out)) {
        if (state == READER_WAIT)
            file_step(file, 1u << 20, -1);
        state = reader_step(reader, 1u << 20);
    }
    bool ok = state != READER_ALIEN && file_size(file) > 0;
    const char *why = NULL;
    enum file_fault fault = file_fault(file, &why);
    reader_free(reader);
    dissect_free(&r.anatomy);
    if (!ok)
        err_set(err, ERR_NO_OFFSET, "%s", file_size(file) == 0 ? "empty" : "not an FXT trace");
    else if (fflush(out) != 0 || ferror(out))
        ok = errno == EPIPE ? true : err_set(err, ERR_NO_OFFSET, "cannot write: %s", strerror(errno));
    else if (fault >= FILE_NO_SPACE)
        ok = err_set(err, ERR_NO_OFFSET, "%s", why);
    file_close(file);
    return ok;
}
