/* suite_flow.c - flows against a list that is searched, as SEMANTICS 7 has it, and against
 * themselves in pieces.
 */
#include "model/store/flow.h"

#include <stdio.h>

#include "model/trace/trace.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

#define MOST 300

/* ---- the reference ---- */

struct known {
    uint64_t id;
    uint32_t process, category;
    bool begun, ended, left, unresolved; /* left: a begin of its own key came */
    bool ended_again;
    uint64_t late; /* the record of its first end after it had ended */
    int64_t ended_at;
    size_t points[MOST], n; /* in `sorted` */
};

static struct flow_point thrown[MOST], sorted[MOST];
static struct known flows[MOST];
static size_t n_points, n_flows;
static bool stay_open;

static uint32_t process_of(uint32_t thread) {
    return thread == NO_THREAD ? NO_PROCESS : thread / 2;
}

static void sort_points(void) {
    for (size_t i = 0; i < n_points; i++) {
        size_t j = i;
        while (j > 0 && sorted[j - 1].at.time > thrown[i].at.time) {
            sorted[j] = sorted[j - 1];
            j--;
        }
        sorted[j] = thrown[i];
    }
}

/* The only open flow of a point's id, and of its category, flows that end now included. NULL with
 * *several set if they are of more than one (process, category). */
static struct known *only(const struct flow_point *p, bool category, bool *several) {
    struct known *found = NULL;
    for (size_t i = 0; i < n_flows; i++) {
        struct known *f = &flows[i];
        if (f->id != p->id || f->left || f->unresolved ||
            (category && f->category != p->category) || (f->ended && f->ended_at != p->at.time))
            continue;
        if (found && (found->process != f->process || found->category != f->category))
            *several = true;
        if (found == NULL || found->ended)
            found = f;
    }
    return *several ? NULL : found;
}

static struct known *own(const struct flow_point *p) {
    for (size_t i = 0; i < n_flows; i++) {
        struct known *f = &flows[i];
        if (f->id == p->id && f->process == process_of(p->thread) && f->category == p->category &&
            !f->left && !f->ended && !f->unresolved)
            return f;
    }
    return NULL;
}

/* The last flow of a point's process, category and id that ended; else the only one of its category
 * and id. */
static struct known *ended_before(const struct flow_point *p) {
    struct known *own_one = NULL, *other = NULL;
    bool several = false;
    for (struct known *f = flows; f < flows + n_flows; f++) {
        if (!f->ended || f->left || f->unresolved || f->id != p->id || f->category != p->category)
            continue;
        several |= other && other->process != f->process;
        other = f;
        own_one = f->process == process_of(p->thread) ? f : own_one;
    }
    if (own_one)
        return own_one;
    return several ? NULL : other;
}

static bool begin_waits(size_t from, size_t i) {
    const struct flow_point *p = &sorted[i];
    for (size_t k = 0; k < n_flows; k++)
        if (flows[k].id == p->id && flows[k].process == process_of(p->thread) &&
            flows[k].category == p->category && !flows[k].left && !flows[k].unresolved &&
            (!flows[k].ended || flows[k].ended_at == p->at.time))
            return i > from;
    return false;
}

static void reference_point(size_t i) {
    const struct flow_point *p = &sorted[i];
    struct known *f = own(p);
    bool several = false;
    if (p->kind == FLOW_BEGIN) {
        if (f)
            f->left = true;
        f = NULL;
    } else {
        if (f == NULL)
            f = only(p, true, &several);
        if (f == NULL && !several)
            f = only(p, false, &several);
        if (f == NULL && !several && (p->kind == FLOW_END || stay_open))
            f = ended_before(p);
    }
    if (f == NULL) {
        f = &flows[n_flows++];
        f->id = p->id;
        f->process = process_of(p->thread);
        f->category = p->category;
        f->begun = p->kind == FLOW_BEGIN;
        f->unresolved = several;
        f->left = !f->begun && p->kind == FLOW_END; /* nothing joins an end */
        f->ended = f->ended_again = false;
        f->n = 0;
    }
    f->points[f->n++] = i;
    if (p->kind == FLOW_END && f->ended && f->ended_at != p->at.time && !stay_open) {
        f->late = f->ended_again ? f->late : p->at.offset;
        f->ended_again = true;
    }
    if (p->kind == FLOW_END && !f->ended) {
        f->ended = true;
        f->ended_at = p->at.time;
    }
}

