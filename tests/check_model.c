/* check_model.c - the floor of what a trace means; linked with it and src. */
#include "tests/suites.h"

int main(void) {
    static Suite *(*const suites[])(void) = {
        suite_anatomy,     suite_ticks,  suite_lane,     suite_nest,   suite_openset,
        suite_async,       suite_flow,   suite_counter,  suite_sched,  suite_export,
        suite_export_json, suite_search, suite_flowstat, suite_follow, suite_placer, suite_keep,
        suite_report,      0};
    return suites_run(suites);
}
