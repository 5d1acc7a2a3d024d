/* sound.c - rows, fields of records, and reading in small steps; see sound.h.
 *
 * The questions of a row are asked about some of its slices and answered again by a loop over all.
 * Times: ns of the reader's base, as everywhere in the model. */
#include "tests/lib/sound_internal.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "model/output/ndjson.h"
#include "model/query/dissect.h"

#define COLUMNS 7

/* ---- rows ---- */

bool sound_order(const struct lane *lane, char why[200]) {
    for (uint32_t i = 0; i < lane->n; i++) {
        const struct slice v[] = {lane_slice(lane, i > 0 ? i - 1 : 0), lane_slice(lane, i),
                                  lane_slice(lane, i + 1 < lane->n ? i + 1 : i)},
                           *s = &v[1];
        if (slice_dur(s) < 0)
            FAIL("the slice at byte %" PRIu64 " has a negative duration", slice_offset(s));
        if (i > 0 && (s->start < s[-1].start || slice_end(&s[-1]) > s->start))
            FAIL("slices at bytes %" PRIu64 " and %" PRIu64 " overlap in their row",
                 slice_offset(&s[-1]), slice_offset(s));
        if (i + 1 < lane->n && i > 0 && s[-1].start == s[1].start &&
            slice_offset(&s[-1]) > slice_offset(s))
            FAIL("the slice at byte %" PRIu64 " is not in file order", slice_offset(s));
        if (i % 7 == 0 && lane_find(lane, s->start, slice_offset(s)) != i)
            FAIL("the slice at byte %" PRIu64 " is not found", slice_offset(s));
    }
    return true;
}

static bool busy(struct lane *lane, int64_t from, int64_t to, char why[200]) {
    uint64_t slow = 0;
    for (uint32_t i = 0; i < lane->n; i++) {
        int64_t start = lane_start(lane, i), end = slice_end(lane_at(lane, i));
        start = start < from ? from : start;
        end = end > to ? to : end;
        if (start < end)
            slow += (uint64_t)(end - start);
    }
    int64_t fast = lane_busy(lane, from, to);
    if (fast < 0 || (uint64_t)fast != slow)
        FAIL("busy time of [%" PRId64 ", %" PRId64 ") is %" PRIu64 ", not %" PRId64, from, to, slow,
             fast);
    return true;
}

static bool places(struct lane *lane, int64_t t, char why[200]) {
    uint32_t from = 0, before = 0;
    while (from < lane->n && lane_start(lane, from) < t)
        from++;
    while (before < lane->n && lane_start(lane, before) <= t)
        before++;
    if (lane_from(lane, t) != from)
        FAIL("the first slice from %" PRId64 " on is %u, not %u", t, from, lane_from(lane, t));
    if (lane_before(lane, t) != before - 1)
        FAIL("the last slice up to %" PRId64 " is %d, not %d", t, (int)before - 1,
             (int)lane_before(lane, t));
    return true;
}

static bool spans(struct lane *lane, const int64_t *edges, int columns, struct span *out,
                  char why[200]) {
    int64_t lo = edges[0], hi = edges[columns];
    size_t n = lane_spans(lane, edges, columns, out);
    uint32_t i = 0;
    while (i < lane->n && slice_end(lane_at(lane, i)) <= lo && lane_start(lane, i) < lo)
        i++;
    if (n > 2 * (size_t)columns)
        FAIL("%zu spans in %d columns", n, columns);
    for (size_t k = 0; k < n; i += out[k].n, k++) {
        const struct span *s = &out[k];
        if (s->first != i || s->n == 0 || s->n > lane->n - i)
            FAIL("span %zu holds slices %u + %u, but %u is next of %u", k, s->first, s->n, i,
                 lane->n);
        if (s->column < 0 || s->column >= columns || (k > 0 && s->column < s[-1].column))
            FAIL("span %zu is in column %d", k, s->column);
        uint32_t longest = s->first;
        for (uint32_t j = i; j < i + s->n; j++) {
            int64_t start = lane_start(lane, j);
            if (start >= hi || start >= edges[s->column + 1] ||
                (start >= lo && start < edges[s->column]))
                FAIL("slice %u at %" PRId64 " is no part of column %d", j, start, s->column);
            if (slice_dur(lane_at(lane, j)) > slice_dur(lane_at(lane, longest)))
                longest = j;
        }
        if (lane_longest(lane, i, i + s->n) != longest)
            FAIL("the longest slice of span %zu is %u, not %u", k, longest,
                 lane_longest(lane, i, i + s->n));
        if (s->n == 1 && (s->start != lane_start(lane, i) || s->end != slice_end(lane_at(lane, i))))
            FAIL("span %zu has not the times of its slice", k);
        if (s->n > 1 && s->busy != lane_busy(lane, edges[s->column], edges[s->column + 1]))
            FAIL("span %zu is busy for %" PRId64 " ns", k, s->busy);
    }
    if (i < lane->n && lane_start(lane, i) < hi)
        FAIL("slice %u at %" PRId64 " is in no span", i, lane_start(lane, i));
    return true;
}

