/* suite_track_ops.c - what holds of every kind of track and of every kind of event. */
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "ui/timeline/track_ops.h"

START_TEST(every_kind_of_track_can_be_drawn_and_has_a_name) {
    for (size_t k = 0; track_ops[k]; k++) {
        const struct track_ops *kind = track_ops[k];
        MUST(kind->draw != NULL, k);
        MUST((kind->title != NULL) != (kind->name != NULL), k);
        MUST(track_ops_index(kind) == k, k);
    }
}
END_TEST

START_TEST(a_track_with_events_is_counted_and_has_lines) {
    for (size_t k = 0; track_ops[k]; k++) {
        const struct track_ops *kind = track_ops[k];
        bool events = kind->events[0] != NULL;
        MUST(events == (kind->line != NULL), k);
        MUST(events == (kind->count != NULL), k);
        MUST(!kind->header || !events, k);
        /* of a process, or the only one */
        MUST((kind->process != NULL) == (events && !kind->single), k);
        MUST(kind->stretch == 0 || !kind->rows, k);
    }
}
END_TEST

START_TEST(an_event_names_its_track_and_is_a_slice_or_a_moment) {
    for (size_t k = 0; track_ops[k]; k++)
        for (size_t e = 0; track_ops[k]->events[e]; e++) {
            const struct selection_ops *event = track_ops[k]->events[e];
            bool slice = event->lane != NULL;
            MUST(event->track == track_ops[k], k);
            MUST(slice == (event->find != NULL), k);
            MUST(slice != (event->count != NULL) && slice != (event->moment != NULL), k);
            MUST(slice || (!event->nested && !event->named && !event->strip), k);
        }
}
END_TEST

SUITE(track_ops) {
    Suite *s = suite_create("track_ops");
    TCase *t = tcase_create("kinds");
    tcase_add_test(t, every_kind_of_track_can_be_drawn_and_has_a_name);
    tcase_add_test(t, a_track_with_events_is_counted_and_has_lines);
    tcase_add_test(t, an_event_names_its_track_and_is_a_slice_or_a_moment);
    suite_add_tcase(s, t);
    return s;
}
