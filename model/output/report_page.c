/* report_page.c - stacks are the paths of samples; a line has the innermost frames.
 *
 * In the kernel all waits look alike: its frames are left out of the lines of waits, but for those
 * of its own threads. */
#include "model/output/report_page.h"

#include <errno.h>
#include <stdlib.h>

#include "model/output/longest.h"
#include "model/output/processes_list.h"
#include "model/output/report.h"
#include "model/query/stat/path_walk.h"
#include "model/query/stat/sample_iter.h"
#include "src/base/text.h"
#include "src/base/units.h"

#define STACKS 10
#define FRAMES 8 /* of a line */
#define SLICES 10
#define NODES (1u << 20)

struct page {
    struct trace *trace;
    struct path_tree tree;
    enum path_unit unit;
    VEC(unsigned char) names; /* of frames: the slices that were read; OF_KERNEL: one is of it */
    FILE *out;
    bool ascii;
};

#define READ 16 /* slices of a name */
#define OF_KERNEL 255

/* ---- names ---- */

/* A name that the C library and the kernel have, as futex_wait, is the kernel's. */
static void find_names(struct page *page) {
    const struct slice_set set = SLICE_SET_ALL(SLICE_ITER_SLICES);
    struct slice_iter iter;
    struct slice_run run;
    slice_iter_init(&iter, page->trace, &set);
    while (slice_iter_next(&iter, NULL, &run))
        for (uint32_t k = 0; k < run.n && trace_thread(page->trace, run.track)->sampled; k++) {
            uint32_t name = trace_packed_name(page->trace, run.v[k].begin_word);
            while (page->names.n <= name)
                vec_push(&page->names, 0);
            unsigned char *of = &page->names.v[name];
            if (*of < READ)
                *of = sample_iter_of_kernel(page->trace, &run.v[k]) ? OF_KERNEL
                                                                    : (unsigned char)(*of + 1);
        }
}

/* The innermost frame of a stack that is not the kernel's; its innermost one if all are. */
static uint32_t program_frame(const struct page *page, uint32_t node) {
    uint32_t at = node;
    while (at != PATH_ROOT && page->tree.nodes.v[at].name < page->names.n &&
           page->names.v[page->tree.nodes.v[at].name] == OF_KERNEL)
        at = page->tree.nodes.v[at].parent;
    return at == PATH_ROOT ? node : at;
}

/* ---- stacks ---- */

static int64_t weight_of(const struct page *page, uint32_t node) {
    return node > PATH_LEFT_OUT_NODE ? page->tree.nodes.v[node].wall : 0;
}

/* Puts a node among the heaviest so far, which are in order. Returns their number. */
static size_t keep_heaviest(const struct page *page, uint32_t node, uint32_t v[STACKS], size_t n) {
    size_t at = n;
    while (at > 0 && weight_of(page, v[at - 1]) < weight_of(page, node))
        at--;
    if (at == STACKS)
        return n;
    n += n < STACKS;
    for (size_t i = n - 1; i > at; i--)
        v[i] = v[i - 1];
    v[at] = node;
    return n;
}

/* "    62.1%  1.204 s  read < load < main" */
static void print_stack(const struct page *page, uint32_t node, struct sum whole) {
    char share[32], amount[32], safe[200];
    int64_t weight = weight_of(page, node);
    fprintf(page->out, "%8s  %9s ", sum_share_text(sum_share(sum_from(weight), whole), share),
            page->unit == PATH_OFF_CPU ? units_duration(weight, page->ascii, amount)
                                       : units_count((uint64_t)weight, false, amount));
    if (page->unit == PATH_OFF_CPU)
        node = program_frame(page, node);
    for (int n = 0; node != PATH_ROOT; n++, node = page->tree.nodes.v[node].parent) {
        if (n == FRAMES) {
            fputs(" < ...", page->out);
            break;
        }
        text_plain(safe, sizeof safe, trace_name(page->trace, page->tree.nodes.v[node].name),
                   TEXT_TRACK | (page->ascii ? TEXT_ASCII : 0));
        fprintf(page->out, "%s%s", n > 0 ? " < " : " ", safe);
    }
    putc('\n', page->out);
}

/* The heaviest stacks of a unit below a title; nothing if there is none. */
static void print_stacks(struct page *page, enum path_unit unit, const char *title) {
    static const struct range whole_trace;
    struct path_walk walk;
    struct sum whole = sum_from(0);
    uint64_t slices = 0;
    uint32_t v[STACKS];
    size_t n = 0;
    page->unit = unit;
    for (uint32_t i = 0; i < trace_thread_count(page->trace); i++)
        slices += trace_thread(page->trace, i)->nest.slices + 1;
    path_tree_init(&page->tree, NODES, slices);
    path_walk_init(&walk, page->trace, &whole_trace, &page->tree);
    walk.unit = unit;
    path_walk_make(NULL, &walk);
    for (uint32_t i = PATH_LEFT_OUT_NODE + 1; i < page->tree.nodes.n; i++) {
        sum_add(&whole, weight_of(page, i));
        if (weight_of(page, i) > 0)
            n = keep_heaviest(page, i, v, n);
    }
    if (n > 0)
        fprintf(page->out, "\n%s\n", title);
    for (size_t i = 0; i < n; i++)
        print_stack(page, v[i], whole);
    path_walk_free(&walk);
    path_tree_free(&page->tree);
}

static bool has(struct trace *trace, bool sampled) {
    trace_find_sampled(trace);
    for (uint32_t i = 0; i < trace_thread_count(trace); i++) {
        const struct thread *t = trace_thread(trace, i);
        if (nest_rows(&t->nest) > 0 && t->sampled == sampled)
            return true;
    }
    return false;
}

static bool print_slowest(struct page *page) {
    const struct table_request request = {
        .format = FORMAT_TABLE, .most = SLICES, .ascii = page->ascii};
    const struct question_texts texts = {.filter = "cat!=sampled"};
    struct question asked;
    struct err err;
    const char *wrong;
    if (!question_init(&asked, page->trace, &texts, page->ascii, &wrong, &err))
        return true;
    fputs("\nSlowest slices\n", page->out);
    bool done = longest_print(page->trace, &asked, &request, page->out);
    question_free(&asked);
    return done;
}

bool report_page(struct trace *trace, FILE *out, bool ascii) {
    struct page page = {.trace = trace, .out = out, .ascii = ascii};
    errno = 0;
    report_summary(trace, out, ascii);
    putc('\n', out);
    processes_list_print(trace, out, ascii);
    if (has(trace, true)) {
        find_names(&page);
        print_stacks(&page, PATH_SAMPLES, "Heaviest stacks, by samples");
        print_stacks(&page, PATH_OFF_CPU, "Longest waits, by off-CPU time");
    }
    bool done = !has(trace, false) || print_slowest(&page);
    vec_free(&page.names);
    return done && fflush(out) == 0 && !ferror(out);
}
