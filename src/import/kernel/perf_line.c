/* perf_line.c - reads a line of perf script from the left. The first place where a thread and a
 * time fit ends the name of the thread, which may hold anything. */
#include "src/import/kernel/perf_line.h"

#include "src/import/json/json_read.h"

#define SECOND UINT64_C(1000000000)
#define RECORD STR("PERF_RECORD_")

struct cursor {
    struct str line;
    size_t i;
};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_hex(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* In the name of a record. */
static bool is_capital(char c) {
    return (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static bool at_end(const struct cursor *c) {
    return c->i >= c->line.n;
}

static bool take(struct cursor *c, char one) {
    bool is = !at_end(c) && c->line.s[c->i] == one;
    c->i += is;
    return is;
}

static bool blanks(struct cursor *c) {
    size_t from = c->i;
    while (!at_end(c) && is_blank(c->line.s[c->i]))
        c->i++;
    return c->i > from;
}

static struct str digits(struct cursor *c) {
    size_t from = c->i;
    while (!at_end(c) && is_digit(c->line.s[c->i]))
        c->i++;
    return (struct str){c->line.s + from, c->i - from};
}

static struct str without_blanks(struct str s) {
    while (s.n > 0 && is_blank(s.s[s.n - 1]))
        s.n--;
    while (s.n > 0 && is_blank(s.s[0])) {
        s.s++;
        s.n--;
    }
    return s;
}

static struct str rest(const struct cursor *c) {
    return (struct str){c->line.s + c->i, c->line.n - c->i};
}

/* A number; `-1` and `:-1` are thread 0. */
static bool number(struct cursor *c, uint64_t *value) {
    struct cursor ahead = *c;
    take(&ahead, ':');
    bool minus = take(&ahead, '-');
    struct str text = digits(&ahead);
    if (!json_read_u64(text, value))
        return false;
    if (minus)
        *value = 0;
    *c = ahead;
    return true;
}

/* `[001]` */
static void read_cpu(struct cursor *c, struct perf_line *to) {
    struct cursor ahead = *c;
    uint64_t cpu;
    to->cpu = -1;
    if (take(&ahead, '[') && json_read_u64(digits(&ahead), &cpu) && take(&ahead, ']') &&
        blanks(&ahead)) {
        to->cpu = cpu <= UINT32_MAX ? (int64_t)cpu : -1;
        *c = ahead;
    }
}

/* The ns of a fraction, and whether it is one. report_sample.py of simpleperf prints the
 * microseconds without their zeros, and a tab after the colon. */
static bool read_fraction(const struct cursor *after, struct str part, uint64_t *ns) {
    bool unpadded = part.n > 0 && part.n < 6 && after->line.n - after->i > 1 &&
                    after->line.s[after->i + 1] == '\t';
    if ((part.n != 6 && part.n != 9 && !unpadded) || !json_read_u64(part, ns))
        return false;
    *ns *= part.n == 9 ? 1 : 1000;
    return true;
}

/* Seconds with six or nine decimals, and a colon. */
static bool read_time(struct cursor *c, struct perf_line *to) {
    struct str whole = digits(c);
    if (whole.n == 0 || !take(c, '.'))
        return false;
    struct str part = digits(c);
    uint64_t seconds, ns;
    if (!read_fraction(c, part, &ns) || !take(c, ':') || (!at_end(c) && !is_blank(c->line.s[c->i])))
        return false;
    to->too_large = !json_read_u64(whole, &seconds) || seconds >= INT64_MAX / SECOND;
    to->ts = to->too_large ? 0 : seconds * SECOND + ns;
    return true;
}

/* `TID` or `PID/TID`, the blanks after it, and the CPU if it is there. */
static bool read_thread(struct cursor *c, struct perf_line *to) {
    uint64_t second;
    to->has_pid = false;
    if (!number(c, &to->tid))
        return false;
    if (take(c, '/')) {
        if (!number(c, &second))
            return false;
        to->has_pid = true;
        to->pid = to->tid;
        to->tid = second;
    }
    if (!blanks(c))
        return false;
    read_cpu(c, to);
    return true;
}

/* The thread, and all up to the time; the cursor is at the number. */
static bool read_place(struct cursor *c, struct perf_line *to) {
    if (!read_thread(c, to))
        return false;
    struct cursor ahead = *c;
    if (read_time(&ahead, to)) {
        *c = ahead;
        return true;
    }
    if (at_end(c) || is_digit(c->line.s[c->i]))
        return false;
    while (!at_end(c) && !is_blank(c->line.s[c->i])) /* flags */
        c->i++;
    return blanks(c) && read_time(c, to);
}

/* `PERIOD EVENT:`, each of which may be missing; or `PERF_RECORD_COMM: ...`. */
static void read_event(struct cursor *c, struct perf_line *to) {
    struct cursor ahead = *c;
    to->has_period = json_read_u64(digits(&ahead), &to->period) &&
                     (at_end(&ahead) || is_blank(ahead.line.s[ahead.i]));
    if (to->has_period) {
        blanks(&ahead);
        *c = ahead;
    }
    to->event = (struct str){"", 0};
    if (c->line.n - c->i > RECORD.n && memcmp(c->line.s + c->i, RECORD.s, RECORD.n) == 0) {
        size_t from = c->i;
        for (c->i += RECORD.n; !at_end(c) && is_capital(c->line.s[c->i]);)
            c->i++;
        to->event = (struct str){c->line.s + from, c->i - from};
        return;
    }
    size_t end = c->i;
    while (end < c->line.n && !is_blank(c->line.s[end]))
        end++;
    if (end > c->i && c->line.s[end - 1] == ':') {
        to->event = (struct str){c->line.s + c->i, end - 1 - c->i};
        c->i = end;
    }
}

typedef bool read_up_to_event(struct cursor *c, struct perf_line *to);

/* The first blanks after which `place` fits end the name of the thread. */
static bool read_line(struct str text, read_up_to_event *place, struct perf_line *to) {
    struct cursor c = {text, 0};
    while (!at_end(&c)) {
        size_t end = c.i;
        if (!blanks(&c)) {
            c.i++;
            continue;
        }
        struct cursor ahead = c;
        if (!place(&ahead, to))
            continue;
        to->comm = without_blanks((struct str){text.s, end});
        blanks(&ahead);
        read_event(&ahead, to);
        to->rest = without_blanks(rest(&ahead));
        return true;
    }
    return false;
}

bool perf_line_read(struct str text, struct perf_line *to) {
    return read_line(text, read_place, to);
}

/* A thread before the event that ends the line. */
static bool read_last_event(struct cursor *c, struct perf_line *to) {
    if (!read_thread(c, to))
        return false;
    struct cursor ahead = *c;
    read_event(&ahead, to);
    return to->event.n > 0 && without_blanks(rest(&ahead)).n == 0 && perf_line_samples(to->event);
}

bool perf_line_read_untimed(struct str text, struct perf_line *to) {
    to->ts = 0;
    to->too_large = false;
    return read_line(text, read_last_event, to) && to->comm.n > 0;
}

/* ---- events ---- */

static bool starts(struct str s, struct str with) {
    return s.n >= with.n && memcmp(s.s, with.s, with.n) == 0;
}

bool perf_line_samples(struct str event) {
    size_t i = event.n;
    while (i > 0 && event.s[i - 1] != '\0' && strchr("ukhpPGHSDIeWbR", event.s[i - 1]))
        i--;
    bool modified = i > 0 && event.s[i - 1] == ':';
    const char *first = memchr(event.s, ':', event.n);
    return first == NULL || (modified && first == event.s + i - 1) ||
           memchr(event.s, '/', event.n) != NULL || starts(event, STR("mem:"));
}

bool perf_line_is_clock(struct str event) {
    size_t n = 0;
    while (n < event.n && event.s[n] != ':' && event.s[n] != '/')
        n++;
    event.n = n;
    return str_eq(event, STR("cpu-clock")) || str_eq(event, STR("task-clock"));
}

/* ---- frames ---- */

/* Takes `+0x1f` off the end. */
static struct str without_offset(struct str s) {
    size_t i = s.n;
    while (i > 0 && is_hex(s.s[i - 1]))
        i--;
    bool is = i < s.n && i >= 3 && memcmp(s.s + i - 3, "+0x", 3) == 0;
    return is ? (struct str){s.s, i - 3} : s;
}

/* Takes the last ` (...)` off, whose brackets are balanced, or else the first of all that ends
 * there. */
static struct str take_dso(struct str *s) {
    int depth = 0;
    size_t begin = SIZE_MAX;
    if (s->n == 0 || s->s[s->n - 1] != ')')
        return (struct str){"", 0};
    for (size_t i = s->n; i-- > 0;) {
        depth += (s->s[i] == ')') - (s->s[i] == '(');
        if (s->s[i] != '(' || (i > 0 && !is_blank(s->s[i - 1])))
            continue;
        begin = i;
        if (depth <= 0)
            break;
    }
    if (begin == SIZE_MAX)
        return (struct str){"", 0};
    struct str dso = {s->s + begin + 1, s->n - begin - 2};
    *s = without_blanks((struct str){s->s, begin});
    return dso;
}

bool perf_line_frame(struct str text, struct perf_frame *to) {
    struct cursor c = {text, 0};
    blanks(&c);
    size_t from = c.i;
    while (!at_end(&c) && is_hex(c.line.s[c.i]))
        c.i++;
    to->address = (struct str){text.s + from, c.i - from};
    if (c.i == from || (!at_end(&c) && !blanks(&c)))
        return false;
    to->symbol = without_blanks(rest(&c));
    to->dso = without_offset(take_dso(&to->symbol));
    to->symbol = without_offset(to->symbol);
    if (str_eq(to->dso, STR("inlined")) || str_eq(to->dso, STR("[unknown]")))
        to->dso.n = 0;
    if (str_eq(to->symbol, STR("[unknown]")))
        to->symbol.n = 0;
    return true;
}

bool perf_line_source(struct str text, struct str *file, uint32_t *line) {
    struct str s = without_blanks(text), inlined = STR(" (inlined)");
    uint64_t value;
    *line = 0;
    if (s.n > inlined.n && memcmp(s.s + s.n - inlined.n, inlined.s, inlined.n) == 0)
        s.n -= inlined.n;
    if (s.n > 0 && s.s[s.n - 1] == ']' && memchr(s.s, '[', s.n))
        return true; /* the dso and an address */
    size_t i = s.n;
    while (i > 0 && is_digit(s.s[i - 1]))
        i--;
    *file = (struct str){s.s, i > 0 ? i - 1 : 0};
    if (i == 0 || s.s[i - 1] != ':' || !json_read_u64((struct str){s.s + i, s.n - i}, &value) ||
        value > UINT32_MAX)
        return false;
    *line = file->n == 0 || str_eq(*file, STR("??")) ? 0 : (uint32_t)value;
    return true;
}
