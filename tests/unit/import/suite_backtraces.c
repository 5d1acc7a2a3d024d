/* suite_backtraces.c - the profiler's records as sampled slices: samples by stack are those of a
 * slow reading, which seeks each address among all mappings and lines of symbols before it. */
#include "src/import/profiles/backtraces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/output/chars.h"
#include "model/output/folded.h"
#include "model/output/ndjson.h"
#include "src/fxt/writer.h"
#include "src/import/profiles/address_map.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/checked.h"
#include "tests/unit/lib/suites.h"

static char said[4000]; /* faults, a line each */

static void fault(void *ctx, enum import_fault kind, uint64_t offset, const char *sentence) {
    (void)ctx;
    (void)kind;
    (void)offset;
    checked_append(said, sizeof said, "%s\n", sentence);
}

static struct str name_of(const struct fxt_string *s) {
    return (struct str){s->bytes ? s->bytes : "", s->bytes ? s->ref & FXT_STRING_MAX : 0};
}

static void take(struct backtraces *b, struct chars *to) {
    struct str words = backtraces_take(b);
    chars_add(to, words);
}

/* Feeds the records of a trace with inline references and a clock in ns. Words are taken after
 * each, as while a file grows. */
static void feed(struct backtraces *b, const unsigned char *bytes, size_t n, struct chars *to) {
    const uint64_t *words = (const uint64_t *)(const void *)bytes;
    struct fxt_record r;
    for (size_t i = 0; i < n / 8; i += (size_t)r.words) {
        uint64_t at = i * 8;
        take(b, to);
        record_decode(&r, words + i, record_words(words[i]), record_words(words[i]), false);
        if (r.kind == FXT_K_MODULE)
            backtraces_module(b, at, r.thread.pid, &r);
        else if (r.kind == FXT_K_MMAP)
            backtraces_mmap(b, at, r.thread.pid, &r);
        else if (r.kind == FXT_K_BLOB && backtraces_wants_blob(name_of(&r.name)))
            backtraces_blob(b, at, name_of(&r.name), r.payload);
        else if (r.kind == FXT_K_SWITCH)
            backtraces_switch(b, r.ts, r.sched.out_tid, r.sched.state == 4, r.sched.in_tid);
        else if (r.kind == FXT_K_BACKTRACE)
            backtraces_add(
                b,
                &(struct backtraces_sample){.offset = at,
                                            .ts = r.ts,
                                            .pid = r.thread.pid,
                                            .tid = r.thread.tid,
                                            .thread = r.thread.pid == 1 ? STR("t1") : STR("t2")},
                &r);
    }
}

/* The trace that the words of all records are. */
static struct trace *made_of(const unsigned char *bytes, size_t n) {
    char path[SCRATCH_PATH];
    struct err err;
    said[0] = '\0';
    struct backtraces *b = backtraces_new((struct backtraces_faults){NULL, fault}, 0);
    struct chars words = {0};
    feed(b, bytes, n, &words);
    backtraces_end(b);
    take(b, &words);
    ck_assert(scratch_write(path, "backtraces", words.v, words.n));
    vec_free(&words);
    backtraces_free(b);
    struct trace *trace = trace_open(path, &(struct trace_options){0}, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    trace_load(trace);
    unlink(path);
    return trace;
}

static struct trace *made_of_text(const char *text) {
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_msg(bytes.v != NULL, "line %" PRIu64 ": %s", err.at, err.text);
    struct trace *trace = made_of(bytes.v, bytes.n);
    free(bytes.v);
    return trace;
}

/* Samples by stack: lines `FRAMES N`, in the order of their bytes. */
static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *sorted(char *text) {
    static char *lines[20000];
    size_t n = 0, size;
    char *rest = NULL, *out = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        ck_assert_uint_lt(n, 20000);
        char *made = strstr(line, ") 2000"); /* the number of a row */
        if (made)
            memmove(made + 1, made + 12, strlen(made + 12) + 1);
        lines[n++] = line;
    }
    qsort(lines, n, sizeof *lines, by_text);
    FILE *f = open_memstream(&out, &size);
    for (size_t i = 0; i < n; i++)
        fprintf(f, "%s\n", lines[i]);
    fclose(f);
    free(text);
    return out;
}

