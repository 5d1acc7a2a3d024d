/* kernel_text.c - `kinds` is the table of events that are more than an instant.
 *
 * The name of a thread may hold anything, also text that looks like a field. So fields after it are
 * read from the right. libtraceevent (trace-cmd, perf) has another form for some events:
 * `comm:pid [prio] STATE ==> comm:pid [prio]`. */
#include "src/import/kernel/kernel_text.h"

#include "src/import/chrome/event_write.h"
#include "src/import/json/json_read.h"
#include "src/import/kernel/kernel_fields.h"
#include "src/import/kernel/kernel_mark.h"

#define FIELDS 12 /* arguments of an instant; more are one text */
#define CLONE_THREAD 0x10000

struct text_event {
    struct kernel_events *k;
    struct kernel_event *e;
    struct str name, text;
};

static bool begins(struct str s, struct str mark) {
    return s.n >= mark.n && memcmp(s.s, mark.s, mark.n) == 0;
}

static bool ends(struct str s, struct str mark) {
    return s.n >= mark.n && memcmp(s.s + s.n - mark.n, mark.s, mark.n) == 0;
}

static struct str after(struct str s, size_t n) {
    return (struct str){s.s + n, s.n - n};
}

static bool take_start(struct str *s, struct str mark) {
    bool is = begins(*s, mark);
    *s = is ? after(*s, mark.n) : *s;
    return is;
}

/* ---- any event: an instant with its fields ---- */

/* The arguments of an instant, within the bytes that a record holds. */
struct arguments {
    struct kernel_events *k;
    struct writer_argument v[KERNEL_ARGUMENTS];
    size_t n, bytes;
    bool cut;
};

static struct str fitted(struct arguments *a, struct str s) {
    size_t fits = KERNEL_ARGS_MOST - a->bytes;
    a->cut |= s.n > fits;
    s.n = (size_t)str_head(s, fits);
    a->bytes += s.n;
    return s;
}

static void put_text(struct arguments *a, struct str key, struct str value) {
    struct writer_string name = import_lines_name(a->k->lines, fitted(a, key));
    a->v[a->n++] = writer_text(name, writer_inline(fitted(a, value)));
}

static void put_value(struct arguments *a, struct str key, struct str value) {
    uint64_t bits;
    int64_t number;
    bool is_signed = json_read_i64(value, &number);
    if (!is_signed && !kernel_fields_hex(value, &bits) && !json_read_u64(value, &bits)) {
        put_text(a, key, value);
        return;
    }
    struct writer_string name = import_lines_name(a->k->lines, fitted(a, key));
    a->v[a->n++] = is_signed ? writer_number(FXT_ARG_INT64, name, (uint64_t)number)
                             : writer_number(FXT_ARG_UINT64, name, bits);
}

static bool other(struct text_event *x) {
    struct kernel_field fields[FIELDS];
    struct kernel_fields read = kernel_fields_read(x->text, fields, FIELDS);
    struct arguments a = {.k = x->k};
    if (read.before.n > 0)
        put_text(&a, STR("text"), read.before);
    for (size_t i = 0; i < read.n; i++)
        put_value(&a, fields[i].key, fields[i].value);
    if (read.rest.n > 0)
        put_text(&a, STR("more"), read.rest);
    if (a.cut)
        import_lines_fault(x->k->lines, IMPORT_CUT, x->e->at,
                           "fields of more than %d bytes in all: cut", KERNEL_ARGS_MOST);
    kernel_events_instant(x->k, x->e, x->e->category, x->name, (struct writer_arguments){a.v, a.n});
    return true;
}

/* ---- tasks ---- */

/* Takes ` key=123` off the end, of a number that is none below 0. */
static bool take_u64(struct str *s, struct str key, uint64_t *value) {
    int64_t number;
    struct str rest = *s;
    if (!kernel_fields_take_number(&rest, key, &number) || number < 0)
        return false;
    *s = rest;
    *value = (uint64_t)number;
    return true;
}

static bool take_prio(struct str *s, struct str key, struct kernel_task *task) {
    int64_t prio;
    if (!kernel_fields_take_number(s, key, &prio))
        return false;
    task->has_prio = prio == (int32_t)prio;
    task->prio = task->has_prio ? (int32_t)prio : 0;
    return true;
}

