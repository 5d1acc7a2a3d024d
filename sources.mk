# sources.mk - made by sources.sh.

src_base_parts = \
	src/base/budget.c \
	src/base/clock.c \
	src/base/discard.c \
	src/base/err.c \
	src/base/hash.c \
	src/base/map.c \
	src/base/pattern.c \
	src/base/quantiles.c \
	src/base/sort.c \
	src/base/task.c \
	src/base/text.c \
	src/base/thread.c \
	src/base/u64map.c \
	src/base/units.c \
	src/base/vec.c \
	src/base/wide.c \
	src/base/worker.c
united/src_base.c: $(src_base_parts) $(srcdir)/src/base unite.awk
	$(UNITE) $(src_base_parts) >$@.new && mv -f $@.new $@

src_base_time_parts = \
	src/base/time/sum.c
united/src_base_time.c: $(src_base_time_parts) $(srcdir)/src/base/time unite.awk
	$(UNITE) $(src_base_time_parts) >$@.new && mv -f $@.new $@

src_parts = \
	src/command_line.c
united/src.c: $(src_parts) $(srcdir)/src unite.awk
	$(UNITE) $(src_parts) >$@.new && mv -f $@.new $@

src_fxt_parts = \
	src/fxt/align.c \
	src/fxt/archive.c \
	src/fxt/bulk.c \
	src/fxt/fxt.c \
	src/fxt/index_table.c \
	src/fxt/names.c \
	src/fxt/reader.c \
	src/fxt/reader_fast.c \
	src/fxt/reader_lookup.c \
	src/fxt/reader_near.c \
	src/fxt/reader_parts.c \
	src/fxt/reader_persist.c \
	src/fxt/reader_resync.c \
	src/fxt/record.c \
	src/fxt/record_layout.c \
	src/fxt/threads.c \
	src/fxt/writer.c
united/src_fxt.c: $(src_fxt_parts) $(srcdir)/src/fxt unite.awk
	$(UNITE) $(src_fxt_parts) >$@.new && mv -f $@.new $@

src_import_chrome_parts = \
	src/import/chrome/event_build.c \
	src/import/chrome/event_fields.c \
	src/import/chrome/event_flow.c \
	src/import/chrome/event_frame.c \
	src/import/chrome/event_json.c \
	src/import/chrome/event_key.c \
	src/import/chrome/event_kind.c \
	src/import/chrome/event_need.c \
	src/import/chrome/event_overlap.c \
	src/import/chrome/event_owner.c \
	src/import/chrome/event_profile.c \
	src/import/chrome/event_state.c \
	src/import/chrome/event_write.c \
	src/import/chrome/event_write_fault.c
united/src_import_chrome.c: $(src_import_chrome_parts) $(srcdir)/src/import/chrome unite.awk
	$(UNITE) $(src_import_chrome_parts) >$@.new && mv -f $@.new $@

src_import_parts = \
	src/import/import_lines.c \
	src/import/import_whole.c \
	src/import/importers.c \
	src/import/redact.c \
	src/import/rewrite.c \
	src/import/rewrite_archive.c \
	src/import/rewrite_moved.c
united/src_import.c: $(src_import_parts) $(srcdir)/src/import unite.awk
	$(UNITE) $(src_import_parts) >$@.new && mv -f $@.new $@

src_import_json_parts = \
	src/import/json/json_pull.c \
	src/import/json/json_read.c \
	src/import/json/json_scan.c \
	src/import/json/json_walk.c
united/src_import_json.c: $(src_import_json_parts) $(srcdir)/src/import/json unite.awk
	$(UNITE) $(src_import_json_parts) >$@.new && mv -f $@.new $@

src_import_kernel_parts = \
	src/import/kernel/ftrace.c \
	src/import/kernel/ftrace_graph.c \
	src/import/kernel/ftrace_line.c \
	src/import/kernel/kernel_events.c \
	src/import/kernel/kernel_fields.c \
	src/import/kernel/kernel_mark.c \
	src/import/kernel/kernel_text.c \
	src/import/kernel/kernel_threads.c \
	src/import/kernel/perf.c \
	src/import/kernel/perf_line.c \
	src/import/kernel/strace.c \
	src/import/kernel/strace_line.c
united/src_import_kernel.c: $(src_import_kernel_parts) $(srcdir)/src/import/kernel unite.awk
	$(UNITE) $(src_import_kernel_parts) >$@.new && mv -f $@.new $@

src_import_perfetto_parts = \
	src/import/perfetto/annotations.c \
	src/import/perfetto/bundles.c \
	src/import/perfetto/clocks.c \
	src/import/perfetto/event_tracks.c \
	src/import/perfetto/legacy_events.c \
	src/import/perfetto/packets.c \
	src/import/perfetto/perfetto.c \
	src/import/perfetto/proto.c \
	src/import/perfetto/sequence.c \
	src/import/perfetto/system_events.c \
	src/import/perfetto/texts.c \
	src/import/perfetto/track_events.c \
	src/import/perfetto/unpack.c
united/src_import_perfetto.c: $(src_import_perfetto_parts) $(srcdir)/src/import/perfetto unite.awk
	$(UNITE) $(src_import_perfetto_parts) >$@.new && mv -f $@.new $@

src_import_profiles_parts = \
	src/import/profiles/absent_names.c \
	src/import/profiles/address_map.c \
	src/import/profiles/backtraces.c \
	src/import/profiles/collapsed.c \
	src/import/profiles/cpuprofile.c \
	src/import/profiles/firefox.c \
	src/import/profiles/firefox_frames.c \
	src/import/profiles/firefox_markers.c \
	src/import/profiles/samples.c \
	src/import/profiles/speedscope.c \
	src/import/profiles/stack_tree.c \
	src/import/profiles/symbols.c \
	src/import/profiles/v8_profile.c
united/src_import_profiles.c: $(src_import_profiles_parts) $(srcdir)/src/import/profiles unite.awk
	$(UNITE) $(src_import_profiles_parts) >$@.new && mv -f $@.new $@

src_import_spans_parts = \
	src/import/spans/jaeger.c \
	src/import/spans/otlp.c \
	src/import/spans/span_lanes.c \
	src/import/spans/span_store.c \
	src/import/spans/span_tree.c \
	src/import/spans/spans.c \
	src/import/spans/zipkin.c
united/src_import_spans.c: $(src_import_spans_parts) $(srcdir)/src/import/spans unite.awk
	$(UNITE) $(src_import_spans_parts) >$@.new && mv -f $@.new $@

src_import_tables_parts = \
	src/import/tables/columns.c \
	src/import/tables/database.c \
	src/import/tables/nsys.c \
	src/import/tables/nsys_names.c \
	src/import/tables/nsys_row.c \
	src/import/tables/nsys_tables.c \
	src/import/tables/table.c \
	src/import/tables/table_column.c
united/src_import_tables.c: $(src_import_tables_parts) $(srcdir)/src/import/tables unite.awk
	$(UNITE) $(src_import_tables_parts) >$@.new && mv -f $@.new $@

