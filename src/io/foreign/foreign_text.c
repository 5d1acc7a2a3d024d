/* foreign_text.c - output of tools and web pages: a first text, and others that lines after it
 * begin with. */
#include "src/io/foreign/foreign.h"

#include <ctype.h>

#define LINES 8 /* that are looked at for those of perf trace and strace */

static bool at(struct str s, size_t i, struct str mark) {
    return i + mark.n <= s.n && memcmp(s.s + i, mark.s, mark.n) == 0;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static size_t skip(struct str s, size_t i, const char *of) {
    while (i < s.n && s.s[i] != '\0' && strchr(of, s.s[i]))
        i++;
    return i;
}

/* The end of the line that begins at i. */
static size_t line_end(struct str s, size_t i) {
    const char *end = i < s.n ? memchr(s.s + i, '\n', s.n - i) : NULL;
    return end ? (size_t)(end - s.s) : s.n;
}

static bool has(struct str s, const char *part, bool begins_line) {
    struct str mark = str_of(part);
    for (size_t i = 0; i + mark.n <= s.n; i++)
        if (strncasecmp(s.s + i, part, mark.n) == 0 &&
            (!begins_line || i == 0 || s.s[i - 1] == '\n'))
            return true;
    return false;
}

/* ` 0.012 ( 0.005 ms): comm/tid call(...)`, or ` ? (    ): ...` for a call that began before. */
static bool is_perf_trace(struct str s) {
    for (size_t i = 0, end, line = 0; i < s.n && line < LINES; i = end + 1, line++) {
        end = line_end(s, i);
        struct str text = {s.s + i, end - i};
        size_t k = skip(text, skip(text, 0, " "), "0123456789.");
        if (k == 0 || !is_digit(text.s[k - 1]) || !at(text, k, STR(" (")))
            continue;
        k = skip(text, k + 2, " 0123456789.");
        if (at(text, k, STR("ms): ")) && memchr(text.s + k + 5, '(', text.n - k - 5))
            return true;
    }
    return false;
}

/* The end of the column of a process or a time that begins at i; i: none does. */
static size_t strace_column(struct str line, size_t i) {
    const char *close = NULL;
    size_t end = i;
    if (at(line, i, STR("[pid ")))
        close = memchr(line.s + i, ']', line.n - i);
    else if (at(line, i, STR("(+")))
        close = memchr(line.s + i, ')', line.n - i);
    else
        end = skip(line, i, "0123456789.:");
    if (end > i && at(line, end, STR("<"))) /* the name of the process */
        close = memchr(line.s + end, '>', line.n - end);
    end = close ? (size_t)(close - line.s) + 1 : end;
    return at(line, end, STR(" ")) ? end : i;
}

/* Goes to the call after the columns of a line. Returns whether one of these is a time. */
static bool skip_columns(struct str line, size_t *i) {
    bool time = false;
    *i = skip(line, 0, " ");
    for (size_t end; (end = strace_column(line, *i)) > *i;) {
        time |= skip(line, *i, "0123456789") < skip(line, *i, "0123456789.:");
        *i = skip(line, end, " ");
    }
    return time;
}

/* From place i on: `call(...) = 3`, or a call that does not end there, a signal or an exit. */
static bool is_strace_line(struct str line, size_t i) {
    static const char *const begins[] = {"<... ", "--- SIG", "+++ exited with ", "+++ killed by ",
                                         "strace: Process "};
    for (size_t k = 0; k < sizeof begins / sizeof *begins; k++)
        if (at(line, i, str_of(begins[k])))
            return true;
    size_t name = i;
    while (i < line.n && (isalnum((unsigned char)line.s[i]) || line.s[i] == '_'))
        i++;
    if (i == name || !at(line, i, STR("(")))
        return false;
    struct str rest = {line.s + i, line.n - i};
    for (size_t k = 0; k < rest.n; k++) {
        size_t equals = skip(rest, k + 1, " ");
        if (rest.s[k] == ')' && equals > k + 1 && at(rest, equals, STR("= ")) &&
            skip(rest, equals + 2, "-?0123456789") > equals + 2)
            return true;
    }
    return has(rest, "<unfinished ...>", false);
}

/* Two lines, or the only one: others may be the output of the program. A call with a time is of
 * another strace, a part of whose lines may have lost theirs. */
static bool is_strace(struct str s) {
    unsigned lines = 0, calls = 0;
    for (size_t i = 0, end, call; i < s.n && lines < LINES; i = end + 1) {
        end = line_end(s, i);
        struct str line = {s.s + i, end - i};
        bool timed = skip_columns(line, &call), is = is_strace_line(line, call);
        if (timed && is)
            return false;
        lines += line.n > 0;
        calls += is;
    }
    return calls > 1 || (calls == 1 && lines == 1);
}

/* ` 0)  1.2 us | foo();` is the first line after the comments: a CPU, and no time before it. */
static bool is_graph_without_times(struct str s) {
    size_t i = 0;
    if (!at(s, 0, STR("# tracer: function_graph")))
        return false;
    while (i < s.n && (s.s[i] == '#' || s.s[i] == '\n'))
        i = line_end(s, i) + 1;
    size_t cpu = skip(s, i, " "), end = skip(s, cpu, "0123456789");
    return end > cpu && at(s, end, STR(")"));
}

static const char *page(struct str s) {
    if (has(s, "class=\"trace-data\"", false) || has(s, "<title>Android System Trace", false))
        return "a page of systrace: sed -n '/trace-data/,/<\\/script>/p' FILE prints its ftrace "
               "text";
    if (has(s, "traceviewer", false) || has(s, "trace-viewer", false) ||
        has(s, "__perfetto", false))
        return "a web page that shows a trace: ask for the trace itself";
    return "a web page: an error page instead of the trace?";
}

const char *foreign_text_name(struct str first) {
    static const struct {
        /* lines that begin so; first: "" if any may precede them */
        const char *first, *lines[2], *said;
    } texts[] = {
        {"desc: ", {"cmd: ", "time_unit:"}, "a file of massif: ms_print prints it"},
        {"# callgrind format",
         {"", ""},
         "a callgrind profile: no times (callgrind_annotate prints it)"},
        {"version: 1\n",
         {"events:", ""},
         "a callgrind profile: no times (callgrind_annotate prints it)"},
        {"",
         {"% time     seconds  usecs/call", ""},
         "a summary of strace -c, without times: strace -f -ttt -T has them"},
        {"",
         {"# To display the perf.data header info", ""},
         "output of perf report: a summary without times"},
        {"", {"# Overhead", ""}, "output of perf report: a summary without times"},
        {"",
         {" Performance counter stats for ", ""},
         "output of perf stat: a summary without times"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (at(first, 0, str_of(texts[i].first)) && has(first, texts[i].lines[0], true) &&
            has(first, texts[i].lines[1], true))
            return texts[i].said;
    size_t i = skip(first, at(first, 0, STR("\xef\xbb\xbf")) ? 3 : 0, " \t\r\n");
    struct str rest = {first.s + i, first.n - i < 14 ? first.n - i : 14};
    if (rest.n >= 5 && (has(rest, "<!doctype html", true) || strncasecmp(rest.s, "<html", 5) == 0))
        return page(first);
    if (is_graph_without_times(first))
        return "text of function_graph, whose times were not written: option funcgraph-abstime";
    if (is_perf_trace(first))
        return "output of perf trace: use perf script, or strace -f -ttt -T";
    return is_strace(first) ? "output of strace without times: strace -f -ttt -T writes them"
                            : NULL;
}
