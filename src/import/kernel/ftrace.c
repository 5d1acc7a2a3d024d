/* ftrace.c - turns the text of ftrace into records: kernel_text.c knows the events, this file the
 * lines around them.
 *
 * A stack trace follows its event on lines of its own, so that event waits for the line after
 * them. */
#include "src/import/kernel/ftrace.h"

#include "src/import/chrome/event_write.h"
#include "src/import/kernel/ftrace_graph.h"
#include "src/import/kernel/ftrace_line.h"
#include "src/import/kernel/kernel_text.h"

#define CATEGORY STR("ftrace")
#define FUNCTION STR("function")
#define TRACER STR("# tracer: ")
#define NO_PROCESSES "processes are not recorded: the option record-tgid of ftrace writes them"
#define ROUNDING 1000 /* ns: times have microseconds, durations more */

struct task { /* whose functions function_graph shows */
    bool known;
    uint64_t tid;
};

struct ftrace {
    struct import_lines lines;
    struct kernel_events kernel;
    uint64_t now;
    bool without_point; /* a time without a fraction was noted */
    bool holds;         /* a stack trace waits for its frames */
    struct kernel_event held;
    struct str held_name;
    struct kernel_threads_text stack;
    uint64_t begin, number; /* of its line */
    VEC(struct task) tasks; /* of each CPU */
};

/* ---- stack traces ---- */

static void release(struct ftrace *f) {
    if (!f->holds)
        return;
    uint64_t begin = f->lines.begin, number = f->lines.number;
    f->holds = false;
    f->held.stack = kernel_threads_text(&f->stack);
    f->lines.begin = f->begin;
    f->lines.number = f->number;
    kernel_events_instant(&f->kernel, &f->held, CATEGORY, f->held_name,
                          (struct writer_arguments){NULL, 0});
    f->lines.begin = begin;
    f->lines.number = number;
}

static void hold(struct ftrace *f, const struct kernel_event *e, struct str name) {
    f->holds = true;
    f->held = *e;
    f->held_name = name;
    f->stack.v.n = 0;
    f->begin = f->lines.begin;
    f->number = f->lines.number;
}

static void add_frame(struct ftrace *f, struct str frame) {
    struct str between = f->stack.v.n > 0 ? STR(" < ") : STR("");
    size_t n = f->stack.v.n + between.n + frame.n;
    if (n > KERNEL_STACK_MOST)
        return;
    vec_reserve(&f->stack.v, n);
    memcpy(f->stack.v.v + f->stack.v.n, between.s, between.n);
    memcpy(f->stack.v.v + f->stack.v.n + between.n, frame.s, frame.n);
    f->stack.v.n = n;
}

/* The name of an event whose stack follows; empty: it is none. */
static struct str stack_name(const struct ftrace_line *line) {
    if (str_eq(line->name, STR("<stack trace>")))
        return STR("stack trace");
    if (str_eq(line->name, STR("kernel_stack")))
        return STR("kernel_stack");
    return str_eq(line->name, STR("user_stack")) ? STR("user_stack") : STR("");
}

/* ---- functions ---- */

static void take_graph(struct ftrace *f, struct kernel_event *e, const struct ftrace_graph *g) {
    struct kernel_thread *t = e->thread;
    /* a function that has ended by its duration may end after this by a rounding */
    if (t->until > e->ts && t->until - e->ts < ROUNDING)
        e->ts = t->until;
    if (g->kind == FTRACE_GRAPH_ENTER) {
        kernel_events_begin(&f->kernel, e, FUNCTION, g->name);
    } else if (g->kind == FTRACE_GRAPH_LEAVE && t->open == 0 && g->has_dur && g->name.n > 0 &&
               g->dur <= e->ts) { /* it began before the trace */
        uint64_t end = e->ts;
        e->ts -= g->dur;
        kernel_events_complete(&f->kernel, e, FUNCTION, g->name, end);
    } else if (g->kind == FTRACE_GRAPH_LEAVE) {
        kernel_events_finish(&f->kernel, e, FUNCTION);
    } else if (g->kind == FTRACE_GRAPH_LEAF && g->dur <= INT64_MAX - e->ts) {
        t->until = e->ts + g->dur;
        kernel_events_complete(&f->kernel, e, FUNCTION, g->name, t->until);
    } else if (g->kind != FTRACE_GRAPH_NONE) {
        kernel_events_instant(&f->kernel, e, FUNCTION, g->name, (struct writer_arguments){NULL, 0});
    }
}