src_io_parts = \
	src/io/cache.c \
	src/io/convert.c \
	src/io/database_files.c \
	src/io/file.c \
	src/io/file_names.c \
	src/io/file_source.c \
	src/io/files_read.c \
	src/io/inflate.c \
	src/io/map_guard.c \
	src/io/memory.c \
	src/io/output_file.c \
	src/io/parts.c \
	src/io/program.c \
	src/io/quote.c \
	src/io/spool.c \
	src/io/state_file.c \
	src/io/temporary.c \
	src/io/watch.c
united/src_io.c: $(src_io_parts) $(srcdir)/src/io unite.awk
	$(UNITE) $(src_io_parts) >$@.new && mv -f $@.new $@

src_io_foreign_parts = \
	src/io/foreign/foreign.c \
	src/io/foreign/foreign_tables.c \
	src/io/foreign/foreign_text.c
united/src_io_foreign.c: $(src_io_foreign_parts) $(srcdir)/src/io/foreign unite.awk
	$(UNITE) $(src_io_foreign_parts) >$@.new && mv -f $@.new $@

src_united = \
	united/src_base.c \
	united/src_base_time.c \
	united/src.c \
	united/src_fxt.c \
	united/src_import_chrome.c \
	united/src_import.c \
	united/src_import_json.c \
	united/src_import_kernel.c \
	united/src_import_perfetto.c \
	united/src_import_profiles.c \
	united/src_import_spans.c \
	united/src_import_tables.c \
	united/src_io.c \
	united/src_io_foreign.c

model_nest_parts = \
	model/nest/nest.c \
	model/nest/nest_buffer.c \
	model/nest/nest_busy.c \
	model/nest/nest_chunks.c \
	model/nest/nest_close.c \
	model/nest/nest_damaged.c \
	model/nest/nest_enclosing.c \
	model/nest/nest_late.c \
	model/nest/nest_losses.c \
	model/nest/nest_parts.c \
	model/nest/nest_run.c \
	model/nest/nest_sort.c \
	model/nest/nest_ties.c
united/model_nest.c: $(model_nest_parts) $(srcdir)/model/nest unite.awk
	$(UNITE) $(model_nest_parts) >$@.new && mv -f $@.new $@

model_output_between_parts = \
	model/output/between/between_print.c \
	model/output/between/between_relation.c \
	model/output/between/compare_traces.c
united/model_output_between.c: $(model_output_between_parts) $(srcdir)/model/output/between unite.awk
	$(UNITE) $(model_output_between_parts) >$@.new && mv -f $@.new $@

model_output_parts = \
	model/output/chars.c \
	model/output/check.c \
	model/output/chrome.c \
	model/output/chrome_number.c \
	model/output/chrome_pair.c \
	model/output/chrome_plan.c \
	model/output/chrome_stack.c \
	model/output/csv.c \
	model/output/event_list.c \
	model/output/fleet.c \
	model/output/fleet_files.c \
	model/output/fleet_join.c \
	model/output/folded.c \
	model/output/json.c \
	model/output/longest.c \
	model/output/names_list.c \
	model/output/ndjson.c \
	model/output/only_providers.c \
	model/output/processes_list.c \
	model/output/relation.c \
	model/output/relation_print.c \
	model/output/report.c \
	model/output/report_page.c \
	model/output/report_range.c \
	model/output/rows_fxt.c \
	model/output/save_set.c \
	model/output/test_report.c \
	model/output/top.c
united/model_output.c: $(model_output_parts) $(srcdir)/model/output unite.awk
	$(UNITE) $(model_output_parts) >$@.new && mv -f $@.new $@

model_output_cut_parts = \
	model/output/cut/cut.c \
	model/output/cut/cut_sched.c \
	model/output/cut/load.c \
	model/output/cut/sieve.c
united/model_output_cut.c: $(model_output_cut_parts) $(srcdir)/model/output/cut unite.awk
	$(UNITE) $(model_output_cut_parts) >$@.new && mv -f $@.new $@

model_output_lines_parts = \
	model/output/lines/blocks.c \
	model/output/lines/chrome_async.c \
	model/output/lines/ndjson_head.c \
	model/output/lines/row_order.c \
	model/output/lines/time_order.c
united/model_output_lines.c: $(model_output_lines_parts) $(srcdir)/model/output/lines unite.awk
	$(UNITE) $(model_output_lines_parts) >$@.new && mv -f $@.new $@

model_query_parts = \
	model/query/aggregate.c \
	model/query/answer.c \
	model/query/detail.c \
	model/query/dissect.c \
	model/query/dissect_field.c \
	model/query/dissect_record.c \
	model/query/filter.c \
	model/query/filter_number.c \
	model/query/filter_print.c \
	model/query/flow_bounds.c \
	model/query/flow_slice.c \
	model/query/flow_stats.c \
	model/query/name_stats.c \
	model/query/process_label.c \
	model/query/sample_counts.c \
	model/query/search.c \
	model/query/search_counted.c \
	model/query/slice_iter.c \
	model/query/slice_order.c \
	model/query/track_set.c
united/model_query.c: $(model_query_parts) $(srcdir)/model/query unite.awk
	$(UNITE) $(model_query_parts) >$@.new && mv -f $@.new $@

model_query_filter_parts = \
	model/query/filter/filter_file.c \
	model/query/filter/filter_lanes.c \
	model/query/filter/filter_match.c \
	model/query/filter/filter_match_event.c \
	model/query/filter/filter_sets.c \
	model/query/filter/filter_track.c
united/model_query_filter.c: $(model_query_filter_parts) $(srcdir)/model/query/filter unite.awk
	$(UNITE) $(model_query_filter_parts) >$@.new && mv -f $@.new $@

model_query_stat_between_parts = \
	model/query/stat/between/between.c \
	model/query/stat/between/between_contain.c \
	model/query/stat/between/compare.c \
	model/query/stat/between/trace_names.c \
	model/query/stat/between/trace_pools.c \
	model/query/stat/between/two_traces.c
united/model_query_stat_between.c: $(model_query_stat_between_parts) $(srcdir)/model/query/stat/between unite.awk
	$(UNITE) $(model_query_stat_between_parts) >$@.new && mv -f $@.new $@

model_query_stat_parts = \
	model/query/stat/hot.c \
	model/query/stat/instances.c \
	model/query/stat/name_pattern.c \
	model/query/stat/names_table.c \
	model/query/stat/path_derive.c \
	model/query/stat/path_processes.c \
	model/query/stat/path_table.c \
	model/query/stat/path_tree.c \
	model/query/stat/path_walk.c \
	model/query/stat/percentiles.c \
	model/query/stat/question.c \
	model/query/stat/range.c \
	model/query/stat/range_text.c \
	model/query/stat/sample_iter.c \
	model/query/stat/sample_rows.c \
	model/query/stat/slice_group.c \
	model/query/stat/spread.c \
	model/query/stat/time_text.c \
	model/query/stat/track_scope.c \
	model/query/stat/two_samples.c
united/model_query_stat.c: $(model_query_stat_parts) $(srcdir)/model/query/stat unite.awk
	$(UNITE) $(model_query_stat_parts) >$@.new && mv -f $@.new $@

model_query_stat_slice_parts = \
	model/query/stat/slice/children.c \
	model/query/stat/slice/pick.c \
	model/query/stat/slice/why.c
united/model_query_stat_slice.c: $(model_query_stat_slice_parts) $(srcdir)/model/query/stat/slice unite.awk
	$(UNITE) $(model_query_stat_slice_parts) >$@.new && mv -f $@.new $@