/* Takes `comm:pid [prio]` off the end, and leaves the name of the thread. */
static bool take_plugin(struct str *s, struct kernel_task *task) {
    if (s->n > 0 && s->s[s->n - 1] == ']') {
        s->n--;
        if (!take_prio(s, STR(" ["), task))
            return false;
    }
    return take_u64(s, STR(":"), &task->tid);
}

/* Takes the last word off the end, with the blank before it. */
static bool take_word(struct str *s, struct str *word) {
    size_t i = s->n;
    while (i > 0 && s->s[i - 1] != ' ')
        i--;
    *word = after(*s, i);
    s->n = i > 0 ? i - 1 : 0;
    return i > 0 && word->n > 0;
}

/* The place of the last mark in a text that ends at `to`; text.n: there is none. */
static size_t last_of(struct str text, struct str mark, size_t to) {
    for (size_t i = to; i >= mark.n; i--)
        if (memcmp(text.s + i - mark.n, mark.s, mark.n) == 0)
            return i - mark.n;
    return text.n;
}

/* ---- switches ---- */

struct text_switch {
    struct kernel_task prev, next;
    struct str state;
};

static bool read_prev(struct str text, struct text_switch *to) {
    struct str prev = STR("prev_comm="), key = STR("prev_state=");
    if (!take_word(&text, &to->state) || !take_start(&to->state, key) ||
        !take_prio(&text, STR(" prev_prio="), &to->prev) ||
        !take_u64(&text, STR(" prev_pid="), &to->prev.tid) || !take_start(&text, prev))
        return false;
    to->prev.comm = text;
    return true;
}

/* ` ==> ` may be in the name of a thread, too. */
static bool read_switch(struct str text, struct text_switch *to) {
    struct str arrow = STR(" ==> next_comm="), raw = STR(" next_comm="), extra;
    while (!take_prio(&text, STR(" next_prio="), &to->next)) /* fields of another kernel follow */
        if (!take_word(&text, &extra))
            return false;
    if (!take_u64(&text, STR(" next_pid="), &to->next.tid))
        return false;
    for (size_t end = text.n, i; (i = last_of(text, raw, end)) < text.n; end = i) {
        struct str left = {text.s, i + raw.n};
        left.n -= ends(left, arrow) ? arrow.n : raw.n; /* trace-cmd report -R has no arrow */
        to->next.comm = after(text, i + raw.n);
        if (read_prev(left, to))
            return true;
    }
    return false;
}

static bool read_plugin_switch(struct str text, struct text_switch *to) {
    struct str arrow = STR(" ==> ");
    if (!take_plugin(&text, &to->next))
        return false;
    for (size_t end = text.n, i; (i = last_of(text, arrow, end)) < text.n; end = i) {
        struct str left = {text.s, i};
        to->next.comm = after(text, i + arrow.n);
        if (take_word(&left, &to->state) && take_plugin(&left, &to->prev)) {
            to->prev.comm = left;
            return true;
        }
    }
    return false;
}

static bool take_switch(struct text_event *x) {
    struct text_switch s = {.state = {"", 0}};
    bool is = begins(x->text, STR("prev_comm=")) ? read_switch(x->text, &s)
                                                 : read_plugin_switch(x->text, &s);
    return is && kernel_events_switch(x->k, x->e, &s.prev, s.state, &s.next);
}

/* ---- wakeups ---- */

struct text_wakeup {
    struct kernel_task task;
    uint64_t cpu, success;
};

static bool read_wakeup(struct str text, struct text_wakeup *to) {
    struct str extra, comm = STR("comm=");
    while (!take_u64(&text, STR(" target_cpu="), &to->cpu))
        if (!take_word(&text, &extra))
            return false;
    take_u64(&text, STR(" success="), &to->success);
    take_prio(&text, STR(" prio="), &to->task);
    if (!take_u64(&text, STR(" pid="), &to->task.tid) || !take_start(&text, comm))
        return false;
    to->task.comm = text;
    return true;
}

