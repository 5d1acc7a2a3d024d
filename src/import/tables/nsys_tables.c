/* nsys_tables.c - turns the rows of each table into records.
 *
 * Names are read before their owners. Tables that others refer to are in memory
 * (nsys_names.h). */
#include "src/import/tables/nsys_tables.h"

#ifdef HAVE_SQLITE

#include <inttypes.h>
#include <stdio.h>

#define SECOND UINT64_C(1000000000)
#define CPU_MOST 0xffff
#define MODULE_MOST 1000 /* bytes of the name of a frame that is that of a module */
#define IDLE_WEIGHT ((uint32_t)INT32_MIN)
#define STATE_UNKNOWN 15 /* SEMANTICS 10.4 */

#define BIT(symbol) (UINT64_C(1) << COLUMN_##symbol)
#define TIMES (BIT(START) | BIT(END) | BIT(TIMESTAMP) | BIT(RAW))
#define OWNERS (BIT(THREAD) | BIT(PROCESS))

/* ---- names ---- */

static void take_string(struct nsys *n) {
    int64_t id;
    struct str t;
    if (!nsys_row_whole(n, COLUMN_ID, &id) || !database_text(n->db, COLUMN_VALUE, &t)) {
        nsys_row_fault(n, IMPORT_FIELD, "no number or no text");
        return;
    }
    u64map_set(&n->strings, u64map_key((uint64_t)id),
               nsys_texts_add(&n->texts, nsys_row_cut(n, t)));
}

static void take_epoch(struct nsys *n) {
    int64_t ns;
    if (nsys_row_whole(n, COLUMN_EPOCH, &ns) && ns > 0)
        n->epoch = (uint64_t)ns;
}

/* Records may be written from here on. */
static void begin_records(struct nsys *n) {
    if (n->epoch > 0)
        writer_init_base(&n->w, SECOND, n->epoch, n->epoch);
    else
        writer_init_record(&n->w, SECOND);
}

static void take_process(struct nsys *n) {
    int64_t pid;
    struct str name;
    bool is_global = nsys_row_whole(n, COLUMN_PROCESS, &pid);
    if ((is_global || nsys_row_whole(n, COLUMN_PID, &pid)) && nsys_row_text(n, COLUMN_NAME, &name))
        nsys_row_name_object(n, FXT_OBJECT_PROCESS,
                             is_global ? nsys_row_pid(pid) : (uint64_t)pid & 0xffffff, 0, name);
}

static void take_thread_name(struct nsys *n) {
    int64_t global;
    struct str name;
    if (!nsys_row_whole(n, COLUMN_THREAD, &global) || !nsys_row_text(n, COLUMN_NAME_ID, &name)) {
        nsys_row_fault(n, IMPORT_FIELD, "no thread or no name");
        return;
    }
    nsys_row_name_object(n, FXT_OBJECT_THREAD, (uint64_t)global & 0xffffff, nsys_row_pid(global),
                         name);
    u64map_set(&n->thread_names, (uint64_t)global & 0xffffffffffff,
               nsys_texts_add(&n->texts, name));
}

static void take_metric(struct nsys *n) {
    struct nsys_key key = {{METRIC_OF, nsys_row_number(n, COLUMN_TYPE_ID, 0),
                            nsys_row_number(n, COLUMN_METRIC, 0), 0}};
    struct str name;
    if (nsys_row_text(n, COLUMN_METRIC_NAME, &name))
        nsys_table_set(&n->known, &key, nsys_texts_add(&n->texts, name));
}

/* ---- NVTX ---- */

enum {
    NVTX_CATEGORY = 33,
    NVTX_MARK = 34,
    NVTX_THREAD = 39,
    NVTX_PUSH_POP = 59,
    NVTX_START_END = 60,
    NVTX_DOMAIN = 75,
    NVTX_DOMAIN_END = 76
};

