/* check_ui.c - the floor of what it looks like, without a terminal. */
#include "tests/lib/suites.h"

static Suite *(*const suites[])(void) = {
    suite_grid,          suite_config,       suite_picture,       suite_style,
    suite_key,           suite_pager,        suite_window,        suite_thin,
    suite_wrap,          suite_layout,       suite_prompt,        suite_file_names,
    suite_command,       suite_table,        suite_track_ops,     suite_turns,
    suite_answer,        suite_reload,       suite_growing,       suite_far,
    suite_draw_curve,    suite_play,         suite_move,          suite_selection,
    suite_track_filter,  suite_track_gone,   suite_track_list,    suite_track_sort,
    suite_process_busy,  suite_tracks,       suite_curve,         suite_draw_stack,
    suite_find,          suite_ranges,       suite_keep_state,    suite_keep_copy,
    suite_keep_run,      suite_source_place, suite_marks,         suite_flow_nav,
    suite_session,       suite_status,       suite_counters,      suite_details,
    suite_describe_view, suite_drawer,       suite_drawer_text,   suite_tab_flow,
    suite_tab_name,      suite_tab_why,      suite_view,          suite_view_critical,
    suite_view_wakeups,  suite_waker,        suite_view_blobs,    suite_view_log,
    suite_compared,      suite_view_compare, suite_view_traces,   suite_view_place,
    suite_paths_place,   suite_view_objects, suite_view_page,     suite_view_profile,
    suite_view_table,    suite_view_bytes,   suite_view_flows,    suite_flow_tables,
    suite_flow_ladder,   suite_view_help,    suite_view_info,     suite_view_problems,
    suite_view_timeline, suite_draw_flows,   suite_draw_instants, suite_draw_lane,
    suite_draw_overview, suite_draw_tracks,  suite_track_async,   suite_track_counter,
    suite_track_cpu,     suite_track_log,    suite_track_thread,  suite_draw_states,
    suite_track_line,    suite_jobs,         suite_hints,         suite_help,
    suite_legend,        suite_completions,  suite_phrase,        suite_describe,
    suite_draw_flame,    suite_paths,        suite_view_flame,    suite_view_sandwich,
    suite_view_hits,     suite_view_slices,  suite_track_process, 0,
};

int main(void) {
    return suites_run(suites);
}
