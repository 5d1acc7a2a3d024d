/* kernel_threads.c - numbers, processes and names of threads, written once they are known. */
#include "src/import/kernel/kernel_threads.h"

#include "src/base/hash.h"

#define IDLE STR("swapper") /* the kernel's name of the thread 0 of each CPU, without its number */

void kernel_threads_keep(struct kernel_threads_text *b, struct str s, size_t most) {
    b->v.n = 0;
    s.n = s.n < most ? s.n : most;
    if (s.n == 0)
        return;
    vec_reserve(&b->v, s.n);
    memcpy(b->v.v, s.s, s.n);
    b->v.n = s.n;
}

void kernel_threads_init(struct kernel_threads *threads, struct import_lines *lines,
                         const char *no_processes) {
    *threads = (struct kernel_threads){.lines = lines, .no_processes = no_processes};
}

void kernel_threads_free(struct kernel_threads *threads) {
    for (size_t i = 0; i < threads->v.n; i++) {
        vec_free(&threads->v.v[i]->comm.v);
        vec_free(&threads->v.v[i]->call.name.v);
        vec_free(&threads->v.v[i]->call.args.v);
        free(threads->v.v[i]);
    }
    vec_free(&threads->v);
    u64map_free(&threads->by_tid);
    u64map_free(&threads->processes);
}

static void write_object(struct import_lines *lines, unsigned type, uint64_t koid, struct str name,
                         uint64_t process) {
    struct writer_argument of =
        writer_number(FXT_ARG_KOID, writer_intern(&lines->w, STR("process")), process);
    import_lines_mark(lines);
    writer_kernel_object(&lines->w, type, koid, import_lines_name(lines, name),
                         (struct writer_arguments){&of, process != KERNEL_NO_PID});
}

/* A process has the name of its first thread. */
static void write_name(struct kernel_threads *threads, const struct kernel_thread *t,
                       struct str comm) {
    if (comm.n == 0)
        return;
    write_object(threads->lines, FXT_OBJECT_THREAD, t->tid, comm, t->pid);
    if (t->pid == t->tid && t->tid != 0 &&
        u64map_get(&threads->processes, u64map_key(t->pid)) == UINT64_MAX)
        write_object(threads->lines, FXT_OBJECT_PROCESS, t->pid, comm, KERNEL_NO_PID);
}

struct kernel_thread *kernel_threads_get(struct kernel_threads *threads, uint64_t tid) {
    if (threads->last && threads->last->tid == tid)
        return threads->last;
    uint64_t i = u64map_get(&threads->by_tid, u64map_key(tid));
    if (i != UINT64_MAX) {
        threads->last = threads->v.v[i];
        return threads->last;
    }
    struct kernel_thread *t = err_calloc(1, sizeof *t);
    u64map_set(&threads->by_tid, u64map_key(tid), threads->v.n);
    vec_push(&threads->v, t);
    t->tid = tid;
    t->pid = KERNEL_NO_PID;
    threads->last = t;
    if (tid == 0)
        kernel_threads_name(threads, t, IDLE, KERNEL_NAMED_BY_EVENT);
    return t;
}

void kernel_threads_is_of(struct kernel_threads *threads, struct kernel_thread *t, uint64_t pid) {
    if (pid == KERNEL_NO_PID || pid == t->pid || t->homeless || t->tid == 0)
        return;
    t->pid = pid;
    write_name(threads, t, kernel_threads_text(&t->comm));
}

void kernel_threads_name(struct kernel_threads *threads, struct kernel_thread *t, struct str comm,
                         enum kernel_named by) {
    struct str kept = {comm.s, comm.n < IMPORT_LINES_NAME ? comm.n : IMPORT_LINES_NAME};
    bool idle = t->tid == 0 && t->comm.v.n > 0;
    if (comm.n == 0 || idle || by < t->named)
        return;
    t->named = by;
    if (str_eq(kept, kernel_threads_text(&t->comm)))
        return;
    kernel_threads_keep(&t->comm, kept, IMPORT_LINES_NAME);
    write_name(threads, t, comm);
}

void kernel_threads_process(struct kernel_threads *threads, uint64_t pid, struct str name,
                            enum kernel_named by) {
    uint64_t known = u64map_get(&threads->processes, u64map_key(pid));
    uint64_t is = hash_bytes(name.s, name.n) << 8 | (uint64_t)by;
    if (name.n == 0 || is == known || (known != UINT64_MAX && (known & 255) > (uint64_t)by))
        return;
    u64map_set(&threads->processes, u64map_key(pid), is);
    write_object(threads->lines, FXT_OBJECT_PROCESS, pid, name, KERNEL_NO_PID);
}

/* Process 0 is called by the reason that its threads share. */
static void name_process(struct kernel_threads *threads, const struct kernel_thread *t) {
    bool idle = t->tid == 0;
    if (!idle)
        import_lines_note(threads->lines, threads->no_processes);
    if (threads->has_homeless || (idle && threads->has_idle))
        return;
    threads->has_idle |= idle;
    threads->has_homeless |= !idle;
    write_object(threads->lines, FXT_OBJECT_PROCESS, 0,
                 idle ? STR("idle") : STR("(processes not recorded)"), KERNEL_NO_PID);
}

/* The process of a thread that is of none. */
static void make_home(struct kernel_threads *threads, struct kernel_thread *t) {
    t->pid = 0;
    t->homeless = true;
    name_process(threads, t);
    write_name(threads, t, kernel_threads_text(&t->comm));
}

struct writer_thread kernel_threads_place(struct kernel_threads *threads, struct kernel_thread *t) {
    if (t->pid == KERNEL_NO_PID)
        make_home(threads, t);
    return writer_intern_thread(&threads->lines->w, t->pid, t->tid);
}

void kernel_threads_end(struct kernel_threads *threads) {
    for (size_t i = 0; i < threads->v.n; i++)
        if (threads->v.v[i]->pid == KERNEL_NO_PID && threads->v.v[i]->tid != 0)
            make_home(threads, threads->v.v[i]);
}
