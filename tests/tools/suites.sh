#!/usr/bin/env bash
# suites.sh - every module of more than 90 lines has a suite of its own in tests/unit/.
#
# The suite of FOLDER/NAME.c is suite_NAME() or suite_FOLDER_NAME(). A .c without a header of its own is part of the
# module whose name is the leading part of its name (reader_fast.c: suite_reader()), unless it is a view. Exceptions are
# below, with the test that holds their promises. Prints each module without a suite, and each exception that is not
# needed; nothing if all is well.
set -u
top=$(cd "${srcdir:-$(dirname "${BASH_SOURCE[0]}")/../..}" && pwd) || exit
cd "$top" || exit
least=90

# FILE and the file of tests that holds its promises.
elsewhere='
model/output/rows_fxt.c tests/unit/sql/suite_as_track.c
ui/timeline/kinds/track_rows.c tests/unit/sql/suite_as_track.c
model/trace/ingest_profile.c tests/unit/output/suite_ndjson.c
src/import/profiles/symbols.c tests/unit/import/suite_backtraces.c
record/watch/call_tables.c tests/unit/record/suite_calls.c
app/serve.c tests/system/serve.sh
app/serve_answer.c tests/system/serve.sh
app/serve_tools.c tests/system/serve.sh
app/together.c tests/system/together.sh
app/fleets.c tests/system/fleet.sh
app/exports.c tests/system/together.sh
model/query/stat/sample_iter.c tests/unit/query/suite_hot.c
ui/offsets.c tests/system/together.sh
src/fxt/align.c tests/system/together.sh
sql/batch/plan.c tests/unit/sql/suite_rows.c
sql/batch/sums.c tests/unit/sql/suite_rows.c
src/io/parts.c tests/unit/fxt/suite_reader_parts.c
src/import/tables/database.c tests/unit/sql/suite_nsys.c
src/import/tables/nsys_names.c tests/unit/sql/suite_nsys.c
src/import/tables/nsys_row.c tests/unit/sql/suite_nsys.c
src/import/tables/nsys_tables.c tests/unit/sql/suite_nsys.c
model/output/chrome_number.c tests/unit/output/suite_chrome.c
model/output/chrome_pair.c tests/unit/output/suite_chrome.c
model/output/chrome_plan.c tests/unit/output/suite_chrome.c
model/output/lines/chrome_async.c tests/unit/output/suite_chrome.c
src/io/output_file.c tests/system/outputs.sh
model/output/lines/ndjson_head.c tests/unit/output/suite_ndjson.c
model/output/cut/load.c tests/system/load.sh
model/output/cut/sieve.c tests/system/load.sh
model/output/between/between_print.c tests/system/fleet.sh
model/output/between/compare_traces.c tests/system/fleet.sh
model/output/between/between_relation.c tests/unit/views/suite_view_traces.c
model/query/stat/between/trace_names.c tests/unit/query/suite_between.c
model/query/stat/between/trace_pools.c tests/unit/query/suite_between.c
model/query/dissect_field.c tests/unit/query/suite_dissect.c
model/query/filter/filter_sets.c tests/unit/query/suite_filter_match.c
model/query/filter/filter_track.c tests/unit/timeline/suite_track_filter.c
model/query/stat/time_text.c tests/unit/ui/suite_session.c
model/store/sched_life.c tests/unit/store/suite_sched.c
model/nest/nest_close.c tests/unit/nest/suite_nest.c
model/nest/nest_damaged.c tests/unit/trace/suite_damaged.c
src/import/chrome/event_build.c tests/unit/import/suite_event_json.c
src/import/chrome/event_fields.c tests/unit/import/suite_event_json.c
src/import/chrome/event_flow.c tests/unit/import/suite_event_json.c
src/import/chrome/event_frame.c tests/unit/import/suite_event_json.c
src/import/chrome/event_kind.c tests/unit/import/suite_event_json.c
src/import/chrome/event_owner.c tests/unit/import/suite_event_json.c
src/import/chrome/event_write.c tests/unit/import/suite_event_json.c
src/import/spans/jaeger.c tests/unit/import/suite_event_json.c
src/import/json/json_walk.c tests/unit/import/suite_spans.c
src/import/spans/otlp.c tests/unit/import/suite_event_json.c
src/import/perfetto/annotations.c tests/unit/import/suite_perfetto.c
src/import/perfetto/bundles.c tests/unit/import/suite_perfetto.c
src/import/perfetto/clocks.c tests/unit/import/suite_perfetto.c
src/import/perfetto/event_tracks.c tests/unit/import/suite_perfetto.c
src/import/perfetto/legacy_events.c tests/unit/import/suite_perfetto.c
src/import/perfetto/packets.c tests/unit/import/suite_perfetto.c
src/import/perfetto/sequence.c tests/unit/import/suite_perfetto.c
src/import/perfetto/system_events.c tests/unit/import/suite_perfetto.c
src/import/perfetto/track_events.c tests/unit/import/suite_perfetto.c
src/import/perfetto/unpack.c tests/unit/import/suite_perfetto.c
src/import/spans/span_lanes.c tests/unit/import/suite_spans.c
src/import/spans/span_store.c tests/unit/import/suite_event_json.c
src/import/spans/span_tree.c tests/unit/import/suite_spans.c
src/import/spans/zipkin.c tests/unit/import/suite_event_json.c
src/import/kernel/kernel_fields.c tests/unit/import/suite_kernel_events.c
src/import/kernel/kernel_mark.c tests/unit/import/suite_kernel_events.c
src/import/kernel/kernel_text.c tests/unit/import/suite_kernel_events.c
src/import/kernel/kernel_threads.c tests/unit/import/suite_kernel_events.c
sql/lanes_open.c tests/unit/sql/suite_assertion.c
provider/preload/functions.c tests/system/record.sh
provider/preload/mallocs.c tests/system/record.sh
provider/preload/own_symbols.c tests/system/record.sh
provider/preload/waits.c tests/system/record.sh
provider/connect.c tests/system/restarts.c
record/watch/perf_rings.c tests/unit/record/suite_switches.c
record/watch/debug_info_dwarf.c tests/unit/record/suite_names.c
record/watch/namer.c tests/unit/record/suite_names.c
record/watch/death.c tests/system/traced.c
provider/event.c tests/system/traced.c
record/child.c tests/system/record_faults.c
record/recording.c tests/system/record_faults.c
record/recording_options.c tests/system/record.sh
sql/modes/verdicts.c tests/system/fleet.sh
sql/tables/numbers.c tests/unit/sql/suite_assertion.c
src/io/map_guard.c tests/unit/io/suite_file.c
app/main.c tests/system/faults.c
ui/config/config_lines.c tests/unit/ui/suite_config.c
ui/config/key_sets.c tests/unit/ui/suite_config.c
ui/config/keymap.c tests/unit/ui/suite_config.c
ui/config/settings.c tests/unit/ui/suite_config.c
ui/config/theme.c tests/unit/ui/suite_config.c
ui/keep/keep_session.c tests/unit/ui/suite_keep_state.c
ui/keep/track_spec.c tests/unit/ui/suite_keep_state.c
ui/shells/shell_bash.c tests/system/completion.sh
ui/shells/shell_fish.c tests/system/completion.sh
ui/shells/shell_zsh.c tests/system/completion.sh
ui/timeline/filters/track_only.c tests/unit/views/suite_view_table.c
ui/timeline/range/draw_range.c tests/unit/timeline/suite_ranges.c
sql/answer/columns.c tests/unit/sql/suite_answer.c
sql/answer/unended.c tests/unit/sql/suite_assertion.c
sql/arguments/arguments.c tests/tools/check_sql.py
sql/functions.c tests/unit/sql/suite_query.c
sql/lanes.c tests/tools/check_sql.py
sql/made.c tests/unit/sql/suite_query.c
sql/operations.c tests/unit/sql/suite_family.c
sql/scopes.c tests/unit/sql/suite_dotted.c
sql/aggregate/ordered.c tests/unit/sql/suite_percentile.c
sql/print.c tests/fuzz/fuzz_sql.c
sql/registry.c tests/tools/check_sql.py
sql/modes/run.c tests/system/sql.sh
sql/state_time.c tests/unit/sql/suite_modules.c
sql/source.c tests/unit/sql/suite_rows.c
sql/tables/analysis.c tests/unit/sql/suite_query.c
sql/tables/args.c tests/tools/check_sql.py
sql/tables/flows.c tests/tools/check_sql.py
sql/tables/made_table.c tests/unit/sql/suite_query.c
sql/tables/flows_open.c tests/unit/sql/suite_assertion.c
sql/tables/own.c tests/tools/check_sql.py
sql/tables/records.c tests/tools/check_sql.py
sql/tables/slices.c tests/tools/check_sql.py
sql/tables/views.c tests/unit/sql/suite_query.c
sql/tables/walk.c tests/unit/sql/suite_query.c
ui/views/sql/sql_words.c tests/unit/sql/suite_view_sql.c
ui/views/stat/compare_pane.c tests/unit/views/suite_view_compare.c
ui/views/stat/traces/traces_sides.c tests/unit/views/suite_view_traces.c
ui/app.c tests/unit/ui/suite_reload.c
ui/drawer/compare/slowest.c tests/unit/drawer/suite_tab_why.c
ui/drawer/compare/tab_children.c tests/unit/drawer/suite_tab_why.c
ui/screen/key_decode.c tests/unit/ui/suite_key.c
ui/terminal/term_caps.c tests/system/term.c
ui/terminal/term_curses.c tests/system/term.c
ui/terminal/term_input.c tests/system/term.c
ui/terminal/term_signal.c tests/system/term.c
ui/timeline/list/track_known.c tests/unit/timeline/suite_track_sort.c
ui/timeline/list/track_life.c tests/unit/timeline/suite_track_sort.c
ui/views/stat/slices/stat_counters.c tests/unit/views/suite_view_slices.c
ui/views/stat/slices/stat_flows.c tests/unit/views/suite_view_slices.c
ui/views/stat/slices/stat_gaps.c tests/unit/views/suite_view_slices.c
ui/views/stat/slices/stat_logs.c tests/unit/views/suite_view_slices.c
ui/views/stat/slices/stat_threads.c tests/unit/views/suite_view_slices.c
ui/views/stat/slices/stat_raster.c tests/unit/views/suite_view_slices.c
ui/views/stat/slices/stat_filter.c tests/unit/views/suite_view_slices.c
ui/views/stat/slices/stat_instances.c tests/unit/views/suite_view_slices.c
ui/views/stat/slices/stat_names.c tests/unit/views/suite_view_slices.c
ui/views/stat/slices/stat_spread.c tests/unit/views/suite_view_slices.c
src/import/profiles/cpuprofile.c tests/unit/import/suite_event_json.c
src/import/profiles/speedscope.c tests/unit/import/suite_event_json.c
src/import/tables/columns.c tests/unit/import/suite_event_json.c
src/import/profiles/firefox.c tests/unit/import/suite_event_json.c
src/import/profiles/firefox_frames.c tests/unit/import/suite_event_json.c
src/import/profiles/firefox_markers.c tests/unit/import/suite_event_json.c
src/import/import_whole.c tests/unit/import/suite_event_json.c
src/import/chrome/event_profile.c tests/unit/import/suite_event_json.c
src/import/profiles/v8_profile.c tests/unit/import/suite_event_json.c
ui/timeline/waits/draw_path.c tests/unit/views/suite_view_critical.c
'

