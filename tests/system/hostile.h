/* hostile.h - shared by the files of hostile: a trace that is written, words to write cases in, and
 * the cases.
 *
 * hostile.c has the table of cases and main(). A case writes its records to the writer of struct
 * hostile; n is how many of its kind there are to be. */
#ifndef FXTOP_HOSTILE_H
#define FXTOP_HOSTILE_H

#include "src/fxt/writer.h"
#include "tests/lib/chance.h"

#define MS UINT64_C(1000000)
#define PID 100
#define TID 101

struct hostile {
    struct writer w;
    struct chance chance;
    uint64_t n, ts;
};

typedef void hostile_make(struct hostile *h);

/* ---- hostile_words.c ---- */

struct writer_string text(const char *s);

/* At the next moment, on the usual thread. */
struct writer_event event(struct hostile *h, const char *name);
void open_trace(struct hostile *h);

/* A plain event before and after the hostile records: a bad record never hides the next. */
void plain(struct hostile *h);
void begin_case(struct hostile *h);
void words(struct hostile *h, uint64_t word, uint64_t n);

/* Raw, for the writer's tables would cost more than the record. */
void section(struct hostile *h, uint64_t id);
void provider_info(struct hostile *h, uint64_t id, const char *name);

/* An event of these words: size and counts may lie. */
void event_header(struct hostile *h, uint64_t type, uint64_t size, uint64_t args, uint64_t category,
                  uint64_t name);
struct writer_arguments list(const struct writer_argument *v, size_t n);

/* ---- hostile_text.c ---- */

struct hostile_text {
    const char *name, *what;
    struct {
        const char *s;
        size_t n;
    } v[8];
};

extern const struct hostile_text texts[];
extern const size_t n_texts;

/* Records of all kinds with the string in each place that can hold one, of the provider with this
 * number. */
void everywhere(struct hostile *h, struct str s, uint16_t number);

/* A case of texts[]; and the same for a name of n bytes, which repeats the unit. */
void make_text(struct hostile *h, const struct hostile_text *t);
void filled(struct hostile *h, const char *unit, size_t n);

hostile_make make_marks, make_long, make_long_escapes, make_long_bad, make_long_wide,
    make_long_blank;

/* ---- hostile_stream.c ---- */

hostile_make make_zero_size, make_ones, make_random, make_likely, make_zeros, make_large,
    make_large_payload, make_lengths, make_tiny, make_all_types, make_big_endian, make_again,
    make_providers, make_provider_names, make_index_again, make_thread_again, make_names,
    make_undefined, make_problems, make_problem_kinds, make_damage, make_chains, make_not_text,
    make_png, make_for_gzip, make_for_zstd, make_long_name;

/* ---- hostile_many.c ---- */

hostile_make make_nested, make_nested_ended, make_threads, make_counters, make_flows, make_asyncs,
    make_threads_high, make_threads_highest, make_threads_inverse, make_counters_high,
    make_flows_high, make_flows_inverse, make_asyncs_high, make_async_deep, make_async_strays,
    make_flow_steps, make_flow_begins, make_async_ended, make_flow_categories, make_objects,
    make_renamed, make_cpus, make_legacy_cpus, make_wakeups, make_deaths, make_logs, make_blobs,
    make_blob_names, make_profile;

/* ---- hostile_json.c ---- */

hostile_make make_json_texts, make_json_numbers, make_json_cut, make_json_deep, make_json_open,
    make_json_long, make_json_arguments, make_json_owners;

/* ---- hostile_times.c ---- */

hostile_make make_one_time, make_far, make_to_max, make_rate_0, make_rate_1, make_rate_max,
    make_rates, make_backwards, make_late, make_saw, make_overlap, make_overlap_late,
    make_overlap_asked, make_stairs, make_same_ends, make_begins_and_completes, make_flow_loops,
    make_counter_limits, make_koids, make_arguments, make_scopes;

#endif