static bool shares(struct lane *lane, const int64_t *edges, int columns, double *share,
                   char why[200]) {
    lane_busy_columns(lane, edges, columns, share);
    for (int c = 0; c < columns; c++) {
        double slow =
            (double)lane_busy(lane, edges[c], edges[c + 1]) / (double)(edges[c + 1] - edges[c]);
        if (share[c] - slow > 1e-9 || slow - share[c] > 1e-9)
            FAIL("column %d of [%" PRId64 ", %" PRId64 ") is busy by %g, not %g", c, edges[c],
                 edges[c + 1], slow, share[c]);
    }
    return true;
}

bool sound_lane(struct lane *lane, const int64_t *edges, int columns, char why[200]) {
    struct span *out = err_malloc((size_t)columns * 2 * sizeof *out);
    double *share = err_calloc((size_t)columns, sizeof *share);
    bool ok = spans(lane, edges, columns, out, why) && shares(lane, edges, columns, share, why);
    free(out);
    free(share);
    return ok;
}

/* Windows about the slice i: as wide as it, narrower, and the whole row. */
bool sound_questions(struct lane *lane, uint32_t i, char why[200]) {
    const struct slice *s = lane_at(lane, i), *last = lane_at(lane, lane->n - 1);
    int64_t end = slice_open(s) ? s->start : s->start + slice_dur(s),
            whole = slice_open(last) ? last->start : slice_end(last);
    const int64_t from[] = {s->start, s->start + (end - s->start) / 3, lane_start(lane, 0), end};
    const int64_t to[] = {end, end - (end - s->start) / 3, whole, whole};
    for (int k = 0; k < 4; k++) {
        int64_t edges[COLUMNS + 1], width = to[k] - from[k] < COLUMNS ? COLUMNS : to[k] - from[k];
        if (from[k] > INT64_MAX - width - 1)
            continue;
        for (int c = 0; c <= COLUMNS; c++)
            edges[c] = from[k] + width / COLUMNS * c + (c == COLUMNS ? width % COLUMNS + 1 : 0);
        if (!sound_lane(lane, edges, COLUMNS, why) || !places(lane, from[k], why) ||
            !places(lane, to[k], why) || !busy(lane, edges[0], edges[COLUMNS], why))
            return false;
    }
    return true;
}

static bool parents(struct trace *trace, const struct nest *nest, uint32_t row, char why[200]) {
    const struct slice_extra *aside = trace_slice_extra(trace);
    for (uint32_t i = 0; i < nest->lanes[row].n; i++) {
        const struct slice *s = lane_at(&nest->lanes[row], i);
        uint32_t prow, p;
        uint64_t offset = slice_offset(s);
        if (!nest_parent(nest, aside, row, i, &prow, &p)) {
            if (nest_depth(nest, aside, row, i) != 0)
                FAIL("the slice at byte %" PRIu64 " has no parent and is not at depth 0", offset);
            continue;
        }
        if (prow >= row || p >= nest->lanes[prow].n)
            FAIL("the parent of the slice at byte %" PRIu64 " is not above it", offset);
        const struct slice *parent = lane_at(&nest->lanes[prow], p);
        if (parent->start > s->start || slice_end(parent) < slice_end(s))
            FAIL("the parent of the slice at byte %" PRIu64 " does not contain it", offset);
        if (nest_depth(nest, aside, row, i) != nest_depth(nest, aside, prow, p) + 1)
            FAIL("the depth of the slice at byte %" PRIu64 " is not its parent's and one", offset);
    }
    return true;
}

