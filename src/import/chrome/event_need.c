/* event_need.c - a few sets of phases, and the fields that each needs. */
#include "src/import/chrome/event_need.h"

#include "src/import/chrome/event_key.h"

#define NAMED "XBiIRPvVCbneSTpFstfNODM" /* phases of events with a name */
#define KNOWN "E" NAMED
#define NUMBERED "bneSpFstfNOD" /* of events with an id */

static bool is_of(const struct event_fields *ev, const char *phases) {
    const struct str ph = ev->v[EVENT_PH].text;
    return event_has(ev, EVENT_PH) && ph.n == 1 && ph.s[0] != '\0' && strchr(phases, ph.s[0]);
}

static bool has_id(const struct event_fields *ev) {
    return event_has(ev, EVENT_ID) || event_has(ev, EVENT_ID_LOCAL) ||
           event_has(ev, EVENT_ID_GLOBAL);
}

bool event_need_nothing(const struct event_fields *ev) {
    if (!is_of(ev, KNOWN) || !event_has(ev, EVENT_PID) || !event_has(ev, EVENT_TID))
        return false;
    if (is_of(ev, "T") && !event_has(ev, EVENT_DUR) && !has_id(ev)) /* a state, or a step */
        return false;
    return (event_has(ev, EVENT_TS) || is_of(ev, "M")) &&
           (event_has(ev, EVENT_NAME) || !is_of(ev, NAMED)) &&
           (event_has(ev, EVENT_DUR) || !is_of(ev, "X")) && (has_id(ev) || !is_of(ev, NUMBERED));
}

bool event_need_any(const struct event_fields *ev) {
    return !event_need_nothing(ev) && (!event_has(ev, EVENT_PH) || is_of(ev, KNOWN));
}

bool event_need_field(const struct event_fields *ev, enum event_field field) {
    if (field == EVENT_ID)
        return !has_id(ev) && (!event_has(ev, EVENT_PH) || is_of(ev, NUMBERED "T"));
    return field <= EVENT_TID && !event_has(ev, field);
}

void event_need_take(struct event_fields *ev) {
    size_t n = 0;
    for (size_t i = 0; i < ev->nargs; i++) {
        const struct event_argument arg = ev->args[i];
        enum event_field field = event_key_field(arg.name, LEVEL_EVENT);
        if (!arg.field && event_need_field(ev, field) && arg.value.kind != JSON_NULL)
            ev->v[field] = arg.value;
        else
            ev->args[n++] = arg;
    }
    ev->nargs = n;
}
