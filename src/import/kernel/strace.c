/* strace.c - turns the output of strace into slices: a call each, on the thread that made it.
 *
 * A call is written when it has ended, because the rest of its arguments and its result come then.
 * Calls that are open at the end of the source have a begin alone. The latest one that has ended
 * waits for the stack that strace -k writes after it. */
#include "src/import/kernel/strace.h"

#include "src/base/u64map.h"
#include "src/import/chrome/event_write.h"
#include "src/import/import_lines.h"
#include "src/import/json/json_read.h"
#include "src/import/kernel/strace_line.h"

#define ARGS_MOST 1000  /* bytes of the arguments of a call */
#define STACK_MOST 8192 /* of its stack */
#define HALF_A_DAY (43200 * STRACE_SECOND)
#define MAIN_THREAD 0 /* of lines without a process */

enum { ARGS, RET, ERRNO, PATH, NOTE, STACK, ARGUMENTS };

static const char *const argument_names[ARGUMENTS] = {"args", "ret",  "errno",
                                                      "path", "note", "stack"};

struct text {
    VEC(char) v;
};

struct call {
    uint64_t begin, end;
    uint64_t pid, tid;
    struct text name, args[ARGUMENTS];
    bool instant; /* its length is not known */
};

struct thread {
    uint64_t pid, tid;
    size_t index; /* among all */
    bool open;    /* a call has not ended */
    bool leaves;  /* it is one that does not return: the thread's exit ends it */
    struct call call;
    bool gone;        /* it has exited */
    bool has_number;  /* of MAIN_THREAD: another number is known to be it */
    bool seen;        /* a line of it was read */
    uint64_t first;   /* time of that */
    bool born;        /* the clone() that made it is known, and waits for its first line */
    uint64_t born_at; /* begin of that call */
    uint64_t parent_pid, parent_tid;
    struct text comm;    /* the kernel's name of the thread, if it is written */
    struct text process; /* of the first thread: the name of the process */
};

/* How many threads are so; the sum of their indexes is that of the only one. */
struct few {
    size_t n, sum;
};

struct strace {
    struct import_lines lines;
    VEC(struct thread *) threads;
    struct u64map by_tid;
    struct few alive;
    struct few cloning; /* have an open call that makes threads or processes */
    bool started;       /* the initialization record is written */
    bool told_short;    /* that calls have no durations */
    uint64_t now, day, flows;
    struct text split, message; /* a line whose rest follows the message in it */
    struct call held;           /* complete, and not written yet */
    bool holds;
};

/* ---- texts ---- */

static struct str of(const struct text *t) {
    return (struct str){t->v.v ? t->v.v : "", t->v.n};
}

static void append(struct text *t, struct str s, size_t most) {
    s.n = s.n < most - t->v.n ? s.n : most - t->v.n;
    if (s.n == 0)
        return;
    vec_reserve(&t->v, t->v.n + s.n);
    memcpy(t->v.v + t->v.n, s.s, s.n);
    t->v.n += s.n;
}

static void set(struct text *t, struct str s, size_t most) {
    t->v.n = 0;
    append(t, s, most);
}

static void call_free(struct call *call) {
    vec_free(&call->name.v);
    for (int k = 0; k < ARGUMENTS; k++)
        vec_free(&call->args[k].v);
}

/* ---- records ---- */

static struct writer_event event_of(struct strace *s, uint64_t ts, uint64_t pid, uint64_t tid,
                                    const char *category) {
    return (struct writer_event){.ts = ts,
                                 .thread = writer_intern_thread(&s->lines.w, pid, tid),
                                 .category = writer_intern(&s->lines.w, str_of(category))};
}

/* A whole number is one in the record, anything else a text. */
static struct writer_argument argument_of(struct strace *s, int k, struct str text) {
    struct writer_string name = writer_intern(&s->lines.w, str_of(argument_names[k]));
    int64_t n;
    if (k == RET && json_read_i64(text, &n))
        return writer_number(FXT_ARG_INT64, name, (uint64_t)n);
    return writer_text(name, writer_inline(text));
}