/* Takes points of one time and id, v[0..n): begins up to one that waits, then steps, then ends. */
static void reference_id(const size_t *v, size_t n) {
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n; to++) {
            if (sorted[v[to]].kind == FLOW_BEGIN && begin_waits(v[from], v[to]))
                break;
            if (sorted[v[to]].kind == FLOW_BEGIN)
                reference_point(v[to]);
        }
        for (enum flow_kind kind = FLOW_STEP; kind <= FLOW_END; kind++)
            for (size_t i = from; i < to; i++)
                if (sorted[v[i]].kind == kind)
                    reference_point(v[i]);
    }
}

/* Takes the points in [from, end) that are left, if the begin at `to` waits: each id by itself. */
static void reference_ids(size_t from, size_t to, size_t end) {
    static bool taken[MOST];
    for (size_t i = from; i < end; i++)
        taken[i] = i < to && sorted[i].kind == FLOW_BEGIN;
    for (size_t first = from; first < end; first++) {
        size_t v[MOST], n = 0;
        for (size_t i = first; i < end && !taken[first]; i++)
            if (!taken[i] && sorted[i].id == sorted[first].id)
                v[n++] = i;
        for (size_t i = 0; i < n; i++)
            taken[v[i]] = true;
        reference_id(v, n);
    }
}

/* Points of one time: begins, steps, ends; a begin of an open flow of its own waits for those of
 * its id before it. */
static void reference(void) {
    n_flows = 0;
    sort_points();
    for (size_t from = 0, end; from < n_points; from = end) {
        size_t to = from;
        bool waits = false, begins = true; /* alone, so far: what is before a begin is taken */
        for (end = from; end < n_points && sorted[end].at.time == sorted[from].at.time; end++)
            ;
        for (; to < end && !waits; to += !waits) {
            begins = begins && sorted[to].kind == FLOW_BEGIN;
            waits = !begins && sorted[to].kind == FLOW_BEGIN && begin_waits(from, to);
            if (sorted[to].kind == FLOW_BEGIN && !waits)
                reference_point(to);
        }
        if (waits)
            reference_ids(from, to, end);
        for (enum flow_kind kind = FLOW_STEP; kind <= FLOW_END && !waits; kind++)
            for (size_t i = from; i < end; i++)
                if (sorted[i].kind == kind)
                    reference_point(i);
    }
}

/* The log returns the entries that were added. */
static void same_point(const struct flows *fast, uint32_t at, int set) {
    const struct flow_point *p = &sorted[at];
    struct flow_point got = flow_point(fast, at);
    MUST(got.at.time == p->at.time && got.at.offset == p->at.offset && got.id == p->id &&
             got.kind == p->kind,
         set);
    MUST(got.thread == p->thread && got.category == p->category && got.name == p->name, set);
    MUST(flow_time(fast, at) == p->at.time && flow_offset(fast, at) == p->at.offset, set);
    MUST(flow_thread(fast, at) == p->thread && flow_name(fast, at) == p->name, set);
}

