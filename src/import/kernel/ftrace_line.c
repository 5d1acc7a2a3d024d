/* ftrace_line.c - finds the CPU of a line, then reads the task to the left of it, and the rest to
 * the right.
 *
 * The name of a task may be any bytes, also `a-1 [000]`: the first place where all fits counts. */
#include "src/import/kernel/ftrace_line.h"

#include "src/import/json/json_read.h"
#include "src/import/kernel/kernel_fields.h"

#define SECOND UINT64_C(1000000000)
#define CPU_DIGITS 5
#define CPUS 65536
#define FLAGS_MOST 10 /* characters */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool at(struct str s, size_t i, struct str mark) {
    return i + mark.n <= s.n && memcmp(s.s + i, mark.s, mark.n) == 0;
}

static size_t blanks(struct str s, size_t i) {
    while (i < s.n && is_blank(s.s[i]))
        i++;
    return i;
}

static size_t digits(struct str s, size_t i) {
    while (i < s.n && is_digit(s.s[i]))
        i++;
    return i;
}

static bool read_u64(struct str s, size_t from, size_t to, uint64_t *value) {
    return json_read_u64((struct str){s.s + from, to - from}, value);
}

static struct str rest(struct str s, size_t i) {
    return (struct str){s.s + i, s.n - i};
}

/* ---- the time ---- */

/* The first nine decimals as ns; the tenth rounds. */
static uint64_t fraction(struct str s, size_t from, size_t to) {
    uint64_t ns = 0;
    for (size_t i = from; i < from + 9; i++)
        ns = ns * 10 + (i < to ? (uint64_t)(s.s[i] - '0') : 0);
    return ns + (to - from > 9 && s.s[from + 9] >= '5');
}

/* Reads `12.345678`, or `12345` as ns. *i: the place after it. False: there is none. */
static bool take_time(struct str line, size_t *i, struct ftrace_line *to) {
    size_t point = digits(line, *i), end = point;
    uint64_t whole = 0;
    to->has_point = point < line.n && line.s[point] == '.';
    if (to->has_point)
        end = digits(line, point + 1);
    if (point == *i || (to->has_point && end == point + 1))
        return false;
    uint64_t ns = to->has_point ? fraction(line, point + 1, end) : 0;
    bool fits = read_u64(line, *i, point, &whole);
    if (to->has_point)
        fits = fits && whole <= (INT64_MAX - ns) / SECOND;
    to->too_late = !fits || whole > INT64_MAX;
    if (!to->too_late)
        to->ts = to->has_point ? whole * SECOND + ns : whole;
    *i = end;
    return true;
}

/* The flags after the CPU: *i is the place after them. False: it is no such word. */
static bool pass_flags(struct str line, size_t *i) {
    size_t k = *i;
    while (k < line.n && (is_word(line.s[k]) || strchr(".#+?", line.s[k])))
        k++;
    if (k == *i || k - *i > FLAGS_MOST || k == line.n || !is_blank(line.s[k]))
        return false;
    *i = blanks(line, k);
    return true;
}

/* `(+12)` after the time: trace-cmd report --ts-diff. */
static size_t pass_difference(struct str line, size_t i) {
    size_t k = digits(line, i + 2);
    bool is = at(line, i, STR("(+")) && k > i + 2 && at(line, k, STR(")"));
    return is ? blanks(line, k + 1) : i;
}

static bool take_time_and_colon(struct str line, size_t *i, struct ftrace_line *to) {
    return take_time(line, i, to) && at(line, *i, STR(":"));
}

/* Four or five flags with the time right after them: `d...316.196740:`. The last may be digits. */
static bool take_joined(struct str line, size_t *i, struct ftrace_line *to) {
    size_t flags = 0;
    while (flags < 5 && *i + flags < line.n &&
           (is_word(line.s[*i + flags]) || line.s[*i + flags] == '.'))
        flags++;
    for (size_t n = 4; n <= flags && !is_digit(line.s[*i]); n++) {
        size_t k = *i + n;
        if (take_time_and_colon(line, &k, to)) {
            *i = k;
            return true;
        }
    }
    return false;
}

/* Reads what follows the CPU: flags, if there are any, the time and the colon. */
static bool read_time(struct str line, size_t *i, struct ftrace_line *to) {
    size_t k = blanks(line, *i), time = k;
    bool is = take_time_and_colon(line, &k, to);
    if (!is) {
        k = time;
        is = pass_flags(line, &k) && take_time_and_colon(line, &k, to);
    }
    if (!is) {
        k = time;
        is = take_joined(line, &k, to);
    }
    if (!is)
        return false;
    *i = pass_difference(line, blanks(line, k + 1));
    return true;
}