static struct str nvtx_text(struct nsys *n, const char *otherwise) {
    struct str t;
    if (nsys_row_text(n, COLUMN_TEXT, &t) || nsys_row_text(n, COLUMN_TEXT_ID, &t))
        return t;
    return str_of(otherwise);
}

static struct nsys_key nvtx_key(struct nsys *n, int64_t kind) {
    return (struct nsys_key){{kind, (int64_t)nsys_row_pid(nsys_row_number(n, COLUMN_THREAD, 0)),
                              nsys_row_number(n, COLUMN_DOMAIN_ID, 0),
                              kind == CATEGORY_OF ? nsys_row_number(n, COLUMN_CATEGORY, 0) : 0}};
}

/* Domains and categories, before their ranges. */
static void take_nvtx_name(struct nsys *n) {
    int64_t type = nsys_row_number(n, COLUMN_EVENT_TYPE, 0);
    if (type != NVTX_DOMAIN && type != NVTX_CATEGORY)
        return;
    struct nsys_key key = nvtx_key(n, type == NVTX_DOMAIN ? DOMAIN_OF : CATEGORY_OF);
    nsys_table_set(&n->known, &key, nsys_texts_add(&n->texts, nvtx_text(n, "")));
}

static struct str known_name(struct nsys *n, int64_t kind, const char *otherwise) {
    struct nsys_key key = nvtx_key(n, kind);
    uint64_t i = nsys_table_get(&n->known, &key);
    return i == UINT64_MAX ? str_of(otherwise) : nsys_texts_get(&n->texts, i);
}

static void write_nvtx(struct nsys *n, int64_t type, struct writer_event *e) {
    uint64_t end;
    bool ends = nsys_row_end(n, e->ts, &end);
    nsys_row_event(n);
    if (type == NVTX_MARK) {
        writer_instant(&n->w, e);
    } else if (type == NVTX_PUSH_POP && ends) {
        writer_complete(&n->w, e, end);
    } else if (type == NVTX_PUSH_POP) {
        writer_begin(&n->w, e);
    } else {
        uint64_t id = (uint64_t)nsys_row_number(n, COLUMN_RANGE, 0);
        writer_async(&n->w, FXT_ASYNC_BEGIN, e, id);
        e->ts = end;
        e->args.n = 0;
        if (ends) {
            if (n->bad_time)
                nsys_row_fault(n, IMPORT_DAMAGED, n->bad_time);
            writer_async(&n->w, FXT_ASYNC_END, e, id);
        }
    }
}

static void take_nvtx(struct nsys *n) {
    int64_t type = nsys_row_number(n, COLUMN_EVENT_TYPE, -1);
    if (type == NVTX_DOMAIN || type == NVTX_CATEGORY || type == NVTX_DOMAIN_END ||
        type == NVTX_THREAD)
        return;
    if (type != NVTX_MARK && type != NVTX_PUSH_POP && type != NVTX_START_END) {
        nsys_row_fault(n, IMPORT_UNKNOWN, "an eventType that is not known");
        return;
    }
    if (nsys_row_number(n, COLUMN_CATEGORY, 0) != 0) {
        struct str category = known_name(n, CATEGORY_OF, "");
        if (category.n > 0)
            *nsys_row_argument(n) =
                writer_text(nsys_row_intern(n, STR("category")), nsys_row_intern(n, category));
        else
            nsys_row_add_number(n, COLUMN_CATEGORY);
    }
    struct writer_event e = {.ts = nsys_row_begin(n),
                             .thread = nsys_row_thread(n, nsys_row_owner(n))};
    e.category = nsys_row_intern(n, known_name(n, DOMAIN_OF, "nvtx"));
    e.name = nsys_row_intern(n, nvtx_text(n, ""));
    e.args = nsys_row_arguments(n);
    write_nvtx(n, type, &e);
}

/* ---- calls, and the work of GPUs ---- */