suites=" $(sed -n 's/^SUITE(\([a-z0-9_]*\)) {$/\1/p' $(find tests/unit -name 'suite_*.c') | tr '\n' ' ')"
[ "$suites" != ' ' ] || { echo 'tests/tools/suites.sh:1: found no suites'; exit 1; }

has() { # FILE: whether a suite is its own, or that of the module it is a part of
    local base=${1##*/} folder=${1%/*} part
    base=${base%.c}
    case $suites in *" $base "* | *" ${folder##*/}_$base "*) return 0 ;; esac
    [ ! -e "$folder/$base.h" ] && ! grep -q '^const struct view_ops ' "$1" || return 1
    for ((part = ${#base}; part > 0; part--)); do
        [ "${base:part:1}" = _ ] && [ -e "$folder/${base:0:part}.h" ] || continue
        case $suites in *" ${base:0:part} "*) return 0 ;; esac
    done
    return 1
}

status=0
while read -r file; do
    [ "$(wc -l <"$file")" -gt $least ] || continue
    test=$(sed -n "s|^$file ||p" <<<"$elsewhere")
    if [ -z "$test" ]; then
        has "$file" || { echo "$file:1: no suite_$(basename "$file" .c)() in tests/unit"; status=1; }
    elif has "$file" || [ ! -e "$test" ]; then
        echo "tests/tools/suites.sh:1: the exception for $file is not needed, or $test is gone"
        status=1
    fi
done < <(find src model sql ui record provider app -name '*.c' | LC_ALL=C sort)
exit $status
