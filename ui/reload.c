/* reload.c - a file that changes; what stays of the view is app_update()'s. */
#include "ui/reload.h"

#include "ui/timeline/move.h"

#define FIRST_BYTES (4u << 20) /* read before the next picture, which must know what tracks there are */

static void begin_again(struct app *app) {
    trace_step(app->trace, FIRST_BYTES);
    app_update(app);
}

void reload_now(struct app *app) {
    struct err err;
    if (!trace_reload(app->trace, &err)) {
        session_say(app, true, "cannot reload: %s", err.text);
        return;
    }
    begin_again(app);
    session_say(app, false, "reloaded");
}

void reload_damaged(struct app *app) {
    struct err err;
    if (!trace_reload(app->trace, &err)) {
        app->quit = true; /* neither the kept index nor the file is to be had */
        return;
    }
    begin_again(app);
    session_say(app, false, "the cached index was damaged: reloading the trace");
}

void reload_follow(struct app *app) {
    bool on = !trace_follows(app->trace);
    struct err err;
    if (!trace_follow(app->trace, on, &err)) {
        session_say(app, true, "%s", err.text);
        return;
    }
    begin_again(app);
    if (on && app->timeline.window_moved)
        move_end(app);
    session_say(app, false, on ? "following the file; F stops" : "stopped following");
}

void reload_watch(struct app *app) {
    enum file_change change = file_changed(trace_file(app->trace));
    struct err err;
    if (trace_follows(app->trace)) {
        if (change != FILE_OTHER)
            return;
        if (trace_reload(app->trace, &err)) {
            begin_again(app);
            session_say(app, false, "the file was replaced: reloaded");
        } else if (!app->reload.stale) { /* it may be no trace yet, and is looked at again */
            app->reload.stale = true;
            session_say(app, true, "the file was replaced: %s", err.text);
        }
    } else if (change != FILE_SAME && !app->reload.stale) {
        app->reload.stale = true;
        session_say(app, false, "the file %s: R reloads it%s", change == FILE_GREW ? "has grown" : "has changed",
                change == FILE_GREW ? ", F follows it" : "");
    }
}