static char *folded(struct trace *trace) {
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    ck_assert(folded_export(trace, &(struct range){0}, NULL, FOLDED_BY_SAMPLES, f));
    fclose(f);
    trace_free(trace);
    return sorted(text);
}

/* ---- by chance ---- */

#define OPS 600
#define PCS 6
#define PROCESSES 2
#define MODULES 4 /* numbers of modules */
#define KINDS 5   /* modules that have these numbers */
#define PLACES 40 /* addresses, from LOW on */
#define LOW UINT64_C(0x1000)

enum op_kind { OP_MODULE, OP_MMAP, OP_SYMBOL, OP_BACKTRACE };

struct op {
    enum op_kind kind;
    uint64_t pid, ts;
    unsigned id, module; /* number; which of the kinds it is */
    uint64_t start, last, address;
    uint64_t pcs[PCS];
    size_t n; /* addresses; functions of a symbol */
    unsigned functions[3];
};

static struct op ops[OPS];

/* Two have the same build id, two none. */
static const char *const names[KINDS] = {"/lib/a.so", "/lib/b.so", "/bin/a.so", "c", "/x/d"},
                         *const build_ids[KINDS] = {"0a1b", "ff", "0a1b", "", ""};

static bool same_module(unsigned a, unsigned b) {
    return a == b || (build_ids[a][0] && strcmp(build_ids[a], build_ids[b]) == 0);
}

static uint64_t place(struct chance *c) {
    uint64_t at = below(c, 30);
    if (at < 2)
        return at == 0 ? 0 : UINT64_MAX;
    return at == 2 ? UINT64_MAX - below(c, PLACES) : LOW + below(c, PLACES);
}

static void make(struct chance *c) {
    uint64_t ts = 1000;
    for (size_t i = 0; i < OPS; i++) {
        struct op *op = &ops[i];
        static const enum op_kind kinds[] = {OP_MODULE, OP_MMAP, OP_SYMBOL, OP_SYMBOL};
        uint64_t kind = below(c, 10);
        *op = (struct op){.kind = kind < 4 ? kinds[kind] : OP_BACKTRACE,
                          .pid = 1 + below(c, PROCESSES),
                          .ts = ts += 1 + below(c, 50),
                          .id = (unsigned)below(c, MODULES),
                          .module = (unsigned)below(c, KINDS),
                          .start = place(c),
                          .address = below(c, 8)};
        uint64_t size = 1 + below(c, PLACES / 2);
        op->last = size - 1 > UINT64_MAX - op->start ? UINT64_MAX : op->start + (size - 1);
        if (op->kind == OP_SYMBOL)
            op->address = below(c, PLACES);
        op->n = op->kind == OP_SYMBOL ? 1 + (size_t)below(c, 3) : (size_t)below(c, PCS + 1);
        for (size_t k = 0; k < op->n && op->kind == OP_BACKTRACE; k++)
            op->pcs[k] = place(c);
        for (size_t k = 0; k < op->n && op->kind == OP_SYMBOL; k++)
            op->functions[k] = (unsigned)below(c, 5);
    }
}

static void write_symbols(struct writer *w, const struct op *op) {
    char text[400];
    int n = snprintf(text, sizeof text, "symbols\t1\nm\t%u\t%s\t%s\n", op->module,
                     build_ids[op->module][0] ? build_ids[op->module] : "-", names[op->module]);
    for (unsigned k = 0; k < op->n; k++)
        n += snprintf(text + n, sizeof text - (size_t)n, "f\t%u\tf%u\tf.c\n", k, op->functions[k]);
    n += snprintf(text + n, sizeof text - (size_t)n, "?\tof a later version\na\t%u\t%" PRIx64,
                  op->module, op->address);
    for (unsigned k = 0; k < op->n; k++)
        n += snprintf(text + n, sizeof text - (size_t)n, "\t%u:%u", k, k);
    writer_blob(w, writer_inline(STR("symbols")), FXT_BLOB_DATA, (struct str){text, (size_t)n});
}