/* At the begin of a slice a slice is found that begins there: the last in nesting order. */
static bool found(struct trace *trace, const struct thread *t, uint32_t row, uint32_t i,
                  char why[200]) {
    const struct slice *s = lane_at(&t->nest.lanes[row], i);
    uint64_t offset = slice_offset(s);
    uint32_t r, k;
    if (!trace_find_slice(t, s->start, offset, &r, &k) || r != row || k != i)
        FAIL("the slice at byte %" PRIu64 " is not found in its rows", offset);
    if (row >= nest_sound_rows(&t->nest)) /* it is around nothing */
        return true;
    if (!trace_slice_at(trace, t->number, s->start, &r, &k))
        FAIL("nothing is where the slice at byte %" PRIu64 " begins", offset);
    const struct slice *at = lane_at(&t->nest.lanes[r], k);
    if (at->start != s->start) /* the last one that holds its begin begins there too */
        FAIL("at the begin of the slice at byte %" PRIu64 " is what began before", offset);
    return true;
}

bool sound_rows(struct trace *trace, char why[200]) {
    for (size_t k = 0; k < trace_thread_count(trace); k++) {
        struct thread *t = trace_thread(trace, k);
        uint64_t slices = 0;
        size_t n;
        const struct instant *instants = trace_instants(t, &n);
        for (size_t i = 1; i < n; i++)
            if (instants[i].time < instants[i - 1].time)
                FAIL("instants of thread %zu are not in order", k);
        for (uint32_t row = 0; row < t->nest.nlanes; row++) {
            struct lane *lane = &t->nest.lanes[row];
            slices += lane->n;
            if (!sound_order(lane, why) || !parents(trace, &t->nest, row, why))
                return false;
            for (uint32_t i = 0; i < lane->n; i += 1 + lane->n / 50)
                if (!found(trace, t, row, i, why))
                    return false;
            for (uint32_t i = 0; i < lane->n; i += 1 + lane->n / 5)
                if (!sound_questions(lane, i, why))
                    return false;
        }
        if (t->nest.nlanes > 0 && t->nest.lanes[t->nest.nlanes - 1].n == 0)
            FAIL("nothing stands on the last of the %u rows of thread %zu", t->nest.nlanes, k);
        if (slices != t->nest.slices)
            FAIL("thread %zu has %" PRIu64 " slices in its rows, not %" PRIu64, k, slices,
                 t->nest.slices);
    }
    return true;
}

bool sound_dissection(struct trace *trace, char why[200]) {
    struct dissection a = {0};
    struct dissect_place place = {trace_reader(trace), trace, 0};
    uint64_t at = 0, bit = 0, size = file_size(trace_file(trace));
    while (dissect_open(&a, &place, at)) {
        bit = 0;
        for (size_t i = 0; i < a.v.n && bit == a.v.v[i].bit; i++)
            bit += a.v.v[i].bits;
        if (a.bytes == 0 || bit != a.bytes * 8)
            break;
        at += a.bytes;
    }
    if (at != size)
        snprintf(why, 200,
                 "the fields at byte %" PRIu64 " end at bit %" PRIu64 " of %" PRIu64 " bytes", at,
                 bit, a.bytes);
    dissect_free(&a);
    return at == size;
}

/* ---- read again in small steps ---- */

static char *exported(struct trace *trace, size_t *n) {
    char *text = NULL;
    FILE *f = open_memstream(&text, n);
    if (f == NULL)
        return NULL;
    export_ndjson(trace, f);
    fclose(f);
    return text;
}

bool sound_steps(struct trace *trace, const char *path, const struct trace_options *options,
                 uint64_t steps, char why[200]) {
    struct err err;
    struct trace *again = trace_open(path, options, &err);
    if (again == NULL)
        FAIL("not opened again");
    for (unsigned i = 0; trace_step(again, UINT64_C(8) << (steps >> i % 32 & 7)) != TRACE_COMPLETE;
         i++)
        ;
    size_t n, m;
    char *whole = exported(trace, &n), *pieces = exported(again, &m);
    bool ok = whole && pieces && n == m && memcmp(whole, pieces, n) == 0;
    if (!ok) {
        size_t at = 0, from = 0;
        while (whole && pieces && at < n && at < m && whole[at] == pieces[at])
            if (whole[at++] == '\n')
                from = at;
        snprintf(why, 200, "read in steps: %.150s", pieces && from < m ? pieces + from : "nothing");
    }
    free(whole);
    free(pieces);
    trace_free(again);
    return ok;
}

int sound_file(void) {
#ifdef HAVE_MEMFD_CREATE
    return memfd_create("trace", MFD_CLOEXEC);
#else
    FILE *f = tmpfile();
    int fd = f ? fcntl(fileno(f), F_DUPFD_CLOEXEC, 3) : -1;
    if (f)
        fclose(f);
    return fd;
#endif
}