/* ended: false: it is open when the source ends. */
static void write_call(struct strace *s, const struct call *call, bool ended) {
    struct writer_argument args[ARGUMENTS];
    struct writer_event e = event_of(s, call->begin, call->pid, call->tid, "syscall");
    import_lines_mark(&s->lines);
    e.name = import_lines_name(&s->lines, of(&call->name));
    e.args.v = args;
    for (int k = 0; k < ARGUMENTS; k++)
        if (call->args[k].v.n > 0)
            args[e.args.n++] = argument_of(s, k, of(&call->args[k]));
    if (!ended)
        writer_begin(&s->lines.w, &e);
    else if (call->instant)
        writer_instant(&s->lines.w, &e);
    else
        writer_complete(&s->lines.w, &e, call->end);
}

/* Writes the call that waits for its stack. */
static void release(struct strace *s) {
    if (s->holds)
        write_call(s, &s->held, true);
    s->holds = false;
}

static void hold(struct strace *s, struct call *call) {
    struct call before = s->held;
    s->held = *call;
    *call = before;
    s->holds = true;
}

static void instant(struct strace *s, const struct thread *t, uint64_t ts, const char *category,
                    const struct strace_line *line) {
    struct writer_event e = event_of(s, ts, t->pid, t->tid, category);
    struct writer_argument arg;
    import_lines_mark(&s->lines);
    e.name = import_lines_name(&s->lines, line->name);
    if (line->args.n > 0) {
        struct str text = {line->args.s, line->args.n < ARGS_MOST ? line->args.n : ARGS_MOST};
        arg = argument_of(s, ARGS, text);
        e.args = (struct writer_arguments){&arg, 1};
    }
    writer_instant(&s->lines.w, &e);
}

/* ---- threads and processes ---- */

static struct thread *find_thread(struct strace *s, uint64_t tid) {
    uint64_t i = u64map_get(&s->by_tid, u64map_key(tid));
    return i == UINT64_MAX ? NULL : s->threads.v[i];
}

static void few_add(struct few *few, const struct thread *t) {
    few->n++;
    few->sum += t->index;
}

static void few_remove(struct few *few, const struct thread *t) {
    few->n--;
    few->sum -= t->index;
}

/* NULL: there are none, or several. */
static struct thread *few_only(const struct strace *s, const struct few *few) {
    return few->n == 1 ? s->threads.v[few->sum] : NULL;
}

static struct thread *add_thread(struct strace *s, uint64_t pid, uint64_t tid) {
    u64map_set(&s->by_tid, u64map_key(tid), s->threads.n);
    struct thread *t = err_calloc(1, sizeof *t);
    t->pid = pid;
    t->tid = tid;
    t->index = s->threads.n;
    vec_push(&s->threads, t);
    few_add(&s->alive, t);
    return t;
}

static void name_process(struct strace *s, uint64_t pid, struct str name) {
    struct thread *first = find_thread(s, pid);
    if (first && str_eq(name, of(&first->process)))
        return;
    if (first)
        set(&first->process, name, IMPORT_LINES_NAME);
    import_lines_mark(&s->lines);
    writer_kernel_object(&s->lines.w, FXT_OBJECT_PROCESS, pid, import_lines_name(&s->lines, name),
                         (struct writer_arguments){NULL, 0});
}

/* The kernel's name of a thread (strace -Y): that of the process, too, if nothing else names it. */
static void name_thread(struct strace *s, struct thread *t, struct str name) {
    struct writer_argument process =
        writer_number(FXT_ARG_KOID, writer_intern(&s->lines.w, STR("process")), t->pid);
    set(&t->comm, name, IMPORT_LINES_NAME);
    import_lines_mark(&s->lines);
    writer_kernel_object(&s->lines.w, FXT_OBJECT_THREAD, t->tid, import_lines_name(&s->lines, name),
                         (struct writer_arguments){&process, 1});
    if (t->pid == t->tid && t->process.v.n == 0)
        name_process(s, t->pid, name);
}

