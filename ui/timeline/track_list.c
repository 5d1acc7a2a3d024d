/* track_list.c - makes the list of tracks.
 *
 * track_list_update() sorts the processes, chains the tracks of each kind by process (struct
 * track_members), and then adds header after header with its tracks. The user's wishes are kept by
 * number and so survive: folding, depth, pins, stacks. A process with nothing to show is folded
 * unless the user unfolds it, and comes last. */
#include "ui/timeline/track_list.h"

#include <assert.h>
#include <string.h>

#include "model/query/process_label.h"
#include "model/trace/trace_life.h"
#include "src/base/lower_bound.h"
#include "src/base/units.h"
#include "ui/timeline/track_ops.h"

#define DEFAULT_DEPTH 8
#define ALL_HOSTS UINT32_MAX /* of a trace that has no headers of hosts */

enum fold { FOLD_DEFAULT, FOLD_YES, FOLD_NO };

void track_list_init(struct track_list *list) {
    *list =
        (struct track_list){.default_depth = DEFAULT_DEPTH,
                            .least_depth = DEFAULT_DEPTH,
                            .depth = err_calloc(track_ops_count(), sizeof(struct track_list_depth)),
                            .curve = 2,
                            .version = UINT64_MAX};
}

bool track_list_wished(const struct track_list *list, uint32_t process) {
    size_t i = track_known_place(process);
    return i < list->folded.n && list->folded.v[i] != FOLD_DEFAULT;
}

bool track_list_folded(const struct track_list *list, uint32_t process) {
    size_t i = track_known_place(process);
    uint8_t wanted = i < list->folded.n ? list->folded.v[i] : FOLD_DEFAULT;
    if (wanted == FOLD_DEFAULT && process == LIST_CPUS)
        return list->set == LIST_ALL;
    return wanted == FOLD_YES || (wanted == FOLD_DEFAULT && i < list->empty.n && list->empty.v[i]);
}

#define NESTED_LOOKED 64 /* ancestors */

/* The process that is shown and whose fold hides this one, or NO_PROCESS. */
static uint32_t folded_above(const struct track_list *list, uint32_t process) {
    for (int i = 0; i < NESTED_LOOKED && list->order == ORDER_BY_INTEREST; i++) {
        process = process_tree_parent(&list->known.tree, process);
        if (process >= list->nested.n)
            break;
        if (list->nested.v[process] > 0 && track_list_wished(list, process) &&
            track_list_folded(list, process))
            return process;
    }
    return NO_PROCESS;
}

bool track_list_has_below(const struct track_list *list, uint32_t process) {
    for (size_t i = 0; i < list->tracks.n; i++) {
        uint32_t other = list->tracks.v[i].process;
        if (other < LIST_CPUS - LIST_HOSTS &&
            process_tree_parent(&list->known.tree, other) == process)
            return list->order == ORDER_BY_INTEREST;
    }
    return false;
}

void track_list_fold(struct track_list *list, uint32_t process, bool folded) {
    size_t i = track_known_place(process);
    uint32_t above = process;
    for (int k = 0; k < NESTED_LOOKED && !folded; k++) {
        above = process_tree_parent(&list->known.tree, above);
        if (track_list_wished(list, above) && above != NO_PROCESS)
            list->folded.v[track_known_place(above)] = FOLD_NO;
    }
    while (list->folded.n <= i)
        vec_push(&list->folded, FOLD_DEFAULT);
    list->folded.v[i] = folded ? FOLD_YES : FOLD_NO;
    list->version = UINT64_MAX;
}

/* The lives of all threads, and which of them are gone. */
static bool look_at_lives(struct track_list *list, struct trace *trace) {
    size_t n = trace_thread_count(trace);
    track_life_update(&list->lives, trace);
    vec_reserve(&list->presence, n);
    while (list->presence.n < n)
        list->presence.v[list->presence.n++] = PRESENCE_SEEN;
    return track_gone_decide(&list->window, &list->lives, trace, list->presence.v);
}

bool track_list_decide(struct track_list *list, struct trace *trace,
                       const struct track_gone_window *window, const struct track *current) {
    uint32_t stays = current && current->kind != &track_ended ? current->process : LIST_CPUS;
    uint32_t thread = track_list_thread(current);
    bool others = (stays != list->stays || thread != list->stays_thread) && list->gone.n > 0;
    bool first = list->window.from >= list->window.to; /* nothing was folded so far */
    list->window = *window;
    list->stays = stays;
    list->stays_thread = thread;
    if (!look_at_lives(list, trace) && !others && !first && list->opened.n == 0)
        return false;
    list->opened.n = 0;
    list->version = UINT64_MAX;
    return true;
}

