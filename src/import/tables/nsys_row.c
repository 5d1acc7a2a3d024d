/* nsys_row.c - the columns of a row as the words of FXT need them. */
#include "src/import/tables/nsys_row.h"

#ifdef HAVE_SQLITE

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "src/base/text.h"

#define INLINE_MOST ((size_t)1024) /* bytes of a text that is written again each time */

/* clang-format off */
const char *const nsys_row_columns[] = {
    [COLUMN_START] = "start", [COLUMN_END] = "end", [COLUMN_TIMESTAMP] = "timestamp",
    [COLUMN_RAW] = "rawTimestamp", [COLUMN_THREAD] = "globalTid", [COLUMN_PROCESS] = "globalPid",
    [COLUMN_PID] = "pid", [COLUMN_CORRELATION] = "correlationId", [COLUMN_NAME_ID] = "nameId",
    [COLUMN_TEXT_ID] = "textId", [COLUMN_TEXT] = "text", [COLUMN_NAME] = "name",
    [COLUMN_DEMANGLED] = "demangledName", [COLUMN_SHORT] = "shortName", [COLUMN_ID] = "id",
    [COLUMN_VALUE] = "value", [COLUMN_EPOCH] = "utcEpochNs", [COLUMN_DEVICE] = "deviceId",
    [COLUMN_CONTEXT] = "contextId", [COLUMN_STREAM] = "streamId", [COLUMN_GRID_X] = "gridX",
    [COLUMN_GRID_Y] = "gridY", [COLUMN_GRID_Z] = "gridZ", [COLUMN_BLOCK_X] = "blockX",
    [COLUMN_BLOCK_Y] = "blockY", [COLUMN_BLOCK_Z] = "blockZ",
    [COLUMN_REGISTERS] = "registersPerThread", [COLUMN_BYTES] = "bytes",
    [COLUMN_COPY_KIND] = "copyKind", [COLUMN_GRAPH] = "graphId", [COLUMN_RETURN] = "returnValue",
    [COLUMN_SYNC] = "syncType", [COLUMN_EVENT_TYPE] = "eventType", [COLUMN_RANGE] = "rangeId",
    [COLUMN_DOMAIN_ID] = "domainId", [COLUMN_CATEGORY] = "category", [COLUMN_CPU] = "cpu",
    [COLUMN_SCHED_IN] = "isSchedIn", [COLUMN_SYMBOL] = "symbol", [COLUMN_MODULE] = "module",
    [COLUMN_DEPTH] = "stackDepth", [COLUMN_UNRESOLVED] = "unresolved", [COLUMN_IP] = "originalIP",
    [COLUMN_TYPE_ID] = "typeId", [COLUMN_METRIC] = "metricId",
    [COLUMN_METRIC_NAME] = "metricName", [COLUMN_OPERATION] = "memoryOperationType",
    [COLUMN_MEMORY_KIND] = "memKind",
};
/* clang-format on */
_Static_assert(COLUMNS <= DATABASE_COLUMNS, "a bit each");

/* ---- faults ---- */

void nsys_row_tell(struct nsys *n, enum import_fault kind, const char *table, const char *format,
                   ...) {
    struct import_case one = {kind, {writer_offset(&n->w), {0, 0, 0}}, NULL};
    char text[1024], plain[256];
    int at = 0;
    va_list args;
    va_start(args, format);
    if (n->said[kind]++ < IMPORT_WHY) {
        if (table) {
            text_plain(plain, sizeof plain, str_of(table), TEXT_ASCII);
            at = snprintf(text, sizeof text, "%s: ", plain);
        }
        vsnprintf(text + at, sizeof text - (size_t)at, format, args);
        one.why = text_dup(str_of(text), TEXT_ASCII);
    }
    va_end(args);
    vec_push(&n->cases, one);
}

void nsys_row_fault(struct nsys *n, enum import_fault kind, const char *sentence) {
    nsys_row_tell(n, kind, n->table, "row %" PRIu64 ": %s", n->row, sentence);
}

/* ---- columns ---- */

bool nsys_row_whole(struct nsys *n, int column, int64_t *v) {
    return database_whole(n->db, column, v);
}

