/* collapsed.c - turns collapsed stacks into slices of one thread.
 *
 * A line takes as many nanoseconds as its number, right after the line before it. The frames that a
 * line shares with the one before it, from the root on, stay open. So the flame graph of the trace
 * is that of the lines. */
#include "src/import/collapsed.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/base/vec.h"
#include "src/fxt/writer.h"
#include "src/import/json_read.h"

#define LINE_MAX_BYTES ((size_t)65536)
#define NAME_MAX_BYTES 1024 /* of a name that is registered */

struct collapsed {
    struct writer w;
    /* the current line, and the stack of the previous one */
    char line[LINE_MAX_BYTES], before[LINE_MAX_BYTES];
    size_t n, nbefore;
    bool too_long;
    /* offset of the next byte, and of the line's first; end of the previous line in ns */
    uint64_t at, begin, now;
    uint64_t lines, faults; /* before this line */
    VEC(struct import_mark) marks;
    VEC(struct import_case) cases;
};

/* A stack without its number. False: the line does not end in one. */
static bool split(struct str line, struct str *stack, uint64_t *weight) {
    if (line.n > 0 && line.s[line.n - 1] == '\r')
        line.n--;
    size_t i = line.n;
    while (i > 0 && line.s[i - 1] != ' ' && line.s[i - 1] != '\t')
        i--;
    if (i < 2)
        return false;
    *stack = (struct str){line.s, i - 1};
    return json_read_u64((struct str){line.s + i, line.n - i}, weight);
}

static enum import_sniff sniff(struct str first, bool all) {
    uint64_t weight;
    struct str stack;
    for (size_t i = 0; i < first.n; i++) {
        if (first.s[i] == '\n')
            return split((struct str){first.s, i}, &stack, &weight) ? IMPORT_YES : IMPORT_NO;
        if ((unsigned char)first.s[i] < ' ' && first.s[i] != '\t' && first.s[i] != '\r')
            return IMPORT_NO;
    }
    if (first.n >= IMPORT_SNIFF_MAX || first.n == 0)
        return IMPORT_NO;
    if (!all)
        return IMPORT_MORE;
    return split(first, &stack, &weight) ? IMPORT_YES : IMPORT_NO;
}

static struct writer_event event_of(struct collapsed *c, struct str name) {
    name.n = name.n < WRITER_STRING_MAX ? name.n : WRITER_STRING_MAX;
    return (struct writer_event){.ts = c->now,
                                 .thread = writer_intern_thread(&c->w, 1, 1),
                                 .name = name.n > NAME_MAX_BYTES ? writer_inline(name)
                                                                 : writer_intern(&c->w, name)};
}

static struct str frame_at(struct str stack, size_t from) {
    const char *end = memchr(stack.s + from, ';', stack.n - from);
    size_t n = end ? (size_t)(end - (stack.s + from)) : stack.n - from;
    return (struct str){stack.s + from, n};
}

static size_t frames_from(struct str stack, size_t from) {
    size_t n = stack.n > from ? 1 : 0;
    for (size_t i = from; i < stack.n; i++)
        n += stack.s[i] == ';';
    return n;
}

/* The start of the first frame that the stacks do not share. */
static size_t shared(struct str a, struct str b) {
    size_t whole = 0, i = 0;
    for (; i < a.n && i < b.n && a.s[i] == b.s[i]; i++)
        if (a.s[i] == ';')
            whole = i + 1;
    bool a_ends = i == a.n || a.s[i] == ';', b_ends = i == b.n || b.s[i] == ';';
    return a_ends && b_ends && i > 0 ? i + 1 : whole;
}

/* Ends the frames that the next stack does not have, and begins those that are new. */
static void change(struct collapsed *c, struct str stack) {
    struct str before = {c->before, c->nbefore};
    size_t from = shared(before, stack);
    for (size_t n = frames_from(before, from < before.n ? from : before.n); n > 0; n--) {
        struct writer_event e = event_of(c, (struct str){"", 0});
        writer_end(&c->w, &e);
    }
    for (size_t i = from; i < stack.n; i += frame_at(stack, i).n + 1) {
        struct writer_event e = event_of(c, frame_at(stack, i));
        writer_begin(&c->w, &e);
    }
    if (stack.n > 0)
        memcpy(c->before, stack.s, stack.n);
    c->nbefore = stack.n;
}

static struct import_mark mark_of(const struct collapsed *c) {
    return (struct import_mark){writer_offset(&c->w), {c->begin, c->lines, 0}};
}

static void fault(struct collapsed *c, enum import_fault kind, const char *what) {
    struct import_case one = {kind, mark_of(c), NULL};
    if (c->faults++ < IMPORT_WHY) {
        char text[64] = "";
        snprintf(text, sizeof text, "line %" PRIu64 ": %s", c->lines + 1, what);
        one.why = memcpy(err_malloc(sizeof text), text, sizeof text);
    }
    vec_push(&c->cases, one);
}

static void end_line(struct collapsed *c) {
    struct str stack, line = {c->line, c->n};
    uint64_t weight;
    if (c->too_long) {
        fault(c, IMPORT_CUT, "longer than 65536 bytes: left out");
    } else if (c->n > 0 &&
               (!split(line, &stack, &weight) || weight > (uint64_t)INT64_MAX - c->now)) {
        fault(c, IMPORT_SYNTAX, "expected a stack and a number");
    } else if (c->n > 0) {
        vec_push(&c->marks, mark_of(c));
        change(c, stack);
        c->now += weight;
    }
    c->n = 0;
    c->too_long = false;
}

static void take(struct collapsed *c, struct str bytes) {
    while (bytes.n > 0) {
        const char *end = memchr(bytes.s, '\n', bytes.n);
        size_t n = end ? (size_t)(end - bytes.s) : bytes.n, fits = LINE_MAX_BYTES - c->n;
        if (c->n == 0 && !c->too_long)
            c->begin = c->at;
        c->too_long |= n > fits;
        memcpy(c->line + c->n, bytes.s, n < fits ? n : fits);
        c->n += n < fits ? n : fits;
        if (end) {
            end_line(c);
            c->lines++;
            n++;
        }
        c->at += n;
        bytes = (struct str){bytes.s + n, bytes.n - n};
    }
}

static void *start(void) {
    struct collapsed *c = err_calloc(1, sizeof *c);
    writer_init(&c->w, NULL);
    writer_magic(&c->w);
    writer_init_record(&c->w, 1000000000);
    writer_kernel_object(&c->w, FXT_OBJECT_PROCESS, 1,
                         writer_intern(&c->w, STR("collapsed stacks")),
                         (struct writer_arguments){NULL, 0});
    return c;
}

static void step(void *import, struct str bytes, bool last, struct import_news *news) {
    struct collapsed *c = import;
    c->marks.n = c->cases.n = 0;
    take(c, bytes);
    if (last) {
        end_line(c);
        change(c, (struct str){"", 0});
    }
    *news =
        (struct import_news){writer_take(&c->w), c->marks.v, c->marks.n, c->cases.v, c->cases.n};
}

static void stop(void *import) {
    struct collapsed *c = import;
    writer_free(&c->w);
    vec_free(&c->marks);
    vec_free(&c->cases);
    free(c);
}

const struct importer collapsed = {"collapsed stacks", sniff, start, step, stop, NULL};
