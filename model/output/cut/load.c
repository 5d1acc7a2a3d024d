/* load.c - the steps from a file to the trace of a part of it. The files between have no name. */
#include "model/output/cut/load.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/output/cut/cut.h"
#include "model/output/cut/sieve.h"
#include "src/base/text.h"
#include "src/base/units.h"
#include "src/fxt/record.h"
#include "src/io/cache.h"
#include "src/io/memory.h"
#include "src/io/temporary.h"

#define NEED_LEAST (UINT64_C(256) << 20) /* of memory: less is not asked for */

struct load {
    const char *path;
    const struct trace_options *options;
    struct question asked; /* the range, relative to: */
    struct wide base;
    bool ascii;
};

/* Opens the file of a descriptor, which has to stay open. */
static struct trace *open_unnamed(const struct load *load, int fd, struct err *err) {
    struct trace_options options = {
        .file = load->options->file, .shown = load->path, .providers = load->options->providers};
    char path[48]; /* two numbers and 10 characters */
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getpid(), fd);
    struct trace *trace = trace_open(path, &options, err);
    if (trace)
        trace_load(trace);
    return trace;
}

static int temporary(struct err *err) {
    int fd = temporary_open();
    if (fd < 0)
        err_errno(err, "no temporary file can be made in $TMPDIR or /var/tmp: ", errno);
    return fd;
}

/* Reads a trace to its end; times: nothing but its times. */
static struct trace *read_all(const struct load *load, bool times, struct err *err) {
    struct trace_options options = {
        .file = load->options->file, .times = times, .providers = load->options->providers};
    struct trace *trace = trace_open(load->path, &options, err);
    if (trace)
        trace_load(trace);
    return trace;
}

/* Finds the range, in which there has to be a part of the trace. */
static bool find_range(struct load *load, struct trace *trace, const char *text, struct err *err) {
    const char *wrong;
    char a[32], b[32], c[32], d[32];
    struct err why;
    int64_t begin = trace_begin(trace), end = trace_end(trace);
    units_point(0, 1, load->ascii, a);
    units_point(units_since(begin, end), 1, load->ascii, b);
    if (!question_init(&load->asked, trace, &(struct question_texts){.range = text}, load->ascii,
                       &wrong, &why))
        return err_set(err, ERR_NO_OFFSET, "--load: %s (the trace is %s to %s)", why.text, a, b);
    const struct range *range = &load->asked.range;
    load->base = reader_base(trace_reader(trace));
    err_set(&why, ERR_NO_OFFSET, "loaded %s to %s of %s",
            units_point(units_since(begin, range_begin(range, trace)), 1, load->ascii, c),
            units_point(units_since(begin, range_end(range, trace)), 1, load->ascii, d), b);
    text_complain(load->path, "note: ", load->ascii, &why);
    return true;
}

/* A trace that has at least the records of the range. Few records that are far from each other may
 * seem damaged: then all are read. */
static struct trace *sieve(const struct load *load, struct trace *trace, struct err *err) {
    int fd = temporary(err);
    bool sure = true;
    struct trace *sieved = NULL;
    if (fd >= 0 && sieve_write(trace, &load->asked.range, fd, &sure, err) && sure)
        sieved = open_unnamed(load, fd, err);
    if (fd >= 0)
        close(fd);
    if (sure && (sieved == NULL || trace_damaged_times(sieved) == 0))
        return sieved;
    trace_free(sieved);
    return read_all(load, false, err);
}

/* The same times relative to the base of another trace of the same clock. */
static void move_range(struct load *load, const struct trace *trace) {
    struct wide base = reader_base(trace_reader(trace));
    int64_t by = wide_diff(load->base, base, INT64_MAX);
    load->asked.range.from += by;
    load->asked.range.to += by;
    load->base = base;
}

/* Cuts the range out of a trace. Its file stays open: the screen may read it again. */
static struct trace *cut(const struct load *load, struct trace *trace, struct err *err) {
    int fd = temporary(err), copy = fd >= 0 ? dup(fd) : -1;
    FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (out == NULL)
        return NULL;
    bool good = cut_write(trace, &load->asked, 0, out, err);
    if (good && (ferror(out) || fflush(out) != 0))
        good = err_errno(err, "the temporary file could not be written: ", errno);
    fclose(out);
    return good ? open_unnamed(load, fd, err) : NULL;
}

struct trace *load_part(const char *path, const struct trace_options *options, const char *range,
                        bool ascii, struct err *err) {
    struct load load = {.path = path, .options = options, .ascii = ascii};
    struct trace *trace = read_all(&load, true, err), *part = NULL;
    bool sound = trace && sieve_may(trace);
    if (trace && !sound) {
        trace_free(trace);
        trace = read_all(&load, false, err);
    }
    if (trace == NULL || !find_range(&load, trace, range, err)) {
        trace_free(trace);
        return NULL;
    }
    if (sound) {
        struct trace *sieved = sieve(&load, trace, err);
        trace_free(trace);
        trace = sieved;
    }
    if (trace) {
        move_range(&load, trace);
        part = cut(&load, trace, err);
    }
    trace_free(trace);
    question_free(&load.asked);
    return part;
}

/* Whether a regular file begins with the magic of FXT, in one of the two byte orders. */
static bool is_fxt(const char *path) {
    uint64_t word = 0;
    struct stat s;
    FILE *f = stat(path, &s) == 0 && S_ISREG(s.st_mode) ? fopen(path, "re") : NULL;
    bool read = f && fread(&word, sizeof word, 1, f) == 1;
    if (f)
        fclose(f);
    return read && (word == FXT_MAGIC || record_swap(word) == FXT_MAGIC);
}

/* Whether the index of a file is read from the cache: its pages are those of the file there. */
static bool is_cached(const char *path, const struct trace_options *options) {
    struct err err;
    struct file *file = options->cache_from > 0 ? file_open(path, &options->file, &err) : NULL;
    struct cache *cache = file ? cache_find(file, 0) : NULL;
    bool cached = cache != NULL;
    cache_close(cache);
    file_close(file);
    return cached;
}

bool load_fits(char *const *paths, size_t n, const struct trace_options *options, struct err *err) {
    uint64_t need = 0, free = memory_free();
    char a[32], b[32];
    for (size_t i = 0; i < n; i++)
        need += is_fxt(paths[i]) ? memory_need(paths[i]) : 0;
    if (need < NEED_LEAST || need <= free || (n == 1 && is_cached(paths[0], options)))
        return true;
    return err_set(err, ERR_NO_OFFSET,
                   "needs about %s of memory, %s are free: --load=A..B opens a part, --load=all "
                   "tries it",
                   units_bytes(need, a), units_bytes(free, b));
}

struct trace *load_open(const char *path, const struct trace_options *options, const char *range,
                        bool ascii, struct err *err) {
    char *paths[] = {(char *)(uintptr_t)path};
    if (range)
        return load_part(path, options, range, ascii, err);
    return options->insists || load_fits(paths, 1, options, err) ? trace_open(path, options, err)
                                                                 : NULL;
}