static bool contains(struct str text, struct str part) {
    for (size_t i = 0; i + part.n <= text.n; i++)
        if (memcmp(text.s + i, part.s, part.n) == 0)
            return true;
    return false;
}

static bool makes_children(struct str name) {
    return str_eq(name, STR("clone")) || str_eq(name, STR("clone3")) || str_eq(name, STR("fork")) ||
           str_eq(name, STR("vfork"));
}

/* The number of a thread is used again: an open call of the former one ends here. */
static void renew(struct strace *s, struct thread *t) {
    if (t->gone)
        few_add(&s->alive, t);
    if (t->open && makes_children(of(&t->call.name)))
        few_remove(&s->cloning, t);
    t->call.end = s->now;
    if (t->open)
        write_call(s, &t->call, true);
    *t = (struct thread){.pid = t->pid,
                         .tid = t->tid,
                         .index = t->index,
                         .call = t->call,
                         .comm = t->comm,
                         .process = t->process};
}

/* A thread or a process that a call has made. Its process has its parent's name until it is another
 * program. */
static struct thread *add_child(struct strace *s, uint64_t tid, const struct call *call) {
    bool same = contains(of(&call->args[ARGS]), STR("CLONE_THREAD"));
    struct thread *child = find_thread(s, tid);
    if (child) {
        renew(s, child);
        child->pid = same ? call->pid : tid;
    } else {
        child = add_thread(s, same ? call->pid : tid, tid);
    }
    const struct thread *parent = find_thread(s, call->pid);
    if (!same && parent && parent != child && parent->process.v.n > 0)
        name_process(s, tid, of(&parent->process));
    return child;
}

/* The call that made a thread is known before its first line. */
static void wait_for(struct thread *child, const struct call *made_by) {
    child->born = true;
    child->born_at = made_by->begin;
    child->parent_pid = made_by->pid;
    child->parent_tid = made_by->tid;
}

/* The arrow from the call that made a thread to the first line of it. */
static void write_birth(struct strace *s, const struct thread *child) {
    struct writer_event from = event_of(s, child->born_at, child->parent_pid, child->parent_tid,
                                        "process"),
                        to = event_of(s, child->first, child->pid, child->tid, "process");
    from.name = to.name = writer_intern(&s->lines.w, STR("clone"));
    import_lines_mark(&s->lines);
    writer_flow(&s->lines.w, FXT_FLOW_BEGIN, &from, ++s->flows);
    writer_flow(&s->lines.w, FXT_FLOW_END, &to, s->flows);
}

/* A thread that strace names for the first time. */
static struct thread *new_thread(struct strace *s, uint64_t tid) {
    const struct thread *parent = few_only(s, &s->cloning);
    struct thread *t = find_thread(s, tid);
    if (parent) {
        t = add_child(s, tid, &parent->call);
        wait_for(t, &parent->call);
    } else if (t) {
        renew(s, t);
    } else {
        t = add_thread(s, tid, tid);
    }
    return t;
}

/* On a screen, lines name their thread while there are several: the first one has none before, and
 * is the one that was not announced. */
static struct thread *unnamed_thread(struct strace *s) {
    struct thread *t = few_only(s, &s->alive);
    if (t)
        return t;
    t = find_thread(s, MAIN_THREAD);
    if (t)
        return t;
    t = add_thread(s, MAIN_THREAD, MAIN_THREAD);
    name_process(s, MAIN_THREAD, STR("main process"));
    return t;
}

static struct thread *named_thread(struct strace *s, uint64_t tid) {
    struct thread *t = find_thread(s, tid), *first = find_thread(s, MAIN_THREAD);
    if (t)
        return t;
    if (first == NULL || first->gone || first->has_number)
        return new_thread(s, tid);
    first->has_number = true;
    u64map_set(&s->by_tid, u64map_key(tid), u64map_get(&s->by_tid, u64map_key(MAIN_THREAD)));
    return first;
}