model_query_stat_tables_parts = \
	model/query/stat/tables/counter_numbers.c \
	model/query/stat/tables/gaps.c \
	model/query/stat/tables/log_templates.c \
	model/query/stat/tables/processes.c \
	model/query/stat/tables/raster.c \
	model/query/stat/tables/thread_states.c
united/model_query_stat_tables.c: $(model_query_stat_tables_parts) $(srcdir)/model/query/stat/tables unite.awk
	$(UNITE) $(model_query_stat_tables_parts) >$@.new && mv -f $@.new $@

model_query_stat_waits_parts = \
	model/query/stat/waits/critical.c \
	model/query/stat/waits/wakeup.c \
	model/query/stat/waits/wakeup_stats.c
united/model_query_stat_waits.c: $(model_query_stat_waits_parts) $(srcdir)/model/query/stat/waits unite.awk
	$(UNITE) $(model_query_stat_waits_parts) >$@.new && mv -f $@.new $@

model_store_parts = \
	model/store/async.c \
	model/store/async_damaged.c \
	model/store/blob.c \
	model/store/counter.c \
	model/store/event_key.c \
	model/store/flow.c \
	model/store/flow_worlds.c \
	model/store/lane.c \
	model/store/lane_columns.c \
	model/store/object.c \
	model/store/open_index.c \
	model/store/pack.c \
	model/store/problem.c \
	model/store/row_track.c \
	model/store/sched.c \
	model/store/sched_life.c \
	model/store/slice.c \
	model/store/time_log.c \
	model/store/vote.c
united/model_store.c: $(model_store_parts) $(srcdir)/model/store unite.awk
	$(UNITE) $(model_store_parts) >$@.new && mv -f $@.new $@

model_trace_parts = \
	model/trace/archived.c \
	model/trace/batch.c \
	model/trace/crowd.c \
	model/trace/damaged.c \
	model/trace/ingest.c \
	model/trace/ingest_flush.c \
	model/trace/ingest_losses.c \
	model/trace/ingest_profile.c \
	model/trace/persist.c \
	model/trace/trace.c \
	model/trace/trace_damaged.c \
	model/trace/trace_damaged_sched.c \
	model/trace/trace_life.c \
	model/trace/trace_load.c \
	model/trace/trace_mend.c \
	model/trace/trace_part.c \
	model/trace/trace_point.c \
	model/trace/trace_problems.c \
	model/trace/trace_remains.c \
	model/trace/trace_sampled.c \
	model/trace/trace_sound_times.c \
	model/trace/trace_times.c
united/model_trace.c: $(model_trace_parts) $(srcdir)/model/trace unite.awk
	$(UNITE) $(model_trace_parts) >$@.new && mv -f $@.new $@

model_united = \
	united/model_nest.c \
	united/model_output_between.c \
	united/model_output.c \
	united/model_output_cut.c \
	united/model_output_lines.c \
	united/model_query.c \
	united/model_query_filter.c \
	united/model_query_stat_between.c \
	united/model_query_stat.c \
	united/model_query_stat_slice.c \
	united/model_query_stat_tables.c \
	united/model_query_stat_waits.c \
	united/model_store.c \
	united/model_trace.c

sql_aggregate_parts = \
	sql/aggregate/ordered.c \
	sql/aggregate/percentile.c
united/sql_aggregate.c: $(sql_aggregate_parts) $(srcdir)/sql/aggregate unite.awk
	$(UNITE) $(sql_aggregate_parts) >$@.new && mv -f $@.new $@

sql_answer_parts = \
	sql/answer/answer.c \
	sql/answer/columns.c \
	sql/answer/kept.c \
	sql/answer/unended.c
united/sql_answer.c: $(sql_answer_parts) $(srcdir)/sql/answer unite.awk
	$(UNITE) $(sql_answer_parts) >$@.new && mv -f $@.new $@

sql_arguments_parts = \
	sql/arguments/arguments.c \
	sql/arguments/dotted.c
united/sql_arguments.c: $(sql_arguments_parts) $(srcdir)/sql/arguments unite.awk
	$(UNITE) $(sql_arguments_parts) >$@.new && mv -f $@.new $@

sql_batch_parts = \
	sql/batch/batch.c \
	sql/batch/plan.c \
	sql/batch/sums.c
united/sql_batch.c: $(sql_batch_parts) $(srcdir)/sql/batch unite.awk
	$(UNITE) $(sql_batch_parts) >$@.new && mv -f $@.new $@

sql_parts = \
	sql/family.c \
	sql/functions.c \
	sql/guard.c \
	sql/lanes.c \
	sql/lanes_open.c \
	sql/made.c \
	sql/operations.c \
	sql/print.c \
	sql/query.c \
	sql/registry.c \
	sql/rows.c \
	sql/rows_names.c \
	sql/scopes.c \
	sql/source.c \
	sql/state_time.c \
	sql/table.c \
	sql/table_trace.c
united/sql.c: $(sql_parts) $(srcdir)/sql unite.awk
	$(UNITE) $(sql_parts) >$@.new && mv -f $@.new $@

sql_modes_parts = \
	sql/modes/assertion.c \
	sql/modes/run.c \
	sql/modes/saved.c \
	sql/modes/verdicts.c
united/sql_modes.c: $(sql_modes_parts) $(srcdir)/sql/modes unite.awk
	$(UNITE) $(sql_modes_parts) >$@.new && mv -f $@.new $@

sql_rewrite_parts = \
	sql/rewrite/rewrite.c \
	sql/rewrite/rewrite_macros.c \
	sql/rewrite/rewrite_made.c
united/sql_rewrite.c: $(sql_rewrite_parts) $(srcdir)/sql/rewrite unite.awk
	$(UNITE) $(sql_rewrite_parts) >$@.new && mv -f $@.new $@

sql_tables_parts = \
	sql/tables/analysis.c \
	sql/tables/args.c \
	sql/tables/flows.c \
	sql/tables/flows_open.c \
	sql/tables/intersect.c \
	sql/tables/made_table.c \
	sql/tables/numbers.c \
	sql/tables/own.c \
	sql/tables/records.c \
	sql/tables/samples.c \
	sql/tables/slices.c \
	sql/tables/span.c \
	sql/tables/states.c \
	sql/tables/threads.c \
	sql/tables/traces.c \
	sql/tables/tracks.c \
	sql/tables/views.c \
	sql/tables/walk.c
united/sql_tables.c: $(sql_tables_parts) $(srcdir)/sql/tables unite.awk
	$(UNITE) $(sql_tables_parts) >$@.new && mv -f $@.new $@

sql_united = \
	united/sql_aggregate.c \
	united/sql_answer.c \
	united/sql_arguments.c \
	united/sql_batch.c \
	united/sql.c \
	united/sql_modes.c \
	united/sql_rewrite.c \
	united/sql_tables.c

record_parts = \
	record/apart.c \
	record/child.c \
	record/limits.c \
	record/lines.c \
	record/manager.c \
	record/marks.c \
	record/output.c \
	record/place.c \
	record/preload.c \
	record/readout.c \
	record/recording.c \
	record/recording_options.c \
	record/recover.c \
	record/signals.c \
	record/snapshot.c \
	record/ticks.c \
	record/tracee.c \
	record/until.c