static bool read_plugin_wakeup(struct str text, struct text_wakeup *to) {
    take_u64(&text, STR(" CPU:"), &to->cpu);
    take_u64(&text, STR(" success="), &to->success);
    if (!take_plugin(&text, &to->task))
        return false;
    to->task.comm = text;
    return true;
}

static bool wake(struct text_event *x, enum kernel_wake kind) {
    struct text_wakeup w = {.cpu = KERNEL_NO_CPU, .success = 1};
    bool is =
        begins(x->text, STR("comm=")) ? read_wakeup(x->text, &w) : read_plugin_wakeup(x->text, &w);
    if (is && w.success == 0)
        import_lines_note(x->k->lines, "a wakeup without success woke nothing");
    else if (is)
        kernel_events_wakeup(x->k, x->e, kind, &w.task,
                             w.cpu < KERNEL_CPUS ? (unsigned)w.cpu : x->e->cpu);
    return is;
}

static bool take_waking(struct text_event *x) {
    return wake(x, KERNEL_WAKING);
}

static bool take_wakeup(struct text_event *x) {
    return wake(x, KERNEL_WAKEUP);
}

static bool take_wakeup_new(struct text_event *x) {
    return wake(x, KERNEL_WAKEUP_NEW);
}

/* `pid=1 iowait=1 caller=f+0x10/0x20`, whose caller may be an address */
static bool take_reason(struct text_event *x) {
    struct str io, caller = {"", 0};
    struct kernel_field f[1];
    uint64_t tid;
    if (kernel_fields_read(x->text, f, 1).n == 0 || !str_eq(f[0].key, STR("pid")) ||
        !json_read_u64(f[0].value, &tid) ||
        (!kernel_fields_last(x->text, STR(" iowait="), &io) &&
         !kernel_fields_last(x->text, STR(" io_wait="), &io)))
        return false;
    kernel_fields_last(x->text, STR(" caller="), &caller);
    size_t plus = last_of(caller, STR("+0x"), caller.n);
    caller.n = plus < caller.n ? plus : caller.n;
    return kernel_events_wait(x->k, tid, !str_eq(io, STR("0")), caller) || other(x);
}

/* ---- lives ---- */

static bool last_u64(struct str text, struct str key, uint64_t *value) {
    struct str s;
    return kernel_fields_last(text, key, &s) && json_read_u64(s, value);
}

/* The text between two fields, as the name of a thread is. */
static struct str between(struct str text, struct str key, struct str next) {
    size_t end = last_of(text, next, text.n), from = end < text.n ? last_of(text, key, end) : end;
    return from < end ? (struct str){text.s + from + key.n, end - from - key.n}
                      : (struct str){"", 0};
}

/* It is an instant, too, whatever it means. */
static bool take_new_task(struct text_event *x) {
    struct kernel_task child = {.comm = between(x->text, STR(" comm="), STR(" clone_flags="))};
    struct str flags;
    uint64_t bits = 0;
    if (!last_u64(x->text, STR(" pid="), &child.tid) ||
        !kernel_fields_last(x->text, STR(" clone_flags="), &flags))
        return false;
    take_start(&flags, STR("0x"));
    for (size_t i = 0; i < flags.n && json_read_hex(flags.s[i]) >= 0; i++)
        bits = bits << 4 | (uint64_t)json_read_hex(flags.s[i]);
    other(x);
    kernel_events_new_task(x->k, x->e, &child, bits & CLONE_THREAD);
    return true;
}

static bool take_fork(struct text_event *x) {
    struct kernel_task child = {.comm = between(x->text, STR(" child_comm="), STR(" child_pid="))};
    if (!last_u64(x->text, STR(" child_pid="), &child.tid))
        return false;
    other(x);
    kernel_events_rename(x->k, &child);
    return true;
}

static bool take_rename(struct text_event *x) {
    struct kernel_task task = {.comm = between(x->text, STR(" newcomm="), STR(" oom_score_adj="))};
    if (!last_u64(x->text, STR(" pid="), &task.tid))
        return false;
    other(x);
    kernel_events_rename(x->k, &task);
    return true;
}

