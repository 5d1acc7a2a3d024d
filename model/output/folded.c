/* folded.c - prints the tree of paths below each thread, one line a path.
 *
 * Time deeper than DEEP frames is on one line, with the frame "[deeper]". Else the text of a deep
 * path and of all above it grew with the square of the depth. */
#include "model/output/folded.h"

#include <errno.h>
#include <inttypes.h>

#include "model/output/chars.h"
#include "model/query/stat/path_walk.h"
#include "src/base/text.h"

#define NODES (1u << 22) /* paths kept; the rest is in the frame "[other]" */
#define DEEP 1000        /* frames of a line */

struct folded {
    struct trace *trace;
    struct path_tree tree;
    bool processes;       /* paths are of processes, and have no thread */
    struct names *labels; /* of processes */
    uint32_t *depth;      /* of each node */
    struct chars line;    /* the frames of a line */
    FILE *out;
};

void folded_name(struct chars *line, struct str name) {
    struct text text = text_begin(name, 0);
    struct glyph glyph;
    char utf8[4];
    if (name.n == 0)
        chars_add(line, STR("\"\""));
    while (text_next(&text, &glyph))
        for (int i = 0; i < 3 && glyph.cp[i]; i++) {
            size_t n = text_utf8(glyph.cp[i], utf8);
            chars_add(line, glyph.cp[i] == ';' ? STR("\\x3b") : (struct str){utf8, n});
        }
}

/* The first frame is the host, if there are several. */
static void add_host(struct folded *f, uint16_t world) {
    char host[96];
    if (trace_hosts(f->trace) < 2)
        return;
    size_t n = trace_host_name(f->trace, world, host, sizeof host);
    folded_name(&f->line, (struct str){host, n});
    chars_add(&f->line, STR(";"));
}

static void add_thread(struct folded *f, uint32_t thread) {
    const struct thread *t = trace_thread(f->trace, thread);
    char buf[40], tid[24];
    bool named;
    struct str name = trace_thread_name(f->trace, t, buf, &named);
    add_host(f, t->id.world);
    folded_name(&f->line, name);
    if (!named)
        return;
    int n = snprintf(tid, sizeof tid, " %" PRIu64, t->id.tid);
    chars_add(&f->line, (struct str){tid, (size_t)n});
}

static void add_frame(struct folded *f, uint32_t i) {
    const struct path_node *node = &f->tree.nodes.v[i];
    if (f->depth[i] > 1)
        chars_add(&f->line, STR(";"));
    if (f->depth[i] == 1 && !f->processes)
        add_thread(f, node->name);
    else if (f->depth[i] > DEEP)
        chars_add(&f->line, STR("[deeper]"));
    else if (node->name == PATH_OTHER)
        chars_add(&f->line, STR("[other]"));
    else
        folded_name(&f->line, f->processes ? names_str(f->labels, node->name)
                                           : trace_name(f->trace, node->name));
}

/* The frames of a path, outermost first. */
static void make_line(struct folded *f, uint32_t i) {
    uint32_t frames[DEEP + 2], n = 0;
    for (; i != PATH_ROOT; i = f->tree.nodes.v[i].parent)
        frames[n++] = i;
    f->line.n = 0;
    while (n > 0)
        add_frame(f, frames[--n]);
}

/* Leaves no time below the frame "[deeper]". */
static void cut_depth(struct folded *f) {
    struct path_tree *tree = &f->tree;
    f->depth = err_calloc(tree->nodes.n, sizeof *f->depth);
    for (uint32_t i = 1; i < tree->nodes.n; i++)
        f->depth[i] = f->depth[tree->nodes.v[i].parent] + 1;
    for (uint32_t i = (uint32_t)tree->nodes.n - 1; i > 0; i--) {
        if (f->depth[i] <= DEEP + 1)
            continue;
        path_tree_add(tree, tree->nodes.v[i].parent, PATH_WALL, tree->nodes.v[i].wall);
        tree->nodes.v[i].wall = 0;
    }
}

/* The paths of a thread take no more than its time, so each sum fits 64 bits. */
static void print_paths(struct folded *f) {
    for (uint32_t i = PATH_LEFT_OUT_NODE + 1; i < f->tree.nodes.n && !ferror(f->out); i++) {
        int64_t ns = f->tree.nodes.v[i].wall;
        if (ns == 0)
            continue;
        make_line(f, i);
        fwrite(f->line.v, 1, f->line.n, f->out);
        fprintf(f->out, " %" PRId64 "\n", ns);
    }
}

static enum path_unit unit_of(struct trace *trace, enum folded_by by) {
    bool sampled = false;
    trace_find_sampled(trace);
    for (size_t i = 0; i < trace_thread_count(trace) && by == FOLDED_BY_DEFAULT; i++) {
        const struct thread *t = trace_thread(trace, i);
        if (nest_rows(&t->nest) > 0 && !t->sampled)
            return PATH_MEASURED;
        sampled = sampled || t->sampled;
    }
    if (by == FOLDED_BY_WEIGHT)
        return PATH_SAMPLE_WEIGHTS;
    if (by == FOLDED_BY_OFF_CPU)
        return PATH_OFF_CPU;
    return by == FOLDED_BY_SAMPLES || sampled ? PATH_SAMPLES : PATH_MEASURED;
}

bool folded_export(struct trace *trace, const struct range *range, struct filter_match *only,
                   enum folded_by by, FILE *out) {
    struct folded f = {.trace = trace, .labels = names_new(), .out = out};
    struct path_walk walk;
    uint64_t slices = 0;
    errno = 0;
    for (size_t i = 0; i < trace_thread_count(trace); i++)
        slices += trace_thread(trace, i)->nest.slices + 1;
    path_tree_init(&f.tree, NODES, slices);
    path_walk_init(&walk, trace, range, &f.tree);
    walk.threads = true;
    walk.labels = f.labels;
    walk.unit = unit_of(trace, by);
    if (only) {
        while (!filter_match_step(only, NULL))
            ;
        walk.set.has = filter_match_slice;
        walk.set.ctx = only;
    }
    path_walk_make(NULL, &walk);
    f.processes = walk.labelled;
    cut_depth(&f);
    print_paths(&f);
    path_walk_free(&walk);
    path_tree_free(&f.tree);
    names_free(f.labels);
    vec_free(&f.line);
    free(f.depth);
    return fflush(out) == 0 && !ferror(out);
}
