/* check_model.c - the floor of what a trace means; linked with it and src. */
#include "tests/lib/suites.h"

int main(void) {
    static Suite *(*const suites[])(void) = {
        suite_dissect,
        suite_lane,
        suite_nest,
        suite_open_index,
        suite_async,
        suite_flow,
        suite_counter,
        suite_sched,
        suite_ndjson,
        suite_chrome,
        suite_name_set,
        suite_name_stats,
        suite_slice_iter,
        suite_slice_order,
        suite_aggregate,
        suite_filter,
        suite_filter_match,
        suite_search,
        suite_flow_stats,
        suite_follow,
        suite_worker,
        suite_persist,
        suite_relation,
        suite_report,
        suite_slice,
        suite_object,
        suite_event_key,
        suite_problem,
        suite_time_log,
        suite_nest_enclosing,
        suite_detail,
        suite_flow_slice,
        suite_json,
        suite_event_list,
        suite_blob,
        0,
    };
    return suites_run(suites);
}
