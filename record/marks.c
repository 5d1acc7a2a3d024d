/* marks.c - the records of a recording about itself. */
#include "record/marks.h"

#include <signal.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { SCOPE_PROCESS = 1, SCOPE_GLOBAL = 2 };

static struct writer_event own_event(struct output *o, const struct ticks *ticks,
                                     const char *category, const char *name) {
    struct writer *w = output_begin(o, OUTPUT_OWN);
    return (struct writer_event){
        .ts = ticks_now(ticks),
        .thread = writer_intern_thread(w, (uint64_t)getpid(), (uint64_t)getpid()),
        .category = writer_intern(w, str_of(category)),
        .name = writer_intern(w, str_of(name)),
    };
}

void marks_first(struct output *o, const struct ticks *ticks, struct ticks_wall begun) {
    output_provider(o, OUTPUT_OWN, STR("fxtop record"));
    struct writer *w = output_begin(o, OUTPUT_OWN);
    writer_init_base(w, ticks->per_second, begun.ticks, begun.unix_ns);
    struct writer_argument process =
        writer_number(FXT_ARG_KOID, writer_inline(STR("process")), (uint64_t)getpid());
    struct str name = STR("fxtop record");
    writer_kernel_object(w, FXT_OBJECT_PROCESS, (uint64_t)getpid(), writer_inline(name),
                         (struct writer_arguments){NULL, 0});
    writer_kernel_object(w, FXT_OBJECT_THREAD, (uint64_t)getpid(), writer_inline(name),
                         (struct writer_arguments){&process, 1});
    output_end(o);
}

void marks_clock(struct output *o, const struct ticks *ticks) {
    struct ticks_wall now = ticks_wall(ticks);
    writer_init_base(output_begin(o, OUTPUT_OWN), ticks->per_second, now.ticks, now.unix_ns);
    output_end(o);
}

void marks_event(struct output *o, const struct ticks *ticks, const char *category,
                 const char *name) {
    struct writer_event e = own_event(o, ticks, category, name);
    writer_instant_scope(&o->writer, &e, SCOPE_GLOBAL);
    output_end(o);
}

void marks_lost(struct output *o, const struct ticks *ticks, const char *name) {
    struct writer_event e = own_event(o, ticks, "fxtop", name);
    writer_instant(&o->writer, &e);
    output_end(o);
    output_dropped(o, OUTPUT_OWN);
}

void marks_begin(struct output *o, const struct ticks *ticks, char *const *argv) {
    char command[4000];
    struct utsname host;
    struct writer_event e = own_event(o, ticks, "fxtop", "recording");
    struct writer_argument args[2];
    size_t n = 0;
    if (argv)
        args[n++] = writer_text(writer_inline(STR("command")),
                                writer_inline(child_command_line(argv, command, sizeof command)));
    if (uname(&host) == 0)
        args[n++] = writer_text(writer_inline(STR("host")), writer_inline(str_of(host.nodename)));
    e.args = (struct writer_arguments){args, n};
    writer_instant_scope(&o->writer, &e, SCOPE_GLOBAL);
    output_end(o);
}

void marks_end(struct output *o, const struct ticks *ticks, const struct child *child) {
    output_last(o);
    struct writer *w = output_begin(o, OUTPUT_OWN);
    struct writer_event e = {
        /* inline: at the limit, registrations were left out */
        .ts = ticks_now(ticks),
        .thread = writer_inline_thread((uint64_t)getpid(), (uint64_t)getpid()),
        .category = writer_inline(STR("fxtop")),
        .name = writer_inline(STR("recording ends")),
    };
    struct writer_argument arg =
        writer_number(FXT_ARG_INT32, writer_inline(STR("status")), (uint32_t)child->status);
    if (child->ended)
        e.args = (struct writer_arguments){&arg, 1};
    writer_instant_scope(w, &e, SCOPE_GLOBAL);
    output_end(o);
    marks_clock(o, ticks);
}

void marks_signal(struct output *o, const struct ticks *ticks, const struct child *child) {
    struct writer_event e = own_event(o, ticks, "process", "killed by a signal");
    struct writer *w = &o->writer;
    const struct writer_argument args[2] = {
        writer_number(FXT_ARG_INT32, writer_inline(STR("signal")), (uint32_t)child->signal),
        writer_text(writer_inline(STR("name")), writer_inline(str_of(strsignal(child->signal))))};
    e.thread = writer_intern_thread(w, (uint64_t)child->pid, (uint64_t)child->pid);
    e.args = (struct writer_arguments){args, 2};
    writer_instant_scope(w, &e, SCOPE_PROCESS);
    output_end(o);
}