united/record.c: $(record_parts) $(srcdir)/record unite.awk
	$(UNITE) $(record_parts) >$@.new && mv -f $@.new $@

record_file_parts = \
	record/file/pages.c \
	record/file/tids.c
united/record_file.c: $(record_file_parts) $(srcdir)/record/file unite.awk
	$(UNITE) $(record_file_parts) >$@.new && mv -f $@.new $@

record_watch_parts = \
	record/watch/alone.c \
	record/watch/attach.c \
	record/watch/binary.c \
	record/watch/call_names.c \
	record/watch/call_tables.c \
	record/watch/calls.c \
	record/watch/death.c \
	record/watch/descriptors.c \
	record/watch/finder.c \
	record/watch/image_file.c \
	record/watch/images.c \
	record/watch/lives.c \
	record/watch/living.c \
	record/watch/namer.c \
	record/watch/names.c \
	record/watch/numbers.c \
	record/watch/perf_rings.c \
	record/watch/sample.c \
	record/watch/stacks.c \
	record/watch/switches.c \
	record/watch/symbol_table.c \
	record/watch/tracepoints.c \
	record/watch/tracer.c \
	record/watch/tracer_serve.c \
	record/watch/unseen.c \
	record/watch/unwind.c \
	record/watch/wakes.c
united/record_watch.c: $(record_watch_parts) $(srcdir)/record/watch unite.awk
	$(UNITE) $(record_watch_parts) >$@.new && mv -f $@.new $@

record_united = \
	united/record.c \
	united/record_file.c \
	united/record_watch.c

ui_parts = \
	ui/aligned.c \
	ui/app.c \
	ui/as_track.c \
	ui/asked.c \
	ui/command.c \
	ui/command_table.c \
	ui/completions.c \
	ui/describe_view.c \
	ui/help.c \
	ui/hints.c \
	ui/jobs.c \
	ui/legend.c \
	ui/offsets.c \
	ui/rows.c \
	ui/session.c \
	ui/status.c \
	ui/turns.c
united/ui.c: $(ui_parts) $(srcdir)/ui unite.awk
	$(UNITE) $(ui_parts) >$@.new && mv -f $@.new $@

ui_config_parts = \
	ui/config/config.c \
	ui/config/config_lines.c \
	ui/config/key_sets.c \
	ui/config/keymap.c \
	ui/config/settings.c \
	ui/config/theme.c
united/ui_config.c: $(ui_config_parts) $(srcdir)/ui/config unite.awk
	$(UNITE) $(ui_config_parts) >$@.new && mv -f $@.new $@

ui_drawer_compare_parts = \
	ui/drawer/compare/slowest.c \
	ui/drawer/compare/tab_children.c \
	ui/drawer/compare/tab_why.c
united/ui_drawer_compare.c: $(ui_drawer_compare_parts) $(srcdir)/ui/drawer/compare unite.awk
	$(UNITE) $(ui_drawer_compare_parts) >$@.new && mv -f $@.new $@

ui_drawer_parts = \
	ui/drawer/counters.c \
	ui/drawer/describe.c \
	ui/drawer/details.c \
	ui/drawer/details_event.c \
	ui/drawer/details_hot.c \
	ui/drawer/details_preempted.c \
	ui/drawer/details_row.c \
	ui/drawer/details_sched.c \
	ui/drawer/details_slice.c \
	ui/drawer/drawer.c \
	ui/drawer/drawer_link.c \
	ui/drawer/drawer_text.c \
	ui/drawer/phrase.c \
	ui/drawer/tab_flow.c \
	ui/drawer/tab_name.c
united/ui_drawer.c: $(ui_drawer_parts) $(srcdir)/ui/drawer unite.awk
	$(UNITE) $(ui_drawer_parts) >$@.new && mv -f $@.new $@

ui_keep_parts = \
	ui/keep/keep_copy.c \
	ui/keep/keep_run.c \
	ui/keep/keep_session.c \
	ui/keep/keep_set.c \
	ui/keep/keep_state.c \
	ui/keep/source_place.c \
	ui/keep/track_spec.c
united/ui_keep.c: $(ui_keep_parts) $(srcdir)/ui/keep unite.awk
	$(UNITE) $(ui_keep_parts) >$@.new && mv -f $@.new $@

ui_picture_parts = \
	ui/picture/picture.c
united/ui_picture.c: $(ui_picture_parts) $(srcdir)/ui/picture unite.awk
	$(UNITE) $(ui_picture_parts) >$@.new && mv -f $@.new $@

ui_screen_parts = \
	ui/screen/grid.c \
	ui/screen/key.c \
	ui/screen/key_decode.c \
	ui/screen/layout.c \
	ui/screen/pager.c \
	ui/screen/prompt.c \
	ui/screen/style.c \
	ui/screen/table.c \
	ui/screen/table_draw.c \
	ui/screen/thin.c \
	ui/screen/wrap.c
united/ui_screen.c: $(ui_screen_parts) $(srcdir)/ui/screen unite.awk
	$(UNITE) $(ui_screen_parts) >$@.new && mv -f $@.new $@

ui_shells_parts = \
	ui/shells/shell.c \
	ui/shells/shell_bash.c \
	ui/shells/shell_fish.c \
	ui/shells/shell_zsh.c
united/ui_shells.c: $(ui_shells_parts) $(srcdir)/ui/shells unite.awk
	$(UNITE) $(ui_shells_parts) >$@.new && mv -f $@.new $@

ui_timeline_parts = \
	ui/timeline/colors.c \
	ui/timeline/draw_flows.c \
	ui/timeline/draw_gap.c \
	ui/timeline/draw_gutter.c \
	ui/timeline/draw_instants.c \
	ui/timeline/draw_lane.c \
	ui/timeline/draw_overview.c \
	ui/timeline/draw_ruler.c \
	ui/timeline/draw_tracks.c \
	ui/timeline/find.c \
	ui/timeline/flow_nav.c \
	ui/timeline/move.c \
	ui/timeline/overview_events.c \
	ui/timeline/selection.c \
	ui/timeline/track_hand.c \
	ui/timeline/track_line.c \
	ui/timeline/track_list.c \
	ui/timeline/track_ops.c \
	ui/timeline/tracks.c \
	ui/timeline/window.c
united/ui_timeline.c: $(ui_timeline_parts) $(srcdir)/ui/timeline unite.awk
	$(UNITE) $(ui_timeline_parts) >$@.new && mv -f $@.new $@

ui_timeline_filters_parts = \
	ui/timeline/filters/track_filter.c \
	ui/timeline/filters/track_only.c \
	ui/timeline/filters/track_subject.c
united/ui_timeline_filters.c: $(ui_timeline_filters_parts) $(srcdir)/ui/timeline/filters unite.awk
	$(UNITE) $(ui_timeline_filters_parts) >$@.new && mv -f $@.new $@