static void compare(const struct flows *fast, int set) {
    size_t begun = 0, complete = 0, unbegun = 0, unresolved = 0, again = 0;
    uint64_t late[MOST];
    MUST(fast->state.points.n == n_points, set);
    MUST(fast->state.v.n == n_flows, set);
    for (size_t i = 0; i < n_flows; i++) {
        const struct flow *f = &fast->state.v.v[i];
        const struct known *k = &flows[i];
        uint32_t at = f->first, before = NO_POINT, source = NO_POINT;
        bool ended = false;
        MUST(f->points == k->n, set);
        for (size_t j = 0; j < k->n; j++) {
            MUST(at == k->points[j], set);
            const struct flow_link *p = &fast->state.points.v[at];
            bool end = sorted[at].kind == FLOW_END;
            bool later = end && ended && sorted[at].at.time != k->ended_at && !stay_open;
            MUST(p->flow == i && p->before == (later ? NO_POINT : source), set);
            same_point(fast, at, set);
            before = at;
            if (!end)
                source = at;
            ended |= end;
            at = p->after;
        }
        MUST(at == NO_POINT && f->last == before, set);
        MUST(f->begun == k->begun && f->unresolved == k->unresolved, set);
        MUST(flow_complete(f) == (k->begun && k->ended), set);
        begun += k->begun;
        complete += k->begun && k->ended;
        unresolved += k->unresolved;
        unbegun += !k->begun && !k->unresolved;
        if (k->ended_again)
            late[again++] = k->late;
    }
    MUST(fast->state.begun == begun && fast->state.complete == complete, set);
    MUST(fast->state.unbegun == unbegun && fast->state.unresolved == unresolved, set);
    struct problems problems = {0};
    flows_problems(fast, PROBLEM_FLOW_WITHOUT_BEGIN, &problems);
    flows_problems(fast, PROBLEM_FLOW_WITHOUT_END, &problems);
    flows_problems(fast, PROBLEM_FLOW_UNRESOLVED, &problems);
    flows_problems(fast, PROBLEM_FLOW_ENDED_AGAIN, &problems);
    MUST(problems.kinds[PROBLEM_FLOW_ENDED_AGAIN].count == again &&
             fast->state.ended_again == again,
         set);
    for (size_t i = 0; i < again; i++)
        MUST(problem_case(&problems.kinds[PROBLEM_FLOW_ENDED_AGAIN], i)->offset == late[i], set);
    MUST(problems.kinds[PROBLEM_FLOW_WITHOUT_BEGIN].count == unbegun, set);
    MUST(problems.kinds[PROBLEM_FLOW_WITHOUT_END].count == begun - complete, set);
    MUST(problems.kinds[PROBLEM_FLOW_UNRESOLVED].count == unresolved, set);
    problems_free(&problems);
}

static void throw_points(struct chance *c) {
    uint64_t threads = 1 + below(c, 6), categories = 1 + below(c, 3), ids = 1 + below(c, 3);
    uint64_t late = below(c, 3) ? 0 : 1 + below(c, 20), pace = 1 + below(c, 3),
             begins = 1 + below(c, 4);
    int64_t now = -20;
    n_points = 1 + below(c, below(c, 10) ? 30 : MOST);
    for (size_t i = 0; i < n_points; i++) {
        uint64_t kind = below(c, begins + 4);
        now += (int64_t)(below(c, 3) ? 0 : below(c, pace + 1));
        enum flow_kind what = kind < begins ? FLOW_BEGIN : kind < begins + 2 ? FLOW_STEP : FLOW_END;
        thrown[i] = (struct flow_point){.at = {now - (int64_t)below(c, late + 1), (i + 1) * 32},
                                        .id = below(c, ids),
                                        .kind = what,
                                        .thread = (uint32_t)below(c, threads),
                                        .name = (uint32_t)below(c, 3),
                                        .category = (uint32_t)below(c, categories),
                                        .stays_open = stay_open};
        thrown[i].process = process_of(thrown[i].thread);
    }
}

/* follow: at once if it is in order; else it waits for the next flush. */
static void add(struct flows *to, const struct flow_point *p, bool follow) {
    if (!follow && to->state.time_log.state == TIME_LOG_IN_ORDER)
        to->state.time_log.state = TIME_LOG_BLOCKED;
    flows_take(to, p, 1);
}

START_TEST(flows_are_those_of_a_search_through_all) {
    struct chance chance = {31337};
    for (int set = 0; set < 10000; set++) {
        struct flows whole, pieces;
        stay_open = set % 2;
        throw_points(&chance);
        reference();
        flows_init(&whole);
        for (size_t i = 0; i < n_points; i++)
            add(&whole, &thrown[i], false);
        flows_flush(&whole, true, NULL);
        compare(&whole, set);
        flows_free(&whole);
        flows_init(&pieces);
        uint64_t step = 1 + below(&chance, 50);
        bool follow = true;
        for (size_t i = 0; i < n_points; i++) {
            add(&pieces, &thrown[i], follow);
            if (below(&chance, step) == 0) {
                flows_flush(&pieces, below(&chance, 8) == 0, NULL);
                follow = below(&chance, 4) > 0;
            }
        }
        flows_flush(&pieces, true, NULL);
        compare(&pieces, set);
        flows_free(&pieces);
    }
}
END_TEST

SUITE(flow) {
    Suite *s = suite_create("flow");
    TCase *t = tcase_create("flow");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, flows_are_those_of_a_search_through_all);
    suite_add_tcase(s, t);
    return s;
}
