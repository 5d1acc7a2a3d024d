/* collapsed.c - turns collapsed stacks into slices of one thread.
 *
 * A line takes as many nanoseconds as its number, right after the line before it. The frames that a
 * line shares with the one before it, from the root on, stay open. So the flame graph of the trace
 * is that of the lines. */
#include "src/import/profiles/collapsed.h"

#include "src/import/chrome/event_write.h"
#include "src/import/import_lines.h"
#include "src/import/json/json_read.h"

struct collapsed {
    struct import_lines lines;
    char before[IMPORT_LINES_MOST]; /* the stack of the previous line */
    size_t nbefore;
    bool decided, differs; /* by the first stack; differs: its lines have two numbers */
    bool mixed;            /* they do not, but one has */
    uint64_t now;          /* end of the previous line in ns */
};

enum line { LINE_BLANK, LINE_STACK, LINE_BARE, LINE_NO_STACK, LINE_NO_NUMBER };

struct parts {
    struct str stack, number;
    uint64_t weight;
};

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* Takes a stack and its number out of a line. Empty frames at its end are none. */
static enum line split(struct str line, struct parts *parts) {
    size_t blanks = 0;
    while (blanks < line.n && is_blank(line.s[blanks]))
        blanks++;
    if (blanks == line.n)
        return LINE_BLANK;
    if (line.s[line.n - 1] == '\r')
        line.n--;
    size_t i = line.n;
    while (i > 0 && line.s[i - 1] != ' ' && line.s[i - 1] != '\t')
        i--;
    parts->stack = (struct str){line.s, i > 0 ? i - 1 : 0};
    parts->number = (struct str){line.s + i, line.n - i};
    while (parts->stack.n > 0 && parts->stack.s[parts->stack.n - 1] == ';')
        parts->stack.n--;
    if (i == 0)
        return LINE_BARE;
    if (parts->stack.n == 0)
        return LINE_NO_STACK;
    return json_read_u64(parts->number, &parts->weight) ? LINE_STACK : LINE_NO_NUMBER;
}

/* Takes the first one of two numbers off a stack. False: there is one number alone. */
static bool take_first(struct parts *parts) {
    uint64_t first;
    size_t i = parts->stack.n;
    if (parts->stack.s[i - 1] < '0' || parts->stack.s[i - 1] > '9')
        return false;
    while (i > 0 && !is_blank(parts->stack.s[i - 1]))
        i--;
    if (i < 2 || !json_read_u64((struct str){parts->stack.s + i, parts->stack.n - i}, &first))
        return false;
    parts->stack.n = i - 1;
    return true;
}

/* The first line that is not blank decides. */
static enum import_sniff sniff(struct str first, bool all) {
    struct parts parts;
    size_t most = first.n;
    first = import_lines_unmarked(first);
    for (size_t i = 0, from = 0; i < first.n; i++) {
        bool ends = first.s[i] == '\n', last = all && i + 1 == first.n && most < IMPORT_SNIFF_MAX;
        struct str text = {first.s + from, i + !ends - from};
        enum line line = ends || last ? split(text, &parts) : LINE_BLANK;
        if (line != LINE_BLANK)
            return line == LINE_STACK ? IMPORT_YES : IMPORT_NO;
        if ((unsigned char)first.s[i] < ' ' && !ends && !is_blank(first.s[i]))
            return IMPORT_NO;
        from = ends ? i + 1 : from;
    }
    return most >= IMPORT_SNIFF_MAX || most == 0 || all ? IMPORT_NO : IMPORT_MORE;
}

static struct writer_event event_of(struct collapsed *c, struct str name) {
    return (struct writer_event){.ts = c->now,
                                 .thread = writer_intern_thread(&c->lines.w, 1, 1),
                                 .name = import_lines_name(&c->lines, name)};
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
        writer_end(&c->lines.w, &e);
    }
    for (size_t i = from; i < stack.n; i += frame_at(stack, i).n + 1) {
        struct writer_event e = event_of(c, frame_at(stack, i));
        writer_begin(&c->lines.w, &e);
    }
    if (stack.n > 0)
        memcpy(c->before, stack.s, stack.n);
    c->nbefore = stack.n;
}

/* A profile is differential if its first stack has several frames and two numbers. The second one
 * counts, after the change. Lines of the other kind are a problem. */
static void decide(struct collapsed *c, struct parts *parts) {
    struct parts first = *parts;
    bool numbers = take_first(&first),
         frames = numbers && memchr(first.stack.s, ';', first.stack.n),
         two = numbers && (c->decided ? c->differs : frames);
    const char *at = first.stack.s + first.stack.n + 1;
    if (two && !c->decided)
        import_lines_fault(
            &c->lines, IMPORT_IGNORED, at,
            "two numbers: a differential profile, of which the second ones are read");
    else if (c->differs && !two)
        import_lines_fault(&c->lines, IMPORT_FIELD, parts->number.s,
                           "one number in a differential profile: read as the second one");
    else if (frames && !two && !c->mixed)
        import_lines_fault(
            &c->lines, IMPORT_FIELD, at,
            "two numbers, but not in the first stack: the first one is read as a part of the "
            "frame, here and elsewhere");
    c->mixed |= frames && !two;
    if (two)
        *parts = first;
    c->differs |= two;
    c->decided = true;
}

static void take(void *ctx, struct str text, bool too_long) {
    struct collapsed *c = ctx;
    struct parts parts;
    char buf[EVENT_QUOTED];
    if (too_long)
        return;
    enum line line = split(text, &parts);
    if (line == LINE_STACK)
        decide(c, &parts);
    if (line == LINE_BARE)
        import_lines_fault(&c->lines, IMPORT_SYNTAX, parts.number.s,
                           "expected a number after the stack %s",
                           event_write_quoted(parts.number, buf));
    else if (line == LINE_NO_STACK)
        import_lines_fault(&c->lines, IMPORT_SYNTAX, text.s, "expected a stack before the number");
    else if (line == LINE_NO_NUMBER)
        import_lines_fault(&c->lines, IMPORT_SYNTAX, parts.number.s,
                           "expected a whole number after the stack, not %s",
                           event_write_quoted(parts.number, buf));
    else if (line == LINE_STACK && parts.weight > (uint64_t)INT64_MAX - c->now)
        import_lines_fault(&c->lines, IMPORT_SYNTAX, parts.number.s,
                           "the number, with those before it, is beyond 2^63-1: %s",
                           event_write_quoted(parts.number, buf));
    else if (line == LINE_STACK) {
        import_lines_mark(&c->lines);
        change(c, parts.stack);
        c->now += parts.weight;
    }
}

static void *start(void) {
    struct collapsed *c = err_calloc(1, sizeof *c);
    import_lines_init(&c->lines, take, c);
    writer_magic(&c->lines.w);
    writer_init_record(&c->lines.w, 1000000000);
    writer_kernel_object(&c->lines.w, FXT_OBJECT_PROCESS, 1,
                         writer_intern(&c->lines.w, STR("collapsed stacks")),
                         (struct writer_arguments){NULL, 0});
    return c;
}

static void step(void *import, struct str bytes, bool last, struct import_news *news) {
    struct collapsed *c = import;
    import_lines_step(&c->lines, bytes, last);
    if (last)
        change(c, (struct str){"", 0});
    *news = import_lines_news(&c->lines, last);
}

static void stop(void *import) {
    struct collapsed *c = import;
    import_lines_free(&c->lines);
    free(c);
}

const struct importer collapsed = {"collapsed stacks", sniff, start, step, stop, NULL};
