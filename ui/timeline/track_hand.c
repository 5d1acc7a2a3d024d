/* track_hand.c - looks in the list of tracks for the next thread of the process, or process, that
 * is shown. A move down is that one's move up. */
#include "ui/timeline/track_hand.h"

#include "src/base/text.h"
#include "ui/timeline/track_ops.h"
#include "ui/timeline/tracks.h"

/* A header, or the only thread that is one. */
static bool is_process(const struct track *track) {
    return (track->kind == &track_process || track->alone) && track->process < LIST_CPUS;
}

static bool is_thread(const struct track *track) {
    return track->kind == &track_thread && !track->alone;
}

bool track_hand_put(struct app *app, const struct track *item, const struct track *before) {
    bool threads = is_thread(item) && is_thread(before) && item->process == before->process;
    struct track_move move = {.item = item->process, .before = before->process};
    if (threads)
        move = (struct track_move){true, item->process, item->of, before->of};
    else if (!is_process(item) || !is_process(before))
        return false;
    if (move.item == move.before || !track_moved_add(&app->timeline.tracks.moved, &move))
        return false;
    tracks_update(app->trace, &app->timeline);
    return true;
}

/* The next one of the same sort in a direction; NULL: there is none. */
static const struct track *next_of(const struct track_list *list, const struct track *track,
                                   int step) {
    const struct track *first = list->tracks.v, *end = first + list->tracks.n;
    bool thread = is_thread(track);
    for (const struct track *t = track + step; t >= first && t < end && !t->pinned; t += step) {
        if (thread && t->process != track->process)
            return NULL;
        if (thread ? is_thread(t) : is_process(t) && t->process != track->process)
            return t;
    }
    return NULL;
}

static void move_by(struct app *app, int step) {
    struct track_list *list = &app->timeline.tracks;
    const struct track *track = session_track(&app->timeline);
    if (track == NULL || track->pinned || (!is_thread(track) && !is_process(track))) {
        session_say(app, false, "only threads and processes move; P pins tracks in an order");
        return;
    }
    const struct track *other = next_of(list, track, step);
    if (other == NULL) {
        session_say(app, false, step > 0 ? "it is the last one" : "it is the first one");
        return;
    }
    struct track item = step > 0 ? *other : *track, before = step > 0 ? *track : *other;
    if (track_hand_put(app, &item, &before))
        session_say(app, false, "moved; :move-back forgets all moves");
    else
        session_say(app, true, "%d moves are kept: :move-back forgets them", TRACK_MOVED_MOST);
}

void track_hand_down(struct app *app) {
    move_by(app, 1);
}

void track_hand_up(struct app *app) {
    move_by(app, -1);
}

void track_hand_back(struct app *app) {
    app->timeline.tracks.moved.v.n = 0;
    tracks_update(app->trace, &app->timeline);
    session_say(app, false, "tracks sorted %s", track_order_name(app->timeline.tracks.order));
}