bool track_list_open(struct track_list *list, uint32_t process) {
    size_t i = track_known_place(process);
    while (list->opened.n <= i)
        vec_push(&list->opened, false);
    if (list->opened.v[i])
        return false;
    list->opened.v[i] = true;
    list->version = UINT64_MAX;
    return true;
}

void track_list_open_line(struct track_list *list, const struct track *line) {
    const struct track_gone *gone = &list->gone.v[line->of];
    for (uint32_t i = 0; i < gone->n; i++)
        track_list_open(list, list->gone_processes.v[gone->first + i]);
}

void track_list_set_depth(struct track_list *list, const struct track_ops *kind, uint32_t of,
                          uint32_t depth) {
    struct track_list_depth *depths = &list->depth[track_ops_index(kind)];
    while (depths->v.n <= of)
        vec_push(&depths->v, 0);
    depths->v.v[of] = depth;
    list->version = UINT64_MAX;
}

void track_list_set_depth_of_all(struct track_list *list, uint32_t depth) {
    for (size_t k = 0; track_ops[k]; k++)
        if (track_ops[k]->rows)
            list->depth[k].v.n = 0;
    list->depth_of_all = depth;
    list->version = UINT64_MAX;
}

bool track_list_stacked(const struct track_list *list, uint32_t leader) {
    return leader < list->stacked.n && list->stacked.v[leader];
}

void track_list_stack(struct track_list *list, uint32_t leader, bool stacked) {
    while (list->stacked.n <= leader)
        vec_push(&list->stacked, false);
    list->stacked.v[leader] = stacked;
    list->version = UINT64_MAX;
}

void track_list_show_more(struct track_list *list, uint32_t process, bool shown) {
    size_t i = track_known_place(process);
    while (list->more.n <= i)
        vec_push(&list->more, false);
    list->more.v[i] = shown;
    list->version = UINT64_MAX;
}

bool track_list_shows_more(const struct track_list *list, uint32_t process) {
    size_t i = track_known_place(process);
    return i < list->more.n && list->more.v[i];
}

bool track_list_is_pinned(const struct track_list *list, const struct track_ops *kind,
                          uint32_t of) {
    return list->pins.n > 0 && u64map_get(&list->pinned_of, track_ops_key(kind, of)) == 1;
}

bool track_list_pin(struct track_list *list, const struct track_ops *kind, uint32_t of) {
    bool pinned = track_list_is_pinned(list, kind, of);
    size_t i = 0;
    list->version = UINT64_MAX;
    u64map_set(&list->pinned_of, track_ops_key(kind, of), !pinned);
    if (!pinned) {
        vec_push(&list->pins, ((struct track_list_pin){kind, of}));
        return true;
    }
    while (list->pins.v[i].kind != kind || list->pins.v[i].of != of)
        i++;
    memmove(list->pins.v + i, list->pins.v + i + 1, (list->pins.n - i - 1) * sizeof *list->pins.v);
    list->pins.n--;
    return false;
}

/* ---- names ---- */

struct str track_list_name(struct trace *trace, const struct track *track, char buf[96]) {
    return track->kind->name ? track->kind->name(trace, track, buf) : str_of(track->kind->title);
}

/* ---- tracks ---- */

bool track_list_shows(const struct track_list *list, const struct track_ops *kind) {
    return list->set == LIST_ALL || (kind->sets >> list->set & 1);
}

uint32_t track_list_own_depth(const struct track_list *list, const struct track *track) {
    const struct track_list_depth *depths = &list->depth[track_ops_index(track->kind)];
    return track->of < depths->v.n ? depths->v.v[track->of] : 0;
}

uint32_t track_list_depth(const struct track_list *list, const struct track *track,
                          uint32_t otherwise) {
    uint32_t own = track_list_own_depth(list, track);
    if (own)
        return own;
    return track->kind->rows && list->depth_of_all ? list->depth_of_all : otherwise;
}

void track_list_measure(const struct track_list *list, struct track *track, uint32_t lanes,
                        uint32_t most) {
    most = track_list_depth(list, track, most);
    uint32_t shown = lanes < most ? lanes : most;
    track->height = shown + track->strip;
    track->deeper = lanes - shown;
}

/* Makes a track in the place after the last one, without its top line; height 0: it is not
 * shown. */
static struct track *make(struct track_list *list, struct trace *trace,
                          const struct track_ops *kind, uint32_t process, uint32_t of) {
    vec_reserve(&list->tracks, list->tracks.n + 1);
    struct track *track = &list->tracks.v[list->tracks.n];
    *track = (struct track){.kind = kind, .process = process, .of = of, .height = 1};
    if (kind->measure)
        kind->measure(list, trace, track);
    return track;
}