static bool take_exec(struct text_event *x) {
    struct kernel_task task = {.comm = between(x->text, STR("filename="), STR(" pid="))};
    if (!last_u64(x->text, STR(" pid="), &task.tid))
        return false;
    size_t slash = last_of(task.comm, STR("/"), task.comm.n);
    if (slash < task.comm.n)
        task.comm = after(task.comm, slash + 1);
    task.comm.n = task.comm.n < 15 ? task.comm.n : 15; /* as the kernel does */
    other(x);
    kernel_events_rename(x->k, &task);
    return true;
}

static bool take_exit(struct text_event *x) {
    struct kernel_task task = {.comm = {"", 0}};
    struct str text = x->text;
    if (!last_u64(text, STR(" pid="), &task.tid)) {
        if (!take_plugin(&text, &task))
            return false;
    }
    other(x);
    kernel_events_exit(x->k, x->e, task.tid);
    return true;
}

/* ---- interrupts ---- */

/* The name of a slice of two words. */
static struct str joined(struct str kind, struct str what, char buf[KERNEL_CALL_MOST]) {
    size_t n = kind.n < KERNEL_CALL_MOST / 2 ? kind.n : KERNEL_CALL_MOST / 2;
    memcpy(buf, kind.s, n);
    if (what.n == 0)
        return (struct str){buf, n};
    buf[n++] = ' ';
    size_t m = what.n < KERNEL_CALL_MOST - n ? what.n : KERNEL_CALL_MOST - n;
    memcpy(buf + n, what.s, m);
    return (struct str){buf, n + m};
}

static bool interrupt(struct text_event *x, bool enters, struct str kind, struct str number,
                      struct str what) {
    char buf[KERNEL_CALL_MOST];
    uint64_t key = kernel_events_key(kind, number);
    return enters ? kernel_events_interrupt(x->k, x->e, key, joined(kind, what, buf))
                  : kernel_events_interrupt_end(x->k, x->e, key);
}

static bool take_irq(struct text_event *x) {
    struct str number, name = {"", 0};
    if (!kernel_fields_last(x->text, STR(" irq="), &number))
        return false;
    size_t at = last_of(x->text, STR(" name="), x->text.n);
    if (at < x->text.n)
        name = after(x->text, at + 6);
    return interrupt(x, ends(x->name, STR("entry")), STR("irq"), number, name);
}

/* `vec=1 [action=TIMER]`, or `vec=1` alone */
static bool take_softirq(struct text_event *x) {
    static const char *const actions[] = {"HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
                                          "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU"};
    struct kernel_field f[2];
    struct kernel_fields read = kernel_fields_read(x->text, f, 2);
    if (read.n == 0 || !str_eq(f[0].key, STR("vec")))
        return false;
    struct str number = f[0].value, action = read.n > 1 ? f[1].value : number;
    const char *blank = number.n > 0 ? memchr(number.s, ' ', number.n) : NULL;
    uint64_t vec;
    number.n = blank ? (size_t)(blank - number.s) : number.n;
    if (ends(action, STR("]")))
        action.n--;
    else if (json_read_u64(number, &vec) && vec < sizeof actions / sizeof *actions)
        action = str_of(actions[vec]);
    return interrupt(x, ends(x->name, STR("entry")), STR("softirq"), number, action);
}

/* `(Rescheduling interrupts)` */
static bool take_ipi(struct text_event *x) {
    struct str what = x->text;
    take_start(&what, STR("("));
    if (ends(what, STR(")")))
        what.n--;
    return interrupt(x, ends(x->name, STR("entry")), STR("ipi"), what, what);
}

/* `hrtimer=000000003d5b3b6e function=tick_sched_timer now=...`, `timer=...` */
static bool take_timer(struct text_event *x) {
    struct kernel_field f[1];
    struct str function = {"", 0};
    if (kernel_fields_read(x->text, f, 1).n == 0)
        return false;
    kernel_fields_last(x->text, STR(" function="), &function);
    return interrupt(x, ends(x->name, STR("entry")), f[0].key, f[0].value, function);
}