static void write_slice(struct nsys *n, struct writer_event *e) {
    uint64_t end;
    bool ends = nsys_row_end(n, e->ts, &end);
    e->category = nsys_row_intern(n, str_of(n->job->category));
    e->args = nsys_row_arguments(n);
    nsys_row_event(n);
    if (ends)
        writer_complete(&n->w, e, end);
    else
        writer_begin(&n->w, e);
}

static void take_call(struct nsys *n) {
    nsys_row_add_number(n, COLUMN_CORRELATION);
    nsys_row_add_number(n, COLUMN_RETURN);
    struct nsys_owner o = nsys_row_owner(n);
    struct writer_event e = {.ts = nsys_row_begin(n), .thread = nsys_row_thread(n, o)};
    e.name = nsys_row_intern(n, nsys_row_name(n, n->table));
    write_slice(n, &e);
}

static void take_runtime(struct nsys *n) {
    int64_t correlation;
    take_call(n);
    uint64_t ts = nsys_row_begin(n);
    if (n->bad_time || !nsys_row_whole(n, COLUMN_CORRELATION, &correlation) || correlation == 0 ||
        !database_has(n->db, COLUMN_THREAD))
        return;
    struct nsys_owner o = nsys_row_owner(n);
    nsys_launches_add(&n->launches, &(struct nsys_launch){o.pid, o.tid, ts, correlation});
}

static const struct nsys_launch *launch_of(struct nsys *n, uint64_t pid, uint64_t ts) {
    int64_t correlation;
    if (!nsys_row_whole(n, COLUMN_CORRELATION, &correlation))
        return NULL;
    return nsys_launches_find(&n->launches, pid, correlation, ts);
}

/* A wait for the GPU: on the thread of the call that it is part of. */
static void take_sync(struct nsys *n) {
    uint64_t ts = nsys_row_begin(n), pid = nsys_row_pid(nsys_row_number(n, COLUMN_PROCESS, 0));
    const struct nsys_launch *call = launch_of(n, pid, ts);
    struct nsys_owner o = {pid, 0};
    if (call)
        o.tid = call->tid;
    else if (database_has(n->db, COLUMN_THREAD) || !database_has(n->db, COLUMN_PROCESS))
        o = nsys_row_owner(n);
    else
        o = nsys_row_stream(n, pid);
    nsys_row_add_number(n, COLUMN_CORRELATION);
    nsys_row_add_number(n, COLUMN_SYNC);
    struct writer_event e = {.ts = ts, .thread = nsys_row_thread(n, o)};
    e.name = nsys_row_intern(n, nsys_row_name(n, "synchronization"));
    write_slice(n, &e);
}

static struct str copy_name(struct nsys *n) {
    int64_t kind = nsys_row_number(n, COLUMN_COPY_KIND, 0);
    static const char *const kinds[] = {[1] = "HtoD", [2] = "DtoH", [8] = "DtoD", [10] = "PtoP"};
    const char *known = kind > 0 && kind <= 10 ? kinds[kind] : NULL;
    if (known)
        snprintf(n->made, sizeof n->made, "memcpy %s", known);
    else
        snprintf(n->made, sizeof n->made, "memcpy kind %" PRId64, kind);
    return str_of(n->made);
}

/* From the call to its work. */
static void write_launch(struct nsys *n, struct nsys_owner gpu, uint64_t ts,
                         const struct nsys_launch *call) {
    struct writer_event e = {.ts = call->ts,
                             .thread = writer_intern_thread(&n->w, call->pid, call->tid)};
    e.category = e.name = nsys_row_intern(n, STR("launch"));
    writer_flow(&n->w, FXT_FLOW_BEGIN, &e, ++n->flow);
    e.thread = nsys_row_thread(n, gpu);
    e.ts = ts > call->ts ? ts : call->ts;
    writer_flow(&n->w, FXT_FLOW_END, &e, n->flow);
}