/* Adds the track that was made. */
static void keep(struct track_list *list, struct track *track) {
    track->top = list->lines;
    list->lines += track->height;
    list->tracks.n += track->height > 0;
}

static bool hides(const struct track_list *list) {
    return list->match && list->others == LIST_HIDDEN;
}

bool track_list_matches(const struct track_list *list, struct trace *trace,
                        const struct track *track) {
    return list->match == NULL || list->match(list->match_ctx, trace, track);
}

static bool wanted(const struct track_list *list, struct trace *trace, const struct track *track) {
    return !track_list_is_pinned(list, track->kind, track->of) &&
           (!hides(list) || track_list_matches(list, trace, track));
}

/* ---- the list ---- */

static bool is_member(const struct track_ops *kind) {
    return kind->process && !kind->thread;
}

/* Whether a track is of a host; that of a process is. */
static bool is_on(struct trace *trace, const struct track_ops *kind, uint32_t of, uint32_t process,
                  uint32_t host) {
    uint32_t world = kind->world && host != ALL_HOSTS ? kind->world(trace, of) : 0;
    return process != NO_PROCESS || host == ALL_HOSTS || world == host;
}

/* Whether one of the tracks of a process is of a host. */
static bool any_member(const struct track_list *list, struct trace *trace,
                       const struct track_members *all, uint32_t process, uint32_t host) {
    for (size_t k = 0; list->known.any && track_ops[k]; k++) {
        if (all[k].next.n == 0 || !track_list_shows(list, track_ops[k]))
            continue;
        for (uint32_t i = all[k].first.v[track_known_place(process)]; i; i = all[k].next.v[i - 1])
            if (is_on(trace, track_ops[k], i - 1, process, host))
                return true;
    }
    return false;
}

static bool is_shown(const struct track_list *list, struct trace *trace,
                     const struct track_ops *kind, uint32_t of) {
    return kind->shown == NULL || kind->shown(list, trace, of);
}

static void add_wanted(struct track_list *list, struct trace *trace, const struct track_ops *kind,
                       uint32_t process, uint32_t of) {
    struct track *track = make(list, trace, kind, process, of);
    if (wanted(list, trace, track))
        keep(list, track);
}

static void add_members(struct track_list *list, struct trace *trace,
                        const struct track_members *all, const struct track_group *group,
                        bool counters) {
    uint32_t process = group->process;
    for (size_t k = 0; list->known.any && track_ops[k]; k++) {
        if (all[k].next.n == 0 || !track_list_shows(list, track_ops[k]) ||
            (!counters && track_ops[k] == &track_counter))
            continue;
        for (uint32_t i = all[k].first.v[track_known_place(process)]; i; i = all[k].next.v[i - 1])
            if (is_shown(list, trace, track_ops[k], i - 1) &&
                is_on(trace, track_ops[k], i - 1, process, group->host) &&
                (counters || track_ops[k] != &track_async || !process_label_life(trace, i - 1)))
                add_wanted(list, trace, track_ops[k], process, i - 1);
    }
}

/* Ends the tracks of a header. Folded ones were added only to see whether one matches; without any
 * the header goes, too, if the filter hides tracks. */
static void end_group(struct track_list *list, size_t header, bool folded) {
    if (list->tracks.n == header + 1 && hides(list) && !list->tracks.v[header].alone) {
        list->tracks.n = header;
        list->lines--;
    } else if (folded && list->tracks.n > header + 1) {
        list->tracks.n = header + 1;
        list->lines = list->tracks.v[header].top + 1;
    }
}

static bool group_shows(const struct track_list *list, struct trace *trace,
                        const struct track_members *all, const struct track_group *group) {
    if (any_member(list, trace, all, group->process, group->host))
        return true;
    for (size_t i = 0; i < group->n; i++)
        if (is_shown(list, trace, &track_thread, group->threads[i]))
            return true;
    return false;
}

/* ---- quiet threads ---- */

/* Quiet threads of this process are folded: not if the user opened it, or while a filter chooses
 * tracks. */
static bool folds_quiet(const struct track_list *list, uint32_t process) {
    size_t i = track_known_place(process);
    return list->match == NULL && !(i < list->opened.n && list->opened.v[i]);
}

/* Any track of the process but threads and its life has something in the window; if
 * its threads have ended, that is not asked. */
