/* details_hot.c - asks for the samples of the selection (hot.h), and names the functions that they
 * were in. */
#include "ui/drawer/details.h"

#include <stdio.h>

#include "model/query/stat/hot.h"
#include "src/base/units.h"
#include "ui/timeline/track_ops.h"

#define SHOWN 3      /* functions of each line */
#define AT_ONCE 2000 /* units in a frame: about 100 us */

struct subject {              /* that samples are asked of */
    uint32_t thread, process; /* as in struct hot */
};

static bool has_samples(struct trace *trace, struct subject of) {
    trace_find_sampled(trace);
    for (uint32_t i = 0; i < trace_thread_count(trace); i++) {
        const struct thread *t = trace_thread(trace, i);
        if (!t->sampled)
            continue;
        bool is = of.thread == NO_THREAD
                      ? t->process == of.process
                      : i == of.thread || trace_sampled_thread(trace, t) == of.thread;
        if (is)
            return true;
    }
    return false;
}

/* The thread of the selected slice, or the thread or process of the current line. False: there is
 * none, or it has no samples. */
static bool find_subject(const struct app *app, struct subject *of) {
    const struct timeline *timeline = &app->timeline;
    const struct track *track = session_track(timeline);
    *of = (struct subject){NO_THREAD, NO_PROCESS};
    if (selection_is_slice(&timeline->selection))
        of->thread = timeline->selection.of;
    else if (selection_any(&timeline->selection) || track == NULL)
        return false;
    else if (track->kind == &track_thread && !track->alone)
        of->thread = track->of;
    else if (track->alone || track->kind == &track_process || track->kind == &track_empty)
        of->process = track->process;
    return (of->thread != NO_THREAD || of->process != NO_PROCESS) && has_samples(app->trace, *of);
}

/* The stretch of a slice, and its name if it is a frame. */
static void ask_about_slice(struct app *app, struct hot *hot, const struct slice *s) {
    struct trace *trace = app->trace;
    range_set_time(&hot->range, trace, s->start, trace_slice_end(trace, hot->thread, s));
    if (trace_thread(trace, hot->thread)->sampled)
        hot->inside = trace_packed_name(trace, s->begin_word);
}

/* NULL: there are no samples. */
static struct answer *ask(struct app *app) {
    struct answer *answer = &app->drawer.hot;
    const struct selection *now = &app->timeline.selection;
    struct subject of;
    if (!find_subject(app, &of))
        return NULL;
    bool slice = selection_is_slice(now);
    uint64_t about = (uint64_t)of.thread << 32 | of.process,
             question = hash_words(about, slice ? hash_words((uint64_t)now->time, now->offset)
                                                : hash_words(app->range.serial, 1));
    if (answer_is_of(answer, app->trace, question))
        return answer;
    struct hot *hot = answer_ask(answer, &hot_ops, app->trace, question);
    *hot = (struct hot){
        .trace = app->trace, .thread = of.thread, .process = of.process, .inside = UINT32_MAX};
    if (slice)
        ask_about_slice(app, hot, session_slice(app->trace, &app->timeline));
    else
        range_copy(&hot->range, session_range(app));
    return answer;
}

bool details_hot_step(struct app *app) {
    struct answer *answer = app->drawer.open && app->drawer.tab == DRAWER_DETAILS ? ask(app) : NULL;
    return answer && session_work(app, answer);
}

/* "62% leaf < heavy < main" */
static void say_function(struct drawer_text *p, const struct hot_function *f, struct sum part,
                         struct sum whole) {
    struct trace *trace = p->app->trace;
    char share[32];
    drawer_text_say(p, ROLE_VALUE, sum_share_text(sum_share(part, whole), share));
    drawer_text_say(p, ROLE_TEXT, " ");
    drawer_text_value(p, ROLE_TEXT, trace_name(trace, f->name));
    for (uint32_t i = 0; i < f->ncallers; i++) {
        drawer_text_say(p, ROLE_DIM, " < ");
        drawer_text_value(p, ROLE_DIM, trace_name(trace, f->callers[i]));
    }
    drawer_text_say(p, ROLE_DIM, "  ");
}

void details_hot(struct drawer_text *p) {
    struct answer *answer = ask(p->app);
    char text[64], n[32];
    if (answer == NULL)
        return;
    if (!answer->done)
        answer_step(answer, TASK_OF(AT_ONCE));
    if (!answer->done) { /* the job does the rest */
        drawer_text_say(p, ROLE_DIM, "time went: counting");
        drawer_text_next_line(p);
        return;
    }
    const struct hot *hot = answer->shown;
    if (hot->on.samples > 0) {
        snprintf(text, sizeof text,
                 "%s sample%s: ", units_count(hot->on.samples, p->app->grid.ascii, n),
                 hot->on.samples == 1 ? "" : "s");
        drawer_text_say(p, ROLE_DIM, text);
        for (size_t i = 0; i < hot->on.v.n && i < SHOWN; i++)
            say_function(p, &hot->on.v.v[i], sum_from((int64_t)hot->on.v.v[i].samples),
                         sum_from((int64_t)hot->on.samples));
        drawer_text_next_line(p);
    }
    if (sum_cmp(hot->off.time, sum_from(0)) > 0) {
        snprintf(text, sizeof text,
                 "off CPU %s: ", units_duration(sum_ns(hot->off.time), p->app->grid.ascii, n));
        drawer_text_say(p, ROLE_DIM, text);
        for (size_t i = 0; i < hot->off.v.n && i < SHOWN; i++)
            say_function(p, &hot->off.v.v[i], hot->off.v.v[i].off, hot->off.time);
        drawer_text_next_line(p);
    }
}
