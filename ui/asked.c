/* asked.c - texts of options become the range, its tracks, and the filter of :only. */
#include "ui/asked.h"

#include "model/query/stat/track_scope.h"
#include "src/base/text.h"
#include "ui/timeline/filters/track_only.h"
#include "ui/timeline/range/ranges.h"

/* Puts the option before the line. */
static bool fault(struct err *err, const char *option) {
    char line[sizeof err->text];
    snprintf(line, sizeof line, "%s: %.*s", option, (int)(sizeof line - 16), err->text);
    return err_set(err, err->at, "%s", line);
}

static bool parse_range(const struct app *app, struct range *range, struct err *err) {
    const char *text = app->startup.asked.range;
    return text == NULL || session_typed_range(app, text, range, err) || fault(err, "--range");
}

static bool parse_tracks(const struct app *app, struct track_set *tracks, struct err *err) {
    const char *text = app->startup.asked.tracks;
    return text == NULL || track_scope_find(app->trace, text, tracks, err) ||
           fault(err, "--tracks");
}

bool asked_check(const struct app *app, struct err *err) {
    const char *text = app->startup.asked.filter;
    struct track_set tracks = {0};
    struct range range = {0};
    struct filter *filter = text ? filter_new(text, false, err) : NULL;
    if (text && filter == NULL && *text == 0)
        err_set(err, ERR_NO_OFFSET, "expected terms, e.g. name=Frame dur>1ms");
    bool known = text == NULL || filter || fault(err, "--filter");
    filter_free(filter);
    known = known && parse_tracks(app, &tracks, err);
    track_set_free(&tracks);
    return known && (trace_state(app->trace) == TRACE_LOADING || parse_range(app, &range, err));
}

bool asked_apply(struct app *app, struct err *err) {
    struct question_texts asked = app->startup.asked;
    struct range *range = &app->range.range;
    bool known = parse_range(app, range, err);
    if (known && asked.tracks) {
        track_set_free(&range->tracks);
        track_set_free(&app->range.tagged);
        known =
            parse_tracks(app, &range->tracks, err) && parse_tracks(app, &app->range.tagged, err);
    }
    if (asked.range || asked.tracks) {
        app->range.serial++;
        ranges_update(app, false);
    }
    if (asked.filter)
        track_only_set(app, asked.filter);
    app->startup.asked = (struct question_texts){NULL, NULL, NULL};
    app->dirty = true;
    return known;
}