static bool others_present(const struct track_list *list, struct trace *trace,
                           const struct track_members *all, const struct track_group *group) {
    if (group->n > 0 && list->presence.v[group->threads[0]] <= PRESENCE_SHORT &&
        list->lives.v.v[group->threads[0]].scheduled)
        return false;
    for (size_t k = 0; list->known.any && track_ops[k]; k++) {
        if (all[k].next.n == 0 || track_ops[k]->within == NULL)
            continue;
        for (uint32_t i = all[k].first.v[track_known_place(group->process)]; i;
             i = all[k].next.v[i - 1])
            if (track_ops[k]->within(trace, i - 1, list->window.from, list->window.to) &&
                (track_ops[k] != &track_async || !process_label_life(trace, i - 1)))
                return true;
    }
    return false;
}

static bool folds_process(const struct track_list *list, uint32_t process) {
    return folds_quiet(list, process) && process != list->stays;
}

static void add_quiet(struct track_list *list, const struct track_group *group,
                      struct track_gone *line) {
    track_gone_add_threads(line, &list->lives, list->presence.v, group->threads, group->n);
    vec_push(&list->quiet_processes, group->process);
}

/* Adds a process to the line of quiet ones, if it is one. */
static bool add_to_line(struct track_list *list, struct trace *trace,
                        const struct track_members *all, const struct track_group *group,
                        struct track_gone *line) {
    if (!folds_process(list, group->process) ||
        !track_gone_together(list->presence.v, group->threads, group->n) ||
        others_present(list, trace, all, group))
        return false;
    add_quiet(list, group, line);
    return true;
}

/* Adds a line for the last n processes of gone_processes. */
static void add_line(struct track_list *list, struct trace *trace, struct track_gone *line,
                     uint32_t n) {
    line->n = n;
    line->first = (uint32_t)list->gone_processes.n - n;
    uint32_t process = list->gone_processes.v[line->first];
    keep(list, make(list, trace, &track_ended, process, (uint32_t)list->gone.n));
    vec_push(&list->gone, *line);
}

/* Adds the line of quiet processes. */
static void end_line(struct track_list *list, struct trace *trace, struct track_gone *line) {
    if (list->quiet_processes.n == 0)
        return;
    for (size_t i = 0; i < list->quiet_processes.n; i++)
        vec_push(&list->gone_processes, list->quiet_processes.v[i]);
    line->processes = true;
    add_line(list, trace, line, (uint32_t)list->quiet_processes.n);
}

static bool is_derived(const struct track_list *list, uint32_t thread) {
    return list->lives.shapes.v[thread].derived;
}

/* Whether a row of samples has any in the window. */
static bool is_within(const struct track_list *list, uint32_t thread) {
    const struct track_life *life = &list->lives.v.v[thread];
    return list->window.from >= list->window.to ||
           (life->begin < list->window.to && life->end >= list->window.from);
}

/* samples: their rows, too. Returns the number of threads that have nothing to show. */
static uint32_t add_threads(struct track_list *list, struct trace *trace,
                            const struct track_group *group, bool samples) {
    uint32_t empty = 0;
    struct track_gone line = {0};
    bool folds = folds_quiet(list, group->process);
    const uint32_t *order = track_many_order(&list->many, list->order, trace, &list->lives, group);
    order = track_moved_order(&list->moved, true, group->process, order, group->n);
    for (size_t i = 0; i < group->n; i++) {
        bool stays = !folds || order[i] == list->stays_thread;
        if (is_derived(list, order[i]) && (!samples || (!stays && !is_within(list, order[i]))))
            continue;
        if (!is_shown(list, trace, &track_thread, order[i]))
            empty++;
        else if (!stays && track_list_quiet(list, order[i]))
            track_gone_add(&line, &list->lives.v.v[order[i]],
                           (enum track_presence)list->presence.v[order[i]]);
        else
            add_wanted(list, trace, &track_thread, group->process, order[i]);
    }
    if (line.threads > 0) {
        vec_push(&list->gone_processes, group->process);
        add_line(list, trace, &line, 1);
    }
    return empty;
}

/* The only thread that a process shows, with no quiet ones, takes the place of the header. Rows of
 * samples may follow. */
static void join_header(struct track_list *list, size_t header) {
    struct track *track = list->tracks.v + header;
    size_t n = list->tracks.n - header;
    if (n < 2 || track->process == NO_PROCESS)
        return;
    for (size_t i = 1; i < n; i++)
        if (!track[i].kind->thread || (i > 1 && !is_derived(list, track[i].of)))
            return;
    memmove(track, track + 1, (n - 1) * sizeof *track);
    for (size_t i = 0; i < n - 1; i++)
        track[i].top--;
    track[0].alone = true;
    list->tracks.n--;
    list->lines--;
}

/* Samples are folded into a process whose threads have states but no slices: they would hide when
 * it ran. */