/* The thread of a line. */
static struct thread *thread_of(struct strace *s, const struct strace_line *line, uint64_t ts) {
    struct thread *t = line->has_tid ? named_thread(s, line->tid) : unnamed_thread(s);
    if (!t->seen) {
        t->seen = true;
        t->first = ts;
        if (t->born)
            write_birth(s, t);
        t->born = false;
    }
    if (line->comm.n > 0 && !str_eq(line->comm, of(&t->comm)))
        name_thread(s, t, line->comm);
    return t;
}

/* A call that makes children has returned the number of one. */
static void gave_birth(struct strace *s, const struct call *call) {
    uint64_t tid;
    if (!json_read_u64(of(&call->args[RET]), &tid) || tid == 0)
        return;
    struct thread *child = find_thread(s, tid);
    if (child && child->seen && child->first >= call->begin)
        return; /* its lines came first, and only this call could have made it */
    if (child == NULL || child->seen)
        child = add_child(s, tid, call);
    wait_for(child, call);
}

/* The name of the file that a process executes: the first text of the arguments. */
static struct str program(struct str args) {
    size_t from = 0, end, name;
    while (from < args.n && args.s[from] != '"')
        from++;
    for (end = name = from + 1; end < args.n && args.s[end] != '"'; end++)
        if (args.s[end] == '/')
            name = end + 1;
    return from < args.n ? (struct str){args.s + name, end - name} : (struct str){"", 0};
}

/* ---- calls ---- */

static void set_result(struct call *call, const struct strace_line *line) {
    set(&call->args[RET], line->ret, ARGS_MOST);
    set(&call->args[ERRNO], line->errnum, ARGS_MOST);
    set(&call->args[PATH], line->path, ARGS_MOST);
    set(&call->args[NOTE], line->errnum.n > 0 ? (struct str){"", 0} : line->note, ARGS_MOST);
    call->args[STACK].v.n = 0;
}

static void start_call(struct strace *s, struct thread *t, const struct strace_line *line,
                       uint64_t ts) {
    set(&t->call.name, line->name, WRITER_STRING_MAX);
    set(&t->call.args[ARGS], line->args, ARGS_MOST);
    for (int k = RET; k < ARGUMENTS; k++)
        t->call.args[k].v.n = 0;
    t->call.begin = ts;
    t->call.pid = t->pid;
    t->call.tid = t->tid;
    t->call.instant = false;
    t->open = true;
    t->leaves = false;
    if (makes_children(line->name))
        few_add(&s->cloning, t);
}

/* The open call of a thread ends: names and children follow, then it waits for its stack. */
static void end_call(struct strace *s, struct thread *t, uint64_t end) {
    struct str name = of(&t->call.name), ret = of(&t->call.args[RET]);
    t->open = false;
    t->call.end = end;
    bool births = makes_children(name);
    if (births)
        few_remove(&s->cloning, t);
    if (str_eq(name, STR("execve")) && str_eq(ret, STR("0")) &&
        program(of(&t->call.args[ARGS])).n > 0)
        name_process(s, t->pid, program(of(&t->call.args[ARGS])));
    hold(s, &t->call);
    if (births)
        gave_birth(s, &s->held);
}

/* A call that should have ended before this line. */
static void end_lost(struct strace *s, struct thread *t, uint64_t ts, const char *at) {
    if (!t->open)
        return;
    char buf[EVENT_QUOTED];
    if (!t->leaves)
        import_lines_fault(&s->lines, IMPORT_FIELD, at, "%s has not ended before this",
                           event_write_quoted(of(&t->call.name), buf));
    end_call(s, t, ts);
    release(s);
}

/* The end of a call that has a duration, or was unfinished until `ts`. */
static uint64_t end_of(struct strace *s, const struct strace_line *line, uint64_t begin,
                       uint64_t ts, const char *at) {
    if (!line->has_dur)
        return ts;
    if (line->dur > (uint64_t)INT64_MAX - begin) {
        import_lines_fault(&s->lines, IMPORT_FIELD, at, "the duration is beyond 2^63-1 ns");
        return ts;
    }
    return begin + line->dur;
}

