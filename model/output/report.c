/* report.c - text about a trace: its summary, its problems, its records.
 *
 * All text from the trace passes text_next(), so nothing of it reaches the terminal as a control.
 * The summary's busiest names are an aggregate over one thread's slices, cleared and used again for
 * the next thread. Records are read with a reader of their own, whose sink prints each item. */
#include "model/output/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/output/check.h"
#include "model/query/aggregate.h"
#include "model/query/detail.h"
#include "model/query/dissect.h"
#include "model/trace/trace_life.h"
#include "model/trace/trace_problems.h"
#include "src/base/text.h"
#include "src/base/units.h"

#define SHOWN 12 /* entries of a list in the summary */

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

/* The noun for n: "records", but "record" if n is 1. */
static const char *counted(const char *what, uint64_t n, char buf[40]) {
    size_t length = strlen(what);
    const char *last = length < 6 ? "" : &what[length - 6]; /* its last six letters */
    if (n == 1 && strcmp(last, "losses") == 0)
        length -= 2;
    else if (n == 1 && what[length - 1] == 's' && strcmp(last, "series") != 0)
        length--;
    snprintf(buf, 40, "%.*s", (int)length, what);
    return buf;
}

/* ---- summary ---- */

struct summary {
    struct trace *trace;
    FILE *out;
    unsigned flags; /* of text_begin() */
    bool ascii;
    struct aggregate busy; /* of one thread, by name */
};

#define BUSIEST 3 /* names of a thread */

static bool busier(const struct aggregate_row *a, const struct aggregate_row *b) {
    int order = sum_cmp(a->total, b->total);
    return order != 0 ? order > 0 : a->key.name < b->key.name;
}

/* The names of a thread that cover most time, the first most of all; valid until the next call. */
static size_t busiest(struct summary *s, uint32_t thread,
                      const struct aggregate_row *best[BUSIEST]) {
    struct slice_order order;
    size_t n = 0;
    aggregate_clear(&s->busy);
    slice_order_init(&order, s->trace, &SLICE_SET(SLICE_ITER_SLICES, thread, INT64_MIN, INT64_MAX));
    aggregate_nested(&s->busy, s->trace, &order, NULL);
    slice_order_free(&order);
    for (size_t i = 0; i < s->busy.rows.n; i++) {
        const struct aggregate_row *row = &s->busy.rows.v[i];
        size_t at = n;
        while (at > 0 && busier(row, best[at - 1]))
            at--;
        n += n < BUSIEST;
        for (size_t k = n; k > at + 1; k--)
            best[k - 1] = best[k - 2];
        if (at < n)
            best[at] = row;
    }
    return n;
}

struct interest {
    struct thread *thread;
    int64_t value; /* trace_thread_place() */
};

static int by_interest(const void *a, const void *b) {
    const struct interest *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return x->thread->number < y->thread->number ? -1 : x->thread->number > y->thread->number;
}

static void summary_labels(struct summary *s, const struct process *process) {
    struct detail d;
    struct detail_argument a;
    if (!detail_labels(&d, s->trace, process, &a))
        return;
    fputs(" (", s->out);
    print_text(s->out, a.string, s->flags);
    fputc(')', s->out);
}

static void summary_thread(struct summary *s, const struct thread *t) {
    char buf[40], time[32], count[32], noun[40];
    bool named;
    const struct aggregate_row *best[BUSIEST];
    FILE *out = s->out;
    fputs("  ", out);
    if (t->process != NO_PROCESS) {
        print_text(out,
                   trace_process_name(s->trace, trace_process(s->trace, t->process), buf, &named),
                   s->flags);
        if (named)
            fprintf(out, " %" PRIu64, t->id.pid);
        summary_labels(s, trace_process(s->trace, t->process));
        fputs(" / ", out);
    }
    print_text(out, trace_thread_name(s->trace, t, buf, &named), s->flags);
    if (named)
        fprintf(out, " %" PRIu64, t->id.tid);
    fprintf(out, ": %s %s", units_count(t->events, false, time),
            counted("events", t->events, noun));
    struct slice_set set = SLICE_SET(SLICE_ITER_SLICES, t->number, INT64_MIN, INT64_MAX);
    struct left_out left_out = slice_iter_left_out(s->trace, &set);
    uint64_t slices = t->nest.slices - left_out.slices;
    fprintf(out, ", %s %s", units_count(slices, false, count), counted("slices", slices, noun));
    if (left_out.slices > 0)
        fprintf(out, ", %s %s left out", units_count(left_out.slices, false, count),
                slice_iter_left_out_word(left_out));
    fprintf(out, ", %u deep", nest_rows(&t->nest));
    size_t n = busiest(s, t->number, best);
    for (size_t i = 0; i < n; i++) {
        fputs(i == 0 ? "; busiest " : ", ", out);
        print_text(out, trace_name(s->trace, best[i]->key.name), s->flags);
        fprintf(out, " %s", units_duration(sum_ns(best[i]->total), s->ascii, time));
    }
    putc('\n', out);
}