static bool hides_samples(const struct track_list *list, const struct track_group *group) {
    bool samples = false, states = false;
    if (!folds_quiet(list, group->process) || track_list_shows_more(list, group->process))
        return false;
    for (size_t i = 0; i < group->n; i++) {
        const struct track_shape *shape = &list->lives.shapes.v[group->threads[i]];
        if (shape->rows > 0 && !shape->derived)
            return false;
        samples = samples || shape->derived;
        states = states || shape->states;
    }
    return samples && states;
}

/* A command that `fxtop record` saw is one row, which would be hidden among its counters; its life
 * is that row once more. samples: they are hidden, too. */
static bool hides_counters(const struct track_list *list, struct trace *trace,
                           const struct track *head, bool samples) {
    return head->alone && head->strip && folds_quiet(list, head->process) &&
           !track_list_shows_more(list, head->process) &&
           (samples || process_label_begun(trace, head->of));
}

static bool has_counters(const struct track_members *all, uint32_t process) {
    const struct track_members *counters = &all[track_ops_index(&track_counter)];
    return counters->next.n > 0 && counters->first.v[track_known_place(process)] > 0;
}

/* The nearest ancestor that is above decides. */
static uint8_t nested_below(const struct track_list *list, uint32_t process) {
    if (list->order != ORDER_BY_INTEREST)
        return 0;
    for (int i = 0; i < NESTED_LOOKED; i++) {
        process = process_tree_parent(&list->known.tree, process);
        if (process >= list->nested.n)
            return 0;
        if (list->nested.v[process] > 0)
            return list->nested.v[process];
    }
    return 0;
}

static void add_group(struct track_list *list, struct trace *trace, const struct track_members *all,
                      const struct track_group *group) {
    size_t header = list->tracks.n;
    bool folded = track_list_folded(list, group->process);
    keep(list, make(list, trace, &track_process, group->process, 0));
    if (folded && (!hides(list) || track_list_matches(list, trace, &list->tracks.v[header])))
        return;
    bool samples = hides_samples(list, group);
    uint32_t empty = add_threads(list, trace, group, !samples);
    if (!folded)
        join_header(list, header);
    bool hidden = hides_counters(list, trace, &list->tracks.v[header], samples);
    list->tracks.v[header].more = samples || (hidden && has_counters(all, group->process));
    add_members(list, trace, all, group, !hidden);
    if (empty > 0 && list->set == LIST_ALL && !hides(list))
        keep(list, make(list, trace, &track_empty, group->process, empty));
    end_group(list, header, folded);
}

/* The tracks know how deep their process is below others. */
static void add_nested(struct track_list *list, struct trace *trace,
                       const struct track_group *group) {
    uint32_t process = group->process;
    size_t header = list->tracks.n;
    add_group(list, trace, list->known.members, group);
    uint8_t nested = nested_below(list, process);
    if (list->tracks.n == header || process >= list->nested.n)
        return;
    for (size_t i = header; i < list->tracks.n; i++)
        list->tracks.v[i].nested = nested;
    list->nested.v[process] = nested < UINT8_MAX ? nested + 1 : nested;
}

/* The tracks of the CPUs of a host, or of all. */
static void add_cpu_tracks(struct track_list *list, struct trace *trace,
                           const struct track_members *all, uint32_t host) {
    const struct track_members *cpus = &all[track_ops_index(&track_cpu)];
    if (host == ALL_HOSTS) {
        add_members(list, trace, all, &(struct track_group){.process = LIST_CPUS}, true);
        return;
    }
    for (uint32_t i = cpus->first.v[track_known_place(LIST_CPUS)]; i; i = cpus->next.v[i - 1])
        if (sched_cpu(trace_sched(trace), i - 1)->world == host)
            add_wanted(list, trace, &track_cpu, LIST_CPUS, i - 1);
}

static bool has_cpus(const struct track_list *list, struct trace *trace,
                     const struct track_members *all, uint32_t host) {
    bool any = any_member(list, trace, all, LIST_CPUS, host), here = host == ALL_HOSTS;
    for (size_t i = 0; any && !here && i < sched_cpu_count(trace_sched(trace)); i++)
        here = sched_cpu(trace_sched(trace), (uint32_t)i)->world == host;
    return any && here;
}

static void add_cpus(struct track_list *list, struct trace *trace, const struct track_members *all,
                     uint32_t host) {
    size_t header = list->tracks.n;
    if (!has_cpus(list, trace, all, host))
        return;
    keep(list, make(list, trace, &track_cpus, LIST_CPUS, host == ALL_HOSTS ? 0 : host));
    add_cpu_tracks(list, trace, all, host);
    end_group(list, header, track_list_folded(list, LIST_CPUS));
}

