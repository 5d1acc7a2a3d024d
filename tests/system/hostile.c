/* hostile.c - writes malicious traces: hostile list | hostile CASE OUT [N]. The bytes are the same
 * in every run.
 *
 * `list` prints one case per line: name, small or big, the expected result (trace: is read;
 * refused: one line and status 2), the number of its kind (N; 0: none), and a description. Small
 * cases stay below 1 MB. Text cases put their strings in every place where a trace can hold one. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "tests/system/hostile.h"

/* ---- the table ---- */

enum packing {
    PLAIN,
    GZIP,
    GZIP_TWICE,
    GZIP_CUT,
    GZIP_DAMAGED,
    GZIP_TRAILING,
    GZIP_EMPTY_MEMBERS,
    GZIP_BOMB,
    ZSTD,
    ZSTD_CUT,
    ZSTD_BOMB
};

#define BOMB_MEMBER (8u << 20) /* bytes of zeros; there are N members */

static const struct hostile_case {
    const char *name, *what;
    void (*make)(struct hostile *h);
    uint64_t n; /* 0: small */
    enum packing packing;
    bool refused;
} cases[] = {
    {"zero-size", "records of size 0 among others", make_zero_size, 0, PLAIN, false},
    {"all-ones", "256 kB of ones", make_ones, 0, PLAIN, false},
    {"random", "240 kB of random bytes", make_random, 0, PLAIN, false},
    {"likely", "headers that could be, followed by random words", make_likely, 0, PLAIN, false},
    {"large-32-gib", "a large record that declares 32 GiB", make_large, 0, PLAIN, false},
    {"large-payload", "large payloads that declare up to 2^64-1 bytes", make_large_payload, 0,
     PLAIN, false},
    {"lengths", "strings, blobs, messages longer than their records", make_lengths, 0, PLAIN,
     false},
    {"tiny", "the magic and one byte", make_tiny, 0, PLAIN, false},
    {"all-types", "every type, subtype and size up to 8 words", make_all_types, 0, PLAIN, false},
    {"big-endian", "words in the other byte order, hostile text in them", make_big_endian, 0, PLAIN,
     false},
    {"again", "magic, clock and provider 400 times", make_again, 0, PLAIN, false},
    {"undefined", "strings and threads that were never registered", make_undefined, 0, PLAIN,
     false},
    {"cpus-legacy", "256 CPUs and all states, known or not", make_legacy_cpus, 0, PLAIN, false},
    {"far-apart", "two events 2^62 apart", make_far, 0, PLAIN, false},
    {"times-to-max", "every kind of event up to 2^64-1", make_to_max, 0, PLAIN, false},
    {"rate-0", "0 ticks a second", make_rate_0, 0, PLAIN, false},
    {"rate-1", "one tick a second", make_rate_1, 0, PLAIN, false},
    {"rate-max", "2^64-1 ticks a second", make_rate_max, 0, PLAIN, false},
    {"rates", "a clock that changes between begin and end", make_rates, 0, PLAIN, false},
    {"flow-loops", "flows that loop, and go back in time", make_flow_loops, 0, PLAIN, false},
    {"counter-limits", "INT64_MIN, UINT64_MAX, NaN, infinities", make_counter_limits, 0, PLAIN,
     false},
    {"koids", "process and thread at once, threads in themselves", make_koids, 0, PLAIN, false},
    {"arguments", "15 declared and none there, names that overlap, unknown types", make_arguments,
     0, PLAIN, false},
    {"scopes", "unknown scopes, and words after the end", make_scopes, 0, PLAIN, false},
    {"name-32000", "names of 32,000 bytes", make_long, 0, PLAIN, false},
    {"name-32000-escapes", "32,000 bytes of escapes and overrides", make_long_escapes, 0, PLAIN,
     false},
    {"name-32000-bad", "32,000 bytes that are no UTF-8", make_long_bad, 0, PLAIN, false},
    {"name-32000-wide", "32,000 bytes of wide characters", make_long_wide, 0, PLAIN, false},
    {"name-32000-blank", "32,000 blanks", make_long_blank, 0, PLAIN, false},
    {"marks-4000", "4,000 combining marks on one letter", make_marks, 0, PLAIN, false},
    {"json-texts", "JSON with half surrogates, NUL, bad UTF-8 and keys twice", make_json_texts, 0,
     PLAIN, false},
    {"json-numbers", "JSON with numbers that are none, or fit nothing", make_json_numbers, 0, PLAIN,
     false},
    {"json-cut", "JSON with 2,000 faults, and cut", make_json_cut, 0, PLAIN, false},
    {"not-a-trace", "escape sequences and no trace", make_not_text, 0, PLAIN, true},
    {"png", "another format", make_png, 0, PLAIN, true},
    {"gzip", "a compressed trace", make_for_gzip, 0, GZIP, false},
    {"gzip-twice", "gzip of gzip of a trace", make_for_gzip, 0, GZIP_TWICE, true},
    {"gzip-cut", "half of a .gz", make_for_gzip, 0, GZIP_CUT, false},
    {"gzip-damaged", "a .gz with a byte changed", make_for_gzip, 0, GZIP_DAMAGED, false},
    {"gzip-trailing", "a .gz followed by other bytes", make_for_gzip, 0, GZIP_TRAILING, false},
    {"gzip-empty-members", "10,000 empty members and then the trace", make_for_gzip, 0,
     GZIP_EMPTY_MEMBERS, false},
#ifdef HAVE_ZSTD
    {"zstd", "a trace compressed by zstd", make_for_zstd, 0, ZSTD, false},
    {"zstd-cut", "half of a .zst", make_for_zstd, 0, ZSTD_CUT, false},
    {"zstd-bomb", "zeros, 8 MB in a kB, after a trace", make_for_gzip, 40, ZSTD_BOMB, false},
#endif
    {"gzip-bomb", "zeros, 8 MB in 8 kB, after a trace", make_for_gzip, 40, GZIP_BOMB, false},
    {"long-name", "a name of so many bytes in every place", make_long_name, 16000, PLAIN, false},
    {"zeros", "words of zeros where records should be", make_zeros, 1000000, PLAIN, false},
    {"damage", "every fourth record is damaged", make_damage, 100000, PLAIN, false},
    {"chains", "words that are almost a chain of records", make_chains, 300000, PLAIN, false},
    {"providers", "a provider never introduced, and a switch, each record", make_providers, 100000,
     PLAIN, false},
    {"provider-names", "one id introduced under ever new names", make_provider_names, 100000, PLAIN,
     false},
    {"index-again", "a string index registered again for each event", make_index_again, 100000,
     PLAIN, false},
    {"thread-again", "a thread index registered again for each event", make_thread_again, 100000,
     PLAIN, false},
    {"names", "distinct names", make_names, 1000000, PLAIN, false},
    {"nested", "begins in begins, never ended", make_nested, 1000000, PLAIN, false},
    {"nested-ended", "begins in begins, and their ends", make_nested_ended, 1000000, PLAIN, false},
    {"threads", "threads and processes of one event", make_threads, 1000000, PLAIN, false},
    {"threads-high", "the same, ids that differ in their upper half", make_threads_high, 200000,
     PLAIN, false},
    {"threads-highest", "the same, ids that differ in 20 high bits", make_threads_highest, 200000,
     PLAIN, false},
    {"threads-inverse", "the same, ids against multiplicative hashes", make_threads_inverse, 200000,
     PLAIN, false},
    {"counters", "counter series", make_counters, 1000000, PLAIN, false},
    {"counters-high", "the same, ids that differ in their upper half", make_counters_high, 200000,
     PLAIN, false},
    {"flows", "flows that begin", make_flows, 1000000, PLAIN, false},
    {"flows-high", "the same, ids that differ in their upper half", make_flows_high, 200000, PLAIN,
     false},
    {"flows-inverse", "the same, ids against multiplicative hashes", make_flows_inverse, 200000,
     PLAIN, false},
    {"flow-steps", "steps of one flow without begin", make_flow_steps, 200000, PLAIN, false},
    {"flow-begins", "begins of one flow, none ended", make_flow_begins, 200000, PLAIN, false},
    {"flow-categories", "one flow id in ever new categories", make_flow_categories, 200000, PLAIN,
     false},
    {"asyncs", "async operations of ids of their own", make_asyncs, 1000000, PLAIN, false},
    {"asyncs-high", "the same, ids that differ in 20 high bits", make_asyncs_high, 200000, PLAIN,
     false},
    {"async-deep", "async operations of one id in each other", make_async_deep, 1000000, PLAIN,
     false},
    {"async-strays", "async ends of one id without begins", make_async_strays, 200000, PLAIN,
     false},
    {"async-ended", "operations of one id, ended in the order they began", make_async_ended, 200000,
     PLAIN, false},
    {"objects", "kernel objects", make_objects, 200000, PLAIN, false},
    {"renamed", "one thread, process and pointer under ever new names", make_renamed, 200000, PLAIN,
     false},
    {"cpus", "65,536 CPUs", make_cpus, 65536, PLAIN, false},
    {"wakeups", "wakeups and switches of few threads at equal times", make_wakeups, 100000, PLAIN,
     false},
    {"deaths", "processes that run once and are dead", make_deaths, 100000, PLAIN, false},
    {"logs", "log records at one time", make_logs, 200000, PLAIN, false},
    {"blobs", "chunks of a thousand blobs in turn", make_blobs, 200000, PLAIN, false},
    {"blob-names", "blobs", make_blob_names, 200000, PLAIN, false},
    {"json-deep", "JSON with arrays in objects in arrays", make_json_deep, 1000000, PLAIN, false},
    {"json-open", "JSON with brackets that are never closed", make_json_open, 1000000, PLAIN,
     false},
    {"json-long", "JSON with a text, a key and a number without end", make_json_long, 5000000,
     PLAIN, false},
    {"json-arguments", "JSON with arguments of one event", make_json_arguments, 500000, PLAIN,
     false},
    {"json-owners", "JSON with processes, threads and names", make_json_owners, 50000, PLAIN,
     false},
    {"profile", "modules, mappings and backtraces", make_profile, 200000, PLAIN, false},
    {"problems", "problems of one kind", make_problems, 200000, PLAIN, false},
    {"problem-kinds", "problems of many kinds", make_problem_kinds, 200000, PLAIN, false},
    {"one-time", "events of all kinds at one timestamp", make_one_time, 100000, PLAIN, false},
    {"backwards", "events of all kinds from the last to the first", make_backwards, 200000, PLAIN,
     false},
    {"late", "every other slice before all before it", make_late, 100000, PLAIN, false},
    {"saw", "runs of events, each before the one before it", make_saw, 200000, PLAIN, false},
    {"overlap", "slices of one thread that all partially overlap", make_overlap, 200000, PLAIN,
     false},
    {"overlap-asked", "the same, and as many instants and log records among them",
     make_overlap_asked, 100000, PLAIN, false},
    {"overlap-late", "the same, the last one first", make_overlap_late, 100000, PLAIN, false},
    {"stairs", "slices that overlap the next alone", make_stairs, 200000, PLAIN, false},
    {"same-ends", "slices that begin or end at one time", make_same_ends, 100000, PLAIN, false},
    {"mixed", "open begins, and complete events across them", make_begins_and_completes, 100000,
     PLAIN, false},
};

