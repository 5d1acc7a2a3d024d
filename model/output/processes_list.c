/* processes_list.c - the columns of the tree of processes, and their values. */
#include "model/output/processes_list.h"

#include <inttypes.h>
#include <string.h>

#define INDENT 2
#define INDENT_MAX 40

const struct relation_column processes_list_columns[PROCESSES_COLUMNS] = {
    [PROCESSES_COMMAND] = {"command", "command", RELATION_TEXT, RELATION_NONE, false},
    [PROCESSES_WALL] = {"wall_ns", "wall", RELATION_INTEGER, RELATION_DURATION, false},
    [PROCESSES_CPU] = {"cpu_ns", "cpu", RELATION_INTEGER, RELATION_DURATION, false},
    [PROCESSES_PEAK] = {"peak_bytes", "peak memory", RELATION_INTEGER, RELATION_BYTES, false},
    [PROCESSES_PEAK_OF] = {"peak_of", "memory is", RELATION_TEXT, RELATION_NONE, false},
    [PROCESSES_END] = {"exit", "exit", RELATION_TEXT, RELATION_NONE, false},
    [PROCESSES_BEGIN] = {"ts_ns", "begin", RELATION_INTEGER, RELATION_TIME, false},
    [PROCESSES_PID] = {"pid", "pid", RELATION_INTEGER, RELATION_ID, false},
    [PROCESSES_PARENT] = {"parent_pid", NULL, RELATION_INTEGER, RELATION_ID, false},
    [PROCESSES_DEPTH] = {"depth", NULL, RELATION_INTEGER, RELATION_COUNT, false},
};

static uint64_t rows(void *ctx) {
    return ((const struct processes *)ctx)->rows.n;
}

static int64_t pid_of(const struct processes *p, const struct processes_row *row) {
    return (int64_t)trace_process(p->trace, row->process)->pid;
}

/* Without the folders of the program, below its parent. */
static void get_command(const struct processes *p, const struct processes_row *row,
                        struct relation_value *value) {
    struct str s = processes_command(p, row);
    size_t indent = row->depth < INDENT_MAX / INDENT ? row->depth * INDENT : INDENT_MAX, folder = 0;
    for (size_t i = 0; i < s.n && s.s[i] != ' '; i++)
        if (s.s[i] == '/' && i + 1 < s.n && s.s[i + 1] != ' ')
            folder = i + 1;
    s.s += folder;
    s.n -= folder;
    s.n = s.n < sizeof value->buf - indent ? s.n : sizeof value->buf - indent;
    memset(value->buf, ' ', indent);
    memcpy(value->buf + indent, s.s, s.n);
    relation_set_text(value, (struct str){value->buf, indent + s.n});
}

static void get_end(const struct processes_row *row, struct relation_value *value) {
    if (row->open)
        snprintf(value->buf, sizeof value->buf, "goes on");
    else if (row->how == END_UNKNOWN)
        return;
    else
        snprintf(value->buf, sizeof value->buf, "%s%" PRIu64,
                 row->how == END_SIGNAL ? "signal " : "", row->status);
    relation_set_text(value, str_of(value->buf));
}

static void get(void *ctx, struct relation_row at, int column, struct relation_value *value) {
    static const char *const peaks[] = {NULL, "sampled", "with children", "exact"};
    const struct processes *p = ctx;
    const struct processes_row *row = &p->rows.v[at.row];
    uint64_t wall;
    switch (column) {
    case PROCESSES_COMMAND:
        get_command(p, row, value);
        break;
    case PROCESSES_WALL:
        wall = (uint64_t)row->end - (uint64_t)row->start;
        relation_set_integer(value, wall < INT64_MAX ? (int64_t)wall : INT64_MAX);
        break;
    case PROCESSES_CPU:
        if (row->has_cpu)
            relation_set_integer(value, (int64_t)row->cpu);
        break;
    case PROCESSES_PEAK:
        if (row->of_peak != PEAK_UNKNOWN)
            relation_set_integer(value, (int64_t)row->peak);
        break;
    case PROCESSES_PEAK_OF:
        if (peaks[row->of_peak])
            relation_set_text(value, str_of(peaks[row->of_peak]));
        break;
    case PROCESSES_END:
        get_end(row, value);
        break;
    case PROCESSES_BEGIN:
        relation_set_integer(value, row->start);
        break;
    case PROCESSES_PID:
        relation_set_integer(value, pid_of(p, row));
        break;
    case PROCESSES_PARENT:
        if (row->parent != PROCESSES_NONE)
            relation_set_integer(value, pid_of(p, &p->rows.v[row->parent]));
        break;
    default:
        relation_set_integer(value, row->depth);
        break;
    }
}

const struct relation processes_list = {
    "process", processes_list_columns, PROCESSES_COLUMNS, false, rows, get};

void processes_list_print(struct trace *trace, FILE *out, bool ascii) {
    struct processes p = {.trace = trace};
    processes_make(NULL, &p);
    struct relation_style style = {.origin = trace_origin(trace), .ascii = ascii, .all = true};
    if (p.rows.n == 0)
        fprintf(out, "no processes: fxtop record writes them\n");
    else
        relation_aligned(&processes_list, &p, out, &style);
    processes_free(&p);
}