static void take_function(struct ftrace *f, struct kernel_event *e,
                          const struct ftrace_line *line) {
    struct writer_argument caller = writer_text(writer_intern(&f->lines.w, STR("caller")),
                                                kernel_events_name(&f->kernel, line->text));
    kernel_events_instant(&f->kernel, e, FUNCTION, line->name,
                          (struct writer_arguments){&caller, 1});
}

/* ---- lines ---- */

/* The time of a line in ns. */
static uint64_t time_of(struct ftrace *f, const struct ftrace_line *line, const char *at) {
    if (line->too_late)
        import_lines_fault(&f->lines, IMPORT_FIELD, at, "the time is beyond 2^63-1 ns");
    else
        f->now = line->ts;
    if (!line->has_point && !f->without_point)
        import_lines_fault(&f->lines, IMPORT_FIELD, at,
                           "times of the trace's clock are no seconds: taken as ns");
    f->without_point |= !line->has_point;
    return f->now;
}

static void take_event(struct ftrace *f, const struct ftrace_line *line, const char *at) {
    struct kernel_event e = {.ts = time_of(f, line, at),
                             .cpu = line->cpu,
                             .pid = line->has_tgid ? line->tgid : KERNEL_NO_PID,
                             .tid = line->tid,
                             .comm = line->comm,
                             .category = CATEGORY,
                             .at = at};
    struct str stack = stack_name(line);
    struct ftrace_graph g;
    kernel_events_take(&f->kernel, &e);
    if (line->kind == FTRACE_CALL)
        kernel_events_call(&f->kernel, &e, (struct str){line->name.s + 4, line->name.n - 4},
                           line->text);
    else if (line->kind == FTRACE_RETURN)
        kernel_events_return(&f->kernel, &e, (struct str){line->name.s + 4, line->name.n - 4},
                             line->text);
    else if (line->kind == FTRACE_FUNCTION)
        take_function(f, &e, line);
    else if (stack.n > 0)
        hold(f, &e, stack);
    else if ((str_eq(line->name, STR("funcgraph_entry")) ||
              str_eq(line->name, STR("funcgraph_exit"))) &&
             ftrace_graph_read(line->text, &g))
        take_graph(f, &e, &g);
    else
        kernel_text(&f->kernel, &e, line->name, line->text);
}

static void set_task(struct ftrace *f, const struct ftrace_line *line) {
    while (f->tasks.n <= line->cpu)
        vec_push(&f->tasks, ((struct task){false, 0}));
    f->tasks.v[line->cpu] = (struct task){true, line->tid};
}

/* A line of function_graph: on its task, on that of its CPU, or on the row of that. */
static void take_graph_line(struct ftrace *f, const struct ftrace_line *line, const char *at) {
    struct ftrace_graph g;
    char buf[EVENT_QUOTED];
    if (!ftrace_graph_read_line(line->text, &g)) {
        import_lines_fault(&f->lines, IMPORT_SYNTAX, at,
                           "expected CPU) DURATION | FUNCTION, not %s",
                           event_write_quoted(line->text, buf));
        return;
    }
    struct kernel_event e = {.ts = time_of(f, line, at),
                             .cpu = g.cpu,
                             .pid = KERNEL_NO_PID,
                             .tid = g.tid,
                             .comm = g.comm,
                             .category = CATEGORY,
                             .at = at};
    if (!g.has_tid && g.cpu < f->tasks.n && f->tasks.v[g.cpu].known)
        e.tid = f->tasks.v[g.cpu].tid;
    else if (!g.has_tid)
        kernel_events_on_row(&f->kernel, &e);
    kernel_events_take(&f->kernel, &e);
    take_graph(f, &e, &g);
}

