/* until.c - looks for an event that a filter holds for, in the trace as it grows.
 *
 * A slice counts when it has ended. An open one counts if it still fits after a while, because its
 * end may be on its way to the file. A filter like dur<1ms leaves open ones out. */
#include "record/until.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/query/detail.h"
#include "model/query/search.h"
#include "src/base/clock.h"
#include "src/base/units.h"

#define STEP (UINT64_C(16) << 20)
#define LOOK_NS INT64_C(50000000)   /* between two looks at the least */
#define SHARE 3                     /* it looks for an event for a quarter of the time at most */
#define OPEN_NS INT64_C(1000000000) /* that a slice without an end has to fit */

/* ---- filters ---- */

static bool is_number(enum filter_field field) {
    return field == FILTER_DURATION || field == FILTER_SELF;
}

static bool has_percentile(const struct filter_term *term) {
    for (size_t i = 0; is_number(term->field) && i < term->values.n; i++)
        if (term->values.v[i].number.type == FILTER_PERCENTILE)
            return true;
    return false;
}

bool until_parse(const char *text, bool *is_filter, struct err *err) {
    struct err fault;
    size_t terms[2];
    *is_filter = strpbrk(text, "=<>~") != NULL;
    if (!*is_filter)
        return true;
    struct filter *filter = filter_new(text, false, &fault);
    bool ok = filter || err_set(err, ERR_NO_OFFSET, "--until: %s", fault.text);
    if (ok && filter_contradiction(filter, terms))
        ok = err_set(err, ERR_NO_OFFSET, "--until: no event can fit all of its terms");
    for (size_t i = 0; ok && i < filter->terms.n; i++)
        if (has_percentile(&filter->terms.v[i]))
            ok = err_set(err, ERR_NO_OFFSET,
                         "--until: a percentile is known at the end: name a time like dur>16ms");
    filter_free(filter);
    return ok;
}

bool until_asks_for(const char *text, const char *category) {
    struct err err;
    bool asks = false;
    struct filter *filter = filter_new(text, false, &err);
    for (size_t i = 0; filter && i < filter->terms.n && !asks; i++) {
        const struct filter_term *t = &filter->terms.v[i];
        asks = t->field == FILTER_CATEGORY && t->op == FILTER_EQUALS && !t->negated;
        for (size_t k = 0; asks && k < t->values.n; k++)
            asks = strcmp(t->values.v[k].text, category) == 0;
    }
    filter_free(filter);
    return asks;
}

/* Whether a slice that fits will do so for as long as it goes on. */
static bool lasts(const struct filter *filter) {
    for (size_t i = 0; i < filter->terms.n; i++) {
        const struct filter_term *t = &filter->terms.v[i];
        bool differs = t->op == FILTER_NOT_EQUALS || t->op == FILTER_NOT_CONTAINS;
        bool grows = t->op == FILTER_MORE || t->op == FILTER_AT_LEAST;
        if (t->negated || differs || (is_number(t->field) && !grows))
            return false;
    }
    return true;
}

/* ---- the process ---- */

struct look {
    struct trace *trace;
    struct search *search;
    bool lasts;
    uint64_t open; /* the record of a slice without an end that fits; 0: there is none */
    int64_t since; /* ns: when it was found */
};

static void put_event(const struct look *l, const struct slice_series *s, uint32_t i, FILE *out) {
    struct detail d;
    bool known = detail_open(&d, l->trace, slice_iter_offset(s, i));
    const struct slice *slice = s->lane ? lane_at(s->lane, i) : NULL;
    struct str name = known ? d.name : STR("");
    char dur[32];
    if (slice)
        name = detail_slice_name(&d, known, slice);
    fprintf(out, "%.*s", (int)(name.n < 200 ? name.n : 200), name.s);
    if (slice)
        fprintf(
            out, ", %s%s", slice_open(slice) ? "no end after " : "",
            units_duration_short(
                units_since(slice->start, slice_iter_end(l->trace, s->track, slice)), true, dur));
}