static void take_gpu(struct nsys *n) {
    uint64_t ts = nsys_row_begin(n), pid;
    const char *bad = n->bad_time;
    int64_t global;
    bool known = nsys_row_whole(n, COLUMN_PROCESS, &global);
    pid = known ? nsys_row_pid(global) : nsys_row_owner(n).pid;
    struct nsys_owner o = nsys_row_stream(n, pid);
    nsys_row_add_number(n, COLUMN_CORRELATION);
    nsys_row_add_size(n, "grid", COLUMN_GRID_X);
    nsys_row_add_size(n, "block", COLUMN_BLOCK_X);
    nsys_row_add_number(n, COLUMN_REGISTERS);
    nsys_row_add_number(n, COLUMN_BYTES);
    nsys_row_add_number(n, COLUMN_GRAPH);
    struct writer_event e = {.ts = ts, .thread = nsys_row_thread(n, o)};
    struct str name =
        strcmp(n->job->category, "memcpy") == 0 ? copy_name(n) : nsys_row_name(n, n->job->category);
    e.name = nsys_row_intern(n, name);
    write_slice(n, &e);
    const struct nsys_launch *call = bad ? NULL : launch_of(n, pid, ts);
    if (call)
        write_launch(n, o, ts, call);
}

/* ---- counters ---- */

static void write_counter(struct nsys *n, struct nsys_owner o, struct str name, uint64_t id) {
    struct writer_event e = {.ts = nsys_row_begin(n), .thread = nsys_row_thread(n, o)};
    e.category = nsys_row_intern(n, str_of(n->job->category));
    e.name = nsys_row_intern(n, name);
    e.args = nsys_row_arguments(n);
    nsys_row_event(n);
    writer_counter(&n->w, &e, id);
}

static void take_gpu_metric(struct nsys *n) {
    int64_t type = nsys_row_number(n, COLUMN_TYPE_ID, 0),
            metric = nsys_row_number(n, COLUMN_METRIC, 0);
    struct nsys_key gpu = {{METRICS_OF, type & 0xff, 0, 0}}, key = {{METRIC_OF, type, metric, 0}};
    bool made;
    if (!database_has(n->db, COLUMN_VALUE)) {
        nsys_row_fault(n, IMPORT_FIELD, "no value");
        return;
    }
    uint64_t pid = nsys_row_made(n, &gpu, &made), name = nsys_table_get(&n->known, &key);
    int m = snprintf(n->made, sizeof n->made, "GPU %" PRId64 " metrics", type & 0xff);
    if (made)
        nsys_row_name_object(n, FXT_OBJECT_PROCESS, pid, 0, (struct str){n->made, (size_t)m});
    nsys_row_add_number(n, COLUMN_VALUE);
    m = snprintf(n->made, sizeof n->made, "metric %" PRId64, metric);
    write_counter(n, (struct nsys_owner){pid, pid},
                  name == UINT64_MAX ? (struct str){n->made, (size_t)m}
                                     : nsys_texts_get(&n->texts, name),
                  (uint64_t)type);
}

/* Adds up the bytes that are allocated on a device, of one kind of memory. */
static void take_memory(struct nsys *n) {
    uint64_t pid =
        nsys_row_pid(nsys_row_number(n, COLUMN_PROCESS, nsys_row_number(n, COLUMN_THREAD, 0)));
    int64_t bytes, kind = nsys_row_number(n, COLUMN_MEMORY_KIND, 0);
    uint64_t gpu = nsys_row_gpu(n, pid, nsys_row_number(n, COLUMN_DEVICE, 0));
    struct nsys_key key = {{MEMORY_OF, (int64_t)gpu, kind, 0}};
    uint64_t sum = nsys_table_get(&n->known, &key);
    int64_t operation = nsys_row_number(n, COLUMN_OPERATION, -1);
    if (!nsys_row_whole(n, COLUMN_BYTES, &bytes) || operation < 0 || operation > 1) {
        nsys_row_fault(n, IMPORT_FIELD, "no bytes, or an operation that is not known");
        return;
    }
    sum = sum == UINT64_MAX ? 0 : sum;
    sum = operation == 0 ? sum + (uint64_t)bytes : sum - (uint64_t)bytes;
    nsys_table_set(&n->known, &key, sum);
    *nsys_row_argument(n) = writer_number(FXT_ARG_INT64, nsys_row_intern(n, STR("bytes")), sum);
    write_counter(n, (struct nsys_owner){gpu, gpu}, STR("memory"), (uint64_t)kind);
}