static void part(FILE *out, bool *any, const char *what, uint64_t n) {
    char count[32], noun[40];
    if (n > 0)
        fprintf(out, "%s%s %s", *any ? ", " : "tracks: ", units_count(n, false, count),
                counted(what, n, noun));
    *any = *any || n > 0;
}

/* The counts of everything that is not a slice of a thread. */
static void summary_others(struct summary *s) {
    struct trace *trace = s->trace;
    FILE *out = s->out;
    const struct flows *flows = trace_flows(trace);
    uint64_t ops = 0;
    size_t profile, losses;
    bool any = false;
    for (size_t i = 0; i < async_group_count(trace_async(trace)); i++)
        ops += async_group(trace_async(trace), i)->ops;
    trace_profile(trace, &profile);
    trace_lost(trace, &losses);
    part(out, &any, "async operations", ops);
    part(out, &any, "flows", flow_count(flows));
    if (flow_count(flows) > flow_complete_count(flows))
        part(out, &any, "of them incomplete", flow_count(flows) - flow_complete_count(flows));
    part(out, &any, "counter series", counter_series_count(trace_counters(trace)));
    part(out, &any, "CPUs", sched_cpu_count(trace_sched(trace)));
    part(out, &any, "log records", trace_log_count(trace));
    part(out, &any, "profiler records", profile);
    part(out, &any, "blobs", blob_count(trace_blobs(trace)));
    part(out, &any, "losses", losses);
    if (any)
        putc('\n', out);
}

static void summary_kinds(struct summary *s) {
    FILE *out = s->out;
    char buf[32];
    const char *comma = "records: ";
    for (int kind = 0; kind < FXT_K_COUNT; kind++) {
        uint64_t count = reader_kind_count(trace_reader(s->trace), (enum fxt_kind)kind);
        if (count == 0)
            continue;
        fprintf(out, "%s%s %s", comma, units_count(count, false, buf),
                fxt_kind_name((enum fxt_kind)kind));
        comma = ", ";
    }
    putc('\n', out);
}

/* A line about each file of a set. */
static void summary_files(struct summary *s) {
    struct trace *trace = s->trace;
    for (size_t i = 0; i < trace_files(trace); i++) {
        char buf[TRACE_ALIGNED_TEXT], size[32], count[32], noun[40];
        struct file_part part;
        uint64_t events = trace_file_events(trace, i);
        int64_t from, to;
        trace_file_part(trace, i, &part);
        fputs("trace: ", s->out);
        print_text(s->out, str_of(trace_file_name(trace, i)), s->flags);
        fprintf(s->out, ": %s", trace_aligned_text(trace, i, s->ascii, buf));
        fprintf(s->out, "; %s, %s %s", units_bytes(part.end - part.begin, size),
                units_count(events, false, count), counted("events", events, noun));
        if (trace_file_span(trace, i, &from, &to))
            fprintf(s->out, " in %s", units_duration(units_since(from, to), s->ascii, count));
        fputs(", ", s->out);
        print_text(s->out, str_of(trace_file_path(trace, i)), s->flags);
        putc('\n', s->out);
    }
}

static void summary_file(struct summary *s) {
    struct file *file = trace_file(s->trace);
    char buf[32], noun[40];
    uint64_t records = reader_records(trace_reader(s->trace)), events = trace_events(s->trace);
    fputs("file: ", s->out);
    print_text(s->out, str_of(trace_path(s->trace)), s->flags);
    fprintf(s->out, "\nsize: %s", units_bytes(file_size(file), buf));
    if (file_compression(file) != FILE_PLAIN)
        fprintf(s->out, " (inflated from %s)",
                file_compression(file) == FILE_GZIP ? "gzip" : "zstd");
    if (file_imported(file))
        fprintf(s->out, " (made from %s)", file_imported(file));
    if (reader_big_endian(trace_reader(s->trace)))
        fputs(", big-endian", s->out);
    fprintf(s->out, ", %s %s", units_count(records, false, buf), counted("records", records, noun));
    fprintf(s->out, ", %s %s\n", units_count(events, false, buf), counted("events", events, noun));
    if (trace_files(s->trace) > 1)
        summary_files(s);
}