/* A call on one line. Without a duration it has a begin alone, unless it never returns. */
static void whole_call(struct strace *s, struct thread *t, const struct strace_line *line,
                       uint64_t ts, const char *at) {
    end_lost(s, t, ts, at);
    start_call(s, t, line, ts);
    set_result(&t->call, line);
    if (str_eq(line->ret, STR("?")) && !line->has_dur) {
        t->leaves = true;
        return;
    }
    if (!line->has_dur && !s->told_short)
        import_lines_fault(&s->lines, IMPORT_IGNORED, at,
                           "calls without durations are instants: strace -T writes these");
    s->told_short |= !line->has_dur;
    t->call.instant = !line->has_dur;
    end_call(s, t, end_of(s, line, ts, ts, at));
}

static void resumed_call(struct strace *s, struct thread *t, const struct strace_line *line,
                         uint64_t ts, const char *at) {
    char buf[EVENT_QUOTED], open[EVENT_QUOTED];
    if (!t->open) {
        uint64_t begin = line->has_dur && line->dur <= ts ? ts - line->dur : ts;
        import_lines_fault(&s->lines, IMPORT_FIELD, at, "%s is resumed, but has not begun",
                           event_write_quoted(line->name, buf));
        start_call(s, t, line, begin);
        set_result(&t->call, line);
        end_call(s, t, ts);
        return;
    }
    if (!str_eq(line->name, of(&t->call.name)))
        import_lines_fault(&s->lines, IMPORT_FIELD, at, "%s is resumed, but %s has begun",
                           event_write_quoted(line->name, buf),
                           event_write_quoted(of(&t->call.name), open));
    if (line->args.n > 0 && t->call.args[ARGS].v.n > 0 && line->args.s[0] != ',')
        append(&t->call.args[ARGS], STR(" "), ARGS_MOST);
    append(&t->call.args[ARGS], line->args, ARGS_MOST);
    set_result(&t->call, line);
    end_call(s, t, end_of(s, line, t->call.begin, ts, at));
}

static void take_call(struct strace *s, struct thread *t, const struct strace_line *line,
                      uint64_t ts, const char *at) {
    switch (line->kind) {
    case STRACE_CALL:
        whole_call(s, t, line, ts, at);
        break;
    case STRACE_RESUMED:
        resumed_call(s, t, line, ts, at);
        break;
    case STRACE_AGAIN:
        resumed_call(s, t, line, ts, at);
        release(s);
        /* fall through */
    default:
        end_lost(s, t, ts, at);
        start_call(s, t, line, ts);
        break;
    }
}

/* ---- lines ---- */

static void start_words(struct strace *s, bool epoch, uint64_t ts) {
    if (epoch)
        writer_init_base(&s->lines.w, STRACE_SECOND, ts, ts);
    else
        writer_init_record(&s->lines.w, STRACE_SECOND);
    s->started = true;
}

/* The time of a line in ns, and the records before the first one. */
static uint64_t time_of(struct strace *s, const struct strace_line *line) {
    if (line->clock == STRACE_DAY && line->time + s->day + HALF_A_DAY < s->now)
        s->day += 2 * HALF_A_DAY;
    uint64_t ts = line->time;
    if (line->clock == STRACE_SINCE)
        ts += s->now;
    else if (line->clock == STRACE_DAY)
        ts += s->day;
    if (ts > (uint64_t)INT64_MAX)
        ts = s->now;
    s->now = ts;
    if (!s->started)
        start_words(s, line->clock == STRACE_EPOCH, ts);
    return ts;
}

static void announce(struct strace *s, uint64_t tid) {
    struct thread *t = tid > 0 ? find_thread(s, tid) : NULL;
    if (tid > 0 && (t == NULL || t->gone))
        new_thread(s, tid);
}