ui_timeline_kinds_parts = \
	ui/timeline/kinds/curve.c \
	ui/timeline/kinds/curve_group.c \
	ui/timeline/kinds/draw_curve.c \
	ui/timeline/kinds/draw_stack.c \
	ui/timeline/kinds/draw_states.c \
	ui/timeline/kinds/track_async.c \
	ui/timeline/kinds/track_counter.c \
	ui/timeline/kinds/track_cpu.c \
	ui/timeline/kinds/track_ended.c \
	ui/timeline/kinds/track_log.c \
	ui/timeline/kinds/track_process.c \
	ui/timeline/kinds/track_rows.c \
	ui/timeline/kinds/track_thread.c \
	ui/timeline/kinds/track_trace.c
united/ui_timeline_kinds.c: $(ui_timeline_kinds_parts) $(srcdir)/ui/timeline/kinds unite.awk
	$(UNITE) $(ui_timeline_kinds_parts) >$@.new && mv -f $@.new $@

ui_timeline_list_parts = \
	ui/timeline/list/process_busy.c \
	ui/timeline/list/process_tree.c \
	ui/timeline/list/track_gone.c \
	ui/timeline/list/track_known.c \
	ui/timeline/list/track_life.c \
	ui/timeline/list/track_many.c \
	ui/timeline/list/track_moved.c \
	ui/timeline/list/track_order.c \
	ui/timeline/list/track_sort.c \
	ui/timeline/list/track_verdicts.c
united/ui_timeline_list.c: $(ui_timeline_list_parts) $(srcdir)/ui/timeline/list unite.awk
	$(UNITE) $(ui_timeline_list_parts) >$@.new && mv -f $@.new $@

ui_timeline_range_parts = \
	ui/timeline/range/draw_range.c \
	ui/timeline/range/marks.c \
	ui/timeline/range/ranges.c
united/ui_timeline_range.c: $(ui_timeline_range_parts) $(srcdir)/ui/timeline/range unite.awk
	$(UNITE) $(ui_timeline_range_parts) >$@.new && mv -f $@.new $@

ui_timeline_waits_parts = \
	ui/timeline/waits/draw_path.c \
	ui/timeline/waits/waker.c
united/ui_timeline_waits.c: $(ui_timeline_waits_parts) $(srcdir)/ui/timeline/waits unite.awk
	$(UNITE) $(ui_timeline_waits_parts) >$@.new && mv -f $@.new $@

ui_views_sql_parts = \
	ui/views/sql/sql_each.c \
	ui/views/sql/sql_go.c \
	ui/views/sql/sql_words.c \
	ui/views/sql/view_sql.c \
	ui/views/sql/view_sql_aligned.c \
	ui/views/sql/view_sql_draw.c
united/ui_views_sql.c: $(ui_views_sql_parts) $(srcdir)/ui/views/sql unite.awk
	$(UNITE) $(ui_views_sql_parts) >$@.new && mv -f $@.new $@

ui_views_stat_parts = \
	ui/views/stat/compare_pane.c \
	ui/views/stat/draw_flame.c \
	ui/views/stat/flow_ladder.c \
	ui/views/stat/flow_tables.c \
	ui/views/stat/paths.c \
	ui/views/stat/paths_measure.c \
	ui/views/stat/paths_place.c \
	ui/views/stat/paths_record.c \
	ui/views/stat/view_compare.c \
	ui/views/stat/view_critical.c \
	ui/views/stat/view_flame.c \
	ui/views/stat/view_flows.c \
	ui/views/stat/view_sandwich.c \
	ui/views/stat/view_slices.c \
	ui/views/stat/view_slices_draw.c \
	ui/views/stat/view_slices_filter.c \
	ui/views/stat/view_slices_place.c \
	ui/views/stat/view_tree.c \
	ui/views/stat/view_wakeups.c
united/ui_views_stat.c: $(ui_views_stat_parts) $(srcdir)/ui/views/stat unite.awk
	$(UNITE) $(ui_views_stat_parts) >$@.new && mv -f $@.new $@

ui_views_stat_slices_parts = \
	ui/views/stat/slices/stat_counters.c \
	ui/views/stat/slices/stat_filter.c \
	ui/views/stat/slices/stat_flows.c \
	ui/views/stat/slices/stat_gaps.c \
	ui/views/stat/slices/stat_go.c \
	ui/views/stat/slices/stat_instances.c \
	ui/views/stat/slices/stat_logs.c \
	ui/views/stat/slices/stat_names.c \
	ui/views/stat/slices/stat_raster.c \
	ui/views/stat/slices/stat_spread.c \
	ui/views/stat/slices/stat_threads.c
united/ui_views_stat_slices.c: $(ui_views_stat_slices_parts) $(srcdir)/ui/views/stat/slices unite.awk
	$(UNITE) $(ui_views_stat_slices_parts) >$@.new && mv -f $@.new $@

ui_views_stat_traces_parts = \
	ui/views/stat/traces/compared.c \
	ui/views/stat/traces/traces_sides.c \
	ui/views/stat/traces/view_traces.c
united/ui_views_stat_traces.c: $(ui_views_stat_traces_parts) $(srcdir)/ui/views/stat/traces unite.awk
	$(UNITE) $(ui_views_stat_traces_parts) >$@.new && mv -f $@.new $@

ui_views_parts = \
	ui/views/view.c \
	ui/views/view_blobs.c \
	ui/views/view_bytes.c \
	ui/views/view_described.c \
	ui/views/view_help.c \
	ui/views/view_hits.c \
	ui/views/view_info.c \
	ui/views/view_log.c \
	ui/views/view_objects.c \
	ui/views/view_page.c \
	ui/views/view_place.c \
	ui/views/view_problems.c \
	ui/views/view_profile.c \
	ui/views/view_table.c \
	ui/views/view_timeline.c
united/ui_views.c: $(ui_views_parts) $(srcdir)/ui/views unite.awk
	$(UNITE) $(ui_views_parts) >$@.new && mv -f $@.new $@

ui_united = \
	united/ui.c \
	united/ui_config.c \
	united/ui_drawer_compare.c \
	united/ui_drawer.c \
	united/ui_keep.c \
	united/ui_picture.c \
	united/ui_screen.c \
	united/ui_shells.c \
	united/ui_timeline.c \
	united/ui_timeline_filters.c \
	united/ui_timeline_kinds.c \
	united/ui_timeline_list.c \
	united/ui_timeline_range.c \
	united/ui_timeline_waits.c \
	united/ui_views_sql.c \
	united/ui_views_stat.c \
	united/ui_views_stat_slices.c \
	united/ui_views_stat_traces.c \
	united/ui_views.c

terminal_files = \
	ui/terminal/builtin/term_builtin.c \
	ui/terminal/builtin/term_builtin.h \
	ui/terminal/term.h \
	ui/terminal/term_caps.c \
	ui/terminal/term_curses.c \
	ui/terminal/term_input.c \
	ui/terminal/term_internal.h \
	ui/terminal/term_signal.c

app_files = \
	app/exports.c \
	app/exports.h \
	app/fleets.c \
	app/fleets.h \
	app/mode.h \
	app/open_trace.c \
	app/open_trace.h \
	app/options.c \
	app/options.h \
	app/play.c \
	app/play.h \
	app/serve.c \
	app/serve.h \
	app/serve_answer.c \
	app/serve_internal.h \
	app/serve_tools.c \
	app/stats.c \
	app/stats.h \
	app/status.c \
	app/status.h \
	app/together.c \
	app/together.h \
	app/together_options.c \
	app/together_options.h \
	app/verbs.c \
	app/verbs.h \
	app/version.c \
	app/version.h

