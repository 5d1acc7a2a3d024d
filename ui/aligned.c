/* aligned.c - finds the trace of several whose place on the timeline is a guess, or far away.
 *
 * It waits until all is read, as the spans of traces are known then, and until no other message is
 * shown. */
#include "ui/aligned.h"

#include "src/base/text.h"
#include "src/base/units.h"

#define FAR_LENGTHS 10 /* of both, between two traces */

/* The distance of two stretches; 0: they touch. */
static int64_t between(int64_t from, int64_t to, int64_t other_from, int64_t other_to) {
    if (from > other_to)
        return units_since(other_to, from);
    return other_from > to ? units_since(to, other_from) : 0;
}

static bool is_far(const struct trace *trace, size_t file, int64_t *away) {
    int64_t from, to, zero, last;
    if (!trace_file_span(trace, file, &from, &to) ||
        !trace_file_span(trace, trace_reference(trace), &zero, &last))
        return false;
    int64_t lengths = units_sum(units_since(from, to), units_since(zero, last));
    *away = between(from, to, zero, last);
    return *away / FAR_LENGTHS > lengths;
}

static void say(struct app *app, size_t file, int64_t away) {
    const struct trace *trace = app->trace;
    char name[48], reference[48], ns[32];
    unsigned flags = app->grid.ascii ? TEXT_ASCII : 0;
    text_plain(name, sizeof name, str_of(trace_file_name(trace, file)), flags);
    text_plain(reference, sizeof reference, str_of(trace_file_name(trace, trace_reference(trace))),
               flags);
    if (away > 0)
        session_say(app, false, "%s is %s away from %s: --align=begin, or :offset %s TIME moves it",
                    name, units_duration(away, app->grid.ascii, ns), reference, name);
    else
        session_say(app, false, "%s and %s: %s: :offset %s TIME moves it", reference, name,
                    align_text(trace_aligned(trace, file)->method), name);
}

void aligned_say(struct app *app) {
    const struct trace *trace = app->trace;
    if (trace_files(trace) == 1 || trace_state(trace) != TRACE_COMPLETE || app->aligned ||
        app->message.text[0])
        return;
    app->aligned = true;
    for (size_t i = 0; i < trace_files(trace); i++) {
        int64_t away = 0;
        if (align_is_guess(trace_aligned(trace, i)->method) || is_far(trace, i, &away)) {
            say(app, i, away);
            return;
        }
    }
}