/* ---- out ---- */

static int fail(const char *what, const char *why) {
    fprintf(stderr, "hostile: %s: %s\n", what, why);
    return 2;
}

typedef VEC(unsigned char) bytes;

static void add(bytes *to, const void *v, size_t n) {
    vec_reserve(to, to->n + n);
    memcpy(to->v + to->n, v, n);
    to->n += n;
}

static void gzip(bytes *to, const void *v, size_t n) {
    z_stream z = {0};
    if (deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        err_no_memory();
    size_t most = deflateBound(&z, n) + 64;
    vec_reserve(to, to->n + most);
    z.next_in = (Bytef *)(uintptr_t)v;
    z.avail_in = (uInt)n;
    z.next_out = to->v + to->n;
    z.avail_out = (uInt)most;
    deflate(&z, Z_FINISH);
    to->n += most - z.avail_out;
    deflateEnd(&z);
}

#ifdef HAVE_ZSTD
static void zstd(bytes *to, const void *v, size_t n) {
    vec_reserve(to, to->n + ZSTD_compressBound(n));
    to->n += ZSTD_compress(to->v + to->n, ZSTD_compressBound(n), v, n, 3);
}
#endif

static void pack(bytes *to, enum packing packing, uint64_t members, const unsigned char *v,
                 size_t n) {
    bytes once = {0};
    void *zeros = packing == GZIP_BOMB || packing == ZSTD_BOMB ? err_calloc(1, BOMB_MEMBER) : NULL;
    switch (packing) {
    case PLAIN:
        add(to, v, n);
        break;
    case GZIP_TWICE:
        gzip(&once, v, n);
        gzip(to, once.v, once.n);
        break;
    case GZIP_EMPTY_MEMBERS:
        gzip(&once, "", 0);
        for (int i = 0; i < 10000; i++)
            add(to, once.v, once.n);
        gzip(to, v, n);
        break;
    case GZIP_BOMB:
        gzip(to, v, n);
        gzip(&once, zeros, BOMB_MEMBER);
        for (uint64_t i = 0; i < members; i++)
            add(to, once.v, once.n);
        break;
#ifdef HAVE_ZSTD
    case ZSTD:
    case ZSTD_CUT:
        zstd(to, v, n);
        break;
    case ZSTD_BOMB:
        zstd(to, v, n);
        zstd(&once, zeros, BOMB_MEMBER);
        for (uint64_t i = 0; i < members; i++)
            add(to, once.v, once.n);
        break;
#endif
    default:
        gzip(to, v, n);
        break;
    }
    if (packing == GZIP_CUT || packing == ZSTD_CUT)
        to->n /= 2;
    if (packing == GZIP_DAMAGED)
        to->v[to->n / 2] ^= 0xff;
    if (packing == GZIP_TRAILING)
        add(to, "\033[2J behind it", 13);
    free(zeros);
    vec_free(&once);
}

static int write_case(const char *out, const struct hostile_text *t, const struct hostile_case *c,
                      uint64_t n) {
    struct hostile h = {.n = n, .chance = {UINT64_C(0x9E3779B97F4A7C15)}};
    struct err err;
    bytes all = {0};
    writer_init(&h.w, NULL);
    if (t)
        make_text(&h, t);
    else
        c->make(&h);
    if (!writer_flush(&h.w, &err))
        return fail(t ? t->name : c->name, err.text);
    pack(&all, t ? PLAIN : c->packing, n, h.w.bytes.v, h.w.bytes.n);
    writer_free(&h.w);
    FILE *f = fopen(out, "wb");
    if (f == NULL || fwrite(all.v, 1, all.n, f) != all.n || fclose(f) != 0)
        return fail(out, strerror(errno));
    vec_free(&all);
    return 0;
}

int main(int argc, char **argv) {
    size_t ncases = sizeof cases / sizeof *cases;
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        for (size_t i = 0; i < n_texts; i++)
            printf("%s small trace 0 %s\n", texts[i].name, texts[i].what);
        for (size_t i = 0; i < ncases; i++)
            printf("%s %s %s %" PRIu64 " %s\n", cases[i].name, cases[i].n ? "big" : "small",
                   cases[i].refused ? "refused" : "trace", cases[i].n, cases[i].what);
        return 0;
    }
    if (argc != 3 && argc != 4)
        return fail("usage", "hostile list | hostile CASE OUT [N]");
    uint64_t n = argc == 4 ? strtoull(argv[3], NULL, 10) : 0;
    for (size_t i = 0; i < n_texts; i++)
        if (strcmp(texts[i].name, argv[1]) == 0)
            return write_case(argv[2], &texts[i], NULL, 0);
    for (size_t i = 0; i < ncases; i++)
        if (strcmp(cases[i].name, argv[1]) == 0)
            return write_case(argv[2], NULL, &cases[i], n ? n : cases[i].n);
    return fail(argv[1], "no such case");
}
