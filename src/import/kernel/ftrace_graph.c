/* ftrace_graph.c - reads columns between bars: task, duration, function. */
#include "src/import/kernel/ftrace_graph.h"

#include "src/import/json/json_read.h"
#include "src/import/kernel/kernel_fields.h"

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool begins(struct str s, const char *mark) {
    size_t n = strlen(mark);
    return s.n >= n && memcmp(s.s, mark, n) == 0;
}

/* `+ 12.345 us`: true also if nothing is there, as on a line whose function goes on. */
static bool read_duration(struct str s, struct ftrace_graph *to) {
    s = kernel_fields_trimmed(s);
    while (s.n > 0 && strchr("$@*#!+ ", s.s[0])) {
        s.s++;
        s.n--;
    }
    if (s.n == 0)
        return true;
    struct json_time time;
    bool negative;
    if (s.n < 4 || memcmp(s.s + s.n - 3, " us", 3) != 0 || !is_digit(s.s[0]))
        return false;
    s.n -= 3;
    if (json_read_time(kernel_fields_trimmed(s), &time, &negative) != JSON_READ_TIME)
        return false;
    to->dur = json_read_ns(time);
    to->has_dur = true;
    return true;
}

/* The text of a comment, or nothing. */
static struct str inside(struct str s) {
    if (!begins(s, "/*"))
        return (struct str){s.s, 0};
    s = (struct str){s.s + 2, s.n - 2};
    if (s.n >= 2 && memcmp(s.s + s.n - 2, "*/", 2) == 0)
        s.n -= 2;
    return kernel_fields_trimmed(s);
}

static void read_function(struct str s, struct ftrace_graph *to) {
    s = kernel_fields_trimmed(s);
    const char *bracket = s.n > 0 ? memchr(s.s, '(', s.n) : NULL;
    to->kind = FTRACE_GRAPH_TEXT;
    to->name = s;
    if (begins(s, "}")) {
        to->kind = FTRACE_GRAPH_LEAVE;
        to->name = inside(kernel_fields_trimmed((struct str){s.s + 1, s.n - 1}));
    } else if (begins(s, "/*")) {
        to->name = inside(s);
    } else if (s.n == 0) {
        to->kind = FTRACE_GRAPH_NONE;
    } else if (bracket && bracket > s.s) {
        struct str after = {bracket, s.n - (size_t)(bracket - s.s)};
        const char *close = memchr(after.s, ')', after.n);
        struct str end = close ? kernel_fields_trimmed((struct str){
                                     close + 1, after.n - (size_t)(close + 1 - after.s)})
                               : (struct str){"", 0};
        if (begins(end, "{") || begins(end, ";")) {
            to->kind = end.s[0] == '{' ? FTRACE_GRAPH_ENTER : FTRACE_GRAPH_LEAF;
            to->name.n = (size_t)(bracket - s.s);
        }
    }
}

bool ftrace_graph_read(struct str text, struct ftrace_graph *to) {
    const char *bar = text.n > 0 ? memchr(text.s, '|', text.n) : NULL;
    *to = (struct ftrace_graph){.kind = FTRACE_GRAPH_NONE};
    if (bar == NULL || !read_duration((struct str){text.s, (size_t)(bar - text.s)}, to))
        return false;
    read_function((struct str){bar + 1, text.n - (size_t)(bar + 1 - text.s)}, to);
    return true;
}

/* `bash-123`, which may be cut. */
static void read_task(struct str s, struct ftrace_graph *to) {
    s = kernel_fields_trimmed(s);
    size_t from = s.n;
    while (from > 0 && is_digit(s.s[from - 1]))
        from--;
    if (from < 2 || from == s.n || s.s[from - 1] != '-')
        return;
    to->has_tid = json_read_u64((struct str){s.s + from, s.n - from}, &to->tid);
    to->comm = (struct str){s.s, from - 1};
    if (str_eq(to->comm, STR("<...>")))
        to->comm.n = 0;
}

bool ftrace_graph_read_line(struct str text, struct ftrace_graph *to) {
    text = kernel_fields_trimmed(text);
    *to = (struct ftrace_graph){.kind = FTRACE_GRAPH_NONE};
    size_t i = 0;
    uint64_t cpu;
    while (i < text.n && is_digit(text.s[i]))
        i++;
    if (i == text.n || text.s[i] != ')' || !json_read_u64((struct str){text.s, i}, &cpu) ||
        cpu >= 65536)
        return false;
    to->cpu = (unsigned)cpu;
    text = (struct str){text.s + i + 1, text.n - i - 1};
    for (const char *bar; text.n > 0 && (bar = memchr(text.s, '|', text.n));) {
        struct str column = {text.s, (size_t)(bar - text.s)};
        text = (struct str){bar + 1, text.n - column.n - 1};
        if (read_duration(column, to)) {
            read_function(text, to);
            return true;
        }
        read_task(column, to);
        column = kernel_fields_trimmed(column);
        if (begins(column, "==") || begins(column, "<==")) /* an interrupt begins or ends */
            return true;
    }
    return false;
}