/* `local_timer_entry: vector=236` and others of irq_vectors. */
static bool take_vector(struct text_event *x) {
    bool enters = ends(x->name, STR("_entry"));
    struct str name = {x->name.s, x->name.n - (enters ? 6 : 5)};
    return interrupt(x, enters, name, STR(""), STR(""));
}

/* ---- system calls ---- */

static bool call(struct text_event *x, struct str name, struct str args) {
    kernel_events_call(x->k, x->e, name, args);
    return true;
}

static bool returns(struct text_event *x, struct str name, struct str ret) {
    kernel_events_return(x->k, x->e, name, kernel_fields_trimmed(ret));
    return true;
}

/* `NR 0 (3, 7f, 10)`, `NR 0 = 10`: the name `syscall 0`, and the place of what follows. */
static bool read_number(struct str text, char name[32], size_t *rest) {
    int64_t number;
    if (!take_start(&text, STR("NR ")))
        return false;
    struct str digits = {text.s, 0};
    while (digits.n < text.n && text.s[digits.n] != ' ')
        digits.n++;
    if (!json_read_i64(digits, &number))
        return false;
    snprintf(name, 32, "syscall %lld", (long long)number);
    if (number < 0)
        name[0] = '\0';
    *rest = digits.n + 3;
    return true;
}

static bool take_sys_enter(struct text_event *x) {
    char name[32];
    size_t rest;
    if (!read_number(x->text, name, &rest))
        return false;
    struct str args = kernel_fields_trimmed(after(x->text, rest));
    if (begins(args, STR("(")) && ends(args, STR(")")))
        args = (struct str){args.s + 1, args.n - 2};
    return call(x, str_of(name), args);
}

/* A call that has no number returns by a signal. */
static bool take_sys_exit(struct text_event *x) {
    char name[32];
    size_t rest;
    if (!read_number(x->text, name, &rest))
        return false;
    struct str ret = kernel_fields_trimmed(after(x->text, rest));
    return take_start(&ret, STR("=")) && returns(x, str_of(name), ret);
}

/* ---- counters, marks ---- */

/* `state=1200000 cpu_id=0`, maybe after the name of a clock. */
static bool take_cpu_value(struct text_event *x) {
    struct str text = x->text;
    uint64_t cpu, state;
    char buf[KERNEL_CALL_MOST];
    if (!take_u64(&text, STR(" cpu_id="), &cpu))
        return false;
    if (!take_u64(&text, STR(" state="), &state)) {
        if (!take_u64(&text, STR("state="), &state) || text.n > 0)
            return false;
    }
    kernel_events_cpu_value(x->k, x->e, joined(x->name, text, buf), cpu,
                            state == UINT32_MAX ? -1 : (int64_t)state);
    return true;
}

/* Other names of marks: the address of their writer precedes them. */
static bool is_address(struct str name) {
    size_t i = begins(name, STR("0x")) ? 2 : 0;
    name.n -= i > 0 && ends(name, STR("s"));
    bool known = name.n > i && (i > 0 || name.n >= 8 || str_eq(name, STR("0")));
    for (; known && i < name.n; i++)
        known = json_read_hex(name.s[i]) >= 0;
    return known;
}

/* The text without the address of its writer. */
static struct str without_writer(struct str text) {
    bool more = true;
    while (more) {
        const char *colon = text.n > 0 ? memchr(text.s, ':', text.n < 24 ? text.n : 24) : NULL;
        size_t n = colon ? (size_t)(colon - text.s) : 0;
        more = colon && n + 1 < text.n && text.s[n + 1] == ' ' &&
               (is_address((struct str){text.s, n}) ||
                str_eq((struct str){text.s, n}, STR("tracing_mark_write")));
        if (more)
            text = after(text, n + 2);
    }
    return text;
}

static bool take_mark(struct text_event *x) {
    kernel_mark(x->k, x->e, without_writer(x->text));
    return true;
}

/* trace_printk() of the kernel: `function: text`, which may be a mark. */
static bool take_printk(struct text_event *x) {
    struct str text = without_writer(x->text);
    size_t n = 0;
    if (text.n == 1 || (text.n > 1 && text.s[1] == '|'))
        return take_mark(x);
    while (n < text.n && text.s[n] != ' ' && text.s[n] != ':')
        n++;
    x->text = text;
    if (n > 0 && n + 1 < text.n && text.s[n] == ':' && text.s[n + 1] == ' ') {
        x->name = (struct str){text.s, n};
        x->text = kernel_fields_trimmed(after(text, n + 1));
    }
    return other(x);
}

