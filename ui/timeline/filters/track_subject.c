/* track_subject.c - a track as the subject of a filter: the texts of its gutter, and the events on
 * it. */
#include "ui/timeline/filters/track_subject.h"

#include <inttypes.h>
#include <stdio.h>

#include "model/query/filter/filter_track.h"
#include "ui/timeline/track_ops.h"

#define GUTTER_TEXT 140

struct gutter_texts { /* of a track: its name, name and number, and those of its process */
    char name[96], process[40], with_tid[GUTTER_TEXT], with_pid[GUTTER_TEXT];
};

/* "cc1" and 18426 as "cc1 18426", as the gutter shows it. */
static struct str with_number(struct str name, uint64_t number, char out[GUTTER_TEXT]) {
    snprintf(out, GUTTER_TEXT, "%.*s %" PRIu64, (int)name.n, name.s ? name.s : "", number);
    return str_of(out);
}

static struct filter_track subject_of(struct trace *trace, const struct track *track,
                                      struct gutter_texts *buf) {
    struct filter_track s = {
        .n = 1, .thread = NO_THREAD, .process = track->process, .cpu = -1, .events = true};
    bool named;
    s.texts[0] = track_list_name(trace, track, buf->name);
    if (track->kind->thread) {
        const struct thread *t = trace_thread(trace, track->of);
        s.thread = track->of;
        s.texts[s.n++] = with_number(s.texts[0], t->id.tid, buf->with_tid);
    }
    if (track->kind == &track_cpu) {
        s.runs = sched_cpu(trace_sched(trace), track->of);
        s.cpu = s.runs->number;
    }
    if (!track->kind->single && track->process < trace_process_count(trace)) {
        const struct process *p = trace_process(trace, track->process);
        struct str name = trace_process_name(trace, p, buf->process, &named);
        s.texts[s.n++] = name;
        s.texts[s.n++] = with_number(name, p->pid, buf->with_pid);
    }
    return s;
}

bool track_subject_matches(struct trace *trace, const struct track *track,
                           const struct filter *filter, const struct search *events, bool known) {
    struct gutter_texts buf;
    struct filter_track subject = subject_of(trace, track, &buf);
    if (events && known) {
        subject.events = false;
        for (size_t e = 0; track->kind->events[e] && !subject.events; e++) {
            uint32_t searched;
            subject.events =
                selection_searched(trace, track->kind->events[e], track->of, &searched) &&
                search_has(events, searched);
        }
    }
    return filter_track_holds(filter, trace, &subject);
}

struct filter *track_subject_filter(struct app *app, const char *text) {
    struct err err;
    struct filter *filter = *text ? filter_new(text, false, &err) : NULL;
    if (*text && filter == NULL)
        session_say(app, true, "%s", err.text);
    return filter;
}