/* The stretch of most times, if some are far from them. */
static void summary_bulk(struct summary *s) {
    struct trace *trace = s->trace;
    int64_t most = units_since(trace_window_begin(trace), trace_window_end(trace));
    char span[32], from[32];
    if (most != units_since(trace_begin(trace), trace_end(trace)))
        fprintf(s->out, "most times: within %s, from %s on\n", units_duration(most, s->ascii, span),
                units_point(units_since(trace_begin(trace), trace_window_begin(trace)), 1000,
                            s->ascii, from));
}

static const char *left_out(const struct trace *trace) {
    if (trace_unset_times(trace) == 0)
        return "damaged";
    return trace_damaged_times(trace) == 0 ? "unset" : "damaged or unset";
}

/* The times that the span leaves out; exports leave nothing out. */
static void summary_outside(struct summary *s) {
    struct trace *trace = s->trace;
    uint64_t n = trace_damaged_times(trace) + trace_unset_times(trace);
    char buf[32], noun[40], number[32], digits[40];
    if (n > 0)
        fprintf(s->out, "left out: %s %s %s", units_count(n, false, number), left_out(trace),
                counted("times", n, noun));
    else if (trace_is_part(trace) && trace_has_outside(trace))
        fputs("part of a trace", s->out);
    else
        return;
    if (trace_has_outside(trace)) {
        int64_t span = units_since(trace_origin(trace), trace_last(trace));
        int64_t ahead = units_since(trace_origin(trace), trace_begin(trace));
        fprintf(s->out, "%s the span is %s",
                n == 0 ? ": with what reaches out of it" : "; with all",
                units_duration(span, s->ascii, buf));
        fprintf(s->out, ", exports count from %s ns", wide_text(trace_origin_wide(trace), digits));
        if (ahead > 0)
            fprintf(s->out, ", %s earlier", units_duration(ahead, s->ascii, buf));
    }
    fputc('\n', s->out);
}

static void summary_clock(struct summary *s) {
    uint64_t tps, base_tick, base_unix;
    bool has_base, any = trace_events(s->trace) > 0;
    char buf[48], digits[40];
    bool has_init = reader_init(trace_reader(s->trace), &tps, &base_tick, &base_unix, &has_base);
    if (any) {
        int64_t span = (int64_t)((uint64_t)trace_end(s->trace) - (uint64_t)trace_begin(s->trace));
        fprintf(s->out, "span: %s, from %s ns of the trace's clock\n",
                units_duration(span, s->ascii, buf), wide_text(trace_begin_wide(s->trace), digits));
        summary_bulk(s);
        summary_outside(s);
    } else {
        fputs("span: no events\n", s->out);
    }
    if (has_init)
        fprintf(s->out, "clock: %" PRIu64 " ticks per second%s\n", tps,
                tps == 0 ? " (assuming 1 tick = 1 ns)" : "");
    else
        fputs("clock: no initialization record: assuming 1 tick = 1 ns\n", s->out);
    if (has_base && any) {
        struct wide base =
            tps ? wide_div(wide_mul(base_tick, 1000000000), tps) : (struct wide){0, base_tick};
        int64_t since = wide_diff(trace_begin_wide(s->trace), base, INT64_MAX);
        fprintf(s->out, "wall clock: starts at %s\n", units_wall(base_unix + (uint64_t)since, buf));
    }
}

static void summary_providers(struct summary *s) {
    struct reader *reader = trace_reader(s->trace);
    char buf[32], noun[40];
    size_t n = 0;
    fputs("providers:", s->out);
    for (size_t i = 0; i < reader_provider_count(reader); i++) {
        const struct provider *p = reader_provider(reader, i);
        if (p->implicit || n++ >= SHOWN)
            continue;
        fputs(n > 1 ? ", " : " ", s->out);
        print_text(s->out, p->name, s->flags);
        fprintf(s->out, " (id %" PRIu32 ", %s %s)", p->id, units_count(p->records, false, buf),
                counted("records", p->records, noun));
    }
    if (n == 0)
        fputs(" none declared", s->out);
    else if (n > SHOWN)
        fprintf(s->out, ", and %zu more", n - SHOWN);
    putc('\n', s->out);
}