static void take_line(struct ftrace *f, struct str text) {
    struct ftrace_line line;
    const char *at, *wrong = ftrace_line_read(text, &line, &at);
    char buf[EVENT_QUOTED];
    if (line.kind == FTRACE_FRAME && f->holds) {
        add_frame(f, line.text);
        return;
    }
    release(f);
    if (wrong)
        import_lines_fault(&f->lines, IMPORT_SYNTAX, at, "%s, not %s", wrong,
                           event_write_quoted(text, buf));
    else if (line.kind == FTRACE_LOST)
        kernel_events_lost(&f->kernel, line.cpu, line.lost);
    else if (line.kind == FTRACE_TASK)
        set_task(f, &line);
    else if (line.kind == FTRACE_GRAPH)
        take_graph_line(f, &line, at);
    else if (line.kind == FTRACE_FRAME)
        import_lines_fault(&f->lines, IMPORT_SYNTAX, at, "a frame without a stack trace before it");
    else if (line.kind != FTRACE_OTHER)
        take_event(f, &line, at);
}

static bool is_comment(struct str text) {
    size_t i = 0;
    while (i < text.n && (text.s[i] == ' ' || text.s[i] == '\t'))
        i++;
    return i == text.n || (text.s[0] == '#' && !(text.n > 5 && memcmp(text.s, "#####", 5) == 0));
}

static void take(void *ctx, struct str text, bool too_long) {
    struct ftrace *f = ctx;
    if (!too_long && !is_comment(text))
        take_line(f, text);
}

/* ---- the importer ---- */

static bool fits(struct str text, bool cut) {
    struct ftrace_line line;
    const char *at;
    (void)cut;
    if (ftrace_line_read(text, &line, &at))
        return false;
    /* perf script has `:-1    -1 [000]` */
    bool perf = line.comm.n > 0 && line.comm.s[line.comm.n - 1] == ' ';
    return line.kind != FTRACE_FRAME && !perf;
}

/* The first line that begins so, up to its end or that of the bytes; empty: there is none. */
static struct str line_of(struct str first, struct str mark) {
    for (size_t i = 0; i + mark.n <= first.n;) {
        struct str rest = {first.s + i, first.n - i};
        const char *end = memchr(rest.s, '\n', rest.n);
        if (memcmp(rest.s, mark.s, mark.n) == 0)
            return (struct str){rest.s, end ? (size_t)(end - rest.s) : rest.n};
        if (end == NULL)
            break;
        i += (size_t)(end - rest.s) + 1;
    }
    return (struct str){"", 0};
}

static enum import_sniff sniff(struct str first, bool all) {
    struct str text = import_lines_unmarked(first), tracer = line_of(text, TRACER);
    if (tracer.n > TRACER.n)
        return IMPORT_YES;
    if (line_of(text, STR("cpus=")).s == text.s && text.n > 5)
        return text.s[5] >= '0' && text.s[5] <= '9' ? IMPORT_YES : IMPORT_NO;
    return import_lines_sniff(first, all, fits);
}

static void *start(void) {
    struct ftrace *f = err_calloc(1, sizeof *f);
    import_lines_init(&f->lines, take, f);
    kernel_events_init(&f->kernel, &f->lines, NO_PROCESSES);
    writer_magic(&f->lines.w); /* a source that grows is opened once there are words */
    return f;
}

static void step(void *import, struct str bytes, bool last, struct import_news *news) {
    struct ftrace *f = import;
    import_lines_step(&f->lines, bytes, last);
    if (last) {
        release(f);
        kernel_events_end(&f->kernel);
    }
    *news = import_lines_news(&f->lines, last);
}

static void stop(void *import) {
    struct ftrace *f = import;
    vec_free(&f->stack.v);
    vec_free(&f->tasks);
    kernel_events_free(&f->kernel);
    import_lines_free(&f->lines);
    free(f);
}

const struct importer ftrace = {"ftrace", sniff, start, step, stop, NULL};