/* Lines that all tracks take if threads show at most `depth` rows. */
static uint64_t lines_at(const struct track_list *list, struct trace *trace, uint32_t depth) {
    uint64_t n = 0;
    for (size_t k = 0; track_ops[k]; k++)
        if (track_ops[k]->lines)
            n += track_ops[k]->lines(list, trace, depth);
    return n;
}

static uint32_t count_single(const struct track_list *list) {
    uint32_t n = 0;
    for (size_t i = 0; i < list->lives.v.n; i++)
        n += list->lives.v.v[i].single;
    return n;
}

/* If not all fits, threads with one slice, which come last, take no rows from the others. */
static void fit_depth(struct track_list *list, struct trace *trace) {
    uint32_t least = list->least_depth, depth = least;
    if (list->screen_lines == 0 || trace_thread_count(trace) > 10000)
        return;
    uint64_t most = list->screen_lines;
    if (lines_at(list, trace, least) > most)
        most += count_single(list);
    while (depth < list->screen_lines && lines_at(list, trace, depth + 1) <= most)
        depth++;
    list->default_depth = depth;
}

static void add_pins(struct track_list *list, struct trace *trace) {
    for (size_t i = 0; i < list->pins.n; i++) {
        const struct track_list_pin *pin = &list->pins.v[i];
        if ((!pin->kind->single || pin->kind->rows) && pin->of >= pin->kind->count(trace))
            continue; /* during a reload: not read again so far */
        uint32_t process = pin->kind->process ? pin->kind->process(trace, pin->of) : NO_PROCESS;
        struct track *track = make(list, trace, pin->kind, process, pin->of);
        track->pinned = true;
        keep(list, track);
    }
    list->pinned = list->lines;
}

static struct track_group group_of(const struct track_list *list, struct trace *trace,
                                   uint32_t process) {
    struct track_group group = {.process = process};
    group.threads = track_known_threads(&list->known, trace, process, &group.n);
    return group;
}

#define PROFILE_FULL 32 /* records */

/* Rows of samples show many records of the profiler better than a row that is full of them. */
static bool is_full(const struct track_list *list, struct trace *trace) {
    size_t n;
    trace_profile(trace, &n);
    for (size_t i = 0; n >= PROFILE_FULL && i < list->lives.shapes.n; i++)
        if (is_derived(list, (uint32_t)i))
            return true;
    return false;
}

static void add_single(struct track_list *list, struct trace *trace) {
    for (size_t k = 0; track_ops[k]; k++)
        if (track_ops[k]->single && track_ops[k]->count(trace) > 0 &&
            track_list_shows(list, track_ops[k]) &&
            (track_ops[k] != &track_profile || !is_full(list, trace)))
            for (uint32_t of = 0; of < track_ops[k]->count(trace); of++)
                add_wanted(list, trace, track_ops[k], NO_PROCESS, of);
}

void track_list_free(struct track_list *list) {
    vec_free(&list->tracks);
    for (size_t kind = 0; list->depth && kind < track_ops_count(); kind++)
        vec_free(&list->depth[kind].v);
    free(list->depth);
    vec_free(&list->folded);
    vec_free(&list->empty);
    vec_free(&list->pins);
    u64map_free(&list->pinned_of);
    vec_free(&list->stacked);
    vec_free(&list->more);
    track_life_free(&list->lives);
    vec_free(&list->presence);
    vec_free(&list->gone);
    vec_free(&list->nested);
    vec_free(&list->below);
    vec_free(&list->gone_processes);
    vec_free(&list->quiet_processes);
    vec_free(&list->opened);
    track_known_free(&list->known);
    track_many_free(&list->many);
    track_moved_free(&list->moved);
}

/* Brings list->known up to date, after the lives of threads. */
static void know(struct track_list *list, struct trace *trace) {
    struct track_known *known = &list->known;
    if (!track_known_current(known, trace, track_ops_count()))
        for (size_t k = 0; track_ops[k]; k++)
            if (is_member(track_ops[k]))
                known->any |=
                    track_known_chain(&known->members[k], trace, track_ops[k]->count(trace),
                                      track_ops[k]->process, track_ops[k]->order);
    track_known_ask(known, trace);
    track_known_sort(known, list->order, trace, &list->lives);
}

/* ---- the whole list ---- */

static bool is_of(const struct trace *trace, uint32_t process, uint32_t host) {
    return host == ALL_HOSTS || trace_process(trace, process)->world == host;
}