static void summary_threads(struct summary *s) {
    size_t n = 0, all = trace_thread_count(s->trace);
    struct interest *threads = err_malloc((all + 1) * sizeof *threads);
    for (size_t i = 0; i < all; i++) {
        struct thread *t = trace_thread(s->trace, i);
        if (!trace_thread_hidden(s->trace, t) && !trace_thread_none(s->trace, t))
            threads[n++] =
                (struct interest){t, trace_thread_place(trace_thread_single(s->trace, t),
                                                        trace_thread_interest(s->trace, t))};
    }
    fprintf(s->out, "processes: %zu, threads: %zu\n", trace_process_count(s->trace), n);
    qsort(threads, n, sizeof *threads, by_interest);
    for (size_t i = 0; i < n && i < SHOWN; i++)
        summary_thread(s, threads[i].thread);
    if (n > SHOWN)
        fprintf(s->out, "  and %zu more threads\n", n - SHOWN);
    free(threads);
}

void report_file(struct trace *trace, FILE *out, bool ascii) {
    struct summary s = {
        .trace = trace, .out = out, .flags = ascii ? TEXT_ASCII : 0, .ascii = ascii};
    summary_file(&s);
    summary_clock(&s);
}

__attribute__((cold)) void report_summary(struct trace *trace, FILE *out, bool ascii) {
    struct summary s = {trace, out, ascii ? TEXT_ASCII : 0, ascii, AGGREGATE_INIT(AGGREGATE_NAME)};
    summary_file(&s);
    summary_clock(&s);
    summary_providers(&s);
    summary_threads(&s);
    summary_others(&s);
    summary_kinds(&s);
    bool any = trace_problem_count(trace, true) > 0;
    fputs(any ? "problems:\n" : "problems: none\n", out);
    if (any)
        check_print(trace, &(struct check_style){0}, out);
    aggregate_free(&s.busy);
}

/* ---- records ---- */

struct records {
    FILE *out;
    const struct file *file;
    struct dissect_place place;
    struct dissection dissection;
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
    dissect_frame(&r->dissection, &r->place, item->offset, &frame);
    fprintf(r->out, "0x%06" PRIx64 " %" PRIu64 " %s", item->offset, rec->words * 8,
            fxt_kind_name(rec->kind));
    dissect_print(&r->dissection, r->out);
    struct import_place source;
    if (file_import_source(r->file, item->offset, &source))
        fprintf(r->out, " source:%" PRIu64, source.byte);
    putc('\n', r->out);
}

/* Damage that is no record has a line of its own; other problems are printed with their record. */
static void print_problem(void *ctx, enum problem_kind kind, uint64_t offset, uint64_t detail,
                          int64_t time) {
    struct records *r = ctx;
    struct problem p = {.count = 1, .first_offset = offset, .detail = detail};
    char buf[96];
    (void)time;
    if (kind == PROBLEM_ZERO_WORDS || kind == PROBLEM_ZERO_SIZE ||
        kind == PROBLEM_TRUNCATED_RECORD || kind == PROBLEM_TRAILING_BYTES ||
        kind == PROBLEM_NO_MAGIC)
        fprintf(r->out, "0x%06" PRIx64 " - damage: %s\n", offset, problem_message(kind, &p, buf));
}

bool report_records(const char *path, const struct trace_options *options, FILE *out, bool ascii,
                    struct err *err) {
    struct file *file = file_open(path, &options->file, err);
    if (file == NULL)
        return false;
    struct records r = {.out = out, .file = file, .place = {.text = ascii ? TEXT_ASCII : 0}};
    struct sink sink = {&r, NULL, NULL, print_record, print_problem, NULL};
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
    dissect_free(&r.dissection);
    if (!ok)
        file_refuse(file, err);
    else if (fflush(out) != 0 || ferror(out))
        ok = errno == EPIPE ? true
                            : err_set(err, ERR_NO_OFFSET, "cannot write: %s", strerror(errno));
    else if (fault >= FILE_NO_SPACE)
        ok = err_set(err, ERR_NO_OFFSET, "%s", why);
    file_close(file);
    return ok;
}