/* ---- scheduling ---- */

static void write_switch(struct nsys *n, unsigned cpu, uint64_t ts, uint64_t out, uint64_t in) {
    struct writer_argument args[2];
    struct writer_switch s = {.ts = ts,
                              .cpu = cpu,
                              .out_state = STATE_UNKNOWN,
                              .out_tid = out,
                              .in_tid = in,
                              .args = {args, 0}};
    if (out == 0)
        args[s.args.n++] =
            writer_number(FXT_ARG_INT32, nsys_row_intern(n, STR("outgoing_weight")), IDLE_WEIGHT);
    if (in == 0)
        args[s.args.n++] =
            writer_number(FXT_ARG_INT32, nsys_row_intern(n, STR("incoming_weight")), IDLE_WEIGHT);
    nsys_row_event(n);
    writer_switch(&n->w, &s);
}

static void take_sched(struct nsys *n) {
    int64_t cpu = nsys_row_number(n, COLUMN_CPU, -1),
            comes = nsys_row_number(n, COLUMN_SCHED_IN, -1);
    if (cpu < 0 || cpu > CPU_MOST || comes < 0 || !database_has(n->db, COLUMN_THREAD)) {
        nsys_row_fault(n, IMPORT_FIELD, "no CPU, no thread or no direction");
        return;
    }
    struct nsys_owner o = nsys_row_owner(n);
    uint64_t ts = nsys_row_begin(n), ran = u64map_get(&n->running, (uint64_t)cpu);
    struct nsys_key key = {{GPU_OF, -1, (int64_t)o.pid, (int64_t)o.tid}};
    if (o.tid > 0 && nsys_table_get(&n->known, &key) == UINT64_MAX) { /* whose thread it is */
        nsys_table_set(&n->known, &key, 0);
        uint64_t name = u64map_get(&n->thread_names, o.pid << 24 | o.tid);
        if (name == UINT64_MAX)
            nsys_row_name_object(n, FXT_OBJECT_THREAD, o.tid, o.pid, STR(""));
    }
    ran = ran == UINT64_MAX ? 0 : ran;
    if (comes)
        write_switch(n, (unsigned)cpu, ts, ran, o.tid);
    else
        write_switch(n, (unsigned)cpu, ts, o.tid, 0);
    u64map_set(&n->running, (uint64_t)cpu, comes ? o.tid : 0);
}

/* ---- samples ---- */

static struct import_place nowhere;

static void no_mark(void *ctx, const struct import_place *source) {
    (void)ctx;
    (void)source;
}

static void samples_fault(void *ctx, enum import_fault kind, const struct import_place *source,
                          const char *sentence) {
    struct nsys *n = ctx;
    (void)source;
    nsys_row_fault(n, kind, sentence);
}

static struct str base_of(struct str path) {
    for (size_t i = path.n; i > 0; i--)
        if (path.s[i - 1] == '/' || path.s[i - 1] == '\\')
            return (struct str){path.s + i, path.n - i};
    return path;
}

static void end_stack(struct nsys *n) {
    if (n->frames.n > 0)
        nsys_stacks_add(&n->stacks, n->stack, n->frames.v, n->frames.n);
    n->frames.n = 0;
}

