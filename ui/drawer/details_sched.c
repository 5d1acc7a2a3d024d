/* details_sched.c - the details of scheduling: a state of a thread, a run on a CPU, and how a
 * thread spent a stretch of time. */
#include <inttypes.h>
#include <stdio.h>

#include "model/query/detail.h"
#include "model/store/sched_life.h"
#include "src/base/units.h"
#include "ui/drawer/details.h"
#include "ui/drawer/details_preempted.h"

#define WAKERS 6 /* named one by one */

struct state_waker {
    uint64_t koid, times;
    struct str name;
};

struct state_tally { /* how a thread spent [from, to) */
    struct trace *trace;
    const struct sched_thread *thread;
    int64_t from, to;
    int64_t sums[SCHED_RUNNING + 1]; /* ns by state */
    uint64_t wakeups;
    struct state_waker wakers[WAKERS + 1]; /* the last entry is for all others */
};

static void state_word(struct drawer_text *p, const char *name, uint32_t state) {
    char text[24];
    snprintf(text, sizeof text, "state %" PRIu32, state);
    drawer_text_say(p, ROLE_VALUE, name ? name : text);
}

static void add_waker(struct state_waker v[WAKERS + 1], uint64_t koid, struct str name) {
    size_t i = 0;
    while (i < WAKERS && v[i].times > 0 && v[i].koid != koid)
        i++;
    v[i].koid = koid; /* the last entry is for all others */
    v[i].name = name;
    v[i].times++;
}

/* "main 2107" as in other lines of the drawer: a count before it shall not seem to count the
 * number. */
static void say_waker(struct drawer_text *p, uint64_t koid, struct str name) {
    char text[32];
    snprintf(text, sizeof text, "%s%" PRIu64, name.n > 0 ? " " : "", koid);
    drawer_text_value(p, ROLE_TEXT, name);
    drawer_text_say(p, ROLE_DIM, text);
}

static void say_wakers(struct drawer_text *p, const struct state_waker v[WAKERS + 1],
                       uint64_t wakeups) {
    char text[64];
    snprintf(text, sizeof text, wakeups == 1 ? "  woken" : "  woken %" PRIu64 " times:", wakeups);
    drawer_text_say(p, ROLE_DIM, text);
    for (size_t i = 0; i <= WAKERS && v[i].times > 0; i++) {
        const char *separator = i > 0 ? ", " : " ";
        if (wakeups == 1)
            snprintf(text, sizeof text, " by ");
        else
            snprintf(text, sizeof text, "%s%" PRIu64 " by ", separator, v[i].times);
        drawer_text_say(p, ROLE_DIM, text);
        if (i == WAKERS) {
            drawer_text_say(p, ROLE_DIM, "others");
        } else if (v[i].koid == 0) {
            drawer_text_say(p, ROLE_DIM, "an unknown waker");
        } else {
            say_waker(p, v[i].koid, v[i].name);
        }
    }
}

static void add_state(struct state_tally *tally, uint32_t i) {
    const struct sched_thread *t = tally->thread;
    const struct slice *s = lane_at(&t->lane, i);
    int64_t a = s->start > tally->from ? s->start : tally->from,
            b = slice_end(s) < tally->to ? slice_end(s) : tally->to;
    struct detail d;
    struct detail_argument arg;
    uint32_t state = sched_life_state(t, i);
    if (b > a && state <= SCHED_RUNNING && !sched_damaged(t, i))
        tally->sums[state] += b - a;
    if (!sched_woken(t, i) || s->start < tally->from)
        return;
    tally->wakeups++;
    bool known = detail_open(&d, tally->trace, slice_offset(s)) && detail_find(&d, "waker", &arg) &&
                 arg.type == FXT_ARG_KOID;
    add_waker(tally->wakers, known ? arg.bits : 0, known ? arg.object : STR(""));
}

#define AT_ONCE 2000 /* units in a frame: about 100 us */
#define STATE_UNITS 1
#define WAKER_UNITS 8 /* of decoding the record of a wakeup */

static void make(struct task *task, void *data) {
    struct state_tally *tally = data;
    const struct sched_thread *t = tally->thread;
    uint32_t i = lane_before(&t->lane, tally->from), stop = lane_from(&t->lane, tally->to);
    for (i = i == UINT32_MAX ? 0 : i; i < stop; i++) {
        add_state(tally, i);
        if (!task_spend(task, sched_woken(t, i) ? WAKER_UNITS : STATE_UNITS))
            return;
    }
}

static const struct answer_ops ops = {sizeof(struct state_tally), make, NULL};

/* Asks for the sums of the states of a thread in [from, to), unless they are known. */
static struct answer *ask_states(struct app *app, const struct sched_thread *t, int64_t from,
                                 int64_t to) {
    struct answer *answer = &app->drawer.states;
    uint64_t question = hash_words(t->thread, hash_words((uint64_t)from, (uint64_t)to));
    if (!answer_is_of(answer, app->trace, question)) {
        struct state_tally *tally = answer_ask(answer, &ops, app->trace, question);
        *tally = (struct state_tally){.trace = app->trace, .thread = t, .from = from, .to = to};
    }
    return answer;
}