static void take_line(struct strace *s, struct str text) {
    struct strace_line line;
    const char *at, *wrong = strace_line_read(text, &line, &at);
    if (wrong) {
        char buf[EVENT_QUOTED];
        import_lines_fault(&s->lines, IMPORT_SYNTAX, at, "%s, not %s", wrong,
                           event_write_quoted(text, buf));
        return;
    }
    release(s);
    if (line.kind == STRACE_MESSAGE) {
        announce(s, line.attached);
        return;
    }
    uint64_t ts = time_of(s, &line);
    struct thread *t = thread_of(s, &line, ts);
    if (line.kind == STRACE_EXIT) {
        t->leaves = true; /* its last call does not return */
        end_lost(s, t, ts, at);
        instant(s, t, ts, "process", &line);
        if (!t->gone)
            few_remove(&s->alive, t);
        t->gone = true;
    } else if (line.kind == STRACE_SIGNAL) {
        instant(s, t, ts, "signal", &line);
    } else {
        take_call(s, t, &line, ts, at);
    }
}

/* The line of a call in which a message stood, once its rest has come. */
static void take_joined(struct strace *s, struct str rest) {
    struct strace_line message;
    const char *at;
    append(&s->split, rest, s->split.v.n + rest.n);
    s->lines.line = of(&s->split);
    take_line(s, s->lines.line);
    if (strace_line_read(of(&s->message), &message, &at) == NULL)
        announce(s, message.attached);
    s->split.v.n = 0;
}

static void take(void *ctx, struct str text, bool too_long) {
    struct strace *s = ctx;
    struct str frame;
    size_t split = strace_line_split(text);
    if (too_long)
        return;
    if (s->split.v.n > 0) {
        take_joined(s, text);
    } else if (split > 0) {
        set(&s->split, (struct str){text.s, split}, split);
        set(&s->message, (struct str){text.s + split, text.n - split}, text.n - split);
    } else if (strace_line_frame(text, &frame)) {
        if (s->holds && s->held.args[STACK].v.n > 0)
            append(&s->held.args[STACK], STR(" < "), STACK_MOST);
        if (s->holds)
            append(&s->held.args[STACK], frame, STACK_MOST);
    } else if (text.n > 0 && text.s[0] != '#') {
        take_line(s, text);
    }
}

/* ---- the importer ---- */

/* A message without a time may be of strace, but decides nothing. */
static bool fits(struct str text, bool cut) {
    struct strace_line line;
    const char *at, *wrong = strace_line_read(text, &line, &at);
    struct str frame;
    if (strace_line_split(text) > 0 || strace_line_frame(text, &frame))
        return true;
    return wrong ? cut && line.clock != STRACE_NO_TIME && line.name.n > 0
                 : line.clock != STRACE_NO_TIME || line.attached > 0;
}

static enum import_sniff sniff(struct str first, bool all) {
    return import_lines_sniff(first, all, fits);
}

static void *start(void) {
    struct strace *s = err_calloc(1, sizeof *s);
    import_lines_init(&s->lines, take, s);
    writer_magic(&s->lines.w); /* a source that grows is opened once there are words */
    return s;
}

static void step(void *import, struct str bytes, bool last, struct import_news *news) {
    struct strace *s = import;
    import_lines_step(&s->lines, bytes, last);
    if (last && !s->started)
        start_words(s, false, 0);
    if (last)
        release(s);
    for (size_t i = 0; last && i < s->threads.n; i++)
        if (s->threads.v[i]->open)
            write_call(s, &s->threads.v[i]->call, false);
    *news = import_lines_news(&s->lines, last);
}

static void stop(void *import) {
    struct strace *s = import;
    for (size_t i = 0; i < s->threads.n; i++) {
        call_free(&s->threads.v[i]->call);
        vec_free(&s->threads.v[i]->comm.v);
        vec_free(&s->threads.v[i]->process.v);
        free(s->threads.v[i]);
    }
    call_free(&s->held);
    vec_free(&s->split.v);
    vec_free(&s->message.v);
    vec_free(&s->threads);
    u64map_free(&s->by_tid);
    import_lines_free(&s->lines);
    free(s);
}

const struct importer strace = {"strace", sniff, start, step, stop, NULL};