/* A frame without a symbol is named by its module, else by its address. */
static void take_frame(struct nsys *n) {
    int64_t id, ip;
    struct str name = {"", 0}, module = {"", 0};
    char made[MODULE_MOST + 3];
    if (!nsys_row_whole(n, COLUMN_ID, &id)) {
        nsys_row_fault(n, IMPORT_FIELD, "no sample");
        return;
    }
    if (id != n->stack)
        end_stack(n);
    n->stack = id;
    nsys_row_text(n, COLUMN_MODULE, &module);
    bool named =
        nsys_row_number(n, COLUMN_UNRESOLVED, 0) == 0 && nsys_row_text(n, COLUMN_SYMBOL, &name);
    struct str base = base_of(module);
    if (!named && base.n > 0)
        name.n = (size_t)snprintf(made, sizeof made, "[%.*s]", str_head(base, MODULE_MOST), base.s);
    else if (!named && nsys_row_whole(n, COLUMN_IP, &ip))
        name.n = (size_t)snprintf(made, sizeof made, "0x%" PRIx64, (uint64_t)ip);
    else if (!named)
        name.n = (size_t)snprintf(made, sizeof made, "[unknown]");
    name.s = named ? name.s : made;
    vec_push(&n->frames, samples_frame(n->samples, &nowhere, name, (struct str){"", 0}, module));
}

static void take_sample(struct nsys *n) {
    uint64_t ts = nsys_row_begin(n);
    struct nsys_owner o = nsys_row_owner(n);
    if (n->bad_time || ts > INT64_MAX) {
        nsys_row_fault(n, IMPORT_FIELD, "a sample without a time");
        return;
    }
    uint64_t name = u64map_get(&n->thread_names, o.pid << 24 | o.tid);
    struct samples_sample sample = {.ts = ts,
                                    .pid = o.pid,
                                    .tid = o.tid,
                                    .cpu = nsys_row_number(n, COLUMN_CPU, -1),
                                    .weight = 1,
                                    .event = 1};
    if (name != UINT64_MAX)
        sample.thread = nsys_texts_get(&n->texts, name);
    else
        sample.thread = STR("");
    nsys_stacks_take(&n->stacks, nsys_row_number(n, COLUMN_ID, INT64_MIN), &sample);
    n->events++;
    samples_add(n->samples, &sample);
}

static void end_samples(struct nsys *n) {
    samples_end(n->samples, 0);
}

/* ---- jobs ---- */

#define NO_ORDER                                                                                   \
    { -1, -1 }
#define BY_START                                                                                   \
    { COLUMN_START, -1 }
#define CALL (TIMES | OWNERS | BIT(CORRELATION) | BIT(NAME_ID) | BIT(NAME) | BIT(RETURN))
#define GPU                                                                                        \
    (TIMES | OWNERS | BIT(CORRELATION) | BIT(NAME_ID) | BIT(DEMANGLED) | BIT(SHORT) |              \
     BIT(DEVICE) | BIT(CONTEXT) | BIT(STREAM) | BIT(GRID_X) | BIT(GRID_Y) | BIT(GRID_Z) |          \
     BIT(BLOCK_X) | BIT(BLOCK_Y) | BIT(BLOCK_Z) | BIT(REGISTERS) | BIT(BYTES) | BIT(COPY_KIND) |   \
     BIT(GRAPH))
#define NVTX                                                                                       \
    (TIMES | OWNERS | BIT(EVENT_TYPE) | BIT(RANGE) | BIT(DOMAIN_ID) | BIT(CATEGORY) | BIT(TEXT) |  \
     BIT(TEXT_ID))

