/* thrown_events.c - writes a text of tracegen.h line by line, and opens it. */
#include "tests/unit/lib/thrown_events.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/lib/loaded.h"

static const char *const names[] = {"Frame", "frame", "Layout", "draw", "a b", "operator<"};
#define NAMES (sizeof names / sizeof *names)

static const char *any_name(struct chance *chance) {
    return names[below(chance, NAMES)];
}

static void throw_arguments(struct chance *chance, FILE *f) {
    static const char *const strings[] = {"b", "x y", "Frame"};
    if (below(chance, 3) == 0)
        fprintf(f, " size=%s:%d", below(chance, 2) ? "i32" : "f64",
                (int)below(chance, 12) * 10 - 20);
    if (below(chance, 4) == 0)
        fprintf(f, " who=\"%s\"", strings[below(chance, 3)]);
    if (below(chance, 5) == 0)
        fprintf(f, " k=koid:%u", (unsigned)below(chance, 4) + 9);
    fputc('\n', f);
}

static void throw_event(struct chance *chance, FILE *f, unsigned t) {
    static const char *const simple[] = {"begin", "begin", "end", "instant"};
    static const char *const with_id[] = {"async_begin", "async_instant", "async_end",
                                          "flow_begin",  "flow_step",     "flow_end"};
    unsigned thread = 10 + (unsigned)below(chance, 3), process = 1 + thread % 2;
    const char *category = below(chance, 2) ? "gfx" : "net";
    unsigned dur = below(chance, 4) == 0 ? 0 : (unsigned)below(chance, 90),
             kind = (unsigned)below(chance, 20);
    if (kind < 8)
        fprintf(f, "%s %u %u/%u \"%s\" \"%s\"", simple[kind % 4], t, process, thread, category,
                any_name(chance));
    else if (kind < 11)
        fprintf(f, "complete %u %u/%u \"%s\" \"%s\" end=%u", t, process, thread, category,
                any_name(chance), t + dur);
    else if (kind < 17)
        fprintf(f, "%s %u %u/%u \"%s\" \"%s\" id=%u", with_id[kind - 11], t, process, thread, "gfx",
                names[dur % 3], dur % 4);
    else if (kind == 17)
        fprintf(f, "counter %u %u/%u \"%s\" \"%s\" id=1 size=i32:%u\n", t, process, thread,
                category, any_name(chance), dur);
    else if (kind == 18)
        fprintf(f, "log %u %u/%u \"%s %u\"\n", t, process, thread, any_name(chance), dur % 3);
    else
        fprintf(f, "switch %u %u %u %u %u\n", t, dur % 2, thread, (unsigned)below(chance, 4),
                10 + (thread - 9) % 3);
    if (kind < 14) /* the export does not print the arguments of flows */
        throw_arguments(chance, f);
    else if (kind < 17)
        fputc('\n', f);
}

struct trace *thrown_events(struct chance *chance, unsigned events) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    unsigned t = 1;
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\nkernel_object 2 10 \"ui\" process=koid:1\n"
          "kernel_object 1 1 \"render\"\ninstant 0 1/10 \"gfx\" \"draw\" size=i32:1 who=\"b\" "
          "k=koid:9\n",
          f);
    for (unsigned i = 0; i < events; i++, t += (unsigned)below(chance, 25))
        throw_event(chance, f, t);
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}