int64_t nsys_row_number(struct nsys *n, int column, int64_t otherwise) {
    int64_t v = otherwise;
    nsys_row_whole(n, column, &v);
    return v;
}

struct str nsys_row_cut(struct nsys *n, struct str text) {
    if (text.n > WRITER_STRING_MAX) {
        nsys_row_fault(n, IMPORT_CUT, "a text of more than 32000 bytes: cut");
        text.n = (size_t)str_head(text, WRITER_STRING_MAX);
    }
    return text;
}

bool nsys_row_text(struct nsys *n, int column, struct str *to) {
    int64_t id;
    if (database_text(n->db, column, to)) {
        *to = nsys_row_cut(n, *to);
        return true;
    }
    if (!nsys_row_whole(n, column, &id))
        return false;
    uint64_t i = u64map_get(&n->strings, u64map_key((uint64_t)id));
    if (i != UINT64_MAX) {
        *to = nsys_texts_get(&n->texts, i);
    } else {
        nsys_row_fault(n, IMPORT_FIELD, "a name that StringIds lacks");
        to->s = n->made;
        to->n = (size_t)snprintf(n->made, sizeof n->made, "string %" PRId64, id);
    }
    return true;
}

struct str nsys_row_name(struct nsys *n, const char *otherwise) {
    static const int in[] = {COLUMN_DEMANGLED, COLUMN_SHORT, COLUMN_NAME_ID, COLUMN_NAME};
    struct str found;
    for (size_t i = 0; i < sizeof in / sizeof *in; i++)
        if (nsys_row_text(n, in[i], &found))
            return found;
    return str_of(otherwise);
}

struct writer_string nsys_row_intern(struct nsys *n, struct str name) {
    struct writer_string s = writer_intern(&n->w, name);
    if (s.index == 0 && s.text.n > INLINE_MOST) {
        nsys_row_fault(n, IMPORT_CUT, "a text beyond the 32767 that are kept: cut");
        s.text.n = (size_t)str_head(s.text, INLINE_MOST);
    }
    return s;
}

/* A time as ticks: those of the wall clock, if that is known. */
static bool ticks(struct nsys *n, int column, uint64_t *to) {
    int64_t v, sum;
    if (!nsys_row_whole(n, column, &v) || __builtin_add_overflow(v, (int64_t)n->epoch, &sum) ||
        sum < 0)
        return false;
    *to = (uint64_t)sum;
    return true;
}

uint64_t nsys_row_begin(struct nsys *n) {
    static const int in[] = {COLUMN_START, COLUMN_TIMESTAMP, COLUMN_RAW};
    uint64_t ts = 0;
    n->bad_time = "no time of the begin";
    for (size_t i = 0; i < sizeof in / sizeof *in; i++)
        if (database_has(n->db, in[i])) {
            n->bad_time = ticks(n, in[i], &ts) ? NULL : "a time that cannot be";
            break;
        }
    return ts;
}

bool nsys_row_end(struct nsys *n, uint64_t begin, uint64_t *end) {
    *end = begin;
    if (n->bad_time) /* it must hold no others */
        return true;
    if (!database_has(n->db, COLUMN_END))
        return false;
    if (!ticks(n, COLUMN_END, end))
        n->bad_time = "an end that cannot be";
    else if (*end < begin)
        nsys_row_fault(n, IMPORT_FIELD, "it ends before it begins");
    *end = *end < begin ? begin : *end;
    return true;
}

void nsys_row_event(struct nsys *n) {
    if (n->bad_time)
        nsys_row_fault(n, IMPORT_DAMAGED, n->bad_time);
    n->events++;
}

/* ---- arguments ---- */

struct writer_argument *nsys_row_argument(struct nsys *n) {
    return &n->args[n->nargs < NSYS_ARGUMENTS ? n->nargs++ : NSYS_ARGUMENTS - 1];
}