/* ---- the task ---- */

/* Takes ` (1200)` or ` (-----)` off the end. */
static struct str take_tgid(struct str s, struct ftrace_line *to) {
    if (s.n == 0 || s.s[s.n - 1] != ')')
        return s;
    size_t end = s.n - 1, from = end;
    while (from > 0 && is_digit(s.s[from - 1]))
        from--;
    to->has_tgid = from < end && read_u64(s, from, end, &to->tgid);
    while (from > 0 && (is_blank(s.s[from - 1]) || (from > 0 && s.s[from - 1] == '-')))
        from--;
    if (from == 0 || s.s[from - 1] != '(') {
        to->has_tgid = false;
        return s;
    }
    for (s.n = from - 1; s.n > 0 && is_blank(s.s[s.n - 1]);)
        s.n--;
    return s;
}

/* `  comm-123 (1200)`, up to the bracket of the CPU. */
static bool read_task(struct str s, struct ftrace_line *to) {
    to->has_tgid = false;
    while (s.n > 0 && is_blank(s.s[s.n - 1]))
        s.n--;
    s = take_tgid(s, to);
    size_t from = s.n;
    while (from > 0 && is_digit(s.s[from - 1]))
        from--;
    if (from == s.n || from < 2 || s.s[from - 1] != '-' || !read_u64(s, from, s.n, &to->tid))
        return false;
    size_t first = blanks(s, 0);
    to->comm = (struct str){s.s + first, first < from ? from - 1 - first : 0};
    if (str_eq(to->comm, STR("<...>")))
        to->comm.n = 0;
    return true;
}

/* Finds `[001]` between a task and a time; *i: the place of the event. */
static bool read_head(struct str line, size_t *i, struct ftrace_line *to) {
    uint64_t cpu;
    for (const char *open = line.s; (open = memchr(open, '[', line.n - (size_t)(open - line.s)));
         open++) {
        size_t from = (size_t)(open - line.s), end = digits(line, from + 1);
        *i = end + 1;
        if (end > from + 1 && end - from <= CPU_DIGITS + 1 && at(line, end, STR("]")) &&
            read_u64(line, from + 1, end, &cpu) && cpu < CPUS && read_time(line, i, to) &&
            read_task((struct str){line.s, from}, to)) {
            to->cpu = (unsigned)cpu;
            return true;
        }
    }
    return false;
}

/* Finds `comm-123  2d..1. TIME:`, the form of trace-cmd report -l. */
static bool read_latency_head(struct str line, size_t *i, struct ftrace_line *to) {
    uint64_t cpu;
    for (const char *dash = line.s; (dash = memchr(dash, '-', line.n - (size_t)(dash - line.s)));
         dash++) {
        size_t from = (size_t)(dash - line.s) + 1, end = digits(line, from),
               at_cpu = blanks(line, end);
        *i = digits(line, at_cpu);
        if (end > from && at_cpu > end && *i > at_cpu && *i - at_cpu <= CPU_DIGITS &&
            read_u64(line, at_cpu, *i, &cpu) && cpu < CPUS && pass_flags(line, i) &&
            read_time(line, i, to) && read_task((struct str){line.s, end}, to)) {
            to->cpu = (unsigned)cpu;
            return true;
        }
    }
    return false;
}

/* ---- the event ---- */

/* `sys_read(fd: 3)`, `sys_read -> 0x3`, as the kernel prints calls. */
static bool read_call(struct str s, struct ftrace_line *to) {
    size_t i = 0;
    if (!at(s, 0, STR("sys_")))
        return false;
    while (i < s.n && is_word(s.s[i]))
        i++;
    to->name = (struct str){s.s, i};
    if (at(s, i, STR(" -> "))) {
        to->kind = FTRACE_RETURN;
        to->text = rest(s, i + 4);
        return true;
    }
    if (!at(s, i, STR("(")))
        return false;
    to->kind = FTRACE_CALL;
    to->text = rest(s, i + 1);
    if (to->text.n > 0 && to->text.s[to->text.n - 1] == ')')
        to->text.n--;
    return true;
}