/* Threads without a process. */
static void add_loose(struct track_list *list, struct trace *trace, uint32_t host) {
    VEC(uint32_t) loose = {0};
    for (size_t i = 0; i < list->lives.v.n; i++)
        if (list->lives.shapes.v[i].loose &&
            (host == ALL_HOSTS || trace_thread(trace, i)->id.world == host))
            vec_push(&loose, (uint32_t)i);
    const struct track_members *all = list->known.members;
    const struct track_group without = {NO_PROCESS, loose.v, loose.n, host};
    if (group_shows(list, trace, all, &without))
        add_group(list, trace, all, &without);
    vec_free(&loose);
}

/* The processes in the order wanted, then threads without one. */
static void add_groups(struct track_list *list, struct trace *trace, uint32_t host,
                       struct track_gone *line) {
    const struct track_members *all = list->known.members;
    size_t n = list->known.order.n;
    const uint32_t *moved = track_moved_order(&list->moved, false, 0, list->known.order.v, n);
    VEC(uint32_t) order = {0}; /* as the threads may be moved, too */
    for (size_t i = 0; i < n; i++)
        vec_push(&order, moved[i]);
    for (size_t i = 0; i < n; i++) {
        uint32_t process = order.v[i];
        if (!is_of(trace, process, host))
            continue;
        const struct track_group group = group_of(list, trace, process);
        if (list->empty.v[track_known_place(process)])
            continue;
        uint32_t above = folded_above(list, process);
        if (above < list->below.n)
            list->below.v[above]++;
        else if (!add_to_line(list, trace, all, &group, line))
            add_nested(list, trace, &group);
    }
    vec_free(&order);
    add_loose(list, trace, host);
}

/* Processes with nothing to show join the line of quiet ones, if there is anything else. */
static void add_empty(struct track_list *list, struct trace *trace, uint32_t host,
                      struct track_gone *line) {
    bool folds = list->tracks.n > 0 && list->window.from < list->window.to;
    for (size_t i = 0; i < list->known.order.n && list->set == LIST_ALL; i++) {
        uint32_t process = list->known.order.v[i];
        const struct track_group group = group_of(list, trace, process);
        if (!list->empty.v[track_known_place(process)] || !is_of(trace, process, host))
            continue;
        if (folds && folds_process(list, process))
            add_quiet(list, &group, line);
        else
            add_group(list, trace, list->known.members, &group);
    }
}

/* CPUs, processes, quiet processes. Many CPUs would hide the counters, so these come first. */
static void add_host(struct track_list *list, struct trace *trace, uint32_t host) {
    struct track_gone line = {0};
    bool last = list->set == LIST_COUNTERS;
    list->quiet_processes.n = 0;
    if (!last)
        add_cpus(list, trace, list->known.members, host);
    add_groups(list, trace, host, &line);
    add_empty(list, trace, host, &line);
    end_line(list, trace, &line);
    if (last)
        add_cpus(list, trace, list->known.members, host);
}

static void sum_busy(struct track_list *list, struct trace *trace) {
    memset(list->busy, 0, sizeof list->busy);
    for (size_t i = 0; i < list->lives.v.n; i++) {
        const struct track_life *life = &list->lives.v.v[i];
        int64_t busy = life->cpu_time > life->covered ? life->cpu_time : life->covered;
        int64_t *sum = &list->busy[trace_thread(trace, i)->id.world % LIST_HOSTS];
        *sum = units_sum(*sum, busy);
    }
}

/* Each host below its header. */
static void add_hosts(struct track_list *list, struct trace *trace) {
    sum_busy(list, trace);
    for (uint32_t host = 0; host < trace_hosts(trace) && host < LIST_HOSTS; host++) {
        size_t header = list->tracks.n;
        uint32_t process = track_known_host(host);
        bool folded = track_list_folded(list, process);
        keep(list, make(list, trace, &track_trace, process, host));
        if (!folded || hides(list))
            add_host(list, trace, host);
        end_group(list, header, folded);
    }
}

static void add_unread(struct track_list *list, struct trace *trace) {
    size_t n;
    trace_unread(trace, &n);
    for (size_t i = 0; i < n && list->set == LIST_ALL && list->match == NULL; i++)
        keep(list, make(list, trace, &track_unread, NO_PROCESS, (uint32_t)i));
}

static void begin_list(struct track_list *list, struct trace *trace) {
    size_t n = list->known.order.n;
    while (list->empty.n < n + PLACES_BEFORE)
        vec_push(&list->empty, false);
    list->gone.n = list->gone_processes.n = 0;
    for (list->nested.n = 0; list->nested.n < n;)
        vec_push(&list->nested, 0);
    for (list->below.n = 0; list->below.n < n;)
        vec_push(&list->below, 0);
    list->tracks.n = 0;
    list->lines = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t process = list->known.order.v[i];
        const struct track_group group = group_of(list, trace, process);
        list->empty.v[track_known_place(process)] =
            !group_shows(list, trace, list->known.members, &group);
    }
}