void nsys_row_add_number(struct nsys *n, int column) {
    int64_t v;
    double x;
    struct str t;
    if (nsys_row_whole(n, column, &v))
        *nsys_row_argument(n) = writer_number(
            FXT_ARG_INT64, nsys_row_intern(n, str_of(nsys_row_columns[column])), (uint64_t)v);
    else if (database_real(n->db, column, &x))
        *nsys_row_argument(n) =
            writer_double(nsys_row_intern(n, str_of(nsys_row_columns[column])), x);
    else if (database_text(n->db, column, &t))
        *nsys_row_argument(n) = writer_text(nsys_row_intern(n, str_of(nsys_row_columns[column])),
                                            nsys_row_intern(n, nsys_row_cut(n, t)));
}

void nsys_row_add_size(struct nsys *n, const char *name, int x) {
    char size[80];
    if (!database_has(n->db, x))
        return;
    int m =
        snprintf(size, sizeof size, "%" PRId64 "x%" PRId64 "x%" PRId64, nsys_row_number(n, x, 0),
                 nsys_row_number(n, x + 1, 1), nsys_row_number(n, x + 2, 1));
    *nsys_row_argument(n) = writer_text(nsys_row_intern(n, str_of(name)),
                                        nsys_row_intern(n, (struct str){size, (size_t)m}));
}

struct writer_arguments nsys_row_arguments(struct nsys *n) {
    return (struct writer_arguments){n->args, n->nargs};
}

/* ---- owners ---- */

void nsys_row_name_object(struct nsys *n, unsigned type, uint64_t koid, uint64_t pid,
                          struct str name) {
    struct writer_argument of =
        writer_number(FXT_ARG_KOID, nsys_row_intern(n, STR("process")), pid);
    writer_kernel_object(&n->w, type, koid, nsys_row_intern(n, name),
                         (struct writer_arguments){&of, type == FXT_OBJECT_THREAD});
}

uint64_t nsys_row_pid(int64_t global) {
    return (uint64_t)global >> 24 & 0xffffff;
}

struct nsys_owner nsys_row_owner(struct nsys *n) {
    int64_t global;
    if (nsys_row_whole(n, COLUMN_THREAD, &global))
        return (struct nsys_owner){nsys_row_pid(global), (uint64_t)global & 0xffffff};
    n->unowned++;
    if (!n->unowned_named)
        nsys_row_name_object(n, FXT_OBJECT_PROCESS, 0, 0, STR("(processes not recorded)"));
    n->unowned_named = true;
    return (struct nsys_owner){0, 0};
}

struct writer_thread nsys_row_thread(struct nsys *n, struct nsys_owner o) {
    return writer_intern_thread(&n->w, o.pid, o.tid);
}

uint64_t nsys_row_made(struct nsys *n, const struct nsys_key *key, bool *made) {
    uint64_t id = nsys_table_get(&n->known, key);
    *made = id == UINT64_MAX;
    if (*made) {
        id = n->made_tid++;
        nsys_table_set(&n->known, key, id);
    }
    return id;
}

uint64_t nsys_row_gpu(struct nsys *n, uint64_t pid, int64_t device) {
    struct nsys_key key = {{GPU_OF, (int64_t)pid, device, 0}};
    char name[64];
    bool made;
    uint64_t gpu = nsys_row_made(n, &key, &made);
    if (made) {
        int m = snprintf(name, sizeof name, "GPU %" PRId64 " (%" PRIu64 ")", device, pid);
        nsys_row_name_object(n, FXT_OBJECT_PROCESS, gpu, 0, (struct str){name, (size_t)m});
    }
    return gpu;
}

struct nsys_owner nsys_row_stream(struct nsys *n, uint64_t pid) {
    int64_t stream = nsys_row_number(n, COLUMN_STREAM, 0);
    uint64_t gpu = nsys_row_gpu(n, pid, nsys_row_number(n, COLUMN_DEVICE, 0));
    struct nsys_key key = {
        {STREAM_OF, (int64_t)gpu, nsys_row_number(n, COLUMN_CONTEXT, 0), stream}};
    char name[64];
    bool made;
    struct nsys_owner o = {gpu, nsys_row_made(n, &key, &made)};
    if (made) {
        int m = snprintf(name, sizeof name, "stream %" PRId64, stream);
        nsys_row_name_object(n, FXT_OBJECT_THREAD, o.tid, gpu, (struct str){name, (size_t)m});
    }
    return o;
}

#endif