/* Names come before the threads and processes that have them. */
const struct nsys_job nsys_tables[NSYS_TABLES] = {
    {"StringIds", take_string, NULL, BIT(ID) | BIT(VALUE), NO_ORDER, "", false},
    {"TARGET_INFO_SESSION_START_TIME", take_epoch, begin_records, BIT(EPOCH), NO_ORDER, "", false},
    {"PROCESSES", take_process, NULL, BIT(PROCESS) | BIT(PID) | BIT(NAME), NO_ORDER, "", false},
    {"ThreadNames", take_thread_name, NULL, BIT(THREAD) | BIT(NAME_ID), NO_ORDER, "", false},
    {"TARGET_INFO_GPU_METRICS", take_metric, NULL, BIT(TYPE_ID) | BIT(METRIC) | BIT(METRIC_NAME),
     NO_ORDER, "", false},
    {"NVTX_EVENTS", take_nvtx_name, NULL, NVTX, NO_ORDER, "", false},
    {"NVTX_EVENTS", take_nvtx, NULL, NVTX, NO_ORDER, "", true},
    {"OSRT_API", take_call, NULL, CALL, NO_ORDER, "osrt", true},
    {"CUPTI_ACTIVITY_KIND_RUNTIME", take_runtime, NULL, CALL, NO_ORDER, "cuda", true},
    {"CUPTI_ACTIVITY_KIND_DRIVER", take_runtime, NULL, CALL, NO_ORDER, "cuda", true},
    {"CUBLAS_EVENTS", take_call, NULL, CALL, NO_ORDER, "cublas", true},
    {"CUDNN_EVENTS", take_call, NULL, CALL, NO_ORDER, "cudnn", true},
    {"MPI_*", take_call, NULL, CALL | BIT(TEXT_ID), NO_ORDER, "mpi", true},
    {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", take_sync, NULL,
     CALL | BIT(SYNC) | BIT(DEVICE) | BIT(CONTEXT) | BIT(STREAM), NO_ORDER, "synchronization",
     true},
    {"CUPTI_ACTIVITY_KIND_KERNEL", take_gpu, NULL, GPU, NO_ORDER, "kernel", true},
    {"CUPTI_ACTIVITY_KIND_MEMCPY", take_gpu, NULL, GPU, NO_ORDER, "memcpy", true},
    {"CUPTI_ACTIVITY_KIND_MEMSET", take_gpu, NULL, GPU, NO_ORDER, "memset", true},
    {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", take_gpu, NULL, GPU, NO_ORDER, "graph", true},
    {"GPU_METRICS", take_gpu_metric, NULL, TIMES | BIT(TYPE_ID) | BIT(METRIC) | BIT(VALUE),
     NO_ORDER, "gpu metrics", true},
    {"CUDA_GPU_MEMORY_USAGE_EVENTS", take_memory, NULL,
     TIMES | OWNERS | BIT(BYTES) | BIT(OPERATION) | BIT(MEMORY_KIND) | BIT(DEVICE), BY_START,
     "memory", true},
    {"SCHED_EVENTS",
     take_sched,
     NULL,
     TIMES | OWNERS | BIT(CPU) | BIT(SCHED_IN),
     {COLUMN_START, COLUMN_SCHED_IN},
     "",
     true},
    {"SAMPLING_CALLCHAINS",
     take_frame,
     end_stack,
     BIT(ID) | BIT(SYMBOL) | BIT(MODULE) | BIT(DEPTH) | BIT(UNRESOLVED) | BIT(IP),
     {COLUMN_ID, COLUMN_DEPTH},
     "",
     false},
    {"COMPOSITE_EVENTS", take_sample, end_samples, TIMES | OWNERS | BIT(ID) | BIT(CPU), BY_START,
     "", true},
};

const struct nsys_job nsys_tables_unread = {NULL, NULL, NULL, TIMES, NO_ORDER, "", false};

struct samples *nsys_tables_samples(struct nsys *n) {
    struct samples *samples =
        samples_new((struct samples_out){&n->w, &n->made_tid, n, no_mark, samples_fault});
    samples_event(samples, STR("")); /* threads have slices: samples are on rows of their own */
    samples_event(samples, STR("samples"));
    return samples;
}

#endif