provider_files = \
	provider/clock.h \
	provider/connect.c \
	provider/connect.h \
	provider/event.c \
	provider/held.c \
	provider/held.h \
	provider/names.c \
	provider/names.h \
	provider/provider.c \
	provider/rings.c \
	provider/rings.h \
	provider/session.c \
	provider/session.h \
	provider/symbols.h \
	provider/watch.c \
	provider/watch.h \
	provider/wire.h \
	provider/write.c \
	provider/write.h

tests_lib_files = \
	tests/lib/chance.h \
	tests/lib/far_times.c \
	tests/lib/far_times.h \
	tests/lib/proto_text.c \
	tests/lib/proto_text.h \
	tests/lib/pty.c \
	tests/lib/pty.h \
	tests/lib/scratch.c \
	tests/lib/scratch.h \
	tests/lib/slow_nest.c \
	tests/lib/slow_nest.h \
	tests/lib/sound.c \
	tests/lib/sound.h \
	tests/lib/sound_derived.c \
	tests/lib/sound_grid.c \
	tests/lib/sound_grid.h \
	tests/lib/sound_internal.h \
	tests/lib/sound_nesting.c \
	tests/lib/tracegen.c \
	tests/lib/tracegen.h \
	tests/lib/tracegen_internal.h \
	tests/lib/tracegen_tokens.c

unit_lib_files = \
	tests/unit/lib/checked.h \
	tests/unit/lib/child.c \
	tests/unit/lib/child.h \
	tests/unit/lib/libcheck.h \
	tests/unit/lib/loaded.c \
	tests/unit/lib/loaded.h \
	tests/unit/lib/must.h \
	tests/unit/lib/shown.c \
	tests/unit/lib/shown.h \
	tests/unit/lib/suites.c \
	tests/unit/lib/suites.h \
	tests/unit/lib/thrown.c \
	tests/unit/lib/thrown.h \
	tests/unit/lib/thrown_events.c \
	tests/unit/lib/thrown_events.h \
	tests/unit/lib/thrown_sched.c \
	tests/unit/lib/thrown_sched.h

tests_unit_base_parts = \
	tests/unit/base/suite_budget.c \
	tests/unit/base/suite_command_line.c \
	tests/unit/base/suite_err.c \
	tests/unit/base/suite_hash.c \
	tests/unit/base/suite_lower_bound.c \
	tests/unit/base/suite_map.c \
	tests/unit/base/suite_options.c \
	tests/unit/base/suite_pattern.c \
	tests/unit/base/suite_quantiles.c \
	tests/unit/base/suite_sort.c \
	tests/unit/base/suite_str.c \
	tests/unit/base/suite_sum.c \
	tests/unit/base/suite_task.c \
	tests/unit/base/suite_text.c \
	tests/unit/base/suite_thread.c \
	tests/unit/base/suite_u64map.c \
	tests/unit/base/suite_units.c \
	tests/unit/base/suite_vec.c \
	tests/unit/base/suite_verbs.c \
	tests/unit/base/suite_wide.c
united/tests_unit_base.c: $(tests_unit_base_parts) $(srcdir)/tests/unit/base unite.awk
	$(UNITE) $(tests_unit_base_parts) >$@.new && mv -f $@.new $@

tests_unit_fxt_parts = \
	tests/unit/fxt/suite_archive.c \
	tests/unit/fxt/suite_bulk.c \
	tests/unit/fxt/suite_index_table.c \
	tests/unit/fxt/suite_names.c \
	tests/unit/fxt/suite_reader.c \
	tests/unit/fxt/suite_reader_fast.c \
	tests/unit/fxt/suite_reader_parts.c \
	tests/unit/fxt/suite_record.c \
	tests/unit/fxt/suite_record_layout.c \
	tests/unit/fxt/suite_threads.c \
	tests/unit/fxt/suite_tracegen.c \
	tests/unit/fxt/suite_writer.c
united/tests_unit_fxt.c: $(tests_unit_fxt_parts) $(srcdir)/tests/unit/fxt unite.awk
	$(UNITE) $(tests_unit_fxt_parts) >$@.new && mv -f $@.new $@

tests_unit_io_parts = \
	tests/unit/io/files.c \
	tests/unit/io/suite_cache.c \
	tests/unit/io/suite_convert.c \
	tests/unit/io/suite_file.c \
	tests/unit/io/suite_files_read.c \
	tests/unit/io/suite_foreign.c \
	tests/unit/io/suite_inflate.c \
	tests/unit/io/suite_program.c \
	tests/unit/io/suite_quote.c \
	tests/unit/io/suite_spool.c \
	tests/unit/io/suite_state_file.c \
	tests/unit/io/suite_watch.c
united/tests_unit_io.c: $(tests_unit_io_parts) $(srcdir)/tests/unit/io unite.awk
	$(UNITE) $(tests_unit_io_parts) >$@.new && mv -f $@.new $@

unit_src_united = \
	united/tests_unit_base.c \
	united/tests_unit_fxt.c \
	united/tests_unit_io.c

tests_unit_import_parts = \
	tests/unit/import/suite_absent_names.c \
	tests/unit/import/suite_again.c \
	tests/unit/import/suite_backtraces.c \
	tests/unit/import/suite_collapsed.c \
	tests/unit/import/suite_event_cut.c \
	tests/unit/import/suite_event_json.c \
	tests/unit/import/suite_event_need.c \
	tests/unit/import/suite_event_overlap.c \
	tests/unit/import/suite_event_state.c \
	tests/unit/import/suite_ftrace.c \
	tests/unit/import/suite_ftrace_graph.c \
	tests/unit/import/suite_ftrace_line.c \
	tests/unit/import/suite_import_lines.c \
	tests/unit/import/suite_import_pieces.c \
	tests/unit/import/suite_import_places.c \
	tests/unit/import/suite_json_pull.c \
	tests/unit/import/suite_json_read.c \
	tests/unit/import/suite_json_scan.c \
	tests/unit/import/suite_kernel_events.c \
	tests/unit/import/suite_perf.c \
	tests/unit/import/suite_perf_line.c \
	tests/unit/import/suite_perfetto.c \
	tests/unit/import/suite_redact.c \
	tests/unit/import/suite_rewrite.c \
	tests/unit/import/suite_samples.c \
	tests/unit/import/suite_spans.c \
	tests/unit/import/suite_strace.c \
	tests/unit/import/suite_strace_line.c \
	tests/unit/import/suite_table_column.c
united/tests_unit_import.c: $(tests_unit_import_parts) $(srcdir)/tests/unit/import unite.awk
	$(UNITE) $(tests_unit_import_parts) >$@.new && mv -f $@.new $@

tests_unit_nest_parts = \
	tests/unit/nest/set.c \
	tests/unit/nest/suite_nest.c \
	tests/unit/nest/suite_nest_buffer.c \
	tests/unit/nest/suite_nest_chunks.c \
	tests/unit/nest/suite_nest_enclosing.c \
	tests/unit/nest/suite_nest_sort.c
united/tests_unit_nest.c: $(tests_unit_nest_parts) $(srcdir)/tests/unit/nest unite.awk
	$(UNITE) $(tests_unit_nest_parts) >$@.new && mv -f $@.new $@