static void write_ops(struct writer *w) {
    for (const struct op *op = ops; op < ops + OPS; op++) {
        struct writer_thread t = writer_inline_thread(op->pid, op->pid * 10);
        struct writer_mapping m = {op->id, 5, op->start, op->last - op->start + 1, op->address};
        if (op->last == UINT64_MAX)
            m.size += op->ts % 3; /* and beyond */
        if (op->kind == OP_MODULE)
            writer_module(w, op->ts, t, op->id, str_of(names[op->module]),
                          str_of(build_ids[op->module]));
        else if (op->kind == OP_MMAP)
            writer_mmap(w, op->ts, t, &m);
        else if (op->kind == OP_SYMBOL)
            write_symbols(w, op);
        else
            writer_backtrace(w, op->ts, t, op->pcs, op->n);
    }
}

/* Operations from number i - 1 back to the first; the result is a number, or NONE. */
#define NONE SIZE_MAX

/* The module that the mapping means: the latest before it, else the first after it. */
static size_t module_of(size_t map, size_t now) {
    for (size_t i = map; i-- > 0;)
        if (ops[i].kind == OP_MODULE && ops[i].pid == ops[map].pid && ops[i].id == ops[map].id)
            return i;
    for (size_t i = map; i < now; i++)
        if (ops[i].kind == OP_MODULE && ops[i].pid == ops[map].pid && ops[i].id == ops[map].id)
            return i;
    return NONE;
}

static size_t symbol_of(size_t now, unsigned module, uint64_t address) {
    for (size_t i = now; i-- > 0;)
        if (ops[i].kind == OP_SYMBOL && same_module(ops[i].module, module) &&
            ops[i].address == address)
            return i;
    return NONE;
}

static size_t map_of(size_t now, uint64_t address) {
    for (size_t i = now; i-- > 0;)
        if (ops[i].kind == OP_MMAP && ops[i].pid == ops[now].pid && ops[i].start <= address &&
            address <= ops[i].last)
            return i;
    return NONE;
}

#define STACK 1000

/* Adds the frames of an address, the outermost first. */
static void add_frames(char stack[STACK], size_t now, uint64_t pc, bool returns) {
    uint64_t looked = returns && pc > 0 ? pc - 1 : pc;
    size_t map = map_of(now, looked), module = map == NONE ? NONE : module_of(map, now);
    if (module == NONE) {
        checked_append(stack, STACK, ";0x%" PRIx64, pc);
        return;
    }
    unsigned kind = ops[module].module;
    uint64_t address = looked - ops[map].start + ops[map].address;
    size_t symbol = symbol_of(now, kind, address);
    const char *slash = strrchr(names[kind], '/');
    if (symbol == NONE)
        checked_append(stack, STACK, ";0x%" PRIx64 " %s", address, slash ? slash + 1 : names[kind]);
    for (size_t k = symbol == NONE ? 0 : ops[symbol].n; k-- > 0;)
        checked_append(stack, STACK, ";f%u", ops[symbol].functions[k]);
}

static char *expected(void) {
    static char stacks[OPS][STACK];
    static uint64_t counts[OPS];
    size_t n = 0, size;
    char *text = NULL;
    for (size_t now = 0; now < OPS; now++) {
        const struct op *op = &ops[now];
        if (op->kind != OP_BACKTRACE)
            continue;
        stacks[n][0] = '\0';
        checked_append(stacks[n], STACK, "t%" PRIu64 " (samples)", op->pid);
        for (size_t k = op->n; k-- > 0;)
            add_frames(stacks[n], now, op->pcs[k], k > 0);
        size_t i = 0;
        while (strcmp(stacks[i], stacks[n]) != 0)
            i++;
        counts[i] = i == n ? 1 : counts[i] + 1;
        n += i == n;
    }
    FILE *f = open_memstream(&text, &size);
    for (size_t i = 0; i < n; i++)
        fprintf(f, "%s %" PRIu64 "\n", stacks[i], counts[i]);
    fclose(f);
    return sorted(text);
}

START_TEST(samples_by_stack_are_those_of_a_slow_reading) {
    struct chance chance = {(uint64_t)_i + 1};
    struct writer w;
    make(&chance);
    writer_init(&w, NULL);
    writer_magic(&w);
    write_ops(&w);
    ck_assert(!w.failed);
    char *want = expected(), *got = folded(made_of(w.bytes.v, w.bytes.n));
    ck_assert_str_eq(got, want);
    free(want);
    free(got);
    writer_free(&w);
}
END_TEST

/* ---- the map ---- */

#define CELLS 64
#define BASE (UINT64_MAX - CELLS + 1) /* to the last address */

