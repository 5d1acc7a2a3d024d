/* symbols.h - the library's inner names, as the linker sees them.
 *
 * A static library shares one space of names with the program. Each name of it begins with
 * fxttrace_ there, or with trace_provider_, so that a program may have a write_buffer of its own.
 * tests/system/installed.sh looks at all. */
#ifndef FXTTRACE_SYMBOLS_H
#define FXTTRACE_SYMBOLS_H

#define connect_buffer fxttrace_connect_buffer
#define connect_manager fxttrace_connect_manager
#define connect_path fxttrace_connect_path
#define connect_receive fxttrace_connect_receive
#define event_pay fxttrace_event_pay
#define held_apart fxttrace_held_apart
#define held_close fxttrace_held_close
#define held_fd fxttrace_held_fd
#define held_take fxttrace_held_take
#define names_categories_clear fxttrace_names_categories_clear
#define names_categories_take fxttrace_names_categories_take
#define names_clear fxttrace_names_clear
#define names_enabled fxttrace_names_enabled
#define names_forked fxttrace_names_forked
#define names_index fxttrace_names_index
#define names_session fxttrace_names_session
#define names_thread fxttrace_names_thread
#define names_virtual fxttrace_names_virtual
#define rings_begin fxttrace_rings_begin
#define rings_close fxttrace_rings_close
#define rings_fail fxttrace_rings_fail
#define rings_fd fxttrace_rings_fd
#define rings_open fxttrace_rings_open
#define rings_ring fxttrace_rings_ring
#define rings_take fxttrace_rings_take
#define session_alert fxttrace_session_alert
#define session_is_copy fxttrace_session_is_copy
#define session_name fxttrace_session_name
#define session_rate fxttrace_session_rate
#define session_revive fxttrace_session_revive
#define watch_begin fxttrace_watch_begin
#define watch_take fxttrace_watch_take
#define session_thread_ended fxttrace_session_thread_ended
#define write_barrier fxttrace_write_barrier
#define write_buffer fxttrace_write_buffer
#define write_count_missed fxttrace_write_count_missed
#define write_dropped fxttrace_write_dropped
#define write_durable fxttrace_write_durable
#define write_enter fxttrace_write_enter
#define write_exit fxttrace_write_exit
#define write_forked fxttrace_write_forked
#define write_free_half fxttrace_write_free_half
#define write_generation fxttrace_write_generation
#define write_half_is_free fxttrace_write_half_is_free
#define write_has_threads fxttrace_write_has_threads
#define write_init fxttrace_write_init
#define write_layout fxttrace_write_layout
#define write_is_copy fxttrace_write_is_copy
#define write_missed fxttrace_write_missed
#define write_pay fxttrace_write_pay
#define write_pay_own fxttrace_write_pay_own
#define write_populate fxttrace_write_populate
#define write_quiesce fxttrace_write_quiesce
#define write_reserve_chunk fxttrace_write_reserve_chunk
#define write_start fxttrace_write_start
#define write_stop fxttrace_write_stop

#endif