tests_unit_output_parts = \
	tests/unit/output/suite_blocks.c \
	tests/unit/output/suite_chrome.c \
	tests/unit/output/suite_csv.c \
	tests/unit/output/suite_cut.c \
	tests/unit/output/suite_event_list.c \
	tests/unit/output/suite_fleet.c \
	tests/unit/output/suite_folded.c \
	tests/unit/output/suite_json.c \
	tests/unit/output/suite_longest.c \
	tests/unit/output/suite_ndjson.c \
	tests/unit/output/suite_processes_list.c \
	tests/unit/output/suite_relation.c \
	tests/unit/output/suite_report.c \
	tests/unit/output/suite_report_page.c \
	tests/unit/output/suite_row_order.c \
	tests/unit/output/suite_test_report.c \
	tests/unit/output/suite_time_order.c \
	tests/unit/output/suite_top.c
united/tests_unit_output.c: $(tests_unit_output_parts) $(srcdir)/tests/unit/output unite.awk
	$(UNITE) $(tests_unit_output_parts) >$@.new && mv -f $@.new $@

tests_unit_query_parts = \
	tests/unit/query/runs.c \
	tests/unit/query/slow_filter.c \
	tests/unit/query/suite_aggregate.c \
	tests/unit/query/suite_between.c \
	tests/unit/query/suite_between_sure.c \
	tests/unit/query/suite_children.c \
	tests/unit/query/suite_compare.c \
	tests/unit/query/suite_counter_numbers.c \
	tests/unit/query/suite_critical.c \
	tests/unit/query/suite_detail.c \
	tests/unit/query/suite_dissect.c \
	tests/unit/query/suite_filter.c \
	tests/unit/query/suite_filter_lanes.c \
	tests/unit/query/suite_filter_match.c \
	tests/unit/query/suite_flow_slice.c \
	tests/unit/query/suite_flow_stats.c \
	tests/unit/query/suite_gaps.c \
	tests/unit/query/suite_hot.c \
	tests/unit/query/suite_instances.c \
	tests/unit/query/suite_log_templates.c \
	tests/unit/query/suite_name_pattern.c \
	tests/unit/query/suite_name_stats.c \
	tests/unit/query/suite_names_table.c \
	tests/unit/query/suite_path_processes.c \
	tests/unit/query/suite_path_table.c \
	tests/unit/query/suite_path_walk.c \
	tests/unit/query/suite_percentiles.c \
	tests/unit/query/suite_pick.c \
	tests/unit/query/suite_process_label.c \
	tests/unit/query/suite_processes.c \
	tests/unit/query/suite_question.c \
	tests/unit/query/suite_range.c \
	tests/unit/query/suite_range_text.c \
	tests/unit/query/suite_raster.c \
	tests/unit/query/suite_search.c \
	tests/unit/query/suite_slice_group.c \
	tests/unit/query/suite_slice_iter.c \
	tests/unit/query/suite_slice_order.c \
	tests/unit/query/suite_spread.c \
	tests/unit/query/suite_thread_states.c \
	tests/unit/query/suite_track_scope.c \
	tests/unit/query/suite_track_set.c \
	tests/unit/query/suite_two_samples.c \
	tests/unit/query/suite_two_traces.c \
	tests/unit/query/suite_wakeup_stats.c \
	tests/unit/query/suite_why.c
united/tests_unit_query.c: $(tests_unit_query_parts) $(srcdir)/tests/unit/query unite.awk
	$(UNITE) $(tests_unit_query_parts) >$@.new && mv -f $@.new $@

tests_unit_store_parts = \
	tests/unit/store/suite_async.c \
	tests/unit/store/suite_blob.c \
	tests/unit/store/suite_counter.c \
	tests/unit/store/suite_event_key.c \
	tests/unit/store/suite_flow.c \
	tests/unit/store/suite_lane.c \
	tests/unit/store/suite_object.c \
	tests/unit/store/suite_open_index.c \
	tests/unit/store/suite_pack.c \
	tests/unit/store/suite_problem.c \
	tests/unit/store/suite_row_track.c \
	tests/unit/store/suite_sched.c \
	tests/unit/store/suite_slice.c \
	tests/unit/store/suite_time_log.c \
	tests/unit/store/suite_vote.c
united/tests_unit_store.c: $(tests_unit_store_parts) $(srcdir)/tests/unit/store unite.awk
	$(UNITE) $(tests_unit_store_parts) >$@.new && mv -f $@.new $@

tests_unit_trace_parts = \
	tests/unit/trace/kept.c \
	tests/unit/trace/suite_batch.c \
	tests/unit/trace/suite_crowd.c \
	tests/unit/trace/suite_damaged.c \
	tests/unit/trace/suite_follow.c \
	tests/unit/trace/suite_ingest.c \
	tests/unit/trace/suite_ingest_flush.c \
	tests/unit/trace/suite_persist.c \
	tests/unit/trace/suite_several.c \
	tests/unit/trace/suite_trace.c \
	tests/unit/trace/suite_trace_life.c \
	tests/unit/trace/suite_trace_problems.c \
	tests/unit/trace/suite_worker.c
united/tests_unit_trace.c: $(tests_unit_trace_parts) $(srcdir)/tests/unit/trace unite.awk
	$(UNITE) $(tests_unit_trace_parts) >$@.new && mv -f $@.new $@

unit_model_united = \
	united/tests_unit_import.c \
	united/tests_unit_nest.c \
	united/tests_unit_output.c \
	united/tests_unit_query.c \
	united/tests_unit_store.c \
	united/tests_unit_trace.c

tests_unit_drawer_parts = \
	tests/unit/drawer/suite_counters.c \
	tests/unit/drawer/suite_details.c \
	tests/unit/drawer/suite_details_preempted.c \
	tests/unit/drawer/suite_drawer.c \
	tests/unit/drawer/suite_drawer_text.c \
	tests/unit/drawer/suite_tab_flow.c \
	tests/unit/drawer/suite_tab_name.c \
	tests/unit/drawer/suite_tab_why.c
united/tests_unit_drawer.c: $(tests_unit_drawer_parts) $(srcdir)/tests/unit/drawer unite.awk
	$(UNITE) $(tests_unit_drawer_parts) >$@.new && mv -f $@.new $@

tests_unit_timeline_parts = \
	tests/unit/timeline/suite_colors.c \
	tests/unit/timeline/suite_curve.c \
	tests/unit/timeline/suite_draw_flows.c \
	tests/unit/timeline/suite_draw_instants.c \
	tests/unit/timeline/suite_draw_lane.c \
	tests/unit/timeline/suite_draw_overview.c \
	tests/unit/timeline/suite_draw_stack.c \
	tests/unit/timeline/suite_draw_tracks.c \
	tests/unit/timeline/suite_find.c \
	tests/unit/timeline/suite_flow_nav.c \
	tests/unit/timeline/suite_marks.c \
	tests/unit/timeline/suite_move.c \
	tests/unit/timeline/suite_process_busy.c \
	tests/unit/timeline/suite_process_tree.c \
	tests/unit/timeline/suite_ranges.c \
	tests/unit/timeline/suite_selection.c \
	tests/unit/timeline/suite_track_filter.c \
	tests/unit/timeline/suite_track_gone.c \
	tests/unit/timeline/suite_track_hand.c \
	tests/unit/timeline/suite_track_kinds.c \
	tests/unit/timeline/suite_track_line.c \
	tests/unit/timeline/suite_track_list.c \
	tests/unit/timeline/suite_track_moved.c \
	tests/unit/timeline/suite_track_sort.c \
	tests/unit/timeline/suite_tracks.c \
	tests/unit/timeline/suite_waker.c