START_TEST(a_later_mapping_has_the_place_of_earlier_ones) {
    struct chance chance = {(uint64_t)_i + 1};
    struct address_map map = {0};
    uint32_t cells[CELLS] = {0};
    for (uint32_t n = 1; n < 300; n++) {
        uint64_t from = below(&chance, CELLS), last = from + below(&chance, CELLS - from);
        address_map_add(&map, (struct address_piece){BASE + from, BASE + last, n, n});
        for (uint64_t k = from; k <= last; k++)
            cells[k] = n;
        for (uint64_t k = 0; k < CELLS; k++) {
            const struct address_piece *p = address_map_find(&map, BASE + k);
            ck_assert_uint_eq(p ? p->what : 0, cells[k]);
        }
        ck_assert_ptr_null(address_map_find(&map, BASE - 1));
        ck_assert_ptr_null(address_map_find(&map, 0));
    }
    size_t pieces = 0;
    for (int level = 0; level < ADDRESS_MAP_LEVELS; level++)
        pieces += map.levels[level].v.n;
    ck_assert_uint_le(pieces, CELLS * 9); /* of 9 levels, for 299 mappings */
    address_map_free(&map);
}
END_TEST

/* ---- how long slices last ---- */

/* The slices and instants of a trace: `[name from to depth]`, `sample at`. */
static char *times(struct trace *trace) {
    char *text = NULL, *out = NULL, *rest = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    ck_assert(export_ndjson(trace, f));
    fclose(f);
    f = open_memstream(&out, &n);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const char *name = strstr(line, "\"name\":\""), *ts = strstr(line, "\"ts\":"),
                   *dur = strstr(line, "\"dur\":");
        if (strstr(line, "\"type\":\"slice\""))
            fprintf(f, "%.*s %.*s+%.*s\n", (int)strcspn(name + 8, "\""), name + 8,
                    (int)strcspn(ts + 5, ","), ts + 5, (int)strcspn(dur + 6, ","), dur + 6);
        else if (strstr(line, "\"type\":\"instant\""))
            fprintf(f, "at %.*s%s\n", (int)strcspn(ts + 5, ","), ts + 5,
                    strstr(line, "\"name\":\"blocked\"") ? " blocked" : "");
    }
    fclose(f);
    free(text);
    trace_free(trace);
    return out;
}

#define MAPPED                                                                                     \
    "magic\nblob \"samples\" 1 \"period 100\\nevent cpu-clock\\n\"\n"                              \
    "module 0 5/6 1 \"/lib/libm.so\" \"aa\"\nmmap 0 5/6 1 5 0x1000 0x1000 0x500\n"                 \
    "blob \"symbols\" 1 \"symbols 1\\nm\\t0\\taa\\tlibm.so\\nf\\t0\\tmain\\tm.c\\n"                \
    "f\\t7\\tread\\tr.c\\na\\t0\\t50f\\t0:3\\na\\t0\\t600\\t7:9\\n\"\n"

