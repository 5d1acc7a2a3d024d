/* turns.c - decides whose turn it is, by the times at which the last turn began and ended. */
#include "ui/turns.h"

void turns_key(struct app *app) {
    app->turns.key = true;
}

/* The time at which the next turn may begin; INT64_MAX: none is due. */
static int64_t begin_of(const struct app *app) {
    const struct turns *turns = &app->turns;
    enum trace_state state = trace_state(app->trace);
    if (state == TRACE_COMPLETE)
        return INT64_MAX;
    if (turns->key)
        return turns->ended + turns->took;
    /* until a key is pressed, reading comes first */
    bool asked = app->timeline.touched || state != TRACE_LOADING;
    if (!asked || turns->version == trace_version(app->trace))
        return INT64_MAX;
    int64_t pause = state == TRACE_LOADING ? TURNS_LOADING_NS : TURNS_WAITING_NS;
    return turns->ended +
           (TURNS_READING * turns->took > pause ? TURNS_READING * turns->took : pause);
}

bool turns_working(struct app *app, int64_t now) {
    struct turns *turns = &app->turns;
    if (trace_state(app->trace) == TRACE_COMPLETE)
        return turns->working = false;
    if (turns->working || (begin_of(app) > now && !turns->held))
        return turns->working;
    turns->of_key = turns->key;
    turns->key = false;
    turns->version = trace_version(app->trace);
    turns->began = now;
    return turns->working = true;
}

void turns_worked(struct app *app, bool more, int64_t now) {
    struct turns *turns = &app->turns;
    if (!turns->working || turns->held || (more && now - turns->began < TURNS_MOST_NS))
        return;
    turns->working = false;
    turns->ended = now;
    turns->took = now - turns->began;
}

bool turns_quiet(const struct app *app, int64_t now) {
    const struct turns *turns = &app->turns;
    return turns->working && !turns->of_key && !turns->key && now - turns->began < TURNS_QUIET_NS;
}

int turns_wait(const struct app *app, int64_t now) {
    int64_t begin = begin_of(app);
    if (begin == INT64_MAX)
        return -1;
    return begin <= now ? 0 : (int)((begin - now) / 1000000 + 1);
}