/* False if the thread was in no state that has a length. */
static bool say_states(struct drawer_text *p, const int64_t sums[SCHED_RUNNING + 1], int64_t all) {
    static const uint8_t order[] = {SCHED_RUNNING,
                                    SCHED_RUNNABLE,
                                    SCHED_BLOCKED,
                                    SCHED_SUSPENDED,
                                    SCHED_NEW,
                                    SCHED_DYING,
                                    SCHED_DEAD,
                                    6,
                                    7,
                                    8,
                                    9,
                                    10,
                                    11,
                                    12,
                                    13,
                                    14,
                                    15};
    char dur[32], text[64];
    bool any = false;
    for (size_t k = 0; k < sizeof order; k++) {
        if (sums[order[k]] == 0)
            continue;
        drawer_text_say(p, ROLE_DIM, any ? "  " : "state: ");
        state_word(p, trace_state_name(p->app->trace, order[k]), order[k]);
        snprintf(text, sizeof text, " %s %d%%",
                 units_duration(sums[order[k]], p->app->grid.ascii, dur),
                 (int)((double)sums[order[k]] / (double)all * 100 + 0.5));
        drawer_text_say(p, ROLE_TEXT, text);
        any = true;
    }
    return any;
}

bool details_states_step(struct app *app) {
    const struct selection *now = &app->timeline.selection;
    const struct slice *s =
        selection_is_slice(now) ? session_slice(app->trace, &app->timeline) : NULL;
    const struct sched_thread *t = s ? sched_thread(trace_sched(app->trace), now->of) : NULL;
    if (!app->drawer.open || app->drawer.tab != DRAWER_DETAILS || t == NULL)
        return false;
    int64_t end = trace_slice_end(app->trace, now->of, s);
    return session_work(app, ask_states(app, t, s->start, end));
}

/* "state: running 0.2 ms 2%  blocked 8.2 ms 93%  woken by io" */
void details_states(struct drawer_text *p, uint32_t thread, int64_t from, int64_t to) {
    struct app *app = p->app;
    const struct sched_thread *t = sched_thread(trace_sched(app->trace), thread);
    if (t == NULL || to <= from)
        return;
    struct answer *answer = ask_states(app, t, from, to);
    answer_step(answer, TASK_OF(AT_ONCE));
    if (!answer->done) { /* the job does the rest */
        drawer_text_say(p, ROLE_DIM, "state: counting");
        drawer_text_next_line(p);
        return;
    }
    const struct state_tally *tally = answer->shown;
    bool any = say_states(p, tally->sums, to - from);
    if (tally->wakeups > 0)
        say_wakers(p, tally->wakers, tally->wakeups);
    if (any || tally->wakeups > 0)
        drawer_text_next_line(p);
}

void details_state(struct drawer_text *p) {
    struct app *app = p->app;
    const struct slice *s = session_slice(app->trace, &app->timeline);
    struct detail d;
    struct detail_argument a;
    const struct sched_thread *t =
        sched_thread(trace_sched(app->trace), app->timeline.selection.of);
    uint32_t state = sched_life_state(t, app->timeline.selection.i);
    state_word(p, trace_state_name(app->trace, state), state);
    details_thread(p);
    drawer_text_next_line(p);
    details_duration(p, s);
    if (sched_damaged(t, app->timeline.selection.i))
        details_not_counted(p, s, 0);
    drawer_text_next_line(p);
    details_preempted(p, t, app->timeline.selection.i);
    if (sched_woken(t, app->timeline.selection.i) &&
        detail_open(&d, app->trace, app->timeline.selection.offset)) {
        drawer_text_say(p, ROLE_DIM, "woken");
        if (detail_find(&d, "waker", &a) && a.type == FXT_ARG_KOID) {
            drawer_text_say(p, ROLE_DIM, " by ");
            say_waker(p, a.bits, a.object);
        }
        drawer_text_next_line(p);
    }
    details_around(p);
    drawer_text_arguments(p, app->timeline.selection.offset, "args: ", false);
    details_record(p);
}

void details_run(struct drawer_text *p) {
    struct app *app = p->app;
    const struct slice *s = session_slice(app->trace, &app->timeline);
    struct detail d;
    struct detail_argument a;
    char text[64], buf[64];
    const struct sched_cpu *cpu = sched_cpu(trace_sched(app->trace), app->timeline.selection.of);
    uint32_t flags = sched_flags(cpu, app->timeline.selection.i);
    snprintf(text, sizeof text, "cpu %u", cpu->number);
    drawer_text_say(p, ROLE_HEADER, text);
    details_thread(p);
    if (flags & SCHED_OF_IDLE)
        drawer_text_say(p, ROLE_DIM, "  idle");
    drawer_text_next_line(p);
    details_duration(p, s);
    if (trace_damaged_run(app->trace, &cpu->lane, app->timeline.selection.i))
        details_not_counted(p, s, 0);
    if (flags & SCHED_KNOWN) {
        drawer_text_say(p, ROLE_DIM, "  left ");
        state_word(p, sched_state_name(flags & SCHED_LEFT), flags & SCHED_LEFT);
    } else if (!slice_open(s)) {
        drawer_text_say(p, ROLE_WARN, "  the switch that ended it names another thread");
    }
    if (detail_open(&d, app->trace, app->timeline.selection.offset)) {
        bool first = flags & SCHED_FIRST;
        const char *weight = detail_priority(&d, first, &a);
        if (weight) {
            drawer_text_say(p, ROLE_DIM, "  ");
            drawer_text_say(p, ROLE_DIM, weight);
            drawer_text_say(p, ROLE_DIM, " ");
            drawer_text_value(p, d.record.kind == FXT_K_SWITCH_LEGACY ? ROLE_DIM : ROLE_VALUE,
                              detail_value(&a, buf));
        }
    }
    drawer_text_next_line(p);
    details_around(p);
    details_record(p);
}