/* Whether an event has come; then `out` has it. */
static bool came(struct look *l, FILE *out) {
    struct slice_series s;
    struct hit hit;
    uint64_t total, first = 0;
    bool known = false;
    search_count(l->search, NULL, &total);
    for (uint64_t k = 0; k < total && search_at(l->search, k, &hit, &s); k++) {
        uint64_t offset = slice_iter_offset(&s, hit.i);
        bool open = s.lane && slice_open(lane_at(s.lane, hit.i));
        bool waited = offset == l->open && clock_now() - l->since >= OPEN_NS;
        if (!open || waited) {
            put_event(l, &s, hit.i, out);
            return true;
        }
        known = known || offset == l->open;
        first = first == 0 && l->lasts ? offset : first;
    }
    if (!known) {
        l->open = first;
        l->since = clock_now();
    }
    return false;
}

/* Looks until an event has come, or the recording ends. */
static void look_on(struct look *l, int fd, FILE *out) {
    uint64_t version = UINT64_MAX;
    int64_t wait = 0;
    struct pollfd gone = {fd, POLLIN, 0};
    fputc('+', out);
    while (poll(&gone, 1, (int)(wait / 1000000)) == 0) {
        bool loads = trace_step(l->trace, STEP) == TRACE_LOADING;
        int64_t begin = clock_now();
        if (trace_version(l->trace) != version || l->open != 0) {
            version = trace_version(l->trace);
            if (came(l, out))
                return;
        }
        wait = SHARE * (clock_now() - begin);
        wait = wait < LOOK_NS && !loads ? LOOK_NS : wait;
    }
    _exit(0);
}

static void run(void *ctx, int fd) {
    const struct until *u = ctx;
    const struct trace_options options = {.follow = true};
    struct err err;
    struct look l = {.trace = trace_open(u->path, &options, &err)};
    FILE *out = fdopen(dup(fd), "w");
    if (out == NULL)
        _exit(1);
    if (l.trace == NULL) {
        fprintf(out, "-%s", err.text);
    } else {
        l.search = search_new(l.trace, u->filter, false, &err);
        l.lasts = lasts(search_filter(l.search));
        look_on(&l, fd, out);
    }
    fflush(out);
    _exit(0);
}

/* ---- the recording ---- */

bool until_start(struct until *u, const char *path, const char *filter, struct err *err) {
    struct stat st;
    *u = (struct until){.path = path, .filter = filter, .apart.fd = -1};
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return err_set(err, ERR_NO_OFFSET, "--until looks into the file, and this is none");
    return apart_start(&u->apart, run, u) ||
           err_set(err, ERR_NO_OFFSET, "no process for --until: %s", strerror(errno));
}

int until_fd(const struct until *u) {
    return u->apart.pid > 0 ? u->apart.fd : -1;
}

enum until_state until_take(struct until *u) {
    ssize_t n = 0;
    if (until_fd(u) < 0)
        return UNTIL_GOES_ON;
    while (u->n < sizeof u->text - 1 &&
           (n = recv(u->apart.fd, u->text + u->n, sizeof u->text - 1 - u->n, MSG_DONTWAIT)) > 0)
        u->n += (size_t)n;
    if (u->n < sizeof u->text - 1 && n < 0 && (errno == EAGAIN || errno == EINTR))
        return UNTIL_GOES_ON;
    bool is_event = u->text[0] == '+' && u->n > 1, said = u->text[0] == '-' && u->n > 1;
    memmove(u->text, u->text + 1, sizeof u->text - 1);
    if (!is_event && !said)
        snprintf(u->text, sizeof u->text, "its process has ended");
    until_stop(u);
    return is_event ? UNTIL_CAME : UNTIL_FAILED;
}

void until_stop(struct until *u) {
    apart_stop(&u->apart);
}