START_TEST(slices_last_as_switches_say) {
    static const struct {
        const char *records, *want;
    } cases[] = {
        /* a usual sample lasts to the next one, or its period */
        {"backtrace 1000 5/6 0x1100 0x1010\nbacktrace 1200 5/6 0x1010 0x1010\n"
         "backtrace 2000 5/6 0x1100 0x1010\n",
         "main 0+300\nread 0+200\nat 0\n0x510 libm.so 200+100\nat 200\nmain 1000+100\n"
         "read 1000+100\nat 1000\n"},
        /* the thread leaves its CPU */
        {"backtrace 1000 5/6 0x1100 0x1010\nswitch 1050 0 6 3 7\nswitch 5000 0 7 3 6\n"
         "backtrace 5040 5/6 0x1100 0x1010\n",
         "main 0+50\nread 0+50\nat 0\nmain 4040+100\nread 4040+100\nat 4040\n"},
        /* the same, with a stack of that moment: it is there until the next one */
        {"backtrace 1000 5/6 0x1010\nswitch 1050 0 6 3 7\nbacktrace 1050 5/6 0x1100 0x1010\n"
         "switch 5000 0 7 3 6\nbacktrace 5040 5/6 0x1010\n",
         "0x510 libm.so 0+50\nat 0\nmain 50+3990\nread 50+3990\nat 50 blocked\n"
         "0x510 libm.so 4040+100\nat 4040\n"},
        /* the same in the other order */
        {"backtrace 1000 5/6 0x1010\nbacktrace 1050 5/6 0x1100 0x1010\nswitch 1050 0 6 3 7\n"
         "switch 5000 0 7 3 6\nbacktrace 5040 5/6 0x1010\n",
         "0x510 libm.so 0+50\nat 0\nmain 50+3990\nread 50+3990\nat 50 blocked\n"
         "0x510 libm.so 4040+100\nat 4040\n"},
        /* the same, of two buffers */
        {"backtrace 1000 5/6 0x1010\nbacktrace 1050 5/6 0x1100 0x1010\nbacktrace 5040 5/6 0x1010\n"
         "switch 1050 0 6 3 7\nswitch 5000 0 7 3 6\n",
         "0x510 libm.so 0+50\nat 0\nmain 50+3990\nread 50+3990\nat 50 blocked\n"
         "0x510 libm.so 4040+100\nat 4040\n"},
        /* but not for ever after the thread runs again */
        {"switch 1050 0 6 3 7\nbacktrace 1050 5/6 0x1100\nswitch 5000 0 7 3 6\n"
         "backtrace 5300 5/6 0x1100\n",
         "read 0+4050\nat 0 blocked\nread 4250+100\nat 4250\n"},
        /* it blocks again before any sample */
        {"switch 1050 0 6 3 7\nbacktrace 1050 5/6 0x1100\nswitch 5000 0 7 3 6\n"
         "switch 5010 0 6 3 7\nbacktrace 5010 5/6 0x1100\nswitch 9000 0 7 3 7\n",
         "read 0+7950\nat 0 blocked\nat 3960 blocked\n"},
        /* it dies */
        {"switch 1050 0 6 3 7\nbacktrace 1050 5/6 0x1100\nswitch 5000 0 7 3 6\n"
         "switch 5020 0 6 4 7\nbacktrace 9000 5/8 0x1100\n",
         "read 0+3970\nat 0 blocked\nread 7950+100\nat 7950\n"},
    };
    char text[2000];
    snprintf(text, sizeof text, "%s%s", MAPPED, cases[_i].records);
    char *got = times(made_of_text(text));
    ck_assert_str_eq(got, cases[_i].want);
    ck_assert_str_eq(said, "");
    free(got);
}
END_TEST

/* The names of the first stacks take a while: switches of the time are in the file before them. */
START_TEST(stacks_may_come_seconds_later_than_switches) {
    char *got = times(made_of_text(
        MAPPED "switch 1000050 0 6 3 7\nswitch 1500000000 0 7 3 6\nswitch 2500000000 0 6 3 7\n"
               "switch 4000000000 0 7 3 6\nbacktrace 1000000 5/6 0x1010\n"
               "backtrace 1000050 5/6 0x1100 0x1010\nbacktrace 1500000040 5/6 0x1010\n"
               "backtrace 2500000000 5/6 0x1100 0x1010\nbacktrace 4000000080 5/6 0x1010\n"));
    ck_assert_str_eq(said, "");
    ck_assert_str_eq(got, "0x510 libm.so 0+50\nat 0\nmain 50+1498999990\nread 50+1498999990\n"
                          "at 50 blocked\n0x510 libm.so 1499000040+100\nat 1499000040\n"
                          "main 2499000000+1500000080\nread 2499000000+1500000080\n"
                          "at 2499000000 blocked\n0x510 libm.so 3999000080+100\nat 3999000080\n");
    free(got);
}
END_TEST