/* Pinned tracks, single ones, files that cannot be read, then the hosts. */
void track_list_update(struct track_list *list, struct trace *trace) {
    look_at_lives(list, trace);
    know(list, trace);
    begin_list(list, trace);
    fit_depth(list, trace);
    add_pins(list, trace);
    add_single(list, trace);
    add_unread(list, trace);
    if (trace_files(trace) > 1)
        add_hosts(list, trace);
    else
        add_host(list, trace, ALL_HOSTS);
    list->version = trace_version(trace);
}

bool track_list_sorts_later(const struct track_list *list, const struct trace *trace) {
    return list->known.order.n > FEW_PROCESSES && !track_sort_needless(list->order, trace);
}

bool track_list_step(struct track_list *list, struct trace *trace, struct task *task, bool *news) {
    size_t next = list->lives.next;
    if (list->version != trace_version(trace)) /* the list is made again first */
        return false;
    bool more = track_life_step(&list->lives, trace, task);
    *news = !more && list->lives.next != next;
    return more || track_known_step(&list->known, list->order, trace, &list->lives, task, news) ||
           /* a new list may want more */
           track_many_step(&list->many, trace, &list->lives, task, news) || *news;
}

const struct track *track_list_at(const struct track_list *list, uint64_t line) {
    size_t at = 1;
    if (line >= list->lines)
        return NULL;
    lower_bound(at, list->tracks.n, i, list->tracks.v[i].top <= line);
    return &list->tracks.v[at - 1];
}

bool track_list_find(const struct track_list *list, const struct track_ops *kind, uint32_t of,
                     uint32_t row, uint64_t *line) {
    for (size_t i = 0; i < list->tracks.n; i++) {
        const struct track *t = &list->tracks.v[i];
        if (t->kind == kind && t->of == of) {
            *line = t->top + (row < t->height ? row : t->height - 1);
            return true;
        }
    }
    return false;
}

bool track_list_find_header(const struct track_list *list, uint32_t process, uint64_t *line) {
    for (size_t i = 0; i < list->tracks.n; i++) {
        const struct track *t = &list->tracks.v[i];
        if ((t->kind->header || t->alone) && t->process == process) {
            *line = t->top;
            return true;
        }
    }
    return false;
}

bool track_list_hides_more(const struct track_list *list, uint32_t process) {
    uint64_t line;
    const struct track *header = NULL;
    if (track_list_find_header(list, process, &line))
        header = track_list_at(list, line);
    return header && header->more;
}

/* The line of quiet threads that a process is in. */
static bool find_gone(const struct track_list *list, uint32_t process, uint64_t *line) {
    for (size_t i = 0; i < list->tracks.n; i++) {
        const struct track *t = &list->tracks.v[i];
        const struct track_gone *gone = t->kind == &track_ended ? &list->gone.v[t->of] : NULL;
        for (uint32_t k = 0; gone && k < gone->n; k++)
            if (list->gone_processes.v[gone->first + k] == process) {
                *line = t->top;
                return true;
            }
    }
    return false;
}

bool track_list_again(const struct track_list *list, const struct track *before, uint32_t row,
                      uint64_t *line) {
    if (before->kind == &track_ended && find_gone(list, before->process, line))
        return true;
    if (before->kind->count == NULL)
        return track_list_find_header(list, before->process, line) ||
               find_gone(list, before->process, line);
    if (!track_list_find(list, before->kind, before->of, 0, line))
        return find_gone(list, before->process, line);
    const struct track *track = track_list_at(list, *line);
    assert(track != NULL); /* it was found */
    if (!before->strip)
        row += track->strip;
    else if (!track->strip)
        row -= row > 0;
    *line = track->top + (row < track->height ? row : track->height - 1);
    return true;
}

uint32_t track_list_thread(const struct track *track) {
    return track && track->kind->thread ? track->of : NO_THREAD;
}

#define THREADS_LOOKED 64 /* of a process */

bool track_list_lost_in_process(struct trace *trace, const struct track *track,
                                const struct lost *lost) {
    if (track->process >= trace_process_count(trace))
        return true;
    size_t n;
    const uint32_t *threads = trace_process_threads(trace_process(trace, track->process), &n);
    for (size_t i = 0; i < n && i < THREADS_LOOKED; i++)
        if (trace_thread_written_by(trace_thread(trace, threads[i]), lost->provider))
            return true;
    return n > THREADS_LOOKED;
}