united/tests_unit_timeline.c: $(tests_unit_timeline_parts) $(srcdir)/tests/unit/timeline unite.awk
	$(UNITE) $(tests_unit_timeline_parts) >$@.new && mv -f $@.new $@

tests_unit_ui_parts = \
	tests/unit/ui/live.c \
	tests/unit/ui/suite_answer.c \
	tests/unit/ui/suite_command.c \
	tests/unit/ui/suite_config.c \
	tests/unit/ui/suite_describe_view.c \
	tests/unit/ui/suite_draw_curve.c \
	tests/unit/ui/suite_far.c \
	tests/unit/ui/suite_file_names.c \
	tests/unit/ui/suite_grid.c \
	tests/unit/ui/suite_growing.c \
	tests/unit/ui/suite_jobs.c \
	tests/unit/ui/suite_keep_copy.c \
	tests/unit/ui/suite_keep_run.c \
	tests/unit/ui/suite_keep_set.c \
	tests/unit/ui/suite_keep_state.c \
	tests/unit/ui/suite_key.c \
	tests/unit/ui/suite_layout.c \
	tests/unit/ui/suite_pager.c \
	tests/unit/ui/suite_picture.c \
	tests/unit/ui/suite_play.c \
	tests/unit/ui/suite_prompt.c \
	tests/unit/ui/suite_reload.c \
	tests/unit/ui/suite_session.c \
	tests/unit/ui/suite_source_place.c \
	tests/unit/ui/suite_status.c \
	tests/unit/ui/suite_style.c \
	tests/unit/ui/suite_table.c \
	tests/unit/ui/suite_texts.c \
	tests/unit/ui/suite_thin.c \
	tests/unit/ui/suite_track_ops.c \
	tests/unit/ui/suite_turns.c \
	tests/unit/ui/suite_window.c \
	tests/unit/ui/suite_wrap.c
united/tests_unit_ui.c: $(tests_unit_ui_parts) $(srcdir)/tests/unit/ui unite.awk
	$(UNITE) $(tests_unit_ui_parts) >$@.new && mv -f $@.new $@

tests_unit_views_parts = \
	tests/unit/views/suite_compared.c \
	tests/unit/views/suite_draw_flame.c \
	tests/unit/views/suite_paths.c \
	tests/unit/views/suite_paths_measure.c \
	tests/unit/views/suite_paths_place.c \
	tests/unit/views/suite_view.c \
	tests/unit/views/suite_view_blobs.c \
	tests/unit/views/suite_view_bytes.c \
	tests/unit/views/suite_view_compare.c \
	tests/unit/views/suite_view_critical.c \
	tests/unit/views/suite_view_flame.c \
	tests/unit/views/suite_view_flows.c \
	tests/unit/views/suite_view_hits.c \
	tests/unit/views/suite_view_log.c \
	tests/unit/views/suite_view_objects.c \
	tests/unit/views/suite_view_page.c \
	tests/unit/views/suite_view_pages.c \
	tests/unit/views/suite_view_place.c \
	tests/unit/views/suite_view_profile.c \
	tests/unit/views/suite_view_slices.c \
	tests/unit/views/suite_view_table.c \
	tests/unit/views/suite_view_timeline.c \
	tests/unit/views/suite_view_traces.c \
	tests/unit/views/suite_view_tree.c \
	tests/unit/views/suite_view_wakeups.c
united/tests_unit_views.c: $(tests_unit_views_parts) $(srcdir)/tests/unit/views unite.awk
	$(UNITE) $(tests_unit_views_parts) >$@.new && mv -f $@.new $@

unit_ui_united = \
	united/tests_unit_drawer.c \
	united/tests_unit_timeline.c \
	united/tests_unit_ui.c \
	united/tests_unit_views.c

tests_unit_record_parts = \
	tests/unit/record/suite_alone.c \
	tests/unit/record/suite_attach.c \
	tests/unit/record/suite_binary.c \
	tests/unit/record/suite_buffers.c \
	tests/unit/record/suite_calls.c \
	tests/unit/record/suite_finder.c \
	tests/unit/record/suite_images.c \
	tests/unit/record/suite_lines.c \
	tests/unit/record/suite_lives.c \
	tests/unit/record/suite_living.c \
	tests/unit/record/suite_manager.c \
	tests/unit/record/suite_names.c \
	tests/unit/record/suite_output.c \
	tests/unit/record/suite_place.c \
	tests/unit/record/suite_provider_names.c \
	tests/unit/record/suite_readout.c \
	tests/unit/record/suite_recover.c \
	tests/unit/record/suite_rings.c \
	tests/unit/record/suite_sample.c \
	tests/unit/record/suite_stacks.c \
	tests/unit/record/suite_switches.c \
	tests/unit/record/suite_symbol_table.c \
	tests/unit/record/suite_ticks.c \
	tests/unit/record/suite_tracee.c \
	tests/unit/record/suite_tracer.c \
	tests/unit/record/suite_unseen.c \
	tests/unit/record/suite_until.c \
	tests/unit/record/suite_unwind.c \
	tests/unit/record/suite_watch_numbers.c \
	tests/unit/record/suite_wire.c \
	tests/unit/record/suite_write.c \
	tests/unit/record/suite_write_model.c \
	tests/unit/record/write_model.c
united/tests_unit_record.c: $(tests_unit_record_parts) $(srcdir)/tests/unit/record unite.awk
	$(UNITE) $(tests_unit_record_parts) >$@.new && mv -f $@.new $@

unit_record_united = \
	united/tests_unit_record.c

tests_unit_sql_parts = \
	tests/unit/sql/asked.c \
	tests/unit/sql/suite_answer.c \
	tests/unit/sql/suite_as_track.c \
	tests/unit/sql/suite_assertion.c \
	tests/unit/sql/suite_database_files.c \
	tests/unit/sql/suite_dotted.c \
	tests/unit/sql/suite_family.c \
	tests/unit/sql/suite_guard.c \
	tests/unit/sql/suite_intersect.c \
	tests/unit/sql/suite_kept.c \
	tests/unit/sql/suite_modules.c \
	tests/unit/sql/suite_nsys.c \
	tests/unit/sql/suite_percentile.c \
	tests/unit/sql/suite_query.c \
	tests/unit/sql/suite_rewrite.c \
	tests/unit/sql/suite_rows.c \
	tests/unit/sql/suite_span.c \
	tests/unit/sql/suite_states.c \
	tests/unit/sql/suite_view_sql.c
united/tests_unit_sql.c: $(tests_unit_sql_parts) $(srcdir)/tests/unit/sql unite.awk
	$(UNITE) $(tests_unit_sql_parts) >$@.new && mv -f $@.new $@

unit_sql_united = \
	united/tests_unit_sql.c