/* ---- names ---- */

static const struct kind {
    struct str name;
    bool (*take)(struct text_event *x);
    const char *form; /* of its text */
} kinds[] = {
    {STR("sched_switch"), take_switch,
     "prev_comm=... ==> next_comm=..., or comm:pid [prio] S ==> ..."},
    {STR("sched_waking"), take_waking, "comm=... pid=... target_cpu=..."},
    {STR("sched_wakeup"), take_wakeup, "comm=... pid=... target_cpu=..."},
    {STR("sched_blocked_reason"), take_reason, "pid=... iowait=... caller=..."},
    {STR("tracing_mark_write"), take_mark, ""},
    {STR("print"), take_mark, ""},
    {STR("bprint"), take_printk, ""},
    {STR("bputs"), take_printk, ""},
    {STR("sys_enter"), take_sys_enter, "NR n (...)"},
    {STR("sys_exit"), take_sys_exit, "NR n = result"},
    {STR("irq_handler_entry"), take_irq, "irq=n name=..."},
    {STR("irq_handler_exit"), take_irq, "irq=n ret=..."},
    {STR("softirq_entry"), take_softirq, "vec=n [action=...]"},
    {STR("softirq_exit"), take_softirq, "vec=n [action=...]"},
    {STR("hrtimer_expire_entry"), take_timer, "hrtimer=..."},
    {STR("hrtimer_expire_exit"), take_timer, "hrtimer=..."},
    {STR("timer_expire_entry"), take_timer, "timer=..."},
    {STR("timer_expire_exit"), take_timer, "timer=..."},
    {STR("ipi_entry"), take_ipi, "a reason"},
    {STR("ipi_exit"), take_ipi, "a reason"},
    {STR("sched_wakeup_new"), take_wakeup_new, "comm=... pid=... target_cpu=..."},
    {STR("task_newtask"), take_new_task, "pid=... comm=... clone_flags=..."},
    {STR("task_rename"), take_rename, "pid=... oldcomm=... newcomm=..."},
    {STR("sched_process_fork"), take_fork, "child_comm=... child_pid=..."},
    {STR("sched_process_exec"), take_exec, "filename=... pid=..."},
    {STR("sched_process_exit"), take_exit, "comm=... pid=..."},
    {STR("sched_process_free"), take_exit, "comm=... pid=..."},
};

/* Kinds that are known by a part of their name or their text. */
static bool take_by_form(struct text_event *x) {
    bool enters = ends(x->name, STR("_entry"));
    if (begins(x->name, STR("sys_enter_")))
        return call(x, after(x->name, 10), x->text);
    if (begins(x->name, STR("sys_exit_")))
        return returns(x, after(x->name, 9), x->text);
    if ((enters || ends(x->name, STR("_exit"))) && begins(x->text, STR("vector=")))
        return take_vector(x);
    if (x->text.n > 0 && x->text.s[x->text.n - 1] <= '9' && take_cpu_value(x))
        return true;
    return is_address(x->name) && take_mark(x);
}

void kernel_text(struct kernel_events *k, struct kernel_event *e, struct str name,
                 struct str text) {
    struct text_event x = {k, e, name, kernel_fields_trimmed(text)};
    size_t i = 0, n = sizeof kinds / sizeof *kinds;
    while (i < n && !str_eq(kinds[i].name, name))
        i++;
    if (i < n ? kinds[i].take(&x) : take_by_form(&x))
        return;
    char buf[EVENT_QUOTED];
    if (i < n && e->cpu == KERNEL_NO_CPU)
        import_lines_note(k->lines, "an instant, because its CPU is not recorded");
    else if (i < n)
        import_lines_fault(k->lines, IMPORT_FIELD, e->at, "expected %s, not %s", kinds[i].form,
                           event_write_quoted(x.text, buf));
    other(&x);
}