static void read_event(struct str s, struct ftrace_line *to) {
    size_t i = 0;
    while (i < s.n && is_word(s.s[i]))
        i++;
    to->kind = FTRACE_EVENT;
    if (i == 0 || !at(s, i, STR(":"))) {
        const char *arrow = s.n > 0 ? memchr(s.s, '<', s.n) : NULL;
        size_t k = arrow ? (size_t)(arrow - s.s) : 0;
        if (read_call(s, to))
            return;
        to->kind = FTRACE_EVENT;
        if (k > 1 && at(s, k - 1, STR(" <-"))) { /* the function tracer */
            to->kind = FTRACE_FUNCTION;
            to->name = (struct str){s.s, k - 1};
            to->text = rest(s, k + 2);
            return;
        }
        for (i = 0; i < s.n && !(at(s, i, STR(": ")) || (s.s[i] == ':' && i + 1 == s.n));)
            i++;
    }
    to->name = (struct str){s.s, i};
    to->text = i < s.n ? kernel_fields_trimmed(rest(s, i + 1)) : (struct str){"", 0};
}

/* ---- other lines ---- */

static bool read_lost(struct str line, struct ftrace_line *to) {
    uint64_t cpu;
    size_t i = 4, end = digits(line, i);
    if (!at(line, 0, STR("CPU:")) || !read_u64(line, i, end, &cpu) || cpu >= CPUS ||
        !at(line, end, STR(" [")) || !at(line, line.n - (line.n < 8 ? line.n : 8), STR(" EVENTS]")))
        return false;
    struct str lost = STR("LOST ");
    i = end + 2;
    if (!at(line, i, lost))
        return false;
    i += lost.n;
    to->cpu = (unsigned)cpu;
    to->kind = FTRACE_LOST;
    if (!read_u64(line, i, digits(line, i), &to->lost)) /* LOST EVENTS: how many is unknown */
        to->lost = 0;
    return true;
}

static bool is_other(struct str line) {
    static const char *const begins[] = {"cpus=",  "version = ", "##### CPU ", "CPU ",
                                         "TRACE:", "BUFFER: ",   "Entries"};
    size_t i = 0, n = sizeof begins / sizeof *begins;
    while (i < n && !at(line, 0, str_of(begins[i])))
        i++;
    if (i == 3) { /* CPU 1 is empty */
        size_t end = digits(line, 4);
        return end > 4 && at(line, end, STR(" is empty"));
    }
    return i < n;
}

/* ` 0)  bash-12  =>  sshd-34`, between lines of dashes. */
static bool read_task_line(struct str line, struct ftrace_line *to) {
    size_t from = blanks(line, 0), end = digits(line, from), i = end;
    uint64_t cpu;
    if (end == from || !at(line, end, STR(")")) || !read_u64(line, from, end, &cpu) || cpu >= CPUS)
        return false;
    while (i < line.n && !at(line, i, STR(" => ")))
        i++;
    if (i == line.n || !read_task(rest(line, i + 4), to))
        return false;
    to->cpu = (unsigned)cpu;
    to->kind = FTRACE_TASK;
    return true;
}

/* ` 12.345678 |   0)   1.234 us    |  foo();` */
static bool read_graph(struct str line, struct ftrace_line *to) {
    size_t i = blanks(line, 0);
    if (!take_time(line, &i, to))
        return false;
    i = blanks(line, i);
    if (!at(line, i, STR("|")))
        return false;
    to->kind = FTRACE_GRAPH;
    to->text = rest(line, i + 1);
    return true;
}

const char *ftrace_line_read(struct str line, struct ftrace_line *to, const char **where) {
    size_t i = 0;
    *to = (struct ftrace_line){.kind = FTRACE_NONE};
    *where = line.s;
    if (read_head(line, &i, to) || read_latency_head(line, &i, to)) {
        *where = line.s + i;
        read_event(rest(line, i), to);
        return to->name.n == 0 && to->text.n == 0 ? "expected an event after the time" : NULL;
    }
    if (read_lost(line, to))
        return NULL;
    i = blanks(line, 0);
    if (at(line, i, STR("=> "))) {
        to->kind = FTRACE_FRAME;
        to->text = kernel_fields_trimmed(rest(line, i + 3));
        return NULL;
    }
    if (is_other(line) || at(line, i, STR("-----"))) {
        to->kind = FTRACE_OTHER;
        return NULL;
    }
    if (read_task_line(line, to) || read_graph(line, to))
        return NULL;
    return "expected COMM-PID [CPU] TIME: EVENT";
}
