/* suite_reader.c - the stream: framing, steps, damage. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/fxt/reader.h"
#include "src/fxt/writer.h"
#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/suites.h"

struct seen { /* what a sink got, as numbers that must not depend on how it was cut into steps */
    uint64_t records, problems, sum;
    uint64_t offsets[64];
    enum problem_kind kinds[64];
    uint64_t problem_offsets[64];
};

static void mix(struct seen *s, uint64_t v) {
    s->sum = (s->sum ^ v) * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

static void on_record(void *ctx, const struct item *item) {
    struct seen *s = ctx;
    if (s->records < 64)
        s->offsets[s->records] = item->offset;
    s->records++;
    mix(s, item->offset);
    mix(s, (uint64_t)item->time);
    mix(s, (uint64_t)item->end);
    mix(s, item->thread);
    mix(s, item->name);
    mix(s, item->record->kind);
}

static void on_problem(void *ctx, enum problem_kind kind, uint64_t offset, uint64_t detail,
                       int64_t time) {
    struct seen *s = ctx;
    (void)time;
    if (s->problems < 64) {
        s->kinds[s->problems] = kind;
        s->problem_offsets[s->problems] = offset;
    }
    s->problems++;
    mix(s, kind);
    mix(s, offset);
    mix(s, detail);
}

static void save(const struct trace_bytes *bytes, char path[SCRATCH_PATH]) {
    ck_assert(scratch_write(path, "reader", bytes->v, bytes->n));
}

static enum reader_state read_all(const char *path, uint64_t budget, struct seen *seen) {
    struct err err;
    struct file *file = file_open(path, NULL, &err);
    ck_assert_ptr_nonnull(file);
    struct sink sink = {seen, NULL, NULL, on_record, on_problem, NULL};
    struct reader *reader = reader_new(file, &sink);
    enum reader_state state;
    uint64_t steps = 0;
    *seen = (struct seen){0};
    do {
        state = reader_step(reader, budget);
        ck_assert_uint_lt(++steps, 200000);
    } while (state == READER_MORE);
    reader_free(reader);
    file_close(file);
    return state;
}

static struct seen of_text(const char *text) {
    struct err err;
    char path[SCRATCH_PATH];
    struct seen whole, cut;
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_msg(bytes.v != NULL, "%s (line %d)", bytes.v ? "" : err.text, (int)err.at);
    save(&bytes, path);
    ck_assert_int_eq(read_all(path, UINT64_MAX / 2, &whole), READER_END);
    for (uint64_t budget = 1; budget < 200; budget = budget * 3 + 1) { /* steps do not show */
        ck_assert_int_eq(read_all(path, budget, &cut), READER_END);
        ck_assert_uint_eq(cut.records, whole.records);
        ck_assert_uint_eq(cut.sum, whole.sum);
    }
    unlink(path);
    free(bytes.v);
    return whole;
}

START_TEST(a_run_of_zeros_is_one_note) {
    struct seen s = of_text("magic\nthread 1 1 2\nzeros 700\ninstant 5 t1 \"c\" \"a\"\nzeros 3\n");
    ck_assert_uint_eq(s.records, 3);
    ck_assert_uint_eq(s.problems, 2);
    ck_assert_int_eq(s.kinds[0], PROBLEM_ZERO_WORDS);
    ck_assert_uint_eq(s.problem_offsets[0], 32);
    ck_assert_int_eq(s.kinds[1], PROBLEM_ZERO_WORDS);
}
END_TEST

/* A section is already its provider's. */
START_TEST(a_switch_holds_from_its_own_record_on) {
    struct err err;
    char path[SCRATCH_PATH];
    struct seen seen = {0};
    struct trace_bytes bytes =
        tracegen("magic\nprovider 1 \"a\"\nprovider 2 \"b\"\nsection 1\nsection 2\n", &err);
    const struct {
        uint64_t offset;
        uint32_t id;
    } wanted[] = {{8, 1}, {24, 2}, {40, 1}, {48, 2}};
    ck_assert_ptr_nonnull(bytes.v);
    save(&bytes, path);
    struct file *file = file_open(path, NULL, &err);
    const struct sink sink = {.ctx = &seen, .record = on_record, .problem = on_problem};
    struct reader *r = reader_new(file, &sink);
    while (reader_step(r, 8) == READER_MORE)
        ;
    for (int i = 0; i < 4; i++) {
        struct fxt_record record;
        struct provider *p;
        ck_assert(reader_record_at(r, wanted[i].offset, &record, &p));
        ck_assert_uint_eq(p->id, wanted[i].id);
    }
    reader_free(r);
    file_close(file);
    unlink(path);
    free(bytes.v);
}
END_TEST

/* A word that happens to look like a record is not one where no chain follows it. */
START_TEST(resynchronising_asks_for_a_chain) {
    struct seen s =
        of_text("magic\nthread 1 1 2\n"
                "word 0x0000000000000005\n"     /* size 0 */
                "word 0x0000000000000033 7 7\n" /* a thread record, but after it: */
                "word 0xffffffffffffffff\n"
                "instant 5 t1 \"c\" \"a\"\ninstant 6 t1 \"c\" \"b\"\ninstant 7 t1 \"c\" \"d\"\n");
    ck_assert_uint_eq(s.problems, 1);
    ck_assert_int_eq(s.kinds[0], PROBLEM_ZERO_SIZE);
    ck_assert_uint_eq(s.records, 5);
    ck_assert_uint_eq(s.offsets[2], 8 + 24 + 8 + 24 + 8);
}
END_TEST

START_TEST(fewer_than_a_chain_do_at_the_end) {
    struct seen s =
        of_text("magic\nthread 1 1 2\nword 0x8000000000000005\ninstant 5 t1 \"c\" \"a\"\n");
    ck_assert_uint_eq(s.problems, 1);
    ck_assert_uint_eq(s.records, 3);
}
END_TEST

START_TEST(a_record_past_the_end_hides_nothing_after_it) {
    struct seen s = of_text("magic\nthread 1 1 2\nword 0x000000000000fff4\n"
                            "instant 5 t1 \"c\" \"a\"\ninstant 6 t1 \"c\" \"b\"\n");
    ck_assert_uint_eq(s.problems, 1);
    ck_assert_int_eq(s.kinds[0], PROBLEM_TRUNCATED_RECORD);
    ck_assert_uint_eq(s.records, 4);
}
END_TEST

START_TEST(a_large_record_of_32_GiB_allocates_nothing) {
    struct seen s =
        of_text("magic\nthread 1 1 2\ninstant 5 t1 \"c\" \"a\"\nword 0x0000000fffffffff 1 2\n");
    ck_assert_uint_eq(s.records, 3);
    ck_assert_uint_eq(s.problems, 1);
    ck_assert_int_eq(s.kinds[0], PROBLEM_TRUNCATED_RECORD);
}
END_TEST

/* A trace in the other byte order reads the same. */
START_TEST(both_byte_orders_read_alike) {
    const char *text =
        "magic\nprovider 1 \"p\"\ninit 24000000\nstring 1 \"n\"\nthread 1 5 6\n"
        "begin 100 t1 \"c\" s1 x=i32:-5 s=\"text\" d=f64:1.5\nend 900 t1 \"c\" s1\n"
        "complete 200 7/8 \"c\" \"inline name\" end=300\nkernel_object 1 5 \"proc\"\n"
        "log 400 t1 \"hello\"\nswitch 500 3 6 3 8\nblob \"b\" 1 fill:20\n";
    size_t size = strlen(text) + 32;
    char *big = malloc(size);
    snprintf(big, size, "big_endian\n%s", text);
    struct seen a = of_text(text), b = of_text(big);
    ck_assert_uint_eq(a.records, 12);
    ck_assert_uint_eq(a.records, b.records);
    ck_assert_uint_eq(a.sum, b.sum);
    free(big);
}
END_TEST

START_TEST(what_is_no_trace_is_refused) {
    static const char other[] =
        "bytes 7e 45 4c 46 02 01 01 00 00 00 00 00 00 00 00 00 03 00 3e 00 01 00 00 00";
    static const char *const texts[] = {"bytes 01 02 03", "zeros 100", other,
                                        "word 0xffffffffffffffff 1 2 3 4 5"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct err err;
        struct seen seen;
        char path[SCRATCH_PATH];
        struct trace_bytes bytes = tracegen(texts[i], &err);
        save(&bytes, path);
        ck_assert_msg(read_all(path, 1 << 20, &seen) == READER_ALIEN, "%s was read", texts[i]);
        ck_assert_uint_eq(seen.records, 0);
        unlink(path);
        free(bytes.v);
    }
}
END_TEST

/* ---- little address space ---- */

#if defined(__SANITIZE_ADDRESS__) /* needs terabytes of it */
#elif defined(__has_feature)
#if !__has_feature(address_sanitizer)
#define HAS_LIMITS 1
#endif
#else
#define HAS_LIMITS 1
#endif

#ifdef HAS_LIMITS
/* Reads each record again, from the last to the first. */
static uint64_t found_again(const char *path, size_t *most) {
    struct err err;
    struct seen seen = {0};
    struct sink sink = {&seen, NULL, NULL, on_record, on_problem, NULL};
    struct file *file = file_open(path, NULL, &err);
    if (file == NULL)
        _exit(3);
    struct reader *reader = reader_new(file, &sink);
    while (reader_step(reader, 1 << 20) == READER_MORE)
        continue;
    uint64_t n = 0, sum = seen.sum;
    for (uint64_t i = 64; i-- > 0;) {
        struct fxt_record record;
        struct reader_frame frame;
        struct provider *provider;
        if (!reader_record_at(reader, seen.offsets[i], &record, &provider) ||
            !reader_frame_at(reader, seen.offsets[i], &frame))
            _exit(4);
        sum = sum * 31 + (uint64_t)record.kind + frame.size + frame.bytes;
    }
    /* Bytes that are no record, from the end: half a word, zeros, garbage. */
    uint64_t end = file_size(file) / 8 * 8;
    for (uint64_t at = end; n < 400; n++, at -= n % 7 * 8000) {
        struct fxt_record record;
        struct reader_frame frame;
        bool found = reader_record_at(reader, at, &record, NULL);
        if (!reader_frame_at(reader, at, &frame) ||
            (at == end && (found || frame.kind != FRAME_BYTES)))
            _exit(5);
        sum = sum * 31 + (uint64_t)frame.kind + frame.size + frame.bytes;
    }
    struct fxt_record record;
    struct reader_frame frame;
    if (reader_record_at(reader, end + 8, &record, NULL) ||
        reader_frame_at(reader, end + 8, &frame))
        _exit(6); /* after all */
    if (reader_step(reader, 8) != READER_END || reader_resume(reader))
        _exit(7); /* there is a word that is not whole */
    file_span(file, 0, SIZE_MAX, most);
    reader_free(reader);
    file_close(file);
    return sum;
}

/* Large records between small ones, garbage, and a long run that is plain: windows end anywhere in
 * them. */
START_TEST(a_window_that_moves_is_not_seen) {
    static uint64_t words[400000];
    char path[SCRATCH_PATH];
    FILE *f = fdopen(scratch_file(path, "reader"), "wb");
    ck_assert_ptr_nonnull(f);
    struct writer w;
    struct err err;
    writer_init(&w, f);
    writer_magic(&w);
    writer_init_record(&w, 1000000000);
    writer_thread(&w, 1, 7, 8);
    writer_string(&w, 1, STR("name"));
    struct chance chance = {5};
    for (uint64_t i = 0; i < 400000; i++)
        words[i] = i * UINT64_C(0x9e3779b97f4a7c15) & ~UINT64_C(15);
    for (int i = 0; i < 60; i++) {
        uint64_t size =
            i == 0 ? 399999 : 1 + below(&chance, 1 << 30) % (i % 5 == 0 ? 399999 : 5000);
        /* a large record of a type that is not known */
        words[0] = 15 | size << 4 | UINT64_C(9) << 36;
        writer_bytes(&w, (const char *)words, size * 8);
        for (int k = 0; k < 4000; k++)
            writer_complete(&w,
                            &(struct writer_event){.ts = (uint64_t)(i * 4000 + k) * 10,
                                                   .thread = {.index = 1},
                                                   .category = writer_index(1),
                                                   .name = writer_index(1)},
                            (uint64_t)(i * 4000 + k) * 10 + 5);
        if (i % 20 == 7)
            writer_bytes(&w, (const char *)(words + 1), 24000); /* headers of size 0, and others */
    }
    memset(words, 0, sizeof words);
    /* more zeros than are looked at for a frame */
    writer_bytes(&w, (const char *)words, sizeof words);
    words[0] = 15;
    writer_bytes(&w, (const char *)words, sizeof words); /* and a size of 0 before more of them */
    writer_bytes(&w, "half", 4);
    ck_assert(writer_flush(&w, &err));
    writer_free(&w);
    fclose(f);
    size_t whole;
    uint64_t sum = found_again(path, &whole);
    pid_t child = fork();
    if (child == 0) {
        unsigned long pages = 0;
        FILE *statm = fopen("/proc/self/statm", "r");
        if (statm == NULL || fscanf(statm, "%lu", &pages) != 1)
            _exit(5);
        fclose(statm);
        rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (12 << 20);
        setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
        size_t part;
        bool same = found_again(path, &part) == sum;
        _exit(!same ? 1 : part < whole ? 0 : 2);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", status);
    unlink(path);
}
END_TEST
#endif

/* Without the magic a chain of records proves a trace; while bytes may follow, the reader waits for
 * a whole one. */
START_TEST(what_comes_by_and_by_may_turn_out_to_be_a_trace) {
    struct err err;
    for (int good = 0; good < 2; good++) {
        struct trace_bytes bytes =
            tracegen("thread 1 7 8\nstring 1 \"a long name of a thing\"\ninstant 5 t1 \"c\" s1\n"
                     "instant 6 t1 \"c\" s1\ninstant 7 t1 \"c\" s1\n",
                     &err);
        ck_assert_ptr_nonnull(bytes.v);
        if (!good)
            bytes.v[24] = 0xff; /* what follows is no record */
        int ends[2], saved = dup(STDIN_FILENO);
        ck_assert_int_eq(pipe(ends), 0);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        ck_assert_int_eq(write(ends[1], bytes.v, 4), 4); /* what opening waits for */
        struct file *file = file_open("-", NULL, &err);
        dup2(saved, STDIN_FILENO);
        close(saved);
        ck_assert_ptr_nonnull(file);
        struct seen seen = {0};
        struct sink sink = {&seen, NULL, NULL, on_record, on_problem, NULL};
        struct reader *reader = reader_new(file, &sink);
        enum reader_state state = READER_WAIT;
        for (size_t i = 4; i < bytes.n; i++) {
            ck_assert_int_eq(write(ends[1], bytes.v + i, 1), 1);
            file_step(file, 1 << 20, 0);
            while ((state = reader_step(reader, 8)) == READER_MORE)
                continue;
            if (state == READER_ALIEN)
                break;
        }
        close(ends[1]);
        while (state == READER_WAIT || state == READER_MORE) {
            file_step(file, 1 << 20, 0);
            state = reader_step(reader, 1 << 20);
        }
        ck_assert_int_eq(state, good ? READER_END : READER_ALIEN);
        ck_assert_uint_eq(seen.records, good ? 5 : 0);
        if (good) {
            ck_assert_int_eq(reader_step(reader, 8), READER_END);
            ck_assert(reader_resume(reader)); /* all was whole: more may follow */
            ck_assert(reader_resume(reader));
            ck_assert_int_eq(reader_step(reader, 8), READER_END);
        }
        reader_free(reader);
        file_close(file);
        free(bytes.v);
    }
}
END_TEST

SUITE(reader) {
    Suite *s = suite_create("reader");
    TCase *t = tcase_create("stream");
    tcase_add_test(t, a_run_of_zeros_is_one_note);
    tcase_add_test(t, a_switch_holds_from_its_own_record_on);
    tcase_add_test(t, resynchronising_asks_for_a_chain);
    tcase_add_test(t, fewer_than_a_chain_do_at_the_end);
    tcase_add_test(t, a_record_past_the_end_hides_nothing_after_it);
    tcase_add_test(t, a_large_record_of_32_GiB_allocates_nothing);
    tcase_add_test(t, both_byte_orders_read_alike);
    tcase_add_test(t, what_is_no_trace_is_refused);
    tcase_add_test(t, what_comes_by_and_by_may_turn_out_to_be_a_trace);
#ifdef HAS_LIMITS
    tcase_add_test(t, a_window_that_moves_is_not_seen);
#endif
    suite_add_tcase(s, t);
    return s;
}