START_TEST(what_is_wrong_is_said) {
    static const struct {
        const char *records, *said;
    } cases[] = {
        {"blob \"symbols\" 1 \"symbols 2\\nq\\n\"\n",
         "line 1 of symbols: symbols of a version that is not known\n"},
        {"blob \"symbols\" 1 \"\"\nblob \"symbols\" 1 \"of another program\\na\\n\"\n", ""},
        {"blob \"samples\" 1 \"of another program\\nperiod\"\n",
         "a period of samples that is no number of nanoseconds\n"},
        {"blob \"samples\" 1 \"period 0\"\n",
         "a period of samples that is no number of nanoseconds\n"},
        {"blob \"symbols\" 1 \"symbols 1\\nm\\tx\\taa\\n\\na\\t5\\t10\\t0:1\\nm\\t1\\t-\\t\\n\"\n",
         "line 2 of symbols: a module without a number\n"
         "line 4 of symbols: an address in a module that no line before it has\n"
         "line 5 of symbols: a module without a build id and a name\n"},
        {"blob \"symbols\" 1 \"symbols 1\\nf\\t1\\t\\nf\\t-1\\ta\\nf\\t1\\ta\\na\\t0\\t1g\\t1:1\\n"
         "a\\t0\\t1\\na\\t0\\t1\\t1:x\\na\\t0\\t1\\t1:1\\t2:1\\na\\t0\\t1\\t1:4294967296\\n\"\n",
         "line 2 of symbols: a function without a name\n"
         "line 3 of symbols: a function without a number\n"
         "line 5 of symbols: an address without a module or a number\n"
         "line 6 of symbols: an address without a function\n"
         "line 7 of symbols: an address without the number of a function and a line\n"
         "line 8 of symbols: an address in a function that no line before it has\n"
         "line 9 of symbols: an address without the number of a function and a line\n"},
        {"mmap 0 5/6 1 5 0 0 0\nmmap 0 5/6 1 5 0xfffffffffffff000 0x2000 0\n",
         "a mapping of no length\na mapping beyond the last address: up to that\n"},
        {"mmap 0 5/6 9 5 0x8000 0x10 0\nbacktrace 5 5/6 0x8001\nbacktrace 6 5/6 0x8001\n",
         "a backtrace in a mapping of a module that is not registered\n"},
        {"backtrace 5 5/6 0x8001\nbacktrace 4 5/6 0x8001\n", ""},
    };
    char text[4000];
    snprintf(text, sizeof text, "%s%sbacktrace 99 5/6 0x1100\n", MAPPED, cases[_i].records);
    trace_free(made_of_text(text));
    ck_assert_str_eq(said, cases[_i].said);
}
END_TEST

/* Frames have the file, the line and the module; functions that are inlined are frames. */
START_TEST(frames_have_places) {
    char *text = NULL;
    size_t n;
    struct trace *trace = made_of_text(
        MAPPED
        "blob \"symbols\" 1 \"symbols 1\\nf\\t1\\tinlined\\ti.h\\na\\t0\\t700\\t1:4\\t7:5\"\n"
        "backtrace 10 5/6 0x1200 0\n");
    FILE *f = open_memstream(&text, &n);
    ck_assert(export_ndjson(trace, f));
    fclose(f);
    trace_free(trace);
    static const char *const wanted[] = {
        "\"name\":\"0x0\",\"ts\":0,\"dur\":100,\"depth\":0,\"offset\"",
        "\"name\":\"read\",\"ts\":0,\"dur\":100,\"depth\":1,\"args\":[{\"name\":\"dso\",\"type\":"
        "\"string\",\"value\":\"/lib/libm.so\"},{\"name\":\"file\",\"type\":\"string\",\"value\":"
        "\"r.c\"},{\"name\":\"line\",\"type\":\"uint32\",\"value\":5}]",
        "\"name\":\"inlined\",\"ts\":0,\"dur\":100,\"depth\":2,\"args\":[{\"name\":\"dso\","
        "\"type\":\"string\",\"value\":\"/lib/libm.so\"},{\"name\":\"file\",\"type\":\"string\","
        "\"value\":\"i.h\"},{\"name\":\"line\",\"type\":\"uint32\",\"value\":4}]"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        ck_assert_msg(strstr(text, wanted[i]) != NULL, "%s\nin\n%s", wanted[i], text);
    free(text);
}
END_TEST

SUITE(backtraces) {
    Suite *s = suite_create("backtraces");
    TCase *t = tcase_create("backtraces");
    tcase_add_loop_test(t, samples_by_stack_are_those_of_a_slow_reading, 0, 30);
    tcase_add_loop_test(t, a_later_mapping_has_the_place_of_earlier_ones, 0, 10);
    tcase_add_loop_test(t, slices_last_as_switches_say, 0, 8);
    tcase_add_test(t, stacks_may_come_seconds_later_than_switches);
    tcase_add_loop_test(t, what_is_wrong_is_said, 0, 9);
    tcase_add_test(t, frames_have_places);
    suite_add_tcase(s, t);
    return s;
}
