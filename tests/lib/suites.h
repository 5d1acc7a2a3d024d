/* suites.h - every suite of the check programs, one a module or a few that belong together. */
#ifndef FXTOP_SUITES_H
#define FXTOP_SUITES_H

#include <check.h>

Suite *suite_budget(void);
Suite *suite_units(void);
Suite *suite_err(void);
Suite *suite_wide(void);
Suite *suite_file(void);
Suite *suite_inflate(void);
Suite *suite_spool(void);
Suite *suite_watch(void);
Suite *suite_options(void);
Suite *suite_lower_bound(void);
Suite *suite_pattern(void);
Suite *suite_text(void);
Suite *suite_writer(void);
Suite *suite_bulk(void);
Suite *suite_index_table(void);
Suite *suite_reader(void);
Suite *suite_hash(void);
Suite *suite_record_layout(void);
Suite *suite_u64map(void);
Suite *suite_map(void);
Suite *suite_vec(void);
Suite *suite_str(void);
Suite *suite_quantiles(void);
Suite *suite_names(void);
Suite *suite_threads(void);
Suite *suite_cache(void);
Suite *suite_record(void);
Suite *suite_tracegen(void);

Suite *suite_dissect(void);
Suite *suite_lane(void);
Suite *suite_nest(void);
Suite *suite_open_index(void);
Suite *suite_async(void);
Suite *suite_flow(void);
Suite *suite_counter(void);
Suite *suite_sched(void);
Suite *suite_name_set(void);
Suite *suite_name_stats(void);
Suite *suite_slice_iter(void);
Suite *suite_slice_order(void);
Suite *suite_aggregate(void);
Suite *suite_filter(void);
Suite *suite_relation(void);
Suite *suite_search(void);
Suite *suite_ndjson(void);
Suite *suite_chrome(void);
Suite *suite_flow_stats(void);
Suite *suite_follow(void);
Suite *suite_persist(void);
Suite *suite_worker(void);
Suite *suite_report(void);
Suite *suite_slice(void);
Suite *suite_object(void);
Suite *suite_event_key(void);
Suite *suite_problem(void);
Suite *suite_time_log(void);
Suite *suite_nest_enclosing(void);
Suite *suite_detail(void);
Suite *suite_flow_slice(void);
Suite *suite_json(void);
Suite *suite_event_list(void);
Suite *suite_blob(void);

Suite *suite_draw_curve(void);
Suite *suite_grid(void);
Suite *suite_style(void);
Suite *suite_key(void);
Suite *suite_pager(void);
Suite *suite_window(void);
Suite *suite_wrap(void);
Suite *suite_layout(void);
Suite *suite_play(void);
Suite *suite_prompt(void);
Suite *suite_command(void);
Suite *suite_table(void);
Suite *suite_track_ops(void);
Suite *suite_reload(void);
Suite *suite_move(void);
Suite *suite_selection(void);
Suite *suite_track_list(void);
Suite *suite_tracks(void);
Suite *suite_curve(void);
Suite *suite_draw_stack(void);
Suite *suite_find(void);
Suite *suite_flow_nav(void);
Suite *suite_session(void);
Suite *suite_status(void);
Suite *suite_counters(void);
Suite *suite_details(void);
Suite *suite_drawer(void);
Suite *suite_drawer_text(void);
Suite *suite_tab_flow(void);
Suite *suite_tab_name(void);

/* Runs them; the exit status of the check program. */
int suites_run(Suite *(*const suites[])(void));

#endif
